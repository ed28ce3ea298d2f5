"""Water on the maps of the packs: every wet hex has a drawn shore, canals end in water, lakes hold their names."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import pairwise
from math import dist

import pytest

from art.geometry import Point
from art.maps.hexmap import SIDE, draw_map, hex_ids, id_size, sheet_of
from art.maps.labels import line_breaks
from art.maps.linework import hexside_courses, manner
from art.maps.water import Water, drawn_lines, water_of
from art.svg import Element
from art.text import CAPITAL
from scenarios.model.game import Game
from scenarios.model.maps import HexMap
from scenarios.pack.loading import load
from tests.art_boxes import texts

GAMES = ("musketeer", "six_day_war", "yom_kippur")


@lru_cache
def field(name: str) -> tuple[Game, HexMap]:
    game = load(name)
    hex_map = game.maps["main"]
    assert isinstance(hex_map, HexMap)
    return game, hex_map


@lru_cache
def water(name: str) -> Water:
    game, hex_map = field(name)
    sheet = sheet_of(hex_map, SIDE)
    return water_of(game, hex_map, sheet.paper, sheet.width, sheet.height)


@lru_cache
def draw_named_map(name: str) -> Element:
    return draw_map(*field(name))


def inside(point: Point, shape: list[Point]) -> bool:
    """Whether a point lies in a shape, by how often a ray leaves it."""
    x, y = point
    crossings = 0
    for (ax, ay), (bx, by) in pairwise([*shape, shape[0]]):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            crossings += 1
    return crossings % 2 == 1


@pytest.mark.parametrize("name", GAMES)
def test_every_hex_of_water_lies_in_a_drawn_shore(name: str) -> None:
    _, hex_map = field(name)
    assert not [hex_map.name(hex) for hex in water(name).wet]


@pytest.mark.parametrize("name", GAMES)
def test_canals_begin_and_end_in_water(name: str) -> None:
    game, hex_map = field(name)
    paper = sheet_of(hex_map, SIDE).paper
    lines = hexside_courses(game, hex_map, paper, water(name))
    ends = Counter(
        end
        for kind, line in lines
        if manner(kind, game.hexsides[kind], "bar") == "canal"
        for end in (line[0], line[-1])
    )
    assert ends
    for end in [end for end, times in ends.items() if times == 1]:
        shore_distance = min(dist(end, point) for shape in water(name).shapes for point in shape)
        assert shore_distance < 0.01 or any(inside(end, shape) for shape in water(name).shapes), end


def test_the_canal_between_the_bitter_lakes_runs_from_shore_to_shore() -> None:
    """Each of its three hexsides shows it, on land, and it ends in the two lakes."""
    game, hex_map = field("yom_kippur")
    paper = sheet_of(hex_map, SIDE).paper
    lines = [
        line
        for kind, line in hexside_courses(game, hex_map, paper, water("yom_kippur"))
        if kind == "suez_canal_no_bridge"
    ]
    strait = min(lines, key=len)
    for pair in ("17.20/18.19", "17.20/18.20", "17.21/18.20"):
        (ax, ay), (bx, by) = (paper.centre(hex) for hex in hex_map.hexes if hex_map.name(hex) in pair.split("/"))
        middle = ((ax + bx) / 2, (ay + by) / 2)
        assert min(dist(middle, point) for point in strait) < 0.25 * SIDE, pair
        assert not any(inside(middle, shape) for shape in water("yom_kippur").shapes)


@pytest.mark.parametrize("name", GAMES)
def test_no_line_stops_short_of_another_of_its_kind(name: str) -> None:
    """Where a canal changes its kind it runs on, and no end lies one hexside from another end: that would be a gap."""
    game, hex_map = field(name)
    paper = sheet_of(hex_map, SIDE).paper
    by_manner: dict[str, list[list[Point]]] = {}
    for kind, line in hexside_courses(game, hex_map, paper, water(name)):
        by_manner.setdefault(manner(kind, game.hexsides[kind], "bar"), []).append(line)
    for drawing_manner in ("canal", "river"):
        ends = [end for line in by_manner.get(drawing_manner, ()) for end in (line[0], line[-1])]
        for i, end in enumerate(ends):
            assert not [other_end for other_end in ends[i + 1 :] if 0.01 < dist(end, other_end) < 1.1 * SIDE], end


@pytest.mark.parametrize(
    ("name", "lake"),
    [("six_day_war", "Sea of Galilee"), ("six_day_war", "Dead Sea"), ("six_day_war", "Great Bitter Lake"),
     ("yom_kippur", "Great Bitter Lake"), ("yom_kippur", "Little Bitter Lake")],
)  # fmt: skip
def test_a_lake_that_is_wide_enough_holds_its_name(name: str, lake: str) -> None:
    _, hex_map = field(name)
    paper = sheet_of(hex_map, SIDE).paper
    shore = next(points for line, points in drawn_lines(hex_map, paper) if line.name == lake)
    rows = {row for way in line_breaks(lake) for row in way}
    names = [ink for ink in texts(draw_named_map(name)) if ink.words in rows]
    assert {word for ink in names for word in ink.words.split()} == set(lake.split())
    for ink in names:
        for corner in ((ink.left, ink.top), (ink.right, ink.top), (ink.left, ink.bottom), (ink.right, ink.bottom)):
            assert inside(corner, shore), (lake, corner)


def test_hex_ids_keep_off_the_canal() -> None:
    game, hex_map = field("yom_kippur")
    sheet = sheet_of(hex_map, SIDE)
    lines = [line for _, line in hexside_courses(game, hex_map, sheet.paper)]
    points = [
        (a[0] + (b[0] - a[0]) * k / 4, a[1] + (b[1] - a[1]) * k / 4)
        for line in lines
        for a, b in pairwise(line)
        for k in range(4)
    ]
    size = id_size(sheet)
    covered_ids = [
        ink.words
        for ink in hex_ids(game, hex_map, sheet)
        if any(abs(x - ink.x) < size * 0.8 and ink.y - size * CAPITAL < y < ink.y for x, y in points)
    ]
    assert covered_ids == []
