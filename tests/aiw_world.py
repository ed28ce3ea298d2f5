"""The Arab-Israeli Wars on any map: a game whose Situation is played there, and positions with works and units on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from scenarios import load
from scenarios.model.boards import Board, BoardPath
from scenarios.model.game import Game
from scenarios.model.grids import Grid, Numbering
from scenarios.model.hexes import Hex, Hexside, direction, direction_name, hexside
from scenarios.model.maps import HexMap, PlacedBoard
from scenarios.model.position import Piece, Position
from tests.net.adapter import GameAnswer, ask

GAME = load("arab_israeli_wars")


@dataclass(frozen=True, eq=False)
class World:
    """A map with works and units on it, played as a Situation."""

    table: HexMap
    works: Mapping[Hex, Iterable[str]] = field(default_factory=dict)
    units: tuple[Piece, ...] = ()
    scenario: str = "S-9"
    rulings: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def game(self) -> Game:
        return replace(GAME, scenario_maps={**GAME.scenario_maps, self.scenario: self.table})

    @cached_property
    def position(self) -> Position:
        works = [
            Piece(work, str(number), "", hex)
            for hex, hex_works in self.works.items()
            for number, work in enumerate(sorted(hex_works))
        ]
        return Position(GAME.id, self.scenario, 1, "", (*works, *self.units))

    def ask(self, question: str, **inputs: Any) -> GameAnswer:
        """A question about this map."""
        rulings = {"rulings": [f"{key}={value}" for key, value in self.rulings.items()]} if self.rulings else {}
        return ask(self.game, question, self.position, **rulings, **inputs)

    def look(self, a: Hex, b: Hex, viewer: str = "ground", target: str = "ground") -> GameAnswer:
        """The line of sight between two hexes."""
        return self.ask("los", hexes=[self.table.name(a), self.table.name(b)], viewer=viewer, target=target)

    def side(self, pair: Iterable[Hex]) -> str:
        """A hexside as answers name it."""
        shared_side = hexside(*pair)
        if shared_side.a in self.table and shared_side.b in self.table:
            return f"{self.table.name(shared_side.a)}/{self.table.name(shared_side.b)}"
        board_hex, outer_hex = (
            (shared_side.a, shared_side.b) if shared_side.a in self.table else (shared_side.b, shared_side.a)
        )
        return f"{self.table.name(board_hex)}:{direction_name(self.table.orientation, direction(board_hex, outer_hex))}"


def small(
    terrain: Mapping[Hex, str] | None = None,
    sides: Mapping[Hexside, Iterable[str]] | None = None,
    roads: Sequence[tuple[Hex, ...]] = (),
    columns: int = 4,
    rows: int = 4,
) -> HexMap:
    """A little map; clear where nothing is said."""
    grid = Grid("flat", columns, rows, "even", numbering=Numbering("letters", rows_from="bottom"))
    terrains = {hex: (terrain or {}).get(hex, "clear") for hex in grid.hexes}
    hexside_features = {side: frozenset(features) for side, features in (sides or {}).items()}
    paths = tuple(BoardPath("road", "", tuple(chain)) for chain in roads)
    board = Board("Z", "Z", grid, terrains, hexside_features, paths, {}, {}, GAME.boards["A"].shape)
    return HexMap("z", "Z", (PlacedBoard(board, Hex(0, 0), False),), "left", "clear", False, {}, {})
