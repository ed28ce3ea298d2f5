"""Declared expressions as expressions of the engine.

The engine turns a property of digits and dots into a number (hex 4.10 into 4.1, a long decimal into a short one)
unless it is asked for as a text: every name is read as one. Numbers are doubles; where one decides something, a
millionth is allowed for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from modgen.vmod.buttons import bare
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


class Untranslatable(ValueError):
    """An expression that the engine can't be given."""


@dataclass(frozen=True)
class Words:
    """What names mean: the kind of each, the expression of its text, the tables, and how an aggregate is read."""

    kinds: Mapping[str, Base]
    reads: Mapping[str, str]
    tables: Mapping[str, Table]
    aggregate: Callable[[Aggregate], str]

    def kind(self, node: Expression) -> Base:
        """What an expression gives."""
        match node:
            case Number() | Unary("-"):
                return "number"
            case Text():
                return "text"
            case Flag() | Unary() | Membership():
                return "flag"
            case Name(name):
                if name not in self.kinds:
                    raise Untranslatable(f"nothing is called {name}")
                return self.kinds[name]
            case Binary(operator):
                return "number" if operator in ("+", "-", "*", "/") else "flag"
            case Call("if", arguments):
                return self.kind(arguments[1])
            case Call(function):
                return "text" if function in ("join", "lookup") else "number"
            case Aggregate(function):
                return "flag" if function in ("any", "all") else "number"

    def said(self, node: Expression) -> str:
        """An expression for the engine."""
        match node:
            case Number(value):
                return literal(value)
            case Text(value):
                return f'"{bare(value)}"'
            case Flag(value):
                return "true" if value else "false"
            case Name(name):
                return self._name(name)
            case Unary("not", operand):
                return f"(!{self.said(operand)})"
            case Unary(_, operand):
                return f"(0.0-{self.said(operand)})"
            case Binary():
                return self._binary(node)
            case Membership(operand, choices, negated):
                either = "||".join(self._equal(operand, choice) for choice in choices) or "false"
                return f"(!({either}))" if negated else f"({either})"
            case Call():
                return self._call(node)
            case Aggregate():
                return self.aggregate(node)

    def _name(self, name: str) -> str:
        kind = self.kind(Name(name))
        read = self.reads.get(name) or text_of(name)
        if kind == "number":
            return f"Double.parseDouble({read})"
        return read if kind == "text" else f'String.valueOf({read}).equals("true")'

    def _equal(self, left: Expression, right: Expression) -> str:
        one, two = self.said(left), self.said(right)
        if self.kind(left) == "number":
            return f"(Math.abs({one}-{two})<{NEAR})"
        return (
            f"String.valueOf({one}).equals(String.valueOf({two}))" if self.kind(left) == "text" else f"({one}=={two})"
        )

    def _binary(self, node: Binary) -> str:
        operator = node.operator
        if operator in ("==", "!="):
            same = self._equal(node.left, node.right)
            return same if operator == "==" else f"(!{same})"
        one, two = self.said(node.left), self.said(node.right)
        if operator in ("and", "or"):
            return f"({one}{'&&' if operator == 'and' else '||'}{two})"
        if operator in ("<", ">="):
            less = f"({one}<{two}-{NEAR})"
            return less if operator == "<" else f"(!{less})"
        if operator in (">", "<="):
            more = f"({one}>{two}+{NEAR})"
            return more if operator == ">" else f"(!{more})"
        return f"({one}{operator}{two})"

    def _call(self, node: Call) -> str:
        name, arguments = node.function, node.arguments
        if name == "if":
            test, then, other = map(self.said, arguments)
            return f"({test}?{then}:{other})"
        if name == "lookup":
            return self.looked_up(node, False)
        if name == "number":
            inner = arguments[0]
            if isinstance(inner, Call) and inner.function == "lookup":
                return self.looked_up(inner, True)
            return f"Double.parseDouble(String.valueOf({self.said(inner)}))"
        if name == "join":
            return "(" + "+".join(['""', *(self._key(argument) for argument in arguments)]) + ")"
        said = [self.said(argument) for argument in arguments]
        if name in ("min", "max"):
            result = said[-1]
            for one in reversed(said[:-1]):
                result = f"Math.{name}({one},{result})"
            return result
        if name == "floor":
            return f"Math.floor({said[0]}+{NEAR})"
        return f"Math.ceil({said[0]}-{NEAR})" if name == "ceil" else f"Math.abs({said[0]})"

    def _key(self, node: Expression) -> str:
        if self.kind(node) == "number":
            return f"String.valueOf((int)Math.round({self.said(node)}))"
        return f"String.valueOf({self.said(node)})"

    def looked_up(self, node: Call, number: bool) -> str:
        """A cell of a table as a text, or as a number."""
        first, row, column = node.arguments
        table = self.tables[first.value] if isinstance(first, Text) else None
        if table is None or table.dice:
            raise Untranslatable("only tables without dice are looked up in")

        def cell(code: str) -> str:
            if not number:
                return bare(code).replace(";", ",")
            try:
                return repr(float(Fraction(code)))
            except ValueError:
                return "0.0"

        labels, across = list(table.cells), table.columns.labels
        if isinstance(row, Text):
            down = str(labels.index(row.value))
        else:
            down = (
                "("
                + "".join(
                    f'String.valueOf({self.said(row)}).equals("{bare(label)}")?{i}:'
                    for i, label in enumerate(labels[:-1])
                )
                + f"{len(labels) - 1})"
            )
        if isinstance(column, Text):
            found = (
                table.named_column(column.value)
                if column.value in across
                else table.find_column(Fraction(column.value))
            )
            right = str(found or 0)
        else:
            right = self.column(table, column)
        cells = ";".join(cell(code) for label in labels for code in table.cells[label])
        found_text = f'String.valueOf("{cells};".split(";")[{down}*{len(across)}+{right}])'
        return f"Double.parseDouble({found_text})" if number else found_text

    def column(self, table: Table, node: Expression) -> str:
        """The number of the column that an expression names or falls into."""
        if self.kind(node) == "number":
            return column_of(table, self.said(node))
        chained, labels = "", table.columns.labels
        for i, label in enumerate(labels[:-1]):
            chained += f'String.valueOf({self.said(node)}).equals("{bare(label)}")?{i}:'
        return f"({chained}{len(labels) - 1})"


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
        return f"({chained}({value}>={literal(starts[0])}-{NEAR}?0:(0-1)))"
    return f"({chained}0)"
