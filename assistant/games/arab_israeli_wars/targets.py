"""Targets of a plan: what every firer can do to each of them, hex by hex for bombardment, and the attacks that come of it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from math import lcm, prod
from typing import NamedTuple

from assistant.answers import BadQuestion
from assistant.attack import Answer, odds
from assistant.games.arab_israeli_wars.combat import Fate, Together, one_throw, separate_throws, worked_out
from assistant.games.arab_israeli_wars.fire import falls, fire, hit, sees_hex
from assistant.games.arab_israeli_wars.forces import NEXT_TO, Battle, Fighter, Look, Looks, every_look, spotters
from assistant.rules.assign import Attack, Option, TooMany, whole_option
from scenarios.hexes import distance
from scenarios.tables import odds as odds_of


class Volley(NamedTuple):
    """One attack of a plan."""

    firers: tuple[Fighter, ...]
    targets: tuple[Fighter, ...]
    column: str
    """Where each target is attacked alone, the columns of all of them."""
    fates: tuple[Fate, ...]
    together: Together
    scatters: bool = False
    """Indirect fire that nobody sees: it may come down elsewhere."""


def volley(battle: Battle, looks: Looks | None) -> Volley:
    """An attack worked out in full."""
    held = fire(battle, looks, anyway=True)
    columns = dict.fromkeys(answer.column or "no attack" for answer in held.answers)
    column = " / ".join(columns) if len(columns) > 1 else held.answers[0].column or ""
    return Volley(battle.firers, battle.targets, column, held.fates, held.together, len(held.landings) > 1)


# --- what firers can do ----------------------------------------------------------------------------------------------


Kinds = Sequence[Sequence[int]]
"""The places of firers, those together that are alike against every target."""
Counts = tuple[int, ...]
"""How many of each kind."""


@dataclass(frozen=True)
class Mark:
    """Some units of a stack as one target: what each firer could do to them."""

    battle: Battle
    units: int
    able: tuple[bool, ...]
    why: tuple[str, ...]
    strengths: tuple[Fraction, ...]
    traits: tuple[int, ...]
    """A bit for each target that is hull down from this firer, then one for a firer whom cover hinders, and one for an
    engineer in an assault."""
    defense: Fraction
    riders: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """The passengers that fire along with a firer; its strength has theirs in it (Advanced II.A.2)."""


def marks_of(pattern: Battle, stack: Sequence[Fighter], looks: Looks | None) -> list[Mark]:
    """Every part of a stack that may be attacked together; in assaults and overruns the whole."""
    found = []
    whole = (1 << len(stack)) - 1
    for bits in (whole,) if pattern.kind in NEXT_TO else range(1, whole + 1):
        targets = tuple(one for j, one in enumerate(stack) if bits >> j & 1)
        battle = replace(pattern, targets=targets)
        seen = every_look(battle, looks)
        answers, refused = worked_out(battle, seen)
        if any(key[0] == "targets" for key in refused) and len(targets) > 1:
            continue
        barred = [reason for key, reasons in refused.items() if key[0] != "firers" for reason in reasons]
        mine = [refused.get(("firers", i), ()) for i in range(len(battle.firers))]
        able = tuple(not barred and not reasons for reasons in mine)
        values = [unit.value for unit in answers[0].units if unit.group == battle.shape.attackers]
        riders = _riders(battle.firers, able)
        found.append(
            Mark(
                battle,
                bits,
                able,
                tuple(str((*barred, *reasons)[0]) if barred or reasons else "" for reasons in mine),
                tuple(value + sum(values[r] for r in riders.get(i, ())) for i, value in enumerate(values)),
                tuple(traits_of(battle, i, seen) for i in range(len(battle.firers))),
                answers[0].defense_strength or Fraction(0),
                riders,
            )
        )
    return found


def _riders(firers: Sequence[Fighter], able: Sequence[bool]) -> dict[int, tuple[int, ...]]:
    """The places of the passengers that may fire along, by their carrier's place."""
    places = {id(one): i for i, one in enumerate(firers)}
    found: dict[int, tuple[int, ...]] = {}
    for i, one in enumerate(firers):
        if one.carrier is not None and able[i]:
            place = places[id(one.carrier)]
            found[place] = (*found.get(place, ()), i)
    return found


def traits_of(battle: Battle, i: int, seen: Mapping[tuple[int, int], Look]) -> int:
    """What a firer brings into an attack besides strength (see `Mark`)."""
    hindered = _hindered(battle, battle.firers[i])
    bits = sum(1 << j for j in range(len(battle.targets)) if (look := seen.get((i, j))) and look.hull_down)
    if battle.overrun_from(battle.firers[i]):
        bits = 0
    return bits | (hindered | _digs(battle, battle.firers[i]) << 1) << len(battle.targets)


