"""Stacking: the conditions for the units in one place."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

from assistant.engine.field import Field
from assistant.engine.placed_units import Mover, PlacedUnit
from assistant.engine.program import CompiledRecord
from assistant.engine.scope import Scope
from assistant.questions.answer import BadQuestion
from scenarios.expressions import EvaluationError
from scenarios.expressions.evaluating import compile_expression
from scenarios.expressions.syntax import Binary
from scenarios.rules.records import Demand

MOST_TRIES = 500
"""The most ways to leave a stack that are tried."""


@dataclass(frozen=True)
class StackCheck:
    """The units of a side in one place, and the conditions that they don't meet."""

    place: int
    side: str
    placed_units: tuple[PlacedUnit, ...]
    failures: tuple[CompiledRecord, ...]


def failures(
    field: Field,
    mover: Mover,
    n: int,
    absent_units: Collection[PlacedUnit] = (),
    extra_units: Iterable[PlacedUnit] = (),
) -> tuple[CompiledRecord, ...]:
    """Return the conditions that would fail with a mover in a place. `absent_units` have left it; `extra_units` come
    along."""
    demands = field.program.ready(field.program.rules.stacking)
    if not demands.records:
        return ()
    units = [
        s for s in field.by_place.get(n, ()) if s.side == mover.side and s is not mover.unit and s not in absent_units
    ]
    coming = [s for s in extra_units if s is not mover.unit and s not in units]
    return _failures(field, mover, n, [*units, *coming])


def _failures(field: Field, mover: Mover, n: int, other_units: list[PlacedUnit]) -> tuple[CompiledRecord, ...]:
    stack = [mover.fields, *(unit.fields for unit in other_units)]
    scope = field.scope(mover, {"to": n}, {"stack": stack})
    return unmet(field, field.program.ready(field.program.rules.stacking).records, scope)


def unmet(field: Field, demands: Iterable[CompiledRecord], scope: Scope) -> tuple[CompiledRecord, ...]:
    """Return the conditions that aren't met."""
    lookup, violations = field.program.lookup, []
    for record in demands:
        try:
            if record.condition is not None and record.condition(scope, lookup, None) is not True:
                continue
            assert record.work is not None
            if record.work(scope, lookup, None) is not True:
                violations.append(record)
        except EvaluationError as error:
            raise BadQuestion(f"{error} (in {record.text!r})") from None
    return tuple(violations)


def stacks(field: Field, place: int | None = None) -> tuple[StackCheck, ...]:
    """Return every stack of more than one unit, or that breaks a condition; or all stacks in one place."""
    all_stacks = []
    for n, occupants in field.by_place.items():
        if place is not None and n != place:
            continue
        for side in dict.fromkeys(unit.side for unit in occupants):
            side_units = tuple(unit for unit in occupants if unit.side == side)
            violations: dict[CompiledRecord, None] = {}
            for unit in side_units:
                violations |= dict.fromkeys(failures(field, field.mover(unit), n))
            if len(side_units) > 1 or violations or place is not None:
                all_stacks.append(StackCheck(n, side, side_units, tuple(violations)))
    return tuple(all_stacks)


@dataclass(frozen=True)
class StackLevel:
    """How full a place is by one condition that sets a limit: `amount <= limit`."""

    record: CompiledRecord
    amount: Fraction
    limit: Fraction

    @property
    def room(self) -> Fraction:
        """How much more there is room for; below 0 where there is too much."""
        return self.limit - self.amount


def stack_levels(field: Field, stack: StackCheck) -> list[StackLevel]:
    """Return how full a place is by each condition of the form `amount <= limit` that applies to the stack."""
    scope = field.scope(
        field.mover(stack.placed_units[0]), {"to": stack.place}, {"stack": [unit.fields for unit in stack.placed_units]}
    )
    levels = []
    for record in field.program.ready(field.program.rules.stacking).records:
        demand = record.record
        if not isinstance(demand, Demand) or demand.that is None or not field.holds_of(demand.when, scope):
            continue
        comparison = demand.that.expression
        if isinstance(comparison, Binary) and comparison.operator == "<=":
            amount, limit = (
                Fraction(compile_expression(side)(scope, field.program.lookup, None))
                for side in (comparison.left, comparison.right)
            )
            levels.append(StackLevel(record, amount, limit))
    return levels


def too_many(field: Field, stack: StackCheck) -> int | None:
    """Return the least number of units that must leave a stack to make it legal; None where that takes too many
    tries."""
    units = stack.placed_units
    for count in range(len(units)):
        if comb(len(units), count) > MOST_TRIES:
            return None
        for removed_units in combinations(units, count):
            remaining_units = (unit for unit in units if unit not in removed_units)
            if not any(failures(field, field.mover(unit), stack.place, removed_units) for unit in remaining_units):
                return count
    return len(units)


class StackingSpace:
    """The room in places for units that come there. Units with equal values for what stacking asks are one kind, and
    have a number."""

    def __init__(self, field: Field, absent_units: Collection[PlacedUnit]) -> None:
        """Prepare the room. `absent_units` have left their places."""
        self.field, self.removed = field, absent_units
        self.units: list[PlacedUnit] = []
        self._kinds: dict[Any, int] = {}
        self._fits: dict[tuple[int, tuple[int, ...]], bool] = {}
        program = field.program
        rule_names = program.stacked_by
        effects = [
            name.partition(".")[2] for name in rule_names if name.startswith(("effect.", "effect_value.", "to."))
        ]
        has_unit_effects = any(effect.nation or effect.units for name in effects for effect in field.in_force(name))
        self._ignores_place = not any(name.startswith("to.") for name in rule_names)
        """Whether all empty places have the same room."""
        self._names = tuple(
            name
            for name in (*rule_names, *(("nation", "id") if has_unit_effects else ()))
            if name in field.unknown_unit.fields
        )

    def kind(self, unit: PlacedUnit) -> int:
        """The number of a unit's kind."""
        fields = unit.fields
        number = self._kinds.setdefault((unit.side, *[fields[name] for name in self._names]), len(self._kinds))
        if number == len(self.units):
            self.units.append(unit)
        return number

    def fits(self, n: int, unit_kinds: tuple[int, ...]) -> bool:
        """Whether a place has room for all of these."""
        key = n if n in self.field.by_place or not self._ignores_place else -1, unit_kinds
        if key not in self._fits:
            # Equal units are still separate units.
            units = [replace(self.units[number]) for number in unit_kinds]
            self._fits[key] = not any(
                failures(self.field, self.field.mover(unit), n, self.removed, units) for unit in units
            )
        return self._fits[key]
