"""Parts of a drawing: what a window shows is just what the whole shows there."""

from __future__ import annotations

import re

import pytest

from art import svg
from art.mapsheet import map_sheet
from modgen.kit.tiles import Tiling, roll_strips
from modgen.kit.windows import Windows
from modgen.render import Picture, draw
from scenarios import load
from tests.packs import TWO_WELLS


def test_a_window_shows_what_the_whole_shows_there() -> None:
    whole = svg.to_bytes(map_sheet(load(TWO_WELLS), "main"))
    cut = Windows(whole)
    for left, top, wide, high in ((0, 0, 60, 40), (35, 50, 80, 30), (90, 20, 40, 70)):
        part = cut.through(left, top, wide, high)
        view = f'viewBox="{left} {top} {wide} {high}"'
        size = f'width="{wide}mm" height="{high}mm"'
        seen = re.sub(rb'width="[\d.]+mm" height="[\d.]+mm" viewBox="[^"]*"', f"{size} {view}".encode(), whole, count=1)
        ours, theirs = draw({"ours": Picture(part, 4 * wide, 4 * high), "theirs": Picture(seen, 4 * wide, 4 * high)})
        assert ours == theirs
        assert len(part) < 0.6 * len(whole)  # outlines that reach into the window are whole


def test_only_tiles_with_a_space_to_play_on_are_kept() -> None:
    tiled = Tiling(3, 2, 100, 80, 210, 297)
    assert tiled.kept([(10, 10), (140, 100)], 1.0) == [(0, 0), (1, 1)]
    assert tiled.kept([(10, 10), (140, 100)], 0.5) == [(0, 0)]
    assert tiled.kept([(95, 40)], 1.0) == [(0, 0), (1, 0)], "in the strip where two overlap"


@pytest.mark.parametrize(
    ("width", "height", "roll", "count"), [(800, 1200, 914, 1), (1200, 1400, 914, 2), (1400, 1000, 610, 2)]
)
def test_posters_are_as_wide_as_the_roll_at_most(width: float, height: float, roll: float, count: int) -> None:
    strips = roll_strips(width, height, roll)
    assert len(strips) == count
    assert all(min(wide, high) <= roll for _, _, wide, high in strips)
    assert max(left + wide for left, _, wide, _ in strips) == pytest.approx(width)
    assert max(top + high for _, top, _, high in strips) == pytest.approx(height)
    assert roll_strips(width, height, 0) == [(0.0, 0.0, width, height)]
