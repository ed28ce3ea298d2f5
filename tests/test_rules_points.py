"""The engine on maps of points against a slow search written from docs/rules.md: random maps, positions and readings.

Nothing of the engine is used here but the answers: every way that visits no point twice is walked, and each condition is written
twice, as an expression of a pack and as plain Python.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.engine.field import Field
from assistant.engine.field_values import make_field
from assistant.engine.map_index import map_index_of
from assistant.engine.movement.reach import reach
from assistant.engine.retreat.paths import retreat
from assistant.engine.supply.supply_lines import supply_of
from assistant.engine.zones import zones_of
from scenarios import load
from scenarios.model.game import Game
from scenarios.model.position import Piece, Position
from tests.packs import TWO_SIDES

PACK = (
    TWO_SIDES
    + """terrain:
  plain: {name: Plain, mark: ".", color: "#ffffff"}
  bog: {name: Bog, mark: "b", color: "#00ff00"}
  port: {name: Port, mark: "p", color: "#0000ff"}
  strait: {name: Strait, mark: "s", color: "#0000ff"}
routes: {road: Road, stream: Stream, sea: Sea route}
classes: {foot: Foot, plane: Plane}
types: {man: Man}
abilities: {staff: Staff, swims: Swims}
factors: {movement: {name: Movement}, reach: {name: Reach, default: 0}}
counters:
  foot: {name: Foot, class: foot, type: man, factors: {movement: 3}, variants: {red: {count: 3}, blue: {count: 3}}}
  boat: {name: Boat, class: foot, type: man, abilities: [swims], factors: {movement: 3}, variants: {red: {count: 2}, blue: {count: 2}}}
  head: {name: Head, class: foot, type: man, abilities: [staff], factors: {movement: 1, reach: 2},
    variants: {red: {count: 1}, blue: {count: 1}}}
  plane: {name: Plane, class: plane, type: man, factors: {movement: 9}, variants: {red: {count: 1}, blue: {count: 1}}}
markers:
  flag_red: {name: Flag, side: red, count: 3}
  flag_blue: {name: Flag, side: blue, count: 3}
  bridge_red: {name: Bridge, side: red, count: 1}
  bridge_blue: {name: Bridge, side: blue, count: 1}
rules:
  present: class != "plane"
  control: id in ["flag_red", "flag_blue"]
  values:
    land: over.road or over.stream and over.own_bridge
  spans:
    bridge: {of: 'id in ["bridge_red", "bridge_blue"]', over: [stream], usable: from.friend or to.friend}
  zones:
    watch: {has: staff, length: reach, own_place: true,
      steps: [{text: not across the sea, when: over.sea, forbid: true}]}
  stacking:
    - {text: two to a point, when: not to.port, that: count(stack) <= 2}
  supply:
    exempt:
      - {text: it stands in its own port, when: to.port and to.owner == side}
    traces:
      line:
        text: from an own port
        from: {places: to.port and to.owner == side}
        steps:
          - {text: an enemy, when: to.enemy and not last, forbid: true}
          - {text: enemy control, when: to.control != side and to.control != "" and not last, forbid: true}
          - {text: the sea, when: over.sea and not land and not swims, forbid: true}
          - {text: a stream, when: over.stream and not land, forbid: true}
  command:
    head:
      of: staff
      length: source.reach
      exempt: [{text: in a port, when: to.port}]
      steps:
        - {text: enemies, when: from.enemy, forbid: true}
  movement:
    march:
      allowance:
        - {text: its movement, set: movement}
        - {text: out of supply, when: not supplied, set: 1}
      steps:
        - {text: nobody swims, when: to.strait and not swims, forbid: true}
        - {text: the sea, when: over.sea and not over.road and not swims, forbid: true}
        - {text: a stream, when: over.stream and not land and not first, forbid: true}
        - {text: a route, cost: 1}
        - {text: wading, when: over.stream and not land, cost: all}
        - {text: a bog, when: to.bog and not to.friend, stop: true}
        - {text: an enemy, when: to.enemy, stop: true}
      ends:
        - {text: nobody stays in a strait, when: to.strait, forbid: true}
        - stacking
  retreat:
    back:
      length: 1
      steps:
        - {text: an enemy, when: to.enemy, forbid: true}
        - {text: enemy control, when: to.control != side and to.control != "", forbid: true}
        - {text: a strait, when: to.strait, cost: 0}
        - {text: the sea, when: from.strait and not swims, forbid: true}
        - {text: a stream, when: over.stream and not land, forbid: true}
        - {text: no supply there, when: not to.strait and not to.supplied, forbid: true}
      ends:
        - {text: nobody stays in a strait, when: to.strait, forbid: true}
        - stacking
maps:
  main:
    name: The map
