"""The answers of Operation Musketeer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

from scenarios import load
from scenarios.model.maps import HexMap
from tests.net.facts.shared import ADVANCES, FORECAST, SCORED, STACK, TURNS
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
    list_of,
    names,
    names_where,
    number,
    record,
    rules,
    size,
    way,
    word,
)


def base(value: Any) -> str:
    """A counter without its copy."""
    return str(value).partition("/")[0]


def spot(value: Any) -> str:
    """A hex, or the name of a box alone."""
    return str(value).removeprefix("box:")


def standing(value: Mapping[str, Any]) -> str:
    """A unit and where it is."""
    return f"{base(value['unit'])}@{spot(value['place'])}"


def by_standing(read: Reader) -> Reader:
    """Units of a list by what they are and where."""
    return lambda value: each_as("standing", read)([{**row, "standing": standing(row)} for row in value])


def by_side(read: Reader, key: str = "side") -> Reader:
    """A list of objects, one for each side, by the side."""
    return lambda value: {row[key]: read(row) for row in value}


def by_place(read: Reader) -> Reader:
    """A list of places with values, by the place."""
    return lambda value: {row["place"]: read(row) for row in value}


def by_turn(field: str) -> Reader:
    """One value of each turn."""
    return lambda value: {str(row["turn"]): number(row[field]) for row in value}


def first(read: Reader) -> Reader:
    """The first of several."""
    return lambda value: read(value[0])


def fate(row: Mapping[str, Any]) -> dict[str, Any]:
    """What becomes of a unit for a die."""
    return {
        "hexes": number(row["hexes"]),
        "chance": number(row["chance"]),
        "eliminated": row["outcome"] == "eliminated",
        "disrupted": row["outcome"] in ("disrupted", "reduced"),
        "how": row["way"],
        "ends": names(row["ends"]),
    }


def is_lost(unit: Mapping[str, Any]) -> bool:
    """Whether its fate is to be lost before it goes anywhere."""
    return "no_retreat" in unit and unit["no_retreat"][0]["text"].startswith("it is eliminated")


def gone_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """What becomes of a unit for a length."""
    return fate({**row, "hexes": row["length"], "way": row["toward"]})


GONE_BACK: Mapping[str, Reader] = {
    "routs": lambda unit: "length" in unit,
    "stays": lambda unit: "may_stay" in unit or ("no_retreat" in unit and not is_lost(unit)),
    "lost": field_of("eliminated", number),
    "disrupted": field_of("reduced", number),
    "fates": field_of("outcomes", bag(gone_row)),
}
ROLES = {"attackers": "attacker", "defenders": "defender"}
BECOMES = {"left": "retreated", "disrupted and left": "disrupted and retreated"}


def fighters(group: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The units of a group with how each fires and what becomes of it."""
    shots = [row for row in group["opening_fire"] for _ in range(int(row["count"]))]
    return [
        {
            "unit": unit["unit"],
            "column": word(shot["column"]),
            "shift": number(shot["shift"]),
            "fate": {BECOMES.get(key, key): chance for key, chance in chances(unit["becomes"]).items()},
            "why": bag(record(rule=("rule", word), shift=("amount", number)))(shot["applied"]),
        }
        for unit, shot in zip(group["outcomes"], shots, strict=True)
    ]


