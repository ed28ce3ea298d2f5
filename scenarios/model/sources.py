"""The source of a number: the rulebook, an inference, a reconstruction, or the user's own copy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from scenarios.reading.findings import suggest
from scenarios.reading.nodes import Node
from scenarios.reading.shapes import Findings, Form, Id, Record, Schema, documented_field, record

Word = Literal["rulebook", "inferred", "reconstructed", "mine"]
WORDS: tuple[Word, ...] = ("rulebook", "inferred", "reconstructed", "mine")


class Source(NamedTuple):
    """The source of a number: one of four words, with the section or the reasoning."""

    word: Word
    note: str

    def __str__(self) -> str:
        return f"{self.word}: {self.note}" if self.note else self.word


class _SourceForm(Form):
    empty: ClassVar[Source | None] = None

    @staticmethod
    def read(node: Node, findings: Findings) -> Source | None:
        if node.entries is None or len(node.entries) != 1:
            findings.add(node, 'a source is one word with its section or reason, such as {rulebook: "VI.B"}')
            return None
        ((word, (key, value)),) = node.entries.items()
        if word not in WORDS:
            findings.add(key, f"{word!r} is no kind of source; {suggest(word, WORDS)}")
            return None
        if not value.text:
            findings.add(value, "this source says nothing; say which section, or why, behind its kind")
            return None
        return Source(word, value.text)

    @staticmethod
    def schema(define: Callable[[Any], Schema]) -> Schema:
        text = {"type": ["string", "number"]}
        return {
            "type": "object",
            "properties": dict.fromkeys(WORDS, text),
            "minProperties": 1,
            "maxProperties": 1,
            "additionalProperties": False,
        }


SourceField = Annotated[Source | None, _SourceForm]
IdField = Annotated[str, Id]


@record
class Sourced(Record):
    """A record with a source for its data."""

    rule: str = documented_field("The section of the rulebook this follows.", "")
    source: SourceField = documented_field(
        "Where these data come from; holds for all below unless they say otherwise.", None
    )
    sources: Mapping[str, SourceField] = documented_field("Sources of single keys of this record.", {})


@record
class Reading(Record):
    """One way to read a rule."""

    shorthand: ClassVar[str] = "text"
    text: str = documented_field("The reading, in our own words.")
    rule: str = documented_field("Where the rulebook says so.", "")


@record
class Ruling(Record):
    """A place where a rulebook contradicts itself or is silent: the readings, the choice and why."""

    question: str = documented_field("What is in doubt.")
    readings: Mapping[IdField, Reading] = documented_field("Each way to read it, by a short id.")
    choice: IdField = documented_field("The id of the reading that is used.")
    why: str = documented_field("Why that one.")
    switch: bool = documented_field("True where the other readings can be chosen in play.", False)
    rule: str = documented_field("The section in doubt.", "")


UNOFFICIAL_SOURCES = ("inferred", "reconstructed")
"""The source words of unofficial numbers."""


class Datum(NamedTuple):
    """One value of a pack. An overlay uses the address to replace the value."""

    address: tuple[str, ...]
    value: str
    source: Source | None
    node: Node | None = None
    """The place in the file. None in a pack from the cache."""

    @property
    def path(self) -> str:
        """The address as one text."""
        return "/".join(self.address)


def grounds(entries: Iterable[Datum]) -> dict[str, Source | None]:
    """The addresses of terrain on boards and of points on point maps. Each has its source if that isn't the rulebook."""
    source_by_path: dict[str, Source | None] = {}
    for datum in entries:
        if datum.address[:1] + datum.address[2:3] in (("boards", "terrain"), ("maps", "points")):
            path = "/".join(map(str, datum.address[:3]))
            source_by_path.setdefault(path, None)
            if datum.source is not None and datum.source.word in UNOFFICIAL_SOURCES:
                source_by_path[path] = datum.source
    return source_by_path
