"""Where hexes lie on a module's boards, in pixels, just as the engine's hex grid has it.

The engine numbers lanes (columns of flat-top hexes, rows of pointy-top ones) from the origin of the grid and
pushes every odd lane half a hex on. With whole pixels for the distance of lanes and even ones for the height
of a hex nothing is ever rounded, on turned boards neither.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from scenarios.grids import Grid, Numbering
from scenarios.hexes import Hex
from scenarios.maps import HexMap, Placed
from scenarios.points import PointMap

Point = tuple[int, int]
SMALL = (52, 60)
LARGE = (64, 74)
"""The distance of lanes and the height of a hex in pixels: pairs that come close to a regular hex."""
MANY = 900
"""Boards with more hexes than this are drawn small."""


@dataclass(frozen=True)
class Pixels:
    """The grid of one board in pixels."""

    grid: Grid
    lane: int
    high: int

    @cached_property
    def origin(self) -> Point:
        """The centre of Hex(0, 0)."""
        left, top, _, _ = self._box
        return -left, -top

    @cached_property
    def size(self) -> Point:
        """Width and height of the board."""
        left, top, right, bottom = self._box
        return right - left, bottom - top

    @cached_property
    def _box(self) -> tuple[int, int, int, int]:
        """The edges of the board, seen from the centre of Hex(0, 0)."""
        spots = {hex: self.bare(hex) for hex in self.grid.hexes}
        flat = self.grid.orientation == "flat"
        half_lane, half_high = -(-2 * self.lane // 3), self.high // 2
        across, down = (half_lane, half_high) if flat else (half_high, half_lane)
        edges: list[int] = []
        for index, sign, name, out in (
            (0, -1, "left", across),
            (1, -1, "top", down),
            (0, 1, "right", across),
            (1, 1, "bottom", down),
        ):
            far = max(sign * spot[index] + (0 if name in self.grid.half(hex) else out) for hex, spot in spots.items())
            edges.append(sign * far)
        return edges[0], edges[1], edges[2], edges[3]

    def bare(self, hex: Hex) -> Point:
        """A hex's centre, seen from the centre of Hex(0, 0)."""
        if self.grid.orientation == "flat":
            return hex.q * self.lane, (2 * hex.r + hex.q) * self.high // 2
        return (2 * hex.q + hex.r) * self.high // 2, hex.r * self.lane

    def centre(self, hex: Hex) -> Point:
        """A hex's centre on the board, as it lies unturned."""
        x, y = self.bare(hex)
        return self.origin[0] + x, self.origin[1] + y

    @cached_property
    def by_centre(self) -> Mapping[Point, Hex]:
        """The hex of each centre."""
        return {self.centre(hex): hex for hex in self.grid.hexes}

    def hex_at(self, x: int, y: int) -> Hex | None:
        """The hex whose centre is nearest to a point of the board."""

        def far(spot: Point) -> int:
            return (spot[0] - x) ** 2 + (spot[1] - y) ** 2

        if (x, y) in self.by_centre:
            return self.by_centre[x, y]
        near = min(self.by_centre, key=far)
        return self.by_centre[near] if far(near) <= self.high**2 else None


@cache
def pixels(grid: Grid) -> Pixels:
    """The grid of a board in pixels."""
    lane, high = SMALL if grid.columns * grid.rows > MANY else LARGE
    return Pixels(grid, lane, high)


@dataclass(frozen=True)
class Sheet:
    """A map of boards in pixels: neighbouring boards touch, and share their half-hexes."""

    table: HexMap

    @cached_property
    def corners(self) -> Mapping[str, Point]:
        """The top left corner of each board."""
        result: dict[str, Point] = {}
        for placed in self.table.placed:
            grid = pixels(placed.board.grid)
            first = placed.board.grid.hexes[0]
            x, y = self._bare(grid, placed, first)
            inner = self._local(grid, placed, first)
            result[placed.board.id] = x - inner[0], y - inner[1]
        left = min(x for x, _ in result.values())
        top = min(y for _, y in result.values())
        return {board: (x - left, y - top) for board, (x, y) in result.items()}

    def _bare(self, grid: Pixels, placed: Placed, local: Hex) -> Point:
        return grid.bare(placed.to_map(local))

    @staticmethod
    def _local(grid: Pixels, placed: Placed, local: Hex) -> Point:
        """A hex's centre on its board as the board lies, from the board's own corner."""
        x, y = grid.centre(local)
        return (grid.size[0] - x, grid.size[1] - y) if placed.turned else (x, y)

    def centre(self, hex: Hex) -> Point:
        """A hex's centre on the map. On a seam every board has the same; on the last edges it is the engine's, a pixel in."""
        for placed in self.table.placed:
            local = placed.to_board(hex)
            if local is not None:
                corner = self.corners[placed.board.id]
                x, y = self._local(pixels(placed.board.grid), placed, local)
                return min(corner[0] + x, self.size[0] - 1), min(corner[1] + y, self.size[1] - 1)
        raise ValueError(f"hex {tuple(hex)} is not on the map {self.table.id}")

    def hex_at(self, x: int, y: int) -> Hex | None:
        """The hex of a point of the map."""
        for placed in self.table.placed:
            grid = pixels(placed.board.grid)
            left, top = self.corners[placed.board.id]
            inner = x - left, y - top
            if not (0 <= inner[0] <= grid.size[0] and 0 <= inner[1] <= grid.size[1]):
                continue
            if placed.turned:
                inner = grid.size[0] - inner[0], grid.size[1] - inner[1]
            local = grid.hex_at(*inner)
            if local is not None:
                return placed.to_map(local)
        return None

    @cached_property
    def size(self) -> Point:
        """Width and height of the map."""
        spans = [(self.corners[p.board.id], pixels(p.board.grid).size) for p in self.table.placed]
        return max(x + w for (x, _), (w, _) in spans), max(y + h for (_, y), (_, h) in spans)


