"""The player aid cards: every table of the game as a real table, with what its codes mean and its notes."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Any

from art.charts import (
    GAP,
    PAD,
    SUFFER,
    SUFFERS,
    TAGS,
    fills,
    headed,
    is_narrow,
    quoted,
    shown,
    spoken,
    texts,
    throw_words,
)
from art.grid import level_left, shared
from art.spots import NoRoom
from scenarios.game import Game
from scenarios.tables import Table

Json = dict[str, Any]
FOLDED = 10
"""A narrow table of so many rows fills a wide card in two halves side by side."""
NAME = 10
"""Results as long as this are names, not codes."""
EFFECT = "Effect"
"""The head of the column that says what an event does."""
BESIDE = 52.0
"""So much room beside a table is enough for its notes, in millimetres."""


def chart_cards(game: Game, room: float, gap: float, skipped: str = "") -> list[Json]:
    """The cards in the order of the tables: each as wide as the room, a narrow one also half as wide.

    `skipped` is the title of one that isn't wanted.
    """
    half = (room - gap) / 2
    cards = []
    for key, table in game.tables.items():
        if table.title != skipped:
            said, narrow = spoken(game, table), is_narrow(game, key, half)
            cards.append(
                {
                    "whole": chart_card(game, said, room, narrow),
                    "half": chart_card(game, said, half) if narrow else None,
                }
            )
    return cards


def listed(table: Table) -> bool:
    """Whether a table is a list of events with names: what each does stands on its row."""
    if len(table.columns.labels) != 1 or max(map(len, table.results), default=0) < NAME:
        return False
    codes = [code for held in table.cells.values() for code in held]
    return all(code in table.results and table.results[code].meaning for code in codes)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:].removesuffix(".")


def chart_card(game: Game, table: Table, wide: float, narrow: bool = False) -> Json:
    room = wide - 2 * PAD
    said = [(shown(game, code, table), result.meaning or "no effect") for code, result in table.results.items()]
    if listed(table):
        said = []
    notes = [quoted(note) for note in table.notes]
    folded = narrow and len(table.cells) >= FOLDED and not said
    grids = _folded(game, table, room) if folded else _grids(game, table, room, bool(said or notes))
    word = table.source.word if table.source else "rulebook"
    colors = fills(game, table)
    return {
        "title": table.title,
        "rule": f"Rule {table.rule}" if table.rule else "",
        "source": {"word": word, "color": TAGS[word], "solid": word in ("reconstructed", "mine")},
        "throw": throw_words(table),
        "wide": wide,
        "grids": grids,
        "folded": folded,
        "beside": len(grids) == 1 and sum(grids[0]["widths"]) < room - BESIDE,
        "key": [
            {"color": SUFFERS[who], "said": words} for who, words in SUFFER.items() if SUFFERS[who] in colors.values()
        ],
        "results": [{"code": code, "said": meaning} for code, meaning in said],
        "notes": notes,
    }


def _grids(game: Game, table: Table, room: float, explained: bool) -> list[Json]:
    """The table in as many parts, one below the other, as its columns need.

    It fills the card, unless there is room beside it for what is said of it.
    """
    labels, rows = texts(game, table)
    if listed(table):
        codes = [code for held in table.cells.values() for code in held]
        labels = [*labels, EFFECT]
        rows = [
            (row, [*held, _capital(table.results[code].meaning)]) for (row, held), code in zip(rows, codes, strict=True)
        ]
    corner = headed(game, table.row_title, table) if table.row_title else ""
    colors = fills(game, table)
    for parts in range(1, len(labels) + 1):
        share = -(-len(labels) // parts)
        cuts = [slice(i, i + share) for i in range(0, len(labels), share)]
        made = []
        for cut in cuts:
            cells = [(row, held[cut]) for row, held in rows]
            found = shared(corner, labels[cut], cells, room, fill=False)
            if found is None:
                break
            left = room - sum(found[1]) - GAP
            if not (parts == 1 and explained and left > max(BESIDE, 0.4 * room)):
                found = shared(corner, labels[cut], cells, room, fill=True) or found
            made.append(_grid(corner, labels[cut], cells, found, colors))
        if len(made) == len(cuts):
            return made
    raise NoRoom(f"{table.title}: a row or column is too wide for {room:.0f} mm; shorten its heads or cells")


def _folded(game: Game, table: Table, room: float) -> list[Json]:
    """The upper and the lower half of a table's rows, to stand side by side."""
    rows = list(table.cells)
    half = -(-len(rows) // 2)
    parts = [rows[:half], rows[half:]]
    wide = (room - GAP) / 2
    made = [
        _grids(game, replace(table, cells=MappingProxyType({row: table.cells[row] for row in some})), wide, False)
        for some in parts
    ]
    return [{**grids[0], "widths": made[0][0]["widths"]} for grids in made]


def _grid(
    corner: str, heads: list[str], rows: list[tuple[str, list[str]]], found: tuple[float, list[float]], colors: Any
) -> Json:
    columns = [[row for row, _ in rows], *(list(column) for column in zip(*(cells for _, cells in rows), strict=True))]
    return {
        "size": found[0],
        "widths": [round(wide, 3) for wide in found[1]],
        "heads": [corner, *heads],
        "left": [level_left(column, n) for n, column in enumerate(columns)],
        "rows": [
            [{"said": row, "fill": ""}, *({"said": cell, "fill": colors.get(cell, "")} for cell in cells)]
            for row, cells in rows
        ],
    }
