"""Lines on a hex map: rivers, canals, borders and bars along hexsides, roads through hexes, bridges."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from art import svg
from art.color import darker, lighter, mix
from art.geometry import Paper, Point, chains, holds, middles, path_of, rounded, short, spaced, wandering
from art.landforms import landforms
from art.svg import Element
from art.water import Water, drawn_lines, inside_any
from scenarios.game import Game
from scenarios.hexes import Hex, Hexside, neighbour
from scenarios.maps import HexMap
from scenarios.pack import LineKind

INK = "#3a3128"
BARS = ("ridge", "crest", "sand_dune", "moraine")
RIVERS = ("river", "minor_canal")
CANALS = ("suez_canal", "suez_canal_no_bridge", "canal")
BORDERS = ("border", "sector_boundary", "ceasefire_line", "army_boundary", "front")
STRAIT = 4
"""How long a canal between two waters is at most, in hexsides, to be a strait."""
ROUND = {"stroke_linecap": "round", "stroke_linejoin": "round", "fill": "none"}
FLAT = {"stroke_linecap": "butt", "stroke_linejoin": "round", "fill": "none"}


def manner(kind_id: str, kind: LineKind, default: str) -> str:
    """How a kind of line is drawn: as the pack says, or as its id suggests."""
    if kind.drawn:
        return kind.drawn
    if kind_id.startswith("wadi"):
        return "wadi"
    for words, how in ((BARS, "bar"), (RIVERS, "river"), (CANALS, "canal"), (BORDERS, "border")):
        if kind_id in words:
            return how
    return default


def path_manner(kind_id: str, kind: LineKind) -> str:
    """How a kind of path is drawn."""
    return manner(kind_id, kind, "road" if kind_id.endswith("road") else "track")


def sides_by_kind(table: HexMap) -> dict[str, list[Hexside]]:
    """The hexsides of each kind."""
    kinds: dict[str, list[Hexside]] = {}
    for side in sorted(table.hexsides):
        for kind in sorted(table.hexsides[side]):
            kinds.setdefault(kind, []).append(side)
    return kinds


def course_of(kind: str, how: str) -> str:
    """How the course of a kind of line runs: a small canal is drawn as a river is, but men have dug it."""
    return "ditch" if how == "river" and kind.endswith("canal") else how


def courses(sides: Sequence[Hexside], paper: Paper, how: str = "") -> list[list[Point]]:
    """Hexsides as smooth lines: a canal as straight as they allow, a river with bends of its own."""
    result = []
    for chain in chains(sides):
        points = [paper.corner(corner) for corner in chain]
        closed = len(points) > 3 and points[0] == points[-1]
        if len(points) > 2 and not closed:
            points = middles(points, False)
        if len(points) > 5 and not closed:
            points = middles(points, False)
        if how in ("canal", "ditch"):
            points = _dug(points, 1 if how == "canal" and len(points) < 6 else 4)
        elif how == "river" and len(points) > 3:
            points = [points[0], *wandering(points[1:-1], paper.side * 0.13), points[-1]]
        result.append(rounded(points, False))
    return result


def _dug(points: list[Point], times: int) -> list[Point]:
    """A line that men have dug: its bends are evened out, its ends stay."""
    for _ in range(times):
        inner = [
            ((ax + 2 * x + bx) / 4, (ay + 2 * y + by) / 4)
            for (ax, ay), (x, y), (bx, by) in zip(points, points[1:], points[2:], strict=False)
        ]
        points = [points[0], *inner, points[-1]]
    return points


def stroke(data: str, color: str, how: str, side: float) -> list[Element]:
    """Path data as a line of its manner."""
    n = svg.number
    if how == "border":
        dashes = f"{n(side * 0.34)} {n(side * 0.12)} {n(side * 0.06)} {n(side * 0.12)}"
        return [
            svg.path(data, stroke=color, stroke_width=side * 0.3, stroke_opacity=0.2, **FLAT),
            svg.path(data, stroke=darker(color, 0.15), stroke_width=side * 0.065, stroke_dasharray=dashes, **FLAT),
        ]
    if how == "wadi":
        dashes = f"{n(side * 0.02)} {n(side * 0.13)}"
        return [
            svg.path(data, stroke=lighter(color, 0.35), stroke_width=side * 0.16, stroke_opacity=0.55, **ROUND),
            svg.path(data, stroke=darker(color, 0.1), stroke_width=side * 0.07, stroke_dasharray=dashes, **ROUND),
        ]
    if how == "track":
        dashes = f"{n(side * 0.2)} {n(side * 0.12)}"
        return [
            svg.path(data, stroke=lighter(color, 0.75), stroke_width=side * 0.13, stroke_opacity=0.75, **ROUND),
            svg.path(data, stroke=darker(color, 0.15), stroke_width=side * 0.06, stroke_dasharray=dashes, **FLAT),
        ]
    wide = {"river": 0.1, "canal": 0.2, "road": 0.11}.get(how, 0.1) * side
    return [
        svg.path(data, stroke=darker(color, 0.4), stroke_width=wide + side * 0.045, **ROUND),
        svg.path(data, stroke=lighter(color, 0.3) if how == "road" else color, stroke_width=wide, **ROUND),
        *(
            [svg.path(data, stroke=lighter(color, 0.45), stroke_width=wide * 0.3, stroke_opacity=0.7, **ROUND)]
            if how == "canal"
            else []
        ),
    ]


def hexside_lines(game: Game, table: HexMap, paper: Paper, water: Water) -> list[Element]:
    """Rivers, canals and borders, in the order of the pack's kinds from last to first."""
    parts = []
    found = sides_by_kind(table)
    for kind in reversed([kind for kind in game.hexsides if kind in found]):
        how = manner(kind, game.hexsides[kind], "bar")
        if how == "bar":
            continue
        lines = courses(found[kind], paper, course_of(kind, how))
        color = game.hexsides[kind].color
        if how == "canal":
            straits = [line for line in lines if is_strait(line, water, paper.side)]
            lines = [line for line in lines if line not in straits]
            for i, line in enumerate(straits):
                parts += _strait(line, water, color, paper.side, f"{table.id}-{kind}-{i}-{svg.number(paper.side)}")
        if lines:
            parts += stroke("".join(map(path_of, lines)), color, how, paper.side)
    return parts


