"""Looking a module over without the engine: everything that it names is there, every set-up is what its scenario says."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from modgen.vmod import looks
from modgen.vmod.expressions import BadExpression, parse, value
from modgen.vmod.laying import lying
from modgen.vmod.opened import Element, Opened, game_of, kind_of, open_module, told, traits_of
from modgen.vmod.setups import scenario_of
from scenarios.boards import Board
from scenarios.game import Game
from scenarios.points import PointMap
from scenarios.position import Position, from_scenario
from scenarios.vassal import MOST
from scenarios.vassal.archive import ENTRY, read_zip, unveil
from scenarios.vassal.commands import flatten, read_added
from scenarios.vassal.geometry import PointSheet, pixels
from scenarios.vassal.reading import read_position
from scenarios.vassal.windows import prefix

__all__ = ["differences", "traits_of", "verify"]


def verify(path: Path, game: Game | None = None, most: int = MOST) -> dict[str, Any]:
    """What is in a module, and what is wrong with it; `notes` say what wasn't looked at.

    A module of a pack that doesn't come with Mitla is compared with `game`, where that is named.
    """
    module = open_module(path, most)
    said = told(module).get("game")
    if game is not None and said is not None and said != game.id:
        raise ValueError(f"{path.name} is a module of {said}, not of {game.id}; name its own pack with --game")
    problems = [
        *looks.metadata(module),
        *looks.pictures(module),
        *looks.ids(module),
        *looks.prototypes(module),
        *looks.keys(module),
        *looks.menus(module),
        *looks.expressions(module),
    ]
    game = game or game_of(module)
    setups = [setup for setup in module.all("PredefinedSetup") if setup.get("isMenu") != "true"]
    notes = []
    if game is None:
        whose = f"it is of {said}, which doesn't come with Mitla" if said else "it doesn't say of which game it is"
        notes.append(f"grids and set-ups aren't compared: {whose}; name its pack with --game")
    else:
        problems += [*grids(module, game), *setup_problems(game, setups, module.files, most)]
        there = {scenario_of(game, setup.get("file", "")) for setup in setups if setup.get("file", "") in module.files}
        problems += [f"the scenario {scenario} has no set-up" for scenario in game.scenarios if scenario not in there]
    counts = counted(module, len(setups), len(problems))
    return {
        "file": str(path),
        "game": game.id if game else None,
        "counts": counts,
        "problems": problems,
        "notes": notes,
    }


def counted(file: Opened, setups: int, problems: int) -> dict[str, int]:
    """What a module or an extension has of everything, and how many problems were found."""
    return {
        "pictures": sum(name.startswith("images/") for name in file.files),
        "prototypes": len(list(file.all("PrototypeDefinition"))),
        "pieces": len(list(file.all("PieceSlot"))),
        "boards": len(list(file.all("Board"))),
        "set-ups": setups,
        "problems": problems,
    }


def grids(module: Opened, game: Game) -> Iterator[str]:
    """The name of every hex and point, worked out as the engine does, is the pack's."""
    boards = {board.get("name", ""): board for board in module.all("Board")}
    tables = {table.title: table for table in game.maps.values() if isinstance(table, PointMap)}
    yield from (f"there is no board {name!r}" for name in (*lying(game), *tables) if name not in boards)
    for name, laid in lying(game).items():
        if name in boards:
            yield from _hexes(boards[name], laid.board, prefix(game, laid.board.id))
    for name, table in tables.items():
        if name in boards:
            yield from _regions(boards[name], table)


def _hexes(board: Element, held: Board, before: str) -> Iterator[str]:
    name = board.get("name")
    grid = next((part for part in board.iter() if kind_of(part) == "HexGrid"), None)
    numbering = next((part for part in board.iter() if kind_of(part) == "HexGridNumbering"), None)
    if grid is None or numbering is None:
        yield f"the board {name!r} has no numbered grid of hexes"
        return
    own = pixels(held.grid)
    try:
        said = parse(numbering.get("locationFormat", "").removeprefix("{").removesuffix("}"))
        for hex in held.grid.hexes:
            column, row = cell(grid, *own.centre(hex))
            found = value(said, {"column": column, "row": row})
            wanted = before + held.grid.name(hex)
            if found != wanted:
                yield f"on the board {name!r} the engine would call {wanted} {found}"
    except BadExpression as error:
        yield f"the grid of the board {name!r} can't be worked out: {error}"


def cell(grid: Element, x: int, y: int) -> tuple[int, int]:
    """Column and row of a point, counted as the engine's hex grid does without staggering; BadExpression where its sizes are none."""
    across, down = (_size(grid, key) for key in ("dx", "dy"))
    left, top = (_pixels(grid, key) for key in ("x0", "y0"))
    if left is None or top is None:
        raise BadExpression("its x0 or y0 is no whole number")
    if grid.get("sideways") == "true":
        x, y = y, x
    column = int((x - left + across / 2) // across)
    return column, int((y - top + (0 if column % 2 else down / 2)) // down)


def _size(grid: Element, key: str) -> float:
    """A distance of a grid."""
    text = grid.get(key, "0")
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,20})?", text) or not float(text):
        raise BadExpression(f"its {key} is {text[:20]!r}, which is no distance")
    return float(text)


def _pixels(part: Element, key: str) -> int | None:
    """A coordinate; None where it is none."""
    text = part.get(key, "0")
    return int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else None


def _regions(board: Element, table: PointMap) -> Iterator[str]:
    found = {
        (_pixels(part, "originx"), _pixels(part, "originy")): part.get("name")
        for part in board.iter()
        if kind_of(part) == "Region"
    }
    for key, spot in PointSheet(table).points.items():
        if found.get(spot) != table.points[key].name:
            yield f"on the board {board.get('name')!r} the engine would call {table.points[key].name} {found.get(spot)}"


def setup_problems(game: Game, setups: list[Element], files: Mapping[str, bytes], most: int) -> Iterator[str]:
    """Every set-up is what its scenario says."""
    for setup in setups:
        name = setup.get("file", "")
        scenario = scenario_of(game, name)
        if name not in files:
            yield f"the set-up {setup.get('name', '')} has no file {name}"
            continue
        try:
            text = unveil(read_zip(io.BytesIO(files[name]), "VASSAL save", name, most).get(ENTRY, b""), most)
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
            yield from differences(from_scenario(game, scenario), read_position(game, text, scenario))
        except ValueError as error:
            yield f"{name}: {error}"


def differences(wanted: Position, found: Position) -> Iterator[str]:
    """Which pieces aren't where, or how, they should be."""

    def counted(position: Position) -> Counter[tuple[object, ...]]:
        return Counter((p.unit, p.copy, p.at, p.states, p.steps_lost, p.nation) for p in position.pieces)

    for piece, _ in (counted(wanted) - counted(found)).items():
        yield f"scenario {wanted.scenario}: {piece[0]} {piece[1]} should be at {piece[2]}"
    for piece, _ in (counted(found) - counted(wanted)).items():
        yield f"scenario {wanted.scenario}: {piece[0]} {piece[1]} stands at {piece[2]}, where it shouldn't"
