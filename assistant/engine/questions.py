"""The questions that any pack with `rules` answers: move, advance, retreat, supply, stack."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from assistant.engine.field import Field
from assistant.engine.map_index import program_of
from assistant.engine.movement.carrying import CARRY
from assistant.engine.movement.entry import entry_answer
from assistant.engine.movement.reach import Leg, Reach, Reason, end_failures, reach, reason
from assistant.engine.movement.route_plan import planned_nodes
from assistant.engine.notes import note_nodes, question_notes, unit_subjects
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.program import PLACES, CompiledRecord
from assistant.engine.question_field import asked_coming, asked_field, asked_place, asked_units, cant_be
from assistant.engine.scope import TableCell
from assistant.engine.stacking import StackLevel, failures, stack_levels, stacks, too_many, unmet
from assistant.engine.supply.command import AT_INPUT, SIDE, beside_supply, command_questions
from assistant.engine.supply.cuts import cuts
from assistant.engine.supply.supply_lines import SupplyLine, supply_of
from assistant.engine.zones import zones_of
from assistant.questions.answer import (
    Answer,
    BadQuestion,
    Cell,
    Chance,
    Chances,
    MapPath,
    Node,
    Part,
    PlaceList,
    PlaceRef,
    Refusal,
    RowTable,
    Section,
    Sections,
    Sentence,
    TableColumn,
    Text,
    Unofficial,
    Value,
    Warning,
)
from assistant.questions.question import ON_ANY_MAP, Input, Question, counter_input, question_input
from assistant.unofficial import map_sources, shown_sources, unofficial_addresses
from scenarios.grammar import count_text
from scenarios.model.game import Game
from scenarios.rules.shapes import Move, Walk

if TYPE_CHECKING:
    from assistant.engine.retreat.paths import RetreatPath, RetreatPaths

UNIT = Input(name="unit", about="the unit, or UNIT,UNIT for a stack", kind="units", required=True)
TAKEN = Input(name="taken", about="places that an enemy unit occupies", kind="places", what_if=True)
ZONE = Input(name="zone", about="enemy units in taken places also exert zones of control", kind="flag")
FROM = Input(name="from", about="the unit's place, if the position doesn't show it", kind="place")
UNIT_INPUTS = (UNIT, FROM)
PATH = Input(
    name="path", about="instead: each place of the path, and the actions on the way", kind="places", example="0203,0204"
)
MAX_ROWS = 12


def rule_questions(game: Game) -> dict[str, Question]:
    """Return the questions that the pack's rules answer, by name."""
    # Imported late, like all of this function: an answer to another question starts without battles, points and turns.
    from assistant.engine.battle.duties import attacks_question
    from assistant.engine.forecast import forecast_question
    from assistant.engine.turn import turn_question
    from assistant.engine.victory import score_question

    rules = game.rules
    if rules is not None and rules.resources:
        from assistant.engine.resources import resource_questions

        resources = resource_questions(game)
    else:
        resources = {}
    optional_questions = {
        "attacks": attacks_question(game),
        "score": score_question(game),
        "turn": turn_question(game),
        "forecast": forecast_question(game),
    }
    questions: dict[str, Question] = {
        name: question for name, question in optional_questions.items() if question is not None
    }
    questions |= resources
    if rules is None:
        return questions
    target_input = Input(name="to", about="the destination: show the cheapest path, or why there is none", kind="place")
    if rules.movement:
        questions["move"] = Question(
            name="move",
            about="where a unit or a stack can move, the cost, and what stops it",
            answer=move_answer,
            positional=("unit", "to"),
            inputs=(
                *UNIT_INPUTS,
                target_input,
                PATH,
                *_kind(rules.movement),
                *_inputs(game, rules.movement.values()),
                *ON_ANY_MAP,
            ),
        )
    if rules.advance:
        hexes = _hexes(game, rules.advance)
        questions["advance"] = Question(
            name="advance",
            about="where a unit can advance to after combat",
            answer=advance_answer,
            positional=("unit", *(hex_input.name for hex_input in hexes)),
            inputs=(
                *UNIT_INPUTS,
                target_input,
                *hexes,
                *_kind(rules.advance),
                *_inputs(game, rules.advance.values()),
                *ON_ANY_MAP,
            ),
        )
        # A kind with its own name is also a question of that name.
        questions |= {
            name: _named_advance(game, name, walk, target_input)
            for name, walk in rules.advance.items()
            if name not in questions
        }
    if rules.retreat:
        hexes = _hexes(game, rules.retreat)
        questions["retreat"] = Question(
            name="retreat",
            about="where units can retreat, and their losses",
            answer=retreat_answer,
            positional=("unit", *(hex_input.name for hex_input in hexes)),
            inputs=(
                replace(UNIT, required=False),
                FROM,
                replace(AT_INPUT, about="instead: all units of a side in this place"),
                SIDE,
                *hexes,
                *_kind(rules.retreat),
                *_inputs(game, rules.retreat.values()),
                *ON_ANY_MAP,
            ),
        )
    if rules.sight is not None:
        # Imported late: a map without sight, or another question of it, starts without this.
        from assistant.engine.sight.line_of_sight import los_question

        questions["los"] = los_question(game, _inputs(game, ()))
    if rules.entry is not None:
        questions["entry"] = Question(
            name="entry",
            about="how a unit may enter the map, and where",
            answer=entry_answer,
            positional=("unit", "to"),
            inputs=(replace(UNIT, about="the unit", kind="unit"), FROM, target_input, *_inputs(game, ()), *ON_ANY_MAP),
        )
    side = Input(name="side", about="the side whose units count", kind="choice", vocabulary="side")
    if rules.supply is not None:
        units = Input(name="unit", about="only these units", kind="units")
        paths = Input(name="paths", about="list every place of each path", kind="flag", default=False)
        questions["supply"] = Question(
            name="supply",
            about="which units are in supply, by which path, and what would cut it",
            answer=supply_answer,
            positional=("unit",),
            inputs=(
                side,
                units,
                paths,
                TAKEN,
                replace(ZONE, default=rules.supply.cut_by_zones),
                *_inputs(game, rules.supply.traces.values()),
                *ON_ANY_MAP,
            ),
        )
    if rules.stacking:
        place_input = Input(name="at", about="one place", kind="place", aliases=("hex", "place"))
        units = Input(name="unit", about="units to add to the place", kind="units")
        questions["stack"] = Question(
            name="stack",
            about="list the stacks and check the stacking limits",
            answer=stack_answer,
            positional=("at",),
            inputs=(place_input, units, side, *_inputs(game, ()), *ON_ANY_MAP),
        )
    if rules.carry:
        questions["carry"] = CARRY
    return questions | command_questions(rules, _inputs(game, rules.command.values()))


