"""The best use of indirect fire: all that falls on a hex is one attack on each unit there (Standard II.A.4, II.A.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from math import lcm, prod

from assistant.attacks import BadQuestion
from assistant.games.arab_israeli_wars.assign import Attack, Option, TooMany, whole_option
from assistant.games.arab_israeli_wars.battle import Battle, Fighter, Looks, spotters
from assistant.games.arab_israeli_wars.indirect import hit, sees_hex
from assistant.games.arab_israeli_wars.marks import (
    Counts,
    Kinds,
    Mark,
    Score,
    less,
    lone_marks,
    option_of,
    parts_of,
    who_may,
    worth_of,
)
from assistant.games.arab_israeli_wars.outcomes import separate_throws
from assistant.games.arab_israeli_wars.scatter import falls
from assistant.games.arab_israeli_wars.volleys import Volley, volley
from scenarios.hexes import distance

SPLITS = 250
"""Numbers of batteries, at most, that are split into neutralization and destructive fire."""
TRIPLE = 3
"""Destructive fire (Advanced III.C.4)."""


@dataclass(frozen=True)
class Split:
    """Who fires at all units of the hex, and who is written for which of them (Advanced III.C.1)."""

    worth: int
    on_all: Counts
    written: tuple[Counts, ...] = ()


@dataclass(frozen=True)
class Barrage:
    """A hex that indirect fire may be written down for."""

    battle: Battle
    marks: Sequence[Mark]
    """Each enemy that may be hit, wherever the fire comes down."""
    chances: Sequence[Fraction]
    """That it comes down on each of them."""
    aims: Sequence[bool]
    """Which of the units in the hex destructive fire may be written for."""
    size: int = 1

    @classmethod
    def of(cls, pattern: Battle, stack: Sequence[Fighter], looks: Looks | None, destructive: bool) -> Barrage:
        """A hex as it is now. Destructive fire needs its target spotted, and never drifts (Advanced III.C.1, III.C.2)."""
        ground, hex = pattern.ground, stack[0].at
        assert ground is not None and hex is not None
        battle = replace(pattern, targets=tuple(stack), target_hex=hex)
        able, why = who_may(battle)
        seen = _seen(battle, able, looks)
        marks: list[Mark] = []
        chances: list[Fraction] = []
        for fall in falls(ground, hex, seen=seen):
            enemies = tuple(one for one in hit(battle, fall, hex) if one.side != battle.firers[0].side)
            if enemies:
                marks += lone_marks(replace(battle, targets=enemies), range(len(battle.firers)), able, why)
                chances += [fall.chance] * len(enemies)
        return cls(battle, marks, chances, [destructive and seen and spotted(battle, one) for one in stack])

    @property
    def parts(self) -> int:
        return lcm(*(chance.denominator for chance in self.chances))

    def options(self, kinds: Kinds, score: Score) -> tuple[Option, ...]:
        each = [option_of(mark, kinds, score) for mark in self.marks]
        if any(self.aims) and prod(n + 1 for n in each[0].able) > SPLITS:
            raise TooMany("so many different batteries can't all be tried in destructive fire; name fewer")
        return (whole_option(each[0].able, cache(lambda counts: self._split(each, counts).worth)),)

    def _split(self, each: Sequence[Option], counts: Counts) -> Split:
        if any(self.aims):
            ways = (self._written(each, part, less(counts, part)) for part in parts_of(counts))
            return max(ways, key=lambda way: way.worth)
        found = (chance * worth_of(one, counts) for one, chance in zip(each, self.chances, strict=True))
        return Split(int(sum(found, Fraction(0))), counts)

    def _written(self, each: Sequence[Option], on_all: Counts, left: Counts) -> Split:
        """The best way to write the rest for single units: threefold, with what falls on all (Advanced III.C.3)."""
        held: dict[Counts, tuple[int, tuple[Counts, ...]]] = {left: (0, ())}
        for one, aim in zip(each, self.aims, strict=True):
            grown: dict[Counts, tuple[int, tuple[Counts, ...]]] = {}
            for rest, (worth, so_far) in held.items():
                for part in parts_of(rest) if aim else [(0,) * len(rest)]:
                    fired = [n + TRIPLE * m for n, m in zip(on_all, part, strict=True)]
                    total, after = worth + worth_of(one, fired), less(rest, part)
                    if after not in grown or total > grown[after][0]:
                        grown[after] = (total, (*so_far, part))
            held = grown
        worth, written = max(held.values(), key=lambda one: one[0])
        return Split(worth, on_all, written)

    def volleys(self, attack: Attack, kinds: Kinds, firing: Kinds, score: Score, looks: Looks | None) -> list[Volley]:
        split = self._split([option_of(mark, kinds, score) for mark in self.marks], attack.counts)
        free = [[self.battle.firers[i] for i in kind] for kind in firing]
        on_all = _taken(free, split.on_all)
        if not split.written:
            return [volley(replace(self.battle, firers=on_all), looks)]
        firers, shots = on_all, []
        for target, part in zip(self.battle.targets, split.written, strict=True):
            name = f"{target.unit}#{target.copy}" if target.copy else target.unit
            own = tuple(replace(one, aim=name) for one in _taken(free, part))
            firers += own
            if on_all or own:
                shots.append(volley(replace(self.battle, firers=on_all + own, targets=(target,)), looks))
        columns = " / ".join(dict.fromkeys(one.column or "no attack" for one in shots))
        fates = tuple(fate for one in shots for fate in one.fates)
        together = separate_throws(one.together for one in shots)
        return [Volley(firers, tuple(fate.fighter for fate in fates), columns, fates, together)]


def _taken(free: Sequence[list[Fighter]], counts: Counts) -> tuple[Fighter, ...]:
    return tuple(kind.pop(0) for kind, n in zip(free, counts, strict=True) for _ in range(n))


def _seen(battle: Battle, able: Sequence[bool], looks: Looks | None) -> bool:
    """Whether a friend sees the hex. Where armies don't spot for each other (S-12) each needs a plan of its own."""
    assert battle.ground is not None and battle.fired_at is not None
    armies = {one.nation: one for one, may in zip(battle.firers, able, strict=True) if may}
    found = {
        sees_hex(replace(battle, firers=(one,)), battle.ground, battle.fired_at, looks) for one in armies.values()
    }
    if len(found) > 1:
        raise BadQuestion("not all of these armies see the hex; plan the fire of each by itself, with --from (S-12)")
    return found != {False}


def spotted(battle: Battle, target: Fighter) -> bool:
    """Whether a unit in a hex that is seen is spotted: in cover by a marker or a neighbour (Basic VII.D.3)."""
    assert battle.ground is not None and target.at is not None
    here = target.at
    hides = battle.ground.kind(here) in ("woods", "town") or battle.ground.has(here, "smoke")
    beside = any(one.at is not None and distance(one.at, here) == 1 for one in spotters(battle))
    return not hides or "spotted" in target.states or beside


def drifting(volleys: Sequence[Volley]) -> Iterator[str]:
    """What a plan leaves out: fire at two hexes that meets by drifting is one attack."""
    hexes = [one.targets[0].at for one in volleys if one.scatters]
    if any(a and b and distance(a, b) <= 2 for i, a in enumerate(hexes) for b in hexes[:i]):
        yield "fire that drifts into one hex from two is one attack; here each counts by itself (Standard II.A.4.f)"
