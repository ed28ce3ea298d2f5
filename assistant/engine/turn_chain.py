"""Forecasts: the records of `turn` that change counters or end the game, run turn by turn as one exact chain."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any

from assistant.engine.field import Field
from assistant.engine.placed_units import Fields, Mover, no_unit
from assistant.engine.program import Program
from assistant.engine.scope import TableCell
from assistant.engine.turn import acting_side, bounded, dice_chances, fixed_column, turn_phases
from assistant.questions.answer import BadQuestion
from scenarios.expressions import Name
from scenarios.expressions.syntax import Binary
from scenarios.model.attack_inputs import Formula
from scenarios.model.definitions import Phase
from scenarios.rules.counters import RuleCounter
from scenarios.rules.names import names_in
from scenarios.rules.shapes import Gate, ResultRule, TurnRule

MAX_STATES = 200_000
TURN_NAMES = frozenset({"turn", "year", "level", "units", "places"})
TURN_PREFIXES = frozenset({"effect", "effect_value", "ruling", "control", "present", "enemy_present", "box"})
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


Rows = dict[State, list[int]]
"""The ways to be in each state, one for each value of the row counter."""


@dataclass
class ForecastTurn:
    """One turn of a forecast. All chances are those of the whole forecast, not of a game that has come so far."""

    turn: int
    chain: TurnChain
    happens: dict[int, Fraction] = field(default_factory=dict)
    """The chance that each stage with a roll succeeds in this turn, by its number."""
    ends: dict[int, Fraction] = field(default_factory=dict)
    """The chance that each stage ends the game in this turn."""
    rows: Rows = field(default_factory=dict)
    """The ways to be in each state after this turn, of games that go on."""
    denominator: int = 1
    """How many ways there are in all."""

    @property
    def goes_on(self) -> Fraction:
        """The chance that the game goes on after this turn."""
        return Fraction(sum(map(sum, self.rows.values())), self.denominator)

    def chances(self, name: str) -> dict[Any, Fraction]:
        """Return the chance of each value of a counter after this turn, in games that go on."""
        chain, ways = self.chain, dict[Any, int]()
        place = chain.names.index(name)
        for state, row in self.rows.items():
            options = zip(chain.row_values, row, strict=True) if place == chain.row else ()
            for value, count in options or ((state.counters[place], sum(row)),):
                ways[value] = ways.get(value, 0) + count
        total = sum(ways.values())
        return {value: Fraction(ways[value], total) for value in sorted(ways) if ways[value]}


@dataclass(frozen=True)
class Outcome:
    """What a stage makes of the counters that it is about."""

    counters: tuple[Any, ...]
    used_up: frozenset[str] | None
    happens: bool = False
    ends: bool = False
    shifts: tuple[int, ...] = ()
    """By how much the row counter changes, one change after the other."""
    row_value: Any = None
    """Or what it comes to."""


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
        changes = [record.change, *(result.change for result in results)]
        for formula in (*asked_formulas(record, results), *(f for change in changes for f in change.values())):
            names |= program.names(formula)
        names |= {f"counter.{name}" for change in changes for name in change}
        if record.each:
            names.add(f"input.{record.each}")
    return frozenset(names)


def turn_values(program: Program, records: Iterable[TurnRule]) -> list[str]:
    """Return the pack's values that these records ask for and that are the same for a whole turn."""
    formulas = [
        formula
        for record in records
        for results in (table_changes(program, record),)
        for change in (record.change, *(result.change for result in results))
        for formula in (*asked_formulas(record, results), *change.values())
        if formula is not None
    ]
    direct = {reference.node.name for formula in formulas for reference in names_in(formula.expression, {})}
    return [
        name
        for name, formula in program.values.items()
        if name in direct and all(_is_of_turn(used) for used in program.names(formula))
    ]


def _is_of_turn(name: str) -> bool:
    """Whether a name has one value for a whole turn, whatever is counted or rolled."""
    return name in TURN_NAMES or name.partition(".")[0] in TURN_PREFIXES


def asked_formulas(record: TurnRule, results: Iterable[ResultRule]) -> list[Formula | None]:
    """Return the expressions of a record and its results, except what counters change to."""
    formulas = [record.when, record.needs, record.column, record.use_up, *(result.when for result in results)]
    return formulas + [gate.when for gate in record.who if isinstance(gate, Gate)]


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


