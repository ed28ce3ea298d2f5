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
    "ahead": Key("text", "The side with more points."),
    "allowance": Key("number", "The points that a unit has to move."),
    "applied": Key("rows", "What counted: `text`, `rule`, and by how much."),
    "back": Key("chances", "How many refitted units are back in time."),
    "barred": Key("rows", "Places that can't be gone to: `place`, `why`."),
    "blows": Key("rows", "What falls before the ground fire: `name`, `chances` of each result."),
    "bought": Key("rows", "What mobilization points buy: `unit`, `turn`, `cost`."),
    "casualties": Key("rows", "Casualty points by `track`: `points`, whether read from the track, and the `limit` that ends the game."),
    "codes": Key("chances", "The chance of each result of an air attack."),
    "column": Key("text", "The column of a table."),
    "endings": Key("rows", "How a battle ends: `holder`, `other_side`, `chance`."),
    "first": Key("text", "The nation whose aircraft fire first; none where both fire together."),
    "first_fire": Key("text", "Who fires first, attacker or defender."),
    "headquarters": Key("rows", "Headquarters: `unit`, `place`, `leader` value, `reach`."),
    "holder": Key("chances", "Who has more strikes left in the air."),
    "holds": Key("chances", "Who holds the point after a battle."),
    "landings": Key("rows", "Flights: `place`, `distance`, `why` not, `may_end`, `chances` of the throw."),
    "level": Key("text", "The level of victory."),
    "mean_casualty_points": Key("number", "Casualty points, on average."),
    "mean_refit": Key("number", "Strikes that go to refit, on average."),
    "mean_rounds": Key("number", "Rounds of a battle, on average."),
    "mean_turns": Key("number", "Turns until a refitted unit that comes back is back, on average."),
    "mission": Key("text", "What is flown."),
    "nations": Key("rows", "Air superiority by `nation`: `losses`, their averages, strikes `freed`."),
    "never": Key("rows", "What can't be bought: `unit`, `why`."),
    "places": Key("rows", "Places within reach: `place`, `cost`, and what else is told of each."),
    "points": Key("chances", "The chance of so many points or losses."),
    "rounds": Key("chances", "How many rounds a battle takes."),
    "scenario": Key("text", "The scenario's id."),
    "scores": Key("rows", "Every way to earn points: `side`, `text`, `rule`, `each`, `count`, `points`, `places`."),
    "seen": Key("number", "The chance that reconnaissance sees the point."),
    "shift": Key("number", "Columns to the right, or with a minus to the left."),
    "sides": Key("rows", "What is told of each side."),
    "start": Key("text", "The column before all shifts."),
    "strength": Key("number", "A strength."),
    "sudden_death": Key("rows", "Ways to win at once and what they lack; of a battle, the chance for each side."),
    "supplied": Key("flag", "Whether it is in supply."),
    "through": Key("rows", "What comes through the air defense: strikes left, `eliminated`, `refit`, `chance`."),
    "throws": Key("rows", "What each throw of the die does: `throw`, `result`."),
    "tolls": Key("rows", "Casualty points of both sides together: `holder`, `attacker`, `defender`, `chance`."),
    "totals": Key("object", "The points of each side."),
    "turns": Key("rows", "Turn by turn; of a refit, the chance of each number of turns."),
    "umbrellas": Key("rows", "Missiles: `unit`, `place`, `covers` with `place` and `distance`."),
    "what_if": Key("rows", "What one thing more or less would change."),
    "won": Key("rows", "Who has won at once: `side`, `why`."),
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
