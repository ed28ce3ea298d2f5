"""The names that a rule may ask for; each value is computed when a rule asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from assistant.engine.map_index import MapIndex
from scenarios.model.attack_inputs import Formula
from scenarios.model.position import Position, exit_of
from scenarios.reading.shapes import number
from scenarios.rules.shapes import RuleInput

if TYPE_CHECKING:
    from assistant.engine.field import Field, Fields, Mover

TableCell = tuple[str, ...]
"""A table and the keys of a cell."""


class Scope(dict[str, Any]):
    """The values of names, computed on demand."""

    __slots__ = ("_rests", "cells", "field", "places", "walker")

    def __init__(self, field: Field, mover: Mover, places: Mapping[str, int], extra_values: Fields | None) -> None:
        super().__init__(extra_values or ())
        self.field, self.walker, self.places = field, mover, places
        self.cells: set[TableCell] = set()
        """The table cells looked up since this was last emptied, including those that values looked up."""
        self._rests: dict[str, set[TableCell]] = {}

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value of a name."""
        if name in self:
            if name in self._rests:
                self.cells |= self._rests[name]
            return self[name]
        value = self[name] = self._find(name)
        return value

    def lookup(self, table: str, keys: tuple[str, ...]) -> str:
        """Return a cell of a table."""
        self.cells.add((table, *keys))
        return self.field.program.lookup(table, keys)

    def _pack_value(self, name: str, formula: Formula) -> Any:
        """Return one of the pack's own values, and record the table cells that it uses."""
        outer_cells, self.cells = self.cells, set()
        value = formula.work(self, self.lookup, None)
        self._rests[name] = self.cells
        self.cells = outer_cells | self.cells
        return value

    def _find(self, name: str) -> Any:
        field, mover = self.field, self.walker
        prefix, dot, suffix = name.partition(".")
        if not dot:
            if name in mover.fields:
                return mover.fields[name]
            formula = field.program.values.get(name)
            if formula is not None:
                return self._pack_value(name, formula)
            if name in ("supplied", "commanded"):
                return _network_value(field, mover, name)
            if name == "units":
                return field.all_units
            return of_question(field, mover, name) if name in ("turn", "phase", "year", "level", "exited") else None
        if prefix in self.places:
            return self.of_place(self.places[prefix], suffix)
        if prefix == "over":
            return of_step(field, mover, self.places["from"], self.places["to"], suffix)
        if prefix == "unit":
            return mover.fields[suffix]
        if prefix == "source":
            return mover.source.fields[suffix] if mover.source is not None else None
        if prefix == "by":
            return _network_value(field, mover, suffix)
        return of_question(field, mover, name)

    def of_place(self, n: int, name: str) -> Any:
        """Return the value of a name of a place."""
        return of_place(self.field, self.walker, n, name)


class AskedOfEmptyMap(Scope):
    """A scope as if no piece were on the map, except spans: a bridge carries traffic as long as the enemy doesn't bar
    it."""

    __slots__ = ()

    def of_place(self, n: int, name: str) -> Any:
        """Return the value of a name of a place."""
        map_index = self.field.kinds
        if name in map_index.position_names:
            if name == "control":
                return map_index.owner(map_index.places[n])
            return [] if name in ("friends", "enemies", "markers") or name.endswith("_units") else False
        return True if name == "room" else super().of_place(n, name)


def _network_value(field: Field, mover: Mover, name: str) -> bool:
    """Whether a mover is in supply or in command."""
    return mover.standing is not None and field.supply(mover.side).is_served(mover.standing, name)


def of_place(field: Field, mover: Mover, n: int, name: str) -> Any:
    """Return what a rule may ask of a place, for a mover."""
    map_index = field.kinds
    if name in map_index.position_names:
        return of_position(field, mover, n, name)
    if name in map_index.walker_names:
        return of_walker(field, mover, n, name)
    value = map_index.map_value(n, name)
    return [{"kind": kind} for kind in value] if name == "features" else value


def of_position(field: Field, mover: Mover, n: int, name: str) -> Any:
    """Return a value of a place that depends on the pieces."""
    occupants = field.by_place.get(n, ())
    if name == "enemy":
        return any(s.side != mover.side for s in occupants)
    if name == "friend":
        return any(s.side == mover.side and s is not mover.standing for s in occupants)
    if name == "control":
        return field.control(n)
    if name == "friends":
        return [s.fields for s in occupants if s.side == mover.side and s is not mover.standing]
    if name == "enemies":
        return [s.fields for s in occupants if s.side != mover.side]
    if name == "markers":
        return field.markers.get(n, [])
    if name in field.told_places:
        return n in field.told_places[name]
    zones = field.program.rules.zones
    base = name.removesuffix("_units")
    if base in zones or name.removeprefix("own_") in zones:
        if name in zones:
            return bool(field.zones.enemies_at(name, mover.side, n))
        if base in zones:
            return [s.fields for s in field.zones.enemies_at(base, mover.side, n)]
        return bool(field.zones.zones_over(name.removeprefix("own_"), mover.side, n))
    return any(marker["id"] == name for marker in field.markers.get(n, ()))