"""
)
NAMES = ["a", "b", "c", "d", "e", "f"]
UNITS = {"foot": False, "boat": True, "head": False}
MOVES = {"foot": 3, "boat": 3, "head": 1}


@dataclass
class World:
    """A map of points and who stands on it, in plain dictionaries."""

    terrain: dict[str, str]
    owner: dict[str, str]
    routes: dict[frozenset[str], str]
    units: list[tuple[str, str, str]]
    """Counter, side, point."""
    planes: list[tuple[str, str]]
    flags: dict[str, str]
    bridge: tuple[str, str]

    def adjacent_points(self, point: str) -> list[str]:
        return [next(iter(pair - {point})) for pair in self.routes if point in pair]

    def count_units(self, point: str, side: str) -> int:
        return sum(location == point and owner == side for _, owner, location in self.units)

    def control(self, point: str) -> str:
        sides = {owner for _, owner, location in self.units if location == point}
        return next(iter(sides)) if len(sides) == 1 else self.flags.get(point, self.owner[point])

    def is_bridged(self, a: str, b: str, side: str) -> bool:
        """The bridge lies over the first stream next to its point, as long as a friend is at an end of it."""
        owner, bridge_point = self.bridge
        streams = [
            point for point in self.order(bridge_point) if self.routes[frozenset((bridge_point, point))] == "stream"
        ]
        is_laid = owner == side and bool(streams) and {bridge_point, streams[0]} == {a, b}
        return is_laid and self.count_units(a, side) + self.count_units(b, side) > 0

    def order(self, point: str) -> list[str]:
        return self.adjacent_points(point)

    def land(self, a: str, b: str, side: str) -> bool:
        kind = self.routes[frozenset((a, b))]
        return kind == "road" or (kind == "stream" and self.is_bridged(a, b, side))

    def ways(self, start: str) -> Iterator[list[str]]:
        stack = [[start]]
        while stack:
            way = stack.pop()
            yield way
            stack += [[*way, neighbour] for neighbour in self.adjacent_points(way[-1]) if neighbour not in way]

    def is_supplied(self, counter: str, side: str, point: str) -> bool:
        """From an own port to the point; what bars a line doesn't bar its last step."""
        enemy = "blue" if side == "red" else "red"

        def open_(a: str, b: str) -> bool:
            kind = self.routes[frozenset((a, b))]
            is_barred = (kind == "sea" and not UNITS[counter]) or (kind == "stream" and not self.land(a, b, side))
            return not is_barred and (b == point or (not self.count_units(b, enemy) and self.control(b) != enemy))

        own_ports = [p for p in self.terrain if self.terrain[p] == "port" and self.owner[p] == side]
        return any(
            way[-1] == point and all(open_(a, b) for a, b in pairwise(way))
            for port in own_ports
            for way in self.ways(port)
        )

    def room(self, counter: int, point: str) -> bool:
        _, side, location = self.units[counter]
        return self.terrain[point] == "port" or self.count_units(point, side) + (location != point) <= 2

    def march_result(self, number: int) -> tuple[int, dict[str, int], set[str]]:
        """Points, the cheapest price of each point, and where it may end."""
        counter, side, start = self.units[number]
        enemy = "blue" if side == "red" else "red"
        points = MOVES[counter] if self.is_supplied(counter, side, start) else 1
        best = {start: 0}
        for way in self.ways(start):
            cost = 0
            for number_, (a, b) in enumerate(pairwise(way)):
                kind = self.routes[frozenset((a, b))]
                wading = kind == "stream" and not self.land(a, b, side)
                if (self.terrain[b] == "strait" or kind == "sea") and not UNITS[counter]:
                    break
                if wading and number_:
                    break
                cost += points if wading else 1
                if cost > points:
                    break
                best[b] = min(best.get(b, cost), cost)
                stops = (self.terrain[b] == "bog" and not self.count_units(b, side)) or self.count_units(b, enemy)
                if stops or wading:
                    break
        ends = {p for p in best if p != start and self.terrain[p] != "strait" and self.room(number, p)}
        return points, best, ends

    def retreat_points(self, number: int) -> set[str]:
        """One point away, or over a strait to the other shore."""
        counter, side, start = self.units[number]
        enemy = "blue" if side == "red" else "red"

        def open_(a: str, b: str) -> bool:
            if (
                self.count_units(b, enemy)
                or self.control(b) == enemy
                or (self.terrain[a] == "strait" and not UNITS[counter])
            ):
                return False
            if self.routes[frozenset((a, b))] == "stream" and not self.land(a, b, side):
                return False
            return self.terrain[b] == "strait" or self.is_supplied(counter, side, b)

        ends = set()
        for way in self.ways(start):
            distance = sum(self.terrain[b] != "strait" for b in way[1:])
            if (
                len(way) > 1
                and distance == 1
                and self.terrain[way[-1]] != "strait"
                and all(open_(a, b) for a, b in pairwise(way))
            ):
                ends.add(way[-1])
        return {point for point in ends if self.room(number, point)}