def sides(forces: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Both sides of a combat: their units, and how many of them are lost, disrupted and retreat."""
    tally = record(
        eliminated=("eliminated", number),
        disrupted=("changed", number),
        retreated=("left", number),
        chance=("chance", number),
    )
    return {
        ROLES[group["group"]]: {"units": fighters(group), "losses": bag(tally)(group["losses"])}
        for group in forces
        if group["group"] in ROLES
    }


def strikes_lost(forces: Iterable[Mapping[str, Any]]) -> dict[str, Fraction]:
    """How many airstrikes in support are lost."""
    support = next((group for group in forces if group["group"] == "attackers_support"), None)
    return {"0": Fraction(1)} if support is None else chances(support["worth_lost"])


def chance_that(name: str) -> Reader:
    """The chance that an outcome says yes to a name."""
    return lambda named: next(
        (chances(row["chances"]).get("yes", Fraction(0)) for row in named if row["name"] == name), Fraction(0)
    )


def of_roles(read: Reader) -> Reader:
    """One value of each side."""
    return lambda forces: {ROLES[group["group"]]: read(group) for group in forces}


def steps_lost(answer: Mapping[str, Any]) -> dict[str, Fraction]:
    """How many units lose a step, those named or as many as the result says."""
    targets = next((group for group in answer["forces"] if group["group"] == "defenders"), None)
    if targets is None:
        return next(chances(row["chances"]) for row in answer["counter_values"] if row["counter"] == "hits")
    found: dict[str, Fraction] = {}
    for row in targets["losses"]:
        hit = str(int(row["eliminated"]) + int(row["changed"]))
        found[hit] = found.get(hit, Fraction(0)) + Fraction(row["chance"])
    return found


def fate_of_the_unit(word_: str) -> Reader:
    """The chance of what becomes of the one unit."""
    return lambda forces: chances(forces[0]["outcomes"][0]["becomes"]).get(word_, Fraction(0))


def change(row: Mapping[str, Any]) -> dict[str, Any]:
    """What one thing more or less would change."""
    lost = row["lost"]
    return {
        "cleared": Fraction(row["chances"].get("yes", 0)),
        "attacker": number(lost["attackers"]),
        "defender": number(lost["defenders"]),
    }


@cache
def _places() -> Mapping[str, str]:
    """Places of the map by their hexes."""
    map = load("musketeer").maps["main"]
    assert isinstance(map, HexMap)
    return {map.name(hex): place.name for place in reversed([*map.places.values()]) for hex in place.hexes}


def places(value: Iterable[str]) -> frozenset[str]:
    """Hexes by the names of their places."""
    return frozenset(_places().get(hex, hex) for hex in value)


POINTS: Facts = {
    **SCORED,
    "lines": Fact("scores", list_of(record(
        side=("side", word), rule=("rule", word), each=("each", number), count=("count", number), points=("points", number),
        places=("places", places),
    ))),
}  # fmt: skip

FACTS: Mapping[str, Facts] = {
    "advance": ADVANCES,
    "stack": STACK,
    "turn": TURNS,
    "odds": {
        "first_fire": Fact("goes_first", lambda group: ROLES[group]),
        "inputs": Fact("inputs", dict, free=True),
        "fired_at": Fact("inputs", lambda inputs: number(inputs["fire_at"])),
        "cleared": Fact("named", chance_that("cleared")),
        "may_pursue": Fact("named", chance_that("may_pursue")),
        "must_pursue": Fact("named", chance_that("must_pursue")),
        "airstrikes_lost": Fact("forces", strikes_lost),
        "sides": Fact("forces", sides),
        "left_out": Fact("not_counted", rules, free=True),
        "what_if": Fact("what_if", bag(change)),
        "changes": Fact("what_if", each_as("change", change), free=True),
    },
    "superiority": {
        "first_fire": Fact("goes_first", lambda group: ROLES[group]),
        "columns": Fact("forces", of_roles(lambda group: word(group["opening_fire"][0]["column"]))),
        "lost": Fact("forces", of_roles(field_of("worth_lost", chances))),
    },
    "bombardment": {
        "column": Fact("forces", lambda forces: word(forces[0]["opening_fire"][0]["column"])),
        "shift": Fact("forces", lambda forces: number(forces[0]["opening_fire"][0]["shift"])),
        "steps": Fact(WHOLE, steps_lost),
        "airstrike_lost": Fact("forces", lambda forces: 1 - chances(forces[0]["worth_lost"]).get("0", Fraction(0))),
        "eliminated": Fact("forces", lambda forces: chances(forces[1]["worth_lost"]) if len(forces) > 1 else None),
    },
    "entry": {
        "limits": Fact("limits", lambda value: {key.replace("_", " "): number(limit) for key, limit in value.items()}),
        "ways_in": Fact("ways", each_as("way", lambda way: {
            "rule": way["rule"], "to": frozenset(by_place(flag)(way["reach"])),
            "assault": frozenset(by_place(flag)(way.get("assault", ()))),
        })),
    },
    "forecast": FORECAST,
    "event": {
        "events": Fact("events", field_by_key("roll", "chance", number)),
        "panic": Fact("panic", by_standing(record(lost=("eliminated", number), runs=("retreated", number)))),
    },
    "move": {
        "allowance": Fact("allowance", number),
        "costs": Fact("places", by_place(field_of("cost", number))),
        "stops": Fact("places", names_where("stops", "place")),
        "full": Fact("places", names_where("may_end", "place", False)),
        "steps": Fact("steps", list_of(record(to=("place", word), cost=("cost", number))), free=True),
        "way": Fact("path", way, free=True),
    },
    "paradrop": {
        "contested": Fact("inputs", field_of("contested", flag)),
        "disrupted": Fact("forces", fate_of_the_unit("disrupted")),
        "eliminated": Fact("forces", fate_of_the_unit("eliminated")),
    },
    "pursuit": {
        "to": Fact("places", lambda value: frozenset(row["place"] for row in value if row.get("returns") or number(row["cost"]))),
        "full": Fact("places", names_where("may_end", "place", False)),
    },
    "refit": {
        "chance": Fact("chance", number),
        "refitted": Fact("chances", chances),
        "units": Fact("units", by_standing(record(chance=("chance", number)))),
    },
    "retreat": {name: Fact("units", first(read)) for name, read in GONE_BACK.items()},
    "score": POINTS,
    "supply": {
        "supplied": Fact("sides", by_side(lambda side: bag(standing)([unit for unit in side["units"] if unit["supplied"]]))),
        "out": Fact("sides", by_side(lambda side: bag(standing)([unit for unit in side["units"] if not unit["supplied"]]))),
        "by_road": Fact("sides", by_side(lambda side: frozenset(u["place"] for u in side["units"] if u["supplied"] and u["by"] == "road"))),
        "ways": Fact("sides", by_side(field_of("units", by_standing(field_of("path", way)))), free=True),
        "off_map": Fact("sides", by_side(field_of("off_map", number))),
        "cuts_most": Fact("sides", by_side(field_of("cuts", list_of(field_of("unsupplied", size))))),
        "cuts": Fact("sides", by_side(field_of("cuts", field_by_key("place", "unsupplied", bag(base)))), free=True),
    },
}  # fmt: skip
