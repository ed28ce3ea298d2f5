"""Airpower: air superiority with the fire that answers it, strikes and barrages, exactly."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from assistant.attack import AttackValue as Amount
from assistant.attack import Odds, odds
from assistant.attack_nodes import odds_nodes
from assistant.chances import gather, mean
from assistant.engine.field import Field
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.question_field import asked_place
from assistant.games.six_day_war.forces import FRONTS, HOMES, area, fields_of, in_box, limit, terrain, within
from assistant.games.six_day_war.questions import (
    DISINTEGRATED,
    FRONT,
    ON_THE_MAP,
    asked_field,
)
from assistant.games.six_day_war.retreat import PANIC, back_together, ends_of, why
from assistant.games.six_day_war.score import air_levels
from assistant.questions.answer import (
    Answer,
    BadQuestion,
    Cell,
    Chance,
    Chances,
    Node,
    Refusal,
    RowTable,
    Sentence,
    TableColumn,
    Unofficial,
    Value,
    chances_cell,
)
from assistant.questions.question import Input, Inputs, Question
from assistant.unofficial import unofficial_addresses
from scenarios.grammar import count_text
from scenarios.model.game import Game
from scenarios.model.memo import cached_on
from scenarios.reading.shapes import number

TARGETS = (*HOMES, "airbase")


class Sky(NamedTuple):
    """How an air phase may end: what is left of the defenses and what the Israelis lost."""

    level: int
    barrages: int
    refit: int
    dead: int


Skies = Mapping[Sky, Fraction]
"""Every end of an air phase and its chance."""


def air_phase(
    game: Game,
    *,
    superiority: int,
    special_forces: int,
    ground: int,
    level: int,
    barrages: int,
    shock_turn: bool,
    levels_first: bool,
) -> Skies:
    """Air superiority, then air defense fire with the level that is left (16.4 to 16.13).

    `superiority` and `ground` are airstrikes on the two missions; EH takes half the markers flown, rounded down (ruling
    eh_of_seven). `levels_first` says whether levels or barrage markers are taken off first.
    """
    most = game.markers["airstrike"].count or 0
    if superiority + ground > most:
        raise BadQuestion(f"the pool has {count_text(most, 'airstrike')} in all, not {superiority + ground} (24.1)")
    if special_forces and not superiority:
        raise BadQuestion("at least one airstrike must fly with special forces (16.5)")
    thrown = superiority_fire(game, superiority, special_forces, shock_turn).chances if superiority else {}
    flown, flying = superiority + special_forces, superiority + special_forces + ground
    ends: dict[Sky, Fraction] = {}
    for taken, chance in (gather(thrown, lambda code: takes_off(game, code, flown)) or {0: Fraction(1)}).items():
        first = min(taken, level if levels_first else barrages)
        second = min(taken - first, barrages if levels_first else level)
        less, guns = (first, second) if levels_first else (second, first)
        for (refit, dead), fire in _fired(game, level - less, flying, superiority + ground, shock_turn).items():
            end = Sky(level - less, barrages - guns, refit, dead)
            ends[end] = ends.get(end, Fraction(0)) + chance * fire
    return dict(sorted(ends.items()))


def spread_of(skies: Skies, what: str) -> dict[int, Fraction]:
    """The chance of each value of level, barrages, refit or dead."""
    return dict(sorted(gather(skies, lambda sky: int(getattr(sky, what))).items()))


def superiority_fire(game: Game, airstrikes: int, special_forces: int, shock: bool) -> Odds:
    """The Israeli throw: its column and the chance of each result (16.4, 25.5)."""
    return _asked(
        game,
        "air_superiority",
        airstrikes=Fraction(airstrikes),
        special_forces=Fraction(special_forces),
        shock_turn=shock,
    )


def takes_off(game: Game, code: str, flown: int) -> int:
    """How many levels and barrage markers a result takes off, rounded down (16.12)."""
    return int(number(_effect(game, code, "israeli_takes")) * flown)


def _effect(game: Game, code: str, name: str) -> str:
    return game.tables["air_superiority"].results[code].effects.get(name, "0")


def _fired(game: Game, level: int, flying: int, airstrikes: int, shock: bool) -> dict[tuple[int, int], Fraction]:
    """Airstrikes that go to Refit and to the dead; special forces are never lost, the dead come first (16.13)."""
    if not flying:
        return {(0, 0): Fraction(1)}

    def lost(code: str) -> tuple[int, int]:
        dead = min(airstrikes, int(_effect(game, code, "dead")))
        return min(airstrikes - dead, int(_effect(game, code, "refit"))), dead

    return gather(
        _asked(game, "air_defense", level=Fraction(level), flying=Fraction(flying), shock_turn=shock).chances, lost
    )


def _asked(game: Game, attack: str, **told: Amount) -> Odds:
    """A throw on a table, kept: there are only so many columns."""
    answer = cached_on(game, _thrown, attack, tuple(told.items()))
    if answer.failures:
        raise BadQuestion(answer.failures[0])
    return answer


def _thrown(game: Game, attack: str, told: tuple[tuple[str, Amount], ...]) -> Odds:
    return odds(game, attack, {}, dict(told))


# --- strikes and barrages on a hex --------------------------------------------------------------------------------------


def _struck(
    field: Field, attack: str, there: Sequence[PlacedUnit], inputs: Mapping[str, Amount], hexes: str
) -> tuple[Odds, list[Node]]:
    """A throw for each unit of a hex: the chance that it is eliminated, and what a T1 does to it."""
    worked = odds(field.game, attack, {"targets": [fields_of(field.game, standing) for standing in there]}, inputs)
    results, kind = field.game.tables["strike"].results, "airstrike" if attack == "strike" else "barrage"
    rows: list[dict[str, Cell]] = []
    for standing, target in zip(there, worked.targets, strict=True):
        (back,) = back_together(field, [standing], hexes)
        (reason, rule), ends = why(back), ends_of(back)
        effects = {code: results[code].effects.get(kind, "") for code in target.chances}
        dies = mean(
            target.chances,
            lambda code: 1 if effects[code] == "eliminated" else back.chance_gone if effects[code] else 0,  # noqa: B023
        )
        rows.append(
            {
                "unit": standing.ref,
                "eliminated": Chance(dies),
                "why": reason,
                "rule": rule,
                "to": field.places_at(ends),
                "t1": reason or f"back to {' or '.join(map(field.map_index.name, ends))}",
            }
        )
    columns = [
        TableColumn("unit", "unit"),
        TableColumn("eliminated", "eliminated in all"),
        TableColumn("t1", "by a T1", for_programs=False),
        TableColumn("rule", "rule"),
    ]
    nodes: list[Node] = [
        *odds_nodes(field.game, worked),
        RowTable("outcomes", columns, rows),
        Unofficial(unofficial_addresses(field.game, tables=["strike"])),
    ]
    return worked, [
        *nodes,
        Value("chances", chances_cell(worked.chances), for_people=False),
    ] if worked.targets else nodes


def _strike(game: Game, told: Inputs) -> Answer:
    """Airstrikes on a hex: a throw for each Arab unit there; T1 panics it, T2 eliminates it (16.14 to 16.19)."""
    field = asked_field(game, told)
    n = asked_place(field.map_index, told["hex"], "hex")
    there = field.stack(n, "arab")
    if not there:
        raise BadQuestion(f"no Arab unit stands in {field.map_index.name(n)}")
    spared = any(effect.at is not None and n in area(field, effect.at) for effect in field.in_force("no_strike"))
    return Answer(
        "strike",
        game.id,
        _struck(field, "strike", there, {"airstrikes": told["airstrikes"], "jerusalem": spared}, PANIC)[1],
    )


def _barrage(game: Game, told: Inputs) -> Answer:
    """An Arab barrage on the Israelis of a hex, each with a throw; T1 is a retreat of one hex, T2 eliminates; or on the place itself
    (18.2 to 18.9)."""
    field, on_place = asked_field(game, told), told.get("place", False)
    n = asked_place(field.map_index, told["hex"], "hex")
    there = () if on_place else field.stack(n, "israeli")
    if not on_place and not there:
        raise BadQuestion(f"no Israeli unit stands in {field.map_index.name(n)}")
    if on_place and (not within(field, n, "israel") or terrain(field, n) not in TARGETS):
        raise Refusal(f"{field.map_index.name(n)} is no city, town, kibbutz or airbase of Israel", "18.5")
    worked, nodes = _struck(field, "barrage", there, {}, "1")
    results = game.tables["strike"].results
    terror = sum((p for code, p in worked.chances.items() if "place" in results[code].effects), Fraction(0))
    terrorized = Value(
        "terrorized",
        Chance(terror if on_place else Fraction(0)),
        "The place is terrorized",
        "18.5",
        for_people=on_place,
    )
    return Answer("barrage", game.id, [*nodes, terrorized])


# --- the air phase ------------------------------------------------------------------------------------------------------

SPREADS = {
    "level": "air defense left",
    "barrages": "barrages left",
    "refit": "airstrikes to Refit",
    "dead": "airstrikes dead",
}


def _air(game: Game, told: Inputs) -> Answer:
    """Air superiority on a front and the fire that answers it (16.4 to 16.13)."""
    field, front = asked_field(game, told, units=False), told["front"]
    numbers = {key: int(told.get(key, 0)) for key in ("superiority", "special_forces", "ground")}
    numbers["barrages"] = int(told.get("barrages", len(in_box(field.position, f"{front}_barrage"))))
    level, most = int(told.get("level", air_levels(field)[front])), int(limit(game, "air_defense_most"))
    if level > most:
        raise BadQuestion(f"level is a whole number from 0 to {most}, not {level}; write for example level={most}")
    shock = told.get("shock_turn", bool(field.in_force("free_enhanced", "israeli")))

    def flown(**more: int) -> Skies:
        return air_phase(
            game, level=level, shock_turn=shock, levels_first=told["first"] == "levels", **{**numbers, **more}
        )

    found = flown()
    nodes: list[Node] = [
        Sentence(f"{front.capitalize()}, air defense {level}, barrages {numbers['barrages']}"),
        Value("front", front, for_people=False),
        Value("shock", shock, "Israeli shock", "25.5", for_people=shock),
    ]
    if numbers["superiority"]:
        fire = superiority_fire(game, numbers["superiority"], numbers["special_forces"], shock)
        takes = {
            code: takes_off(game, code, numbers["superiority"] + numbers["special_forces"]) for code in fire.chances
        }
        nodes.append(Value("column", fire.column, "Air superiority on column", "16.12"))
        nodes.append(Chances("codes", fire.chances, meanings={code: f"takes {count}" for code, count in takes.items()}))
    spreads = {key: spread_of(found, key) for key in SPREADS}
    rows: list[dict[str, Cell]] = [
        {"of": SPREADS[key], "chances": chances_cell(spread)} for key, spread in spreads.items()
    ]
    nodes.append(
        RowTable(
            "shown_spread",
            [TableColumn("of", "of"), TableColumn("chances", "chances")],
            rows,
            heads=False,
            for_programs=False,
        )
    )
    nodes.append(Value("spread", {key: chances_cell(spread) for key, spread in spreads.items()}, for_people=False))
    nodes += [_other_numbers(game, numbers["superiority"], flown)] if told.get("what_if") else []
    barrages = game.markers[f"barrage_{front}"]
    started = "barrages" not in told and numbers["barrages"] > 0
    counts = {f"markers/barrage_{front}/count": barrages.sources.get("count")} if started else {}
    return Answer(
        "air",
        game.id,
        [*nodes, Unofficial(unofficial_addresses(game, tables=["air_superiority"], other_sources=counts))],
    )


def _other_numbers(game: Game, flying: int, flown: Callable[..., Skies]) -> RowTable:
    """What every number of airstrikes up to one more would leave, on average."""
    rows: list[dict[str, Cell]] = []
    for count in range(1, min(game.markers["airstrike"].count or 1, flying + 1) + 1):
        other = flown(superiority=count)
        rows.append(
            {"airstrikes": count, **{key: mean(spread_of(other, key), int) for key in ("level", "barrages", "dead")}}
        )
    columns = [
        TableColumn("airstrikes", "on air superiority"),
        *(TableColumn(key, SPREADS[key]) for key in ("level", "barrages", "dead")),
    ]
    return RowTable("what_if", columns, rows, "on average")


HEX = Input(name="hex", about="the hex", kind="place", required=True, aliases=("at",))
AIR = Question(
    name="air",
    about="air superiority and the fire that answers it",
    answer=_air,
    inputs=(
        replace(FRONT, default=FRONTS[0], assumed=True),
        Input(name="superiority", about="airstrikes on air superiority", kind="number", maximum=99),
        Input(name="special_forces", about="special forces with them", kind="number", maximum=99),
        Input(name="ground", about="airstrikes on ground support", kind="number", maximum=99),
        Input(name="level", about="Arab air defense level, where it isn't the position's", kind="number", maximum=99),
        Input(name="barrages", about="Arab barrage markers available", kind="number", maximum=99),
        Input(
            name="first",
            about="what is taken off first",
            kind="choice",
            choices=("levels", "barrages"),
            default="levels",
        ),
        Input(name="shock_turn", about="it is the turn of Israeli shock", kind="flag"),
        Input(name="what_if", about="also for every other number of airstrikes", kind="flag"),
        *ON_THE_MAP,
    ),
)
STRIKE = Question(
    name="strike",
    about="airstrikes on a hex",
    answer=_strike,
    positional=("hex",),
    inputs=(
        HEX,
        Input(
            name="airstrikes", about="how many, 1 to 3", kind="number", maximum=99, default=Fraction(1), assumed=True
        ),
        *ON_THE_MAP,
        DISINTEGRATED,
    ),
)
BARRAGE = Question(
    name="barrage",
    about="an Arab barrage on a hex",
    answer=_barrage,
    positional=("hex",),
    inputs=(HEX, *ON_THE_MAP, Input(name="place", about="on the city, town, kibbutz or airbase itself", kind="flag")),
)
