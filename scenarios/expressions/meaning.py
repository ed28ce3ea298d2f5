"""What the names of an expression can mean, and what is said where they don't fit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import NoReturn, TypeAlias

from scenarios.expressions.syntax import Base, Expression, ExpressionFault, Name, clip, quote

Value: TypeAlias = Fraction | int | str | bool
Unit: TypeAlias = Mapping[str, Value]
Values: TypeAlias = Mapping[str, Value | Sequence[Unit]]
Lookup: TypeAlias = Callable[[str, tuple[str, ...]], str]
Evaluator: TypeAlias = Callable[[Values, Lookup | None, Unit | None], Value]
"""From what the names mean, the tables and (inside an aggregate) the unit, to the value."""


class EvaluationError(ExpressionFault):
    """An expression without a value here; `offset` is where in its text."""


def base_of(value: Value) -> Base:
    if isinstance(value, bool):
        return "flag"
    return "text" if isinstance(value, str) else "number"


def wrong(value: Value, node: Expression, rule: str) -> NoReturn:
    raise EvaluationError(f"{rule}; {quote(node)} is a {base_of(value)}", node.offset)


def meaningless(value: object, node: Name) -> NoReturn:
    if value is None:
        reason = "has no value"
    elif isinstance(value, Sequence):
        reason = "is a group of units, not a value"
    else:
        reason = "is neither a number nor a text nor a flag"
    raise EvaluationError(f"'{clip(node.name)}' {reason}", node.offset)


def equal(left: Value, right: Value, node: Expression) -> bool:
    if left.__class__ is not right.__class__ and base_of(left) != base_of(right):
        raise EvaluationError(f"a {base_of(left)} is compared with a {base_of(right)}", node.offset)
    return left == right


def units(group: Name, values: Values) -> Sequence[Unit]:
    units = values.get(group.name)
    if units.__class__ is list:
        return units
    if isinstance(units, Sequence) and not isinstance(units, str):
        return units
    if units is None:
        raise EvaluationError(f"there is no group {quote(group)}", group.offset)
    raise EvaluationError(f"{quote(group)} is not a group of units", group.offset)
