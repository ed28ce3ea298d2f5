"""The forces that a battle comes to, numbered, so that what is known of each is worked out once."""

from __future__ import annotations

from fractions import Fraction

from assistant.games.october_war.forces import Army, Force, Kind
from assistant.games.october_war.losses import can_all_leave, leave, suffer
from scenarios.tables import Table


class Ledger:
    """The forces of one army in the order in which a battle meets them."""

    def __init__(self, army: Army, table: Table) -> None:
        self.army, self.table = army, table
        self.forces: list[Force] = []
        self.depths: list[int] = []
        """How many losses each force can take; 0 where nobody is left."""
        self._worth = [_depth(army.kinds, kind) for kind in army.kinds]
        self._numbers: dict[Force, int] = {}
        self._settled: dict[int, tuple[int, int]] = {}
        self._hits: dict[tuple[int, str, bool], int] = {}
        self._points: dict[int, int] = {}
        self._strengths: dict[int, Fraction] = {}

    def number(self, force: Force) -> int:
        """The number of a force, a new one if it is new."""
        found = self._numbers.get(force)
        if found is None:
            found = self._numbers[force] = len(self.forces)
            self.forces.append(force)
            self.depths.append(sum(n * worth for n, worth in zip(force.present, self._worth, strict=True) if n))
        return found

    def settled(self, number: int) -> tuple[int, int]:
        """A force without what has retreated from it, and the casualty points that this would be."""
        found = self._settled.get(number)
        if found is None:
            force = self.forces[number]
            found = self._settled[number] = (self.number(force.settled) if force.away else number), force.away
        return found

    def hit(self, number: int, code: str, feared: bool = False) -> int:
        """What a result leaves of a force; `feared` where the enemy chooses what is lost (26.3)."""
        key = (number, code, feared)
        if key not in self._hits:
            force = suffer(self.army, self.forces[number], self.table.results[code].effects, feared)
            self._hits[key] = self.number(force)
        return self._hits[key]

    def gone(self, number: int) -> tuple[int, int] | None:
        """A force that has left of its own will, settled (16.3); None where not all of it can."""
        force = self.forces[number]
        return self.settled(self.number(leave(self.army, force))) if can_all_leave(self.army, force) else None

    def points(self, number: int) -> int:
        """The casualty points that a settled force would be (7.4)."""
        if number not in self._points:
            self._points[number] = self.army.points(self.forces[number])
        return self._points[number]

    def strength(self, number: int) -> Fraction:
        """The printed strengths of all that are present."""
        if number not in self._strengths:
            self._strengths[number] = self.army.strength(self.forces[number])
        return self._strengths[number]


def _depth(kinds: tuple[Kind, ...], kind: Kind) -> int:
    """The losses that a unit can take (16.1): to break down, and all those of its parts."""
    return 1 + sum(count * _depth(kinds, kinds[part]) for part, count in kind.parts.items())
