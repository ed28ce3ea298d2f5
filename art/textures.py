"""What is drawn over the colour of a hex: trees, houses, dunes. The same hex always looks the same."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping

from art.color import darker, lighter, mix
from art.geometry import Point, path_of
from art.svg import Element, number, path
from scenarios.pack import TerrainKind

Texture = Callable[[Point, float, str, random.Random], dict[str, str]]
"""From a centre, a side length, the ground colour and a source of chance: path data by style."""

SUGGESTED: Mapping[str, str] = {
    "woods": "trees", "orchard": "trees", "delta": "fields", "kibbutz": "fields", "town": "buildings", "city": "buildings",
    "fortified_city": "buildings", "village": "buildings", "slope": "hachures", "hill": "hachures", "commanding": "peaks",
    "rough": "peaks", "mountain": "peaks", "pass": "peaks", "dunes": "dunes", "sand_dune": "dunes", "desert": "dunes",
    "swamp": "tufts", "marsh": "tufts", "sea": "waves", "lake": "waves", "suez_canal": "waves", "fortification": "fort",
    "bar_lev_hex": "fort", "airbase": "runway", "port": "anchor",
}  # fmt: skip


def texture_of(kind_id: str, kind: TerrainKind) -> str:
    """The texture of a kind of terrain: its own, or what its id suggests."""
    return kind.texture or SUGGESTED.get(kind_id, "none")


def _spread(centre: Point, side: float, rng: random.Random, count: int, reach: float, apart: float) -> list[Point]:
    """Places in a hex that don't crowd each other."""
    found: list[Point] = []
    for _ in range(count * 12):
        angle, far = rng.uniform(0, 2 * math.pi), reach * side * math.sqrt(rng.random())
        spot = centre[0] + far * math.cos(angle), centre[1] + far * math.sin(angle) * 0.92
        if all(math.dist(spot, other) >= apart * side for other in found):
            found.append(spot)
        if len(found) == count:
            break
    return sorted(found, key=lambda p: (p[1], p[0]))


def _circle(x: float, y: float, r: float) -> str:
    n = number
    return f"M{n(x - r)} {n(y)}a{n(r)} {n(r)} 0 1 0 {n(2 * r)} 0a{n(r)} {n(r)} 0 1 0 {n(-2 * r)} 0Z"


def trees(centre: Point, side: float, ground: str, rng: random.Random) -> dict[str, str]:
    """Round crowns with a shadow."""
    styles = {"shadow": "", "crown": "", "light": ""}
    for x, y in _spread(centre, side, rng, 9, 0.72, 0.27):
        r = side * rng.uniform(0.1, 0.15)
        styles["shadow"] += _circle(x + r * 0.35, y + r * 0.4, r)
        styles["crown"] += _circle(x, y, r)
        styles["light"] += _circle(x - r * 0.25, y - r * 0.3, r * 0.45)
    return styles


def fields(centre: Point, side: float, ground: str, rng: random.Random) -> dict[str, str]:
    """Strips of irrigated land."""
    lines = ""
    slant = rng.choice((-0.35, 0.2, 0.45))
    for i in range(-2, 3):
        y = centre[1] + i * side * 0.26
        half = side * (0.62 - 0.09 * abs(i))
        lines += path_of([(centre[0] - half, y - half * slant * 0.4), (centre[0] + half, y + half * slant * 0.4)])
    return {"furrow": lines}


def buildings(centre: Point, side: float, ground: str, rng: random.Random) -> dict[str, str]:
    """Houses in a loose grid."""
    styles = {"shadow": "", "house": ""}
    turn = rng.uniform(-0.2, 0.2)
    cos, sin = math.cos(turn), math.sin(turn)
    for i in range(-2, 3):
        for j in range(-2, 3):
            if abs(i) + abs(j) > 3 or rng.random() < 0.18:
                continue
            x = i * side * 0.27 + rng.uniform(-0.03, 0.03) * side
            y = j * side * 0.25 + rng.uniform(-0.03, 0.03) * side
            w, h = side * rng.uniform(0.15, 0.21), side * rng.uniform(0.13, 0.18)
            box = [(x - w / 2, y - h / 2), (x + w / 2, y - h / 2), (x + w / 2, y + h / 2), (x - w / 2, y + h / 2)]
            placed = [(centre[0] + px * cos - py * sin, centre[1] + px * sin + py * cos) for px, py in box]
            styles["house"] += path_of(placed, closed=True)
            styles["shadow"] += path_of([(px + 0.03 * side, py + 0.035 * side) for px, py in placed], closed=True)
    return styles


def hachures(centre: Point, side: float, ground: str, rng: random.Random) -> dict[str, str]:
    """Short strokes down a slope."""
    lines = ""
    for x, y in _spread(centre, side, rng, 9, 0.74, 0.24):
        long = side * rng.uniform(0.12, 0.2)
        lines += path_of([(x - long * 0.35, y - long / 2), (x + long * 0.35, y + long / 2)])
    return {"stroke": lines}


