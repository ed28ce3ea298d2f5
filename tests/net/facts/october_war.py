"""The answers of October War."""

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

SHIFTS = bag(record(rule=("rule", word), shift=("shift", number)))
SIDE = record(
    side=("side", word), points=("casualty_points", chances), mean=("mean_casualty_points", number), left=("left_in_point", numbers),
    volleys=("volleys", many(record(unit=("unit", word), column=("column", word), shift=("shift", number), why=("why", SHIFTS)))),
)  # fmt: skip
COMMAND = each_as(("unit", "point"), record(by=("by", names), free=("free", rules)))
CHANGE = record(holds=("attacker_holds", number), attacker=("attacker", number), defender=("defender", number))

FACTS: Mapping[str, Facts] = {
    "odds": {
        "first_fire": Fact("first_fire", word),
        "blows": Fact("blows", by(chances)),
        "holds": Fact("holds", chances),
        "endings": Fact("endings", bag(record(holder=("holder", word), other=("other_side", word), chance=("chance", number)))),
        "rounds": Fact("rounds", chances),
        "sides": Fact("sides", by(SIDE)),
        "tolls": Fact("tolls", bag(record(
            holder=("holder", word), attacker=("attacker", number), defender=("defender", number), chance=("chance", number),
        ))),
        "sudden_death": Fact("sudden_death", numbers),
        "what_if": Fact("what_if", bag(CHANGE)),
        "changes": Fact("what_if", each_as("change", CHANGE), free=True),
    },
    "air": {
        "first": Fact("first", word),
        "holder": Fact("holder", chances),
        "lost": Fact("lost", by(bag(record(refit=("refit", number), eliminated=("eliminated", number), chance=("chance", number))))),
        "freed": Fact("freed", numbers),
        "codes": Fact("codes", chances),
        "points": Fact("points", chances),
        "through": Fact("through", bag(record(
            tac=("tac", number), weasels=("weasels", number), ssm=("ssm", number), refit=("refit", number),
            eliminated=("eliminated", number), chance=("chance", number),
        ))),
        "seen": Fact("seen", number),
        "mean_refit": Fact("mean_refit", number),
    },
    "airmobile": {
        "landings": Fact("landings", each_as("point", record(
            distance=("distance", number), forbidden=("not", rules), full=("overstacked", flag), chances=("chances", chances),
        ))),
    },
    "command": {
        "radius": Fact("headquarters", each_as(("unit", "point"), record(leader=("leader", number), costs=("points", numbers)))),
        "commanded": Fact("units", COMMAND),
    },
    "umbrella": {
        "covers": Fact("umbrellas", each_as(("unit", "point"), lambda one: numbers(one["covers"]))),
    },
    "fire": {
        "strength": Fact("strength", number),
        "start": Fact("start", word),
        "shift": Fact("shift", number),
        "why": Fact("why", SHIFTS),
        "column": Fact("column", word),
        "throws": Fact("throws", by(word)),
        "chances": Fact("chances", chances),
    },
    "mobilization": {
        "bought": Fact("bought", many(record(unit=("unit", word), turn=("turn", number), cost=("cost", number)))),
        "never": Fact("never", bag(record(unit=("unit", word), rules=("why", rules)))),
        "left": Fact("points_left", numbers),
    },
    "move": {
        "allowance": Fact("allowance", number),
        "costs": Fact("points", by(lambda one: number(one["cost"]))),
        "stops": Fact("points", keys_where("stops")),
        "full": Fact("points", keys_where("overstacked")),
        "ways": Fact("points", by(lambda one: way(one["path"])), free=True),
    },
    "refit": {
        "cost": Fact("cost", number),
        "turns": Fact("turns", chances),
        "mean_turns": Fact("mean_turns", number),
        "back": Fact("back", chances),
    },
    "retreat": {
        "back": Fact("units", each_as("unit", record(to=("to", names), barred=("not", by(rules)), by_air=("by_air", flag)))),
    },
    "score": {
        **SCORE,
        "casualties": Fact("casualties", numbers),
        "sudden_death": Fact("sudden_death", many(record(side=("side", word), lacks=("lacks", size)))),
        "lacks": Fact("sudden_death", many(lambda one: tuple(one["lacks"])), free=True),
    },
    "supply": {
        "supplied": Fact("sides", by(lambda side: where("supplied", "unit")(side["units"]))),
        "out": Fact("sides", by(lambda side: where("supplied", "unit", False)(side["units"]))),
        "places": Fact("sides", by(lambda side: each("unit", "point", word)(side["units"]))),
        "ways": Fact("sides", by(lambda side: each("unit", "path", way)(side["units"])), free=True),
        "cut_by": Fact("sides", by(lambda side: each("unit", "cut_by", names)(side["units"])), free=True),
        "waiting": Fact("sides", by(lambda side: each_as("group", record(at=("points", names), out=("out", names)))(side["waiting"]))),
        "cuts_most": Fact("sides", by(lambda side: tuple(size(one["cuts"]) for one in side["worst"]))),
        "cuts": Fact("sides", by(lambda side: each("point", "cuts", names)(side["worst"])), free=True),
        "commanded": Fact("sides", by(lambda side: COMMAND(side["command"]))),
        "bridges": Fact("sides", by(lambda side: each(("point", "to"), "stands", flag)(side["bridges"]))),
        "covers": Fact("sides", by(lambda side: each_as(("unit", "point"), lambda one: numbers(one["covers"]))(side["umbrellas"]))),
    },
}  # fmt: skip
