"""A combat of Operation Musketeer as it is told, and what it comes to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple, TypeVar

from assistant.attack import Applied, Failure, Value
from assistant.games.musketeer.fighters import Body, Fighter, Side, Support
from scenarios.game import Game

Key = TypeVar("Key")
ATTACKER, DEFENDER = "attacker", "defender"


@dataclass(frozen=True)
class Combat:
    """A combat: who fights, where, and what is told of it."""

    game: Game
    attackers: tuple[Fighter, ...]
    defenders: tuple[Fighter, ...]
    inputs: Mapping[str, Value]
    support: tuple[Support, Support] = (Support(), Support())
    policies: tuple[str, str] = ("spread", "spread")
    grounds: tuple[str, ...] = ()
    """The terrain that each attacking stack stands on, where it is known: Egyptians may stay there (16.1)."""
    shifts: tuple[int, int] = (0, 0)
    """Further columns to the right, to see what one more would change."""
    spares_air: bool = False
    """The attacker gives up special forces or guerrillas to an A/G before an airstrike (25.6)."""
    mapped: Callable[[Sequence[Fighter]], Mapping[str, Value]] = lambda attackers: {}
    """What the map tells of the combat with these attackers: hexsides and angles change with the stacks."""
    fired_at: int | None = None
    """The attacking stack that the defenders fire at: one, of their choice (14.4)."""

    @property
    def sides(self) -> tuple[tuple[Fighter, ...], tuple[Fighter, ...]]:
        return self.attackers, self.defenders

    @cached_property
    def aim(self) -> int:
        """The stack that the defenders fire at; the strongest, where none is told that is there."""
        strengths: dict[int, Fraction] = {}
        for unit in self.attackers:
            strengths[unit.stack] = strengths.get(unit.stack, Fraction(0)) + unit.strengths[0]
        if self.fired_at in strengths:
            return self.fired_at
        return max(strengths, key=lambda stack: (strengths[stack], -stack))


class Shot(NamedTuple):
    """How a unit would fire at the start: the column, its shift with every reason, and why it may not."""

    column: str
    shift: int
    applied: tuple[Applied, ...]
    failures: tuple[Failure, ...]


class Cleared(NamedTuple):
    """In how many ways of the throws no defender is left in the hex, and attackers may and must pursue (17.0)."""

    all: int
    may_pursue: int
    must_pursue: int


@dataclass(frozen=True)
class Outcome:
    """A combat, solved: the chance of every final state."""

    combat: Combat
    first: str
    shots: tuple[tuple[Shot, ...], tuple[Shot, ...]]
    """How each unit of each side would fire at the start."""
    sides: tuple[Mapping[Side, int], Mapping[Side, int]]
    """In how many ways of the throws each side ends as it does, whatever becomes of the other."""
    ways: Cleared
    throws: int

    def gathered(self, side: int, key: Callable[[Side], Key]) -> dict[Key, Fraction]:
        """The chances of what the ends of one side have in common."""
        result: dict[Key, int] = {}
        for end, ways in self.sides[side].items():
            name = key(end)
            result[name] = result.get(name, 0) + ways
        return {name: Fraction(ways, self.throws) for name, ways in result.items()}

    def cleared(self) -> Fraction:
        """The chance that no defender is left in the hex."""
        return Fraction(self.ways.all, self.throws)

    def may_pursue(self) -> Fraction:
        """The chance that attackers who can pursue have cleared the hex (17.1, 17.5)."""
        return Fraction(self.ways.may_pursue, self.throws)

    def must_pursue(self) -> Fraction:
        """The chance that the hex is cleared and an asterisk makes the attackers follow (17.6)."""
        return Fraction(self.ways.must_pursue, self.throws)

    def losses(self, side: str) -> dict[tuple[int, int, int], Fraction]:
        """The chance of each (eliminated, disrupted, retreated) of a side; the retreated may be disrupted too."""
        number = (ATTACKER, DEFENDER).index(side)
        fighters = self.combat.sides[number]

        def count(end: Side) -> tuple[int, int, int]:
            gone = worn = away = 0
            for unit, body in zip(fighters, end.bodies, strict=True):
                gone += body.lost >= unit.steps
                worn += 0 < body.lost < unit.steps
                away += body.away
            return gone, worn, away

        return dict(sorted(self.gathered(number, count).items()))

    def air_lost(self) -> dict[int, Fraction]:
        """The chance of each number of close air support airstrikes lost (19.9)."""
        began = self.combat.support[0].cas
        return dict(sorted(self.gathered(0, lambda end: began - end.support.cas).items()))

    def fate(self, side: str, place: int) -> Mapping[str, Fraction]:
        """What may become of one unit, the likeliest first."""
        return self._fates[(ATTACKER, DEFENDER).index(side)][place]

    @cached_property
    def _fates(self) -> list[list[Mapping[str, Fraction]]]:
        return [
            [self._fate(number, place) for place in range(len(side))] for number, side in enumerate(self.combat.sides)
        ]

    def _fate(self, number: int, place: int) -> Mapping[str, Fraction]:
        ways: dict[Body, int] = {}
        for end, count in self.sides[number].items():
            body = end.bodies[place]
            ways[body] = ways.get(body, 0) + count
        steps = self.combat.sides[number][place].steps
        named: dict[str, int] = {}
        for body, count in sorted(ways.items()):
            name = body.named(steps)
            named[name] = named.get(name, 0) + count
        likely = sorted(named, key=lambda name: -named[name])
        return {name: Fraction(named[name], self.throws) for name in likely}
