"""Roads where they meet, and what a cover shows."""

from __future__ import annotations

from itertools import pairwise

import pytest

from art.mapsheet import board_map
from art.roads import arms_of, courses_of, paired
from modgen.kit.covers import regions, showpieces, view_of
from scenarios import load, shipped
from scenarios.hexes import distance, hexside
from scenarios.maps import HexMap


@pytest.mark.parametrize("game_id", sorted(shipped()))
def test_every_step_of_every_road_is_drawn_once(game_id: str) -> None:
    """However roads are joined where they meet, they go just where the pack's paths go; and none turns back on itself."""
    held = load(game_id)
    tables = [table for table in held.maps.values() if isinstance(table, HexMap)]
    for table in [*tables, *(board_map(held, key) for key in held.boards)]:
        for kind in held.paths:
            lines = [path for path in table.paths if path.kind == kind]
            arms = arms_of(lines)
            courses = courses_of(arms, {hex: paired(hex, arms[hex], lines, False) for hex in arms})
            drawn = [hexside(a, b) for course in courses for a, b in pairwise(course)]
            assert sorted(drawn) == sorted({side for path in lines for side in path.crossings}), kind
            bends = [
                (a, hex, b) for course in courses for a, hex, b in zip(course, course[1:], course[2:], strict=False)
            ]
            assert all(distance(a, b) == 2 or len(arms[hex]) == 2 for a, hex, b in bends), (
                "a sharp turn only off junctions"
            )


def test_the_cover_shows_a_part_of_a_map_and_counters_of_both_sides() -> None:
    for game_id in shipped():
        held = load(game_id)
        found = {key: regions(held, key) for key in [*held.maps, *([] if held.maps else held.boards)]}
        key, (left, top), scale = view_of(found, 210, 166)
        assert any(
            part.left - 0.01 <= left
            and left + 210 / scale <= part.left + part.width + 0.01
            and part.top - 0.01 <= top
            and top + 166 / scale <= part.top + part.height + 0.01
            for part in found[key]
        ), game_id
        shown = showpieces(held)
        assert len(set(shown)) == 6 and {held.units[unit].side for unit in shown} == {
            u.side for u in held.units.values()
        }
