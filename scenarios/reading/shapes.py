"""Shapes: frozen dataclasses that declare the content of a file, and the reader that fills them.

The type of a field is its check. Its `note` is shown in editors. A wrong value is reported and replaced by an
empty one, so that one run finds all errors.
"""

from __future__ import annotations

import dataclasses
import functools
import re
import types
import typing
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from types import MappingProxyType
from typing import Any, ClassVar

from scenarios.reading.findings import Finding, nearest, suggest
from scenarios.reading.nodes import Node, brief
from scenarios.reading.renamed_keys import new_key

Schema = dict[str, Any]


class Findings(list[Finding]):
    """A list of findings."""

    def add(self, node: Node, message: str) -> None:
        """Add a finding at a node."""
        self.append(node.find(message))


T = typing.TypeVar("T")


@typing.dataclass_transform(kw_only_default=True, frozen_default=True)
def record(shape: type[T]) -> type[T]:
    """Make a class a record: a frozen dataclass with keyword arguments.

    A dataclass writes and compiles five functions for each class. There are some hundred classes, so this took most of the time
    between Enter and an answer. Records share the functions of `Record` instead.
    """
    return dataclass(init=False, repr=False, eq=False, kw_only=True)(shape)


@record
class Record:
    """A mapping in a file. `node` is its place (None if it was built in code)."""

    node: Node | None = field(default=None, repr=False, compare=False)

    if not typing.TYPE_CHECKING:

        def __init__(self, **values: Any) -> None:
            names, defaults = _signature(type(self))
            held = self.__dict__
            held.update(defaults)
            held.update(values)
            if len(held) != len(names) or not names.issuperset(held):
                strange, lacking = sorted(set(held) - names), sorted(names - set(held))
                raise TypeError(
                    f"{type(self).__name__} has no {strange}" if strange else f"{type(self).__name__} needs {lacking}"
                )

        def __setattr__(self, name: str, value: Any) -> None:
            raise dataclasses.FrozenInstanceError(f"a {type(self).__name__} never changes; `replace` makes another")

        __delattr__ = __setattr__

        def __eq__(self, other: object) -> bool:
            return type(self) is type(other) and self._compared() == other._compared()

        def __hash__(self) -> int:
            return hash(self._compared())

        def __repr__(self) -> str:
            shown = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in dataclasses.fields(self) if f.repr)
            return f"{type(self).__name__}({shown})"

        def _compared(self) -> tuple[Any, ...]:
            return tuple(getattr(self, f.name) for f in dataclasses.fields(self) if f.compare)


@functools.cache
def _signature(shape: type[Record]) -> tuple[frozenset[str], Mapping[str, Any]]:
    """The names of a record's fields, and the defaults of the optional ones."""
    defaults: dict[str, Any] = {}
    for f in dataclasses.fields(shape):
        if f.default is not dataclasses.MISSING:
            defaults[f.name] = f.default
        elif f.default_factory is not dataclasses.MISSING:
            defaults[f.name] = f.default_factory()  # an empty mapping that nobody can change
    return frozenset(f.name for f in dataclasses.fields(shape)), defaults


class Scalar:
    """A text with a meaning of its own. `parse` returns the value or raises ValueError with a sentence."""

    empty: ClassVar[Any] = ""
    schema: ClassVar[Schema] = {"type": ["string", "number", "boolean"]}

    @staticmethod
    def parse(text: str) -> Any:
        raise NotImplementedError


class Form:
    """A value with more than one notation. It reads its own node."""

    empty: ClassVar[Any] = None
    is_list: ClassVar[bool] = False
    """Whether a spreadsheet cell may have several values, separated by commas."""

    @staticmethod
    def read(node: Node, findings: Findings) -> Any:
        raise NotImplementedError

    @staticmethod
    def schema(define: Callable[[Any], Schema]) -> Schema:
        raise NotImplementedError


def documented_field(note: str, default: Any = dataclasses.MISSING, sheet: bool = False, inner: bool = False) -> Any:
    """A field with a note for editors and docs, and optionally a default.

    A `sheet` field may be in a CSV file. Nobody writes an `inner` field by hand.
    """
    about = {"note": note, "sheet": sheet, "inner": inner}
    if default is dataclasses.MISSING:
        return field(metadata=about)
    if isinstance(default, dict):
        return field(default_factory=lambda: MappingProxyType(dict(default)), metadata=about)
    return field(default=default, metadata=about)


def key_of(field_name: str) -> str:
    """The key in the file. The field `class_` has the key `class`."""
    return field_name.rstrip("_")


NUMBER = re.compile(r"[+-]?\d{1,12}(?:/[1-9]\d{0,11}|\.\d{1,12})?")
COLOR = re.compile(r"#[0-9a-fA-F]{6}")
ID = re.compile(r"[a-z0-9][a-z0-9_.:+-]*", re.IGNORECASE)


