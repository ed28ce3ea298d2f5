"""Read a save as a position: the place and state of each piece, and the turn."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from scenarios.areas.resolving import Location
from scenarios.model.game import Game
from scenarios.model.maps import HexMap
from scenarios.model.points import PointMap
from scenarios.model.position import Piece, Position, Unknown, armies, nation_of
from scenarios.reading.findings import suggest
from scenarios.unit_view import face_state
from scenarios.vassal.archive import SAVE_AGAIN
from scenarios.vassal.geometry import BoardSheet, PointSheet, pixels
from scenarios.vassal.playing import PlayedGame, TablePiece, play_text
from scenarios.vassal.sequence import split
from scenarios.vassal.windows import (
    MAIN,
    OFF_MAP,
    SETUP,
    TraySheet,
    board_names,
    box_sheets,
    map_of,
    setup_sheets,
    turn_of,
)

OFF_MAP_PLACE = "box:off"
STEP_LOSS = "step_loss"
"""The state of a counter that has lost one more step than its back shows."""


def scenario_of(game: Game, table: PlayedGame) -> str:
    """The scenario of a save, from its set-up board."""
    cells = table.boards.get(SETUP)
    if not cells:
        raise ValueError(f"this save isn't of a module of {game.id}: it has no set-up board; name another save")
    return split(cells[0], "/")[0].removeprefix("Set-up ")


def read_position(game: Game, text: str, scenario_id: str = "") -> Position:
    """The position at the end of a save's or log's text. Raises ValueError with a sentence if no scenario of the game matches."""
    table = play_text(text)
    game_id = table.about.get("game", game.id)
    if game_id != game.id:
        raise ValueError(f"this save is of {game_id}, not of {game.id}; ask about that game, or name another save")
    scenario_id = scenario_id or scenario_of(game, table)
    if scenario_id not in game.scenarios:
        raise ValueError(
            f"{game.id} has no scenario {scenario_id!r}; {_extensions_note(table) or suggest(scenario_id, game.scenarios)}"
        )
    _same_grids(game, table)
    places = _Places(game, scenario_id)
    pieces: list[Piece] = []
    unknown: list[Unknown] = []
    for table_piece in _from_the_top(table):
        piece = _piece(game, table_piece, places)
        pieces += [piece] if piece is not None else []
        unknown += _unknown(game, table_piece, piece, places)
    extension_names = tuple(map(_clean_name, table.extensions))
    return Position(
        game.id, scenario_id, _turn(game, table.turn), "", tuple(pieces), tuple(unknown), extensions=extension_names
    )


def _extensions_note(table: PlayedGame) -> str:
    """A note for a save that was made with extensions: what it needs."""
    extension_names = ", ".join(map(_clean_name, table.extensions))
    return (
        f"the save was played with {extension_names}: name the overlay that it was made of with --overlay"
        if extension_names
        else ""
    )


def _from_the_top(table: PlayedGame) -> Iterator[TablePiece]:
    """Every piece. Pieces of a stack come together, from the top down."""
    remaining = dict(table.pieces)
    stack_of = {piece: ids for ids in table.stacks.values() for piece in ids}
    for key in table.pieces:
        for piece_key in reversed(stack_of.get(key, [key])):
            if (table_piece := remaining.pop(piece_key, None)) is not None:
                yield table_piece


def game_of_save(text: str) -> str:
    """The game of a save or log, from the save's own description. Raises ValueError with a sentence if there is none."""
    game_id = str(play_text(text).about.get("game", ""))
    if not game_id:
        raise ValueError("this save doesn't tell its game: it isn't of a module of Mitla; name its pack with --game")
    return game_id


def about(game: Game) -> str:
    """The description of the game that a save carries: the pack, its release and the grids."""
    details = {"game": game.id, "release": game.card.release, "grids": grids(game)}
    details |= {"was": dict(game.former_ids)} if game.former_ids else {}
    return json.dumps(details, separators=(",", ":"))


def grids(game: Game) -> dict[str, list[int]]:
    """The size, origin, lanes and height of every board's grid, for the description in a save."""
    names = board_names(game)
    return {
        names[key]: [*(grid := pixels(board.grid)).size, *grid.origin, grid.lane, grid.height]
        for key, board in game.boards.items()
    }


def _same_grids(game: Game, table: PlayedGame) -> None:
    saved_grids, pack_grids = table.about.get("grids"), grids(game)
    for name, numbers in saved_grids.items() if isinstance(saved_grids, dict) else ():
        if name in pack_grids and pack_grids[name] != numbers:
            raise ValueError(
                f"this save's board {name} has another grid than the pack's: pieces can't be told their hexes;"
                " ask with the release of the pack that it was played with"
            )