def _named_advance(game: Game, name: str, walk: Walk, target_input: Input) -> Question:
    def answer(game: Game, question_inputs: Mapping[str, Any]) -> Answer:
        return replace(advance_answer(game, {**question_inputs, "kind": name}), question=name)

    inputs = _inputs(game, [walk])
    needed_names = tuple(pack_input.name for pack_input in inputs if pack_input.required)
    return Question(
        name=name,
        about=f"{walk.title or name}: where a unit can move",
        answer=answer,
        positional=("unit", "from", *needed_names),
        inputs=(*UNIT_INPUTS, target_input, *_hexes(game, {name: walk}), *inputs, *ON_ANY_MAP),
    )


def _kind(walks: Mapping[str, Walk]) -> tuple[Input, ...]:
    if len(walks) < 2:
        return ()
    return (
        Input(
            name="kind",
            about="the kind of move",
            kind="choice",
            choices=tuple(walks),
            default=next(iter(walks)),
            assumed=True,
        ),
    )


def _hexes(game: Game, walks: Mapping[str, Walk]) -> tuple[Input, ...]:
    """Return the input for the hexes of a battle's result, where a walk asks for it."""
    if "result" not in program_of(game).question_names(walks.values()):
        return ()
    return (
        Input(
            name="hexes",
            about="the number of hexes that the result requires",
            kind="number",
            minimum=1,
            maximum=30,
            default=Fraction(1),
            assumed=True,
        ),
    )


def _inputs(game: Game, walks: Iterable[Walk]) -> tuple[Input, ...]:
    """Return the pack's own inputs, except those that only points depend on. Required inputs are included only if
    they matter for the walks."""
    program = program_of(game)
    question_names = program.question_names(walks)
    names = {name.removeprefix("input.") for name in question_names if name.startswith("input.")}
    names |= {name.partition(".")[2] for name in question_names if name.partition(".")[0] in PLACES}
    # Inputs that only points and victory ask for belong to `score`.
    score_names = {
        name.removeprefix("input.") for name in program.winning - program.playing if name.startswith("input.")
    }
    # Inputs that turns ask for belong to `turn` and `forecast`.
    turn_names = {name.removeprefix("input.") for name in program.turning - question_names if name.startswith("input.")}
    # Inputs that only prices and purchases ask for belong to the question of their resource.
    buying = frozenset[str]().union(*map(program.resource_names, program.rules.resources.values())) - question_names
    buying_names = {name.removeprefix("input.") for name in buying if name.startswith("input.")}
    names |= {
        name
        for name, rule_input in program.rules.inputs.items()
        if not (rule_input.needed or rule_input.kind == "markers" or name in score_names | turn_names | buying_names)
    }
    counters = {name.removeprefix("counter.") for name in question_names if name.startswith("counter.")}
    return (
        *(question_input(name, rule_input) for name, rule_input in program.rules.inputs.items() if name in names),
        *(counter_input(name, counter) for name, counter in program.rules.counters.items() if name in counters),
    )


# --- movement ---------------------------------------------------------------------------------------------------------


def move_answer(game: Game, inputs: Mapping[str, Any]) -> Answer:
    """Answer where a unit or a stack can move."""
    field = asked_field(game, inputs)
    units = asked_units(field, inputs["unit"], inputs.get("from", ""))
    if inputs.get("path"):
        if len(units) > 1:
            raise BadQuestion("a path is for one unit; name one")
        return Answer("move", game.id, planned_nodes(field, units[0], inputs["path"], inputs.get("kind", "")))
    reaches = [reach(field, unit, inputs.get("kind", "")) for unit in units]
    return answer_moves(field, reaches, inputs, "move")


def advance_answer(game: Game, inputs: Mapping[str, Any]) -> Answer:
    """Answer where a unit can advance to."""
    field = asked_field(game, inputs)
    units = asked_units(field, inputs["unit"], inputs.get("from", ""))
    reaches = [
        reach(field, unit, inputs.get("kind", ""), section="advance", result=int(inputs.get("hexes", 1)))
        for unit in units
    ]
    for unit_reach in reaches:
        if not unit_reach.refusals and (record := unit_reach.barred_by) is not None:
            raise refusal(unit_reach, Reason(record, kind="who"), unit_reach.unit.place, "advance")
    return answer_moves(field, reaches, inputs, "advance")


