"""Strikes and barrages on a hex, exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from assistant.attack import AttackValue as Amount
from assistant.attack import Odds, odds
from assistant.attack_nodes import odds_nodes
from assistant.chances import mean
from assistant.engine.field import Field
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.question_field import asked_place
from assistant.games.six_day_war.forces import HOMES, area, fields_of, terrain, within
from assistant.games.six_day_war.questions import (
    DISINTEGRATED,
    ON_THE_MAP,
    asked_field,
)
from assistant.games.six_day_war.retreat import PANIC, back_together, ends_of, why
from assistant.questions.answer import (
    Answer,
    BadQuestion,
    Cell,
    Chance,
    Node,
    Refusal,
    RowTable,
    TableColumn,
    Unofficial,
    Value,
    chances_cell,
)
from assistant.questions.question import Input, Inputs, Question
from assistant.unofficial import unofficial_addresses
from scenarios.model.game import Game

TARGETS = (*HOMES, "airbase")


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


HEX = Input(name="hex", about="the hex", kind="place", required=True, aliases=("at",))
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
