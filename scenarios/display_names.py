"""What a counter is called for people: in answers, in the chat of a module, in its palette."""

from __future__ import annotations

from scenarios.model.counters import Unit
from scenarios.model.game import Game
from scenarios.model.memo import cached_on


def display_name(game: Game, unit: Unit, nation: str = "", always: bool = False) -> str:
    """A counter's name, with the adjective of its nation where the name alone doesn't tell whose it is, or always.

    `nation` is whose it is in a scenario that gives a nation the counters of another.
    """
    adjective = nation_adjective(game, nation or unit.nation) if always or needs_nation(game, unit) else ""
    return f"{adjective} {unit.name}" if adjective else unit.name


def nation_adjective(game: Game, nation: str) -> str:
    """The adjective of a nation, or its name; nothing for one that isn't known."""
    nation_record = game.nations.get(nation)
    return "" if nation_record is None else nation_record.adjective or nation_record.name


def needs_nation(game: Game, unit: Unit) -> bool:
    """Whether a counter's name doesn't tell whose it is: it has no letter, or is a formation's that an enemy has too."""
    return not any(map(str.isalpha, unit.name)) or (unit.count == 1 and unit.name in cached_on(game, _shared_names))


def _shared_names(game: Game) -> frozenset[str]:
    """The names that counters of several sides have."""
    sides: dict[str, set[str]] = {}
    for unit in game.units.values():
        sides.setdefault(unit.name, set()).add(game.nations[unit.nation].side)
    return frozenset(name for name, owners in sides.items() if len(owners) > 1)
