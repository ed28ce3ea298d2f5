"""Checks a module without the engine: everything that it names exists, and every set-up agrees with its scenario."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from modgen.vmod.check import module_faults
from modgen.vmod.check.java_expressions import BadExpression, parse, value
from modgen.vmod.files.loaded_module import (
    Element,
    LoadedModule,
    game_of,
    kind_of,
    module_facts,
    open_module,
    traits_of,
)
from modgen.vmod.maps.board_pictures import lying
from modgen.vmod.setups.setups import scenario_of
from scenarios.model.boards import Board
from scenarios.model.game import Game
from scenarios.model.points import PointMap
from scenarios.model.position import Position, from_scenario
from scenarios.unit_view import view_piece
from scenarios.vassal import MAX_BYTES
from scenarios.vassal.archive import ENTRY, read_zip, unveil
from scenarios.vassal.commands import flatten, read_added
from scenarios.vassal.geometry import PointSheet, pixels
from scenarios.vassal.reading import read_position
from scenarios.vassal.windows import prefix

__all__ = ["differences", "traits_of", "verify_module"]


def verify_module(path: Path, game: Game | None = None, max_bytes: int = MAX_BYTES) -> dict[str, Any]:
    """The content of a module and its faults. `notes` say what wasn't checked.

    If the module's pack doesn't come with Mitla, `game` names the game to compare with.
    """
    module = open_module(path, max_bytes)
    game_id = module_facts(module).get("game")
    if game is not None and game_id is not None and game_id != game.id:
        raise ValueError(f"{path.name} is a module of {game_id}, not of {game.id}; name its own pack with --game")
    problems = [
        *module_faults.metadata(module),
        *module_faults.pictures(module),
        *module_faults.ids(module),
        *module_faults.prototypes(module),
        *module_faults.keys(module),
        *module_faults.menus(module),
        *module_faults.expressions(module),
    ]
    game = game or game_of(module)
    setups = [setup for setup in module.elements("PredefinedSetup") if setup.get("isMenu") != "true"]
    notes = []
    if game is None:
        origin = f"it belongs to {game_id}, which doesn't ship with Mitla" if game_id else "it doesn't name its game"
        notes.append(f"grids and set-ups aren't compared: {origin}; name its pack with --game")
    else:
        problems += [*grids(module, game), *setup_problems(game, setups, module.files, max_bytes)]
        scenario_ids = {
            scenario_of(game, setup.get("file", "")) for setup in setups if setup.get("file", "") in module.files
        }
        problems += [
            f"the scenario {scenario} has no set-up" for scenario in game.scenarios if scenario not in scenario_ids
        ]
    counts = module_counts(module, len(setups), len(problems))
    return {
        "file": str(path),
        "game": game.id if game else None,
        "counts": counts,
        "problems": problems,
        "notes": notes,
    }


def module_counts(file: LoadedModule, setups: int, problems: int) -> dict[str, int]:
    """The number of each kind of part in a module or an extension, and of the problems."""
    return {
        "pictures": sum(name.startswith("images/") for name in file.files),
        "prototypes": len(list(file.elements("PrototypeDefinition"))),
        "pieces": len(list(file.elements("PieceSlot"))),
        "boards": len(list(file.elements("Board"))),
        "set-ups": setups,
        "problems": problems,
    }


def grids(module: LoadedModule, game: Game) -> Iterator[str]:
    """Checks that the name of every hex and point, computed as the engine does, is the pack's."""
    boards = {board.get("name", ""): board for board in module.elements("Board")}
    tables = {table.title: table for table in game.maps.values() if isinstance(table, PointMap)}
    yield from (f"there is no board {name!r}" for name in (*lying(game), *tables) if name not in boards)
    for name, board_layout in lying(game).items():
        if name in boards:
            yield from _hexes(boards[name], board_layout.board, prefix(game, board_layout.board.id))
    for name, table in tables.items():
        if name in boards:
            yield from _regions(boards[name], table)


