"""Which numbers of an answer the rulebook doesn't give, by the entry of an overlay that would replace each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assistant.shared.strengths import OURS, not_the_books, still_ours
from scenarios.counters import Unit
from scenarios.game import Game


def ours(game: Game, units: Iterable[Unit], factor: str, tables: Sequence[str] = ()) -> list[str]:
    """The overlay entries of a factor of units, and of the cells of tables, that are neither the rulebook's nor, by an
    overlay, the user's own."""
    cells = [f"tables/{name}/cells" for name in tables if (source := game.tables[name].source) and source.word in OURS]
    return [*not_the_books(game, ((unit, factor) for unit in units)), *still_ours(game, cells)]


def ours_text(found: Sequence[str]) -> list[str]:
    """The same for a person."""
    return [f"not the rulebook's, by the entry of an overlay: {', '.join(found)}"] if found else []
