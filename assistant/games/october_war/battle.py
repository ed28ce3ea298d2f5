"""A battle: who fights where, what falls before it, and what it comes to (15.0, 16.0)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from assistant.answers import BadQuestion
from assistant.attack import Answer, Fields
from assistant.games.october_war.forces import Army, Policy, army
from scenarios.game import Game

# --- what it comes to -------------------------------------------------------------------------------------------------


ATTACKER, DEFENDER = "attacker", "defender"


class Toll(NamedTuple):
    """Who holds the point, and the casualty points of both sides."""

    holder: str
    attacker: int
    defender: int


class Weight(NamedTuple):
    """The chance that the attacker holds the point, and the casualty points of both sides on average."""

    holds: Fraction
    attacker: Fraction
    defender: Fraction


class Volley(NamedTuple):
    """What one unit fires on in the first round."""

    side: str
    name: str
    answer: Answer


@dataclass(frozen=True)
class Result:
    """A battle, solved. Every mapping of chances adds up to 1."""

    attacker: Army
    defender: Army
    first: str
    volleys: tuple[Volley, ...]
    notes: tuple[str, ...]
    ends: Mapping[tuple[str, str], int]
    """In how many ways each holder is left with the point, and what became of the other side: `eliminated`, `retreated`
    or `no result`."""
    paid: Mapping[Toll, int]
    """In how many ways each toll is paid."""
    standing: Mapping[str, Mapping[str, int]]
    """Of each side, how many units of each name are in the point afterwards, summed over all ways."""
    of: int
    """How many ways there are."""
    rounds: Mapping[int, Fraction]
    """The chance of each number of rounds; 0 where the blows before them end the battle."""

    def holds(self) -> dict[str, Fraction]:
        """The chance that each side holds the point."""
        return {
            side: Fraction(sum(ways for (holder, _), ways in self.ends.items() if holder == side), self.of)
            for side in (ATTACKER, DEFENDER)
        }

    def whys(self) -> dict[tuple[str, str], Fraction]:
        """The chance of each way it ends: who holds the point and why."""
        return {key: Fraction(ways, self.of) for key, ways in self.ends.items()}

    def tolls(self) -> dict[Toll, Fraction]:
        """Who holds the point with which casualty points."""
        return {toll: Fraction(ways, self.of) for toll, ways in self.paid.items()}

    def casualties(self, side: str) -> dict[int, Fraction]:
        """The chance of each number of casualty points of a side."""
        return {points: Fraction(ways, self.of) for points, ways in sorted(self._suffered(side).items())}

    def mean_casualties(self, side: str) -> Fraction:
        """Casualty points to expect."""
        return Fraction(sum(points * ways for points, ways in self._suffered(side).items()), self.of)

    def weight(self) -> Weight:
        """The battle in three numbers."""
        return Weight(self.holds()[ATTACKER], self.mean_casualties(ATTACKER), self.mean_casualties(DEFENDER))

    def left(self, side: str) -> dict[str, Fraction]:
        """How many units of each name a side has in the point afterwards, on average."""
        return {name: Fraction(many, self.of) for name, many in self.standing[side].items()}

    def _suffered(self, side: str) -> dict[int, int]:
        found: dict[int, int] = {}
        for toll, ways in self.paid.items():
            points = toll.attacker if side == ATTACKER else toll.defender
            found[points] = found.get(points, 0) + ways
        return found


# --- who fights where -------------------------------------------------------------------------------------------------


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


def armies(battle: Battle) -> dict[str, Army]:
    """Both armies of a battle that makes sense."""
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
        name: army(battle.game, units, policy, side, battle.elsewhere, battle.at_home)
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
