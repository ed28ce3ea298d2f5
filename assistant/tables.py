"""Any table of any pack: the question `table`, and `odds` of two bare strengths."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from assistant.questions.answer import (
    Answer,
    BadQuestion,
    Chances,
    Node,
    RowTable,
    Sentence,
    TableColumn,
    Unofficial,
    Value,
    remark,
)
from assistant.questions.question import Input, Inputs, Question
from assistant.unofficial import unofficial_addresses
from scenarios.model.game import Game
from scenarios.model.tables import Table, parse_odds
from scenarios.reading.findings import suggest
from scenarios.reading.shapes import number

COLUMN = Input(name="column", about="the column: its label, or a number (odds such as 7:2, a percentage, a strength)")
SHIFT = Input(
    name="shift",
    about="shift this many columns to the right, or to the left if negative",
    kind="number",
    minimum=-999,
    default=Fraction(0),
)
DIE = Input(name="die", about="the die modifier", kind="number", minimum=-999, default=Fraction(0))


# --- one table --------------------------------------------------------------------------------------------------------


def _table(game: Game, inputs: Inputs) -> Answer:
    if "table" not in inputs:
        titles = {key: table.title for key, table in game.tables.items()}
        lines: list[Node] = [remark(f"{key}: {title}") for key, title in titles.items()]
        return Answer(
            "table",
            game.id,
            [*(lines or [Sentence(f"{game.title} has no tables yet")]), Value("tables", titles, for_people=False)],
        )
    key = inputs["table"]
    table = game.tables[key]
    row, column = _row_and_column(table, inputs.get("row"), inputs.get("column"))
    shift, die = int(inputs["shift"]), int(inputs["die"])
    try:
        part = [] if shift or die else _part(key, table, row, column)
        return Answer(
            "table", game.id, [*table_heading(game, key), *(part or lookup(game, key, row, column, shift, die))]
        )
    except ValueError as error:
        raise BadQuestion(str(error)) from None


def _row_and_column(table: Table, row: str | None, column: str | None) -> tuple[str | None, str | None]:
    """Return the row and the column from bare words: the column first, or a row by its name."""
    labels = table.columns.labels
    if column is not None and column not in labels and not table.dice and column in table.cells:
        return column, row
    is_die = (
        table.dice and row is not None and row.lstrip("-").isdecimal()
    )  # a die; the column is then a number beyond the labels
    if column is not None and column not in labels and row in labels and not is_die:
        return column, row
    if column is not None and row is None and len(labels) == 1 and column not in labels:
        return column, None
    return row, column


def _part(key: str, table: Table, row: str | None, column: str | None) -> list[Node]:
    """Return a whole table, a whole row of several columns, or a column without dice; empty for a cell or chances."""
    labels = table.columns.labels
    if row is not None and column is None and len(labels) > 1:
        label = table.row(number(row) if table.dice else row)
        return [
            Value("row", label, for_people=False),
            *_cells(table, f"row {label}", dict(zip(labels, table.cells[label], strict=True))),
        ]
    if row is not None or (table.dice and (column is not None or len(labels) == 1)):
        return []
    if column is None:
        return _table_nodes(key, table)
    index = find(table, column)
    if index is None:
        return []
    cells = {label: cells[index] for label, cells in table.cells.items()}
    return [Value("column", labels[index], for_people=False), *_cells(table, f"column {labels[index]}", cells)]


def _cells(table: Table, heading: str, cells: dict[str, str]) -> list[Node]:
    rows = [{"label": label, "code": code, "meaning": _meaning(table, code)} for label, code in cells.items()]
    columns = [TableColumn("label", "label"), TableColumn("code", "code"), TableColumn("meaning", "meaning")]
    return [
        RowTable("cells", columns, rows, f"{table.title}, {heading}", heads=False, for_programs=False),
        Value("cells", cells, for_people=False),
    ]


def _table_nodes(key: str, table: Table) -> list[Node]:
    """Return a table as printed, with the meanings of its codes."""
    labels = table.columns.labels
    rows = {label: dict(zip(labels, cells, strict=True)) for label, cells in table.cells.items()}
    heads = [
        TableColumn("row", table.row_title or ("die" if table.dice else "row")),
        *(TableColumn(f"column {label}", label) for label in labels),
    ]
    cell_rows = [
        {"row": label, **{f"column {key}": cell for key, cell in cells.items()}} for label, cells in rows.items()
    ]
    return [
        remark(f"{table.title} [{key}]" + f" {table.dice}" * bool(table.dice)),
        *([remark(f"  source: {table.source}")] if table.source else []),
        RowTable("rows", heads, cell_rows, for_programs=False),
        *(remark(f"  {code}: {outcome.meaning}") for code, outcome in table.results.items()),
        *(remark(f"  * {note}") for note in table.notes),
        Value("columns", list(labels), for_people=False),
        Value("rows", rows, for_people=False),
        Value("notes", list(table.notes), for_people=False),
    ]


def lookup(
    game: Game, key: str, row: str | None, column: str | None, shift: int = 0, die: int = 0, prefix: str = ""
) -> list[Node]:
    """Return one cell of a table, or the chances of a whole column. ValueError says what is missing."""
    table = game.tables[key]
    labels = table.columns.labels
    if column is None and len(labels) == 1:
        column = labels[0]
    if column is None:
        raise ValueError(f"choose a --column of {table.title}: {', '.join(labels)}")
    start = find(table, column)
    if start is None:
        raise ValueError(f"{column} is below {labels[0]}, the first column of {table.title}, so no attack is possible")
    index = table.shift_column(start, shift)
    heading = f"{prefix}{table.title}, column {labels[index]}"
    nodes: list[Node] = [Value("column", labels[index], for_people=False)]
    if row is not None:
        row_value: str | Fraction = number(row) + die if table.dice else row
        label, result = table.row(row_value), table.cell(row_value, index)
        nodes += [
            remark(f"{heading}, row {label}: {result.code} {result.meaning}".rstrip()),
            Value("row", label, for_people=False),
            Value("result", result.code, for_people=False),
            Value("meaning", result.meaning, for_people=False),
        ]
        return [*nodes, Unofficial(unofficial_addresses(game, cells=[(key, label, labels[index])]))]
    if not table.dice:
        raise ValueError(f"choose a --row of {table.title}: {', '.join(table.cells)}")
    chances = table.distribution(index, die)
    meanings = {code: _meaning(table, code) for code in chances if code in table.results}
    nodes += [Chances("chances", chances, heading, meanings), Value("meanings", meanings, for_people=False)]
    return [
        *nodes,
        Unofficial(unofficial_addresses(game, cells=((key, label, labels[index]) for label in table.cells))),
    ]


def _meaning(table: Table, code: str) -> str:
    return table.results[code].meaning if code in table.results else ""


def find(table: Table, column: str) -> int | None:
    """Return the column of a label, or of a value such as 7:2, 175 or 25."""
    if column in table.columns.labels or table.columns.kind == "names":
        return table.named_column(column)
    return table.find_column(parse_odds(column) if table.columns.kind == "odds" else number(column.rstrip("%")))


TABLE = Question(
    name="table",
    about="a table: a cell, the chance of each result of a column, a whole row or the whole table",
    inputs=(
        Input(name="table", about="which table; without one, the list of them", kind="choice", vocabulary="table"),
        COLUMN,
        Input(name="row", about="the row: a name, or a die roll"),
        SHIFT,
        DIE,
    ),
    answer=_table,
    positional=("table", "column", "row"),
)


# --- bare strengths ---------------------------------------------------------------------------------------------------

RATIO = re.compile(r"(\d+(?:/[1-9]\d*)?)\s*(?::|to|against)\s*(\d+(?:/[1-9]\d*)?)")


def two_strengths(text: str) -> tuple[Fraction, Fraction] | None:
    """Read two strengths, as in 11:3; None for any other text."""
    match = RATIO.fullmatch(text.strip())
    return (Fraction(match[1]), Fraction(match[2])) if match else None


def are_strengths(game: Game, word: str) -> bool:
    """Whether a word is two bare strengths, as in 11:3; a column such as 3-1; or 25, where units fire by strength."""
    return re.fullmatch(r"\d+", word) is not None or bool(_of_odds(game, word)) or two_strengths(word) is not None


def _strengths(game: Game, inputs: Inputs) -> Answer:
    text, table_key = inputs["strengths"].strip(), inputs.get("table", "")
    shift, die = int(inputs["shift"]), int(inputs["die"])
    try:
        return Answer("odds", game.id, _odds(game, text, table_key, shift, die))
    except ValueError as error:
        raise BadQuestion(str(error)) from None


def _odds(game: Game, text: str, table_key: str, shift: int, die: int) -> Sequence[Node]:
    column = _of_odds(game, text)
    if column or re.fullmatch(r"\d+", text):
        key = (table_key or column) if column else _column_table(game, ("strength",), table_key)
        return [*table_heading(game, key), *lookup(game, key, None, text, shift, die)]
    pair = two_strengths(text)
    if pair is None:
        raise ValueError(f"{text!r} are not strengths; write two, as in 11:3, or a column such as 3-1")
    key = _column_table(game, ("odds", "percent"), table_key)
    attack, defense = pair
    if not defense:
        raise ValueError("the defense strength is 0, so there are no odds")
    table = game.tables[key]
    index = table.find_column(attack / defense * (100 if table.columns.kind == "percent" else 1))
    if index is None:
        raise ValueError(
            f"{text} is below {table.columns.labels[0]}, the first column of {table.title}, so no attack is possible"
        )
    strength_values = {"attack_strength": attack, "defense_strength": defense, "ratio": attack / defense}
    return [
        *table_heading(game, key),
        *(Value(name, value, for_people=False) for name, value in strength_values.items()),
        *lookup(game, key, None, table.columns.labels[index], shift, die, f"{attack} to {defense}: "),
    ]


def table_heading(game: Game, key: str) -> list[Node]:
    """Return a table's id and title."""
    return [Value("table", key, for_people=False), Value("title", game.tables[key].title, for_people=False)]


