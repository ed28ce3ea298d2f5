"""The maps of the pack: boards of hexes or points on a picture, boxes for what lies beside, and where a piece stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from modgen.importing.hexes import Cell, Fitted, fit
from modgen.importing.maps import Key, Laid, Layout, Sheet, Window, key_of
from modgen.importing.report import Report
from modgen.importing.words import Ids, clean
from modgen.vmod.opened import Element, kind_of, name_of
from scenarios.hexes import Hex
from scenarios.vassal.geometry import PER_CM, SMALL

COUNTER_CM = SMALL[1] * 9 // 10 / PER_CM
"""How many centimetres of a point map a counter covers in a module."""
DECKS = ("DrawPile", "Deck")
MOST_BOXES = 300
MOST_FREE = 500
CLOSE = 3
"""Places so few pixels apart are one."""
Location = dict[str, str]
"""A place as a scenario names it: {hex: 0101}, {point: paris} or {box: hand}."""


@dataclass
class HexBoard:
    """A board of hexes."""

    id: str
    sheet: Sheet
    fitted: Fitted
    cells: Mapping[Cell, Hex]
    zones: dict[str, tuple[str, list[str]]]


@dataclass
class MapOut:
    """A map of the pack: one way in which the boards of the main window lie."""

    id: str
    name: str
    layout: Layout
    hexes: dict[str, HexBoard]
    """By the name of the sheet; none on a map of points."""
    points: dict[str, tuple[str, float, float]] = field(default_factory=dict)
    """Name and place in pixels of the whole layout."""
    of_place: dict[tuple[str, int], str] = field(default_factory=dict)
    """The point of a place, by sheet and number."""
    ids: Ids = field(default_factory=Ids)

    @property
    def size(self) -> tuple[int, int]:
        """The frame of the layout in pixels."""
        return max(laid.x + laid.sheet.size[0] for laid in self.layout), max(
            laid.y + laid.sheet.size[1] for laid in self.layout
        )


@dataclass
class Box:
    """A box beside the maps."""

    id: str
    name: str
    kind: str = "box"


@dataclass
class Places:
    """Finds the place of a piece; makes boxes and points where it needs them."""

    main: Window
    windows: Mapping[str, Window]
    report: Report
    counter: float = 75
    """The side of a usual counter in pixels."""
    maps: dict[Key, MapOut] = field(default_factory=dict)
    boards: dict[str, HexBoard | None] = field(default_factory=dict)
    boxes: dict[str, Box] = field(default_factory=dict)
    decks: dict[tuple[str, int, int], str] = field(default_factory=dict)
    ids: Ids = field(default_factory=Ids)
    board_ids: Ids = field(default_factory=Ids)
    box_ids: Ids = field(default_factory=Ids)
    free: int = 0

    def map_of(self, layout: Layout) -> MapOut:
        """The map of a layout of the main window."""
        key = key_of(layout)
        if key not in self.maps:
            self.maps[key] = self._made(layout)
        return self.maps[key]

    def _made(self, layout: Layout) -> MapOut:
        hexes = {laid.sheet.name: board for laid in layout if (board := self._board(laid.sheet)) is not None}
        name = clean(" and ".join(laid.sheet.name for laid in layout[:3])) or "Map"
        made = MapOut(self.ids.of(name, "map"), name, layout, hexes)
        if not hexes:
            for laid in layout:
                seen: dict[tuple[int, int], str] = {}
                for number, place in enumerate(laid.sheet.places):
                    x, y = _turned(laid, place.x, place.y)
                    spot = round(x) // CLOSE, round(y) // CLOSE
                    if spot in seen:
                        made.of_place[laid.sheet.name, number] = seen[spot]
                        under = made.points[seen[spot]][0]
                        self.report.chose(
                            "places that lie on each other and are one point now", f"{place.name} on {under}"
                        )
                        continue
                    key = seen[spot] = made.ids.of(place.name, "point")
                    made.points[key] = clean(place.name) or key, laid.x + x, laid.y + y
                    made.of_place[laid.sheet.name, number] = key
        return made

    def _board(self, sheet: Sheet) -> HexBoard | None:
        if sheet.name not in self.boards:
            fitted = fit(sheet.hexes) if sheet.hexes is not None else None
            self.boards[sheet.name] = None
            if fitted is not None:
                key = self.board_ids.of(sheet.name, "board")
                cells = fitted.by_cell()
                self.boards[sheet.name] = HexBoard(key, sheet, fitted, cells, self._zones(sheet, fitted, cells))
                if not fitted.named:
                    self.report.chose(
                        "boards whose hexes get other names, because a pack can't say the module's", sheet.name
                    )
        return self.boards[sheet.name]

    def _zones(self, sheet: Sheet, fitted: Fitted, cells: Mapping[Cell, Hex]) -> dict[str, tuple[str, list[str]]]:
        """The zones of a board of hexes that have no places of their own, with their hexes."""
        assert sheet.hexes is not None
        own = {place.zone for place in sheet.places}
        ids, result = Ids(), {}
        for zone in sheet.zones:
            if zone.name not in own:
                held = [fitted.grid.name(hex) for cell, hex in cells.items() if zone.holds(*sheet.hexes.spot(cell))]
                if held and len(held) < len(cells):
                    result[ids.of(zone.name, "zone")] = clean(zone.name), held
        return result

    def box(self, name: str, kind: str = "box") -> Location:
        """A box by its name."""
        if name not in self.boxes:
            if len(self.boxes) >= MOST_BOXES:
                self.report.chose("places beside the map that share a box, because there are so many", name)
                name = "Other places"
            if name not in self.boxes:
                self.boxes[name] = Box(self.box_ids.of(name, "box"), name, kind)
        return {"box": self.boxes[name].id}

    def add_decks(self, window: Window) -> None:
        """The decks of a window: boxes that pieces are drawn from."""
        for deck in window.element.iter():
            if kind_of(deck) in DECKS:
                name = clean(name_of(deck)) or "Deck"
                for layout in (window.start, *window.layouts.values()):
                    if (spot := self.stack_spot(window, deck, layout)) is not None:
                        self.decks.setdefault((window.name, *spot), name)

    def stack_spot(self, window: Window, stack: Element, layout: Layout) -> tuple[int, int] | None:
        """Where a stack or deck of the module lies in its window; None where its board doesn't."""
        board = stack.get("owningBoard", "")
        laid = next((held for held in layout if not board or held.sheet.name == board), None)
        if laid is None:
            return None
        x, y = _whole(stack.get("x", "0")), _whole(stack.get("y", "0"))
        if stack.get("useGridLocation") == "true" and (told := stack.get("location", "")):
            named = next((place for place in laid.sheet.places if place.name == told), None)
            if named is not None:
                x, y = round(named.x), round(named.y)
        x, y = (round(value) for value in _turned(laid, x, y))
        return laid.x + x, laid.y + y

    def at(self, window: str, layout: Layout, x: int, y: int) -> Location:
        """The place of a point of a window whose boards lie so."""
        if (window, x, y) in self.decks:
            return self.box(self.decks[window, x, y], "pool")
        held = self.windows.get(window)
        if held is None:
            return self.box("Off the map", "off_map")
        laid = next((one for one in reversed(layout) if _on(one, x, y)), None)
        if held is not self.main:
            name = (
                laid.sheet.called(*_turned(laid, x - laid.x, y - laid.y), 2 * self.counter) if laid is not None else ""
            )
            return self.box(clean(f"{window}: {name}" if name and name != window else window))
        made = self.map_of(layout)
        if made.hexes:
            return self._on_hexes(made, laid, x, y)
        return self._on_points(made, laid, x, y)

    def _on_hexes(self, made: MapOut, laid: Laid | None, x: int, y: int) -> Location:
        if laid is None:
            return self.box("Off the map", "off_map")
        local = _turned(laid, x - laid.x, y - laid.y)
        zone = laid.sheet.zone(*local)
        board = made.hexes.get(laid.sheet.name)
        if board is None or (zone and any(place.zone == zone for place in laid.sheet.places)):
            return self.box(clean(laid.sheet.called(*local, 2 * self.counter) or laid.sheet.name))
        assert board.sheet.hexes is not None
        hex = board.cells.get(board.sheet.hexes.cell(*local))
        if hex is None:
            return self.box("Off the map", "off_map")
        name = board.fitted.grid.name(hex)
        return {"hex": f"{board.id}-{name}" if len(made.hexes) > 1 else name}

    def _on_points(self, made: MapOut, laid: Laid | None, x: int, y: int) -> Location:
        if laid is not None:
            number = laid.sheet.find(*_turned(laid, x - laid.x, y - laid.y), 1.5 * self.counter)
            if number is not None:
                return {"point": made.of_place[laid.sheet.name, number]}
        near_free = [
            key
            for key, spot in made.points.items()
            if key.startswith("spot_") and _far(spot, x, y) < (self.counter / 2) ** 2
        ]
        if near_free:
            return {"point": near_free[0]}
        if self.free >= MOST_FREE:
            return self.box("Off the map", "off_map")
        self.free += 1
        key = made.ids.of(f"spot_{self.free}")
        made.points[key] = f"Spot {self.free}", x, y
        self.report.chose(
            "places without a name where pieces stand; name these points, or move their pieces", f"{made.name} {x},{y}"
        )
        return {"point": key}


def _far(point: tuple[str, float, float], x: float, y: float) -> float:
    return (point[1] - x) ** 2 + (point[2] - y) ** 2


def _on(laid: Laid, x: int, y: int) -> bool:
    return laid.x <= x <= laid.x + laid.sheet.size[0] and laid.y <= y <= laid.y + laid.sheet.size[1]


def _turned(laid: Laid, x: float, y: float) -> tuple[float, float]:
    """A point of a board as the board lies, and back."""
    return (laid.sheet.size[0] - x, laid.sheet.size[1] - y) if laid.turned else (x, y)


def _whole(text: str) -> int:
    return int(text) if text.lstrip("-").isdecimal() and len(text) < 8 else 0


def usual(sizes: Sequence[tuple[int, int]]) -> float:
    """The side of a usual counter: the middle one of all."""
    sides = sorted(max(size) for size in sizes if all(size))
    return float(min(max(sides[len(sides) // 2], 20), 400)) if sides else 75.0
