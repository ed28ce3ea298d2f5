"""A module's hex grid as a grid of Mitla: its hexes, and a numbering that gives them the engine's names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Literal, NamedTuple, cast

from modgen.importing.definitions import CannotImport
from modgen.vmod.check.java_expressions import BadExpression, parse, value
from modgen.vmod.files.loaded_module import Element, kind_of
from scenarios.model.grids import Grid, Numbering
from scenarios.model.hexes import Hex

MOST_HEXES = 40_000
Spot = tuple[float, float]
HALVES: tuple[Literal["none", "sides", "ends", "both"], ...] = ("none", "sides", "ends", "both")


class GridCell(NamedTuple):
    """A hex in the engine's count: the lane (a column of flat-top hexes) and its position there."""

    lane: int
    offset: int


@dataclass(frozen=True)
class HexGrid:
    """The engine's grid of hexes on a board."""

    sideways: bool
    x0: float
    y0: float
    dx: float
    dy: float
    numbering: Element | None
    size: tuple[int, int]

    def spot(self, cell: GridCell) -> Spot:
        """The center of a hex on the board."""
        x = self.x0 + cell.lane * self.dx
        y = self.y0 + cell.offset * self.dy + (self.dy / 2 if cell.lane % 2 else 0)
        return (y, x) if self.sideways else (x, y)

    def cell(self, x: float, y: float) -> GridCell:
        """The hex whose center is nearest to a point."""
        if self.sideways:
            x, y = y, x
        lane = round((x - self.x0) / self.dx)
        candidates = [
            GridCell(nearby_lane, round((y - self.y0 - (self.dy / 2 if nearby_lane % 2 else 0)) / self.dy))
            for nearby_lane in (lane - 1, lane, lane + 1)
        ]

        def distance_to(cell: GridCell) -> float:
            centre_x, centre_y = (
                self.x0 + cell.lane * self.dx,
                self.y0 + cell.offset * self.dy + (self.dy / 2 if cell.lane % 2 else 0),
            )
            return (centre_x - x) ** 2 + (centre_y - y) ** 2

        return min(candidates, key=distance_to)

    def is_whole(self, cell: GridCell) -> bool:
        """Whether at least nine tenths of a hex are on the board."""
        x, y = self.spot(cell)
        margin_x, margin_y = (0.9 * self.dy / 2, 0.6 * self.dx) if self.sideways else (0.6 * self.dx, 0.9 * self.dy / 2)
        return margin_x <= x <= self.size[0] - margin_x and margin_y <= y <= self.size[1] - margin_y

    @cached_property
    def cells(self) -> tuple[GridCell, ...]:
        """The hexes whose centers are on the board."""
        width, height = (self.size[1], self.size[0]) if self.sideways else self.size
        lanes = _steps_between(self.x0, self.dx, width)
        if len(lanes) * len(_steps_between(self.y0, self.dy, height)) > MOST_HEXES:
            raise CannotImport(f"a grid has more than {MOST_HEXES:,} hexes; mend its size in VASSAL's editor")
        all_cells = tuple(
            GridCell(lane, position)
            for lane in lanes
            for position in _steps_between(self.y0 + (self.dy / 2 if lane % 2 else 0), self.dy, height)
        )
        return all_cells

    def names(self) -> dict[GridCell, str]:
        """The engine's name of each hex; empty if it can't be computed."""
        numbering = self.numbering
        if numbering is None:
            return {}
        form = numbering.get("locationFormat", "$gridLocation$")
        counts_by_cell = {cell: self._engine_numbers(cell, numbering) for cell in self.cells}
        if not form.startswith("{"):
            return {cell: format_name(form, numbering, *counts) for cell, counts in counts_by_cell.items()}
        try:
            expression = parse(form.removeprefix("{").removesuffix("}"))
            return {
                cell: str(value(expression, {"column": column, "row": row}))
                for cell, (column, row) in counts_by_cell.items()
            }
        except BadExpression:
            return {}

    def _engine_numbers(self, cell: GridCell, numbering: Element) -> tuple[int, int]:
        """Column and row in the engine's numbering, before its offsets."""
        column, row = cell
        columns_descend, rows_descend = numbering.get("hDescend") == "true", numbering.get("vDescend") == "true"
        lanes_down, along_down = (rows_descend, columns_descend) if self.sideways else (columns_descend, rows_descend)
        most_rows, most_columns = int(self.size[1] / self.dx + 0.5), int(self.size[0] / self.dy + 0.5)
        if lanes_down:
            column = (most_rows if self.sideways else most_columns) - column
        if along_down:
            row = (most_columns if self.sideways else most_rows) - row
        if numbering.get("stagger", "true") == "true" and cell.lane % 2:
            row += -1 if along_down else 1
        return column, row


