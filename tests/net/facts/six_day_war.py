"""The answers of Six Day War 1967."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.net.facts.shared import ATTACK, ATTACKS, FORECAST, SCORED, STACK, TURNS
from tests.net.reading import (
    Fact,
    Facts,
    Reader,
    bag,
    chances,
    each_as,
    field_by_key,
    field_of,
    flag,
    full_record,
    names,
    names_where,
    number,
    record,
    rules,
    settled_record,
    size,
    values_by_key,
    way,
    word,
)


def by_table(read: Reader) -> Reader:
    """A list of attacks by the table that each is fought on."""
    return lambda value: {row["attack"]: read(row) for row in value}


def by_unit(read: Reader) -> Reader:
    """A list of units by their ids."""
    return lambda value: {unit_row["unit"]: read(unit_row) for unit_row in value}


def format_crowded_hex(stack: Mapping[str, Any]) -> str:
    """A hex with too many units, in one word."""
    return str({"hex": stack["place"], "units": stack["units"], "must_go": stack["must_go"]})


def ends(unit: Mapping[str, Any]) -> frozenset[str]:
    """Where the ways of a unit end."""
    return names(way_["to"] for way_ in unit["ways"])


def ways(unit: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """The ways of a unit by their ends."""
    return {route["to"]: way(route["path"]) for route in unit["ways"]}


RETREAT_READER = each_as("unit", record(dies=("eliminated", number), to=("to", names), rules=("rule", rules)))
CHANGE = record(
    column=("column", word),
    clears=("cleared", number),
    israelis=("lost", field_of("israeli", number)),
    arabs=("lost", field_of("arab", number)),
)
BATTLE: Facts = {
    **ATTACK,
    "percent": Fact("percent", number),
    "results": Fact("results", each_as("result", record(
        chance=("chance", number), attackers_lost=("attackers_lost", bag(word)), defenders_lost=("defenders_lost", bag(word)),
        equals=("equals", names), attacker_back=("attacker_retreats", RETREAT_READER), defender_back=("defender_retreats", RETREAT_READER),
        advance=("advance", number), recon_advance=("recon_advance", number), defender_advance=("defender_advance", number),
        too_many=("no_room", chances),
    ))),
    "eliminated": Fact("outcomes", field_by_key("unit", "eliminated", number)),
    "clears": Fact("cleared", number),
    "no_advance": Fact("barred", lambda value: names(place_row["place"] for place_row in value)),
    "next_column": Fact("next_column", number),
    "what_if": Fact("what_if", bag(CHANGE)),
    "changes": Fact("what_if", each_as("change", CHANGE), free=True),
}  # fmt: skip
STRIKE_FACTS: Facts = {
    **ATTACK,
    "struck": Fact(
        "outcomes", each_as("unit", record(eliminated=("eliminated", number), to=("to", names), rules=("rule", rules)))
    ),
    "terrorized": Fact("terrorized", number),
}

FACTS: Mapping[str, Facts] = {
    "odds": {
        "tables": Fact("attacks", by_table(settled_record(BATTLE))),
        "attacks": Fact("attacks", by_table(full_record(BATTLE)), free=True),
        "left_out": Fact("not_attacking", size),
    },
    "duties": {
        "stacks": Fact("sides", lambda sides: each_as(
            "place", record(units=("units", bag(word)), must=("must", flag), enemies=("enemies", names))
        )([stack for side in sides for stack in side["stacks"]])),
        "to_attack": Fact("sides", lambda sides: names(target["place"] for side in sides for target in side["to_attack"])),
    },
    "stack": STACK,
    "attacks": ATTACKS,
    "turn": TURNS,
    "stacks": {"too_many": Fact("stacks", lambda stacks: bag(format_crowded_hex)([stack for stack in stacks if not stack["may"]]))},
    "retreat": {
        "back": Fact("units", by_unit(ends)),
        "ways": Fact("units", by_unit(ways), free=True),
        "risks": Fact("units", by_unit(record(dies=("eliminated", number), rules=("rule", rules), may_stay=("stays", flag)))),
        "too_many": Fact("no_room", values_by_key(chances)),
    },
    "advance": {"to": Fact("units", by_unit(ends)), "ways": Fact("units", by_unit(ways), free=True)},
    "move": {
        "allowance": Fact("allowance", lambda value: chances(value if isinstance(value, Mapping) else {str(value): 1})),
        "costs": Fact("places", field_by_key("place", "cost", number)),
        "chances": Fact("places", each_as("place", lambda place_row: number(place_row.get("chance", 1)))),
        "ends": Fact("places", names_where("may_end", "place"), free=True),
        "passed_only": Fact("places", names_where("may_end", "place", False)),
        "stops": Fact("places", names_where("stops", "place")),
        "ways": Fact("places", field_by_key("place", "path", way), free=True),
        "price": Fact("price", number),
        "kind": Fact("mission", word),
        "landings": Fact("landings", lambda value: names(landing["place"] for landing in value)),
        "in_enemy_zone": Fact("landings", names_where("enemy_zone", "place")),
        "surprised": Fact("surprised", lambda value: names(place_row["place"] for place_row in value)),
    },
    "supply": {
        "supplied": Fact("units", names_where("supplied", "unit")),
        "out": Fact("units", names_where("supplied", "unit", False)),
        "places": Fact("units", field_by_key("unit", "place", word)),
        "ways": Fact("units", field_by_key("unit", "path", way), free=True),
        "blocked": Fact("units", field_by_key("unit", "blocked", names), free=True),
        "cuts_most": Fact("cuts", lambda cuts: tuple(size(cut["units"]) for cut in cuts)),
        "cuts": Fact("cuts", field_by_key("place", "units", names), free=True),
    },
    "score": {**SCORED, "winner": Fact("winner", word), "difference": Fact("difference", number)},
    "air": {
        "level": Fact("spread", field_of("level", chances)),
        "barrages": Fact("spread", field_of("barrages", chances)),
        "refit": Fact("spread", field_of("refit", chances)),
        "dead": Fact("spread", field_of("dead", chances)),
        "column": Fact("column", word),
        "fire": Fact("codes", chances),
        "what_if": Fact("what_if", each_as("airstrikes", record(
            level=("level", number), barrages=("barrages", number), dead=("dead", number),
        ))),
    },
    "strike": STRIKE_FACTS,
    "barrage": STRIKE_FACTS,
    "reserve": {
        "actions": Fact("actions", each_as("action", record(
            cost=("cost", number), count=("count", number), affordable=("affordable", number), points=("net", number),
        ))),
        "cost": Fact("cost", number),
        "left": Fact("left", number),
        "forbidden": Fact("refused", rules),
        "purchases_at": Fact("purchases_at", lambda value: names(place_row["place"] for place_row in value)),
        "replacements_at": Fact("replacements_at", lambda value: names(place_row["place"] for place_row in value)),
    },
    "arrivals": {
        "arrivals": Fact("arrivals", each_as(("event", "front"), record(
            units=("units", bag(word)), chance=("chance", number), at=("places", names), in_enemy_zone=("enemy_zone", names),
        ))),
    },
    "forecast": FORECAST,
}  # fmt: skip
