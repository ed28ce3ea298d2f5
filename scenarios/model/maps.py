"""Maps: boards joined into one surface of hexes, with the boxes and tracks beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Literal

from scenarios.model.areas import Edge
from scenarios.model.boards import Arrangement, Board, BoardPath, LineShape, Place, crossed_by
from scenarios.model.grids import Grid, UnknownHex
from scenarios.model.hexes import Hex, Hexside, hexside
from scenarios.model.images import Image, MapImage
from scenarios.model.points import AreaShape, PointShape
from scenarios.model.sources import IdField, Sourced
from scenarios.reading.findings import suggest
from scenarios.reading.shapes import Findings, documented_field, place, record

SheetEdge = Literal["top", "right", "bottom", "left"]
_SHEET: tuple[SheetEdge, ...] = ("top", "right", "bottom", "left")
_NORTH = {"up": 0, "right": 1, "down": 2, "left": 3}
_COMPASS: tuple[Edge, ...] = ("north", "east", "south", "west")


@record
class BoxShape(Sourced):
    """A box or display beside the map."""

    name: str = documented_field("What it is called.")
    kind: Literal["box", "display", "holding", "dead", "off_map", "pool"] = documented_field(
        "What it is for; what is in a pool is drawn at random.", "box"
    )
    side: IdField = documented_field("Whose it is.", "")
    limit: int | None = documented_field("How many units it holds at most.", None)
    image: Image | None = documented_field("A picture that fills it.", None)
    window: str = documented_field(
        "The window of a module that shows it, where they don't all fit one; left out, its owner's.", ""
    )
    note: str = documented_field("What may be in it.", "")


@record
class TrackShape(Sourced):
    """A track beside the map."""

    name: str = documented_field("What it is called.")
    spaces: tuple[str, ...] = documented_field("The labels of its spaces, in order.", ())
    first: int = documented_field("Or the number of its first space", 1)
    last: int | None = documented_field("and of its last.", None)
    turns: bool = documented_field("True where its spaces are the turns of the game.", False)
    window: str = documented_field(
        "The window of a module that shows it, where they don't all fit one; left out, the tracks'.", ""
    )
    note: str = documented_field("What it counts.", "")

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of all spaces."""
        return self.spaces or tuple(str(n) for n in range(self.first, (self.last or self.first) + 1))


@record
class MapShape(Sourced):
    """The playing surface: joined boards, or points and routes, with the boxes and tracks beside it."""

    name: str = documented_field("What it is called.")
    arrangement: Arrangement | None = documented_field("The boards and how they lie.", None)
    points: Mapping[IdField, PointShape] = documented_field("The points of a point-to-point map.", {}, sheet=True)
    routes: Mapping[IdField, tuple[tuple[IdField, ...], ...]] = documented_field(
        "Routes by kind: pairs or chains of points, such as road: [[cairo, suez]].", {}
    )
    areas: Mapping[IdField, AreaShape] = documented_field("Theaters and reserve areas.", {}, sheet=True)
    north: Literal["up", "right", "down", "left"] = documented_field("Where north is on a point map's sheet.", "up")
    lines: Mapping[IdField, LineShape] = documented_field("Lines that are only drawn, on a point map's sheet.", {})
    boxes: Mapping[IdField, BoxShape] = documented_field("Boxes and displays.", {}, sheet=True)
    tracks: Mapping[IdField, TrackShape] = documented_field("Tracks.", {}, sheet=True)
    image: MapImage | None = documented_field(
        "A picture of a map of points, such as a scan, that is shown instead of our drawing. Where no points fix it, it fills the "
        "lines of kind `frame`, or the whole sheet.",
        None,
    )
    note: str = documented_field("What it shows.", "")


@dataclass(frozen=True)
class PlacedBoard:
    """A board at its position on a map."""

    board: Board
    offset: Hex
    turned: bool

    def to_map(self, hex: Hex) -> Hex:
        """The hex of the map for a hex of the board."""
        moved_hex = self._hexes_on_map.get(hex)
        return moved_hex or self.offset.plus(self.board.grid.rotate_hex(hex) if self.turned else hex)

    @cached_property
    def _hexes_on_map(self) -> Mapping[Hex, Hex]:
        """The hex of the map for every hex of the board."""
        grid, offset = self.board.grid, self.offset
        return {hex: offset.plus(grid.rotate_hex(hex) if self.turned else hex) for hex in grid.hexes}

    def to_board(self, hex: Hex) -> Hex | None:
        """The hex of the board that lies on a hex of the map, if any."""
        local = hex.minus(self.offset)
        if local not in self.board.grid:
            return None
        return self.board.grid.rotate_hex(local) if self.turned else local


