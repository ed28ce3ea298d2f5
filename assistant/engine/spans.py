"""Spans: pieces on hexsides, such as bridges."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.engine.field import Field
from assistant.engine.placed_units import Mover
from scenarios.areas.resolving import Location
from scenarios.model.maps import HexMap
from scenarios.model.memo import cached_on
from scenarios.model.position import Piece
from scenarios.rules.shapes import Span


def spans_of(field: Field) -> Spans:
    """Return the spans of a field. Fields that differ only in their units share them, unless they depend on units."""
    if field.unchanged is not None and not any(span.usable for span in field.program.rules.spans.values()):
        return spans_of(field.unchanged)
    return cached_on(field, Spans)


class Spans:
    """The spans of a field."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self._owners: dict[str, Mapping[tuple[int, int], frozenset[str]]] = {}
        self._numbers: dict[str, Mapping[tuple[int, int], int]] = {}

    def owners(self, name: str) -> Mapping[tuple[int, int], frozenset[str]]:
        """Return the steps that spans of a kind cover, in both directions, and the sides that own them."""
        if name not in self._owners:
            sides_by_step: dict[tuple[int, int], frozenset[str]] = {}
            for side, n, m, stands in self.placed(name):
                for pair in ((n, m), (m, n)) if stands else ():
                    sides_by_step[pair] = sides_by_step.get(pair, frozenset()) | {side}
            self._owners[name] = sides_by_step
        return self._owners[name]

    def placed(self, name: str) -> list[tuple[str, int, int, bool]]:
        """Return the spans of a kind: the owner, the two places that it joins, and whether it can be used."""
        shape, placed_spans = self.field.program.rules.spans[name], []
        step_by_unit = self._placed_spans(shape)
        for span_name, piece, side, n in self.field.spanning:
            step = self._lies(shape, piece, n, step_by_unit) if span_name == name else None
            if step is not None:
                placed_spans.append((side, *step, self._stands(shape, side, *step)))
        return placed_spans

    def numbers(self, side: str) -> Mapping[tuple[int, int], int]:
        """Return the steps with spans, each with a number. Steps with the same number have the same spans for a
        side."""
        if side not in self._numbers:
            names = tuple(self.field.program.rules.spans)
            pairs = dict.fromkeys(pair for name in names for pair in self.owners(name))
            look = self.field.map_index.look
            self._numbers[side] = {
                pair: look((names, tuple(self._span_owners(name, pair, side) for name in names))) for pair in pairs
            }
        return self._numbers[side]

    def _span_owners(self, name: str, pair: tuple[int, int], side: str) -> tuple[bool, bool]:
        sides = self.owners(name).get(pair, frozenset())
        return side in sides, bool(sides - {side})

    def _lies(
        self, shape: Span, piece: Piece, n: int, step_by_unit: Mapping[str, tuple[int, int]]
    ) -> tuple[int, int] | None:
        """Return the step of a piece: as its scenario says, else over the first kind of water next to it."""
        scenario_step = step_by_unit.get(piece.unit)
        if scenario_step is not None and n in scenario_step:
            return scenario_step
        map_index = self.field.map_index
        if shape.toward:
            adjacent_places = [m for compass in shape.toward if (m := map_index.toward(n, compass)) is not None]
        else:
            adjacent_places = [m for m, _ in map_index.neighbours(n)]
        # Kinds named together rank equally; `toward` orders the places.
        for water_kinds in _rank_kinds(shape.over):
            for m in adjacent_places:
                if map_index.lies(n, m) & water_kinds:
                    return n, m
        return None

    def _placed_spans(self, shape: Span) -> dict[str, tuple[int, int]]:
        """Return the steps that a scenario gives its spans."""
        field, step_by_unit = self.field, {}
        number = field.map_index.number
        for special in field.scenario.special if field.scenario and shape.effect else ():
            for effect in special.effects:
                if effect.effect != shape.effect or effect.at is None:
                    continue
                names = effect.at.hexes or effect.at.points
                places = [number.get(self._place(name)) for name in names]
                if len(places) == 2 and places[0] is not None and places[1] is not None:
                    for unit in effect.units:
                        step_by_unit[unit] = (places[0], places[1])
        return step_by_unit

    def _place(self, name: str) -> Location:
        map = self.field.map_index.map
        return map.hex(name) if isinstance(map, HexMap) else name

    def _stands(self, shape: Span, side: str, n: int, m: int) -> bool:
        mover = Mover(side, {"side": side, "nation": "", "id": ""})
        return self.field.holds(shape.usable, mover, None, **{"from": n, "to": m})


def _rank_kinds(feature_kinds: tuple[str, ...]) -> list[frozenset[str]]:
    return [frozenset({kind}) for kind in feature_kinds]
