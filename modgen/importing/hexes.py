"""A module's hex grid as a grid of ours: which hexes it has, and a numbering that gives each the name that the engine gives it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Literal, NamedTuple, cast

from modgen.importing.definitions import CannotImport
from modgen.vmod.expressions import BadExpression, parse, value
from modgen.vmod.opened import Element, kind_of
from scenarios.grids import Grid, Numbering
from scenarios.hexes import Hex

MOST_HEXES = 40_000
Spot = tuple[float, float]
HALVES: tuple[Literal["none", "sides", "ends", "both"], ...] = ("none", "sides", "ends", "both")


class Cell(NamedTuple):
    """A hex as the engine counts it: the lane (a column of flat-top hexes) and the place in it."""

    lane: int
    along: int


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

    def spot(self, cell: Cell) -> Spot:
        """The centre of a hex on the board."""
        x = self.x0 + cell.lane * self.dx
        y = self.y0 + cell.along * self.dy + (self.dy / 2 if cell.lane % 2 else 0)
        return (y, x) if self.sideways else (x, y)

    def cell(self, x: float, y: float) -> Cell:
        """The hex whose centre is nearest to a point."""
        if self.sideways:
            x, y = y, x
        lane = round((x - self.x0) / self.dx)
        tried = [
            Cell(near, round((y - self.y0 - (self.dy / 2 if near % 2 else 0)) / self.dy))
            for near in (lane - 1, lane, lane + 1)
        ]

        def far(cell: Cell) -> float:
            across, down = (
                self.x0 + cell.lane * self.dx,
                self.y0 + cell.along * self.dy + (self.dy / 2 if cell.lane % 2 else 0),
            )
            return (across - x) ** 2 + (down - y) ** 2

        return min(tried, key=far)

    def whole(self, cell: Cell) -> bool:
        """Whether a hex lies on the board with all but a tenth of itself."""
        x, y = self.spot(cell)
        across, down = (0.9 * self.dy / 2, 0.6 * self.dx) if self.sideways else (0.6 * self.dx, 0.9 * self.dy / 2)
        return across <= x <= self.size[0] - across and down <= y <= self.size[1] - down

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The hexes whose centres lie on the board."""
        wide, high = (self.size[1], self.size[0]) if self.sideways else self.size
        lanes = _between(self.x0, self.dx, wide)
        if len(lanes) * len(_between(self.y0, self.dy, high)) > MOST_HEXES:
            raise CannotImport(f"a grid has more than {MOST_HEXES:,} hexes; mend its size in VASSAL's editor")
        found = tuple(
            Cell(lane, along)
            for lane in lanes
            for along in _between(self.y0 + (self.dy / 2 if lane % 2 else 0), self.dy, high)
        )
        return found

    def names(self) -> dict[Cell, str]:
        """What the engine calls each hex; nothing where it can't be worked out."""
        numbering = self.numbering
        if numbering is None:
            return {}
        form = numbering.get("locationFormat", "$gridLocation$")
        counted = {cell: self._counted(cell, numbering) for cell in self.cells}
        if not form.startswith("{"):
            return {cell: formatted(form, numbering, *counts) for cell, counts in counted.items()}
        try:
            said = parse(form.removeprefix("{").removesuffix("}"))
            return {cell: str(value(said, {"column": column, "row": row})) for cell, (column, row) in counted.items()}
        except BadExpression:
            return {}

    def _counted(self, cell: Cell, numbering: Element) -> tuple[int, int]:
        """Column and row as the engine's numbering counts them, before its offsets."""
        column, row = cell
        across, down = numbering.get("hDescend") == "true", numbering.get("vDescend") == "true"
        lanes_down, along_down = (down, across) if self.sideways else (across, down)
        most_rows, most_columns = int(self.size[1] / self.dx + 0.5), int(self.size[0] / self.dy + 0.5)
        if lanes_down:
            column = (most_rows if self.sideways else most_columns) - column
        if along_down:
            row = (most_columns if self.sideways else most_rows) - row
        if numbering.get("stagger", "true") == "true" and cell.lane % 2:
            row += -1 if along_down else 1
        return column, row


