"""A map with the pieces on it: where each unit is, its side and its state; and everything that a rule may ask about
them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from assistant.engine.map_index import MapIndex
from assistant.engine.placed_units import EquivalenceKey, Fields, Mover, PlacedUnit, UnnamedEnemy, no_unit
from assistant.engine.scope import RuleValues, Scope, input_values
from assistant.questions.answer import BadQuestion, PlaceRef
from scenarios.areas.resolving import Location, Resolver
from scenarios.expressions import EvaluationError
from scenarios.model.areas import Area
from scenarios.model.attack_inputs import Formula
from scenarios.model.counters import Unit
from scenarios.model.hexes import Hex
from scenarios.model.maps import HexMap
from scenarios.model.position import REMOVED_WORD, Piece, Position
from scenarios.model.scenario import Effect
from scenarios.model.tables import span
from scenarios.reading.findings import suggest
from scenarios.reading.shapes import number
from scenarios.unit_view import UnitView, display_name, empty_fields, side_of, view_marker

MOST_ALIKE = 20_000


class Field:
    """The pieces of a position on a map. A field never changes; it caches what it computes."""

    def __init__(
        self,
        map_index: MapIndex,
        position: Position,
        make_values: Callable[[Field], RuleValues],
        inputs: Mapping[str, Any] | None = None,
        assumed_units: Iterable[tuple[str, str]] = (),
        readings: Fields | None = None,
    ) -> None:
        """Build the field. `make_field` does it with the values of the rules. `readings` override values of the
        scenario and the pack for this question only: `ruling.x`, `level`."""
        self.map_index, self.position, self.readings = map_index, position, readings or {}
        self.program = map_index.program
        self.game = self.program.game
        self._make_values = make_values
        self.rule_values = make_values(self)
        self.unchanged: Field | None = None
        """The field from which `with_changes` made this one."""
        self.scenario = self.game.scenarios.get(position.scenario)
        self.inputs, self.input_places = input_values(map_index, position, inputs or {})
        self.untold = frozenset(
            name for name, shape in self.program.rules.inputs.items() if shape.needed and name not in (inputs or {})
        )
        """The required inputs that the player didn't give."""
        # The fields of a unit are the same in all positions of a scenario, unless the pack's own values ask for more.
        shared_fields = map_index.units.setdefault(
            position.scenario if self.scenario and self.scenario.sides else "", {}
        )
        self._fields: dict[EquivalenceKey, Fields] = (
            shared_fields if self.program.units_alone and len(shared_fields) <= MOST_ALIKE else {}
        )
        self._effect_places: dict[Any, frozenset[int]] = {}
        self.places_by_name: dict[Any, tuple[int, ...]] = {}
        self.looks: dict[Any, dict[int, int]] = {}
        assumed_keys = frozenset(assumed_units)
        placed_units: list[PlacedUnit] = []
        self.spanning: list[tuple[str, Piece, str, int]] = []
        """Pieces that are spans: the span, the piece, its side, its place."""
        self.off_map_keys: list[EquivalenceKey] = []
        """Units that aren't on the map."""
        self.set_aside: list[PlacedUnit] = []
        """Units on the map that don't count in their place."""
        self._present: dict[EquivalenceKey, bool] = {}
        self.markers_by_place: dict[int, str] = {}
        """The side whose marker is in a place."""
        self._holders: dict[int, str] = {}
        self.markers: dict[int, list[Fields]] = {}
        for piece in position.pieces:
            n = map_index.number.get(piece.at)
            unit = self.game.units.get(piece.unit)
            if n is None:
                if unit is not None:
                    self.off_map_keys.append(self._equivalence_key(unit, piece))
                continue
            if unit is None:
                self._marker(piece, n)
                continue
            placed_unit = self._place_unit(unit, piece, n, (piece.unit, piece.copy) in assumed_keys)
            name = self._span_of(placed_unit.fields)
            if name:
                self.spanning.append((name, piece, placed_unit.side, n))
            elif self._counts(placed_unit):
                placed_units.append(placed_unit)
            else:
                self.set_aside.append(placed_unit)
        self.placed_units = tuple(placed_units)

    def _place_unit(self, unit: Unit, piece: Piece, n: int, is_assumed: bool) -> PlacedUnit:
        equivalence_key = self._equivalence_key(unit, piece)
        fields = self._fields[equivalence_key]
        name = display_name(self.game, unit, piece.nation)
        return PlacedUnit(unit, piece, n, fields["side"], fields, equivalence_key, name, is_assumed)

    def _equivalence_key(self, unit: Unit, piece: Piece) -> EquivalenceKey:
        """Return the key of a unit, and compute its fields if they aren't known yet."""
        nation = piece.nation or unit.nation
        rare_names = self.program.rare_fields
        copy, group = piece.copy if "copy" in rare_names else "", piece.group if "group" in rare_names else ""
        equivalence_key = (unit.id, nation, copy, piece.states, piece.steps_lost, group)
        if equivalence_key not in self._fields:
            self._fields[equivalence_key] = self._rule_fields(unit, piece, nation)
        return equivalence_key

    def _rule_fields(self, unit: Unit, piece: Piece, nation: str) -> Fields:
        """Return what a rule may ask of a unit, with the values that the rules themselves compute for it."""
        view = UnitView(self.game, unit, unit.id, piece.states, piece.steps_lost, nation, self.scenario)
        values: dict[str, Any] = {**view.fields, "formation": unit.formation}
        values |= {"copy": piece.copy, "group": piece.group.rpartition("/")[2]}
        for name, formula in self.program.rules.units.items():
            if formula is not None:
                mover = Mover(values["side"], values)
                values[name] = self.ask(formula, mover)
        return values

    def side_of(self, nation: str, unit: Unit) -> str:
        """The side a nation fights on in this scenario."""
        return side_of(self.game, self.scenario, nation, unit.side)

    def _marker(self, piece: Piece, n: int) -> None:
        marker = self.game.markers.get(piece.unit)
        if marker is None:
            return
        fields = view_marker(self.game, piece.unit, piece.states).fields
        self.markers.setdefault(n, []).append(fields)
        all_fields = {**self._no_unit, **fields}
        name = self._span_of(all_fields)
        if name:
            self.spanning.append((name, piece, marker.side, n))
        control = self.program.rules.control
        if control is not None and self.holds(control, Mover(marker.side, all_fields)):
            self.markers_by_place[n] = marker.side

    def box_pieces(self, box: str) -> list[Fields]:
        """Return the fields of the units and markers in a box."""
        pieces = [piece for piece in self.position.pieces if piece.at == f"box:{box}"]
        units = [(self.game.units.get(piece.unit), piece) for piece in pieces]
        return [
            self.marker_fields(piece.unit, piece.states)
            if unit is None
            else self._fields[self._equivalence_key(unit, piece)]
            for unit, piece in units
        ]

    def marker_fields(self, marker: str, states: Iterable[str] = ()) -> Fields:
        """Return what a rule may ask of a marker, with empty values for what only units have."""
        known_states = [state for state in states if state in self.game.states]
        return {**self.unknown_unit.fields, **view_marker(self.game, marker, known_states).fields}

    @cached_property
    def _no_unit(self) -> Fields:
        """The fields of a piece of which nothing is known."""
        return {**empty_fields(self.game), **dict.fromkeys(("formation", "copy", "group"), "")}

    @cached_property
    def unknown_unit(self) -> Mover:
        """A mover with no known properties."""
        values: dict[str, Any] = {**self._no_unit}
        for name, formula in self.program.rules.units.items():
            if formula is not None:
                values[name] = self.ask(formula, Mover("", values))
        return Mover("", values)

    def _span_of(self, fields: Fields) -> str:
        """Return the span that a piece is, or an empty string."""
        for name, span_rule in self.program.rules.spans.items():
            if span_rule.of is not None and self.ask(span_rule.of, Mover(fields["side"], fields)) is True:
                return name
        return ""

    def fields_of(self, unit: Unit, states: Iterable[str] = ()) -> Fields:
        """Return what a rule may ask of a unit in some states, wherever it is."""
        return self._fields[self._equivalence_key(unit, Piece(unit.id, "", unit.nation, "", frozenset(states)))]

    def counts(self, unit: Unit) -> bool:
        """Whether a unit would count on the map."""
        return self._counts(self._place_unit(unit, Piece(unit.id, "", unit.nation, ""), 0, False))

    def _counts(self, unit: PlacedUnit) -> bool:
        """Whether a unit counts in its place."""
        present = self.program.rules.present
        if present is None:
            return True
        if unit.equivalence_key not in self._present:
            self._present[unit.equivalence_key] = self.holds(present, self.mover(unit))
        return self._present[unit.equivalence_key]

    def off_map(self, unit: Unit) -> Mover:
        """Return a unit that isn't on the map as a mover that enters it."""
        fields = self.fields_of(unit)
        return Mover(fields["side"], fields)

    def display_name(self, unit: Unit) -> str:
        """Return a unit's name, with its nation where the name alone is ambiguous."""
        return display_name(self.game, unit)

    @cached_property
    def lost_pieces(self) -> tuple[Piece, ...]:
        """The pieces in dead piles."""
        return tuple(piece for piece in self.position.pieces if piece.at in self._dead)

    def is_lost(self, unit: Unit) -> bool:
        """Whether a unit is in a dead pile."""
        return any(piece.unit == unit.id for piece in self.lost_pieces)

    @cached_property
    def _dead(self) -> frozenset[str]:
        boxes = self.map_index.map.boxes
        return frozenset(
            {REMOVED_WORD, *(f"box:{key}" for key, box in boxes.items() if getattr(box, "kind", "") == "dead")}
        )

    def as_if(self, piece: Piece) -> PlacedUnit:
        """Return a piece as a unit in its place, whether or not it is there now."""
        return self._place_unit(self.game.units[piece.unit], piece, self.map_index.number[piece.at], False)

    def with_loss(self, unit: PlacedUnit, steps: int) -> PlacedUnit:
        """Return a unit after it has lost this many steps."""
        if not steps:
            return unit
        lost_steps = unit.counter.steps - max(0, unit.steps - steps)
        return self._place_unit(unit.counter, unit.piece._replace(steps_lost=lost_steps), unit.place, unit.is_assumed)

    @cached_property
    def waiting(self) -> tuple[str, ...]:
        """The side of each unit that would count on the map, but is neither on it nor lost."""
        sides = []
        for piece in self.position.pieces:
            unit = self.game.units.get(piece.unit)
            if unit is not None and piece.at not in self.map_index.number and piece.at not in self._dead:
                placed_unit = self._place_unit(unit, piece, 0, False)
                if self._counts(placed_unit) and not self._span_of(placed_unit.fields):
                    sides.append(placed_unit.side)
        return tuple(sides)

    def with_changes(self, removed_units: Iterable[PlacedUnit] = (), added_units: Iterable[PlacedUnit] = ()) -> Field:
        """Return the field with some units removed and others added. It shares everything that doesn't depend on
        them."""
        without = frozenset(removed_units)
        field = copy(self)
        for name in ("by_place", "all_units", "all_alike", "_kept"):
            field.__dict__.pop(name, None)
        field.unchanged = self.unchanged or self
        field.rule_values = self._make_values(field)
        field.looks = {}
        field.places_by_name = {}
        field.placed_units = (*(unit for unit in self.placed_units if unit not in without), *added_units)
        return field

    def telling(self, **inputs: Any) -> Field:
        """Return the field with other values for the pack's inputs."""
        field = self.with_changes()
        places = {name: frozenset(value) for name, value in inputs.items() if name in self.input_places}
        field.input_places = {**self.input_places, **places}
        field.inputs = {**self.inputs, **{name: value for name, value in inputs.items() if name not in places}}
        field.untold = self.untold - inputs.keys()
        return field

    def on_turn(self, turn: int) -> Field:
        """Return the field with the same pieces on another turn."""
        if turn == self.position.turn:
            return self
        field = self.with_changes()
        field.position = replace(self.position, turn=turn)
        field.__dict__.pop("_effects", None)
        field._effect_places = {}
        return field

    def with_pieces(self, pieces: Iterable[Piece]) -> Field:
        """Return the field with other pieces on the same map."""
        inputs = {
            name: value for name, value in {**self.inputs, **self.input_places}.items() if name not in self.untold
        }
        position = replace(self.position, pieces=tuple(pieces))
        return Field(self.map_index, position, self._make_values, inputs, readings=self.readings)

    def with_markers(self, changes: Mapping[Hex, Iterable[str]] | Mapping[str, Iterable[str]]) -> Field:
        """Return the field with these markers in some places instead of the present ones; an empty list removes all."""
        for place, markers in changes.items():
            if place not in self.map_index.number:
                raise BadQuestion(f"{tuple(place) if isinstance(place, Hex) else place} is not on this map")
            for marker in markers:
                if marker not in self.game.markers:
                    raise BadQuestion(f"there is no marker {marker!r}; {suggest(marker, self.game.markers)}")
        remaining_pieces = [
            piece for piece in self.position.pieces if piece.at not in changes or piece.unit not in self.game.markers
        ]
        new = [Piece(marker, "1", "", place) for place, markers in changes.items() for marker in sorted(set(markers))]
        return self.with_pieces((*remaining_pieces, *new))

    def with_taken(self, side: str, places: Iterable[int], *, zone: bool = False) -> Field:
        """Return the field as if enemies of a side had taken some places. With `zone` they have every zone around
        them."""
        places = frozenset(places)
        if not places:
            return self
        takers = [self.taker(side, n, zone=zone) for n in sorted(places)]
        return self.with_changes([s for s in self.placed_units if s.side == side and s.place in places], takers)

    def taker(self, side: str, n: int, *, zone: bool) -> UnnamedEnemy:
        """Return an enemy of a side that has taken a place."""
        like = next((s for s in self.placed_units if s.side != side), None) or self._somebody(side)
        return UnnamedEnemy(
            like.counter, like.piece, n, like.side, like.fields, like.equivalence_key, like.display_name, has_zone=zone
        )

    def _somebody(self, side: str) -> PlacedUnit:
        """Return any unit of another side, in the position or not."""
        for unit in self.game.units.values():
            if (placed_unit := self._place_unit(unit, Piece(unit.id, "1", unit.nation, ""), 0, False)).side != side:
                return placed_unit
        raise BadQuestion(f"{self.game.title} has no enemy of {side}")

    # Which units are in which place.

    @cached_property
    def by_place(self) -> Mapping[int, tuple[PlacedUnit, ...]]:
        """The units in each place."""
        units_by_place: dict[int, list[PlacedUnit]] = {}
        for unit in self.placed_units:
            units_by_place.setdefault(unit.place, []).append(unit)
        return {n: tuple(units) for n, units in units_by_place.items()}

    @property
    def hex_map(self) -> HexMap:
        """The map, where it has hexes."""
        map = self.map_index.map
        assert isinstance(map, HexMap)
        return map

    def markers_at(self, place: Location) -> frozenset[str]:
        """Return the markers in a place; there are none outside the map."""
        return frozenset(marker["id"] for marker in self.markers.get(self.map_index.number.get(place, -1), ()))

    def place(self, n: int) -> PlaceRef:
        """Return a place for an answer."""
        return self.map_index.spots[n]

    def places_at(self, numbers: Iterable[int]) -> list[PlaceRef]:
        """Return places for an answer, in the given order."""
        return [self.place(n) for n in numbers]

    def stack(self, n: int, side: str) -> tuple[PlacedUnit, ...]:
        """The units of a side in a place."""
        return tuple([unit for unit in self.by_place.get(n, ()) if unit.side == side])

    def is_occupied(self, n: int, side: str) -> bool:
        """Whether a unit of a side is in a place."""
        return any(unit.side == side for unit in self.by_place.get(n, ()))

    def control(self, n: int) -> str:
        """Return the side that controls a place. The first that applies: the side that occupies it alone; the marker
        in it; the pack's rules, or the owner that the map prints."""
        occupants = self.by_place.get(n, ())
        if occupants and all(unit.side == occupants[0].side for unit in occupants):
            return occupants[0].side
        if n in self.markers_by_place:
            return self.markers_by_place[n]
        formula, kind = self.program.rules.holder, self.map_index.kind(n)
        if formula is None:
            return self.map_index.owner(self.map_index.places[n])
        if kind not in self._holders:
            self._holders[kind] = str(self.ask(formula, Mover("", {}), to=n))
        return self._holders[kind]

    def with_control(self, control: Mapping[int, str]) -> Field:
        """Return the field with other control of some empty places, as the question says."""
        if not control:
            return self
        field = self.with_changes()
        field.markers_by_place = {**self.markers_by_place, **control}
        return field

    @cached_property
    def sides(self) -> tuple[str, ...]:
        """The sides of the scenario."""
        return tuple(self.game.sides_in(self.scenario)) if self.scenario else tuple(self.game.sides)

    @cached_property
    def all_units(self) -> list[Fields]:
        """The fields of every unit of the position, on the map or not."""
        return [
            *(unit.fields for unit in self.placed_units),
            *(self._fields[equivalence_key] for equivalence_key in self.off_map_keys),
        ]

    @cached_property
    def all_alike(self) -> frozenset[tuple[EquivalenceKey, int]]:
        """The units of the position, as a key that tells positions apart."""
        return frozenset(Counter([*(unit.equivalence_key for unit in self.placed_units), *self.off_map_keys]).items())

    def units_of(self, side: str) -> tuple[PlacedUnit, ...]:
        """The units of a side."""
        return tuple(unit for unit in self.placed_units if unit.side == side)

    def mover(self, unit: PlacedUnit, as_: Mapping[str, str] | None = None, source: PlacedUnit | None = None) -> Mover:
        """Return a unit as a mover. `as_` replaces some of its fields."""
        if not as_:
            return Mover(unit.side, unit.fields, unit, source)
        fields = dict(unit.fields)
        for name, text in as_.items():
            old = fields[name]
            fields[name] = text == "true" if isinstance(old, bool) else text if isinstance(old, str) else number(text)
        return Mover(unit.side, fields, unit, source)

    # What a rule may ask.

    def scope(self, mover: Mover, places: Mapping[str, int], extra_values: Fields | None = None) -> Scope:
        """Return the names that a rule may ask for, for a mover and some places."""
        return Scope(self.rule_values, mover, places, extra_values)

    def ask(self, formula: Formula, mover: Mover, extra_values: Fields | None = None, **places: int) -> Any:
        """Return the value of an expression for a mover and some places."""
        return self.value_of(formula, self.scope(mover, places, extra_values))

    def value_of(self, formula: Formula, scope: Scope) -> Any:
        """Return the value of an expression in a prepared scope."""
        try:
            return formula.work(scope, scope.lookup, None)
        except EvaluationError as error:
            raise BadQuestion(f"{error} (in {formula.text!r} of the pack's rules)") from None
        except RecursionError:
            raise BadQuestion(
                f"{formula.text!r} of the pack's rules has too many values that depend on each other"
            ) from None

    def holds_of(self, formula: Formula | None, scope: Scope) -> bool:
        """Whether a condition holds in a prepared scope; a missing condition holds."""
        return formula is None or self.value_of(formula, scope) is True

    def holds(self, formula: Formula | None, mover: Mover, extra_values: Fields | None = None, **places: int) -> bool:
        """Whether a condition holds; a missing condition holds."""
        return formula is None or self.ask(formula, mover, extra_values, **places) is True

    def value(self, name: str) -> Any:
        """Return a value that is the same for the whole question and every unit: `year`, `level`, `turn`, `ruling.x`."""
        return self.rule_values.of_question(no_unit(), name)

    @property
    def rulings(self) -> dict[str, str]:
        """The readings that this question chose for rulings."""
        return {
            name.removeprefix("ruling."): reading
            for name, reading in self.readings.items()
            if name.startswith("ruling.")
        }

    def holder(self, place: str) -> str:
        """Return the side that controls a named place; of several hexes it must control all."""
        sides = {self.control(self.map_index.number[spot]) for spot in self.map_index.places_named(place)}
        return sides.pop() if len(sides) == 1 else ""

    def effects(self, name: str, mover: Mover) -> Iterable[Effect]:
        """Yield the effects of special rules that apply now to a mover."""
        fields = mover.fields
        for effect in self.in_force(name):
            units = effect.units
            fits = effect.side in ("", mover.side) and effect.nation in ("", fields["nation"])
            if fits and (not units or fields["id"] in units or (mover.unit and mover.unit.counter.template in units)):
                yield effect

    def places_of(self, area: Area) -> frozenset[Location]:
        """Return the places of an area; the scenario's own zones count."""
        return Resolver(self.map_index.map, dict(self.scenario.zones) if self.scenario else {}).places(area)

    def in_force(self, name: str, side: str = "") -> Sequence[Effect]:
        """Return the effects of special rules that apply on this turn, for one side or for all."""
        effects = self._effects.get(name, ())
        return [effect for effect in effects if effect.side in ("", side)] if side else effects

    @cached_property
    def _effects(self) -> Mapping[str, list[Effect]]:
        effects_by_name: dict[str, list[Effect]] = {}
        for special in self.scenario.special if self.scenario else ():
            for effect in special.effects:
                if not effect.turns or span(effect.turns).holds(Fraction(self.position.turn)):
                    effects_by_name.setdefault(effect.effect, []).append(effect)
        return effects_by_name

    def effect_places(self, mover: Mover, name: str) -> frozenset[int]:
        """Return the places of an effect that applies now to a mover."""
        key = (name, mover.side, mover.fields["nation"], mover.fields["id"])
        if key not in self._effect_places:
            number_of, places = self.map_index.number, set()
            for effect in self.effects(name, mover):
                if effect.at is not None:
                    places |= {number_of[place] for place in self.places_of(effect.at) if place in number_of}
            self._effect_places[key] = frozenset(places)
        return self._effect_places[key]
