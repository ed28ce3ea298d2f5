"""Water on the maps of the packs: every wet hex has a drawn shore, canals end in water, lakes hold their names."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import dist

import pytest

from art.geometry import Point
from art.hexmap import SIDE, draw_map, hex_ids, id_size, sheet_of
from art.labels import broken
from art.linework import courses, hexside_lines, manner, sides_by_kind
from art.svg import SVG, Element
from art.text import CAPITAL
from art.water import Water, drawn_lines, water_of
from scenarios.game import Game
from scenarios.loading import load
from scenarios.maps import HexMap
from tests.art_boxes import texts

GAMES = ("musketeer", "six_day_war", "yom_kippur")


@lru_cache
def field(name: str) -> tuple[Game, HexMap]:
    game = load(name)
    held = game.maps["main"]
    assert isinstance(held, HexMap)
    return game, held


@lru_cache
def water(name: str) -> Water:
    _, held = field(name)
    sheet = sheet_of(held, SIDE)
    return water_of(held, sheet.paper, sheet.width, sheet.height)


@lru_cache
def drawn(name: str) -> Element:
    return draw_map(*field(name))


def inside(point: Point, shape: list[Point]) -> bool:
    """Whether a point lies in a shape, by how often a ray leaves it."""
    x, y = point
    crossed = 0
    for (ax, ay), (bx, by) in pairwise([*shape, shape[0]]):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            crossed += 1
    return crossed % 2 == 1


@pytest.mark.parametrize("name", GAMES)
def test_every_hex_of_water_lies_in_a_drawn_shore(name: str) -> None:
    _, held = field(name)
    assert not [held.name(hex) for hex in water(name).wet]


@pytest.mark.parametrize("name", GAMES)
def test_canals_begin_and_end_in_water(name: str) -> None:
    game, held = field(name)
    paper = sheet_of(held, SIDE).paper
    by_kind = sides_by_kind(held)
    sides = [side for kind in by_kind if manner(kind, game.hexsides[kind], "bar") == "canal" for side in by_kind[kind]]
    assert sides
    for course in courses(sorted(set(sides)), paper):
        for end in (course[0], course[-1]):
            near = min(dist(end, point) for shape in water(name).shapes for point in shape)
            wet = any(inside(end, shape) for shape in water(name).shapes)
            assert wet or near < 0.5 * SIDE, end


def outlines(data: str) -> list[list[Point]]:
    """The closed or open lines of straight path data."""
    pieces = [piece.rstrip("Z") for piece in data.split("M") if piece]
    return [[(float(x), float(y)) for x, y in (pair.split() for pair in piece.split("L"))] for piece in pieces]


def test_the_canal_between_the_bitter_lakes_runs_from_shore_to_shore() -> None:
    """Solid on land alone, dashed in the water, so that each of its three hexsides still shows it."""
    game, held = field("yom_kippur")
    paper = sheet_of(held, SIDE).paper
    parts = hexside_lines(game, held, paper, water("yom_kippur"))
    (clip,) = [node for part in parts for node in part.iter(f"{{{SVG}}}clipPath")]
    land = outlines(clip[0].get("d", ""))
    (drawn,) = [part for part in parts if part.get("clip-path") == f"url(#{clip.get('id')})"]
    (dashed,) = [part for part in parts if part.get("stroke-dasharray") and part.get("stroke-width") == "0.735"]
    (solid,) = outlines(drawn[0].get("d", ""))
    shown = []
    for a, b in pairwise(solid):
        middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        dry = not any(inside(middle, shape) for shape in water("yom_kippur").shapes)
        assert (sum(inside(middle, ring) for ring in land) % 2 == 1) == dry
        shown += [middle] if dry else []
    fairway = [point for way in outlines(dashed.get("d", "")) for point in way]
    assert fairway
    assert all(any(inside(point, shape) for shape in water("yom_kippur").shapes) for point in fairway[1:])
    for pair in ("17.20/18.19", "17.20/18.20", "17.21/18.20"):
        (ax, ay), (bx, by) = (paper.centre(hex) for hex in held.hexes if held.name(hex) in pair.split("/"))
        assert min(dist(((ax + bx) / 2, (ay + by) / 2), point) for point in shown + fairway) < 0.2 * SIDE, pair


@pytest.mark.parametrize("name", ("musketeer", "six_day_war"))
def test_other_canals_stay_whole(name: str) -> None:
    game, held = field(name)
    parts = hexside_lines(game, held, sheet_of(held, SIDE).paper, water(name))
    assert not [part for part in parts if part.get("clip-path")]


@pytest.mark.parametrize(
    ("name", "lake"),
    [("six_day_war", "Sea of Galilee"), ("six_day_war", "Dead Sea"), ("six_day_war", "Great Bitter Lake"),
     ("yom_kippur", "Great Bitter Lake"), ("yom_kippur", "Little Bitter Lake")],
)  # fmt: skip
def test_a_lake_that_is_wide_enough_holds_its_name(name: str, lake: str) -> None:
    _, held = field(name)
    paper = sheet_of(held, SIDE).paper
    shore = next(points for line, points in drawn_lines(held, paper) if line.name == lake)
    rows = {row for way in broken(lake) for row in way}
    names = [ink for ink in texts(drawn(name)) if ink.words in rows]
    assert {word for ink in names for word in ink.words.split()} == set(lake.split())
    for ink in names:
        for corner in ((ink.left, ink.top), (ink.right, ink.top), (ink.left, ink.bottom), (ink.right, ink.bottom)):
            assert inside(corner, shore), (lake, corner)


def test_hex_ids_keep_off_the_canal() -> None:
    _, held = field("yom_kippur")
    sheet = sheet_of(held, SIDE)
    by_kind = sides_by_kind(held)
    lines = [line for kind in ("suez_canal", "minor_canal") for line in courses(by_kind[kind], sheet.paper)]
    points = [(a[0] + (b[0] - a[0]) * k / 4, a[1] + (b[1] - a[1]) * k / 4)
              for line in lines for a, b in pairwise(line) for k in range(4)]  # fmt: skip
    size = id_size(sheet)
    hidden = [
        ink.words
        for ink in hex_ids(held, sheet)
        if any(abs(x - ink.x) < size * 0.8 and ink.y - size * CAPITAL < y < ink.y for x, y in points)
    ]
    assert hidden == []
