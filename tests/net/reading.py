"""Small readers that turn parts of an answer's JSON into neutral values: numbers, words, sets of places, chances, records."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

Reader = Callable[[Any], Any]


WHOLE = "*"
"""The key of a fact that is read from the whole answer; the reader gives None where it isn't told."""


class Fact(NamedTuple):
    """Where a neutral fact stands in the JSON, and how it is read. What is `free` isn't settled by the rules, as one of
    several ways of the same price: it is told, but not recorded."""

    key: str
    read: Reader
    free: bool = False


Facts = Mapping[str, Fact]


def to_plain(value: Any) -> Any:
    """A neutral value as JSON: fractions as texts, sets in order."""
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): to_plain(child) for key, child in sorted(value.items())}
    if isinstance(value, frozenset | set):
        return sorted(map(str, value))
    return [to_plain(child) for child in value] if isinstance(value, tuple | list) else value


def _order(value: Any) -> str:
    return json.dumps(to_plain(value))


def number(value: Any) -> Fraction | None:
    """A number, or None where there is none."""
    return None if value is None else Fraction(str(value))


def at_least(value: Any) -> Fraction | None:
    """A throw such as 9+."""
    return None if value is None else Fraction(str(value).removesuffix("+"))


def word(value: Any) -> str:
    """A word such as a column or a level."""
    return "" if value is None else str(value)


def flag(value: Any) -> bool:
    """Yes or no."""
    return bool(value)


def names(value: Iterable[Any] | None) -> frozenset[str]:
    """A set of places, units or sides."""
    return frozenset(map(str, value or ()))


def way(value: Iterable[Any] | None) -> tuple[str, ...]:
    """Places or names in order."""
    return tuple(map(str, value or ()))


def chances(value: Mapping[str, Any]) -> dict[str, Fraction]:
    """Chances by outcome; what never happens is left out."""
    return {str(key): chance for key, text in value.items() if (chance := Fraction(str(text)))}


def numbers(value: Mapping[str, Any] | Iterable[Any]) -> dict[str, Any] | tuple[Any, ...]:
    """Numbers by name, or in order."""
    if isinstance(value, Mapping):
        return {str(key): number(text) for key, text in value.items()}
    return tuple(number(text) for text in value)


def size(value: Iterable[Any]) -> int:
    """How many."""
    return len(list(value))


RULE_PATTERN = re.compile(
    r"\d+\.\d+[a-z]?|(?:Basic|Standard|Advanced|Optional) [IVX]+(?:\.[A-Za-z0-9]+)*|Situation [A-Z]-\d+"
)


def rules(value: Any) -> frozenset[str]:
    """The rules that a sentence, or several, or objects with a `rule` cite."""
    if isinstance(value, Mapping):
        return rules(value["rule"]) if "rule" in value else rules(list(value.values()))
    if isinstance(value, str):
        return frozenset(RULE_PATTERN.findall(value))
    if not isinstance(value, list | tuple):
        return frozenset()
    return frozenset(rule for entry in value for rule in rules(entry))


def list_of(read: Reader) -> Reader:
    """A list, in order."""
    return lambda value: tuple(read(row) for row in value or ())


def bag(read: Reader) -> Reader:
    """A list whose order says nothing."""
    return lambda value: tuple(sorted((read(row) for row in value or ()), key=_order))


def field_of(key: str, read: Reader) -> Reader:
    """One field of an object."""
    return lambda value: read(value.get(key))


def record(**fields: tuple[str, Reader]) -> Reader:
    """Several fields of an object under neutral names; those that it doesn't have are left out."""
    return lambda value: {name: read(value[key]) for name, (key, read) in fields.items() if key in value}


def values_by_key(read: Reader) -> Reader:
    """An object's values by its own keys."""
    return lambda value: {str(key): read(row) for key, row in value.items()}


def field_by_key(key: str | tuple[str, ...], field: str, read: Reader) -> Reader:
    """A list of objects as one field of each by another (or by several, with @ between them)."""
    return each_as(key, field_of(field, read))


def each_as(key: str | tuple[str, ...], read: Reader) -> Reader:
    """A list of objects by one of their fields; those alike are numbered, in an order that doesn't depend on the list's."""
    keys = (key,) if isinstance(key, str) else key

    def read_objects(value: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
        values_by_name: dict[str, list[Any]] = defaultdict(list)
        for row in value or ():
            values_by_name["@".join(str(row[part]) for part in keys)].append(read(row))
        return {
            name if number == 1 else f"{name}#{number}": reading
            for name, readings in values_by_name.items()
            for number, reading in enumerate(sorted(readings, key=_order), 1)
        }

    return read_objects


def names_where(test: str, key: str, expected_value: bool = True) -> Reader:
    """From a list of objects, the names of those that pass a yes or no."""
    return lambda value: frozenset(str(row[key]) for row in value if bool(row[test]) is expected_value)


def keys_where(test: str) -> Reader:
    """From an object of objects, the names of those that pass a yes or no."""
    return lambda value: frozenset(str(key) for key, row in value.items() if row[test])


def group_by(group: str, field: str, read: Reader) -> Reader:
    """From a list of objects, one field of each by another, in order."""

    def read_groups(value: Iterable[Mapping[str, Any]]) -> dict[str, tuple[Any, ...]]:
        values_by_group: dict[str, list[Any]] = defaultdict(list)
        for row in value:
            values_by_group[str(row[group])].append(read(row[field]))
        return {name: tuple(values) for name, values in values_by_group.items()}

    return read_groups


def settled_record(facts: Facts) -> Reader:
    """An object by a table of facts, without what is free."""
    return lambda value: {
        name: fact.read(value[fact.key]) for name, fact in facts.items() if fact.key in value and not fact.free
    }


def full_record(facts: Facts) -> Reader:
    """An object by a table of facts, with what is free."""
    return lambda value: {name: fact.read(value[fact.key]) for name, fact in facts.items() if fact.key in value}
