"""A parser and evaluator for the engine's expressions.

It reads only what a module of Mitla may contain: numbers, texts, names, calls, the usual operators, and
the choice `a ? b : c`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

TOKEN = re.compile(
    r'\s*(?:(?P<number>\d+\.\d+|\d+)|(?P<text>"(?:[^"\\]|\\.)*")|(?P<name>[A-Za-z_]\w*)'
    r"|(?P<sign>\|\||&&|==|!=|<=|>=|=~|!~|[-+*/%<>!?:().,\[\]]))"
)
CASTS = ("int", "long", "double", "boolean", "String")
DEEPEST = 40
"""The greatest depth of nesting; the engine's parser takes several times as long for each level."""
LEVELS = (("||",), ("&&",), ("==", "!=", "=~", "!~"), ("<", ">", "<=", ">="), ("+", "-"), ("*", "/", "%"))


class BadExpression(ValueError):
    """The engine couldn't read an expression; the text says why."""


class JavaNode(NamedTuple):
    """A part of an expression: its kind, its text, its own parts."""

    kind: str
    text: str
    parts: tuple[JavaNode, ...] = ()


@dataclass
class _TokenReader:
    tokens: list[tuple[str, str]]
    position: int = 0
    depth: int = 0

    @contextmanager
    def deeper(self) -> Iterator[None]:
        self.depth += 1
        if self.depth > DEEPEST:
            raise BadExpression(f"it is nested more than {DEEPEST} deep")
        yield
        self.depth -= 1

    def peek(self) -> tuple[str, str]:
        return self.tokens[self.position] if self.position < len(self.tokens) else ("end", "")

    def take(self, text: str = "") -> str:
        kind, token = self.peek()
        if kind == "end" or (text and token != text):
            raise BadExpression(f"{text or 'something'!r} is missing {f'before {token!r}' if token else 'at the end'}")
        self.position += 1
        return token

    def read_expression(self) -> JavaNode:
        """Read an expression. A chain of choices, each the last part of the one before, may have any length."""
        choices: list[tuple[JavaNode, JavaNode]] = []
        with self.deeper():
            last = self.level(0)
            while self.peek() == ("sign", "?"):
                self.take("?")
                choices.append((last, self.read_expression()))
                self.take(":")
                last = self.level(0)
        for test, consequence in reversed(choices):
            last = JavaNode("choice", "?", (test, consequence, last))
        return last

    def level(self, number: int) -> JavaNode:
        if number == len(LEVELS):
            return self.unary()
        node = self.level(number + 1)
        while self.peek()[0] == "sign" and self.peek()[1] in LEVELS[number]:
            node = JavaNode("binary", self.take(), (node, self.level(number + 1)))
        return node

    def unary(self) -> JavaNode:
        if self.peek() in (("sign", "-"), ("sign", "!")):
            with self.deeper():
                return JavaNode("unary", self.take(), (self.unary(),))
        return self.read_suffix(self.primary())

    def read_suffix(self, node: JavaNode) -> JavaNode:
        """Read what follows a part: a point, parentheses or brackets."""
        while self.peek()[1] in (".", "(", "[") and self.peek()[0] == "sign":
            sign = self.take()
            if sign == "[":
                node = JavaNode("item", "", (node, self.read_expression()))
                self.take("]")
            elif sign == "(":
                if node.kind not in ("name", "member"):
                    raise BadExpression("only something with a name can be called")
                node = JavaNode("call", node.text, (node, *self.arguments()))
            elif node.kind == "group":
                raise BadExpression("a method can't be called on a parenthesis; write String.valueOf(...) instead")
            else:
                node = JavaNode("member", self.take(), (node,))
        return node

    def arguments(self) -> Iterator[JavaNode]:
        while self.peek()[1] != ")":
            yield self.read_expression()
            if self.peek()[1] != ")":
                self.take(",")
        self.take(")")

    def primary(self) -> JavaNode:
        kind, _ = self.peek()
        if kind in ("number", "text", "name"):
            return JavaNode(kind, self.take())
        self.take("(")
        if self.peek()[1] in CASTS and self.tokens[self.position + 1 : self.position + 2] == [("sign", ")")]:
            cast = self.take()
            self.take(")")
            with self.deeper():
                return JavaNode("cast", cast, (self.unary(),))
        inner = self.read_expression()
        self.take(")")
        return JavaNode("group", "", (inner,))


