"""Zones of control, which are walks of a hex or more, and spans, which are pieces on hexsides."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from assistant.rules.amounts import amount
from assistant.rules.field import Alike, Field, Standing, Walker
from assistant.rules.walk import SCALE, Stepper, search
from scenarios.maps import HexMap
from scenarios.position import Piece
from scenarios.resolve import Location
from scenarios.rules.shapes import Span

Covered = Mapping[int, tuple[Standing, ...]]
FARTHEST = 30
"""No zone goes farther than so many hexes."""


class Zones:
    """The zones and spans of a field."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self._covered: dict[tuple[str, str], Covered] = {}
        self._spans: dict[str, Mapping[tuple[int, int], frozenset[str]]] = {}
        self._steppers: dict[tuple[str, Alike], Stepper] = {}
        self._has: dict[tuple[str, Alike], bool] = {}
        self._spanned: dict[str, Mapping[tuple[int, int], int]] = {}

    def of(self, zone: str, side: str) -> Covered:
        """The places that a side's zones of a kind cover, and whose they are."""
        key = zone, side
        if key not in self._covered:
            self._covered[key] = {}  # a zone that asks for zones is refused at load
            self._covered[key] = self._cover(zone, side)
        return self._covered[key]

    def enemy(self, zone: str, side: str) -> list[Covered]:
        """The zones of all other sides."""
        return [self.of(zone, other) for other in self._sides if other != side]

    @cached_property
    def _sides(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(standing.side for standing in self.field.standings))

    def _cover(self, zone: str, side: str) -> Covered:
        field = self.field
        found: dict[int, tuple[Standing, ...]] = {}
        for standing in field.of(side):
            for n in self.around(zone, standing):
                found[n] = (*found[n], standing) if n in found else (standing,)
        return found

    def has(self, zone: str, standing: Standing) -> bool:
        """Whether a unit has a zone."""
        shape, key = self.field.program.rules.zones[zone], (zone, standing.alike)
        if any(name.startswith("to.") for name in self.field.program.names(shape.has)):
            return self.field.holds(shape.has, self.field.walker(standing), to=standing.at)
        if key not in self._has:
            self._has[key] = self.field.holds(shape.has, self.field.walker(standing), to=standing.at)
        return self._has[key]

    def around(self, zone: str, standing: Standing) -> tuple[int, ...]:
        """The places that a unit's own zone covers."""
        field, shape = self.field, self.field.program.rules.zones[zone]
        if not self.has(zone, standing):
            return ()
        walker, ready = field.walker(standing), field.program.ready(shape.steps)
        length = 1 if not shape.length else min(FARTHEST, max(amount(field, shape.length, walker, to=standing.at).chances))
        if (zone, standing.alike) in self._steppers:
            stepper = self._steppers[zone, standing.alike]
        else:
            stepper = Stepper(field, ready, walker, start=standing.at)
            if not (stepper.position_names or ready.uses.start or stepper.farther or stepper.to_walker):
                self._steppers[zone, standing.alike] = stepper  # it doesn't matter where the unit stands
        if length == 1:
            return tuple([m for m, step in field.kinds.near(standing.at) if not stepper.verdict(standing.at, m, step).refused])
        reached = search(stepper, [standing.at], int(length * SCALE), stops=False).best
        return tuple(n for n in reached if n != standing.at)

    def spans(self, name: str) -> Mapping[tuple[int, int], frozenset[str]]:
        """The steps that spans of a kind help over, both ways round, and the sides that they belong to."""
        if name not in self._spans:
            shape = self.field.program.rules.spans[name]
            found: dict[tuple[int, int], frozenset[str]] = {}
            told = self._emplaced(shape)
            for of, piece, side, n in self.field.spanning:
                over = self._lies(shape, piece, n, told) if of == name else None
                if over is None or not self._stands(shape, side, *over):
                    continue
                for pair in (over, over[::-1]):
                    found[pair] = found.get(pair, frozenset()) | {side}
            self._spans[name] = found
        return self._spans[name]

    def spanned(self, side: str) -> Mapping[tuple[int, int], int]:
        """The steps with spans, each with a number: the same number, the same spans for a side."""
        if side not in self._spanned:
            names = tuple(self.field.program.rules.spans)
            pairs = dict.fromkeys(pair for name in names for pair in self.spans(name))
            look = self.field.kinds.look
            self._spanned[side] = {pair: look((names, tuple(self._whose(name, pair, side) for name in names))) for pair in pairs}
        return self._spanned[side]

    def _whose(self, name: str, pair: tuple[int, int], side: str) -> tuple[bool, bool]:
        sides = self.spans(name).get(pair, frozenset())
        return side in sides, bool(sides - {side})

    def _lies(self, shape: Span, piece: Piece, n: int, told: Mapping[str, tuple[int, int]]) -> tuple[int, int] | None:
        """The step that a piece lies on: as its scenario says, else over the first kind of water next to it."""
        given = told.get(piece.unit)
        if given is not None and n in given:
            return given
        kinds = self.field.kinds
        if shape.toward:
            around = [m for compass in shape.toward if (m := kinds.toward(n, compass)) is not None]
        else:
            around = [m for m, _ in kinds.near(n)]
        # Kinds named together count alike; the order among places is that of `toward`.
        for over in _ranked(shape.over):
            for m in around:
                if kinds.lies(n, m) & over:
                    return n, m
        return None

    def _emplaced(self, shape: Span) -> dict[str, tuple[int, int]]:
        """The steps that a scenario gives its spans."""
        field, found = self.field, {}
        number = field.kinds.number
        for special in field.scenario.special if field.scenario and shape.told_by else ():
            for effect in special.effects:
                if effect.effect != shape.told_by or effect.at is None:
                    continue
                names = effect.at.hexes or effect.at.points
                places = [number.get(self._place(name)) for name in names]
                if len(places) == 2 and places[0] is not None and places[1] is not None:
                    for unit in effect.units:
                        found[unit] = (places[0], places[1])
        return found

    def _place(self, name: str) -> Location:
        map = self.field.kinds.map
        return map.hex(name) if isinstance(map, HexMap) else name

    def _stands(self, shape: Span, side: str, n: int, m: int) -> bool:
        walker = Walker(side, {"side": side, "nation": "", "id": ""})
        return self.field.holds(shape.stands, walker, None, **{"from": n, "to": m})


def _ranked(kinds: tuple[str, ...]) -> list[frozenset[str]]:
    return [frozenset({kind}) for kind in kinds]
