"""A position as the rules see it: units on the ground, bridges, zones of control."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, cast

from assistant.games.yom_kippur.ground import Class, Ground
from assistant.rules.field import Field as Declared
from assistant.rules.field import Standing
from assistant.shared.stands import InHex
from scenarios.hexes import Hex, Hexside, hexside
from scenarios.position import Position

SIDES = ("egyptian", "israeli")
NOTHING = Fraction(0)
Assumed = frozenset[tuple[str, str]]
"""Units, by counter and copy, whose hex is our choice."""
BRIDGE_MARKERS = ("pcb_bridge", "captured_by_israel", "captured_by_egypt")


class Stand(InHex):
    """A unit in a hex. A bridge is none: it doesn't fight, block or count (1.14d)."""

    @cached_property
    def kind(self) -> Class:
        """Infantry or mechanized (1.4a)."""
        return cast(Class, self.unit.class_)

    @cached_property
    def reduced(self) -> bool:
        """Whether it shows its back (1.4c)."""
        return bool(self.piece.states & {"reduced", "step_loss"}) or self.piece.steps_lost > 0

    @cached_property
    def steps(self) -> int:
        """The steps it has left (1.4c)."""
        lost = max(self.piece.steps_lost, ("reduced" in self.piece.states) + ("step_loss" in self.piece.states))
        return max(0, self.unit.steps - lost)

    def factor(self, name: str) -> Fraction:
        """One of its printed factors, on the face that shows."""
        value = self._face.get(name)
        return value if isinstance(value, Fraction) else NOTHING

    @cached_property
    def _face(self) -> Mapping[str, object]:
        return self.unit.back if self.reduced and self.unit.back is not None else self.unit.factors


@dataclass(frozen=True)
class Field:
    """Both sides on the ground."""

    ground: Ground
    position: Position
    stands: tuple[Stand, ...]
    bridges: Mapping[str, frozenset[Hexside]]
    """The hexsides that each side's bridges lie on."""
    calm: frozenset[Stand] = frozenset()
    """Units that, what if, have no zone of control."""
    covered: dict[tuple[str, Hex], tuple[Stand, ...]] = field(default_factory=dict)
    """Whose zones of control cover a hex, for those asked about so far (`covering`)."""
    ways: dict[tuple[str, Hashable], Any] = field(default_factory=dict)
    """Ways that were asked about so far, by the side that goes and by all else that they depend on."""

    def of(self, side: str) -> tuple[Stand, ...]:
        """The units of a side."""
        return tuple(stand for stand in self.stands if stand.unit.side == side)

    @cached_property
    def held(self) -> Mapping[str, Mapping[Hex, tuple[Stand, ...]]]:
        """Each side's units by hex."""
        found: dict[str, dict[Hex, list[Stand]]] = {side: {} for side in SIDES}
        for stand in self.stands:
            found[stand.unit.side].setdefault(stand.hex, []).append(stand)
        return {side: {hex: tuple(stands) for hex, stands in mine.items()} for side, mine in found.items()}

    @cached_property
    def declared(self) -> Declared:
        """The position as the pack's own rules see it."""
        return Declared(self.ground.kinds, self._standing_position)

    @property
    def _standing_position(self) -> Position:
        """The position with just these units, and with the bridges and markers that are on the map."""
        units = self.ground.game.units
        others = [piece for piece in self.position.pieces if piece.unit not in units or "bridge" in piece.states]
        return replace(self.position, pieces=(*(stand.piece._replace(at=stand.hex) for stand in self.stands), *others))

    def with_told(self, **told: bool) -> Declared:
        """The same, with something told."""
        key = "told", tuple(sorted(told.items()))
        if not any(told.values()):
            return self.declared
        if key not in self.ways:
            self.ways[key] = Declared(self.ground.kinds, self._standing_position, told)
        found: Declared = self.ways[key]
        return found

    def standing(self, stand: Stand, field: Declared | None = None) -> Standing:
        """A unit as the pack's own rules see it."""
        key, declared = (stand.piece.unit, stand.piece.copy), field or self.declared
        for one in declared.by_place.get(self.ground.kinds.number[stand.hex], ()):
            if (one.piece.unit, one.piece.copy) == key:
                return one
        return declared.as_if(stand.piece._replace(at=stand.hex))

    @cached_property
    def zones(self) -> Mapping[str, Mapping[Hex, tuple[Stand, ...]]]:
        """The hexes that each side's zones of control cover, and whose they are."""
        found: dict[str, dict[Hex, tuple[Stand, ...]]] = {side: {} for side in SIDES}
        for stand in self.stands:
            mine = found[stand.unit.side]
            for hex in self.zone(stand):
                mine[hex] = (*mine.get(hex, ()), stand)
        return found

    def zone(self, stand: Stand) -> tuple[Hex, ...]:
        """The hexes that a unit's own zone of control covers."""
        if stand in self.calm:
            return ()
        places = self.ground.kinds.places
        return tuple([places[n] for n in self.declared.zones.around("zoc", self.standing(stand))])  # type: ignore[misc]

    def has_zone(self, stand: Stand) -> bool:
        """Whether a unit has a zone of control."""
        return self.declared.zones.has("zoc", self.declared.as_if(stand.piece))

    def covering(self, side: str, hex: Hex) -> tuple[Stand, ...]:
        """Whose zones of control cover a hex: what `zones` has of it, where few hexes are asked for."""
        key = side, hex
        if key not in self.covered:
            held = self.held[side]
            near = [stand for spot in self.ground.near(hex) if spot in held for stand in held[spot]]
            self.covered[key] = tuple([stand for stand in near if hex in self.zone(stand)])
        return self.covered[key]

    def without_zones(self, side: str, stands: Iterable[Stand]) -> Field:
        """The field if some units of a side had no zones of control; what doesn't rest on that side's zones is kept."""
        return replace(
            self, calm=self.calm.union(stands),
            covered={key: found for key, found in self.covered.items() if key[0] != side},
            ways={key: found for key, found in self.ways.items() if key[0] == side},
        )  # fmt: skip

    @cached_property
    def missiles(self) -> Mapping[str, tuple[Stand, ...]]:
        """Each side's missile units (1.10)."""
        return {side: tuple(s for s in self.of(side) if "umbrella" in s.unit.abilities) for side in SIDES}

    @cached_property
    def helpers(self) -> Mapping[Hex, tuple[Stand, ...]]:
        """The headquarters and engineers that can shift a column, by hex (1.5)."""
        found: dict[Hex, tuple[Stand, ...]] = {}
        for stand in self.stands:
            if "gives_shift" in stand.unit.abilities:
                found[stand.hex] = (*found.get(stand.hex, ()), stand)
        return found

    @cached_property
    def open_bridges(self) -> Mapping[str, frozenset[Hexside]]:
        """Bridges that each side can cross: its own, and the enemy's where he stands at neither end (1.14e)."""
        found = {}
        for side in SIDES:
            foes = self.held[other(side)]
            theirs = frozenset(over for over in self.bridges[other(side)] if over.a not in foes and over.b not in foes)
            found[side] = self.bridges[side] | theirs
        return found

    def bridged(self, side: str, over: Hexside) -> bool:
        """Whether a side may attack by a bridge on a hexside: anybody's, or only its own (1.13b, ruling enemy_bridges)."""
        any_ = self.ground.reading("enemy_bridges") == "any"
        return over in self.bridges[side] or (any_ and over in self.bridges[other(side)])

    def could_enter(self, stand: Stand, a: Hex, bridges: frozenset[Hexside]) -> tuple[Hex, ...]:
        """The neighbours of a hex that a unit could ever enter from it, on foot, by these bridges or swimming (1.13, 3.5b)."""
        free, over = self.ground.around(a, stand.kind)
        if not over:
            return free
        return (*free, *(b for b in over if "swims" in stand.unit.abilities or hexside(a, b) in bridges))

    def unaided(self, stand: Stand, a: Hex, b: Hex) -> bool:
        """Whether a step would take a unit over the canal on foot, without a bridge (1.13a)."""
        over = self.ground.canal_between(a, b) and hexside(a, b) not in self.open_bridges[stand.unit.side]
        return over and "swims" not in stand.unit.abilities

    def shut(self, side: str) -> frozenset[Hex]:
        """Hexes no trace of a side may enter: the enemy's, and his zones where no friend stands (1.6b, ruling trace_zones)."""
        foe = other(side)
        spared = self.held[side].keys() if self.ground.reading("trace_zones") == "friends" else ()
        return frozenset(self.held[foe]) | (self.zones[foe].keys() - spared)


