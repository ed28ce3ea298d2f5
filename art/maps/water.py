"""The water of a map: coasts and shores as closed shapes, checked against the terrain of the hexes."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from art.geometry import ROOT3, Paper, Point, cut_corners
from scenarios.model.boards import LineShape
from scenarios.model.game import Game
from scenarios.model.hexes import Hex
from scenarios.model.maps import HexMap, PlacedBoard

WATER_IDS = frozenset({"sea", "lake", "ocean", "water"})
"""Kinds of terrain that are water without a word of the pack."""
SHORES = ("coast", "shore")
Line = list[Point]


def water_kinds(game: Game) -> frozenset[str]:
    """The kinds of terrain that are water: those that the pack declares, and those whose id says so."""
    return frozenset(kind_id for kind_id, kind in game.terrain.items() if kind.water or kind_id in WATER_IDS)


@dataclass(frozen=True)
class Water:
    """Closed shapes of water, the islands in them, and the hexes for which the shapes are wrong."""

    shapes: tuple[Line, ...]
    islands: tuple[Line, ...]
    wet: frozenset[Hex] = frozenset()
    dry: frozenset[Hex] = frozenset()


def drawn_lines(table: HexMap, paper: Paper) -> list[tuple[LineShape, Line]]:
    """The lines of all boards of a map, in millimeters."""
    return [
        (line, _on_paper(placement, paper, line))
        for placement in table.placed
        for line in placement.board.shape.lines.values()
    ]


def _on_paper(placement: PlacedBoard, paper: Paper, line: LineShape) -> Line:
    """Convert a line to paper. Its points are columns and rows (hex widths and rows if pointy-top) from the top left hex."""
    x, y = paper.centre(placement.to_map(placement.board.grid.hexes[0]))
    flat = paper.orientation == "flat"
    x_scale, y_scale = (1.5, ROOT3) if flat else (ROOT3, 1.5)
    sign = -1 if placement.turned else 1
    return [
        (x + sign * x_scale * paper.side * float(a), y + sign * y_scale * paper.side * float(b)) for a, b in line.points
    ]


def water_of(game: Game, table: HexMap, paper: Paper, width: float, height: float) -> Water:
    """The water of a hex map on a sheet."""
    lines = [(line, points) for line, points in drawn_lines(table, paper) if line.kind in SHORES]
    rings = [cut_corners(points, True, 1) for line, points in lines if line.closed]
    open_lines = _join_lines([points for line, points in lines if not line.closed], paper.side)
    faces, loose = _cut_beyond([cut_corners(line, False, 1) for line in open_lines], width, height, 2 * paper.side)
    kinds = water_kinds(game)
    wet = {hex for hex, kind in table.terrain.items() if kind in kinds}
    centres = {hex: paper.centre(hex) for hex in table.hexes}
    shapes = []
    for face in faces:
        inside = inside_any([face])
        wet_flags = [hex in wet for hex, point in centres.items() if inside(point)]
        if wet_flags and 2 * sum(wet_flags) > len(wet_flags):
            shapes.append(face)
    at_sea = inside_any(shapes)
    islands = [ring for ring in rings if at_sea(ring[0]) and at_sea(ring[len(ring) // 2])]
    islands += [piece for piece in loose if len(piece) > 3 and at_sea(piece[len(piece) // 2])]
    shapes += [ring for ring in rings if ring not in islands]
    return _check_terrain(table, paper, Water(tuple(shapes), tuple(islands)), wet)


def _cut_beyond(lines: Sequence[Line], width: float, height: float, margin: float) -> tuple[list[Line], list[Line]]:
    """Like `cut_up`, but on a sheet that is larger on all sides, so that no coast is drawn along the edge of the paper."""
    shifted_lines = [[(x + margin, y + margin) for x, y in line] for line in lines]
    faces, loose = cut_up(shifted_lines, width + 2 * margin, height + 2 * margin, margin * 1.1)

    def move_back(lines: list[Line]) -> list[Line]:
        return [[(x - margin, y - margin) for x, y in line] for line in lines]

    return move_back(faces), move_back(loose)


def _check_terrain(table: HexMap, paper: Paper, water: Water, wet: set[Hex]) -> Water:
    """Add the hexes whose terrain contradicts the water."""
    inside, island = inside_any(water.shapes), inside_any(water.islands)
    reach = 0.5 * paper.side
    spots = [(0.0, 0.0), *((reach * math.cos(k * math.pi / 3), reach * math.sin(k * math.pi / 3)) for k in range(6))]
    to_wet, to_dry = set(), set()
    for hex in table.hexes:
        x, y = paper.centre(hex)
        if (inside((x, y)) and not island((x, y))) == (hex in wet):
            continue
        share = sum(inside((x + a, y + b)) and not island((x + a, y + b)) for a, b in spots)
        if hex in wet and share <= 2:
            to_wet.add(hex)
        elif hex not in wet and share >= 5:
            to_dry.add(hex)
    return Water(water.shapes, water.islands, frozenset(to_wet), frozenset(to_dry))


def inside_any(shapes: Iterable[Line]) -> Callable[[Point], bool]:
    """A test whether any of the shapes contains a point. Points come in rows, so the crossings of a row are cached."""
    all_shapes = list(shapes)
    rows: dict[float, list[list[float]]] = {}

    def crossings(y: float) -> list[list[float]]:
        result = []
        for shape in all_shapes:
            xs = []
            ax, ay = shape[-1]
            for bx, by in shape:
                if (ay > y) != (by > y):
                    xs.append(ax + (y - ay) * (bx - ax) / (by - ay))
                ax, ay = bx, by
            if xs:
                result.append(sorted(xs))
        return result

    def inside(point: Point) -> bool:
        y = round(point[1], 3)
        if y not in rows:
            rows[y] = crossings(y)
        return any(bisect_left(row, point[0]) % 2 == 1 for row in rows[y])

    return inside


def _join_lines(lines: Sequence[Line], tolerance: float) -> list[Line]:
    """Join lines whose ends meet."""
    result = [list(line) for line in lines]
    has_changed = True
    while has_changed:
        has_changed = False
        for i, first_line in enumerate(result):
            for j, second_line in enumerate(result):
                if i != j and math.dist(first_line[-1], second_line[0]) < tolerance * 0.3:
                    chain = first_line + second_line[1:]
                elif i < j and math.dist(first_line[-1], second_line[-1]) < tolerance * 0.3:
                    chain = first_line + second_line[-2::-1]
                elif i < j and math.dist(first_line[0], second_line[0]) < tolerance * 0.3:
                    chain = first_line[::-1] + second_line[1:]
                else:
                    continue
                result = [line for k, line in enumerate(result) if k not in (i, j)] + [chain]
                has_changed = True
                break
            if has_changed:
                break
    return result


def cut_up(lines: Sequence[Line], width: float, height: float, tolerance: float) -> tuple[list[Line], list[Line]]:
    """The shapes into which lines from edge to edge divide a sheet, and the lines that end inside it."""
    pieces = [piece for line in lines for piece in _clip(_to_edges(line, width, height, tolerance), width, height)]
    rings = [p for p in pieces if math.dist(p[0], p[-1]) < 1e-6 and not _on_edge(p[0], width, height)]
    cuts = [p for p in pieces if _on_edge(p[0], width, height) and _on_edge(p[-1], width, height)]
    perimeter = 2 * (width + height)
    stops = sorted(
        (_edge_distance(piece[-end], width, height), i, end) for i, piece in enumerate(cuts) for end in (0, 1)
    )  # -0 is the first point, -1 the last
    remaining = {(i, end) for _, i, end in stops}
    faces = []
    for start in sorted(remaining):
        if start not in remaining:
            continue
        face: Line = []
        cut_end = start
        while cut_end in remaining:
            remaining.discard(cut_end)
            i, end = cut_end
            piece = cuts[i] if end == 0 else cuts[i][::-1]
            face += piece
            position = _edge_distance(piece[-1], width, height)
            place = stops.index((position, i, 1 - end))
            onward, j, next_end = stops[(place + 1) % len(stops)]
            face += _corners(position, onward if onward > position else onward + perimeter, width, height)
            cut_end = (j, next_end)
        faces.append(face)
    return faces + rings, [piece for piece in pieces if piece not in cuts and piece not in rings]


def _on_edge(point: Point, width: float, height: float) -> bool:
    x, y = point
    return min(abs(x), abs(width - x), abs(y), abs(height - y)) < 1e-6


def _edge_distance(point: Point, width: float, height: float) -> float:
    """The distance of an edge point along the edge, clockwise from the top left."""
    x, y = point
    if abs(y) < 1e-6:
        return x
    if abs(width - x) < 1e-6:
        return width + y
    if abs(height - y) < 1e-6:
        return width + height + (width - x)
    return 2 * width + height + (height - y)


def _corners(start: float, stop: float, width: float, height: float) -> Line:
    """The corners of the sheet between two points of its edge, clockwise."""
    marks = [
        (0.0, (0.0, 0.0)),
        (width, (width, 0.0)),
        (width + height, (width, height)),
        (2 * width + height, (0.0, height)),
    ]
    perimeter = 2 * (width + height)
    return [point for turn in (0, perimeter) for position, point in marks if start < position + turn < stop]


def _to_edges(line: Line, width: float, height: float, tolerance: float) -> Line:
    """Extend ends of a line near the edge to the edge."""

    def lead_to_edge(point: Point) -> list[Point]:
        x, y = point
        gaps = [(x, (0.0, y)), (width - x, (width, y)), (y, (x, 0.0)), (height - y, (x, height))]
        gap, edge_point = min(gaps)
        return [edge_point] if 0 < gap < tolerance * 1.2 else []

    return [*lead_to_edge(line[0]), *line, *lead_to_edge(line[-1])]


def _clip(line: Line, width: float, height: float) -> list[Line]:
    """The parts of a line on the sheet."""
    parts: list[Line] = []
    for a, b in pairwise(line):
        cut = _segment(a, b, width, height)
        if cut is None:
            continue
        start, end = cut
        if parts and math.dist(parts[-1][-1], start) < 1e-9:
            parts[-1].append(end)
        else:
            parts.append([start, end])
    return [part for part in parts if len(part) > 2 or math.dist(part[0], part[1]) > 1e-9]


def _segment(a: Point, b: Point, width: float, height: float) -> tuple[Point, Point] | None:
    """A line segment clipped to the sheet (Liang-Barsky)."""
    low, top = 0.0, 1.0
    dx, dy = b[0] - a[0], b[1] - a[1]
    for step, room in ((-dx, a[0]), (dx, width - a[0]), (-dy, a[1]), (dy, height - a[1])):
        if step == 0:
            if room < 0:
                return None
        elif step < 0:
            low = max(low, room / step)
        else:
            top = min(top, room / step)
    if low >= top:
        return None
    return (a[0] + low * dx, a[1] + low * dy), (a[0] + top * dx, a[1] + top * dy)
