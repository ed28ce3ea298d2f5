"""The question that a procedure answers: its inputs, made from the declaration, and its answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from assistant.engine.battle.results import ALWAYS
from assistant.engine.map_index import program_of
from assistant.engine.procedures.answers import answer_nodes
from assistant.engine.procedures.case import uses
from assistant.engine.procedures.leaving import acting_groups, formulas_in, loses_instead
from assistant.engine.procedures.outcomes import Solver
from assistant.engine.procedures.reading import NOBODY, CaseReader
from assistant.engine.procedures.requirements import check_case
from assistant.engine.procedures.what_if import what_if_nodes
from assistant.engine.question_field import on_a_map
from assistant.odds import attack_input
from assistant.questions.answer import Answer, Node, Unofficial, remark
from assistant.questions.question import ON_ANY_MAP, Input, Question
from scenarios.model.game import Game
from scenarios.rules.counters import RuleCounter
from scenarios.rules.procedures import Policy, Procedure

FROM_PLACES = Input(name="from", about="the places that the units come from, one for each stack", kind="places")
AT = Input(name="at", about="the place where it happens", kind="place", aliases=("point", "hex", "target"))
SIDE = Input(name="side", about="with a position: whose units act", kind="choice", vocabulary="side")
WHAT_IF = Input(name="what_if", about="also what one thing more or less would change", kind="flag", default=False)
MAX_SHIFT = 19


def procedure_questions(game: Game) -> dict[str, Question]:
    """The questions that a pack's procedures answer, by name."""
    return {name: procedure_question(game, name) for name in program_of(game).rules.procedures}


def procedure_question(game: Game, name: str) -> Question:
    """The question that a procedure answers."""
    procedure = program_of(game).rules.procedures[name]
    inputs: dict[str, Input] = {}
    for shape in _inputs(game, procedure):
        inputs.setdefault(shape.name, shape)

    def answer(asked_game: Game, told: Mapping[str, Any]) -> Answer:
        return procedure_answer(asked_game, name, told)

    return Question(
        name=name,
        about=procedure.title[:1].lower() + procedure.title[1:] + (f" ({procedure.rule})" if procedure.rule else ""),
        inputs=tuple(inputs.values()),
        answer=answer,
        positional=_positional(procedure),
        on_map=on_a_map,
    )


def _positional(procedure: Procedure) -> tuple[str, ...]:
    """The inputs that need no name: where it happens and from where, else the first groups."""
    if any(group.read is not None and group.read.from_ for group in procedure.groups.values()):
        return (AT.name, FROM_PLACES.name)
    return tuple(key for key, shape in procedure.groups.items() if not shape.stacks)[:2]


def _inputs(game: Game, procedure: Procedure) -> Iterator[Input]:
    has_map = bool(game.maps or game.scenario_maps)
    for key, group in procedure.groups.items():
        pattern = NOBODY if group.at_least == 0 and not group.stacks else ""
        about = group.title + (f", or {NOBODY}" if pattern else "")
        yield Input(
            name=key, about=about, kind="units", stacks=group.stacks, markers=group.markers, extra_pattern=pattern
        )
    if has_map and any(group.read is not None for group in procedure.groups.values()):
        yield SIDE
    if has_map and _is_at_a_place(game, procedure):
        yield AT
        if any(group.read is not None and group.read.from_ for group in procedure.groups.values()):
            yield FROM_PLACES
    for key, shape in procedure.inputs.items():
        yield attack_input(game, key, shape)
    for key, group in procedure.groups.items():
        for name, shape in group.inputs.items():
            asked = attack_input(game, f"{key}_{name}", shape)
            yield asked
    for name, policy in procedure.policies.items():
        for key, group in procedure.groups.items():
            if len(policy.choices) != 1 and (not policy.groups or key in policy.groups):
                yield _policy_input(
                    f"{key}_{name}", f"{group.title}: {policy.title[:1].lower()}{policy.title[1:]}", policy
                )
    for key, group in procedure.groups.items():
        if loses_instead(game, procedure, key):
            yield Input(name=f"{key}_can_retreat", about=f"{group.title}: there is a place to retreat to", kind="flag")
    for key, group in procedure.groups.items():
        if any(stage.fire and key in acting_groups(procedure, stage.of) for stage in procedure.all_stages):
            yield Input(
                name=f"{key}_shift",
                about=f"{group.title}: further columns for their fire, 1 to the right, -1 to the left",
                kind="number",
                minimum=-MAX_SHIFT,
                maximum=MAX_SHIFT,
            )
    asked_counters = _counters_asked(game, procedure)
    for name, counter in program_of(game).rules.counters.items():
        if name in asked_counters:
            yield _counter_input(name, counter)
    for name, counter in procedure.counters.items():
        if counter.start is not None:
            yield _counter_input(name, counter)
    if procedure.turns:
        yield Input(name="turns", about="how many turns the forecast covers", kind="number", minimum=1, maximum=40)
        yield Input(name="turn", about="the first turn of the forecast", kind="number", minimum=1)
    yield WHAT_IF
    if has_map:
        yield from ON_ANY_MAP


