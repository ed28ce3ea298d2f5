"""Whether a procedure may take place, and what its fires roll on as it begins."""

from __future__ import annotations

from typing import NamedTuple

from assistant.attack import Odds, refusal
from assistant.engine.procedures.case import holds, uses
from assistant.engine.procedures.fire import Fire
from assistant.engine.procedures.places import check_barred, check_stacking
from assistant.engine.procedures.program import ProcedureProgram
from assistant.questions.answer import BadQuestion, Refusal
from assistant.unofficial import required_factor
from scenarios.rules.procedures import Stage


class OpeningShot(NamedTuple):
    """What a unit, or several together, roll on as the procedure begins."""

    stage: Stage
    group: str
    name: str
    odds: Odds


def check_case(program: ProcedureProgram) -> list[OpeningShot]:
    """Refuse a procedure that its own demands, or those of an attack, forbid. What its fires roll on as it begins."""
    nums = tuple(group.start for group in program.groups.values())
    values = program.starting_values
    for requirement in program.procedure.requires:
        units = program.groups[requirement.to].units(nums[program.index[requirement.to]]) if requirement.to else [{}]
        for unit in units:
            of_unit = {f"unit.{name}": value for name, value in unit.items()}
            if not holds(requirement.that, {**values, **unit, **of_unit}, program.lookup):
                name = f"{unit['name']}: " if requirement.to else ""
                raise Refusal(f"{name}{requirement.text}", requirement.rule)
    case = program.case
    for group_name, shape in program.procedure.groups.items() if case.field is not None else ():
        assert case.field is not None
        if shape.stacking:
            check_stacking(case.field, case.groups[group_name])
        if case.at is not None:
            check_barred(case.field, case.at, shape, case.groups[group_name])
    _check_sides(program)
    shots: list[OpeningShot] = []
    seen: set[tuple[str, str, str]] = set()
    for index, stage in enumerate(program.stages):
        of, at = program.group_of(stage.of), program.group_of(stage.at)
        if not stage.fire or (stage.fire, of, at) in seen:
            continue
        if (stage.of and not _has_units(program, of)) or (stage.at and not _has_units(program, at)):
            continue
        if uses(stage.when) and not program.holds(stage.when, nums, program.counters, of, program.case.turn):
            continue
        seen.add((stage.fire, of, at))
        _check_factors(program, stage, of)
        fire = Fire(program, program.stages[index], (at,) if at else (), ())
        for name, odds in fire.first_fire(nums, program.counters):
            if odds.violations:
                raise refusal(odds.violations)
            shots.append(OpeningShot(stage, of, name, odds))
    return shots


def _check_sides(program: ProcedureProgram) -> None:
    """Refuse units of two sides in a group, and the same side in two groups that oppose each other."""
    seen: dict[str, str] = {}
    for name, group in program.groups.items():
        kinds = [group.kinds[number] for number in dict.fromkeys(group.kinds.listed)]
        counters = [kind.counter for kind in kinds if kind.counter is not None]
        strange = next((counter for counter in counters if counter.side != counters[0].side), None)
        if strange is not None:
            raise BadQuestion(f"{group.shape.title}: {strange.name} is not of the {counters[0].side} side")
        if counters and name in program.opponents:
            side = counters[0].side
            if side in seen:
                raise BadQuestion(f"{seen[side]} and {group.shape.title} are both of the {side} side")
            seen[side] = group.shape.title


def _check_factors(program: ProcedureProgram, stage: Stage, group: str) -> None:
    """Refuse a fire of units of which a number is unknown that the attack needs."""
    if not group:
        return
    game = program.case.game
    attack = game.attacks[stage.fire]
    asked = uses(attack.groups[attack.attackers].strength)
    needed = [name for name in game.factors if name in asked and game.factors[name].default is None]
    for number in dict.fromkeys(program.groups[group].kinds.listed):
        counter = program.groups[group].kinds[number].counter
        if counter is not None:
            for name in needed:
                required_factor(game, counter, name)


def _has_units(program: ProcedureProgram, group: str) -> bool:
    return bool(program.groups[group].units(program.groups[group].start))
