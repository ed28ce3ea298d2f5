"""A save as a position: which piece stands where, in which state, on which turn."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from scenarios.game import Game
from scenarios.maps import HexMap
from scenarios.points import PointMap
from scenarios.position import Piece, Position, Unknown, armies, nation_of
from scenarios.reading.findings import instead
from scenarios.resolve import Location
from scenarios.vassal.archive import AGAIN
from scenarios.vassal.geometry import PointSheet, Sheet, pixels
from scenarios.vassal.playing import OnTable, Table, play_text
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

OFF = "box:off"
STEP_LOSS = "step_loss"
"""The state of a counter that has lost a step more than its back tells."""


def scenario_of(game: Game, table: Table) -> str:
    """The scenario of a save: its set-up board tells."""
    cells = table.boards.get(SETUP)
    if not cells:
        raise ValueError(f"this save isn't of a module of {game.id}: it has no set-up board; name another save")
    return split(cells[0], "/")[0].removeprefix("Set-up ")


def read_position(game: Game, text: str, scenario_id: str = "") -> Position:
    """The position at the end of a save's or log's text; ValueError with a sentence where it is of no scenario of the game."""
    table = play_text(text)
    told = table.about.get("game", game.id)
    if told != game.id:
        raise ValueError(f"this save is of {told}, not of {game.id}; ask about that game, or name another save")
    scenario_id = scenario_id or scenario_of(game, table)
    if scenario_id not in game.scenarios:
        raise ValueError(
            f"{game.id} has no scenario {scenario_id!r}; {_more(table) or instead(scenario_id, game.scenarios)}"
        )
    _same_grids(game, table)
    places = _Places(game, scenario_id)
    pieces: list[Piece] = []
    unknown: list[Unknown] = []
    for held in _from_the_top(table):
        piece = _piece(game, held, places)
        pieces += [piece] if piece is not None else []
        unknown += _unknown(game, held, piece, places)
    played = tuple(map(_plain, table.extensions))
    return Position(game.id, scenario_id, _turn(game, table.turn), "", tuple(pieces), tuple(unknown), extensions=played)


def _more(table: Table) -> str:
    """What a save needs that was played with extensions."""
    named = ", ".join(map(_plain, table.extensions))
    return f"the save was played with {named}: name the overlay that it was made of with --overlay" if named else ""


def _from_the_top(table: Table) -> Iterator[OnTable]:
    """Every piece; those of a stack together, what lies on top before what lies under it."""
    left = dict(table.pieces)
    stack_of = {piece: ids for ids in table.stacks.values() for piece in ids}
    for key in table.pieces:
        for one in reversed(stack_of.get(key, [key])):
            if (held := left.pop(one, None)) is not None:
                yield held


def game_of(text: str) -> str:
    """The game that a save or log is of, by what it tells itself; ValueError with a sentence where it doesn't."""
    told = str(play_text(text).about.get("game", ""))
    if not told:
        raise ValueError("this save doesn't tell its game: it isn't of a module of Mitla; name its pack with --game")
    return told


def about(game: Game) -> str:
    """What a save tells of its game without the module: the pack, its release, and the grids."""
    told = {"game": game.id, "release": game.card.release, "grids": grids(game)}
    told |= {"was": dict(game.renamed)} if game.renamed else {}
    return json.dumps(told, separators=(",", ":"))


def grids(game: Game) -> dict[str, list[int]]:
    """Size, origin, lanes and height of every board's grid, as a save tells them."""
    names = board_names(game)
    return {
        names[key]: [*(grid := pixels(board.grid)).size, *grid.origin, grid.lane, grid.high]
        for key, board in game.boards.items()
    }


def _same_grids(game: Game, table: Table) -> None:
    told, own = table.about.get("grids"), grids(game)
    for name, numbers in told.items() if isinstance(told, dict) else ():
        if name in own and own[name] != numbers:
            raise ValueError(
                f"this save's board {name} has another grid than the pack's: pieces can't be told their hexes;"
                " ask with the release of the pack that it was played with"
            )


