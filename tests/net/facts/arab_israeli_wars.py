"""The answers of The Arab-Israeli Wars."""

from __future__ import annotations

from collections.abc import Mapping

from tests.net.facts.shared import ATTACK
from tests.net.reading import (
    Fact,
    Facts,
    at,
    bag,
    by,
    chances,
    each,
    each_as,
    flag,
    many,
    names,
    number,
    numbers,
    record,
    rules,
    settled,
    way,
    word,
)

UNIT = record(unit=("unit", word), copy=("copy", word), at=("hex", word))
FATE = record(unit=("unit", word), at=("hex", word), die=("die", number), chances=("chances", chances))
TOLL = bag(record(eliminated=("eliminated", number), dispersed=("dispersed", number), chance=("chance", number)))
SPENT = bag(record(
    added=("added", flag), strength=("strength", number), column=("column", word), unit=("unit", word), at=("hex", word),
    eliminated=("expected", at("eliminated", number)), dispersed=("expected", at("dispersed", number)),
))  # fmt: skip
ODDS: Facts = {
    **ATTACK,
    "at": Fact("at", word),
    "told": Fact("told", by(word)),
    "firers": Fact("firers", bag(UNIT)),
    "defenders": Fact("defenders", many(FATE)),
    "looks": Fact("looks", each_as(("firer", "defender"), record(clear=("clear", flag), hull_down=("hull_down", flag)))),
    "toll": Fact("together", TOLL),
    "mean": Fact("expected", lambda value: numbers(value) if isinstance(value, dict) else number(value)),
    "left_out": Fact("left_out", bag(record(unit=("unit", word), at=("hex", word), rules=("reasons", rules)))),
    "landings": Fact("landings", bag(record(
        how=("how", word), at=("hex", word), chance=("chance", number), defenders=("defenders", many(FATE)),
    ))),
    "own_toll": Fact("own_units", TOLL),
    "each": Fact("each", many(settled(ATTACK))),
    "next_column": Fact("what_if", lambda value: value["next_column"] and record(
        column=("column", word), needed=("needed", number), spare=("spare", number))(value["next_column"])),
    "what_if": Fact("what_if", lambda value: SPENT(value["changes"])),
    "plan": Fact("attacks", bag(record(
        firers=("firers", bag(UNIT)), column=("column", word), defenders=("defenders", many(FATE)), toll=("together", TOLL),
    )), free=True),
    "idle": Fact("idle", bag(UNIT), free=True),
    "unable": Fact("unable", bag(record(unit=("unit", word), at=("hex", word), rules=("why", rules)))),
}  # fmt: skip
REACH = record(
    cost=("spent", number), road=("road", flag), mines=("mines", number), off_road=("spent_off_road", number),
    without_mines=("spent_without_mines", number), overruns=("overruns", names), assaults=("assaults", names),
)  # fmt: skip
RECOVERY: Facts = {
    "level": Fact("level", word),
    "column": Fact("column", word),
    "range": Fact("range", word),
    "chance": Fact("chance", number),
    "rule": Fact("rule", word),
    "mean_turns": Fact("expected_turns", number),
    "by_turn": Fact("by_turn", many(number)),
}

FACTS: Mapping[str, Facts] = {
    "odds": ODDS,
    "attack": ODDS,
    "los": {
        "distance": Fact("distance", number),
        "clear": Fact("clear", flag),
        "blocked_by": Fact("blocked_by", bag(record(
            what=("what", word), at=("hex", word), hexsides=("hexsides", names), how=("how", word), rule=("rule", word),
        ))),
        "hexes": Fact("hexes", many(word)),
        "crossed": Fact("crossed", each("hexside", "kinds", names)),
        "along": Fact("along", bag(str)),
        "corners": Fact("corners", bag(str)),
        "hull_down": Fact("hull_down", by(names)),
        "slope": Fact("slope", by(flag)),
        "conceals": Fact("conceals", flag),
        "spotted": Fact("spotted", flag),
        "sees": Fact("sees", lambda value: by(names)(value) if isinstance(value, dict) else names(value)),
        "pairs": Fact("pairs", number),
    },
    "move": {
        "allowance": Fact("allowance", number),
        "points": Fact("points", number),
        "stays": Fact("stays", rules),
        "reach": Fact("reach", each_as("hex", REACH)),
        "costs": Fact("reach", each("hex", "spent", number), free=True),
        "ways": Fact("reach", each("hex", "path", way), free=True),
        "steps": Fact("path", many(record(
            kind=("kind", word), to=("hex", word), cost=("points", number), total=("total", number), road=("road", flag),
            rules=("parts", many(record(rule=("rule", word), cost=("points", number)))),
        ))),
        "spent": Fact("spent", number),
        "fired_at": Fact("opportunity_fire", bag(record(
            step=("step", number), at=("hex", word), firer=("firer", word), copy=("copy", word), firer_at=("firer_hex", word),
            distance=("distance", number), in_sight=("in_sight", flag), first=("first", flag), may_fire=("may_fire", flag),
            rules=("failures", rules),
        ))),
        "hazards": Fact("hazards", many(record(kind=("kind", word), at=("hex", word), chances=("chances", chances), rule=("rule", word)))),
        "endings": Fact("endings", each(("fate", "hex"), "chance", number)),
        "crossings": Fact("crossings", bag(record(
            how=("how", word), canal=("canal", word), to=("to", names), turns=("turns", number), forbidden=("not_allowed", rules),
            rule=("rule", word),
        ))),
        "handlings": Fact("handlings", bag(record(kind=("kind", word), at=("hex", word), units=("units", bag(word)), left=("left",
        number)))),
    },
    "morale": {**RECOVERY, "dispersed": Fact("dispersed", each_as(("unit", "hex"), settled(RECOVERY)))},
    "smoke": {
        "direct": Fact("direct", rules),
        "indirect": Fact("indirect", rules),
        "may_direct": Fact("direct", lambda bars: not bars),
        "may_indirect": Fact("indirect", lambda bars: not bars),
        "unseen": Fact("unseen", each("to", "chance", number)),
        "removed_in_turn": Fact("removed_in_turn", number),
    },
    "score": {
        "last": Fact("last", number),
        "over": Fact("over", flag),
        "points": Fact("totals", numbers),
        "winner": Fact("winner", word),
        "ahead": Fact("ahead", number),
        "level": Fact("level", word),
        "lines": Fact("lines", many(record(
            side=("side", word), each=("each", number), count=("count", number), points=("points", number), tell=("tell", word),
        ))),
        "to_be_told": Fact("to_be_told", many(record(event=("event", word), side=("side", word)))),
    },
}  # fmt: skip
