"""Contingents (2.6, 7.4, 7.5)."""

from __future__ import annotations

from assistant.answers import Refusal
from scenarios.counters import Unit
from scenarios.game import Game

ANGLO_FRENCH = "anglo_french"
_NATIONS = {"britain": ANGLO_FRENCH, "france": ANGLO_FRENCH}


def contingent(nation: str) -> str:
    """The contingent of a nation: the British and the French are one."""
    return _NATIONS.get(nation, nation)


def nation_of(name: str) -> str:
    """A nation of a contingent, or the nation itself."""
    return next((nation for nation, whose in _NATIONS.items() if whose == name), name)


def called(game: Game, name: str) -> str:
    """What a contingent or a nation is called."""
    return "Anglo-French" if name == ANGLO_FRENCH else game.nations[name].name


def has_special(game: Game, whose: str) -> bool:
    """Whether a contingent has a special command marker; the Arab League has none (7.0)."""
    table = game.tables["escalation"]
    who, use = table.named_column("contingent"), table.named_column("use")
    return any(table.cell(row, who).code == whose and table.cell(row, use).code == "once" for row in table.cells)


def check_special(game: Game, nation: str, played: bool) -> None:
    """Refusal for a special command of a contingent that has none."""
    if played and not has_special(game, contingent(nation)):
        raise Refusal(f"{game.nations[nation].name} has no special command marker", "7.0")


def label(game: Game, unit: Unit) -> str:
    """A unit beside those of other nations: Israeli 7, Egyptian 4."""
    nation = game.nations[unit.nation]
    return f"{nation.adjective or nation.name} {unit.name}"
