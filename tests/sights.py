"""Sight on the map of a scenario by the declared rules, for tests of what ships."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assistant.engine.field import Field
from assistant.engine.field_values import make_field
from assistant.engine.map_index import map_index_of
from assistant.engine.sight.visibility import SightResult, sights_of
from scenarios.model.game import Game
from scenarios.model.hexes import Hex
from scenarios.model.position import Position


def field_of(game: Game, scenario: str, works: Mapping[Hex, Iterable[str]] | None = None) -> Field:
    """A scenario's map with some markers on it and no unit."""
    map_index = map_index_of(game, scenario)
    assert map_index is not None
    return make_field(map_index, Position(game.id, scenario)).with_markers(works or {})


def look(field: Field, a: Hex, b: Hex, viewer: str = "", seen_as: str = "") -> SightResult:
    """The line between two hexes."""
    number = field.map_index.number
    return sights_of(field).look(number[a], number[b], viewer, seen_as)
