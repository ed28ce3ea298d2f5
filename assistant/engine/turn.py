"""What happens in a turn, phase by phase: arrivals, states that begin and end, rolls. The question is `turn`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from assistant.engine.battle.odds import side_names
from assistant.engine.field import Field
from assistant.engine.map_index import program_of
from assistant.engine.placed_units import PlacedUnit, no_unit
from assistant.engine.question_field import asked_field
from assistant.engine.scope import Scope, TableCell
from assistant.questions.answer import (
    Answer,
    BadQuestion,
    Cell,
    Chance,
    Chances,
    CounterRef,
    Node,
    RowTable,
    Section,
    Sections,
    Sentence,
    TableColumn,
    Unofficial,
    Value,
    remark,
)
from assistant.questions.question import ON_ANY_MAP, Input, Inputs, Question, counter_input, question_input
from assistant.unofficial import unofficial_addresses
from scenarios.areas.wording import AreaDescriber
from scenarios.grammar import count_text
from scenarios.model.definitions import CleanUp, Phase
from scenarios.model.dice import dice
from scenarios.model.game import Game
from scenarios.model.scenario import Arrival, Group
from scenarios.rules.counters import RuleCounter
from scenarios.rules.shapes import TurnRule

THROW = re.compile(r"([1-9]?d[1-9]\d?)([+-]\d{1,2})?")


def dice_chances(text: str) -> Mapping[int, Fraction]:
    """Return the chance of each sum of dice such as 1d6 or 2d6+1."""
    match = THROW.fullmatch(text)
    if match is None:
        raise BadQuestion(f"{text!r} is not a dice roll; write one in the pack, such as 1d6 or 1d6+1")
    return {face + int(match[2] or 0): chance for face, chance in dice(match[1]).items()}


@dataclass(frozen=True)
class Event:
    """One record of the turn, and its present effect."""

    record: TurnRule
    units: tuple[PlacedUnit, ...] = ()
    """The units that it affects, or may affect."""
    amount: Fraction | int = 0
    chances: Mapping[str, Fraction] | None = None
    """The chance of each outcome of a roll, a draw or a contest."""
    chances_each: Mapping[str, Fraction] | None = None
    """The chance for each unit, where a roll decides."""
    changes: Mapping[str, Any] | None = None
    """What counters change to; None where a roll decides."""
    cells: tuple[TableCell, ...] = ()
    """The table cells that the amount or the chances depend on."""


def events(field: Field, phase: Phase | None) -> Iterator[Event]:
    """Yield what the rules say of a phase, or (None) of the end of the turn."""
    for record in field.program.rules.turn:
        if (phase.id in record.phases) if phase is not None else not record.phases:
            event = _event(field, record, acting_side(field, record, phase))
            if event is not None:
                yield event


def acting_side(field: Field, record: TurnRule, phase: Phase | None) -> str:
    """Return the side whose units a record affects; empty for all sides."""
    side = record.side or (phase.side if phase is not None else "")
    if side in ("first", "second") and field.scenario is not None and field.scenario.first:
        other_sides = [candidate for candidate in field.sides if candidate != field.scenario.first]
        return field.scenario.first if side == "first" else (other_sides[0] if len(other_sides) == 1 else "")
    return side if side in field.sides else ""


def _event(field: Field, record: TurnRule, side: str) -> Event | None:
    if record.set or record.clear or record.lose is not None or record.restore is not None:
        return _of_units(field, record, side)
    scope = field.scope(no_unit(side), {})
    if not field.holds_of(record.when, scope):
        return None
    if record.gain is not None:
        amount = field.value_of(record.gain, scope)
        return Event(record, amount=amount, cells=tuple(scope.cells)) if amount else None
    if record.table:
        table, column = field.game.tables[record.table], fixed_column(field, record, scope)
        cells = tuple((record.table, row, table.columns.labels[column]) for row in table.cells)
        return Event(record, chances=table.distribution(column), cells=cells)
    if record.draw:
        total = sum(record.draw.values())
        return Event(record, chances={chit: Fraction(count, total) for chit, count in record.draw.items()})
    if record.contest:
        return Event(record, chances=_contest(field, record))
    if record.change and not record.each and not (record.roll and record.needs):
        return Event(record, changes=_changes_of(field, record, scope))
    if record.roll:
        return Event(record, chances={"the game ends" if record.end else "it succeeds": _chance(field, record, scope)})
    if record.each:
        return Event(record)
    return Event(record, chances={"the game ends": Fraction(1)})


def _changes_of(field: Field, record: TurnRule, scope: Scope) -> dict[str, Any]:
    """Return what the counters of a record change to; None for those that dice decide."""
    counters = field.program.rules.counters
    return {
        name: bounded(counters[name], field.value_of(formula, scope))
        if formula is not None and not record.roll
        else None
        for name, formula in record.change.items()
    }


def bounded(counter: RuleCounter, value: Any) -> Any:
    """Return a value within the limits of its counter, a whole number as an int."""
    if counter.kind != "number":
        return value
    if counter.at_least is not None:
        value = max(counter.at_least, value)
    if counter.at_most is not None:
        value = min(counter.at_most, value)
    return int(value) if value == int(value) else value


def _of_units(field: Field, record: TurnRule, side: str) -> Event | None:
    units = [
        unit
        for unit in field.placed_units
        if side in ("", unit.side)
        and _changes(record, unit)
        and field.holds(record.when, field.mover(unit), to=unit.place)
    ]
    amount: Fraction | int = 0
    if record.restore is not None:
        amount = field.value_of(record.restore, field.scope(no_unit(side), {}))
        if not amount:
            return None
    if not units:
        return None
    if record.lose is not None:
        losses = {field.ask(record.lose, field.mover(unit), to=unit.place) for unit in units}
        amount = losses.pop() if len(losses) == 1 else 0
    if not record.roll:
        return Event(record, tuple(units), amount)
    chance_by_unit = {
        unit.key: _chance(field, record, field.scope(field.mover(unit), {"to": unit.place})) for unit in units
    }
    return Event(record, tuple(units), amount, chances_each=chance_by_unit)


def _changes(record: TurnRule, unit: PlacedUnit) -> bool:
    """Whether a record can change anything about a unit."""
    if record.set:
        return not unit.fields.get(record.set)
    if record.clear:
        return bool(unit.fields.get(record.clear))
    return record.restore is None or unit.steps < unit.counter.steps


def _chance(field: Field, record: TurnRule, scope: Scope) -> Fraction:
    """Return the chance that a roll succeeds."""
    assert record.needs is not None
    total = Fraction(0)
    for roll, chance in dice_chances(record.roll).items():
        roll_scope = field.scope(scope.mover, scope.places, {"roll": roll})
        total += chance * field.holds_of(record.needs, roll_scope)
    return total


def fixed_column(field: Field, record: TurnRule, scope: Scope) -> int:
    """Return the column of a record's table for the roll."""
    table = field.game.tables[record.table]
    if record.column is None:
        return 0
    label = field.value_of(record.column, scope)
    if str(label) in table.columns.labels:
        return table.columns.labels.index(str(label))
    column = None if isinstance(label, str) else table.find_column(Fraction(label))
    if column is None:
        raise BadQuestion(f"{table.title} has no column {str(label)!r} (in {record.text!r} of the pack's rules)")
    return column


