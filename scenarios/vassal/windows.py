"""The windows beside the map of a module: set-up trays, boxes and tracks, with their positions in pixels.

The code that draws modules and the code that reads saves both use these positions, so they always agree.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from scenarios.areas.wording import AreaDescriber
from scenarios.model.game import Game, Map
from scenarios.model.maps import HexMap, TrackShape
from scenarios.model.memo import cached_on
from scenarios.model.position import Piece, Position, from_scenario
from scenarios.model.scenario import Force, Group
from scenarios.vassal.geometry import LARGE, SMALL, Point, pixels

MAIN, BOXES, SETUP = "Main Map", "Tracks and Boxes", "Set-up"
ARRIVALS, TRACKS, OTHER_BOXES = "Reinforcements", "Tracks", "Other boxes"
"""The windows of a module. If the sheets don't fit one window, more windows follow with a number after the name."""
SOLITAIRE = "Solitaire"
"""The side that may handle everything."""
GAP = 10
HEAD = 54
"""The height of a tray's title and instruction."""
TITLE = 18
"""The height of a track's name above its first row."""
BELOW_TITLE = 7
"""The distance of a marker below the middle of a track's space. It keeps the label of the space visible."""
MIN_WIDTH = 250
"""The width that a tray's instruction needs."""
WIDER = ((120, MIN_WIDTH), (190, 340), (sys.maxsize, 430))
"""Pairs of an instruction's maximum length in letters and the width that it needs."""
OFF_MAP = "support:"
"""The tray of a side's support off the map: batteries, air strikes, boats."""
SUPPORT_NOTE = "Mark it as attacker here; flip it when used"
LOW = 100
"""The minimum height of a sheet. Lower windows are hard to grab with the mouse."""
PAGE = (1340, 416)
"""The width and height of a sheet. Its window leaves toolbar and chat visible on a screen of 1366 by 768."""
LONG = 20
"""A track with more spaces than this has narrow spaces, because only one marker lies on it."""