@dataclass(frozen=True)
class HexMap:
    """Joined boards. Hexes have the coordinates of the map. A seam hex has a name on each of its boards."""

    id: str
    title: str
    placed: tuple[PlacedBoard, ...]
    north: Literal["up", "right", "down", "left"]
    plain: str
    prefixed: bool
    boxes: Mapping[str, BoxShape]
    tracks: Mapping[str, TrackShape]

    @cached_property
    def terrain(self) -> Mapping[Hex, str]:
        """The terrain of each hex. A seam hex takes the terrain of the half that isn't plain."""
        result: dict[Hex, str] = {}
        for placed_board in self.placed:
            for local, kind in placed_board.board.terrain.items():
                hex = placed_board.to_map(local)
                if result.get(hex, self.plain) == self.plain:
                    result[hex] = kind
        return MappingProxyType(result)

    @cached_property
    def features(self) -> Mapping[str, frozenset[Hex]]:
        """The hexes that have a kind of terrain in addition to their main terrain, by kind."""
        result: dict[str, frozenset[Hex]] = {}
        for placed_board in self.placed:
            for kind, hexes in placed_board.board.features.items():
                result[kind] = result.get(kind, frozenset()) | {placed_board.to_map(hex) for hex in hexes}
        return MappingProxyType(result)

    @cached_property
    def hexsides(self) -> Mapping[Hexside, frozenset[str]]:
        """The kinds of each hexside that has any."""
        result: dict[Hexside, frozenset[str]] = {}
        for placed_board in self.placed:
            for side, side_kinds in placed_board.board.hexsides.items():
                map_side = hexside(placed_hex(placed_board, side.a), placed_hex(placed_board, side.b))
                result[map_side] = result.get(map_side, frozenset()) | side_kinds
        return MappingProxyType(result)

    @cached_property
    def paths(self) -> tuple[BoardPath, ...]:
        """All paths. Paths of neighboring boards meet in the seam hexes."""
        return tuple(
            BoardPath(path.kind, path.name, tuple(placed_board.to_map(hex) for hex in path.hexes))
            for placed_board in self.placed
            for path in placed_board.board.paths
        )

    @cached_property
    def path_sides(self) -> Mapping[Hexside, frozenset[str]]:
        """The kinds of path that cross each hexside."""
        return crossed_by(self.paths)

    @cached_property
    def places(self) -> Mapping[str, Place]:
        """Named places, by id."""
        return MappingProxyType(
            {
                place_id: Place(place_id, p.name, p.kind, tuple(placed_board.to_map(h) for h in p.hexes), p.side)
                for placed_board in self.placed
                for place_id, p in placed_board.board.places.items()
            }
        )

    @cached_property
    def zones(self) -> Mapping[str, frozenset[Hex]]:
        """Named regions, by id."""
        result: dict[str, frozenset[Hex]] = {}
        for placed_board in self.placed:
            for zone_id, hexes in placed_board.board.zones.items():
                map_hexes = frozenset(placed_board.to_map(h) for h in hexes)
                result[zone_id] = result.get(zone_id, frozenset()) | map_hexes
        return MappingProxyType(result)

    @cached_property
    def names(self) -> Mapping[Hex, tuple[str, ...]]:
        """Every name of every hex: one, or one for each board that shares the hex."""
        result: dict[Hex, tuple[str, ...]] = {}
        for placed_board in self.placed:
            for local in placed_board.board.grid.hexes:
                hex = placed_board.to_map(local)
                name = placed_board.board.grid.name(local)
                result[hex] = (*result.get(hex, ()), f"{placed_board.board.id}-{name}" if self.prefixed else name)
        return MappingProxyType(result)

    def name(self, hex: Hex) -> str:
        """The first name of a hex."""
        return self.names[hex][0]

    def hex(self, text: str) -> Hex:
        """The hex with a name: R-2 if there is one board, else A-R-2. Case is ignored. Raises UnknownHex if there is none."""
        unprefixed_hex = self._by_name.get(text.strip().casefold())
        if unprefixed_hex is not None:
            return unprefixed_hex
        boards = {candidate.board.id: candidate for candidate in self.placed}
        board_id, _, hex_name = text.strip().partition("-")
        by_folded = {key.casefold(): key for key in boards}
        if len(boards) == 1:
            (single_board,) = self.placed
            try:
                return single_board.to_map(single_board.board.grid.hex(text))
            except UnknownHex:
                if not (hex_name and board_id.casefold() in by_folded):
                    raise
        known_id = by_folded.get(board_id.casefold())
        if not hex_name or known_id is None:
            raise UnknownHex(f"{text!r} names no board of this map; {suggest(board_id, boards)}, as in {self._example}")
        placed_board = boards[known_id]
        try:
            return placed_board.to_map(placed_board.board.grid.hex(hex_name))
        except UnknownHex as error:
            suggestions = tuple(f"{known_id}-{s}" for s in error.suggestions)
            raise UnknownHex(f"board {known_id}: {error}", suggestions) from None

    @cached_property
    def _by_name(self) -> Mapping[str, Hex]:
        """Every printed name: with the board's id, and on a map of one board also without it."""
        result: dict[str, Hex] = {}
        for placed_board in self.placed:
            for local in placed_board.board.grid.hexes:
                hex, name = placed_board.to_map(local), placed_board.board.grid.name(local).casefold()
                result[f"{placed_board.board.id.casefold()}-{name}"] = hex
                if len(self.placed) == 1:
                    result[name] = hex
        return result

    @property
    def _example(self) -> str:
        return self.names[self.hexes[0]][0]

    @cached_property
    def hexes(self) -> tuple[Hex, ...]:
        """All hexes, board by board, without duplicates."""
        return tuple(self.names)

    def __contains__(self, hex: object) -> bool:
        return hex in self.names

    @cached_property
    def field(self) -> frozenset[Hex]:
        """All hexes, as a set."""
        return frozenset(self.hexes)

    def on_board(self, board_id: str) -> frozenset[Hex]:
        """The hexes of a board, with its seam hexes."""
        return self._by_board.get(board_id, frozenset())

    @cached_property
    def _by_board(self) -> Mapping[str, frozenset[Hex]]:
        return {p.board.id: frozenset(map(p.to_map, p.board.grid.hexes)) for p in self.placed}

    def sheet_edge(self, compass: Edge) -> SheetEdge:
        """The edge of the sheet that faces a compass direction."""
        return _SHEET[(_COMPASS.index(compass) + _NORTH[self.north]) % 4]

    def edge(self, compass: Edge, board_id: str = "") -> frozenset[Hex]:
        """The hexes along an edge of the map, or of one of its boards."""
        return outermost(self, self.on_board(board_id) if board_id else self.field, self.sheet_edge(compass))

    @property
    def orientation(self) -> Literal["flat", "pointy"]:
        """Flat-top or pointy-top. All boards have the same orientation."""
        return self.placed[0].board.grid.orientation

    @cached_property
    def spots(self) -> Mapping[Hex, tuple[int, int]]:
        """The position of each hex on the sheet. Flat-top: whole columns and half hexes. Pointy-top: half columns and whole rows."""
        if self.orientation == "flat":
            return {hex: (hex.q, 2 * hex.r + hex.q) for hex in self.hexes}
        return {hex: (2 * hex.q + hex.r, hex.r) for hex in self.hexes}

    def spot(self, hex: Hex) -> tuple[int, int]:
        """The position of one hex on the sheet."""
        return self.spots[hex]