def _contest(field: Field, record: TurnRule) -> Mapping[str, Fraction]:
    """Return the chance that each side rolls highest, and of a tie."""
    names = side_names(field.game, field.scenario)
    sides = {names.get(side, side): dice_chances(text) for side, text in record.contest.items()}
    win_chances: dict[str, Fraction] = {}
    for side, chances in sides.items():
        win_chances[side] = Fraction(0)
        for roll, chance in chances.items():
            for other_side, other_chances in sides.items():
                if other_side != side:
                    chance *= sum(
                        (lower_chance for lower, lower_chance in other_chances.items() if lower < roll), Fraction(0)
                    )
            win_chances[side] += chance
    return {**win_chances, "tie": 1 - sum(win_chances.values(), Fraction(0))}


# --- the answer -------------------------------------------------------------------------------------------------------


def _turn(game: Game, inputs: Inputs) -> Answer:
    field = asked_field(game, inputs)
    turn, last = field.position.turn, field.scenario.turns.last if field.scenario and field.scenario.turns else None
    name = game.turns.names[turn - 1] if game.turns and game.turns.names and 0 < turn <= len(game.turns.names) else ""
    head = f"Turn {turn}" + f" of {last}" * (last is not None) + f", {name}" * bool(name)
    nodes: list[Node] = [remark(head), Value("turn", turn, for_people=False)]
    arriving = list(_arriving(field))
    if arriving:
        nodes.append(
            RowTable(
                "reinforcements",
                [TableColumn("said", "come", for_programs=False)],
                arriving,
                "Reinforcements",
                heads=False,
            )
        )
    sections = []
    all_events: list[Event] = []
    for phase in turn_phases(game, field):
        in_phase = list(events(field, phase))
        inside = [*_clean_ups(field, phase), *(_event_section(field, event) for event in in_phase)]
        sections.append(_section(phase.name, phase.id, phase.side, inside, phase.rule, phase.note))
        all_events += in_phase
    ends = list(events(field, None))
    if ends:
        sections.append(
            _section("At the end of the turn", "end", "", [_event_section(field, event) for event in ends], "", "")
        )
    nodes.append(Sections("phases", sections))
    if last is not None and turn >= last:
        nodes.append(Sentence("this is the last turn of the game"))
    cells = [(cell[0], cell[1], cell[2]) for event in (*all_events, *ends) for cell in event.cells if len(cell) == 3]
    nodes.append(Unofficial(unofficial_addresses(game, cells=cells)))
    return Answer("turn", game.id, nodes)


