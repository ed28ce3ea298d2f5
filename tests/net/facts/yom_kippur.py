"""The answers of Yom Kippur."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tests.net.facts.shared import ADVANCES, ATTACK, ATTACKS, FORECAST, RETREAT, SCORED, STACK, TURNS
from tests.net.reading import (
    WHOLE,
    Fact,
    Facts,
    Reader,
    bag,
    chances,
    each_as,
    field_by_key,
    field_of,
    flag,
    names,
    names_where,
    number,
    record,
    rules,
    size,
    values_by_key,
    way,
    word,
)


def loser(result: Mapping[str, Any], role: str) -> dict[str, Any]:
    """What a result does to one side: by the table, and unit by unit."""
    effects, units = result["effects"], [row for row in result["units"] if row["role"] == role]
    return {
        "steps": number(effects.get(f"{role}_steps", effects.get("barrage_steps", 0) if role == "defender" else 0)),
        "retreat": number(effects.get(f"{role}_retreat", 0)),
        "lost": {row["unit"]: number(row["steps"]) for row in units if Fraction(str(row["steps"]))},
        "back": {
            row["unit"]: {"lost": number(row["harm"]), "to": names(row["ends"])} for row in units if "ends" in row
        },
        "crowded": f"{role}s" in result["crowded_groups"],
        "sure": f"{role}s" not in result["uncertain_groups"],
    }


def battle_result(result: Mapping[str, Any]) -> dict[str, Any]:
    """A result of an attack."""
    return {
        "chance": number(result["chance"]),
        "attacker": loser(result, "attacker"),
        "defender": loser(result, "defender"),
        "falls": flag(result["hex_falls"]),
        "taken": flag(result["hex_taken"]),
    }


CHANGE = record(
    column=("column", word),
    falls=("hex_falls", number),
    taken=("hex_taken", number),
    attacker=("attacker_steps", number),
    defender=("defender_steps", number),
    hit=("hit", number),
)
COLUMN_FACTS = {
    "next_column": Fact("next_column", number),
    "changes": Fact("what_if", each_as("change", CHANGE), free=True),
}


def by_side(read: Reader) -> Reader:
    """A list of parts, one for each side, by side."""
    return lambda value: {part["side"]: read(part) for part in value}


def from_headquarters(row: Mapping[str, Any]) -> Any:
    """What a line costs from the headquarters that it comes from; those from an edge of the map have no limit to count for."""
    return number(row.get("cost")) if row.get("source") else None


def lead(answer: Mapping[str, Any]) -> Any:
    """Israeli points less Egyptian points."""
    totals = answer.get("totals", {})
    return Fraction(str(totals["israeli"])) - Fraction(str(totals["egyptian"])) if totals else None


def objectives(rows: Any) -> dict[str, str]:
    """Who holds each hex that wins, with units in supply."""
    return {place: row["side"] for row in rows for place in row["places"]}


def landings(answer: Mapping[str, Any]) -> Any:
    """Where units may land, and how far that is."""
    if "remarks" not in answer:
        return None
    return {row["place"]: number(row["cost"]) for row in answer["places"] if row["may_end"] and row["cost"]}


FACTS: Mapping[str, Facts] = {
    "odds": {
        **ATTACK,
        **COLUMN_FACTS,
        "results": Fact("results", each_as("result", battle_result)),
        "spread": Fact("spread", values_by_key(chances)),
        "falls": Fact("hex_falls", number),
        "taken": Fact("hex_taken", number),
        "saggers": Fact("values", lambda values: flag(values["star_counts"])),
        "plan": Fact("attacks", each_as("place", record(
            units=("units", names), column=("column", word), falls=("hex_falls", number), defender=("defender_steps", number),
        )), free=True),
        "worth": Fact("worth", number),
        "idle": Fact("not_needed", names, free=True),
    },
    "supply": {
        "supplied": Fact("sides", by_side(lambda side: names_where("supplied", "unit")(side["units"]))),
        "out": Fact("sides", by_side(lambda side: names_where("supplied", "unit", False)(side["units"]))),
        "places": Fact("sides", by_side(lambda side: field_by_key("unit", "place", word)(side["units"]))),
        "costs": Fact("sides", by_side(lambda side: {row["unit"]: from_headquarters(row) for row in side["units"]})),
        "rules": Fact("sides", by_side(lambda side: field_by_key("unit", "rule", word)(side["units"]))),
        "ways": Fact("sides", by_side(lambda side: field_by_key("unit", "path", way)(side["units"])), free=True),
        "blocked": Fact("sides", by_side(lambda side: field_by_key("unit", "cut", names)(side["units"])), free=True),
        "cuts_most": Fact("sides", by_side(lambda side: tuple(size(row["unsupplied"]) for row in side["cuts"]))),
        "cuts": Fact("sides", by_side(lambda side: field_by_key("place", "unsupplied", names)(side["cuts"])), free=True),
        "held_back": Fact("ghq_holding", names),
    },
    "move": {
        "allowance": Fact("allowance", number),
        "costs": Fact("places", field_by_key("place", "cost", number)),
        "ends": Fact("places", names_where("may_end", "place"), free=True),
        "passed_only": Fact("places", names_where("may_end", "place", False)),
        "stops": Fact("places", names_where("stops", "place")),
        "way": Fact("path", way, free=True),
        "cost": Fact("cost", number),
        "overruns": Fact("acts", field_by_key("place", "left", number)),
        "landings": Fact(WHOLE, landings),
        "lift": Fact("remarks", lambda rows: number(rows[0]["amount"])),
    },
    "score": {
        **SCORED,
        "difference": Fact(WHOLE, lead),
        "if_ignored": Fact("what_if", field_by_key("change", "level", word)),
        "objectives": Fact("sudden_death", objectives),
    },
    "missiles": {"covered_by": Fact("covering", lambda rows: names(row["unit"] for row in rows))},
    "suppression": {"fly": Fact("counter_values", field_by_key("counter", "chances", chances))},
    "forecast": FORECAST,
    "recovery": {
        "dead": Fact("dead", bag(word)),
        "headquarters": Fact("headquarters", bag(field_of("name", word))),
        "places": Fact("places", lambda rows: names(row["place"] for row in rows)),
        "chances": Fact("chances", chances),
    },
    "replacement": {
        "steps": Fact("steps_left", number),
        "units": Fact("units", each_as("unit", record(
            at=("place", word), missing=("missing", number), again=("exploits_again", flag), refused=("why", flag), rules=("why", rules),
        ))),
    },
    "bridges": {
        "bridges": Fact("bridges", each_as(("side", "over"), record(open_to=("open_to", names)))),
        "sites": Fact("sites", each_as(("unit", "over"), record(refused=("why", flag), rules=("why", rules)))),
        "launches": Fact("launches", each_as(("unit", "road", "to"), record(
            refused=("why", flag), rules=("why", rules), cost=("cost", number),
        ))),
    },
    "stack": STACK,
    "retreat": RETREAT,
    "advance": ADVANCES,
    "attacks": ATTACKS,
    "turn": TURNS,
    "stacks": {
        "stacks": Fact("stacks", each_as("place", record(
            side=("side", word), units=("units", bag(word)), steps=("steps", number), room=("levels", lambda rows: number(rows[0]["room"])),
        ))),
    },
}  # fmt: skip
