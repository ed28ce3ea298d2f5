"""A map with units on it as the oracles see it: only the pack's data and a position, nothing that the assistant works out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from scenarios.model.counters import Unit
from scenarios.model.game import Game
from scenarios.model.hexes import Hex
from scenarios.model.maps import HexMap
from scenarios.model.position import Piece, Position
from tests.net.adapter import GameAnswer, ask


@dataclass(frozen=True, eq=False)
class Man:
    """A unit in a hex."""

    unit: Unit
    hex: Hex
    states: frozenset[str] = frozenset()
    copy: str = "1"

    @property
    def id(self) -> str:
        return self.unit.id

    @property
    def side(self) -> str:
        return self.unit.side

    @property
    def key(self) -> str:
        """What the answers call it: its id, with its number where there are several of it."""
        return self.unit.id if self.unit.count == 1 else f"{self.unit.id}/{self.copy}"


@dataclass(frozen=True, eq=False)
class Board:
    """Units on a hex map."""

    game: Game
    men: tuple[Man, ...]
    scenario: str = ""
    turn: int = 1

    @cached_property
    def table(self) -> HexMap:
        hex_map = self.game.scenario_maps.get(self.scenario) or next(iter(self.game.maps.values()))
        assert isinstance(hex_map, HexMap)
        return hex_map

    @cached_property
    def position(self) -> Position:
        pieces = tuple(Piece(man.id, man.copy, man.unit.nation, man.hex, man.states) for man in self.men)
        return Position(self.game.id, self.scenario, self.turn, pieces=pieces)

    def units_of(self, side: str) -> list[Man]:
        """The units of a side."""
        return [man for man in self.men if man.side == side]

    @cached_property
    def units_by_hex(self) -> dict[str, dict[Hex, list[Man]]]:
        """Each side's units by hex."""
        men_by_side: dict[str, dict[Hex, list[Man]]] = {side: defaultdict(list) for side in self.game.sides}
        for man in self.men:
            men_by_side[man.side][man.hex].append(man)
        return {side: dict(men_by_hex) for side, men_by_hex in men_by_side.items()}

    def names(self, hexes: Iterable[Hex]) -> set[str]:
        """Hexes as answers name them."""
        return {self.table.name(hex) for hex in hexes}

    def ask(self, question: str, **inputs: Any) -> GameAnswer:
        """A question about this board."""
        return ask(self.game, question, self.position, **inputs)


def put(game: Game, *units: tuple[str, ...], turn: int = 1, scenario: str = "") -> Board:
    """A board with these units: id, hex (or a place) and states."""
    table = Board(game, (), scenario).table
    used: dict[str, int] = {}
    men = []
    for unit, place, *states in units:
        used[unit] = used.get(unit, 0) + 1
        hex = table.places[place].hexes[0] if place in table.places else table.hex(place)
        men.append(Man(game.units[unit], hex, frozenset(states), str(used[unit])))
    return Board(game, tuple(men), scenario, turn)