@dataclass(frozen=True)
class Tray:
    """A marked place for pieces: its name, its name in a position, its edges, and the cells for pieces in it."""

    name: str
    location: str
    group: str
    x: int
    y: int
    width: int
    height: int
    cells: tuple[Point, ...]
    note: str = ""
    depth: int = 0
    """The maximum number of equal counters in one pile. 0 means no limit."""

    def holds(self, x: int, y: int) -> bool:
        """Whether a point lies in the tray."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height

    def shift(self, x: int, y: int) -> Tray:
        """The same tray, moved right and down."""
        return replace(self, x=self.x + x, y=self.y + y, cells=tuple((left + x, top + y) for left, top in self.cells))


@dataclass(frozen=True)
class TraySheet:
    """A board of trays, with the window that shows it."""

    name: str
    width: int
    height: int
    trays: tuple[Tray, ...]
    window: str = ""

    def tray_at(self, x: int, y: int) -> Tray | None:
        """The tray at a point."""
        return next((tray for tray in self.trays if tray.holds(x, y)), None)


Sheets = tuple[TraySheet, ...]
"""The boards of several windows."""


def page_name(first: str, number: int) -> str:
    """The name of the next window or board: Set-up, Set-up 2."""
    return first if number == 1 else f"{first} {number}"


def counter_size(game: Game) -> int:
    """The side of a counter in pixels: nine tenths of a hex."""
    return _row_height(game) * 9 // 10 // 2 * 2


def _row_height(game: Game) -> int:
    if not game.boards:
        return SMALL[1]
    return min((pixels(board.grid).height for board in game.boards.values()), default=LARGE[1])


@dataclass
class _Shelf:
    """Packs trays into rows, and rows into pages."""

    x: int = GAP
    y: int = GAP
    height: int = 0
    pages: list[list[Tray]] = field(default_factory=lambda: [[]])

    def add(self, tray: Tray, gap: int = GAP) -> None:
        """Add a tray after the last one, in the next row or on the next page."""
        if self.x + tray.width + GAP > PAGE[0] and self.x > GAP:
            self.end_row(gap)
        if self.y + tray.height + GAP > PAGE[1] and self.pages[-1]:
            self.end_page()
        self.pages[-1].append(tray.shift(self.x, self.y))
        self.x += tray.width + gap
        self.height = max(self.height, tray.height)

    def end_row(self, gap: int = GAP) -> None:
        if self.height:
            self.x, self.y, self.height = GAP, self.y + self.height + gap, 0

    def end_page(self) -> None:
        if self.pages[-1]:
            self.pages.append([])
        self.x, self.y, self.height = GAP, GAP, 0

    def sheets(self, window: str, board: str) -> Sheets:
        """The pages as boards, at least one."""
        pages = [page for page in self.pages if page] or [[]]
        return tuple(
            TraySheet(
                page_name(board, number),
                max([240, *(tray.x + tray.width + GAP for tray in page)]),
                max([LOW, *(tray.y + tray.height + GAP for tray in page)]),
                tuple(page),
                page_name(window, number),
            )
            for number, page in enumerate(pages, 1)
        )


def _tray(
    name: str,
    location: str,
    group: str,
    cells: int,
    columns: int,
    pitch: int,
    note: str,
    head: int,
    min_width: int,
    pile_depth: int = 0,
) -> Tray:
    """A tray with a cell for each of its counters, not yet on a sheet."""
    columns = max(1, min(columns, cells))
    rows = max(1, -(-cells // columns))
    spots = tuple(
        (GAP // 2 + pitch // 2 + (i % columns) * pitch, head + pitch // 2 + (i // columns) * pitch)
        for i in range(max(1, cells))
    )
    return Tray(
        name,
        location,
        group,
        0,
        0,
        max(min_width, columns * pitch + GAP),
        head + rows * pitch + GAP // 2,
        spots,
        note,
        pile_depth,
    )


def kinds(pieces: Iterable[Piece]) -> list[str]:
    """The counters among pieces, without duplicates, in order."""
    return list(dict.fromkeys(piece.unit for piece in pieces))


def piles(piece_kinds: Sequence[str], pile_depth: int = 0) -> list[int]:
    """The pile number of each piece. Each kind has its own piles, with no more than `pile_depth` counters in a pile."""
    first: dict[str, int] = {}
    number = 0
    for kind, count in Counter(piece_kinds).items():
        first[kind] = number
        number += -(-count // pile_depth) if pile_depth else 1
    counts: Counter[str] = Counter()
    result = []
    for kind in piece_kinds:
        result.append(first[kind] + (counts[kind] // pile_depth if pile_depth else 0))
        counts[kind] += 1
    return result


def support_piles(force: Force, pile_depth: int) -> list[int]:
    """The pile of each piece of support off the map, in the order of the force."""
    return piles(
        [str(number) for number, support in enumerate(force.support) for _ in range(support.count)], pile_depth
    )


def setup_name(scenario_id: str) -> str:
    """The name of a scenario's set-up board."""
    return f"Set-up {scenario_id}"


def setup_sheets(game: Game, scenario_id: str, position: Position | None = None) -> Sheets:
    """The trays of a scenario: one for each group with a choice, then one for each turn's reinforcements.

    All trays share one window if they fit. Otherwise reinforcements have a window of their own. Equal counters are
    piled only as deep as needed to avoid additional windows.
    """
    position = position or from_scenario(game, scenario_id)
    max_depth = max(Counter((piece.unit, piece.at, piece.group) for piece in position.pieces).values(), default=1)
    max_depth = max(
        [
            max_depth,
            *(support.count for force in game.scenarios[scenario_id].forces.values() for support in force.support),
        ]
    )
    piled_sheets = _setup_sheets(game, scenario_id, position, 0)
    for pile_depth in range(1, max_depth):
        spread = _setup_sheets(game, scenario_id, position, pile_depth)
        fits = all(sheet.width <= PAGE[0] and sheet.height <= PAGE[1] for sheet in spread)
        if fits and [sheet.window for sheet in spread] == [sheet.window for sheet in piled_sheets]:
            return spread
    return piled_sheets


