"""The answers of Six Day War 1967."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from tests.net.facts.shared import ATTACK, ATTACKS, FORECAST, SCORED, STACK, TURNS
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
    full_record,
    names,
    names_where,
    number,
    record,
    rules,
    settled_record,
    size,
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
    return names(way_["to"] for way_ in unit.get("ways", ()))


def ways(unit: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """The ways of a unit by their ends."""
    return {route["to"]: way(route["path"]) for route in unit.get("ways", ())}


def risk(unit: Mapping[str, Any]) -> dict[str, Any]:
    """The chance that a unit is lost, and whether it may stay or has to."""
    stays = "may_stay" in unit or any("it stays" in line["text"] for line in unit.get("fate", ()))
    return {"dies": number(unit["eliminated"]), "may_stay": flag(stays)}


def advances(answer: Mapping[str, Any]) -> Any:
    """Where a unit may end its advance."""
    if "places" not in answer:
        return None
    return {
        answer["unit"]: names(
            row["place"] for row in answer["places"] if row["may_end"] and row["place"] != answer["from"]
        )
    }


def advance_ways(answer: Mapping[str, Any]) -> Any:
    """The ways of an advance by their ends."""
    if "places" not in answer:
        return None
    rows = [row for row in answer["places"] if row["may_end"] and row["place"] != answer["from"]]
    return {answer["unit"]: {row["place"]: way(row["path"]) for row in rows}}


def landings(answer: Mapping[str, Any]) -> Any:
    """Where a unit may land."""
    if not any(row["rule"] == "20.1, 20.2" for row in answer.get("remarks", ())):
        return None
    return names(row["place"] for row in answer["places"] if row["may_end"] and row["place"] != answer["from"])


def places_by_way(entries: Iterable[Mapping[str, Any]], way_name: str) -> frozenset[str]:
    """Where units come onto the map by a way."""
    return names(row["place"] for entry in entries if entry["way"] == way_name for row in entry["places"])


def counter_chances(name: str) -> Reader:
    """The chances of a counter of a procedure."""
    return lambda counters: next(chances(row["chances"]) for row in counters if row["counter"] == name)


def winner(answer: Mapping[str, Any]) -> str:
    """The player who wins, if anybody does."""
    return "" if answer["level"] in ("Draw", "Both players lose") else str(answer["ahead"])


def israeli(sides: Iterable[Mapping[str, Any]]) -> Mapping[str, Any]:
    """What is said of the Israelis."""
    return next((side for side in sides if side["side"] == "israeli"), {"cuts": []})


def remarks(sides: Iterable[Mapping[str, Any]]) -> Iterable[Mapping[str, Any]]:
    """The notes on the Israelis."""
    return israeli(sides).get("remarks", ())  # type: ignore[no-any-return]


def mobile(sides: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The Israelis that Refit is for."""
    units = {unit for row in remarks(sides) for unit in row["units"]}
    return [row for row in israeli(sides).get("units", ()) if row["unit"] in units]


def supply_way(row: Mapping[str, Any]) -> Any:
    """The way of a line from its unit to its end."""
    places = [place for place in reversed(row["path"]) if place != row["place"]]
    return way([row["place"], *places]) if row["supplied"] else ()


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
        "risks": Fact("units", by_unit(risk)),
        "no_room": Fact("no_room", chances),
    },
    "advance": {"to": Fact(WHOLE, advances), "ways": Fact(WHOLE, advance_ways, free=True)},
    "move": {
        "allowance": Fact("allowance", lambda value: chances(value if isinstance(value, Mapping) else {str(value): 1})),
        "costs": Fact("places", field_by_key("place", "cost", number)),
        "chances": Fact("places", each_as("place", lambda place_row: number(place_row.get("chance", 1)))),
        "ends": Fact("places", names_where("may_end", "place"), free=True),
        "passed_only": Fact("places", names_where("may_end", "place", False)),
        "stops": Fact("places", names_where("stops", "place")),
        "ways": Fact("places", field_by_key("place", "path", way), free=True),
        "price": Fact("remarks", lambda rows: number(sum(Fraction(row.get("amount", 0)) for row in rows))),
        "notes": Fact("remarks", lambda rows: names(row["rule"] for row in rows)),
        "landings": Fact(WHOLE, landings),
        "in_enemy_zone": Fact("remarks", lambda rows: names(place for row in rows if row["rule"] == "13.0" for place in row["places"])),
    },
    "supply": {
        "supplied": Fact("sides", lambda sides: names(unit for row in remarks(sides) if "Refit" in row["text"] for unit in row["units"])),
        "out": Fact("sides", lambda sides: names(unit for row in remarks(sides) if "deadpile" in row["text"] for unit in row["units"])),
        "places": Fact("sides", lambda sides: field_by_key("unit", "place", word)(mobile(sides))),
        "ways": Fact("sides", lambda sides: {row["unit"]: supply_way(row) for row in mobile(sides)}, free=True),
        "cuts": Fact("sides", lambda sides: field_by_key("place", "unsupplied", names)(israeli(sides)["cuts"]), free=True),
        "cuts_most": Fact("sides", lambda sides: tuple(size(cut["unsupplied"]) for cut in israeli(sides)["cuts"])),
    },
    "score": {**SCORED, "winner": Fact(WHOLE, winner), "difference": Fact("difference", number)},
    "air": {
        "level": Fact("counter_values", counter_chances("level")),
        "barrages": Fact("counter_values", counter_chances("barrages")),
        "refit": Fact("counter_values", counter_chances("refit")),
        "dead": Fact("counter_values", counter_chances("dead")),
        "column": Fact("fires", lambda fires: word(fires[0]["column"])),
        "fire": Fact("fires", lambda fires: chances(fires[0]["codes"])),
        "what_if": Fact("what_if", each_as("change", field_of("counters", record(
            level=("level", number), barrages=("barrages", number), dead=("dead", number),
        )))),
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
        "purchases_at": Fact("entries", lambda entries: places_by_way(entries, "purchase")),
        "replacements_at": Fact("entries", lambda entries: places_by_way(entries, "refit")),
    },
    "arrivals": {
        "arrivals": Fact("arrivals", each_as(("event", "front"), record(
            units=("units", bag(word)), chance=("chance", number), at=("places", names), in_enemy_zone=("enemy_zone", names),
        ))),
    },
    "forecast": FORECAST,
}  # fmt: skip