def _steps_between(first: float, step: float, last: float) -> list[int]:
    low = -int(first // step)
    return [n for n in range(low - 1, low + int(last / step) + 3) if -0.01 <= first + n * step <= last + 0.01]


def format_name(form: str, numbering: Element, column: int, row: int) -> str:
    """The name of a cell in the engine's numbering."""
    column_text = _word(
        column + _integer(numbering, "hOff"), numbering.get("hType", "N"), _integer(numbering, "hLeading")
    )
    row_text = _word(row + _integer(numbering, "vOff"), numbering.get("vType", "N"), _integer(numbering, "vLeading"))
    sep = numbering.get("sep", "")
    location = (
        f"{column_text}{sep}{row_text}"
        if numbering.get("first", "H").startswith("H")
        else f"{row_text}{sep}{column_text}"
    )
    return form.replace("$gridLocation$", location).replace("$column$", column_text).replace("$row$", row_text)


def _integer(numbering: Element, key: str) -> int:
    text = numbering.get(key, "1")
    return int(text) if re.fullmatch(r"-?\d{1,5}", text) else 0


def _word(number: int, kind: str, leading: int) -> str:
    sign, number = ("-", -number) if number < 0 else ("", number)
    if kind.startswith("A"):
        return sign + chr(ord("A") + number % 26) * (number // 26 + 1)
    return sign + f"{number:0{min(max(leading, 0), 9) + 1}}"


def read_grid(part: Element, size: tuple[int, int]) -> HexGrid | None:
    """The grid of a board of this size in pixels; None if the grid's sizes are invalid."""
    try:
        x0, y0, dx, dy = (
            float(part.get(key, default))
            for key, default in (("x0", "0"), ("y0", "32"), ("dx", "55.8"), ("dy", "64.5"))
        )
    except ValueError:
        return None
    if not (2 <= dx <= 10_000 and 2 <= dy <= 10_000 and abs(x0) < 100_000 and abs(y0) < 100_000):
        return None
    numbering = next((inner for inner in part if kind_of(inner) == "HexGridNumbering"), None)
    return HexGrid(part.get("sideways") == "true", x0, y0, dx, dy, numbering, size)


class FittedGrid(NamedTuple):
    """A grid of Mitla that matches a grid of the engine."""

    grid: Grid
    first: GridCell
    """The engine's hex at Hex(0, 0) of Mitla's grid."""
    prefix: str
    """The beginning of every name in the module."""
    has_names: bool
    """Whether Mitla's names are the module's."""

    def cell(self, hex: Hex) -> GridCell:
        """The engine's hex for a hex of Mitla's grid."""
        return _cell(self.grid, self.first, hex)

    def by_cell(self) -> Mapping[GridCell, Hex]:
        """Mitla's hex for each hex of the engine."""
        return {self.cell(hex): hex for hex in self.grid.hexes}


def _cell(grid: Grid, first: GridCell, hex: Hex) -> GridCell:
    lane, half_row = (hex.q, 2 * hex.r + hex.q) if grid.orientation == "flat" else (hex.r, 2 * hex.q + hex.r)
    start = 2 * first.offset + first.lane % 2
    number = first.lane + lane
    return GridCell(number, (start + half_row - number % 2) // 2)


def fit(hex_grid: HexGrid) -> FittedGrid | None:
    """The grid of Mitla with the same hexes, and with their names if a numbering of Mitla can express them."""
    names = hex_grid.names()
    name_counts = Counter(names.values())
    # A name of several hexes is no hex's name. The engine gives such names to hexes beyond the edge.
    names = {cell: name for cell, name in names.items() if name_counts[name] == 1}
    cells = set(names) if len(names) > 1 else set(hex_grid.cells)
    # Hexes cut by an edge belong to the board if the numbering covers them with the others.
    whole_cells = {cell for cell in cells if hex_grid.is_whole(cell)}
    rows = [cell.offset for cell in whole_cells]
    cell_sets = [cells]
    if rows:
        cell_sets += [
            {c for c in cells if c.offset >= min(rows)},
            {c for c in cells if c.offset <= max(rows)},
            whole_cells,
        ]
    fits = [fitted_grid for cell_set in cell_sets if (fitted_grid := _fit(hex_grid, cell_set, names)) is not None]
    return next((fitted_grid for fitted_grid in fits if fitted_grid.has_names), fits[0] if fits else None)


def _fit(hex_grid: HexGrid, cells: set[GridCell], names: Mapping[GridCell, str]) -> FittedGrid | None:
    shape = _shape(hex_grid, cells) if cells else None
    if shape is None:
        return None
    plain_grid, first = shape
    name_of_hex = {hex: names[cell] for hex in plain_grid.hexes if (cell := _cell(plain_grid, first, hex)) in names}
    prefix = _prefix(list(name_of_hex.values()))
    for numbering in (
        _numberings(plain_grid, [name[len(prefix) :] for name in name_of_hex.values()]) if len(name_of_hex) > 1 else ()
    ):
        try:
            grid = Grid(
                plain_grid.orientation,
                plain_grid.columns,
                plain_grid.rows,
                plain_grid.pushed,
                plain_grid.halves,
                numbering=numbering,
            )
        except ValueError:
            continue
        if all(prefix + grid.name(hex) == name for hex, name in name_of_hex.items()):
            return FittedGrid(grid, first, prefix, True)
    return FittedGrid(plain_grid, first, "", False)


def _shape(hex_grid: HexGrid, cells: set[GridCell]) -> tuple[Grid, GridCell] | None:
    """The grid whose hexes are nearest to the engine's. A missing hex counts more than an extra one."""
    lanes = sorted({cell.lane for cell in cells})
    orientation: Literal["flat", "pointy"] = "pointy" if hex_grid.sideways else "flat"
    best: tuple[int, Grid, GridCell] | None = None
    for halves, shorter, parity in product(HALVES, (0, 1), (0, 1)):
        # A lane that isn't shifted gives the length of lanes: the first one, or its neighbor.
        lane = lanes[0] + parity
        positions = sorted(cell.offset for cell in cells if cell.lane == lane)
        if not positions:
            continue
        pushed_lanes: Literal["odd", "even"] = "even" if parity == 0 else "odd"
        count = len(positions) - shorter
        columns, rows = (len(lanes), count) if orientation == "flat" else (count, len(lanes))
        if count < 1:
            continue
        try:
            digits = max(2, len(str(max(columns, rows) + 1)))
            grid = Grid(orientation, columns, rows, pushed_lanes, halves, numbering=Numbering("xxyy", digits=digits))
        except ValueError:
            continue
        for start in (positions[0], positions[0] + 1, positions[0] - 1):
            first = GridCell(lanes[0], start)
            grid_cells = {_cell(grid, first, hex) for hex in grid.hexes}
            score = 3 * len(cells - grid_cells) + len(grid_cells - cells)
            if best is None or score < best[0]:
                best = score, grid, first
    return (best[1], best[2]) if best is not None else None


def _prefix(names: Sequence[str]) -> str:
    """The common beginning of all names, without digits: the letter of a board."""
    if not names:
        return ""
    first, last = min(names), max(names)
    shared_length = next(
        (i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last))
    )
    match = re.match(r"^(?:[A-Za-z]+[- .:]|[^\d]*[- .:])", first[:shared_length])
    return match[0] if match else ""


def _numberings(grid: Grid, names: Sequence[str]) -> Iterator[Numbering]:
    """Numberings that may give such names."""
    numbers = [[int(n) for n in re.findall(r"\d+", name)] for name in names]
    schemes: list[tuple[Literal["letters", "xxyy", "x.y"], int]] = []
    if all(re.fullmatch(r"[A-Z]+-\d+", name) for name in names):
        schemes = [("letters", 2)]
    elif all(re.fullmatch(r"\d+", name) for name in names):
        schemes = [("xxyy", len(names[0]) // 2)]
    elif all(re.fullmatch(r"\d+\.\d+", name) for name in names):
        schemes = [("x.y", digits) for digits in sorted({len(name.partition(".")[2]) for name in names})]
    for scheme, digits in schemes:
        if scheme == "letters":
            firsts, starts = [1], sorted({min(row for (row,) in numbers)})
        elif scheme == "xxyy":
            firsts, starts = (
                [min(int(name[part]) for name in names)] for part in (slice(0, digits), slice(digits, None))
            )
        else:
            firsts, starts = ([min(pair[i] for pair in numbers)] for i in (0, 1))
        for first, columns_from, rows_from in product(("column", "row"), ("left", "right"), ("top", "bottom")):
            start = (firsts[0], starts[0]) if first == "column" else (starts[0], firsts[0])
            yield Numbering(
                scheme,
                cast(Literal["column", "row"], first),
                cast(Literal["left", "right"], columns_from),
                cast(Literal["top", "bottom"], rows_from),
                start,
                digits,
            )
