"""Numbers that aren't the rulebook's, and where a user's own go."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.answers import Ours
from assistant.games.yom_kippur.field import Stand
from assistant.shared.strengths import OURS, not_the_books, still_ours
from scenarios.game import Game


def ours(game: Game, pairs: Iterable[tuple[Stand, str]]) -> dict[str, str]:
    """The overlay entries of printed factors that aren't the rulebook's, on the face that shows."""
    found: dict[str, str] = {}
    for stand, factor in pairs:
        back = stand.unit.counter.sources.get("back") if stand.reduced and stand.unit.back is not None else None
        if back is not None:
            entry = f"counters/{stand.unit.template}/back/factors/{factor}"
            found |= dict.fromkeys(still_ours(game, [entry]), back.word)
        else:
            found |= not_the_books(game, [(stand.unit, factor)])
    return found


def ours_text(entries: dict[str, str], what: str) -> list[str]:
    """One line that says so."""
    many = f"{len(entries)} {what}s aren't" if len(entries) > 1 else f"1 {what} isn't"
    return [f"{many} the rulebook's; your own: overlay {next(iter(entries))}"] if entries else []


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
    return [Ours(found, "table")] if found else []
