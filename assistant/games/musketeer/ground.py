"""The ground of Operation Musketeer: what the map alone tells, worked out once for each map."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import lcm
from typing import NamedTuple, TypeVar

from assistant.games.musketeer.contingents import contingent
from scenarios.areas import Area
from scenarios.game import Game
from scenarios.hexes import Hex, distance, hexside, neighbours
from scenarios.maps import HexMap
from scenarios.resolve import Resolver
from scenarios.same import Same

WAYS = ("road", "track")
WATERS = frozenset(("suez_canal", "river"))  # 24.2: what engineers cross for nothing; 16.4 f, 17.3 e
SEA = "sea"
Key = TypeVar("Key")
Value = TypeVar("Value")


class Lazy(dict[Key, Value]):
    """A mapping that works out each value when it is first asked for."""

    def __init__(self, make: Callable[[Key], Value]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: Key) -> Value:
        value = self[key] = self._make(key)
        return value


class Step(NamedTuple):
    """A step into a neighbouring hex, with prices in parts of a movement point."""

    hex: Hex
    terrain: int | None
    """The dearest terrain of the hex; None where no ground unit enters (9.4, 9.9)."""
    sides: Mapping[str, int]
    """The hexsides crossed that cost something."""
    ways: tuple[str, ...]
    wet: bool
    """Over the canal or a river."""


@dataclass(frozen=True, eq=False)
class Ground:
    """A map, seen by ground units."""

    game: Game
    table: HexMap

    @cached_property
    def prices(self) -> Mapping[str, Fraction]:
        """What each kind of terrain, hexside and way costs; nothing for what nobody enters (9.7 to 9.10)."""
        chart = self.game.tables["terrain"]
        column = chart.named_column("move")
        codes = {kind: chart.cell(kind, column).code for kind in chart.cells}
        return {kind: Fraction(code) for kind, code in codes.items() if code != "no"}

    @cached_property
    def parts(self) -> int:
        """Into how many parts a movement point is divided, so that every price is a whole number of them."""
        return lcm(*(price.denominator for price in self.prices.values()))

    def price(self, kind: str) -> int:
        """A price in parts of a movement point."""
        return int(self.prices[kind] * self.parts)

    @cached_property
    def costs(self) -> Mapping[Hex, int | None]:
        """The dearest terrain of each hex (9.9), in parts of a point; None where no ground unit enters (9.4)."""
        known = self.game.tables["terrain"].cells

        def cost(hex: Hex) -> int | None:
            kinds = [kind for kind in self.kinds(hex) if kind in known]
            return max(map(self.price, kinds)) if all(kind in self.prices for kind in kinds) else None

        return Lazy(cost)

    @cached_property
    def sites(self) -> Mapping[Hex, frozenset[str]]:
        """The kinds of the places in a hex: a city, a port, an airbase."""
        found: dict[Hex, frozenset[str]] = {}
        for place in self.table.places.values():
            for hex in place.hexes:
                found[hex] = found.get(hex, frozenset()) | {place.kind}
        return found

    def kinds(self, hex: Hex) -> frozenset[str]:
        """The terrain of a hex and its places."""
        return self.sites.get(hex, frozenset()) | {self.table.terrain[hex]}

    @cached_property
    def near(self) -> Mapping[Hex, tuple[Hex, ...]]:
        """The neighbours of a hex that are on the map."""
        names = self.table.names
        return Lazy(lambda hex: tuple([near for near in neighbours(hex) if near in names]))

    @cached_property
    def steps(self) -> Mapping[Hex, tuple[Step, ...]]:
        """The steps out of a hex, by direction."""
        return Lazy(lambda hex: tuple([self._step(hex, near) for near in self.near[hex]]))

    def _step(self, a: Hex, b: Hex) -> Step:
        side = hexside(a, b)
        kinds = self.table.hexsides.get(side, frozenset())
        paths = self.table.path_sides.get(side, frozenset())
        sides = {kind: self.price(kind) for kind in sorted(kinds) if kind in self.prices}
        return Step(b, self.costs[b], sides, tuple(way for way in WAYS if way in paths), bool(kinds & WATERS))

    @cached_property
    def dry(self) -> Mapping[Hex, tuple[Hex, ...]]:
        """The neighbours of a hex that are not all sea: where a line of support goes (21.7)."""
        terrain = self.table.terrain
        return Lazy(lambda hex: tuple([near for near in self.near[hex] if terrain[near] != SEA]))

    @cached_property
    def along(self) -> Mapping[Hex, tuple[Hex, ...]]:
        """The neighbours along a road or track, not all sea (21.6)."""
        terrain = self.table.terrain
        return Lazy(lambda hex: tuple([step.hex for step in self.steps[hex] if step.ways and terrain[step.hex] != SEA]))

    @cached_property
    def far(self) -> Mapping[Hex, Mapping[Hex, int]]:
        """How far each hex is from a goal."""
        return Lazy(lambda goal: Lazy(lambda hex: distance(hex, goal)))

    @cached_property
    def open(self) -> Mapping[str, frozenset[Hex]]:
        """The hexes that politics leave a nation's units (28.1)."""
        return Lazy(self._open)

    def _open(self, nation: str) -> frozenset[Hex]:
        name, scenario = next(iter(self.game.scenarios.items()))
        found = self.table.field
        for effect in (effect for special in scenario.special for effect in special.effects):
            if effect.nation != nation or effect.at is None or effect.effect not in ("keep_to", "keep_out"):
                continue
            area = self.area(name, effect.at)
            found = found & area if effect.effect == "keep_to" else found - area
        return found

    def area(self, scenario: str, area: Area) -> frozenset[Hex]:
        """The hexes of an area of a scenario."""
        return self._areas[scenario, Same(area)]

    @cached_property
    def _areas(self) -> Mapping[tuple[str, Same[Area]], frozenset[Hex]]:
        def hexes(key: tuple[str, Same[Area]]) -> frozenset[Hex]:
            resolver = Resolver(self.table, dict(self.game.scenarios[key[0]].zones))
            return frozenset(hex for hex in resolver.places(key[1].value) if isinstance(hex, Hex))

        return Lazy(hexes)

    @cached_property
    def airdropped(self) -> Mapping[str, frozenset[str]]:
        """The air supply markers, each with the contingents that have one at the start (26.2)."""
        found: dict[str, frozenset[str]] = {}
        for force in next(iter(self.game.scenarios.values())).forces.values():
            for group in force.groups:
                for marker in group.markers:
                    if self.game.markers[marker].rule == "26.2":
                        found[marker] = found.get(marker, frozenset()) | {contingent(group.nation)}
        return found

    @cached_property
    def reach(self) -> int:
        """The longest movement factor there is."""
        factors = [unit.factors.get("movement") for unit in self.game.units.values()]
        return max((int(factor) for factor in factors if isinstance(factor, Fraction)), default=0)

    @cached_property
    def havens(self) -> frozenset[Hex]:
        """The cities and airbases of Egypt (16.3 a)."""
        egypt = self.table.zones["egypt"]
        return frozenset(
            hex for hex in egypt if self.table.terrain[hex] == "city" or "airbase" in self.sites.get(hex, ())
        )

    @cached_property
    def haven_bits(self) -> Mapping[Hex, int]:
        """A bit for each haven."""
        return {hex: 1 << number for number, hex in enumerate(sorted(self.havens))}

    @cached_property
    def nearer(self) -> Mapping[tuple[Hex, Hex], int]:
        """The bits of the havens that a step brings nearer."""

        def bits(step: tuple[Hex, Hex]) -> int:
            here, there = map(self._spans.__getitem__, step)
            return sum(1 << number for number, far in enumerate(there) if far < here[number])

        return Lazy(bits)

    @cached_property
    def _spans(self) -> Mapping[Hex, tuple[int, ...]]:
        """How far each haven is from a hex."""
        havens = sorted(self.havens)
        return Lazy(lambda hex: tuple([distance(hex, haven) for haven in havens]))

    @cached_property
    def forts(self) -> frozenset[Hex]:
        """The hexes with a fortification."""
        return frozenset(hex for hex, kind in self.table.terrain.items() if kind == "fortification")

    @cached_property
    def east(self) -> frozenset[Hex]:
        """East of the Suez Canal (16.3)."""
        return self.table.zones["sinai"] | self.table.zones["israel"]

    @cached_property
    def to_south(self) -> Mapping[Hex, int]:
        """How far the south map edge in Egypt is (16.3 b)."""
        return self._nearest(self.table.edge("south") & self.table.zones["egypt"])

    @cached_property
    def to_canal(self) -> Mapping[Hex, int]:
        """How far the west bank of the Suez Canal is (16.3 c)."""
        canal = [side for side, kinds in self.table.hexsides.items() if "suez_canal" in kinds]
        return self._nearest(frozenset(hex for side in canal for hex in (side.a, side.b)) - self.east)

    def _nearest(self, goals: frozenset[Hex]) -> Mapping[Hex, int]:
        return Lazy(lambda hex: min((distance(hex, goal) for goal in goals), default=0))


@lru_cache(maxsize=8)
def ground_of(game: Same[Game], table: Same[HexMap]) -> Ground:
    """The ground of a map; the same for the same map."""
    return Ground(game.value, table.value)
