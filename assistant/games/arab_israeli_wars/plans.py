"""What if one unit more or less fired; and the best use of many firers against many targets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from assistant.attack import Odds
from assistant.engine.battle.assignment import AttackOption, PlannedAttack, TooManyAssignments, UnitStack, best_plan
from assistant.engine.field import Field
from assistant.games.arab_israeli_wars.battle import (
    ON_ALL,
    AttackRequest,
    arm_firer,
    carried_strike,
    could_fire,
    strike_inputs,
    support,
)
from assistant.games.arab_israeli_wars.combat import mean_losses, resolve_groups
from assistant.games.arab_israeli_wars.fire import Fire, fire
from assistant.games.arab_israeli_wars.forces import (
    NEXT_TO,
    SEEN_FIRST,
    AskedAttack,
    Fighter,
    pick_fighters,
)
from assistant.games.arab_israeli_wars.questions import hex_of
from assistant.games.arab_israeli_wars.targets import (
    Barrage,
    Bombing,
    FirerClasses,
    ResultScore,
    StackTarget,
    Volley,
    drifting,
    group_firers,
    option_of,
    stack_targets,
    volley,
)
from assistant.questions.answer import BadQuestion
from scenarios.model.dice import dice
from scenarios.model.game import Game
from scenarios.model.hexes import Hex
from scenarios.model.tables import Table, parse_odds
from scenarios.reading.findings import suggest

PLANNED_ATTACKS = (*SEEN_FIRST, *NEXT_TO, "indirect_fire", "air_strike")
"""Attacks that a plan can consist of."""


@dataclass(frozen=True)
class Shares:
    """The exact best distribution of firers."""

    volleys: tuple[Volley, ...]
    kills: Fraction
    idle: tuple[Fighter, ...]
    """Firers that would not improve it."""
    unable: tuple[tuple[Fighter, str], ...]
    """Firers that can't attack any of the targets, and why."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Targets:
    """Units that are attacked together, in parts or not at all (Basic VIII.B.3)."""

    marks: Sequence[StackTarget]
    size: int
    parts: int = 1

    def options(self, firer_classes: FirerClasses, score: ResultScore) -> tuple[AttackOption, ...]:
        return tuple(option_of(mark, firer_classes, score) for mark in self.marks)

    def volleys(
        self, attack: PlannedAttack, firer_classes: FirerClasses, firing: FirerClasses, score: ResultScore
    ) -> list[Volley]:
        mark = self.marks[attack.option]
        battle = mark.battle
        firers = tuple(battle.firers[j] for kind in firing for i in kind for j in (i, *mark.riders.get(i, ())))
        return [volley(replace(battle, firers=firers))]


AttackHex = Targets | Barrage | Bombing
"""A hex that may be attacked: `size` is the number of its parts, each of which is attacked once at most; `parts` is
the denominator of the chances there."""


