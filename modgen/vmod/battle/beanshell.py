"""Declared expressions as expressions of the engine.

The engine turns a property of digits and dots into a number: hex 4.10 into 4.1, a long decimal into a short one. It
doesn't if it reads the property as a text, so every name is read as a text. Numbers are doubles; comparisons allow
for a millionth. The engine's parser tries every way to read a parenthesis. Each nested pair at least doubles its
work, so an expression has only the parentheses that it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from modgen.vmod.battle.table_lookups import chosen_cell, is_any_of
from modgen.vmod.files.buttons import plain_text
from scenarios.expressions import KnownNames, ValueType, check
from scenarios.expressions.syntax import (
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
    Unary,
)
from scenarios.model.tables import Table, parse_odds, span

RANGE_SUFFIX = "0.000001"
CHOICE, OR, AND, COMPARISON, SUM, PRODUCT, SIGN, ATOM = range(8)
"""How tightly operators bind, loosest first."""


class Untranslatable(ValueError):
    """The engine can't evaluate this expression."""


class JavaExpression(NamedTuple):
    """An expression and the binding level of its loosest operator."""

    text: str
    level: int

    def with_level(self, level: int) -> str:
        """The expression, in parentheses if it binds less tightly than `level`."""
        return self.text if self.level >= level else f"({self.text})"


