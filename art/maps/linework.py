"""Lines on a hex map: rivers, canals, borders and bars along hexsides, roads through hexes, bridges."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

from art import svg
from art.color import darker, lighter, mix
from art.geometry import Paper, Point, chains, cut_corners, flowing, middles, path_of, short, space_points, wandering
from art.maps.landforms import landforms
from art.maps.water import Water, drawn_lines, inside_any
from art.svg import Element
from scenarios.model.boards import LineShape
from scenarios.model.definitions import LineKind
from scenarios.model.game import Game
from scenarios.model.hexes import Hex, Hexside, neighbour
from scenarios.model.maps import HexMap

INK = "#3a3128"
BARS = ("ridge", "crest", "sand_dune", "moraine")
RIVERS = ("river", "minor_canal")
BORDERS = ("border", "boundary", "front")
LOOSE = {"wadi": "#b08a55", "border": "#a0766a", "river": "#5b94b4", "canal": "#5b94b4"}
"""Kinds of lines that belong to no hexside, with their colors."""
SHORT = 1.0
"""The maximum gap between a canal's end and the water, in hexsides, that is closed."""
ROUND = {"stroke_linecap": "round", "stroke_linejoin": "round", "fill": "none"}
FLAT = {"stroke_linecap": "butt", "stroke_linejoin": "round", "fill": "none"}


def manner(kind_id: str, kind: LineKind, default: str) -> str:
    """The drawing style of a kind of line: the pack's choice, or the one that fits its id."""
    if kind.drawn:
        return kind.drawn
    if kind_id.startswith("wadi"):
        return "wadi"
    for words, line_manner in ((BARS, "bar"), (RIVERS, "river"), (BORDERS, "border")):
        if kind_id in words:
            return line_manner
    return "canal" if kind_id.endswith("canal") else default


def path_manner(kind_id: str, kind: LineKind) -> str:
    """The drawing style of a kind of path."""
    return manner(kind_id, kind, "road" if kind_id.endswith("road") else "track")


def sides_by_kind(table: HexMap) -> dict[str, list[Hexside]]:
    """The hexsides of each kind."""
    hexsides_by_kind: dict[str, list[Hexside]] = {}
    for side in sorted(table.hexsides):
        for kind in sorted(table.hexsides[side]):
            hexsides_by_kind.setdefault(kind, []).append(side)
    return hexsides_by_kind


def course_of(kind: str, line_manner: str) -> str:
    """The style for the course of a kind of line. A small canal is drawn as a river, but its course is artificial."""
    return "ditch" if line_manner == "river" and kind.endswith("canal") else line_manner


def courses(sides: Sequence[Hexside], paper: Paper, line_manner: str = "") -> list[list[Point]]:
    """Hexsides as smooth lines. A canal is as straight as they allow; a river has bends of its own."""
    result = []
    for chain in chains(sides):
        points = [paper.corner(corner) for corner in chain]
        is_closed = len(points) > 3 and points[0] == points[-1]
        if len(points) > 2 and not is_closed:
            points = middles(points, False)
        if len(points) > 5 and not is_closed:
            points = middles(points, False)
        if line_manner in ("canal", "ditch"):
            points = _straighten(points, 1 if line_manner == "canal" and len(points) < 6 else 4)
        elif line_manner == "river" and len(points) > 3:
            points = [points[0], *wandering(points[1:-1], paper.side * 0.13), points[-1]]
        result.append(cut_corners(points, False))
    return result


def _straighten(points: list[Point], times: int) -> list[Point]:
    """Straighten the bends of an artificial line and keep its ends."""
    for _ in range(times):
        inner = [
            ((ax + 2 * x + bx) / 4, (ay + 2 * y + by) / 4)
            for (ax, ay), (x, y), (bx, by) in zip(points, points[1:], points[2:], strict=False)
        ]
        points = [points[0], *inner, points[-1]]
    return points


