"""Puts units that a scenario sets up by area into legal places, so that questions about its start have an answer:
`rules.auto_set_up`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from assistant.engine.field import Field
from assistant.engine.field_values import make_field
from assistant.engine.map_index import map_index_of
from assistant.engine.placed_units import Mover, PlacedUnit
from assistant.engine.signatures import places_where
from assistant.engine.stacking import StackingSpace, unmet
from scenarios.areas.resolving import Resolver
from scenarios.model.areas import Area
from scenarios.model.game import Game
from scenarios.model.hexes import Hex
from scenarios.model.maps import HexMap
from scenarios.model.memo import cached_on
from scenarios.model.position import Position, from_scenario, groups
from scenarios.rules.shapes import Placing

AssumedPieces = frozenset[tuple[str, str]]
"""Counters and copies whose place the engine chose."""


def start_position(game: Game, scenario: str) -> tuple[Position, AssumedPieces]:
    """Return the start of a scenario, with units set up by area on the map where the rules say how to place them;
    and which units these are."""
    return cached_on(game, _start_position, scenario)


def _start_position(game: Game, scenario_id: str) -> tuple[Position, AssumedPieces]:
    position, scenario, map_index = (
        from_scenario(game, scenario_id),
        game.scenarios[scenario_id],
        map_index_of(game, scenario_id),
    )
    rules = map_index.program.rules.auto_set_up if map_index is not None else None
    if map_index is None or rules is None:
        return position, frozenset()
    trays = {
        f"setup:{side}/{key}": group for side, force in scenario.forces.items() for key, group in groups(force).items()
    }
    pieces = list(position.pieces)
    waiting = [
        i
        for i, piece in enumerate(pieces)
        if piece.unit in game.units and str(piece.at) in trays and trays[str(piece.at)].at
    ]
    waiting.sort(key=lambda i: trays[str(pieces[i].at)].order or 0)
    setup = _Setup(make_field(map_index, position), rules, Resolver(map_index.map, dict(scenario.zones)))
    put = set()
    for i in waiting:
        area = trays[str(pieces[i].at)].at
        assert area is not None
        order = setup.order(str(pieces[i].at), area, game.units[pieces[i].unit].side)
        n = (
            setup.choose_place(setup.field.as_if(pieces[i]._replace(at=map_index.places[order[0]])), order)
            if order
            else None
        )
        if n is not None:
            pieces[i] = pieces[i]._replace(at=map_index.places[n])
            setup.put(setup.field.as_if(pieces[i]))
            put.add((pieces[i].unit, pieces[i].copy))
    return replace(position, pieces=tuple(pieces)), frozenset(put)


class _Setup:
    """The units in their places during the set-up."""

    def __init__(self, field: Field, rules: Placing, resolver: Resolver) -> None:
        self.field, self.rules, self.resolver = field, rules, resolver
        self.room = StackingSpace(field, ())
        self.unit_kinds: dict[int, tuple[int, ...]] = {}
        self.holder = {unit.place: unit.side for unit in field.placed_units}
        self._orders: dict[tuple[str, str], list[int]] = {}
        self._distances: dict[str, Mapping[int, int]] = {}
        self._open_places: dict[tuple[str, int], bool] = {}
        # Only a condition on friends and zones depends on every unit placed before.
        self.has_preferences = bool(rules.first or rules.best)

    def put(self, unit: PlacedUnit) -> None:
        """Put one more unit on the map."""
        self.unit_kinds[unit.place] = tuple(sorted((*self.unit_kinds.get(unit.place, ()), self.room.kind(unit))))
        self.holder[unit.place] = unit.side
        if self.has_preferences:
            self.field = self.field.with_changes(added_units=[unit])

    def choose_place(self, unit: PlacedUnit, order: Sequence[int]) -> int | None:
        """Return the place of an order that suits a unit best."""
        field, rules, mover, kind = self.field, self.rules, self.field.mover(unit), self.room.kind(unit)
        for priority in rules.first:
            if field.holds(priority.when, mover):
                place = next((n for n in order if field.holds(priority.that, mover, to=n)), None)
                if place is not None:
                    return place
        best: tuple[tuple[Any, ...], int] | None = None
        for n in order:
            fits = self.holder.get(n, unit.side) == unit.side
            if not fits or not self.room.fits(n, tuple(sorted((*self.unit_kinds.get(n, ()), kind)))):
                continue
            value = tuple([field.ask(formula, mover, to=n) for formula in rules.best if formula is not None])
            if not any(value):
                return n
            if best is None or value < best[0]:
                best = value, n
        return best[1] if best is not None else None

    def order(self, label: str, area: Area, side: str) -> list[int]:
        """Return the places of an area in the order in which they fill."""
        if (label, side) not in self._orders:
            self._orders[label, side] = self._ordered_places(area, side)
        return self._orders[label, side]

    def _ordered_places(self, area: Area, side: str) -> list[int]:
        map_index, rules = self.field.map_index, self.rules
        mover = Mover(side, {**self.field.unknown_unit.fields, "side": side})
        places = [map_index.number[place] for place in self.resolver.places(area) if place in map_index.number]
        places = [n for n in places if self._open(mover, n)]
        places.sort(key=self._spot())
        heart = area.within.of if area.within is not None else None
        if heart is None and rules.spread:
            stride = max(1, len(places) // rules.spread)
            return [n for first in range(stride) for n in places[first::stride]]
        middles = (
            [map_index.number[place] for place in self.resolver.places(heart) if place in map_index.number]
            if heart is not None
            else []
        )
        nearness = self._nearness(mover)
        sort_keys: dict[int, list[Any]] = {}
        for n in places:
            sort_keys[n] = [self.field.ask(formula, mover, to=n) for formula in rules.order if formula is not None]
            sort_keys[n].append(min((map_index.distance(n, middle) for middle in middles), default=0))
            sort_keys[n].append(nearness.get(n, len(nearness)))
        return sorted(places, key=sort_keys.__getitem__)

    def _open(self, mover: Mover, n: int) -> bool:
        """Whether a unit of a side can be in a place at all; computed once for each class of empty places."""
        demands = self.field.program.for_anybody(self.field.program.rules.allowed_places).records
        key = mover.side, self.field.map_index.kind(n) if n not in self.field.by_place else ~n
        if key not in self._open_places:
            self._open_places[key] = not unmet(self.field, demands, self.field.scope(mover, {"to": n}))
        return self._open_places[key]

    def _spot(self) -> Callable[[int], Any]:
        """Return the sort key of places in reading order of the map."""
        map, places = self.field.map_index.map, self.field.map_index.places
        if not isinstance(map, HexMap):
            return lambda n: n

        def spot(n: int) -> tuple[int, int]:
            hex = places[n]
            assert isinstance(hex, Hex)
            return map.spot(hex)

        return spot

    def _nearness(self, mover: Mover) -> Mapping[int, int]:
        """Return the number of steps from each place to the nearest that `nearness` names; the others are left out."""
        nearness = self.rules.near
        if nearness is None:
            return {}
        if mover.side not in self._distances:
            begin = places_where(self.field, nearness.places, mover)
            allowed_places = frozenset(
                places_where(self.field, nearness.over, mover)
                if nearness.over is not None
                else range(len(self.field.map_index.places))
            )
            distances = dict.fromkeys(begin, 0)
            queue = list(begin)
            for n in queue:  # the queue grows
                for m, _ in self.field.map_index.neighbours(n):
                    if m in allowed_places and m not in distances:
                        distances[m] = distances[n] + 1
                        queue.append(m)
            self._distances[mover.side] = {n: steps for n, steps in distances.items() if steps}
        return self._distances[mover.side]