def _section(title: str, phase: str, side: str, happens: list[Section], rule: str, note: str) -> Section:
    inside: list[Node] = [Value("phase", phase, for_people=False), Value("side", side, for_people=False)]
    inside += [Sentence(note, rule)] if note else []
    return Section([*inside, Sections("happens", happens)], f"{title} ({rule})" if rule and not note else title)


def turn_phases(game: Game, field: Field) -> Iterator[Phase]:
    key = field.scenario.sequence if field.scenario and field.scenario.sequence else next(iter(game.sequence), "")
    if key in game.sequence:
        yield from _flat(game.sequence[key].phases, field.position.turn)


def _flat(phases: Iterable[Phase], turn: int) -> Iterator[Phase]:
    for phase in phases:
        if phase.turn in (0, turn) and phase.since <= turn:
            yield phase
            yield from _flat(phase.phases, turn)


def _arriving(field: Field) -> Iterator[dict[str, Cell]]:
    """Yield the groups that may arrive this turn and aren't on the map yet."""
    game, scenario, turn = field.game, field.scenario, field.position.turn
    if scenario is None:
        return
    area_names = AreaDescriber(game, field.position.scenario)
    waiting: dict[str, int] = {}
    for piece in field.position.pieces:
        if isinstance(piece.at, str) and piece.at.partition(":")[0] in ("turn", "setup"):
            waiting[piece.unit] = waiting.get(piece.unit, 0) + 1
    for side, force in scenario.forces.items():
        for group in force.groups:
            entry = group.enters
            way = (
                next(
                    (arrival for arrival in entry.ways if arrival.turn <= turn <= (arrival.until or arrival.turn)), None
                )
                if entry
                else None
            )
            if entry is None or way is None:
                continue
            units = {unit: min(count, waiting.get(unit, 0)) for unit, count in group.units.items()}
            if not any(units.values()):
                continue
            place_text = area_names.words(way.at) if way.at else ""
            yield {
                "side": side,
                "group": group.id,
                "units": {unit: count for unit, count in units.items() if count},
                "text": place_text,
                "condition": entry.condition,
                "only_with": group.only_with,
                "together": entry.together,
                "rule": group.rule,
                "note": group.note,
                "said": _arrival(field, side, group, units, place_text, way),
            }


