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

from scenarios.images import MapImage, check_spots
from scenarios.reading.findings import instead
from scenarios.reading.nodes import Node
from scenarios.reading.shapes import Findings, noted, place, record
from scenarios.sources import IdField, Sourced


@record
class PointShape(Sourced):
    """A point of a point-to-point map."""

    name: str = noted("What it is called.")
    terrain: IdField = noted("Its kind, from `terrain`.", "")
    at: tuple[Fraction, ...] = noted(
        "Where it is drawn: centimetres across and down the sheet, from wherever you like.", ()
    )
    kinds: tuple[str, ...] = noted("What it is besides: fort, pass, city, objective ...", ())
    side: IdField = noted("Who holds it at the start.", "")
    note: str = noted("What else holds for it.", "")


@record
class AreaShape(Sourced):
    """A theater, a reserve area: a named set of points."""

    name: str = noted("What it is called.")
    kind: str = noted(
        "What it is: theater, reserve, country ...; a `line` is drawn on the map, from point to point.", ""
    )
    side: IdField = noted("Whose it is.", "")
    points: tuple[IdField, ...] = noted("Its points.")


class Route(NamedTuple):
    """A route between two points, in no direction."""

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
    def _beside(self) -> Mapping[str, Mapping[str, frozenset[str]]]:
        beside: dict[str, dict[str, frozenset[str]]] = {point: {} for point in self.points}
        for route in self.routes:
            for here, there in ((route.a, route.b), (route.b, route.a)):
                beside[here][there] = beside[here].get(there, frozenset()) | {route.kind}
        return MappingProxyType(beside)

    def adjacent(self, point: str) -> Mapping[str, frozenset[str]]:
        """The points next to a point, with the kinds of route that lead there."""
        if point not in self.points:
            raise ValueError(f"there is no point {point!r}; {instead(point, self.points)}")
        return self._beside[point]

    def distances(self, start: str, kinds: Iterable[str] | None = None) -> Mapping[str, int]:
        """How far every point is that can be reached over routes of these kinds (all, if none are named)."""
        allowed = None if kinds is None else frozenset(kinds)
        self.adjacent(start)
        found = {start: 0}
        queue = deque([start])
        while queue:
            here = queue.popleft()
            for there, ways in self._beside[here].items():
                if there not in found and (allowed is None or ways & allowed):
                    found[there] = found[here] + 1
                    queue.append(there)
        return found

    def distance(self, a: str, b: str, kinds: Iterable[str] | None = None) -> int | None:
        """The fewest routes between two points; None where there is no way."""
        self.adjacent(b)
        return self.distances(a, kinds).get(b)

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
    """The point map that a pack describes (`shape` is a MapShape)."""
    for point in shape.points.values():
        if point.terrain and point.terrain not in terrain:
            findings.at(
                place(point, "terrain"), f"no terrain is called {point.terrain!r}; {instead(point.terrain, terrain)}"
            )
        if len(point.at) != 2:
            findings.at(
                place(point, "at"), f"{point.name} needs `at`, two numbers: centimetres across and down the sheet"
            )
    routes: dict[Route, Node] = {}
    for kind, chains in shape.routes.items():
        if kind not in route_kinds:
            findings.at(place(shape, "routes", kind), f"no route is called {kind!r}; {instead(kind, route_kinds)}")
        for i, chain in enumerate(chains):
            node = place(shape, "routes", kind, i)
            _add_chain(kind, chain, node, shape.points, routes, findings)
    for area in shape.areas.values():
        for i, point in enumerate(area.points):
            if point not in shape.points:
                findings.at(place(area, "points", i), f"there is no point {point!r}; {instead(point, shape.points)}")
    if shape.image is not None and shape.image.points:
        spots = []
        for name, at in shape.image.points.items():
            known = shape.points.get(name)
            if known is None:
                findings.at(
                    place(shape.image, "points", name), f"there is no point {name!r}; {instead(name, shape.points)}"
                )
            spots.append((name, at, known.at if known is not None and len(known.at) == 2 else None))
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
        findings.at(node, "a route joins two points or more; add the other end")
    for i, point in enumerate(chain):
        if point not in points:
            findings.at(node.at(i), f"the route leads to {point!r}, which is no point; {instead(point, points)}")
    for i, (a, b) in enumerate(pairwise(chain)):
        if a not in points or b not in points:
            continue
        if a == b:
            findings.at(node.at(i + 1), f"the route leads from {a} to itself; name the other end")
            continue
        route = Route(min(a, b), max(a, b), kind)
        if route in routes:
            findings.at(node.at(i + 1), f"the {kind} from {a} to {b} stands here twice; remove one")
        else:
            routes[route] = node