def answer_moves(field: Field, reaches: Sequence[Reach], inputs: Mapping[str, Any], verb: str) -> Answer:
    """Answer where units that move together can go, or their path `to` a place."""
    name = field.map_index.title
    if not reaches:
        raise BadQuestion("name the unit: unit=UNIT, or unit=UNIT,UNIT for a stack")
    from_anywhere = isinstance(reaches[0].walk, Move) and reaches[0].walk.movers
    if len({unit_reach.unit.place for unit_reach in reaches}) > 1 and not from_anywhere:
        unit_places = ", ".join(f"{unit_reach.unit.name} in {name(unit_reach.unit.place)}" for unit_reach in reaches)
        raise BadQuestion(f"units that {verb} together must start in one place, but these don't: {unit_places}")
    for unit_reach in reaches:
        if unit_reach.refusals:
            raise refusal(unit_reach, Reason(unit_reach.refusals[0], kind="who"), unit_reach.unit.place, verb)
    check_movers(field, reaches)
    if verb == "move":
        reaches = [_with_end_of_staying(field, unit_reach) for unit_reach in reaches]
    first = reaches[0]
    if inputs.get("to"):
        target = asked_place(field.map_index, inputs["to"], "to")
        way = _way(field, reaches, target, verb)
        cells = (cells for unit_reach in reaches for cells in unit_reach.way_cells(target))
        notes = _walk_notes(field, reaches, [target])
        return Answer(verb, field.game.id, [*way, *notes, _unofficial_sources(field, reaches, cells)])
    nodes: list[Node] = [_head(field, reaches)]
    shared_places = [n for n in first.costs if all(n in unit_reach.costs for unit_reach in reaches)]
    rows: dict[PlaceRef, dict[str, Cell]] = {}
    ends: list[int] = []
    for n in sorted(shared_places, key=lambda n: max(unit_reach.costs[n] for unit_reach in reaches)):
        slowest = max(reaches, key=lambda unit_reach: unit_reach.costs[n])
        end_refusals = end_reasons(field, reaches, n)
        ends += [n] if not end_refusals and n != first.unit.place else []
        stop = next((unit_reach.stops[n] for unit_reach in reaches if n in unit_reach.stops), None)
        row: dict[str, Cell] = {"cost": slowest.costs[n], "may_end": not end_refusals, "stops": stop is not None}
        row["path"] = [PlaceRef(name(m)) for m in slowest.path(n)]
        if n == first.unit.place and all(unit_reach.returns for unit_reach in reaches):
            row["returns"] = True
        if n in slowest.minimum_moves and slowest.walk.minimum is not None:
            row |= {"why": slowest.walk.minimum.text, "rule": slowest.walk.minimum.rule}
        if stop is not None:
            row |= {"why": stop.text, "rule": stop.rule}
        if end_refusals:
            row |= {"why": end_refusals[0].text, "rule": end_refusals[0].rule}
        if slowest.allowance is not None and not slowest.allowance.sure:
            row["chance"] = slowest.chance(n)
        rows[field.place(n)] = row
    nodes.append(Sentence(f"{count_text(len(ends), 'place')} to end in besides its own"))
    stops: dict[tuple[str, str], list[str]] = {}
    for n in shared_places:
        for unit_reach in reaches:
            if n in unit_reach.stops:
                record = unit_reach.stops[n]
                stops.setdefault((record.text, record.rule), []).append(name(n))
                break
    for (text, rule), places in stops.items():
        separator = ", " if any(" " in place_name for place_name in places) else " "
        nodes.append(Sentence(f"{text}: it must stop in {separator.join(sorted(places))}", rule))
    nodes.append(
        PlaceList(
            "places",
            rows,
            "Places within reach, its own included",
            (TableColumn("cost", "cost"), TableColumn("why", "")),
            list_names=len(rows) <= MAX_ROWS,
        )
    )
    nodes += [
        *_acts(field, reaches),
        *_walk_notes(field, reaches, ends),
    ]
    return Answer(
        verb, field.game.id, [*nodes, _unofficial_sources(field, reaches, (unit_reach.cells for unit_reach in reaches))]
    )


def _walk_notes(field: Field, reaches: Sequence[Reach], places: Sequence[int]) -> list[Node]:
    """Return the notes of a move for the units that make it, and for the places where they may end."""
    walk = reaches[0].walk
    if not isinstance(walk, Move) or not walk.notes:
        return []
    units = [unit_reach.unit for unit_reach in reaches]
    group = {"movers": [unit.fields for unit in units]}
    return note_nodes(field, walk.notes, unit_subjects(field, units, places), extra_values=group)


def _with_end_of_staying(field: Field, unit_reach: Reach) -> Reach:
    """Return the reach with the reasons why a unit may not even stay where it is, such as too many units."""
    start = unit_reach.unit.place
    reasons = end_failures(
        field, unit_reach.walk, unit_reach.stepper.mover, start, start, {"taken": 0, "gone": 0, "length": 0}
    )
    if not reasons:
        return unit_reach
    return replace(unit_reach, forbidden_places={**unit_reach.forbidden_places, start: reasons})


def check_movers(field: Field, reaches: Sequence[Reach]) -> None:
    """Raise a Refusal where units may not move together: the conditions on all of them."""
    first = reaches[0]
    demands = field.program.ready(first.walk.movers) if isinstance(first.walk, Move) else None
    if demands is None or not demands.records:
        return
    group = {"movers": [unit_reach.unit.fields for unit_reach in reaches]}
    scope = field.scope(field.mover(first.unit), {"start": first.unit.place}, group)
    names = " and ".join(str(unit_reach.unit.ref) for unit_reach in reaches)
    for record in unmet(field, demands.records, scope):
        raise Refusal(f"{names} may not move together: {record.text}", record.rule)


