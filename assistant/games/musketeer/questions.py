"""What the questions of Operation Musketeer have in common: contingents, counters and hexes, units on the map or off it."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.engine.field import Field
from assistant.engine.field_values import make_field
from assistant.engine.map_index import map_index_of
from assistant.questions.answer import CounterRef
from assistant.questions.question import Input
from scenarios.model.counters import Unit
from scenarios.model.game import Game
from scenarios.model.memo import cached_on
from scenarios.model.position import Position
from scenarios.unit_view import display_name

CONTINGENT = Input(
    name="nation", about="whose units", kind="choice", vocabulary="nation", rows="contingents", example="egypt"
)


def empty_field(game: Game) -> Field:
    """The map without pieces."""
    return cached_on(game, _empty_field)


def _empty_field(game: Game) -> Field:
    kinds = map_index_of(game, next(iter(game.scenarios)))
    assert kinds is not None
    return make_field(kinds, Position(game.id, next(iter(game.scenarios))))


# --- contingents ------------------------------------------------------------------------------------------------------


def _contingents(game: Game) -> Mapping[str, str]:
    field = empty_field(game)
    return {unit.nation: field.fields_of(unit)["contingent"] for unit in game.units.values()}


def contingent(game: Game, nation: str) -> str:
    """The contingent of a nation, as the pack's rules have it (2.6, 7.4)."""
    return cached_on(game, _contingents).get(nation, nation)


# --- units ------------------------------------------------------------------------------------------------------------


def label(game: Game, unit: Unit) -> str:
    """A unit beside those of other nations: Israeli 7, Egyptian 4."""
    return display_name(game, unit, always=True)


def counter(game: Game, unit: Unit, copy: str = "") -> CounterRef:
    """A unit in an answer; with its copy, where there are several of it."""
    return CounterRef(f"{unit.id}/{copy}" if copy and unit.count > 1 else unit.id, label(game, unit))