@functools.lru_cache(maxsize=4096)
def number(text: str) -> Fraction:
    """Parse '3', '-1', '1/2' or '1.5' exactly."""
    if not NUMBER.fullmatch(text.strip()):
        raise ValueError(f"{brief(text)} is not a number; write one such as 3, -1, 1/2 or 1.5")
    return Fraction(text.strip())


class Color(Scalar):
    """A color such as #a9c8e8."""

    empty = "#000000"
    schema: ClassVar[Schema] = {"type": "string", "pattern": "^#[0-9a-fA-F]{6}$"}

    @staticmethod
    def parse(text: str) -> str:
        if not COLOR.fullmatch(text):
            raise ValueError(f'{text!r} is not a colour; write six hex digits in quotes, such as "#a9c8e8"')
        return text.lower()


class Id(Scalar):
    """A short name for use in other files: letters, digits, and _ . : + - inside."""

    schema: ClassVar[Schema] = {"type": ["string", "number"]}

    @staticmethod
    def parse(text: str) -> str:
        if not ID.fullmatch(text):
            raise ValueError(f"{text!r} can't be an id; use letters, digits and _ . : + - only")
        return text


class Mark(Scalar):
    """One printable character for a kind of terrain in a drawn board."""

    schema: ClassVar[Schema] = {"type": ["string", "number"], "maxLength": 1}

    @staticmethod
    def parse(text: str) -> str:
        if len(text) != 1 or not 32 < ord(text) < 127:
            raise ValueError(f"{text!r} can't be a mark; write one printable character other than a space")
        return text


Reader = Callable[[Node, Findings], Any]


@functools.cache
def reader(shape: Any) -> Reader:
    """The function that reads a node as `shape`."""
    origin = typing.get_origin(shape)
    if origin is typing.Annotated:
        return _annotated_reader(typing.get_args(shape)[1])
    if isinstance(shape, type) and issubclass(shape, Record):
        return _record(shape)
    if shape in _SCALARS:
        return _scalar(*_SCALARS[shape])
    if origin is typing.Literal:
        return _choice(typing.get_args(shape))
    if origin is tuple:
        return _list(reader(typing.get_args(shape)[0]))
    if origin in (dict, Mapping):
        key, value = typing.get_args(shape)
        return _mapping(reader(key), reader(value))
    if origin in (typing.Union, types.UnionType):
        inner = [a for a in typing.get_args(shape) if a is not type(None)]
        if len(inner) == 1:
            return reader(inner[0])
    raise TypeError(f"no way to read {shape!r}")


def empty(shape: Any) -> Any:
    """The replacement for a missing or wrong value of this shape."""
    origin = typing.get_origin(shape)
    if origin is typing.Annotated:
        return typing.get_args(shape)[1].empty
    if shape in _SCALARS:
        return _SCALARS[shape][1]
    if origin is typing.Literal:
        return typing.get_args(shape)[0]
    if origin is tuple:
        return ()
    if origin in (dict, Mapping):
        return MappingProxyType({})
    if isinstance(shape, type) and issubclass(shape, Record):
        kind: Any = shape
        return kind(**_layout(kind).empties)
    return None


def _text(text: str) -> str:
    if not text.strip():
        raise ValueError("this is empty; write a text (in { }, one with a comma in it needs quotes)")
    return text.strip()


def _int(text: str) -> int:
    if not re.fullmatch(r"[+-]?\d{1,9}", text):
        raise ValueError(f"{text!r} is not a whole number; write one such as 3")
    return int(text)


def _bool(text: str) -> bool:
    flag_words = {"true": True, "yes": True, "false": False, "no": False}
    if text.casefold() not in flag_words:
        raise ValueError(f"{text!r} is neither true nor false; write true or false")
    return flag_words[text.casefold()]


_SCALARS: dict[Any, tuple[Callable[[str], Any], Any]] = {
    str: (_text, ""),
    int: (_int, 0),
    bool: (_bool, False),
    Fraction: (number, Fraction(0)),
}


def _annotated_reader(form: Any) -> Reader:
    if issubclass(form, Scalar):
        return _scalar(form.parse, form.empty)
    result: Reader = form.read
    return result


def _scalar(parse: Callable[[str], Any], otherwise: Any) -> Reader:
    def read(node: Node, findings: Findings) -> Any:
        if node.text is None:
            findings.add(node, f"here stands {node.kind}; write a single value")
            return otherwise
        try:
            return parse(node.text)
        except ValueError as error:
            findings.add(node, str(error).replace(repr(node.text), brief(node.text)))
            return otherwise

    return read


def _choice(choices: tuple[str, ...]) -> Reader:
    def parse(text: str) -> str:
        if text not in choices:
            raise ValueError(f"{text!r} is not known here; {suggest(text, choices)}")
        return text

    return _scalar(parse, choices[0])


def _list(read_item: Reader) -> Reader:
    def read(node: Node, findings: Findings) -> Any:
        if node.items is None:
            findings.add(node, f"here stands {node.kind}; write a list, such as [a, b]")
            return ()
        return tuple(read_item(item, findings) for item in node.items)

    return read


