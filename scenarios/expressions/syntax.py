"""The syntax of expressions: the tree, functions and operators. `unparse` turns a tree into text."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple, TypeAlias

Base: TypeAlias = typing.Literal["number", "text", "flag"]


class ExpressionFault(ValueError):
    """An error in an expression, with its place in the text."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message, offset)
        self.message = message
        self.offset = offset

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True, slots=True)
class SyntaxNode:
    """`offset` is the place of the node's first word. For a binary operator it is the place of the operator.

    Nodes that differ only in offset are equal.
    """

    offset: int = field(default=0, compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Number(SyntaxNode):
    value: Fraction


@dataclass(frozen=True, slots=True)
class Text(SyntaxNode):
    value: str


@dataclass(frozen=True, slots=True)
class Flag(SyntaxNode):
    value: bool


@dataclass(frozen=True, slots=True)
class Name(SyntaxNode):
    name: str


@dataclass(frozen=True, slots=True)
class Unary(SyntaxNode):
    operator: str  # - not
    operand: Expression


@dataclass(frozen=True, slots=True)
class Binary(SyntaxNode):
    operator: str  # * / + - == != < <= > >= and or
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Membership(SyntaxNode):
    """`operand in [choices]`, or `not in`. All choices are of one kind."""

    operand: Expression
    choices: tuple[Literal, ...]
    is_negated: bool = False


@dataclass(frozen=True, slots=True)
class Call(SyntaxNode):
    """A function of values. It is also used for an unknown function or a misused aggregate, which `check` reports."""

    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Aggregate(SyntaxNode):
    """A function over the units of a group. In its argument, the fields of the unit are names."""

    function: str
    group: Name
    argument: Expression | None = None


Literal: TypeAlias = Number | Text | Flag
Expression: TypeAlias = Number | Text | Flag | Name | Unary | Binary | Membership | Call | Aggregate


class Function(NamedTuple):
    usage: str
    min_arguments: int
    max_arguments: int | None
    takes: Base | None = None  # None if the arguments are of several kinds


FUNCTIONS = {
    "min": Function("min(number, ...)", 1, None, "number"),
    "max": Function("max(number, ...)", 1, None, "number"),
    "floor": Function("floor(number)", 1, 1, "number"),
    "ceil": Function("ceil(number)", 1, 1, "number"),
    "abs": Function("abs(number)", 1, 1, "number"),
    "number": Function("number(text)", 1, 1, "text"),
    "join": Function("join(text, ...)", 2, None),
    "if": Function("if(condition, then, else)", 3, 3),
    "lookup": Function('lookup("table", row, column, ...)', 2, None),
}
AGGREGATES = {
    "sum": Function("sum(group, number)", 2, 2, "number"),
    "count": Function("count(group) or count(group, flag)", 1, 2, "flag"),
    "any": Function("any(group, flag)", 2, 2, "flag"),
    "all": Function("all(group, flag)", 2, 2, "flag"),
    "largest": Function("largest(group, number)", 2, 2, "number"),
    "smallest": Function("smallest(group, number)", 2, 2, "number"),
    "kinds": Function("kinds(group, text)", 2, 2, "text"),
}

NOT, COMPARISON, MINUS, ATOM = 3, 4, 7, 8
PRECEDENCE = {"or": 1, "and": 2, "+": 5, "-": 5, "*": 6, "/": 6} | dict.fromkeys(
    ("==", "!=", "<", "<=", ">", ">=", "in", "not in"), COMPARISON
)
KEYWORDS = frozenset({"and", "or", "not", "in", "true", "false", "if"})


# The kind that an operator's operands must have, and the message for a wrong one.
OPERANDS: dict[str, tuple[Base, str]] = {
    "and": ("flag", "'and' joins flags"),
    "or": ("flag", "'or' joins flags"),
    "not": ("flag", "'not' turns a flag round"),
    **{operator: ("number", f"'{operator}' works on numbers") for operator in "+-*/"},
    **{operator: ("number", f"'{operator}' compares numbers") for operator in ("<", "<=", ">", ">=")},
}


def conjuncts(expression: Expression) -> Iterator[Expression]:
    """Yield what must hold together in an expression."""
    if isinstance(expression, Binary) and expression.operator == "and":
        yield from conjuncts(expression.left)
        yield from conjuncts(expression.right)
    else:
        yield expression


def clip(text: str) -> str:
    """The text, cut if it is too long for a message."""
    return text if len(text) <= 40 else text[:37] + "..."


def quote(expression: Expression) -> str:
    """The expression for a message, quoted and cut."""
    text = clip(unparse(expression))
    return text if isinstance(expression, Text) else f"'{text}'"


def unparse(expression: Expression) -> str:
    """The canonical text. Parsing it gives an equal tree, for every tree that `parse` can give."""
    return _format(expression)[0]


def _format(expression: Expression) -> tuple[str, int]:
    """The text, and the precedence of its loosest operator."""
    match expression:
        case Number(value):
            return _number_text(value)
        case Text(value):
            return (f"'{value}'" if '"' in value else f'"{value}"'), ATOM
        case Flag(value):
            return ("true" if value else "false"), ATOM
        case Name(name):
            return name, ATOM
        case Unary("not", operand):
            return f"not {_at_least(operand, NOT)}", NOT
        case Unary(operator, operand):
            return f"{operator}{_at_least(operand, MINUS)}", MINUS
        case Binary(operator, left, right):
            level = PRECEDENCE[operator]
            first = _at_least(left, level + 1 if level == COMPARISON else level)
            return f"{first} {operator} {_at_least(right, level + 1)}", level
        case Membership(operand, choices, is_negated):
            items = ", ".join(map(unparse, choices))
            operator = "not in" if is_negated else "in"
            return f"{_at_least(operand, COMPARISON + 1)} {operator} [{items}]", COMPARISON
        case Call(function, arguments):
            return f"{function}({', '.join(map(unparse, arguments))})", ATOM
        case Aggregate(function, group, argument):
            argument_text = "" if argument is None else f", {unparse(argument)}"
            return f"{function}({group.name}{argument_text})", ATOM


def _at_least(expression: Expression, min_level: int) -> str:
    text, level = _format(expression)
    return text if level >= min_level else f"({text})"


def _number_text(value: Fraction) -> tuple[str, int]:
    """The shortest decimal number, or a quotient if there is none."""
    odd, places = value.denominator, 0
    while odd % 10 == 0:
        odd, places = odd // 10, places + 1
    while odd % 2 == 0 or odd % 5 == 0:
        odd, places = odd // (2 if odd % 2 == 0 else 5), places + 1
    if odd != 1:
        return f"{value.numerator} / {value.denominator}", PRECEDENCE["/"]
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    text = f"{digits[:-places]}.{digits[-places:]}" if places else digits
    return (f"-{text}", MINUS) if value < 0 else (text, ATOM)
