"""The grid of a table: column widths that follow the texts, cells with line breaks, one font size for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from art import svg
from art.svg import Element
from art.text import CAPITAL, Weight, lines, text, width

MIN_FONT_SIZE = 2.83
"""The smallest font size on a chart in millimeters: 8 points."""
LARGEST = 3.4
INK, HEAD, HEAD_INK, ZEBRA, LINE = "#1f2328", "#d9e0e8", "#1b2a3a", "#f1efe6", "#b9bfc6"
LEADING = 1.18
EASY, WIDEST = 9.0, 20.0
"""The padding of a column: its value in a table narrower than the room, and its maximum in a table that fills the room."""
Row = tuple[str, list[str]]


class TableGrid(NamedTuple):
    """A drawn table with its size."""

    drawing: Element
    width: float
    height: float


class GridColumn(NamedTuple):
    """A column's texts, with the width of its longest word and of its longest text."""

    head: str
    cells: list[str]
    min_width: float
    natural: float


def fit_grid(
    corner: str, heads: Sequence[str], rows: Sequence[Row], room: float, fills: Mapping[str, str] = MappingProxyType({})
) -> TableGrid | None:
    """The table at the largest size that fits the room. None if it doesn't fit at the smallest legible size.

    Cells listed in `fills` have a background color.
    """
    size_and_widths = fit_columns(corner, heads, rows, room, fill=False)
    return (
        _draw_grid(_columns(corner, heads, rows, size_and_widths[0]), size_and_widths[1], size_and_widths[0], fills)
        if size_and_widths
        else None
    )


def fit_columns(
    corner: str, heads: Sequence[str], rows: Sequence[Row], room: float, fill: bool
) -> tuple[float, list[float]] | None:
    """The font size and the column widths of a table for a room. None if the table is too wide. `fill` stretches it to the room."""
    size = LARGEST
    while size >= MIN_FONT_SIZE - 1e-9:
        columns = _columns(corner, heads, rows, size)
        widths = _widths(columns, room)
        if widths is not None and (_at_ease(columns, widths, size) or size - 0.1 < MIN_FONT_SIZE):
            spare = (room - sum(widths)) / len(widths) if fill else 0.0
            return size, [column_width + spare for column_width in widths]
        size = round(size - 0.1, 2)
    return None


def level_left(cells: Sequence[str], column: int) -> bool:
    """Whether the texts of a column are left-aligned: sentences, and the names of rows."""
    return any(len(cell) > (22 if column else 4) for cell in cells)


def natural_width(corner: str, heads: Sequence[str], rows: Sequence[Row]) -> float:
    """The width of a table without line breaks in cells, at the largest size with a little padding."""
    columns = _columns(corner, heads, rows, LARGEST)
    return sum(column.natural for column in columns) + 2.0 * len(columns)


def _columns(corner: str, heads: Sequence[str], rows: Sequence[Row], size: float) -> list[GridColumn]:
    texts = [(corner, [row for row, _ in rows])]
    texts += [(head, [cells[i] for _, cells in rows]) for i, head in enumerate(heads)]
    pad = 1.1 * size
    columns = []
    for i, (head, cells) in enumerate(texts):
        weight: Weight = "semibold" if i == 0 else "regular"
        min_width = max(_words(head, size, "bold"), *(_words(cell, size, weight) for cell in cells)) + pad
        natural = max(width(head, size, "bold"), *(width(cell, size, weight) for cell in cells)) + pad
        columns.append(GridColumn(head, cells, min_width, natural))
    return columns


def _words(words: str, size: float, weight: Weight) -> float:
    return max((width(word, size, weight) for word in words.split()), default=0.0)


def _widths(columns: Sequence[GridColumn], room: float) -> list[float] | None:
    """Divide the room among columns: first the minimum widths, then shares in proportion to the desired widths. None if too small."""
    min_total = sum(column.min_width for column in columns)
    natural = sum(column.natural for column in columns)
    if min_total > room:
        return None
    if natural <= room:
        return _spread(columns, room - natural)
    wishes = [column.natural - column.min_width for column in columns]
    share = (room - min_total) / sum(wishes)
    return [column.min_width + want * share for column, want in zip(columns, wishes, strict=True)]


def _spread(columns: Sequence[GridColumn], spare: float) -> list[float]:
    """Widen columns to fill the room, unless rows would become hard to follow."""
    extra = spare / len(columns)
    return [column.natural + (extra if extra <= WIDEST else EASY) for column in columns]


def _at_ease(columns: Sequence[GridColumn], widths: Sequence[float], size: float) -> bool:
    """Whether no cell has many lines."""
    pad = 1.1 * size
    return all(
        len(lines(cell, column_width - pad, size)) <= 4
        for column, column_width in zip(columns, widths, strict=True)
        for cell in column.cells
    )


def _draw_grid(
    columns: Sequence[GridColumn], widths: Sequence[float], size: float, fills: Mapping[str, str]
) -> TableGrid:
    pad = 1.1 * size
    total = sum(widths)
    heads = [lines(c.head, w - pad, size, "bold") for c, w in zip(columns, widths, strict=True)]
    parts: list[Element] = []
    y = _row(parts, heads, widths, size, 0, HEAD, "bold", columns)
    for i in range(len(columns[0].cells)):
        cells = [
            lines(column.cells[i], column_width - pad, size, "semibold" if j == 0 else "regular")
            for j, (column, column_width) in enumerate(zip(columns, widths, strict=True))
        ]
        cell_colors = [fills.get(column.cells[i], "") if j else "" for j, column in enumerate(columns)]
        y = _row(parts, cells, widths, size, y, ZEBRA if i % 2 else "#ffffff", "regular", columns, cell_colors)
    rules = []
    x = 0.0
    for column_width in widths[:-1]:
        x += column_width
        rules.append(f"M{svg.number(x)} 0V{svg.number(y)}")
    parts.append(svg.path("".join(rules), stroke=LINE, stroke_width=0.12, fill="none"))
    parts.append(svg.rect(0, 0, total, y, fill="none", stroke=INK, stroke_width=0.25))
    return TableGrid(svg.group(parts), total, y)


def _row(
    parts: list[Element],
    cells: Sequence[list[str]],
    widths: Sequence[float],
    size: float,
    y: float,
    fill: str,
    weight: Weight,
    columns: Sequence[GridColumn],
    cell_colors: Sequence[str] = (),
) -> float:
    """Draw a row of cells. Returns the position of the next row."""
    deepest = max(1, *(len(cell) for cell in cells))
    height = size * (LEADING * (deepest - 1) + CAPITAL + 0.95)
    parts.append(svg.rect(0, y, sum(widths), height, fill=fill))
    for j, color in enumerate(cell_colors):
        if color:
            parts.append(svg.rect(sum(widths[:j]), y, widths[j], height, fill=color))
    x = 0.0
    for j, (cell, column_width) in enumerate(zip(cells, widths, strict=True)):
        start = level_left(columns[j].cells, j)
        cell_weight: Weight = "bold" if weight == "bold" else "semibold" if j == 0 else "regular"
        top = y + (height - size * (LEADING * (len(cell) - 1) + CAPITAL)) / 2
        for i, words in enumerate(cell):
            base = top + size * (CAPITAL + LEADING * i)
            place = x + 0.55 * size if start else x + column_width / 2
            ink = HEAD_INK if weight == "bold" else INK
            parts.append(text(words, place, base, size, cell_weight, "start" if start else "middle", fill=ink))
        x += column_width
    return y + height
