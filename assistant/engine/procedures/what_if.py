"""What one thing more or less would change in a procedure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from assistant.chances import mean
from assistant.engine.procedures.answers import unofficial_numbers
from assistant.engine.procedures.case import Case, Participant, evaluate, holds
from assistant.engine.procedures.effects import counter_shape
from assistant.engine.procedures.outcomes import Solution, Solver
from assistant.engine.procedures.program import ProcedureProgram
from assistant.engine.procedures.requirements import check_case
from assistant.questions.answer import BadQuestion, Cell, Chance, RowTable, TableColumn
from scenarios.rules.procedures import MAX_UNITS, WhatIf


def what_if_nodes(base: Solution, solved: Solver) -> tuple[RowTable, dict[str, str]]:
    """What each change makes of the procedure: the chances of what outcomes name, and the losses of each group; and the unofficial
    numbers of the changes. `solved` is what solved the procedure itself."""
    rows: list[dict[str, Cell]] = []
    unofficial: dict[str, str] = {}
    first = next((name for outcome in base.program.procedure.outcomes for name in outcome.is_), "")
    values = sorted({outcome.is_[first] for outcome in base.program.procedure.outcomes if first in outcome.is_})
    groups = [name for name in base.groups if name in base.program.procedure.groups]
    main_needs = solved.main_needs
    is_full = any(name not in main_needs for name in groups if not base.program.procedure.groups[name].supports)
    has_counters = bool(_numbers(base))
    for text, case in variations(base.program):
        try:
            solver = Solver(case, like=solved)
            opening = check_case(solver.program)
            if solved.is_same(solver.program):
                continue
            solution = solver.solve(is_full or has_counters, has_counters=has_counters)
        except BadQuestion:
            continue
        chances: dict[str, Cell] = {}
        for value in values:
            chances[value] = Chance(solution.chance_of(first, value))
        lost: dict[str, Cell] = {
            name: mean(solution.groups[name].worth_lost, lambda n: n) for name in groups if name in solution.groups
        }
        counters: dict[str, Cell] = {name: _mean(solution, name) for name in _numbers(base)}
        shown_counters = ", ".join(
            f"{counter_shape(base.program.case, name).title} {float(_number(value)):.2f}"
            for name, value in counters.items()
        )
        if (
            counters == {name: _mean(base, name) for name in counters}
            and solution.outcomes == base.outcomes
            and all(lost[name] == mean(base.groups[name].worth_lost, lambda n: n) for name in lost)
        ):
            continue
        shown = ", ".join(f"{key} {value}" for key, value in chances.items())
        shown_lost = ", ".join(
            f"{base.program.groups[name].shape.title} {float(_number(value)):.2f}" for name, value in lost.items()
        )
        unofficial |= unofficial_numbers(solution, opening)
        row: dict[str, Cell] = {"change": text, "chances": chances, "lost": lost, "shown": shown}
        row |= {"shown_lost": shown_lost, "counters": counters, "shown_counters": shown_counters}
        rows.append(row)
    columns = [
        TableColumn("change", "what if"),
        TableColumn("shown", "chances" if values else "", for_programs=False),
        TableColumn("shown_lost", "average losses" if groups else "", for_programs=False),
        TableColumn("shown_counters", "" if groups else "on average", for_programs=False),
        TableColumn("chances"),
        TableColumn("lost"),
        TableColumn("counters"),
    ]
    return RowTable("what_if", columns, rows), unofficial


def _numbers(solution: Solution) -> list[str]:
    """The titled numbers of a procedure without groups: what its changes are about."""
    case = solution.program.case
    names = [] if solution.program.procedure.groups else list(solution.counters)
    return [name for name in names if counter_shape(case, name).kind == "number"]


def _mean(solution: Solution, name: str) -> Fraction:
    return Fraction(mean(solution.counters[name], lambda value: value))


def _number(value: Cell) -> Fraction:
    assert isinstance(value, (int, Fraction))
    return Fraction(value)


def variations(program: ProcedureProgram) -> Iterator[tuple[str, Case]]:
    """One unit less or more, every flag the other way, a column more, and the changes that the pack names."""
    case, procedure = program.case, program.procedure
    for name, shape in procedure.groups.items():
        units = case.groups.get(name, ())
        for unit in dict.fromkeys(units) if len(units) > shape.at_least else ():
            place = units.index(unit)
            fewer = (*units[:place], *units[place + 1 :])
            label = next(kind.name for kind in program.groups[name].kinds if kind.participant == unit)
            yield f"{shape.title} without {label}", case.with_units(name, fewer)
        if units and _has_copy(case, units[0].unit, units) and len(units) < min(shape.at_most or MAX_UNITS, MAX_UNITS):
            label = next(kind.name for kind in program.groups[name].kinds if kind.participant == units[0])
            yield (
                f"{shape.title} with one more {label}",
                case.with_units(name, (*units, units[0])),
            )
    for name, asked in procedure.inputs.items():
        is_read = case.place is not None and bool(asked.read or asked.by_rules)
        if asked.kind == "flag" and not is_read and name not in case.idle_inputs:
            value = program.base[f"input.{name}"] is not True
            yield f"{asked.title}: {'yes' if value else 'no'}", replace(case, inputs={**case.inputs, name: value})
    for name in dict.fromkeys(program.group_of(stage.of) for stage in program.stages if stage.fire and stage.of):
        title = procedure.groups[name].title
        if case.groups.get(name):
            more = {**case.shifts, name: case.shifts.get(name, 0) + 1}
            yield f"{title} fire one column more", replace(case, shifts=more)
    starting = {name: group.units(group.start) for name, group in program.groups.items()}
    values = {**program.base, **starting}
    for change in procedure.what_if:
        if holds(change.when, values, program.lookup):
            yield change.text, _changed(program, change)


def _has_copy(case: Case, unit: str, units: Sequence[Participant]) -> bool:
    """Whether there is another counter of a kind."""
    counter = case.game.units.get(unit)
    return counter is None or sum(other.unit == unit for other in units) < counter.count


def _changed(program: ProcedureProgram, change: WhatIf) -> Case:
    """A case with a change that the pack names."""
    case = program.case
    starting = {name: group.units(group.start) for name, group in program.groups.items()}
    values = {**program.base, **starting}
    inputs = {
        key: evaluate(formula, values, program.lookup) for key, formula in change.inputs.items() if formula is not None
    }
    groups = dict(case.groups)
    for name in groups:
        of_units = {key.removeprefix(f"{name}_"): value for key, value in inputs.items() if key.startswith(f"{name}_")}
        of_units = {key: value for key, value in of_units.items() if key in case.procedure.groups[name].inputs}
        if of_units:
            groups[name] = tuple(
                replace(unit, inputs=tuple({**dict(unit.inputs), **of_units}.items())) for unit in groups[name]
            )
            inputs = {key: value for key, value in inputs.items() if key not in {f"{name}_{k}" for k in of_units}}
    for name, added in change.add.items():
        if added is not None:
            unit = str(evaluate(added, values, program.lookup))
            groups[name] = (*groups.get(name, ()), Participant(unit))
    for name, state in (*change.set.items(), *change.clear.items()):
        in_state = name in change.set and change.set[name] == state
        groups[name] = tuple(
            replace(
                unit,
                states=tuple(
                    other
                    for other in case.game.states
                    if (other in unit.states and other != state) or (other == state and in_state)
                ),
            )
            for unit in groups.get(name, ())
        )
    return replace(case, inputs={**case.inputs, **inputs}, groups=groups)
