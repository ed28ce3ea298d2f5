"""The map windows of a module: their boards, the arrangement of the boards, and the places on them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from modgen.importing.hexes import HexGrid, Spot, format_name, read_grid
from modgen.importing.pictures import Pictures
from modgen.importing.report import Report
from modgen.vmod.files.loaded_module import Element, LoadedModule, kind_of, name_of
from scenarios.vassal.sequence import split

WINDOWS = ("Map", "PrivateMap", "PlayerHand")
GRIDS = ("HexGrid", "SquareGrid", "RegionGrid")
NAMELESS = "Map"
MOST_SQUARES = 400
"""A grid with more squares than this aligns counters; its squares aren't places."""
MOST_PLACES = 4_000


class ImportedPlace(NamedTuple):
    """A named place on a board, in pixels."""

    name: str
    x: float
    y: float
    zone: str = ""


@dataclass(frozen=True)
class ImportedZone:
    """A polygon with a name on a board."""

    name: str
    path: tuple[Spot, ...]

    def holds(self, x: float, y: float) -> bool:
        """Whether a point is inside the zone."""
        inside = False
        for (ax, ay), (bx, by) in zip(self.path, (*self.path[1:], *self.path[:1]), strict=True):
            if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
                inside = not inside
        return inside

    @property
    def middle(self) -> Spot:
        """The center of its bounding box."""
        xs, ys = [x for x, _ in self.path], [y for _, y in self.path]
        return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


@dataclass(frozen=True)
class ImportedBoard:
    """A board of the module."""

    name: str
    image: str
    size: tuple[int, int]
    hexes: HexGrid | None
    places: tuple[ImportedPlace, ...]
    zones: tuple[ImportedZone, ...]

    def find(self, x: float, y: float, reach: float) -> int | None:
        """The number of the place at a point: the nearest in the point's zone, else the nearest within reach."""
        zone = self.zone(x, y)
        candidates = self._of_zone.get(zone) if zone else None

        def distance_to(number: int) -> float:
            return (self.places[number].x - x) ** 2 + (self.places[number].y - y) ** 2

        nearest = min(candidates or range(len(self.places)), key=distance_to, default=None)
        return nearest if nearest is not None and (candidates or distance_to(nearest) <= reach**2) else None

    def zone(self, x: float, y: float) -> str:
        """The zone at a point."""
        return next((zone.name for zone in self.zones if zone.holds(x, y)), "")

    def place_name(self, x: float, y: float, reach: float) -> str:
        """The name of the place at a point; its zone if there is no place."""
        number = self.find(x, y, reach)
        return self.places[number].name if number is not None else self.zone(x, y)

    @cached_property
    def _of_zone(self) -> Mapping[str, list[int]]:
        result: dict[str, list[int]] = {}
        for number, place in enumerate(self.places):
            result.setdefault(place.zone, []).append(number)
        return result


class LaidBoard(NamedTuple):
    """A board in its position in a window."""

    sheet: ImportedBoard
    x: int
    y: int
    is_rotated: bool
    column: int
    row: int


Layout = tuple[LaidBoard, ...]
Key = tuple[tuple[str, int, int, bool], ...]


def key_of(layout: Layout) -> Key:
    """A key that layouts with the same boards in the same positions share."""
    return tuple(
        (placed_sheet.sheet.name, placed_sheet.column, placed_sheet.row, placed_sheet.is_rotated)
        for placed_sheet in layout
    )


@dataclass
class Window:
    """A map window."""

    name: str
    kind: str
    element: Element
    sheets: Mapping[str, ImportedBoard]
    start: Layout
    edge: tuple[int, int]
    layouts: dict[Key, Layout] = field(default_factory=dict)

    @cached_property
    def area(self) -> int:
        """The number of pixels of all its boards."""
        return sum(sheet.size[0] * sheet.size[1] for sheet in self.sheets.values())

    @property
    def has_hexes(self) -> bool:
        """Whether one of its boards has hexes."""
        return any(sheet.hexes is not None for sheet in self.sheets.values())

    def read_layout(self, cells: Sequence[str]) -> Layout:
        """The layout in a save: name, column, row, and so on for each board. It is empty if the module lacks a board."""
        sheet_positions: list[tuple[str, int, int, bool]] = []
        for board, column, row in zip(cells[::3], cells[1::3], cells[2::3], strict=False):
            name, *arguments = split(board, "/")
            if name in self.sheets and re.fullmatch(r"\d{1,2}", column) and re.fullmatch(r"\d{1,2}", row):
                sheet_positions.append((name, int(column), int(row), "rev" in arguments))
        return lay(self.sheets, sheet_positions, self.edge)


def lay(
    sheets: Mapping[str, ImportedBoard], sheet_positions: Sequence[tuple[str, int, int, bool]], edge: tuple[int, int]
) -> Layout:
    """Boards side by side, as the engine arranges them."""
    sizes = {(column, row): sheets[name].size for name, column, row, _ in sheet_positions}
    result = []
    for name, column, row, is_turned in sheet_positions:
        x = edge[0] + sum(sizes.get((earlier_column, row), (0, 0))[0] for earlier_column in range(column))
        y = edge[1] + sum(sizes.get((column, upper_row), (0, 0))[1] for upper_row in range(row))
        result.append(LaidBoard(sheets[name], x, y, is_turned, column, row))
    return tuple(result)