def _turn(game: Game, state: str) -> int:
    parts = split(state, "|")
    if len(parts) < 2:
        return 1
    turn_text = split(parts[1], ";")[0]
    if not re.fullmatch(r"\d{1,6}", turn_text):
        raise ValueError(f"this save is damaged (its turn is {turn_text[:60]!r}); {SAVE_AGAIN}")
    number = int(turn_text)
    return number + 1 if game.turns and game.turns.names else number


class _Places:
    """Finds places by window and pixels."""

    def __init__(self, game: Game, scenario_id: str) -> None:
        table = game.scenario_maps[scenario_id]
        self.scenario = scenario_id
        self.sheet: BoardSheet | PointSheet = (
            BoardSheet(table) if isinstance(table, HexMap) else PointSheet(_points(table))
        )
        self.trays: Mapping[str, TraySheet] = {
            sheet.window: sheet
            for sheet in (*setup_sheets(game, scenario_id), *box_sheets(game, map_of(game, scenario_id)))
        }
        self.map = map_of(game, scenario_id)
        self.tracks = frozenset(table.tracks)

    def location_of(self, window: str, x: int, y: int) -> tuple[Location, str]:
        """The location, and the group if the location is a tray."""
        if window == MAIN:
            place = self.sheet.hex_at(x, y) if isinstance(self.sheet, BoardSheet) else self.sheet.point_at(x, y)
            return (place if place is not None else OFF_MAP_PLACE), ""
        tray = self.trays[window].tray_at(x, y) if window in self.trays else None
        if tray is None or tray.location.startswith(OFF_MAP):
            return OFF_MAP_PLACE, ""
        key, _, label = tray.location.removeprefix("box:").partition("/")
        if tray.location.startswith("box:") and label and key in self.tracks and tray is self._first(key):
            return f"box:{key}", ""
        return tray.location, "" if tray.location.startswith("box:") else tray.group

    def _first(self, track: str) -> object:
        """The first space of a track, where its marker starts."""
        return next(
            tray for sheet in self.trays.values() for tray in sheet.trays if tray.location.startswith(f"box:{track}/")
        )


def _points(table: object) -> PointMap:
    assert isinstance(table, PointMap)
    return table


def _unknown(game: Game, table_piece: TablePiece, piece: Piece | None, places: _Places) -> Iterator[Unknown]:
    """The parts of a piece that the pack doesn't know: the piece itself, or states that it shows. A piece without `unit` was never a
    counter, unless it belongs to an extension.
    """
    properties = table_piece.properties
    unit, copy = (_clean_name(properties.get(key, "")) for key in ("unit", "copy"))
    # An extension piece from VASSAL's editor has only a name. Support also has numbers.
    unit = unit or (_clean_name(table_piece.name) if table_piece.of_extension and "printed" not in properties else "")
    if piece is None and unit:
        yield Unknown(unit, copy, places.location_of(table_piece.window, table_piece.x, table_piece.y)[0])
    elif piece is not None:
        for state in sorted(table_piece.badges - set(game.states)):
            yield Unknown(piece.unit, piece.copy, piece.at, _clean_name(state))


def _clean_name(text: str) -> str:
    """Clean a name from a save, so that it can be shown and written."""
    return re.sub(r"[^\w .:+-]", "?", text)[:60]


def _piece(game: Game, table_piece: TablePiece, places: _Places) -> Piece | None:
    """The pack's piece, by its present id. None if it isn't a piece of the pack."""
    properties, layers = table_piece.properties, table_piece.layers
    unit = properties.get("unit", "")
    unit = game.former_ids.get(unit, unit)
    if unit not in game.units and unit not in game.markers:
        return None
    location, group = places.location_of(table_piece.window, table_piece.x, table_piece.y)
    unit_record = game.units.get(unit)
    if isinstance(location, str) and (unit_record is not None or properties.get("Enters")):
        # A unit on the turn track is a reinforcement of that turn.
        location = turn_of(places.map, location) or location
    if not group and properties.get("group") in armies(game, places.scenario).groups:
        group = properties["group"]
    states = {name for name, level in layers.items() if name in game.states and level > 0}
    if unit_record is not None and layers.get("Face") == 2:
        states |= {face_state(game, unit_record)} & set(game.states)
    if unit_record is None and isinstance(location, str) and layers.get("Face") == 2 and game.markers[unit].state:
        # A flipped marker beside the map: the state of its back applies.
        states.add(game.markers[unit].state)
    steps_lost = max(0, layers.get("Steps", 1) - 1)
    if (
        "Steps" not in layers
        and unit_record is not None
        and unit_record.back is not None
        and unit_record.steps > 1
        and STEP_LOSS in game.states
    ):
        steps_lost = len({unit_record.back_state, STEP_LOSS} & states)
    nation = nation_of(game, places.scenario, unit, group)
    return Piece(unit, properties.get("copy", ""), nation, location, frozenset(states), steps_lost, group)