def peaks(centre: Point, side: float, ground: str, rng: random.Random) -> dict[str, str]:
    """Small peaks, lit from one side."""
    styles = {"slope": "", "ridge": ""}
    for x, y in _spread(centre, side, rng, 5, 0.62, 0.36):
        h = side * rng.uniform(0.2, 0.32)
        w = h * 1.15
        styles["slope"] += path_of([(x, y - h), (x + w, y + h * 0.35), (x + w * 0.15, y + h * 0.35)], closed=True)
        styles["ridge"] += path_of([(x - w, y + h * 0.35), (x, y - h), (x + w, y + h * 0.35)])
    return styles


def dunes(centre: Point, side: float, ground: str, rng: random.Random) -> dict[str, str]:
    """Crescents of sand."""
    lines = ""
    n = number
    for x, y in _spread(centre, side, rng, 6, 0.68, 0.3):
        w = side * rng.uniform(0.16, 0.26)
        lines += f"M{n(x - w)} {n(y + w * 0.3)}Q{n(x - w * 0.2)} {n(y - w * 0.7)} {n(x + w)} {n(y + w * 0.15)}"
    return {"crest": lines}


def tufts(centre: Point, side: float, ground: str, rng: random.Random) -> dict[str, str]:
    """Reeds."""
    lines = ""
    for x, y in _spread(centre, side, rng, 6, 0.66, 0.3):
        h = side * 0.13
        for lean in (-0.7, 0, 0.7):
            lines += path_of([(x + lean * h * 0.4, y), (x + lean * h, y - h)])
        lines += path_of([(x - h * 1.3, y + h * 0.25), (x + h * 1.3, y + h * 0.25)])
    return {"reed": lines}


def waves(centre: Point, side: float, ground: str, rng: random.Random) -> dict[str, str]:
    """Two or three ripples."""
    lines = ""
    n = number
    for x, y in _spread(centre, side, rng, 2, 0.5, 0.5):
        w = side * 0.13
        start = f"M{n(x - 2 * w)} {n(y)}"
        up, down = (f"q{n(w / 2)} {n(k * w * 0.7)} {n(w)} 0" for k in (-1, 1))
        lines += start + up + down + up
    return {"ripple": lines}


def fort(centre: Point, side: float, ground: str, rng: random.Random) -> dict[str, str]:
    """An earthwork with bastions."""
    points = []
    for i in range(16):
        angle = math.pi * (i + 0.5) / 8
        far = side * (0.52 if i % 4 in (1, 2) else 0.4)
        points.append((centre[0] + far * math.cos(angle), centre[1] + far * math.sin(angle)))
    return {"wall": path_of(points, closed=True)}


def runway(centre: Point, side: float, ground: str, rng: random.Random) -> dict[str, str]:
    """Two crossing runways."""
    x, y = centre
    return {
        "concrete": path_of([(x - 0.5 * side, y + 0.22 * side), (x + 0.5 * side, y - 0.22 * side)])
        + path_of([(x - 0.3 * side, y - 0.3 * side), (x + 0.36 * side, y + 0.32 * side)])
    }


def anchor(centre: Point, side: float, ground: str, rng: random.Random) -> dict[str, str]:
    """An anchor."""
    n = number
    x, y, s = centre[0], centre[1], side * 0.34
    left, right = x - s * 0.75, x + s * 0.75
    hook = f"M{n(left)} {n(y + s * 0.35)}Q{n(x - s * 0.5)} {n(y + s)} {n(x)} {n(y + s)}"
    hook += f"Q{n(x + s * 0.5)} {n(y + s)} {n(right)} {n(y + s * 0.35)}"
    stock = path_of([(x, y - s * 0.6), (x, y + s)]) + path_of(
        [(x - s * 0.45, y - s * 0.2), (x + s * 0.45, y - s * 0.2)]
    )
    return {"iron": hook + stock, "ring": _circle(x, y - s * 0.8, s * 0.2)}


TEXTURES: Mapping[str, Texture] = {
    "trees": trees, "fields": fields, "buildings": buildings, "hachures": hachures, "peaks": peaks, "dunes": dunes,
    "tufts": tufts, "waves": waves, "fort": fort, "runway": runway, "anchor": anchor,
}  # fmt: skip


def styled(style: str, data: str, ground: str, side: float) -> Element:
    """Path data of one style as one element."""
    thin, pen = side * 0.022, side * 0.035
    fills = {
        "shadow": darker(ground, 0.35), "crown": mix(ground, "#3f5d2b", 0.72), "light": mix(ground, "#8fae5c", 0.7),
        "house": mix(ground, "#4a3a34", 0.82), "slope": darker(ground, 0.22),
    }  # fmt: skip
    if style in fills:
        return path(data, fill=fills[style], stroke="none", opacity=0.55 if style == "shadow" else None)
    ink = {
        "wall": darker(ground, 0.45), "concrete": darker(ground, 0.45), "iron": darker(ground, 0.5),
        "ring": darker(ground, 0.5), "ripple": lighter(ground, 0.4), "reed": mix(ground, "#3f5d2b", 0.6),
        "furrow": mix(ground, "#5d7a35", 0.55),
    }.get(style, darker(ground, 0.3))  # fmt: skip
    wide = {"wall": side * 0.07, "concrete": side * 0.1, "iron": pen, "ring": pen, "ridge": pen, "crest": pen}.get(
        style, thin * 1.2
    )
    return path(data, fill="none", stroke=ink, stroke_width=wide, stroke_linecap="round", stroke_linejoin="round")
