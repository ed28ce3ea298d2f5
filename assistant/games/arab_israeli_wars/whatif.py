"""What if: the next column, one unit more or less, and the best use of many."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from assistant.attacks import Answer, BadQuestion, odds
from assistant.games.arab_israeli_wars.assign import Option, Stack, TooMany, best_plan
from assistant.games.arab_israeli_wars.battle import NEXT_TO, SEEN_FIRST, Battle, Fighter, Look, Looks, every_look
from assistant.games.arab_israeli_wars.battle_position import could_fire
from assistant.games.arab_israeli_wars.fire import Fire, fire
from assistant.games.arab_israeli_wars.outcomes import Fate, Together, expected, one_throw
from assistant.games.arab_israeli_wars.taking_part import worked_out
from scenarios.dice import dice
from scenarios.tables import Table
from scenarios.tables import odds as odds_of


class Next(NamedTuple):
    """The columns around the one reached: what the next would take, and what could be spared without falling back."""

    column: str
    """The next column; "" at the last one."""
    needed: Fraction
    spare: Fraction


class Change(NamedTuple):
    """The attack with one unit more or less."""

    fighter: Fighter
    added: bool
    strength: Fraction
    column: str | None
    kills: Fraction
    """Eliminated on average."""
    hurt: Fraction
    """Dispersed on average."""


def next_column(table: Table, answer: Answer) -> Next | None:
    """How many effective points more reach the next column (Basic VI.A.1.b)."""
    if answer.defense_strength is None or table.columns.kind != "odds":
        return None
    labels = table.columns.labels
    starts = [odds_of(text) * answer.defense_strength for text in labels]
    here = max((i for i, start in enumerate(starts) if start <= answer.attack_strength), default=-1)
    above = starts[here + 1] - answer.attack_strength if here + 1 < len(labels) else Fraction(0)
    return Next(
        labels[here + 1] if here + 1 < len(labels) else "",
        above,
        answer.attack_strength - starts[here] if here >= 0 else Fraction(0),
    )


def changes(held: Fire, looks: Looks | None) -> tuple[Change, ...]:
    """What adding each other unit that may join, or dropping each that fires, would change. Units that are alike in
    every way are told of once."""
    battle = held.battle
    found: list[Change] = []
    for firer in _different(_joining(battle, looks)):
        found.append(_changed(replace(battle, firers=(*battle.firers, firer)), firer, True, looks))
    if len(battle.firers) > 1:
        for firer in _different(battle.firers):
            rest = list(battle.firers)
            rest.remove(firer)
            found.append(_changed(replace(battle, firers=tuple(rest)), firer, False, looks))
    return tuple(sorted(found, key=lambda change: (not change.added, -change.kills, -change.hurt, change.fighter.unit)))


def _different(fighters: Iterable[Fighter]) -> list[Fighter]:
    known: dict[tuple[object, ...], Fighter] = {}
    for one in fighters:
        known.setdefault((one.unit, one.nation, one.at, one.states, tuple(one.told.items()), one.name), one)
    return list(known.values())


def _joining(battle: Battle, looks: Looks | None) -> list[Fighter]:
    """The other units that may take part in the same attack."""
    others = tuple(could_fire(battle)) if battle.everyone and battle.kind in battle.game.attacks else ()
    if not others or not battle.targets or battle.kind in ("minefield", "air_strike"):
        return []
    asked = replace(battle, firers=others)
    _, refused = worked_out(asked, every_look(asked, looks))
    return [one for i, one in enumerate(others) if ("firers", i) not in refused]


def _changed(battle: Battle, fighter: Fighter, added: bool, looks: Looks | None) -> Change:
    held = fire(battle, looks, anyway=True)
    group = battle.shape.attackers
    told = [unit for unit in held.answers[0].units if unit.group == group]
    own = told[-1].value if added else Fraction(0)
    return Change(fighter, added, own, held.answers[0].column, *expected(held.together))


class Volley(NamedTuple):
    """One attack of a plan."""

    firers: tuple[Fighter, ...]
    targets: tuple[Fighter, ...]
    column: str
    fates: tuple[Fate, ...]
    together: Together


@dataclass(frozen=True)
class Shares:
    """The best way to share firers out, exactly."""

    volleys: tuple[Volley, ...]
    kills: Fraction
    idle: tuple[Fighter, ...]
    """Firers that would not make it better."""
    unable: tuple[tuple[Fighter, str], ...]
    """Firers that can't attack any of the targets, and why."""


