"""Declared expressions as expressions of the engine.

The engine turns a property of digits and dots into a number (hex 4.10 into 4.1, a long decimal into a short one)
unless it is asked for as a text: every name is read as one. Numbers are doubles; where one decides something, a
millionth is allowed for. The engine's parser tries every way to read a parenthesis, so each that stands in another
doubles its work or worse: an expression has only those it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from modgen.vmod.buttons import bare
from modgen.vmod.lookups import among, chosen_cell
from scenarios.expressions import Kind, Scope, check
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
from scenarios.tables import Table, odds, span

NEAR = "0.000001"
CHOICE, OR, AND, COMPARED, SUM, PRODUCT, SIGN, ATOM = range(8)
"""How tightly an expression holds together."""


class Untranslatable(ValueError):
    """An expression that the engine can't be given."""


class Said(NamedTuple):
    """An expression and its loosest operator."""

    text: str
    level: int

    def at(self, level: int) -> str:
        """The expression where something at least so tight is needed."""
        return self.text if self.level >= level else f"({self.text})"


@dataclass(frozen=True)
class Words:
    """What names mean: the kind of each, the expression of its text, the tables, and how an aggregate is read."""

    kinds: Mapping[str, Kind]
    reads: Mapping[str, str]
    tables: Mapping[str, Table]
    aggregate: Callable[[Aggregate], Said]

    def kind(self, node: Expression) -> Base:
        """What an expression gives."""
        found, problems = check(node, Scope(self.kinds))
        if found is None:
            raise Untranslatable(problems[0].message)
        return found.base

    def said(self, node: Expression, level: int = CHOICE) -> str:
        """An expression for the engine, at least so tight."""
        return self.say(node).at(level)

    def say(self, node: Expression) -> Said:
        """An expression for the engine."""
        match node:
            case Number(value):
                return Said(literal(value), ATOM)
            case Text(value):
                return Said(f'"{bare(value)}"', ATOM)
            case Flag(value):
                return Said("true" if value else "false", ATOM)
            case Name(name):
                return self._name(name)
            case Unary("not", operand):
                return Said(f"!{self.said(operand, SIGN)}", SIGN)
            case Unary(_, operand):
                return Said(f"0.0-{self.said(operand, PRODUCT)}", SUM)
            case Binary():
                return self._binary(node)
            case Membership():
                return self._member(node)
            case Call():
                return self._call(node)
            case Aggregate():
                return self.aggregate(node)

    def _name(self, name: str) -> Said:
        kind = self.kind(Name(name))
        read = self.reads.get(name) or text_of(name)
        if kind == "number":
            return Said(f"Double.parseDouble({read})", ATOM)
        if kind == "flag":
            return Said(f'"true".equals({read})', ATOM)
        return Said(read, ATOM if read == text_of(name) or "?" not in read else CHOICE)

    def _member(self, node: Membership) -> Said:
        if self.kind(node.operand) == "text":
            listed = [bare(choice.value) for choice in node.choices if isinstance(choice, Text)]
            test = Said(among(listed, self.said(node.operand, SUM + 1)), ATOM)
        else:
            either = [self._equal(node.operand, choice, True).at(AND) for choice in node.choices] or ["false"]
            test = Said("||".join(either), OR)
        return Said(f"!{test.at(SIGN)}", SIGN) if node.negated else test

    def _equal(self, left: Expression, right: Expression, same: bool) -> Said:
        kind = self.kind(left)
        if kind == "number":
            apart = f"Math.abs({self.said(left, SUM)}-{self.said(right, PRODUCT)})"
            return Said(f"{apart}{'<' if same else '>='}{NEAR}", COMPARED)
        if kind == "flag":
            return Said(f"{self.said(left, SUM)}{'==' if same else '!='}{self.said(right, SUM)}", COMPARED)
        one, two = (right, left) if isinstance(right, Text) else (left, right)
        first = self.said(one) if isinstance(one, Text) else f"String.valueOf({self.said(one)})"
        test = f"{first}.equals({self.said(two)})"
        return Said(test, ATOM) if same else Said(f"!{test}", SIGN)

    def _binary(self, node: Binary) -> Said:
        operator = node.operator
        if operator in ("==", "!="):
            return self._equal(node.left, node.right, operator == "==")
        if operator in ("and", "or"):
            sign, level = ("&&", AND) if operator == "and" else ("||", OR)
            return Said(f"{self.said(node.left, level)}{sign}{self.said(node.right, level)}", level)
        if operator in ("<", ">=", ">", "<="):
            slack = "-" if operator in ("<", ">=") else "+"
            return Said(f"{self.said(node.left, SUM)}{operator}{self.said(node.right, SUM)}{slack}{NEAR}", COMPARED)
        level = SUM if operator in "+-" else PRODUCT
        return Said(f"{self.said(node.left, level)}{operator}{self.said(node.right, level + 1)}", level)

    def _call(self, node: Call) -> Said:
        name, arguments = node.function, node.arguments
        if name == "if":
            test, then, other = arguments
            return Said(f"{self.said(test, OR)}?{self.said(then)}:{self.said(other)}", CHOICE)
        if name == "lookup":
            return Said(self.looked_up(node, False), CHOICE)
        if name == "number":
            inner = arguments[0]
            if isinstance(inner, Call) and inner.function == "lookup":
                return Said(self.looked_up(inner, True), CHOICE)
            return Said(f"Double.parseDouble({self.said(inner)})", ATOM)
        if name == "join":
            return Said("+".join(['""', *(self._key(argument) for argument in arguments)]), SUM)
        said = [self.said(argument) for argument in arguments]
        if name in ("min", "max"):
            result = said[-1]
            for one in reversed(said[:-1]):
                result = f"Math.{name}({one},{result})"
            return Said(result, ATOM)
        if name == "abs":
            return Said(f"Math.abs({said[0]})", ATOM)
        inner_sum = self.said(arguments[0], SUM)
        return Said(f"Math.floor({inner_sum}+{NEAR})" if name == "floor" else f"Math.ceil({inner_sum}-{NEAR})", ATOM)

    def _key(self, node: Expression) -> str:
        if self.kind(node) == "number":
            return f"(int)Math.round({self.said(node)})"
        return self.said(node, PRODUCT)

    def looked_up(self, node: Call, number: bool) -> str:
        """A cell of a table as a text, or as a number: a choice for each row and column that can be meant."""
        first, row, column = node.arguments
        table = self.tables[first.value] if isinstance(first, Text) else None
        if table is None or table.dice:
            raise Untranslatable("only tables without dice are looked up in")
        for at, argument in ((1, row), (2, column)):
            if isinstance(argument, Call) and argument.function == "if":
                test, then, other = argument.arguments
                cases = [
                    self.looked_up(Call("lookup", (*node.arguments[:at], one, *node.arguments[at + 1 :])), number)
                    for one in (then, other)
                ]
                return f"{self.said(test, OR)}?{cases[0]}:{cases[1]}"
        if isinstance(column, Text):
            return chosen_cell(table, self._label(row), _column(table, column.value), number)
        labels = table.columns.labels
        chained = ""
        if self.kind(column) != "text":
            raise Untranslatable("a table is looked up in by the name of a column")
        for i, label in enumerate(labels[:-1]):
            meant = self._equal(column, Text(label), True).at(OR)
            chained += f"{meant}?{chosen_cell(table, self._label(row), i, number)}:"
        return chained + chosen_cell(table, self._label(row), len(labels) - 1, number)

    def _label(self, row: Expression) -> str:
        return self.said(row, SUM)

    def column(self, table: Table, node: Expression) -> str:
        """The number of the column that an expression names or falls into."""
        if self.kind(node) == "number":
            return column_of(table, self.said(node, SUM))
        labels = table.columns.labels
        chained = "".join(f'"{bare(label)}".equals({self.said(node)})?{i}:' for i, label in enumerate(labels[:-1]))
        return f"{chained}{len(labels) - 1}"


def text_of(name: str) -> str:
    """A property as it is written, never as a number."""
    return f'GetString("{name}")'


def number_of(name: str) -> str:
    """A property as a number."""
    return f'Double.parseDouble(GetString("{name}"))'


def literal(value: Fraction) -> str:
    """A number."""
    text = repr(float(value))
    return f"(0.0{text})" if value < 0 else text


def _column(table: Table, label: str) -> int:
    if label in table.columns.labels:
        return table.named_column(label)
    return table.find_column(Fraction(label)) or 0


def column_of(table: Table, value: str) -> str:
    """The number of the column that a value falls into; -1 where the table allows no attack so weak."""
    starts = [
        odds(label) if table.columns.kind == "odds" else (span(label).low or Fraction(0))
        for label in table.columns.labels
    ]
    chained = ""
    for i in range(len(starts) - 1, 0, -1):
        chained += f"{value}>={literal(starts[i])}-{NEAR}?{i}:"
    if table.below == "none":
        return f"{chained}{value}>={literal(starts[0])}-{NEAR}?0:-1"
    return f"{chained}0"
