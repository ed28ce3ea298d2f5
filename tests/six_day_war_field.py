"""A field of Six Day War for tests of what no question tells."""

from __future__ import annotations

from assistant.games.six_day_war.field import Field
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.maps import HexMap
from scenarios.position import Piece, Position


def put(game: Game, *units: tuple[str, str], turn: int = 2, states: tuple[str, ...] = ()) -> Field:
    """A field with these units: id and hex (or place, or box)."""
    table = game.maps["main"]
    assert isinstance(table, HexMap)
    pieces = []
    for unit, where in units:
        at: Hex | str = where
        if not where.startswith("box:"):
            at = table.places[where].hexes[0] if where in table.places else table.hex(where)
        nation = game.units[unit].nation if unit in game.units else ""
        pieces.append(Piece(unit, "1", nation, at, frozenset(states)))
    return Field.of(game, Position("six_day_war", "standard", turn, pieces=tuple(pieces)))
