"""Point maps: points, the routes between them, and the areas they lie in."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import Any, NamedTuple

from scenarios.model.images import MapImage, check_spots
from scenarios.model.sources import IdField, Sourced
from scenarios.reading.findings import suggest
from scenarios.reading.nodes import Node
from scenarios.reading.shapes import Findings, documented_field, place, record


@record
class PointShape(Sourced):
    """A point of a point-to-point map."""

    name: str = documented_field("What it is called.")
    terrain: IdField = documented_field("Its kind, from `terrain`.", "")
    at: tuple[Fraction, ...] = documented_field(
        "Where it is drawn: centimetres across and down the sheet, from wherever you like.", ()
    )
    kinds: tuple[str, ...] = documented_field("What it is besides: fort, pass, city, objective ...", ())
    side: IdField = documented_field("Who holds it at the start.", "")
    note: str = documented_field("What else holds for it.", "")


@record
class AreaShape(Sourced):
    """A theater, a reserve area: a named set of points."""

    name: str = documented_field("What it is called.")
    kind: str = documented_field(
        "What it is: theater, reserve, country ...; a `line` is drawn on the map, from point to point.", ""
    )
    side: IdField = documented_field("Whose it is.", "")
    points: tuple[IdField, ...] = documented_field("Its points.")


class Route(NamedTuple):
    """A route between two points, without a direction."""

    a: str
    b: str
    kind: str


@dataclass(frozen=True)
class PointMap:
    """Points and routes. Distance is counted in routes."""

    id: str
    title: str
    points: Mapping[str, PointShape]
    routes: tuple[Route, ...]
    areas: Mapping[str, AreaShape]
    north: str
    boxes: Mapping[str, Any]
    tracks: Mapping[str, Any]
    lines: Mapping[str, Any] = field(default_factory=dict)
    image: MapImage | None = None

    @cached_property
    def _neighbours(self) -> Mapping[str, Mapping[str, frozenset[str]]]:
        kinds_by_neighbour: dict[str, dict[str, frozenset[str]]] = {point: {} for point in self.points}
        for route in self.routes:
            for start, end in ((route.a, route.b), (route.b, route.a)):
                kinds_by_neighbour[start][end] = kinds_by_neighbour[start].get(end, frozenset()) | {route.kind}
        return MappingProxyType(kinds_by_neighbour)

    def adjacent(self, point: str) -> Mapping[str, frozenset[str]]:
        """The points adjacent to a point, with the kinds of route that lead there."""
        if point not in self.points:
            raise ValueError(f"there is no point {point!r}; {suggest(point, self.points)}")
        return self._neighbours[point]

    def distances(self, start: str, route_kinds: Iterable[str] | None = None) -> Mapping[str, int]:
        """The distance of every point that can be reached by these kinds of route (all kinds, if none are given)."""
        allowed_kinds = None if route_kinds is None else frozenset(route_kinds)
        self.adjacent(start)
        distance_to = {start: 0}
        queue = deque([start])
        while queue:
            point = queue.popleft()
            for neighbour, ways in self._neighbours[point].items():
                if neighbour not in distance_to and (allowed_kinds is None or ways & allowed_kinds):
                    distance_to[neighbour] = distance_to[point] + 1
                    queue.append(neighbour)
        return distance_to

    def distance(self, a: str, b: str, route_kinds: Iterable[str] | None = None) -> int | None:
        """The smallest number of routes between two points. None if no path connects them."""
        self.adjacent(b)
        return self.distances(a, route_kinds).get(b)

    def in_area(self, area: str) -> frozenset[str]:
        """The points of an area."""
        return frozenset(self.areas[area].points)


def make_points(
    map_id: str,
    shape: Any,
    terrain: Mapping[str, Any],
    route_kinds: Mapping[str, Any],
    findings: Findings,
) -> PointMap:
    """Make the point map that a pack describes (`shape` is a MapShape)."""
    for point in shape.points.values():
        if point.terrain and point.terrain not in terrain:
            findings.add(
                place(point, "terrain"), f"no terrain is called {point.terrain!r}; {suggest(point.terrain, terrain)}"
            )
        if len(point.at) != 2:
            findings.add(
                place(point, "at"), f"{point.name} needs `at`, two numbers: centimetres across and down the sheet"
            )
    routes: dict[Route, Node] = {}
    for kind, chains in shape.routes.items():
        if kind not in route_kinds:
            findings.add(place(shape, "routes", kind), f"no route is called {kind!r}; {suggest(kind, route_kinds)}")
        for i, chain in enumerate(chains):
            node = place(shape, "routes", kind, i)
            _add_chain(kind, chain, node, shape.points, routes, findings)
    for area in shape.areas.values():
        for i, point in enumerate(area.points):
            if point not in shape.points:
                findings.add(place(area, "points", i), f"there is no point {point!r}; {suggest(point, shape.points)}")
    if shape.image is not None and shape.image.points:
        spots = []
        for name, dots in shape.image.points.items():
            known_point = shape.points.get(name)
            if known_point is None:
                findings.add(
                    place(shape.image, "points", name), f"there is no point {name!r}; {suggest(name, shape.points)}"
                )
            spots.append((name, dots, known_point.at if known_point is not None and len(known_point.at) == 2 else None))
        check_spots(shape.image, "points", spots, findings)
    return PointMap(
        map_id,
        shape.name,
        shape.points,
        tuple(routes),
        shape.areas,
        shape.north,
        shape.boxes,
        shape.tracks,
        shape.lines,
        shape.image,
    )


def _add_chain(
    kind: str,
    chain: tuple[str, ...],
    node: Node,
    points: Mapping[str, PointShape],
    routes: dict[Route, Node],
    findings: Findings,
) -> None:
    if len(chain) < 2:
        findings.add(node, "a route joins two points or more; add the other end")
    for i, point in enumerate(chain):
        if point not in points:
            findings.add(node.child(i), f"the route leads to {point!r}, which is no point; {suggest(point, points)}")
    for i, (a, b) in enumerate(pairwise(chain)):
        if a not in points or b not in points:
            continue
        if a == b:
            findings.add(node.child(i + 1), f"the route leads from {a} to itself; name the other end")
            continue
        route = Route(min(a, b), max(a, b), kind)
        if route in routes:
            findings.add(node.child(i + 1), f"the {kind} from {a} to {b} stands here twice; remove one")
        else:
            routes[route] = node
