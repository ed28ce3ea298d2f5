"""Which numbers of an answer the rulebook doesn't give, by the entry of an overlay that would replace each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assistant.shared.strengths import not_the_books
from scenarios.counters import Unit
from scenarios.game import Game


def ours(game: Game, units: Iterable[Unit], factor: str, tables: Sequence[str] = ()) -> list[str]:
    """The overlay entries of a factor of units, and of the cells of tables, that are not the rulebook's."""
    found = list(not_the_books((unit, factor) for unit in units))
    for name in tables:
        source = game.tables[name].source
        if source is not None and source.word not in ("rulebook", "mine"):
            found.append(f"tables/{name}/cells")
    return found


def ours_text(found: Sequence[str]) -> list[str]:
    """The same for a person."""
    return [f"not the rulebook's, by the entry of an overlay: {', '.join(found)}"] if found else []