def stroke(data: str, color: str, line_manner: str, side: float) -> list[Element]:
    """Path data as a line in its drawing style."""
    n = svg.number
    if line_manner == "border":
        dashes = f"{n(side * 0.34)} {n(side * 0.12)} {n(side * 0.06)} {n(side * 0.12)}"
        return [
            svg.path(data, stroke=color, stroke_width=side * 0.3, stroke_opacity=0.2, **FLAT),
            svg.path(data, stroke=darker(color, 0.15), stroke_width=side * 0.065, stroke_dasharray=dashes, **FLAT),
        ]
    if line_manner == "wadi":
        dashes = f"{n(side * 0.02)} {n(side * 0.13)}"
        return [
            svg.path(data, stroke=lighter(color, 0.35), stroke_width=side * 0.16, stroke_opacity=0.55, **ROUND),
            svg.path(data, stroke=darker(color, 0.1), stroke_width=side * 0.07, stroke_dasharray=dashes, **ROUND),
        ]
    if line_manner == "track":
        dashes = f"{n(side * 0.2)} {n(side * 0.12)}"
        return [
            svg.path(data, stroke=lighter(color, 0.75), stroke_width=side * 0.13, stroke_opacity=0.75, **ROUND),
            svg.path(data, stroke=darker(color, 0.15), stroke_width=side * 0.06, stroke_dasharray=dashes, **FLAT),
        ]
    line_width = {"river": 0.1, "canal": 0.2, "road": 0.11}.get(line_manner, 0.1) * side
    return [
        svg.path(data, stroke=darker(color, 0.4), stroke_width=line_width + side * 0.045, **ROUND),
        svg.path(
            data, stroke=lighter(color, 0.3) if line_manner == "road" else color, stroke_width=line_width, **ROUND
        ),
        *(
            [svg.path(data, stroke=lighter(color, 0.45), stroke_width=line_width * 0.3, stroke_opacity=0.7, **ROUND)]
            if line_manner == "canal"
            else []
        ),
    ]


def hexside_courses(
    game: Game, table: HexMap, paper: Paper, water: Water | None = None
) -> list[tuple[str, list[Point]]]:
    """Every line along hexsides except bars, with its kind. Canals of several kinds continue into each other and, if `water` is given, into
    the nearest water. A line that ends on the rim of the map continues to the edge of the paper.
    """
    hexsides_by_kind = sides_by_kind(table)
    manners = {kind: manner(kind, game.hexsides[kind], "bar") for kind in hexsides_by_kind}
    result: list[tuple[str, list[Point]]] = []
    for kind, sides in hexsides_by_kind.items():
        if manners[kind] not in ("bar", "canal"):
            lines = courses(sides, paper, course_of(kind, manners[kind]))
            result += [(kind, _led_off(line, table, paper)) for line in lines]
    kind_at = {side: kind for kind in hexsides_by_kind if manners[kind] == "canal" for side in hexsides_by_kind[kind]}
    for line in courses(sorted(kind_at), paper, "canal"):
        course = _led_off(line, table, paper)
        if water is not None:
            course = _led_to(_led_to(course, water, paper.side)[::-1], water, paper.side)[::-1]
        result += _split_by_kind(course, kind_at, paper)
    return result


def _split_by_kind(
    line: Sequence[Point], kind_at: Mapping[Hexside, str], paper: Paper
) -> list[tuple[str, list[Point]]]:
    """Split a canal by the kinds of its hexsides."""
    middles_of = [(_middle(side, paper), kind) for side, kind in kind_at.items()]
    parts: list[tuple[str, list[Point]]] = []
    for point in line:
        kind = min(middles_of, key=lambda middle_and_kind: math.dist(middle_and_kind[0], point))[1]
        if parts and parts[-1][0] == kind:
            parts[-1][1].append(point)
        else:
            parts.append((kind, [*(parts[-1][1][-1:] if parts else []), point]))
    return parts


def _middle(side: Hexside, paper: Paper) -> Point:
    (ax, ay), (bx, by) = paper.centre(side.a), paper.centre(side.b)
    return (ax + bx) / 2, (ay + by) / 2


