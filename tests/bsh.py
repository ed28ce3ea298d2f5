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
RESERVED_WORDS = frozenset(
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

    def typed_value(self, name: str) -> Any:
        """A property as the engine gives it to an expression: flags and numbers as such."""
        text = self.text(name)
        if text in ("true", "false"):
            return text == "true"
        if re.fullmatch(r"[+-]?\d+", text):
            return int(text)
        return float(text) if re.fullmatch(r"[+-]?\d*\.\d+", text) else text


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
        offset = 0
        text = text.strip()
        while offset < len(text):
            match = TOKEN.match(text, offset)
            if not match:
                raise SyntaxError(f"what is this: {text[offset : offset + 40]!r}")
            self.words.append(match[1])
            offset = match.end()
        self.position = 0

    def peek(self, ahead: int = 0) -> str:
        return self.words[self.position + ahead] if self.position + ahead < len(self.words) else ""

    def take(self, expected_word: str = "") -> str:
        word = self.peek()
        if expected_word and word != expected_word:
            raise SyntaxError(
                f"{expected_word!r} is missing before {' '.join(self.words[self.position : self.position + 8])}"
            )
        self.position += 1
        return word

    def choice(self) -> Tree:
        test = self.level(0)
        if self.peek() != "?":
            return test
        self.take("?")
        consequence = self.choice()
        self.take(":")
        return ("if", test, consequence, self.choice())

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
        if self.words[self.position : self.position + 3] == ["(", "int", ")"]:
            self.position += 3
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
        elif word in RESERVED_WORDS:
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
        trees: list[Tree] = []
        while self.peek() != ")":
            trees.append(self.choice())
            if self.peek() == ",":
                self.take()
        self.take(")")
        return trees


@cache
def parse_expression(text: str) -> Tree:
    """The tree of an expression; SyntaxError where it isn't one."""
    parser = _Parser(text)
    tree = parser.choice()
    if parser.position != len(parser.words):
        raise SyntaxError(f"too much: {' '.join(parser.words[parser.position : parser.position + 8])}")
    return tree


def evaluate_text(text: str, scope: Scope) -> Any:
    """The value of an expression."""
    return _value(parse_expression(text), scope)


def _value(tree: Tree, scope: Scope) -> Any:
    match tree:
        case ("value", value):
            return value
        case ("name", name):
            return scope.typed_value(name)
        case ("if", test, if_true, if_false):
            return _value(if_true if _flag(_value(test, scope)) else if_false, scope)
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
            return _apply_operator(sign, _value(left, scope), _value(right, scope))
        case ("index", inner, place):
            return _value(inner, scope)[_value(place, scope)]
        case ("method", name, ("name", variable), arguments):
            # The engine leaves a property as a text where a text's method is called on it.
            return _method(name, scope.text(variable), [_value(argument, scope) for argument in arguments])
        case ("method", name, inner, arguments):
            return _method(name, _value(inner, scope), [_value(argument, scope) for argument in arguments])
        case ("call", name, arguments):
            return _call_function(name, [_value(argument, scope) for argument in arguments], scope)
    raise AssertionError(tree)


def _flag(value: Any) -> bool:
    assert isinstance(value, bool), value
    return value


def _apply_operator(sign: str, left: Any, right: Any) -> Any:
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
        case "equals", [operand]:
            return isinstance(operand, str) and text == operand
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
        case "indexOf", [str(substring)]:
            return text.find(substring)
        case "indexOf", [str(substring), int(start)]:
            return text.find(substring, start)
        case "charAt", [int(index)]:
            assert index >= 0, (text, index)
            return text[index]
        case "substring", [int(start)]:
            return text[start:]
        case "substring", [int(start), int(end)]:
            assert 0 <= start <= end <= len(text), (text, start, end)
            return text[start:end]
    raise SyntaxError(f"no method {name} with {arguments}")


def _call_function(name: str, arguments: list[Any], scope: Scope) -> Any:
    if name in scope.functions:
        return scope.functions[name](*arguments)
    if name == "GetString":
        return scope.text(arguments[0])
    if name == "String.valueOf":
        return java(arguments[0])
    if name == "Double.parseDouble":
        assert isinstance(arguments[0], str), arguments
        return float(arguments[0])
    if name == "Integer.parseInt":
        assert isinstance(arguments[0], str), arguments
        return int(arguments[0])
    if name == "Character.getNumericValue":
        return int(arguments[0], 36)
    if name == "Math.round":
        return math.floor(arguments[0] + 0.5)
    numbers: dict[str, Callable[..., Any]] = {"Math.abs": abs, "Math.max": max, "Math.min": min}
    if name in ("Math.floor", "Math.ceil"):
        return float(math.floor(arguments[0]) if name == "Math.floor" else math.ceil(arguments[0]))
    return numbers[name](*arguments)
