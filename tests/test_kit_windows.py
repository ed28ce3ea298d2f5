"""Parts of a drawing: what a window shows is just what the whole shows there."""

from __future__ import annotations

import re

import pytest

from art import svg
from art.sheets.mapsheet import map_sheet
from modgen.kit.svg_clipping import PartIndex
from modgen.kit.tiles import Tiling, roll_strips
from modgen.render import Picture, draw
from scenarios import load
from tests.packs import TWO_WELLS


def test_a_window_shows_what_the_whole_shows_there() -> None:
    map_svg = svg.to_bytes(map_sheet(load(TWO_WELLS), "main"))
    cut = PartIndex(map_svg)
    for left, top, width, height in ((0, 0, 60, 40), (35, 50, 80, 30), (90, 20, 40, 70)):
        part = cut.through(left, top, width, height)
        view = f'viewBox="{left} {top} {width} {height}"'
        size = f'width="{width}mm" height="{height}mm"'
        window_svg = re.sub(
            rb'width="[\d.]+mm" height="[\d.]+mm" viewBox="[^"]*"', f"{size} {view}".encode(), map_svg, count=1
        )
        part_image, expected_image = draw(
            {"ours": Picture(part, 4 * width, 4 * height), "theirs": Picture(window_svg, 4 * width, 4 * height)}
        )
        assert part_image == expected_image
        assert len(part) < 0.6 * len(map_svg)  # outlines that reach into the window are whole


def test_only_tiles_with_a_space_to_play_on_are_kept() -> None:
    map_tiling = Tiling(3, 2, 100, 80, 210, 297)
    assert map_tiling.used_tiles([(10, 10), (140, 100)], 1.0) == [(0, 0), (1, 1)]
    assert map_tiling.used_tiles([(10, 10), (140, 100)], 0.5) == [(0, 0)]
    assert map_tiling.used_tiles([(95, 40)], 1.0) == [(0, 0), (1, 0)], "in the strip where two overlap"


@pytest.mark.parametrize(
    ("width", "height", "roll", "count"), [(800, 1200, 914, 1), (1200, 1400, 914, 2), (1400, 1000, 610, 2)]
)
def test_posters_are_as_wide_as_the_roll_at_most(width: float, height: float, roll: float, count: int) -> None:
    strips = roll_strips(width, height, roll)
    assert len(strips) == count
    assert all(min(strip_width, strip_height) <= roll for _, _, strip_width, strip_height in strips)
    assert max(left + strip_width for left, _, strip_width, _ in strips) == pytest.approx(width)
    assert max(top + strip_height for _, top, _, strip_height in strips) == pytest.approx(height)
    assert roll_strips(width, height, 0) == [(0.0, 0.0, width, height)]