def location_name(grid: Grid, prefix: str) -> str:
    """An expression of the engine that names the hex of a `column` (the lane) and a `row` (its place in it).

    Lanes and rows are counted from Hex(0, 0), rows of odd lanes from half a hex further on.
    """
    numbering = grid.numbering
    flat = grid.orientation == "flat"
    lanes = grid.columns if flat else grid.rows
    lengths = {0: 0, 1: 0}
    firsts = {0: 0, 1: 0}
    for hex in grid.hexes:
        number, along = (hex.q, hex.r + hex.q // 2) if flat else (hex.r, hex.q + hex.r // 2)
        place = grid.row(hex) if flat else grid.column(hex)
        firsts[number % 2] = along - place
        if number < 2:
            lengths[number] = max(lengths[number], place + 1)
    lane_up = (numbering.columns_from == "left") if flat else (numbering.rows_from == "top")
    along_up = (numbering.rows_from == "top") if flat else (numbering.columns_from == "left")
    start_column, start_row = numbering.start
    if numbering.scheme == "letters":
        start_column = 0
    lane_start, along_start = (start_column, start_row) if flat else (start_row, start_column)
    lane = f"({lane_start}+column)" if lane_up else f"({lane_start + lanes - 1}-column)"

    def placed(parity: int) -> str:
        if along_up:
            return f"({along_start - firsts[parity]}+row)"
        return f"({along_start + lengths[parity] - 1 + firsts[parity]}-row)"

    def either(even: object, odd: object) -> str:
        return str(even) if str(even) == str(odd) else f"(column%2==0?{even}:{odd})"

    said = either(placed(0), placed(1))
    across, down = (lane, said) if flat else (said, lane)
    low, high = either(firsts[0], firsts[1]), either(firsts[0] + lengths[0], firsts[1] + lengths[1])
    inside = f"column>=0&&column<{lanes}&&row>={low}&&row<{high}"
    highest = max(numbering.start[0] + grid.columns, numbering.start[1] + grid.rows)
    printed = _printed(numbering, highest, across, down, prefix)
    return f'{{({inside})?{printed}:"edge"}}'


def _printed(numbering: Numbering, highest: int, across: str, down: str, prefix: str) -> str:
    scheme, first, digits = numbering.scheme, numbering.first, numbering.digits
    before = f'"{prefix}"+'
    if scheme == "letters":
        alphabet = '"ABCDEFGHIJKLMNOPQRSTUVWXYZ"'
        letter = f"{alphabet}.substring({across}%26,{across}%26+1)"
        more = "".join(f'+({across}>{last}?{letter}:"")' for last in range(25, max(26, highest), 26))
        return f'{before}{letter}{more}+"-"+{down}'

    def padded(number: str) -> str:
        zeros = 10**digits
        short = f"String.valueOf({zeros}+{number}).substring(1)"
        return short if highest < zeros else f"({number}<{zeros}?{short}:String.valueOf({number}))"

    bare = first if scheme == "x.y" else ""
    column = f"String.valueOf({across})" if bare == "column" else padded(across)
    row = f"String.valueOf({down})" if bare == "row" else padded(down)
    one, two = (column, row) if first == "column" else (row, column)
    return f'{before}{one}+"{"." if scheme == "x.y" else ""}"+{two}'


PER_CM = 26
"""Pixels for a centimetre of a point map's sheet: a counter covers a point."""
MARGIN = 44


@dataclass(frozen=True)
class PointSheet:
    """A point map in pixels."""

    table: PointMap

    @cached_property
    def _box(self) -> tuple[int, int, int, int]:
        frames = [point for line in self.table.lines.values() if line.kind == "frame" for point in line.points]
        spots = [(p.at[0], p.at[1]) for p in self.table.points.values() if len(p.at) == 2] + frames
        xs, ys = [int(x * PER_CM) for x, _ in spots], [int(y * PER_CM) for _, y in spots]
        return min(xs) - MARGIN, min(ys) - MARGIN, max(xs) + MARGIN, max(ys) + MARGIN

    @property
    def corner(self) -> Point:
        """The top left corner, in pixels of the pack's sheet."""
        return self._box[0], self._box[1]

    @property
    def size(self) -> Point:
        """Width and height of the map."""
        left, top, right, bottom = self._box
        return right - left, bottom - top

    @cached_property
    def points(self) -> Mapping[str, Point]:
        """Where each point lies."""
        left, top = self.corner
        return {
            key: (int(p.at[0] * PER_CM) - left, int(p.at[1] * PER_CM) - top)
            for key, p in self.table.points.items()
            if len(p.at) == 2
        }

    def point_at(self, x: int, y: int) -> str | None:
        """The point nearest to a place of the map."""

        def far(key: str) -> int:
            spot = self.points[key]
            return (spot[0] - x) ** 2 + (spot[1] - y) ** 2

        return min(self.points, key=far, default=None)