def _arrival(field: Field, side: str, group: Group, units: Mapping[str, int], place_text: str, way: Arrival) -> str:
    """Describe a group that may arrive, with its owner's other choices and its latest turn."""
    game, entry = field.game, group.enters
    assert entry is not None
    names = ((game.units[unit].name, count) for unit, count in units.items() if count)
    unit_list = ", ".join(f"{count} x {name}" if count > 1 else name for name, count in names)
    side_name = side_names(game, field.scenario).get(side, side)
    # A group with a condition may never arrive: then there is no latest turn, only a last one.
    last = f"; not after turn {way.until}" if entry.condition else f"; on turn {way.until} at the latest"
    until = last if way.until else ""
    condition = f", if {entry.condition}" if entry.condition else ""
    optional = f", only with {group.only_with}" if group.only_with else ""
    area_names = AreaDescriber(game, field.position.scenario)
    other_arrivals = [arrival for arrival in entry.ways if arrival is not way]
    choice = "".join(
        f"; {'its owner may choose' if arrival.turn > way.turn else 'if the group did not enter on'} turn {arrival.turn}"
        + (f" {area_names.words(arrival.at)}" if arrival.at else "")
        + " instead" * (arrival.turn > way.turn)
        for arrival in other_arrivals
    )
    together_text = ", all together" * entry.together
    note = f"; {group.note}" if group.note else ""
    return (
        f"{side_name}: {unit_list}"
        + f" {place_text}" * bool(place_text)
        + together_text
        + optional
        + condition
        + until
        + choice
        + note
    )


def _clean_ups(field: Field, phase: Phase) -> Iterator[Section]:
    """Yield what the sequence of play itself ends in a phase, where no rule says it."""
    for clean_up in phase.clean_up:
        said_by_rules = any(
            record.clear == clean_up.clear and phase.id in record.phases for record in field.program.rules.turn
        )
        if clean_up.clear and not said_by_rules:
            units = [unit for unit in field.placed_units if _clean_up_fits(field, clean_up, phase, unit)]
            if units:
                state = field.game.states[clean_up.clear].name.lower()
                yield _list_section(f"no longer {state}", "", units, {"clears": clean_up.clear})


def _clean_up_fits(field: Field, clean_up: CleanUp, phase: Phase, unit: PlacedUnit) -> bool:
    fields, side = unit.fields, clean_up.side or phase.side
    is_own = side not in field.sides or unit.side == side
    is_concerned = not clean_up.of or bool(
        {unit.counter.id, unit.counter.class_, unit.counter.template} & {*clean_up.of}
    )
    return (
        bool(fields.get(clean_up.clear))
        and is_own
        and is_concerned
        and not (clean_up.unless and fields.get(clean_up.unless))
    )


def _event_section(field: Field, event: Event) -> Section:
    record, states = event.record, field.game.states
    if event.chances is not None:
        return _chances(field, event)
    if record.change:
        return _change_section(field, event)
    if record.set:
        effect, details = states[record.set].name.lower(), {"sets": record.set}
    elif record.clear:
        effect, details = f"no longer {states[record.clear].name.lower()}", {"clears": record.clear}
    elif record.gain is not None:
        inside: list[Node] = [
            Value("text", record.text, for_people=False),
            Value("rule", record.rule, for_people=False),
        ]
        title = f"{record.text}: {event.amount}" + f" ({record.rule})" * bool(record.rule)
        return Section([*inside, Value("gain", event.amount, for_people=False)], title)
    elif record.restore is not None:
        share_text = "one for each unit" if record.to_each == "one" else "a unit may recover all its lost steps"
        effect, details = (
            f"{count_text(event.amount, 'step')} may be recovered, {share_text}",
            {"restore": str(event.amount)},
        )
    else:
        steps = count_text(event.amount, "step") if event.amount else "steps, not the same number for all"
        effect, details = f"each loses {steps}", {"lose": str(event.amount) if event.amount else "steps"}
    text = record.text if record.text.lower() == effect else f"{record.text}: {effect}"
    return _list_section(text, record.rule, event.units, details, event.chances_each or {})