def parse(text: str) -> JavaNode:
    """An expression, without its braces. Raises BadExpression with a sentence if the engine would fail to read it."""
    tokens, position, end = [], 0, len(text.rstrip())
    while position < end:
        match = TOKEN.match(text, position)
        if match is None:
            raise BadExpression(f"{text[position : position + 12].strip()!r} can't be read")
        tokens.append((str(match.lastgroup), match[str(match.lastgroup)]))
        position = match.end()
    reader = _TokenReader(tokens)
    expression = reader.read_expression()
    if reader.position < len(tokens):
        raise BadExpression(f"{reader.peek()[1]!r} stands where nothing should follow")
    return expression


def bare_ids(node: JavaNode) -> Iterator[str]:
    """Comparisons with numbers that are really names, such as 0101 and 4.10. The engine would read them as other numbers."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if node.kind == "binary" and node.text in ("==", "!="):
            for name_node, number_node in (node.parts, node.parts[::-1]):
                if (
                    name_node.kind == "name"
                    and number_node.kind == "number"
                    and ("." in number_node.text or re.match(r"0\d", number_node.text))
                ):
                    yield f"{name_node.text} {node.text} {number_node.text}"
        waiting += reversed(node.parts)


Value = int | bool | str


def value(node: JavaNode, names: Mapping[str, Value]) -> Value:
    """The value of an expression of whole numbers and texts, as the engine computes it. Raises BadExpression if that isn't possible."""
    try:
        return _value(node, names)
    except KeyError as error:
        raise BadExpression(f"nothing is called {error}") from None
    except ZeroDivisionError:
        raise BadExpression("it divides by zero") from None
    except RecursionError:
        raise BadExpression("it is too long") from None
    except BadExpression:
        raise
    except ValueError:
        raise BadExpression("it takes a text for a number, or a number that is too large") from None


def _value(node: JavaNode, names: Mapping[str, Value]) -> Value:
    match node.kind:
        case "number":
            return int(node.text)
        case "text":
            return node.text[1:-1]
        case "name":
            return names[node.text]
        case "group":
            return _value(node.parts[0], names)
        case "choice":
            return _value(node.parts[1 if _value(node.parts[0], names) else 2], names)
        case "unary":
            inner = _value(node.parts[0], names)
            return -int(inner) if node.text == "-" else not inner
        case "call":
            return _call(node, names)
        case "binary":
            return _binary(node, names)
        case _:
            raise BadExpression(f"{node.text or node.kind} can't be worked out here")


def _call(node: JavaNode, names: Mapping[str, Value]) -> Value:
    callee, *arguments = node.parts
    values = [_value(argument, names) for argument in arguments]
    owner = callee.parts[0] if callee.kind == "member" else None
    if node.text == "valueOf" and len(values) == 1:
        return _to_text(values[0])
    if node.text == "substring" and owner is not None and len(values) in (1, 2):
        text = str(_value(owner, names))
        first, last = int(values[0]), int(values[1]) if len(values) > 1 else len(text)
        if not 0 <= first <= last <= len(text):
            raise BadExpression(f"{text!r} has no letters from {first} to {last}")
        return text[first:last]
    raise BadExpression(f"{node.text} can't be worked out here")


def _binary(node: JavaNode, names: Mapping[str, Value]) -> Value:
    left = _value(node.parts[0], names)
    if node.text in ("&&", "||") and bool(left) is (node.text == "||"):
        return bool(left)
    right = _value(node.parts[1], names)
    if node.text in ("&&", "||"):
        return bool(right)
    if node.text == "+" and (isinstance(left, str) or isinstance(right, str)):
        return _to_text(left) + _to_text(right)
    if node.text in ("==", "!="):
        return (_to_text(left) == _to_text(right)) is (node.text == "==")
    first_number, two = int(left), int(right)
    match node.text:
        case "<":
            return first_number < two
        case ">":
            return first_number > two
        case "<=":
            return first_number <= two
        case ">=":
            return first_number >= two
        case "+":
            return first_number + two
        case "-":
            return first_number - two
        case "*":
            return first_number * two
        case "/":
            return _quotient(first_number, two)
        case "%":
            return first_number - two * _quotient(first_number, two)
    raise BadExpression(f"{node.text} can't be worked out here")


def _quotient(dividend: int, two: int) -> int:
    """The quotient rounded towards zero, as in Java."""
    return abs(dividend) // abs(two) * (1 if (dividend < 0) == (two < 0) else -1)


def _to_text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
