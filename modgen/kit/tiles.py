"""A map on pages of ordinary paper: tiles of one size that overlap, so that they can be glued."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from art.geometry import Point
from art.maps.hexmap import sheet_of
from art.maps.point_layout import point_sheet
from art.maps.water import water_kinds
from art.sheets.mapsheet import SHEET_MARGIN, board_map
from modgen.kit.closed_hexes import closed_hexes
from modgen.kit.options import Options
from modgen.kit.paper import WrongOption
from scenarios.model.game import Game
from scenarios.model.maps import HexMap

Window = tuple[float, float, float, float]
"""A part of a drawing: left, top, width and height."""

OVERLAP = 8.0
"""The width of a tile that its neighbor covers, in millimeters."""
STRIP = 6.0
"""The space above and below a tile for its marks, its name and the ruler."""
SIDE_STRIP = 3.8
"""The space to the left and right of a tile for its marks."""


@dataclass(frozen=True)
class Tiling:
    """A map cut into columns and rows of tiles, each of this width and height, on pages of this size."""

    columns: int
    rows: int
    width: float
    height: float
    page_width: float
    page_height: float

    @property
    def count(self) -> int:
        """The number of pages."""
        return self.columns * self.rows

    def window(self, column: int, row: int) -> Window:
        """The part of the map on a tile: left, top, width, height."""
        return column * (self.width - OVERLAP), row * (self.height - OVERLAP), self.width, self.height

    def used_tiles(self, spots: Sequence[Point], scale: float) -> list[tuple[int, int]]:
        """The tiles with a space to play on, by column and row. `spots` are the centers of all spaces in the drawing."""
        tile_places: set[tuple[int, int]] = set()
        for x, y in spots:
            for column in _tiles_around(x * scale, self.width, self.columns):
                tile_places.update((row, column) for row in _tiles_around(y * scale, self.height, self.rows))
        return [(column, row) for row, column in sorted(tile_places)]


def _tiles_around(position: float, side: float, count: int) -> list[int]:
    """The tiles that contain a position, of `count` overlapping tiles along one side."""
    step = side - OVERLAP
    last = math.floor(position / step)
    candidates = range(max(0, last - math.ceil(side / step) - 1), min(count, last + 2))
    return [n for n in candidates if n * step <= position <= n * step + side]


def space_centres(game: Game, key: str) -> list[Point]:
    """The centers of the spaces of a map or board in its bare drawing: of its points, or of all hexes.

    Open water and hexes that are closed to all units don't count.
    """
    field = board_map(game, key) if key not in game.maps else game.maps[key]
    frame_width = SHEET_MARGIN if key in game.maps else 0.0
    if isinstance(field, HexMap):
        paper = sheet_of(field).paper
        kinds = water_kinds(game)
        wet = [hex for hex, kind in field.terrain.items() if kind in kinds]
        path_hexes = {hex for side in field.path_sides for hex in side}
        dry = (
            set(field.hexes) - (set(wet) - path_hexes) - closed_hexes(game, key)
            if key in game.maps
            else set(field.hexes)
        )
        middles = [paper.centre(hex) for hex in sorted(dry)]
    else:
        middles = list(point_sheet(field).points.values())
    return [(frame_width + x, frame_width + y) for x, y in middles]


def roll_strips(width: float, height: float, roll: float) -> list[Window]:
    """A poster in strips along its longer side that fit the width of a roll of paper; one strip if it needs no cut."""
    if not roll or min(width, height) <= roll:
        return [(0.0, 0.0, width, height)]
    upright = height >= width
    count = _count(min(width, height), roll)
    strip_width = _equal(min(width, height), count)
    starts = [n * (strip_width - OVERLAP) for n in range(count)]
    return [(start, 0.0, strip_width, height) if upright else (0.0, start, width, strip_width) for start in starts]


def tiling(
    width: float, height: float, options: Options, spots: Sequence[Point] | None = None, scale: float = 1.0
) -> Tiling:
    """The tiling of a map with the fewest pages, upright or sideways. If `spots` are known, only pages with a space to play on count."""
    paper = options.paper
    pages = ((paper.width, paper.height), (paper.height, paper.width))
    candidates = [
        candidate
        for page_width, page_height in pages
        for candidate in _tilings(width, height, page_width, page_height, options)
    ]
    if spots is None:
        return min(candidates, key=lambda candidate: candidate.count)
    return min(candidates, key=lambda candidate: (len(candidate.used_tiles(spots, scale)), candidate.count))


def _tilings(width: float, height: float, page_width: float, page_height: float, options: Options) -> list[Tiling]:
    """The fewest columns and rows that fit pages of this size, and one more of each, because then more tiles may be empty."""
    max_width, max_height = page_width - 2 * (options.margin + SIDE_STRIP), page_height - 2 * (options.margin + STRIP)
    if min(max_width, max_height) < 3 * OVERLAP:
        raise WrongOption(
            f"there is no room on {options.paper.title} for a tile of the map inside a margin of {options.margin:g} mm; "
            "choose a smaller --margin or a bigger --paper"
        )
    return [
        Tiling(columns, rows, _equal(width, columns), _equal(height, rows), page_width, page_height)
        for columns in range(_count(width, max_width), _count(width, max_width) + 2)
        for rows in range(_count(height, max_height), _count(height, max_height) + 2)
    ]


def _count(length: float, room: float) -> int:
    return 1 if length <= room else math.ceil((length - OVERLAP) / (room - OVERLAP))


def _equal(length: float, count: int) -> float:
    """The side of each of `count` equal tiles that cover the whole with their overlaps."""
    return (length + (count - 1) * OVERLAP) / count
