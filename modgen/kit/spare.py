"""Room on a map where nobody plays, in the open sea or in an empty desert: tracks and boxes lie there, and save paper."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from art.labels import Box
from art.mapsheet import AROUND, TRACK_PAD, unplayed
from art.tracks import SPACE, Space, tens, track_height
from modgen.kit.closed import closed
from modgen.kit.tiles import Window
from scenarios.game import Game
from scenarios.maps import TrackShape

CELL = 5.0
"""How fine the map is looked at, in millimetres."""
APART = 3.0
"""The least distance between two things."""
BOXES = ((88.0, 60.0), (88.0, 50.0))
"""The sizes of boxes on a map: two rows of four counters with some air, or with little."""


class Wanted(NamedTuple):
    """A track or box that wants a place: its key, and the sizes that it may have, the best liked first."""

    key: str
    sizes: tuple[tuple[float, float], ...]


def wanted(game: Game, map_id: str, by: float) -> list[Wanted]:
    """The tracks and boxes of a map with the room they need on its drawing, the highest first."""
    field = game.maps[map_id]
    found = [Wanted(f"track/{key}", _track_sizes(track, by)) for key, track in field.tracks.items()]
    found += [Wanted(f"box/{key}", tuple((wide * by, high * by) for wide, high in BOXES)) for key in field.boxes]
    return sorted(found, key=lambda item: -item.sizes[0][0] * item.sizes[0][1])


def _track_sizes(track: TrackShape, by: float) -> tuple[tuple[float, float], ...]:
    """A track in rows of ten, or in one, two or three rows."""
    count = len(track.labels)
    rows = [tens(track)] if tens(track) else [-(-count // n) for n in (1, 2, 3) if -(-count // n) * SPACE >= 50]
    widths = [per_row * SPACE for per_row in rows]
    return tuple(
        ((wide + 2 * TRACK_PAD) * by, (track_height(track, wide, tens(track)) + 2 * TRACK_PAD) * by) for wide in widths
    )


def laid(game: Game, map_id: str, items: Sequence[Wanted], windows: Sequence[Window], scale: float) -> dict[str, Space]:
    """Where on the bare sheet of a map the items lie that find room; `windows` are the tiles that are printed anyway."""
    free = _free(game, map_id, windows, scale)
    if not free:
        return {}
    result: dict[str, Space] = {}
    for item in items:
        for wide, high in item.sizes:
            spot = _spot(free, wide, high)
            if spot is not None:
                column, row = spot
                across, down = _cells(wide), _cells(high)
                for held in free[row : row + down]:
                    held[column : column + across] = [False] * across
                x = column * CELL + (across * CELL - wide) / 2
                y = row * CELL + (down * CELL - high) / 2
                result[item.key] = Space(item.key, x, y, wide, high)
                break
    return result


def _cells(long: float) -> int:
    return int(-(-(long + APART) // CELL))


def _free(game: Game, map_id: str, windows: Sequence[Window], scale: float) -> list[list[bool]]:
    """For every cell of the bare sheet whether it is unplayed and on a tile."""
    open_ = unplayed(game, map_id, closed(game, map_id))
    boxes = [Box(x / scale, y / scale, (x + wide) / scale, (y + high) / scale) for x, y, wide, high in windows]
    right, bottom = max(box.right for box in boxes), max(box.bottom for box in boxes)
    return [
        [
            any(box.left <= x and x + CELL <= box.right and box.top <= y and y + CELL <= box.bottom for box in boxes)
            and open_(Box(x - AROUND, y - AROUND, x + CELL - AROUND, y + CELL - AROUND))
            for x in (n * CELL for n in range(int(right // CELL)))
        ]
        for y in (n * CELL for n in range(int(bottom // CELL)))
    ]


def _spot(free: Sequence[Sequence[bool]], wide: float, high: float) -> tuple[int, int] | None:
    """The first column and row at which so much is free, from the top."""
    across, down = _cells(wide), _cells(high)
    sums = [[0] * (len(free[0]) + 1)]
    for row in free:
        sums.append([a + b for a, b in zip(sums[-1], accumulate(row, initial=0), strict=True)])
    for y in range(len(free) - down + 1):
        upper, lower = sums[y], sums[y + down]
        for x in range(len(free[0]) - across + 1):
            if lower[x + across] - lower[x] - upper[x + across] + upper[x] == across * down:
                return x, y
    return None
