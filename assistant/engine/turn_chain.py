"""Forecasts: the records of `turn` that change counters or end the game, run turn by turn as one exact chain."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any

from assistant.attack import counter_fields
from assistant.engine.field import Field
from assistant.engine.placed_units import Fields, Mover, no_unit
from assistant.engine.program import Program
from assistant.engine.turn import acting_side, dice_chances, fixed_column, turn_phases
from assistant.questions.answer import BadQuestion
from scenarios.model.attack_inputs import Formula
from scenarios.model.definitions import Phase
from scenarios.rules.counters import RuleCounter
from scenarios.rules.shapes import Gate, ResultRule, TurnRule

MAX_STATES = 200_000
USED_UP = Gate(text="it is used up already", forbid=True)


@dataclass(frozen=True)
class State:
    """The counters at some moment, and the markers that are used up."""

    counters: tuple[Any, ...]
    used_up: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Stage:
    """A record of `turn` with the phase in which it happens."""

    record: TurnRule
    side: str
    phase: str


@dataclass
class ForecastTurn:
    """One turn of a forecast. All chances are those of the whole forecast, not of a game that has come so far."""

    turn: int
    happens: dict[int, Fraction] = field(default_factory=dict)
    """The chance that each stage with a roll succeeds in this turn, by its number."""
    ends: dict[int, Fraction] = field(default_factory=dict)
    """The chance that each stage ends the game in this turn."""
    states: dict[State, Fraction] = field(default_factory=dict)
    """The chance of each state after this turn, of games that go on."""


@dataclass(frozen=True)
class Outcome:
    """What a stage makes of the counters that it is about."""

    counters: tuple[Any, ...]
    used_up: frozenset[str]
    happens: bool = False
    ends: bool = False


def forecast_records(program: Program) -> list[TurnRule]:
    """Return the records of `turn` that a forecast runs: they change counters or end the game."""
    changing = {name for name, records in program.rules.results.items() if any(record.change for record in records)}
    tables = program.game.tables
    return [
        record
        for record in program.rules.turn
        if record.change
        or record.end
        or (record.table and any(changing & result.effects.keys() for result in tables[record.table].results.values()))
    ]


def names_in_records(program: Program, records: Iterable[TurnRule]) -> frozenset[str]:
    """Return the names that the records of a forecast ask for, and the counters that they change."""
    names: set[str] = set()
    for record in records:
        results = table_changes(program, record)
        formulas = [record.when, record.needs, record.column, record.use_up, *record.change.values()]
        formulas += [gate.when for gate in record.who if isinstance(gate, Gate)]
        formulas += [formula for result in results for formula in (result.when, *result.change.values())]
        for formula in formulas:
            names |= program.names(formula)
        for change in (record.change, *(result.change for result in results)):
            names |= {f"counter.{name}" for name in change}
        if record.each:
            names.add(f"input.{record.each}")
    return frozenset(names)


def table_changes(program: Program, record: TurnRule) -> list[ResultRule]:
    """Return the records of `results` that change counters after a roll on a record's table."""
    if not record.table:
        return []
    effects = {effect for result in program.game.tables[record.table].results.values() for effect in result.effects}
    return [
        result
        for name, results in program.rules.results.items()
        if name in effects
        for result in results
        if result.change
    ]


