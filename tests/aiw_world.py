"""The Arab-Israeli Wars on any map: a game whose Situation is played there, and positions with works and units on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from scenarios import load
from scenarios.boards import Board, Path
from scenarios.game import Game
from scenarios.grids import Grid, Numbering
from scenarios.hexes import Hex, Hexside, direction, direction_name, hexside
from scenarios.maps import HexMap, Placed
from scenarios.position import Piece, Position
from tests.net.adapter import Told, ask

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
            for hex, held in self.works.items()
            for number, work in enumerate(sorted(held))
        ]
        return Position(GAME.id, self.scenario, 1, "", (*works, *self.units))

    def ask(self, question: str, **inputs: Any) -> Told:
        """A question about this map."""
        rulings = {"rulings": [f"{key}={value}" for key, value in self.rulings.items()]} if self.rulings else {}
        return ask(self.game, question, self.position, **rulings, **inputs)

    def look(self, a: Hex, b: Hex, viewer: str = "ground", target: str = "ground") -> Told:
        """The line of sight between two hexes."""
        return self.ask("los", hexes=[self.table.name(a), self.table.name(b)], viewer=viewer, target=target)

    def side(self, pair: Iterable[Hex]) -> str:
        """A hexside as answers name it."""
        between = hexside(*pair)
        if between.a in self.table and between.b in self.table:
            return f"{self.table.name(between.a)}/{self.table.name(between.b)}"
        here, there = (between.a, between.b) if between.a in self.table else (between.b, between.a)
        return f"{self.table.name(here)}:{direction_name(self.table.orientation, direction(here, there))}"


def small(
    terrain: Mapping[Hex, str] | None = None,
    sides: Mapping[Hexside, Iterable[str]] | None = None,
    roads: Sequence[tuple[Hex, ...]] = (),
    columns: int = 4,
    rows: int = 4,
) -> HexMap:
    """A little map; clear where nothing is said."""
    grid = Grid("flat", columns, rows, "even", numbering=Numbering("letters", rows_from="bottom"))
    kinds = {hex: (terrain or {}).get(hex, "clear") for hex in grid.hexes}
    held = {side: frozenset(found) for side, found in (sides or {}).items()}
    paths = tuple(Path("road", "", tuple(chain)) for chain in roads)
    board = Board("Z", "Z", grid, kinds, held, paths, {}, {}, GAME.boards["A"].shape)
    return HexMap("z", "Z", (Placed(board, Hex(0, 0), False),), "left", "clear", False, {}, {})
