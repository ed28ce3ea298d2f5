"""What a battle of October War comes to: endings, casualties, who holds the point."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from assistant.attacks import Answer
from assistant.games.october_war.forces import Army

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
