"""`check` finds errors in an expression before it is evaluated. `names` lists what the expression depends on."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from scenarios.expressions.hints import for_name, suggestion
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
    Function,
    Membership,
    Name,
    Number,
    Text,
    Unary,
    clip,
    quote,
)


@dataclass(frozen=True, slots=True)
class ValueType:
    """The kind of a value. For a text it also has the possible texts, if they are known."""

    base: Base
    choices: frozenset[str] | None = None


NUMBER, TEXT, FLAG = ValueType("number"), ValueType("text"), ValueType("flag")


@dataclass(frozen=True, slots=True)
class KnownNames:
    """The names that an expression may use.

    `groups` has the fields of each group's units, `tables` the number of keys of each table. If `tables` is None the
    tables are not known yet, and only the form of a lookup is checked. In a scope of `rules`, a field of a group's
    units hides a field of the moving unit with the same name. There `kinds` may be used, which a module can't compute.
    """

    names: Mapping[str, ValueType] = field(default_factory=dict)
    groups: Mapping[str, Mapping[str, ValueType]] = field(default_factory=dict)
    tables: Mapping[str, int] | None = None
    rules: bool = False


class Problem(NamedTuple):
    offset: int
    message: str


def check(expression: Expression, scope: KnownNames) -> tuple[ValueType | None, list[Problem]]:
    """The kind of the expression's value (None if a problem hides it), and all its problems in text order."""
    problems: list[Problem] = []
    kind = _ExpressionChecker(scope, problems).kind(expression, None)
    return kind, sorted(problems)


def names(expression: Expression, groups: Mapping[str, Collection[str]] | None = None) -> frozenset[str]:
    """The names and groups that an expression uses.

    A name in an aggregate's argument may be a field of the units. If `groups` is given, their fields are left out.
    """
    return frozenset(_names(expression, groups or {}, ()))


def _names(node: Expression, groups: Mapping[str, Collection[str]], fields: Collection[str]) -> Iterator[str]:
    match node:
        case Name(name):
            if name not in fields:
                yield name
        case Unary(_, operand) | Membership(operand):
            yield from _names(operand, groups, fields)
        case Binary(_, left, right):
            yield from _names(left, groups, fields)
            yield from _names(right, groups, fields)
        case Call(_, arguments):
            for argument in arguments:
                yield from _names(argument, groups, fields)
        case Aggregate(_, group, argument):
            yield group.name
            if argument is not None:
                yield from _names(argument, groups, groups.get(group.name, ()))


def _is_impossible(left: ValueType, right: ValueType) -> bool:
    """Whether two text types have no value in common."""
    return left.choices is not None and right.choices is not None and left.choices.isdisjoint(right.choices)


