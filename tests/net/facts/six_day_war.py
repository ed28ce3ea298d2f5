"""The answers of Six Day War 1967."""

from __future__ import annotations

from collections.abc import Mapping

from tests.net.facts.shared import ATTACK, SCORE, STACK
from tests.net.reading import (
    Fact,
    Facts,
    bag,
    by,
    chances,
    each,
    each_as,
    flag,
    names,
    number,
    numbers,
    record,
    rules,
    settled,
    size,
    way,
    where,
    whole,
    word,
)

BACK = each_as("unit", record(dies=("dies", number), to=("to", names), rules=("why", rules)))
CHANGE = record(column=("column", word), clears=("clears", number), israelis=("israelis_lost", number), arabs=("arabs_lost", number))
BATTLE: Facts = {
    **ATTACK,
    "percent": Fact("percent", number),
    "results": Fact("results", each_as("result", record(
        chance=("chance", number), attackers_lost=("attackers_lost", bag(word)), defenders_lost=("defenders_lost", bag(word)),
        equals=("equals", names), attacker_back=("attacker_retreats", BACK), defender_back=("defender_retreats", BACK),
        advance=("advance", number), recon_advance=("recon_advance", number), defender_advance=("defender_advance", number),
        too_many=("too_many", chances),
    ))),
    "eliminated": Fact("eliminated", numbers),
    "clears": Fact("clears", number),
    "no_advance": Fact("no_advance_into", names),
    "next_column": Fact("next_column", number),
    "what_if": Fact("what_if", bag(CHANGE)),
    "changes": Fact("what_if", each_as("change", CHANGE), free=True),
}  # fmt: skip
STRUCK: Facts = {
    **ATTACK,
    "struck": Fact("units_struck", each_as("unit", record(eliminated=("eliminated", number), to=("to", names), rules=("t1", rules)))),
    "terrorized": Fact("terrorized", number),
}

FACTS: Mapping[str, Facts] = {
    "odds": {
        "tables": Fact("tables", by(settled(BATTLE))),
        "attacks": Fact("tables", by(whole(BATTLE)), free=True),
        "left_out": Fact("left_out", size),
    },
    "duties": {
        "stacks": Fact("stacks", each_as("hex", record(units=("units", bag(word)), must=("must", flag), enemies=("enemies", names)))),
        "to_attack": Fact("to_attack", names),
    },
    "stack": STACK,
    "stacks": {"too_many": Fact("too_many", bag(str))},
    "retreat": {
        "back": Fact("ways", by(names)),
        "ways": Fact("ways", by(by(way)), free=True),
        "risks": Fact("risks", by(record(dies=("dies", number), rules=("why", rules), may_stay=("may_stay", flag)))),
        "too_many": Fact("too_many", by(chances)),
    },
    "advance": {"to": Fact("ways", by(names)), "ways": Fact("ways", by(by(way)), free=True)},
    "move": {
        "allowance": Fact("allowance", chances),
        "costs": Fact("hexes", each("hex", "points", number)),
        "chances": Fact("hexes", each("hex", "chance", number)),
        "ends": Fact("hexes", where("may_end", "hex"), free=True),
        "passed_only": Fact("hexes", where("may_end", "hex", False)),
        "stops": Fact("hexes", where("stops", "hex")),
        "ways": Fact("hexes", each("hex", "path", way), free=True),
        "price": Fact("price", number),
        "kind": Fact("kind", word),
        "landings": Fact("landings", names),
        "in_enemy_zone": Fact("in_enemy_zone", names),
        "surprised": Fact("surprised", names),
    },
    "supply": {
        "supplied": Fact("units", where("refit", "unit")),
        "out": Fact("units", where("refit", "unit", False)),
        "places": Fact("units", each("unit", "hex", word)),
        "ways": Fact("units", each("unit", "path", way), free=True),
        "blocked": Fact("units", each("unit", "blocked", names), free=True),
        "cuts_most": Fact("worst", lambda worst: tuple(size(one["cuts"]) for one in worst)),
        "cuts": Fact("worst", each("hex", "cuts", names), free=True),
    },
    "score": {**SCORE, "winner": Fact("winner", word), "difference": Fact("difference", number)},
    "air": {
        "level": Fact("level", chances),
        "barrages": Fact("barrages", chances),
        "refit": Fact("refit", chances),
        "dead": Fact("dead", chances),
        "column": Fact("column", word),
        "fire": Fact("fire", chances),
        "what_if": Fact("what_if", each_as("superiority", record(
            level=("level", number), barrages=("barrages", number), dead=("dead", number),
        ))),
    },
    "strike": STRUCK,
    "barrage": STRUCK,
    "reserve": {
        "actions": Fact("actions", by(record(
            cost=("cost", number), count=("count", number), affordable=("affordable", number), points=("net_points", number),
        ))),
        "cost": Fact("cost", number),
        "left": Fact("left", number),
        "forbidden": Fact("not_allowed", rules),
        "purchases_at": Fact("purchases_at", names),
        "replacements_at": Fact("replacements_at", names),
    },
    "arrivals": {
        "arrivals": Fact("arrivals", each_as(("event", "front"), record(
            units=("units", bag(word)), chance=("chance", number), at=("hexes", names), in_enemy_zone=("in_enemy_zone", names),
        ))),
    },
    "events": {
        "events": Fact("events", by(record(roll=("roll", number), turn=("turn", number), rest=("rest", number)))),
        "check": Fact("check_now", by(record(score=("score", number), chance=("chance", number)))),
        "if_it_stays": Fact("if_it_stays", numbers),
        "disintegration": Fact("disintegration", each_as("turn", record(now=("now", number), by_now=("by_now", number)))),
    },
}  # fmt: skip
