"""The map windows of a module: their boards, how they lie, and which place a point of them is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from modgen.importing.hexes import HexGrid, Spot, formatted, read_grid
from modgen.importing.pictures import Pictures
from modgen.importing.report import Report
from modgen.vmod.opened import Element, Opened, kind_of, name_of
from scenarios.vassal.sequence import split

WINDOWS = ("Map", "PrivateMap", "PlayerHand")
GRIDS = ("HexGrid", "SquareGrid", "RegionGrid")
NAMELESS = "Map"
MOST_SQUARES = 400
"""A grid of more squares than these is there to put counters straight, not to count by."""
MOST_PLACES = 4_000


class Place(NamedTuple):
    """A named place on a board, in pixels."""

    name: str
    x: float
    y: float
    zone: str = ""


@dataclass(frozen=True)
class Zone:
    """A polygon of a board with a name."""

    name: str
    path: tuple[Spot, ...]

    def holds(self, x: float, y: float) -> bool:
        """Whether a point lies in it."""
        inside = False
        for (ax, ay), (bx, by) in zip(self.path, (*self.path[1:], *self.path[:1]), strict=True):
            if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
                inside = not inside
        return inside

    @property
    def middle(self) -> Spot:
        """The middle of its frame."""
        xs, ys = [x for x, _ in self.path], [y for _, y in self.path]
        return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


@dataclass(frozen=True)
class Sheet:
    """A board of the module."""

    name: str
    image: str
    size: tuple[int, int]
    hexes: HexGrid | None
    places: tuple[Place, ...]
    zones: tuple[Zone, ...]

    def find(self, x: float, y: float, reach: float) -> int | None:
        """The place of a point, by its number: the nearest of the zone that it lies in, else the nearest within reach."""
        zone = self.zone(x, y)
        listed = self._of_zone.get(zone) if zone else None

        def far(number: int) -> float:
            return (self.places[number].x - x) ** 2 + (self.places[number].y - y) ** 2

        near = min(listed or range(len(self.places)), key=far, default=None)
        return near if near is not None and (listed or far(near) <= reach**2) else None

    def zone(self, x: float, y: float) -> str:
        """The zone of a point."""
        return next((zone.name for zone in self.zones if zone.holds(x, y)), "")

    def called(self, x: float, y: float, reach: float) -> str:
        """What the place of a point is called; its zone where it is in none."""
        number = self.find(x, y, reach)
        return self.places[number].name if number is not None else self.zone(x, y)

    @cached_property
    def _of_zone(self) -> Mapping[str, list[int]]:
        result: dict[str, list[int]] = {}
        for number, place in enumerate(self.places):
            result.setdefault(place.zone, []).append(number)
        return result


class Laid(NamedTuple):
    """A board where it lies in its window."""

    sheet: Sheet
    x: int
    y: int
    turned: bool
    column: int
    row: int


Layout = tuple[Laid, ...]
Key = tuple[tuple[str, int, int, bool], ...]


def key_of(layout: Layout) -> Key:
    """The same for layouts with the same boards in the same places."""
    return tuple((laid.sheet.name, laid.column, laid.row, laid.turned) for laid in layout)


@dataclass
class Window:
    """A map window."""

    name: str
    kind: str
    element: Element
    sheets: Mapping[str, Sheet]
    start: Layout
    edge: tuple[int, int]
    layouts: dict[Key, Layout] = field(default_factory=dict)

    @cached_property
    def area(self) -> int:
        """How many pixels its boards have together."""
        return sum(sheet.size[0] * sheet.size[1] for sheet in self.sheets.values())

    @property
    def has_hexes(self) -> bool:
        """Whether one of its boards is of hexes."""
        return any(sheet.hexes is not None for sheet in self.sheets.values())

    def laid(self, cells: Sequence[str]) -> Layout:
        """Boards as a save lays them: name, column, row, and so on. Nothing of boards that the module doesn't have."""
        told: list[tuple[str, int, int, bool]] = []
        for board, column, row in zip(cells[::3], cells[1::3], cells[2::3], strict=False):
            name, *rest = split(board, "/")
            if name in self.sheets and re.fullmatch(r"\d{1,2}", column) and re.fullmatch(r"\d{1,2}", row):
                told.append((name, int(column), int(row), "rev" in rest))
        return lay(self.sheets, told, self.edge)


def lay(sheets: Mapping[str, Sheet], told: Sequence[tuple[str, int, int, bool]], edge: tuple[int, int]) -> Layout:
    """Boards side by side, as the engine lays them."""
    sizes = {(column, row): sheets[name].size for name, column, row, _ in told}
    result = []
    for name, column, row, turned in told:
        x = edge[0] + sum(sizes.get((before, row), (0, 0))[0] for before in range(column))
        y = edge[1] + sum(sizes.get((column, above), (0, 0))[1] for above in range(row))
        result.append(Laid(sheets[name], x, y, turned, column, row))
    return tuple(result)


