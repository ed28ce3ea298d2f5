"""The ground of June 1967: sectors, works, land and water. It never changes, so one is kept for all positions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

from assistant.shared.stands import hex_map
from scenarios.areas import Area
from scenarios.game import Game
from scenarios.hexes import Hex, neighbours
from scenarios.maps import HexMap
from scenarios.resolve import Location, Resolver
from scenarios.same import Same
from scenarios.scenario import Effect
from scenarios.tables import span

SIDES = ("israeli", "arab")
FRONTS = ("sinai", "eastern")
WATER = frozenset(("river", "suez_canal"))
CLOSED = ("closed_area", "neutral_country", "closed_to_ground")


@dataclass(frozen=True, eq=False)
class Ground:
    """The map with the terrain chart and a scenario's special rules. What is looked up on the way is remembered."""

    game: Game
    table: HexMap
    scenario: str

    @staticmethod
    def of(game: Game, scenario: str = "") -> Ground:
        """The ground of a scenario, or of the game's own map."""
        return _ground(Same(game), scenario)

    def chart(self, row: str, column: str) -> str:
        """A cell of the Terrain Effects Chart."""
        return self.game.tables["terrain"].looked_up(row, column)

    def limit(self, name: str) -> str:
        """A number or a die of the rules, from the table of limits."""
        return self.game.tables["limits"].cell(name, 0).code

    @cached_property
    def static_stack(self) -> int:
        """How many static units may share a hex (11.2, 11.3)."""
        return int(self.limit("static_stack"))

    @cached_property
    def land(self) -> frozenset[Hex]:
        """The hexes that anybody can enter."""
        dry = frozenset(kind for kind in self.game.terrain if self.chart(kind, "cost") != "no")
        return frozenset(hex for hex, kind in self.table.terrain.items() if kind in dry)

    def enterable(self, hex: Hex) -> bool:
        """Whether a hex is on the map and anybody can enter it."""
        return hex in self.land

    def front(self, hex: Hex) -> str:
        """The sector of a hex (5.2)."""
        return self._fronts.get(hex, "")

    @cached_property
    def _fronts(self) -> Mapping[Hex, str]:
        return {hex: front for front in reversed(FRONTS) for hex in self.table.zones[f"{front}_sector"]}

    @property
    def israel(self) -> frozenset[Hex]:
        """The hexes of Israel."""
        return self.table.zones["israel"]

    def protects(self, hex: Hex, side: str) -> bool:
        """Whether a hex keeps enemy zones out and lets its own side ignore retreats (12.1, 14.5)."""
        return hex in self._works[side]

    @cached_property
    def _works(self) -> Mapping[str, frozenset[Hex]]:
        kinds = frozenset(kind for kind in self.game.terrain if self.chart(kind, "ignores_retreat") == "yes")
        strong = {hex: kind for hex, kind in self.table.terrain.items() if kind in kinds}
        ours = frozenset(hex for hex, kind in strong.items() if kind == "kibbutz" or hex in self.israel)
        return {"israeli": ours, "arab": frozenset(strong) - ours}

    @cached_property
    def _fords(self) -> frozenset[tuple[Hex, Hex]]:
        """Steps over water without a road, both ways."""
        paths = self.table.path_sides
        wet = [side for side, kinds in self.table.hexsides.items() if kinds & WATER and "road" not in paths.get(side, ())]
        return frozenset(step for side in wet for step in ((side.a, side.b), (side.b, side.a)))

    def bridged(self, a: Hex, b: Hex) -> bool:
        """Whether a step crosses no river, or crosses it by a road (10.14)."""
        return (a, b) not in self._fords

    def watched_from(self, hex: Hex, side: str) -> tuple[Hex, ...]:
        """Where the zone of a unit of a side goes: not over the front boundary, not into the enemy's works (12.1)."""
        if (hex, side) not in self._watched:
            front, works = self.front(hex), self._works[SIDES[1 - SIDES.index(side)]]
            around = (n for n in neighbours(hex) if n in self.table.names)
            self._watched[hex, side] = tuple(n for n in around if self.front(n) == front and n not in works)
        return self._watched[hex, side]

    @cached_property
    def _watched(self) -> dict[tuple[Hex, str], tuple[Hex, ...]]:
        return {}

    def ways_out(self, hex: Hex) -> tuple[Hex, ...]:
        """Where the land lets a unit retreat to: not over the front boundary, nor a river without a bridge (14.2)."""
        if hex not in self._ways_out:
            front = self.front(hex)
            around = (n for n in neighbours(hex) if n in self.land)
            self._ways_out[hex] = tuple(n for n in around if self.front(n) == front and self.bridged(hex, n))
        return self._ways_out[hex]

    @cached_property
    def _ways_out(self) -> dict[Hex, tuple[Hex, ...]]:
        return {}

    def places(self, area: Area) -> tuple[Location, ...]:
        """The places that an area of the scenario stands for, in order."""
        key = Same(area)
        if key not in self._places:
            scenario = self.game.scenarios.get(self.scenario)
            found = Resolver(self.table, dict(scenario.zones) if scenario else {}).places(area)
            self._places[key] = tuple(sorted(found, key=str))
        return self._places[key]

    @cached_property
    def _places(self) -> dict[Same[Area], tuple[Location, ...]]:
        return {}

    def effects(self, turn: int) -> Mapping[str, tuple[Effect, ...]]:
        """What the scenario's special rules change on a turn, by kind."""
        if turn not in self._effects:
            scenario = self.game.scenarios.get(self.scenario)
            found: dict[str, tuple[Effect, ...]] = {}
            for special in scenario.special if scenario else ():
                for effect in special.effects:
                    if not effect.turns or span(effect.turns).holds(Fraction(turn)):
                        found[effect.effect] = (*found.get(effect.effect, ()), effect)
            self._effects[turn] = found
        return self._effects[turn]

    @cached_property
    def _effects(self) -> dict[int, Mapping[str, tuple[Effect, ...]]]:
        return {}

    @cached_property
    def neutrals(self) -> frozenset[str]:
        """The units of countries that start as neutrals (25.2)."""
        scenario = self.game.scenarios.get(self.scenario)
        effects = (effect for special in scenario.special for effect in special.effects) if scenario else ()
        return frozenset(unit for effect in effects if effect.effect == "neutral_country" for unit in effect.units)

    def closed(self, turn: int, at_war: frozenset[str]) -> Mapping[str, Mapping[Hex, Effect]]:
        """The hexes that ground units of each side may not enter on a turn, and what closes them (25.1, 25.2, 25.4).

        `at_war` are units of neutral countries that are neutral no longer.
        """
        if (turn, at_war) not in self._closed:
            found: dict[str, dict[Hex, Effect]] = {side: {} for side in SIDES}
            for effect in (e for kind in CLOSED for e in self.effects(turn).get(kind, ())):
                if effect.at is None or (effect.effect == "neutral_country" and at_war.intersection(effect.units)):
                    continue
                hexes = [hex for hex in self.places(effect.at) if isinstance(hex, Hex)]
                for side in SIDES if not effect.side else (effect.side,):
                    found[side] |= dict.fromkeys(hexes, effect)
            self._closed[turn, at_war] = found
        return self._closed[turn, at_war]

    @cached_property
    def _closed(self) -> dict[tuple[int, frozenset[str]], Mapping[str, Mapping[Hex, Effect]]]:
        return {}

    def rule_of(self, effect: Effect) -> str:
        """The rule that an effect of the scenario comes from."""
        scenario = self.game.scenarios.get(self.scenario)
        return next((one.rule for one in scenario.special if any(e is effect for e in one.effects)), "") if scenario else ""


@lru_cache(maxsize=8)
def _ground(game: Same[Game], scenario: str) -> Ground:
    return Ground(game.value, hex_map(game.value, scenario), scenario)
