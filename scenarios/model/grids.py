"""A grid of hexes on one board, and the names of its hexes, hexsides and corners."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from scenarios.model.hexes import (
    Hex,
    Hexside,
    Orientation,
    direction,
    direction_name,
    direction_number,
    distance,
    hexside,
    neighbour,
    neighbours,
)

Edge = Literal["left", "right", "top", "bottom"]

_AS_LETTERS = str.maketrans("0158", "OISB")
_AS_DIGITS = str.maketrans("OILSB", "01158")


class UnknownHex(ValueError):
    """Raised for a text that names no hex (or no column) of the grid. It has the nearest valid names."""

    def __init__(self, message: str, suggestions: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.suggestions = suggestions


@dataclass(frozen=True)
class Numbering:
    """How hexes are numbered.

    `letters` prints A-1 ... Z-1, AA-1, BB-1 ...: the column is a letter and always comes first. `xxyy` pads
    both numbers to `digits`. `x.y` pads only the second number. `first` says which number is printed first.
    `start` gives the lowest column number (ignored for letters) and the lowest row number.
    """

    scheme: Literal["letters", "xxyy", "x.y"]
    first: Literal["column", "row"] = "column"
    columns_from: Literal["left", "right"] = "left"
    rows_from: Literal["top", "bottom"] = "top"
    start: tuple[int, int] = (1, 1)
    digits: int = 2

    @property
    def _row_first(self) -> bool:
        return self.first == "row" and self.scheme != "letters"

    def parts(self, column: int, row: int) -> tuple[str, str]:
        """The column and the row as printed."""
        if self.scheme == "letters":
            return chr(ord("A") + (column - 1) % 26) * ((column - 1) // 26 + 1), str(row)
        unpadded_part = self.first if self.scheme == "x.y" else None
        return (
            str(column) if unpadded_part == "column" else f"{column:0{self.digits}}",
            str(row) if unpadded_part == "row" else f"{row:0{self.digits}}",
        )

    def name(self, column: str, row: str) -> str:
        """The name of the hex with this printed column and row."""
        first, two = (row, column) if self._row_first else (column, row)
        return first + {"letters": "-", "xxyy": "", "x.y": "."}[self.scheme] + two

    def tidy(self, text: str) -> str:
        """Normalize a text to the printed form, where the numbering allows several forms."""
        text = text.strip()
        if self.scheme == "letters" and (match := re.fullmatch(r"([A-Za-z]+)-?([0-9]+)", text)):
            return f"{match[1].upper()}-{match[2]}"
        return text

    def readings(self, text: str) -> list[tuple[int, int]]:
        """Columns and rows that a wrongly written text may mean, the likeliest first."""
        text = text.strip().upper()
        if split := re.fullmatch(r"(\w{1,6})\W+(\w{1,6})", text):
            pairs = [(split[1], split[2])]
        else:
            longest = self.digits if self.scheme == "xxyy" else 6
            cuts = sorted(range(1, min(len(text), 13)), key=lambda cut: abs(len(text) - cut - self.digits))
            pairs = [(text[:cut], text[cut:]) for cut in cuts if max(cut, len(text) - cut) <= longest]
        numbers = []
        for first, two in pairs:
            seconds = [two, two.ljust(self.digits, "0")] if self.scheme == "x.y" else [two]
            for second in seconds:
                column_text, row_text = (second, first) if self._row_first else (first, second)
                column, row = self.column_number(column_text), _number(row_text)
                if column is not None and row is not None:
                    numbers.append((column, row))
        return numbers

    def column_number(self, text: str) -> int | None:
        """The number of the column that a text may mean, even if it is written wrongly."""
        if self.scheme != "letters":
            return _number(text)
        letters = text.translate(_AS_LETTERS)
        if re.fullmatch(r"([A-Z])\1{0,5}", letters):
            return ord(letters[0]) - ord("A") + 1 + 26 * (len(letters) - 1)
        return None


@dataclass(frozen=True)
class Grid:
    """Columns and rows of hexes on one board.

    The columns of a flat-top grid are straight. Every second column is shifted half a hex down: the odd or the even
    ones, counted from 1 at the left. With halves at the "sides", a shifted column has one hex more than the others.
    Its first and last hexes are half-hexes at the top and bottom. With halves at the "ends", the first and the last
    column are cut down the middle.

    On a pointy-top grid columns and rows change roles. Shifted rows, counted from the top, lie half a hex to the right.
    "sides" are the left and right edges. "ends" are the first and the last row.

    The first hex of the first column (flat) or row (pointy) is Hex(0, 0).
    """

    orientation: Orientation
    columns: int
    rows: int
    pushed: Literal["odd", "even"]
    halves: Literal["none", "sides", "ends", "both"] = "none"
    numbering: Numbering = field(kw_only=True)

    def __post_init__(self) -> None:
        if self.columns < 1 or self.rows < 1:
            raise ValueError(f"a grid of {self.columns} columns and {self.rows} rows has no hexes")
        if self.halves in ("ends", "both") and self._lanes == 1:
            raise ValueError("a single column or row cannot be cut in half at both ends")
        if min(self.numbering.start) < 0:
            raise ValueError(f"numbers cannot start at {min(self.numbering.start)}; the lowest start is 0")
        highest = max(map(max, self._numbers.values()))
        if self.numbering.scheme == "xxyy" and len(str(highest)) > self.numbering.digits:
            raise ValueError(f"the number {highest} needs more than {self.numbering.digits} digits")

    def __contains__(self, hex: object) -> bool:
        return hex in self._places

    @cached_property
    def hexes(self) -> tuple[Hex, ...]:
        """All hexes, row by row from the top, each row from the left."""
        return tuple(self._places)

    def column(self, hex: Hex) -> int:
        """The number of columns to the left of the hex (pointy-top: the number of hexes to its left in its row)."""
        return self._place(hex)[0]

    def row(self, hex: Hex) -> int:
        """The number of rows above the hex (flat-top: the number of hexes above it in its column)."""
        return self._place(hex)[1]

    def name(self, hex: Hex) -> str:
        self._place(hex)
        return self._names[hex]

    def column_name(self, hex: Hex) -> str:
        self._place(hex)
        return self._parts[hex][0]

    def row_name(self, hex: Hex) -> str:
        self._place(hex)
        return self._parts[hex][1]

    def hex(self, text: str) -> Hex:
        """The hex with this name."""
        named_hex = self._hexes_by_name.get(self.numbering.tidy(text))
        if named_hex is None:
            by_number = sorted(self.hexes, key=lambda hex: self._numbers[hex])
            raise _unknown("hex", text, self._suggestions(text), [self._names[hex] for hex in by_number])
        return named_hex

    def in_column(self, name: str) -> tuple[Hex, ...]:
        """The hexes of the column with this name, from the top down."""
        column_name = name.strip().upper()
        column_hexes = tuple(hex for hex, (column, _) in self._parts.items() if column == column_name)
        if not column_hexes:
            column_of_number = dict(sorted((self._numbers[hex][0], column) for hex, (column, _) in self._parts.items()))
            number = self.numbering.column_number(column_name)
            if number in column_of_number:
                suggestions = [column_of_number[number]]
            else:
                nearest_columns = (
                    []
                    if number is None
                    else [column_of_number[max(min(column_of_number), min(number, max(column_of_number)))]]
                )
                suggestions = nearest_columns + _similar_names(name, column_of_number.values())
            raise _unknown("column", name, suggestions, column_of_number.values())
        return column_hexes

    def rotate_hex(self, hex: Hex) -> Hex:
        """The position of the hex after the board is rotated by 180 degrees about its center."""
        self._place(hex)
        if self._pivot is None:
            raise ValueError("this grid does not cover itself when it is turned by 180 degrees")
        return self._pivot.minus(hex)

    def edge(self, which: Edge) -> tuple[Hex, ...]:
        """The hexes on one edge, from the left or the top: a column or row, or the outermost hex of each."""
        position_on_edge = self.column if which in ("top", "bottom") else self.row
        return tuple(sorted((hex for hex in self.hexes if which in self._edges(hex)), key=position_on_edge))

    def cut_edges(self, hex: Hex) -> frozenset[Edge]:
        """The edges of the board that cut the hex in half."""
        ends: tuple[Edge, ...] = ("left", "right") if self.orientation == "flat" else ("top", "bottom")
        cut_sides = self._sides_cut and self._is_pushed(self._lane(hex))
        cut_ends = self.halves in ("ends", "both")
        return frozenset(edge for edge in self._edges(hex) if (cut_ends if edge in ends else cut_sides))

    def side_name(self, side: Hexside) -> str:
        """The name of a hexside: the two hexes, C-3/D-3, or at the edge of the board one hex and a direction, C-3:n."""
        if side.a in self and side.b in self:
            return f"{self.name(side.a)}/{self.name(side.b)}"
        inner_hex, outer_hex = (side.a, side.b) if side.a in self else (side.b, side.a)
        return f"{self.name(inner_hex)}:{direction_name(self.orientation, direction(inner_hex, outer_hex))}"

    def side(self, text: str) -> Hexside:
        """The hexside with this name: its two hexes in either order, or one of them and a direction."""
        first_name, mark, two = text.partition("/" if "/" in text else ":")
        if not mark:
            example = self._names[self.hexes[0]]
            compass = direction_name(self.orientation, 0)
            raise ValueError(
                f"{text!r} is not a hexside; write two hexes with / between them, or a hex and a direction "
                f"such as {example}:{compass}"
            )
        first_hex = self.hex(first_name)
        if mark == ":":
            return hexside(first_hex, neighbour(first_hex, direction_number(self.orientation, two.strip())))
        second_hex = self.hex(two)
        if distance(first_hex, second_hex) != 1:
            name, second_hex_name = self.name(first_hex), self.name(second_hex)
            neighbour_names = _list_names([self._names[hex] for hex in neighbours(first_hex) if hex in self], "and")
            raise ValueError(
                f"{name} and {second_hex_name} share no hexside; {name} touches {neighbour_names or 'no hex'}"
            )
        return hexside(first_hex, second_hex)

    # A lane is straight: a column of a flat-top grid, a row of a pointy-top one.

    @property
    def _lanes(self) -> int:
        return self.columns if self.orientation == "flat" else self.rows

    @property
    def _sides_cut(self) -> bool:
        return self.halves in ("sides", "both")

    def _is_pushed(self, lane: int) -> bool:
        return lane % 2 == (0 if self.pushed == "odd" else 1)

    @cached_property
    def _lengths(self) -> tuple[int, ...]:
        """The number of hexes in each lane."""
        length = self.rows if self.orientation == "flat" else self.columns
        return tuple(length + (self._sides_cut and self._is_pushed(lane)) for lane in range(self._lanes))

    def _lane(self, hex: Hex) -> int:
        return self._place(hex)[0 if self.orientation == "flat" else 1]

    def _place(self, hex: Hex) -> tuple[int, int]:
        if hex not in self._places:
            raise ValueError(f"hex {tuple(hex)} is not on this board")
        return self._places[hex]

    def _size(self, column: int, row: int) -> tuple[int, int]:
        """The number of columns and rows at this place."""
        if self.orientation == "flat":
            return self.columns, self._lengths[column]
        return self._lengths[row], self.rows

    def _edges(self, hex: Hex) -> list[Edge]:
        column, row = self._place(hex)
        columns, rows = self._size(column, row)
        lies: dict[Edge, bool] = {
            "left": column == 0,
            "right": column == columns - 1,
            "top": row == 0,
            "bottom": row == rows - 1,
        }
        return [edge for edge, lies_there in lies.items() if lies_there]

    @cached_property
    def _places(self) -> dict[Hex, tuple[int, int]]:
        """Column and row of each hex, from 0 at the left and top, in reading order."""
        # Lanes 1, 3, 5 ... lie half a hex farther along than lane 0, or half a hex back.
        lag = 1 if (self.pushed == "even") != self._sides_cut else -1
        places = {}
        for lane, length in enumerate(self._lengths):
            shift = (lag * (lane % 2) - lane) // 2
            for k in range(length):
                if self.orientation == "flat":
                    places[Hex(lane, k + shift)] = lane, k
                else:
                    places[Hex(k + shift, lane)] = k, lane
        return dict(sorted(places.items(), key=lambda item: (item[1][1], item[1][0])))

    @cached_property
    def _pivot(self) -> Hex | None:
        """The sum of each hex and its rotated hex, if the grid is symmetric."""
        # Hex(0, 0) is the first of the first lane, so it changes places with the last of the last lane.
        pivot = max(self._places, key=lambda hex: (self._lane(hex), self._place(hex)))
        return pivot if all(pivot.minus(hex) in self for hex in self._places) else None

    @cached_property
    def _numbers(self) -> dict[Hex, tuple[int, int]]:
        """The column number and row number of each hex."""
        numbering = self.numbering
        first_column, first_row = numbering.start
        if numbering.scheme == "letters":
            first_column = 1
        numbers = {}
        for hex, (column, row) in self._places.items():
            columns, rows = self._size(column, row)
            column_offset = column if numbering.columns_from == "left" else columns - 1 - column
            row_offset = row if numbering.rows_from == "top" else rows - 1 - row
            numbers[hex] = first_column + column_offset, first_row + row_offset
        return numbers

    @cached_property
    def _parts(self) -> dict[Hex, tuple[str, str]]:
        return {hex: self.numbering.parts(column, row) for hex, (column, row) in self._numbers.items()}

    @cached_property
    def _names(self) -> dict[Hex, str]:
        return {hex: self.numbering.name(column, row) for hex, (column, row) in self._parts.items()}

    @cached_property
    def _hexes_by_name(self) -> dict[str, Hex]:
        return {name: hex for hex, name in self._names.items()}

    def _suggestions(self, text: str) -> list[str]:
        """The hexes that a wrong text may mean. If none of them exists, the nearest hex of the board."""
        name_at_numbers = dict(sorted((numbers, self._names[hex]) for hex, numbers in self._numbers.items()))
        readings = self.numbering.readings(text)
        if right := [name_at_numbers[reading] for reading in readings if reading in name_at_numbers]:
            return right
        lane = 0 if self.orientation == "flat" else 1

        def distance_to(numbers: tuple[int, int], reading: tuple[int, int]) -> tuple[int, int]:
            gaps = abs(numbers[0] - reading[0]), abs(numbers[1] - reading[1])
            return sum(gaps), gaps[lane]

        nearest = [
            name_at_numbers[min(name_at_numbers, key=lambda numbers: distance_to(numbers, reading))]
            for reading in readings
        ]
        return nearest + _similar_names(text, name_at_numbers.values())


def _number(text: str) -> int | None:
    digits = text.translate(_AS_DIGITS)
    return int(digits) if re.fullmatch(r"[0-9]{1,6}", digits) else None


def _unknown(kind: str, text: str, suggestions: Iterable[str], known_names: Iterable[str]) -> UnknownHex:
    first_suggestions = tuple(dict.fromkeys(suggestions))[:3]
    name_list = list(known_names)
    hint = (
        f"did you mean {_list_names(first_suggestions, 'or')}?"
        if first_suggestions
        else f"they run from {name_list[0]} to {name_list[-1]}"
    )
    return UnknownHex(f"there is no {kind} {text!r} on this board; {hint}", first_suggestions)


def _list_names(names: Sequence[str], word: str) -> str:
    return f" {word} ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)


def _similar_names(text: str, names: Iterable[str]) -> list[str]:
    """The names with the fewest edits (two at most) from the text. Names with the same beginning come first."""
    text = text.strip().upper()
    edits = {name: _edits(text, name) for name in names if abs(len(text) - len(name)) <= 2}
    min_edits = min(edits.values(), default=3)
    similar_names = [name for name, count in edits.items() if count == min_edits <= 2 and set(text) & set(name)]
    return sorted(similar_names, key=lambda name: -_same_start(text, name))


def _same_start(a: str, b: str) -> int:
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _edits(a: str, b: str) -> int:
    """The number of letters to insert, delete or replace that turns b into a."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        previous_row, row = row, [i]
        for j, y in enumerate(b, 1):
            row.append(min(previous_row[j] + 1, row[-1] + 1, previous_row[j - 1] + (x != y)))
    return row[-1]
