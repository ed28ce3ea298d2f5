"""Whether a procedure may take place, and what its fires roll on as it begins."""

from __future__ import annotations

from typing import NamedTuple

from assistant.attack import Odds, refusal
from assistant.engine.procedures.case import holds, uses
from assistant.engine.procedures.fire import Fire
from assistant.engine.procedures.places import check_barred, check_stacking
from assistant.engine.procedures.program import ProcedureProgram
from assistant.questions.answer import Refusal
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
        fire = Fire(program, program.stages[index], (at,) if at else (), ())
        for name, odds in fire.first_fire(nums, program.counters):
            if odds.violations:
                raise refusal(odds.violations)
            shots.append(OpeningShot(stage, of, name, odds))
    return shots


def _has_units(program: ProcedureProgram, group: str) -> bool:
    return bool(program.groups[group].units(program.groups[group].start))