def _acts(field: Field, reaches: Sequence[Reach]) -> list[Node]:
    """Return what units could do during their move, all of them together."""
    first = reaches[0]
    rows: list[dict[str, Cell]] = []
    for act, places in first.acts.items():
        shape = field.program.rules.acts[act]
        for n in places:
            if all(n in unit_reach.acts.get(act, {}) for unit_reach in reaches):
                points_left = min(unit_reach.acts[act][n] for unit_reach in reaches)
                rows.append(
                    {"act": act, "title": shape.title, "place": field.place(n), "left": points_left, "rule": shape.rule}
                )
    columns = (
        TableColumn("title", "could"),
        TableColumn("place", "in"),
        TableColumn("left", "points left"),
        TableColumn("act"),
        TableColumn("rule"),
    )
    return [RowTable("acts", columns, rows)] if field.program.rules.acts else []


def _unofficial_sources(field: Field, reaches: Sequence[Reach], cells: Iterable[Iterable[TableCell]]) -> Node:
    """Return the unofficial numbers of an answer: factors of the units, cells of tables, routes of a map of points."""
    rests = [
        (unit_reach.unit, record)
        for unit_reach in reaches
        if unit_reach.allowance is not None
        for record in unit_reach.allowance.rests
    ]
    walk = reaches[0].walk
    joint_names = field.program.joint_names(walk) if isinstance(walk, Move) else frozenset()
    names = [(unit, name) for unit, record in rests for name in record.uses]
    names += [(unit_reach.unit, name) for unit_reach in reaches for name in joint_names]
    factors = shown_sources(
        (unit.counter, name, unit.shows_back) for unit, name in names if name in field.game.factors or name == "steps"
    )
    used = [(cell[0], cell[1], cell[2]) for cell_group in cells for cell in cell_group if len(cell) == 3]
    return Unofficial(
        unofficial_addresses(field.game, cells=used, other_sources={**factors, **map_sources(field.game)})
    )


def end_reasons(field: Field, reaches: Sequence[Reach], n: int) -> tuple[CompiledRecord, ...]:
    """Return why units may not end in a place, alone or all together."""
    is_stack, first = len(reaches) > 1, reaches[0]
    for unit_reach in reaches:
        # A unit without room alone may have it together with others, as a load has with its ship.
        refusals = tuple(
            [record for record in unit_reach.forbidden_places.get(n, ()) if not is_stack or record.effect != "that"]
        )
        if refusals:
            return refusals
    if is_stack and n != first.unit.place and field.program.ready(first.walk.ends).stacking:
        units = [unit_reach.unit for unit_reach in reaches]
        return next(
            (
                refusals
                for unit_reach in reaches
                if (refusals := failures(field, unit_reach.stepper.mover, n, (), units))
            ),
            (),
        )
    return ()


def _unit_nodes(units: Sequence[PlacedUnit]) -> list[Node]:
    """Return the unit that a question is about, or all of them."""
    counters: list[Cell] = [unit.ref for unit in units]
    return (
        [Value("unit", counters[0], for_people=False)]
        if len(counters) == 1
        else [Value("units", counters, for_people=False)]
    )


def _head(field: Field, reaches: Sequence[Reach]) -> Node:
    first = reaches[0]
    unit_names = " and ".join(str(unit_reach.unit.ref) for unit_reach in reaches)
    slowest = min(
        reaches, key=lambda unit_reach: unit_reach.allowance.maximum if unit_reach.allowance is not None else 0
    )
    inside: list[Node] = [
        *_unit_nodes([unit_reach.unit for unit_reach in reaches]),
        Value("from", field.place(first.unit.place), for_people=False),
    ]
    if slowest.allowance is not None:
        chances = slowest.allowance.chances
        label = "Points" if slowest.walk.allowance else "Maximum steps"
        if slowest.allowance.sure:
            inside.append(Value("allowance", Fraction(slowest.allowance.maximum), label))
        else:
            inside.append(Chances("allowance", {str(points): chance for points, chance in chances.items()}, label))
        for record in slowest.allowance.rests:
            if record.text and record.record.when is not None:
                inside.append(Sentence(record.text, record.rule))
    return Section(inside, (f"{unit_names} in ", field.place(first.unit.place)))


def _way(field: Field, reaches: Sequence[Reach], target: int, verb: str) -> list[Node]:
    name = field.map_index.title
    for unit_reach in reaches:
        obstacle = unit_reach.why_not(target) if target not in unit_reach.costs or len(reaches) == 1 else None
        if obstacle is not None and target != unit_reach.unit.place:
            raise refusal(unit_reach, obstacle, target, verb)
    joint_refusals = end_reasons(field, reaches, target)
    if joint_refusals:
        unit_names = " and ".join(str(unit_reach.unit.ref) for unit_reach in reaches)
        raise Refusal(
            f"{unit_names} may not end in {name(target)} together: {joint_refusals[0].text}", joint_refusals[0].rule
        )
    slowest = max(reaches, key=lambda unit_reach: unit_reach.costs[target])
    legs = slowest.way(target)
    nodes: list[Node] = [_head(field, reaches)]
    nodes.append(
        MapPath("path", [field.place(leg.place) for leg in legs], "Path", slowest.costs[target], complete=True)
    )
    row: Cell = {
        "place": field.place(target),
        "cost": slowest.costs[target],
        "may_end": True,
        "stops": target in slowest.stops,
    }
    nodes.append(Value("places", [row], for_people=False))
    rows = [{"place": field.place(leg.place), "cost": leg.cost, "why": _price_rules(leg)} for leg in legs[1:]]
    nodes.append(
        RowTable(
            "steps",
            (TableColumn("place", "to"), TableColumn("cost", "cost"), TableColumn("why", "for")),
            rows,
            heads=False,
        )
    )
    if target in slowest.minimum_moves and slowest.walk.minimum is not None:
        nodes.append(Sentence(slowest.walk.minimum.text, slowest.walk.minimum.rule))
    if target in slowest.stops:
        stop = slowest.stops[target]
        nodes.append(Sentence(f"it must stop there: {stop.text}", stop.rule))
    if slowest.allowance is not None and not slowest.allowance.sure:
        chance = slowest.chance(target)
        nodes.append(Value("chance", chance, for_people=False))
        nodes.append(Sentence(f"Chance of a sufficient roll: {Chance(chance)}", for_programs=False))
    return nodes


