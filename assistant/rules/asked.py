"""What a rule may ask, found when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from assistant.rules.kinds import Kinds
from scenarios.inputs import Formula
from scenarios.position import Position, exit_of
from scenarios.reading.shapes import number
from scenarios.rules.shapes import RuleInput

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
            return of_question(field, walker, name) if name in ("turn", "phase", "year", "level", "exited") else None
        if prefix in self.places:
            return self.of_place(self.places[prefix], rest)
        if prefix == "over":
            return of_step(field, walker, self.places["from"], self.places["to"], rest)
        if prefix == "unit":
            return walker.fields[rest]
        if prefix == "source":
            return walker.source.fields[rest] if walker.source is not None else None
        if prefix == "by":
            return _found(field, walker, rest)
        return of_question(field, walker, name)

    def of_place(self, n: int, name: str) -> Any:
        """The value of a name of a place."""
        return of_place(self.field, self.walker, n, name)


class AskedOfEmptyMap(Asked):
    """The same as if no piece were on the map, but for spans: a bridge is a way as long as the enemy doesn't bar it."""

    __slots__ = ()

    def of_place(self, n: int, name: str) -> Any:
        """The value of a name of a place."""
        kinds = self.field.kinds
        if name in kinds.position_names:
            if name == "control":
                return kinds.owner(kinds.places[n])
            return [] if name in ("friends", "enemies", "markers") or name.endswith("_units") else False
        return True if name == "room" else super().of_place(n, name)


def _found(field: Field, walker: Walker, name: str) -> bool:
    """What supply or command found for a walker."""
    return walker.standing is not None and field.supply(walker.side).found(walker.standing, name)


def of_place(field: Field, walker: Walker, n: int, name: str) -> Any:
    """What a rule may ask of a place, for a walker."""
    kinds = field.kinds
    if name in kinds.position_names:
        return of_position(field, walker, n, name)
    if name in kinds.walker_names:
        return of_walker(field, walker, n, name)
    value = kinds.told(n, name)
    return [{"kind": kind} for kind in value] if name == "features" else value


def of_position(field: Field, walker: Walker, n: int, name: str) -> Any:
    """What of a place depends on the pieces."""
    here = field.by_place.get(n, ())
    if name == "enemy":
        return any(s.side != walker.side for s in here)
    if name == "friend":
        return any(s.side == walker.side and s is not walker.standing for s in here)
    if name == "control":
        return field.control(n)
    if name == "friends":
        return [s.fields for s in here if s.side == walker.side and s is not walker.standing]
    if name == "enemies":
        return [s.fields for s in here if s.side != walker.side]
    if name == "markers":
        return field.markers.get(n, [])
    if name in field.told_places:
        return n in field.told_places[name]
    zones = field.program.rules.zones
    base = name.removesuffix("_units")
    if base in zones or name.removeprefix("own_") in zones:
        if name in zones:
            return bool(field.zones.enemies_at(name, walker.side, n))
        if base in zones:
            return [s.fields for s in field.zones.enemies_at(base, walker.side, n)]
        return bool(field.zones.at(name.removeprefix("own_"), walker.side, n))
    return any(marker["id"] == name for marker in field.markers.get(n, ()))


def of_walker(field: Field, walker: Walker, n: int, name: str) -> Any:
    """What of a place depends on who walks: room, supply there, the areas of special rules."""
    if name == "room":
        from assistant.rules.stacking import failures

        return not failures(field, walker, n)
    if name == "supplied":
        from assistant.rules.supply import supplied_at

        return walker.standing is not None and supplied_at(field, walker.standing, n)
    return n in field.effect_places(walker, name)


def of_step(field: Field, walker: Walker, n: int, m: int, name: str) -> Any:
    """What a rule may ask of the way between two neighbours; between others nothing lies."""
    if field.kinds.distance(n, m) != 1:
        return [] if name == "features" else 0 if name == "rise" else False
    if name == "rise":
        return field.kinds.height(m) - field.kinds.height(n)
    if name == "features":
        return [{"kind": kind} for kind in sorted(field.kinds.lies(n, m) - field.kinds.compass)]
    whose, _, rest = name.partition("_")
    if whose in ("own", "enemy") and rest in field.program.rules.spans:
        sides = field.zones.spans(rest).get((n, m), frozenset())
        return walker.side in sides if whose == "own" else bool(sides - {walker.side})
    if whose == "other" and rest in field.program.rules.zones:
        return any(standing.at != m for standing in field.zones.enemies_at(rest, walker.side, n))
    return name in field.kinds.lies(n, m)


def of_question(field: Field, walker: Walker, name: str) -> Any:
    """What holds for the whole question: the turn, rulings, effects, what was told."""
    if name in field.readings:
        return field.readings[name]
    prefix, _, rest = name.partition(".")
    if prefix == "ruling":
        return field.game.rulings[rest].choice
    if prefix == "told":
        return field.told[rest]
    if prefix == "control":
        return field.holder(rest)
    if prefix in ("present", "enemy_present"):
        inside, own = field.kinds.regions.get(rest, ()), prefix == "present"
        return any(
            (unit.side == walker.side) is own and field.kinds.places[unit.at] in inside for unit in field.standings
        )
    if name == "exited":
        gone = [
            piece for piece in field.position.pieces if piece.unit in field.game.units and exit_of(piece) is not None
        ]
        return sum(field.side_of(piece.nation, field.game.units[piece.unit]) == walker.side for piece in gone)
    if prefix == "effect":
        return any(effect.at is None for effect in field.effects(rest, walker))
    if prefix == "effect_value":
        return next((effect.value for effect in field.effects(rest, walker)), "")
    scenario = field.scenario
    values = {"turn": field.position.turn, "phase": field.position.phase, "year": 0, "level": ""}
    if scenario is not None:
        values |= {"year": scenario.year or 0, "level": scenario.level}
    return values[name]


def told_values(
    kinds: Kinds, position: Position, told: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, frozenset[int]]]:
    """What the question was told; where nothing was, what a track or a marker shows, else the default. And the places that it names."""
    values: dict[str, Any] = {}
    places: dict[str, frozenset[int]] = {}
    for name, shape in kinds.program.rules.inputs.items():
        if shape.kind == "places":
            places[name] = frozenset(told.get(name, ()))
        else:
            values[name] = told[name] if name in told else _from_position(kinds, position, shape)
    return values, places


def _from_position(kinds: Kinds, position: Position, shape: RuleInput) -> Any:
    """What a track or a marker of the position shows of an input that isn't told; else its default."""
    number_on_track = position.on_track(shape.track) if shape.track else None
    if number_on_track is not None:
        return number_on_track
    if shape.marker:
        state = kinds.program.game.markers[shape.marker].state
        if any(piece.unit == shape.marker and (not state or state in piece.states) for piece in position.pieces):
            return True
    return _usual(shape)


def _usual(shape: RuleInput) -> Any:
    if shape.kind == "number":
        return number(shape.default) if shape.default else 0
    if shape.kind == "flag":
        return shape.default == "true"
    return shape.default or (shape.choices[0] if shape.choices else "")
