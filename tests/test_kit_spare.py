"""Tracks and boxes on the map: only where nobody plays, apart from each other, on tiles that are printed anyway."""

from __future__ import annotations

from itertools import combinations

import pytest

from art.maps.hexmap import SIDE, sheet_of
from art.maps.labels import Box
from art.maps.point_layout import RADIUS, point_sheet
from art.sheets.mapsheet import map_numbers, map_sheet, taken_by
from modgen.kit.closed_hexes import closed_hexes
from modgen.kit.drawings import displays_on, map_drawings
from modgen.kit.options import Options, with_pack_size
from modgen.kit.scale import map_scale
from modgen.kit.tiles import space_centres, tiling
from modgen.kit.views import GROUND, view
from scenarios import load
from scenarios.model.maps import HexMap
from tests import shared

GAMES = ["six_day_war", "musketeer", "yom_kippur", "october_war"]


@pytest.mark.parametrize("size", [0.0, 13.0, 25.0])
@pytest.mark.parametrize("name", GAMES)
def test_what_lies_on_a_map_hides_no_space_to_play_on(name: str, size: float) -> None:
    game = load(name)
    options = with_pack_size(game, Options(counter_size=size))
    ((key, field),) = game.maps.items()
    spaces = displays_on(game, view(game, GROUND), key, options, shared.DRAWN)
    boxes = taken_by(spaces)
    assert all(not a.overlap(b) for a, b in combinations(boxes, 2))
    if isinstance(field, HexMap):
        paper, shut = sheet_of(field, SIDE).paper, closed_hexes(game, key)
        for box in boxes:
            for n in range(21):
                for x, y in (
                    (box.left + (box.right - box.left) * n / 20, box.top),
                    (box.left, box.top + (box.bottom - box.top) * n / 20),
                ):
                    hex = paper.hex_at(x, y)
                    assert field.terrain.get(hex) == "sea" or hex in shut, (box, hex)
            land = [hex for hex in field.hexes if field.terrain.get(hex) != "sea" and hex not in shut]
            assert not [hex for hex in land if inside(box, *paper.centre(hex))]
    else:
        spots = point_sheet(field).points.values()
        assert all(not box.grow(RADIUS).overlap(Box.around(x, y, 0.1, 0.1)) for box in boxes for x, y in spots)
    scale = map_scale(field, options)
    width, height = (float((length or "0mm").removesuffix("mm")) for length in sheet_size(name, options))
    spots_ = space_centres(game, key)
    map_tiling = tiling(width, height, options, spots_, scale)
    windows = [map_tiling.window(*place) for place in map_tiling.used_tiles(spots_, scale)]
    for space in spaces.values():
        for x, y in ((space.x, space.y), (space.x + space.width, space.y + space.height)):
            assert any(left <= x * scale <= left + w and top <= y * scale <= top + h for left, top, w, h in windows)


def inside(box: Box, x: float, y: float) -> bool:
    return box.left < x < box.right and box.top < y < box.bottom


def sheet_size(name: str, options: Options) -> tuple[str | None, str | None]:
    game = load(name)
    (drawing,) = map_drawings(game, view(game, GROUND), options, shared.DRAWN)
    root = drawing.tiled_drawing.draw()
    return root.get("width"), root.get("height")


def test_maps_with_much_sea_save_sheets() -> None:
    for name, min_count in (("six_day_war", 12), ("musketeer", 5), ("october_war", 10)):
        game = load(name)
        options = with_pack_size(game, Options())
        assert len(displays_on(game, view(game, GROUND), "main", options, shared.DRAWN)) >= min_count, name


def test_numbers_are_drawn_apart_and_none_under_a_box() -> None:
    game = load("six_day_war")
    field = game.maps["main"]
    assert isinstance(field, HexMap)
    options = with_pack_size(game, Options())
    spaces = displays_on(game, view(game, GROUND), "main", options, shared.DRAWN)
    bare_numbers, all_numbers = map_numbers(game, "main", spaces), map_numbers(game, "main")
    assert bare_numbers is not None and all_numbers is not None

    def words(root: object) -> set[str]:
        return {str(text.text) for text in root.iter("{*}text")}  # type: ignore[attr-defined]

    assert len(words(all_numbers)) == len(field.hexes)
    assert words(bare_numbers) < words(all_numbers)
    without = words(map_sheet(game, "main", ids=False))
    assert not without & words(all_numbers)


def test_land_that_the_rules_close_to_everybody_needs_no_paper() -> None:
    """Saudi Arabia is closed (25.1), Egypt west of the canal only to Israelis (25.4)."""
    game = load("six_day_war")
    field = game.maps["main"]
    assert isinstance(field, HexMap)
    assert closed_hexes(game, "main") == field.zones["saudi_arabia"]
    assert all(not closed_hexes(load(name), "main") for name in GAMES if name != "six_day_war")
