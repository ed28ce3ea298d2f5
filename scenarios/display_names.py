"""The names of counters for people: in answers, in the chat of a module, in its palette."""

from __future__ import annotations

from scenarios.model.counters import Unit
from scenarios.model.game import Game
from scenarios.model.memo import cached_on


def display_name(game: Game, unit: Unit, nation: str = "", always: bool = False) -> str:
    """A counter's name. It has the adjective of its nation if the name alone is ambiguous, or if `always` is set.

    `nation` is the nation that uses the counter, in a scenario that gives a nation the counters of another.
    """
    adjective = nation_adjective(game, nation or unit.nation) if always or needs_nation(game, unit) else ""
    return f"{adjective} {unit.name}" if adjective else unit.name


def nation_adjective(game: Game, nation: str) -> str:
    """The adjective of a nation, else its name. Empty for an unknown nation."""
    nation_record = game.nations.get(nation)
    return "" if nation_record is None else nation_record.adjective or nation_record.name


def needs_nation(game: Game, unit: Unit) -> bool:
    """Whether a counter's name leaves its nation open: it has no letter, or an enemy has a formation of the same name."""
    return not any(map(str.isalpha, unit.name)) or (unit.count == 1 and unit.name in cached_on(game, _shared_names))


def _shared_names(game: Game) -> frozenset[str]:
    """The names that counters of several sides share."""
    sides: dict[str, set[str]] = {}
    for unit in game.units.values():
        sides.setdefault(unit.name, set()).add(game.nations[unit.nation].side)
    return frozenset(name for name, owners in sides.items() if len(owners) > 1)
