"""A save as a position: which piece stands where, in which state, on which turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from scenarios.game import Game
from scenarios.maps import HexMap
from scenarios.points import PointMap
from scenarios.position import Piece, Position
from scenarios.reading.findings import instead
from scenarios.resolve import Location
from scenarios.vassal.commands import Added, flatten, read_added
from scenarios.vassal.geometry import PointSheet, Sheet
from scenarios.vassal.sequence import split
from scenarios.vassal.windows import BOXES, MAIN, SETUP, TraySheet, box_sheet, map_of, setup_sheet, turn_of

OFF = "box:off"


@dataclass
class _Save:
    """What a save's commands amount to."""

    pieces: dict[str, Added] = field(default_factory=dict)
    boards: dict[str, list[str]] = field(default_factory=dict)
    turn: str = ""


def _replayed(commands: Iterable[str]) -> _Save:
    save = _Save()
    for command in commands:
        added = read_added(command)
        if added is not None:
            save.pieces[added.id] = added
        elif "BoardPicker\t" in command:
            window, *cells = split(command, "\t")
            save.boards[window.removesuffix("BoardPicker")] = cells
        elif command.startswith("TURNTurnTracker0\t"):
            save.turn = split(command, "\t")[1]
    return save


def scenario_of(game: Game, commands: Iterable[str]) -> str:
    """The scenario of a save: its set-up board tells."""
    for command in commands:
        if command.startswith(f"{SETUP}BoardPicker\t"):
            name = split(command, "\t")[1]
            return name.removeprefix("Set-up ")
    raise ValueError(f"this save isn't of a module of {game.id}: it has no set-up board")


def read_position(game: Game, text: str, scenario_id: str = "") -> Position:
    """The position of a save's text; ValueError with a sentence where it is of no scenario of the game."""
    listed = list(flatten(text))
    scenario_id = scenario_id or scenario_of(game, listed)
    if scenario_id not in game.scenarios:
        raise ValueError(f"{game.id} has no scenario {scenario_id!r}; {instead(scenario_id, game.scenarios)}")
    save = _replayed(listed)
    places = _Places(game, scenario_id)
    pieces = [piece for added in save.pieces.values() if (piece := _piece(game, added, places)) is not None]
    return Position(game.id, scenario_id, _turn(game, save.turn), "", tuple(pieces))


def _turn(game: Game, state: str) -> int:
    parts = split(state, "|")
    if len(parts) < 2:
        return 1
    number = int(split(parts[1], ";")[0])
    return number + 1 if game.turns and game.turns.names else number


class _Places:
    """Finds places by window and pixels."""

    def __init__(self, game: Game, scenario_id: str) -> None:
        table = game.scenario_maps[scenario_id]
        self.sheet: Sheet | PointSheet = Sheet(table) if isinstance(table, HexMap) else PointSheet(_points(table))
        self.trays: Mapping[str, TraySheet] = {
            SETUP: setup_sheet(game, scenario_id),
            BOXES: box_sheet(game, map_of(game)),
        }
        self.tracks = frozenset(table.tracks)

    def at(self, window: str, x: int, y: int) -> tuple[Location, str]:
        """The location, and the group of the tray if it is one."""
        if window == MAIN:
            found = self.sheet.hex_at(x, y) if isinstance(self.sheet, Sheet) else self.sheet.point_at(x, y)
            return (found if found is not None else OFF), ""
        tray = self.trays[window].at(x, y) if window in self.trays else None
        if tray is None:
            return OFF, ""
        key, _, label = tray.location.removeprefix("box:").partition("/")
        if tray.location.startswith("box:") and label and key in self.tracks and tray is self._first(key):
            return f"box:{key}", ""
        return tray.location, tray.group if window == SETUP else ""

    def _first(self, track: str) -> object:
        """The first space of a track, where its marker starts."""
        return next(tray for tray in self.trays[BOXES].trays if tray.group == track)


def _points(table: object) -> PointMap:
    assert isinstance(table, PointMap)
    return table


def _piece(game: Game, added: Added, places: _Places) -> Piece | None:
    """A piece of ours; None for stacks and whatever else there is."""
    marks: dict[str, str] = {}
    layers: dict[str, int] = {}
    for trait in added.traits:
        if trait.type.startswith("mark;"):
            marks |= dict(zip(split(trait.type[5:], ","), split(trait.state, ","), strict=False))
        elif trait.type.startswith("PROP;"):
            marks[split(trait.type, ";")[1]] = trait.state
        elif trait.type.startswith("emb2;"):
            layers[split(trait.type[5:], ";")[18]] = int(split(trait.state, ";")[0] or 0)
    unit = marks.get("unit", "")
    if unit not in game.units and unit not in game.markers:
        return None
    state = split(added.traits[-1].state, ";")
    at, group = places.at(state[0], int(state[1]), int(state[2]))
    held = game.units.get(unit)
    if isinstance(at, str) and (held is not None or marks.get("Enters")):
        # A unit on the turn track is a reinforcement of that turn.
        at, group = turn_of(game, at) or at, group or marks.get("group", "")
    states = {name for name, level in layers.items() if name in game.states and level > 0}
    if held is not None and layers.get("Face") == 2:
        face = held.back_state if held.back is not None else "inverted"
        states |= {face} & set(game.states)
    lost = max(0, layers.get("Steps", 1) - 1)
    nation = held.nation if held else ""
    return Piece(unit, marks.get("copy", ""), nation, at, frozenset(states), lost, group)
