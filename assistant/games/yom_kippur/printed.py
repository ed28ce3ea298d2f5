"""Numbers that aren't the rulebook's, and where a user's own go."""

from __future__ import annotations

from collections.abc import Iterable

from assistant import sourced
from assistant.answers import Ours
from assistant.rules.field import Standing
from assistant.sourced import Cell, map_sources, still_ours
from scenarios.counters import Unit
from scenarios.data import OURS
from scenarios.game import Game
from scenarios.sources import Source

STEPS = "steps"
"""Besides the factors, a number of a unit that an answer may rest on."""


def ours(
    game: Game, pairs: Iterable[tuple[Standing, str]] = (), cells: Iterable[Cell] = (), *, ground: bool = False
) -> dict[str, str]:
    """The overlay entries of what isn't the rulebook's: factors on the face that shows and steps of units, cells of
    tables, with `ground` the map."""
    factors: list[tuple[Unit, str]] = []
    more: dict[str, Source | None] = dict(map_sources(game)) if ground else {}
    for standing, factor in pairs:
        entry, sources = f"counters/{standing.unit.template}", standing.unit.counter.sources
        back = sources.get("back") if standing.fields["reduced"] and standing.unit.back is not None else None
        if factor == STEPS:
            more[f"{entry}/{STEPS}"] = sources.get(STEPS) or standing.unit.counter.source
        elif back is not None:
            more[f"{entry}/back/factors/{factor}"] = back
        else:
            factors.append((standing.unit, factor))
    return sourced.ours(game, factors, cells=cells, more=more)


def ours_tables(game: Game, *ids: str) -> list[Ours]:
    """The tables among these that have cells of ours, as a node of an answer."""
    found = {}
    for id in ids:
        table = game.tables[id]
        words = {source.word for row in table.cells for column in table.columns.labels if (source := table.source_of(row, column))}
        if (words & set(OURS)) and still_ours(game, [f"tables/{id}/cells"]):
            found[f"tables/{id}/cells"] = next(iter(sorted(words & set(OURS))))
    return [Ours(found)] if found else []


def table_notes(game: Game, *ids: str) -> list[str]:
    """The same in words, for a refusal."""
    entries = [entry for node in ours_tables(game, *ids) for entry in node.numbers]
    titles = {f"tables/{id}/cells": game.tables[id].title for id in ids}
    return [f"the {titles[entry]} isn't the rulebook's; your own: overlay {entry}" for entry in entries]
