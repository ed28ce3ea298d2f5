"""The front: where the armies of a position meet. A map shows this place first."""

from __future__ import annotations

from collections.abc import Callable
from heapq import nsmallest
from itertools import combinations

from scenarios.areas.resolving import Location, Resolver
from scenarios.model.game import Game
from scenarios.model.position import Position

NEAREST, SAMPLE = 12, 60
"""The number of nearest pairs of enemies that determine the front, and the maximum number of places of an area."""
MAX_PIECES = 500
"""The maximum number of places of a side. Every pair of places is compared."""

Point = tuple[float, float]


def front(game: Game, position: Position, point: Callable[[Location], Point | None]) -> Point | None:
    """The middle of the nearest enemies, at their places or where they may set up. Without enemies it is the middle of all units.

    `point` gives the position of a place on the map, None for a place beside it. The result is None if no unit is on the map.
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
