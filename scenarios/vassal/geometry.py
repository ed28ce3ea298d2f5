"""The pixel positions of hexes on a module's boards, exactly as the hex grid of the VASSAL engine has them.

The engine numbers lanes (columns of flat-top hexes, rows of pointy-top ones) from the origin of the grid.
It shifts every odd lane by half a hex. The distance between lanes is a whole number of pixels, and the height of
a hex an even one. So nothing is ever rounded, on rotated boards either.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from scenarios.model.grids import Grid, Numbering
from scenarios.model.hexes import Hex
from scenarios.model.maps import HexMap, PlacedBoard
from scenarios.model.points import PointMap

Point = tuple[int, int]
SMALL = (52, 60)
LARGE = (64, 74)
"""The distance between lanes and the height of a hex in pixels. Both pairs are close to a regular hex."""
MAX_HEXES = 900
"""Boards with more hexes than this use the small scale."""


@dataclass(frozen=True)
class Pixels:
    """The grid of one board in pixels."""

    grid: Grid
    lane: int
    height: int

    @cached_property
    def origin(self) -> Point:
        """The center of Hex(0, 0)."""
        left, top, _, _ = self._box
        return -left, -top

    @cached_property
    def size(self) -> Point:
        """Width and height of the board."""
        left, top, right, bottom = self._box
        return right - left, bottom - top

    @cached_property
    def _box(self) -> tuple[int, int, int, int]:
        """The edges of the board, relative to the center of Hex(0, 0)."""
        spots = {hex: self.centre_from_origin(hex) for hex in self.grid.hexes}
        flat = self.grid.orientation == "flat"
        half_lane, half_high = -(-2 * self.lane // 3), self.height // 2
        half_width, half_height = (half_lane, half_high) if flat else (half_high, half_lane)
        edges: list[int] = []
        for index, sign, name, half_size in (
            (0, -1, "left", half_width),
            (1, -1, "top", half_height),
            (0, 1, "right", half_width),
            (1, 1, "bottom", half_height),
        ):
            extent = max(
                sign * spot[index] + (0 if name in self.grid.cut_edges(hex) else half_size)
                for hex, spot in spots.items()
            )
            edges.append(sign * extent)
        return edges[0], edges[1], edges[2], edges[3]

    def centre_from_origin(self, hex: Hex) -> Point:
        """A hex's center, relative to the center of Hex(0, 0)."""
        if self.grid.orientation == "flat":
            return hex.q * self.lane, (2 * hex.r + hex.q) * self.height // 2
        return (2 * hex.q + hex.r) * self.height // 2, hex.r * self.lane

    def centre(self, hex: Hex) -> Point:
        """A hex's center on the unrotated board."""
        x, y = self.centre_from_origin(hex)
        return self.origin[0] + x, self.origin[1] + y

    @cached_property
    def by_centre(self) -> Mapping[Point, Hex]:
        """The hex of each center."""
        return {self.centre(hex): hex for hex in self.grid.hexes}

    def hex_at(self, x: int, y: int) -> Hex | None:
        """The hex whose center is nearest to a point of the board. None if that center is farther away than the height of a hex."""

        def distance_to(spot: Point) -> int:
            return (spot[0] - x) ** 2 + (spot[1] - y) ** 2

        if (x, y) in self.by_centre:
            return self.by_centre[x, y]
        nearest_centre = min(self.by_centre, key=distance_to)
        return self.by_centre[nearest_centre] if distance_to(nearest_centre) <= self.height**2 else None


@cache
def pixels(grid: Grid) -> Pixels:
    """The grid of a board in pixels."""
    lane, height = SMALL if grid.columns * grid.rows > MAX_HEXES else LARGE
    return Pixels(grid, lane, height)


@dataclass(frozen=True)
class BoardSheet:
    """A map of boards in pixels. Neighboring boards touch and share their half-hexes."""

    table: HexMap

    @cached_property
    def corners(self) -> Mapping[str, Point]:
        """The top left corner of each board."""
        result: dict[str, Point] = {}
        for placed_board in self.table.placed:
            grid = pixels(placed_board.board.grid)
            first = placed_board.board.grid.hexes[0]
            x, y = self._local_centre(grid, placed_board, first)
            inner = self._local(grid, placed_board, first)
            result[placed_board.board.id] = x - inner[0], y - inner[1]
        left = min(x for x, _ in result.values())
        top = min(y for _, y in result.values())
        return {board: (x - left, y - top) for board, (x, y) in result.items()}

    def _local_centre(self, grid: Pixels, placed_board: PlacedBoard, local: Hex) -> Point:
        return grid.centre_from_origin(placed_board.to_map(local))

    @staticmethod
    def _local(grid: Pixels, placed_board: PlacedBoard, local: Hex) -> Point:
        """A hex's center relative to the corner of its board, in the board's actual orientation."""
        x, y = grid.centre(local)
        return (grid.size[0] - x, grid.size[1] - y) if placed_board.turned else (x, y)

    def centre(self, hex: Hex) -> Point:
        """A hex's center on the map. On a seam all boards agree. On the right and bottom edges it is a pixel inside, as in the engine."""
        for placed_board in self.table.placed:
            local = placed_board.to_board(hex)
            if local is not None:
                corner = self.corners[placed_board.board.id]
                x, y = self._local(pixels(placed_board.board.grid), placed_board, local)
                return min(corner[0] + x, self.size[0] - 1), min(corner[1] + y, self.size[1] - 1)
        raise ValueError(f"hex {tuple(hex)} is not on the map {self.table.id}")

    def hex_at(self, x: int, y: int) -> Hex | None:
        """The hex at a point of the map."""
        for placed_board in self.table.placed:
            grid = pixels(placed_board.board.grid)
            left, top = self.corners[placed_board.board.id]
            inner = x - left, y - top
            if not (0 <= inner[0] <= grid.size[0] and 0 <= inner[1] <= grid.size[1]):
                continue
            if placed_board.turned:
                inner = grid.size[0] - inner[0], grid.size[1] - inner[1]
            local = grid.hex_at(*inner)
            if local is not None:
                return placed_board.to_map(local)
        return None

    @cached_property
    def size(self) -> Point:
        """Width and height of the map."""
        spans = [(self.corners[p.board.id], pixels(p.board.grid).size) for p in self.table.placed]
        return max(x + w for (x, _), (w, _) in spans), max(y + h for (_, y), (_, h) in spans)


