"""The rounds of a battle as a chain of fires, solved exactly in whole numbers (15.2, 15.3, 16.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from assistant.games.october_war.fire import other
from assistant.games.october_war.guns import Guns
from assistant.games.october_war.result import ATTACKER, DEFENDER

QUIET, FIRST, SCORED = range(3)
"""Before the second fire of a round whose first had no result, before a round, before the second fire of a round whose
first had one. While the forces stay the same each leads only to those before it here."""
WIDE = 1_000
"""Both sides' retreated points are counted in one number: the attacker's times this, and the defender's."""
START = 0
"""The source of the first states."""

State = tuple[int, int, int]
"""What comes next, the attackers and the defenders, by the numbers of their forces."""
Arrivals = list[tuple[int, int, int]]
"""The ways into a state: from which state, with how many points that retreat, in how many ways."""


End = tuple[str, str, int, int]
"""Who holds the point, why, and both forces; why is left open where the other side is not there any more."""


class Opened(NamedTuple):
    """The forces after the blows before a battle, the defender's points that retreated, in how many ways."""

    attacker: int
    defender: int
    away: int
    ways: int


class Rounds:
    """All that can happen from the first fire of a battle to its end."""

    def __init__(self, guns: Mapping[str, Guns], first: str, opened: Iterable[Opened]) -> None:
        self.guns, self.first = guns, first
        self.attackers, self.defenders = guns[ATTACKER].own, guns[DEFENDER].own
        self.faces = guns[first].faces
        self.arrivals: list[Arrivals] = [[]]
        """Of every state, each leading only to later ones."""
        self.dice, self.begins = [0], [0]
        """Of every state: how many dice its fire is, and whether a round begins with it."""
        self.ends: dict[End, Arrivals] = {}
        # Who may leave and ever would: both after a round, the defender before he fires back (16.3).
        self.leaving = [self._leaving((ATTACKER, DEFENDER)), self._leaving([DEFENDER] * (first == ATTACKER))]
        self.opened = 0
        self._levels: dict[int, dict[State, Arrivals]] = {}
        for attacker, defender, away, ways in opened:
            self.opened += ways
            if self.defenders.depths[defender]:
                self._into((FIRST, attacker, defender)).append((START, away, ways))
            else:
                self._end(ATTACKER, "", attacker, defender).append((START, away, ways))
        # A result costs one side something, so states with more left of both come before those with less.
        for level in range(max(self._levels, default=-1), -1, -1):
            for state, arrivals in self._levels.pop(level, {}).items():
                self._fire(state, arrivals)
        if self._levels:
            raise ValueError("a result that changes nothing: the battle would never end")

    def _into(self, state: State) -> Arrivals:
        level = 3 * (self.attackers.depths[state[1]] + self.defenders.depths[state[2]]) + state[0]
        return self._levels.setdefault(level, {}).setdefault(state, [])

    def _end(self, holder: str, why: str, attacker: int, defender: int) -> Arrivals:
        return self.ends.setdefault((holder, why, attacker, defender), [])

    def _fire(self, state: State, arrivals: Arrivals) -> None:
        """One side's fire (15.2 (3), (4)), what it ends, and the retreats that may follow it (16.3)."""
        phase, attacker, defender = state
        shooter = self.first if phase == FIRST else other(self.first)
        at_defender = shooter == ATTACKER
        own, target = (attacker, defender) if at_defender else (defender, attacker)
        dice, outcomes = self.guns[shooter].fire(own, target)
        here = len(self.arrivals)
        self.arrivals.append(arrivals)
        self.dice.append(dice)
        self.begins.append(int(phase == FIRST))
        depths, wide = self.guns[shooter].enemy.depths, 1 if at_defender else WIDE
        leaving = self.leaving[phase == FIRST]
        for hit, scored, away, ways in outcomes:
            attacker, defender = (own, hit) if at_defender else (hit, own)
            gone = 0
            if not depths[hit]:
                into = self._end(shooter, "", attacker, defender)
            elif phase == QUIET and not scored:
                into = self._end(DEFENDER, "no result", attacker, defender)
            elif leaving and (left := self._left(leaving, attacker, defender)) is not None:
                into, gone = left
            else:
                after = FIRST if phase != FIRST else SCORED if scored else QUIET
                into = self._into((after, attacker, defender))
            into.append((here, away * wide + gone, ways))

    def _leaving(self, asked: Iterable[str]) -> list[str]:
        return [side for side in asked if self.guns[side].own.army.policy.leave]

    def _left(self, sides: Iterable[str], attacker: int, defender: int) -> tuple[Arrivals, int] | None:
        """The end if a side's policy makes it leave now (16.3), with the points that go; else None."""
        for side in sides:
            ledger = self.guns[side].own
            mine, theirs = self.attackers.strength(attacker), self.defenders.strength(defender)
            if side == DEFENDER:
                mine, theirs = theirs, mine
            if mine < ledger.army.policy.leave * theirs:
                gone = ledger.gone(attacker if side == ATTACKER else defender)
                if gone is not None and side == ATTACKER:
                    return self._end(DEFENDER, "retreated", gone[0], defender), gone[1] * WIDE
                if gone is not None:
                    return self._end(ATTACKER, "retreated", attacker, gone[0]), gone[1]
        return None
