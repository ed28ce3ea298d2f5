"""Unplayed space on a map, such as open sea or empty desert. Tracks and boxes are printed there to save paper."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from art.maps.labels import Box
from art.sheets.mapsheet import SHEET_MARGIN, TRACK_PAD, unplayed_test
from art.sheets.tracks import SPACE, Space, tens, track_height
from modgen.kit.closed_hexes import closed_hexes
from modgen.kit.tiles import Window
from scenarios.model.game import Game
from scenarios.model.maps import TrackShape

CELL = 5.0
"""The size of the cells in which the search divides the map, in millimeters."""
GAP = 3.0
"""The smallest distance between two items."""
BOXES = ((88.0, 60.0), (88.0, 50.0))
"""The sizes of boxes on a map: two rows of four counters with more or less space around them."""


class WantedSpace(NamedTuple):
    """A track or box that needs a place: its key, and its possible sizes, the best first."""

    key: str
    sizes: tuple[tuple[float, float], ...]


def wanted_spaces(game: Game, map_id: str, scale: float) -> list[WantedSpace]:
    """The tracks and boxes of a map with their sizes on its drawing, the highest first."""
    field = game.maps[map_id]
    displays = [WantedSpace(f"track/{key}", _track_sizes(track, scale)) for key, track in field.tracks.items()]
    displays += [
        WantedSpace(f"box/{key}", tuple((width * scale, height * scale) for width, height in BOXES))
        for key in field.boxes
    ]
    return sorted(displays, key=lambda item: -item.sizes[0][0] * item.sizes[0][1])


def _track_sizes(track: TrackShape, scale: float) -> tuple[tuple[float, float], ...]:
    """The sizes of a track in rows of ten, or in one, two or three rows."""
    count = len(track.labels)
    rows = [tens(track)] if tens(track) else [-(-count // n) for n in (1, 2, 3) if -(-count // n) * SPACE >= 50]
    widths = [per_row * SPACE for per_row in rows]
    return tuple(
        ((width + 2 * TRACK_PAD) * scale, (track_height(track, width, tens(track)) + 2 * TRACK_PAD) * scale)
        for width in widths
    )


def assign_spaces(
    game: Game, map_id: str, items: Sequence[WantedSpace], windows: Sequence[Window], scale: float
) -> dict[str, Space]:
    """The positions on the bare sheet of a map of the items that fit. `windows` are the tiles that are printed anyway."""
    free = _free(game, map_id, windows, scale)
    if not free:
        return {}
    result: dict[str, Space] = {}
    for item in items:
        for width, height in item.sizes:
            spot = _spot(free, width, height)
            if spot is not None:
                column, row = spot
                column_count, row_count = _cells(width), _cells(height)
                for free_row in free[row : row + row_count]:
                    free_row[column : column + column_count] = [False] * column_count
                x = column * CELL + (column_count * CELL - width) / 2
                y = row * CELL + (row_count * CELL - height) / 2
                result[item.key] = Space(item.key, x, y, width, height)
                break
    return result


def _cells(long: float) -> int:
    return int(-(-(long + GAP) // CELL))


def _free(game: Game, map_id: str, windows: Sequence[Window], scale: float) -> list[list[bool]]:
    """For every cell of the bare sheet, whether it is unplayed and on a tile."""
    open_ = unplayed_test(game, map_id, closed_hexes(game, map_id))
    boxes = [Box(x / scale, y / scale, (x + width) / scale, (y + height) / scale) for x, y, width, height in windows]
    right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
    return [
        [
            any(box.left <= x and x + CELL <= box.right and box.top <= y and y + CELL <= box.bottom for box in boxes)
            and open_(Box(x - SHEET_MARGIN, y - SHEET_MARGIN, x + CELL - SHEET_MARGIN, y + CELL - SHEET_MARGIN))
            for x in (n * CELL for n in range(int(right // CELL)))
        ]
        for y in (n * CELL for n in range(int(bottom // CELL)))
    ]


def _spot(free: Sequence[Sequence[bool]], width: float, height: float) -> tuple[int, int] | None:
    """The first column and row, from the top, at which an area of this size is free."""
    column_count, row_count = _cells(width), _cells(height)
    sums = [[0] * (len(free[0]) + 1)]
    for row in free:
        sums.append([a + b for a, b in zip(sums[-1], accumulate(row, initial=0), strict=True)])
    for y in range(len(free) - row_count + 1):
        upper, lower = sums[y], sums[y + row_count]
        for x in range(len(free[0]) - column_count + 1):
            if lower[x + column_count] - lower[x] - upper[x + column_count] + upper[x] == column_count * row_count:
                return x, y
    return None
