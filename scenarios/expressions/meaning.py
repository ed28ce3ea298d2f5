"""The possible meanings of names in an expression, and the error for a name that doesn't fit."""

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
"""A function from the values of names, the table lookup and (inside an aggregate) the unit to the result."""


class EvaluationError(ExpressionFault):
    """Raised if an expression has no value in a case. `offset` is the place in its text."""


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