def _of_odds(game: Game, text: str) -> str:
    """Return the first table of an attack with such a column of odds, if any."""
    tables = (
        attack.table
        for attack in game.attacks.values()
        if game.tables[attack.table].columns.kind in ("odds", "percent")
    )
    return next((table for table in tables if text in game.tables[table].columns.labels), "")


def _column_table(game: Game, column_kinds: tuple[str, ...], table_key: str) -> str:
    """Return the first table of an attack with such columns, or the given table."""
    all_tables = [attack.table for attack in game.attacks.values()]
    tables = [table for table in all_tables if game.tables[table].columns.kind in column_kinds]
    is_mixed = column_kinds == ("strength",) and not table_key and tables[:1] != all_tables[:1]
    if is_mixed or not tables:
        requirement = "for one strength; write two, as in 11:3" if "strength" in column_kinds else "for two strengths"
        raise ValueError(f"{game.title} has no table {requirement}")
    if table_key and table_key not in tables:
        raise ValueError(f"{table_key!r} does not use such strengths; {suggest(table_key, tables)}")
    return table_key or tables[0]


STRENGTHS = Question(
    name="odds of two strengths",
    about="the chances of two strengths, or of a column, on a combat table",
    inputs=(
        Input(
            name="strengths",
            about="two strengths, a column, or one strength on a fire table",
            required=True,
            example="11:3",
        ),
        SHIFT,
        DIE,
        Input(name="table", about="the combat table, if the game has several", kind="choice", vocabulary="table"),
    ),
    answer=_strengths,
    positional=("strengths",),
)
