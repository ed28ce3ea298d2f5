"""Looking things up in any table of any pack."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from assistant.shared.sourced import ours
from scenarios.game import Game
from scenarios.reading.findings import instead
from scenarios.reading.shapes import number
from scenarios.tables import Table, odds


def lookup(
    game: Game, table_id: str, row: str | None, column: str | None, shift: int = 0, modifier: int = 0
) -> dict[str, Any]:
    """One cell of a table, or the chances of a whole column. ValueError says what is missing."""
    if table_id not in game.tables:
        raise ValueError(f"{game.id} has no table {table_id!r}; {instead(table_id, game.tables)}")
    table = game.tables[table_id]
    labels = table.columns.labels
    if column is None and len(labels) == 1:
        column = labels[0]
    if column is None:
        raise ValueError(f"say which --column of {table.title}: {', '.join(labels)}")
    start = find(table, column)
    if start is None:
        raise ValueError(f"{column} is worse than {labels[0]}, the first column of {table.title}: no attack")
    index = table.shifted(start, shift)
    answer: dict[str, Any] = {"game": game.id, "table": table_id, "title": table.title, "column": labels[index]}
    rows = table.cells if row is None else [table.row(number(row) + modifier if table.dice else row)]
    answer["not_the_rulebooks"] = ours(game, cells=((table_id, label, labels[index]) for label in rows))
    if row is not None:
        thrown: str | Fraction = number(row) + modifier if table.dice else row
        result = table.cell(thrown, index)
        return answer | {"row": table.row(thrown), "result": result.code, "meaning": result.meaning}
    if not table.dice:
        raise ValueError(f"say which --row of {table.title}: {', '.join(table.cells)}")
    chances = table.distribution(index, modifier)
    meanings = {code: table.results[code].meaning for code in chances if code in table.results}
    return answer | {"chances": {code: str(chance) for code, chance in chances.items()}, "meanings": meanings}


def part(game: Game, table_id: str, row: str | None, column: str | None) -> dict[str, Any] | None:
    """A whole table, a whole row of several columns, or a column that isn't thrown on; None for a cell or chances."""
    table = game.tables.get(table_id)
    if table is None:
        return None
    labels = table.columns.labels
    about: dict[str, Any] = {"game": game.id, "table": table_id, "title": table.title}
    if row is not None and column is None and len(labels) > 1:
        label = table.row(number(row) if table.dice else row)
        return about | {"row": label, "cells": dict(zip(labels, table.cells[label], strict=True))}
    if row is not None or (table.dice and (column is not None or len(labels) == 1)):
        return None
    if column is None:
        rows = {label: dict(zip(labels, cells, strict=True)) for label, cells in table.cells.items()}
        return about | {"columns": list(labels), "rows": rows, "notes": list(table.notes)}
    index = find(table, column)
    return None if index is None else about | {
        "column": labels[index], "cells": {label: cells[index] for label, cells in table.cells.items()}
    }  # fmt: skip


def placed(
    game: Game, table_id: str, words: Sequence[str], row: str | None, column: str | None
) -> tuple[str | None, str | None]:
    """The row and the column of a table, where they were told as bare words: the column first, or a row by its name."""
    told = list(words)
    table = game.tables.get(table_id)
    if table is not None and not table.dice:
        named = next((word for word in told if word in table.cells and word not in table.columns.labels), None)
        if named is not None and row is None:
            told.remove(named)
            row = named
    if column is None and told and (table is None or len(table.columns.labels) > 1 or len(told) > 1):
        column = told.pop(0)
    if row is None and told:
        row = told.pop(0)
    if told:
        raise ValueError(f"{told[0]!r} is one word too many; a table is told its column and its row")
    return row, column


RATIO = re.compile(r"(\d+(?:/[1-9]\d*)?)\s*(?::|to|against)\s*(\d+(?:/[1-9]\d*)?)")


BARE = ("shift", "die", "table")


def bare(game: Game, words: Sequence[str]) -> dict[str, Any] | None:
    """Words of the command line as bare strengths, as in 11:3 shift=-1 or a column such as 3-1, or 25 where units fire by
    strength; else None."""
    first = words[0].strip() if words else ""
    single = re.fullmatch(r"\d+", first) is not None
    column = _of_odds(game, first)
    if not single and not column and RATIO.fullmatch(first) is None:
        return None
    told = dict.fromkeys(BARE, "")
    for word in words[1:]:
        key, _, value = word.partition("=")
        if key not in told:
            raise ValueError(f"bare strengths can't be told {key!r}; {instead(key, BARE)}")
        told[key] = value
    shift, die = _columns("shift", told), _columns("die", told)
    if single:
        return lookup(game, _compared(game, ("strength",), told["table"]), None, first, shift, die)
    if column:
        return lookup(game, told["table"] or column, None, first, shift, die)
    return ratio(game, first, die, shift, told["table"])


def _of_odds(game: Game, text: str) -> str:
    """The first table of an attack that has such a column of odds, if any."""
    tables = (attack.table for attack in game.attacks.values() if game.tables[attack.table].columns.kind in ("odds", "percent"))
    return next((table for table in tables if text in game.tables[table].columns.labels), "")


def _compared(game: Game, kinds: tuple[str, ...], wanted: str) -> str:
    """The first table of an attack with such columns, or the one that is wanted."""
    all_tables = [attack.table for attack in game.attacks.values()]
    tables = [table for table in all_tables if game.tables[table].columns.kind in kinds]
    mixed = kinds == ("strength",) and not wanted and tables[:1] != all_tables[:1]
    if mixed or not tables:
        what = "to find odds for one strength; write two, as in 11:3" if "strength" in kinds else "that compares two strengths"
        raise ValueError(f"{game.title} has no table {what}")
    if wanted and wanted not in tables:
        raise ValueError(f"no such strengths are looked up on {wanted!r}; {instead(wanted, tables)}")
    return wanted or tables[0]


def _columns(key: str, told: Mapping[str, str]) -> int:
    if re.fullmatch(r"[+-]?\d{1,3}|", told[key]) is None:
        raise ValueError(f"{key} is a whole number such as -1, not {told[key]!r}")
    return int(told[key] or 0)


def ratio(game: Game, text: str, modifier: int = 0, shift: int = 0, table_id: str = "") -> dict[str, Any] | None:
    """Two bare strengths, as in 11:3, on the game's table of odds (or one of them); None if the text is no such thing."""
    match = RATIO.fullmatch(text.strip())
    if match is None:
        return None
    found = _compared(game, ("odds", "percent"), table_id)
    attack, defense = Fraction(match[1]), Fraction(match[2])
    if not defense:
        raise ValueError("the defense strength is 0: there are no odds to find")
    table = game.tables[found]
    column = table.find_column(attack / defense * (100 if table.columns.kind == "percent" else 1))
    if column is None:
        raise ValueError(
            f"{text} is worse than {table.columns.labels[0]}, the first column of {table.title}: no attack"
        )
    answer = lookup(game, found, None, table.columns.labels[column], shift, modifier)
    return answer | {"attack_strength": str(attack), "defense_strength": str(defense), "ratio": str(attack / defense)}


def find(table: Table, column: str) -> int | None:
    """The column of a label, or of a value such as 7:2, 175 or 25."""
    if column in table.columns.labels or table.columns.kind == "names":
        return table.named_column(column)
    return table.find_column(odds(column) if table.columns.kind == "odds" else number(column.rstrip("%")))
