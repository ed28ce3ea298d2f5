"""Zones of control, which are walks of a hex or more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property

from assistant.engine.field import Field
from assistant.engine.movement.amounts import amount
from assistant.engine.movement.walk import SCALE, StepEvaluator, search
from assistant.engine.placed_units import EquivalenceKey, Mover, PlacedUnit, UnnamedEnemy
from scenarios.model.hexes import disk, distance
from scenarios.model.maps import HexMap
from scenarios.model.memo import cached_on

Coverage = Mapping[int, tuple[PlacedUnit, ...]]
FARTHEST = 30
"""The maximum length of a zone, in hexes."""


def zones_of(field: Field) -> Zones:
    """Return the zones of control of a field."""
    return cached_on(field, _make_zones)


def _make_zones(field: Field) -> Zones:
    return Zones(field) if field.unchanged is None else zones_of(field.unchanged).with_field(field)


class Zones:
    """The zones of control of a field."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self._coverage_memo: dict[tuple[str, str], Coverage] = {}
        self._steppers: dict[tuple[str, EquivalenceKey], StepEvaluator] = {}
        self._has: dict[tuple[str, EquivalenceKey], bool] = {}
        self._around_memo: dict[tuple[str, PlacedUnit], Mapping[int, int]] = {}
        self._takers: dict[tuple[str, str], StepEvaluator] = {}
        self._lengths: dict[tuple[str, PlacedUnit], Fraction | int] = {}
        self._at_memo: dict[tuple[str, str, int], tuple[PlacedUnit, ...]] = {}

    def with_field(self, field: Field) -> Zones:
        """Return the zones of a field with other units. They share what is the same for any position."""
        zones = Zones(field)
        if self._is_fixed:
            zones._steppers, zones._has, zones._around_memo = self._steppers, self._has, self._around_memo
        return zones

    @cached_property
    def _is_fixed(self) -> bool:
        """Whether no zone depends on the other units."""
        program, map_index = self.field.program, self.field.map_index
        if any(span.usable for span in program.rules.spans.values()):
            return False
        for shape in program.rules.zones.values():
            names = {
                *program.names(shape.has),
                *(name for list_ in (shape.steps, shape.length) for name in program.ready(list_).names),
            }
            if "units" in names or {name.partition(".")[2] for name in names} & (
                map_index.position_names | map_index.mover_names
            ):
                return False
        return True

    def coverage(self, zone: str, side: str) -> Coverage:
        """Return the places that a side's zones of a kind cover, and the units that cover them."""
        key = zone, side
        if key not in self._coverage_memo:
            self._coverage_memo[key] = {}  # the pack check refuses a zone that asks for zones
            self._coverage_memo[key] = self._cover(zone, side)
        return self._coverage_memo[key]

    def enemy(self, zone: str, side: str) -> list[Coverage]:
        """Return the zones of all other sides."""
        return [self.coverage(zone, other_side) for other_side in self._sides if other_side != side]

    def zones_over(self, zone: str, side: str, n: int) -> tuple[PlacedUnit, ...]:
        """Return the units whose zones cover a place; fast where few places are needed."""
        shape, map_index = self.field.program.rules.zones[zone], self.field.map_index
        round_ = bool(shape.length) and not shape.steps and isinstance(map_index.map, HexMap)
        if (zone, side) in self._coverage_memo or (shape.length and not round_):
            return self.coverage(zone, side).get(n, ())
        key = zone, side, n
        if key not in self._at_memo and round_:
            distances = (
                (s, map_index.distance(s.place, n))
                for s in self.field.placed_units
                if s.side == side and self.has(zone, s)
            )
            self._at_memo[key] = tuple(
                [s for s, distance in distances if (shape.own_place or distance) and distance <= self._length(zone, s)]
            )
        elif key not in self._at_memo:
            units_by_place = self.field.by_place
            nearby_units = [
                s
                for m in (n, *(m for m, _ in self.field.map_index.neighbours(n)))
                for s in units_by_place.get(m, ())
                if s.side == side
            ]
            self._at_memo[key] = tuple([s for s in nearby_units if n in self.places_around(zone, s)])
        return self._at_memo[key]

    def enemies_at(self, zone: str, side: str, n: int) -> list[PlacedUnit]:
        """Return the enemies of a side whose zones cover a place."""
        return [
            unit for other_side in self._sides if other_side != side for unit in self.zones_over(zone, other_side, n)
        ]

    @cached_property
    def _sides(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(unit.side for unit in self.field.placed_units))

    def _cover(self, zone: str, side: str) -> Coverage:
        field = self.field
        units_by_place: dict[int, tuple[PlacedUnit, ...]] = {}
        for unit in field.units_of(side):
            for n in self.places_around(zone, unit):
                units_by_place[n] = (*units_by_place[n], unit) if n in units_by_place else (unit,)
        return units_by_place

    def has(self, zone: str, unit: PlacedUnit) -> bool:
        """Whether a unit has a zone."""
        key = zone, unit.equivalence_key
        has = self._has.get(key)
        if has is None:
            field, shape = self.field, self.field.program.rules.zones[zone]
            has = field.holds(shape.has, field.mover(unit), to=unit.place)
            if not any(name.startswith("to.") for name in field.program.names(shape.has)):
                self._has[key] = has
        return has

    def places_around(self, zone: str, unit: PlacedUnit) -> tuple[int, ...]:
        """Return the places that a unit's own zone covers."""
        return tuple(self.reach(zone, unit))

    def reach(self, zone: str, unit: PlacedUnit) -> Mapping[int, int]:
        """Return the places that a unit's own zone covers, each with its distance."""
        key = zone, unit
        if key not in self._around_memo:
            self._around_memo[key] = self._found_around(zone, unit)
        return self._around_memo[key]

    def _found_around(self, zone: str, unit: PlacedUnit) -> Mapping[int, int]:
        field, shape = self.field, self.field.program.rules.zones[zone]
        if isinstance(unit, UnnamedEnemy):
            return self._taken_around(zone, unit) if unit.has_zone else {}
        if not self.has(zone, unit):
            return {}
        mover, ready = field.mover(unit), field.program.ready(shape.steps)
        length = self._length(zone, unit)
        if shape.length and not shape.steps and isinstance(field.map_index.map, HexMap):
            center, number = field.map_index.places[unit.place], field.map_index.number
            distances = {number[hex]: distance(center, hex) for hex in disk(center, int(length)) if hex in number}  # type: ignore[arg-type]
            return (
                distances if shape.own_place else {n: step_count for n, step_count in distances.items() if step_count}
            )
        if (zone, unit.equivalence_key) in self._steppers:
            evaluator = self._steppers[zone, unit.equivalence_key]
        else:
            evaluator = StepEvaluator(field, ready, mover, start=unit.place)
            if not (evaluator.position_names or ready.uses.start or evaluator.farther or evaluator.to_mover):
                self._steppers[zone, unit.equivalence_key] = evaluator  # the unit's place doesn't matter
        own_cover = {unit.place: 0} if shape.own_place else {}
        if length == 1:
            adjacent_steps = field.map_index.neighbours(unit.place)
            return own_cover | {
                m: 1 for m, step in adjacent_steps if not evaluator.verdict(unit.place, m, step).is_refused
            }
        costs = search(evaluator, [unit.place], int(length * SCALE), stops=False).best
        return own_cover | {n: int(cost // SCALE) for n, cost in costs.items() if n != unit.place}

    def _length(self, zone: str, unit: PlacedUnit) -> Fraction | int:
        """Return the length of a unit's zone."""
        shape, key = self.field.program.rules.zones[zone], (zone, unit)
        if not shape.length:
            return 1
        if key not in self._lengths:
            mover = self.field.mover(unit)
            self._lengths[key] = min(FARTHEST, amount(self.field, shape.length, mover, to=unit.place).maximum)
        return self._lengths[key]

    def _taken_around(self, zone: str, taker: UnnamedEnemy) -> Mapping[int, int]:
        """Return the places around one that a unit took of which only the side is known. Records that ask for more
        of it don't count."""
        evaluator, adjacent_steps = self._of_taker(zone, taker), self.field.map_index.neighbours(taker.place)
        return {m: 1 for m, step in adjacent_steps if not evaluator.verdict(taker.place, m, step).is_refused}

    def _of_taker(self, zone: str, taker: UnnamedEnemy) -> StepEvaluator:
        field, key = self.field, (zone, taker.side)
        if key not in self._takers:
            steps = field.program.for_anybody(field.program.rules.zones[zone].steps)
            self._takers[key] = StepEvaluator(
                field, steps, Mover(taker.side, taker.fields), start=taker.place, local=True
            )
        return self._takers[key]

    def from_taken(self, zones: Sequence[str], taker: UnnamedEnemy, n: int) -> tuple[int, ...]:
        """Return the places whose capture by such an enemy puts a place into one of its zones."""
        adjacent_steps, places = self.field.map_index.incoming(n), dict[int, None]()
        for zone in zones:
            verdict = self._of_taker(zone, taker).verdict
            places |= {m: None for m, step in adjacent_steps if not verdict(m, n, step).is_refused}
        return tuple(places)