class TurnChain:
    """The chain of a forecast: from the position's counters, through the stages of each turn."""

    def __init__(
        self, field: Field, markers: Callable[[str, int], Sequence[str]], inputs: Callable[[int], Mapping[str, Any]]
    ) -> None:
        """Prepare a chain. `markers` gives the markers that an input names in a turn, `inputs` its other inputs."""
        self.field, self.markers, self.inputs = field, markers, inputs
        self.shapes: Mapping[str, RuleCounter] = field.program.rules.counters
        self.names = tuple(self.shapes)
        self.stages = list(self._stages())
        self._markers_fields: dict[str, Fields] = {}
        self._outcomes: dict[Any, list[tuple[Outcome, Fraction]]] = {}
        self._touched = [self._touches(stage.record) for stage in self.stages]

    def _stages(self) -> Iterator[Stage]:
        """Yield the records in the order of their phases, then those of the end of the turn."""
        records = forecast_records(self.field.program)
        for phase in sequence_phases(self.field):
            for record in records:
                if phase.id in record.phases:
                    yield Stage(record, acting_side(self.field, record, phase), phase.id)
        for record in records:
            if not record.phases:
                yield Stage(record, acting_side(self.field, record, None), "")

    def _touches(self, record: TurnRule) -> tuple[int, ...]:
        """Return the numbers of the counters that a record asks for or changes."""
        names = names_in_records(self.field.program, [record])
        return tuple(i for i, name in enumerate(self.names) if f"counter.{name}" in names)

    def changes(self, record: TurnRule) -> set[str]:
        """Return the counters that a record may change."""
        results = table_changes(self.field.program, record)
        return {name for change in (record.change, *(result.change for result in results)) for name in change}

    def start(self) -> State:
        """Return the state that the position shows, or the player gives. Markers that it lacks are used up."""
        used_up = frozenset[str]()
        present = {piece.unit for piece in self.field.position.pieces}
        for name in {stage.record.each for stage in self.stages if stage.record.each}:
            choices = frozenset(self.field.program.rules.inputs[name].choices)
            used_up |= choices - present if choices & present else frozenset()
        return State(tuple(_plain(self.field.inputs[name]) for name in self.names), used_up)

    def run(self, turns: Sequence[int], phase: str = "", start: State | None = None) -> list[ForecastTurn]:
        """Return the forecast of some turns. In the first one the phases before `phase` are over."""
        ways: dict[State, int] = {start or self.start(): 1}
        denominator, forecast = 1, []
        for turn in turns:
            this_turn = ForecastTurn(turn)
            turn_field = self.field.on_turn(turn)
            stages = list(enumerate(self.stages))
            if phase and turn == turns[0]:
                stages = [(n, stage) for n, stage in stages if not self._is_over(stage, phase)]
            for number, stage in stages:
                if not (stage.phase == "" or self._takes_place(turn_field, stage)):
                    continue
                outcomes = {state: self._leads_to(turn_field, number, stage, state) for state in ways}
                scale = lcm(*(share.denominator for options in outcomes.values() for _, share in options))
                denominator *= scale
                next_ways: dict[State, int] = {}
                for state, count in ways.items():
                    for outcome, share in outcomes[state]:
                        weight = count * (share.numerator * (scale // share.denominator))
                        if outcome.happens:
                            chance = Fraction(weight, denominator)
                            this_turn.happens[number] = this_turn.happens.get(number, Fraction(0)) + chance
                        if outcome.ends:
                            chance = Fraction(weight, denominator)
                            this_turn.ends[number] = this_turn.ends.get(number, Fraction(0)) + chance
                            continue
                        next_state = self._next_state(number, state, outcome)
                        next_ways[next_state] = next_ways.get(next_state, 0) + weight
                ways = next_ways
                if len(ways) > MAX_STATES:
                    raise BadQuestion(self._too_many(ways))
            this_turn.states = {state: Fraction(count, denominator) for state, count in ways.items()}
            forecast.append(this_turn)
        return forecast

    def _too_many(self, states: Iterable[State]) -> str:
        """Return what to make smaller, where there are too many states."""
        values: list[set[Any]] = [set() for _ in self.names]
        for state in states:
            for seen, value in zip(values, state.counters, strict=True):
                seen.add(value)
        worst = max(range(len(self.names)), key=lambda i: len(values[i]))
        return (
            f"the forecast has more than {MAX_STATES} states; ask for fewer turns, or give the counter "
            f"{self.names[worst]!r} narrower limits ({len(values[worst])} values)"
        )

    def _is_over(self, stage: Stage, phase: str) -> bool:
        order = [entry.id for entry in sequence_phases(self.field)]
        return stage.phase in order and phase in order and order.index(stage.phase) < order.index(phase)

    def _takes_place(self, field: Field, stage: Stage) -> bool:
        return any(phase.id == stage.phase for phase in turn_phases(field.game, field))

    def _next_state(self, number: int, state: State, outcome: Outcome) -> State:
        touched = self._touched[number]
        if not touched:
            return state if outcome.used_up == state.used_up else State(state.counters, outcome.used_up)
        counters = list(state.counters)
        for i, value in zip(touched, outcome.counters, strict=True):
            counters[i] = value
        return State(tuple(counters), outcome.used_up)

    def _leads_to(self, field: Field, number: int, stage: Stage, state: State) -> list[tuple[Outcome, Fraction]]:
        """Return the outcomes of a stage. Equal values of the counters that it is about are worked out once."""
        values = tuple(state.counters[i] for i in self._touched[number])
        key = number, field.position.turn, values, state.used_up
        if key not in self._outcomes:
            record = stage.record
            counters = {self.names[i]: value for i, value in zip(self._touched[number], values, strict=True)}
            if record.each:
                options = self._of_markers(field, stage, counters, state.used_up)
            else:
                options = self._of_game(field, stage, counters, state.used_up)
            merged: dict[Outcome, Fraction] = {}
            for kept, used_up, happens, ends, chance in options:
                outcome = Outcome(tuple(kept.values()), used_up, happens, ends)
                merged[outcome] = merged.get(outcome, Fraction(0)) + chance
            self._outcomes[key] = list(merged.items())
        return self._outcomes[key]

    def _scope_values(self, turn: int, counters: Mapping[str, Any]) -> dict[str, Any]:
        values = {f"input.{name}": value for name, value in self.inputs(turn).items()}
        return {**values, **{f"counter.{name}": value for name, value in counters.items()}}

    def _of_markers(
        self, field: Field, stage: Stage, counters: dict[str, Any], used_up: frozenset[str]
    ) -> Iterator[tuple[dict[str, Any], frozenset[str], bool, bool, Fraction]]:
        """Yield the only outcome of a record that is about each of some markers."""
        record, turn = stage.record, field.position.turn
        for marker in self.markers(record.each, turn):
            if marker in used_up:
                continue
            mover, values = self._marker(field, marker), self._scope_values(turn, counters)
            if not self._may(field, record, mover, values)[0]:
                continue
            if record.use_up is not None and field.holds(record.use_up, mover, values):
                used_up |= {marker}
            counters = self._changed(field, record.change, mover, values, counters)
        yield counters, used_up, False, False, Fraction(1)

    def _may(self, field: Field, record: TurnRule, mover: Mover, values: Mapping[str, Any]) -> tuple[bool, Gate | None]:
        """Return whether a marker takes part; and the reason, where a record forbids it."""
        if not field.holds(record.when, mover, values):
            return False, None
        for gate in record.who:
            if isinstance(gate, Gate) and field.holds(gate.when, mover, values):
                return not gate.forbid, gate
        return True, None

    def refusals(self, turn: int) -> Iterator[tuple[str, str, Gate | None]]:
        """Yield the markers that the player names in the first turn, each with the input and the reason why it may not
        take part."""
        field, state = self.field.on_turn(turn), self.start()
        counters = dict(zip(self.names, state.counters, strict=True))
        for stage in self.stages:
            record = stage.record
            for marker in self.markers(record.each, turn) if record.each else ():
                if marker in state.used_up:
                    yield record.each, marker, USED_UP
                    continue
                values = self._scope_values(turn, counters)
                yield record.each, marker, self._may(field, record, self._marker(field, marker), values)[1]

    def _marker(self, field: Field, marker: str) -> Mover:
        if marker not in self._markers_fields:
            fields = counter_fields(field.game, marker, [])
            self._markers_fields[marker] = {**field.unknown_unit.fields, **fields}
        return Mover(self._markers_fields[marker]["side"], self._markers_fields[marker])

    def _changed(
        self,
        field: Field,
        change: Mapping[str, Formula | None],
        mover: Mover,
        values: Mapping[str, Any],
        counters: Mapping[str, Any],
    ) -> dict[str, Any]:
        """Return the counters after a change. All expressions are worked out before any counter changes."""
        scope = field.scope(mover, {}, values)
        after = {name: field.value_of(formula, scope) for name, formula in change.items() if formula is not None}
        return {**counters, **{name: bounded(self.shapes[name], value) for name, value in after.items()}}

    def _of_game(
        self, field: Field, stage: Stage, counters: dict[str, Any], used_up: frozenset[str]
    ) -> Iterator[tuple[dict[str, Any], frozenset[str], bool, bool, Fraction]]:
        """Yield the outcomes of a record that is about the whole game."""
        record, mover = stage.record, no_unit(stage.side)
        values = self._scope_values(field.position.turn, counters)
        if not field.holds(record.when, mover, values):
            yield counters, used_up, False, False, Fraction(1)
        elif record.table:
            table = field.game.tables[record.table]
            column = fixed_column(field, record, field.scope(mover, {}, values))
            for code, chance in table.distribution(column).items():
                effects = table.results[code].effects if code in table.results else {}
                for kept, share in self._results(field, mover, effects, code, counters):
                    yield kept, used_up, False, False, chance * share
        elif record.roll:
            for roll, chance in dice_chances(record.roll).items():
                roll_values = {**values, "roll": roll}
                happens = field.holds(record.needs, mover, roll_values)
                after = self._changed(field, record.change, mover, roll_values, counters) if happens else counters
                yield after, used_up, happens, happens and record.end, chance
        elif record.end:
            yield counters, used_up, False, True, Fraction(1)
        else:
            yield self._changed(field, record.change, mover, values, counters), used_up, False, False, Fraction(1)

    def _results(
        self, field: Field, mover: Mover, effects: Mapping[str, str], code: str, counters: dict[str, Any]
    ) -> list[tuple[dict[str, Any], Fraction]]:
        """Return what the records of `results` make of the counters after a roll on a table."""
        options = [(counters, Fraction(1))]
        for name, text, record in change_records(field, effects):
            next_options = []
            for kept, chance in options:
                values = {
                    **self._scope_values(field.position.turn, kept),
                    "result_text": text,
                    "result": result_number(text),
                    "code": code,
                }
                if not field.holds(record.when, mover, values):
                    next_options.append((kept, chance))
                    continue
                for roll, share in result_rolls(record, text, name).items():
                    after = self._changed(field, record.change, mover, {**values, "roll": roll}, kept)
                    next_options.append((after, chance * share))
            options = next_options
        return options


def sequence_phases(field: Field) -> list[Phase]:
    """Return every phase of the sequence of play, whatever the turn."""
    sequences, scenario = field.game.sequence, field.scenario
    key = scenario.sequence if scenario is not None and scenario.sequence else next(iter(sequences), "")

    def flat(phases: Iterable[Phase]) -> Iterator[Phase]:
        for phase in phases:
            yield phase
            yield from flat(phase.phases)

    return list(flat(sequences[key].phases)) if key in sequences else []


def change_records(field: Field, effects: Mapping[str, str]) -> Iterator[tuple[str, str, ResultRule]]:
    """Yield the records of `results` that change counters after these effects, each with its effect and its text."""
    for name, records in field.program.rules.results.items():
        if name in effects:
            yield from ((name, effects[name], record) for record in records if record.change)


def result_rolls(record: ResultRule, text: str, effect: str) -> Mapping[int, Fraction]:
    """Return the chances of the dice of a record; a plain number in the effect is that number."""
    dice = text if record.roll == "result_text" else record.roll
    if not dice:
        return {0: Fraction(1)}
    try:
        return dice_chances(dice) if "d" in dice else {int(dice): Fraction(1)}
    except ValueError:
        raise BadQuestion(f"the effect {effect}: {text} is neither a number nor a roll of dice") from None


def result_number(text: str) -> Fraction | int:
    """Return the number of an effect; 0 where it is no number."""
    try:
        value = Fraction(text)
    except ValueError:
        return 0
    return value.numerator if value.denominator == 1 else value


def bounded(counter: RuleCounter, value: Any) -> Any:
    """Return a value within the limits of its counter."""
    value = _plain(value)
    if counter.kind != "number":
        return value
    if counter.at_least is not None:
        value = max(counter.at_least, value)
    return value if counter.at_most is None else min(counter.at_most, value)


def _plain(value: Any) -> Any:
    """Return a whole number as an int."""
    return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value
