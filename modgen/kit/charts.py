"""The player aid cards: every table of the game, the meaning of its codes, and its notes."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Any

from art.charts.charts import (
    GAP,
    PAD,
    SUFFER,
    SUFFERS,
    TAGS,
    fills,
    format_heading,
    format_label,
    is_narrow,
    quote_backticks,
    readable_table,
    texts,
    throw_words,
)
from art.charts.table_grid import fit_columns, level_left
from art.counters.slots import NoRoom
from scenarios.model.game import Game
from scenarios.model.tables import Table

Json = dict[str, Any]
FOLD_ROWS = 10
"""A narrow table of at least this many rows fills a wide card as two halves side by side."""
NAME = 10
"""Results at least this long are names, not codes."""
EFFECT = "Effect"
"""The heading of the column with the effects of events."""
SIDE_WIDTH = 52.0
"""The width beside a table, in millimeters, that is enough for its notes."""


def chart_cards(game: Game, room: float, gap: float, skipped_title: str = "") -> list[Json]:
    """The cards in the order of the tables. Each has the full width; a narrow one also comes in half the width.

    `skipped_title` is the title of a card to leave out.
    """
    half_width = (room - gap) / 2
    cards = []
    for key, table in game.tables.items():
        if table.title != skipped_title:
            card_table, narrow = readable_table(game, table), is_narrow(game, key, half_width)
            cards.append(
                {
                    "whole": chart_card(game, card_table, room, narrow),
                    "half": chart_card(game, card_table, half_width) if narrow else None,
                }
            )
    return cards


def is_event_list(table: Table) -> bool:
    """Whether a table is a list of named events, with each event's effect on its row."""
    if len(table.columns.labels) != 1 or max(map(len, table.results), default=0) < NAME:
        return False
    codes = [code for row_codes in table.cells.values() for code in row_codes]
    return all(code in table.results and table.results[code].meaning for code in codes)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:].removesuffix(".")


def chart_card(game: Game, table: Table, width: float, narrow: bool = False) -> Json:
    room = width - 2 * PAD
    meanings = [
        (format_label(game, code, table), result.meaning or "no effect") for code, result in table.results.items()
    ]
    if is_event_list(table):
        meanings = []
    notes = [quote_backticks(note) for note in table.notes]
    is_folded = narrow and len(table.cells) >= FOLD_ROWS and not meanings
    grids = _fold_table(game, table, room) if is_folded else _grids(game, table, room, bool(meanings or notes))
    word = table.source.word if table.source else "rulebook"
    colors = fills(game, table)
    return {
        "title": table.title,
        "rule": f"Rule {table.rule}" if table.rule else "",
        "source": {"word": word, "color": TAGS[word], "solid": word in ("reconstructed", "mine")},
        "throw": throw_words(table),
        "wide": width,
        "grids": grids,
        "folded": is_folded,
        "beside": len(grids) == 1 and sum(grids[0]["widths"]) < room - SIDE_WIDTH,
        "key": [
            {"color": SUFFERS[sufferer], "said": words}
            for sufferer, words in SUFFER.items()
            if SUFFERS[sufferer] in colors.values()
        ],
        "results": [{"code": code, "said": meaning} for code, meaning in meanings],
        "notes": notes,
    }


def _grids(game: Game, table: Table, room: float, is_explained: bool) -> list[Json]:
    """The table in as many parts, one below the other, as its columns need.

    It fills the card, unless its notes fit beside it.
    """
    labels, rows = texts(game, table)
    if is_event_list(table):
        codes = [code for row_codes in table.cells.values() for code in row_codes]
        labels = [*labels, EFFECT]
        rows = [
            (row, [*row_cells, _capital(table.results[code].meaning)])
            for (row, row_cells), code in zip(rows, codes, strict=True)
        ]
    corner = format_heading(game, table.row_title, table) if table.row_title else ""
    colors = fills(game, table)
    for parts in range(1, len(labels) + 1):
        share = -(-len(labels) // parts)
        cuts = [slice(i, i + share) for i in range(0, len(labels), share)]
        grids = []
        for cut in cuts:
            cells = [(row, row_cells[cut]) for row, row_cells in rows]
            layout = fit_columns(corner, labels[cut], cells, room, fill=False)
            if layout is None:
                break
            free_width = room - sum(layout[1]) - GAP
            if not (parts == 1 and is_explained and free_width > max(SIDE_WIDTH, 0.4 * room)):
                layout = fit_columns(corner, labels[cut], cells, room, fill=True) or layout
            grids.append(_grid(corner, labels[cut], cells, layout, colors))
        if len(grids) == len(cuts):
            return grids
    raise NoRoom(f"{table.title}: a row or column is too wide for {room:.0f} mm; shorten its heads or cells")


def _fold_table(game: Game, table: Table, room: float) -> list[Json]:
    """The upper and the lower half of a table's rows, to be placed side by side."""
    rows = list(table.cells)
    half_count = -(-len(rows) // 2)
    parts = [rows[:half_count], rows[half_count:]]
    half_width = (room - GAP) / 2
    halves = [
        _grids(
            game,
            replace(table, cells=MappingProxyType({row: table.cells[row] for row in half_rows})),
            half_width,
            False,
        )
        for half_rows in parts
    ]
    return [{**grids[0], "widths": halves[0][0]["widths"]} for grids in halves]


def _grid(
    corner: str, heads: list[str], rows: list[tuple[str, list[str]]], layout: tuple[float, list[float]], colors: Any
) -> Json:
    columns = [[row for row, _ in rows], *(list(column) for column in zip(*(cells for _, cells in rows), strict=True))]
    return {
        "size": layout[0],
        "widths": [round(width, 3) for width in layout[1]],
        "heads": [corner, *heads],
        "left": [level_left(column, n) for n, column in enumerate(columns)],
        "rows": [
            [{"said": row, "fill": ""}, *({"said": cell, "fill": colors.get(cell, "")} for cell in cells)]
            for row, cells in rows
        ],
    }
