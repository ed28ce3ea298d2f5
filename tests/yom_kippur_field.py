"""A field of Yom Kippur for tests of what no question tells."""

from __future__ import annotations

from assistant.engine.field import Field
from assistant.engine.field_values import make_field
from assistant.engine.map_index import map_index_of
from scenarios.model.game import Game
from scenarios.model.position import Piece, Position


def put(game: Game, *units: tuple[str, ...], turn: int = 1, scenario: str = "") -> Field:
    """A field with these units: id, hex and states."""
    map_index = map_index_of(game, scenario)
    assert map_index is not None
    pieces = []
    for unit, hex, *states in units:
        location = hex if hex.startswith("box:") else map_index.map.hex(hex)  # type: ignore[union-attr]
        pieces.append(Piece(unit, "1", game.units[unit].nation, location, frozenset(states)))
    return make_field(map_index, Position("yom_kippur", scenario, turn, pieces=tuple(pieces)))


def hex_number(field: Field, name: str) -> int:
    """The number of a hex."""
    return field.map_index.number[field.map_index.map.hex(name)]  # type: ignore[union-attr]
