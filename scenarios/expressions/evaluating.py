"""`evaluate`: the exact value of an expression."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from scenarios.expressions.syntax import (
    AGGREGATES,
    FUNCTIONS,
    OPERANDS,
    Aggregate,
    Base,
    Binary,
    Call,
    Expression,
    Flag,
    Membership,
    Name,
    Number,
    Text,
    clipped,
    shown,
)

Value: TypeAlias = Fraction | int | str | bool
Unit: TypeAlias = Mapping[str, Value]
Values: TypeAlias = Mapping[str, Value | Sequence[Unit]]
Lookup: TypeAlias = Callable[[str, tuple[str, ...]], str]

_NUMBER_TEXT = re.compile(r"[+-]?[0-9]{1,30}(/0{0,30}[1-9][0-9]{0,30})?")


class EvaluationError(ValueError):
    """An expression without a value here; `offset` is where in its text."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message, offset)
        self.message = message
        self.offset = offset

    def __str__(self) -> str:
        return self.message


class _Here(NamedTuple):
    """What the names mean; `unit` inside an aggregate only."""

    values: Values
    lookup: Lookup | None
    unit: Unit | None = None


def evaluate(expression: Expression, values: Values, lookup: Lookup | None = None) -> Fraction | str | bool:
    """The value, exact; `and`, `or`, `if`, `any` and `all` evaluate no more than they need.

    `lookup` gives the text of a table (its id) at its keys; its LookupError becomes an EvaluationError.
    """
    value = _value(expression, _Here(values, lookup))
    return value if isinstance(value, (bool, str, Fraction)) else Fraction(value)


def _value(node: Expression, here: _Here) -> Value:
    if isinstance(node, Name):
        return _named(node, here)
    if isinstance(node, Number):
        # Whole numbers are worked on as int, which is many times faster than Fraction and as exact.
        return node.value.numerator if node.value.denominator == 1 else node.value
    if isinstance(node, (Text, Flag)):
        return node.value
    if isinstance(node, Binary):
        return _binary(node, here)
    if isinstance(node, Aggregate):
        return _aggregate(node, here)
    if isinstance(node, Call):
        return _call(node, here)
    if isinstance(node, Membership):
        value = _value(node.operand, here)
        return any(_equal(value, choice.value, node) for choice in node.choices) != node.negated
    rule = OPERANDS[node.operator][1]
    if node.operator == "not":
        return not _flag(node.operand, here, rule)
    return -_number(node.operand, here, rule)


def _named(node: Name, here: _Here) -> Value:
    name = node.name
    value = here.unit[name] if here.unit is not None and name in here.unit else here.values.get(name)
    if isinstance(value, (int, str, Fraction)):
        return value
    if value is None:
        raise EvaluationError(f"'{clipped(name)}' has no value", node.offset)
    if isinstance(value, Sequence):
        raise EvaluationError(f"'{clipped(name)}' is a group of units, not a value", node.offset)
    raise EvaluationError(f"'{clipped(name)}' is neither a number nor a text nor a flag", node.offset)


def _base(value: Value) -> Base:
    if isinstance(value, bool):
        return "flag"
    return "text" if isinstance(value, str) else "number"


def _number(node: Expression, here: _Here, rule: str) -> int | Fraction:
    value = _value(node, here)
    if isinstance(value, (bool, str)):
        raise EvaluationError(f"{rule}; {shown(node)} is a {_base(value)}", node.offset)
    return value


def _flag(node: Expression, here: _Here, rule: str) -> bool:
    value = _value(node, here)
    if not isinstance(value, bool):
        raise EvaluationError(f"{rule}; {shown(node)} is a {_base(value)}", node.offset)
    return value


def _equal(left: Value, right: Value, node: Expression) -> bool:
    if _base(left) != _base(right):
        raise EvaluationError(f"a {_base(left)} is compared with a {_base(right)}", node.offset)
    return left == right


