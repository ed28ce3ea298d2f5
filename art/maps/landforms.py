"""Dunes, ridges, crests and moraines along hexsides: landforms lit from the upper left and dark on the other side.

The crest line is the hexside itself, so that it is clear which hexes it separates.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from art import svg
from art.color import contrast, darker, mix
from art.geometry import Point, cut_corners, path_of, space_points
from art.svg import Element

LIGHT = (-0.5, -0.866)
"""The direction of the light."""
SUN, SHADOW = "#f4e3ba", "#140f0a"
"""The color of lit surfaces, and the color mixed into shaded ones."""
READ = 5.2
"""The minimum contrast of black against a shadow."""
VISIBLE_LENGTH = 5.0
"""The length of a hexside in millimeters below which relief would be invisible."""
DEPTHS = (0.66, 0.44, 0.26, 0.12)
"""The reach of each step of light and shadow from the rim of high ground, in hexsides."""


class Landform(NamedTuple):
    """The drawing of a kind of landform, in hexsides: its half width, its roughness, and its details."""

    half_width: float
    uneven: float
    strokes: float
    """The length of the strokes down its dark side. 0 for none."""
    ripples: bool = False
    rock: bool = False
    lumps: bool = False


FORMS = {
    "sand_dune": Landform(0.15, 0.18, 0.0, ripples=True),
    "ridge": Landform(0.13, 0.22, 0.17),
    "crest": Landform(0.15, 0.3, 0.16, rock=True),
    "moraine": Landform(0.12, 0.35, 0.1, lumps=True),
}


class Sample(NamedTuple):
    """A point of the crest line: its position, the direction to its left, and the width of the form there."""

    x: float
    y: float
    nx: float
    ny: float
    half_width: float

    def offset(self, share: float) -> Point:
        """A point to the left (or right, if negative), at that many half widths."""
        return self.x + self.nx * self.half_width * share, self.y + self.ny * self.half_width * share

    @property
    def lit(self) -> int:
        """The lit side: 1 for the left."""
        return 1 if self.nx * LIGHT[0] + self.ny * LIGHT[1] >= 0 else -1


class _RimPoint(NamedTuple):
    """A point of the rim of high ground: its position, the outward direction, and how much it faces the light."""

    x: float
    y: float
    nx: float
    ny: float
    light: float

    def inside(self, distance: float) -> Point:
        """A point at that distance from the rim, on the high ground."""
        return self.x - self.nx * distance, self.y - self.ny * distance


def slopes(
    rims: Sequence[Sequence[Point]], color: str, side: float, is_numbered: Callable[[Point], bool] = lambda point: False
) -> list[Element]:
    """The slopes of high ground along its rims: light and shadow that fade toward the top, and strokes down them.

    Every shadow is light enough to keep numbers readable, and no stroke crosses a number.
    """
    parts = []
    strokes = ""
    walks = [_rim_steps(rim) for rim in rims]
    shade = _shade(color)
    for depth in DEPTHS:
        for lit, fill in ((1, mix(color, SUN, 0.75)), (-1, shade)):
            data = "".join(_flank(walk, lit, depth * side) for walk in walks)
            if data:
                parts.append(svg.path(data, fill=fill, fill_opacity=0.33))
    for walk in walks:
        rng = random.Random(f"{walk[0].x:.1f} {walk[0].y:.1f} {len(walk)}")
        for step in walk:
            if rng.random() < 0.75:
                long = side * rng.uniform(0.1, 0.2) * (1.5 if step.light < -0.2 else 0.8)
                start, end = step.inside(side * rng.uniform(0.03, 0.08)), step.inside(long)
                sway = rng.uniform(-0.05, 0.05) * side
                if not (is_numbered(start) or is_numbered(end)):
                    strokes += path_of([start, (end[0] - step.ny * sway, end[1] + step.nx * sway)])
    pen = {"fill": "none", "stroke_linecap": "round"}
    return [*parts, svg.path(strokes, stroke=darker(color, 0.45), stroke_width=side * 0.022, stroke_opacity=0.6, **pen)]


def _shade(color: str) -> str:
    """The darkest shadow on terrain of this color that keeps its number readable."""
    shares = (0.45, 0.4, 0.35, 0.3, 0.25, 0.2, 0.15, 0.1, 0.05)
    return next((mix(color, SHADOW, n) for n in shares if contrast(mix(color, SHADOW, n), SHADOW) >= READ), color)


def _rim_steps(rim: Sequence[Point]) -> list[_RimPoint]:
    """The rim of high ground in steps. The high ground is to its right."""
    steps = []
    for n, (x, y) in enumerate(rim):
        (ax, ay), (bx, by) = rim[n - 1], rim[(n + 1) % len(rim)]
        long = math.hypot(bx - ax, by - ay) or 1.0
        nx, ny = (by - ay) / long, -(bx - ax) / long
        steps.append(_RimPoint(x, y, nx, ny, nx * LIGHT[0] + ny * LIGHT[1]))
    return steps


def _flank(walk: Sequence[_RimPoint], lit: int, depth: float) -> str:
    """The parts of a rim in the light (1) or in the shadow (-1). They are deeper where the rim faces the light more directly."""
    data, run = "", list[_RimPoint]()
    turn = next((n for n, step in enumerate(walk) if step.light * lit <= 0), 0)
    for step in [*walk[turn:], *walk[:turn], None]:
        if step is not None and step.light * lit > 0:
            run.append(step)
            continue
        if len(run) > 2:
            inner = [rim_step.inside(depth * rim_step.light * lit) for rim_step in (run[0], *run[1:-1:2], run[-1])]
            data += path_of([*((rim_step.x, rim_step.y) for rim_step in run), *reversed(inner)], is_closed=True)
        run = []
    return data


def landforms(lines: Sequence[Sequence[Point]], kind: str, color: str, side: float) -> list[Element]:
    """Landforms along lines of hexsides."""
    form = FORMS.get(kind, FORMS["ridge"])
    body = lit = dark = crest = strokes = ripples = stones = foot = wide_foot = ""
    for line in lines:
        rng = random.Random(f"{kind} {line[0][0]:.1f} {line[0][1]:.1f} {len(line)}")
        samples = _samples(line, form, side, rng)
        if side >= VISIBLE_LENGTH:
            foot += _foot(samples, 1.9, rng)
            wide_foot += _foot(samples, 2.9, rng)
        body += path_of([*(s.offset(1) for s in samples), *(s.offset(-1) for s in reversed(samples))], is_closed=True)
        lit += _side_path(samples, 1)
        dark += _side_path(samples, -1)
        crest += path_of([(s.x, s.y) for s in samples])
        strokes += _strokes(samples, form, side, rng)
        ripples += _ripples(samples, rng) if form.ripples else ""
        stones += _stones(samples, side, rng) if form.lumps else ""
    dark_color = darker(color, 0.55)
    pen = {"fill": "none", "stroke_linecap": "round", "stroke_linejoin": "round"}
    parts = [
        *([svg.path(wide_foot, fill=mix(color, dark_color, 0.2), fill_opacity=0.1)] if wide_foot else []),
        *([svg.path(foot, fill=mix(color, dark_color, 0.3), fill_opacity=0.16)] if foot else []),
        svg.path(
            body,
            fill=dark_color,
            fill_opacity=0.22,
            transform=f"translate({svg.number(side * 0.05)} {svg.number(side * 0.06)})",
        ),
        svg.path(body, fill=color, stroke=dark_color, stroke_width=side * 0.025, stroke_linejoin="round"),
        svg.path(dark, fill=mix(color, dark_color, 0.45)),
        svg.path(lit, fill=mix(color, SUN, 0.5)),
    ]
    if strokes:
        parts.append(svg.path(strokes, stroke=dark_color, stroke_width=side * 0.02, stroke_opacity=0.8, **pen))
    if ripples:
        parts.append(svg.path(ripples, stroke=darker(color, 0.3), stroke_width=side * 0.018, **pen))
    if stones:
        parts.append(svg.path(stones, stroke=darker(color, 0.65), stroke_width=side * 0.05, **pen))
    parts.append(svg.path(crest, stroke=dark_color, stroke_width=side * (0.05 if form.rock else 0.03), **pen))
    return parts


def _samples(line: Sequence[Point], form: Landform, side: float, rng: random.Random) -> list[Sample]:
    """The crest line in short steps. The form tapers toward its ends."""
    points = space_points(line, side * 0.11)
    last = len(points) - 1
    samples = []
    swell = 1.0
    for i, (x, y) in enumerate(points):
        ax, ay = points[max(0, i - 2)]
        bx, by = points[min(last, i + 2)]
        long = math.hypot(bx - ax, by - ay) or 1.0
        end = min(i, last - i) * 0.11
        taper = min(1.0, 0.18 + 2.2 * end)
        swell += rng.uniform(-form.uneven, form.uneven) * 0.6
        swell = min(1 + form.uneven, max(1 - form.uneven, swell))
        samples.append(Sample(x, y, (by - ay) / long, -(bx - ax) / long, form.half_width * side * taper * swell))
    return samples


def _foot(samples: Sequence[Sample], reach: float, rng: random.Random) -> str:
    """The ground that rises toward a landform, of uneven width."""
    left_edge = [sample.offset(reach * rng.uniform(0.8, 1.15)) for sample in samples[::3]]
    right = [sample.offset(-reach * rng.uniform(0.8, 1.15)) for sample in samples[::3]]
    return path_of(cut_corners([*left_edge, *reversed(right)], True, 1), is_closed=True)


def _side_path(samples: Sequence[Sample], which: int) -> str:
    """The lit (1) or dark (-1) side, from the crest line to a short distance inside the foot."""
    data, run = "", list[Sample]()
    for sample in [*samples, None]:
        if sample is not None and (not run or sample.lit == run[-1].lit):
            run.append(sample)
            continue
        if len(run) > 1:
            turn = run[0].lit * which
            data += path_of(
                [*((s.x, s.y) for s in run), *(s.offset(0.9 * turn) for s in reversed(run))], is_closed=True
            )
        run = [run[-1], sample] if sample is not None and run else []
        if len(run) == 2:  # the two sides meet at the bend
            run[0] = Sample(run[0].x, run[0].y, run[1].nx, run[1].ny, run[0].half_width)
    return data


def _strokes(samples: Sequence[Sample], form: Landform, side: float, rng: random.Random) -> str:
    """Strokes down the dark side."""
    if not form.strokes:
        return ""
    data = ""
    for sample in samples[1:-1]:
        reach = 1 + form.strokes * rng.uniform(0.4, 1.0) * side / max(sample.half_width, 0.01)
        start = rng.uniform(0.35, 0.7)
        data += path_of([sample.offset(-start * sample.lit), sample.offset(-reach * sample.lit)])
    return data


def _ripples(samples: Sequence[Sample], rng: random.Random) -> str:
    """Lines of wind-blown sand beside the crest."""
    data = ""
    for share in (0.5, 1.35, -1.35):
        start = 0
        while start < len(samples) - 4:
            long = rng.randint(4, 8)
            stretch = samples[start : start + long]
            data += path_of([s.offset(share * s.lit) for s in stretch])
            start += long + rng.randint(2, 5)
    return data


def _stones(samples: Sequence[Sample], side: float, rng: random.Random) -> str:
    """Boulders, scattered on and beside the form."""
    data = ""
    for sample in samples[1:-1:2]:
        x, y = sample.offset(rng.uniform(-1.3, 1.3))
        data += f"M{svg.number(x)} {svg.number(y)}h{svg.number(rng.uniform(0, 0.02) * side)}"
    return data
