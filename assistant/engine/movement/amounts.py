"""Amounts: an allowance or a length, computed from its records in order. With dice it has a chance for each value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from assistant.engine.field import Field
from assistant.engine.placed_units import Mover
from assistant.engine.program import CompiledRecord
from assistant.engine.scope import TableCell
from assistant.questions.answer import BadQuestion
from scenarios.expressions import EvaluationError
from scenarios.model.dice import dice
from scenarios.rules.shapes import Amount

MAX_AMOUNT = 10**6
MOST_DICE = 6


@dataclass(frozen=True)
class EvaluatedAmount:
    """An amount: each value with its chance, the records that it depends on, and the record that forbids it, if any."""

    chances: Mapping[Fraction | int, Fraction]
    rests: tuple[CompiledRecord, ...] = ()
    forbidden: CompiledRecord | None = None
    cells: frozenset[TableCell] = frozenset()
    """The table cells that it depends on."""

    @property
    def maximum(self) -> Fraction | int:
        """The largest it can be."""
        return max(self.chances)

    @property
    def sure(self) -> bool:
        """Whether it needs no die roll."""
        return len(self.chances) == 1


def amount(
    field: Field,
    records: tuple[Amount, ...],
    mover: Mover,
    extra_values: Mapping[str, Any] | None = None,
    **places: int,
) -> EvaluatedAmount:
    """Evaluate the records in order, beginning with 0."""
    chances: dict[Any, Fraction] = {0: Fraction(1)}
    rests: list[CompiledRecord] = []
    lookup, roll_count = field.program.lookup, 0
    cells: set[TableCell] = set()
    for record in field.program.ready(records).records:
        scope = field.scope(mover, places, extra_values)
        try:
            # A record that asks for `amount` is evaluated for each possible value; most conditions don't ask for it.
            if (
                "amount" not in record.uses
                and record.condition is not None
                and record.condition(scope, lookup, None) is not True
            ):
                continue
            if record.effect == "forbid":
                return EvaluatedAmount({0: Fraction(1)}, (record,), record)
            rests.append(record)
            assert record.work is not None
            if record.effect == "roll":
                roll_count += 1
                if roll_count > MOST_DICE:
                    raise BadQuestion(f"more than {MOST_DICE} rolls of dice make one amount; see {record.text!r}")
                scope.cells = cells
                chances = _roll_table(chances, str(record.work(scope, scope.lookup, None)), record)
                continue
            new_chances: dict[Any, Fraction] = {}
            for value, chance in chances.items():
                value_scope = field.scope(mover, places, {**(extra_values or {}), "amount": value})
                holds = record.condition is None or record.condition(value_scope, lookup, None) is True
                value_scope.cells = cells
                new = (
                    _apply_effect(record.effect, value, record.work(value_scope, value_scope.lookup, None))
                    if holds
                    else value
                )
                new = min(max(new, 0), MAX_AMOUNT)
                new_chances[new] = new_chances.get(new, Fraction(0)) + chance
            chances = new_chances
        except EvaluationError as error:
            raise BadQuestion(f"{error} (in {record.text or 'an amount'!r})") from None
    distribution = {simplify(value): chance for value, chance in sorted(chances.items())}
    return EvaluatedAmount(distribution, tuple(rests), cells=frozenset(cells))


def _apply_effect(effect: str, value: Any, operand: Any) -> Any:
    return operand if effect == "set" else value + operand if effect == "add" else value * operand


def _roll_table(chances: Mapping[Any, Fraction], text: str, record: CompiledRecord) -> dict[Any, Fraction]:
    try:
        faces = dice(text)
    except ValueError as error:
        raise BadQuestion(f"{error} (in {record.text!r})") from None
    new_chances: dict[Any, Fraction] = {}
    for value, chance in chances.items():
        for face, face_chance in faces.items():
            new_chances[value + face] = new_chances.get(value + face, Fraction(0)) + chance * face_chance
    return new_chances


def simplify(value: Any) -> Fraction | int:
    """Return a number as an integer if it is whole."""
    return int(value) if value == int(value) else value