def best_shares(
    pattern: AskedAttack,
    stacks: Sequence[Sequence[Fighter]],
    first: Sequence[Fighter] = (),
    destructive: bool = False,
) -> Shares:
    """Return the plan for a battle's firers against stacks of targets: which firer attacks which target. Each stack
    is attacked together, in parts, or in part only (Basic VIII.B); in assaults, overruns and bombardments always
    whole (Standard II.C.3.b, II.D.4.b, II.A.5.d). The aim is most expected kills: first among the targets in
    `first`, so that one target there has its best chance to be hit, then among all. With `destructive`, a battery
    may be written for one unit (Advanced III.C)."""
    if pattern.kind not in PLANNED_ATTACKS:
        raise BadQuestion(
            f"the best plan can be found for {', '.join(PLANNED_ATTACKS)}; ask for the odds of {pattern.attack} "
            "hex by hex (Basic VI.C.5)"
        )
    goals = [_goal(pattern, stack, destructive) for stack in stacks]
    all_marks = [mark for goal in goals for mark in goal.marks]
    firer_classes = group_firers(pattern.firers, all_marks)
    throw = dice(pattern.game.tables[pattern.shape.table].dice)
    scale = lcm(*(chance.denominator for chance in throw.values())) * lcm(*(goal.parts for goal in goals))
    score = ResultScore(first, scale, 1 + scale * (len(pattern.everyone) + sum(len(stack) for stack in stacks)))
    try:
        plan = best_plan(
            [len(kind) for kind in firer_classes],
            [UnitStack(goal.size, goal.options(firer_classes, score)) for goal in goals],
        )
    except TooManyAssignments as error:
        raise BadQuestion(str(error)) from None
    remaining_places = [list(kind) for kind in firer_classes]
    volleys: list[Volley] = []
    for attack in plan.attacks:
        firing = [[remaining_places[k].pop(0) for _ in range(n)] for k, n in enumerate(attack.counts)]
        volleys += goals[attack.stack].volleys(attack, firer_classes, firing, score)
    kills = sum((mean_losses(volley.losses)[0] for volley in volleys), Fraction(0))
    idle = [
        pattern.firers[i] for kind in remaining_places for i in kind if any(mark.can_attack[i] for mark in all_marks)
    ]
    unable = [
        (firer, next((mark.reasons[i] for mark in all_marks if mark.reasons[i]), ""))
        for i, firer in enumerate(pattern.firers)
        if firer.carrier is None and not any(mark.can_attack[i] for mark in all_marks)
    ]
    return Shares(tuple(volleys), kills, tuple(idle), tuple(unable), tuple(drifting(volleys)))


def _goal(pattern: AskedAttack, stack: Sequence[Fighter], destructive: bool) -> AttackHex:
    if pattern.kind == "indirect_fire":
        return Barrage.against(pattern, stack, destructive)
    if pattern.kind == "air_strike" and any(firer.inputs.get("kind") == "(H)" for firer in pattern.firers):
        return Bombing.against(pattern, stack)
    return Targets(stack_targets(pattern, stack), len(stack))


# --- the units of the question ---------------------------------------------------------------------------------------


SUPPORTS = {"indirect_fire": "artillery", "air_strike": "air_strike"}
"""The support of a Situation that takes part in each attack (Standard II.B, II.F)."""
ANY_TARGET = "any"
"""With --destructive: each battery may be written for one unit."""


def asked_plan(
    game: Game, field: Field, everyone: tuple[Fighter, ...], request: AttackRequest, hex_names: Sequence[str], aim: str
) -> tuple[AskedAttack, Shares]:
    """Return the best plan for the units in `from` and the named support (or for a whole side) against the units in
    each hex `at`."""
    if request.destructive not in ("", ANY_TARGET):
        raise BadQuestion(
            f"with --best write --destructive {ANY_TARGET}: the plan chooses the recorded target (Advanced III.C)"
        )
    units = tuple(fighter for fighter in everyone if fighter.counter)
    hexes = [hex_of(field, name) for name in hex_names]
    if not hexes:
        raise BadQuestion("name the attacked hexes: --at HEX,HEX (Basic VI.C.4)")
    side = _side(units, request, hexes)
    firers = _firers(game, field, units, request, side)
    stacks = [_stack(game, field, units, request, side, hex) for hex in hexes]
    first = _aim_targets(field, stacks, aim)
    pattern = AskedAttack(
        game, request.attack, firers, (), field, request.inputs, units, request.overrun, is_seen=request.is_seen
    )
    if request.destructive and not pattern.is_advanced:
        raise BadQuestion("destructive fire is in the Advanced Rules (Advanced III.C)")
    return pattern, best_shares(pattern, stacks, first, bool(request.destructive))


def _side(units: Sequence[Fighter], request: AttackRequest, hexes: Sequence[Hex]) -> str:
    """Return the side of the plan: as the player says, else that of the units in --from, else the enemies of the
    targets."""
    sides = sorted({unit.side for unit in units if unit.side})
    if request.side and request.side not in sides:
        raise BadQuestion(f"no unit of {request.side!r} is there; {suggest(request.side, sides)} (Basic VI.A.1)")
    side = request.side or next((unit.side for unit in units if unit.hex in request.source_hexes), "")
    enemies = {unit.side for unit in units if unit.hex in hexes}
    if not side and len(enemies) == 1:
        side = next((unit.side for unit in units if unit.side not in enemies), "")
    return side


