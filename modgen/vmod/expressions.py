"""The engine's expressions, read back: whether one can be parsed, and what it gives.

Only what a module of ours may hold: numbers, texts, names, calls, the usual operators, and the choice `a ? b : c`.
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
"""How deep an expression may be nested; the engine's parser takes several times as long for each level."""
LEVELS = (("||",), ("&&",), ("==", "!=", "=~", "!~"), ("<", ">", "<=", ">="), ("+", "-"), ("*", "/", "%"))


class BadExpression(ValueError):
    """Why the engine couldn't read an expression."""


class Node(NamedTuple):
    """A part of an expression: what it is, its text, what is in it."""

    kind: str
    text: str
    parts: tuple[Node, ...] = ()


@dataclass
class _Reader:
    tokens: list[tuple[str, str]]
    at: int = 0
    depth: int = 0

    @contextmanager
    def deeper(self) -> Iterator[None]:
        self.depth += 1
        if self.depth > DEEPEST:
            raise BadExpression(f"it is nested more than {DEEPEST} deep")
        yield
        self.depth -= 1

    def peek(self) -> tuple[str, str]:
        return self.tokens[self.at] if self.at < len(self.tokens) else ("end", "")

    def take(self, text: str = "") -> str:
        kind, found = self.peek()
        if kind == "end" or (text and found != text):
            raise BadExpression(f"{text or 'something'!r} is missing {f'before {found!r}' if found else 'at the end'}")
        self.at += 1
        return found

    def whole(self) -> Node:
        """An expression; a choice whose last part is another choice, and so on, may be of any length."""
        choices: list[tuple[Node, Node]] = []
        with self.deeper():
            last = self.level(0)
            while self.peek() == ("sign", "?"):
                self.take("?")
                choices.append((last, self.whole()))
                self.take(":")
                last = self.level(0)
        for test, one in reversed(choices):
            last = Node("choice", "?", (test, one, last))
        return last

    def level(self, number: int) -> Node:
        if number == len(LEVELS):
            return self.unary()
        left = self.level(number + 1)
        while self.peek()[0] == "sign" and self.peek()[1] in LEVELS[number]:
            left = Node("binary", self.take(), (left, self.level(number + 1)))
        return left

    def unary(self) -> Node:
        if self.peek() in (("sign", "-"), ("sign", "!")):
            with self.deeper():
                return Node("unary", self.take(), (self.unary(),))
        return self.after(self.primary())

    def after(self, found: Node) -> Node:
        """What follows a part with a point, in parentheses or in brackets."""
        while self.peek()[1] in (".", "(", "[") and self.peek()[0] == "sign":
            sign = self.take()
            if sign == "[":
                found = Node("item", "", (found, self.whole()))
                self.take("]")
            elif sign == "(":
                if found.kind not in ("name", "member"):
                    raise BadExpression("only something with a name can be called")
                found = Node("call", found.text, (found, *self.arguments()))
            elif found.kind == "group":
                raise BadExpression("a method can't be called on a parenthesis; write String.valueOf(...) instead")
            else:
                found = Node("member", self.take(), (found,))
        return found

    def arguments(self) -> Iterator[Node]:
        while self.peek()[1] != ")":
            yield self.whole()
            if self.peek()[1] != ")":
                self.take(",")
        self.take(")")

    def primary(self) -> Node:
        kind, _ = self.peek()
        if kind in ("number", "text", "name"):
            return Node(kind, self.take())
        self.take("(")
        if self.peek()[1] in CASTS and self.tokens[self.at + 1 : self.at + 2] == [("sign", ")")]:
            cast = self.take()
            self.take(")")
            with self.deeper():
                return Node("cast", cast, (self.unary(),))
        inner = self.whole()
        self.take(")")
        return Node("group", "", (inner,))


def parse(text: str) -> Node:
    """An expression, without its braces; BadExpression with a sentence where the engine would stumble."""
    tokens, at, end = [], 0, len(text.rstrip())
    while at < end:
        found = TOKEN.match(text, at)
        if found is None:
            raise BadExpression(f"{text[at : at + 12].strip()!r} can't be read")
        tokens.append((str(found.lastgroup), found[str(found.lastgroup)]))
        at = found.end()
    reader = _Reader(tokens)
    whole = reader.whole()
    if reader.at < len(tokens):
        raise BadExpression(f"{reader.peek()[1]!r} stands where nothing should follow")
    return whole


def bare_ids(node: Node) -> Iterator[str]:
    """Numbers compared with a property that the engine would take for others: 0101 and 4.10 are names, not numbers."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if node.kind == "binary" and node.text in ("==", "!="):
            for one, other in (node.parts, node.parts[::-1]):
                if (
                    one.kind == "name"
                    and other.kind == "number"
                    and ("." in other.text or re.match(r"0\d", other.text))
                ):
                    yield f"{one.text} {node.text} {other.text}"
        waiting += reversed(node.parts)


Value = int | bool | str


def value(node: Node, names: Mapping[str, Value]) -> Value:
    """What an expression of whole numbers and texts gives, as the engine works it out; BadExpression where that can't be done."""
    try:
        return _value(node, names)
    except KeyError as error:
        raise BadExpression(f"nothing is called {error}") from None
    except ZeroDivisionError:
        raise BadExpression("it divides by nought") from None
    except RecursionError:
        raise BadExpression("it is too long") from None
    except BadExpression:
        raise
    except ValueError:
        raise BadExpression("it takes a text for a number, or a number that is too large") from None


def _value(node: Node, names: Mapping[str, Value]) -> Value:
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
            return _called(node, names)
        case "binary":
            return _both(node, names)
        case _:
            raise BadExpression(f"{node.text or node.kind} can't be worked out here")


def _called(node: Node, names: Mapping[str, Value]) -> Value:
    of, *arguments = node.parts
    given = [_value(argument, names) for argument in arguments]
    owner = of.parts[0] if of.kind == "member" else None
    if node.text == "valueOf" and len(given) == 1:
        return _said(given[0])
    if node.text == "substring" and owner is not None and len(given) in (1, 2):
        whole = str(_value(owner, names))
        first, last = int(given[0]), int(given[1]) if len(given) > 1 else len(whole)
        if not 0 <= first <= last <= len(whole):
            raise BadExpression(f"{whole!r} has no letters from {first} to {last}")
        return whole[first:last]
    raise BadExpression(f"{node.text} can't be worked out here")


def _both(node: Node, names: Mapping[str, Value]) -> Value:
    left = _value(node.parts[0], names)
    if node.text in ("&&", "||") and bool(left) is (node.text == "||"):
        return bool(left)
    right = _value(node.parts[1], names)
    if node.text in ("&&", "||"):
        return bool(right)
    if node.text == "+" and (isinstance(left, str) or isinstance(right, str)):
        return _said(left) + _said(right)
    if node.text in ("==", "!="):
        return (_said(left) == _said(right)) is (node.text == "==")
    one, two = int(left), int(right)
    match node.text:
        case "<":
            return one < two
        case ">":
            return one > two
        case "<=":
            return one <= two
        case ">=":
            return one >= two
        case "+":
            return one + two
        case "-":
            return one - two
        case "*":
            return one * two
        case "/":
            return _quotient(one, two)
        case "%":
            return one - two * _quotient(one, two)
    raise BadExpression(f"{node.text} can't be worked out here")


def _quotient(one: int, two: int) -> int:
    """The engine divides towards nought, as Java does."""
    return abs(one) // abs(two) * (1 if (one < 0) == (two < 0) else -1)


def _said(held: Value) -> str:
    return str(held).lower() if isinstance(held, bool) else str(held)
