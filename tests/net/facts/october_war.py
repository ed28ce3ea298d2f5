"""The answers of October War."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, cast

from scenarios import load
from scenarios.model.points import PointMap
from tests.net.facts.shared import ATTACKS, SCORED, STACK, TURNS
from tests.net.reading import (
    Fact,
    Facts,
    Reader,
    bag,
    chances,
    each_as,
    field_by_key,
    flag,
    list_of,
    names,
    names_where,
    number,
    numbers,
    record,
    rules,
    size,
    way,
    word,
)

MAP = cast(PointMap, load("october_war").maps["main"])


def titles(value: Iterable[str]) -> frozenset[str]:
    """The names of points that are told by their ids."""
    return names(MAP.points[point].name for point in value)


SHIFTS = bag(record(rule=("rule", word), shift=("shift", number)))
AMOUNTS = bag(record(rule=("rule", word), shift=("amount", number)))
VOLLEY = record(unit=("name", word), column=("column", word), shift=("shift", number), why=("applied", AMOUNTS))


def volleys(value: Iterable[Mapping[str, Any]]) -> Any:
    """Each unit's fire; units that fire alike stand together."""
    return tuple(VOLLEY(volley) for volley in value for _ in range(volley["count"]))


def lost(value: Iterable[Mapping[str, Any]]) -> Any:
    """The attacking and the defending force: what they fire on, and what they lose."""
    forces = {force["group"]: force for force in value}
    return {
        role: FORCE(forces[f"{role}s"]) | {"volleys": volleys(forces[f"{role}s"]["opening_fire"])}
        for role in ("attacker", "defender")
    }


FORCE = record(
    side=("side", word), points=("worth_lost", chances), mean=("mean_worth_lost", number), left=("remaining", numbers)
)


def blows(value: Iterable[Mapping[str, Any]]) -> Any:
    """What is thrown for the air attack and the barrage before a battle, as results on the ground; without missiles, of which the strikes
    know nothing before."""
    forces = {force["group"]: force for force in value}
    rows = [row for name in ("wing", "guns") for row in forces.get(name, {}).get("opening_fire", ())]
    attacks = {"air_ground_attack": "air attack", "barrage": "barrage"}
    if forces.get("sites", {}).get("opening_fire"):
        rows = [row for row in rows if row["attack"] == "barrage"]
    found = {attacks[row["attack"]]: chances(row["chances"]) for row in rows}
    return {
        name: {"R" if code == "A" else code: chance for code, chance in codes.items()} for name, codes in found.items()
    }


def endings(value: Iterable[Mapping[str, Any]]) -> Any:
    """Who holds the point and how the other side left it."""
    found: dict[tuple[str, str], Fraction] = {}
    for row in value:
        key = row["values"]["holder"], row["values"]["other_side"]
        found[key] = found.get(key, Fraction(0)) + Fraction(str(row["chance"]))
    return bag(lambda row: row)([{"holder": a, "other": b, "chance": chance} for (a, b), chance in found.items()])


def jointly(value: Iterable[Mapping[str, Any]]) -> Any:
    """Who holds the point, and what both sides lose."""
    rows = [
        {
            "holder": row["values"]["holder"],
            "attacker": number(row["values"]["gone.attackers"]),
            "defender": number(row["values"]["gone.defenders"]),
            "chance": number(row["chance"]),
        }
        for row in value
    ]
    return bag(lambda row: row)(rows)


def changes(value: Iterable[Mapping[str, Any]]) -> Any:
    """What each change makes of a battle, by its words."""
    return {row["change"]: change(row) for row in value}


def change(row: Mapping[str, Any]) -> dict[str, Any]:
    """The chance that the attacker holds the point, and what both sides lose on average."""
    losses = {role: number(row["lost"][f"{role}s"]) for role in ("attacker", "defender")}
    return {"holds": number(row["chances"].get("attacker", 0)), **losses}


def without_copies(read: Reader) -> Reader:
    """A list of objects whose units are told without their copies."""
    return lambda value: read([{**row, "unit": row["unit"].partition("/")[0]} for row in value])


def first(read: Reader) -> Reader:
    """A list of objects whose units are told without the number of the first copy."""
    return lambda value: read([{**row, "unit": row["unit"].removesuffix("/1")} for row in value])


def by_side(read: Reader) -> Reader:
    """A list with an object for each side."""
    return lambda value: {row["side"]: read(row) for row in value}


def on_land(read: Reader) -> Reader:
    """A list of places without those that are only passed: crossings, where nobody ends a move."""
    water = [name for name, point in MAP.points.items() if point.terrain in ("lake_crossing", "red_sea_crossing")]
    return lambda value: read([row for row in value if row["place"] not in water])


def backs(value: Iterable[Mapping[str, Any]]) -> Any:
    """Where units go back to. Static units are lost wherever they would go (16.4), and a stack that is full is barred by 16.4 too."""
    rows = []
    for unit_row in value:
        bars = {
            row["place"]: rules(row["rule"]) | ({"16.4"} if "12.1" in row["rule"] else frozenset())
            for row in unit_row.get("barred", ())
        }
        if "no_retreat" in unit_row:
            bars = dict.fromkeys(_points_beyond(unit_row["from"]), rules(unit_row["no_retreat"]))
        by_air = any("by air" in row["text"] for row in unit_row.get("remarks", ()))
        rows.append({**unit_row, "barred": bars, "ways": unit_row.get("ways", ()), "by_air": by_air})
    to_places = lambda ways: names(row["to"] for row in ways)  # noqa: E731
    return without_copies(
        each_as(
            "unit",
            record(to=("ways", to_places), barred=("barred", lambda rule_sets: rule_sets), by_air=("by_air", flag)),
        )
    )(rows)


