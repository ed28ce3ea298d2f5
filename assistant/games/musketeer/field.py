"""A position of Operation Musketeer on its map: who is where, whose zones of control, what ground costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from assistant.shared.strengths import needed
from assistant.shared.zones import covered
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.maps import HexMap
from scenarios.position import Piece, Position
from scenarios.resolve import Resolver

GROUND = ("mechanized", "foot", "static")
NO_ZONE = frozenset(("disrupted", "direct_assault"))  # 13.1, 29.5


def movement_of(game: Game, unit: Unit, disrupted: bool) -> int:
    """The movement factor of a unit, of its back if it is disrupted; also the length of its line of support (9.1, 21.5)."""
    if disrupted and unit.back is not None:
        return int(str(unit.back["movement"]))
    return int(needed(game, unit, "movement"))


@dataclass(frozen=True)
class Field:
    """The ground units of a position. `more` are hexes where a side is thought of as standing, zone of control and all."""

    game: Game
    table: HexMap
    position: Position
    more: Mapping[Hex, str] = field(default_factory=dict)

    @cached_property
    def units(self) -> tuple[tuple[Piece, Unit, Hex], ...]:
        """The ground units on the map."""
        return tuple(
            (piece, self.game.units[piece.unit], piece.at)
            for piece in self.position.pieces
            if isinstance(piece.at, Hex) and piece.unit in self.game.units
            if self.game.units[piece.unit].class_ in GROUND and self.more.get(piece.at) is None
        )

    @cached_property
    def enemies(self) -> Mapping[str, frozenset[Hex]]:
        """For each side the hexes with enemy ground units."""
        held = [(unit.side, hex) for _, unit, hex in self.units] + [(side, hex) for hex, side in self.more.items()]
        return {side: frozenset(hex for whose, hex in held if whose != side) for side in self.game.sides}

    @cached_property
    def zones(self) -> Mapping[str, frozenset[Hex]]:
        """For each side the hexes in enemy zones of control (13.0)."""
        held = [(unit.side, hex) for piece, unit, hex in self.units if not piece.states & NO_ZONE]
        held += [(side, hex) for hex, side in self.more.items()]
        return {
            side: frozenset(covered(self.table, [one for one in held if one[0] != side])) for side in self.game.sides
        }

    def open_to(self, nation: str) -> frozenset[Hex]:
        """The hexes that politics leave a nation's units (28.1)."""
        if nation not in self._open:
            scenario = next(iter(self.game.scenarios.values()))
            resolver = Resolver(self.table, dict(scenario.zones))
            found = self.table.field
            for effect in (effect for special in scenario.special for effect in special.effects):
                if effect.nation != nation or effect.at is None or effect.effect not in ("keep_to", "keep_out"):
                    continue
                area = frozenset(h for h in resolver.places(effect.at) if isinstance(h, Hex))
                found = found & area if effect.effect == "keep_to" else found - area
            self._open[nation] = found
        return self._open[nation]

    @cached_property
    def _open(self) -> dict[str, frozenset[Hex]]:
        return {}

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

    def entry_cost(self, hex: Hex) -> Fraction | None:
        """The dearest terrain of a hex (9.9); None where no ground unit enters (9.4)."""
        if hex not in self._costs:
            chart = self.game.tables["terrain"]
            column = chart.named_column("move")
            codes = [chart.cell(kind, column).code for kind in self.kinds(hex) if kind in chart.cells]
            self._costs[hex] = None if "no" in codes else max(Fraction(code) for code in codes)
        return self._costs[hex]

    @cached_property
    def _costs(self) -> dict[Hex, Fraction | None]:
        return {}