def closed_groups(program: Program, records: Sequence[TurnRule]) -> list[frozenset[str]]:
    """Return groups of counters that can be forecast apart: a counter with all that it rests on, and what may end the
    game. A group that is part of another is left out."""
    asked: dict[str, set[str]] = {}
    drawing: set[str] = set()
    for record in records:
        results = table_changes(program, record)
        conditions = {name for formula in asked_formulas(record, []) for name in program.names(formula)}
        for result, change in ((None, record.change), *((result, result.change) for result in results)):
            for counter, formula in change.items():
                names = program.names(formula) | (program.names(result.when) if result is not None else frozenset())
                asked.setdefault(counter, set()).update(conditions | names)
                drawing |= {counter} if record.each else set()
    rests = {
        counter: {name.removeprefix("counter.") for name in names if name.startswith("counter.")} | {counter}
        for counter, names in asked.items()
    }
    for counter in drawing:
        # Markers are used up for all records that are about markers.
        rests[counter] |= drawing

    def closed(counters: set[str]) -> frozenset[str]:
        known, new = set[str](), counters
        while new:
            known |= new
            new = {name for counter in new for name in rests.get(counter, ())} - known
        return frozenset(known)

    ends = {
        name
        for record in records
        if record.end
        for formula in (record.when, record.needs)
        for name in program.names(formula)
    }
    ending = {name.removeprefix("counter.") for name in ends if name.startswith("counter.")}
    groups = {closed({counter} | ending) for counter in rests} or {closed(ending)}
    return [group for group in sorted(groups, key=sorted) if not any(group < other for other in groups)]


