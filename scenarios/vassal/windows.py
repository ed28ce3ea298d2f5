"""What lies beside the map in a module: trays for set-up, boxes and tracks. Where each is, in pixels.

A module draws them and a save is read with them: both ask here, so neither can be wrong alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from scenarios.game import Field, Game
from scenarios.maps import HexMap
from scenarios.position import Piece, Position, from_scenario
from scenarios.scenario import Group
from scenarios.vassal.geometry import LARGE, SMALL, Point, pixels

MAIN, BOXES, SETUP = "Main Map", "Tracks and Boxes", "Set-up"
SOLITAIRE = "Solitaire"
"""The side that may handle everything."""
GAP = 10
HEAD = 54
"""The space for a tray's title and instruction."""
TITLE = 18
"""The space for a track's name above its first row."""
HIGH = 30
"""The room that a stack of a turn's reinforcements needs above and beside its lowest piece."""
LEAST = 320
"""The width that a tray's instruction needs."""
WIDE = 1500
"""How wide a sheet of trays may be."""


@dataclass(frozen=True)
class Tray:
    """A marked place for pieces: its name, what a position calls it, its edges, and where pieces stand in it."""

    name: str
    location: str
    group: str
    x: int
    y: int
    width: int
    height: int
    cells: tuple[Point, ...]
    note: str = ""

    def holds(self, x: int, y: int) -> bool:
        """Whether a point lies in it."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


@dataclass(frozen=True)
class TraySheet:
    """A board of trays."""

    name: str
    width: int
    height: int
    trays: tuple[Tray, ...]

    def at(self, x: int, y: int) -> Tray | None:
        """The tray of a point."""
        return next((tray for tray in self.trays if tray.holds(x, y)), None)


def counter_size(game: Game) -> int:
    """The side of a counter in pixels: nine tenths of a hex."""
    return _high(game) * 9 // 10 // 2 * 2


def _high(game: Game) -> int:
    if not game.boards:
        return SMALL[1]
    return min((pixels(board.grid).high for board in game.boards.values()), default=LARGE[1])


@dataclass
class _Shelf:
    """Puts trays side by side in rows."""

    wide: int
    x: int = GAP
    y: int = GAP
    high: int = 0
    trays: list[Tray] = field(default_factory=list)

    def add(
        self,
        name: str,
        location: str,
        group: str,
        cells: int,
        across: int,
        pitch: int,
        note: str,
        head: int,
        least: int,
    ) -> None:
        across = max(1, min(across, cells))
        rows = max(1, -(-cells // across))
        width, height = max(least, across * pitch + GAP), head + rows * pitch + GAP // 2
        if self.x + width + GAP > self.wide and self.x > GAP:
            self.end_row()
        spots = tuple(
            (self.x + GAP // 2 + pitch // 2 + (i % across) * pitch, self.y + head + pitch // 2 + (i // across) * pitch)
            for i in range(max(1, cells))
        )
        self.trays.append(Tray(name, location, group, self.x, self.y, width, height, spots, note))
        self.x += width + GAP
        self.high = max(self.high, height)

    def end_row(self) -> None:
        if self.high:
            self.x, self.y, self.high = GAP, self.y + self.high + GAP, 0

    def sheet(self, name: str) -> TraySheet:
        self.end_row()
        width = max((tray.x + tray.width + GAP for tray in self.trays), default=400)
        return TraySheet(name, max(400, width), max(200, self.y), tuple(self.trays))


def kinds(pieces: Iterable[Piece]) -> list[str]:
    """The counters among pieces, each once, in order."""
    return list(dict.fromkeys(piece.unit for piece in pieces))


def setup_name(scenario_id: str) -> str:
    """The name of a scenario's set-up board."""
    return f"Set-up {scenario_id}"


def setup_sheet(game: Game, scenario_id: str, position: Position | None = None) -> TraySheet:
    """The trays of a scenario: one for each group that has a choice, then those that arrive, turn by turn."""
    position = position or from_scenario(game, scenario_id)
    scenario = game.scenarios[scenario_id]
    waiting: dict[tuple[str, str], list[Piece]] = {}
    for piece in position.pieces:
        if isinstance(piece.at, str) and piece.at.partition(":")[0] in ("setup", "turn"):
            waiting.setdefault((piece.at, piece.group), []).append(piece)
    groups: dict[str, tuple[str, Group]] = {}
    for side, force in scenario.forces.items():
        for number, group in enumerate(force.groups, 1):
            groups[f"{side}/{group.id or number}"] = game.sides_in(scenario)[side].name, group
    pitch = counter_size(game) + 12
    shelf = _Shelf(WIDE)
    used: dict[str, int] = {}

    def add(at: str, label: str, pieces: Sequence[Piece], before: str) -> None:
        side, group = groups[label]
        title = group.name or group.formation or group.id or label.partition("/")[2]
        title = title.removeprefix(before) or title
        name = f"{before}{side}: {title}"
        used[name] = used.get(name, 0) + 1
        if used[name] > 1:
            name += f" ({used[name]})"
        shelf.add(name, at, label, len(kinds(pieces)), 10, pitch, group.note, HEAD, LEAST)

    for (at, label), pieces in waiting.items():
        if at.startswith("setup:"):
            add(at, label, pieces, "")
    shelf.end_row()
    for at in sorted({at for at, _ in waiting if at.startswith("turn:")}, key=lambda at: int(at[5:])):
        for (there, label), pieces in waiting.items():
            if there == at:
                add(at, label, pieces, f"Turn {at[5:]}, ")
        shelf.end_row()
    return shelf.sheet(setup_name(scenario_id))