def _between(first: float, step: float, last: float) -> list[int]:
    low = -int(first // step)
    return [n for n in range(low - 1, low + int(last / step) + 3) if -0.01 <= first + n * step <= last + 0.01]


def formatted(form: str, numbering: Element, column: int, row: int) -> str:
    """The name of a cell as the engine's numbering writes it."""
    across = _word(column + _whole(numbering, "hOff"), numbering.get("hType", "N"), _whole(numbering, "hLeading"))
    down = _word(row + _whole(numbering, "vOff"), numbering.get("vType", "N"), _whole(numbering, "vLeading"))
    sep = numbering.get("sep", "")
    whole = f"{across}{sep}{down}" if numbering.get("first", "H").startswith("H") else f"{down}{sep}{across}"
    return form.replace("$gridLocation$", whole).replace("$column$", across).replace("$row$", down)


def _whole(numbering: Element, key: str) -> int:
    text = numbering.get(key, "1")
    return int(text) if re.fullmatch(r"-?\d{1,5}", text) else 0


def _word(number: int, kind: str, leading: int) -> str:
    sign, number = ("-", -number) if number < 0 else ("", number)
    if kind.startswith("A"):
        return sign + chr(ord("A") + number % 26) * (number // 26 + 1)
    return sign + f"{number:0{min(max(leading, 0), 9) + 1}}"


def read_grid(part: Element, size: tuple[int, int]) -> HexGrid | None:
    """The grid of a board of so many pixels; None where its sizes are none."""
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


class Fitted(NamedTuple):
    """A grid of ours for a grid of the engine's."""

    grid: Grid
    first: Cell
    """The engine's hex that is our Hex(0, 0)."""
    prefix: str
    """What stands before every name in the module."""
    named: bool
    """Whether our names are the module's."""

    def cell(self, hex: Hex) -> Cell:
        """The engine's hex of one of ours."""
        return _cell(self.grid, self.first, hex)

    def by_cell(self) -> Mapping[Cell, Hex]:
        """Our hex for each of the engine's."""
        return {self.cell(hex): hex for hex in self.grid.hexes}


def _cell(grid: Grid, first: Cell, hex: Hex) -> Cell:
    lane, half = (hex.q, 2 * hex.r + hex.q) if grid.orientation == "flat" else (hex.r, 2 * hex.q + hex.r)
    start = 2 * first.along + first.lane % 2
    number = first.lane + lane
    return Cell(number, (start + half - number % 2) // 2)


def fit(held: HexGrid) -> Fitted | None:
    """The grid of ours that has the same hexes, and their names where a numbering of ours can say them."""
    names = held.names()
    often = Counter(names.values())
    # What several hexes are called is no hex's name: the engine says so of what lies beyond the edge.
    names = {cell: name for cell, name in names.items() if often[name] == 1}
    cells = set(names) if len(names) > 1 else set(held.cells)
    # Whether hexes that an edge cuts belong to the board shows in whether they can be numbered with the others.
    whole = {cell for cell in cells if held.whole(cell)}
    rows = [cell.along for cell in whole]
    chosen = [cells]
    if rows:
        chosen += [{c for c in cells if c.along >= min(rows)}, {c for c in cells if c.along <= max(rows)}, whole]
    found = [fitted for some in chosen if (fitted := _fit(held, some, names)) is not None]
    return next((fitted for fitted in found if fitted.named), found[0] if found else None)


def _fit(held: HexGrid, cells: set[Cell], names: Mapping[Cell, str]) -> Fitted | None:
    shape = _shape(held, cells) if cells else None
    if shape is None:
        return None
    bare, first = shape
    wanted = {hex: names[cell] for hex in bare.hexes if (cell := _cell(bare, first, hex)) in names}
    prefix = _prefix(list(wanted.values()))
    for numbering in _numberings(bare, [name[len(prefix) :] for name in wanted.values()]) if len(wanted) > 1 else ():
        try:
            grid = Grid(bare.orientation, bare.columns, bare.rows, bare.pushed, bare.halves, numbering=numbering)
        except ValueError:
            continue
        if all(prefix + grid.name(hex) == name for hex, name in wanted.items()):
            return Fitted(grid, first, prefix, True)
    return Fitted(bare, first, "", False)


def _shape(held: HexGrid, cells: set[Cell]) -> tuple[Grid, Cell] | None:
    """The grid whose hexes are nearest to the engine's: those missing count more than those too many."""
    lanes = sorted({cell.lane for cell in cells})
    orientation: Literal["flat", "pointy"] = "pointy" if held.sideways else "flat"
    best: tuple[int, Grid, Cell] | None = None
    for halves, shorter, even in product(HALVES, (0, 1), (0, 1)):
        # A lane that isn't pushed tells how long lanes are: the first one, or the one beside it.
        lane = lanes[0] + even
        along = sorted(cell.along for cell in cells if cell.lane == lane)
        if not along:
            continue
        pushed: Literal["odd", "even"] = "even" if even == 0 else "odd"
        count = len(along) - shorter
        columns, rows = (len(lanes), count) if orientation == "flat" else (count, len(lanes))
        if count < 1:
            continue
        try:
            digits = max(2, len(str(max(columns, rows) + 1)))
            grid = Grid(orientation, columns, rows, pushed, halves, numbering=Numbering("xxyy", digits=digits))
        except ValueError:
            continue
        for start in (along[0], along[0] + 1, along[0] - 1):
            first = Cell(lanes[0], start)
            ours = {_cell(grid, first, hex) for hex in grid.hexes}
            score = 3 * len(cells - ours) + len(ours - cells)
            if best is None or score < best[0]:
                best = score, grid, first
    return (best[1], best[2]) if best is not None else None


def _prefix(names: Sequence[str]) -> str:
    """What all names begin with, without figures: the letter of a board."""
    if not names:
        return ""
    first, last = min(names), max(names)
    same = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last)))
    found = re.match(r"^(?:[A-Za-z]+[- .:]|[^\d]*[- .:])", first[:same])
    return found[0] if found else ""


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
