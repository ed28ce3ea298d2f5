"""Facts that all games tell alike: declared attacks, tables, points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.net.reading import (
    Fact,
    Facts,
    bag,
    chances,
    each_as,
    field_by_key,
    field_of,
    flag,
    group_by,
    list_of,
    names,
    names_where,
    number,
    numbers,
    record,
    rules,
    values_by_key,
    word,
)


def modifier(value: Mapping[str, Any]) -> str:
    """A modifier that counted: what it does, by how much, by which rule."""
    return f"{value['effect']} {value['amount']} {value['rule']}"


def modifiers_of(value: list[Any]) -> tuple[Any, ...]:
    return tuple(bag(modifier)(row["applied"]) for row in value)


ATTACK: Facts = {
    "attack": Fact("attack_strength", number),
    "defense": Fact("defense_strength", number),
    "ratio": Fact("ratio", number),
    "start": Fact("start", word),
    "shift": Fact("shift", number),
    "column": Fact("column", word),
    "die": Fact("die", number),
    "chances": Fact("chances", chances),
    "strengths": Fact("units", group_by("group", "value", number)),
    "modifiers": Fact("applied", bag(modifier)),
    "unit_modifiers": Fact("units", modifiers_of),
    "targets": Fact("targets", list_of(field_of("chances", chances))),
    "target_dice": Fact("targets", list_of(field_of("die", number))),
    "forbidden": Fact("refused", rules),
    "allowed": Fact("refused", lambda refusals: not refusals),
}
TABLE: Facts = {
    "column": Fact("column", word),
    "row": Fact("row", word),
    "result": Fact("result", word),
    "chances": Fact("chances", chances),
    "cells": Fact("cells", values_by_key(word)),
    "columns": Fact("columns", list_of(word)),
    "rows": Fact("rows", values_by_key(values_by_key(word))),
    "attack": Fact("attack_strength", number),
    "defense": Fact("defense_strength", number),
    "ratio": Fact("ratio", number),
}
SCORE: Facts = {
    "points": Fact("totals", numbers),
    "ahead": Fact("ahead", word),
    "level": Fact("level", word),
    "won": Fact("won", list_of(field_of("side", word))),
    "lines": Fact("lines", list_of(record(
        side=("side", word), rule=("rule", word), each=("each", number), count=("count", number), points=("points", number),
        places=("places", names),
    ))),
}  # fmt: skip
SCORED: Facts = {**SCORE, "lines": SCORE["lines"]._replace(key="scores")}
"""The same of a question that is answered as a tree."""
FORECAST: Facts = {
    "refused": Fact("refused", field_by_key("marker", "rule", word)),
    "ends": Fact("turns", field_by_key("turn", "game_ends", number)),
    "counters": Fact("turns", field_by_key("turn", "counters", values_by_key(chances))),
    "goes_on": Fact("goes_on", number),
    "rolls": Fact("turn_rolls", group_by("turn", "now", number)),
}
"""What the counters of a game come to."""
ROLL: Facts = {
    "throws": Fact("rolls", list_of(record(dice=("dice", numbers), total=("total", number), result=("result", word)))),
}
STACK: Facts = {
    "stacks": Fact("stacks", each_as("place", record(
        side=("side", word), units=("units", bag(word)), allowed=("may", flag), rules=("why", rules),
    ))),
}  # fmt: skip
RETREAT: Facts = {
    "back": Fact("units", each_as("unit", lambda unit: {
        way["to"]: {"harm": number(way["harm"]), "length": number(way["length"]), "room": flag(way["room"])} for way in unit.get("ways", ())
    })),
}  # fmt: skip
ATTACKS: Facts = {
    "attacks": Fact(
        "sides",
        lambda sides: {
            name: each_as(
                "place",
                record(
                    by=("units", names),
                    against=("defenders", names),
                    column=("column", word),
                    forbidden=("refused", rules),
                ),
            )([row for side in sides if side["side"] == name for row in side.get("attacks", ())])
            for name in (side["side"] for side in sides)
        },
    ),
    "must": Fact(
        "sides",
        lambda sides: {
            name: frozenset(
                line["text"]
                for side in sides
                if side["side"] == name
                for line in side.get("lines", ())
                if "must" in line["text"]
            )
            for name in (side["side"] for side in sides)
        },
    ),
}
"""Who may attack what, and who must."""


def happening(event: Mapping[str, Any]) -> tuple[Any, ...]:
    """What a phase brings: which change, to whom, with which chances."""
    change = tuple((key, word(event[key])) for key in ("sets", "clears", "restore", "lose") if key in event)
    return (
        event.get("rule", ""),
        change,
        names(_unit(unit_row) for unit_row in event.get("units", ())),
        chances(event.get("chances", {})),
    )


def _unit(row: Any) -> Any:
    return row["unit"] if isinstance(row, dict) else row


TURNS: Facts = {
    "turn": Fact("turn", number),
    "arrive": Fact("reinforcements", each_as(("side", "group"), record(units=("units", numbers)))),
    "happens": Fact(
        "phases",
        lambda phases: {
            phase["phase"]: tuple(happening(event) for event in phase["happens"])
            for phase in phases
            if phase.get("happens")
        },
    ),
}
"""What a turn brings."""
ADVANCES: Facts = {
    "allowance": Fact("allowance", number),
    "costs": Fact("places", field_by_key("place", "cost", number)),
    "ends": Fact("places", names_where("may_end", "place")),
}
"""Where a unit may advance, by the pack's rules."""
COMMON_FACTS: Facts = {"ours": Fact("unofficial", names)}
"""What every answer may say: which numbers it rests on aren't the rulebook's."""
FACTS: Mapping[str, Facts] = {"declared": ATTACK, "bare": TABLE, "table": TABLE, "roll": ROLL}
