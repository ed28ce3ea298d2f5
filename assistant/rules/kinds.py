"""A map with its places numbered, and places and steps that are alike for the rules told to be so.

What a list says of a step depends only on the names that it asks for, and a map has few different values of them. So
each place has the number of its kind, each step that of its own, and a list is judged once for each kind.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from assistant.answers import Place
from assistant.rules.program import Program
from scenarios.game import Game
from scenarios.hexes import DIRECTIONS, Hex, distance
from scenarios.kept import once
from scenarios.maps import HexMap
from scenarios.points import PointMap
from scenarios.resolve import Location, Resolver, toward
from scenarios.rules.shapes import Rules
from scenarios.rules.words import COMPASS

if TYPE_CHECKING:
    from assistant.rules.codes import SightMap

DYNAMIC = frozenset({"enemy", "friend", "control"})
NO_FLAGS = frozenset({"terrain", "owner", "features", "height"})
GROUPS = frozenset({"friends", "enemies", "markers"})
WALKERS = frozenset({"room", "supplied"})
NOTHING: frozenset[str] = frozenset()
MOST_KEPT = 200_000
MOST_MAPS = 16
"""So many verdicts are kept for a map; then they are forgotten and found anew."""


class Kinds:
    """One map of a game as its rules see it, without pieces."""

    def __init__(self, program: Program, map: HexMap | PointMap, scenario: str) -> None:
        self.program, self.map, self.scenario = program, map, scenario
        game = program.game
        self.places: tuple[Location, ...] = tuple(map.hexes) if isinstance(map, HexMap) else tuple(map.points)
        self.number: Mapping[Location, int] = {place: n for n, place in enumerate(self.places)}
        zones = program.rules.zones
        zone_names = {name for zone in zones for name in (zone, f"own_{zone}", f"{zone}_units")}
        told = {name for name, one in program.rules.inputs.items() if one.kind == "places"}
        asked = program.place_names | ({"height"} if "over.rise" in program.all_names else frozenset())
        self.effects = frozenset(
            n for n in asked if n in game.effects and n not in game.terrain and n not in self.regions
        )
        """Effects with an area that some rule asks for."""
        self.position_names = asked & (
            DYNAMIC | GROUPS | zone_names | told | (frozenset(game.markers) - frozenset(game.terrain))
        )
        self.walker_names = asked & (WALKERS | self.effects)
        owner = frozenset({"owner"} if "control" in asked else ())
        self.compass = frozenset(name for name in COMPASS if f"over.{name}" in program.all_names)
        """The directions of steps that some rule asks for."""
        self.static_names = tuple(sorted((asked | owner) - self.position_names - self.walker_names))
        self._alike: dict[frozenset[str], Iterable[Sequence[int]]] = {}
        self._groups: dict[frozenset[str], Sequence[int]] = {}
        self.where: dict[Any, dict[int, bool]] = {}
        """Of conditions that ask of a place and a unit alone: whether they hold in each group of places, where nobody is."""
        self._lies: dict[frozenset[str], int] = {}
        self._steps: dict[tuple[int, int, int], int] = {}
        self.nears: dict[int, tuple[tuple[int, int], ...]] = {}
        """The neighbours of places that were asked for so far."""
        self._heights: dict[int, Any] = {}
        self._into: dict[int, tuple[tuple[int, int], ...]] = {}
        self._straight: dict[str, int | None] = {}
        self._distances: dict[int, Mapping[int, int]] = {}
        self._nearest: dict[tuple[int, ...], dict[int, int]] = {}
        self._nearer: dict[tuple[int, ...], tuple[dict[int, list[int]], dict[tuple[int, int], int]]] = {}
        self.memo: dict[Any, dict[Any, Any]] = {}
        """Verdicts by list and walker, then by kind of step."""
        self.kept = 0
        self.units: dict[str, dict[Any, Any]] = {}
        """The fields of units, by scenario where its sides aren't the game's, then by what they are known by."""
        self._looks: dict[Any, int] = {}
        self._numbered = 0

    # What the map alone tells.

    @cached_property
    def regions(self) -> Mapping[str, frozenset[Location]]:
        """The named regions of the map and the scenario."""
        found: dict[str, frozenset[Location]] = {}
        if isinstance(self.map, HexMap):
            found |= {name: frozenset(hexes) for name, hexes in self.map.zones.items()}
        else:
            found |= {name: self.map.in_area(name) for name in self.map.areas}
        scenario = self.program.game.scenarios.get(self.scenario)
        for name, area in (scenario.zones if scenario else {}).items():
            found[name] = Resolver(self.map, dict(scenario.zones) if scenario else {}).places(area)
        return found

    @cached_property
    def _flags(self) -> Mapping[str, frozenset[Location]]:
        """The places of each flag that a rule asks for; terrain and regions come before what else is so called."""
        found: dict[str, frozenset[Location]] = {}
        for name in self.static_names:
            if name in NO_FLAGS:
                continue
            if name in self.program.game.terrain:
                own = frozenset(place for place in self.places if self.terrain(place) == name)
                found[name] = own | self._besides.get(name, frozenset())
            elif name in self.regions:
                found[name] = self.regions[name]
            elif name in self._by_kind:
                found[name] = self._by_kind[name]
            elif name.rpartition("_")[2] in COMPASS and name.rpartition("_")[0] in self.program.game.terrain:
                terrain, _, compass = name.rpartition("_")
                ahead = {
                    place: self.toward(n, compass) for n, place in enumerate(self.places) if isinstance(place, Hex)
                }
                found[name] = frozenset(
                    p for p, m in ahead.items() if m is not None and self.terrain(self.places[m]) == terrain
                )
            elif name.removesuffix("_edge") in COMPASS and isinstance(self.map, HexMap):
                found[name] = frozenset(self.map.edge(name.removesuffix("_edge")))  # type: ignore[arg-type]
            elif name in self._on_path:
                found[name] = self._on_path[name]
            else:
                found[name] = self.named(name)
        return found

    @cached_property
    def _by_kind(self) -> Mapping[str, frozenset[Location]]:
        found: dict[str, set[Location]] = {}
        if isinstance(self.map, HexMap):
            for place in self.map.places.values():
                found.setdefault(place.kind, set()).update(place.hexes)
        else:
            for name, point in self.map.points.items():
                for kind in point.kinds:
                    found.setdefault(kind, set()).add(name)
        return {kind: frozenset(places) for kind, places in found.items() if kind}

    @cached_property
    def _on_path(self) -> Mapping[str, frozenset[Location]]:
        found: dict[str, set[Location]] = {}
        for path in self.map.paths if isinstance(self.map, HexMap) else ():
            found.setdefault(path.kind, set()).update(path.hexes)
        return {kind: frozenset(places) for kind, places in found.items()}

    def named(self, name: str) -> frozenset[Location]:
        """The hexes or the point of a named place."""
        if isinstance(self.map, HexMap):
            return frozenset(self.map.places[name].hexes) if name in self.map.places else frozenset()
        return frozenset({name}) if name in self.map.points else frozenset()

    def terrain(self, place: Location) -> str:
        """The kind of a hex or point."""
        if isinstance(self.map, HexMap):
            return self.map.terrain[place]  # type: ignore[index]
        return self.map.points[str(place)].terrain

    def height(self, n: int) -> Any:
        """How high the ground is in a place, by the pack's own expression."""
        if n not in self._heights:
            formula = self.program.rules.height
            self._heights[n] = 0 if formula is None else formula.work(_OfPlace(self, n), self.program.lookup, None)
        return self._heights[n]

    @cached_property
    def _owners(self) -> Mapping[Location, str]:
        """Whom places were printed for, by side."""
        game, found = self.program.game, {}
        held: Any = self.map.places.values() if isinstance(self.map, HexMap) else ()
        pairs = [(hex, place.side) for place in held for hex in place.hexes]
        if isinstance(self.map, PointMap):
            pairs = [(name, point.side) for name, point in self.map.points.items()]
        for place, side in pairs:
            if side:
                found[place] = game.nations[side].side if side in game.nations and side not in game.sides else side
        return found

    def owner(self, place: Location) -> str:
        """Whom a place was printed for."""
        return self._owners.get(place, "")

    @property
    def _besides(self) -> Mapping[str, frozenset[Location]]:
        """The places that are of a terrain besides their own."""
        found: Mapping[str, Any] = self.map.features if isinstance(self.map, HexMap) else {}
        return found

    @cached_property
    def _features(self) -> Mapping[Location, tuple[str, ...]]:
        found: dict[Location, set[str]] = {}
        for kinds in (self._besides, self._by_kind, self._on_path):
            for kind, places in kinds.items():
                for place in places:
                    found.setdefault(place, set()).add(kind)
        return {place: tuple(sorted(kinds)) for place, kinds in found.items()}

    def features(self, place: Location) -> tuple[str, ...]:
        """Every kind of thing in a place: its terrain first, then what else is there."""
        terrain = self.terrain(place)
        return (terrain, *(kind for kind in self._features.get(place, ()) if kind != terrain))

    def told(self, n: int, name: str) -> Any:
        """What the map says of a place under a name."""
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
        """The number of the kind of a place."""
        return self.all_kinds[n]

    @cached_property
    def all_kinds(self) -> list[int]:
        """The kinds of all places, by all that rules ask."""
        return self._all_kinds(self.static_names)

    def alike(self, names: frozenset[str]) -> Iterable[Sequence[int]]:
        """The places of the map in groups: of those in a group the map says the same under these names."""
        if names not in self._alike:
            groups: dict[int, list[int]] = {}
            for n, kind in enumerate(self.numbered(names)):
                groups.setdefault(kind, []).append(n)
            self._alike[names] = tuple(groups.values())
        return self._alike[names]

    def numbered(self, names: frozenset[str]) -> Sequence[int]:
        """The number of the group of each place: of those in a group the map says the same under these names."""
        if names not in self._groups:
            holder = {one.partition(".")[2] for one in self.program.names(self.program.rules.holder)}
            wanted = names | holder | {"owner"} if "control" in names else names
            self._groups[names] = self._all_kinds([name for name in self.static_names if name in wanted])
        return self._groups[names]

    def _all_kinds(self, names: Iterable[str]) -> list[int]:
        """The kinds of all places: those are alike of which the map says the same under these names."""
        columns: list[list[Any]] = []
        for name in names:
            if name in NO_FLAGS:
                columns.append([self.told(n, name) for n in range(len(self.places))])
            else:
                flagged = self._flags[name]
                columns.append([place in flagged for place in self.places])
        known: dict[tuple[Any, ...], int] = {}
        if not columns:
            return [0] * len(self.places)
        return [known.setdefault(values, len(known)) for values in zip(*columns, strict=True)]

    # Steps.

    def lies(self, n: int, m: int) -> frozenset[str]:
        """The kinds of hexside, path or route between two neighbours."""
        if isinstance(self.map, HexMap):
            found = self._between.get((n, m), NOTHING)
            return (
                found | {compass for compass in self.compass if self.toward(n, compass) == m} if self.compass else found
            )
        return self.map.adjacent(str(self.places[n])).get(str(self.places[m]), NOTHING)

    @cached_property
    def _between(self) -> Mapping[tuple[int, int], frozenset[str]]:
        """What lies between two neighbouring hexes, where something does, both ways round."""
        found: dict[tuple[int, int], frozenset[str]] = {}
        assert isinstance(self.map, HexMap)
        for sides in (self.map.hexsides, self.map.path_sides):
            for side, kinds in sides.items():
                n, m = self.number.get(side.a), self.number.get(side.b)
                if n is not None and m is not None:
                    found[n, m] = found[m, n] = found.get((n, m), NOTHING) | kinds
        return found

    def near(self, n: int) -> tuple[tuple[int, int], ...]:
        """The neighbours of a place, each with the number of the kind of step that leads there."""
        found = self.nears.get(n)
        if found is None:
            found = self.nears[n] = tuple(self._stepped(n))
        return found

    def step(self, n: int, m: int) -> int | None:
        """The number of the kind of step from a place to another; None where they are no neighbours."""
        return next((step for other, step in self.near(n) if other == m), None)

    def into(self, n: int) -> tuple[tuple[int, int], ...]:
        """The neighbours of a place, each with the number of the kind of step that leads from there."""
        found = self._into.get(n)
        if found is None:
            found = self._into[n] = tuple([(m, step) for m, _ in self.near(n) if (step := self.step(m, n)) is not None])
        return found

    def _stepped(self, n: int) -> Any:
        place, number, here = self.places[n], self.number, self.kind(n)
        if isinstance(place, Hex):
            beside: Any = [
                (place.q + step.q, place.r + step.r) for step in DIRECTIONS
            ]  # as good as hexes, and quicker made
        else:
            beside = self.map.adjacent(place)  # type: ignore[union-attr]
        for other in beside:
            m = number.get(other)
            if m is not None:
                lies = self._lies.setdefault(self.lies(n, m), len(self._lies))
                yield m, self._steps.setdefault((here, self.kind(m), lies), len(self._steps))

    def distance(self, n: int, m: int) -> int:
        """How many steps lie between two places, whatever is in the way; -1 where no way leads."""
        a, b = self.places[n], self.places[m]
        if isinstance(a, Hex) and isinstance(b, Hex):
            return distance(a, b)
        if n not in self._distances:
            found, queue = {n: 0}, deque([n])
            while queue:
                here = queue.popleft()
                for there, _ in self.near(here):
                    if there not in found:
                        found[there] = found[here] + 1
                        queue.append(there)
            self._distances[n] = found
        return self._distances[n].get(m, -1)

    def nearest(self, places: tuple[int, ...], n: int) -> int:
        """How far the nearest of some places is."""
        known = self._nearest.setdefault(places, {})
        if n not in known:
            known[n] = min((self.distance(n, place) for place in places), default=0)
        return known[n]

    def nearer(self, places: tuple[int, ...]) -> Callable[[int, int], int]:
        """Which of some places, each a bit in their order, a step brings nearer."""
        rows, steps = self._nearer.setdefault(places, ({}, {}))

        def row(n: int) -> list[int]:
            if n not in rows:
                rows[n] = [self.distance(n, place) for place in places]
            return rows[n]

        def bits(n: int, m: int) -> int:
            if (n, m) not in steps:
                pairs = enumerate(zip(row(n), row(m), strict=True))
                steps[n, m] = sum(1 << number for number, (before, after) in pairs if after < before)
            return steps[n, m]

        return bits

    def toward(self, n: int, compass: str) -> int | None:
        """The neighbour of a hex straight in a direction, if there is one."""
        place, d = self.places[n], self.straight(compass)
        assert isinstance(place, Hex)
        return None if d is None else self.number.get(place.plus(DIRECTIONS[d]))

    def straight(self, compass: str) -> int | None:
        """The number of the direction that leads straight north, east, south or west, if one does."""
        if compass not in self._straight:
            assert isinstance(self.map, HexMap)
            right, down = toward(self.map, compass)  # type: ignore[arg-type]
            flat = self.map.orientation == "flat"
            # Straight along a column or row of hexes a neighbour is a whole hex away; sideways it is half a hex off.
            straight = (right, 2 * down) if flat else (2 * right, down)
            spots = [(q, 2 * r + q) if flat else (2 * q + r, r) for q, r in DIRECTIONS]
            found = [d for d, spot in enumerate(spots) if spot in (straight, (right, down))]
            self._straight[compass] = found[0] if found else None
        return self._straight[compass]

    @cached_property
    def sight(self) -> SightMap:
        """The map as sight knows it."""
        from assistant.rules.codes import SightMap

        return SightMap(self)

    def in_order(self, places: Iterable[Location]) -> tuple[Location, ...]:
        """Places in the map's order."""
        return tuple(sorted(places, key=lambda place: self.number.get(place, -1)))

    def region(self, name: str) -> frozenset[int]:
        """The places of a region of the map."""
        return frozenset(self.number[place] for place in self.regions[name])

    def name(self, n: int) -> str:
        """A place as a person writes it."""
        return self._names[n]

    @cached_property
    def _names(self) -> list[str]:
        named: Callable[[Any], str] = self.map.name if isinstance(self.map, HexMap) else str
        return [named(place) for place in self.places]

    @cached_property
    def spots(self) -> list[Place]:
        """The places as they stand in answers."""
        return [Place(name, "" if (title := self.title(n)) == name else title) for n, name in enumerate(self._names)]

    def title(self, n: int) -> str:
        """A place as a player calls it: a point by its printed name, a hex where boards overlap by both its names."""
        place = self.places[n]
        return "=".join(self.map.names[place]) if isinstance(self.map, HexMap) else self.map.points[str(place)].name  # type: ignore[index]

    # Verdicts.

    def verdicts(self, key: Any) -> dict[Any, Any]:
        """The verdicts of a list for a kind of walker, to be filled."""
        if self.kept > MOST_KEPT:
            self.memo.clear()
            self.kept = 0
        self.kept += 1
        found = self.memo.get(key)
        if found is None:
            found = self.memo[key] = {}
        return found

    def look(self, what: Any) -> int:
        """The number of what is in a place; 0 is never given, it is an empty place."""
        found = self._looks.get(what)
        if found is None:
            if len(self._looks) > MOST_KEPT:
                self._looks.clear()
            self._numbered += 1
            found = self._looks[what] = self._numbered
        return found


