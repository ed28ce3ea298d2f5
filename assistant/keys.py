"""The keys of answers in JSON: one key for one thing, in all games. docs/json.md and the schema of answers come from here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

Shape = Literal["number", "text", "flag", "place", "places", "unit", "units", "chances", "rows", "object", "lines"]


class Key(NamedTuple):
    """What a key holds, and what it means."""

    shape: Shape
    about: str


KEYS: Mapping[str, Key] = {
    "lines": Key("lines", "Sentences, each with `text` and, where a rule says so, `rule`."),
    "warnings": Key("lines", "Sentences that must not be overlooked, likewise."),
    "not_the_rulebooks": Key("object", "Numbers that the answer rests on and that aren't the rulebook's: what each is, and its source."),
    "left_out": Key("rows", "What a save has and the pack doesn't know: `unit`, `copy`, `at`, `state`; nothing counts it."),
    "meanings": Key("object", "What each outcome means."),
    "place": Key("place", "A hex, a point or a box."),
    "from": Key("place", "Where it starts."),
    "to": Key("place", "Where it ends."),
    "path": Key("places", "A way over the map, its first place and its last included."),
    "cost": Key("number", "Points that a step or a way costs."),
    "rule": Key("text", "The number of the rule."),
    "why": Key("text", "The reason."),
    "unit": Key("unit", "A counter by its id, with `/2` for the second of several."),
    "units": Key("units", "Counters by their ids."),
    "name": Key("text", "The name on the counter."),
    "side": Key("text", "Whose: a side's id."),
    "chance": Key("number", "A chance, exact, such as 5/36."),
    "chances": Key("chances", "The chance of each outcome."),
    "title": Key("text", "The heading of a part."),
}
"""Every key that an answer may have, in alphabetical order after the common ones."""

_SCHEMAS: Mapping[Shape, dict[str, Any]] = {
    "number": {"type": ["number", "string", "null"]},
    "text": {"type": ["string", "null"]},
    "flag": {"type": ["boolean", "null"]},
    "place": {"type": ["string", "null"]},
    "places": {"type": "array", "items": {"type": ["string", "object"]}},
    "unit": {"type": ["string", "null"]},
    "units": {"type": "array", "items": {"type": "string"}},
    "chances": {"type": "object", "additionalProperties": {"type": "string"}},
    "rows": {"type": "array", "items": {"type": "object"}},
    "object": {"type": "object"},
    "lines": {"type": "array", "items": {"type": "object"}},
}


def schema() -> dict[str, Any]:
    """A JSON Schema of answers."""
    known = {key: {"description": held.about, **_SCHEMAS[held.shape]} for key, held in KEYS.items()}
    named = {"game": {"type": "string"}, "question": {"type": "string"}}
    return {"type": "object", "required": ["game", "question"], "properties": {**named, **known}, "additionalProperties": False}
