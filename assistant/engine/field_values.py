"""The values that a rule may ask of a field, and the way to make a field."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from assistant.engine.field import Field
from assistant.engine.map_index import MapIndex
from assistant.engine.placed_units import Fields, Mover, PlacedUnit
from assistant.engine.scope import PlaceFields, RuleValues
from assistant.engine.spans import spans_of
from assistant.engine.stacking import failures
from assistant.engine.supply.supply_lines import supplied_at, supply_of
from assistant.engine.zones import zones_of
from scenarios.model.position import Position, exit_of


def make_field(
    map_index: MapIndex,
    position: Position,
    inputs: Mapping[str, Any] | None = None,
    assumed_units: Iterable[tuple[str, str]] = (),
    readings: Fields | None = None,
) -> Field:
    """Return a map with the pieces of a position, ready for every question of the rules."""
    return Field(map_index, position, FieldValues, inputs, assumed_units, readings)


class FieldValues(RuleValues):
    """The values that a rule may ask of a field."""

    def __init__(self, field: Field) -> None:
        self.field, self.program, self.map_index = field, field.program, field.map_index

    def of_place(self, mover: Mover, n: int, name: str) -> Any:
        """Return what a rule may ask of a place, for a mover."""
        if name in self.map_index.position_names:
            return self._of_position(mover, n, name)
        if name in self.map_index.mover_names:
            return self._of_mover(mover, n, name)
        value = self.map_index.map_value(n, name)
        return [{"kind": kind} for kind in value] if name == "features" else value

    def _of_position(self, mover: Mover, n: int, name: str) -> Any:
        """Return a value of a place that depends on the pieces."""
        field = self.field
        if name == "enemy":
            return any(unit.side != mover.side for unit in field.by_place.get(n, ()))
        if name == "friend":
            return any(unit.side == mover.side and unit is not mover.unit for unit in field.by_place.get(n, ()))
        if name == "control":
            return field.control(n)
        if name in ("friends", "enemies"):
            return [unit.fields for unit in self.units_at(mover, n, name)]
        if name == "markers":
            return field.markers.get(n, [])
        if name in field.input_places:
            return n in field.input_places[name]
        zones = self.program.rules.zones
        if name in zones:
            return bool(self.units_at(mover, n, name))
        if name.removesuffix("_units") in zones:
            return [unit.fields for unit in self.units_at(mover, n, name)]
        if name.removeprefix("own_") in zones:
            return bool(zones_of(field).zones_over(name.removeprefix("own_"), mover.side, n))
        return any(marker["id"] == name for marker in field.markers.get(n, ()))

    def _of_mover(self, mover: Mover, n: int, name: str) -> bool:
        """Return a value of a place that depends on the mover: room, supply there, the areas of special rules."""
        if name == "room":
            return not failures(self.field, mover, n)
        if name == "supplied":
            return mover.unit is not None and supplied_at(self.field, mover.unit, n)
        return n in self.field.effect_places(mover, name)

    def units_at(self, mover: Mover, n: int, name: str) -> list[PlacedUnit]:
        """Return the units of a place behind a name: `friends`, `enemies`, or the enemies with a zone there."""
        if name == "friends":
            return [s for s in self.field.by_place.get(n, ()) if s.side == mover.side and s is not mover.unit]
        if name == "enemies":
            return [s for s in self.field.by_place.get(n, ()) if s.side != mover.side]
        return zones_of(self.field).enemies_at(name.removesuffix("_units"), mover.side, n)

    def flag_places(self, side: str, name: str) -> frozenset[int] | None:
        """Return the places where a flag of the position holds for a side; None if the name isn't such a flag."""
        zones = self.program.rules.zones
        if name == "enemy":
            return frozenset(unit.place for unit in self.field.placed_units if unit.side != side)
        if name == "friend":
            return frozenset(unit.place for unit in self.field.placed_units if unit.side == side)
        if name in zones:
            return frozenset[int]().union(*zones_of(self.field).enemy(name, side))
        if name.removeprefix("own_") in zones:
            return frozenset(zones_of(self.field).coverage(name.removeprefix("own_"), side))
        return None

    def of_step(self, mover: Mover, n: int, m: int, name: str) -> Any:
        """Return what a rule may ask of the step between two neighbors; between other places there is nothing."""
        map_index, rules = self.map_index, self.program.rules
        if map_index.distance(n, m) != 1:
            return [] if name == "features" else 0 if name == "rise" else False
        if name == "rise":
            return map_index.height(m) - map_index.height(n)
        if name == "features":
            return [{"kind": kind} for kind in sorted(map_index.lies(n, m) - map_index.compass)]
        owner, _, suffix = name.partition("_")
        if owner in ("own", "enemy") and suffix in rules.spans:
            sides = spans_of(self.field).owners(suffix).get((n, m), frozenset())
            return mover.side in sides if owner == "own" else bool(sides - {mover.side})
        if owner == "other" and suffix in rules.zones:
            return any(unit.place != m for unit in self.units_at(mover, n, suffix))
        return name in map_index.lies(n, m)

    def is_served(self, mover: Mover, name: str) -> bool:
        """Whether a mover is in supply or in command."""
        return mover.unit is not None and supply_of(self.field, mover.side).is_served(mover.unit, name)

    def of_question(self, mover: Mover, name: str) -> Any:
        """Return a value of the whole question: the turn, rulings, effects, inputs, all units."""
        field = self.field
        if name in field.readings:
            return field.readings[name]
        if name == "units":
            return field.all_units
        if name == "places":
            return [PlaceFields(self, mover, n) for n in range(len(field.map_index.places))]
        prefix, _, key = name.partition(".")
        if prefix == "box":
            return field.box_pieces(key)
        if prefix == "ruling":
            return field.game.rulings[key].choice
        if prefix in ("input", "counter"):
            return field.inputs[key]
        if prefix == "control":
            return field.holder(key)
        if prefix in ("present", "enemy_present"):
            inside, is_own = field.map_index.regions.get(key, ()), prefix == "present"
            return any(
                (unit.side == mover.side) is is_own and field.map_index.places[unit.place] in inside
                for unit in field.placed_units
            )
        if name == "exited":
            exited_pieces = [
                piece
                for piece in field.position.pieces
                if piece.unit in field.game.units and exit_of(piece) is not None
            ]
            return sum(
                field.side_of(piece.nation, field.game.units[piece.unit]) == mover.side for piece in exited_pieces
            )
        if prefix == "effect":
            return any(effect.at is None for effect in field.effects(key, mover))
        if prefix == "effect_value":
            return next((effect.value for effect in field.effects(key, mover)), "")
        scenario = field.scenario
        values = {"turn": field.position.turn, "phase": field.position.phase, "year": 0, "level": ""}
        if scenario is not None:
            values |= {"year": scenario.year or 0, "level": scenario.level}
        return values[name]
