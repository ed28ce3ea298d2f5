"""The names that a rule may ask for; each value is computed when a rule asks for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from assistant.engine.map_index import MapIndex
from assistant.engine.placed_units import Fields, Mover, PlacedUnit
from assistant.engine.program import Program
from scenarios.model.attack_inputs import Formula
from scenarios.model.position import Position
from scenarios.reading.shapes import number
from scenarios.rules.counters import RuleCounter, start_text
from scenarios.rules.shapes import RuleInput

TableCell = tuple[str, ...]
"""A table and the keys of a cell."""
OF_QUESTION = frozenset({"turn", "phase", "year", "level", "exited", "units", "places"})
"""The names without a prefix that are the same for the whole question."""


class RuleValues(Protocol):
    """The values that a rule may ask of a map with pieces on it.

    `FieldValues` computes them. Zones, supply and stacking ask rules, and rules ask for zones, supply and room in a
    stack. So `FieldValues` stands above all of these, and each field gets it when it is made.
    """

    program: Program
    map_index: MapIndex

    def of_place(self, mover: Mover, n: int, name: str) -> Any:
        """Return what a rule may ask of a place, for a mover."""

    def of_step(self, mover: Mover, n: int, m: int, name: str) -> Any:
        """Return what a rule may ask of the step between two neighbors."""

    def of_question(self, mover: Mover, name: str) -> Any:
        """Return a value of the whole question: the turn, rulings, effects, inputs, all units."""

    def is_served(self, mover: Mover, name: str) -> bool:
        """Whether a mover is in supply or in command."""

    def units_at(self, mover: Mover, n: int, name: str) -> list[PlacedUnit]:
        """Return the units of a place behind a name: `friends`, `enemies`, or the enemies with a zone there."""

    def flag_places(self, side: str, name: str) -> frozenset[int] | None:
        """Return the places where a flag of the position holds for a side; None if the name isn't such a flag."""


class Scope(dict[str, Any]):
    """The values of names, computed on demand."""

    __slots__ = ("_rests", "cells", "mover", "places", "rule_values")

    def __init__(
        self, rule_values: RuleValues, mover: Mover, places: Mapping[str, int], extra_values: Fields | None
    ) -> None:
        super().__init__(extra_values or ())
        self.rule_values, self.mover, self.places = rule_values, mover, places
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
        return self.rule_values.program.lookup(table, keys)

    def _pack_value(self, name: str, formula: Formula) -> Any:
        """Return one of the pack's own values, and record the table cells that it uses."""
        outer_cells, self.cells = self.cells, set()
        value = formula.work(self, self.lookup, None)
        self._rests[name] = self.cells
        self.cells = outer_cells | self.cells
        return value

    def _find(self, name: str) -> Any:
        values, mover = self.rule_values, self.mover
        prefix, dot, suffix = name.partition(".")
        if not dot:
            if name in mover.fields:
                return mover.fields[name]
            formula = values.program.values.get(name)
            if formula is not None:
                return self._pack_value(name, formula)
            if name in ("supplied", "commanded"):
                return values.is_served(mover, name)
            return values.of_question(mover, name) if name in OF_QUESTION else None
        if prefix in self.places:
            return self.of_place(self.places[prefix], suffix)
        if prefix == "over":
            return values.of_step(mover, self.places["from"], self.places["to"], suffix)
        if prefix == "unit":
            return mover.fields[suffix]
        if prefix == "source":
            return mover.source.fields[suffix] if mover.source is not None else None
        if prefix == "by":
            return values.is_served(mover, suffix)
        return values.of_question(mover, name)

    def of_place(self, n: int, name: str) -> Any:
        """Return the value of a name of a place."""
        return self.rule_values.of_place(self.mover, n, name)


class PlaceFields(Mapping[str, Any]):
    """The fields of one of the group `places`: what a rule may ask of it, as `to.x`."""

    def __init__(self, rule_values: RuleValues, mover: Mover, place: int) -> None:
        self.rule_values, self.mover, self.place = rule_values, mover, place

    def __contains__(self, name: object) -> bool:
        return str(name).startswith("to.")

    def __getitem__(self, name: str) -> Any:
        return self.rule_values.of_place(self.mover, self.place, name.removeprefix("to."))

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


class EmptyMapScope(Scope):
    """A scope as if no piece were on the map, except spans: a bridge carries traffic as long as the enemy doesn't bar
    it."""

    __slots__ = ()

    def of_place(self, n: int, name: str) -> Any:
        """Return the value of a name of a place."""
        map_index = self.rule_values.map_index
        if name in map_index.position_names:
            if name == "control":
                return map_index.owner(map_index.places[n])
            return [] if name in ("friends", "enemies", "markers") or name.endswith("_units") else False
        return True if name == "room" else super().of_place(n, name)


def input_values(
    map_index: MapIndex, position: Position, inputs: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, frozenset[int]]]:
    """Return the inputs and counters, and the places that inputs name. What the player didn't give comes from a track
    or a marker, else from its default."""
    rules = map_index.program.rules
    values: dict[str, Any] = {}
    places: dict[str, frozenset[int]] = {}
    for name, shape in rules.inputs.items():
        if shape.kind == "places":
            places[name] = frozenset(inputs.get(name, ()))
        else:
            values[name] = inputs[name] if name in inputs else _from_position(map_index, position, shape)
    for name, counter in rules.counters.items():
        values[name] = inputs[name] if name in inputs else _kept(map_index, position, counter)
    return values, places


def _from_position(map_index: MapIndex, position: Position, shape: RuleInput) -> Any:
    """Return the value of an input that a marker of the position shows; else its default."""
    return True if _has_marker(map_index, position, shape.marker) else _usual(shape)


def _has_marker(map_index: MapIndex, position: Position, marker: str) -> bool:
    """Whether a marker lies somewhere, turned to its state if it has one."""
    state = map_index.program.game.markers[marker].state if marker else ""
    return bool(marker) and any(
        piece.unit == marker and (not state or state in piece.states) for piece in position.pieces
    )


def _kept(map_index: MapIndex, position: Position, counter: RuleCounter) -> Any:
    """Return the value of a counter that a track or a marker shows; else the value that it starts as."""
    if _has_marker(map_index, position, counter.marker):
        return True
    number_on_track = position.on_track(counter.track) if counter.track else None
    return start_value(counter) if number_on_track is None else number_on_track


def start_value(counter: RuleCounter) -> Any:
    """Return what a counter starts as."""
    text = start_text(counter)
    return text if counter.kind == "text" else text == "true" if counter.kind == "flag" else number(text)


def _usual(shape: RuleInput) -> Any:
    if shape.kind == "number":
        return number(shape.default) if shape.default else 0
    if shape.kind == "markers":
        return ()
    if shape.kind == "flag":
        return shape.default == "true"
    return shape.default or (shape.choices[0] if shape.choices else "")
