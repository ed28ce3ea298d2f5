"""Targets of a plan: what every firer can do to each of them, hex by hex for bombardment, and the resulting attacks."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from math import lcm, prod
from typing import NamedTuple

from assistant.attack import Odds, odds
from assistant.engine.battle.assignment import AttackOption, PlannedAttack, TooManyAssignments, whole_option
from assistant.games.arab_israeli_wars.combat import (
    DefenderChances,
    LossChances,
    Refusals,
    add_losses,
    resolve_groups,
    roll_for_all,
)
from assistant.games.arab_israeli_wars.fire import falls, fire, hit, sees_hex
from assistant.games.arab_israeli_wars.forces import NEXT_TO, AskedAttack, Fighter
from assistant.questions.answer import BadQuestion
from scenarios.model.hexes import distance
from scenarios.model.tables import parse_odds


class Volley(NamedTuple):
    """One attack of a plan."""

    firers: tuple[Fighter, ...]
    targets: tuple[Fighter, ...]
    column: str
    """Where each target is attacked alone, the columns of all of them."""
    fates: tuple[DefenderChances, ...]
    losses: LossChances
    scatters: bool = False
    """Indirect fire at a hex that no friend sees: it may land elsewhere."""


def volley(battle: AskedAttack) -> Volley:
    """Return an attack with its full result."""
    fire_result = fire(battle, anyway=True)
    columns = dict.fromkeys(answer.column or "no attack" for answer in fire_result.answers)
    column = " / ".join(columns) if len(columns) > 1 else fire_result.answers[0].column or ""
    return Volley(
        battle.firers, battle.targets, column, fire_result.fates, fire_result.losses, len(fire_result.landings) > 1
    )


# --- what firers can do ----------------------------------------------------------------------------------------------


FirerClasses = Sequence[Sequence[int]]
"""The indexes of firers, grouped by equality against every target."""
Counts = tuple[int, ...]
"""How many of each kind."""


@dataclass(frozen=True)
class StackTarget:
    """Some units of a stack as one target: what each firer could do to them."""

    battle: AskedAttack
    units: int
    can_attack: Sequence[bool]
    reasons: Sequence[str]
    strengths: Sequence[Fraction]
    traits: Sequence[int]
    """A bit for each target that is hull down from this firer, then one for a firer that cover hinders, and one for
    an engineer in an assault."""
    defense: Fraction
    riders: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """The passengers that fire along with a firer; their strength is part of its strength (Advanced II.A.2)."""


def stack_targets(pattern: AskedAttack, stack: Sequence[Fighter]) -> list[StackTarget]:
    """Return every part of a stack that may be attacked together; in assaults and overruns the whole."""
    marks = []
    full_mask = (1 << len(stack)) - 1
    for bits in (full_mask,) if pattern.kind in NEXT_TO else range(1, full_mask + 1):
        targets = tuple(fighter for j, fighter in enumerate(stack) if bits >> j & 1)
        battle = replace(pattern, targets=targets)
        answers, refusals = resolve_groups(battle)
        if any(key[0] == "targets" for key in refusals) and len(targets) > 1:
            continue
        can_attack, reasons = _may_attack(battle, refusals)
        values = [unit.value for unit in answers[0].units if unit.group == battle.shape.attackers]
        riders = _riders(battle.firers, can_attack)
        strengths = [value + sum(values[r] for r in riders.get(i, ())) for i, value in enumerate(values)]
        traits = [traits_of(battle, i) for i in range(len(battle.firers))]
        defense = answers[0].defense_strength or Fraction(0)
        marks.append(StackTarget(battle, bits, can_attack, reasons, strengths, traits, defense, riders))
    return marks


def _may_attack(battle: AskedAttack, refusals: Refusals) -> tuple[list[bool], list[str]]:
    """Return which firers may attack, and why the others may not."""
    common_bars = [bar for key, bars in refusals.items() if key[0] != "firers" for bar in bars]
    firer_bars = [(*common_bars, *refusals.get(("firers", i), ())) for i in range(len(battle.firers))]
    return [not bars for bars in firer_bars], [str(bars[0]) if bars else "" for bars in firer_bars]


def _riders(firers: Sequence[Fighter], can_attack: Sequence[bool]) -> dict[int, tuple[int, ...]]:
    """Return the indexes of the passengers that may fire too, by their carrier's index."""
    places = {id(firer): i for i, firer in enumerate(firers)}
    riders_by_carrier: dict[int, tuple[int, ...]] = {}
    for i, firer in enumerate(firers):
        if firer.carrier is not None and can_attack[i]:
            place = places[id(firer.carrier)]
            riders_by_carrier[place] = (*riders_by_carrier.get(place, ()), i)
    return riders_by_carrier


