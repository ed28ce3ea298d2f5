"""The field that a question is about, the units and hexes that it names, and units and hexes in answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from assistant import specials
from assistant.answers import BadQuestion, Cell, Chance, Counter, Place
from assistant.asking import named_place
from assistant.games.yom_kippur.placing import start
from assistant.questions import ON_A_MAP, Input, Told
from assistant.rules.changes import rearranged
from assistant.rules.field import Field, Standing
from assistant.rules.kinds import kinds_of
from assistant.rules.placed import asked_place, asked_position
from assistant.rules.placed import asked_units as named_units
from scenarios.game import Game
from scenarios.position import Piece, Position
from scenarios.reading.shapes import number
from scenarios.scenario import Effect

SIDES = ("egyptian", "israeli")
PAID = Input(name="may_cross_east", about="3.8 is paid for: Egyptian headquarters and SAMs may be east of the canal", kind="flag")
ON_ITS_MAP = (*ON_A_MAP, PAID)
"""What every question about a position may be told."""
SIDE = Input(name="side", about="whose", kind="choice", of="side")
UNITS = Input(name="unit", about="who, as in UNIT,UNIT", kind="units")
CHOSEN = "* set up by area; the hex is our choice"


def other(side: str) -> str:
    """The enemy of a side."""
    return SIDES[1 - SIDES.index(side)]


def asked_field(game: Game, told: Told) -> Field:
    """The units on the map: of `position`, or of the start of `scenario`; changed as told."""
    assumed: frozenset[tuple[str, str]] = frozenset()
    if "position" not in told and "scenario" in told:
        position, assumed = start(game, told["scenario"])
    elif "position" not in told and ("mark" in told or "gone" in told):
        position = Position(game.id)
    else:
        position = asked_position(game, told)
    kinds = kinds_of(game, position.scenario)
    assert kinds is not None
    changes = {key: told.get(key, ()) for key in ("gone", "put", "mark")}
    position, put, marked = rearranged(game, position, **changes, located=lambda text: named_place(kinds.map, text, "put"))
    position = replace(position, turn=int(told.get("turn", position.turn)))
    field = Field(kinds, position, {name: told[name] for name in kinds.program.rules.inputs if name in told}, assumed - put)
    for n, there in field.by_place.items():
        enemy = next((standing for standing in there if standing.side != there[0].side), None)
        if enemy is not None:
            raise BadQuestion(f"{there[0].name} and {enemy.name} can't both be in {kinds.name(n)}: they are enemies")
    for standing in field.standings:
        if (standing.unit.id, standing.piece.copy) in put:
            _may_stand(field, standing)
    for piece in position.pieces:
        if (piece.unit, piece.copy) in marked and piece.unit in game.units:
            sound(game, piece)
    return field


def _may_stand(field: Field, standing: Standing) -> None:
    """BadQuestion if a unit was put where it can never be."""
    kinds = field.kinds
    where, terrain = kinds.name(standing.at), kinds.terrain(kinds.places[standing.at])
    if terrain in ("sea", "lake"):
        water = "the sea" if terrain == "sea" else "a lake"
        raise BadQuestion(f"put: {standing.name} can't be in {where}, which is {water} (3.5b, Terrain Effects Chart)")
    if "stays_west" in standing.unit.abilities and standing.at in region(field, "east_of_canal") and not field.told["may_cross_east"]:
        raise BadQuestion(
            f"put: {standing.name} stays west of the canal, and {where} is east of it (1.10b, 1.13c, 3.5a); "
            "where 3.8 is paid for, say may_cross_east=yes"
        )


def sound(game: Game, piece: Piece) -> None:
    """BadQuestion if a unit can't be in the states it was told to be in (1.4c, 1.14a)."""
    unit = game.units[piece.unit]
    if "bridge" in piece.states and "builds_bridge" not in unit.abilities:
        raise BadQuestion(f"{unit.name} is no engineer and can't be a bridge (1.14a)")
    if sum(game.states[state].loses for state in piece.states) >= unit.steps:
        count = f"{unit.steps} step{'s' * (unit.steps != 1)}"
        raise BadQuestion(f"{unit.name} has {count}: with that loss it is gone (1.4c); leave it out")


def asked_units(field: Field, told: Told, key: str) -> list[Standing]:
    """The units on the map that a question names, each once."""
    for named in told.get(key, ()):
        if named.states:
            raise BadQuestion(f"{key}: the states of a unit on the map are told by mark={named}")
    once = {str(named): named for named in told.get(key, ())}
    return named_units(field, tuple(once.values()))


def asked_hex(field: Field, name: str) -> int:
    """A hex by its name."""
    return asked_place(field.kinds, name)


def asked_target(field: Field, told: Told) -> int:
    """The hex that is attacked."""
    if "target" not in told:
        raise BadQuestion("say which hex is attacked: target")
    return asked_hex(field, told["target"])


def effects(field: Field, kind: str, side: str = "") -> Iterator[Effect]:
    """What the scenario's special rules change now: the effects of a kind that hold on this turn."""
    return specials.effects(field.game, field.position, kind, side)


def limit(game: Game, name: str) -> Fraction:
    """A number of the rules, from the table of limits."""
    return number(game.tables["limits"].cell(name, 0).code)


def region(field: Field, name: str) -> frozenset[int]:
    """The hexes of a region of the map."""
    return frozenset(field.kinds.number[place] for place in field.kinds.regions[name])


def value(field: Field, name: str, side: str, n: int, m: int) -> Any:
    """A value of the pack's rules for a step of a side's units, such as `by_road`."""
    formula = field.program.values[name]
    like = next(standing for standing in field.standings if standing.side == side)
    return field.ask(formula, field.walker(like), None, **{"from": n, "to": m})


def able(field: Field, side: str, ability: str) -> tuple[Standing, ...]:
    """The units of a side with an ability."""
    return tuple(standing for standing in field.standings if standing.side == side and ability in standing.unit.abilities)


def counter(standing: Standing) -> Counter:
    """A unit in an answer."""
    return Counter(standing.key, standing.name)


def place(field: Field, n: int) -> Place:
    """A hex in an answer."""
    return Place(field.kinds.name(n))


def chances_of(chances: Mapping[Any, Fraction]) -> dict[str, Cell]:
    """Chances by outcome, as a cell of an answer."""
    return {str(outcome): Chance(chance) for outcome, chance in chances.items()}