def _price_rules(leg: Leg) -> str:
    """Return the records behind a cost; where there are several, each with its share."""
    records = [record for record in leg.rests if record.effect != "stop"]
    parts = dict(leg.parts) if len(records) > 1 else {}
    shares = {record: f" {'+' * (record.effect == 'add')}{part}" for record, part in parts.items()}
    return "; ".join(_with_rule(f"{record.text}{shares.get(record, '')}", record.rule) for record in records)


def _with_rule(text: str, rule: str) -> str:
    return f"{text} ({rule})" if rule else text


def refusal(unit_reach: Reach, obstacle: Reason, target: int, verb: str) -> Refusal:
    """Return the refusal for a place that a unit can't reach: the record that forbids it."""
    name, unit_name = unit_reach.field.map_index.title, unit_reach.unit.name
    rule = (
        obstacle.record.rule
        if obstacle.record is not None
        else unit_reach.walk.rule
        if obstacle.kind == "points"
        else ""
    )
    doing = {"who": f"can't {verb}", "end": f"may not end in {name(target)}", "step": f"can't enter {name(target)}"}
    no = doing.get(obstacle.kind, f"can't reach {name(target)}")
    place = unit_reach.unit.place if obstacle.kind == "who" else target
    holders = _zone_holders(unit_reach, obstacle.record, place) if obstacle.record is not None else ""
    return Refusal(f"{unit_name} {no}: {reason(unit_reach, obstacle, with_rule=False)}{holders}", rule)


def _zone_holders(unit_reach: Reach, record: CompiledRecord, place: int) -> str:
    """Name the enemies with a zone of some length, such as missiles, that a record asks for and that covers a place."""
    field = unit_reach.field
    asked_names = {name.rpartition(".")[2] for name in record.uses if name.startswith(("to.", "start."))}
    holders = [
        unit.name
        for name, zone in field.program.rules.zones.items()
        if zone.length and name in asked_names
        for unit in zones_of(field).enemies_at(name, unit_reach.unit.side, place)
    ]
    return f": {', '.join(holders)}" if holders else ""


# --- retreats ---------------------------------------------------------------------------------------------------------


def retreat_answer(game: Game, inputs: Mapping[str, Any]) -> Answer:
    """Answer where units can retreat to."""
    field = asked_field(game, inputs)
    if inputs.get("unit"):
        units = asked_units(field, inputs["unit"], inputs.get("from", ""))
    elif inputs.get("at") and inputs.get("side"):
        n = asked_place(field.map_index, inputs["at"], "at")
        units = list(field.stack(n, inputs["side"]))
        if not units:
            raise BadQuestion(f"no {inputs['side']} unit is in {field.map_index.title(n)}")
    else:
        raise BadQuestion(
            "name the retreating units: unit=UNIT,UNIT, or at=PLACE side=SIDE for all units of a side in a place"
        )
    unofficial_numbers = Unofficial(unofficial_addresses(game, other_sources=map_sources(game)))
    return Answer("retreat", game.id, [*gone_back(field, units, inputs), unofficial_numbers])


def gone_back(field: Field, units: Sequence[PlacedUnit], inputs: Mapping[str, Any]) -> list[Node]:
    """Return where units can retreat to."""
    # Imported late: other questions start without retreats.
    from assistant.engine.retreat.joint_retreat import retreat_together, without_room

    joint = retreat_together(field, units, int(inputs.get("hexes", 1)), inputs.get("kind", ""))
    nodes: list[Node] = [Sections("units", [_retreat_section(field, retreat_result) for retreat_result in joint.backs])]
    if len(units) > 1:
        nodes += [Value("crowded", joint.is_crowded, for_people=False), Value("is_best", joint.sure, for_people=False)]
    if len(units) > 1 and all(
        retreat_result.walk.room == "first" and not retreat_result.walk.together for retreat_result in joint.backs
    ):
        chances = without_room(joint.backs)
        nodes.append(
            Value(
                "no_room",
                {str(count): Chance(chance) for count, chance in chances.items()},
                "Units without a place to retreat to",
                for_people=any(chances),
            )
        )
    if joint.is_crowded:
        nodes.append(
            Sentence(
                "they don't all fit into one place: each line shows where a unit ends in a best plan for all of them"
            )
        )
    if not joint.sure:
        nodes.append(Warning("the search stopped early; there may be a better plan"))
    return nodes


