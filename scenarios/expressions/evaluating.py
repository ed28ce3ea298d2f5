"""`compile_expression` turns an expression into a function. `evaluate` computes its exact value."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NoReturn

from scenarios.expressions.meaning import (
    EvaluationError,
    Evaluator,
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
    clip,
    quote,
)

_NUMBER_TEXT = re.compile(r"[+-]?[0-9]{1,30}(/0{0,30}[1-9][0-9]{0,30})?")
_NUMBERS = frozenset({int, Fraction})
_LITERAL_TYPES = frozenset({int, Fraction, str, bool})
_PAIRS: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_NUMERIC: Mapping[str, Callable[[list[Any]], Any]] = {
    "min": min,
    "max": max,
    "abs": lambda numbers: abs(numbers[0]),
    "floor": lambda numbers: numbers[0] // 1,
    "ceil": lambda numbers: -(-numbers[0] // 1),
}


def evaluate(expression: Expression, values: Values, lookup: Lookup | None = None) -> Fraction | str | bool:
    """The exact value. `and`, `or`, `if`, `any` and `all` stop as soon as the result is certain.

    `lookup` gives the text of a table (by id) at its keys. Its LookupError or ValueError becomes an EvaluationError.
    """
    value = compile_expression(expression)(values, lookup, None)
    return value if isinstance(value, (bool, str, Fraction)) else Fraction(value)


def compile_expression(node: Expression) -> Evaluator:
    """Compile an expression into one function made of the functions of its parts. Whole numbers stay int, which is many times
    faster than Fraction and equally exact.
    """
    if isinstance(node, Name):
        return _name(node)
    if isinstance(node, (Number, Text, Flag)):
        constant = _literal(node)
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


def _literal(node: Number | Text | Flag) -> Value:
    if isinstance(node, Number) and node.value.denominator == 1:
        return node.value.numerator
    return node.value


def _name(node: Name) -> Evaluator:
    name = node.name

    def lookup_name(values: Values, lookup: Lookup | None, unit: Unit | None) -> Value:
        value: Any = unit[name] if unit is not None and name in unit else values.get(name)
        if value.__class__ in _LITERAL_TYPES or isinstance(value, (int, str, Fraction)):
            return value  # type: ignore[return-value]
        return meaningless(value, node)

    return lookup_name


def _number(node: Expression, rule: str) -> Callable[[Values, Lookup | None, Unit | None], int | Fraction]:
    """The value of the node. It must be a number."""
    part = compile_expression(node)

    def number(values: Values, lookup: Lookup | None, unit: Unit | None) -> int | Fraction:
        value = part(values, lookup, unit)
        if value.__class__ in _NUMBERS or not isinstance(value, (bool, str)):
            return value  # type: ignore[return-value]
        return wrong(value, node, rule)

    return number


def _flag(node: Expression, rule: str) -> Callable[[Values, Lookup | None, Unit | None], bool]:
    """The value of the node. It must be a flag."""
    part = compile_expression(node)

    def flag(values: Values, lookup: Lookup | None, unit: Unit | None) -> bool:
        value = part(values, lookup, unit)
        if value is True or value is False:
            return value
        return wrong(value, node, rule)

    return flag


def _membership(node: Membership) -> Evaluator:
    operand, is_negated = compile_expression(node.operand), node.is_negated
    choices = tuple(map(_literal, node.choices))

    def is_member(values: Values, lookup: Lookup | None, unit: Unit | None) -> bool:
        value = operand(values, lookup, unit)
        return any(equal(value, choice, node) for choice in choices) != is_negated

    texts = frozenset(choice for choice in choices if isinstance(choice, str))
    if len(texts) != len(choices):
        return is_member

    def among_texts(values: Values, lookup: Lookup | None, unit: Unit | None) -> bool:
        value = operand(values, lookup, unit)
        if value.__class__ is str:
            return (value in texts) != is_negated
        return any(equal(value, choice, node) for choice in choices) != is_negated

    return among_texts


def _unary(node: Unary) -> Evaluator:
    rule = OPERANDS[node.operator][1]
    if node.operator == "not":
        flag = _flag(node.operand, rule)
        return lambda values, lookup, unit: not flag(values, lookup, unit)
    number = _number(node.operand, rule)
    return lambda values, lookup, unit: -number(values, lookup, unit)


def _binary(node: Binary) -> Evaluator:
    if node.operator in ("==", "!="):
        return _equality(node)
    rule = OPERANDS[node.operator][1]
    if node.operator in ("and", "or"):
        left_flag, right_flag = _flag(node.left, rule), _flag(node.right, rule)
        if node.operator == "and":
            return lambda values, lookup, unit: left_flag(values, lookup, unit) and right_flag(values, lookup, unit)
        return lambda values, lookup, unit: left_flag(values, lookup, unit) or right_flag(values, lookup, unit)
    left, right = _number(node.left, rule), _number(node.right, rule)
    if node.operator in _PAIRS:
        work = _PAIRS[node.operator]
        return lambda values, lookup, unit: work(left(values, lookup, unit), right(values, lookup, unit))

    def quotient(values: Values, lookup: Lookup | None, unit: Unit | None) -> Value:
        dividend, divisor = left(values, lookup, unit), right(values, lookup, unit)
        if divisor == 0:
            raise EvaluationError(f"{quote(node.right)} is 0, and nothing can be divided by it", node.offset)
        return Fraction(dividend, divisor)

    return quotient


def _equality(node: Binary) -> Evaluator:
    left, right, is_equality = compile_expression(node.left), compile_expression(node.right), node.operator == "=="

    def equality(values: Values, lookup: Lookup | None, unit: Unit | None) -> bool:
        return equal(left(values, lookup, unit), right(values, lookup, unit), node) == is_equality

    return equality


def _failing(message: str, node: Expression) -> Evaluator:
    """An evaluator that raises an error when it is called, and not before."""

    def fail(values: Values, lookup: Lookup | None, unit: Unit | None) -> NoReturn:
        raise EvaluationError(message, node.offset)

    return fail


def _call(node: Call) -> Evaluator:
    name, arguments = node.function, node.arguments
    function = FUNCTIONS.get(name)
    if function is None:
        usage = f"write {AGGREGATES[name].usage}" if name in AGGREGATES else "there is no such function"
        return _failing(f"{clip(name)}(...) has no value: {usage}", node)
    if not function.min_arguments <= len(arguments) <= (function.max_arguments or len(arguments)):
        return _failing(f"{name}(...) is written {function.usage}", node)
    if name == "if":
        condition = _flag(arguments[0], "if(...) asks a flag")
        then_value, otherwise = compile_expression(arguments[1]), compile_expression(arguments[2])
        return lambda values, lookup, unit: (
            then_value(values, lookup, unit) if condition(values, lookup, unit) else otherwise(values, lookup, unit)
        )
    if name == "lookup":
        return _table_lookup(node)
    if name == "join":
        keys = [_key(argument) for argument in arguments]
        return lambda values, lookup, unit: "".join([key(values, lookup, unit) for key in keys])
    if name == "number":
        return _read_number(arguments[0])
    work, rule = _NUMERIC[name], f"{name}(...) takes numbers"
    numbers = [_number(argument, rule) for argument in arguments]
    return lambda values, lookup, unit: work([number(values, lookup, unit) for number in numbers])


def _read_number(node: Expression) -> Evaluator:
    part = compile_expression(node)

    def number(values: Values, lookup: Lookup | None, unit: Unit | None) -> int | Fraction:
        text = part(values, lookup, unit)
        if not isinstance(text, str):
            return wrong(text, node, "number(...) takes texts")
        if _NUMBER_TEXT.fullmatch(text) is None:
            raise EvaluationError(f"the text {clip(text)!r} is no number", node.offset)
        return Fraction(text) if "/" in text else int(text)

    return number


def _table_lookup(node: Call) -> Evaluator:
    table, *key_nodes = node.arguments
    if not isinstance(table, Text):
        return _failing(f"a table is named by a text in quotes, not by {quote(table)}", table)
    table_name, keys = table.value, [_key(key) for key in key_nodes]

    def look_up(values: Values, lookup: Lookup | None, unit: Unit | None) -> str:
        if lookup is None:
            raise EvaluationError(f"there are no tables here to look up {quote(table)}", node.offset)
        texts = tuple([key(values, lookup, unit) for key in keys])
        try:
            return lookup(table_name, texts)
        except (LookupError, ValueError) as error:
            place = ", ".join(repr(clip(text)) for text in texts)
            raise EvaluationError(f"table {quote(table)} has nothing at {place}", node.offset) from error

    return look_up


def _key(node: Expression) -> Callable[[Values, Lookup | None, Unit | None], str]:
    part = compile_expression(node)

    def key(values: Values, lookup: Lookup | None, unit: Unit | None) -> str:
        value = part(values, lookup, unit)
        if isinstance(value, bool):
            return wrong(value, node, "a text or a number belongs here")
        return value if isinstance(value, str) else str(value)

    return key


def _aggregate(node: Aggregate) -> Evaluator:
    name, group = node.function, node.group
    if node.argument is None:
        return lambda values, lookup, unit: len(units(group, values))
    rule = f"{name}(...) takes a {AGGREGATES[name].takes}"
    if name in ("sum", "largest", "smallest"):
        number = _number(node.argument, rule)

        def numbers(values: Values, lookup: Lookup | None) -> list[Any]:
            return [number(values, lookup, fields) for fields in units(group, values)]

        if name == "sum":
            return lambda values, lookup, unit: sum(numbers(values, lookup))
        if name == "largest":
            return lambda values, lookup, unit: max(numbers(values, lookup), default=0)
        return lambda values, lookup, unit: min(numbers(values, lookup), default=0)
    if name == "kinds":
        return _kinds(group, compile_expression(node.argument), rule)
    flag = _flag(node.argument, rule)
    if name == "count":
        return lambda values, lookup, unit: sum(flag(values, lookup, fields) for fields in units(group, values))
    decisive_flag = name == "any"

    def is_settled(values: Values, lookup: Lookup | None, unit: Unit | None) -> bool:
        for fields in units(group, values):
            if flag(values, lookup, fields) is decisive_flag:
                return decisive_flag
        return not decisive_flag

    return is_settled


def _kinds(group: Name, text: Evaluator, rule: str) -> Evaluator:
    """The number of different texts that the units of a group have. Empty texts don't count."""

    def different(values: Values, lookup: Lookup | None, unit: Unit | None) -> int:
        texts = {text(values, lookup, fields) for fields in units(group, values)}
        for value in texts:
            if not isinstance(value, str):
                wrong(value, group, rule)
        return len(texts - {""})

    return different
