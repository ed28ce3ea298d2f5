"""The answers of Operation Musketeer."""

from __future__ import annotations

from collections.abc import Mapping

from tests.net.facts.shared import SCORE
from tests.net.reading import (
    Fact,
    Facts,
    bag,
    by,
    chances,
    each,
    each_as,
    flag,
    keys_where,
    many,
    names,
    number,
    numbers,
    record,
    rules,
    size,
    way,
    where,
    word,
)

FATE = record(
    hexes=("hexes", number), chance=("chance", number), eliminated=("eliminated", flag), disrupted=("disrupted", flag),
    how=("way", word), ends=("ends", names),
)  # fmt: skip
BACK: Facts = {
    "routs": Fact("routs", flag),
    "stays": Fact("stays", flag),
    "lost": Fact("lost", number),
    "disrupted": Fact("disrupted", number),
    "lost_after_dr": Fact("lost_after_dr", number),
    "fates": Fact("fates", bag(FATE)),
}
SIDE = record(
    units=("units", many(record(
        unit=("unit", word), column=("column", word), shift=("shift", number), fate=("fate", chances),
        why=("why", bag(record(rule=("rule", word), shift=("shift", number)))),
    ))),
    losses=("losses", bag(record(
        eliminated=("eliminated", number), disrupted=("disrupted", number), retreated=("retreated", number), chance=("chance", number),
    ))),
)  # fmt: skip
CHANGE = record(cleared=("cleared", number), attacker=("attacker", number), defender=("defender", number))

FACTS: Mapping[str, Facts] = {
    "odds": {
        "first_fire": Fact("first_fire", word),
        "fired_at": Fact("fired_at", number),
        "cleared": Fact("cleared", number),
        "may_pursue": Fact("may_pursue", number),
        "must_pursue": Fact("must_pursue", number),
        "airstrikes_lost": Fact("airstrikes_lost", chances),
        "sides": Fact("sides", by(SIDE)),
        "pursuit": Fact("pursuit", numbers),
        "left_out": Fact("left_out", rules, free=True),
        "retreats": Fact("retreats", each_as("unit", record(
            **{name: (fact.key, fact.read) for name, fact in BACK.items()}
        ))),
        "what_if": Fact("what_if", bag(CHANGE)),
        "changes": Fact("what_if", each_as("change", CHANGE), free=True),
    },
    "air": {
        "first_fire": Fact("first_fire", word),
        "columns": Fact("columns", by(word)),
        "lost": Fact("lost", by(chances)),
        "column": Fact("column", word),
        "shift": Fact("shift", number),
        "steps": Fact("steps", chances),
        "airstrike_lost": Fact("airstrike_lost", number),
        "eliminated": Fact("eliminated", chances),
    },
    "entry": {
        "limits": Fact("limits", numbers),
        "ways_in": Fact("ways", each_as("way", record(rule=("rule", word), to=("hexes", names), assault=("assault", names)))),
    },
    "escalation": {
        "after_markers": Fact("after_markers", number),
        "markers": Fact("markers", numbers),
        "not_playable": Fact("not_playable", names),
        "war": Fact("war", numbers),
        "peace": Fact("peace", chances),
        "committed": Fact("committed", numbers),
        "entry": Fact("entry", by(numbers)),
        "what_if": Fact("what_if", numbers),
    },
    "event": {
        "events": Fact("events", each("roll", "chance", number)),
        "panic": Fact("panic", each_as(("unit", "hex"), record(lost=("lost", number), runs=("runs", number)))),
    },
    "move": {
        "allowance": Fact("allowance", number),
        "costs": Fact("hexes", by(lambda one: number(one["cost"]))),
        "stops": Fact("hexes", keys_where("stops")),
        "full": Fact("hexes", keys_where("overstacked")),
        "forbidden": Fact("why_not", rules),
        "ways": Fact("hexes", by(lambda one: way(one["path"])), free=True),
        "steps": Fact("steps", many(record(to=("hex", word), cost=("cost", number))), free=True),
    },
    "paradrop": {
        "contested": Fact("contested", flag),
        "disrupted": Fact("disrupted", number),
        "eliminated": Fact("eliminated", number),
    },
    "pursuit": {
        "to": Fact("hexes", names),
        "full": Fact("overstacked", names),
        "ways": Fact("hexes", by(way), free=True),
    },
    "refit": {
        "chance": Fact("chance", number),
        "refitted": Fact("refitted", chances),
        "units": Fact("units", each_as(("unit", "hex"), record(chance=("chance", number)))),
    },
    "retreat": BACK,
    "score": SCORE,
    "supply": {
        "supplied": Fact("sides",
        by(lambda side: bag(lambda one: f"{one['unit']}@{one['hex']}")([u for u in side["units"] if u["supplied"]]))),
        "out": Fact("sides",
        by(lambda side: bag(lambda one: f"{one['unit']}@{one['hex']}")([u for u in side["units"] if not u["supplied"]]))),
        "by_road": Fact("sides", by(lambda side: where("by_road", "hex")(side["units"]))),
        "ways": Fact("sides", by(lambda side: each(("unit", "hex"), "path", way)(side["units"])), free=True),
        "off_map": Fact("sides", by(lambda side: number(side["off_map"]))),
        "cuts_most": Fact("sides", by(lambda side: tuple(size(one["cuts"]) for one in side["worst"]))),
        "cuts": Fact("sides", by(lambda side: each("hex", "cuts", bag(word))(side["worst"])), free=True),
    },
}  # fmt: skip
