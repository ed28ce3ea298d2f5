"""Textures drawn over the color of a hex: trees, houses, dunes. The same hex always looks the same.

Each texture has a few drawings, as relative steps around a point. They are reused: a hex needs only one `M` to its
center and a drawing chosen by its name.
"""

from __future__ import annotations

import functools
import math
import random
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence

from art.color import darker, lighter, mix
from art.geometry import Point, short
from art.svg import Element, path
from scenarios.model.definitions import TerrainKind

Shapes = dict[str, list[tuple[list[Point], bool]]]
"""By style: lines of points, each closed or open."""
Texture = Callable[[random.Random], Shapes]
DRAWINGS = 16
"""The number of drawings of each texture."""

SUGGESTIONS: Mapping[str, str] = {
    "woods": "trees", "orchard": "trees", "delta": "fields", "town": "buildings", "city": "buildings",
    "village": "buildings", "slope": "hachures", "hill": "hachures",
    "rough": "hachures", "mountain": "peaks", "pass": "none", "dunes": "dunes", "sand_dune": "dunes", "desert": "dunes",
    "swamp": "tufts", "marsh": "tufts", "sea": "waves", "lake": "waves", "fortification": "fort",
    "airbase": "runway", "port": "anchor",
    "wood": "trees", "forest": "trees", "jungle": "trees", "grove": "trees", "plantation": "trees", "farmland": "fields",
    "field": "fields", "cultivated": "fields", "urban": "buildings", "suburb": "buildings", "settlement": "buildings",
    "ridge": "hachures", "broken": "hachures", "highland": "hachures", "alpine": "peaks", "dune": "dunes", "sand": "dunes",
    "bog": "tufts", "fen": "tufts", "steppe": "tufts", "grassland": "tufts", "ocean": "waves", "water": "waves",
    "fort": "fort", "fortress": "fort", "airfield": "runway", "harbor": "anchor", "harbour": "anchor",
}  # fmt: skip


def texture_of(kind_id: str, kind: TerrainKind) -> str:
    """The texture of a kind of terrain: its own, or the one that fits its id."""
    return kind.texture or SUGGESTIONS.get(kind_id) or SUGGESTIONS.get(kind_id.split("_")[-1].removesuffix("s"), "none")


def _spread(rng: random.Random, count: int, reach: float, min_gap: float) -> list[Point]:
    """Positions in a hex of side 1 with a minimum distance from each other."""
    points: list[Point] = []
    for _ in range(count * 30):
        angle, distance = rng.uniform(0, 2 * math.pi), reach * math.sqrt(rng.random())
        spot = distance * math.cos(angle), distance * math.sin(angle) * 0.95
        if spot[1] < -0.4 and abs(spot[0]) < 0.5:
            continue  # the hex's number is there
        if all(math.dist(spot, point) >= min_gap for point in points):
            points.append(spot)
        if len(points) == count:
            break
    return sorted(points, key=lambda p: (p[1], p[0]))


def _ring(x: float, y: float, r: float, points: int = 8) -> list[Point]:
    return [
        (x + r * math.cos(2 * math.pi * i / points), y + r * math.sin(2 * math.pi * i / points)) for i in range(points)
    ]


def _arc(x: float, y: float, half_width: float, height: float) -> list[Point]:
    """An arc in a few steps, from left to right."""
    return [(x + half_width * t, y - height * (1 - t * t)) for t in (-1, -0.5, 0, 0.5, 1)]


def trees(rng: random.Random) -> Shapes:
    """Round treetops with a shadow."""
    shapes: Shapes = {"shadow": [], "crown": [], "light": []}
    for x, y in _spread(rng, 10, 0.7, 0.26):
        r = rng.uniform(0.09, 0.14)
        shapes["shadow"].append((_ring(x + r * 0.35, y + r * 0.4, r), True))
        shapes["crown"].append((_ring(x, y, r), True))
        shapes["light"].append((_ring(x - r * 0.25, y - r * 0.3, r * 0.45, 6), True))
    return shapes


def fields(rng: random.Random) -> Shapes:
    """Plots of irrigated land with furrows."""
    furrows: list[tuple[list[Point], bool]] = []
    for x, y in _spread(rng, 4, 0.52, 0.5):
        turn = rng.choice((0.15, 0.15, -0.5, 1.2))
        cos, sin = math.cos(turn), math.sin(turn)
        for i in range(-1, 3):
            offset, half_length = 0.1 * i, rng.uniform(0.17, 0.24)
            ends = [(-half_length, offset), (half_length, offset)]
            furrows.append(([(x + a * cos - b * sin, y + a * sin + b * cos) for a, b in ends], False))
    return {"furrow": furrows}