def dead_zone(side_name: str) -> str:
    """The name of a side's dead pile, where the game's own map has none."""
    return f"Eliminated: {side_name}"


def dead_boxes(game: Game, piece_id: str, table: Field | None) -> tuple[str, ...]:
    """The boxes of a map that a lost piece goes to: its nation's, or its side's, or those that are nobody's."""
    dead = {key: box.side for key, box in table.boxes.items() if box.kind == "dead"} if table is not None else {}
    unit, marker = game.units.get(piece_id), game.markers.get(piece_id)
    side = unit.side if unit is not None else marker.side if marker is not None else ""
    free = [key for key, owner in dead.items() if not owner]
    owned = [key for key, owner in dead.items() if owner and side in (owner, _side_of(game, owner))]
    if unit is None:
        return (*free, *owned)
    return tuple([key for key in owned if dead[key] == unit.nation] or owned or free)


def _side_of(game: Game, owner: str) -> str:
    """The side of a box's owner, who may be a nation."""
    return game.nations[owner].side if owner in game.nations else owner


def piled(game: Game, table: Field | None) -> list[str]:
    """The sides whose losses no box of a map takes."""
    units = game.units.values()
    return [key for key in game.sides if any(u.side == key and not dead_boxes(game, u.id, table) for u in units)]


def box_sheet(game: Game, table: Field | None, starts: Iterable[Position] | None = None) -> TraySheet:
    """The dead piles, the boxes of a map owner by owner, and the spaces of its tracks."""
    most: dict[str, int] = {}
    boxed = table is not None and bool(table.boxes or table.tracks)
    for start in (starts or (from_scenario(game, key) for key in game.scenarios)) if boxed else ():
        held: dict[str, list[Piece]] = {}
        for piece in start.pieces:
            if isinstance(piece.at, str) and piece.at.startswith("box:"):
                held.setdefault(piece.at, []).append(piece)
        for at, pieces in held.items():
            most[at] = max(most.get(at, 0), len(kinds(pieces)))
    size = counter_size(game)
    pitch = size + 12
    shelf = _Shelf(WIDE + 300)
    for side in piled(game, table):
        name = game.sides[side].name
        shelf.add(dead_zone(name), f"dead:{name}", "", 12, 12, pitch, "", 28, 300)
    for owner in dict.fromkeys(box.side for box in table.boxes.values()) if table else ():
        shelf.end_row()
        own = [(key, box) for key, box in table.boxes.items() if box.side == owner] if table else []
        for key, box in sorted(own, key=lambda item: -most.get(f"box:{item[0]}", 0)):
            cells = max(4, most.get(f"box:{key}", 0))
            across = 4 if cells <= 8 else 8 if cells <= 24 else 16
            shelf.add(box.name, f"box:{key}", "", cells, across, pitch, box.note, HEAD, 190)
    for key, track in table.tracks.items() if table else ():
        shelf.end_row()
        shelf.y += TITLE
        more = HIGH if track.turns else 0
        for label in track.labels:
            name = f"{track.name} {label}"
            shelf.add(name, f"box:{key}/{label}", key, 1, 1, size + 4, "", TITLE + more, size + 14 + more)
    return shelf.sheet("Boxes" if table is map_of(game) or table is None else f"Boxes {table.id}")


def box_names(game: Game) -> Mapping[str, str]:
    """The name of each box beside a map, by id: what its zone is called; on the first map that has it."""
    return {key: box.name for table in reversed([*game.maps.values()]) for key, box in table.boxes.items()}


def pools(table: Field | None) -> list[str]:
    """The boxes of a map that pieces are drawn from at random."""
    return [key for key, box in table.boxes.items() if box.kind == "pool"] if table is not None else []


def turn_space(table: Field | None, at: str) -> str:
    """The space of a map's turn track for `turn:N`; nothing where it has no turn track, or none that long."""
    for key, track in table.tracks.items() if table is not None and at.startswith("turn:") else ():
        if track.turns and 1 <= int(at[5:]) <= len(track.labels):
            return f"box:{key}/{track.labels[int(at[5:]) - 1]}"
    return ""


def turn_of(table: Field | None, at: str) -> str:
    """`turn:N` for a space of a map's turn track; nothing for any other place."""
    key, _, label = at.removeprefix("box:").partition("/")
    track = table.tracks.get(key) if table is not None and at.startswith("box:") else None
    if track is None or not track.turns:
        return ""
    return f"turn:{track.labels.index(label) + 1 if label in track.labels else 1}"


def map_of(game: Game, scenario_id: str = "") -> Field | None:
    """The map whose boxes and tracks a scenario has: its own, or else the game's first; None where boards are laid out."""
    first, held = next(iter(game.maps.values()), None), game.scenario_maps.get(scenario_id)
    return first if held is None else game.maps.get(held.id, first)


def prefix(game: Game, board_id: str) -> str:
    """What stands before a hex's name where there are several boards."""
    return f"{board_id}-" if len(game.boards) > 1 else ""


def board_names(game: Game) -> Mapping[str, str]:
    """The name of each board in the module."""
    if game.boards:
        return {key: f"Board {key}" if len(game.boards) > 1 else board.name for key, board in game.boards.items()}
    return {key: held.title for key, held in game.maps.items() if not isinstance(held, HexMap)}
