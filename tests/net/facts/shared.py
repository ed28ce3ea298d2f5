"""Facts that all games tell alike: declared attacks, tables, points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
    grouped,
    many,
    names,
    number,
    numbers,
    record,
    rules,
    where,
    word,
)


def modifier(value: Mapping[str, Any]) -> str:
    """A modifier that counted: what it does, by how much, by which rule."""
    return f"{value['effect']} {value['amount']} {value['rule']}"


def modifiers_of(value: list[Any]) -> tuple[Any, ...]:
    return tuple(bag(modifier)(one["applied"]) for one in value)


ATTACK: Facts = {
    "attack": Fact("attack_strength", number),
    "defense": Fact("defense_strength", number),
    "ratio": Fact("ratio", number),
    "start": Fact("start", word),
    "shift": Fact("shift", number),
    "column": Fact("column", word),
    "die": Fact("die", number),
    "chances": Fact("chances", chances),
    "strengths": Fact("units", grouped("group", "value", number)),
    "modifiers": Fact("applied", bag(modifier)),
    "unit_modifiers": Fact("units", modifiers_of),
    "targets": Fact("targets", many(at("chances", chances))),
    "target_dice": Fact("targets", many(at("die", number))),
    "forbidden": Fact("refused", rules),
    "allowed": Fact("refused", lambda refused: not refused),
}
TABLE: Facts = {
    "column": Fact("column", word),
    "row": Fact("row", word),
    "result": Fact("result", word),
    "chances": Fact("chances", chances),
    "cells": Fact("cells", by(word)),
    "columns": Fact("columns", many(word)),
    "rows": Fact("rows", by(by(word))),
    "attack": Fact("attack_strength", number),
    "defense": Fact("defense_strength", number),
    "ratio": Fact("ratio", number),
}
SCORE: Facts = {
    "points": Fact("totals", numbers),
    "ahead": Fact("ahead", word),
    "level": Fact("level", word),
    "won": Fact("won", many(at("side", word))),
    "lines": Fact("lines", many(record(
        side=("side", word), rule=("rule", word), each=("each", number), count=("count", number), points=("points", number),
        places=("places", names),
    ))),
}  # fmt: skip
SCORED: Facts = {**SCORE, "lines": SCORE["lines"]._replace(key="scores")}
"""The same of a question that is answered as a tree."""
ROLL: Facts = {
    "throws": Fact("throws", many(record(dice=("dice", numbers), total=("total", number), result=("result", word)))),
}
STACK: Facts = {
    "stacks": Fact("stacks", each_as("place", record(
        side=("side", word), units=("units", bag(word)), allowed=("may", flag), rules=("why", rules),
    ))),
}  # fmt: skip
RETREAT: Facts = {
    "back": Fact("units", each_as("unit", lambda unit: {
        one["to"]: {"harm": number(one["harm"]), "length": number(one["length"]), "room": flag(one["room"])} for one in unit.get("ways", ())
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
        names(_unit(one) for one in event.get("units", ())),
        chances(event.get("chances", {})),
    )


def _unit(one: Any) -> Any:
    return one["unit"] if isinstance(one, dict) else one


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
    "costs": Fact("places", each("place", "cost", number)),
    "ends": Fact("places", where("may_end", "place")),
}
"""Where a unit may advance, by the pack's rules."""
EVERY: Facts = {"ours": Fact("not_the_rulebooks", names)}
"""What every answer may say: which numbers it rests on aren't the rulebook's."""
FACTS: Mapping[str, Facts] = {"declared": ATTACK, "bare": TABLE, "table": TABLE, "roll": ROLL}