def of_walker(field: Field, mover: Mover, n: int, name: str) -> Any:
    """Return a value of a place that depends on the mover: room, supply there, the areas of special rules."""
    if name == "room":
        from assistant.engine.stacking import failures

        return not failures(field, mover, n)
    if name == "supplied":
        from assistant.engine.supply.supply_lines import supplied_at

        return mover.standing is not None and supplied_at(field, mover.standing, n)
    return n in field.effect_places(mover, name)


def of_step(field: Field, mover: Mover, n: int, m: int, name: str) -> Any:
    """Return what a rule may ask of the step between two neighbors; between other places there is nothing."""
    if field.kinds.distance(n, m) != 1:
        return [] if name == "features" else 0 if name == "rise" else False
    if name == "rise":
        return field.kinds.height(m) - field.kinds.height(n)
    if name == "features":
        return [{"kind": kind} for kind in sorted(field.kinds.lies(n, m) - field.kinds.compass)]
    owner, _, suffix = name.partition("_")
    if owner in ("own", "enemy") and suffix in field.program.rules.spans:
        sides = field.zones.spans(suffix).get((n, m), frozenset())
        return mover.side in sides if owner == "own" else bool(sides - {mover.side})
    if owner == "other" and suffix in field.program.rules.zones:
        return any(unit.place != m for unit in field.zones.enemies_at(suffix, mover.side, n))
    return name in field.kinds.lies(n, m)


def of_question(field: Field, mover: Mover, name: str) -> Any:
    """Return a value of the whole question: the turn, rulings, effects, inputs."""
    if name in field.readings:
        return field.readings[name]
    prefix, _, key = name.partition(".")
    if prefix == "ruling":
        return field.game.rulings[key].choice
    if prefix == "input":
        return field.inputs[key]
    if prefix == "control":
        return field.holder(key)
    if prefix in ("present", "enemy_present"):
        inside, is_own = field.kinds.regions.get(key, ()), prefix == "present"
        return any(
            (unit.side == mover.side) is is_own and field.kinds.places[unit.place] in inside for unit in field.standings
        )
    if name == "exited":
        exited_pieces = [
            piece for piece in field.position.pieces if piece.unit in field.game.units and exit_of(piece) is not None
        ]
        return sum(field.side_of(piece.nation, field.game.units[piece.unit]) == mover.side for piece in exited_pieces)
    if prefix == "effect":
        return any(effect.at is None for effect in field.effects(key, mover))
    if prefix == "effect_value":
        return next((effect.value for effect in field.effects(key, mover)), "")
    scenario = field.scenario
    values = {"turn": field.position.turn, "phase": field.position.phase, "year": 0, "level": ""}
    if scenario is not None:
        values |= {"year": scenario.year or 0, "level": scenario.level}
    return values[name]


def told_values(
    map_index: MapIndex, position: Position, inputs: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, frozenset[int]]]:
    """Return the inputs, and the places that they name. An input that the player didn't give comes from a track or a
    marker, else from its default."""
    values: dict[str, Any] = {}
    places: dict[str, frozenset[int]] = {}
    for name, shape in map_index.program.rules.inputs.items():
        if shape.kind == "places":
            places[name] = frozenset(inputs.get(name, ()))
        else:
            values[name] = inputs[name] if name in inputs else _from_position(map_index, position, shape)
    return values, places


def _from_position(map_index: MapIndex, position: Position, shape: RuleInput) -> Any:
    """Return the value of an input that a track or a marker of the position shows; else its default."""
    number_on_track = position.on_track(shape.track) if shape.track else None
    if number_on_track is not None:
        return number_on_track
    if shape.marker:
        state = map_index.program.game.markers[shape.marker].state
        if any(piece.unit == shape.marker and (not state or state in piece.states) for piece in position.pieces):
            return True
    return _usual(shape)


def _usual(shape: RuleInput) -> Any:
    if shape.kind == "number":
        return number(shape.default) if shape.default else 0
    if shape.kind == "flag":
        return shape.default == "true"
    return shape.default or (shape.choices[0] if shape.choices else "")