def _firers(
    game: Game, field: Field, units: Sequence[Fighter], request: AttackRequest, side: str
) -> tuple[Fighter, ...]:
    """Return the available firers: those named by place or support, else all of the side and all its support."""
    kind = request.kind
    is_named = bool(request.source_hexes or request.support)
    names = request.support or (() if is_named or request.firers else tuple(_supports(game, field, kind, side)))
    candidates = [fighter for fighter in units if fighter.side == side and not fighter.is_loaded]
    candidates = [fighter for fighter in candidates if fighter.hex in request.source_hexes or not is_named]
    if kind in SUPPORTS and not request.source_hexes:
        candidates = [fighter for fighter in candidates if kind in fighter.abilities]
    if kind == "air_strike" and names and not is_named:
        candidates = []  # helicopters strike in the fire phase, not with the airplanes (Advanced I.B.7)
    armed_units = {id(firer): (firer, unit) for unit in candidates for firer in [arm_firer(game, field, unit, request)]}
    free = pick_fighters([firer for firer, _ in armed_units.values()], request.firers, "stands there")
    if kind in (*SEEN_FIRST, "overrun"):
        free = tuple(
            fighter for firer in free for fighter in (firer, *_riders(units, armed_units[id(firer)][1], firer))
        )
    bare_request = AttackRequest(request.attack, firer_inputs=request.firer_inputs)
    firers = (*free, *(support(game, field, name, side, bare_request) for name in names))
    if not firers:
        raise BadQuestion("no unit of that side is there (Basic VI.A.1)")
    return firers


def _riders(units: Sequence[Fighter], carrier: Fighter, firer: Fighter) -> Iterator[Fighter]:
    """Yield the passengers of a carrier that might fire with it (Advanced II.A)."""
    for fighter in units:
        if fighter.carrier is carrier and "special_infantry" in fighter.abilities:
            yield replace(fighter, carrier=firer)


def _supports(game: Game, field: Field, kind: str, side: str) -> Iterator[str]:
    """Yield the side's support in a Situation, each by its name and as often as the Situation has it. The loads of
    helicopters come with them (Advanced I.C.1)."""
    scenario = game.scenarios.get(field.position.scenario)
    force = scenario.forces.get(side) if scenario else None
    loads = [carried_strike(game, field, unit) for unit in game.units]
    for support_unit in force.support if force else ():
        is_carried = {**strike_inputs(support_unit), "carried": True} in loads
        if support_unit.kind == SUPPORTS.get(kind) and not is_carried:
            yield from [support_unit.name] * support_unit.count


def _stack(
    game: Game, field: Field, units: Sequence[Fighter], request: AttackRequest, side: str, hex: Hex
) -> tuple[Fighter, ...]:
    """The enemies in a hex that may be attacked."""
    stack = [fighter for fighter in units if fighter.hex == hex and fighter.side != side and not fighter.is_loaded]
    kind = request.kind
    if kind in ON_ALL:
        stack = [fighter for fighter in stack if not fighter.flies]
        if request.targets:
            raise BadQuestion(f"this attack is on all units in the hex, not on single units ({ON_ALL[kind]})")
    if not stack:
        raise BadQuestion(f"no enemy is in {field.hex_map.name(hex)} (Basic VI.A.1)")
    words = [word for word in request.targets if any(fighter.matches(word) for fighter in stack)]
    return pick_fighters(stack, words, "is an enemy there")


def _aim_targets(field: Field, stacks: Sequence[Sequence[Fighter]], aim: str) -> list[Fighter]:
    """Return the targets with priority. --aim kills: none. --aim HEX or HEX:UNIT: the units there, or that unit."""
    if aim in ("", "kills"):
        return []
    place, _, unit = aim.partition(":")
    hex = hex_of(field, place)
    aim_targets = [
        fighter for stack in stacks for fighter in stack if fighter.hex == hex and (not unit or fighter.matches(unit))
    ]
    if not aim_targets:
        raise BadQuestion(f"{aim!r} is not a target; the aim is `kills`, a HEX of --at, or HEX:UNIT")
    return aim_targets[:1] if unit else aim_targets