def _change_section(field: Field, event: Event) -> Section:
    record, counters = event.record, field.program.rules.counters
    rows: list[dict[str, Cell]] = []
    for name in record.change:
        after = (event.changes or {}).get(name)
        before = field.inputs[name]
        rows.append({"counter": name, "title": counters[name].title, "before": before, "after": after})
    columns = [
        TableColumn("counter"),
        TableColumn("title", "counter"),
        TableColumn("before", "now"),
        TableColumn("after", "then"),
    ]
    inside: list[Node] = [Value("text", record.text, for_people=False), Value("rule", record.rule, for_people=False)]
    return Section(
        [*inside, RowTable("changes", columns, rows)], f"{record.text} ({record.rule})" if record.rule else record.text
    )


def _list_section(
    text: str,
    rule: str,
    units: Iterable[PlacedUnit],
    details: Mapping[str, str],
    chance_by_unit: Mapping[str, Fraction] | None = None,
) -> Section:
    chances = chance_by_unit or {}
    rows: list[dict[str, Cell]] = []
    for unit in units:
        chance: Cell = Chance(chances[unit.key]) if unit.key in chances else None
        rows.append({"unit": CounterRef(unit.key, unit.name), "chance": chance})
    columns = [TableColumn("unit", "unit"), TableColumn("chance", "chance" if chances else "")]
    inside: list[Node] = [Value(key, value, for_people=False) for key, value in details.items()]
    inside += [Value("text", text, for_people=False), Value("rule", rule, for_people=False)]
    if chances:
        inside.append(RowTable("units", columns, rows, heads=False))
    else:
        inside += [
            remark(", ".join(unit.name for unit in units)),
            Value("units", [row["unit"] for row in rows], for_people=False),
        ]
    return Section(inside, f"{text} ({rule})" if rule else text)


def _chances(field: Field, event: Event) -> Section:
    record = event.record
    table = field.game.tables.get(record.table)
    meanings = (
        {code: table.results[code].meaning for code in event.chances or {} if code in table.results} if table else {}
    )
    inside: list[Node] = [
        Value("text", record.text, for_people=False),
        Value("rule", record.rule, for_people=False),
        Chances("chances", event.chances or {}, meanings=meanings),
    ]
    return Section(inside, f"{record.text} ({record.rule})" if record.rule else record.text)


def turn_question(game: Game) -> Question | None:
    """Return the question `turn`, where a pack says anything about turns."""
    rules = game.rules
    arriving = any(
        group.enters
        for scenario in game.scenarios.values()
        for force in scenario.forces.values()
        for group in force.groups
    )
    if not (game.sequence or arriving or (rules is not None and rules.turn)) or not (game.maps or game.scenario_maps):
        return None
    about = "what happens in a turn: reinforcements, states that begin or end, and die rolls"
    return Question(
        name="turn", about=about, inputs=(*turn_inputs(game), *ON_ANY_MAP), answer=_turn, positional=("turn",)
    )


def turn_inputs(game: Game) -> tuple[Input, ...]:
    """Return the pack's counters and inputs that its records of the turn ask for."""
    rules = game.rules
    if rules is None:
        return ()
    program, names = program_of(game), set[str]()
    for record in rules.turn:
        formulas = (record.when, record.needs, record.column, record.gain, record.lose, record.restore)
        for formula in (*formulas, *record.change.values()):
            names |= program.names(formula)
    inputs = [question_input(name, shape) for name, shape in rules.inputs.items() if f"input.{name}" in names]
    counters = [counter_input(name, counter) for name, counter in rules.counters.items() if f"counter.{name}" in names]
    return (*counters, *inputs)
