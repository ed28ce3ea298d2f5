"""The maps of the pack: boards of hexes or points on a picture, boxes beside them, and the place of each piece."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from modgen.importing.hexes import FittedGrid, GridCell, fit
from modgen.importing.maps import ImportedBoard, Key, LaidBoard, Layout, Window, key_of
from modgen.importing.names import Ids, clean
from modgen.importing.report import Report
from modgen.vmod.files.loaded_module import Element, kind_of, name_of
from scenarios.model.hexes import Hex
from scenarios.vassal.geometry import PER_CM, SMALL

COUNTER_CM = SMALL[1] * 9 // 10 / PER_CM
"""The width in centimeters that a counter covers on a point map of a module."""
DECKS = ("DrawPile", "Deck")
MOST_BOXES = 300
MOST_FREE = 500
CLOSE = 3
"""Places at most this many pixels apart are one."""
Location = dict[str, str]
"""A place as a scenario writes it: {hex: 0101}, {point: paris} or {box: hand}."""


@dataclass
class HexBoard:
    """A board of hexes."""

    id: str
    sheet: ImportedBoard
    grid: FittedGrid
    cells: Mapping[GridCell, Hex]
    zones: dict[str, tuple[str, list[str]]]


@dataclass
class MapOut:
    """A map of the pack: one arrangement of the boards of the main window."""

    id: str
    name: str
    layout: Layout
    hexes: dict[str, HexBoard]
    """By the name of the sheet; empty on a map of points."""
    points: dict[str, tuple[str, float, float]] = field(default_factory=dict)
    """Name and position in pixels of the whole layout."""
    of_place: dict[tuple[str, int], str] = field(default_factory=dict)
    """The point of a place, by sheet and number."""
    ids: Ids = field(default_factory=Ids)

    @property
    def size(self) -> tuple[int, int]:
        """The size of the layout in pixels."""
        return max(placed_sheet.x + placed_sheet.sheet.size[0] for placed_sheet in self.layout), max(
            placed_sheet.y + placed_sheet.sheet.size[1] for placed_sheet in self.layout
        )


@dataclass
class ImportedBox:
    """A box beside the maps."""

    id: str
    name: str
    kind: str = "box"


@dataclass
class ImportedPlaces:
    """Finds the place of a piece, and creates boxes and points as needed."""

    main: Window
    windows: Mapping[str, Window]
    report: Report
    counter: float = 75
    """The side of a typical counter in pixels."""
    maps: dict[Key, MapOut] = field(default_factory=dict)
    boards: dict[str, HexBoard | None] = field(default_factory=dict)
    boxes: dict[str, ImportedBox] = field(default_factory=dict)
    decks: dict[tuple[str, int, int], str] = field(default_factory=dict)
    ids: Ids = field(default_factory=Ids)
    board_ids: Ids = field(default_factory=Ids)
    box_ids: Ids = field(default_factory=Ids)
    free: int = 0

    def map_of(self, layout: Layout) -> MapOut:
        """The map for a layout of the main window."""
        key = key_of(layout)
        if key not in self.maps:
            self.maps[key] = self._build_map(layout)
        return self.maps[key]

    def _build_map(self, layout: Layout) -> MapOut:
        hexes = {
            placed_sheet.sheet.name: board
            for placed_sheet in layout
            if (board := self._board(placed_sheet.sheet)) is not None
        }
        name = clean(" and ".join(placed_sheet.sheet.name for placed_sheet in layout[:3])) or "Map"
        map_out = MapOut(self.ids.new_id(name, "map"), name, layout, hexes)
        if not hexes:
            for placed_sheet in layout:
                key_of_spot: dict[tuple[int, int], str] = {}
                for number, place in enumerate(placed_sheet.sheet.places):
                    x, y = _rotate(placed_sheet, place.x, place.y)
                    spot = round(x) // CLOSE, round(y) // CLOSE
                    if spot in key_of_spot:
                        map_out.of_place[placed_sheet.sheet.name, number] = key_of_spot[spot]
                        point_name = map_out.points[key_of_spot[spot]][0]
                        self.report.chose(
                            "places that lie on each other and are one point now", f"{place.name} on {point_name}"
                        )
                        continue
                    key = key_of_spot[spot] = map_out.ids.new_id(place.name, "point")
                    map_out.points[key] = clean(place.name) or key, placed_sheet.x + x, placed_sheet.y + y
                    map_out.of_place[placed_sheet.sheet.name, number] = key
        return map_out

    def _board(self, sheet: ImportedBoard) -> HexBoard | None:
        if sheet.name not in self.boards:
            fitted_grid = fit(sheet.hexes) if sheet.hexes is not None else None
            self.boards[sheet.name] = None
            if fitted_grid is not None:
                key = self.board_ids.new_id(sheet.name, "board")
                cells = fitted_grid.by_cell()
                self.boards[sheet.name] = HexBoard(
                    key, sheet, fitted_grid, cells, self._zones(sheet, fitted_grid, cells)
                )
                if not fitted_grid.has_names:
                    self.report.chose(
                        "boards whose hexes get other names, because a pack can't say the module's", sheet.name
                    )
        return self.boards[sheet.name]

    def _zones(
        self, sheet: ImportedBoard, fitted_grid: FittedGrid, cells: Mapping[GridCell, Hex]
    ) -> dict[str, tuple[str, list[str]]]:
        """The zones of a board of hexes that have no places of their own, with their hexes."""
        assert sheet.hexes is not None
        point_zones = {place.zone for place in sheet.places}
        ids, result = Ids(), {}
        for zone in sheet.zones:
            if zone.name not in point_zones:
                zone_hexes = [
                    fitted_grid.grid.name(hex) for cell, hex in cells.items() if zone.holds(*sheet.hexes.spot(cell))
                ]
                if zone_hexes and len(zone_hexes) < len(cells):
                    result[ids.new_id(zone.name, "zone")] = clean(zone.name), zone_hexes
        return result

    def box(self, name: str, kind: str = "box") -> Location:
        """The location of a box, given its name."""
        if name not in self.boxes:
            if len(self.boxes) >= MOST_BOXES:
                self.report.chose("places beside the map that share a box, because there are so many", name)
                name = "Other places"
            if name not in self.boxes:
                self.boxes[name] = ImportedBox(self.box_ids.new_id(name, "box"), name, kind)
        return {"box": self.boxes[name].id}

    def add_decks(self, window: Window) -> None:
        """Add the decks of a window as boxes from which players draw pieces."""
        for deck in window.element.iter():
            if kind_of(deck) in DECKS:
                name = clean(name_of(deck)) or "Deck"
                for layout in (window.start, *window.layouts.values()):
                    if (spot := self.stack_spot(window, deck, layout)) is not None:
                        self.decks.setdefault((window.name, *spot), name)

    def stack_spot(self, window: Window, stack: Element, layout: Layout) -> tuple[int, int] | None:
        """The position of a stack or deck of the module in its window; None if its board isn't in the layout."""
        board = stack.get("owningBoard", "")
        placed_sheet = next((candidate for candidate in layout if not board or candidate.sheet.name == board), None)
        if placed_sheet is None:
            return None
        x, y = _integer(stack.get("x", "0")), _integer(stack.get("y", "0"))
        if stack.get("useGridLocation") == "true" and (location := stack.get("location", "")):
            named_place = next((place for place in placed_sheet.sheet.places if place.name == location), None)
            if named_place is not None:
                x, y = round(named_place.x), round(named_place.y)
        x, y = (round(value) for value in _rotate(placed_sheet, x, y))
        return placed_sheet.x + x, placed_sheet.y + y

    def location_at(self, window: str, layout: Layout, x: int, y: int) -> Location:
        """The place at a point of a window with this layout of boards."""
        if (window, x, y) in self.decks:
            return self.box(self.decks[window, x, y], "pool")
        map_window = self.windows.get(window)
        if map_window is None:
            return self.box("Off the map", "off_map")
        placed_sheet = next((candidate for candidate in reversed(layout) if _contains(candidate, x, y)), None)
        if map_window is not self.main:
            name = (
                placed_sheet.sheet.place_name(
                    *_rotate(placed_sheet, x - placed_sheet.x, y - placed_sheet.y), 2 * self.counter
                )
                if placed_sheet is not None
                else ""
            )
            return self.box(clean(f"{window}: {name}" if name and name != window else window))
        map_out = self.map_of(layout)
        if map_out.hexes:
            return self._on_hexes(map_out, placed_sheet, x, y)
        return self._on_points(map_out, placed_sheet, x, y)

    def _on_hexes(self, map_out: MapOut, placed_sheet: LaidBoard | None, x: int, y: int) -> Location:
        if placed_sheet is None:
            return self.box("Off the map", "off_map")
        local = _rotate(placed_sheet, x - placed_sheet.x, y - placed_sheet.y)
        zone = placed_sheet.sheet.zone(*local)
        board = map_out.hexes.get(placed_sheet.sheet.name)
        if board is None or (zone and any(place.zone == zone for place in placed_sheet.sheet.places)):
            return self.box(clean(placed_sheet.sheet.place_name(*local, 2 * self.counter) or placed_sheet.sheet.name))
        assert board.sheet.hexes is not None
        hex = board.cells.get(board.sheet.hexes.cell(*local))
        if hex is None:
            return self.box("Off the map", "off_map")
        name = board.grid.grid.name(hex)
        return {"hex": f"{board.id}-{name}" if len(map_out.hexes) > 1 else name}

    def _on_points(self, map_out: MapOut, placed_sheet: LaidBoard | None, x: int, y: int) -> Location:
        if placed_sheet is not None:
            number = placed_sheet.sheet.find(
                *_rotate(placed_sheet, x - placed_sheet.x, y - placed_sheet.y), 1.5 * self.counter
            )
            if number is not None:
                return {"point": map_out.of_place[placed_sheet.sheet.name, number]}
        near_free = [
            key
            for key, spot in map_out.points.items()
            if key.startswith("spot_") and _distance(spot, x, y) < (self.counter / 2) ** 2
        ]
        if near_free:
            return {"point": near_free[0]}
        if self.free >= MOST_FREE:
            return self.box("Off the map", "off_map")
        self.free += 1
        key = map_out.ids.new_id(f"spot_{self.free}")
        map_out.points[key] = f"Spot {self.free}", x, y
        self.report.chose(
            "places without a name where pieces stand; name these points, or move their pieces",
            f"{map_out.name} {x},{y}",
        )
        return {"point": key}


def _distance(point: tuple[str, float, float], x: float, y: float) -> float:
    return (point[1] - x) ** 2 + (point[2] - y) ** 2


def _contains(placed_sheet: LaidBoard, x: int, y: int) -> bool:
    return (
        placed_sheet.x <= x <= placed_sheet.x + placed_sheet.sheet.size[0]
        and placed_sheet.y <= y <= placed_sheet.y + placed_sheet.sheet.size[1]
    )


def _rotate(placed_sheet: LaidBoard, x: float, y: float) -> tuple[float, float]:
    """A point of a board after the board's rotation; the same function reverses it."""
    return (placed_sheet.sheet.size[0] - x, placed_sheet.sheet.size[1] - y) if placed_sheet.is_rotated else (x, y)


def _integer(text: str) -> int:
    return int(text) if text.lstrip("-").isdecimal() and len(text) < 8 else 0


def usual(sizes: Sequence[tuple[int, int]]) -> float:
    """The side of a typical counter: the median of all."""
    sides = sorted(max(size) for size in sizes if all(size))
    return float(min(max(sides[len(sides) // 2], 20), 400)) if sides else 75.0