def traits_of(battle: AskedAttack, i: int) -> int:
    """Return what a firer brings into an attack besides strength (see `Mark`)."""
    firer = battle.firers[i]
    # Cover counts against a firer, but not against aircraft alone (Basic VIII.C.6), only against their strikes
    # (Advanced I.C.6). An engineer in an assault takes one more off the die (Standard II.C.4.b).
    is_hindered = not firer.is_aircraft or bool(firer.inputs.get("points"))
    digs = battle.kind == "close_assault" and "engineer_standard" in firer.abilities
    bits = sum(1 << j for j in range(len(battle.targets)) if (sight := battle.sights.get((i, j))) and sight.shields)
    if battle.overrun_from(firer):
        bits = 0
    return bits | (is_hindered | digs << 1) << len(battle.targets)


def group_firers(firers: Sequence[Fighter], marks: Iterable[StackTarget]) -> list[list[int]]:
    """Return the indexes of firers that are equal against every target; passengers go with their carriers."""
    places_by_key: dict[tuple[object, ...], list[int]] = {}
    all_marks = list(marks)
    for i, firer in enumerate(firers):
        key = tuple((mark.can_attack[i], mark.strengths[i], mark.traits[i]) for mark in all_marks)
        if firer.carrier is None:
            places_by_key.setdefault(key, []).append(i)
    return list(places_by_key.values())


@dataclass(frozen=True)
class ResultScore:
    """The score of a result as an integer: kills among the priority targets, then among all."""

    first: Sequence[Fighter]
    scale: int
    """The common denominator of all chances."""
    big: int
    """More than all kills together."""

    def total(self, fates: Iterable[DefenderChances]) -> int:
        total = 0
        for fate in fates:
            fate_worth = int(fate.kill_chance * self.scale)
            total += fate_worth * (self.big + 1) if any(fate.fighter is it for it in self.first) else fate_worth
        return total


def option_of(mark: StackTarget, firer_classes: FirerClasses, score: ResultScore) -> AttackOption:
    """Return the attack on a mark as the `assignment` module needs it."""
    battle = mark.battle
    table = battle.game.tables[battle.shape.table]
    starts = [parse_odds(text) * mark.defense for text in table.columns.labels]
    firsts = [kind[0] for kind in firer_classes]
    scale = lcm(*(value.denominator for value in (*starts, *(mark.strengths[i] for i in firsts))))
    answers_by_traits: dict[int, Odds] = {}

    def worth(band: int, traits: int) -> int:
        if traits not in answers_by_traits:
            answers_by_traits[traits] = _with_traits(mark, traits)
        answer = answers_by_traits[traits]
        column = table.shift_column(band - 1, answer.shift)
        fates, _ = roll_for_all(battle, replace(answer, column=table.columns.labels[column]), battle.targets)
        return score.total(fates)

    return AttackOption(
        mark.units,
        tuple(len(kind) if mark.can_attack[kind[0]] else 0 for kind in firer_classes),
        tuple(int(mark.strengths[i] * scale) for i in firsts),
        tuple(mark.traits[i] for i in firsts),
        tuple(int(start * scale) for start in starts),
        worth,
    )