def buildings(rng: random.Random) -> Shapes:
    """Houses in a loose grid."""
    shapes: Shapes = {"shadow": [], "house": []}
    turn = rng.uniform(-0.2, 0.2)
    cos, sin = math.cos(turn), math.sin(turn)
    for i in range(-2, 3):
        for j in range(-2, 3):
            if abs(i) + abs(j) > 3 or rng.random() < 0.18:
                continue
            x, y = i * 0.24 + rng.uniform(-0.03, 0.03), j * 0.22 + rng.uniform(-0.03, 0.03)
            w, h = rng.uniform(0.13, 0.19), rng.uniform(0.11, 0.16)
            box = [(x - w / 2, y - h / 2), (x + w / 2, y - h / 2), (x + w / 2, y + h / 2), (x - w / 2, y + h / 2)]
            corners = [(px * cos - py * sin, px * sin + py * cos) for px, py in box]
            shapes["house"].append((corners, True))
            shapes["shadow"].append(([(px + 0.03, py + 0.035) for px, py in corners], True))
    return shapes


def hachures(rng: random.Random) -> Shapes:
    """Short strokes down a slope, in bundles that are almost parallel."""
    strokes: list[tuple[list[Point], bool]] = []
    for x, y in _spread(rng, 4, 0.66, 0.42):
        lean = rng.uniform(-0.35, 0.35)
        count = rng.choice((3, 4))
        for k in range(count):
            long = rng.uniform(0.09, 0.16)
            a, b = x + (k - count / 2) * 0.075, y + rng.uniform(-0.02, 0.02)
            strokes.append(([(a, b - long / 2), (a + (lean + 0.12 * (k - count / 2)) * long, b + long / 2)], False))
    return {"stroke": strokes}


def peaks(rng: random.Random) -> Shapes:
    """Small peaks, lit from one side."""
    shapes: Shapes = {"slope": [], "ridge": []}
    for x, y in _spread(rng, 5, 0.6, 0.4):
        h = rng.uniform(0.16, 0.27)
        w = h * 1.05
        foot = y + h * 0.45
        shapes["slope"].append(
            ([(x, y - h), (x + w * 0.5, y - h * 0.2), (x + w, foot), (x + w * 0.12, foot - h * 0.15)], True)
        )
        shapes["ridge"].append(
            ([(x - w, foot), (x - w * 0.45, y - h * 0.3), (x, y - h), (x + w * 0.5, y - h * 0.2), (x + w, foot)], False)
        )
    return shapes


def dunes(rng: random.Random) -> Shapes:
    """Crescents of sand."""
    crests: list[tuple[list[Point], bool]] = []
    for x, y in _spread(rng, 6, 0.74, 0.34):
        w = rng.uniform(0.13, 0.24)
        crests.append((_arc(x, y, w, w * 0.5), False))
        crests.append((_arc(x + w * 0.5, y + w * 0.42, w * 0.55, w * 0.26), False))
    return {"crest": crests}


def sand(rng: random.Random) -> Shapes:
    """Wind-blown sand, a few stones and an occasional bush: terrain without obstacles."""
    shapes: Shapes = {"drift": [], "stone": [], "bush": []}
    for x, y in _spread(rng, rng.choice((0, 1, 1, 2)), 0.6, 0.6):
        lean, half_width = rng.uniform(-0.25, 0.25), rng.uniform(0.12, 0.26)
        for k in range(rng.choice((2, 3))):
            long = half_width * (1 - 0.25 * k)
            row = [
                (x + long * t, y + 0.085 * k + lean * long * t + 0.03 * math.sin(3 * t + k))
                for t in (-1, -0.5, 0, 0.5, 1)
            ]
            shapes["drift"].append((row, False))
    for x, y in _spread(rng, rng.choice((2, 3, 4)), 0.72, 0.2):
        shapes["stone"].append(([(x, y), (x + 0.012, y)], False))
    for x, y in _spread(rng, rng.choice((0, 0, 0, 1, 2)), 0.66, 0.3):
        for lean in (-0.8, -0.3, 0.3, 0.8):
            shapes["bush"].append(([(x, y), (x + lean * 0.07, y - 0.06)], False))
    return shapes


def tufts(rng: random.Random) -> Shapes:
    """Reeds over a line of water."""
    shapes: Shapes = {"reed": [], "pool": []}
    for x, y in _spread(rng, 6, 0.72, 0.34):
        h = 0.12
        for lean in (-0.7, 0, 0.7):
            shapes["reed"].append(([(x + lean * h * 0.4, y), (x + lean * h, y - h)], False))
        shapes["pool"].append(([(x - h * 1.4, y + h * 0.3), (x + h * 1.4, y + h * 0.3)], False))
    return shapes


def waves(rng: random.Random) -> Shapes:
    """One or two ripples."""
    ripples: list[tuple[list[Point], bool]] = []
    for x, y in _spread(rng, rng.choice((0, 1, 1, 2)), 0.55, 0.6):
        w = 0.1
        bow = [(x + w * (k - 3), y + w * 0.45 * math.sin(k * math.pi / 2)) for k in range(7)]
        ripples.append((bow, False))
    return {"ripple": ripples}


