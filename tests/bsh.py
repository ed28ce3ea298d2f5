"""A small interpreter of the expressions that the engine reads, written from the language's rules alone."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

TOKEN = re.compile(r'\s*("(?:\\.|[^"\\])*"|\d+\.\d+|\d+|[A-Za-z_]\w*|&&|\|\||>>|[<>=!]=|[-+*/%<>!?:().,&\[\]])')
LEVELS = (("||",), ("&&",), ("&",), ("==", "!="), ("<", ">", "<=", ">="), (">>",), ("+", "-"), ("*", "/", "%"))
RESERVED = frozenset(
    (
        "class",
        "new",
        "this",
        "return",
        "if",
        "else",
        "for",
        "while",
        "switch",
        "case",
        "default",
        "int",
        "char",
        "float",
    )
)
Tree = tuple[Any, ...]


@dataclass
class Scope:
    """What properties are called, and what the engine's own functions give."""

    values: Mapping[str, str]
    functions: Mapping[str, Callable[..., Any]] = field(default_factory=dict)

    def text(self, name: str) -> str:
        return self.values.get(name, "")

    def typed(self, name: str) -> Any:
        """A property as the engine gives it to an expression: flags and numbers as such."""
        held = self.text(name)
        if held in ("true", "false"):
            return held == "true"
        if re.fullmatch(r"[+-]?\d+", held):
            return int(held)
        return float(held) if re.fullmatch(r"[+-]?\d*\.\d+", held) else held


def java(value: Any) -> str:
    """A value as the language writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{int(value)}.0" if value == int(value) else repr(value)
    return str(value)


class _Parser:
    def __init__(self, text: str) -> None:
        self.words: list[str] = []
        at = 0
        text = text.strip()
        while at < len(text):
            match = TOKEN.match(text, at)
            if not match:
                raise SyntaxError(f"what is this: {text[at : at + 40]!r}")
            self.words.append(match[1])
            at = match.end()
        self.at = 0

    def peek(self, ahead: int = 0) -> str:
        return self.words[self.at + ahead] if self.at + ahead < len(self.words) else ""

    def take(self, wanted: str = "") -> str:
        word = self.peek()
        if wanted and word != wanted:
            raise SyntaxError(f"{wanted!r} is missing before {' '.join(self.words[self.at : self.at + 8])}")
        self.at += 1
        return word

    def choice(self) -> Tree:
        test = self.level(0)
        if self.peek() != "?":
            return test
        self.take("?")
        then = self.choice()
        self.take(":")
        return ("if", test, then, self.choice())

    def level(self, number: int) -> Tree:
        if number == len(LEVELS):
            return self.unary()
        left = self.level(number + 1)
        while self.peek() in LEVELS[number]:
            left = ("op", self.take(), left, self.level(number + 1))
        return left

    def unary(self) -> Tree:
        if self.peek() in ("!", "-"):
            return ("sign", self.take(), self.unary())
        if self.words[self.at : self.at + 3] == ["(", "int", ")"]:
            self.at += 3
            return ("int", self.unary())
        return self.primary()

    def primary(self) -> Tree:
        word = self.take()
        if word == "(":
            inner = self.choice()
            self.take(")")
            if self.peek() == ".":
                raise SyntaxError("the engine calls no method on a parenthesis")
            return inner
        tree: Tree
        if word.startswith('"'):
            tree = ("value", re.sub(r"\\(.)", r"\1", word[1:-1]))
        elif word[0].isdigit():
            tree = ("value", float(word) if "." in word else int(word))
        elif word in ("true", "false"):
            tree = ("value", word == "true")
        elif self.peek() == "(":
            tree = ("call", word, self.arguments())
        elif self.peek() == "." and word in ("Math", "Double", "String", "Integer", "Character"):
            self.take(".")
            tree = ("call", f"{word}.{self.take()}", self.arguments())
        elif word in RESERVED:
            raise SyntaxError(f"{word!r} is a word of the language; ask for a property of that name with GetString")
        else:
            tree = ("name", word)
        while self.peek() in (".", "["):
            if self.take() == ".":
                tree = ("method", self.take(), tree, self.arguments())
            else:
                tree = ("index", tree, self.choice())
                self.take("]")
        return tree

    def arguments(self) -> list[Tree]:
        self.take("(")
        listed: list[Tree] = []
        while self.peek() != ")":
            listed.append(self.choice())
            if self.peek() == ",":
                self.take()
        self.take(")")
        return listed


@cache
def parsed(text: str) -> Tree:
    """The tree of an expression; SyntaxError where it isn't one."""
    parser = _Parser(text)
    tree = parser.choice()
    if parser.at != len(parser.words):
        raise SyntaxError(f"too much: {' '.join(parser.words[parser.at : parser.at + 8])}")
    return tree


def evaluated(text: str, scope: Scope) -> Any:
    """The value of an expression."""
    return _value(parsed(text), scope)