def placed_hex(placed_board: PlacedBoard, hex: Hex) -> Hex:
    """The position of a board's hex on the map, even if it is just off the edge of the board."""
    if not placed_board.turned:
        return placed_board.offset.plus(hex)
    grid = placed_board.board.grid
    first = grid.hexes[0]
    return placed_board.offset.plus(first.plus(grid.rotate_hex(first)).minus(hex))


def outermost(hex_map: HexMap, hexes: frozenset[Hex], edge: SheetEdge) -> frozenset[Hex]:
    """The hexes with no other hex beyond them toward an edge of the sheet."""
    is_vertical_edge = edge in ("left", "right")
    sign = -1 if edge in ("left", "top") else 1
    spots = {hex: hex_map.spot(hex) for hex in hexes}
    straight = (hex_map.orientation == "flat") == is_vertical_edge
    if straight:
        axis = 0 if is_vertical_edge else 1
        limit = max(sign * spot[axis] for spot in spots.values())
        return frozenset(hex for hex, spot in spots.items() if sign * spot[axis] == limit)
    outermost_hexes: dict[int, Hex] = {}
    edge_axis, outward_axis = (1, 0) if is_vertical_edge else (0, 1)
    for hex, spot in spots.items():
        best = outermost_hexes.get(spot[edge_axis])
        if best is None or sign * spot[outward_axis] > sign * spots[best][outward_axis]:
            outermost_hexes[spot[edge_axis]] = hex
    return frozenset(outermost_hexes.values())


