"""Pixels of boards: hexes and points found again where they are put, seams shared, edges inside."""

from __future__ import annotations

from typing import Literal

import pytest

from modgen.vmod.check.java_expressions import parse, value
from scenarios import load, shipped_games
from scenarios.model.grids import Grid, Numbering
from scenarios.model.maps import HexMap
from scenarios.model.points import PointMap
from scenarios.vassal.geometry import BoardSheet, PointSheet, location_name, pixels
from scenarios.vassal.windows import PAGE, box_sheets, map_of, setup_sheets


@pytest.mark.parametrize("game_id", shipped_games())
def test_hexes_are_found_where_they_are_put(game_id: str) -> None:
    game = load(game_id)
    map_ids = set()
    for table in game.scenario_maps.values():
        if table.id in map_ids:
            continue
        map_ids.add(table.id)
        if isinstance(table, HexMap):
            sheet = BoardSheet(table)
            width, height = sheet.size
            spots = {hex: sheet.centre(hex) for hex in table.hexes}
            assert len(set(spots.values())) == len(spots)
            assert all(0 <= x < width and 0 <= y < height for x, y in spots.values())
            assert all(sheet.hex_at(*spots[hex]) == hex for hex in table.hexes[::23])
        elif isinstance(table, PointMap):
            points = PointSheet(table)
            assert all(points.point_at(*spot) == key for key, spot in points.points.items())


@pytest.mark.parametrize("game_id", shipped_games())
def test_trays_do_not_overlap(game_id: str) -> None:
    game = load(game_id)
    sheets = [sheet for key in game.scenarios for sheet in setup_sheets(game, key)]
    for sheet in (*sheets, *box_sheets(game, map_of(game))):
        assert sheet.width <= PAGE[0] and sheet.height <= PAGE[1]
        assert len({tray.name for tray in sheet.trays}) == len(sheet.trays)
        for tray in sheet.trays:
            assert tray.x + tray.width <= sheet.width and tray.y + tray.height <= sheet.height
            assert all(sheet.tray_at(x, y) is tray for x, y in tray.cells)


def test_nothing_is_rounded() -> None:
    for game_id in shipped_games():
        for board in load(game_id).boards.values():
            grid = pixels(board.grid)
            assert grid.height % 2 == 0
            assert abs(grid.lane / grid.height - 0.75**0.5) < 0.005


def test_a_location_is_one_expression() -> None:
    board = next(iter(load("yom_kippur").boards.values()))
    text = location_name(board.grid, "")
    assert text.startswith("{") and text.endswith("}")
    assert text.count("(") == text.count(")")


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
@pytest.mark.parametrize(
    "numbering",
    [
        Numbering("x.y", start=(10, 5), digits=1, rows_from="bottom"),
        Numbering("x.y", first="row", digits=1, columns_from="right"),
        Numbering("xxyy", digits=3, start=(95, 0)),
        Numbering("letters", rows_from="bottom"),
    ],
)
def test_the_engine_names_every_hex_of_any_numbering(
    orientation: Literal["flat", "pointy"], numbering: Numbering
) -> None:
    grid = Grid(orientation, 57, 12, "odd", "both", numbering=numbering)
    expression = parse(location_name(grid, "").removeprefix("{").removesuffix("}"))
    for hex in grid.hexes:
        lane, lane_position = (hex.q, hex.r) if orientation == "flat" else (hex.r, hex.q)
        assert value(expression, {"column": lane, "row": lane_position + lane // 2}) == grid.name(hex)
