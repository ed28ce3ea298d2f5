"""The ground of June 1967: sectors, works, land and water. It never changes, so keep one for many positions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from assistant.shared.stands import hex_map
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.maps import HexMap

FRONTS = ("sinai", "eastern")
WATER = frozenset(("river", "suez_canal"))


@dataclass(frozen=True)
class Ground:
    """The map with the terrain chart."""

    game: Game
    table: HexMap

    @staticmethod
    def of(game: Game, scenario: str = "") -> Ground:
        """The ground of a scenario, or of the game's own map."""
        return Ground(game, hex_map(game, scenario))

    def chart(self, row: str, column: str) -> str:
        """A cell of the Terrain Effects Chart."""
        chart = self.game.tables["terrain"]
        return chart.cell(row, chart.named_column(column)).code

    @cached_property
    def _dry(self) -> frozenset[str]:
        return frozenset(kind for kind in self.game.terrain if self.chart(kind, "cost") != "no")

    def enterable(self, hex: Hex) -> bool:
        """Whether a hex is on the map and anybody can enter it."""
        return self.table.terrain.get(hex) in self._dry

    def front(self, hex: Hex) -> str:
        """The sector of a hex (5.2)."""
        for front, sector in self._sectors.items():
            if hex in sector:
                return front
        return ""

    @cached_property
    def _sectors(self) -> dict[str, frozenset[Hex]]:
        return {front: self.table.zones[f"{front}_sector"] for front in FRONTS}

    @cached_property
    def israel(self) -> frozenset[Hex]:
        """The hexes of Israel."""
        return self.table.zones["israel"]

    def protects(self, hex: Hex, side: str) -> bool:
        """Whether a hex keeps enemy zones out and lets its own side ignore retreats (12.1, 14.5)."""
        kind = self.table.terrain.get(hex)
        if kind not in self._works:
            return False
        return side == "israeli" if kind == "kibbutz" else (hex in self.israel) == (side == "israeli")

    @cached_property
    def _works(self) -> frozenset[str]:
        return frozenset(kind for kind in self.game.terrain if self.chart(kind, "ignores_retreat") == "yes")

    @cached_property
    def _fords(self) -> frozenset[tuple[Hex, Hex]]:
        """Steps over water without a road, both ways."""
        paths = self.table.path_sides
        wet = [side for side, kinds in self.table.hexsides.items() if kinds & WATER and "road" not in paths.get(side, ())]
        return frozenset(step for side in wet for step in ((side.a, side.b), (side.b, side.a)))

    def bridged(self, a: Hex, b: Hex) -> bool:
        """Whether a step crosses no river, or crosses it by a road (10.14)."""
        return (a, b) not in self._fords