def _with_traits(mark: StackTarget, traits: int) -> Odds:
    """Return the pack's result for an attack with these traits, strong enough to reach each defender's die modifier."""
    battle = mark.battle
    kind = traits >> len(battle.targets)
    shields = traits & ((1 << len(battle.targets)) - 1)
    able_places = [
        i
        for i, may in enumerate(mark.can_attack)
        if may and kind == mark.traits[i] >> len(battle.targets) and not (shields and battle.firers[i].is_aircraft)
    ]
    plain_places = [
        i for i in able_places if battle.firers[i].inputs.get("kind") != "(H)"
    ]  # an (H) strike alone counts differently
    best = max(plain_places or able_places, key=lambda i: mark.strengths[i])
    fields = battle.firer_fields(battle.firers[best], True)
    targets = [battle.target_fields(target, bool(traits >> j & 1)) for j, target in enumerate(battle.targets)]
    firer_count = -(-mark.defense // mark.strengths[best])
    shape = battle.shape
    groups = {shape.attackers: [fields] * int(firer_count), shape.defenders: targets}
    return odds(battle.game, battle.kind, groups, battle.inputs())


def worth_of(option: AttackOption, counts: Sequence[int]) -> int:
    """Return the worth of an attack by so many of each kind."""
    band = bisect_right(option.bands, sum(n * strength for n, strength in zip(counts, option.strengths, strict=True)))
    all_traits = 0
    for n, bits in zip(counts, option.traits, strict=True):
        all_traits |= bits if n else 0
    return option.worth(band, all_traits) if band and any(counts) else 0


def parts_of(counts: Sequence[int]) -> Iterator[Counts]:
    """Yield all numbers of each kind up to these."""
    return product(*(range(n + 1) for n in counts))


def subtract_counts(counts: Counts, part: Counts) -> Counts:
    """Return what is left of each kind."""
    return tuple(n - m for n, m in zip(counts, part, strict=True))


def single_targets(
    battle: AskedAttack, firers: Sequence[int], can_attack: Sequence[bool], reasons: Sequence[str]
) -> list[StackTarget]:
    """Return each target by itself, under fire of these firers."""
    firing_battle = replace(battle, firers=tuple(battle.firers[i] for i in firers))
    answers, _ = resolve_groups(firing_battle)
    marks = []
    for target, answer in zip(battle.targets, answers, strict=True):
        values = [unit.value for unit in answer.units if unit.group == battle.shape.attackers]
        strengths = [Fraction(0)] * len(battle.firers)
        for i, value in zip(firers, values, strict=True):
            strengths[i] = value
        target_battle = replace(battle, targets=(target,))
        traits = [traits_of(target_battle, i) for i in range(len(battle.firers))]
        defense = answer.defense_strength or Fraction(0)
        marks.append(StackTarget(target_battle, 1, can_attack, reasons, strengths, traits, defense))
    return marks


def firers_may_attack(battle: AskedAttack) -> tuple[list[bool], list[str]]:
    """Return which firers may attack these targets, and why the others may not."""
    _, refusals = resolve_groups(battle)
    return _may_attack(battle, refusals)


# --- indirect fire ---------------------------------------------------------------------------------------------------


SPLITS = 250
"""The maximum number of battery combinations that are split into neutralization and destructive fire."""
TRIPLE = 3
"""Destructive fire (Advanced III.C.4)."""


@dataclass(frozen=True)
class Split:
    """The batteries that fire at all units of the hex, and those written for a single unit (Advanced III.C.1)."""

    worth: int
    on_all: Counts
    single_counts: tuple[Counts, ...] = ()


@dataclass(frozen=True)
class Barrage:
    """A hex that may be the written target of indirect fire."""

    battle: AskedAttack
    marks: Sequence[StackTarget]
    """Each enemy that may be hit, wherever the fire lands."""
    chances: Sequence[Fraction]
    """The chance that it lands on each of them."""
    aims: Sequence[bool]
    """Whether destructive fire may be written for each unit in the hex."""
    size: int = 1

    @classmethod
    def against(cls, pattern: AskedAttack, stack: Sequence[Fighter], destructive: bool) -> Barrage:
        """Return a hex as it is now. Destructive fire needs its target spotted, and never drifts (Advanced III.C.1,
        III.C.2)."""
        field, hex = pattern.field, stack[0].hex
        assert field is not None and hex is not None
        battle = replace(pattern, targets=tuple(stack), target_hex=hex)
        can_attack, reasons = firers_may_attack(battle)
        is_seen = _is_seen(battle, can_attack)
        marks: list[StackTarget] = []
        chances: list[Fraction] = []
        for fall in falls(field, hex, is_seen=is_seen):
            enemies = tuple(fighter for fighter in hit(battle, fall, hex) if fighter.side != battle.firers[0].side)
            if enemies:
                marks += single_targets(
                    replace(battle, targets=enemies), range(len(battle.firers)), can_attack, reasons
                )
                chances += [fall.chance] * len(enemies)
        return cls(
            battle, marks, chances, [destructive and is_seen and is_spotted(battle, fighter) for fighter in stack]
        )

    @property
    def parts(self) -> int:
        return lcm(*(chance.denominator for chance in self.chances))

    def options(self, firer_classes: FirerClasses, score: ResultScore) -> tuple[AttackOption, ...]:
        mark_options = [option_of(mark, firer_classes, score) for mark in self.marks]
        if any(self.aims) and prod(n + 1 for n in mark_options[0].usable_units) > SPLITS:
            raise TooManyAssignments("there are too many different batteries to try every destructive fire; name fewer")
        return (whole_option(mark_options[0].usable_units, lambda counts: self._split(mark_options, counts).worth),)

    def _split(self, mark_options: Sequence[AttackOption], counts: Counts) -> Split:
        if any(self.aims):
            ways = (
                self._record_remaining(mark_options, part, subtract_counts(counts, part)) for part in parts_of(counts)
            )
            return max(ways, key=lambda way: way.worth)
        expected_worths = (
            chance * worth_of(option, counts) for option, chance in zip(mark_options, self.chances, strict=True)
        )
        return Split(int(sum(expected_worths, Fraction(0))), counts)

    def _record_remaining(
        self, mark_options: Sequence[AttackOption], on_all: Counts, remaining_counts: Counts
    ) -> Split:
        """Return the best way to write the remaining batteries for single units: triple strength, added to the fire
        at all units (Advanced III.C.3)."""
        best_splits: dict[Counts, tuple[int, tuple[Counts, ...]]] = {remaining_counts: (0, ())}
        for option, aim in zip(mark_options, self.aims, strict=True):
            next_splits: dict[Counts, tuple[int, tuple[Counts, ...]]] = {}
            for counts_before, (worth, so_far) in best_splits.items():
                for part in parts_of(counts_before) if aim else [(0,) * len(counts_before)]:
                    fired_counts = [n + TRIPLE * m for n, m in zip(on_all, part, strict=True)]
                    total, counts_after = worth + worth_of(option, fired_counts), subtract_counts(counts_before, part)
                    if counts_after not in next_splits or total > next_splits[counts_after][0]:
                        next_splits[counts_after] = (total, (*so_far, part))
            best_splits = next_splits
        worth, written_parts = max(best_splits.values(), key=lambda worth_and_parts: worth_and_parts[0])
        return Split(worth, on_all, written_parts)

    def volleys(
        self, attack: PlannedAttack, firer_classes: FirerClasses, firing: FirerClasses, score: ResultScore
    ) -> list[Volley]:
        split = self._split([option_of(mark, firer_classes, score) for mark in self.marks], attack.counts)
        free = [[self.battle.firers[i] for i in kind] for kind in firing]
        on_all = _take(free, split.on_all)
        if not split.single_counts:
            return [volley(replace(self.battle, firers=on_all))]
        firers, shots = on_all, []
        for target, part in zip(self.battle.targets, split.single_counts, strict=True):
            target_firers = tuple(replace(firer, aim=target.word) for firer in _take(free, part))
            firers += target_firers
            if on_all or target_firers:
                shots.append(volley(replace(self.battle, firers=on_all + target_firers, targets=(target,))))
        columns = " / ".join(dict.fromkeys(shot.column or "no attack" for shot in shots))
        fates = tuple(fate for shot in shots for fate in shot.fates)
        toll_chances = add_losses(shot.losses for shot in shots)
        return [Volley(firers, tuple(fate.fighter for fate in fates), columns, fates, toll_chances)]


def _take(free: Sequence[list[Fighter]], counts: Counts) -> tuple[Fighter, ...]:
    return tuple(kind.pop(0) for kind, n in zip(free, counts, strict=True) for _ in range(n))


def _is_seen(battle: AskedAttack, can_attack: Sequence[bool]) -> bool:
    """Whether a friend sees the hex. Where armies don't spot for each other (S-12) each needs a plan of its own."""
    assert battle.field is not None and battle.aim_hex is not None
    armies = {firer.nation: firer for firer, may in zip(battle.firers, can_attack, strict=True) if may}
    sightings = {sees_hex(replace(battle, firers=(army,)), battle.field, battle.aim_hex) for army in armies.values()}
    if len(sightings) > 1:
        raise BadQuestion(
            "not all of these armies see the hex; plan the fire of each army separately, with --from (S-12)"
        )
    return sightings != {False}


def is_spotted(battle: AskedAttack, target: Fighter) -> bool:
    """Whether a unit in a visible hex is spotted: in cover by a marker or an adjacent unit (Basic VII.D.3)."""
    assert battle.field is not None and target.hex is not None
    target_hex = target.hex
    hides = battle.field.map_index.terrain(target_hex) in ("woods", "town") or "smoke" in battle.field.markers_at(
        target_hex
    )
    return not hides or "spotted" in target.states or battle.has_adjacent_spotter(target_hex)


def drifting(volleys: Sequence[Volley]) -> Iterator[str]:
    """Yield what a plan leaves out: fire at two hexes that meets by drifting is one attack."""
    hexes = [volley.targets[0].hex for volley in volleys if volley.scatters]
    if any(a and b and distance(a, b) <= 2 for i, a in enumerate(hexes) for b in hexes[:i]):
        yield "fire that drifts into one hex from two hexes is one attack; this plan counts each separately (Standard II.A.4.f)"


# --- strikes ---------------------------------------------------------------------------------------------------------


StrikePlan = tuple[tuple[int, Counts], ...]
"""Which groups are attacked, by their indexes, and by how many other strikes of each kind."""
Best = Callable[[Counts], tuple[int, StrikePlan]]
"""Returns the highest worth of so many strikes of each kind, and how to reach it."""


@dataclass(frozen=True)
class Bombing:
    """A hex that (H) strikes may hit: each unit by itself, or those in a group that other strikes attack together
    with them, times the group's number (Standard II.F.5.b)."""

    battle: AskedAttack
    groups: Sequence[StackTarget]
    """What other strikes may attack as one."""
    lone: Sequence[StackTarget]
    """Each unit, under (H) strikes alone."""
    heavy: frozenset[int]
    """The indexes of the (H) strikes."""
    size: int = 1
    parts: int = 1

    @classmethod
    def against(cls, pattern: AskedAttack, stack: Sequence[Fighter]) -> Bombing:
        heavy = [i for i, firer in enumerate(pattern.firers) if firer.inputs.get("kind") == "(H)"]
        battle = replace(pattern, targets=tuple(stack))
        can_strike, heavy_reasons = firers_may_attack(replace(battle, firers=tuple(battle.firers[i] for i in heavy)))
        may, reasons = [False] * len(battle.firers), [""] * len(battle.firers)
        for place, i in enumerate(heavy):
            may[i], reasons[i] = can_strike[place], heavy_reasons[place]
        groups = stack_targets(pattern, stack) if len(heavy) < len(battle.firers) else []
        return cls(battle, groups, single_targets(battle, heavy, may, reasons), frozenset(heavy))

    @property
    def marks(self) -> Sequence[StackTarget]:
        return (*self.groups, *self.lone)

    def options(self, firer_classes: FirerClasses, score: ResultScore) -> tuple[AttackOption, ...]:
        max_counts = tuple(
            max((len(kind) for mark in self.marks if mark.can_attack[kind[0]]), default=0) for kind in firer_classes
        )
        best = self._best(firer_classes, score)
        return (whole_option(max_counts, lambda counts: best(counts)[0]),)

    def _best(self, firer_classes: FirerClasses, score: ResultScore) -> Best:
        groups = [option_of(mark, firer_classes, score) for mark in self.groups]
        lone = [option_of(mark, firer_classes, score) for mark in self.lone]
        is_heavy = [kind[0] in self.heavy for kind in firer_classes]

        cache: dict[tuple[int, Counts, Counts], tuple[int, StrikePlan]] = {}

        def best_from(mask: int, remaining_counts: Counts, heavy: Counts) -> tuple[int, StrikePlan]:
            """Return the best for the units not in the mask: the first of them by (H) strikes alone, or in a group."""
            low = (mask + 1) & ~mask
            if low >> len(lone):
                return 0, ()
            if (mask, remaining_counts, heavy) in cache:
                return cache[mask, remaining_counts, heavy]
            rest_worth, strikes = best_from(mask | low, remaining_counts, heavy)
            top = (rest_worth + worth_of(lone[low.bit_length() - 1], heavy), strikes)
            for g, option in enumerate(groups):
                if not option.units & low or option.units & mask:
                    continue
                for part in parts_of(
                    [min(n, capacity) for n, capacity in zip(remaining_counts, option.usable_units, strict=True)]
                ):
                    if any(part):
                        rest_worth, strikes = best_from(
                            mask | option.units, subtract_counts(remaining_counts, part), heavy
                        )
                        total_counts = tuple(n + h for n, h in zip(part, heavy, strict=True))
                        top = max(
                            top,
                            (rest_worth + worth_of(option, total_counts), ((g, part), *strikes)),
                            key=lambda worth_and_strikes: worth_and_strikes[0],
                        )
            cache[mask, remaining_counts, heavy] = top
            return top

        def best(counts: Counts) -> tuple[int, StrikePlan]:
            heavy = tuple(n if is_heavy[k] else 0 for k, n in enumerate(counts))
            return best_from(0, subtract_counts(counts, heavy), heavy)

        return best

    def volleys(
        self, attack: PlannedAttack, firer_classes: FirerClasses, firing: FirerClasses, score: ResultScore
    ) -> list[Volley]:
        _, strikes = self._best(firer_classes, score)(attack.counts)
        heavy = tuple(self.battle.firers[i] for kind in firing for i in kind if i in self.heavy)
        free = [[self.battle.firers[i] for i in kind if i not in self.heavy] for kind in firing]
        volley_list = []
        hit: set[int] = set()
        for g, part in strikes:
            group_firers = tuple(kind.pop(0) for kind, n in zip(free, part, strict=True) for _ in range(n))
            targets = self.groups[g].battle.targets
            hit |= set(map(id, targets))
            volley_list.append(volley(replace(self.battle, firers=group_firers + heavy, targets=targets)))
        remaining_targets = tuple(target for target in self.battle.targets if id(target) not in hit)
        if heavy and remaining_targets:
            volley_list.append(volley(replace(self.battle, firers=heavy, targets=remaining_targets)))
        return volley_list
