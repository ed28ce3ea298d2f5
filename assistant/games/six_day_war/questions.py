"""What the questions of Six Day War have in common: the position, hexes and units by name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from assistant.engine.field import Field
from assistant.engine.map_index import map_index_of
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.question_field import (
    EMPTY,
    asked_place,
    asked_position,
    asked_start,
    asked_units,
    changed_field,
    check_standing,
)
from assistant.games.six_day_war.forces import FRONTS
from assistant.questions.answer import BadQuestion
from assistant.questions.question import MARK, POSITION, PUT, REMOVE, TURN, Input, Inputs
from assistant.questions.references import UnitRef
from scenarios.model.game import Game

SCENARIO = Input(
    name="scenario",
    about="the start of the scenario, or none for only what is put",
    kind="choice",
    choices=(EMPTY,),
    vocabulary="scenario",
    example="standard",
)
ON_THE_MAP = (SCENARIO, POSITION, TURN, PUT, MARK, REMOVE)
FRONT = Input(name="front", about="the front", kind="choice", choices=FRONTS)
DISINTEGRATED = Input(
    name="disintegrated", about="fronts whose Arabs have disintegrated", kind="choice", choices=FRONTS, multiple=True
)
CONTROL = Input(name="control", about="who controls empty hexes", kind="pairs", values="side", example="gaza:israeli")


def asked_field(game: Game, told: Inputs, *, units: bool = True) -> Field:
    """The units on the map: of `position`, or of the start of the scenario; changed as told.

    With `scenario=none` only what `put` names is on the map; without `units` those set up by area needn't be.
    """
    position, assumed = asked_start(game, told) if units else (asked_position(game, told), frozenset())
    position = (
        position if position.scenario in game.scenarios else replace(position, scenario=next(iter(game.scenarios)))
    )
    kinds = map_index_of(game, position.scenario)
    assert kinds is not None
    field = changed_field(
        kinds, position, told, assumed, **{f"{front}_broken": True for front in told.get("disintegrated", ())}
    )
    check_standing(field, field.placed_units)
    control = {asked_place(kinds, hex, "control"): side for hex, side in told.get("control", {}).items()}
    for n, side in control.items():
        if there := [standing.name for standing in field.by_place.get(n, ()) if standing.side != side]:
            raise BadQuestion(f"control: {there[0]} stands in {kinds.title(n)}, so its side controls it (2.14)")
    return field.with_control(control)


def asked_hexes(field: Field, told: Inputs, key: str) -> list[int]:
    """Hexes by number, by place, or by a unit that stands there, each once."""
    by_name = {name.lower(): s.place for s in reversed(field.placed_units) for name in (s.counter.id, s.key)}
    texts = [text.lower() for text in told.get(key, ())]
    return list(
        dict.fromkeys(by_name[text] if text in by_name else asked_place(field.map_index, text, key) for text in texts)
    )


def asked_stack(field: Field, named: Iterable[UnitRef]) -> list[PlacedUnit]:
    """The units that are named, each once."""
    return list(dict.fromkeys(standing for one in named for standing in asked_units(field, (one,))))
