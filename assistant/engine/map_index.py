"""A map with numbered places. Places and steps that the rules cannot tell apart share one class.

The result of a list for a step depends only on the names that the list asks for. A map has few different values of
them. So each place has the number of its class, each step has its own class, and a list is evaluated once for each
class.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from assistant.engine.program import Program
from assistant.questions.answer import PlaceRef
from scenarios.areas.resolving import Location, Resolver, toward
from scenarios.model.game import Game
from scenarios.model.hexes import DIRECTIONS, Hex, distance
from scenarios.model.maps import HexMap
from scenarios.model.memo import cached_on
from scenarios.model.points import PointMap
from scenarios.rules.shapes import Rules
from scenarios.rules.vocabulary import COMPASS

DYNAMIC = frozenset({"enemy", "friend", "control"})
NO_FLAGS = frozenset({"terrain", "owner", "features", "height"})
GROUPS = frozenset({"friends", "enemies", "markers"})
WALKERS = frozenset({"room", "supplied"})
NOTHING: frozenset[str] = frozenset()
MOST_KEPT = 200_000
MOST_MAPS = 16
"""A game keeps this many map indexes; then it discards them all. `MOST_KEPT` limits the cached results of one map."""


class MapIndex:
    """One map of a game as its rules see it, without pieces."""

    def __init__(self, program: Program, map: HexMap | PointMap, scenario: str) -> None:
        self.program, self.map, self.scenario = program, map, scenario
        game = program.game
        self.places: tuple[Location, ...] = tuple(map.hexes) if isinstance(map, HexMap) else tuple(map.points)
        self.number: Mapping[Location, int] = {place: n for n, place in enumerate(self.places)}
        zones = program.rules.zones
        zone_names = {name for zone in zones for name in (zone, f"own_{zone}", f"{zone}_units")}
        place_inputs = {name for name, rule_input in program.rules.inputs.items() if rule_input.kind == "places"}
        place_names = program.place_names | ({"height"} if "over.rise" in program.all_names else frozenset())
        self.effects = frozenset(
            n for n in place_names if n in game.effects and n not in game.terrain and n not in self.regions
        )
        """Effects with an area that some rule asks for."""
        self.position_names = place_names & (
            DYNAMIC | GROUPS | zone_names | place_inputs | (frozenset(game.markers) - frozenset(game.terrain))
        )
        self.mover_names = place_names & (WALKERS | self.effects)
        owner = frozenset({"owner"} if "control" in place_names else ())
        self.compass = frozenset(name for name in COMPASS if f"over.{name}" in program.all_names)
        """The compass directions of steps that some rule asks for."""
        self.static_names = tuple(sorted((place_names | owner) - self.position_names - self.mover_names))
        self._place_groups: dict[frozenset[str], Iterable[Sequence[int]]] = {}
        self._groups: dict[frozenset[str], Sequence[int]] = {}
        self.place_sets: dict[Any, dict[int, bool]] = {}
        """For conditions that ask only about a place and a unit: whether they hold in each group of empty places."""
        self._lies: dict[frozenset[str], int] = {}
        self._steps: dict[tuple[int, int, int], int] = {}
        self.nears: dict[int, tuple[tuple[int, int], ...]] = {}
        """A cache of the neighbors of places."""
        self._heights: dict[int, Any] = {}
        self._incoming: dict[int, tuple[tuple[int, int], ...]] = {}
        self._straight: dict[str, int | None] = {}
        self._distances: dict[int, Mapping[int, int]] = {}
        self._nearest: dict[tuple[int, ...], dict[int, int]] = {}
        self._nearer: dict[tuple[int, ...], tuple[dict[int, list[int]], dict[tuple[int, int], int]]] = {}
        self.memo: dict[Any, dict[Any, Any]] = {}
        """Results by list and mover, then by step class."""
        self.memo_size = 0
        self.units: dict[str, dict[Any, Any]] = {}
        """The fields of units, by scenario where its sides differ from the game's, then by equivalence key."""
        self._looks: dict[Any, int] = {}
        self._group_count = 0

    # Values that depend on the map alone.

    @cached_property
    def regions(self) -> Mapping[str, frozenset[Location]]:
        """The named regions of the map and the scenario."""
        places_by_region: dict[str, frozenset[Location]] = {}
        if isinstance(self.map, HexMap):
            places_by_region |= {name: frozenset(hexes) for name, hexes in self.map.zones.items()}
        else:
            places_by_region |= {name: self.map.in_area(name) for name in self.map.areas}
        scenario = self.program.game.scenarios.get(self.scenario)
        for name, area in (scenario.zones if scenario else {}).items():
            places_by_region[name] = Resolver(self.map, dict(scenario.zones) if scenario else {}).places(area)
        return places_by_region

    @cached_property
    def _flags(self) -> Mapping[str, frozenset[Location]]:
        """The places of each flag that a rule asks for. If a name is ambiguous, terrain and regions win."""
        places_by_flag: dict[str, frozenset[Location]] = {}
        for name in self.static_names:
            if name in NO_FLAGS:
                continue
            if name in self.program.game.terrain:
                terrain_places = frozenset(place for place in self.places if self.terrain(place) == name)
                places_by_flag[name] = terrain_places | self._extra_terrain.get(name, frozenset())
            elif name in self.regions:
                places_by_flag[name] = self.regions[name]
            elif name in self._by_kind:
                places_by_flag[name] = self._by_kind[name]
            elif name.rpartition("_")[2] in COMPASS and name.rpartition("_")[0] in self.program.game.terrain:
                terrain, _, compass = name.rpartition("_")
                ahead = {
                    place: self.toward(n, compass) for n, place in enumerate(self.places) if isinstance(place, Hex)
                }
                places_by_flag[name] = frozenset(
                    p for p, m in ahead.items() if m is not None and self.terrain(self.places[m]) == terrain
                )
            elif name.removesuffix("_edge") in COMPASS and isinstance(self.map, HexMap):
                places_by_flag[name] = frozenset(self.map.edge(name.removesuffix("_edge")))  # type: ignore[arg-type]
            elif name in self._on_path:
                places_by_flag[name] = self._on_path[name]
            else:
                places_by_flag[name] = self.places_named(name)
        return places_by_flag

    @cached_property
    def _by_kind(self) -> Mapping[str, frozenset[Location]]:
        places_by_kind: dict[str, set[Location]] = {}
        if isinstance(self.map, HexMap):
            for place in self.map.places.values():
                places_by_kind.setdefault(place.kind, set()).update(place.hexes)
        else:
            for name, point in self.map.points.items():
                for kind in point.kinds:
                    places_by_kind.setdefault(kind, set()).add(name)
        return {kind: frozenset(places) for kind, places in places_by_kind.items() if kind}

    @cached_property
    def _on_path(self) -> Mapping[str, frozenset[Location]]:
        places_by_kind: dict[str, set[Location]] = {}
        for path in self.map.paths if isinstance(self.map, HexMap) else ():
            places_by_kind.setdefault(path.kind, set()).update(path.hexes)
        return {kind: frozenset(places) for kind, places in places_by_kind.items()}

    def places_named(self, name: str) -> frozenset[Location]:
        """The hexes or the point of a named place."""
        if isinstance(self.map, HexMap):
            return frozenset(self.map.places[name].hexes) if name in self.map.places else frozenset()
        return frozenset({name}) if name in self.map.points else frozenset()

    def terrain(self, place: Location) -> str:
        """Return the terrain of a hex or point."""
        if isinstance(self.map, HexMap):
            return self.map.terrain[place]  # type: ignore[index]
        return self.map.points[str(place)].terrain

    def height(self, n: int) -> Any:
        """Return the height of the ground in a place, by the pack's own expression."""
        if n not in self._heights:
            formula = self.program.rules.height
            self._heights[n] = 0 if formula is None else formula.work(_OfPlace(self, n), self.program.lookup, None)
        return self._heights[n]

    @cached_property
    def _owners(self) -> Mapping[Location, str]:
        """The side that the map prints as owner of each place."""
        game, side_by_place = self.program.game, {}
        map_places: Any = self.map.places.values() if isinstance(self.map, HexMap) else ()
        pairs = [(hex, place.side) for place in map_places for hex in place.hexes]
        if isinstance(self.map, PointMap):
            pairs = [(name, point.side) for name, point in self.map.points.items()]
        for place, side in pairs:
            if side:
                side_by_place[place] = (
                    game.nations[side].side if side in game.nations and side not in game.sides else side
                )
        return side_by_place

    def owner(self, place: Location) -> str:
        """Return the side that the map prints as owner of a place."""
        return self._owners.get(place, "")

    @property
    def place_noun(self) -> str:
        """The word for a place of this map: hex or point."""
        return "hex" if isinstance(self.map, HexMap) else "point"

    @property
    def _extra_terrain(self) -> Mapping[str, frozenset[Location]]:
        """The places that have a terrain besides their own."""
        features: Mapping[str, Any] = self.map.features if isinstance(self.map, HexMap) else {}
        return features

    @cached_property
    def _features(self) -> Mapping[Location, tuple[str, ...]]:
        kinds_by_place: dict[Location, set[str]] = {}
        for places_by_kind in (self._extra_terrain, self._by_kind, self._on_path):
            for kind, places in places_by_kind.items():
                for place in places:
                    kinds_by_place.setdefault(place, set()).add(kind)
        return {place: tuple(sorted(place_kinds)) for place, place_kinds in kinds_by_place.items()}

    def features(self, place: Location) -> tuple[str, ...]:
        """Return everything in a place: its terrain first, then the other features."""
        terrain = self.terrain(place)
        return (terrain, *(kind for kind in self._features.get(place, ()) if kind != terrain))

    def map_value(self, n: int, name: str) -> Any:
        """Return the map's value for a name of a place."""
        place = self.places[n]
        if name == "terrain":
            return self.terrain(place)
        if name == "owner":
            return self.owner(place)
        if name == "height":
            return self.height(n)
        if name == "features":
            return self.features(place)
        return place in self._flags[name]

    def kind(self, n: int) -> int:
        """Return the number of a place's class."""
        return self.all_kinds[n]

    @cached_property
    def all_kinds(self) -> list[int]:
        """The classes of all places, by every name that the rules ask for."""
        return self._all_kinds(self.static_names)

    def group_places(self, names: frozenset[str]) -> Iterable[Sequence[int]]:
        """Return the places of the map in groups. The map has the same values for these names throughout a group."""
        if names not in self._place_groups:
            groups: dict[int, list[int]] = {}
            for n, kind in enumerate(self.group_numbers(names)):
                groups.setdefault(kind, []).append(n)
            self._place_groups[names] = tuple(groups.values())
        return self._place_groups[names]

    def group_numbers(self, names: frozenset[str]) -> Sequence[int]:
        """Return the group number of each place. The map has the same values for these names throughout a group."""
        if names not in self._groups:
            holder = {dotted_name.partition(".")[2] for dotted_name in self.program.names(self.program.rules.holder)}
            wanted_names = names | holder | {"owner"} if "control" in names else names
            self._groups[names] = self._all_kinds([name for name in self.static_names if name in wanted_names])
        return self._groups[names]

    def _all_kinds(self, names: Iterable[str]) -> list[int]:
        """Return the classes of all places. Places share a class if the map has the same values for these names."""
        columns: list[list[Any]] = []
        for name in names:
            if name in NO_FLAGS:
                columns.append([self.map_value(n, name) for n in range(len(self.places))])
            else:
                flag_places = self._flags[name]
                columns.append([place in flag_places for place in self.places])
        group_numbers: dict[tuple[Any, ...], int] = {}
        if not columns:
            return [0] * len(self.places)
        return [group_numbers.setdefault(values, len(group_numbers)) for values in zip(*columns, strict=True)]

    # Steps.

    def lies(self, n: int, m: int) -> frozenset[str]:
        """Return the kinds of hexside, path or route between two neighbors."""
        if isinstance(self.map, HexMap):
            features = self._features_between.get((n, m), NOTHING)
            return (
                features | {compass for compass in self.compass if self.toward(n, compass) == m}
                if self.compass
                else features
            )
        return self.map.adjacent(str(self.places[n])).get(str(self.places[m]), NOTHING)

    @cached_property
    def _features_between(self) -> Mapping[tuple[int, int], frozenset[str]]:
        """The features between each two neighboring hexes, in both directions."""
        features_by_step: dict[tuple[int, int], frozenset[str]] = {}
        assert isinstance(self.map, HexMap)
        for sides in (self.map.hexsides, self.map.path_sides):
            for side, side_kinds in sides.items():
                n, m = self.number.get(side.a), self.number.get(side.b)
                if n is not None and m is not None:
                    features_by_step[n, m] = features_by_step[m, n] = features_by_step.get((n, m), NOTHING) | side_kinds
        return features_by_step

    def neighbours(self, n: int) -> tuple[tuple[int, int], ...]:
        """Return the neighbors of a place, each with the class of the step to it."""
        adjacent_steps = self.nears.get(n)
        if adjacent_steps is None:
            adjacent_steps = self.nears[n] = tuple(self._step_class(n))
        return adjacent_steps

    def step(self, n: int, m: int) -> int | None:
        """Return the class of the step from a place to another; None where they aren't neighbors."""
        return next((step for neighbour, step in self.neighbours(n) if neighbour == m), None)

    def incoming(self, n: int) -> tuple[tuple[int, int], ...]:
        """Return the neighbors of a place, each with the class of the step from it."""
        adjacent_steps = self._incoming.get(n)
        if adjacent_steps is None:
            adjacent_steps = self._incoming[n] = tuple(
                [(m, step) for m, _ in self.neighbours(n) if (step := self.step(m, n)) is not None]
            )
        return adjacent_steps

    def _step_class(self, n: int) -> Any:
        place, number, place_kind = self.places[n], self.number, self.kind(n)
        if isinstance(place, Hex):
            adjacent_places: Any = [
                (place.q + step.q, place.r + step.r) for step in DIRECTIONS
            ]  # as good as hexes, and faster to build
        else:
            adjacent_places = self.map.adjacent(place)  # type: ignore[union-attr]
        for neighbour in adjacent_places:
            m = number.get(neighbour)
            if m is not None:
                lies = self._lies.setdefault(self.lies(n, m), len(self._lies))
                yield m, self._steps.setdefault((place_kind, self.kind(m), lies), len(self._steps))

    def distance(self, n: int, m: int) -> int:
        """Return the number of steps between two places, ignoring all obstacles; -1 where nothing connects them."""
        a, b = self.places[n], self.places[m]
        if isinstance(a, Hex) and isinstance(b, Hex):
            return distance(a, b)
        if n not in self._distances:
            distances, queue = {n: 0}, deque([n])
            while queue:
                current_place = queue.popleft()
                for neighbour, _ in self.neighbours(current_place):
                    if neighbour not in distances:
                        distances[neighbour] = distances[current_place] + 1
                        queue.append(neighbour)
            self._distances[n] = distances
        return self._distances[n].get(m, -1)

    def nearest(self, places: tuple[int, ...], n: int) -> int:
        """Return the distance to the nearest of some places."""
        distances = self._nearest.setdefault(places, {})
        if n not in distances:
            distances[n] = min((self.distance(n, place) for place in places), default=0)
        return distances[n]

    def nearer(self, places: tuple[int, ...]) -> Callable[[int, int], int]:
        """Return a function that says which of some places a step brings nearer: one bit for each place, in order."""
        rows, steps = self._nearer.setdefault(places, ({}, {}))

        def row(n: int) -> list[int]:
            if n not in rows:
                rows[n] = [self.distance(n, place) for place in places]
            return rows[n]

        def bits(n: int, m: int) -> int:
            if (n, m) not in steps:
                pairs = enumerate(zip(row(n), row(m), strict=True))
                steps[n, m] = sum(
                    1 << number for number, (old_distance, new_distance) in pairs if new_distance < old_distance
                )
            return steps[n, m]

        return bits

    def toward(self, n: int, compass: str) -> int | None:
        """Return the neighbor of a hex straight in a direction, if there is one."""
        place, d = self.places[n], self.straight(compass)
        assert isinstance(place, Hex)
        return None if d is None else self.number.get(place.plus(DIRECTIONS[d]))

    def straight(self, compass: str) -> int | None:
        """Return the number of the hex direction that leads straight north, east, south or west, if one does."""
        if compass not in self._straight:
            assert isinstance(self.map, HexMap)
            right, vertical = toward(self.map, compass)  # type: ignore[arg-type]
            flat = self.map.orientation == "flat"
            # Straight along a column or row of hexes a neighbor is a whole hex away; sideways it is half a hex off.
            straight = (right, 2 * vertical) if flat else (2 * right, vertical)
            spots = [(q, 2 * r + q) if flat else (2 * q + r, r) for q, r in DIRECTIONS]
            directions = [d for d, spot in enumerate(spots) if spot in (straight, (right, vertical))]
            self._straight[compass] = directions[0] if directions else None
        return self._straight[compass]

    def in_order(self, places: Iterable[Location]) -> tuple[Location, ...]:
        """Return places in the map's order."""
        return tuple(sorted(places, key=lambda place: self.number.get(place, -1)))

    def region(self, name: str) -> frozenset[int]:
        """Return the places of a region of the map."""
        return frozenset(self.number[place] for place in self.regions[name])

    def name(self, n: int) -> str:
        """Return a place as a person writes it."""
        return self._names[n]

    @cached_property
    def _names(self) -> list[str]:
        name_of: Callable[[Any], str] = self.map.name if isinstance(self.map, HexMap) else str
        return [name_of(place) for place in self.places]

    @cached_property
    def spots(self) -> list[PlaceRef]:
        """The places as answers show them."""
        return [PlaceRef(name, "" if (title := self.title(n)) == name else title) for n, name in enumerate(self._names)]

    def title(self, n: int) -> str:
        """Return a place as a player calls it: a point by its printed name; a hex where boards overlap by both its
        names."""
        place = self.places[n]
        return "=".join(self.map.names[place]) if isinstance(self.map, HexMap) else self.map.points[str(place)].name  # type: ignore[index]

    # Cached results.

    def verdicts(self, key: Any) -> dict[Any, Any]:
        """Return the cached results of a list for a mover; the caller fills them."""
        if self.memo_size > MOST_KEPT:
            self.memo.clear()
            self.memo_size = 0
        self.memo_size += 1
        verdict_cache = self.memo.get(key)
        if verdict_cache is None:
            verdict_cache = self.memo[key] = {}
        return verdict_cache

    def look(self, contents: Any) -> int:
        """Return the number of what is in a place. 0 is never returned; it means an empty place."""
        number = self._looks.get(contents)
        if number is None:
            if len(self._looks) > MOST_KEPT:
                self._looks.clear()
            self._group_count += 1
            number = self._looks[contents] = self._group_count
        return number