def windows(module: Opened, pictures: Pictures, report: Report) -> list[Window]:
    """The map windows of a module."""
    found: list[Window] = []
    for element in module.all(*WINDOWS):
        boards: dict[str, Sheet] = {}
        for board in _boards(element):
            boards.setdefault(name_of(board) or NAMELESS, _sheet(board, pictures, report))
        edge = _whole(element.get("edgeWidth", "")), _whole(element.get("edgeHeight", ""))
        window = Window(name_of(element) or NAMELESS, kind_of(element), element, boards, (), edge)
        setup = next((part.text or "" for part in element.iter() if part.tag == "setup"), "")
        window.start = window.laid(split(setup, "\t")[1:]) or lay(
            boards, [(name, 0, 0, False) for name in list(boards)[:1]], edge
        )
        found.append(window)
    return found


def _boards(window: Element) -> Iterator[Element]:
    for part in window:
        if kind_of(part) == "BoardPicker":
            yield from (board for board in part if kind_of(board) == "Board")


def main_window(found: Sequence[Window]) -> Window | None:
    """The window that is played on: the largest with hexes, or the largest of all."""
    shown = [window for window in found if window.sheets and window.kind == "Map"]
    return max(shown, key=lambda window: (window.has_hexes, window.area), default=None)


def _whole(text: str) -> int:
    return int(text) if re.fullmatch(r"-?\d{1,6}", text) else 0


def _sheet(board: Element, pictures: Pictures, report: Report) -> Sheet:
    name, image = name_of(board) or NAMELESS, board.get("image", "")
    places: list[Place] = []
    zones: list[Zone] = []
    grids: list[tuple[Element, str]] = []
    for grid in board:
        _grids(grid, "", grids, zones)
    for grid, zone in grids:
        if kind_of(grid) == "RegionGrid":
            places += [
                Place(
                    name_of(region) or zone or name,
                    _whole(region.get("originx", "")),
                    _whole(region.get("originy", "")),
                    zone,
                )
                for region in grid
                if kind_of(region) == "Region"
            ][: MOST_PLACES - len(places)]
    size = pictures.size(image) if image else (_whole(board.get("width", "")), _whole(board.get("height", "")))
    if not all(size):
        spots = [(p.x, p.y) for p in places] + [spot for zone in zones for spot in zone.path]
        size = int(max([400, *(x + 50 for x, _ in spots)])), int(max([300, *(y + 50 for _, y in spots)]))
    hexes = next(
        (read for grid, _ in grids if kind_of(grid) == "HexGrid" and (read := read_grid(grid, size)) is not None), None
    )
    if sum(kind_of(grid) == "HexGrid" for grid, _ in grids) > 1:
        report.left_out("second grids of hexes on one board", name)
    for grid, zone in grids:
        if kind_of(grid) == "SquareGrid":
            polygon = next((held for held in zones if held.name == zone), None)
            squares = _squares(grid, size, polygon, zone)
            if len(squares) <= min(MOST_SQUARES, MOST_PLACES - len(places)):
                places += squares
            else:
                report.chose("square grids too fine to be places: only their zones are", f"{name} {zone}".strip())
    known = {place.zone for place in places}
    places += [Place(zone.name, *zone.middle, zone.name) for zone in zones if zone.name not in known and hexes is None]
    return Sheet(name, image, size, hexes, tuple(places[:MOST_PLACES]), tuple(zones))


def _grids(part: Element, zone: str, grids: list[tuple[Element, str]], zones: list[Zone]) -> None:
    """The grids of a board with the zone that each is for, and its zones."""
    kind = kind_of(part)
    if kind in GRIDS:
        grids.append((part, zone))
    elif kind == "Zone":
        path = [pair.split(",") for pair in part.get("path", "").split(";")]
        spots = tuple((float(_whole(p[0])), float(_whole(p[1]))) for p in path if len(p) == 2)
        if len(spots) > 2:
            zones.append(Zone(name_of(part) or "Zone", spots))
        for inner in part:
            _grids(inner, name_of(part), grids, zones)
    elif kind == "ZonedGrid":
        for inner in part:
            _grids(inner, "", grids, zones)


def _squares(grid: Element, size: tuple[int, int], zone: Zone | None, name: str) -> list[Place]:
    """The squares of a grid, each with the name that the engine gives it; cut off where there are too many."""
    try:
        x0, y0, dx, dy = (float(grid.get(key, "0")) for key in ("x0", "y0", "dx", "dy"))
    except ValueError:
        return []
    if not (2 <= dx <= 100_000 and 2 <= dy <= 100_000):
        return []
    numbering = next((part for part in grid if kind_of(part) == "SquareGridNumbering"), None)
    if (size[0] / dx) * (size[1] / dy) > 100 * MOST_SQUARES:
        return [Place(name, 0, 0)] * (MOST_SQUARES + 1)
    result = []
    for row in range(int((size[1] - y0) / dy) + 1):
        for column in range(int((size[0] - x0) / dx) + 1):
            x, y = x0 + column * dx, y0 + row * dy
            if 0 <= x <= size[0] and 0 <= y <= size[1] and (zone is None or zone.holds(x, y)):
                result.append(Place(_square_name(numbering, column, row, name), x, y, name))
    return result


def _square_name(numbering: Element | None, column: int, row: int, zone: str) -> str:
    if numbering is None:
        return f"{zone} {column + 1}-{row + 1}".strip()
    named = formatted(numbering.get("locationFormat", "$gridLocation$"), numbering, column, row)
    return f"{zone} {named}".strip()
