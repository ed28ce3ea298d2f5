"""Contingents (2.6, 7.4, 7.5)."""

from __future__ import annotations

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


def label(game: Game, unit: Unit) -> str:
    """A unit beside those of other nations: Israeli 7, Egyptian 4."""
    nation = game.nations[unit.nation]
    return f"{nation.adjective or nation.name} {unit.name}"