def _setup_sheets(game: Game, scenario_id: str, position: Position, pile_depth: int) -> Sheets:
    """The trays of a scenario, with this pile depth."""
    scenario = game.scenarios[scenario_id]
    waiting: dict[tuple[str, str], list[Piece]] = {}
    for piece in position.pieces:
        if isinstance(piece.at, str) and piece.at.partition(":")[0] in ("setup", "turn"):
            waiting.setdefault((piece.at, piece.group), []).append(piece)
    groups: dict[str, tuple[str, Group]] = {}
    for side, force in scenario.forces.items():
        for number, group in enumerate(force.groups, 1):
            groups[f"{side}/{group.id or number}"] = game.sides_in(scenario)[side].name, group
    used: dict[str, int] = {}
    phrases = AreaDescriber(game, scenario_id)

    def tray(location: str, label: str, pieces: Sequence[Piece], prefix: str) -> Tray:
        side, group = groups[label]
        title = group.name or group.formation or group.id or label.partition("/")[2]
        title = title.removeprefix(prefix) or title
        name = f"{prefix}{side}: {title}"
        used[name] = used.get(name, 0) + 1
        if used[name] > 1:
            name += f" ({used[name]})"
        place_count, pitch = max(piles([piece.unit for piece in pieces], pile_depth)) + 1, counter_size(game) + 12
        columns = 6 if place_count <= 12 else 10 if place_count <= 40 else (PAGE[0] - 3 * GAP) // pitch
        area = group.enters.at if group.enters is not None else group.at
        text_length = len(phrases.words(area) if area is not None else "") + len(group.only_with) + len(group.note)
        min_width = next(width for max_length, width in WIDER if text_length <= max_length)
        return _tray(name, location, label, place_count, columns, pitch, group.note, HEAD, min_width, pile_depth)

    trays = {key: tray(*key, pieces, "") for key, pieces in waiting.items() if key[0].startswith("setup:")}
    for side, force in scenario.forces.items():
        if force.support:
            name, pitch = f"{game.sides_in(scenario)[side].name}: support", counter_size(game) + 12
            place_count = max(support_piles(force, pile_depth)) + 1
            key = f"{OFF_MAP}{side}", f"{side}/"
            trays[key] = _tray(
                name,
                *key,
                place_count,
                6 if place_count <= 12 else 10,
                pitch,
                SUPPORT_NOTE,
                HEAD,
                MIN_WIDTH,
                pile_depth,
            )
    turns = sorted({int(location[5:]) for location, _ in waiting if location.startswith("turn:")})
    coming = [
        tray(location, label, pieces, f"Turn {turn}, ")
        for turn in turns
        for (location, label), pieces in waiting.items()
        if location == f"turn:{turn}"
    ]
    shared_shelf = _arrange([*trays.values(), *coming])
    if len(shared_shelf.pages) == 1:
        return shared_shelf.sheets(SETUP, setup_name(scenario_id))
    later = _arrange(coming).sheets(ARRIVALS, f"{ARRIVALS} {scenario_id}") if coming else ()
    return (*_by_side(trays).sheets(SETUP, setup_name(scenario_id)), *later)


def _by_side(trays: Mapping[tuple[str, str], Tray]) -> _Shelf:
    """The trays of both sides on one page. If they don't fit, each side has one or more pages."""
    shelf = _arrange(trays.values())
    if len(shelf.pages) > 1:
        shelf = _Shelf()
        sides: dict[str, list[Tray]] = {}
        for (_, label), tray in trays.items():
            sides.setdefault(label.partition("/")[0], []).append(tray)
        for side_trays in sides.values():
            shelf.end_page()
            for tray in side_trays:
                shelf.add(tray)
    return shelf