def windows(module: LoadedModule, pictures: Pictures, report: Report) -> list[Window]:
    """The map windows of a module."""
    map_windows: list[Window] = []
    for element in module.elements(*WINDOWS):
        boards: dict[str, ImportedBoard] = {}
        for board in _boards(element):
            boards.setdefault(name_of(board) or NAMELESS, _sheet(board, pictures, report))
        edge = _integer(element.get("edgeWidth", "")), _integer(element.get("edgeHeight", ""))
        window = Window(name_of(element) or NAMELESS, kind_of(element), element, boards, (), edge)
        setup = next((part.text or "" for part in element.iter() if part.tag == "setup"), "")
        window.start = window.read_layout(split(setup, "\t")[1:]) or lay(
            boards, [(name, 0, 0, False) for name in list(boards)[:1]], edge
        )
        map_windows.append(window)
    return map_windows


def _boards(window: Element) -> Iterator[Element]:
    for part in window:
        if kind_of(part) == "BoardPicker":
            yield from (board for board in part if kind_of(board) == "Board")


def main_window(candidates: Sequence[Window]) -> Window | None:
    """The window that players play on: the largest with hexes, or else the largest."""
    board_windows = [window for window in candidates if window.sheets and window.kind == "Map"]
    return max(board_windows, key=lambda window: (window.has_hexes, window.area), default=None)


def _integer(text: str) -> int:
    return int(text) if re.fullmatch(r"-?\d{1,6}", text) else 0


def _sheet(board: Element, pictures: Pictures, report: Report) -> ImportedBoard:
    name, image = name_of(board) or NAMELESS, board.get("image", "")
    places: list[ImportedPlace] = []
    zones: list[ImportedZone] = []
    grids: list[tuple[Element, str]] = []
    for grid in board:
        _grids(grid, "", grids, zones)
    for grid, zone in grids:
        if kind_of(grid) == "RegionGrid":
            places += [
                ImportedPlace(
                    name_of(region) or zone or name,
                    _integer(region.get("originx", "")),
                    _integer(region.get("originy", "")),
                    zone,
                )
                for region in grid
                if kind_of(region) == "Region"
            ][: MOST_PLACES - len(places)]
    size = pictures.size(image) if image else (_integer(board.get("width", "")), _integer(board.get("height", "")))
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
            polygon = next((candidate for candidate in zones if candidate.name == zone), None)
            squares = _squares(grid, size, polygon, zone)
            if len(squares) <= min(MOST_SQUARES, MOST_PLACES - len(places)):
                places += squares
            else:
                report.chose("square grids too fine to be places: only their zones are", f"{name} {zone}".strip())
    zone_names = {place.zone for place in places}
    places += [
        ImportedPlace(zone.name, *zone.middle, zone.name)
        for zone in zones
        if zone.name not in zone_names and hexes is None
    ]
    return ImportedBoard(name, image, size, hexes, tuple(places[:MOST_PLACES]), tuple(zones))


def _grids(part: Element, zone: str, grids: list[tuple[Element, str]], zones: list[ImportedZone]) -> None:
    """Collects the grids of a board, each with its zone, and the zones."""
    kind = kind_of(part)
    if kind in GRIDS:
        grids.append((part, zone))
    elif kind == "Zone":
        path = [pair.split(",") for pair in part.get("path", "").split(";")]
        spots = tuple((float(_integer(p[0])), float(_integer(p[1]))) for p in path if len(p) == 2)
        if len(spots) > 2:
            zones.append(ImportedZone(name_of(part) or "Zone", spots))
        for inner in part:
            _grids(inner, name_of(part), grids, zones)
    elif kind == "ZonedGrid":
        for inner in part:
            _grids(inner, "", grids, zones)


def _squares(grid: Element, size: tuple[int, int], zone: ImportedZone | None, name: str) -> list[ImportedPlace]:
    """The squares of a grid, each with the engine's name; a list of placeholders if there are far too many."""
    try:
        x0, y0, dx, dy = (float(grid.get(key, "0")) for key in ("x0", "y0", "dx", "dy"))
    except ValueError:
        return []
    if not (2 <= dx <= 100_000 and 2 <= dy <= 100_000):
        return []
    numbering = next((part for part in grid if kind_of(part) == "SquareGridNumbering"), None)
    if (size[0] / dx) * (size[1] / dy) > 100 * MOST_SQUARES:
        return [ImportedPlace(name, 0, 0)] * (MOST_SQUARES + 1)
    result = []
    for row in range(int((size[1] - y0) / dy) + 1):
        for column in range(int((size[0] - x0) / dx) + 1):
            x, y = x0 + column * dx, y0 + row * dy
            if 0 <= x <= size[0] and 0 <= y <= size[1] and (zone is None or zone.holds(x, y)):
                result.append(ImportedPlace(_square_name(numbering, column, row, name), x, y, name))
    return result


def _square_name(numbering: Element | None, column: int, row: int, zone: str) -> str:
    if numbering is None:
        return f"{zone} {column + 1}-{row + 1}".strip()
    square_name = format_name(numbering.get("locationFormat", "$gridLocation$"), numbering, column, row)
    return f"{zone} {square_name}".strip()
