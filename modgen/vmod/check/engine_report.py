"""Reports of the real engine about a module: its complaints, and where it finds every piece."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from modgen.vmod.check.engine import EngineLine, find_engine, run_script
from modgen.vmod.files.loaded_module import game_of, name_of, open_module
from modgen.vmod.setups.setups import scenario_of, spots
from scenarios.model.game import Game, Map
from scenarios.model.hexes import Hex
from scenarios.model.maps import HexMap
from scenarios.model.position import Piece, from_scenario
from scenarios.vassal import MAX_BYTES
from scenarios.vassal.windows import MAIN, TraySheet, box_sheets, map_of, prefix, setup_sheets

STEPS = """
open(given[0]);
check();
for (Object setup : all(setups())) {
  load(setup);
  say("SETUP", new Object[] {setup.getAttributeValueString("file"), setup.getConfigureName()});
  step(setup, new Runnable() { public void run() { list(); turn(); paint(); } });
}
palette();
chat();
"""
INTEGER = re.compile(r"-?[0-9]{1,9}")
COMPLAINS = re.compile(r"bad data|error|not found|unable|invalid|missing|warning|no such", re.IGNORECASE)


class EnginePiece(NamedTuple):
    """A piece as the engine lists it."""

    id: str
    gpid: str
    unit: str
    copy: str
    name: str
    window: str
    location: str
    x: int
    y: int
    layers: Mapping[str, int]


def parse_line(line: EngineLine) -> EnginePiece:
    """The piece that a line describes."""
    key, gpid, unit, copy, name, window, location, x, y, layers = [*line.fields, *[""] * 10][:10]
    levels = [part.rpartition("=") for part in layers.split(",")]
    layer_levels = {layer: int(level) for layer, _, level in levels if layer and INTEGER.fullmatch(level)}
    left, top = (int(place) if INTEGER.fullmatch(place) else 0 for place in (x, y))
    return EnginePiece(key, gpid, unit, copy, name, window, location, left, top, layer_levels)


def ask(path: Path, engine: Path, game: Game | None = None, max_bytes: int = MAX_BYTES) -> dict[str, Any]:
    """Open a module in an installed VASSAL: its version, its set-ups, its complaints, and pieces in wrong places."""
    module = open_module(path, max_bytes)
    result = answer(game or game_of(module), run_script(find_engine(engine), STEPS, [str(path.resolve())]))
    started_files = {setup["file"] for setup in result["set-ups"]}
    for setup in module.elements("PredefinedSetup"):
        if setup.get("isMenu") != "true" and setup.get("file", "") not in started_files:
            result["problems"].append(f"the engine didn't come to the set-up {name_of(setup)}")
    return result


def answer(game: Game | None, lines: Sequence[EngineLine]) -> dict[str, Any]:
    """The report made from the engine's lines."""
    problems = list(complaints(lines))
    setups = []
    for about, pieces in setups_of(lines):
        file, title = (*about.fields, "", "")[:2]
        scenario = scenario_of(game, file) if game is not None else ""
        setups.append({"file": file, "title": title, "pieces": len(pieces)})
        if not pieces:
            problems.append(f"the set-up {title or file} has no piece in the engine's game")
        elif game is not None and scenario:
            problems += misplaced_pieces(game, scenario, pieces)
    version = next((line.fields[0] for line in lines if line.word == "VASSAL" and line.fields), "")
    count_text = next((line.fields[0] for line in lines if line.word == "PALETTE" and line.fields), "")
    palette = int(count_text) if INTEGER.fullmatch(count_text) else 0
    return {"vassal": version, "set-ups": setups, "palette": palette, "problems": problems}


def complaints(lines: Sequence[EngineLine]) -> Iterator[str]:
    """Errors, warnings, dialogs and bad data."""
    for line in lines:
        if line.word == "PROBLEM":
            yield ": ".join(field for field in line.fields if field)
        elif line.word == "CHAT" and COMPLAINS.search(line.fields[0]):
            yield f"chat: {line.fields[0]}"


def setups_of(lines: Sequence[EngineLine]) -> Iterator[tuple[EngineLine, list[EnginePiece]]]:
    """Each set-up that the engine started, with its pieces."""
    starts = [i for i, line in enumerate(lines) if line.word == "SETUP"]
    for start, end in pairwise([*starts, len(lines)]):
        yield lines[start], [parse_line(line) for line in lines[start:end] if line.word == "PIECE"]


def misplaced_pieces(game: Game, scenario: str, engine_pieces: Sequence[EnginePiece]) -> Iterator[str]:
    """Pieces that the engine and the scenario have in different places."""
    position = from_scenario(game, scenario)
    table = game.scenario_maps[scenario]
    tray_sheets = (*setup_sheets(game, scenario, position), *box_sheets(game, map_of(game, scenario)))
    sheets = {sheet.window: sheet for sheet in tray_sheets}
    # Support, compass and shading have no counter.
    unmatched_pieces = {(piece.unit, piece.copy): piece for piece in engine_pieces if piece.unit}
    for placed_piece, spot in zip(position.pieces, spots(game, position), strict=True):
        piece = unmatched_pieces.pop((placed_piece.unit, placed_piece.copy), None)
        label = f"scenario {scenario}: {placed_piece.unit} {placed_piece.copy}"
        if piece is None:
            yield f"{label} isn't in the engine's game"
            continue
        names = (
            names_of(game, table, placed_piece)
            if spot.window == MAIN
            else tray_names(sheets[spot.window], spot.x, spot.y)
        )
        if piece.window != spot.window or piece.location not in names:
            expected_names = " or ".join(sorted(names))
            yield f"{label} should be at {expected_names} in {spot.window}; the engine says {piece.location} in {piece.window}"
        elif (piece.x, piece.y) != (spot.x, spot.y):
            yield f"{label} should be at {spot.x},{spot.y}; the engine moved it to {piece.x},{piece.y}"
    for unit, copy in unmatched_pieces:
        yield f"scenario {scenario}: the engine has {unit} {copy}, and the scenario hasn't"


def names_of(game: Game, table: Map, piece: Piece) -> set[str]:
    """The engine's possible names for a piece's place. A hex on a seam has a name for each board."""
    if isinstance(table, HexMap):
        assert isinstance(piece.at, Hex)
        local = ((placed_board, placed_board.to_board(piece.at)) for placed_board in table.placed)
        return {
            prefix(game, placed_board.board.id) + placed_board.board.grid.name(hex)
            for placed_board, hex in local
            if hex is not None
        }
    return {table.points[str(piece.at)].name}


def tray_names(sheet: TraySheet, x: int, y: int) -> set[str]:
    """The engine's names for a tray."""
    tray = sheet.tray_at(x, y)
    return {tray.name} if tray else set()
