"""Tables: one model for combat results, costs and lookups.

Columns are odds, percentages, strengths or names. Rows are die results or names. A cell is a code, and the
table states the meaning of each code. All lookups are exact. A missing row gives a clear error.
"""

from __future__ import annotations

import bisect
import functools
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from scenarios.model.dice import DICE, dice
from scenarios.model.sources import Source, Sourced
from scenarios.reading.findings import suggest
from scenarios.reading.nodes import Node
from scenarios.reading.shapes import Findings, Form, Record, Schema, documented_field, record

ODDS = re.compile(r"(\d{1,9})\s*[-:]\s*(\d{1,9})")
NUMBER = re.compile(r"-?\d{1,9}")
RANGE = re.compile(r"-?\d{1,9}(?:-\d{1,9}|[+-])")
SPAN = re.compile(r"(-?\d{1,9})(?:\s*(?:-|\.\.|to)\s*(-?\d{1,9}))?\s*([+-])?")


class ColumnRange(NamedTuple):
    """The range of numbers that a label stands for. None means no limit."""

    low: Fraction | None
    maximum: Fraction | None

    def holds(self, value: Fraction) -> bool:
        return (self.low is None or self.low <= value) and (self.maximum is None or value <= self.maximum)


def parse_odds(label: str) -> Fraction:
    """Parse odds: '3-1' and '3:1' are 3, '1-4' is a quarter."""
    match = ODDS.fullmatch(label)
    if not match or int(match[1]) == 0 or int(match[2]) == 0:
        raise ValueError(f"{label!r} is no odds; write them as 3-1 or 1:2")
    return Fraction(int(match[1]), int(match[2]))


def span(label: str) -> ColumnRange:
    """Parse a range: '7' is 7 only, '3-5' is a range, '20+' is 20 and more, '2-' is 2 and less, '-1' is -1 only."""
    match = SPAN.fullmatch(label.strip().rstrip("%"))
    if not match or (match[2] and match[3]):
        raise ValueError(f"{label!r} is no number or range; write 7, 3-5, 20+ or 2-")
    low = Fraction(match[1])
    if match[3] == "+":
        return ColumnRange(low, None)
    if match[3] == "-":
        return ColumnRange(None, low)
    upper = Fraction(match[2]) if match[2] else low
    if upper < low:
        raise ValueError(f"the range {label!r} runs backwards; write the lower end first")
    return ColumnRange(low, upper)


class _CellsForm(Form):
    """A row of cells: a list, or a text with spaces (or | if cells contain spaces) between the cells."""

    empty: ClassVar[tuple[str, ...]] = ()

    @staticmethod
    def read(node: Node, findings: Findings) -> tuple[str, ...]:
        if node.items is not None:
            for item in node.items:
                if item.text is None:
                    findings.add(item, f"a cell is a text, not {item.kind}")
            return tuple(item.text or "" for item in node.items)
        if node.text is None:
            findings.add(node, f"here stands {node.kind}; write the cells of the row with spaces between them")
            return ()
        return split_cells(node.text)

    @staticmethod
    def schema(define: Callable[[Any], Schema]) -> Schema:
        cell = {"type": ["string", "number", "boolean"]}
        return {"anyOf": [{"type": ["string", "number", "boolean"]}, {"type": "array", "items": cell}]}


def split_cells(text: str) -> tuple[str, ...]:
    """Split a row that is written as one text into cells."""
    if "|" in text:
        return tuple(cell.strip() for cell in text.strip().strip("|").split("|"))
    return tuple(text.split())


def cell_start(text: str, index: int) -> int:
    """The offset of a cell in a row that is written as one text."""
    starts = [match.start() for match in re.finditer(r"[^|\s][^|]*" if "|" in text else r"\S+", text)]
    return starts[index] if index < len(starts) else 0


COLUMN_KINDS = ("odds", "percent", "strength", "names")


@record
class Columns(Record):
    """The columns of a table, of exactly one kind. If a spreadsheet has the labels, write only the kind: `columns: odds`."""

    words: ClassVar[tuple[str, ...]] = COLUMN_KINDS
    odds: tuple[str, ...] = documented_field("Odds, attacker first: 1-2, 1-1, 2-1.", ())
    percent: tuple[str, ...] = documented_field("Percentages: 50-99, 100-149, 600+.", ())
    strength: tuple[str, ...] = documented_field("Strengths or other numbers: 1, 2, 3-5, 20+.", ())
    names: tuple[str, ...] = documented_field("Names.", ())

    @property
    def kind(self) -> Literal["odds", "percent", "strength", "names"]:
        return "odds" if self.odds else "percent" if self.percent else "strength" if self.strength else "names"

    @property
    def labels(self) -> tuple[str, ...]:
        return self.odds or self.percent or self.strength or self.names


@record
class Outcome(Record):
    """The meaning of a code in a table."""

    shorthand: ClassVar[str] = "meaning"
    meaning: str = documented_field("What happens, in our own words.")
    effects: Mapping[str, str] = documented_field("The same for a program: steps lost, hexes to retreat.", {})


