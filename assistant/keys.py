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
    "allowance": Key("number", "The points that a unit has; where dice are thrown, the chance of each number."),
    "by": Key("text", "What serves a unit: the id of a trace or a headquarters' rule."),
    "chance_of_none": Key("number", "The chance that there is no way."),
    "fate": Key("lines", "What becomes of a unit before it goes anywhere."),
    "harm": Key("number", "What a way does to who takes it, such as steps."),
    "length": Key("number", "How many hexes or points."),
    "may": Key("flag", "Whether units may stand together."),
    "may_end": Key("flag", "Whether a move may end there."),
    "none": Key("lines", "What it means that there is no way."),
    "out": Key("units", "Who is out of supply."),
    "places": Key("rows", "Places with what is told of each."),
    "refused": Key("object", "The rule that says no: `text` and `rule`."),
    "room": Key("flag", "Whether there is room."),
    "sides": Key("rows", "One part for each side."),
    "stacks": Key("rows", "Units that stand together."),
    "steps": Key("rows", "The steps of a way, each with its cost and why."),
    "stops": Key("flag", "Whether something stops a move there."),
    "supplied": Key("units", "Who is in supply; of one unit, whether it is."),
    "ways": Key("rows", "Ways back, one for each end."),
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
