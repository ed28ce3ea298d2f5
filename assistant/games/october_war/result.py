"""What a battle of October War comes to: endings, casualties, who holds the point."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from assistant.attacks import Answer
from assistant.games.october_war.forces import Army, Force
from assistant.shared.chains import gather, mean

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
        return gather(self.endings, lambda end: (end.holder, end.why))

    def tolls(self) -> dict[Toll, Fraction]:
        """Who holds the point with which casualty points."""
        return self._tolls

    @cached_property
    def _tolls(self) -> dict[Toll, Fraction]:
        return gather(self.endings, self._toll)

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
        result: dict[str, Fraction] = {}
        for end, chance in self.endings.items():
            held = self.attacker.names(end.attacker) if side == ATTACKER else self.defender.names(end.defender)
            for name, count in held.items():
                result[name] = result.get(name, Fraction(0)) + chance * count
        return result

    def _toll(self, end: Ending) -> Toll:
        return Toll(end.holder, self.attacker.casualties(end.attacker), self.defender.casualties(end.defender))
