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
    "units": Key("units", "Counters by their ids, or a row for each."),
    "name": Key("text", "The name on the counter."),
    "side": Key("text", "Whose: a side's id."),
    "chance": Key("number", "A chance, exact, such as 5/36."),
    "chances": Key("chances", "The chance of each outcome."),
    "title": Key("text", "The heading of a part."),
    "after_markers": Key("number", "The Escalation Index with the markers that are drawn."),
    "ahead": Key("text", "The side that leads; nothing where both are level."),
    "airstrike_lost": Key("number", "The chance that an airstrike is lost."),
    "airstrikes": Key("number", "How many airstrikes there are."),
    "airstrikes_lost": Key("chances", "How many airstrikes are lost."),
    "allowance": Key("number", "Movement points, or hexes, that a unit has."),
    "amount": Key("number", "By how much a modifier changes something."),
    "applied": Key("rows", "The modifiers that count: `text`, `rule`, `effect`, `amount`."),
    "assault": Key("places", "Where it would land on the enemy."),
    "attacker": Key("number", "Units that the attacker loses, on average."),
    "by_road": Key("flag", "Whether the line goes along roads all the way."),
    "change": Key("text", "What would be otherwise."),
    "cleared": Key("number", "The chance that no defender is left in the hex."),
    "column": Key("text", "The column of a table."),
    "committed": Key("object", "The chance that each contingent is committed."),
    "contested": Key("flag", "Whether an enemy is where it lands, or anti-aircraft next to it."),
    "count": Key("number", "How many, or how often."),
    "cuts": Key("rows", "Where an enemy would cut lines of supply, and whose."),
    "defender": Key("number", "Units that the defender loses, on average."),
    "disrupted": Key("number", "The chance that a unit is disrupted; or how many are."),
    "each": Key("number", "Points for each."),
    "eliminated": Key("number", "The chance that a unit is eliminated; or how many are."),
    "eliminations": Key("chances", "How many units are eliminated."),
    "ends": Key("places", "Where a way may end."),
    "event": Key("text", "A random event."),
    "events": Key("rows", "Random events by `roll`."),
    "expected": Key("number", "The mean."),
    "fates": Key("rows", "What becomes of a unit, die by die."),
    "fired_at": Key("number", "The attacking stack that the defenders fire at, by its number."),
    "first_fire": Key("text", "Who fires first: attacker or defender."),
    "hexes": Key("number", "How many hexes."),
    "in": Key("number", "How many units are in supply."),
    "index": Key("number", "The Escalation Index."),
    "index_then": Key("object", "The chance of each Escalation Index at the end, where peace holds."),
    "inputs": Key("object", "What is told of a battle, and what the map tells."),
    "level": Key("text", "The level of victory."),
    "libya": Key("number", "Units that come by way of Libya."),
    "limits": Key("object", "How many units may come in an impulse, by how they come."),
    "losses": Key("rows", "What a side may lose together, with the chance of each."),
    "lost_after_dr": Key("number", "The chance that a retreat is the end of a unit that a DR has disrupted."),
    "marker": Key("unit", "A marker by its id."),
    "markers": Key("rows", "Markers that are drawn: `points`, and if it may not be played `why`."),
    "may_end": Key("flag", "Whether a unit may end there, by the stacking limit."),
    "may_pursue": Key("number", "The chance that attackers may pursue."),
    "meaning": Key("text", "What it means."),
    "mission": Key("text", "What an air mission is for."),
    "must_pursue": Key("number", "The chance that attackers must pursue."),
    "nation": Key("text", "A nation's id."),
    "not_counted": Key("lines", "What the chances leave out."),
    "note": Key("text", "What else holds."),
    "off_map": Key("number", "How many units are not on the map yet."),
    "out": Key("number", "How many units are out of supply."),
    "outcome": Key("text", "What becomes of a unit: unharmed, disrupted or eliminated."),
    "panic": Key("rows", "What a panic does to each unit."),
    "peace": Key("number", "The chance that there is no world war."),
    "places": Key("places", "Places that count."),
    "playable": Key("flag", "Whether a marker may be played."),
    "points": Key("number", "Points."),
    "policy": Key("text", "Who takes a loss."),
    "pursuit": Key("number", "How many hexes a unit pursues."),
    "reach": Key("places", "Where a unit can go: `cost`, `path`, `stops`, `may_end`."),
    "retreated": Key("number", "The chance that a unit retreats; or how many do."),
    "retreats": Key("rows", "What a retreat would do to each unit."),
    "role": Key("text", "attacker or defender."),
    "roll": Key("number", "What is thrown."),
    "routs": Key("flag", "Whether it routs; otherwise it withdraws."),
    "scored": Key("rows", "What has given points, and how many."),
    "scores": Key("rows", "All that gives points, and how many it has given."),
    "shift": Key("number", "By how many columns."),
    "sides": Key("rows", "One for each side."),
    "stack": Key("number", "The number of a stack."),
    "stays": Key("flag", "Whether it ignores a retreat."),
    "steps": Key("rows", "Each step of a way: `place`, `cost`, `why`."),
    "steps_lost": Key("chances", "How many units lose a step."),
    "stops": Key("flag", "Whether an enemy zone of control stops it there."),
    "supplied": Key("flag", "Whether it is in supply."),
    "text": Key("text", "A sentence, or what something is called."),
    "totals": Key("object", "The points of each side."),
    "turn": Key("number", "A turn by its number."),
    "turns": Key("rows", "One for each turn."),
    "war": Key("number", "The chance of a world war."),
    "way": Key("text", "How it goes: the letter of the rule's direction, or the name of a way onto the map."),
    "ways": Key("rows", "The ways onto the map."),
    "what_if": Key("rows", "What one thing more or less would change."),
    "won": Key("rows", "Who has won at once, and why."),
}
"""Every key that an answer may have, in alphabetical order after the common ones."""

_SCHEMAS: Mapping[Shape, dict[str, Any]] = {
    "number": {"type": ["number", "string", "null"]},
    "text": {"type": ["string", "null"]},
    "flag": {"type": ["boolean", "null"]},
    "place": {"type": ["string", "null"]},
    "places": {"type": "array", "items": {"type": ["string", "object"]}},
    "unit": {"type": ["string", "null"]},
    "units": {"type": "array", "items": {"type": ["string", "object"]}},
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