def _value(tree: Tree, scope: Scope) -> Any:
    match tree:
        case ("value", held):
            return held
        case ("name", name):
            return scope.typed(name)
        case ("if", test, then, other):
            return _value(then if _flag(_value(test, scope)) else other, scope)
        case ("sign", "!", inner):
            return not _flag(_value(inner, scope))
        case ("sign", _, inner):
            return -_value(inner, scope)
        case ("int", inner):
            return int(_value(inner, scope))
        case ("op", "&&", left, right):
            return _flag(_value(left, scope)) and _flag(_value(right, scope))
        case ("op", "||", left, right):
            return _flag(_value(left, scope)) or _flag(_value(right, scope))
        case ("op", sign, left, right):
            return _operated(sign, _value(left, scope), _value(right, scope))
        case ("index", inner, place):
            return _value(inner, scope)[_value(place, scope)]
        case ("method", name, ("name", variable), arguments):
            # The engine leaves a property as a text where a text's method is called on it.
            return _method(name, scope.text(variable), [_value(one, scope) for one in arguments])
        case ("method", name, inner, arguments):
            return _method(name, _value(inner, scope), [_value(one, scope) for one in arguments])
        case ("call", name, arguments):
            return _called(name, [_value(one, scope) for one in arguments], scope)
    raise AssertionError(tree)


def _flag(value: Any) -> bool:
    assert isinstance(value, bool), value
    return value


def _operated(sign: str, left: Any, right: Any) -> Any:
    if sign == "+":
        return java(left) + java(right) if isinstance(left, str) or isinstance(right, str) else left + right
    if sign in ("==", "!="):
        return (left == right) == (sign == "==")
    assert not isinstance(left, str | bool) and not isinstance(right, str | bool), (sign, left, right)
    if sign == "/" and isinstance(left, int) and isinstance(right, int):
        return int(left / right)
    if sign == "/":
        return left / right if right else math.copysign(math.inf, left) if left else math.nan
    operations: dict[str, Callable[[Any, Any], Any]] = {
        "-": lambda a, b: a - b,
        "*": lambda a, b: a * b,
        "%": lambda a, b: int(math.fmod(a, b)) if isinstance(a, int) else math.fmod(a, b),
        ">>": lambda a, b: a >> b,
        "&": lambda a, b: a & b,
        "<": lambda a, b: a < b,
        ">": lambda a, b: a > b,
        "<=": lambda a, b: a <= b,
        ">=": lambda a, b: a >= b,
    }
    return operations[sign](left, right)


def _method(name: str, text: Any, arguments: list[Any]) -> Any:
    assert isinstance(text, str), (name, text)
    match name, arguments:
        case "equals", [other]:
            return isinstance(other, str) and text == other
        case "contains", [str(part)]:
            return part in text
        case "startsWith", [str(part)]:
            return text.startswith(part)
        case "endsWith", [str(part)]:
            return text.endswith(part)
        case "matches", [str(pattern)]:
            return re.fullmatch(pattern, text) is not None
        case "split", [str(part)]:
            return re.sub(f"(?:{re.escape(part)})+$", "", text).split(part)
        case "replace", [str(old), str(new)]:
            return text.replace(old, new)
        case "replaceAll", [str(pattern), str(new)]:
            return re.sub(pattern, re.sub(r"\$(\d)", r"\\\1", new), text)
        case "replaceFirst", [str(pattern), str(new)]:
            return re.sub(pattern, re.sub(r"\$(\d)", r"\\\1", new), text, count=1)
        case "toLowerCase", []:
            return text.lower()
        case "trim", []:
            return text.strip()
        case "length", []:
            return len(text)
        case "indexOf", [str(sought)]:
            return text.find(sought)
        case "indexOf", [str(sought), int(start)]:
            return text.find(sought, start)
        case "charAt", [int(at)]:
            assert at >= 0, (text, at)
            return text[at]
        case "substring", [int(start)]:
            return text[start:]
        case "substring", [int(start), int(end)]:
            assert 0 <= start <= end <= len(text), (text, start, end)
            return text[start:end]
    raise SyntaxError(f"no method {name} with {arguments}")


def _called(name: str, given: list[Any], scope: Scope) -> Any:
    if name in scope.functions:
        return scope.functions[name](*given)
    if name == "GetString":
        return scope.text(given[0])
    if name == "String.valueOf":
        return java(given[0])
    if name == "Double.parseDouble":
        assert isinstance(given[0], str), given
        return float(given[0])
    if name == "Integer.parseInt":
        assert isinstance(given[0], str), given
        return int(given[0])
    if name == "Character.getNumericValue":
        return int(given[0], 36)
    if name == "Math.round":
        return math.floor(given[0] + 0.5)
    numbers: dict[str, Callable[..., Any]] = {"Math.abs": abs, "Math.max": max, "Math.min": min}
    if name in ("Math.floor", "Math.ceil"):
        return float(math.floor(given[0]) if name == "Math.floor" else math.ceil(given[0]))
    return numbers[name](*given)
