"""Sight on the map of a scenario by the declared rules, for tests of what ships."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assistant.rules.field import Field
from assistant.rules.kinds import kinds_of
from assistant.rules.sight import SightResult
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.position import Position


def field_of(game: Game, scenario: str, works: Mapping[Hex, Iterable[str]] | None = None) -> Field:
    """A scenario's map with some markers on it and no unit."""
    map_index = kinds_of(game, scenario)
    assert map_index is not None
    return Field(map_index, Position(game.id, scenario)).with_markers(works or {})


def look(field: Field, a: Hex, b: Hex, viewer: str = "", seen_as: str = "") -> SightResult:
    """The line between two hexes."""
    number = field.kinds.number
    return field.sights.look(number[a], number[b], viewer, seen_as)