def _hexes(board: Element, pack_board: Board, name_prefix: str) -> Iterator[str]:
    name = board.get("name")
    grid = next((part for part in board.iter() if kind_of(part) == "HexGrid"), None)
    numbering = next((part for part in board.iter() if kind_of(part) == "HexGridNumbering"), None)
    if grid is None or numbering is None:
        yield f"the board {name!r} has no numbered grid of hexes"
        return
    board_pixels = pixels(pack_board.grid)
    try:
        name_expression = parse(numbering.get("locationFormat", "").removeprefix("{").removesuffix("}"))
        for hex in pack_board.grid.hexes:
            column, row = cell(grid, *board_pixels.centre(hex))
            actual_name = value(name_expression, {"column": column, "row": row})
            expected_name = name_prefix + pack_board.grid.name(hex)
            if actual_name != expected_name:
                yield f"on the board {name!r} the engine would call {expected_name} {actual_name}"
    except BadExpression as error:
        yield f"the grid of the board {name!r} can't be worked out: {error}"


def cell(grid: Element, x: int, y: int) -> tuple[int, int]:
    """Column and row of a point, as in the engine's hex grid without staggering. Raises BadExpression if the grid's sizes are invalid."""
    column_width, row_height = (_size(grid, key) for key in ("dx", "dy"))
    left, top = (_pixels(grid, key) for key in ("x0", "y0"))
    if left is None or top is None:
        raise BadExpression("its x0 or y0 is no whole number")
    if grid.get("sideways") == "true":
        x, y = y, x
    column = int((x - left + column_width / 2) // column_width)
    return column, int((y - top + (0 if column % 2 else row_height / 2)) // row_height)


def _size(grid: Element, key: str) -> float:
    """A distance of a grid."""
    text = grid.get(key, "0")
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,20})?", text) or not float(text):
        raise BadExpression(f"its {key} is {text[:20]!r}, which is no distance")
    return float(text)


def _pixels(part: Element, key: str) -> int | None:
    """A coordinate in pixels; None if it isn't a number."""
    text = part.get(key, "0")
    return int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else None


def _regions(board: Element, table: PointMap) -> Iterator[str]:
    names_by_spot = {
        (_pixels(part, "originx"), _pixels(part, "originy")): part.get("name")
        for part in board.iter()
        if kind_of(part) == "Region"
    }
    for key, spot in PointSheet(table).points.items():
        if names_by_spot.get(spot) != table.points[key].name:
            yield f"on the board {board.get('name')!r} the engine would call {table.points[key].name} {names_by_spot.get(spot)}"


def setup_problems(game: Game, setups: list[Element], files: Mapping[str, bytes], max_bytes: int) -> Iterator[str]:
    """Checks that every set-up agrees with its scenario."""
    for setup in setups:
        name = setup.get("file", "")
        scenario = scenario_of(game, name)
        if name not in files:
            yield f"the set-up {setup.get('name', '')} has no file {name}"
            continue
        try:
            text = unveil(read_zip(io.BytesIO(files[name]), "VASSAL save", name, max_bytes).get(ENTRY, b""), max_bytes)
            pieces = [piece for piece in map(read_added, flatten(text)) if piece is not None]
        except ValueError as error:
            yield f"{name}: {error}"
            continue
        if any(trait.type.startswith("prototype;") for piece in pieces for trait in piece.traits):
            yield f"{name} has pieces whose prototypes aren't expanded"
        if scenario not in game.scenarios:
            yield f"{game.id} has no scenario whose set-up is {name}"
            continue
        try:
            yield from differences(game, from_scenario(game, scenario), read_position(game, text, scenario))
        except ValueError as error:
            yield f"{name}: {error}"


def differences(game: Game, expected_position: Position, actual_position: Position) -> Iterator[str]:
    """Pieces whose place or state differs from the expected position."""

    def count_pieces(position: Position) -> Counter[tuple[object, ...]]:
        views = [(piece, view_piece(game, piece)) for piece in position.pieces]
        return Counter((p.unit, p.copy, p.at, view.states, view.steps_lost, p.nation) for p, view in views)

    for piece, _ in (count_pieces(expected_position) - count_pieces(actual_position)).items():
        yield f"scenario {expected_position.scenario}: {piece[0]} {piece[1]} should be at {piece[2]}"
    for piece, _ in (count_pieces(actual_position) - count_pieces(expected_position)).items():
        yield f"scenario {expected_position.scenario}: {piece[0]} {piece[1]} stands at {piece[2]}, where it shouldn't"