class TurnChain:
    """The chain of a forecast: from the position's counters, through the stages of each turn."""

    def __init__(
        self,
        field: Field,
        counters: Collection[str],
        markers: Callable[[str, int], Sequence[str]],
        player_values: Callable[[int], Mapping[str, Any]],
    ) -> None:
        """Prepare a chain of some counters. `markers` gives the markers that an input names in a turn, `player_values` the names
        whose value the player says for a turn."""
        self.field, self.markers, self.player_values = field, markers, player_values
        self.shapes: Mapping[str, RuleCounter] = field.program.rules.counters
        self.names = tuple(name for name in self.shapes if name in counters)
        self._constants: dict[tuple[int, str], dict[str, Any]] = {}
        self.stages = list(self._stages())
        self.cells: set[TableCell] = set()
        """The table cells that the forecast rests on."""
        self._markers_fields: dict[str, Fields] = {}
        self.touched = [self._touches(stage.record) for stage in self.stages]
        self.row = self._row_counter()
        """The number of the counter whose values stand beside each state as a row of ways."""
        self.row_name = "" if self.row is None else self.names[self.row]
        self.shifts = [self._only_shifts(stage.record) for stage in self.stages]
        """Whether a stage only adds to the row counter, whatever its value."""
        self.row_values: Sequence[int] = (0,)
        if self.row is not None:
            shape = self.shapes[self.row_name]
            self.row_values = range(shape.at_least or 0, (shape.at_most or 0) + 1)

    def _stages(self) -> Iterator[Stage]:
        """Yield the records in the order of their phases, then those of the end of the turn."""
        program = self.field.program
        records = [
            record
            for record in forecast_records(program)
            if record.end or any(name in self.names for name in self.changes(record))
        ]
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

    def _row_counter(self) -> int | None:
        """Return the counter with the most values, if it has limits and changes in whole steps only."""
        sizes: dict[int, int] = {}
        for i, name in enumerate(self.names):
            low, high = self.shapes[name].at_least, self.shapes[name].at_most
            if low is not None and high is not None and any(i in group for group in self.touched):
                sizes[i] = high - low
        return max(sizes, key=lambda i: sizes[i], default=None)

    def _only_shifts(self, record: TurnRule) -> bool:
        """Whether a record only adds to the row counter, and asks for it nowhere else."""
        name, program = f"counter.{self.row_name}", self.field.program
        results = table_changes(program, record)
        changes = [record.change, *(result.change for result in results)]
        if not self.row_name or record.end or not any(self.row_name in change for change in changes):
            return False
        formulas = asked_formulas(record, results)
        for change in changes:
            formulas += [formula for counter, formula in change.items() if counter != self.row_name]
            formula = change.get(self.row_name)
            if formula is None:
                continue
            expression = formula.expression
            if not isinstance(expression, Binary) or expression.operator not in ("+", "-"):
                return False
            if expression.left != Name(name) or name in program.names_of(expression.right):
                return False
        return not any(name in program.names(formula) for formula in formulas)

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

    def run(self, turns: Sequence[int], phase: str = "") -> list[ForecastTurn]:
        """Return the forecast of some turns. In the first one the phases before `phase` are over."""
        start = self.start()
        rows: Rows = {self._without_row(start): self._first_row(start)}
        denominator, forecast = 1, []
        for turn in turns:
            this_turn = ForecastTurn(turn, self)
            field = self.field.on_turn(turn)
            phases = {entry.id for entry in turn_phases(field.game, field)}
            for number, stage in enumerate(self.stages):
                is_over = phase and turn == turns[0] and self._is_over(stage, phase)
                if not is_over and (not stage.phase or stage.phase in phases):
                    step = _Step(self, field, number, stage)
                    rows, factor = step.take(rows)
                    denominator *= factor
                    if step.happens:
                        this_turn.happens[number] = Fraction(step.happens, denominator)
                    if step.ends:
                        this_turn.ends[number] = Fraction(step.ends, denominator)
                    if len(rows) * len(self.row_values) > MAX_STATES:
                        raise BadQuestion(self._too_many(rows))
            this_turn.rows, this_turn.denominator = rows, denominator
            forecast.append(this_turn)
        return forecast

    def _without_row(self, state: State) -> State:
        """Return a state without the counter that rows are about."""
        if self.row is None:
            return state
        return State((*state.counters[: self.row], None, *state.counters[self.row + 1 :]), state.used_up)

    def _first_row(self, state: State) -> list[int]:
        """Return the row of the start: one way to have the counter's value."""
        if self.row is None:
            return [1]
        value = bounded(self.shapes[self.names[self.row]], state.counters[self.row])
        return [int(value == row_value) for row_value in self.row_values]

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

    def next_state(self, number: int, state: State, outcome: Outcome) -> State:
        """Return the state after an outcome of a stage, without the counter that rows are about."""
        counters = list(state.counters)
        for i, value in zip(self.touched[number], outcome.counters, strict=True):
            counters[i] = value
        return State(tuple(counters), state.used_up if outcome.used_up is None else outcome.used_up)

    def outcomes(
        self, field: Field, number: int, state: State, row_value: int | None
    ) -> list[tuple[Outcome, Fraction]]:
        """Return the outcomes of a stage for a state, each once."""
        touched, record = self.touched[number], self.stages[number].record
        values = [row_value if i == self.row else state.counters[i] for i in touched]
        counters = {self.names[i]: value for i, value in zip(touched, values, strict=True)}
        shifts = self.shifts[number]
        if shifts:
            counters[self.row_name] = ()
        of_what = self._of_markers if record.each else self._of_game
        merged: dict[Outcome, Fraction] = {}
        for kept, used_up, happens, ends, chance in of_what(field, self.stages[number], counters, state.used_up):
            rest = tuple(None if name == self.row_name else item for name, item in kept.items())
            value = kept.get(self.row_name)
            outcome = Outcome(
                rest,
                used_up if record.each else None,
                happens,
                ends,
                *((value, None) if isinstance(value, tuple) else ((), value)),
            )
            merged[outcome] = merged.get(outcome, Fraction(0)) + chance
        return list(merged.items())

    def _holds(self, field: Field, formula: Formula | None, mover: Mover, values: Mapping[str, Any]) -> bool:
        """Whether a condition holds; the table cells that it rests on are kept."""
        if formula is None:
            return True
        scope = field.scope(mover, {}, values)
        holds = field.holds_of(formula, scope)
        self.cells |= scope.cells
        return holds

    def _scope_values(self, field: Field, stage: Stage, counters: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a stage may ask for: what the player says, the pack's values of the turn, the counters."""
        key = field.position.turn, stage.side
        if key not in self._constants:
            values, mover = self.player_values(key[0]), no_unit(stage.side)
            scope = field.scope(mover, {}, values)
            names = turn_values(field.program, [stage.record for stage in self.stages])
            constants = {
                name: field.value_of(field.program.values[name], scope) for name in names if name not in values
            }
            self._constants[key] = {**constants, **values}
        # Where only shifts of a counter are looked for, it counts as 0.
        kept = {f"counter.{name}": 0 if isinstance(value, tuple) else value for name, value in counters.items()}
        return {**self._constants[key], **kept}

    def _of_markers(
        self, field: Field, stage: Stage, counters: dict[str, Any], used_up: frozenset[str]
    ) -> Iterator[tuple[dict[str, Any], frozenset[str], bool, bool, Fraction]]:
        """Yield the only outcome of a record that is about each of some markers."""
        record, turn = stage.record, field.position.turn
        for marker in self.markers(record.each, turn):
            if marker in used_up:
                continue
            mover, values = self._marker(field, marker), self._scope_values(field, stage, counters)
            if not self._may(field, record, mover, values)[0]:
                continue
            if record.use_up is not None and self._holds(field, record.use_up, mover, values):
                used_up |= {marker}
            counters = self._changed(field, record.change, mover, values, counters)
        yield counters, used_up, False, False, Fraction(1)

    def _may(self, field: Field, record: TurnRule, mover: Mover, values: Mapping[str, Any]) -> tuple[bool, Gate | None]:
        """Return whether a marker takes part; and the reason, where a record forbids it."""
        if not self._holds(field, record.when, mover, values):
            return False, None
        for gate in record.who:
            if isinstance(gate, Gate) and self._holds(field, gate.when, mover, values):
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
                values = self._scope_values(field, stage, counters)
                yield record.each, marker, self._may(field, record, self._marker(field, marker), values)[1]

    def _marker(self, field: Field, marker: str) -> Mover:
        if marker not in self._markers_fields:
            self._markers_fields[marker] = field.marker_fields(marker)
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
        after: dict[str, Any] = {}
        for name, formula in change.items():
            if name not in self.names:
                continue
            assert formula is not None
            value, before = field.value_of(formula, scope), counters[name]
            self.cells |= scope.cells
            after[name] = (*before, int(value)) if isinstance(before, tuple) else bounded(self.shapes[name], value)
        return {**counters, **after}

    def _of_game(
        self, field: Field, stage: Stage, counters: dict[str, Any], used_up: frozenset[str]
    ) -> Iterator[tuple[dict[str, Any], frozenset[str], bool, bool, Fraction]]:
        """Yield the outcomes of a record that is about the whole game."""
        record, mover = stage.record, no_unit(stage.side)
        values = self._scope_values(field, stage, counters)
        if not self._holds(field, record.when, mover, values):
            yield counters, used_up, False, False, Fraction(1)
        elif record.table:
            table = field.game.tables[record.table]
            column = fixed_column(field, record, field.scope(mover, {}, values))
            self.cells |= {(record.table, row, table.columns.labels[column]) for row in table.cells}
            for code, chance in table.distribution(column).items():
                effects = table.results[code].effects if code in table.results else {}
                for kept, share in self._results(field, stage, effects, code, counters):
                    yield kept, used_up, False, False, chance * share
        elif record.roll:
            for roll, chance in dice_chances(record.roll).items():
                roll_values = {**values, "roll": roll}
                happens = self._holds(field, record.needs, mover, roll_values)
                after = self._changed(field, record.change, mover, roll_values, counters) if happens else counters
                yield after, used_up, happens, happens and record.end, chance
        elif record.end:
            yield counters, used_up, False, True, Fraction(1)
        else:
            yield self._changed(field, record.change, mover, values, counters), used_up, False, False, Fraction(1)

    def _results(
        self, field: Field, stage: Stage, effects: Mapping[str, str], code: str, counters: dict[str, Any]
    ) -> list[tuple[dict[str, Any], Fraction]]:
        """Return what the records of `results` make of the counters after a roll on a table."""
        options, mover = [(counters, Fraction(1))], no_unit(stage.side)
        for name, text, record in change_records(field, effects):
            if not any(counter in self.names for counter in record.change):
                continue
            next_options = []
            for kept, chance in options:
                values = {
                    **self._scope_values(field, stage, kept),
                    "result_text": text,
                    "result": result_number(text),
                    "code": code,
                }
                if not self._holds(field, record.when, mover, values):
                    next_options.append((kept, chance))
                    continue
                for roll, share in result_rolls(record, text, name).items():
                    after = self._changed(field, record.change, mover, {**values, "roll": roll}, kept)
                    next_options.append((after, chance * share))
            options = next_options
        return options


class _Step:
    """One stage in one turn, taken by all states at once."""

    def __init__(self, chain: TurnChain, field: Field, number: int, stage: Stage) -> None:
        self.chain, self.field, self.number, self.stage = chain, field, number, stage
        self.happens = self.ends = 0
        """In how many ways a roll succeeds, and the game ends."""
        self._memo: dict[Any, list[tuple[int | None, Outcome, Fraction]]] = {}

    def take(self, rows: Rows) -> tuple[Rows, int]:
        """Return the states after the stage, and by how much their ways are multiplied."""
        options = [(state, row, self._options(state)) for state, row in rows.items()]
        factor = lcm(*(share.denominator for outcomes in self._memo.values() for _, _, share in outcomes))
        next_rows: Rows = {}
        for state, row, outcomes in options:
            next_states: dict[Outcome, State] = {}
            for place, outcome, share in outcomes:
                ways = sum(row) if place is None else row[place]
                if not ways:
                    continue
                weight = share.numerator * (factor // share.denominator)
                self.happens += weight * ways * outcome.happens
                self.ends += weight * ways * outcome.ends
                if outcome.ends:
                    continue
                if outcome not in next_states:
                    next_states[outcome] = self.chain.next_state(self.number, state, outcome)
                self._add(next_rows, next_states[outcome], row, place, outcome, weight)
        return next_rows, factor

    def _options(self, state: State) -> list[tuple[int | None, Outcome, Fraction]]:
        """Return the outcomes for a state: for each place of its row, or (None) for the whole row at once."""
        chain, record = self.chain, self.stage.record
        touched = tuple(state.counters[i] for i in chain.touched[self.number])
        key = touched, state.used_up if record.each else None
        if key not in self._memo:
            asks = chain.row in chain.touched[self.number] and not chain.shifts[self.number]
            self._memo[key] = [
                (place, outcome, share)
                for place in (range(len(chain.row_values)) if asks else (None,))
                for outcome, share in chain.outcomes(
                    self.field, self.number, state, None if place is None else chain.row_values[place]
                )
            ]
        return self._memo[key]

    def _add(self, rows: Rows, state: State, row: list[int], place: int | None, outcome: Outcome, weight: int) -> None:
        """Add the ways of one outcome: those of a whole row, or those of one place of it."""
        after, chain = rows.get(state), self.chain
        if place is None:
            moved = self._shifted(row, outcome.shifts)
            rows[state] = (
                [weight * ways for ways in moved]
                if after is None
                else [a + weight * b for a, b in zip(after, moved, strict=True)]
            )
            return
        if after is None:
            after = rows[state] = [0] * len(row)
        value = outcome.row_value
        if value not in chain.row_values:
            raise BadQuestion(f"{self.stage.record.text}: a counter comes to {value}, which is no whole number")
        after[value - chain.row_values[0]] += weight * row[place]

    def _shifted(self, row: list[int], shifts: tuple[int, ...]) -> list[int]:
        """Return a row with every value changed by so much, within the counter's limits."""
        for shift in shifts:
            size, moved = len(row), [0] * len(row)
            for place, ways in enumerate(row):
                if ways:
                    moved[min(size - 1, max(0, place + shift))] += ways
            row = moved
        return row


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
    sign = -1 if dice.startswith("-") else 1
    try:
        if "d" in dice:
            return {sign * roll: chance for roll, chance in dice_chances(dice.lstrip("+-")).items()}
        return {int(dice): Fraction(1)}
    except ValueError:
        raise BadQuestion(f"the effect {effect}: {text} is neither a number nor a roll of dice") from None


def result_number(text: str) -> Fraction | int:
    """Return the number of an effect; 0 where it is no number."""
    try:
        value = Fraction(text)
    except ValueError:
        return 0
    return value.numerator if value.denominator == 1 else value


def _plain(value: Any) -> Any:
    """Return a whole number as an int."""
    return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value