def _arrange(trays: Iterable[Tray]) -> _Shelf:
    shelf = _Shelf()
    for tray in trays:
        shelf.add(tray)
    return shelf


def dead_zone(side_name: str) -> str:
    """The name of a side's pile of eliminated units, if the game's map has none."""
    return f"Eliminated: {side_name}"


def dead_boxes(game: Game, piece_id: str, table: Map | None) -> tuple[str, ...]:
    """The boxes of a map for a lost piece: those of its nation, else of its side, else those without an owner."""
    unit, marker = game.units.get(piece_id), game.markers.get(piece_id)
    if unit is not None:
        return _boxes_for(game, unit.side, unit.nation, table)
    free, owner_by_box = _free_and_owned(game, marker.side if marker is not None else "", table)
    return (*free, *owner_by_box)


def _boxes_for(game: Game, side: str, nation: str, table: Map | None) -> tuple[str, ...]:
    """The boxes of a map for lost units of a nation."""
    free, owner_by_box = _free_and_owned(game, side, table)
    return tuple([key for key, owner in owner_by_box.items() if owner == nation] or owner_by_box or free)


def _free_and_owned(game: Game, side: str, table: Map | None) -> tuple[list[str], dict[str, str]]:
    """The boxes for losses without an owner, and those of a side, each with its owner."""
    dead = {key: box.side for key, box in table.boxes.items() if box.kind == "dead"} if table is not None else {}
    owner_by_box = {key: owner for key, owner in dead.items() if owner and side in (owner, _side_of(game, owner))}
    return [key for key, owner in dead.items() if not owner], owner_by_box


def _side_of(game: Game, owner: str) -> str:
    """The side of a box's owner. The owner may be a nation."""
    return game.nations[owner].side if owner in game.nations else owner


def sides_without_boxes(game: Game, table: Map | None) -> list[str]:
    """The sides whose losses no box of a map takes."""
    without = {side for side, nation in cached_on(game, _armies) if not _boxes_for(game, side, nation, table)}
    return [side for side in game.sides if side in without]


def _armies(game: Game) -> set[tuple[str, str]]:
    """The sides and nations that have units."""
    return {(unit.side, unit.nation) for unit in game.units.values()}


def box_sheets(game: Game, table: Map | None, starts: Iterable[Position] | None = None) -> Sheets:
    """The piles of losses and the boxes of a map, owner by owner, and the spaces of its tracks.

    All of them share one window if they fit. Otherwise each is in the window that the pack names for it. Without such a name, tracks,
    each owner's boxes, and boxes without an owner have windows of their own.
    """
    max_counts = _max_counters(game, table, starts)
    pitch = counter_size(game) + 12
    boxes: dict[str, dict[str, list[Tray]]] = {}
    for side in sides_without_boxes(game, table):
        name = game.sides[side].name
        pile = _tray(dead_zone(name), f"dead:{name}", "", 8, 8, pitch, "", 28, MIN_WIDTH)
        boxes.setdefault(_boxes_of(game, side), {}).setdefault(side, []).append(pile)
    map_boxes = table.boxes.items() if table else ()
    owners = [*dict.fromkeys(box.side for _, box in map_boxes)]
    for key, box in sorted(
        map_boxes, key=lambda item: (owners.index(item[1].side), -max_counts.get(f"box:{item[0]}", 0))
    ):
        # The counters of a pool lie in one pile.
        cells = max(3, max_counts.get(f"box:{key}", 0)) if box.kind != "pool" else 3
        columns = 3 if cells <= 3 else 5 if cells <= 15 else 9 if cells <= 36 else 18
        boxes.setdefault(box.window or _boxes_of(game, box.side), {}).setdefault(box.side, []).append(
            _tray(box.name, f"box:{key}", "", cells, columns, pitch, box.note, HEAD if box.note else 28, 190)
        )
    tracks: dict[str, dict[str, TrackShape]] = {}
    for key, track in table.tracks.items() if table else ():
        tracks.setdefault(track.window or TRACKS, {})[key] = track
    board = "" if table is map_of(game) or table is None else f" {table.id}"
    all_tracks = {key: track for window_tracks in tracks.values() for key, track in window_tracks.items()}
    shared_shelf = _laid_out(
        game,
        [[tray for window_boxes in boxes.values() for trays in window_boxes.values() for tray in trays]],
        all_tracks,
    )
    if len(shared_shelf.pages) == 1:
        return shared_shelf.sheets(BOXES, "Boxes" + board)
    window_names = (box.window or _boxes_of(game, box.side) for box in (table.boxes.values() if table else ()))
    names = dict.fromkeys((*tracks, *window_names, *boxes))
    shelves = {name: _laid_out(game, [*boxes.get(name, {}).values()], tracks.get(name, {})) for name in names}
    return tuple(sheet for name, shelf in shelves.items() for sheet in shelf.sheets(name, name + board))


