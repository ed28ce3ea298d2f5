"""The ground of the Suez front: what a step costs whom, and where a bridge can lie."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Literal

from assistant.rules.kinds import Kinds, kinds_for
from assistant.shared.hexpaths import Net, hex_net
from assistant.shared.stands import hex_map
from scenarios.game import Game
from scenarios.hexes import Hex, Hexside, disk, hexside, neighbours
from scenarios.maps import HexMap
from scenarios.reading.shapes import number
from scenarios.same import Same

Class = Literal["infantry", "mechanized"]
ROADS = frozenset(("road", "pcb_road"))
CANAL = frozenset(("suez_canal", "suez_canal_no_bridge"))
MINOR = frozenset(("minor_canal", "river"))


@dataclass(frozen=True, eq=False)
class Ground:
    """The map with the terrain chart. Building nets takes a moment, so the last few are remembered for other questions."""

    game: Game
    table: HexMap

    @staticmethod
    def of(game: Game, scenario: str = "") -> Ground:
        """The ground of a scenario, or of the game's own map."""
        return _remembered(Same(game), Same(hex_map(game, scenario)))

    def chart(self, row: str, column: str) -> str:
        """A cell of the Terrain Effects Chart; NE takes the ground beneath."""
        chart = self.game.tables["terrain"]
        cell = chart.cell(row, chart.named_column(column)).code
        return self.chart(self.table.plain, column) if cell == "NE" else cell

    @cached_property
    def kinds(self) -> Kinds:
        """The map as the pack's own rules see it."""
        return kinds_for(self.game, self.table)

    def limit(self, name: str) -> Fraction:
        """A number of the rules, from the table of limits."""
        return number(self.game.tables["limits"].cell(name, 0).code)

    def reading(self, ruling: str) -> str:
        """The reading of a ruling that is played: the pack's, or the user's by an overlay."""
        return self.game.rulings[ruling].choice

    @cached_property
    def most_steps(self) -> int:
        """How many steps a hex holds (1.3)."""
        return int(self.limit("stack_steps"))

    @cached_property
    def _entering(self) -> dict[tuple[str, str], Fraction | None]:
        """What entering each terrain costs each class off the road; None where it can't or takes the whole allowance."""
        kinds = {*self.table.terrain.values(), "road", "pcb_road"}
        return {
            (kind, who): None if (cell := self.chart(kind, who)) in ("P", "all") else number(cell)
            for kind in kinds
            for who in ("infantry", "mechanized")
        }

    def takes_all(self, b: Hex, who: Class) -> bool:
        """Whether entering a hex off the road takes the whole allowance (swamp for infantry, 1.4a)."""
        return self.chart(self.table.terrain[b], who) == "all"

    def off_road(self, b: Hex, who: Class) -> Fraction | None:
        """What entering a hex costs without its road (Terrain Effects Chart)."""
        return self._entering[self.table.terrain[b], who]

    def by_road(self, a: Hex, b: Hex) -> bool:
        """Whether a road leads over the hexside, the Suez Canal excepted (1.13d)."""
        return (a, b) in self._along_roads

    @cached_property
    def _along_roads(self) -> frozenset[tuple[Hex, Hex]]:
        """Neighbours with a road between them that carries its traffic, both ways round."""
        sides = [side for side, kinds in self.table.path_sides.items() if kinds & ROADS]
        pairs = frozenset(pair for side in sides for pair in ((side.a, side.b), (side.b, side.a)))
        return pairs - self._over_the_canal

    def near(self, hex: Hex) -> tuple[Hex, ...]:
        """The neighbours of a hex that are on the map."""
        if hex not in self._near:
            self._near[hex] = tuple(near for near in neighbours(hex) if near in self.table)
        return self._near[hex]

    def within(self, hex: Hex, far: int) -> frozenset[Hex]:
        """The hexes of the map up to so far from a hex."""
        key = hex, far
        if key not in self._within:
            self._within[key] = self.table.field & frozenset(disk(hex, far))
        return self._within[key]

    @cached_property
    def _within(self) -> dict[tuple[Hex, int], frozenset[Hex]]:
        return {}

    @cached_property
    def _near(self) -> dict[Hex, tuple[Hex, ...]]:
        return {}

    def canal_between(self, a: Hex, b: Hex) -> bool:
        """Whether the Suez Canal runs between two neighbours."""
        return (a, b) in self._over_the_canal

    @cached_property
    def _over_the_canal(self) -> frozenset[tuple[Hex, Hex]]:
        """Neighbours with the Suez Canal between them, both ways round."""
        sides = [side for side, kinds in self.table.hexsides.items() if kinds & CANAL]
        return frozenset(pair for side in sides for pair in ((side.a, side.b), (side.b, side.a)))

    def cost(self, a: Hex, b: Hex, who: Class) -> Fraction | None:
        """What a step from a to its neighbour b costs, None where it can't be paid in points (Terrain Effects Chart).

        A road carries its traffic over a minor canal (ruling roads_over_canals). The Suez Canal needs a bridge.
        """
        side = hexside(a, b)
        kinds = self.table.hexsides.get(side, frozenset())
        if kinds & CANAL or self.table.terrain[b] in ("sea", "lake"):
            return None
        if self.by_road(a, b):
            road = min(ROADS & self.table.path_sides[side])
            return self._entering[road, who]
        ground = self.off_road(b, who)
        return None if ground is None else ground + sum(self._extra(kind, who) for kind in kinds & MINOR)

    def _extra(self, kind: str, who: Class) -> Fraction:
        return number(self.chart("minor_canal" if kind == "river" else kind, who).lstrip("+"))

    def bridged_cost(self, b: Hex, who: Class) -> Fraction | None:
        """What crossing a bridge into b costs: the ground beyond without its road (1.13d, 1.14)."""
        return self.off_road(b, who)

    @cached_property
    def mechanized(self) -> Net[Hex]:
        """The net of mechanized units, which supply traces use too (ruling trace_costs), without bridges."""
        return hex_net(self.table, lambda a, b: self.cost(a, b, "mechanized"))

    @cached_property
    def beside(self) -> tuple[frozenset[int], ...]:
        """The numbers of the hexes around each hex of a net, across water or not."""
        numbers = self.mechanized.numbers
        return tuple(frozenset(numbers[n] for n in neighbours(hex) if n in numbers) for hex in self.mechanized.places)

    def net(self, bridges: Iterable[Hexside] = ()) -> Net[Hex]:
        """The net of mechanized units with bridges on these hexsides."""
        steps = [
            (a, b, cost)
            for side in bridges
            for a, b in ((side.a, side.b), (side.b, side.a))
            if (cost := self.bridged_cost(b, "mechanized")) is not None
        ]
        return self.mechanized.with_steps(steps)

    def around(self, a: Hex, who: Class) -> tuple[tuple[Hex, ...], tuple[Hex, ...]]:
        """The neighbours that such a unit could ever enter, and those that it could by a bridge over the canal (1.4a, 1.13)."""
        key = a, who
        if key not in self._around:
            near = [b for b in neighbours(a) if b in self.table and self.table.terrain[b] not in ("sea", "lake")]
            fit = [b for b in near if who == "infantry" or self.by_road(a, b) or self.off_road(b, who) is not None]
            over = tuple(b for b in fit if who == "mechanized" and self.canal_between(a, b))
            self._around[key] = tuple(b for b in fit if b not in over), over
        return self._around[key]

    @cached_property
    def _around(self) -> dict[tuple[Hex, Class], tuple[tuple[Hex, ...], tuple[Hex, ...]]]:
        return {}

    def bridge_side(self, hex: Hex) -> Hexside | None:
        """The hexside that a bridge standing in a hex lies on: straight east or west, over the canal first (1.14c)."""
        ahead = [near for near in (Hex(hex.q, hex.r - 1), Hex(hex.q, hex.r + 1)) if near in self.table.names]
        for wanted in (CANAL, MINOR):
            for near in ahead:
                if self.table.hexsides.get(hexside(hex, near), frozenset()) & wanted:
                    return hexside(hex, near)
        return None

    @cached_property
    def west(self) -> frozenset[Hex]:
        """The hexes west of the Suez Canal."""
        return self.table.zones["west_of_canal"]

    @cached_property
    def east(self) -> frozenset[Hex]:
        """The hexes east of the Suez Canal."""
        return self.table.zones["east_of_canal"]

    @cached_property
    def east_numbers(self) -> frozenset[int]:
        """The numbers of the hexes east of the Suez Canal."""
        return frozenset(self.mechanized.numbers[hex] for hex in self.east)


@lru_cache(maxsize=8)
def _remembered(game: Same[Game], table: Same[HexMap]) -> Ground:
    return Ground(game.value, table.value)
