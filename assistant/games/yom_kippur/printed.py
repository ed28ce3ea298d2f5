"""Numbers that aren't the rulebook's, and where a user's own go."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.answers import Ours
from assistant.games.yom_kippur.field import Stand
from assistant.shared import sourced
from assistant.shared.sourced import Cell
from assistant.shared.strengths import OURS, map_sources, still_ours
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.sources import Source

STEPS = "steps"
"""Besides the factors, a number of a unit that an answer may rest on."""


def ours(
    game: Game, pairs: Iterable[tuple[Stand, str]] = (), cells: Iterable[Cell] = (), *, ground: bool = False
) -> dict[str, str]:
    """The overlay entries of what isn't the rulebook's: factors on the face that shows and steps of units, cells of
    tables, with `ground` the map."""
    factors: list[tuple[Unit, str]] = []
    more: dict[str, Source | None] = dict(map_sources(game)) if ground else {}
    for stand, factor in pairs:
        place, sources = f"counters/{stand.unit.template}", stand.unit.counter.sources
        back = sources.get("back") if stand.reduced and stand.unit.back is not None else None
        if factor == STEPS:
            more[f"{place}/{STEPS}"] = sources.get(STEPS) or stand.unit.counter.source
        elif back is not None:
            more[f"{place}/back/factors/{factor}"] = back
        else:
            factors.append((stand.unit, factor))
    return sourced.ours(game, factors, cells=cells, more=more)


def table_notes(game: Game, *ids: str) -> list[str]:
    """A line for each of these tables that has cells of ours."""
    found = []
    for id in ids:
        table = game.tables[id]
        sources = (table.source_of(row, column) for row in table.cells for column in table.columns.labels)
        entry = f"tables/{id}/cells"
        if any(source is not None and source.word in OURS for source in sources) and still_ours(game, [entry]):
            found.append(f"the {table.title} isn't the rulebook's; your own: overlay {entry}")
    return found


def ours_tables(game: Game, *ids: str) -> list[Ours]:
    """The same as a node of an answer."""
    found = {}
    for id in ids:
        table = game.tables[id]
        words = {source.word for row in table.cells for column in table.columns.labels if (source := table.source_of(row, column))}
        if (words & set(OURS)) and still_ours(game, [f"tables/{id}/cells"]):
            found[f"tables/{id}/cells"] = next(iter(sorted(words & set(OURS))))
    return [Ours(found)] if found else []
