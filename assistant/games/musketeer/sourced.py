"""Which numbers of an answer the rulebook doesn't give, by the entry of an overlay that would replace each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assistant.shared.strengths import OURS, not_the_books
from scenarios.counters import Unit
from scenarios.game import Game


def ours(game: Game, units: Iterable[Unit], factor: str, tables: Sequence[str] = ()) -> list[str]:
    """The overlay entries of a factor of units, and of the cells of tables, that are neither the rulebook's nor, by an
    overlay, the user's own."""
    found = list(not_the_books((unit, factor) for unit in units))
    found += [f"tables/{name}/cells" for name in tables if (source := game.tables[name].source) and source.word in OURS]
    if not game.overlays:
        return found
    left = {datum.path for datum in game.data if datum.source is not None and datum.source.word in OURS}
    return [entry for entry in found if entry in left or any(path.startswith(f"{entry}/") for path in left)]


def ours_text(found: Sequence[str]) -> list[str]:
    """The same for a person."""
    return [f"not the rulebook's, by the entry of an overlay: {', '.join(found)}"] if found else []
