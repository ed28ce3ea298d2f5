"""`compiled`: an expression made ready to be evaluated many times; `evaluate`: its exact value."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NoReturn

from scenarios.expressions.meaning import (
    Compiled,
    EvaluationError,
    Lookup,
    Unit,
    Value,
    Values,
    equal,
    meaningless,
    units,
    wrong,
)
from scenarios.expressions.syntax import (
    AGGREGATES,
    FUNCTIONS,
    OPERANDS,
    Aggregate,
    Binary,
    Call,
    Expression,
    Flag,
    Membership,
    Name,
    Number,
    Text,
    Unary,
    clipped,
    shown,
)

_NUMBER_TEXT = re.compile(r"[+-]?[0-9]{1,30}(/0{0,30}[1-9][0-9]{0,30})?")
_NUMBERS = frozenset({int, Fraction})
_PLAIN = frozenset({int, Fraction, str, bool})
_PAIRS: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_NUMERIC: Mapping[str, Callable[[list[Any]], Any]] = {
    "min": min,
    "max": max,
    "abs": lambda numbers: abs(numbers[0]),
    "floor": lambda numbers: numbers[0] // 1,
    "ceil": lambda numbers: -(-numbers[0] // 1),
}


def evaluate(expression: Expression, values: Values, lookup: Lookup | None = None) -> Fraction | str | bool:
    """The value, exact; `and`, `or`, `if`, `any` and `all` evaluate no more than they need.

    `lookup` gives the text of a table (its id) at its keys; its LookupError or ValueError becomes an EvaluationError.
    """
    value = compiled(expression)(values, lookup, None)
    return value if isinstance(value, (bool, str, Fraction)) else Fraction(value)


def compiled(node: Expression) -> Compiled:
    """The expression as one function made of its parts'. Whole numbers are worked on as int, which is many times
    faster than Fraction and as exact."""
    if isinstance(node, Name):
        return _name(node)
    if isinstance(node, (Number, Text, Flag)):
        constant = _plain(node)
        return lambda values, lookup, unit: constant
    if isinstance(node, Binary):
        return _binary(node)
    if isinstance(node, Aggregate):
        return _aggregate(node)
    if isinstance(node, Call):
        return _call(node)
    if isinstance(node, Membership):
        return _membership(node)
    return _unary(node)


def _plain(node: Number | Text | Flag) -> Value:
    if isinstance(node, Number) and node.value.denominator == 1:
        return node.value.numerator
    return node.value


def _name(node: Name) -> Compiled:
    name = node.name

    def named(values: Values, lookup: Lookup | None, unit: Unit | None) -> Value:
        value: Any = unit[name] if unit is not None and name in unit else values.get(name)
        if value.__class__ in _PLAIN or isinstance(value, (int, str, Fraction)):
            return value  # type: ignore[return-value]
        return meaningless(value, node)

    return named


def _number(node: Expression, rule: str) -> Callable[[Values, Lookup | None, Unit | None], int | Fraction]:
    """The node's value, which must be a number."""
    part = compiled(node)

    def number(values: Values, lookup: Lookup | None, unit: Unit | None) -> int | Fraction:
        value = part(values, lookup, unit)
        if value.__class__ in _NUMBERS or not isinstance(value, (bool, str)):
            return value  # type: ignore[return-value]
        return wrong(value, node, rule)

    return number


def _flag(node: Expression, rule: str) -> Callable[[Values, Lookup | None, Unit | None], bool]:
    """The node's value, which must be a flag."""
    part = compiled(node)

    def flag(values: Values, lookup: Lookup | None, unit: Unit | None) -> bool:
        value = part(values, lookup, unit)
        if value is True or value is False:
            return value
        return wrong(value, node, rule)

    return flag


def _membership(node: Membership) -> Compiled:
    operand, negated = compiled(node.operand), node.negated
    choices = tuple(map(_plain, node.choices))

    def among(values: Values, lookup: Lookup | None, unit: Unit | None) -> bool:
        value = operand(values, lookup, unit)
        return any(equal(value, choice, node) for choice in choices) != negated

    texts = frozenset(choice for choice in choices if isinstance(choice, str))
    if len(texts) != len(choices):
        return among

    def among_texts(values: Values, lookup: Lookup | None, unit: Unit | None) -> bool:
        value = operand(values, lookup, unit)
        if value.__class__ is str:
            return (value in texts) != negated
        return any(equal(value, choice, node) for choice in choices) != negated

    return among_texts


def _unary(node: Unary) -> Compiled:
    rule = OPERANDS[node.operator][1]
    if node.operator == "not":
        flag = _flag(node.operand, rule)
        return lambda values, lookup, unit: not flag(values, lookup, unit)
    number = _number(node.operand, rule)
    return lambda values, lookup, unit: -number(values, lookup, unit)


def _binary(node: Binary) -> Compiled:
    if node.operator in ("==", "!="):
        return _equality(node)
    rule = OPERANDS[node.operator][1]
    if node.operator in ("and", "or"):
        one, other = _flag(node.left, rule), _flag(node.right, rule)
        if node.operator == "and":
            return lambda values, lookup, unit: one(values, lookup, unit) and other(values, lookup, unit)
        return lambda values, lookup, unit: one(values, lookup, unit) or other(values, lookup, unit)
    left, right = _number(node.left, rule), _number(node.right, rule)
    if node.operator in _PAIRS:
        work = _PAIRS[node.operator]
        return lambda values, lookup, unit: work(left(values, lookup, unit), right(values, lookup, unit))

    def quotient(values: Values, lookup: Lookup | None, unit: Unit | None) -> Value:
        above, below = left(values, lookup, unit), right(values, lookup, unit)
        if below == 0:
            raise EvaluationError(f"{shown(node.right)} is 0, and nothing can be divided by it", node.offset)
        return Fraction(above, below)

    return quotient


