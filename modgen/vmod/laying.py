"""Which picture a board has on which map: turned boards, and those whose hills go on beyond a seam, are drawn as they lie there.

The engine turns a board with everything on it, so a board that a scenario turns has a second picture, whose words stand upright once it
is turned. Where a hex on a seam isn't plain, the map is drawn whole and cut into its boards. The grid stays the board's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from scenarios.boards import Board
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.kept import once
from scenarios.maps import HexMap, Placed
from scenarios.vassal.windows import board_names

Lies = tuple[tuple[str, Hex, bool], ...]


class Lying(NamedTuple):
    """A board of a module: the map that it is drawn with, and its place there."""

    map: HexMap
    placed: Placed

    @property
    def board(self) -> Board:
        """Which of the game's boards it is."""
        return self.placed.board


def lying(game: Game) -> Mapping[str, Lying]:
    """Every board of hexes that a module has, by its name there: each by itself, then as scenarios lay them."""
    return once(game, _lying)[0]


def laid(game: Game, scenario: str) -> Mapping[str, str]:
    """The name in the module of each board of a scenario's map."""
    return once(game, _lying)[1][scenario]


def _lying(game: Game) -> tuple[Mapping[str, Lying], Mapping[str, Mapping[str, str]]]:
    names = board_names(game)
    made = {names[key]: _alone(game, board, False) for key, board in game.boards.items()}
    used: dict[str, dict[str, str]] = {}
    first: dict[Lies, HexMap] = {}
    for scenario, table in game.scenario_maps.items():
        own = used.setdefault(scenario, {})
        if not isinstance(table, HexMap):
            continue
        joined = _joined(table)
        for placed in table.placed:
            name, board = names[placed.board.id], placed.board
            if joined:
                known = first.setdefault(lies(table), table)
                name = f"{name} ({known.id})"
                made.setdefault(name, Lying(known, placed))
            elif placed.turned and board.shape.image is None:
                name = f"{name} turned"
                made.setdefault(name, _alone(game, board, True))
            own[board.id] = name
    return made, used


def lies(table: HexMap) -> Lies:
    """How the boards of a map lie."""
    return tuple((placed.board.id, placed.offset, placed.turned) for placed in table.placed)


def _alone(game: Game, board: Board, turned: bool) -> Lying:
    """A board by itself."""
    placed = Placed(board, Hex(0, 0), turned)
    none: Mapping[str, object] = MappingProxyType({})
    return Lying(HexMap(board.id, board.name, (placed,), "up", next(iter(game.terrain)), False, none, none), placed)  # type: ignore[arg-type]


def _joined(table: HexMap) -> bool:
    """Whether something on a seam of a map goes on beyond it; never where boards have pictures of their own."""
    if any(placed.board.shape.image is not None for placed in table.placed):
        return False
    special = {hex for hexes in table.features.values() for hex in hexes}
    shared = (hex for hex, names in table.names.items() if len(names) > 1)
    return any(table.terrain[hex] != table.plain or hex in special for hex in shared)
