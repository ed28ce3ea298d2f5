"""A position as the rules see it: fronts, protected hexes, zones of control, closed country."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from assistant.games.six_day_war.ground import Ground
from assistant.games.six_day_war.marks import controlled, disintegrated
from assistant.shared import specials
from assistant.shared.stands import InHex
from assistant.shared.strengths import needed
from assistant.shared.zones import covered
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.maps import HexMap
from scenarios.position import Position
from scenarios.reading.shapes import number
from scenarios.resolve import Resolver
from scenarios.scenario import Effect

SIDES = ("israeli", "arab")
CLOSED = ("closed_area", "neutral_country", "closed_to_ground")


class Stand(InHex):
    """A unit in a hex."""

    @property
    def side(self) -> str:
        """Israeli or Arab."""
        return self.unit.side

    @property
    def static(self) -> bool:
        """Whether it never moves and dies when it has to retreat (19.2)."""
        return self.unit.class_ == "static"

    @property
    def contingent(self) -> str:
        """Whom it moves and stacks with (2.14)."""
        return str(self.unit.factors.get("contingent", ""))


@dataclass(frozen=True)
class Field:
    """The units on the map."""

    ground: Ground
    position: Position
    stands: tuple[Stand, ...]

    @staticmethod
    def of(
        game: Game, position: Position, assumed: frozenset[tuple[str, str]] = frozenset(), ground: Ground | None = None
    ) -> Field:
        """The units of a position that are on the map; `assumed` are those whose hex is our choice."""
        stands = tuple(
            Stand(game.units[piece.unit], piece, piece.at, (piece.unit, piece.copy) in assumed)
            for piece in position.pieces
            if piece.unit in game.units and isinstance(piece.at, Hex)
        )
        return Field(ground or Ground.of(game, position.scenario), position, stands)

    @property
    def game(self) -> Game:
        """The game."""
        return self.ground.game

    @property
    def table(self) -> HexMap:
        """The map."""
        return self.ground.table

    def chart(self, row: str, column: str) -> str:
        """A cell of the Terrain Effects Chart."""
        return self.ground.chart(row, column)

    def limit(self, name: str) -> str:
        """A number or a die of the rules, from the table of limits."""
        return self.game.tables["limits"].cell(name, 0).code

    def strength(self, stand: Stand) -> Fraction:
        """Its printed combat strength (13.16)."""
        return needed(self.game, stand.unit, "combat")

    def effects(self, kind: str, side: str = "") -> Iterator[Effect]:
        """What the scenario's special rules change now."""
        return specials.effects(self.game, self.position, kind, side)

    @cached_property
    def held(self) -> Mapping[str, Mapping[Hex, tuple[Stand, ...]]]:
        """Each side's units by hex."""
        found: dict[str, dict[Hex, tuple[Stand, ...]]] = {side: {} for side in SIDES}
        for stand in self.stands:
            found[stand.side][stand.hex] = (*found[stand.side].get(stand.hex, ()), stand)
        return found

    @cached_property
    def control(self) -> Mapping[Hex, str]:
        """Hexes with a control marker (2.14)."""
        return controlled(self.position)

    @cached_property
    def broken(self) -> frozenset[str]:
        """Fronts that have disintegrated (21.5)."""
        return disintegrated(self.position)

    def front(self, hex: Hex) -> str:
        """The sector of a hex (5.2)."""
        return self.ground.fronts.get(hex, "")

    @property
    def israel(self) -> frozenset[Hex]:
        """The hexes of Israel."""
        return self.ground.israel

    def protects(self, hex: Hex, side: str) -> bool:
        """Whether a hex keeps enemy zones out and lets its own side ignore retreats (12.1, 14.5)."""
        return self.ground.protects(hex, side)

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

    @cached_property
    def _closed(self) -> Mapping[str, frozenset[Hex]]:
        scenario = self.game.scenarios.get(self.position.scenario)
        at_war = not any("neutral" in s.piece.states for s in self.stands)
        found: dict[str, set[Hex]] = {side: set() for side in SIDES}
        places = Resolver(self.table, dict(scenario.zones) if scenario else {})
        for kind in CLOSED:
            for effect in self.effects(kind):
                if effect.at is None or (kind == "neutral_country" and at_war):
                    continue
                hexes = {hex for hex in places.places(effect.at) if isinstance(hex, Hex)}
                for side in SIDES:
                    found[side] |= hexes if effect.side in ("", side) else set()
        return {side: frozenset(hexes) for side, hexes in found.items()}

    def closed(self, side: str) -> frozenset[Hex]:
        """The hexes that ground units of a side may not enter now (25.1, 25.2, 25.4)."""
        return self._closed[side]

    def enterable(self, hex: Hex) -> bool:
        """Whether anybody enters such ground."""
        return hex in self.ground.land

    @cached_property
    def mobile_limit(self) -> Mapping[str, int]:
        """How many mobile units of each side may share a hex (11.2, 11.3)."""
        told = {effect.side: int(number(effect.value)) for effect in self.effects("stacking")}
        return {side: told.get(side, len(self.stands)) for side in SIDES}

    def room(self, stands: tuple[Stand, ...], hex: Hex, leaving: frozenset[Stand] = frozenset()) -> bool:
        """Whether units may end in a hex together with who is there; contingents don't mix (11.2, 11.3)."""
        side = stands[0].side
        there = [s for s in self.held[side].get(hex, ()) if s not in stands and s not in leaving]
        mobile = [s for s in (*there, *stands) if not s.static]
        walls = len(there) + len(stands) - len(mobile)
        mixed = side == "arab" and len({s.contingent for s in mobile}) > 1
        return len(mobile) <= self.mobile_limit[side] and walls <= int(self.limit("static_stack")) and not mixed


def other(side: str) -> str:
    """The enemy of a side."""
    return SIDES[1 - SIDES.index(side)]
