"""The names, calls and constants in an expression of `rules`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from scenarios.expressions import Aggregate, Call, EvaluationError, Expression, Name, ValueType, evaluate
from scenarios.expressions.syntax import Binary, Membership, Unary
from scenarios.model.attack_inputs import Formula


@dataclass(frozen=True)
class UsedName:
    """A name in an expression: its node, and whether it is a group."""

    node: Name
    group: bool


def names_in(
    node: Expression, groups: Mapping[str, Mapping[str, ValueType]], fields: Iterable[str] = ()
) -> Iterator[UsedName]:
    """The names that an expression uses, without the fields of a group's units."""
    match node:
        case Name(name):
            if name not in fields:
                yield UsedName(node, False)
        case Unary(_, operand) | Membership(operand):
            yield from names_in(operand, groups, fields)
        case Binary(_, left, right):
            yield from names_in(left, groups, fields)
            yield from names_in(right, groups, fields)
        case Call(_, arguments):
            for argument in arguments:
                yield from names_in(argument, groups, fields)
        case Aggregate(_, group, argument):
            yield UsedName(group, True)
            if argument is not None:
                yield from names_in(argument, groups, groups.get(group.name, {}))


def calls_in(node: Expression) -> Iterator[Call]:
    """The function calls in an expression."""
    match node:
        case Unary(_, operand) | Membership(operand):
            yield from calls_in(operand)
        case Binary(_, left, right):
            yield from calls_in(left)
            yield from calls_in(right)
        case Call(_, arguments):
            yield node
            for argument in arguments:
                yield from calls_in(argument)
        case Aggregate(_, _, argument):
            if argument is not None:
                yield from calls_in(argument)


def aggregates_in(node: Expression) -> Iterator[Aggregate]:
    """The group functions in an expression, such as sum and any."""
    match node:
        case Unary(_, operand) | Membership(operand):
            yield from aggregates_in(operand)
        case Binary(_, left, right):
            yield from aggregates_in(left)
            yield from aggregates_in(right)
        case Call(_, arguments):
            for argument in arguments:
                yield from aggregates_in(argument)
        case Aggregate(_, _, argument):
            yield node
            if argument is not None:
                yield from aggregates_in(argument)


def constant(formula: Formula) -> Fraction | None:
    """The value of an expression that is a constant number. None for any other expression."""
    if any(True for _ in names_in(formula.expression, {})):
        return None
    try:
        value = evaluate(formula.expression, {})
    except EvaluationError:
        return None
    return value if not isinstance(value, (str, bool)) else None
