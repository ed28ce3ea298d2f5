"""Which numbers of an answer the rulebook doesn't give, by the entry of an overlay that would replace each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assistant.shared.strengths import not_the_books, still_ours
from scenarios.counters import Unit
from scenarios.data import OURS
from scenarios.game import Game
from scenarios.sources import Source

Cell = tuple[str, str, str]
"""A table, a row and a column."""
SHOWN = 4
"""How many entries a line tells."""


def ours(
    game: Game, factors: Iterable[tuple[Unit, str]] = (), tables: Iterable[str] = (), cells: Iterable[Cell] = (),
    more: Mapping[str, Source | None] | None = None,
) -> dict[str, str]:  # fmt: skip
    """The overlay entries of factors, of whole tables, of single cells and of other numbers that are neither the
    rulebook's nor, by an overlay, the user's own; each with the word of its source.

    Where all cells of a table are ours, or more than a few of those used, its entry stands for them.
    """
    found = not_the_books(game, factors)
    used: dict[str, dict[str, str]] = {}
    whole = [(name, row, column) for name in tables for row in game.tables[name].cells for column in game.tables[name].columns.labels]
    for name, row, column in (*whole, *cells):
        source = game.tables[name].source_of(row, column)
        if source is not None and source.word in OURS:
            used.setdefault(name, {})[f"tables/{name}/cells/{row}/{column}"] = source.word
    single: dict[str, str] = {}
    for name, entries in used.items():
        left = still_ours(game, entries)
        kept = {entry: entries[entry] for entry in left}
        single |= kept if len(kept) < SHOWN else {f"tables/{name}/cells": next(iter(kept.values()))}
    others = {entry: source.word for entry, source in (more or {}).items() if source is not None and source.word in OURS}
    return {**found, **single, **{entry: others[entry] for entry in still_ours(game, others)}}