def _points_beyond(start: str) -> Iterable[str]:
    """The points next to one, and those on the other shore of a crossing."""
    for neighbour in MAP.adjacent(start):
        crossing = MAP.points[neighbour].terrain in ("lake_crossing", "red_sea_crossing")
        yield from [point for point in MAP.adjacent(neighbour) if point != start] if crossing else [neighbour]


def places(value: Iterable[Mapping[str, Any]]) -> Any:
    """Places with their distance."""
    return field_by_key("place", "distance", number)(value)


COMMAND = each_as(("unit", "place"), record(by=("by", names), free=("why", rules)))
COVERS = each_as(("unit", "place"), lambda unit_row: places(unit_row["covers"]))
LOSS_READER = bag(record(refit=("refit", number), eliminated=("eliminated", number), chance=("chance", number)))

FACTS: Mapping[str, Facts] = {
    "attacks": ATTACKS,
    "stack": STACK,
    "turn": TURNS,
    "odds": {
        "first_fire": Fact("goes_first", lambda group: str(group).removesuffix("s")),
        "blows": Fact("forces", blows),
        "holds": Fact("named", lambda rows: next(chances(row["chances"]) for row in rows if row["name"] == "holder")),
        "endings": Fact("outcomes", endings),
        "rounds": Fact(
            "counter_values", lambda rows: next(chances(row["chances"]) for row in rows if row["counter"] == "rounds")
        ),
        "sides": Fact("forces", lost),
        "tolls": Fact("jointly", jointly),
        "sudden_death": Fact("wins", numbers),
        "what_if": Fact("what_if", bag(change)),
        "changes": Fact("what_if", changes, free=True),
    },
    "air": {
        "first": Fact("first", word),
        "holder": Fact("holder", chances),
        "lost": Fact("nations", lambda rows: {nation_row["nation"]: LOSS_READER(nation_row["losses"]) for nation_row in rows}),
        "freed": Fact("nations", field_by_key("nation", "freed", number)),
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
        "landings": Fact("landings", each_as("place", record(
            distance=("distance", number), forbidden=("why", rules), full=("may_end", lambda may: not may), chances=("chances", chances),
        ))),
    },
    "command": {
        "radius": Fact(
            "headquarters",
            without_copies(each_as(("unit", "place"), record(leader=("length", number), costs=("reach", places)))),
        ),
        "commanded": Fact("units", without_copies(COMMAND)),
    },
    "umbrella": {
        "covers": Fact("covering", without_copies(COVERS)),
    },
    "fire": {
        "strength": Fact("strength", number),
        "start": Fact("start", word),
        "shift": Fact("shift", number),
        "why": Fact("applied", SHIFTS),
        "column": Fact("column", word),
        "throws": Fact("rolls", field_by_key("throw", "result", word)),
        "chances": Fact("chances", chances),
    },
    "mobilization": {
        "bought": Fact("bought", list_of(record(unit=("unit", word), turn=("turn", number), cost=("cost", number)))),
        "never": Fact("never", bag(record(unit=("unit", word), rules=("why", rules)))),
        "left": Fact("turns", field_by_key("turn", "left", number)),
    },
    "move": {
        "allowance": Fact("allowance", number),
        "costs": Fact("places", on_land(field_by_key("place", "cost", number))),
        "stops": Fact("places", on_land(names_where("stops", "place"))),
        "full": Fact("places", on_land(names_where("may_end", "place", False))),
    },
    "refit": {
        "cost": Fact("cost", number),
        "turns": Fact("turns", chances),
        "mean_turns": Fact("mean_turns", number),
        "back": Fact("back", chances),
    },
    "retreat": {
        "back": Fact("units", backs),
    },
    "score": {
        **SCORED,
        "lines": Fact("scores", list_of(record(
            side=("side", word), rule=("rule", word), each=("each", number), count=("count", number), points=("points", number),
            places=("places", titles),
        ))),
        "casualties": Fact("tracks", field_by_key("track", "points", number)),
        "sudden_death": Fact("sudden_death", list_of(record(side=("side", word), lacks=("lacks", size)))),
        "lacks": Fact("sudden_death", list_of(lambda side_row: tuple(side_row["lacks"])), free=True),
    },
    "supply": {
        "supplied": Fact("sides", by_side(lambda side: first(names_where("supplied", "unit"))(side["units"]))),
        "out": Fact("sides", by_side(lambda side: first(names_where("supplied", "unit", False))(side["units"]))),
        "places": Fact("sides", by_side(lambda side: first(field_by_key("unit", "place", word))(side["units"]))),
        "ways": Fact(
            "sides",
            by_side(lambda side: first(field_by_key("unit", "path", lambda path: way(path)[::-1]))(side["units"])),
            free=True,
        ),
        "cut_by": Fact("sides", by_side(lambda side: first(field_by_key("unit", "cut_by", names))(side["units"])), free=True),
        "waiting": Fact("sides", by_side(
            lambda side: each_as("group", record(at=("places", names), out=("unsupplied", names)))(side.get("waiting", ()))
        )),
        "cuts_most": Fact("sides", by_side(lambda side: tuple(size(cut["unsupplied"]) for cut in side["cuts"]))),
        "cuts": Fact("sides", by_side(lambda side: field_by_key("place", "unsupplied", names)(side["cuts"])), free=True),
        "commanded": Fact("sides", by_side(lambda side: first(COMMAND)(side["command"]))),
        "bridges": Fact("sides", by_side(lambda side: field_by_key(("place", "to"), "stands", flag)(side["spans"]))),
        "covers": Fact("sides", by_side(lambda side: first(COVERS)(side["covering"]))),
    },
}  # fmt: skip