def _aircraft(battle: Battle, firer: Fighter) -> bool:
    unit = battle.game.units.get(firer.unit)
    return unit is not None and unit.class_ == "air"


def _hindered(battle: Battle, firer: Fighter) -> bool:
    """Whether cover counts against it: not against aircraft alone (Basic VIII.C.6), but against their strikes (Advanced
    I.C.6)."""
    return not _aircraft(battle, firer) or bool(firer.told.get("points"))


def _digs(battle: Battle, firer: Fighter) -> bool:
    """Whether it is an engineer in an assault, which takes one more off the die (Standard II.C.4.b)."""
    unit = battle.game.units.get(firer.unit)
    return battle.kind == "close_assault" and unit is not None and "engineer_standard" in unit.abilities


def kinds_of(firers: Sequence[Fighter], marks: Iterable[Mark]) -> list[list[int]]:
    """The places of firers that are alike against every target; passengers go with their carriers."""
    kinds: dict[tuple[object, ...], list[int]] = {}
    every = list(marks)
    for i, one in enumerate(firers):
        key = tuple((mark.able[i], mark.strengths[i], mark.traits[i]) for mark in every)
        if one.carrier is None:
            kinds.setdefault(key, []).append(i)
    return list(kinds.values())


@dataclass(frozen=True)
class Score:
    """What becomes of the targets as a whole number: kills among those that come first, then among all."""

    first: Sequence[Fighter]
    scale: int
    """All chances are whole numbers of such a part."""
    big: int
    """More than all kills together."""

    def of(self, fates: Iterable[Fate]) -> int:
        total = 0
        for one in fates:
            mine = int(one.killed * self.scale)
            total += mine * (self.big + 1) if any(one.fighter is it for it in self.first) else mine
        return total


def option_of(mark: Mark, kinds: Kinds, score: Score) -> Option:
    """The attack on a mark as `assign` wants it."""
    battle = mark.battle
    table = battle.game.tables[battle.shape.table]
    starts = [odds_of(text) * mark.defense for text in table.columns.labels]
    firsts = [kind[0] for kind in kinds]
    whole = lcm(*(value.denominator for value in (*starts, *(mark.strengths[i] for i in firsts))))
    held: dict[int, Answer] = {}

    def worth(band: int, traits: int) -> int:
        if traits not in held:
            held[traits] = _with_traits(mark, traits)
        answer = held[traits]
        column = table.shifted(band - 1, answer.shift)
        fates, _ = one_throw(battle, replace(answer, column=table.columns.labels[column]), battle.targets)
        return score.of(fates)

    return Option(
        mark.units,
        tuple(len(kind) if mark.able[kind[0]] else 0 for kind in kinds),
        tuple(int(mark.strengths[i] * whole) for i in firsts),
        tuple(mark.traits[i] for i in firsts),
        tuple(int(start * whole) for start in starts),
        worth,
    )


