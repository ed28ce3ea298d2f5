"""A position as the rules see it: fronts, protected hexes, zones of control, closed country."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from assistant.shared.zones import covered
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.hexes import Hex, distance, hexside, neighbours
from scenarios.maps import HexMap
from scenarios.position import Piece, Position
from scenarios.resolve import Resolver
from scenarios.tables import span

FRONTS = ("sinai", "eastern")
SIDES = ("israeli", "arab")
WATER = frozenset(("river", "suez_canal"))


@dataclass(frozen=True)
class Stand:
    """A unit in a hex."""

    unit: Unit
    piece: Piece
    hex: Hex

    @property
    def key(self) -> str:
        """The counter's id, with its number where there are several of it."""
        return self.unit.id if self.unit.count == 1 else f"{self.unit.id}/{self.piece.copy}"

    @property
    def name(self) -> str:
        """Its name, with its number where there are several of it."""
        return self.unit.name if self.unit.count == 1 else f"{self.unit.name} {self.piece.copy}"

    @property
    def side(self) -> str:
        """Israeli or Arab."""
        return self.unit.side

    @property
    def strength(self) -> Fraction:
        """Its printed combat strength (13.16)."""
        value = self.unit.factors["combat"]
        assert isinstance(value, Fraction)
        return value

    @property
    def static(self) -> bool:
        """Whether it never moves and dies when it has to retreat (19.2)."""
        return self.unit.class_ == "static"


@dataclass(frozen=True)
class Field:
    """The units on the map."""

    game: Game
    table: HexMap
    position: Position
    stands: tuple[Stand, ...]

    @staticmethod
    def of(game: Game, position: Position) -> Field:
        """The units of a position that are on the map."""
        table = game.scenario_maps.get(position.scenario) or next(iter(game.maps.values()))
        assert isinstance(table, HexMap)
        stands = tuple(
            Stand(game.units[piece.unit], piece, piece.at)
            for piece in position.pieces
            if piece.unit in game.units and isinstance(piece.at, Hex)
        )
        return Field(game, table, position, stands)

    def chart(self, row: str, column: str) -> str:
        """A cell of the Terrain Effects Chart."""
        chart = self.game.tables["terrain"]
        return chart.cell(row, chart.named_column(column)).code

    @cached_property
    def held(self) -> Mapping[str, Mapping[Hex, tuple[Stand, ...]]]:
        """Each side's units by hex."""
        found: dict[str, dict[Hex, tuple[Stand, ...]]] = {side: {} for side in SIDES}
        for stand in self.stands:
            found[stand.side][stand.hex] = (*found[stand.side].get(stand.hex, ()), stand)
        return found

    def front(self, hex: Hex) -> str:
        """The sector of a hex (5.2)."""
        return next((front for front in FRONTS if hex in self.table.zones[f"{front}_sector"]), "")

    @cached_property
    def _israel(self) -> frozenset[Hex]:
        return self.table.zones["israel"]

    def protects(self, hex: Hex, side: str) -> bool:
        """Whether a hex keeps enemy zones out and lets its own side ignore retreats (12.1, 14.5)."""
        kind = self.table.terrain[hex]
        if self.chart(kind, "ignores_retreat") != "yes":
            return False
        return side == "israeli" if kind == "kibbutz" else (hex in self._israel) == (side == "israeli")

    @cached_property
    def zones(self) -> Mapping[str, Mapping[Hex, tuple[Stand, ...]]]:
        """Each side's zones of control: not over the front boundary, not into the enemy's works, none of a neutral's (12.1)."""
        return {
            side: covered(
                self.table,
                ((s, s.hex) for s in self.stands if s.side == side and "neutral" not in s.piece.states),
                lambda s, a, b: self.front(a) == self.front(b) and not self.protects(b, other(s.side)),
            )
            for side in SIDES
        }

    def closed(self, side: str) -> frozenset[Hex]:
        """The hexes that ground units of a side may not enter now (25.1, 25.2, 25.4)."""
        scenario = self.game.scenarios.get(self.position.scenario)
        found: set[Hex] = set()
        at_war = not any("neutral" in s.piece.states for s in self.stands)
        for special in scenario.special if scenario else ():
            for effect in special.effects:
                if effect.at is None or effect.effect not in ("closed_area", "neutral_country", "closed_to_ground"):
                    continue
                if effect.effect == "neutral_country" and at_war:
                    continue
                if effect.side and effect.side != side:
                    continue
                if effect.turns and not span(effect.turns).holds(Fraction(self.position.turn)):
                    continue
                assert scenario is not None
                places = Resolver(self.table, dict(scenario.zones)).places(effect.at)
                found |= {hex for hex in places if isinstance(hex, Hex)}
        return frozenset(found)

    def enterable(self, hex: Hex) -> bool:
        """Whether anybody enters such ground."""
        return self.chart(self.table.terrain[hex], "cost") != "no"

    def bridged(self, a: Hex, b: Hex) -> bool:
        """Whether a step crosses no river, or crosses it by a road (10.14)."""
        side = hexside(a, b)
        wet = self.table.hexsides.get(side, frozenset()) & WATER
        return not wet or "road" in self.table.path_sides.get(side, frozenset())

    def may_retreat(self, stand: Stand, a: Hex, b: Hex, closed: frozenset[Hex]) -> bool:
        """Whether a retreating unit may go from a to its neighbour b (5.4, 12.1, 14.2)."""
        foe = other(stand.side)
        return (
            b in self.table
            and self.enterable(b)
            and self.front(b) == self.front(stand.hex)
            and b not in closed
            and b not in self.held[foe]
            and b not in self.zones[foe]
            and self.bridged(a, b)
        )

    def retreats(self, stand: Stand, hexes: int) -> frozenset[Hex]:
        """Where a unit may end a retreat of so many hexes: that far from where it fought, or in works on the way (14.2, 14.5)."""
        if stand.static:
            return frozenset()
        closed = self.closed(stand.side)
        reached, havens = {stand.hex}, set[Hex]()
        for step in range(1, hexes + 1):
            reached = {
                near
                for hex in reached
                for near in neighbours(hex)
                if distance(stand.hex, near) == step and self.may_retreat(stand, hex, near, closed)
            }
            havens |= {hex for hex in reached if step < hexes and self.protects(hex, stand.side)}
        return frozenset(reached | havens)


def other(side: str) -> str:
    """The enemy of a side."""
    return SIDES[1 - SIDES.index(side)]
