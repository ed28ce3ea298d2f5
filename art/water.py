"""Where the water is: coasts and shores made into closed shapes, checked against the terrain of the hexes."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from art.geometry import ROOT3, Paper, Point, rounded
from scenarios.boards import LineShape
from scenarios.hexes import Hex
from scenarios.maps import HexMap, Placed

WATER = frozenset({"sea", "lake", "suez_canal", "water", "lake_crossing", "red_sea_crossing"})
SHORES = ("coast", "shore")
Line = list[Point]


@dataclass(frozen=True)
class Water:
    """Closed shapes of water, islands in them, and hexes that the shapes have wrong."""

    shapes: tuple[Line, ...]
    islands: tuple[Line, ...]
    wet: frozenset[Hex] = frozenset()
    dry: frozenset[Hex] = frozenset()


def drawn_lines(table: HexMap, paper: Paper) -> list[tuple[LineShape, Line]]:
    """The lines of all boards of a map, in millimetres."""
    return [
        (line, _on_paper(placed, paper, line)) for placed in table.placed for line in placed.board.shape.lines.values()
    ]


def _on_paper(placed: Placed, paper: Paper, line: LineShape) -> Line:
    """A line's points are columns and rows (hex widths and rows when pointy) from the top left hex."""
    x, y = paper.centre(placed.to_map(placed.board.grid.hexes[0]))
    flat = paper.orientation == "flat"
    across, down = (1.5, ROOT3) if flat else (ROOT3, 1.5)
    sign = -1 if placed.turned else 1
    return [
        (x + sign * across * paper.side * float(a), y + sign * down * paper.side * float(b)) for a, b in line.points
    ]