class _OfPlace(dict[str, Any]):
    """What the map alone tells of a place, behind `to.`; and the pack's own values of it."""

    def __init__(self, kinds: Kinds, n: int) -> None:
        super().__init__()
        self.kinds, self.n = kinds, n

    def get(self, name: str, default: Any = None) -> Any:
        """The value of a name."""
        prefix, dot, rest = name.partition(".")
        if dot and prefix == "to":
            value = self.kinds.told(self.n, rest)
            return [{"kind": kind} for kind in value] if rest == "features" else value
        formula = self.kinds.program.values.get(name)
        return default if formula is None else formula.work(self, self.kinds.program.lookup, None)


def in_order(name: str) -> tuple[tuple[int, str], ...]:
    """What puts the names of places in the order of their boards, columns and rows: A-H-3, A-H-11, A-AA-1; 0102, 0201."""
    return tuple([(len(part), part) for part in name.split("-")])


def kinds_of(game: Game, scenario: str = "", map_id: str = "") -> Kinds | None:
    """A scenario's map (or the game's) as the rules see it; None where the pack has no map."""
    map = game.scenario_maps.get(scenario) or game.maps.get(map_id) or next(iter(game.maps.values()), None)
    return None if map is None else kinds_for(game, map, scenario)


def kinds_for(game: Game, map: HexMap | PointMap, scenario: str = "") -> Kinds:
    """A map as the rules of a game see it. Scenarios that name no regions of their own share what is worked out for it."""
    named = game.scenarios.get(scenario)
    program, key = program_of(game), (id(map), scenario if named and named.zones else "")
    if key not in program.kinds:
        if len(program.kinds) >= MOST_MAPS:
            program.kinds.clear()
        program.kinds[key] = Kinds(program, map, key[1])
    found: Kinds = program.kinds[key]
    return found


def program_of(game: Game) -> Program:
    """The rules of a game, ready."""
    return once(game, _program)


def _program(game: Game) -> Program:
    return Program(game, game.rules or Rules())
