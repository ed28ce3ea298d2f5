"""The engine's expressions, read back: whether one can be parsed, and what it gives.

Only what a module of ours may hold: numbers, texts, names, calls, the usual operators, and the choice `a ? b : c`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

TOKEN = re.compile(
    r'\s*(?:(?P<number>\d+\.\d+|\d+)|(?P<text>"(?:[^"\\]|\\.)*")|(?P<name>[A-Za-z_]\w*)'
    r"|(?P<sign>\|\||&&|==|!=|<=|>=|=~|!~|[-+*/%<>!?:().,\[\]]))"
)
CASTS = ("int", "long", "double", "boolean", "String")
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

    def peek(self) -> tuple[str, str]:
        return self.tokens[self.at] if self.at < len(self.tokens) else ("end", "")

    def take(self, text: str = "") -> str:
        kind, found = self.peek()
        if kind == "end" or (text and found != text):
            raise BadExpression(f"{text or 'something'!r} is missing {f'before {found!r}' if found else 'at the end'}")
        self.at += 1
        return found

    def whole(self) -> Node:
        test = self.level(0)
        if self.peek()[1] != "?":
            return test
        self.take("?")
        one = self.whole()
        self.take(":")
        return Node("choice", "?", (test, one, self.whole()))

    def level(self, number: int) -> Node:
        if number == len(LEVELS):
            return self.unary()
        left = self.level(number + 1)
        while self.peek()[0] == "sign" and self.peek()[1] in LEVELS[number]:
            left = Node("binary", self.take(), (left, self.level(number + 1)))
        return left

    def unary(self) -> Node:
        if self.peek() in (("sign", "-"), ("sign", "!")):
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
            return Node("cast", cast, (self.unary(),))
        inner = self.whole()
        self.take(")")
        return Node("group", "", (inner,))


def parse(text: str) -> Node:
    """An expression, without its braces; BadExpression with a sentence where the engine would stumble."""
    tokens, at = [], 0
    while text[at:].strip():
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
    if node.kind == "binary" and node.text in ("==", "!="):
        for one, other in (node.parts, node.parts[::-1]):
            if one.kind == "name" and other.kind == "number" and ("." in other.text or re.match(r"0\d", other.text)):
                yield f"{one.text} {node.text} {other.text}"
    for part in node.parts:
        yield from bare_ids(part)


Value = int | bool | str


def value(node: Node, names: Mapping[str, Value]) -> Value:
    """What an expression of whole numbers and texts gives, as the engine works it out."""
    match node.kind:
        case "number":
            return int(node.text)
        case "text":
            return node.text[1:-1]
        case "name":
            return names[node.text]
        case "group":
            return value(node.parts[0], names)
        case "choice":
            return value(node.parts[1 if value(node.parts[0], names) else 2], names)
        case "unary":
            inner = value(node.parts[0], names)
            return -int(inner) if node.text == "-" else not inner
        case "call":
            return _called(node, names)
        case _:
            return _both(node, names)


def _called(node: Node, names: Mapping[str, Value]) -> Value:
    of, *arguments = node.parts
    given = [value(argument, names) for argument in arguments]
    owner = of.parts[0] if of.kind == "member" else None
    if node.text == "valueOf":
        return _said(given[0])
    if node.text == "substring" and owner is not None:
        whole = str(value(owner, names))
        return whole[int(given[0]) : int(given[1]) if len(given) > 1 else None]
    raise BadExpression(f"{node.text} can't be worked out here")


def _both(node: Node, names: Mapping[str, Value]) -> Value:
    left = value(node.parts[0], names)
    if node.text in ("&&", "||") and bool(left) is (node.text == "||"):
        return bool(left)
    right = value(node.parts[1], names)
    if node.text in ("&&", "||"):
        return bool(right)
    if node.text == "+" and (isinstance(left, str) or isinstance(right, str)):
        return _said(left) + _said(right)
    if node.text in ("==", "!="):
        return (_said(left) == _said(right)) is (node.text == "==")
    one, two = int(left), int(right)
    compared = {"<": one < two, ">": one > two, "<=": one <= two, ">=": one >= two}
    if node.text in compared:
        return compared[node.text]
    worked = {"+": lambda: one + two, "-": lambda: one - two, "*": lambda: one * two}
    # The engine divides towards nought, as Java does.
    worked |= {"/": lambda: int(one / two), "%": lambda: one - two * int(one / two)}
    return worked[node.text]()


def _said(held: Value) -> str:
    return str(held).lower() if isinstance(held, bool) else str(held)
