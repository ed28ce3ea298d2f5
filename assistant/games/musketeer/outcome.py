"""A combat of Operation Musketeer as it is told, and what it comes to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeVar

from assistant.attacks import Answer, Value
from assistant.games.musketeer.fighters import Body, Fighter, Side, Support, standing
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


@dataclass(frozen=True)
class Outcome:
    """A combat, solved: the chance of every final state."""

    combat: Combat
    first: str
    shots: tuple[tuple[Answer, ...], tuple[Answer, ...]]
    """How each unit of each side would fire at the start."""
    ends: tuple[Sequence[Side], Sequence[Side]]
    """What can become of each side."""
    ways: Mapping[tuple[int, int], int]
    """In how many ways of the throws the sides end as they do, by the places in `ends`."""
    throws: int

    @cached_property
    def sides(self) -> tuple[Mapping[int, int], Mapping[int, int]]:
        """In how many ways each side ends as it does, whatever becomes of the other."""
        found: tuple[dict[int, int], dict[int, int]] = ({}, {})
        one, other = found
        for (attacker, defender), ways in self.ways.items():
            one[attacker] = one.get(attacker, 0) + ways
            other[defender] = other.get(defender, 0) + ways
        return found

    def gathered(self, side: int, key: Callable[[Side], Key]) -> dict[Key, Fraction]:
        """The chances of what the ends of one side have in common."""
        result: dict[Key, int] = {}
        for end, ways in self.sides[side].items():
            name = key(self.ends[side][end])
            result[name] = result.get(name, 0) + ways
        return {name: Fraction(ways, self.throws) for name, ways in result.items()}

    def cleared(self) -> Fraction:
        """The chance that no defender is left in the hex."""
        return self.gathered(1, self._cleared).get(True, Fraction(0))

    def _cleared(self, defender: Side) -> bool:
        return not standing(self.combat.defenders, defender.bodies)

    def must_pursue(self) -> Fraction:
        """The chance that the hex is cleared and an asterisk makes the attackers follow (17.6)."""
        return self._pursuit[1]

    def may_pursue(self) -> Fraction:
        """The chance that attackers who can pursue have cleared the hex (17.1, 17.5)."""
        return self._pursuit[0]

    @cached_property
    def _pursuit(self) -> tuple[Fraction, Fraction]:
        """The chances that attackers may pursue, and that they must."""
        able, together = self._able, self.combat.inputs.get("concentric") is True
        good = [
            [] if defender.by < 0 else [bool(stacks) if together else defender.by in stacks for stacks in able]
            for defender in self.ends[1]
        ]
        may = must = 0
        for (one, other), count in self.ways.items():
            if good[other] and good[other][one]:
                may += count
                must += count if self.ends[1][other].pursuit else 0
        return Fraction(may, self.throws), Fraction(must, self.throws)

    @cached_property
    def _able(self) -> list[set[int]]:
        """For each end of the attacker, the stacks with someone who can pursue: only the stack that cleared the hex, or
        all of a concentric attack; no static unit, nobody who landed there (17.1, 17.5, 29.4, 29.5)."""
        units = self.combat.attackers
        able = {
            place
            for place, unit in enumerate(units)
            if unit.fields["class"] != "static" and unit.fields.get("direct_assault") is not True
        }
        return [{units[i].stack for i in standing(units, end.bodies) if i in able} for end in self.ends[0]]

    def losses(self, side: str) -> dict[tuple[int, int, int], Fraction]:
        """The chance of each (eliminated, disrupted, retreated) of a side; the retreated may be disrupted too."""
        number = (ATTACKER, DEFENDER).index(side)
        fighters = self.combat.sides[number]

        def count(end: Side) -> tuple[int, int, int]:
            bodies = end.bodies
            gone = sum(b.lost >= f.steps for f, b in zip(fighters, bodies, strict=True))
            worn = sum(0 < b.lost < f.steps for f, b in zip(fighters, bodies, strict=True))
            return gone, worn, sum(b.away for b in bodies)

        return dict(sorted(self.gathered(number, count).items()))

    def air_lost(self) -> dict[int, Fraction]:
        """The chance of each number of close air support airstrikes lost (19.9)."""
        began = self.combat.support[0].cas
        return dict(sorted(self.gathered(0, lambda end: began - end.support.cas).items()))

    def fate(self, side: str, place: int) -> Mapping[str, Fraction]:
        """What may become of one unit."""
        return self._fates[(ATTACKER, DEFENDER).index(side)][place]

    @cached_property
    def _fates(self) -> list[list[Mapping[str, Fraction]]]:
        return [
            [self._fate(number, place) for place in range(len(side))] for number, side in enumerate(self.combat.sides)
        ]

    def _fate(self, number: int, place: int) -> Mapping[str, Fraction]:
        steps = self.combat.sides[number][place].steps

        def name(body: Body) -> str:
            if body.lost >= steps:
                return "eliminated"
            return " and ".join(("disrupted",) * bool(body.lost) + ("retreated",) * body.away) or "unharmed"

        result: dict[str, Fraction] = {}
        for body, chance in self.gathered(number, lambda end: end.bodies[place]).items():
            result[name(body)] = result.get(name(body), Fraction(0)) + chance
        return result