def _turn(game: Game, state: str) -> int:
    parts = split(state, "|")
    if len(parts) < 2:
        return 1
    told = split(parts[1], ";")[0]
    if not re.fullmatch(r"\d{1,6}", told):
        raise ValueError(f"this save is damaged (its turn is {told[:60]!r}); {AGAIN}")
    number = int(told)
    return number + 1 if game.turns and game.turns.names else number


class _Places:
    """Finds places by window and pixels."""

    def __init__(self, game: Game, scenario_id: str) -> None:
        table = game.scenario_maps[scenario_id]
        self.scenario = scenario_id
        self.sheet: Sheet | PointSheet = Sheet(table) if isinstance(table, HexMap) else PointSheet(_points(table))
        self.trays: Mapping[str, TraySheet] = {
            sheet.window: sheet
            for sheet in (*setup_sheets(game, scenario_id), *box_sheets(game, map_of(game, scenario_id)))
        }
        self.map = map_of(game, scenario_id)
        self.tracks = frozenset(table.tracks)

    def at(self, window: str, x: int, y: int) -> tuple[Location, str]:
        """The location, and the group of the tray if it is one."""
        if window == MAIN:
            found = self.sheet.hex_at(x, y) if isinstance(self.sheet, Sheet) else self.sheet.point_at(x, y)
            return (found if found is not None else OFF), ""
        tray = self.trays[window].at(x, y) if window in self.trays else None
        if tray is None or tray.location.startswith(OFF_MAP):
            return OFF, ""
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


def _unknown(game: Game, held: OnTable, piece: Piece | None, places: _Places) -> Iterator[Unknown]:
    """What of a piece the pack doesn't know: the piece, or states that it shows. What has no `unit` was never a counter, unless
    an extension brought it."""
    told = held.properties
    unit, copy = (_plain(told.get(key, "")) for key in ("unit", "copy"))
    # A piece of an extension that was made in VASSAL's editor has only a name; support has its numbers too.
    unit = unit or (_plain(held.name) if held.of_extension and "printed" not in told else "")
    if piece is None and unit:
        yield Unknown(unit, copy, places.at(held.window, held.x, held.y)[0])
    elif piece is not None:
        for state in sorted(held.badges - set(game.states)):
            yield Unknown(piece.unit, piece.copy, piece.at, _plain(state))


def _plain(text: str) -> str:
    """A name out of a save, fit to be shown and written."""
    return re.sub(r"[^\w .:+-]", "?", text)[:60]


def _piece(game: Game, held: OnTable, places: _Places) -> Piece | None:
    """A piece of ours, by the id it has today; None for whatever else there is."""
    told, layers = held.properties, held.layers
    unit = told.get("unit", "")
    unit = game.renamed.get(unit, unit)
    if unit not in game.units and unit not in game.markers:
        return None
    at, group = places.at(held.window, held.x, held.y)
    own = game.units.get(unit)
    if isinstance(at, str) and (own is not None or told.get("Enters")):
        # A unit on the turn track is a reinforcement of that turn.
        at = turn_of(places.map, at) or at
    if not group and told.get("group") in armies(game, places.scenario).groups:
        group = told["group"]
    states = {name for name, level in layers.items() if name in game.states and level > 0}
    if own is not None and layers.get("Face") == 2:
        face = own.back_state if own.back is not None else "inverted"
        states |= {face} & set(game.states)
    if own is None and isinstance(at, str) and layers.get("Face") == 2 and game.markers[unit].state:
        # A marker beside the map that was turned over: its state holds now.
        states.add(game.markers[unit].state)
    lost = max(0, layers.get("Steps", 1) - 1)
    if (
        "Steps" not in layers
        and own is not None
        and own.back is not None
        and own.steps > 1
        and STEP_LOSS in game.states
    ):
        lost = len({own.back_state, STEP_LOSS} & states)
    nation = nation_of(game, places.scenario, unit, group)
    return Piece(unit, told.get("copy", ""), nation, at, frozenset(states), lost, group)