@dataclass(frozen=True, slots=True)
class _ExpressionChecker:
    """Finds the kind of each node and collects the problems. `group` is the group around a node, if any."""

    scope: KnownNames
    problems: list[Problem]

    def report(self, offset: int, message: str) -> None:
        self.problems.append(Problem(offset, message))

    def kind(self, node: Expression, group: str | None) -> ValueType | None:
        match node:
            case Number():
                return NUMBER
            case Text(value):
                return ValueType("text", frozenset({value}))
            case Flag():
                return FLAG
            case Name():
                return self.name(node, group)
            case Unary(operator, operand):
                return self.operands(operator, (operand,), group)
            case Binary("==" | "!=", left, right):
                operand_kinds = self.kind(left, group), self.kind(right, group)
                self.equality(node.operator, (left, right), operand_kinds, node.offset)
                return FLAG
            case Binary(operator, left, right):
                if operator == "/" and isinstance(right, Number) and right.value == 0:
                    self.report(node.offset, "nothing can be divided by 0")
                return self.operands(operator, (left, right), group)
            case Membership(operand, choices):
                kind = self.kind(operand, group)
                for choice in choices:
                    operand_kinds = kind, self.kind(choice, group)
                    if not self.equality("in", (operand, choice), operand_kinds, choice.offset):
                        break
                return FLAG
            case Call():
                return self.call(node, group)
            case Aggregate():
                return self.aggregate(node)

    def expect(self, node: Expression, group: str | None, rule: str, *bases: Base) -> ValueType | None:
        kind = self.kind(node, group)
        if kind is not None and kind.base not in bases:
            self.report(node.offset, f"{rule}; {quote(node)} is a {kind.base}")
        return kind

    def operands(self, operator: str, operands: Iterable[Expression], group: str | None) -> ValueType:
        base, rule = OPERANDS[operator]
        for operand in operands:
            self.expect(operand, group, rule, base)
        return NUMBER if operator in "+-*/" else FLAG

    def equality(
        self,
        operator: str,
        sides: tuple[Expression, Expression],
        operand_kinds: tuple[ValueType | None, ValueType | None],
        offset: int,
    ) -> bool:
        """Whether both sides are of one kind, or may be."""
        (left, right), (left_kind, right_kind) = sides, operand_kinds
        if left_kind is None or right_kind is None:
            return True
        if left_kind.base != right_kind.base:
            self.report(
                offset,
                f"'{operator}' compares two values of one kind; {quote(left)} is a {left_kind.base}"
                f" and {quote(right)} is a {right_kind.base}",
            )
            return False
        if _is_impossible(left_kind, right_kind):
            if isinstance(left, Text):
                left, right, left_kind = right, left, right_kind
            if isinstance(right, Text):
                hint = suggestion(right.value, left_kind.choices or (), '"')
                self.report(right.offset, f"{quote(left)} is never {quote(right)}{hint}")
            else:
                self.report(offset, f"{quote(left)} and {quote(right)} have no text in common")
        return True

    def name(self, node: Name, group: str | None) -> ValueType | None:
        name, names, groups = node.name, self.scope.names, self.scope.groups
        fields = groups.get(group, {}) if group is not None else {}
        if name in fields:
            if name in names and not self.scope.rules:
                message = f"'{name}' is a field of the units in '{group}' and hides the name outside"
                self.report(node.offset, message)
            return fields[name]
        if name in names:
            return names[name]
        if name in groups:
            self.report(node.offset, f"'{name}' is a group of units; use it as in count({name})")
        elif group is None or group in groups:
            # If the group itself is unknown, any name may be a field.
            hint = for_name(name, {**names, **fields}, groups)
            self.report(node.offset, f"there is no name '{clip(name)}' here{hint}")
        return None

    def check_count(self, node: Call, function: Function) -> bool:
        argument_count = len(node.arguments)
        if function.min_arguments <= argument_count <= (function.max_arguments or argument_count):
            return True
        are = "argument is" if argument_count == 1 else "arguments are"
        self.report(node.offset, f"write {function.usage}; {argument_count} {are} given")
        return False

    def call(self, node: Call, group: str | None) -> ValueType | None:
        name, arguments = node.function, node.arguments
        if name in AGGREGATES:
            return self.aggregate_error(node, AGGREGATES[name])
        function = FUNCTIONS.get(name)
        if function is None:
            hint = suggestion(name, {*FUNCTIONS, *AGGREGATES})
            self.report(node.offset, f"there is no function '{clip(name)}'{hint}")
        elif self.check_count(node, function):
            if name == "if":
                return self.choice(node, group)
            if name == "lookup":
                return self.lookup(node, group)
            if name == "join":
                for part in arguments:
                    self.expect(part, group, "join(...) takes texts and numbers", "text", "number")
                return TEXT
        for argument in arguments:
            if function is None or function.takes is None:
                self.kind(argument, group)
            else:
                self.expect(argument, group, f"{name}(...) takes {function.takes}s", function.takes)
        if name in ("lookup", "join"):
            return TEXT
        return None if function is None or name == "if" else NUMBER

    def aggregate_error(self, node: Call, function: Function) -> ValueType:
        """Report an aggregate whose arguments the parser could not interpret."""
        if self.check_count(node, function):
            self.report(node.offset, f"{function.usage} begins with the name of a group")
        group = ""
        for index, argument in enumerate(node.arguments):
            if index == 0 and isinstance(argument, Name):
                group = argument.name
                self.group(argument)
            else:
                self.kind(argument, group if index else None)
        return FLAG if node.function in ("any", "all") else NUMBER

    def choice(self, node: Call, group: str | None) -> ValueType | None:
        condition, *branches = node.arguments
        self.expect(condition, group, "if(...) asks a flag", "flag")
        then_kind, otherwise = (self.kind(branch, group) for branch in branches)
        if then_kind is None or otherwise is None:
            return None
        if then_kind.base != otherwise.base:
            bases = f"a {then_kind.base} and a {otherwise.base}"
            self.report(node.offset, f"both branches of if(...) are of one kind; here are {bases}")
            return None
        if then_kind.choices is None or otherwise.choices is None:
            return ValueType(then_kind.base)
        return ValueType(then_kind.base, then_kind.choices | otherwise.choices)

    def lookup(self, node: Call, group: str | None) -> ValueType:
        table, *keys = node.arguments
        for key in keys:
            self.expect(key, group, "lookup(...) takes texts and numbers", "text", "number")
        tables = self.scope.tables
        if not isinstance(table, Text):
            self.report(table.offset, f"a table is named by a text in quotes, not by {quote(table)}")
        elif tables is not None and table.value not in tables:
            hint = suggestion(table.value, tables, '"')
            self.report(table.offset, f"there is no table {quote(table)}{hint}")
        elif tables is not None and tables[table.value] != len(keys):
            message = f"table {quote(table)} takes {tables[table.value]} keys; {len(keys)} given"
            self.report(node.offset, message)
        return TEXT

    def aggregate(self, node: Aggregate) -> ValueType:
        name, takes = node.function, AGGREGATES[node.function].takes
        self.group(node.group)
        if name == "kinds" and not self.scope.rules:
            self.report(node.offset, "kinds(...) is known under `rules` only; count(group, flag) counts units")
        if node.argument is not None and takes is not None:
            self.expect(node.argument, node.group.name, f"{name}(...) takes a {takes}", takes)
        return FLAG if name in ("any", "all") else NUMBER

    def group(self, node: Name) -> None:
        name, scope = node.name, self.scope
        if name in scope.groups:
            return
        if name in scope.names:
            self.report(node.offset, f"'{name}' is a {scope.names[name].base}, not a group of units")
        else:
            hint = suggestion(name, scope.groups)
            self.report(node.offset, f"there is no group '{clip(name)}'{hint}")