def _mapping(read_key: Reader, read_value: Reader) -> Reader:
    def read(node: Node, findings: Findings) -> Any:
        if node.entries is None:
            if not node.empty:
                findings.add(node, f"here stands {node.kind}; write a mapping of ids and values")
            return MappingProxyType({})
        values: dict[Any, Any] = {}
        broken_keys = _split_texts(
            node, {text for text, (_, value) in node.entries.items() if not value.empty}, findings, calls=True
        )
        for text, (key, value) in node.entries.items():
            if text in broken_keys:
                if not value.empty:  # so that references to it still find it
                    values[text] = read_value(Node(value.path, value.line, value.column, text=""), Findings())
                continue
            findings_before = len(findings)
            read_as = read_key(key, findings)
            # A wrong key stays as written, so that references to it still find it.
            values[text if len(findings) > findings_before else read_as] = read_value(value, findings)
        return MappingProxyType(values)

    return read


@dataclass(frozen=True)
class _FieldFacts:
    """The facts about a record's fields that the reader needs."""

    by_key: Mapping[str, tuple[str, Reader]]
    required: Mapping[str, str]
    empties: Mapping[str, Any]


@functools.cache
def _layout(shape: Any) -> _FieldFacts:
    hints = typing.get_type_hints(shape, include_extras=True)
    fields = [f for f in dataclasses.fields(shape) if f.name != "node"]
    required_fields = {
        key_of(f.name): f.name
        for f in fields
        if f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING
    }
    return _FieldFacts(
        by_key={key_of(f.name): (f.name, reader(hints[f.name])) for f in fields},
        required=required_fields,
        empties={name: empty(hints[name]) for name in required_fields.values()},
    )


def _split_texts(node: Node, known_keys: Collection[str], findings: Findings, *, calls: bool = False) -> set[str]:
    """The keys of texts that a comma split because they lack quotes: {when: any(a, b)} has the keys `when` and `b)`. With `calls`, only
    texts that end inside brackets are found.
    """
    broken_keys: set[str] = set()
    open_key = ""
    for key, (key_node, value) in (node.entries or {}).items():
        if key in known_keys:
            open_key = key if value.style is None and value.text else ""
        elif open_key and value.empty:
            start = (node.entries or {})[open_key][1]
            text = start.text or ""
            # In braces, on one line, and no typo of a known key.
            if text.count("(") > text.count(")") or (
                not calls and key_node.line == start.line and not nearest(key, known_keys)
            ):
                if open_key not in broken_keys:
                    findings.add(
                        start, f"what begins with {text!r} has a comma in it; inside {{ }} it needs quotes around it"
                    )
                broken_keys |= {open_key, key}
    return broken_keys


def _record(shape: type[Record]) -> Reader:
    shorthand = getattr(shape, "shorthand", None)
    kind: Any = shape

    def read(node: Node, findings: Findings) -> Any:
        if node.entries is None:
            if shorthand is not None and node.text and not node.empty:
                inner = Node(node.path, node.line, node.column, entries={shorthand: (node, node)})
                return read(inner, findings)
            layout = _layout(kind)
            keys = ", ".join(layout.required or layout.by_key)
            findings.add(node, f"here stands {node.kind}; write a mapping with {keys}")
            inner = Node(node.path, node.line, node.column, entries={})
            return shape(**layout.empties, node=inner)
        layout = _layout(kind)
        by_key, required_fields = layout.by_key, layout.required
        values: dict[str, Any] = {}
        broken_keys = _split_texts(node, by_key, findings)
        for key, (key_node, value_node) in node.entries.items():
            if key in broken_keys:
                continue
            if key not in by_key:
                new_key_hint = new_key(kind.__name__, key)
                message = (
                    f"is gone since 0.2; {new_key_hint}"
                    if new_key_hint
                    else f"is not known here; {suggest(key, by_key)}"
                )
                findings.add(key_node, f"the key {key!r} {message}")
                continue
            name, read_value = by_key[key]
            if value_node.empty and key not in required_fields:
                continue
            values[name] = read_value(value_node, findings)
        for key, name in required_fields.items():
            if name not in values:
                if key not in broken_keys:
                    findings.add(node, f"the key {key!r} is missing; add it")
                values[name] = layout.empties[name]
        return shape(**values, node=node)

    return read


def place(record: Record, *steps: str | int) -> Node:
    """The place of a part of a record, for a finding."""
    return record.node.child(*steps) if record.node is not None else Node("(built in code)", 1, 1)


def check_known(
    record: Record, key: str, value: str, words: Iterable[str], noun: str, findings: Findings, *steps: str | int
) -> bool:
    """Whether a value is one of the words. Adds a finding if it isn't. An empty value gives no finding."""
    if not value or value in (word_list := list(words)):
        return bool(value)
    findings.add(place(record, key, *steps), f"there is no {noun} {value!r}; {suggest(value, word_list)}")
    return False
