"""A position as the rules see it: fronts, protected hexes, zones of control, closed country."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from assistant.games.six_day_war.ground import SIDES, Ground
from assistant.games.six_day_war.marks import controlled, disintegrated
from assistant.rules.field import Field as Declared
from assistant.rules.field import Standing
from assistant.rules.kinds import kinds_for
from assistant.shared.stands import InHex
from assistant.shared.strengths import needed
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.maps import HexMap
from scenarios.position import Position
from scenarios.reading.shapes import number
from scenarios.scenario import Effect

if TYPE_CHECKING:
    from assistant.games.six_day_war.flight import Flight


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


@dataclass(frozen=True, eq=False)
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
        return self.ground.limit(name)

    def strength(self, stand: Stand) -> Fraction:
        """Its printed combat strength (13.16)."""
        return needed(self.game, stand.unit, "combat")

    def effects(self, kind: str, side: str = "") -> Iterator[Effect]:
        """What the scenario's special rules change now."""
        found = self.ground.effects(self.position.turn).get(kind, ())
        return (effect for effect in found if not side or effect.side in ("", side))

    @cached_property
    def held(self) -> Mapping[str, Mapping[Hex, tuple[Stand, ...]]]:
        """Each side's units by hex."""
        found: dict[str, dict[Hex, tuple[Stand, ...]]] = {side: {} for side in SIDES}
        for stand in self.stands:
            found[stand.side][stand.hex] = (*found[stand.side].get(stand.hex, ()), stand)
        return found

    @cached_property
    def named(self) -> Mapping[str, Stand]:
        """The units by id and by key; of several the first."""
        return {name: s for s in reversed(self.stands) for name in (s.unit.id, s.key)}

    @cached_property
    def control(self) -> Mapping[Hex, str]:
        """Hexes with a control marker (2.14)."""
        return controlled(self.position)

    @cached_property
    def broken(self) -> frozenset[str]:
        """Fronts that have disintegrated (21.5)."""
        return disintegrated(self.position)

    @cached_property
    def flights(self) -> dict[tuple[str, frozenset[Stand], bool], Flight]:
        """Retreats that were looked for before: by a side, with these enemies dead, broken or not."""
        return {}

    def front(self, hex: Hex) -> str:
        """The sector of a hex (5.2)."""
        return self.ground.front(hex)

    @property
    def israel(self) -> frozenset[Hex]:
        """The hexes of Israel."""
        return self.ground.israel

    def protects(self, hex: Hex, side: str) -> bool:
        """Whether a hex keeps enemy zones out and lets its own side ignore retreats (12.1, 14.5)."""
        return self.ground.protects(hex, side)

    def declared(self, **told: int) -> Declared:
        """The position as the pack's own rules see it, with something told."""
        key = tuple(sorted((name, value) for name, value in told.items() if value))
        if key not in self._declared:
            units = [stand.piece._replace(at=stand.hex) for stand in self.stands]
            others = [piece for piece in self.position.pieces if piece.unit not in self.game.units or not isinstance(piece.at, Hex)]
            position = replace(self.position, pieces=(*units, *others))
            self._declared[key] = Declared(kinds_for(self.game, self.table, self.position.scenario), position, dict(key))
        return self._declared[key]

    @cached_property
    def _declared(self) -> dict[tuple[tuple[str, int], ...], Declared]:
        return {}

    def standing(self, stand: Stand, declared: Declared) -> Standing:
        """A unit as the pack's own rules see it."""
        key = stand.piece.unit, stand.piece.copy
        here = declared.by_place.get(declared.kinds.number[stand.hex], ())
        found = next((one for one in here if (one.piece.unit, one.piece.copy) == key), None)
        return found or declared.as_if(stand.piece._replace(at=stand.hex))

    @cached_property
    def zones(self) -> Mapping[str, Mapping[Hex, tuple[Stand, ...]]]:
        """Each side's zones of control, and who has them (12)."""
        found: dict[str, dict[Hex, tuple[Stand, ...]]] = {side: {} for side in SIDES}
        declared = self.declared()
        for stand in self.stands:
            zone = found[stand.side]
            for n in declared.zones.around("zoc", self.standing(stand, declared)):
                near = declared.kinds.places[n]
                assert isinstance(near, Hex)
                zone[near] = (*zone[near], stand) if near in zone else (stand,)
        return found

    def watches(self, stand: Stand) -> bool:
        """Whether a unit has a zone of control: a neutral has none (12.1, 25.2)."""
        return "neutral" not in stand.piece.states

    @cached_property
    def _closed(self) -> Mapping[str, Mapping[Hex, Effect]]:
        # A country is neutral until a unit of it is in the position that is neutral no more, on the map or dead (25.2).
        at_war = frozenset(piece.unit for piece in self.position.pieces if "neutral" not in piece.states)
        return self.ground.closed(self.position.turn, at_war & self.ground.neutrals)

    def closed(self, side: str) -> AbstractSet[Hex]:
        """The hexes that ground units of a side may not enter now (25.1, 25.2, 25.4)."""
        return self._closed[side].keys()

    def closed_by(self, hex: Hex, side: str) -> str:
        """The rule that closes a hex to a side, if any."""
        effect = self._closed[side].get(hex)
        return self.ground.rule_of(effect) if effect else ""

    def enterable(self, hex: Hex) -> bool:
        """Whether anybody enters such ground."""
        return self.ground.enterable(hex)

    @cached_property
    def mobile_limit(self) -> Mapping[str, int]:
        """How many mobile units of each side may share a hex (11.2, 11.3)."""
        told = {effect.side: int(number(effect.value)) for effect in self.effects("stacking")}
        return {side: told.get(side, len(self.stands)) for side in SIDES}

    def room(self, stands: tuple[Stand, ...], hex: Hex, leaving: AbstractSet[Stand] = frozenset()) -> bool:
        """Whether units may end in a hex together with who is there."""
        there = self.held[stands[0].side].get(hex, ())
        if not there and len(stands) == 1:
            return True
        return self.fits([*stands, *(s for s in there if s not in stands and s not in leaving)])

    def fits(self, stands: Sequence[Stand]) -> bool:
        """Whether units of a side may share a hex; contingents don't mix (11.2, 11.3)."""
        side = stands[0].side
        mobile = [s for s in stands if not s.static]
        walls = len(stands) - len(mobile)
        mixed = side == "arab" and len({s.contingent for s in mobile}) > 1
        return len(mobile) <= self.mobile_limit[side] and walls <= self.ground.static_stack and not mixed


def other(side: str) -> str:
    """The enemy of a side."""
    return SIDES[1 - SIDES.index(side)]