def other(side: str) -> str:
    """The enemy of a side."""
    return SIDES[1 - SIDES.index(side)]


def field_of(
    ground: Ground, position: Position, assumed: Assumed = frozenset(), known: Mapping[int, Stand] | None = None
) -> Field:
    """The units on the map of a position; `assumed` names those that were only put somewhere by us.

    `known` has units by the id of their very piece, to be taken as they are.
    """
    stands = tuple(_stands(ground, position, assumed, known or {}))
    bridges: dict[str, set[Hexside]] = {side: set() for side in SIDES}
    for side, over in _bridges(ground, position):
        bridges[side].add(over)
    return Field(ground, position, stands, {side: frozenset(over) for side, over in bridges.items()})


def _stands(ground: Ground, position: Position, assumed: Assumed, known: Mapping[int, Stand]) -> Iterator[Stand]:
    units = ground.game.units
    for piece in position.pieces:
        ours, stand = (piece.unit, piece.copy) in assumed, known.get(id(piece))
        if stand is not None and stand.assumed == ours:
            yield stand
        elif isinstance(piece.at, Hex) and piece.unit in units and "bridge" not in piece.states:
            yield Stand(units[piece.unit], piece, piece.at, ours)


def _bridges(ground: Ground, position: Position) -> Iterator[tuple[str, Hexside]]:
    """The bridges on the map: engineers turned over and bridge markers (1.14, 2.2)."""
    told = dict(_emplaced(ground, position))
    for piece in position.pieces:
        if not isinstance(piece.at, Hex):
            continue
        unit = ground.game.units.get(piece.unit)
        if unit is not None and "bridge" in piece.states:
            side = unit.side
        elif piece.unit in BRIDGE_MARKERS:
            side = ground.game.markers[piece.unit].side
        else:
            continue
        over = told.get(piece.unit)
        if over is None or piece.at not in over:
            over = ground.bridge_side(piece.at)
        if over is not None:
            yield side, over


def _emplaced(ground: Ground, position: Position) -> Iterator[tuple[str, Hexside]]:
    """The hexsides that a scenario gives its bridges."""
    scenario = ground.game.scenarios.get(position.scenario)
    for special in scenario.special if scenario else ():
        for effect in special.effects:
            if effect.effect == "bridge_emplaced" and effect.at is not None and len(effect.at.hexes) == 2:
                a, b = map(ground.table.hex, effect.at.hexes)
                for unit in effect.units:
                    yield unit, hexside(a, b)
