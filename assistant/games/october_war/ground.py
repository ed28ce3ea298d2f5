"""A position of October War as the rules see it: who is where, who controls what, where the bridges are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from assistant.games.october_war.limits import HOME
from assistant.shared.scoring import scenario_of
from assistant.shared.specials import all_effects
from scenarios.areas import Area
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.points import PointMap
from scenarios.position import Piece, Position, from_scenario
from scenarios.resolve import Resolver
from scenarios.same import Same
from scenarios.scenario import Scenario

CANAL, WATER, RESERVE = "suez_canal", "water", "reserve_area"
ENEMY = {"arab": "israeli", "israeli": "arab"}


@dataclass(frozen=True)
class Ground:
    """The point map with what stands on it."""

    game: Game
    map: PointMap
    position: Position

    @cached_property
    def units(self) -> tuple[tuple[Piece, Unit], ...]:
        """The ground units on the map, reserve areas included (air units hold nothing: 18.8)."""
        pairs = [
            (piece, self.game.units[piece.unit]) for piece in self.position.pieces if piece.unit in self.game.units
        ]
        return tuple((piece, unit) for piece, unit in pairs if piece.at in self.map.points and unit.class_ != "strike")

    @cached_property
    def _stacks(self) -> Mapping[tuple[str, str], Sequence[tuple[Piece, Unit]]]:
        found: dict[tuple[str, str], list[tuple[Piece, Unit]]] = {}
        for piece, unit in self.units:
            found.setdefault((str(piece.at), unit.side), []).append((piece, unit))
        return found

    def stack(self, point: str, side: str) -> Sequence[tuple[Piece, Unit]]:
        """The ground units of a side in a point."""
        return self._stacks.get((point, side), ())

    @cached_property
    def occupants(self) -> Mapping[str, frozenset[str]]:
        """The sides with ground units in each point (2.6)."""
        found: dict[str, set[str]] = {}
        for point, side in self._stacks:
            found.setdefault(point, set()).add(side)
        return {point: frozenset(sides) for point, sides in found.items()}

    @cached_property
    def control(self) -> Mapping[str, str]:
        """Who controls each point (2.6): who alone is in it, else whose marker lies there, else who began with it."""
        marked = {
            str(piece.at): self.game.markers[piece.unit].side
            for piece in self.position.pieces
            if piece.unit.startswith("control_") and piece.unit in self.game.markers and piece.at in self.map.points
        }
        alone = {point: next(iter(sides)) for point, sides in self.occupants.items() if len(sides) == 1}
        return {**_owners(Same(self.game), Same(self.map)), **marked, **alone}

    @cached_property
    def bridges(self) -> frozenset[tuple[str, str]]:
        """Point and side of each bridge marker: it spans the canal from that bank (21.2)."""
        return frozenset(
            (str(piece.at), self.game.markers[piece.unit].side)
            for piece in self.position.pieces
            if piece.unit.startswith("bridge_") and piece.at in self.map.points
        )

    def at_home(self, piece: Piece, point: str) -> bool:
        """Whether a city brigade isn't counted for stacking in a point (5.2 (2)): in the city that it began in.

        Where the position doesn't tell which city that was, each of the three may be its own.
        """
        unit = self.game.units.get(piece.unit)
        if unit is None or HOME not in unit.abilities or point not in self.cities:
            return False
        began = self._began.get(piece.group)
        return began is None or point in began

    @cached_property
    def cities(self) -> frozenset[str]:
        """The cities whose own brigades aren't counted for stacking (5.2 (2))."""
        found = all_effects(self.game, "free_stacking")
        return frozenset().union(*(self.places(effect.at) for effect in found if effect.at is not None))

    @cached_property
    def _began(self) -> Mapping[str, frozenset[str]]:
        """Where the groups of the set-up begin, by the label that their pieces carry."""
        scenario = scenario_of(self.game, self.position)
        return {
            f"{side}/{group.id or number}": self.places(group.at)
            for side, force in scenario.forces.items()
            for number, group in enumerate(force.groups, 1)
            if group.at is not None
        }

    def holds(self, side: str, point: str) -> bool:
        """Whether a side has a ground unit in a point."""
        return side in self.occupants.get(point, frozenset())

    def bridged(self, a: str, b: str, side: str) -> bool:
        """Whether a bridge of this side joins two banks (21.3); it goes when nobody of its side is on either (21.4)."""
        laid = (a, side) in self.bridges or (b, side) in self.bridges
        return laid and (self.holds(side, a) or self.holds(side, b))

    def crossings(self, side: str) -> tuple[tuple[str, str, bool], ...]:
        """The bridges of a side: the bank of the marker, the other bank, and whether it stands (21.4)."""
        return tuple(
            (point, there, self.bridged(point, there, side))
            for point, owner in sorted(self.bridges)
            for there, kinds in self.map.adjacent(point).items()
            if owner == side and CANAL in kinds
        )

    def owner(self, point: str) -> str:
        """The side that a point belongs to at the start."""
        return _owners(Same(self.game), Same(self.map))[point]

    @property
    def reserves(self) -> frozenset[str]:
        """The reserve areas (25.0)."""
        return _reserves(Same(self.map))

    def off_map(self, point: str) -> bool:
        """Whether a point is a reserve area (25.0)."""
        return self.map.points[point].terrain == RESERVE

    def places(self, area: Area) -> frozenset[str]:
        """The points of an area, in the words of the position's scenario."""
        return _places(Same(self.map), Same(scenario_of(self.game, self.position)), Same(area))


def ground(game: Game, position: Position) -> Ground:
    """The ground of a position."""
    return _ground(Same(game), Same(position))


@lru_cache(maxsize=8)
def _ground(game: Same[Game], position: Same[Position]) -> Ground:
    field = game.value.scenario_maps.get(position.value.scenario) or next(iter(game.value.maps.values()))
    assert isinstance(field, PointMap)
    return Ground(game.value, field, position.value)


@lru_cache(maxsize=8)
def _owners(game: Same[Game], field: Same[PointMap]) -> Mapping[str, str]:
    nations = game.value.nations
    return {
        point: nations[shape.side].side if shape.side in nations else shape.side
        for point, shape in field.value.points.items()
    }


@lru_cache(maxsize=8)
def _reserves(field: Same[PointMap]) -> frozenset[str]:
    return frozenset(point for point, shape in field.value.points.items() if shape.terrain == RESERVE)


@lru_cache(maxsize=128)
def _places(field: Same[PointMap], scenario: Same[Scenario], area: Same[Area]) -> frozenset[str]:
    return frozenset(map(str, Resolver(field.value, dict(scenario.value.zones)).places(area.value)))


def bare(game: Game) -> Ground:
    """The map as the game's scenario begins, where no position is told."""
    return ground(game, from_scenario(game, next(iter(game.scenarios))))