def _retreat_section(field: Field, retreat_result: RetreatPaths) -> Section:
    # Imported late: other questions start without retreats.
    from assistant.engine.retreat.paths import forbidden_places

    unit, fate, goes = retreat_result.unit, retreat_result.fate, retreat_result.fate is None
    lengths = {str(length): chance for length, chance in retreat_result.length.chances.items()}
    nodes: list[Node] = [
        Value("unit", unit.ref, for_people=False),
        Value("from", field.place(unit.place), for_people=False),
    ]
    if fate is not None:
        nodes.append(Sentence(f"it {'stays' if fate.stay else 'is eliminated'}: {fate.text}", fate.rule, "no_retreat"))
    elif retreat_result.choice is not None:
        nodes.append(
            Sentence(f"it may stay instead: {retreat_result.choice.text}", retreat_result.choice.rule, "may_stay")
        )
    nodes += [
        Sentence(record.text, record.rule)
        for record in retreat_result.length.rests
        if goes and record.text and record.record.when is not None
    ]
    if not retreat_result.length.sure:
        nodes.append(Value("length", {length: Chance(chance) for length, chance in lengths.items()}, for_people=False))
    chancy = goes and not retreat_result.length.sure
    nodes += [
        Value("eliminated", Chance(retreat_result.chance_gone), "Eliminated", for_people=chancy),
        Value("reduced", Chance(retreat_result.chance_worn), "Reduced after the retreat", for_people=chancy),
    ]
    rows = [
        _way_row(field, retreat_result, length, way) for length, ways in retreat_result.ways.items() for way in ways
    ]
    has_harmed_ends = any(row["harm"] != retreat_result.harm for row in rows)
    keys = ("length", "chance", "outcome", "goal", "path", "ends", "harmed_ends", "toward")
    outcomes = fates(field, retreat_result)
    nodes.append(RowTable("outcomes", [TableColumn(key) for key in keys], outcomes))
    if chancy:
        harm_title = retreat_result.harm_title if has_harmed_ends else ""
        nodes += [Sentence(_outcome_text(row, harm_title), for_programs=False) for row in outcomes]
    if rows:
        has_harm = any(row["harm"] for row in rows)
        titles = (
            ("",) * 4
            if chancy
            else ("to", "path", retreat_result.harm_title, "because")
            if has_harm
            else ("to", "path", "", "")
        )
        columns = [TableColumn(key, title) for key, title in zip(("to", "path", "harm", "why"), titles, strict=True)]
        nodes.append(
            RowTable("ways", (*columns, TableColumn("length"), TableColumn("room"), TableColumn("rule")), rows)
        )
    if goes and not all(retreat_result.ways.values() or (False,)):
        no_way = retreat_result.no_way
        text = "there is no retreat path"
        if no_way is not None:
            is_eliminated = no_way.lose == "all"
            loss = "it is eliminated" if is_eliminated else f"it loses {count_text(int(no_way.lose), 'step')}"
            text = f"{no_way.text}: {loss}"
        if retreat_result.choice is not None:
            text = f"{no_way.text if no_way is not None else text}, so it stays"
        nodes.append(Sentence(text, no_way.rule if no_way else "", "no_path"))
    shut = forbidden_places(retreat_result) or dict(retreat_result.refused_steps if not rows else ())
    if shut:
        barred_rows: list[dict[str, Cell]] = [
            {"place": field.place(n), "why": record.text, "rule": record.rule} for n, record in shut.items()
        ]
        nodes.append(
            RowTable(
                "barred",
                (TableColumn("place", "not to"), TableColumn("why", "because"), TableColumn("rule", "rule")),
                barred_rows,
            )
        )
    notes = note_nodes(field, retreat_result.walk.notes, unit_subjects(field, [unit]))
    return Section([*nodes, *notes], (f"{unit.name} in ", field.place(unit.place)))


def fates(field: Field, retreat_result: RetreatPaths) -> list[dict[str, Cell]]:
    """Return the outcome of a unit, length by length, as rows of an answer; none where it stays for good."""
    if retreat_result.fate is not None:
        lost_row: dict[str, Cell] = {
            "length": 0,
            "chance": Chance(Fraction(1)),
            "outcome": "eliminated",
            "toward": "",
            "goal": "",
        }
        lost_row |= {"path": [], "ends": [], "harmed_ends": []}
        return [lost_row] if retreat_result.fate.lost else []
    return [_fate_row(field, retreat_result, int(length)) for length in retreat_result.length.chances]


def _outcome_text(row: Mapping[str, Any], harm_title: str) -> Text:
    """Return one outcome of a retreat by a die roll as a sentence."""

    def listed(places: Sequence[PlaceRef]) -> list[Part]:
        parts: list[Part] = [part for place in places for part in (", ", place)]
        return parts[1:]

    goal = f", {row['goal']}" if row["goal"] else ""
    parts: list[Part] = [f"distance {row['length']}, {row['chance']}: {row['outcome']}{goal}"]
    if row["path"]:
        parts += ["; by ", *listed(row["path"])]
    if row["ends"]:
        parts += ["; ends in ", *listed(row["ends"])]
    if row["harmed_ends"] and harm_title:
        parts += [f"; with more {harm_title} in ", *listed(row["harmed_ends"])]
    return tuple(parts)


def _fate_row(field: Field, retreat_result: RetreatPaths, length: int) -> dict[str, Cell]:
    """Return the outcome of a unit that retreats this far."""
    ways = retreat_result.ways.get(length, ())
    best = min(ways, key=lambda way: way.harm, default=None)
    min_harm = best.harm if best is not None else 0
    ends = {way.end for way in ways if way.harm == min_harm}
    worn_state = retreat_result.unit.counter.back_state or "reduced"
    toward = retreat_result.toward.get(length, "")
    return {
        "length": length,
        "chance": Chance(retreat_result.length.chances[length]),
        "outcome": "eliminated" if best is None else worn_state if retreat_result.is_reduced_by(best) else "unharmed",
        "toward": toward,
        "goal": retreat_result.walk.toward[toward].text if toward else "",
        "path": [field.place(n) for n in best.path] if best is not None else [],
        "ends": [field.place(end) for end in sorted(ends)],
        "harmed_ends": [field.place(end) for end in sorted({way.end for way in ways} - ends)],
    }


