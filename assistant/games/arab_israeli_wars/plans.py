"""The best use of many firers against many targets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import Protocol

from assistant.attacks import BadQuestion
from assistant.games.arab_israeli_wars.assign import Attack, Option, Stack, TooMany, best_plan
from assistant.games.arab_israeli_wars.barrage import Barrage, drifting
from assistant.games.arab_israeli_wars.battle import NEXT_TO, SEEN_FIRST, Battle, Fighter, Looks
from assistant.games.arab_israeli_wars.bombing import Bombing
from assistant.games.arab_israeli_wars.marks import Kinds, Mark, Score, kinds_of, marks_of, option_of
from assistant.games.arab_israeli_wars.outcomes import expected
from assistant.games.arab_israeli_wars.volleys import Volley, volley
from scenarios.dice import dice

PLANNED = (*SEEN_FIRST, *NEXT_TO, "indirect_fire", "air_strike")
"""Attacks that a plan can be made of."""


@dataclass(frozen=True)
class Shares:
    """The best way to share firers out, exactly."""

    volleys: tuple[Volley, ...]
    kills: Fraction
    idle: tuple[Fighter, ...]
    """Firers that would not make it better."""
    unable: tuple[tuple[Fighter, str], ...]
    """Firers that can't attack any of the targets, and why."""
    notes: tuple[str, ...] = ()


class Goal(Protocol):
    """A hex that may be attacked."""

    @property
    def marks(self) -> Sequence[Mark]: ...

    @property
    def size(self) -> int:
        """How many parts it has of which each is attacked once at most."""

    @property
    def parts(self) -> int:
        """The part of a whole that chances of attacks there are counted in."""

    def options(self, kinds: Kinds, score: Score) -> tuple[Option, ...]: ...

    def volleys(self, attack: Attack, kinds: Kinds, firing: Kinds, score: Score, looks: Looks | None) -> list[Volley]:
        """The attacks that an attack of the plan means, with these firers of each kind."""


@dataclass(frozen=True)
class Targets:
    """Units that are attacked together, in parts or not at all (Basic VIII.B.3)."""

    marks: Sequence[Mark]
    size: int
    parts: int = 1

    def options(self, kinds: Kinds, score: Score) -> tuple[Option, ...]:
        return tuple(option_of(mark, kinds, score) for mark in self.marks)

    def volleys(self, attack: Attack, kinds: Kinds, firing: Kinds, score: Score, looks: Looks | None) -> list[Volley]:
        mark = self.marks[attack.option]
        battle = mark.battle
        firers = tuple(battle.firers[j] for kind in firing for i in kind for j in (i, *mark.riders.get(i, ())))
        return [volley(replace(battle, firers=firers), looks)]


def best_shares(
    pattern: Battle,
    stacks: Sequence[Sequence[Fighter]],
    looks: Looks | None,
    first: Sequence[Fighter] = (),
    destructive: bool = False,
) -> Shares:
    """The plan for a battle's firers against stacks of targets: who attacks whom, each stack attacked together, in
    parts, or in part only (Basic VIII.B); in assaults, overruns and bombardments always whole (Standard II.C.3.b,
    II.D.4.b, II.A.5.d). The aim is most expected kills: first of all among the targets in `first`, so that one target
    there has its best chance to be hit, then among all. With `destructive`, a battery may be written for one unit
    (Advanced III.C)."""
    if pattern.kind not in PLANNED:
        raise BadQuestion(f"the best plan is worked out for {', '.join(PLANNED)}; ask for the odds of {pattern.attack} "
                          "hex by hex (Basic VI.C.5)")  # fmt: skip
    goals = [_goal(pattern, stack, looks, destructive) for stack in stacks]
    every = [mark for goal in goals for mark in goal.marks]
    kinds = kinds_of(pattern.firers, every)
    throw = dice(pattern.game.tables[pattern.shape.table].dice)
    scale = lcm(*(chance.denominator for chance in throw.values())) * lcm(*(goal.parts for goal in goals))
    score = Score(first, scale, 1 + scale * (len(pattern.everyone) + sum(len(stack) for stack in stacks)))
    try:
        plan = best_plan([len(kind) for kind in kinds], [Stack(goal.size, goal.options(kinds, score)) for goal in goals])
    except TooMany as error:
        raise BadQuestion(str(error)) from None
    left = [list(kind) for kind in kinds]
    volleys: list[Volley] = []
    for attack in plan.attacks:
        firing = [[left[k].pop(0) for _ in range(n)] for k, n in enumerate(attack.counts)]
        volleys += goals[attack.stack].volleys(attack, kinds, firing, score, looks)
    kills = sum((expected(one.together)[0] for one in volleys), Fraction(0))
    idle = [pattern.firers[i] for kind in left for i in kind if any(mark.able[i] for mark in every)]
    unable = [
        (firer, next((mark.why[i] for mark in every if mark.why[i]), ""))
        for i, firer in enumerate(pattern.firers)
        if firer.carrier is None and not any(mark.able[i] for mark in every)
    ]
    return Shares(tuple(volleys), kills, tuple(idle), tuple(unable), tuple(drifting(volleys)))


def _goal(pattern: Battle, stack: Sequence[Fighter], looks: Looks | None, destructive: bool) -> Goal:
    if pattern.kind == "indirect_fire":
        return Barrage.of(pattern, stack, looks, destructive)
    if pattern.kind == "air_strike" and any(one.told.get("kind") == "(H)" for one in pattern.firers):
        return Bombing.of(pattern, stack, looks)
    return Targets(marks_of(pattern, stack, looks), len(stack))