@dataclass(frozen=True)
class Translator:
    """Translates expressions: the kind of each name, the expression that reads it, the tables, and how to read an aggregate."""

    kinds: Mapping[str, ValueType]
    reads: Mapping[str, str]
    tables: Mapping[str, Table]
    aggregate: Callable[[Aggregate], JavaExpression]

    def kind(self, node: Expression) -> Base:
        """The kind of value that an expression gives."""
        value_kind, problems = check(node, KnownNames(self.kinds))
        if value_kind is None:
            raise Untranslatable(problems[0].message)
        return value_kind.base

    def translate(self, node: Expression, level: int = CHOICE) -> str:
        """An expression of the engine, in parentheses if it binds less tightly than `level`."""
        return self.say(node).with_level(level)

    def say(self, node: Expression) -> JavaExpression:
        """An expression of the engine, with its binding level."""
        match node:
            case Number(value):
                return JavaExpression(literal(value), ATOM)
            case Text(value):
                return JavaExpression(f'"{plain_text(value)}"', ATOM)
            case Flag(value):
                return JavaExpression("true" if value else "false", ATOM)
            case Name(name):
                return self._name(name)
            case Unary("not", operand):
                return JavaExpression(f"!{self.translate(operand, SIGN)}", SIGN)
            case Unary(_, operand):
                return JavaExpression(f"0.0-{self.translate(operand, PRODUCT)}", SUM)
            case Binary():
                return self._binary(node)
            case Membership():
                return self._member(node)
            case Call():
                return self._call(node)
            case Aggregate():
                return self.aggregate(node)

    def _name(self, name: str) -> JavaExpression:
        kind = self.kind(Name(name))
        read = self.reads.get(name) or text_of(name)
        if kind == "number":
            return JavaExpression(f"Double.parseDouble({read})", ATOM)
        if kind == "flag":
            return JavaExpression(f'"true".equals({read})', ATOM)
        return JavaExpression(read, ATOM if read == text_of(name) or "?" not in read else CHOICE)

    def _member(self, node: Membership) -> JavaExpression:
        if self.kind(node.operand) == "text":
            texts = [plain_text(choice.value) for choice in node.choices if isinstance(choice, Text)]
            test = JavaExpression(is_any_of(texts, self.translate(node.operand, SUM + 1)), ATOM)
        else:
            comparisons = [self._equal(node.operand, choice, True).with_level(AND) for choice in node.choices] or [
                "false"
            ]
            test = JavaExpression("||".join(comparisons), OR)
        return JavaExpression(f"!{test.with_level(SIGN)}", SIGN) if node.is_negated else test

    def _equal(self, left: Expression, right: Expression, is_equal: bool) -> JavaExpression:
        kind = self.kind(left)
        if kind == "number":
            difference = f"Math.abs({self.translate(left, SUM)}-{self.translate(right, PRODUCT)})"
            return JavaExpression(f"{difference}{'<' if is_equal else '>='}{RANGE_SUFFIX}", COMPARISON)
        if kind == "flag":
            return JavaExpression(
                f"{self.translate(left, SUM)}{'==' if is_equal else '!='}{self.translate(right, SUM)}", COMPARISON
            )
        receiver, two = (right, left) if isinstance(right, Text) else (left, right)
        first = (
            self.translate(receiver) if isinstance(receiver, Text) else f"String.valueOf({self.translate(receiver)})"
        )
        test = f"{first}.equals({self.translate(two)})"
        return JavaExpression(test, ATOM) if is_equal else JavaExpression(f"!{test}", SIGN)

    def _binary(self, node: Binary) -> JavaExpression:
        operator = node.operator
        if operator in ("==", "!="):
            return self._equal(node.left, node.right, operator == "==")
        if operator in ("and", "or"):
            sign, level = ("&&", AND) if operator == "and" else ("||", OR)
            return JavaExpression(f"{self.translate(node.left, level)}{sign}{self.translate(node.right, level)}", level)
        if operator in ("<", ">=", ">", "<="):
            slack = "-" if operator in ("<", ">=") else "+"
            return JavaExpression(
                f"{self.translate(node.left, SUM)}{operator}{self.translate(node.right, SUM)}{slack}{RANGE_SUFFIX}",
                COMPARISON,
            )
        level = SUM if operator in "+-" else PRODUCT
        return JavaExpression(
            f"{self.translate(node.left, level)}{operator}{self.translate(node.right, level + 1)}", level
        )

    def _call(self, node: Call) -> JavaExpression:
        name, arguments = node.function, node.arguments
        if name == "if":
            test, consequence, alternative = arguments
            return JavaExpression(
                f"{self.translate(test, OR)}?{self.translate(consequence)}:{self.translate(alternative)}", CHOICE
            )
        if name == "lookup":
            return JavaExpression(self.looked_up(node, False), CHOICE)
        if name == "number":
            inner = arguments[0]
            if isinstance(inner, Call) and inner.function == "lookup":
                return JavaExpression(self.looked_up(inner, True), CHOICE)
            return JavaExpression(f"Double.parseDouble({self.translate(inner)})", ATOM)
        if name == "join":
            return JavaExpression("+".join(['""', *(self._key(argument) for argument in arguments)]), SUM)
        expressions = [self.translate(argument) for argument in arguments]
        if name in ("min", "max"):
            result = expressions[-1]
            for expression in reversed(expressions[:-1]):
                result = f"Math.{name}({expression},{result})"
            return JavaExpression(result, ATOM)
        if name == "abs":
            return JavaExpression(f"Math.abs({expressions[0]})", ATOM)
        inner_sum = self.translate(arguments[0], SUM)
        return JavaExpression(
            f"Math.floor({inner_sum}+{RANGE_SUFFIX})" if name == "floor" else f"Math.ceil({inner_sum}-{RANGE_SUFFIX})",
            ATOM,
        )

    def _key(self, node: Expression) -> str:
        if self.kind(node) == "number":
            return f"(int)Math.round({self.translate(node)})"
        return self.translate(node, PRODUCT)

    def looked_up(self, node: Call, number: bool) -> str:
        """A table cell as a text or a number: a choice with a case for each row and column that can apply."""
        first, row, column = node.arguments
        table = self.tables[first.value] if isinstance(first, Text) else None
        if table is None or table.dice:
            raise Untranslatable("only tables without dice are looked up in")
        for position, argument in ((1, row), (2, column)):
            if isinstance(argument, Call) and argument.function == "if":
                test, consequence, alternative = argument.arguments
                cases = [
                    self.looked_up(
                        Call("lookup", (*node.arguments[:position], branch, *node.arguments[position + 1 :])), number
                    )
                    for branch in (consequence, alternative)
                ]
                return f"{self.translate(test, OR)}?{cases[0]}:{cases[1]}"
        if isinstance(column, Text):
            return chosen_cell(table, self._label(row), _column(table, column.value), number)
        labels = table.columns.labels
        choices = ""
        if self.kind(column) != "text":
            raise Untranslatable("a table is looked up in by the name of a column")
        for i, label in enumerate(labels[:-1]):
            column_test = self._equal(column, Text(label), True).with_level(OR)
            choices += f"{column_test}?{chosen_cell(table, self._label(row), i, number)}:"
        return choices + chosen_cell(table, self._label(row), len(labels) - 1, number)

    def _label(self, row: Expression) -> str:
        return self.translate(row, SUM)

    def column(self, table: Table, node: Expression) -> str:
        """The number of the column that an expression names, or that its value falls into."""
        if self.kind(node) == "number":
            return column_of(table, self.translate(node, SUM))
        labels = table.columns.labels
        choices = "".join(
            f'"{plain_text(label)}".equals({self.translate(node)})?{i}:' for i, label in enumerate(labels[:-1])
        )
        return f"{choices}{len(labels) - 1}"


def text_of(name: str) -> str:
    """An expression that reads a property as a text, never as a number."""
    return f'GetString("{name}")'


def number_of(name: str) -> str:
    """An expression that reads a property as a number."""
    return f'Double.parseDouble(GetString("{name}"))'


def literal(value: Fraction) -> str:
    """A number as the engine writes it."""
    text = repr(float(value))
    return f"(0.0{text})" if value < 0 else text


def _column(table: Table, label: str) -> int:
    if label in table.columns.labels:
        return table.named_column(label)
    return table.find_column(Fraction(label)) or 0


def column_of(table: Table, value: str) -> str:
    """The number of the column that a value falls into; -1 where the value is below the table, so no attack is allowed."""
    starts = [
        parse_odds(label) if table.columns.kind == "odds" else (span(label).low or Fraction(0))
        for label in table.columns.labels
    ]
    choices = ""
    for i in range(len(starts) - 1, 0, -1):
        choices += f"{value}>={literal(starts[i])}-{RANGE_SUFFIX}?{i}:"
    if table.below == "none":
        return f"{choices}{value}>={literal(starts[0])}-{RANGE_SUFFIX}?0:-1"
    return f"{choices}0"