def _way_row(field: Field, retreat_result: RetreatPaths, length: int, way: RetreatPath) -> dict[str, Cell]:
    name = field.map_index.title
    row: dict[str, Cell] = {
        "to": field.place(way.end),
        "path": [field.place(n) for n in way.path],
        "harm": way.harm,
        "length": length,
        "room": not way.room,
    }
    reasons = [f"{_with_rule(record.text, record.rule)} in {name(place)}" for place, record in way.harms]
    reasons += [f"no room: {_with_rule(record.text, record.rule)}" for record in way.room]
    return {**row, "why": "; ".join(reasons)}


# --- supply and stacking ----------------------------------------------------------------------------------------------


def supply_answer(game: Game, inputs: Mapping[str, Any]) -> Answer:
    """Answer which units are in supply and what would cut most; also which are in command, and what lies in zones
    with a length."""
    field = asked_field(game, inputs)
    program, rules = field.program, field.program.rules
    walks = [*(rules.supply.traces.values() if rules.supply is not None else ()), *rules.command.values()]
    rule_names = {name.removeprefix("source.") for walk in walks for name in program.walk_names(walk)}
    rule_names |= {
        name for zone in rules.zones.values() if zone.length for name in program.ready(zone.length).uses.mover
    }
    factors = shown_sources(
        (unit.counter, name, unit.shows_back)
        for unit in field.placed_units
        for name in rule_names
        if name in unit.counter.factors and inputs.get("side") in (None, "", unit.side)
    )
    present = [side for side in field.sides if field.units_of(side)]
    sides = supply_sides(field, inputs, beside_supply, present)
    return Answer(
        "supply",
        game.id,
        [sides, Unofficial(unofficial_addresses(game, other_sources={**factors, **map_sources(game)}))],
    )


def supply_sides(
    field: Field,
    inputs: Mapping[str, Any],
    extra_nodes: Callable[[Field, str], Sequence[Node]] = lambda *_: (),
    sides: Sequence[str] = (),
) -> Sections:
    """Return the supply of some sides, or of all. The places in the input `taken` count as taken by a side's enemies;
    `extra_nodes` adds further information about a side."""
    units = asked_units(field, inputs["unit"]) if inputs.get("unit") else []
    if inputs.get("side"):
        sides = [inputs["side"]]
    elif units or not sides:
        sides = list(dict.fromkeys(s.side for s in units or field.placed_units))
    sides = sides or list(field.sides)
    places = [asked_place(field.map_index, name, "taken") for name in inputs.get("taken", ())]
    zone = bool(inputs.get("zone"))
    fields = {side: field.with_taken(side, places, zone=zone) for side in sides}
    sections = [_side_supply(side_field, side, units, inputs, zone) for side, side_field in fields.items()]
    full_sections = [
        replace(
            section,
            nodes=[*section.nodes, *extra_nodes(fields[side], side), *question_notes(fields[side], "supply", side)],
        )
        for section, side in zip(sections, sides, strict=True)
    ]
    return Sections("sides", full_sections)


def _side_supply(
    field: Field, side: str, units: Collection[PlacedUnit], inputs: Mapping[str, Any], zone: bool
) -> Section:
    game, supply = field.game, supply_of(field, side)
    lines = [line for line in supply.lines if not units or line.unit in units]
    supplied_count = sum(line.is_supplied for line in lines)
    shows_all = bool(units) or bool(inputs.get("paths"))
    rows = [_supply_row(field, line) for line in lines]
    shown_rows = [row for row, line in zip(rows, lines, strict=True) if shows_all or not line.is_supplied]
    columns = (
        TableColumn("unit", "unit"),
        TableColumn("place", "in"),
        TableColumn("why", "by"),
        TableColumn("path", "way" if inputs.get("paths") else ""),
    )
    hidden_columns = [
        TableColumn(key) for key in ("supplied", "by", "source", "rule", "cost", "assumed", "cut", "cut_by")
    ]
    worst = cuts(supply, zone=zone)
    threats: list[dict[str, Cell]] = [
        {
            "place": field.place(cut.place),
            "count": len(cut.unsupplied),
            "unsupplied": [s.ref for s in cut.unsupplied],
            "eliminated": [s.ref for s in cut.eliminated],
        }
        for cut in worst
    ]
    nodes: list[Node] = [
        Value("side", side, for_people=False),
        RowTable("shown_units", columns, shown_rows, heads=False, for_programs=False),
        RowTable("units", [TableColumn(column.key) for column in (*columns, *hidden_columns)], rows),
        *(
            Value(key, [s.unit.ref for s in lines if s.is_supplied is flag], for_people=False)
            for key, flag in (("supplied", True), ("unsupplied", False))
        ),
        RowTable(
            "cuts",
            (
                TableColumn("place", "taken"),
                TableColumn("count", "cuts"),
                TableColumn("unsupplied", "units"),
                TableColumn("eliminated", "eliminated with it"),
            ),
            threats,
        ),
    ]
    rules = field.program.rules.supply
    state = game.states.get(rules.out) if rules is not None else None
    if state is not None and rules is not None and supplied_count < len(lines):
        nodes.insert(2, Value("state", rules.out, for_people=False))
        nodes.insert(2, Sentence(f"{state.name}{': ' * bool(state.note)}{state.note}", state.rule, for_programs=False))
    off_map = 0 if units else sum(piece_side == side for piece_side in field.waiting)
    nodes.append(Value("off_map", off_map, "Not on the map", for_people=off_map > 0))
    if not worst and supplied_count:
        nodes.append(Sentence(f"no enemy unit in any single place{', with its zones,' * zone} would cut off a unit"))
    title = f"{game.sides[side].name if side in game.sides else side}: {supplied_count} of {len(lines)} in supply"
    return Section(nodes, title)


