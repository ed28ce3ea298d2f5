"""Which picture a board has on which map. Turned boards, and boards whose hills continue over a seam, have pictures of their own.

The engine turns a board with everything on it. So a board that a scenario turns has a second picture, whose text is
upright after the turn. If a hex on a seam isn't plain, the map is drawn whole and then cut into its boards. The board
keeps its own grid.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from scenarios.model.boards import Board
from scenarios.model.game import Game
from scenarios.model.hexes import Hex
from scenarios.model.maps import HexMap, PlacedBoard
from scenarios.model.memo import cached_on
from scenarios.vassal.windows import board_names

Lies = tuple[tuple[str, Hex, bool], ...]


class BoardPlacement(NamedTuple):
    """A board of a module: the map that it is drawn with, and its place there."""

    map: HexMap
    placed_board: PlacedBoard

    @property
    def board(self) -> Board:
        """The game's board behind it."""
        return self.placed_board.board


def lying(game: Game) -> Mapping[str, BoardPlacement]:
    """Every board of hexes in a module, by its name there: first each by itself, then as scenarios arrange them."""
    return cached_on(game, _lying)[0]


def layout_names(game: Game, scenario: str) -> Mapping[str, str]:
    """The name in the module of each board of a scenario's map."""
    return cached_on(game, _lying)[1][scenario]


def _lying(game: Game) -> tuple[Mapping[str, BoardPlacement], Mapping[str, Mapping[str, str]]]:
    names = board_names(game)
    layouts = {names[key]: _single_board(game, board, False) for key, board in game.boards.items()}
    used: dict[str, dict[str, str]] = {}
    first: dict[Lies, HexMap] = {}
    for scenario, table in game.scenario_maps.items():
        scenario_names = used.setdefault(scenario, {})
        if not isinstance(table, HexMap):
            continue
        is_joined = _continues_over_seam(table)
        for placed_board in table.placed:
            name, board = names[placed_board.board.id], placed_board.board
            if is_joined:
                first_table = first.setdefault(lies(table), table)
                name = f"{name} ({first_table.id})"
                layouts.setdefault(name, BoardPlacement(first_table, placed_board))
            elif placed_board.turned and board.shape.image is None:
                name = f"{name} turned"
                layouts.setdefault(name, _single_board(game, board, True))
            scenario_names[board.id] = name
    return layouts, used


def lies(table: HexMap) -> Lies:
    """How the boards of a map are arranged."""
    return tuple((placed_board.board.id, placed_board.offset, placed_board.turned) for placed_board in table.placed)


def _single_board(game: Game, board: Board, is_turned: bool) -> BoardPlacement:
    """A board by itself."""
    placed_board = PlacedBoard(board, Hex(0, 0), is_turned)
    empty: Mapping[str, object] = MappingProxyType({})
    terrain = next(iter(game.terrain))
    table = HexMap(board.id, board.name, (placed_board,), "up", terrain, False, empty, empty)  # type: ignore[arg-type]
    return BoardPlacement(table, placed_board)


def _continues_over_seam(table: HexMap) -> bool:
    """Whether some feature on a seam of a map continues over it; never if boards have drawn pictures of their own."""
    if any(placed_board.board.shape.image is not None for placed_board in table.placed):
        return False
    special = {hex for hexes in table.features.values() for hex in hexes}
    seam_hexes = (hex for hex, names in table.names.items() if len(names) > 1)
    return any(table.terrain[hex] != table.plain or hex in special for hex in seam_hexes)
