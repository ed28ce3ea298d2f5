"""Whether a procedure can end: its last stages, the bounds of its counters, and conditions that never hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from scenarios.expressions import Binary, EvaluationError, Expression, Name, Number, evaluate, names
from scenarios.expressions.syntax import Aggregate, Call, Membership, Unary
from scenarios.model.attack_inputs import Formula
from scenarios.model.tables import Table
from scenarios.reading.shapes import Record
from scenarios.rules.counters import RuleCounter
from scenarios.rules.procedures import Procedure, Stage, formulas_of
from scenarios.rules.shapes import ResultRule

OPPOSITE = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


class Mistake(NamedTuple):
    """A record with a mistake, its key, and what is wrong."""

    record: Record
    key: str
    message: str


class EndingChecks:
    """The checks on the end of one procedure."""

    def __init__(
        self,
        procedure: Procedure,
        counters: Mapping[str, RuleCounter],
        tables: Mapping[str, Table],
        results: Mapping[str, tuple[ResultRule, ...]],
        tables_of_attacks: Mapping[str, str],
    ) -> None:
        self.procedure, self.counters, self.tables = procedure, counters, tables
        self.results, self.tables_of_attacks = results, tables_of_attacks
        self.stages = procedure.all_stages
        self.looped = self.stages[len(procedure.stages) :]

    def mistakes(self) -> Iterator[Mistake]:
        """Every mistake about how the procedure ends."""
        procedure = self.procedure
        if not self.stages:
            yield Mistake(procedure, "", "a procedure has stages; add `stages`")
        if procedure.rounds and procedure.turns:
            yield Mistake(procedure, "turns", "a procedure has rounds or turns, not both; leave out one of them")
        ends = [stage for stage in self.looped if stage.end]
        if procedure.rounds and not ends:
            yield Mistake(procedure, "rounds", "no stage ends the rounds; add one with `end: true` and a `when`")
        for stage in self.stages:
            if stage.end and stage.when is not None and is_always_false(stage.when):
                yield Mistake(stage, "when", "it never holds, so the stage ends nothing; write when the procedure ends")
            if stage.end == "false":
                yield Mistake(stage, "end", "`end` is true, or a word that outcomes ask for as `ended`")
            yield from self._never(stage)
        if procedure.turns:
            yield from self._bounds_of_turns()
        elif procedure.rounds:
            yield from self._bounds_of_rounds()

    # Bounds.

    def _changes(self, stages: Iterable[Stage]) -> dict[str, list[Formula]]:
        """The expressions that change each counter, in stages and in the results of their rolls."""
        found: dict[str, list[Formula]] = {}
        for stage in stages:
            listed = [stage.change, *(record.change for record in self._results_of(stage))]
            for change in listed:
                for name, formula in change.items():
                    if formula is not None:
                        found.setdefault(name, []).append(formula)
        return {name: formulas for name, formulas in found.items() if name in self.counters}

    def _results_of(self, stage: Stage) -> Iterator[ResultRule]:
        table = self.tables.get(self.tables_of_attacks.get(stage.fire, "") if stage.fire else stage.table)
        effects = {key for result in table.results.values() for key in result.effects} if table is not None else set()
        for key in sorted(effects & self.results.keys()):
            yield from self.results[key]

    def _bounds_of_turns(self) -> Iterator[Mistake]:
        for name in self._changes(self.stages):
            counter = self.counters[name]
            if counter.kind == "number" and (counter.at_least is None or counter.at_most is None):
                yield Mistake(
                    counter, "", f"the counter {name!r} changes from turn to turn; give it `at_least` and `at_most`"
                )

    def _bounds_of_rounds(self) -> Iterator[Mistake]:
        """A number that rounds change and stages ask for makes new states without end if it has no bounds."""
        for name, formulas in self._changes(self.looped).items():
            counter = self.counters[name]
            if counter.kind != "number" or not self._is_asked_for(name, formulas):
                continue
            steps = [_added(formula, name) for formula in formulas]
            rises, falls = (
                any(step is None or step > 0 for step in steps),
                any(step is None or step < 0 for step in steps),
            )
            missing = [
                key
                for key, needed in (("at_least", falls), ("at_most", rises))
                if needed and getattr(counter, key) is None
            ]
            if missing:
                listed = " and ".join(f"`{key}`" for key in missing)
                yield Mistake(
                    counter,
                    "",
                    f"the counter {name!r} changes from round to round, and stages ask for it; give it {listed}",
                )

    def _is_asked_for(self, name: str, own: list[Formula]) -> bool:
        formulas = [formula for stage in self.stages for formula in formulas_of(stage)]
        for stage in self.stages:
            formulas += [formula for record in self._results_of(stage) for formula in _formulas_of_result(record)]
        return any(f"counter.{name}" in names(formula.expression) for formula in formulas if formula not in own)

    # Conditions that never hold.

    def _never(self, stage: Stage) -> Iterator[Mistake]:
        """A comparison of a counter with a number that it never reaches."""
        for formula in formulas_of(stage):
            for comparison, name in _comparisons(formula.expression):
                counter = self.counters.get(name)
                if counter is not None and counter.kind == "number" and not _is_possible(comparison, counter):
                    low, high = (bound if bound is not None else "…" for bound in (counter.at_least, counter.at_most))
                    bounds = f"from {low} to {high}"
                    text = f"counter.{name} {comparison.operator} {comparison.number}"
                    yield Mistake(stage, _key_of(stage, formula), f"{text!r} never holds: the counter goes {bounds}")


class Comparison(NamedTuple):
    """A comparison of a counter with a number."""

    operator: str
    number: Fraction


def is_always_false(formula: Formula) -> bool:
    """Whether a condition is false whatever happens."""
    if names(formula.expression):
        return False
    try:
        return evaluate(formula.expression, {}) is False
    except EvaluationError:
        return False


def _comparisons(expression: Expression) -> Iterator[tuple[Comparison, str]]:
    match expression:
        case Binary(operator, Name(name), Number(value)) if operator in OPPOSITE and name.startswith("counter."):
            yield Comparison(operator, value), name.removeprefix("counter.")
        case Binary(operator, Number(value), Name(name)) if operator in OPPOSITE and name.startswith("counter."):
            yield Comparison(OPPOSITE[operator], value), name.removeprefix("counter.")
        case Binary(_, left, right):
            yield from _comparisons(left)
            yield from _comparisons(right)
        case Unary(_, operand) | Membership(operand):
            yield from _comparisons(operand)
        case Call(_, arguments):
            for argument in arguments:
                yield from _comparisons(argument)
        case Aggregate(_, _, argument) if argument is not None:
            yield from _comparisons(argument)


def _is_possible(comparison: Comparison, counter: RuleCounter) -> bool:
    """Whether a counter within its bounds can fulfill a comparison."""
    low, high, number = counter.at_least, counter.at_most, comparison.number
    match comparison.operator:
        case "==":
            return (low is None or low <= number) and (high is None or number <= high)
        case ">":
            return high is None or high > number
        case ">=":
            return high is None or high >= number
        case "<":
            return low is None or low < number
        case "<=":
            return low is None or low <= number
    return True


def _added(formula: Formula, name: str) -> Fraction | None:
    """What an expression adds to a counter, if that is a constant."""
    match formula.expression:
        case Binary("+" | "-" as operator, Name(own), Number(value)) if own == f"counter.{name}":
            return value if operator == "+" else -value
        case Number():
            return Fraction(0)
    return None


def _formulas_of_result(record: ResultRule) -> Iterator[Formula]:
    candidates = (record.when, record.lose, record.retreat, record.count, *record.change.values())
    yield from (formula for formula in candidates if formula is not None)


def _key_of(stage: Stage, formula: Formula) -> str:
    """The key of a stage that holds an expression."""
    keys = ("when", "who", "among", "most", "simultaneous", "column", "needs", "lose")
    return next((key for key in keys if getattr(stage, key) is formula), "change" if stage.change else "")
