"""An answer: a tree of a few kinds of node, built once; `rendering` turns it into lines, JSON or the page's nodes.

A question builds its answer from these nodes and nothing else:

    Answer("move", game.id, [
        Value("allowance", Fraction(6), "Points"),
        MapPath("path", [PlaceRef("33.10"), PlaceRef("33.11")], cost=Fraction(2)),
        Warning("an enemy zone of control stops it", "1.5"),
    ])

A node's `key` is its name in JSON. `keys.KEYS` lists all keys and their meanings, so that one thing has one key in all
games.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple


class BadQuestion(ValueError):
    """A question without an answer; the sentence says why, and what to do instead."""

    preface: Sequence[Node] = ()
    """What comes before the sentence, as before an answer: units that aren't set up, assumptions."""


class UnknownName(BadQuestion):
    """A name that the game or its map doesn't have. No unit on the map would change that."""


RULING = re.compile(r"\bruling ([a-z][a-z0-9_]*)")


def rule_text(rule: str) -> str:
    """Return the number of a rule as people read it: a ruling by its name in words."""
    return RULING.sub(lambda match: f"our ruling: {match[1].replace('_', ' ')}", rule)


def with_rule(text: str, rule: str) -> str:
    """Return a sentence with its rule."""
    return f"{text} ({rule_text(rule)})" if rule else text


class Refusal(BadQuestion):
    """A refusal by a rule: the sentence, and the number of the rule; there may be several reasons."""

    def __init__(self, text: str, rule: str = "", further_reasons: Iterable[tuple[str, str]] = ()) -> None:
        self.text, self.rule = text, rule
        self.reasons = ((text, rule), *further_reasons)
        super().__init__("\n".join(with_rule(text, rule) for text, rule in self.reasons))


class PlaceRef(NamedTuple):
    """A hex, a point or a box, by the name that players use; the page can draw it."""

    name: str
    title: str = ""
    """The text to show instead of the name, such as `Port Said`."""

    def __str__(self) -> str:
        return self.title or self.name


class CounterRef(NamedTuple):
    """A unit or a marker: its id (with `/2` for the second copy) and its printed name."""

    id: str
    name: str

    def __str__(self) -> str:
        return self.name


LEAST_SHOWN = Fraction(1, 2000)
"""A smaller chance would be shown as 0.0%, as if it couldn't happen."""


class Chance(NamedTuple):
    """A chance, shown as a percentage; exact in JSON, such as 5/36."""

    value: Fraction

    def __str__(self) -> str:
        if 0 < self.value < LEAST_SHOWN:
            return "<0.1%"
        return ">99.9%" if 1 - LEAST_SHOWN < self.value < 1 else f"{float(self.value):.1%}"


Cell = str | int | bool | Fraction | Chance | PlaceRef | CounterRef | Sequence["Cell"] | Mapping[str, "Cell"] | None
"""A value in an answer. Fractions stay exact until they are displayed."""
Part = str | PlaceRef | CounterRef
Text = Part | tuple[Part, ...]
"""A sentence, or its parts where it names places or units."""


def plain_text(text: Text) -> str:
    """Return a sentence as people read it."""
    return "".join(map(str, text)) if type(text) is tuple else str(text)


@dataclass(frozen=True)
class Sentence:
    """A sentence with its rule. Without a key it is part of `lines` in JSON."""

    text: Text
    rule: str = ""
    key: str = ""
    for_programs: bool = True
    """Whether programs get it. It is false for a node that only puts other values into words."""


@dataclass(frozen=True)
class Value:
    """One value with a name: `Points: 6`. `shown=False` keeps it for programs."""

    key: str
    value: Cell
    title: str = ""
    rule: str = ""
    for_people: bool = True


@dataclass(frozen=True)
class Chances:
    """The exact chance of each outcome, with the meanings of the outcomes."""

    key: str
    chances: Mapping[str, Fraction]
    title: str = ""
    meanings: Mapping[str, str] = field(default_factory=dict)


class TableColumn(NamedTuple):
    """A column of a table: its key and its heading. Without a heading only programs see it."""

    key: str
    title: str = ""
    for_programs: bool = True
    """Whether programs get it. It is false for a node that only puts other values into words."""


@dataclass(frozen=True)
class RowTable:
    """Rows with the same columns: a list of objects in JSON, aligned on a screen. A row may omit a column."""

    key: str
    columns: Sequence[TableColumn]
    rows: Sequence[Mapping[str, Cell]]
    title: str = ""
    heads: bool = True
    """Whether the column headings are shown."""
    for_programs: bool = True
    """Whether programs get it. It is false for a node that only shows other nodes in a better way."""


@dataclass(frozen=True)
class MapPath:
    """A path over the map, from its first place to its last."""

    key: str
    places: Sequence[PlaceRef]
    title: str = ""
    cost: Fraction | None = None
    rule: str = ""
    complete: bool = False
    """Whether a long path is shown with all its places."""
    drawing: str = ""
    """What lines of text show instead of the names."""


@dataclass(frozen=True)
class PlaceList:
    """Places of the map, each with some values (`cost`, `stops`, `may_end`). The page shades them."""

    key: str
    places: Mapping[PlaceRef, Mapping[str, Cell]]
    title: str = ""
    visible_columns: Sequence[TableColumn] = ()
    """The values shown after each place on a screen; if empty, only the names."""
    list_names: bool = True
    """Whether a screen lists them, or only gives their number."""


@dataclass(frozen=True)
class Warning:
    """A sentence that a player must not overlook. Warnings are under `warnings` in JSON."""

    text: Text
    rule: str = ""


class Assumption(NamedTuple):
    """An assumption of an answer: the input that would replace it, the value, and a few words for people."""

    input: str
    value: Cell
    text: str
    rule: str = ""


@dataclass(frozen=True)
class Assumptions:
    """All assumptions of an answer, as its first node. They are under `assumptions` in JSON."""

    items: Sequence[Assumption]


@dataclass(frozen=True)
class Unofficial:
    """Unofficial numbers that the answer depends on: the overlay entry of each, and a word for its source."""

    numbers: Mapping[str, str]


@dataclass(frozen=True)
class Section:
    """Nodes under a title; with a key they are an object of their own in JSON. `shown=False` keeps them for
    programs."""

    nodes: Sequence[Node]
    title: Text = ""
    key: str = ""
    for_people: bool = True


@dataclass(frozen=True)
class Sections:
    """Sections of the same form, such as one for each side: a list of objects in JSON."""

    key: str
    sections: Sequence[Section]
    title: str = ""


Node = (
    Sentence
    | Value
    | Chances
    | RowTable
    | MapPath
    | PlaceList
    | Warning
    | Assumptions
    | Unofficial
    | Section
    | Sections
)


@dataclass(frozen=True)
class Answer:
    """The answer to a question."""

    question: str
    game: str
    nodes: Sequence[Node]
    is_failure: bool = False
    """Whether it is a check that found something wrong: the command ends with exit code 1."""


def chances_cell(chances: Mapping[Any, Fraction]) -> dict[str, Cell]:
    """Return chances by outcome, as a cell or a value."""
    return {str(outcome): Chance(chance) for outcome, chance in chances.items()}


def chances_of(
    key: str, chances: Mapping[Any, Fraction], title: str = "", meanings: Mapping[str, str] | None = None
) -> Chances:
    """Return chances with outcomes of any kind, such as numbers."""
    return Chances(key, {str(outcome): chance for outcome, chance in chances.items()}, title, meanings or {})


def remark(text: Text) -> Sentence:
    """Return a line for people only, which puts other nodes' values into words."""
    return Sentence(text, for_programs=False)