def _led_off(line: list[Point], table: HexMap, paper: Paper) -> list[Point]:
    """Extend the ends of a line on the rim of the map straight beyond the edge of the paper."""
    if line[0] == line[-1] or len(line) < 2:
        return line
    for _ in range(2):
        (ax, ay), (x, y) = line[-2], line[-1]
        factor = paper.side / (math.dist((ax, ay), (x, y)) or 1)
        dx, dy = (x - ax) * factor, (y - ay) * factor
        if paper.hex_at(x + 0.3 * dx, y + 0.3 * dy) not in table:
            line = [*line, (x + dx, y + dy)]
        line = line[::-1]
    return line


def _led_to(line: list[Point], water: Water, side: float) -> list[Point]:
    """Extend a canal that ends just short of the water into it."""
    end = line[-1]
    if inside_any(water.shapes)(end):
        return line
    nearest = min(
        (point for shape in water.shapes for point in shape), key=lambda point: math.dist(point, end), default=end
    )
    return [*line, nearest] if 0 < math.dist(nearest, end) < SHORT * side else line


def hexside_lines(game: Game, table: HexMap, paper: Paper, water: Water) -> list[Element]:
    """Rivers, canals and borders, from the last kind of the pack to the first."""
    lines: dict[str, list[list[Point]]] = {}
    for kind, line in hexside_courses(game, table, paper, water):
        lines.setdefault(kind, []).append(line)
    parts = []
    for kind in reversed([kind for kind in game.hexsides if kind in lines]):
        line_manner = manner(kind, game.hexsides[kind], "bar")
        parts += stroke("".join(map(path_of, lines[kind])), game.hexsides[kind].color, line_manner, paper.side)
    return parts


def loose_courses(table: HexMap, paper: Paper) -> list[tuple[LineShape, list[Point]]]:
    """Lines of the pack that belong to no hexside, such as wadis. A wadi has few known points, so its line meanders."""
    shown_kinds = {kind for side_kinds in table.hexsides.values() for kind in side_kinds}
    result = []
    for line, points in drawn_lines(table, paper):
        if line.kind in LOOSE and not any(line.kind in kind for kind in shown_kinds):
            if line.kind == "wadi" and not line.closed:
                points = wandering(space_points(flowing(points), paper.side)[::2], paper.side * 0.3)
            result.append((line, cut_corners(points, line.closed)))
    return result


def loose_lines(table: HexMap, paper: Paper) -> list[Element]:
    """Draw the lines that belong to no hexside, lightly."""
    parts = []
    for line, points in loose_courses(table, paper):
        parts += stroke(path_of(points, line.closed), LOOSE[line.kind], line.kind, paper.side * 0.9)
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
    """The hex grid with every side drawn once, and a dot in each center."""
    outline = paper.outline(Hex(0, 0))
    x0, y0 = paper.centre(Hex(0, 0))
    steps = "".join(f"l{short(b[0] - a[0])} {short(b[1] - a[1])}" for a, b in pairwise(outline[:4]))
    start = outline[0][0] - x0, outline[0][1] - y0
    sides, dots = [], []
    for hex in table.hexes:
        x, y = paper.centre(hex)
        sides.append(f"M{short(x + start[0])} {short(y + start[1])}{steps}")
        dots.append(f"M{short(x)} {short(y)}h0")
    border_sides = "".join(
        path_of([paper.outline(hex)[d], paper.outline(hex)[(d + 1) % 6]])
        for hex in table.hexes
        for d in (3, 4, 5)
        if neighbour(hex, d) not in table
    )
    dot = {"fill": "none", "stroke": INK, "stroke_linecap": "round"}
    return [
        svg.path(
            "".join(sides) + border_sides,
            fill="none",
            stroke=mix(INK, "#8a7a60", 0.3),
            stroke_width=0.014 * paper.side,
            stroke_opacity=0.5,
            stroke_linejoin="round",
        ),
        svg.path("".join(dots), stroke_width=0.05 * paper.side, stroke_opacity=0.55, **dot),
    ]
