"""The answers of The Arab-Israeli Wars."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.net.facts.shared import ATTACK
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
    number,
    numbers,
    record,
    rules,
    settled_record,
    values_by_key,
    way,
    word,
)


def base(value: Any) -> str:
    """A counter without its copy; what has none is support."""
    return "support" if value is None else str(value).partition("/")[0]


def copy(value: Any) -> str:
    """The copy of a counter."""
    return "" if value is None else str(value).partition("/")[2]


def unit(**extra_fields: tuple[str, Reader]) -> Reader:
    """A unit with its copy apart, and more of what is told of it."""
    read = record(unit=("unit", base), copy=("copy", word), at=("place", word), **extra_fields)
    return lambda value: read({**value, "copy": copy(value["unit"])})


def kind(**extra_fields: tuple[str, Reader]) -> Reader:
    """A unit without its copy."""
    return record(unit=("unit", base), at=("place", word), **extra_fields)


def told_by(value: Any) -> Any:
    """What tells a line of victory: an input, or its number."""
    return word(f"line:{value}" if str(value).isdecimal() else value)


UNIT = unit()
FATE = kind(die=("die", number), chances=("chances", chances))
TOLL = bag(record(eliminated=("eliminated", number), dispersed=("dispersed", number), chance=("chance", number)))
WHAT_IF_COSTS = bag(
    kind(
        added=("added", flag),
        strength=("strength", number),
        column=("column", word),
        eliminated=("eliminated", number),
        dispersed=("dispersed", number),
    )
)
PERMISSION_FACTS: Facts = {name: ATTACK[name] for name in ("forbidden", "allowed")}
DICE: Facts = {
    **{name: fact for name, fact in ATTACK.items() if name not in PERMISSION_FACTS},
    "targets": Fact("target_dice", list_of(field_of("codes", chances))),
    "target_dice": Fact("target_dice", list_of(field_of("die", number))),
}


def first(name: str) -> Fact:
    """A fact of the attack, or of the first one where each target is attacked alone."""

    def read(answer: Mapping[str, Any]) -> Any:
        fact, attack_answer = DICE[name], answer if "units" in answer else next(iter(answer.get("attacks", ())), {})
        return (
            fact.read(attack_answer[fact.key])
            if "worth" not in answer and attack_answer.get(fact.key) is not None
            else None
        )

    return Fact(WHOLE, read)


def single_attacks(answer: Mapping[str, Any]) -> Any:
    """The attacks where each target is attacked alone."""
    return (
        list_of(settled_record({**DICE, **PERMISSION_FACTS}))(answer["attacks"])
        if "attacks" in answer and "worth" not in answer
        else None
    )


def plan(answer: Mapping[str, Any]) -> Any:
    return (
        bag(
            record(
                firers=("attackers", bag(UNIT)),
                column=("column", word),
                defenders=("targets", list_of(FATE)),
                toll=("losses", TOLL),
            )
        )(answer["attacks"])
        if "worth" in answer
        else None
    )


def mean(answer: Mapping[str, Any]) -> Any:
    """What an attack brings on average, or a plan."""
    if "worth" in answer:
        return number(answer["worth"])
    return {name: number(answer[name]) for name in ("eliminated", "dispersed", "stopped") if name in answer}


def following(answer: Mapping[str, Any]) -> Any:
    """The next column, and what could be spared in this one."""
    return (
        {
            "column": answer["column_after"],
            "needed": number(answer["next_column"]),
            "spare": number(answer["to_spare"]),
        }
        if "column_after" in answer
        else None
    )


def one_or_all(answer: Mapping[str, Any]) -> Any:
    """What one hex sees, or each of the map."""
    if "pairs" in answer:
        return {row["place"]: names(row["sees"]) for row in answer["places"]}
    return names(row["place"] for row in answer["sees"]) if "sees" in answer else None


def sentences(refusals: list[dict[str, str]]) -> frozenset[str]:
    """The rules of reasons, those in their sentences too."""
    return frozenset().union(*(rules(f"{refusal['text']} ({refusal['rule']})") for refusal in refusals))


ODDS: Facts = {
    **{name: first(name) for name in DICE},
    "forbidden": Fact("refused", sentences),
    "allowed": Fact("refused", lambda refusals: not refusals),
    "at": Fact("place", word),
    "told": Fact("inputs", values_by_key(word)),
    "firers": Fact("attackers", bag(UNIT)),
    "defenders": Fact(WHOLE, lambda answer: None if "worth" in answer else list_of(FATE)(answer["targets"])),
    "looks": Fact("looks", each_as(("attacker", "target"), record(clear=("clear", flag), hull_down=("hull_down", flag)))),
    "toll": Fact("losses", TOLL),
    "mean": Fact(WHOLE, mean),
    "left_out": Fact(WHOLE, lambda answer: None if "worth" in answer else bag(kind(rules=("refused", rules)))(answer["unable"])),
    "landings": Fact("falls", bag(record(
        how=("how", word), at=("place", word), chance=("chance", number), defenders=("targets", list_of(FATE)),
    ))),
    "own_toll": Fact("own_losses", TOLL),
    "each": Fact(WHOLE, single_attacks),
    "next_column": Fact(WHOLE, following),
    "what_if": Fact("what_if", WHAT_IF_COSTS),
    "plan": Fact(WHOLE, plan, free=True),
    "idle": Fact("not_needed", bag(UNIT), free=True),
    "unable": Fact(WHOLE, lambda answer: bag(kind(rules=("why", rules)))(answer["unable"]) if "worth" in answer else None),
}  # fmt: skip
REACH = record(
    cost=("cost", number),
    mines=("harm", number),
    off_road=("cost_off_road", number),
    without_mines=("cost_unharmed", number),
    overruns=("overruns", names),
    assaults=("assaults", names),
)
RECOVERY: Facts = {
    "level": Fact("level", word),
    "column": Fact("column", word),
    "range": Fact("recovers_on", word),
    "chance": Fact("chance", number),
    "rule": Fact("rule", word),
    "mean_turns": Fact("mean_turns", number),
    "by_turn": Fact("turns", list_of(field_of("by_now", number))),
}


def smoke(way: str, key: str, read: Reader) -> Fact:
    """What is told of one way to fire smoke."""
    return Fact("ways", lambda ways: read(next(row for row in ways if row["way"] == way)[key]))


FACTS: Mapping[str, Facts] = {
    "odds": ODDS,
    "los": {
        "distance": Fact("distance", number),
        "clear": Fact("clear", flag),
        "blocked_by": Fact("blocked_by", bag(record(
            what=("what", word), at=("place", word), hexsides=("hexsides", names), how=("how", word), rule=("rule", word),
        ))),
        "hexes": Fact("hexes_passed", list_of(word)),
        "crossed": Fact("crossed", field_by_key("hexside", "kinds", names)),
        "along": Fact("along", bag(str)),
        "corners": Fact("corners", bag(str)),
        "hull_down": Fact("hull_down", values_by_key(names)),
        "slope": Fact("slope", values_by_key(flag)),
        "conceals": Fact("conceals", flag),
        "spotted": Fact("spotted", flag),
        "sees": Fact(WHOLE, one_or_all),
        "pairs": Fact("pairs", number),
    },
    "move": {
        "allowance": Fact("allowance", number),
        "points": Fact("points", number),
        "stays": Fact("refused", rules),
        "reach": Fact("reach", each_as("place", REACH)),
        "costs": Fact("reach", field_by_key("place", "cost", number), free=True),
        "ways": Fact("reach", field_by_key("place", "path", way), free=True),
        "by_road": Fact("reach", field_by_key("place", "road", flag), free=True),
        "steps": Fact("steps", list_of(record(
            kind=("action", word), to=("to", word), cost=("cost", number), total=("so_far", number), road=("road", flag),
            rules=("parts", list_of(record(rule=("rule", word), cost=("cost", number)))),
        ))),
        "spent": Fact("cost", number),
        "fired_at": Fact("shots", bag(lambda shot: record(
            step=("step", number), at=("place", word), firer=("unit", base), copy=("copy", word), firer_at=("from", word),
            distance=("distance", number), in_sight=("in_sight", flag), first=("new_target", flag), may_fire=("may", flag),
            rules=("why", rules),
        )({**shot, "copy": copy(shot["unit"])}))),
        "hazards": Fact("dangers", list_of(record(
            kind=("danger", word), at=("place", word), chances=("chances", chances), rule=("rule", word),
        ))),
        "endings": Fact("outcomes", field_by_key(("outcome", "place"), "chance", number)),
        "crossings": Fact("crossings", bag(record(
            how=("way", word), canal=("place", word), to=("to", names), turns=("takes", number), forbidden=("why", rules),
            rule=("rule", word),
        ))),
        "handlings": Fact("loading", bag(record(
            kind=("action", word), at=("place", word), units=("units", bag(word)), left=("left", number),
        ))),
    },
    "morale": {
        **RECOVERY,
        "dispersed": Fact("units", lambda units: each_as(("unit", "place"), settled_record(RECOVERY))(
            [{**unit, "unit": base(unit["unit"])} for unit in units])),
    },
    "smoke": {
        "direct": smoke("direct", "refused", sentences),
        "indirect": smoke("written", "refused", sentences),
        "may_direct": smoke("direct", "may", flag),
        "may_indirect": smoke("written", "may", flag),
        "unseen": Fact("falls", lambda falls: field_by_key("where", "chance", number)([
            {**fall, "where": fall["place"] or {"scatter": "lost"}.get(fall["how"], "off the map")} for fall in falls])),
        "removed_in_turn": Fact("until", number),
    },
    "score": {
        "last": Fact("last_turn", number),
        "over": Fact("over", flag),
        "points": Fact("totals", numbers),
        "winner": Fact("ahead", lambda side: word(side or None)),
        "ahead": Fact("difference", number),
        "level": Fact("level", word),
        "lines": Fact("scores", list_of(record(
            side=("side", word), each=("each", number), count=("count", number), points=("points", number), tell=("input", told_by),
        ))),
        "to_be_told": Fact("missing_inputs", list_of(record(event=("input", told_by), side=("side", word)))),
    },
}  # fmt: skip
