"""Table cells as expressions. Each value has a list of the labels that give it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from modgen.vmod.files.buttons import plain_text
from scenarios.model.tables import Table


def is_any_of(texts: Sequence[str], expression: str) -> str:
    """An expression that tests whether a text is in a list."""
    if len(texts) == 1:
        return f'"{texts[0]}".equals({expression})'
    return f'"|{"|".join(texts)}|".contains("|"+{expression}+"|")'


def cell_expression(code: str, number: bool) -> str:
    """A cell as an expression. As a number, a cell that isn't one counts as zero."""
    if not number:
        return f'"{plain_text(code)}"'
    try:
        return repr(float(Fraction(code)))
    except (ValueError, ArithmeticError):
        return "0.0"


def chosen_cell(table: Table, row: str, column: int, number: bool) -> str:
    """An expression for the cell in a row (given by an expression of its label) and a column."""
    rows: dict[str, list[str]] = {}
    for label, cells in table.cells.items():
        rows.setdefault(cell_expression(cells[column], number), []).append(plain_text(label))
    if row.startswith('"') and row.endswith('"') and row.count('"') == 2:
        return next(value for value, labels in rows.items() if row[1:-1] in labels)
    sorted_rows = sorted(rows.items(), key=lambda item: -len(item[1]))
    cases = "".join(f"{is_any_of(labels, row)}?{value}:" for value, labels in sorted_rows[1:])
    return cases + sorted_rows[0][0]