class Result(NamedTuple):
    """A cell: its code and the meaning of the code."""

    code: str
    meaning: str


@record
class Table(Sourced):
    """A table of the game, for lookups or rolls."""

    title: str = documented_field("Its heading.")
    columns: Columns = documented_field("Its columns, of one kind.")
    cells: Mapping[str, Annotated[tuple[str, ...], _CellsForm]] = documented_field(
        "The rows: a label and its cells. `sources` may name a row, a column, or one cell as row/column.", sheet=True
    )
    dice: str = documented_field("What is thrown for the row: 1d6, 2d6. Rows are names where this is left out.", "")
    row_title: str = documented_field("What the rows are.", "")
    column_title: str = documented_field("What the columns are.", "")
    below: Literal["clamp", "none"] = documented_field(
        "Worse than the first column: use it, or no attack at all.", "clamp"
    )
    results: Mapping[str, Outcome] = documented_field("What each code means.", {}, sheet=True)
    notes: tuple[str, ...] = documented_field("Notes below the table.", ())
    labels: Mapping[str, str] = documented_field(
        "What rows, columns and cells are called in print, where their id doesn't say it.", {}
    )

    def find_column(self, value: Fraction | str) -> int | None:
        """Find the column of a value. Odds and percentages round down, in favor of the defender.

        None if the value is worse than the first column and the table allows no attack there.
        """
        if self.columns.kind == "names":
            return self.named_column(str(value))
        column = bisect.bisect_right(self._starts, Fraction(value)) - 1
        return column if column >= 0 else None if self.below == "none" else 0

    def named_column(self, label: str) -> int:
        """The column with this label."""
        if label not in self.columns.labels:
            raise ValueError(f"{self.title} has no column {label!r}; {suggest(label, self.columns.labels)}")
        return self.columns.labels.index(label)

    def shift_column(self, column: int, shift: int) -> int:
        """Shift a column to the right (negative: left). The result never passes either end."""
        return max(0, min(len(self.columns.labels) - 1, column + shift))

    def row(self, value: Fraction | int | str) -> str:
        """The row label for a name, a number in its range, or a (modified) die result. A die result stops at both ends."""
        if not self.dice:
            label = str(value) if str(value) in self.cells else self._range(str(value))
            if not label:
                raise ValueError(f"{self.title} has no row {str(value)!r}; {suggest(str(value), self.cells)}")
            return label
        die = Fraction(value)
        for label, label_span in self._spans:
            if label_span.holds(die):
                return label
        return self._spans[0][0] if die < (self._spans[0][1].low or die) else self._spans[-1][0]

    def _range(self, text: str) -> str:
        """The row whose range contains a number, as 7-14 contains 7. Empty if there is none."""
        if not NUMBER.fullmatch(text):
            return ""
        ranges = (label for label in self.cells if RANGE.fullmatch(label))
        return next((label for label in ranges if span(label).holds(Fraction(text))), "")

    def cell(self, row: Fraction | int | str, column: int) -> Result:
        """The cell in a row and column."""
        code = self.cells[self.row(row)][column]
        outcome = self.results.get(code)
        return Result(code, outcome.meaning if outcome else "")

    def looked_up(self, row: str, column: str) -> str:
        """The code in a row and a column, each given by its label or by a value in its range."""
        if (row, column) not in self._looked_up:
            label = self.named_column(column) if column in self.columns.labels else self.find_column(Fraction(column))
            if label is None:
                raise LookupError(f"{self.title} has no column for {column}")
            self._looked_up[row, column] = self.cell(row, label).code
        return self._looked_up[row, column]

    @functools.cached_property
    def _looked_up(self) -> dict[tuple[str, str], str]:
        """A cache for `looked_up`."""
        return {}

    def source_of(self, row: str, column: str) -> Source | None:
        """The source of a cell: the one that `sources` gives the cell, its row or its column, else that of the table."""
        for key in (f"{row}/{column}", row, column, "cells"):
            if self.sources.get(key) is not None:
                return self.sources[key]
        return self.source

    def distribution(self, column: int, modifier: int = 0) -> dict[str, Fraction]:
        """The exact chance of each code in a column, with a die modifier."""
        if (column, modifier) not in self._distributions:
            chances: dict[str, Fraction] = {}
            for total, chance in dice(self.dice).items():
                code = self.cell(total + modifier, column).code
                chances[code] = chances.get(code, Fraction(0)) + chance
            self._distributions[column, modifier] = chances
        return dict(self._distributions[column, modifier])

    @functools.cached_property
    def _distributions(self) -> dict[tuple[int, int], dict[str, Fraction]]:
        """A cache for `distribution`."""
        return {}

    @functools.cached_property
    def _starts(self) -> tuple[Fraction, ...]:
        if self.columns.kind == "odds":
            return tuple(parse_odds(label) for label in self.columns.labels)
        return tuple(span(label).low or Fraction(0) for label in self.columns.labels)

    @functools.cached_property
    def _spans(self) -> tuple[tuple[str, ColumnRange], ...]:
        """The die rows from the lowest to the highest."""
        spans = [(label, span(label)) for label in self.cells]
        return tuple(sorted(spans, key=lambda pair: (pair[1].low is not None, pair[1].low or 0)))


