"""`parse` turns a text into a tree with its own tokenizer and parser. It never runs Python code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from scenarios.expressions.syntax import (
    AGGREGATES,
    COMPARISON,
    FUNCTIONS,
    KEYWORDS,
    MINUS,
    NOT,
    PRECEDENCE,
    Aggregate,
    Binary,
    Call,
    Expression,
    ExpressionFault,
    Flag,
    Literal,
    Membership,
    Name,
    Number,
    Text,
    Unary,
    clip,
)

MAX_LENGTH = 2_000
MAX_NESTING = 50
# A chain such as a + b + c nests to the left, one level for each operator. This limits the tree's height.
MAX_OPERATORS = 100


class ExpressionError(ExpressionFault):
    """Raised for a text that is no expression. `offset` is the place in the text."""


_MISTAKES = {
    "=": "'=' compares nothing here; write '=='",
    "=>": "'=>' is written '>='",
    "=<": "'=<' is written '<='",
    "<>": "'<>' is written '!='",
    "&&": "'&&' is written 'and'",
    "&": "'&' is written 'and'",
    "||": "'||' is written 'or'",
    "|": "'|' is written 'or'",
    "!": "'!' is written 'not'",
    "**": "'**' has no meaning here: there are no powers",
    "^": "'^' has no meaning here: there are no powers",
    "//": "'//' is written floor(a / b)",
    "≤": "'≤' is written '<='",
    "≥": "'≥' is written '>='",
    "≠": "'≠' is written '!='",
    "×": "'×' is written '*'",
    "÷": "'÷' is written '/'",
    "−": "this dash is written '-'",
    "–": "this dash is written '-'",
} | dict.fromkeys("“”„‘’«»", 'a text stands in straight quotes, as in "woods"')
_TOKEN = re.compile(
    r"(?P<space>[ \t\r\n]+)"
    r"|(?P<number>[0-9]{1,12}(?:\.[0-9]{1,12})?(?![0-9A-Za-z_.]))"
    r"|(?P<word>[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)?)"
    r"|(?P<text>\"[^\"]*\"|'[^']*')"
    r"|(?P<mark>==|!=|<=|>=|(?!" + "|".join(map(re.escape, _MISTAKES)) + r")[-+*/<>(),\[\]])"
)
_MISTAKE = re.compile("|".join(re.escape(wrong) for wrong in sorted(_MISTAKES, key=len, reverse=True)))


class _Token(NamedTuple):
    kind: str
    text: str
    offset: int


def _tokens(text: str) -> Iterator[_Token]:
    if len(text) > MAX_LENGTH:
        message = f"an expression has at most {MAX_LENGTH} characters; here are {len(text)}"
        raise ExpressionError(message, MAX_LENGTH)
    offset = 0
    while offset < len(text):
        match = _TOKEN.match(text, offset)
        if match is None:
            raise ExpressionError(_unreadable(text, offset), offset)
        kind, word = str(match.lastgroup), match[0]
        if kind == "text" and not word.isprintable():
            bad = next(index for index, character in enumerate(word) if not character.isprintable())
            raise ExpressionError(f"a text cannot hold the character U+{ord(word[bad]):04X}", offset + bad)
        if kind != "space":
            yield _Token(kind, word, offset)
        offset = match.end()
    yield _Token("end", "", offset)


def _unreadable(text: str, offset: int) -> str:
    if wrong := _MISTAKE.match(text, offset):
        return _MISTAKES[wrong[0]]
    character = text[offset]
    if character in "\"'":
        return f"the quote {character} opened here is not closed"
    if number := re.compile(r"[0-9][0-9A-Za-z_.]*|\.[0-9]+").match(text, offset):
        if re.fullmatch(r"[0-9]+(\.[0-9]+)?", number[0]):
            return f"'{clip(number[0])}' is too long; a number has at most 12 digits before the point and 12 after it"
        return f"'{clip(number[0])}' is no number; numbers look like 2 or 0.5, names begin with a letter"
    if character == ".":
        return "'.' has no meaning here: it stands between the two parts of a name, as in to.terrain"
    character_name = f"'{character}'" if character.isprintable() else f"the character U+{ord(character):04X}"
    return f"{character_name} has no meaning here"


class _Parser:
    """A precedence-climbing parser. Each method consumes its tokens and leaves the rest."""

    def __init__(self, text: str) -> None:
        self.tokens = list(_tokens(text))
        self.position = 0
        self.nesting = 0
        self.operators = 0
        self.aggregate: str | None = None

    @property
    def ahead(self) -> _Token:
        return self.tokens[self.position]

    def take(self) -> _Token:
        self.position += 1
        return self.tokens[self.position - 1]

    def parse_all(self) -> Expression:
        if self.ahead.kind == "end":
            raise ExpressionError("the expression is empty", 0)
        expression = self.expression(0)
        if self.ahead.kind != "end":
            raise self.stray()
        return expression

    def stray(self) -> ExpressionError:
        """The error for a token that follows a complete expression."""
        _, word, offset = self.ahead
        if word in (")", "]"):
            return ExpressionError(f"this '{word}' closes nothing", offset)
        if word == ",":
            return ExpressionError("a ',' stands only between arguments and in lists", offset)
        if word.lower() in ("and", "or", "in") and word != word.lower():
            return ExpressionError(f"'{word}' is written '{word.lower()}'", offset)
        message = f"'{clip(word)}' cannot follow here; an operator such as '+' or 'and' is missing"
        return ExpressionError(message, offset)

    def parse_nested(self, opening: _Token, min_precedence: int) -> Expression:
        if self.nesting == MAX_NESTING:
            raise ExpressionError(f"the expression is nested more than {MAX_NESTING} deep", opening.offset)
        self.nesting += 1
        expression = self.expression(min_precedence)
        self.nesting -= 1
        return expression

    def infix(self) -> str | None:
        word = self.ahead.text
        if word == "not" and self.tokens[self.position + 1].text == "in":
            return "not in"
        return word if word in PRECEDENCE else None

    def expression(self, min_precedence: int) -> Expression:
        left = self.parse_prefix(min_precedence)
        has_comparison = False
        while (operator := self.infix()) and PRECEDENCE[operator] >= min_precedence:
            token = self.take()
            self.operators += 1
            if self.operators > MAX_OPERATORS:
                raise ExpressionError(f"an expression has at most {MAX_OPERATORS} operators", token.offset)
            if PRECEDENCE[operator] == COMPARISON:
                if has_comparison:
                    raise ExpressionError("comparisons do not chain; write a < b and b < c", token.offset)
                has_comparison = True
            if operator in ("in", "not in"):
                if operator == "not in":
                    self.take()
                left = Membership(left, self.parse_list(), operator == "not in", offset=token.offset)
            else:
                right = self.expression(PRECEDENCE[operator] + 1)
                left = Binary(operator, left, right, offset=token.offset)
        return left

    def parse_prefix(self, min_precedence: int) -> Expression:
        token = self.take()
        kind, word, offset = token
        if kind == "number":
            return Number(Fraction(word), offset=offset)
        if kind == "text":
            return Text(word[1:-1], offset=offset)
        if word in ("true", "false"):
            return Flag(word == "true", offset=offset)
        if word == "not":
            if min_precedence > NOT:
                raise ExpressionError("'not' needs parentheses here: (not ...)", offset)
            return Unary(word, self.parse_nested(token, NOT), offset=offset)
        if word == "-":
            return Unary(word, self.parse_nested(token, MINUS), offset=offset)
        if word == "(":
            expression = self.parse_nested(token, 0)
            self.close(token, ")")
            return expression
        if kind == "word" and self.ahead.text == "(" and (word == "if" or word not in KEYWORDS):
            return self.call(token)
        if kind == "word" and word not in KEYWORDS:
            return Name(word, offset=offset)
        raise ExpressionError(self.missing_value(token), offset)

    def missing_value(self, token: _Token) -> str:
        if token.kind == "end":
            return "the expression ends where a value should follow"
        if token.text == "[":
            return "a list stands only after 'in' or 'not in'"
        if token.text == "if":
            return f"'if' is written {FUNCTIONS['if'].usage}"
        return f"'{token.text}' stands where a value should be; write a name, a number or a text in quotes there"

    def close(self, opening: _Token, closing: str) -> None:
        if self.ahead.kind == "end":
            raise ExpressionError(f"the '{opening.text}' opened here is not closed", opening.offset)
        if self.ahead.text != closing:
            raise self.stray()
        self.take()

    def call(self, function: _Token) -> Expression:
        aggregate = function.text in AGGREGATES
        if aggregate and self.aggregate is not None:
            # Nested aggregates are refused: each level would multiply the time.
            raise ExpressionError(f"{function.text}(...) cannot stand inside {self.aggregate}(...)", function.offset)
        outside, self.aggregate = self.aggregate, function.text if aggregate else self.aggregate
        opening = self.take()
        arguments: list[Expression] = []
        if self.ahead.text != ")":
            arguments.append(self.parse_nested(opening, 0))
            while self.ahead.text == ",":
                self.take()
                arguments.append(self.parse_nested(opening, 0))
        self.close(opening, ")")
        self.aggregate = outside
        if aggregate and arguments and isinstance(group := arguments[0], Name):
            _, min_arguments, max_arguments, _ = AGGREGATES[function.text]
            if min_arguments <= len(arguments) <= (max_arguments or 0):
                argument = arguments[1] if len(arguments) == 2 else None
                return Aggregate(function.text, group, argument, offset=function.offset)
        return Call(function.text, tuple(arguments), offset=function.offset)

    def parse_list(self) -> tuple[Literal, ...]:
        opening = self.take()
        if opening.text != "[":
            raise ExpressionError('\'in\' is followed by a list, as in ["woods", "town"]', opening.offset)
        choices = [self.literal()]
        while self.ahead.text == ",":
            self.take()
            choices.append(self.literal())
            if type(choices[-1]) is not type(choices[0]):
                raise ExpressionError("a list holds values of one kind", choices[-1].offset)
        self.close(opening, "]")
        return tuple(choices)

    def literal(self) -> Literal:
        token = self.take()
        kind, word, offset = token
        if word == "-" and self.ahead.kind == "number":
            return Number(-Fraction(self.take().text), offset=offset)
        if kind == "number":
            return Number(Fraction(word), offset=offset)
        if kind == "text":
            return Text(word[1:-1], offset=offset)
        if word in ("true", "false"):
            return Flag(word == "true", offset=offset)
        raise ExpressionError("a list holds numbers, texts in quotes, true and false; at least one", offset)


def parse(text: str) -> Expression:
    """Parse a text into a tree. Raises ExpressionError if it is no expression."""
    return _Parser(text).parse_all()
