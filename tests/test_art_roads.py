"""Roads where they meet, and what a cover shows."""

from __future__ import annotations

from itertools import pairwise

import pytest

from art.maps.roads import arms_of, courses_of, pair_arms
from art.sheets.mapsheet import board_map
from modgen.kit.covers import regions, showpieces, view_of
from scenarios import load, shipped_games
from scenarios.model.hexes import distance, hexside
from scenarios.model.maps import HexMap


@pytest.mark.parametrize("game_id", sorted(shipped_games()))
def test_every_step_of_every_road_is_drawn_once(game_id: str) -> None:
    """However roads are joined where they meet, they go just where the pack's paths go; and none turns back on itself."""
    game = load(game_id)
    tables = [table for table in game.maps.values() if isinstance(table, HexMap)]
    for table in [*tables, *(board_map(game, key) for key in game.boards)]:
        for kind in game.paths:
            lines = [path for path in table.paths if path.kind == kind]
            arms = arms_of(lines)
            courses = courses_of(arms, {hex: pair_arms(hex, arms[hex], lines, False) for hex in arms})
            drawn_steps = [hexside(a, b) for course in courses for a, b in pairwise(course)]
            assert sorted(drawn_steps) == sorted({side for path in lines for side in path.crossings}), kind
            bends = [
                (a, hex, b) for course in courses for a, hex, b in zip(course, course[1:], course[2:], strict=False)
            ]
            assert all(distance(a, b) == 2 or len(arms[hex]) == 2 for a, hex, b in bends), (
                "a sharp turn only off junctions"
            )


def test_the_cover_shows_a_part_of_a_map_and_counters_of_both_sides() -> None:
    for game_id in shipped_games():
        game = load(game_id)
        map_regions = {key: regions(game, key) for key in [*game.maps, *([] if game.maps else game.boards)]}
        key, (left, top), scale = view_of(map_regions, 210, 166)
        assert any(
            part.left - 0.01 <= left
            and left + 210 / scale <= part.left + part.width + 0.01
            and part.top - 0.01 <= top
            and top + 166 / scale <= part.top + part.height + 0.01
            for part in map_regions[key]
        ), game_id
        showpiece_units = showpieces(game)
        assert len(set(showpiece_units)) == 6 and {game.units[unit].side for unit in showpiece_units} == {
            u.side for u in game.units.values()
        }
