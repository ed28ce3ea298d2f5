"""A map on pages of ordinary paper: tiles of one size that overlap, so that they can be glued."""

from __future__ import annotations

import math
from dataclasses import dataclass

from modgen.kit.options import Options, WrongOption

OVERLAP = 10.0
"""How much of a tile its neighbour covers, in millimetres."""
STRIP = 6.0
"""The room beside a tile for its marks and label."""


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
        """How many pages it takes."""
        return self.columns * self.rows


def tiling(width: float, height: float, options: Options) -> Tiling:
    """The tiling of a map with the fewest pages, upright or sideways."""
    paper = options.paper
    both = [
        _tiling(width, height, w, h, options) for w, h in ((paper.width, paper.height), (paper.height, paper.width))
    ]
    return min(both, key=lambda tiled: tiled.count)


def _tiling(width: float, height: float, page_width: float, page_height: float, options: Options) -> Tiling:
    across, down = (side - 2 * (options.margin + STRIP) for side in (page_width, page_height))
    if min(across, down) < 3 * OVERLAP:
        raise WrongOption(
            f"there is no room on {options.paper.title} for a tile of the map inside a margin of {options.margin:g} mm; "
            "choose a smaller --margin or a bigger --paper"
        )
    columns, rows = _count(width, across), _count(height, down)
    return Tiling(columns, rows, _equal(width, columns), _equal(height, rows), page_width, page_height)


def _count(whole: float, room: float) -> int:
    return 1 if whole <= room else math.ceil((whole - OVERLAP) / (room - OVERLAP))


def _equal(whole: float, count: int) -> float:
    """The side of each of `count` tiles of one size that cover the whole with their overlaps."""
    return (whole + (count - 1) * OVERLAP) / count