def put_together(
    map_id: str,
    name: str,
    arrangement: Arrangement,
    boards: Mapping[str, Board],
    plain_terrain: str,
    findings: Findings,
    boxes: Mapping[str, BoxShape] | None = None,
    tracks: Mapping[str, TrackShape] | None = None,
) -> HexMap | None:
    """Join the boards of an arrangement into a map. Adds findings if they don't fit."""
    rows = arrangement.boards
    if not rows or len({len(row) for row in rows}) != 1:
        findings.add(place(arrangement, "boards"), "every row of boards must be as long as the first; fill the gap")
        return None
    placed_boards: list[PlacedBoard] = []
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            board_id, _, word = cell.partition(" ")
            node = place(arrangement, "boards")
            node = node.child(y, x) if node.items and node.items[0].items is not None else node.child(y)
            if word not in ("", "turned"):
                findings.add(node, f"{word!r} is no way to lay a board; write 'turned' or nothing")
            if board_id not in boards:
                findings.add(node, f"there is no board {board_id!r}; {suggest(board_id, boards)}")
                continue
            if any(p.board.id == board_id for p in placed_boards):
                findings.add(node, f"board {board_id} lies here twice; there is one of it")
                continue
            placed_boards.append(PlacedBoard(boards[board_id], Hex(0, 0), word == "turned"))
    if len(placed_boards) != sum(map(len, rows)):
        return None
    first = placed_boards[0].board.grid
    for placed_board in placed_boards:
        grid = placed_board.board.grid
        node = place(arrangement, "boards")
        layout = (grid.orientation, grid.columns, grid.rows, grid.pushed, grid.halves)
        if layout != (first.orientation, first.columns, first.rows, first.pushed, first.halves):
            findings.add(
                node,
                f"board {placed_board.board.id} has another grid than {placed_boards[0].board.id}; they can't join",
            )
            return None
        try:
            if placed_board.turned:
                grid.rotate_hex(grid.hexes[0])
        except ValueError as error:
            findings.add(node, f"board {placed_board.board.id} can't be turned: {error}")
            return None
    if len(placed_boards) > 1 and not _joins(first, len(rows[0]) > 1, len(rows) > 1):
        findings.add(place(arrangement, "boards"), "boards join only where both have half-hexes; see `halves`")
        return None
    width = len(rows[0])
    joined_boards = tuple(
        PlacedBoard(
            placed_board.board,
            _offset(first.orientation, first.columns, first.rows, i % width, i // width),
            placed_board.turned,
        )
        for i, placed_board in enumerate(placed_boards)
    )
    has_prefixes = len(boards) > 1
    return HexMap(
        map_id,
        name,
        joined_boards,
        arrangement.north,
        plain_terrain,
        has_prefixes,
        MappingProxyType(dict(boxes or {})),
        MappingProxyType(dict(tracks or {})),
    )


def _joins(grid: Grid, joins_horizontally: bool, joins_vertically: bool) -> bool:
    """Whether boards of this grid share half-hexes if they lie side by side, one below the other, or both."""
    flat = grid.orientation == "flat"
    lanes = grid.columns if flat else grid.rows
    side_by_side, end_to_end = (
        (joins_vertically, joins_horizontally) if flat else (joins_horizontally, joins_vertically)
    )
    sides_cut = grid.halves in ("sides", "both")
    ends_cut = grid.halves in ("ends", "both") and lanes % 2 == 1
    return (not side_by_side or sides_cut) and (not end_to_end or ends_cut)


def _offset(orientation: str, columns: int, rows: int, board_column: int, board_row: int) -> Hex:
    """The offset of the board at this place of the matrix. Neighboring boards share their half-hexes."""
    if orientation == "flat":
        # One board to the right is columns - 1 columns on, at the same height: r falls by half of that.
        return Hex(board_column * (columns - 1), board_row * rows - board_column * (columns - 1) // 2)
    return Hex(board_column * columns - board_row * (rows - 1) // 2, board_row * (rows - 1))