def _binary(node: Binary, here: _Here) -> Value:
    operator = node.operator
    if operator in ("==", "!="):
        return _equal(_value(node.left, here), _value(node.right, here), node) == (operator == "==")
    rule = OPERANDS[operator][1]
    if operator == "and":
        return _flag(node.left, here, rule) and _flag(node.right, here, rule)
    if operator == "or":
        return _flag(node.left, here, rule) or _flag(node.right, here, rule)
    left, right = _number(node.left, here, rule), _number(node.right, here, rule)
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    if operator == "*":
        return left * right
    if operator == "/":
        if right == 0:
            raise EvaluationError(f"{shown(node.right)} is 0, and nothing can be divided by it", node.offset)
        return Fraction(left, right)
    if operator == "<":
        return left < right
    if operator == "<=":
        return left <= right
    return left > right if operator == ">" else left >= right


def _call(node: Call, here: _Here) -> Value:
    name, arguments = node.function, node.arguments
    function = FUNCTIONS.get(name)
    if function is None:
        usage = f"write {AGGREGATES[name].usage}" if name in AGGREGATES else "there is no such function"
        raise EvaluationError(f"{clipped(name)}(...) has no value: {usage}", node.offset)
    if not function.least <= len(arguments) <= (function.most or len(arguments)):
        raise EvaluationError(f"{name}(...) is written {function.usage}", node.offset)
    if name == "if":
        condition = _flag(arguments[0], here, "if(...) asks a flag")
        return _value(arguments[1] if condition else arguments[2], here)
    if name == "lookup":
        return _looked_up(node, here)
    if name == "join":
        return "".join(_key(argument, here) for argument in arguments)
    if name == "number":
        return _read_number(arguments[0], here)
    rule = f"{name}(...) takes numbers"
    numbers = [_number(argument, here, rule) for argument in arguments]
    if name == "min":
        return min(numbers)
    if name == "max":
        return max(numbers)
    if name == "abs":
        return max(numbers[0], -numbers[0])
    if name == "floor":
        return numbers[0] // 1
    return -(-numbers[0] // 1)


def _read_number(node: Expression, here: _Here) -> Fraction:
    text = _value(node, here)
    if not isinstance(text, str):
        raise EvaluationError(f"number(...) takes texts; {shown(node)} is a {_base(text)}", node.offset)
    if _NUMBER_TEXT.fullmatch(text) is None:
        raise EvaluationError(f"the text {clipped(text)!r} is no number", node.offset)
    return Fraction(text)


def _looked_up(node: Call, here: _Here) -> str:
    table, *keys = node.arguments
    if not isinstance(table, Text):
        raise EvaluationError(f"a table is named by a text in quotes, not by {shown(table)}", table.offset)
    if here.lookup is None:
        raise EvaluationError(f"there are no tables here to look up {shown(table)}", node.offset)
    texts = tuple(_key(key, here) for key in keys)
    try:
        return here.lookup(table.value, texts)
    except LookupError as error:
        place = ", ".join(repr(clipped(text)) for text in texts)
        raise EvaluationError(f"table {shown(table)} has nothing at {place}", node.offset) from error


def _key(node: Expression, here: _Here) -> str:
    value = _value(node, here)
    if isinstance(value, bool):
        raise EvaluationError(f"a text or a number belongs here; {shown(node)} is a flag", node.offset)
    return value if isinstance(value, str) else str(value)


def _units(group: Name, here: _Here) -> Sequence[Unit]:
    units = here.values.get(group.name)
    if isinstance(units, Sequence) and not isinstance(units, str):
        return units
    if units is None:
        raise EvaluationError(f"there is no group {shown(group)}", group.offset)
    raise EvaluationError(f"{shown(group)} is not a group of units", group.offset)


def _aggregate(node: Aggregate, here: _Here) -> Value:
    name, argument, units = node.function, node.argument, _units(node.group, here)
    if argument is None:
        return len(units)
    values, lookup, _ = here
    rule = f"{name}(...) takes a {AGGREGATES[name].takes}"
    if name in ("sum", "largest", "smallest"):
        numbers = [_number(argument, _Here(values, lookup, unit), rule) for unit in units]
        if name == "sum":
            return sum(numbers)
        return max(numbers, default=0) if name == "largest" else min(numbers, default=0)
    flags = (_flag(argument, _Here(values, lookup, unit), rule) for unit in units)
    if name == "count":
        return sum(flags)
    return any(flags) if name == "any" else all(flags)