@st.composite
def worlds(draw: st.DrawFn) -> World:
    terrain = {name: draw(st.sampled_from(["plain", "plain", "bog", "port", "strait"])) for name in NAMES}
    owner = {name: draw(st.sampled_from(["red", "blue"])) for name in NAMES}
    pairs = [frozenset((a, b)) for i, a in enumerate(NAMES) for b in NAMES[i + 1 :]]
    route_pairs = draw(st.lists(st.sampled_from(pairs), min_size=5, max_size=9, unique=True))
    routes = {
        pair: draw(st.sampled_from(["road", "road", "stream", "sea"])) for pair in sorted(route_pairs, key=sorted)
    }
    point = st.sampled_from(NAMES)
    units = draw(
        st.lists(
            st.tuples(st.sampled_from(["foot", "boat"]), st.sampled_from(["red", "blue"]), point),
            min_size=1,
            max_size=4,
        )
    )
    units += [("head", side, draw(point)) for side in ("red", "blue")]
    planes = [(side, draw(point)) for side in ("red", "blue")]
    flags = {draw(point): draw(st.sampled_from(["red", "blue"]))}
    return World(terrain, owner, routes, units, planes, flags, (draw(st.sampled_from(["red", "blue"])), draw(point)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("points")


def build_game(folder: Path, world: World) -> Game:
    lines = [PACK.rstrip(), "    points:"]
    for number, name in enumerate(NAMES):
        terrain, owner = world.terrain[name], world.owner[name]
        lines.append(f"      {name}: {{name: {name.upper()}, terrain: {terrain}, at: [{number}, 1], side: {owner}}}")
    lines.append("    routes:")
    for kind in sorted(set(world.routes.values())):
        lines.append(
            f"      {kind}: [{', '.join(str(sorted(pair)) for pair, route_kind in world.routes.items() if route_kind == kind)}]"
        )
    (folder / "game.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return load(str(folder))


def place_pieces(game: Game, world: World) -> Field:
    used: dict[str, int] = {}
    pieces = []
    for counter, side, point in [*world.units, *(("plane", side, point) for side, point in world.planes)]:
        unit = f"{counter}_{side}"
        used[unit] = used.get(unit, 0) + 1
        pieces.append(Piece(unit, str(used[unit]), side, point))
    pieces += [Piece(f"flag_{side}", "1", "", point) for point, side in world.flags.items()]
    pieces.append(Piece(f"bridge_{world.bridge[0]}", "1", "", world.bridge[1]))
    map_index = map_index_of(game)
    assert map_index is not None
    return make_field(map_index, Position("points", pieces=tuple(pieces)))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(world=worlds())
def test_points_against_every_way(folder: Path, world: World) -> None:
    game = build_game(folder, world)
    field = place_pieces(game, world)
    name = cast("tuple[str, ...]", field.map_index.places)
    # The order of neighbours is the map's own; only which stream a bridge lies over depends on it.
    world.order = lambda point: [name[m] for m, _ in field.map_index.neighbours(field.map_index.number[point])]  # type: ignore[method-assign]
    assert len(field.placed_units) == len(world.units) and len(field.set_aside) == len(world.planes)
    for n, point in enumerate(name):
        assert field.control(n) == world.control(point)
    for number, (unit, (counter, side, location)) in enumerate(zip(field.placed_units, world.units, strict=True)):
        lines = supply_of(field, side)
        free = world.terrain[location] == "port" and world.owner[location] == side
        assert lines.is_served(unit, "supplied") == (free or world.is_supplied(counter, side, location))
        line = lines.line(unit)
        assert (
            line.is_supplied
            or line.cut
            or not [p for p in name if world.terrain[p] == "port" and world.owner[p] == side]
            or not line.server
        )
        points, costs, ends = world.march_result(number)
        unit_reach = reach(field, unit)
        assert unit_reach.allowance is not None and unit_reach.allowance.maximum == points
        assert {name[n]: cost for n, cost in unit_reach.costs.items()} == costs
        assert {name[n] for n in unit_reach.ends} - {location} == ends
        assert {name[way.end] for way in retreat(field, unit).ways[1]} == world.retreat_points(number)
        heads = {point for owner, point in ((s, p) for c, s, p in world.units if c == "head") if owner == side}
        is_led = any(_is_commanded(world, head, location, side) for head in heads)
        assert lines.is_served(unit, "commanded") == (is_led or world.terrain[location] == "port")
        if counter == "head":
            distances = zones_of(field).reach("watch", unit)
            assert {name[n]: distance for n, distance in distances.items()} == _watch_distances(world, location)


def _is_commanded(world: World, head: str, point: str, side: str) -> bool:
    enemy = "blue" if side == "red" else "red"
    return any(
        way[-1] == point and len(way) <= 3 and not any(world.count_units(p, enemy) for p in way[:-1])
        for way in world.ways(head)
    )


def _watch_distances(world: World, point: str) -> dict[str, int]:
    distances: dict[str, int] = {}
    for way in world.ways(point):
        if len(way) <= 3 and all(world.routes[frozenset(pair)] != "sea" for pair in pairwise(way)):
            distances[way[-1]] = min(len(way) - 1, distances.get(way[-1], 9))
    return distances
