"""A position of Operation Musketeer on its map: who is where, and whose zones of control."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from assistant.games.musketeer.ground import Ground, ground_of
from assistant.shared.strengths import needed
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.maps import HexMap
from scenarios.position import Piece, Position
from scenarios.same import Same

GROUND = ("mechanized", "foot", "static")
DEAD = "box:eliminated"
NO_ZONE = frozenset(("disrupted", "direct_assault"))  # 13.1, 29.5


def movement_of(game: Game, unit: Unit, disrupted: bool) -> int:
    """The movement factor of a unit, of its back if it is disrupted; also the length of its line of support (9.1, 21.5)."""
    if disrupted and unit.back is not None:
        return int(str(unit.back["movement"]))
    return int(needed(game, unit, "movement"))


@dataclass(frozen=True)
class Field:
    """The ground units of a position."""

    game: Game
    table: HexMap
    position: Position

    @cached_property
    def units(self) -> tuple[tuple[Piece, Unit, Hex], ...]:
        """The ground units on the map."""
        return tuple(
            (piece, self.game.units[piece.unit], piece.at)
            for piece in self.position.pieces
            if isinstance(piece.at, Hex) and piece.unit in self.game.units
            if self.game.units[piece.unit].class_ in GROUND
        )

    @cached_property
    def enemies(self) -> Mapping[str, frozenset[Hex]]:
        """For each side the hexes with enemy ground units."""
        return {side: frozenset(hex for _, unit, hex in self.units if unit.side != side) for side in self.game.sides}

    @cached_property
    def zones(self) -> Mapping[str, frozenset[Hex]]:
        """For each side the hexes in enemy zones of control (13.0)."""
        near = self.ground.near
        held = {(unit.side, hex) for piece, unit, hex in self.units if not piece.states & NO_ZONE}
        return {
            side: frozenset(hex for whose, at in held if whose != side for hex in near[at]) for side in self.game.sides
        }

    @cached_property
    def ground(self) -> Ground:
        """What the map alone tells."""
        return ground_of(Same(self.game), Same(self.table))

    def open_to(self, nation: str) -> frozenset[Hex]:
        """The hexes that politics leave a nation's units (28.1)."""
        return self.ground.open[nation]

    @cached_property
    def stacks(self) -> Mapping[tuple[str, Hex], tuple[Unit, ...]]:
        """The ground units of each side in each hex where it has any."""
        found: dict[tuple[str, Hex], tuple[Unit, ...]] = {}
        for _, unit, hex in self.units:
            found[unit.side, hex] = (*found.get((unit.side, hex), ()), unit)
        return found
