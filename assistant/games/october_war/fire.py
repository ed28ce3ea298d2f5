"""A battle as it is told: who fights where, who fires, what falls before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from assistant.attacks import BadQuestion, Fields
from assistant.games.october_war.forces import Army, army
from assistant.games.october_war.policy import Policy
from assistant.games.october_war.result import ATTACKER, DEFENDER
from scenarios.game import Game

OWN_INPUTS = ("attacking", "headquarters", "engineer", "armor")
"""What the ground attack asks and a battle works out for each shot."""


class Blow(NamedTuple):
    """An air attack or a barrage before the ground fire: the chances of its codes on the ground table."""

    name: str
    codes: Mapping[str, Fraction]
    feared: bool = False
    """The attacker chooses what is lost (26.3)."""


@dataclass(frozen=True)
class Battle:
    """Who fights where, and what is told of it. Pairs are the attacker's and the defender's."""

    game: Game
    attackers: Sequence[Fields]
    defenders: Sequence[Fields]
    inputs: Fields = field(default_factory=dict)
    """Those of the ground attack, but what the battle works out itself."""
    first: str = DEFENDER
    near: tuple[Mapping[str, int], Mapping[str, int]] = ({}, {})
    """The best headquarters next to the point, by nation; under no name, one that helps all."""
    policies: tuple[Policy, Policy] = (Policy(), Policy())
    advisers: tuple[str, ...] = ()
    """The headquarters next to the point, by counter, whose leader values are in `near`."""
    contingent: str = ""
    """Of a mixed Arab attack only one army fires (12.3, 22.1): this one, or else the strongest."""
    blows: tuple[Blow, ...] = ()
    offers: tuple[tuple[str, Blow], ...] = ()
    """Blows that could fall besides, to see what they would change."""
    shifts: tuple[int, int] = (0, 0)
    """Further columns to the right, to see what one more would change."""
    elsewhere: Mapping[str, int] = field(default_factory=dict)
    """Counters elsewhere on the map, which nobody breaks down into (9.4)."""
    notes: tuple[str, ...] = ()
    """What a position tells besides."""
    at_home: int = 0
    """How many city brigades aren't counted for stacking there (5.2 (2))."""
    casualties: Mapping[str, int] = field(default_factory=dict)
    """The casualty points so far by their tracks, where they are known."""
    golan: bool = False
    """On the Golan; else in the Sinai."""


def other(side: str) -> str:
    """The other side of a battle."""
    return DEFENDER if side == ATTACKER else ATTACKER


def armies(battle: Battle, known: Mapping[str, Army]) -> dict[str, Army]:
    """Both armies of a battle that makes sense, but for those that are known."""
    if not battle.attackers or not battle.defenders:
        raise BadQuestion("a battle needs units on both sides")
    for key in battle.inputs:
        if key in OWN_INPUTS:
            raise BadQuestion(f"{key!r} is worked out for each shot of a battle; leave it out")
    forces = (battle.attackers, battle.defenders)
    sides = [str(units[0]["side"]) for units in forces]
    if sides[0] == sides[1]:
        raise BadQuestion(f"both forces are of the {sides[0]} side")
    return {
        name: known.get(name) or army(battle.game, units, policy, side, battle.elsewhere, battle.at_home)
        for name, units, policy, side in zip((ATTACKER, DEFENDER), forces, battle.policies, sides, strict=True)
    }


def firing_nation(attackers: Sequence[Fields], wanted: str = "") -> str:
    """The army that fires in an attack (12.3, 22.1): the one that is told, or else the strongest."""
    nations: dict[str, Fraction] = {}
    for unit in attackers:
        name, strength = str(unit["nation"]), Fraction(str(unit["strength"]))
        nations[name] = nations.get(name, Fraction(0)) + strength
    if wanted and wanted not in nations:
        raise BadQuestion(f"no attacker is of {wanted!r}; there are {', '.join(nations)}")
    return wanted or max(nations, key=lambda nation: nations[nation])
