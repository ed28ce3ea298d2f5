"""The best use of air strikes with (H) strikes among them, which hit every unit of a hex (Standard II.F.3.c, II.F.5.b)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from assistant.games.arab_israeli_wars.assign import Attack, Option, whole_option
from assistant.games.arab_israeli_wars.battle import Battle, Fighter, Looks
from assistant.games.arab_israeli_wars.marks import (
    Counts,
    Kinds,
    Mark,
    Score,
    less,
    lone_marks,
    marks_of,
    option_of,
    parts_of,
    who_may,
    worth_of,
)
from assistant.games.arab_israeli_wars.volleys import Volley, volley

Struck = tuple[tuple[int, Counts], ...]
"""Which groups are attacked, by their places, and by how many other strikes of each kind."""
Best = Callable[[Counts], tuple[int, Struck]]
"""What so many strikes of each kind are worth at most, and how."""


@dataclass(frozen=True)
class Bombing:
    """A hex that (H) strikes may hit: each unit by itself, or those in a group that other strikes attack together with
    them, times the group's number (Standard II.F.5.b)."""

    battle: Battle
    groups: Sequence[Mark]
    """What may be attacked as one, with other strikes."""
    lone: Sequence[Mark]
    """Each unit, under (H) strikes alone."""
    heavy: frozenset[int]
    """The places of the (H) strikes."""
    size: int = 1
    parts: int = 1

    @classmethod
    def of(cls, pattern: Battle, stack: Sequence[Fighter], looks: Looks | None) -> Bombing:
        heavy = [i for i, one in enumerate(pattern.firers) if one.told.get("kind") == "(H)"]
        battle = replace(pattern, targets=tuple(stack))
        able, why = who_may(replace(battle, firers=tuple(battle.firers[i] for i in heavy)))
        may, reasons = [False] * len(battle.firers), [""] * len(battle.firers)
        for place, i in enumerate(heavy):
            may[i], reasons[i] = able[place], why[place]
        groups = marks_of(pattern, stack, looks) if len(heavy) < len(battle.firers) else []
        return cls(battle, groups, lone_marks(battle, heavy, may, reasons), frozenset(heavy))

    @property
    def marks(self) -> Sequence[Mark]:
        return (*self.groups, *self.lone)

    def options(self, kinds: Kinds, score: Score) -> tuple[Option, ...]:
        able = tuple(
            max((len(kind) for mark in self.marks if mark.able[kind[0]]), default=0) for kind in kinds
        )
        best = self._best(kinds, score)
        return (whole_option(able, cache(lambda counts: best(counts)[0])),)

    def _best(self, kinds: Kinds, score: Score) -> Best:
        groups = [option_of(mark, kinds, score) for mark in self.groups]
        lone = [option_of(mark, kinds, score) for mark in self.lone]
        is_heavy = [kind[0] in self.heavy for kind in kinds]

        @cache
        def after(mask: int, left: Counts, heavy: Counts) -> tuple[int, Struck]:
            """The best for the units not in the mask: the first of them by (H) strikes alone, or in a group."""
            low = (mask + 1) & ~mask
            if low >> len(lone):
                return 0, ()
            more, struck = after(mask | low, left, heavy)
            top = (more + worth_of(lone[low.bit_length() - 1], heavy), struck)
            for g, option in enumerate(groups):
                if not option.units & low or option.units & mask:
                    continue
                for part in parts_of([min(n, able) for n, able in zip(left, option.able, strict=True)]):
                    if any(part):
                        more, struck = after(mask | option.units, less(left, part), heavy)
                        joined = tuple(n + h for n, h in zip(part, heavy, strict=True))
                        top = max(top, (more + worth_of(option, joined), ((g, part), *struck)), key=lambda one: one[0])
            return top

        def best(counts: Counts) -> tuple[int, Struck]:
            heavy = tuple(n if is_heavy[k] else 0 for k, n in enumerate(counts))
            return after(0, less(counts, heavy), heavy)

        return best

    def volleys(self, attack: Attack, kinds: Kinds, firing: Kinds, score: Score, looks: Looks | None) -> list[Volley]:
        _, struck = self._best(kinds, score)(attack.counts)
        heavy = tuple(self.battle.firers[i] for kind in firing for i in kind if i in self.heavy)
        free = [[self.battle.firers[i] for i in kind if i not in self.heavy] for kind in firing]
        found = []
        hit: set[int] = set()
        for g, part in struck:
            others = tuple(kind.pop(0) for kind, n in zip(free, part, strict=True) for _ in range(n))
            targets = self.groups[g].battle.targets
            hit |= set(map(id, targets))
            found.append(volley(replace(self.battle, firers=others + heavy, targets=targets), looks))
        rest = tuple(one for one in self.battle.targets if id(one) not in hit)
        if heavy and rest:
            found.append(volley(replace(self.battle, firers=heavy, targets=rest), looks))
        return found