def _with_traits(mark: Mark, traits: int) -> Answer:
    """The pack's answer for an attack with these traits, strong enough that each defender's die is told."""
    battle = mark.battle
    kind = traits >> len(battle.targets)
    shields = traits & ((1 << len(battle.targets)) - 1)
    able = [
        i
        for i, may in enumerate(mark.able)
        if may
        and kind == mark.traits[i] >> len(battle.targets)
        and not (shields and _aircraft(battle, battle.firers[i]))
    ]
    plain = [i for i in able if battle.firers[i].told.get("kind") != "(H)"]  # an (H) strike alone counts otherwise
    best = max(plain or able, key=lambda i: mark.strengths[i])
    fields = battle.firer_fields(battle.firers[best], Look(True))
    targets = [battle.target_fields(one, bool(traits >> j & 1)) for j, one in enumerate(battle.targets)]
    many = -(-mark.defense // mark.strengths[best])
    shape = battle.shape
    groups = {shape.attackers: [fields] * int(many), shape.defenders: targets}
    return odds(battle.game, battle.kind, groups, battle.inputs())


def worth_of(option: Option, counts: Sequence[int]) -> int:
    """What an attack by so many of each kind is worth."""
    band = bisect_right(option.bands, sum(n * each for n, each in zip(counts, option.strengths, strict=True)))
    together = 0
    for n, bits in zip(counts, option.traits, strict=True):
        together |= bits if n else 0
    return option.worth(band, together) if band and any(counts) else 0


def parts_of(counts: Sequence[int]) -> Iterator[Counts]:
    """All numbers of each kind up to these."""
    return product(*(range(n + 1) for n in counts))


def less(counts: Counts, part: Counts) -> Counts:
    """Who is left of each kind."""
    return tuple(n - m for n, m in zip(counts, part, strict=True))


def lone_marks(battle: Battle, firers: Sequence[int], able: Sequence[bool], why: Sequence[str]) -> list[Mark]:
    """Each target by itself, under fire of these firers."""
    own = replace(battle, firers=tuple(battle.firers[i] for i in firers))
    answers, _ = worked_out(own, {})
    found = []
    for target, answer in zip(battle.targets, answers, strict=True):
        values = [unit.value for unit in answer.units if unit.group == battle.shape.attackers]
        strengths = [Fraction(0)] * len(battle.firers)
        for i, value in zip(firers, values, strict=True):
            strengths[i] = value
        alone = replace(battle, targets=(target,))
        bits = tuple(traits_of(alone, i, {}) for i in range(len(battle.firers)))
        found.append(
            Mark(alone, 1, tuple(able), tuple(why), tuple(strengths), bits, answer.defense_strength or Fraction(0))
        )
    return found


def who_may(battle: Battle) -> tuple[list[bool], list[str]]:
    """Which firers may attack these targets, and why not."""
    _, refused = worked_out(battle, {})
    barred = [reason for key, reasons in refused.items() if key[0] != "firers" for reason in reasons]
    mine = [(*barred, *refused.get(("firers", i), ())) for i in range(len(battle.firers))]
    return [not reasons for reasons in mine], [str(reasons[0]) if reasons else "" for reasons in mine]


# --- indirect fire ---------------------------------------------------------------------------------------------------


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
        field, hex = pattern.field, stack[0].at
        assert field is not None and hex is not None
        battle = replace(pattern, targets=tuple(stack), target_hex=hex)
        able, why = who_may(battle)
        seen = _seen(battle, able, looks)
        marks: list[Mark] = []
        chances: list[Fraction] = []
        for fall in falls(field, hex, seen=seen):
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
        return (whole_option(each[0].able, lambda counts: self._split(each, counts).worth),)

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
    assert battle.field is not None and battle.fired_at is not None
    armies = {one.nation: one for one, may in zip(battle.firers, able, strict=True) if may}
    found = {sees_hex(replace(battle, firers=(one,)), battle.field, battle.fired_at, looks) for one in armies.values()}
    if len(found) > 1:
        raise BadQuestion("not all of these armies see the hex; plan the fire of each by itself, with --from (S-12)")
    return found != {False}


def spotted(battle: Battle, target: Fighter) -> bool:
    """Whether a unit in a hex that is seen is spotted: in cover by a marker or a neighbour (Basic VII.D.3)."""
    assert battle.field is not None and target.at is not None
    here = target.at
    hides = battle.field.kinds.terrain(here) in ("woods", "town") or "smoke" in battle.field.markers_at(here)
    beside = any(one.at is not None and distance(one.at, here) == 1 for one in spotters(battle))
    return not hides or "spotted" in target.states or beside


def drifting(volleys: Sequence[Volley]) -> Iterator[str]:
    """What a plan leaves out: fire at two hexes that meets by drifting is one attack."""
    hexes = [one.targets[0].at for one in volleys if one.scatters]
    if any(a and b and distance(a, b) <= 2 for i, a in enumerate(hexes) for b in hexes[:i]):
        yield "fire that drifts into one hex from two is one attack; here each counts by itself (Standard II.A.4.f)"


# --- strikes ---------------------------------------------------------------------------------------------------------


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
        able = tuple(max((len(kind) for mark in self.marks if mark.able[kind[0]]), default=0) for kind in kinds)
        best = self._best(kinds, score)
        return (whole_option(able, lambda counts: best(counts)[0]),)

    def _best(self, kinds: Kinds, score: Score) -> Best:
        groups = [option_of(mark, kinds, score) for mark in self.groups]
        lone = [option_of(mark, kinds, score) for mark in self.lone]
        is_heavy = [kind[0] in self.heavy for kind in kinds]

        known: dict[tuple[int, Counts, Counts], tuple[int, Struck]] = {}

        def after(mask: int, left: Counts, heavy: Counts) -> tuple[int, Struck]:
            """The best for the units not in the mask: the first of them by (H) strikes alone, or in a group."""
            low = (mask + 1) & ~mask
            if low >> len(lone):
                return 0, ()
            if (mask, left, heavy) in known:
                return known[mask, left, heavy]
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
            known[mask, left, heavy] = top
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