# --- what if ----------------------------------------------------------------------------------------------------------


class Next(NamedTuple):
    """The columns around the present one: what the next one would take, and what could be spared without losing a
    column."""

    column: str
    """The next column; "" at the last one."""
    points_needed: Fraction
    spare: Fraction


class Change(NamedTuple):
    """The attack with one unit more or less."""

    fighter: Fighter
    is_added: bool
    strength: Fraction
    column: str | None
    kills: Fraction
    """The average number of eliminated units."""
    hurt: Fraction
    """The average number of dispersed units."""


def next_column(table: Table, answer: Odds) -> Next | None:
    """Return how many more effective points reach the next column, shifts included (Basic VI.A.1.b, Standard
    II.D.4.c)."""
    if answer.defense_strength is None or table.columns.kind != "odds":
        return None
    labels = table.columns.labels
    starts = [parse_odds(text) * answer.defense_strength for text in labels]
    current_index = max((i for i, start in enumerate(starts) if start <= answer.attack_strength), default=-1)
    ends = [table.shift_column(i, answer.shift) for i in range(len(labels))]
    next_index = next(
        (i for i in range(current_index + 1, len(labels)) if current_index < 0 or ends[i] != ends[current_index]), None
    )
    min_index = next((i for i in range(current_index + 1) if ends[i] == ends[current_index]), 0)
    return Next(
        labels[ends[next_index]] if next_index is not None else "",
        starts[next_index] - answer.attack_strength if next_index is not None else Fraction(0),
        answer.attack_strength - starts[min_index] if current_index >= 0 else Fraction(0),
    )


def changes(fire_result: Fire) -> list[Change]:
    """Return the effect of adding each other unit that may join, or dropping each that fires. Equal units appear
    once."""
    battle = fire_result.battle
    possible_changes = [
        _change_by(replace(battle, firers=(*battle.firers, firer)), firer, True)
        for firer in _different(_joining(battle))
    ]
    for firer in _different(battle.firers) if len(battle.firers) > 1 else ():
        other_firers = list(battle.firers)
        other_firers.remove(firer)
        possible_changes.append(_change_by(replace(battle, firers=tuple(other_firers)), firer, False))
    return sorted(
        possible_changes, key=lambda change: (not change.is_added, -change.kills, -change.hurt, change.fighter.unit)
    )


def _different(fighters: Iterable[Fighter]) -> list[Fighter]:
    unique_fighters: dict[tuple[object, ...], Fighter] = {}
    for fighter in fighters:
        unique_fighters.setdefault(
            (fighter.unit, fighter.nation, fighter.hex, fighter.states, tuple(fighter.inputs.items()), fighter.name),
            fighter,
        )
    return list(unique_fighters.values())


def _joining(battle: AskedAttack) -> list[Fighter]:
    """Return the other units that may take part in the same attack."""
    other_fighters = tuple(could_fire(battle)) if battle.everyone and battle.kind in battle.game.attacks else ()
    if not other_fighters or not battle.targets or battle.kind in ("minefield", "air_strike"):
        return []
    joint_battle = replace(battle, firers=other_fighters)
    _, refusals = resolve_groups(joint_battle)
    return [fighter for i, fighter in enumerate(other_fighters) if ("firers", i) not in refusals]


def _change_by(battle: AskedAttack, fighter: Fighter, is_added: bool) -> Change:
    fire_result = fire(battle, anyway=True)
    group = battle.shape.attackers
    firer_strengths = [unit for unit in fire_result.answers[0].units if unit.group == group]
    own_strength = firer_strengths[-1].value if is_added else Fraction(0)
    return Change(fighter, is_added, own_strength, fire_result.answers[0].column, *mean_losses(fire_result.losses))