def check_table(table: Table, node: Node, findings: Findings) -> None:
    """Check that the columns, rows and cells of a table fit together."""
    column_kinds = [k for k in COLUMN_KINDS if getattr(table.columns, k)]
    columns = node.child("columns")
    if len(column_kinds) != 1:
        kinds_text = " and ".join(column_kinds) if column_kinds else "no columns"
        findings.add(
            columns, f"here are {kinds_text}; a table has columns of one kind: odds, percent, strength or names"
        )
        return
    labels = table.columns.labels
    label_nodes = columns.child(column_kinds[0]).items or []
    for i, label in enumerate(labels):
        if label in labels[:i]:
            findings.add(label_nodes[i], f"the column {label!r} stands here twice; rename or remove one")
    _check_columns(table, label_nodes, findings)
    if (
        len(table.cells) > 1
        and set(table.cells) <= set(labels)
        and any(len(cells) != len(labels) for cells in table.cells.values())
    ):
        row = "a throw of the dice" if table.dice else "one name of its own"
        findings.add(
            node.child("cells"),
            f"rows and columns are mixed up: these rows are called as the columns are; a row is {row}, "
            f"with a cell for each of the {len(labels)} columns",
        )
        return
    _check_rows(table, node, findings)
    width = len(labels)
    for label, cells in table.cells.items():
        if len(cells) != width:
            findings.add(
                node.child("cells", label),
                f"row {label} has {len(cells)} cell{'s' * (len(cells) != 1)}, but the table has {width} columns; "
                + ("add what is missing" if len(cells) < width else "remove what is too much"),
            )
    names = {"cells", "columns", "results", *labels, *table.cells}
    names |= {f"{row}/{column}" for row in table.cells for column in labels}
    for key in table.sources:
        pair = (node.child("sources").entries or {}).get(key)
        if key not in names and pair is not None:
            findings.add(pair[0], f"the table has no row, column or cell {key!r}; {suggest(key, names)}")
    if table.results:
        for label, cells in table.cells.items():
            for i, code in enumerate(cells):
                if code not in table.results:
                    cell_node = node.child("cells", label)
                    cell_node = (
                        cell_node.items[i] if cell_node.items else cell_node.letter(cell_start(cell_node.text or "", i))
                    )
                    findings.add(cell_node, f"no result explains the code {code!r}; {suggest(code, table.results)}")


def _check_columns(table: Table, nodes: list[Node], findings: Findings) -> None:
    kind = table.columns.kind
    if kind == "names":
        return
    last: Fraction | None = None
    last_label = ""
    for node, label in zip(nodes, table.columns.labels, strict=True):
        try:
            low, upper = (parse_odds(label), parse_odds(label)) if kind == "odds" else span(label)
        except ValueError as error:
            findings.add(node, str(error))
            continue
        if last is not None and low is not None and low <= last:
            findings.add(node, f"the column {label} overlaps {last_label} before it; columns go up without overlap")
        last, last_label = upper if upper is not None else low, label


def _check_rows(table: Table, node: Node, findings: Findings) -> None:
    cells = node.child("cells")
    if not table.cells and cells.entries is not None:
        findings.add(cells, "the table has no rows; add one for each throw or name")
        return
    if not table.dice:
        return
    if not DICE.fullmatch(table.dice):
        findings.add(node.child("dice"), f"{table.dice!r} is no throw of dice; write one such as 1d6 or 2d6")
        return
    spans: list[tuple[str, ColumnRange]] = []
    for label, (key, _) in (cells.entries or {}).items():
        try:
            row_span = span(label)
        except ValueError as error:
            findings.add(key, str(error))
            continue
        for other_label, other_span in spans:
            is_disjoint = (
                row_span.maximum is not None and other_span.low is not None and row_span.maximum < other_span.low
            ) or (other_span.maximum is not None and row_span.low is not None and other_span.maximum < row_span.low)
            if not is_disjoint:
                findings.add(key, f"row {label} overlaps row {other_label}; each throw has one row")
        spans.append((label, row_span))
    lows = [s.low for _, s in spans if s.low is not None]
    highs = [s.maximum for _, s in spans if s.maximum is not None]
    open_low = any(s.low is None for _, s in spans)
    open_high = any(s.maximum is None for _, s in spans)
    if not spans or not (lows or open_low):
        return
    first = int(min(lows)) if lows else int(min(highs))
    last = int(max(highs)) if highs else int(max(lows))
    totals = dice(table.dice)
    first = first if open_low else min(first, min(totals))
    last = last if open_high else max(last, max(totals))
    for value in range(first, last + 1):
        if not any(s.holds(Fraction(value)) for _, s in spans):
            findings.add(cells, f"a throw of {value} finds no row; {table.dice} needs one")
