"""What a battle of October War comes to: endings, casualties, who holds the point."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import NamedTuple

from assistant.attacks import Answer
from assistant.games.october_war.forces import Army, Force
from assistant.shared.chains import Key, gather, mean

ATTACKER, DEFENDER = "attacker", "defender"


class Ending(NamedTuple):
    """How a battle ends."""

    holder: str
    why: str
    """`eliminated`, `retreated`, or `no result`: what became of the other side."""
    attacker: Force
    defender: Force


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
    endings: Mapping[Ending, Fraction]
    notes: tuple[str, ...]
    count_rounds: Callable[[], Mapping[int, Fraction]]

    @cached_property
    def rounds(self) -> Mapping[int, Fraction]:
        """The chance of each number of rounds; 0 where the blows before it end the battle."""
        return self.count_rounds()

    def holds(self) -> dict[str, Fraction]:
        """The chance that each side holds the point."""
        found = gather(self._whys, lambda key: key[0])
        return {side: found.get(side, Fraction(0)) for side in (ATTACKER, DEFENDER)}

    def whys(self) -> dict[tuple[str, str], Fraction]:
        """The chance of each way it ends: who holds the point and why."""
        return self._whys

    @cached_property
    def _whys(self) -> dict[tuple[str, str], Fraction]:
        return self._gathered(lambda end: (end.holder, end.why))

    def tolls(self) -> dict[Toll, Fraction]:
        """Who holds the point with which casualty points."""
        return self._tolls

    @cached_property
    def _tolls(self) -> dict[Toll, Fraction]:
        return self._gathered(self._toll)

    def casualties(self, side: str) -> dict[int, Fraction]:
        """The chance of each number of casualty points of a side."""
        found = gather(self.tolls(), lambda toll: toll.attacker if side == ATTACKER else toll.defender)
        return dict(sorted(found.items()))

    def mean_casualties(self, side: str) -> Fraction:
        """Casualty points to expect."""
        return mean(self.casualties(side), lambda points: points)

    def weight(self) -> Weight:
        """The battle in three numbers."""
        return Weight(self.holds()[ATTACKER], self.mean_casualties(ATTACKER), self.mean_casualties(DEFENDER))

    def left(self, side: str) -> dict[str, Fraction]:
        """How many units of each name a side has in the point afterwards, on average."""
        army = self.attacker if side == ATTACKER else self.defender
        forces = self._gathered(lambda end: end.attacker.present if side == ATTACKER else end.defender.present)
        result: dict[str, Fraction] = {}
        for present, chance in forces.items():
            for name, count in army.names(Force(present)).items():
                result[name] = result.get(name, Fraction(0)) + chance * count
        return result

    @cached_property
    def _ways(self) -> tuple[Mapping[Ending, int], int]:
        """The endings in whole ways out of so many: adding these up takes a tenth of the time of adding fractions."""
        common = lcm(*(chance.denominator for chance in self.endings.values()))
        ways = {end: chance.numerator * (common // chance.denominator) for end, chance in self.endings.items()}
        return ways, common

    def _gathered(self, key: Callable[[Ending], Key]) -> dict[Key, Fraction]:
        """The chances of what the endings have in common."""
        ways, common = self._ways
        found: dict[Key, int] = {}
        for end, count in ways.items():
            name = key(end)
            found[name] = found.get(name, 0) + count
        return {name: Fraction(count, common) for name, count in found.items()}

    def _toll(self, end: Ending) -> Toll:
        return Toll(end.holder, self.attacker.casualties(end.attacker), self.defender.casualties(end.defender))