def _counters_asked(game: Game, procedure: Procedure) -> frozenset[str]:
    """The counters that a procedure asks for or changes, itself or by the results of its tables."""
    tables = {game.attacks[stage.fire].table for stage in procedure.all_stages if stage.fire}
    tables |= {stage.table for stage in procedure.all_stages if stage.table}
    effects = {
        ALWAYS,
        *(key for table in tables for result in game.tables[table].results.values() for key in result.effects),
    }
    rules = program_of(game).rules
    records = [record for key in effects & rules.results.keys() for record in rules.results[key]] if tables else []
    formulas = [formula for formula in formulas_in((procedure, records)) if formula is not None]
    changed = {key for stage in procedure.all_stages for key in stage.change}
    changed |= {key for record in records for key in record.change}
    return frozenset(changed | {name[8:] for f in formulas for name in uses(f) if name.startswith("counter.")})


def _is_at_a_place(game: Game, procedure: Procedure) -> bool:
    """Whether the place of a procedure matters: its units, an input or a retreat depends on the map."""
    return (
        any(group.read is not None for group in procedure.groups.values())
        or any(asked.read or asked.by_rules for asked in procedure.inputs.values())
        or any(loses_instead(game, procedure, key) for key in procedure.groups)
    )


def _policy_input(name: str, about: str, policy: Policy) -> Input:
    if policy.kind == "choice":
        return Input(name=name, about=about, kind="choice", choices=tuple(policy.choices))
    if policy.kind == "flag":
        return Input(name=name, about=about, kind="flag")
    return Input(name=name, about=about, kind="number", integer=False, example="1/2")


def _counter_input(name: str, counter: RuleCounter) -> Input:
    about = f"{counter.title or name} as it stands"
    if counter.kind == "flag":
        return Input(name=name, about=about, kind="flag")
    if counter.kind == "text":
        return Input(name=name, about=about, kind="choice", choices=counter.choices)
    lowest = counter.at_least if counter.at_least is not None else -999
    return Input(name=name, about=about, kind="number", minimum=lowest, maximum=counter.at_most or 999)


def procedure_answer(game: Game, name: str, told: Mapping[str, Any]) -> Answer:
    """The answer of a procedure."""
    reader = CaseReader(game, name, told)
    case = reader.case()
    solver = Solver(case)
    opening = check_case(solver.program)
    solution = solver.solve()
    read = reader.read_from_map()
    nodes: list[Node] = [remark(f"Read from the map: {'; '.join(read)}")] if read else []
    further: list[Node] = []
    unofficial: Mapping[str, str] = {}
    if told.get("what_if"):
        table, unofficial = what_if_nodes(solution, solver)
        further.append(table if table.rows else remark("What if: no single change alters how it ends or what is lost."))
    nodes += answer_nodes(solution, opening, further)
    numbers = nodes.pop()
    assert isinstance(numbers, Unofficial)
    nodes.append(Unofficial({**numbers.numbers, **unofficial}))
    return Answer(name, game.id, nodes)