def _supply_row(field: Field, line: SupplyLine) -> dict[str, Cell]:
    name, unit = field.map_index.title, line.unit
    row: dict[str, Cell] = {
        "unit": unit.ref,
        "place": field.place(unit.place),
        "supplied": line.is_supplied,
        "by": line.server,
        "assumed": unit.is_assumed,
        "rule": line.rule,
        "path": [field.place(n) for n in line.path],
    }
    if line.source is not None:
        row["source"] = line.source.ref
    if line.cut:
        row["cut"] = [field.place(place) for place, _ in line.cut]
        row["cut_by"] = [f"{_with_rule(record.text, record.rule)} in {name(n)}" for n, record in line.cut]
    if line.is_supplied and line.cost is not None:
        row["cost"] = line.cost
    elif line.needs is not None:
        row["cost"] = line.needs
    row["why"], row["rule"] = supply_reason(field, line)
    return row


def supply_reason(field: Field, line: SupplyLine) -> tuple[str, str]:
    """Return why a unit is in supply or isn't, and the rule."""
    source = line.source.name if line.source is not None else ""
    source_text = f"{line.text}{': ' * bool(source)}{source}"
    if line.is_supplied:
        return source_text, line.rule
    if line.cut:
        place, record = line.cut[0]
        return f"cut at {field.map_index.title(place)}{', from ' * bool(source)}{source}: {record.text}", record.rule
    if line.idle:
        return f"{source_text} is out of supply itself", line.rule
    if line.needs is not None:
        return f"{source_text} reaches {line.limit} far, and the unit is {line.needs} away", line.rule
    return f"no supply path reaches it ({line.text})" if line.server else line.text, line.rule


def _stacking_sources(field: Field, units: Iterable[PlacedUnit]) -> Unofficial:
    """Return the unofficial numbers of units that stacking asks for."""
    names = [name for name in field.program.stacked_by if name in field.game.factors or name == "steps"]
    sources = shown_sources((unit.counter, name, unit.shows_back) for unit in units for name in names)
    return Unofficial(unofficial_addresses(field.game, other_sources=sources))


def _levels_row(levels: Sequence[StackLevel]) -> dict[str, Cell]:
    """Return how full a place is: for people only the fullest, for programs all."""
    if not levels:
        return {"levels": []}
    fullest = min(levels, key=lambda level: level.room)
    return {
        "full": f"{fullest.amount} of {fullest.limit}",
        "levels": [
            {
                "text": level.record.text,
                "rule": level.record.rule,
                "amount": level.amount,
                "limit": level.limit,
                "room": level.room,
            }
            for level in levels
        ],
    }


def stack_answer(game: Game, inputs: Mapping[str, Any]) -> Answer:
    """Answer which units stack in a place, and whether they may."""
    field = asked_field(game, inputs)
    name = field.map_index.title
    place_number = asked_place(field.map_index, inputs["at"], "at") if inputs.get("at") else None
    nodes: list[Node] = []
    if inputs.get("unit"):
        if place_number is None:
            raise BadQuestion("name a place: at=PLACE")
        coming = [unit for unit_ref in inputs["unit"] for unit in asked_coming(field, unit_ref, place_number)]
        refusals: dict[CompiledRecord, None] = {}
        for unit in coming:
            refusals |= dict.fromkeys(cant_be(field, unit, place_number))
            refusals |= dict.fromkeys(failures(field, field.mover(unit), place_number, (), coming))
        unit_names = " and ".join(unit.name for unit in coming)
        nodes.append(Value("may", not refusals, f"{unit_names} may stand in {name(place_number)}"))
        nodes += [Sentence(record.text, record.rule) for record in refusals]
        return Answer("stack", game.id, nodes)
    rows: list[dict[str, Cell]] = []
    shown_units: list[PlacedUnit] = []
    for stack in stacks(field, place_number):
        if inputs.get("side") not in (None, "", stack.side):
            continue
        shown_units += stack.placed_units
        row: dict[str, Cell] = {
            "place": field.place(stack.place),
            "side": stack.side,
            "units": [s.ref for s in stack.placed_units],
            "may": not stack.failures,
            "must_go": too_many(field, stack) if stack.failures else None,
            "why": "; ".join(_with_rule(record.text, record.rule) for record in stack.failures),
            "steps": sum(unit.steps for unit in stack.placed_units),
            **_levels_row(stack_levels(field, stack)),
        }
        rows.append(row)
    rows.sort(key=lambda row: bool(row["may"]))
    too_many_stacks = sum(not row["may"] for row in rows)
    against = f"{too_many_stacks or 'none'} of them above the limit"
    nodes.append(Sentence(f"{count_text(len(rows), 'stack')}, {against}" if rows else "no stacks of several units"))
    columns = (
        TableColumn("place", "in"),
        TableColumn("side"),
        TableColumn("units", "units"),
        TableColumn("may"),
        TableColumn("must_go", "must leave" if too_many_stacks else ""),
        TableColumn("why", "against"),
        TableColumn("full", "full", for_programs=False),
        TableColumn("steps"),
        TableColumn("levels"),
    )
    nodes.append(RowTable("stacks", columns, rows))
    return Answer("stack", game.id, [*nodes, *question_notes(field, "stack"), _stacking_sources(field, shown_units)])
