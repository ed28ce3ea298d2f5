"""Targets of a plan: what every firer can do to each of them, and the attacks that come of it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from math import lcm
from typing import NamedTuple

from assistant.attack import Answer, odds
from assistant.games.arab_israeli_wars.combat import Fate, Together, one_throw, worked_out
from assistant.games.arab_israeli_wars.fire import fire
from assistant.games.arab_israeli_wars.forces import NEXT_TO, Battle, Fighter, Look, Looks, every_look
from assistant.rules.assign import Option
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
        if may and kind == mark.traits[i] >> len(battle.targets) and not (shields and _aircraft(battle, battle.firers[i]))
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
