"""Where the armies of a position meet: what a map shows first."""

from __future__ import annotations

from collections.abc import Callable
from heapq import nsmallest
from itertools import combinations

from scenarios.areas.resolving import Location, Resolver
from scenarios.model.game import Game
from scenarios.model.position import Position

NEAREST, SAMPLE = 12, 60
"""How many pairs of enemies tell where the front is, and how many places of an area are looked at."""
MAX_PIECES = 500
"""How many places of a side are looked at: every pair is."""

Point = tuple[float, float]


def front(game: Game, position: Position, point: Callable[[Location], Point | None]) -> Point | None:
    """The middle of the nearest enemies, where they stand or may be set up; else of everybody; None where nobody is on the map.

    `point` tells where a place lies on the map, None for places beside it.
    """
    map, scenario = game.scenario_maps[position.scenario], game.scenarios[position.scenario]
    sides: dict[str, set[Point]] = {}
    for piece in position.pieces:
        if piece.unit in game.units and (spot := point(piece.at)) is not None:
            sides.setdefault(game.units[piece.unit].side, set()).add(spot)
    areas = Resolver(map, dict(scenario.zones))
    for side, force in scenario.forces.items():
        for group in force.groups:
            area = areas.places(group.at) if group.at is not None and group.enters is None else frozenset()
            spots = sorted(spot for place in area if (spot := point(place)) is not None)
            sides.setdefault(side, set()).update(spots[:: 1 + len(spots) // SAMPLE])
    looked_at = [sorted(spots)[:: 1 + len(spots) // MAX_PIECES] for spots in sides.values()]
    pairs = nsmallest(
        NEAREST,
        (
            ((ax - bx) ** 2 + (ay - by) ** 2, (ax + bx) / 2, (ay + by) / 2)
            for first_points, two in combinations(looked_at, 2)
            for ax, ay in first_points
            for bx, by in two
        ),
    )
    points = [(x, y) for _, x, y in pairs] or [spot for spots_of in sides.values() for spot in spots_of]
    if not points:
        return None
    return sorted(x for x, _ in points)[len(points) // 2], sorted(y for _, y in points)[len(points) // 2]