def best_shares(
    pattern: Battle, stacks: Sequence[Sequence[Fighter]], looks: Looks | None, first: Sequence[Fighter] = ()
) -> Shares:
    """The plan for a battle's firers against stacks of targets: who attacks whom, each stack attacked together, in
    parts, or in part only (Basic VIII.B); in assaults and overruns always whole (Standard II.C.3.b, II.D.4.b). The aim
    is most expected kills: first of all among the targets in `first`, so that one target there has its best chance to
    be hit, then among all."""
    if pattern.kind not in (*SEEN_FIRST, *NEXT_TO):
        raise BadQuestion(
            f"the best plan is worked out for {', '.join(SEEN_FIRST)}, {' and '.join(NEXT_TO)}; ask for the odds of "
            f"{pattern.attack} hex by hex (Basic VI.C.5)"
        )
    marks = [_marks(pattern, stack, looks) for stack in stacks]
    kinds = _kinds(pattern.firers, [mark for held in marks for mark in held])
    scale = lcm(*(chance.denominator for chance in dice(pattern.game.tables[pattern.shape.table].dice).values()))
    big = 1 + scale * sum(len(stack) for stack in stacks)
    counts = [len(kind) for kind in kinds]
    try:
        plan = best_plan(
            counts,
            [
                Stack(len(stack), tuple(_option(mark, kinds, first, scale, big) for mark in held))
                for stack, held in zip(stacks, marks, strict=True)
            ],
        )
    except TooMany as error:
        raise BadQuestion(str(error)) from None
    left = [list(kind) for kind in kinds]
    volleys = []
    for attack in plan.attacks:
        mark = marks[attack.stack][attack.option]
        firing = [left[k].pop(0) for k, n in enumerate(attack.counts) for _ in range(n)]
        volleys.append(_volley(pattern, mark, firing, looks))
    kills = sum((expected(volley.together)[0] for volley in volleys), Fraction(0))
    every = [mark for held in marks for mark in held]
    idle = [pattern.firers[i] for kind in left for i in kind if any(mark.able[i] for mark in every)]
    unable = [
        (firer, next((mark.why[i] for mark in every if mark.why[i]), ""))
        for i, firer in enumerate(pattern.firers)
        if not any(mark.able[i] for mark in every)
    ]
    return Shares(tuple(volleys), kills, tuple(idle), tuple(unable))


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


def _marks(pattern: Battle, stack: Sequence[Fighter], looks: Looks | None) -> list[Mark]:
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
        units = [unit for unit in answers[0].units if unit.group == battle.shape.attackers]
        found.append(
            Mark(
                battle,
                bits,
                tuple(not barred and not reasons for reasons in mine),
                tuple(str((*barred, *reasons)[0]) if barred or reasons else "" for reasons in mine),
                tuple(unit.value for unit in units),
                tuple(_traits(battle, i, seen) for i in range(len(battle.firers))),
                answers[0].defense_strength or Fraction(0),
            )
        )
    return found


def _traits(battle: Battle, i: int, seen: Mapping[tuple[int, int], Look]) -> int:
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


def _kinds(firers: Sequence[Fighter], marks: Sequence[Mark]) -> list[list[int]]:
    """The places of firers that are alike against every target."""
    kinds: dict[tuple[object, ...], list[int]] = {}
    for i in range(len(firers)):
        key = tuple((mark.able[i], mark.strengths[i], mark.traits[i]) for mark in marks)
        kinds.setdefault(key, []).append(i)
    return list(kinds.values())


def _option(mark: Mark, kinds: Sequence[Sequence[int]], first: Sequence[Fighter], scale: int, big: int) -> Option:
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
        kills = sum((one.killed for one in fates), Fraction(0)) * scale
        chosen = sum((one.killed for one in fates if any(one.fighter is it for it in first)), Fraction(0)) * scale
        return int(chosen) * big + int(kills)

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
    best = max(able, key=lambda i: mark.strengths[i])
    fields = battle.firer_fields(battle.firers[best], Look(True))
    targets = [battle.target_fields(one, bool(traits >> j & 1)) for j, one in enumerate(battle.targets)]
    many = -(-mark.defense // mark.strengths[best])
    shape = battle.shape
    groups = {shape.attackers: [fields] * int(many), shape.defenders: targets}
    return odds(battle.game, battle.kind, groups, battle.inputs())


def _volley(pattern: Battle, mark: Mark, firing: Sequence[int], looks: Looks | None) -> Volley:
    battle = replace(mark.battle, firers=tuple(pattern.firers[i] for i in firing))
    held = fire(battle, looks, anyway=True)
    return Volley(battle.firers, battle.targets, held.answers[0].column or "", held.fates, held.together)
