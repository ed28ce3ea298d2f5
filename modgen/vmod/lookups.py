"""Cells of tables as expressions: lists that a text is found in, one for each value."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from modgen.vmod.buttons import bare
from scenarios.tables import Table


def among(listed: Sequence[str], said: str) -> str:
    """An expression that tells whether a text is one of those listed."""
    if len(listed) == 1:
        return f'"{listed[0]}".equals({said})'
    return f'"|{"|".join(listed)}|".contains("|"+{said}+"|")'


def written(code: str, number: bool) -> str:
    """A cell as an expression; one that is no number counts nothing."""
    if not number:
        return f'"{bare(code)}"'
    try:
        return repr(float(Fraction(code)))
    except (ValueError, ArithmeticError):
        return "0.0"


def chosen_cell(table: Table, row: str, column: int, number: bool) -> str:
    """An expression for the cell of a row (an expression of its label) in a column."""
    rows: dict[str, list[str]] = {}
    for label, cells in table.cells.items():
        rows.setdefault(written(cells[column], number), []).append(bare(label))
    if row.startswith('"') and row.endswith('"') and row.count('"') == 2:
        return next(value for value, labels in rows.items() if row[1:-1] in labels)
    ordered = sorted(rows.items(), key=lambda item: -len(item[1]))
    chained = "".join(f"{among(labels, row)}?{value}:" for value, labels in ordered[1:])
    return chained + ordered[0][0]