def _boxes_of(game: Game, owner: str) -> str:
    """The window of an owner's boxes, if the pack names none."""
    return f"{_owner(game, owner)} boxes" if owner else OTHER_BOXES


def _owner(game: Game, owner: str) -> str:
    """The display name of a box's owner: a nation or a side."""
    if owner in game.nations:
        return game.nations[owner].adjective or game.nations[owner].name
    return game.sides[owner].name if owner in game.sides else owner


def _max_counters(game: Game, table: Map | None, starts: Iterable[Position] | None) -> dict[str, int]:
    """The maximum number of counters in each box over all set-ups."""
    max_counts: dict[str, int] = {}
    has_boxes = table is not None and bool(table.boxes or table.tracks)
    for start in (starts or (from_scenario(game, key) for key in game.scenarios)) if has_boxes else ():
        pieces_by_box: dict[str, list[Piece]] = {}
        for piece in start.pieces:
            if isinstance(piece.at, str) and piece.at.startswith("box:"):
                pieces_by_box.setdefault(piece.at, []).append(piece)
        for location, pieces in pieces_by_box.items():
            max_counts[location] = max(max_counts.get(location, 0), len(kinds(pieces)))
    return max_counts


def _laid_out(game: Game, boxes: Sequence[Sequence[Tray]], tracks: Mapping[str, TrackShape]) -> _Shelf:
    """Boxes with tracks below them. Each owner's boxes have their own rows unless all fit one row. Spaces of long tracks are wider
    than a marker. Both are given up if they need more pages.
    """
    tries = []
    for separates_owners, rows in ((True, 1), (True, 0), (False, 1), (False, 0)):
        shelf = _Shelf()
        for trays in boxes:
            if separates_owners:
                shelf.end_row()
            for tray in trays:
                shelf.add(tray)
        shelf.end_row()
        _tracks(shelf, game, tracks, rows)
        tries.append(shelf)
    *_, shared_shelf, _ = tries
    if not tracks and len({tray.y for page in shared_shelf.pages for tray in page}) == 1:
        return shared_shelf
    return min(tries, key=lambda shelf: len(shelf.pages))