def _equality(node: Binary) -> Compiled:
    left, right, wanted = compiled(node.left), compiled(node.right), node.operator == "=="

    def equality(values: Values, lookup: Lookup | None, unit: Unit | None) -> bool:
        return equal(left(values, lookup, unit), right(values, lookup, unit), node) == wanted

    return equality


def _failing(message: str, node: Expression) -> Compiled:
    """An expression that is wrong wherever it is evaluated, and only there."""

    def fail(values: Values, lookup: Lookup | None, unit: Unit | None) -> NoReturn:
        raise EvaluationError(message, node.offset)

    return fail


def _call(node: Call) -> Compiled:
    name, arguments = node.function, node.arguments
    function = FUNCTIONS.get(name)
    if function is None:
        usage = f"write {AGGREGATES[name].usage}" if name in AGGREGATES else "there is no such function"
        return _failing(f"{clipped(name)}(...) has no value: {usage}", node)
    if not function.least <= len(arguments) <= (function.most or len(arguments)):
        return _failing(f"{name}(...) is written {function.usage}", node)
    if name == "if":
        condition = _flag(arguments[0], "if(...) asks a flag")
        then, otherwise = compiled(arguments[1]), compiled(arguments[2])
        return lambda values, lookup, unit: (
            then(values, lookup, unit) if condition(values, lookup, unit) else otherwise(values, lookup, unit)
        )
    if name == "lookup":
        return _looked_up(node)
    if name == "join":
        keys = [_key(argument) for argument in arguments]
        return lambda values, lookup, unit: "".join([key(values, lookup, unit) for key in keys])
    if name == "number":
        return _read_number(arguments[0])
    work, rule = _NUMERIC[name], f"{name}(...) takes numbers"
    numbers = [_number(argument, rule) for argument in arguments]
    return lambda values, lookup, unit: work([number(values, lookup, unit) for number in numbers])


def _read_number(node: Expression) -> Compiled:
    part = compiled(node)

    def number(values: Values, lookup: Lookup | None, unit: Unit | None) -> int | Fraction:
        text = part(values, lookup, unit)
        if not isinstance(text, str):
            return wrong(text, node, "number(...) takes texts")
        if _NUMBER_TEXT.fullmatch(text) is None:
            raise EvaluationError(f"the text {clipped(text)!r} is no number", node.offset)
        return Fraction(text) if "/" in text else int(text)

    return number


def _looked_up(node: Call) -> Compiled:
    table, *rest = node.arguments
    if not isinstance(table, Text):
        return _failing(f"a table is named by a text in quotes, not by {shown(table)}", table)
    held, keys = table.value, [_key(key) for key in rest]

    def found(values: Values, lookup: Lookup | None, unit: Unit | None) -> str:
        if lookup is None:
            raise EvaluationError(f"there are no tables here to look up {shown(table)}", node.offset)
        texts = tuple([key(values, lookup, unit) for key in keys])
        try:
            return lookup(held, texts)
        except (LookupError, ValueError) as error:
            place = ", ".join(repr(clipped(text)) for text in texts)
            raise EvaluationError(f"table {shown(table)} has nothing at {place}", node.offset) from error

    return found


def _key(node: Expression) -> Callable[[Values, Lookup | None, Unit | None], str]:
    part = compiled(node)

    def key(values: Values, lookup: Lookup | None, unit: Unit | None) -> str:
        value = part(values, lookup, unit)
        if isinstance(value, bool):
            return wrong(value, node, "a text or a number belongs here")
        return value if isinstance(value, str) else str(value)

    return key


def _aggregate(node: Aggregate) -> Compiled:
    name, group = node.function, node.group
    if node.argument is None:
        return lambda values, lookup, unit: len(units(group, values))
    rule = f"{name}(...) takes a {AGGREGATES[name].takes}"
    if name in ("sum", "largest", "smallest"):
        number = _number(node.argument, rule)

        def numbers(values: Values, lookup: Lookup | None) -> list[Any]:
            return [number(values, lookup, one) for one in units(group, values)]

        if name == "sum":
            return lambda values, lookup, unit: sum(numbers(values, lookup))
        if name == "largest":
            return lambda values, lookup, unit: max(numbers(values, lookup), default=0)
        return lambda values, lookup, unit: min(numbers(values, lookup), default=0)
    if name == "kinds":
        return _kinds(group, compiled(node.argument), rule)
    flag = _flag(node.argument, rule)
    if name == "count":
        return lambda values, lookup, unit: sum(flag(values, lookup, one) for one in units(group, values))
    found = name == "any"

    def settled(values: Values, lookup: Lookup | None, unit: Unit | None) -> bool:
        for one in units(group, values):
            if flag(values, lookup, one) is found:
                return found
        return not found

    return settled


def _kinds(group: Name, text: Compiled, rule: str) -> Compiled:
    """How many different texts the units of a group have; an empty one doesn't count."""

    def different(values: Values, lookup: Lookup | None, unit: Unit | None) -> int:
        found = {text(values, lookup, one) for one in units(group, values)}
        for value in found:
            if not isinstance(value, str):
                wrong(value, group, rule)
        return len(found - {""})

    return different
