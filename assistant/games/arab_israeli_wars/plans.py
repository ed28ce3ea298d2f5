"""What if one unit more or less fired; and the best use of many firers against many targets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import NamedTuple, Protocol

from assistant.answers import BadQuestion
from assistant.attack import Answer
from assistant.games.arab_israeli_wars.battle import ON_ALL, Asked, armed, carried, could_fire, flies, strike, support
from assistant.games.arab_israeli_wars.combat import expected, worked_out
from assistant.games.arab_israeli_wars.fire import Fire, fire
from assistant.games.arab_israeli_wars.forces import (
    NEXT_TO,
    OTHER_NAMES,
    SEEN_FIRST,
    Battle,
    Fighter,
    Looks,
    every_look,
    picked,
)
from assistant.games.arab_israeli_wars.los import by_the_rules
from assistant.games.arab_israeli_wars.questions import hex_of
from assistant.games.arab_israeli_wars.targets import (
    Barrage,
    Bombing,
    Kinds,
    Mark,
    Score,
    Volley,
    drifting,
    kinds_of,
    marks_of,
    option_of,
    volley,
)
from assistant.rules.assign import Attack, Option, Stack, TooMany, best_plan
from assistant.rules.field import Field
from scenarios.dice import dice
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.reading.findings import instead
from scenarios.tables import Table
from scenarios.tables import odds as odds_of

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
        raise BadQuestion(
            f"the best plan is worked out for {', '.join(PLANNED)}; ask for the odds of {pattern.attack} "
            "hex by hex (Basic VI.C.5)"
        )
    goals = [_goal(pattern, stack, looks, destructive) for stack in stacks]
    every = [mark for goal in goals for mark in goal.marks]
    kinds = kinds_of(pattern.firers, every)
    throw = dice(pattern.game.tables[pattern.shape.table].dice)
    scale = lcm(*(chance.denominator for chance in throw.values())) * lcm(*(goal.parts for goal in goals))
    score = Score(first, scale, 1 + scale * (len(pattern.everyone) + sum(len(stack) for stack in stacks)))
    try:
        plan = best_plan(
            [len(kind) for kind in kinds], [Stack(goal.size, goal.options(kinds, score)) for goal in goals]
        )
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


# --- who is asked about ----------------------------------------------------------------------------------------------


SUPPORTS = {"indirect_fire": "artillery", "air_strike": "air_strike"}
"""What support of a Situation takes part in which attack (Standard II.B, II.F)."""
ANY = "any"
"""With --destructive: each battery may be written for one unit."""


def asked_plan(
    game: Game, field: Field, everyone: tuple[Fighter, ...], asked: Asked, at: Sequence[str], aim: str
) -> tuple[Battle, Shares]:
    """The best plan for the units in `from` and the support named (or for a whole side) against those in each hex `at`."""
    if asked.destructive not in ("", ANY):
        raise BadQuestion(
            f"with --best say --destructive {ANY}: the plan finds whom it is written for (Advanced III.C)"
        )
    units = tuple(one for one in everyone if one.unit in game.units)
    hexes = [hex_of(field, name) for name in at]
    if not hexes:
        raise BadQuestion("say which hexes are attacked: --at HEX,HEX (Basic VI.C.4)")
    side = _side(units, asked, hexes)
    firers = _firers(game, field, units, asked, side)
    stacks = [_stack(game, field, units, asked, side, hex) for hex in hexes]
    first = _aimed(field, stacks, aim)
    pattern = Battle(game, asked.attack, firers, (), field, asked.told, units, asked.overrun, seen=asked.seen)
    if asked.destructive and not pattern.advanced:
        raise BadQuestion("destructive fire is in the Advanced Rules (Advanced III.C)")
    return pattern, best_shares(pattern, stacks, by_the_rules, first, bool(asked.destructive))


def _side(units: Sequence[Fighter], asked: Asked, hexes: Sequence[Hex]) -> str:
    """Whose plan it is: as told, or of who stands in --from, or of the enemies of who is attacked."""
    sides = sorted({one.side for one in units if one.side})
    if asked.side and asked.side not in sides:
        raise BadQuestion(f"no unit of {asked.side!r} is there; {instead(asked.side, sides)} (Basic VI.A.1)")
    side = asked.side or next((one.side for one in units if one.at in asked.from_), "")
    enemies = {one.side for one in units if one.at in hexes}
    if not side and len(enemies) == 1:
        side = next((one.side for one in units if one.side not in enemies), "")
    return side


def _firers(game: Game, field: Field, units: Sequence[Fighter], asked: Asked, side: str) -> tuple[Fighter, ...]:
    """Who may be given a target: those named by place or support, else all of the side and all its support."""
    kind = OTHER_NAMES.get(asked.attack, asked.attack)
    named = bool(asked.from_ or asked.support)
    names = asked.support or (() if named or asked.firers else tuple(_supports(game, field, kind, side)))
    here = [one for one in units if one.side == side and "loaded" not in one.states]
    here = [one for one in here if one.at in asked.from_ or not named]
    if kind in SUPPORTS and not asked.from_:
        here = [one for one in here if kind in game.units[one.unit].abilities]
    if kind == "air_strike" and names and not named:
        here = []  # helicopters strike in the fire phase, not with the airplanes (Advanced I.B.7)
    free = picked([armed(game, field, one, asked) for one in here], asked.firers, "stands there")
    if kind in (*SEEN_FIRST, "overrun"):
        free = tuple(_with_riders(game, units, here, free))
    bare = Asked(asked.attack, of_firers=asked.of_firers)
    found = (*free, *(support(game, field, name, side, bare) for name in names))
    if not found:
        raise BadQuestion("no unit of that side is there (Basic VI.A.1)")
    return found


def _with_riders(
    game: Game, units: Sequence[Fighter], here: Sequence[Fighter], chosen: Sequence[Fighter]
) -> Iterator[Fighter]:
    """The firers, each followed by its passengers that might fire along (Advanced II.A)."""
    aboard: dict[int, list[Fighter]] = {}
    for one in units:
        if one.carrier is not None and "special_infantry" in game.units[one.unit].abilities:
            aboard.setdefault(id(one.carrier), []).append(one)
    left = list(here)
    for firer in chosen:
        own = next(
            one
            for one in left
            if (one.unit, one.copy, one.at, one.states) == (firer.unit, firer.copy, firer.at, firer.states)
        )
        left.remove(own)
        yield firer
        yield from (replace(rider, carrier=firer) for rider in aboard.get(id(own), ()))


def _supports(game: Game, field: Field, kind: str, side: str) -> Iterator[str]:
    """The side's support in a Situation, each by its name as often as there is of it; what helicopters carry comes with
    them (Advanced I.C.1)."""
    scenario = game.scenarios.get(field.position.scenario)
    force = scenario.forces.get(side) if scenario else None
    aboard = [carried(game, field, unit) for unit in game.units]
    for one in force.support if force else ():
        held = strike(one)
        mine = any(had and (had["points"], had["kind"]) == (held.get("points"), held.get("kind")) for had in aboard)
        if one.kind == SUPPORTS.get(kind) and not mine:
            yield from [one.name] * one.count


def _stack(
    game: Game, field: Field, units: Sequence[Fighter], asked: Asked, side: str, hex: Hex
) -> tuple[Fighter, ...]:
    """The enemies in a hex that may be attacked."""
    stack = [one for one in units if one.at == hex and one.side != side and "loaded" not in one.states]
    kind = OTHER_NAMES.get(asked.attack, asked.attack)
    if kind in ON_ALL:
        stack = [one for one in stack if not flies(game, one)]
        if asked.targets:
            raise BadQuestion(f"this attack is on all units in the hex, not on some ({ON_ALL[kind]})")
    if not stack:
        raise BadQuestion(f"no enemy is in {field.hex_map.name(hex)} (Basic VI.A.1)")
    words = [word for word in asked.targets if any(one.called(word) for one in stack)]
    return picked(stack, words, "is an enemy there")


def _aimed(field: Field, stacks: Sequence[Sequence[Fighter]], aim: str) -> list[Fighter]:
    """--aim kills: nothing comes first. --aim HEX or HEX:UNIT: the units there, or that unit."""
    if aim in ("", "kills"):
        return []
    place, _, unit = aim.partition(":")
    hex = hex_of(field, place)
    found = [one for stack in stacks for one in stack if one.at == hex and (not unit or one.called(unit))]
    if not found:
        raise BadQuestion(f"{aim!r} is none of the targets; aim at `kills`, at a HEX of --at, or at HEX:UNIT")
    return found[:1] if unit else found


# --- what if ----------------------------------------------------------------------------------------------------------


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
    """How many effective points more reach the next column, shifts included (Basic VI.A.1.b, Standard II.D.4.c)."""
    if answer.defense_strength is None or table.columns.kind != "odds":
        return None
    labels = table.columns.labels
    starts = [odds_of(text) * answer.defense_strength for text in labels]
    here = max((i for i, start in enumerate(starts) if start <= answer.attack_strength), default=-1)
    ends = [table.shifted(i, answer.shift) for i in range(len(labels))]
    above = next((i for i in range(here + 1, len(labels)) if here < 0 or ends[i] != ends[here]), None)
    least = next((i for i in range(here + 1) if ends[i] == ends[here]), 0)
    return Next(
        labels[ends[above]] if above is not None else "",
        starts[above] - answer.attack_strength if above is not None else Fraction(0),
        answer.attack_strength - starts[least] if here >= 0 else Fraction(0),
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
