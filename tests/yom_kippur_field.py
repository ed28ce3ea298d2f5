"""A field of Yom Kippur for tests of what no question tells."""

from __future__ import annotations

from assistant.games.yom_kippur.field import Field, field_of
from assistant.games.yom_kippur.ground import Ground
from scenarios.position import Piece, Position


def put(ground: Ground, *units: tuple[str, ...], turn: int = 1, scenario: str = "") -> Field:
    """A field with these units: id, hex and states."""
    pieces = []
    for unit, hex, *states in units:
        at = hex if hex.startswith("box:") else ground.table.hex(hex)
        pieces.append(Piece(unit, "1", ground.game.units[unit].nation, at, frozenset(states)))
    return field_of(ground, Position("yom_kippur", scenario, turn, pieces=tuple(pieces)))