def water_of(table: HexMap, paper: Paper, wide: float, high: float) -> Water:
    """The water of a hex map on a sheet."""
    lines = [(line, points) for line, points in drawn_lines(table, paper) if line.kind in SHORES]
    rings = [rounded(points, True, 1) for line, points in lines if line.closed]
    open_lines = _joined([points for line, points in lines if not line.closed], paper.side)
    faces, loose = _beyond([rounded(line, False, 1) for line in open_lines], wide, high, 2 * paper.side)
    wet = {hex for hex, kind in table.terrain.items() if kind in WATER}
    centres = {hex: paper.centre(hex) for hex in table.hexes}
    shapes = []
    for face in faces:
        inside = inside_any([face])
        held = [hex in wet for hex, point in centres.items() if inside(point)]
        if held and 2 * sum(held) > len(held):
            shapes.append(face)
    at_sea = inside_any(shapes)
    islands = [ring for ring in rings if at_sea(ring[0]) and at_sea(ring[len(ring) // 2])]
    islands += [piece for piece in loose if len(piece) > 3 and at_sea(piece[len(piece) // 2])]
    shapes += [ring for ring in rings if ring not in islands]
    return _checked(table, paper, Water(tuple(shapes), tuple(islands)), wet)


def _beyond(lines: Sequence[Line], wide: float, high: float, far: float) -> tuple[list[Line], list[Line]]:
    """As `cut_up`, on a sheet that is larger all around: no coast is drawn along the edge of the paper."""
    moved = [[(x + far, y + far) for x, y in line] for line in lines]
    faces, loose = cut_up(moved, wide + 2 * far, high + 2 * far, far * 1.1)

    def back(lines: list[Line]) -> list[Line]:
        return [[(x - far, y - far) for x, y in line] for line in lines]

    return back(faces), back(loose)


def _checked(table: HexMap, paper: Paper, water: Water, wet: set[Hex]) -> Water:
    """The water with the hexes whose terrain it contradicts."""
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
    """Tells whether a point lies in any of the shapes. Points come in rows, so crossings of a row are kept."""
    listed = list(shapes)
    rows: dict[float, list[list[float]]] = {}

    def crossings(y: float) -> list[list[float]]:
        found = []
        for shape in listed:
            across = []
            ax, ay = shape[-1]
            for bx, by in shape:
                if (ay > y) != (by > y):
                    across.append(ax + (y - ay) * (bx - ax) / (by - ay))
                ax, ay = bx, by
            if across:
                found.append(sorted(across))
        return found

    def inside(point: Point) -> bool:
        y = round(point[1], 3)
        if y not in rows:
            rows[y] = crossings(y)
        return any(bisect_left(row, point[0]) % 2 == 1 for row in rows[y])

    return inside


def _joined(lines: Sequence[Line], near: float) -> list[Line]:
    """Lines whose ends meet, as one line."""
    result = [list(line) for line in lines]
    joined = True
    while joined:
        joined = False
        for i, one in enumerate(result):
            for j, other in enumerate(result):
                if i != j and math.dist(one[-1], other[0]) < near * 0.3:
                    found = one + other[1:]
                elif i < j and math.dist(one[-1], other[-1]) < near * 0.3:
                    found = one + other[-2::-1]
                elif i < j and math.dist(one[0], other[0]) < near * 0.3:
                    found = one[::-1] + other[1:]
                else:
                    continue
                result = [line for k, line in enumerate(result) if k not in (i, j)] + [found]
                joined = True
                break
            if joined:
                break
    return result


def cut_up(lines: Sequence[Line], wide: float, high: float, near: float) -> tuple[list[Line], list[Line]]:
    """The shapes that lines from edge to edge cut a sheet into, and the lines that end inside."""
    pieces = [piece for line in lines for piece in _clipped(_to_edges(line, wide, high, near), wide, high)]
    whole = [p for p in pieces if math.dist(p[0], p[-1]) < 1e-6 and not _on_edge(p[0], wide, high)]
    cuts = [p for p in pieces if _on_edge(p[0], wide, high) and _on_edge(p[-1], wide, high)]
    around = 2 * (wide + high)
    stops = sorted(
        (_along(piece[-end], wide, high), i, end) for i, piece in enumerate(cuts) for end in (0, 1)
    )  # -0 is the first point, -1 the last
    left = {(i, end) for _, i, end in stops}
    faces = []
    for start in sorted(left):
        if start not in left:
            continue
        face: Line = []
        here = start
        while here in left:
            left.discard(here)
            i, end = here
            piece = cuts[i] if end == 0 else cuts[i][::-1]
            face += piece
            at = _along(piece[-1], wide, high)
            place = stops.index((at, i, 1 - end))
            onward, j, other = stops[(place + 1) % len(stops)]
            face += _corners(at, onward if onward > at else onward + around, wide, high)
            here = (j, other)
        faces.append(face)
    return faces + whole, [piece for piece in pieces if piece not in cuts and piece not in whole]


def _on_edge(point: Point, wide: float, high: float) -> bool:
    x, y = point
    return min(abs(x), abs(wide - x), abs(y), abs(high - y)) < 1e-6


def _along(point: Point, wide: float, high: float) -> float:
    """How far around the edge a point of it lies, clockwise from the top left."""
    x, y = point
    if abs(y) < 1e-6:
        return x
    if abs(wide - x) < 1e-6:
        return wide + y
    if abs(high - y) < 1e-6:
        return wide + high + (wide - x)
    return 2 * wide + high + (high - y)


def _corners(start: float, stop: float, wide: float, high: float) -> Line:
    """The corners of the sheet between two places on its edge, clockwise."""
    marks = [(0.0, (0.0, 0.0)), (wide, (wide, 0.0)), (wide + high, (wide, high)), (2 * wide + high, (0.0, high))]
    around = 2 * (wide + high)
    return [point for turn in (0, around) for at, point in marks if start < at + turn < stop]


def _to_edges(line: Line, wide: float, high: float, near: float) -> Line:
    """A line whose ends near the edge are led to it."""

    def led(point: Point) -> list[Point]:
        x, y = point
        gaps = [(x, (0.0, y)), (wide - x, (wide, y)), (y, (x, 0.0)), (high - y, (x, high))]
        gap, there = min(gaps)
        return [there] if 0 < gap < near * 1.2 else []

    return [*led(line[0]), *line, *led(line[-1])]


def _clipped(line: Line, wide: float, high: float) -> list[Line]:
    """The parts of a line that lie on the sheet."""
    parts: list[Line] = []
    for a, b in pairwise(line):
        cut = _segment(a, b, wide, high)
        if cut is None:
            continue
        start, end = cut
        if parts and math.dist(parts[-1][-1], start) < 1e-9:
            parts[-1].append(end)
        else:
            parts.append([start, end])
    return [part for part in parts if len(part) > 2 or math.dist(part[0], part[1]) > 1e-9]


def _segment(a: Point, b: Point, wide: float, high: float) -> tuple[Point, Point] | None:
    """A straight piece cut to the sheet (Liang and Barsky)."""
    low, top = 0.0, 1.0
    dx, dy = b[0] - a[0], b[1] - a[1]
    for step, room in ((-dx, a[0]), (dx, wide - a[0]), (-dy, a[1]), (dy, high - a[1])):
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