def _tracks(shelf: _Shelf, game: Game, tracks: Mapping[str, TrackShape], extra_rows: int) -> None:
    """Put tracks on a shelf. Short ones lie side by side, each below its name. Long ones have rows of equal length, or more rows."""
    size = counter_size(game)
    for key, track in tracks.items():
        number = len(track.labels)
        close = number > LONG
        width, gap = (size - 6, 2) if close else (size + 14, GAP)
        height = TITLE + size + 9
        middle = height // 2 + BELOW_TITLE
        columns = min(number, (PAGE[0] - 2 * GAP + gap) // (width + gap))
        if close:
            rows = -(-number // columns)
            columns = -(-number // (rows + extra_rows if rows > 1 else rows))
            width = min(size + 14, (PAGE[0] - 2 * GAP + gap) // columns - gap)
        if shelf.x > GAP and shelf.x + 2 * GAP + columns * (width + gap) > PAGE[0]:
            shelf.end_row()
        first = TITLE if shelf.x == GAP else 0
        if shelf.y + first + -(-number // columns) * (height + gap) - gap + GAP > PAGE[1]:
            shelf.end_page()
        if shelf.x == GAP:
            shelf.y += TITLE
        else:
            shelf.x += 2 * GAP
        spot = ((width // 2, middle),)
        for place, label in enumerate(track.labels):
            if place and place % columns == 0:
                shelf.end_row(gap)
            shelf.add(Tray(f"{track.name} {label}", f"box:{key}/{label}", key, 0, 0, width, height, spot), gap)
        if columns < number:
            shelf.end_row()


class Windows(NamedTuple):
    """The windows beside the map for all scenarios together: trays, and boxes and tracks with their zones."""

    trays: tuple[str, ...]
    boxes: tuple[str, ...]
    of_zone: Mapping[str, str]
    """The window of each box, pile or space, by its name."""


def windows_of(game: Game) -> Windows:
    """The windows of a game's module."""
    return cached_on(game, _windows)


def _windows(game: Game) -> Windows:
    trays = {sheet.window for key in game.scenarios for sheet in setup_sheets(game, key)} | {SETUP}
    boxes = [sheet for table in game.maps.values() or [None] for sheet in box_sheets(game, table)]
    zones = {tray.name: sheet.window for sheet in reversed(boxes) for tray in sheet.trays}
    return Windows(tuple(sorted(trays, key=_in_order)), tuple(dict.fromkeys(sheet.window for sheet in boxes)), zones)


def _in_order(window: str) -> tuple[bool, int, str]:
    return not window.startswith(SETUP), len(window), window


def box_names(game: Game) -> Mapping[str, str]:
    """The name of each box beside a map, by id. It is the name of its zone. If several maps have the box, the first one counts."""
    return {key: box.name for table in reversed([*game.maps.values()]) for key, box in table.boxes.items()}


def pools(table: Map | None) -> list[str]:
    """The boxes of a map that players draw pieces from at random."""
    return [key for key, box in table.boxes.items() if box.kind == "pool"] if table is not None else []


def turn_markers(game: Game) -> Mapping[str, str]:
    """The markers that start on a turn track, each with the name of its track."""
    track_by_marker: dict[str, str] = {}
    for key in game.scenarios:
        table = map_of(game, key)
        tracks = {f"box:{name}": track.name for name, track in table.tracks.items() if track.turns} if table else {}
        for piece in from_scenario(game, key).pieces:
            track = tracks.get(str(piece.at).partition("/")[0])
            if piece.unit in game.markers and track is not None:
                track_by_marker.setdefault(piece.unit, track)
    return track_by_marker


def turn_of(table: Map | None, location: str) -> str:
    """`turn:N` for a space of a map's turn track. Empty for any other place."""
    key, _, label = location.removeprefix("box:").partition("/")
    track = table.tracks.get(key) if table is not None and location.startswith("box:") else None
    if track is None or not track.turns:
        return ""
    return f"turn:{track.labels.index(label) + 1 if label in track.labels else 1}"


def map_of(game: Game, scenario_id: str = "") -> Map | None:
    """The map whose boxes and tracks a scenario uses: its own, else the game's first. None for a game of boards only."""
    first, scenario_map = next(iter(game.maps.values()), None), game.scenario_maps.get(scenario_id)
    return first if scenario_map is None else game.maps.get(scenario_map.id, first)


def prefix(game: Game, board_id: str) -> str:
    """The prefix of a hex's name, if there are several boards."""
    return f"{board_id}-" if len(game.boards) > 1 else ""


def board_names(game: Game) -> Mapping[str, str]:
    """The name of each board in the module."""
    if game.boards:
        return {key: f"Board {key}" if len(game.boards) > 1 else board.name for key, board in game.boards.items()}
    return {key: game_map.title for key, game_map in game.maps.items() if not isinstance(game_map, HexMap)}