def fort(rng: random.Random) -> Shapes:
    """An earthwork with bastions."""
    points = []
    for i in range(16):
        angle = math.pi * (i + 0.5) / 8
        radius = 0.5 if i % 4 in (1, 2) else 0.38
        points.append((radius * math.cos(angle), radius * math.sin(angle)))
    return {"wall": [(points, True)]}


def runway(rng: random.Random) -> Shapes:
    """Two crossing runways."""
    return {"concrete": [([(-0.48, 0.2), (0.48, -0.2)], False), ([(-0.28, -0.28), (0.34, 0.3)], False)]}


def anchor(rng: random.Random) -> Shapes:
    """An anchor."""
    s = 0.34
    hook = [(-0.75 * s, 0.35 * s), (-0.55 * s, 0.78 * s), (0, s), (0.55 * s, 0.78 * s), (0.75 * s, 0.35 * s)]
    bars: list[list[Point]] = [[(0, -s * 0.6), (0, s)], [(-s * 0.45, -s * 0.2), (s * 0.45, -s * 0.2)], hook]
    return {"iron": [(bar, False) for bar in bars], "ring": [(_ring(0, -s * 0.8, s * 0.2), True)]}


TEXTURES: Mapping[str, Texture] = {
    "trees": trees, "fields": fields, "buildings": buildings, "hachures": hachures, "peaks": peaks, "dunes": dunes,
    "sand": sand, "tufts": tufts, "waves": waves, "fort": fort, "runway": runway, "anchor": anchor,
}  # fmt: skip


@functools.lru_cache(maxsize=1024)
def _drawing(name: str, which: int, side: float) -> tuple[tuple[str, str], ...]:
    """One drawing of a texture as path data by style, in steps from the center."""
    shapes = TEXTURES[name](random.Random(f"{name}/{which}"))
    return tuple((style, _steps(lines, side)) for style, lines in shapes.items())


def _steps(lines: Iterable[tuple[Sequence[Point], bool]], side: float) -> str:
    """Lines as path data. Every step starts at the end of the last one."""
    data = ""
    x = y = 0.0
    for points, is_closed in lines:
        start = True
        for px, py in points:
            nx, ny = round(px * side, 2), round(py * side, 2)
            data += f"{'m' if start else 'l'}{short(nx - x)} {short(ny - y)}"
            if start:
                x0, y0 = nx, ny
            x, y, start = nx, ny, False
        if is_closed:
            data += "z"
            x, y = x0, y0
    return data


def draw_texture(name: str, hexes: Iterable[tuple[str, Point]], ground: str, side: float) -> list[Element]:
    """A texture on hexes, which are given by name and center."""
    if name not in TEXTURES:
        return []
    data: dict[str, list[str]] = {}
    for hex_name, (x, y) in hexes:
        place = f"M{short(x)} {short(y)}"
        for style, steps in _drawing(name, zlib.crc32(hex_name.encode()) % DRAWINGS, side):
            if steps:
                data.setdefault(style, []).append(place + steps)
    order = [style for style, _ in _drawing(name, 0, side)]
    return [_draw_style(style, "".join(data[style]), ground, side) for style in order if style in data]


def _draw_style(style: str, data: str, ground: str, side: float) -> Element:
    """Path data of one style as one element."""
    thin, pen = side * 0.022, side * 0.032
    fills = {
        "shadow": darker(ground, 0.35),
        "crown": mix(ground, "#3f5d2b", 0.7),
        "light": mix(ground, "#8fae5c", 0.7),
        "house": mix(ground, "#4a3a34", 0.82),
        "slope": darker(ground, 0.2),
    }
    if style in fills:
        return path(data, fill=fills[style], opacity=0.55 if style == "shadow" else None)
    ink = {
        "wall": darker(ground, 0.5),
        "concrete": darker(ground, 0.5),
        "iron": darker(ground, 0.5),
        "ring": darker(ground, 0.5),
        "ripple": lighter(ground, 0.35),
        "reed": mix(ground, "#3f5d2b", 0.6),
        "drift": darker(ground, 0.13),
        "stone": darker(ground, 0.3),
        "bush": mix(ground, "#5d6b35", 0.55),
        "furrow": mix(ground, "#5d7a35", 0.5),
        "pool": mix(ground, "#4f86a0", 0.6),
        "crest": darker(ground, 0.22),
    }.get(style, darker(ground, 0.26))
    line_width = {"wall": side * 0.07, "concrete": side * 0.1, "iron": pen, "ring": pen, "ridge": thin * 1.2}.get(
        style, thin
    )
    return path(data, fill="none", stroke=ink, stroke_width=line_width, stroke_linecap="round", stroke_linejoin="round")
