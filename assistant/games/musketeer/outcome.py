"""A combat of Operation Musketeer as it is told, and what it comes to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeVar

from assistant.attacks import Answer, Value
from assistant.games.musketeer.fighters import Fighter, State, Support, standing
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
    volleys: tuple[tuple[str, str, Answer], ...]
    ways: Mapping[State, int]
    """In how many ways of the throws it ends in each state."""
    throws: int

    @cached_property
    def states(self) -> Mapping[State, Fraction]:
        """The chance of each state."""
        return {state: Fraction(ways, self.throws) for state, ways in self.ways.items()}

    def gathered(self, key: Callable[[State], Key]) -> dict[Key, Fraction]:
        """The chances of what states have in common."""
        result: dict[Key, int] = {}
        for state, ways in self.ways.items():
            name = key(state)
            result[name] = result.get(name, 0) + ways
        return {name: Fraction(ways, self.throws) for name, ways in result.items()}

    def cleared(self) -> Fraction:
        """The chance that no defender is left in the hex."""
        return self._chance(lambda state: not standing(self.combat.defenders, state.bodies[1]))

    def must_pursue(self) -> Fraction:
        """The chance that the hex is cleared and an asterisk makes the attackers follow (17.6)."""
        return self._chance(lambda state: state.pursuit and self._may(state))

    def may_pursue(self) -> Fraction:
        """The chance that attackers who can pursue have cleared the hex (17.1, 17.5)."""
        return self._chance(self._may)

    def _may(self, state: State) -> bool:
        """Only the stack that cleared the hex, or all of a concentric attack; no static unit, nobody who landed there
        (17.1, 17.5, 29.4, 29.5)."""
        together = self.combat.inputs.get("concentric") is True
        for i in standing(self.combat.attackers, state.bodies[0]) if state.by >= 0 else ():
            unit = self.combat.attackers[i]
            able = unit.fields["class"] != "static" and unit.fields.get("direct_assault") is not True
            if able and (together or unit.stack == state.by):
                return True
        return False

    def losses(self, side: str) -> dict[tuple[int, int, int], Fraction]:
        """The chance of each (eliminated, disrupted, retreated) of a side; the retreated may be disrupted too."""
        number = (ATTACKER, DEFENDER).index(side)
        fighters = self.combat.sides[number]

        def count(state: State) -> tuple[int, int, int]:
            bodies = state.bodies[number]
            gone = sum(b.lost >= f.steps for f, b in zip(fighters, bodies, strict=True))
            worn = sum(0 < b.lost < f.steps for f, b in zip(fighters, bodies, strict=True))
            return gone, worn, sum(b.away for b in bodies)

        return dict(sorted(self.gathered(count).items()))

    def air_lost(self) -> dict[int, Fraction]:
        """The chance of each number of close air support airstrikes lost (19.9)."""
        began = self.combat.support[0].cas
        return dict(sorted(self.gathered(lambda state: began - state.support[0].cas).items()))

    def fate(self, side: str, place: int) -> dict[str, Fraction]:
        """What may become of one unit."""
        number = (ATTACKER, DEFENDER).index(side)
        steps = self.combat.sides[number][place].steps

        def name(state: State) -> str:
            body = state.bodies[number][place]
            if body.lost >= steps:
                return "eliminated"
            return " and ".join(("disrupted",) * bool(body.lost) + ("retreated",) * body.away) or "unharmed"

        return self.gathered(name)

    def _chance(self, holds: Callable[[State], bool]) -> Fraction:
        return Fraction(sum(ways for state, ways in self.ways.items() if holds(state)), self.throws)
