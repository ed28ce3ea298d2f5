"""Conditions of procedures in the words of a player aid. A condition without plain words gives an empty text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction

from art.charts.charts import format_label
from scenarios.areas.wording import join_alternatives, words_of_id
from scenarios.expressions import Aggregate, Binary, Call, Expression, Flag, Membership, Name, Number, Text, Unary
from scenarios.grammar import number_text
from scenarios.model.game import Game
from scenarios.rules.counters import RuleCounter
from scenarios.rules.procedures import Procedure
from scenarios.rules.shapes import Rules

SIDES = {"first": "the side that goes first", "second": "the side that goes second"}
OWN = {
    "own": "its own side",
    "enemy": "the enemy",
    "own_support": "its support",
    "enemy_support": "the enemy's support",
}
OPPOSITE = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
COMPARISONS = {
    "==": "is", "!=": "is not", "<": "is less than", "<=": "is at most", ">": "is more than", ">=": "is at least",
}  # fmt: skip
UNIT_FIELDS = {
    "nation": "its nation", "side": "its side", "class": "its class", "type": "its type", "size": "its size",
    "stack_number": "its stack", "steps": "its steps", "formation": "its formation",
}  # fmt: skip
HINT = re.compile(r" \(\+[a-z_]+\)|; (?:ask|name) [^;]+$|[;:] (?:say [^;:]*)?[a-z_]+=[A-Z]+[^;:]*$")
"""The part of a text that is only for users of the assistant."""
DIE = re.compile(r"1d(\d+)")


class ProcedureWords:
    """Writes the expressions of one procedure as words."""

    def __init__(self, game: Game, rules: Rules, procedure: Procedure) -> None:
        self.game, self.procedure = game, procedure
        self.counters: Mapping[str, RuleCounter] = {**rules.counters, **procedure.counters}
        self.input_titles = {name: shape.title for name, shape in rules.inputs.items()}
        self.input_titles |= {name: shape.title for name, shape in procedure.inputs.items()}

    # Groups.

    def group(self, name: str) -> str:
        """A group as a noun: the attackers, the side that goes first."""
        if name in self.procedure.groups:
            title = self.procedure.groups[name].title
            article, _, rest = title.partition(" ")
            return f"{article.lower()} {rest}" if article in ("The", "A", "An") else f"the {small(title)}"
        return SIDES.get(name) or OWN.get(name, words_of_id(name))

    # Conditions.

    def restriction(self, expression: Expression) -> str:
        """A condition as a sentence: "Only if it is night.", "Not if it rains." Empty if it has no plain words."""
        match expression:
            case Unary("not", operand):
                adverb, words = "Not", self.condition(operand)
            case _:
                adverb, words = "Only", self.condition(expression)
        return f"{adverb} if {words}." if words else ""

    def condition(self, expression: Expression) -> str:
        """A condition as a clause that may follow "if". Empty if it has no plain words."""
        match expression:
            case Name(name):
                return self._flag(name)
            case Unary("not", operand):
                return self._negation(operand)
            case Binary("or"):
                return self._either(expression)
            case Binary("and"):
                return self._both(expression)
            case Binary(operator, left, right) if operator in COMPARISONS:
                return self._decision(expression) or self._comparison(operator, left, right)
            case Membership(operand, choices, is_negated):
                listed = join_alternatives([self._text(choice) for choice in choices])
                subject = self.amount(operand)
                return f"{subject} is {'not ' * is_negated}{listed}" if subject and listed else ""
            case Aggregate("any" | "all" as function, group, argument) if argument is not None:
                unit = f"{'a' if function == 'any' else 'every'} unit of {self.group(group.name)}"
                return _about(unit, self.condition(argument))
        return ""

    def is_plain_to_see(self, expression: Expression) -> bool:
        """Whether a condition only asks who is left or how it ended, which the text of its record says."""
        return all(_asks_who_is_left(part) for part in _leaves(expression))

    def _flag(self, name: str) -> str:
        prefix, _, key = name.partition(".")
        if prefix == "policy":
            return "the owner so chooses"
        if prefix == "counter" and key in self.counters:
            return small(self.counters[key].title)
        if prefix == "input" and key in self.input_titles:
            return small(self.input_titles[key])
        if name in self.game.states:
            return f"it is {self.game.states[name].name.lower()}"
        return ""

    def _negation(self, operand: Expression) -> str:
        inner = self.condition(operand)
        return f"it is not so that {inner}" if inner else ""

    def _either(self, expression: Expression) -> str:
        parts = [self.condition(part) for part in _flatten(expression, "or")]
        return ", or if ".join(parts) if all(parts) else ""

    def _both(self, expression: Expression) -> str:
        """`a and not b` as "a, unless b"."""
        positive: list[str] = []
        negative: list[str] = []
        for part in _flatten(expression, "and"):
            is_negated = isinstance(part, Unary) and part.operator == "not"
            words = self.condition(part.operand if isinstance(part, Unary) and is_negated else part)
            if not words:
                return ""
            (negative if is_negated else positive).append(words)
        positive = list(dict.fromkeys(positive))
        if not positive:
            return " and ".join(f"it is not so that {words}" for words in negative)
        unless = f", unless {join_alternatives(negative)}" if negative else ""
        return f"{' and '.join(positive)}{unless}"

    def _decision(self, expression: Expression) -> str:
        """What depends on a policy is what an owner decides at the table."""
        is_policy = any(isinstance(part, Name) and part.name.startswith("policy.") for part in _parts(expression))
        return "the owner so chooses" if is_policy else ""

    def _comparison(self, operator: str, left: Expression, right: Expression) -> str:
        if isinstance(left, (Number, Text)):
            operator, left, right = OPPOSITE[operator], right, left
        match left, right:
            case Name("goes_first"), Text(group):
                return f"{self.group(group)} {'' if operator == '==' else 'do not '}go first"
            case Name("in_group"), Text(group):
                return f"it belongs to {self.group(group)}"
            case Name("turn"), Number(value):
                return _turn(operator, value)
            case Aggregate("count", group, None), Number(value):
                return self._number_left(operator, self.group(group.name), value)
        subject, amount = self.amount(left), self.amount(right)
        return f"{subject} {COMPARISONS[operator]} {amount}" if subject and amount else ""

    def _number_left(self, operator: str, group: str, value: Fraction) -> str:
        number = number_text(value)
        if f"{operator}{number}" in ("==0", "<1", "<=0"):
            return f"none of {group} is left"
        if f"{operator}{number}" in (">0", ">=1", "!=0"):
            return f"any of {group} are left"
        amounts = {"==": number, "<": f"fewer than {number}", "<=": f"at most {number}", ">": f"more than {number}"}
        amounts |= {">=": f"at least {number}", "!=": f"not {number}"}
        return f"{amounts[operator]} of {group} are left"

    # Amounts.

    def amount(self, expression: Expression) -> str:
        """A number or a text as a noun. Empty if it has no plain words."""
        match expression:
            case Number() | Text() | Flag():
                return self._text(expression)
            case Name(name):
                return self._named_amount(name)
            case Call("number", (argument,)):
                return self.amount(argument)
            case Binary("*", Number(value), right) if value == 2:
                amount = self.amount(right)
                return f"twice {amount}" if amount else ""
            case Binary("/", left, Number(value)) if value == 2:
                amount = self.amount(left)
                return f"half of {amount}" if amount else ""
            case Binary("+" | "-" as operator, left, right):
                first, second = self.amount(left), self.amount(right)
                return f"{first} {operator.replace('-', '−')} {second}" if first and second else ""
            case Aggregate("count", group, None):
                return f"the number of units of {self.group(group.name)}"
            case Aggregate("sum", group, Name(name)) if name in self.game.factors:
                return f"the {small(self.game.factors[name].name)} of {self.group(group.name)}"
        return ""

    def _named_amount(self, name: str) -> str:
        prefix, _, key = name.partition(".")
        if prefix == "counter" and key in self.counters:
            return self.counters[key].title
        if prefix == "input" and key in self.input_titles:
            return small(self.input_titles[key])
        if name in self.game.factors:
            return f"its {small(self.game.factors[name].name)}"
        return {"turn": "the turn", "roll": "the roll", **UNIT_FIELDS}.get(name, "")

    def _text(self, value: Expression) -> str:
        match value:
            case Number(number):
                return number_text(number)
            case Text(text):
                return format_label(self.game, text)
            case Flag(flag):
                return "yes" if flag else "no"
        return ""


def _about(unit: str, clause: str) -> str:
    """A clause about "it" as a clause about a unit."""
    if clause.startswith("it "):
        return f"{unit} {clause.removeprefix('it ')}"
    if clause.startswith("its ") and " is " in clause:
        field, _, rest = clause.removeprefix("its ").partition(" is ")
        return f"the {field} of {unit} is {rest}"
    return f"for {unit}, {clause}" if clause else ""


def needed_roll(expression: Expression, dice: str) -> str:
    """What a roll must be, as players write it: "on a 1d6 roll of 6", "on a 2d6 roll of 9 or more"."""
    match expression:
        case Binary(operator, Name("roll"), Number(value)):
            first, last = _range(operator, value, *_faces(dice))
            if first is not None and last is not None:
                return f"on a {dice} roll of {first if first == last else f'{first} to {last}'}"
            words = {"<=": " or less", ">=": " or more", "==": ""}
            if operator in words:
                return f"on a {dice} roll of {number_text(value)}{words[operator]}"
    return f"on some rolls of {dice}"


def _faces(dice: str) -> tuple[int, int | None]:
    match = DIE.fullmatch(dice)
    return 1, int(match[1]) if match else None


def _range(operator: str, value: Fraction, low: int, high: int | None) -> tuple[int | None, int | None]:
    if high is None or value.denominator != 1:
        return None, None
    number = int(value)
    ends = {"==": (number, number), "<=": (low, number), "<": (low, number - 1)}
    ends |= {">=": (number, high), ">": (number + 1, high)}
    return ends.get(operator, (None, None))


def _turn(operator: str, value: Fraction) -> str:
    number = number_text(value)
    words = {"==": f"it is turn {number}", "!=": f"it is not turn {number}", "<": f"turn {number} has not come yet"}
    words |= {">=": f"turn {number} has come", ">": f"turn {number} is over", "<=": f"turn {number} is not over yet"}
    return words[operator]


def _flatten(expression: Expression, operator: str) -> Iterator[Expression]:
    """The operands of a chain of one operator."""
    if isinstance(expression, Binary) and expression.operator == operator:
        yield from _flatten(expression.left, operator)
        yield from _flatten(expression.right, operator)
    else:
        yield expression


def _asks_who_is_left(part: Expression) -> bool:
    if isinstance(part, Name):
        return part.name.partition(".")[0] in ("gone", "away", "ended")
    return isinstance(part, Aggregate) and part.function == "count" and part.argument is None


def _leaves(expression: Expression) -> Iterator[Expression]:
    """The parts of a condition that depend on how things stand."""
    for part in _parts(expression, lambda part: isinstance(part, Aggregate)):
        if isinstance(part, (Name, Aggregate)):
            yield part


def _parts(expression: object, stops_at: Callable[[object], bool] = lambda part: False) -> Iterator[Expression]:
    if isinstance(expression, tuple):
        for part in expression:
            yield from _parts(part, stops_at)
    elif is_dataclass(expression):
        yield expression  # type: ignore[misc]
        if not stops_at(expression):
            for field in fields(expression):
                yield from _parts(getattr(expression, field.name), stops_at)


def small(words: str) -> str:
    """A name as written within a sentence; SAM stays SAM."""
    return words if words[:2].isupper() else words[:1].lower() + words[1:]