def location_name(grid: Grid, prefix: str) -> str:
    """An expression of the engine that names the hex of a `column` (the lane) and a `row` (its place in the lane).

    Lanes and rows are counted from Hex(0, 0). Rows of odd lanes are counted from half a hex farther along.
    """
    numbering = grid.numbering
    flat = grid.orientation == "flat"
    lanes = grid.columns if flat else grid.rows
    lengths = {0: 0, 1: 0}
    firsts = {0: 0, 1: 0}
    for hex in grid.hexes:
        number, position = (hex.q, hex.r + hex.q // 2) if flat else (hex.r, hex.q + hex.r // 2)
        place = grid.row(hex) if flat else grid.column(hex)
        firsts[number % 2] = position - place
        if number < 2:
            lengths[number] = max(lengths[number], place + 1)
    lane_up = (numbering.columns_from == "left") if flat else (numbering.rows_from == "top")
    along_up = (numbering.rows_from == "top") if flat else (numbering.columns_from == "left")
    start_column, start_row = numbering.start
    if numbering.scheme == "letters":
        start_column = 0
    lane_start, along_start = (start_column, start_row) if flat else (start_row, start_column)
    lane = f"({lane_start}+column)" if lane_up else f"({lane_start + lanes - 1}-column)"

    def name_for(parity: int) -> str:
        if along_up:
            return f"({along_start - firsts[parity]}+row)"
        return f"({along_start + lengths[parity] - 1 + firsts[parity]}-row)"

    def by_parity(even: object, odd: object) -> str:
        return str(even) if str(even) == str(odd) else f"(column%2==0?{even}:{odd})"

    position_text = by_parity(name_for(0), name_for(1))
    column_text, row_text = (lane, position_text) if flat else (position_text, lane)
    low, upper = by_parity(firsts[0], firsts[1]), by_parity(firsts[0] + lengths[0], firsts[1] + lengths[1])
    inside = f"column>=0&&column<{lanes}&&row>={low}&&row<{upper}"
    highest = max(numbering.start[0] + grid.columns, numbering.start[1] + grid.rows)
    name_expression = _number_expression(numbering, highest, column_text, row_text, prefix)
    return f'{{({inside})?{name_expression}:"edge"}}'


def _number_expression(numbering: Numbering, highest: int, column_text: str, row_text: str, prefix: str) -> str:
    scheme, first, digits = numbering.scheme, numbering.first, numbering.digits
    prefix_text = f'"{prefix}"+'
    if scheme == "letters":
        alphabet = '"ABCDEFGHIJKLMNOPQRSTUVWXYZ"'
        letter = f"{alphabet}.substring({column_text}%26,{column_text}%26+1)"
        further_letters = "".join(f'+({column_text}>{last}?{letter}:"")' for last in range(25, max(26, highest), 26))
        return f'{prefix_text}{letter}{further_letters}+"-"+{row_text}'

    def pad(number: str) -> str:
        zeros = 10**digits
        short = f"String.valueOf({zeros}+{number}).substring(1)"
        return short if highest < zeros else f"({number}<{zeros}?{short}:String.valueOf({number}))"

    unpadded_part = first if scheme == "x.y" else ""
    column = f"String.valueOf({column_text})" if unpadded_part == "column" else pad(column_text)
    row = f"String.valueOf({row_text})" if unpadded_part == "row" else pad(row_text)
    first_part, two = (column, row) if first == "column" else (row, column)
    return f'{prefix_text}{first_part}+"{"." if scheme == "x.y" else ""}"+{two}'


PER_CM = 26
"""Pixels for each centimeter of a point map's sheet. At this scale a counter covers a point."""
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
        """The position of each point."""
        left, top = self.corner
        return {
            key: (int(p.at[0] * PER_CM) - left, int(p.at[1] * PER_CM) - top)
            for key, p in self.table.points.items()
            if len(p.at) == 2
        }

    def point_at(self, x: int, y: int) -> str | None:
        """The point nearest to a position on the map."""

        def distance_to(key: str) -> int:
            spot = self.points[key]
            return (spot[0] - x) ** 2 + (spot[1] - y) ** 2

        return min(self.points, key=distance_to, default=None)