def is_strait(line: Sequence[Point], water: Water, side: float) -> bool:
    """Whether a canal is short, begins and ends in water, and is dug through land between them."""
    wet = inside_any(water.shapes)
    long = sum(math.dist(a, b) for a, b in pairwise(line))
    return long < STRAIT * side and wet(line[0]) and wet(line[-1]) and not all(map(wet, line))


def _strait(line: Sequence[Point], water: Water, color: str, side: float, name: str) -> list[Element]:
    """A canal from shore to shore; in the water it runs on as a fairway, dashed as on a chart."""
    wet = inside_any(water.shapes)
    fine = spaced(line, side * 0.02)
    reach = 15  # of these steps: 0.3 hexsides
    dry = [i for i, point in enumerate(fine) if not wet(point)]
    n = svg.number
    dashes = f"{n(side * 0.16)} {n(side * 0.1)}"
    ways = [fine[: dry[0]][::-1], fine[dry[-1] + 1 :]]
    data = "".join(path_of(way) for way in ways if len(way) > reach)
    fairway = svg.path(data, stroke=color, stroke_width=side * 0.07, stroke_dasharray=dashes, **FLAT)
    dug = fine[max(0, dry[0] - reach) : dry[-1] + reach + 1]
    dug = [_beyond(dug[1], dug[0], side), *dug, _beyond(dug[-2], dug[-1], side)]
    xs, ys = [x for x, _ in dug], [y for _, y in dug]
    left, top, right, bottom = min(xs) - side, min(ys) - side, max(xs) + side, max(ys) + side
    around = path_of([(left, top), (right, top), (right, bottom), (left, bottom)], True)
    shores = "".join(path_of(shape, True) for shape in water.shapes if any(holds(shape, end) for end in (dug[0], dug[-1])))
    name = f"land-{name}".replace(".", "_")
    land = svg.element("clipPath", [svg.path(around + shores, clip_rule="evenodd")], id=name)
    drawn = svg.group(stroke(path_of(dug), color, "canal", side), clip_path=f"url(#{name})")
    return [*([fairway] if data else []), svg.element("defs", [land]), drawn]


def _beyond(a: Point, b: Point, side: float) -> Point:
    """A point a quarter of a hexside beyond the end of a line."""
    far = 0.25 * side / (math.dist(a, b) or 1)
    return b[0] + (b[0] - a[0]) * far, b[1] + (b[1] - a[1]) * far


def loose_lines(table: HexMap, paper: Paper) -> list[Element]:
    """Lines of the pack that no hexside shows: wadis and the like, drawn lightly."""
    shown = {kind for kinds in table.hexsides.values() for kind in kinds}
    parts = []
    for line, points in drawn_lines(table, paper):
        how = line.kind if line.kind in ("wadi", "river", "canal", "border") else ""
        if how and not any(line.kind in kind for kind in shown):
            color = {"wadi": "#b08a55", "border": "#a0766a"}.get(how, "#5b94b4")
            parts += stroke(path_of(rounded(points, line.closed), line.closed), color, how, paper.side * 0.9)
    return parts


def bars(game: Game, table: HexMap, paper: Paper) -> list[Element]:
    """Landforms along hexsides."""
    parts = []
    for kind, sides in sides_by_kind(table).items():
        if manner(kind, game.hexsides[kind], "bar") == "bar":
            lines = [[paper.corner(c) for c in chain] for chain in chains(sides)]
            parts += landforms(lines, kind, game.hexsides[kind].color, paper.side)
    return parts


def grid(table: HexMap, paper: Paper) -> list[Element]:
    """The hex grid, every side once, and a dot in each centre."""
    around = paper.outline(Hex(0, 0))
    x0, y0 = paper.centre(Hex(0, 0))
    steps = "".join(f"l{short(b[0] - a[0])} {short(b[1] - a[1])}" for a, b in pairwise(around[:4]))
    start = around[0][0] - x0, around[0][1] - y0
    sides, dots = [], []
    for hex in table.hexes:
        x, y = paper.centre(hex)
        sides.append(f"M{short(x + start[0])} {short(y + start[1])}{steps}")
        dots.append(f"M{short(x)} {short(y)}h0")
    rest = "".join(
        path_of([paper.outline(hex)[d], paper.outline(hex)[(d + 1) % 6]])
        for hex in table.hexes
        for d in (3, 4, 5)
        if neighbour(hex, d) not in table
    )
    dot = {"fill": "none", "stroke": INK, "stroke_linecap": "round"}
    return [
        svg.path(
            "".join(sides) + rest, fill="none", stroke=mix(INK, "#8a7a60", 0.3), stroke_width=0.014 * paper.side,
            stroke_opacity=0.5, stroke_linejoin="round",
        ),
        svg.path("".join(dots), stroke_width=0.05 * paper.side, stroke_opacity=0.55, **dot),
    ]  # fmt: skip
