"""Parts of vehicles: wheels, tracks, barrels, riders. Lengths are in units of the box, 24 wide and 12 high."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import cos, pi, sin
from typing import Literal, NamedTuple

from art.svg import Element, circle, group, line, number, path, polygon, rect

Draw = Callable[[str, str], list[Element]]
Drawings = Mapping[str, Draw]
Style = Literal["disc", "star", "spoked", "plain"]

GROUND = 11.2
BELT = 0.26
"""The thickness of a track."""


class Disc(NamedTuple):
    """A wheel by its center and radius."""

    x: float
    y: float
    r: float


def _round_path(d: str) -> str:
    """A path whose computed numbers are as short as the typed ones."""
    return re.sub(r"\d+\.\d{4,}(?:e-\d+)?", lambda match: number(float(match[0])), d)


def solid(d: str, ink: str) -> Element:
    """A filled shape."""
    return path(_round_path(d), fill=ink)


def seam(d: str, color: str, width: float = 0.17) -> Element:
    """A thin line: a joint between plates, an antenna, a strut."""
    return path(
        _round_path(d), fill="none", stroke=color, stroke_width=width, stroke_linecap="round", stroke_linejoin="round"
    )


def rotate(children: Iterable[Element], angle: float, x: float, y: float) -> Element:
    """Rotate elements about a point, clockwise."""
    return group(children, transform=f"rotate({number(angle)} {number(x)} {number(y)})")


def place(children: Iterable[Element], x: float, y: float, scale: float = 1) -> Element:
    """Scale elements, then move them."""
    return group(children, transform=f"translate({number(x)} {number(y)}) scale({number(scale)})")


def standing(children: Iterable[Element], x: float, scale: float) -> Element:
    """Scale and move elements so that they stay on the ground line."""
    return place(children, x, GROUND * (1 - scale), scale)


def in_row(xs: Iterable[float], r: float, y: float | None = None) -> list[Disc]:
    """Wheels of one size in a row. They stand on the ground inside a track, unless `y` is given."""
    return [Disc(x, GROUND - BELT - r if y is None else y, r) for x in xs]


def even_positions(first: float, last: float, count: int) -> list[float]:
    """Positions at equal distances."""
    return [first + (last - first) * i / (count - 1) for i in range(count)]


def ring(count: int, x: float, y: float, r: float, start: float = -90) -> list[tuple[float, float]]:
    """Points around a center."""
    turns = [pi * (start / 180 + 2 * i / count) for i in range(count)]
    return [(x + r * cos(turn), y + r * sin(turn)) for turn in turns]


def road_wheel(wheel: Disc, ink: str, shade: str, style: Style = "disc") -> list[Element]:
    """A wheel inside a track. Its tire keeps the ink color."""
    x, y, r = wheel
    parts = [circle(x, y, 0.87 * r, fill=shade)]
    if style == "star":
        parts += [circle(a, b, 0.17 * r, fill=ink) for a, b in ring(5, x, y, 0.52 * r)]
    elif style == "spoked":
        parts += [line(x, y, a, b, stroke=ink, stroke_width=0.13 * r) for a, b in ring(6, x, y, 0.85 * r)]
    elif style == "disc":
        parts.append(circle(x, y, 0.58 * r, fill="none", stroke=ink, stroke_width=0.1 * r))
    return [*parts, circle(x, y, 0.24 * r, fill=ink)]


def tyre(wheel: Disc, ink: str, shade: str) -> list[Element]:
    """A free-standing wheel: a black tire with a rim and a hub."""
    x, y, r = wheel
    bolts = [circle(a, b, 0.06 * r, fill=ink) for a, b in ring(6, x, y, 0.36 * r)]
    return [circle(x, y, r, fill=ink), circle(x, y, 0.56 * r, fill=shade), *bolts, circle(x, y, 0.18 * r, fill=ink)]


def tyres(xs: Iterable[float], r: float, ink: str, shade: str) -> list[Element]:
    """Free-standing wheels on the ground."""
    return [part for x in xs for part in tyre(Disc(x, GROUND - r, r), ink, shade)]


def sprocket(wheel: Disc, ink: str, shade: str) -> list[Element]:
    """The toothed wheel that drives a track."""
    x, y, r = wheel
    teeth = circle(x, y, 0.7 * r, fill="none", stroke=shade, stroke_width=0.34 * r, stroke_dasharray=0.366 * r)
    return [teeth, circle(x, y, 0.58 * r, fill=shade), circle(x, y, 0.27 * r, fill=ink)]


def _hull(points: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    """The convex hull of points."""
    ordered_points = sorted(points)

    def half_hull(run: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        corners: list[tuple[float, float]] = []
        for x, y in run:
            while len(corners) > 1:
                (ax, ay), (bx, by) = corners[-2:]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0:
                    break
                corners.pop()
            corners.append((x, y))
        return corners[:-1]

    return half_hull(ordered_points) + half_hull(ordered_points[::-1])


def belt(wheels: Iterable[Disc], ink: str, thick: float = BELT) -> Element:
    """The filled track around wheels."""
    return polygon(_hull(p for w in wheels for p in ring(40, w.x, w.y, w.r + thick)), fill=ink)


def tracks(
    front: Disc,
    rear: Disc,
    wheels: Sequence[Disc],
    ink: str,
    shade: str,
    style: Style = "disc",
    rollers: Sequence[Disc] = (),
    drive: Literal["front", "rear"] = "rear",
) -> list[Element]:
    """A complete running gear: the track, its end wheels, the road wheels and the rollers above them."""
    drive_wheel, idle = (front, rear) if drive == "front" else (rear, front)
    parts = [belt([front, rear, *wheels, *rollers], ink), *sprocket(drive_wheel, ink, shade)]
    parts += road_wheel(idle, ink, shade, "plain")
    parts += [circle(x, y, 0.75 * r, fill=shade) for x, y, r in rollers]
    return parts + [part for wheel in wheels for part in road_wheel(wheel, ink, shade, style)]


def barrel(muzzle: float, root: float, y: float, thin: float, thick: float, ink: str) -> Element:
    """A tapering barrel that points left; `thin` and `thick` are its heights at the ends."""
    ends = [(muzzle, y - thin / 2), (root, y - thick / 2), (root, y + thick / 2), (muzzle, y + thin / 2)]
    return polygon(ends, fill=ink)


def sleeve(x: float, y: float, long: float, height: float, ink: str) -> Element:
    """A thicker part of a barrel: a bore evacuator or a counterweight."""
    return rect(x, y - height / 2, long, height, rx=min(long, height) * 0.3, fill=ink)


def brake(x: float, y: float, ink: str, shade: str, long: float = 1.3, height: float = 0.95) -> list[Element]:
    """A muzzle brake with two baffles."""
    slots = [
        rect(x + long * slot_share, y - height * 0.3, long * 0.16, height * 0.6, fill=shade)
        for slot_share in (0.25, 0.6)
    ]
    half_height, neck, bend = height / 2, height * 0.3, x + long * 0.72
    d = f"M{x} {y - half_height}H{bend}L{x + long} {y - neck}V{y + neck}L{bend} {y + half_height}H{x}Z"
    return [solid(d, ink), *slots]


def cupola_gun(x: float, y: float, ink: str, long: float = 3.0) -> list[Element]:
    """A machine gun on a roof. Its mount stands on (x, y); its muzzle is `long` to the left."""
    mount = seam(f"M{x} {y}V{y - 0.75}", ink, 0.3)
    body = rect(x - 0.8, y - 1.05, 1.9, 0.48, fill=ink)
    return [mount, body, rect(x - long, y - 0.92, long, 0.2, fill=ink)]


def aerial(x: float, y: float, top: float, ink: str) -> Element:
    """A whip antenna, slightly bent."""
    return seam(f"M{x} {y}Q{x + 0.1} {(y + top) / 2} {x + 0.5} {top}", ink, 0.13)


def rider(x: float, y: float, ink: str, scale: float = 1) -> list[Element]:
    """Head and shoulders above an edge at y."""
    head = circle(0, -1.45, 0.5, fill=ink)
    helmet = "M-.75 -1.5Q-.7 -2.25 0 -2.25T.75 -1.5Z"
    body = "M-1 .1Q-1 -.95 0 -.95T1 .1Z"
    return [place([head, solid(helmet, ink), solid(body, ink)], x, y, scale)]


def arch(x: float, r: float, shade: str) -> Element:
    """The edge of the wheel case above a free wheel."""
    return seam(_arc(x, GROUND - r, r + 0.1, 0.88), shade, 0.2)


def mudguard(x: float, r: float, ink: str, shade: str) -> list[Element]:
    """A separate mudguard, for a wheel that no hull covers."""
    return [seam(_arc(x, GROUND - r, r + 0.4, 0.86), ink, 0.55), arch(x, r, shade)]


def _arc(x: float, y: float, r: float, width_share: float) -> str:
    """An arc over the top of a circle, with that share of its width."""
    dx, dy = r * width_share, r * (1 - width_share * width_share) ** 0.5
    return f"M{x - dx} {y - dy}A{r} {r} 0 0 1 {x + dx} {y - dy}"


def missile(x: float, y: float, long: float, ink: str, height: float = 0.62) -> list[Element]:
    """A missile that flies left, its nose at (x, y)."""
    tail, tip, neck, fin = x + long, x + height * 0.6, x + height * 1.6, x + long - height * 0.5
    upper, lower = y - height / 2, y + height / 2
    body = f"M{x} {y}Q{tip} {upper} {neck} {upper}H{tail}V{lower}H{neck}Q{tip} {lower} {x} {y}Z"
    wing = f"M{tail - long * 0.42} {y}L{fin} {y - height * 1.5}H{tail}V{y + height * 1.5}H{fin}Z"
    return [solid(body, ink), solid(wing, ink)]


def kneeling(x: float, ink: str, scale: float = 1) -> Element:
    """A soldier on one knee, looking left, hands before him."""
    head = [circle(0, -5.05, 0.62, fill=ink), solid("M-.95 -5.1Q-.85 -6.05 0 -6.05T.95 -5.1Z", ink)]
    limbs = [
        seam("M.3 -3.7L.65 -2", ink, 1.75),
        seam("M.8 -1.6L1 -.5L2.7 -.42", ink, 0.85),
        seam("M.6 -1.8L-1.3 -2.1L-1.35 -.45H-1.8", ink, 0.9),
        seam("M.2 -3.8L-.9 -2.95L-2.1 -3.5", ink, 0.7),
    ]
    return place([*head, *limbs], x, GROUND, scale)