class _OfPlace(dict[str, Any]):
    """The map's values of a place behind `to.`, and the pack's own values of it."""

    def __init__(self, map_index: MapIndex, n: int) -> None:
        super().__init__()
        self.map_index, self.n = map_index, n

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value of a name."""
        prefix, dot, suffix = name.partition(".")
        if dot and prefix == "to":
            value = self.map_index.map_value(self.n, suffix)
            return [{"kind": kind} for kind in value] if suffix == "features" else value
        formula = self.map_index.program.values.get(name)
        return default if formula is None else formula.work(self, self.map_index.program.lookup, None)


def in_order(name: str) -> tuple[tuple[int, str], ...]:
    """Sort key of place names: by board, column and row, such as A-H-3, A-H-11, A-AA-1 or 0102, 0201."""
    return tuple([(len(part), part) for part in name.split("-")])


def map_index_of(game: Game, scenario: str = "", map_id: str = "") -> MapIndex | None:
    """Return the index of a scenario's map (or the game's); None where the pack has no map."""
    map = game.scenario_maps.get(scenario) or game.maps.get(map_id) or next(iter(game.maps.values()), None)
    return None if map is None else kinds_for(game, map, scenario)


def kinds_for(game: Game, map: HexMap | PointMap, scenario: str = "") -> MapIndex:
    """Return the index of a map. Scenarios without regions of their own share one index."""
    scenario_record = game.scenarios.get(scenario)
    program, key = program_of(game), (id(map), scenario if scenario_record and scenario_record.zones else "")
    if key not in program.map_indexes:
        if len(program.map_indexes) >= MOST_MAPS:
            program.map_indexes.clear()
        program.map_indexes[key] = MapIndex(program, map, key[1])
    map_index: MapIndex = program.map_indexes[key]
    return map_index


def program_of(game: Game) -> Program:
    """Return the compiled rules of a game."""
    return cached_on(game, _program)


def _program(game: Game) -> Program:
    return Program(game, game.rules or Rules())
