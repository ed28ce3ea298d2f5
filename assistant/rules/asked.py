"""What a rule may ask, found when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from assistant.rules.kinds import Kinds
from scenarios.inputs import Formula
from scenarios.position import Position
from scenarios.reading.shapes import number
from scenarios.rules.shapes import Told

if TYPE_CHECKING:
    from assistant.rules.field import Field, Fields, Walker

TableCell = tuple[str, ...]
"""A table and the keys of a cell."""


class Asked(dict[str, Any]):
    """The values of names, found when they are asked for."""

    __slots__ = ("_rests", "cells", "field", "places", "walker")

    def __init__(self, field: Field, walker: Walker, places: Mapping[str, int], more: Fields | None) -> None:
        super().__init__(more or ())
        self.field, self.walker, self.places = field, walker, places
        self.cells: set[TableCell] = set()
        """The cells of tables that were looked up since this was last emptied, by values too."""
        self._rests: dict[str, set[TableCell]] = {}

    def get(self, name: str, default: Any = None) -> Any:
        """The value of a name."""
        if name in self:
            if name in self._rests:
                self.cells |= self._rests[name]
            return self[name]
        value = self[name] = self._find(name)
        return value

    def lookup(self, table: str, keys: tuple[str, ...]) -> str:
        """A cell of a table."""
        self.cells.add((table, *keys))
        return self.field.program.lookup(table, keys)

    def _worked(self, name: str, formula: Formula) -> Any:
        """One of the pack's own values; the cells that it rests on are kept with it."""
        before, self.cells = self.cells, set()
        value = formula.work(self, self.lookup, None)
        self._rests[name] = self.cells
        self.cells = before | self.cells
        return value

    def _find(self, name: str) -> Any:
        field, walker = self.field, self.walker
        prefix, dot, rest = name.partition(".")
        if not dot:
            if name in walker.fields:
                return walker.fields[name]
            formula = field.program.values.get(name)
            if formula is not None:
                return self._worked(name, formula)
            if name in ("supplied", "commanded"):
                return _found(field, walker, name)
            if name == "units":
                return field.all_units
            return field.of_question(walker, name) if name in ("turn", "phase", "year", "level", "exited") else None
        if prefix in self.places:
            return field.of_place(walker, self.places[prefix], rest)
        if prefix == "over":
            return field.of_step(walker, self.places["from"], self.places["to"], rest)
        if prefix == "unit":
            return walker.fields[rest]
        if prefix == "source":
            return walker.source.fields[rest] if walker.source is not None else None
        if prefix == "by":
            return _found(field, walker, rest)
        return field.of_question(walker, name)


def _found(field: Field, walker: Walker, name: str) -> bool:
    """What supply or command found for a walker."""
    return walker.standing is not None and field.supply(walker.side).found(walker.standing, name)


def told_values(kinds: Kinds, position: Position, told: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, frozenset[int]]]:
    """What the question was told; where nothing was, what a track shows, else what is meant then. And the places that it names."""
    values: dict[str, Any] = {}
    places: dict[str, frozenset[int]] = {}
    for name, shape in kinds.program.rules.inputs.items():
        if shape.kind == "places":
            places[name] = frozenset(told.get(name, ()))
        else:
            shown = position.on_track(shape.track) if shape.track and name not in told else None
            values[name] = told[name] if name in told else _usual(shape) if shown is None else shown
    return values, places


def _usual(shape: Told) -> Any:
    if shape.kind == "number":
        return number(shape.default) if shape.default else 0
    if shape.kind == "flag":
        return shape.default == "true"
    return shape.default or (shape.choices[0] if shape.choices else "")
