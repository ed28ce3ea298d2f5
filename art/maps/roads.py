"""Roads and tracks through hexes, and the bridges that they cross.

Where roads meet, one of them continues smoothly and the others join it. The order of the roads in the pack makes no difference.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

from art import svg
from art.geometry import Paper, Point, passing, path_of, through
from art.maps.linework import INK, ROUND, manner, path_manner, stroke
from art.svg import Element
from scenarios.model.boards import BoardPath
from scenarios.model.game import Game
from scenarios.model.hexes import Hex, Hexside, direction, ends, hexside, neighbours
from scenarios.model.maps import HexMap

Arms = dict[Hex, list[Hex]]
Pairs = dict[Hex, tuple[tuple[Hex, Hex], ...]]
DOTS = ("site", "place", "junction", "crossroads", "base", "well")
"""Places with a dot in the middle of their hex. All roads to such a place end at the dot."""


class Course(NamedTuple):
    """A road from end to end: its kind, the centers of its hexes, and its two end points."""

    kind: str
    centres: list[Point]
    first: Point
    last: Point


def roads(game: Game, table: HexMap, paper: Paper) -> list[Element]:
    """Paths through the hexes. All casings are drawn first, so that crossings look joined."""
    data: dict[str, str] = {}
    for kind, centres, first, last in road_courses(game, table, paper):
        data[kind] = data.get(kind, "") + through(centres, first, last)
    parts: list[Element] = []
    for kind, text in data.items():
        parts += stroke(text, game.paths[kind].color, path_manner(kind, game.paths[kind]), paper.side)
    return parts


def road_courses(game: Game, table: HexMap, paper: Paper) -> list[Course]:
    """Every drawn road, track and border through hexes. Roads come last; of two kinds of road the rarer lies on top."""
    dots = {hex for place in table.places.values() if place.kind in DOTS for hex in place.hexes}
    kind_courses = []
    meet: dict[Hex, Point] = {}
    steps = Counter(dict.fromkeys(game.paths, 0))
    for path in table.paths:
        steps[path.kind] += max(0, len(path.hexes) - 1)
    manners = {kind: path_manner(kind, game.paths[kind]) for kind in game.paths}
    for kind in sorted(game.paths, key=lambda kind: (manners[kind] == "road", -steps[kind], kind)):
        lines = [path for path in table.paths if path.kind == kind and path.hexes]
        arms = arms_of(lines)
        pairs = {hex: pair_arms(hex, arms[hex], lines, hex in dots) for hex in arms}
        for course in courses_of(arms, pairs):
            meet |= dict(zip(course[1:-1], passing([paper.centre(hex) for hex in course]), strict=True))
            kind_courses.append((kind, course))
    arms, entries = arms_of([path for path in table.paths if path.hexes]), _entries(table)
    return [Course(kind, *_route_course(table, paper, course, arms, meet, entries)) for kind, course in kind_courses]


def arms_of(lines: Sequence[BoardPath]) -> Arms:
    """The adjacent hexes that each hex is connected to."""
    arms: Arms = {}
    for path in lines:
        for a, b in pairwise(path.hexes):
            for origin, target in ((a, b), (b, a)):
                if target not in arms.setdefault(origin, []):
                    arms[origin].append(target)
    return arms


def pair_arms(hex: Hex, arms: Sequence[Hex], lines: Sequence[BoardPath], dot: bool) -> tuple[tuple[Hex, Hex], ...]:
    """The roads of a hex that continue into each other: the straight ones, else the pair with the smallest bend."""
    if len(arms) == 2:
        return ((arms[0], arms[1]),)
    turns = {pair: _bend(hex, *pair) for pair in combinations(arms, 2)}
    straight = tuple(pair for pair, bend in turns.items() if bend == 0)
    if straight or dot:
        return straight
    straight_steps = {frozenset(step) for path in lines for step in zip(path.hexes, path.hexes[2:], strict=False)}
    gentle = [pair for pair, bend in turns.items() if bend == 1]
    return tuple(sorted(gentle, key=lambda pair: frozenset(pair) not in straight_steps)[:1])


def _bend(hex: Hex, a: Hex, b: Hex) -> int:
    """The bend of a path from a through a hex to b, in sixths of a turn."""
    turn = abs(direction(hex, a) - direction(hex, b)) % 6
    return 3 - min(turn, 6 - turn)


def courses_of(arms: Arms, pairs: Pairs) -> list[list[Hex]]:
    """The roads from end to end. Every step of a road is in exactly one of them."""
    onward = {(came, hex): went for hex in pairs for a, b in pairs[hex] for came, went in ((a, b), (b, a))}
    steps = [(a, b) for a in arms for b in arms[a]]
    begins = [step for step in steps if (step[1], step[0]) not in onward]
    used: set[Hexside] = set()
    courses = []
    for step in [*begins, *steps]:
        course = [step[0]]
        next_hex: Hex | None = step[1]
        while next_hex is not None and hexside(course[-1], next_hex) not in used:
            used.add(hexside(course[-1], next_hex))
            course.append(next_hex)
            next_hex = onward.get((course[-2], next_hex))
        if len(course) > 1:
            courses.append(course)
    return courses


def _entries(table: HexMap) -> frozenset[Hex]:
    """The entry hexes, where roads leave the map."""
    zones = {
        key for placement in table.placed for key, zone in placement.board.shape.zones.items() if zone.kind == "entry"
    }
    return frozenset(hex for key in zones for hex in table.zones.get(key, ()))


def _route_course(
    table: HexMap, paper: Paper, course: Sequence[Hex], arms: Arms, meet: Mapping[Hex, Point], entries: frozenset[Hex]
) -> tuple[list[Point], Point, Point]:
    """The centers of a course and its two ends. An end lies on the road that it joins, or continues to the edge of the map."""
    points = [paper.centre(hex) for hex in course]
    tips = [points[0], points[-1]]
    for end, inner in ((0, 1), (-1, -2)):
        tip, previous = course[end], course[inner]
        if tip in meet:
            tips[end] = meet[tip]
        off_map = [adjacent for adjacent in neighbours(tip) if adjacent not in table]
        if len(arms[tip]) > 1 or not off_map:
            continue
        onward = tip.plus(tip.minus(previous))
        if onward in table or any(previous in neighbours(adjacent) for adjacent in off_map):
            if tip not in entries:
                continue  # it turns away from the edge, or runs along it
            onward = min(off_map, key=lambda candidate: (_bend(tip, previous, candidate), candidate))
        points.insert(0 if end == 0 else len(points), paper.centre(onward))
        tips[end] = paper.centre(onward)
    return points, tips[0], tips[-1]


def bridge_sides(game: Game, table: HexMap) -> list[Hexside]:
    """The hexsides with a bridge: every crossing of a road or track with a river or canal."""
    bridge_places = {
        hexside(*place.hexes) for place in table.places.values() if place.kind == "bridge" and len(place.hexes) == 2
    }
    result = []
    for side in sorted({*table.path_sides, *bridge_places}):
        lies = {manner(kind, game.hexsides[kind], "bar") for kind in table.hexsides.get(side, ())}
        goes = {path_manner(kind, game.paths[kind]) for kind in table.path_sides.get(side, ())}
        if side in bridge_places or (lies & {"river", "canal"} and goes & {"road", "track"}):
            result.append(side)
    return result


def bridges(game: Game, table: HexMap, paper: Paper) -> list[Element]:
    """The bridges of a map."""
    data = ""
    for side in bridge_sides(game, table):
        canal = any(manner(kind, game.hexsides[kind], "bar") == "canal" for kind in table.hexsides.get(side, ()))
        data += _bridge(paper, side, 0.26 if canal else 0.19)
    return (
        [
            svg.path(data, stroke="#f7f1de", stroke_width=paper.side * 0.11, **ROUND),
            svg.path(data, stroke=INK, stroke_width=paper.side * 0.055, **ROUND),
        ]
        if data
        else []
    )


def _bridge(paper: Paper, side: Hexside, half_length: float) -> str:
    """Two parapets across a hexside, with their ends bent outward."""
    (ax, ay), (bx, by) = (paper.corner(corner) for corner in ends(side))
    x, y = (ax + bx) / 2, (ay + by) / 2
    long = math.dist((ax, ay), (bx, by))
    ux, uy = (bx - ax) / long, (by - ay) / long
    s = paper.side
    lines = ""
    for side_sign in (-1, 1):
        points = [
            (side_sign * 0.2, -half_length - 0.06),
            (side_sign * 0.13, -half_length),
            (side_sign * 0.13, half_length),
            (side_sign * 0.2, half_length + 0.06),
        ]
        lines += path_of([(x + s * (a * ux - b * uy), y + s * (a * uy + b * ux)) for a, b in points])
    return lines
