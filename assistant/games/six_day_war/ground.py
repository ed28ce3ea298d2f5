"""The ground of June 1967: sectors, works, land and water. It never changes, so keep one for many positions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from assistant.shared.stands import hex_map
from scenarios.game import Game
from scenarios.hexes import Hex, hexside
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
    def land(self) -> frozenset[Hex]:
        """The hexes that anybody can enter."""
        kinds = {kind for kind in set(self.table.terrain.values()) if self.chart(kind, "cost") != "no"}
        return frozenset(hex for hex in self.table.hexes if self.table.terrain[hex] in kinds)

    @cached_property
    def works(self) -> frozenset[Hex]:
        """The hexes that protect their own side (12.1, 14.5)."""
        kinds = {kind for kind in set(self.table.terrain.values()) if self.chart(kind, "ignores_retreat") == "yes"}
        return frozenset(hex for hex in self.table.hexes if self.table.terrain[hex] in kinds)

    @cached_property
    def fronts(self) -> dict[Hex, str]:
        """The sector of each hex (5.2)."""
        return {hex: front for front in FRONTS for hex in self.table.zones[f"{front}_sector"]}

    @cached_property
    def israel(self) -> frozenset[Hex]:
        """The hexes of Israel."""
        return self.table.zones["israel"]

    def protects(self, hex: Hex, side: str) -> bool:
        """Whether a hex keeps enemy zones out and lets its own side ignore retreats (12.1, 14.5)."""
        if hex not in self.works:
            return False
        if self.table.terrain[hex] == "kibbutz":
            return side == "israeli"
        return (hex in self.israel) == (side == "israeli")

    def bridged(self, a: Hex, b: Hex) -> bool:
        """Whether a step crosses no river, or crosses it by a road (10.14)."""
        side = hexside(a, b)
        wet = self.table.hexsides.get(side, frozenset()) & WATER
        return not wet or "road" in self.table.path_sides.get(side, frozenset())
