"""Zones of control, which are walks of a hex or more, and spans, which are pieces on hexsides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property

from assistant.rules.amounts import amount
from assistant.rules.field import Alike, Field, Standing, UnnamedEnemy, Walker
from assistant.rules.walk import SCALE, Stepper, search
from scenarios.hexes import disk, distance
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
        self._around: dict[tuple[str, Standing], Mapping[int, int]] = {}
        self._takers: dict[tuple[str, str], Stepper] = {}
        self._lengths: dict[tuple[str, Standing], Fraction | int] = {}
        self._spanned: dict[str, Mapping[tuple[int, int], int]] = {}
        self._at: dict[tuple[str, str, int], tuple[Standing, ...]] = {}

    def on(self, field: Field) -> Zones:
        """The zones of another field with the same spans; what is the same for any position is shared."""
        zones = Zones(field)
        if not any(span.stands for span in field.program.rules.spans.values()):
            zones._spans, zones._spanned = self._spans, self._spanned
            if self._fixed:
                zones._steppers, zones._has, zones._around = self._steppers, self._has, self._around
        return zones

    @cached_property
    def _fixed(self) -> bool:
        """Whether no zone depends on who else stands where."""
        program, kinds = self.field.program, self.field.kinds
        for shape in program.rules.zones.values():
            names = {
                *program.names(shape.has),
                *(name for list_ in (shape.steps, shape.length) for name in program.ready(list_).names),
            }
            if "units" in names or {name.partition(".")[2] for name in names} & (
                kinds.position_names | kinds.walker_names
            ):
                return False
        return True

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

    def at(self, zone: str, side: str, n: int) -> tuple[Standing, ...]:
        """Whose zones cover a place: what `of` has of it, where few places are asked for."""
        shape, kinds = self.field.program.rules.zones[zone], self.field.kinds
        round_ = bool(shape.length) and not shape.steps and isinstance(kinds.map, HexMap)
        if (zone, side) in self._covered or (shape.length and not round_):
            return self.of(zone, side).get(n, ())
        key = zone, side, n
        if key not in self._at and round_:
            far = ((s, kinds.distance(s.at, n)) for s in self.field.standings if s.side == side and self.has(zone, s))
            self._at[key] = tuple([s for s, away in far if (shape.own_place or away) and away <= self._length(zone, s)])
        elif key not in self._at:
            held = self.field.by_place
            near = [
                s for m in (n, *(m for m, _ in self.field.kinds.near(n))) for s in held.get(m, ()) if s.side == side
            ]
            self._at[key] = tuple([s for s in near if n in self.around(zone, s)])
        return self._at[key]

    def enemies_at(self, zone: str, side: str, n: int) -> list[Standing]:
        """The enemies of a side whose zones cover a place."""
        return [standing for other in self._sides if other != side for standing in self.at(zone, other, n)]

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
        key = zone, standing.alike
        has = self._has.get(key)
        if has is None:
            field, shape = self.field, self.field.program.rules.zones[zone]
            has = field.holds(shape.has, field.walker(standing), to=standing.at)
            if not any(name.startswith("to.") for name in field.program.names(shape.has)):
                self._has[key] = has
        return has

    def around(self, zone: str, standing: Standing) -> tuple[int, ...]:
        """The places that a unit's own zone covers."""
        return tuple(self.reach(zone, standing))

    def reach(self, zone: str, standing: Standing) -> Mapping[int, int]:
        """The places that a unit's own zone covers, each with how far away it is."""
        key = zone, standing
        if key not in self._around:
            self._around[key] = self._found_around(zone, standing)
        return self._around[key]

    def _found_around(self, zone: str, standing: Standing) -> Mapping[int, int]:
        field, shape = self.field, self.field.program.rules.zones[zone]
        if isinstance(standing, UnnamedEnemy):
            return self._taken_around(zone, standing) if standing.zoned else {}
        if not self.has(zone, standing):
            return {}
        walker, ready = field.walker(standing), field.program.ready(shape.steps)
        length = self._length(zone, standing)
        if shape.length and not shape.steps and isinstance(field.kinds.map, HexMap):
            center, number = field.kinds.places[standing.at], field.kinds.number
            away = {number[hex]: distance(center, hex) for hex in disk(center, int(length)) if hex in number}  # type: ignore[arg-type]
            return away if shape.own_place else {n: far for n, far in away.items() if far}
        if (zone, standing.alike) in self._steppers:
            stepper = self._steppers[zone, standing.alike]
        else:
            stepper = Stepper(field, ready, walker, start=standing.at)
            if not (stepper.position_names or ready.uses.start or stepper.farther or stepper.to_walker):
                self._steppers[zone, standing.alike] = stepper  # it doesn't matter where the unit stands
        own = {standing.at: 0} if shape.own_place else {}
        if length == 1:
            near = field.kinds.near(standing.at)
            return own | {m: 1 for m, step in near if not stepper.verdict(standing.at, m, step).refused}
        reached = search(stepper, [standing.at], int(length * SCALE), stops=False).best
        return own | {n: int(cost // SCALE) for n, cost in reached.items() if n != standing.at}

    def _length(self, zone: str, standing: Standing) -> Fraction | int:
        """How far a unit's zone goes."""
        shape, key = self.field.program.rules.zones[zone], (zone, standing)
        if not shape.length:
            return 1
        if key not in self._lengths:
            walker = self.field.walker(standing)
            self._lengths[key] = min(FARTHEST, amount(self.field, shape.length, walker, to=standing.at).most)
        return self._lengths[key]

    def _taken_around(self, zone: str, taker: UnnamedEnemy) -> Mapping[int, int]:
        """The places around one that was taken by a unit of which only the side is known: records that ask for more of it don't count."""
        stepper, near = self._of_taker(zone, taker), self.field.kinds.near(taker.at)
        return {m: 1 for m, step in near if not stepper.verdict(taker.at, m, step).refused}

    def _of_taker(self, zone: str, taker: UnnamedEnemy) -> Stepper:
        field, key = self.field, (zone, taker.side)
        if key not in self._takers:
            steps = field.program.for_anybody(field.program.rules.zones[zone].steps)
            self._takers[key] = Stepper(field, steps, Walker(taker.side, taker.fields), start=taker.at, local=True)
        return self._takers[key]

    def from_taken(self, zones: Sequence[str], taker: UnnamedEnemy, n: int) -> tuple[int, ...]:
        """The places that, taken by such an enemy, put a place into one of some zones of his."""
        near, found = self.field.kinds.into(n), dict[int, None]()
        for zone in zones:
            verdict = self._of_taker(zone, taker).verdict
            found |= {m: None for m, step in near if not verdict(m, n, step).refused}
        return tuple(found)

    def spans(self, name: str) -> Mapping[tuple[int, int], frozenset[str]]:
        """The steps that spans of a kind help over, both ways round, and the sides that they belong to."""
        if name not in self._spans:
            found: dict[tuple[int, int], frozenset[str]] = {}
            for side, n, m, stands in self.laid(name):
                for pair in ((n, m), (m, n)) if stands else ():
                    found[pair] = found.get(pair, frozenset()) | {side}
            self._spans[name] = found
        return self._spans[name]

    def laid(self, name: str) -> list[tuple[str, int, int, bool]]:
        """The spans of a kind: whose each is, the two places that it joins, and whether it can be used."""
        shape, found = self.field.program.rules.spans[name], []
        told = self._emplaced(shape)
        for of, piece, side, n in self.field.spanning:
            over = self._lies(shape, piece, n, told) if of == name else None
            if over is not None:
                found.append((side, *over, self._stands(shape, side, *over)))
        return found

    def spanned(self, side: str) -> Mapping[tuple[int, int], int]:
        """The steps with spans, each with a number: the same number, the same spans for a side."""
        if side not in self._spanned:
            names = tuple(self.field.program.rules.spans)
            pairs = dict.fromkeys(pair for name in names for pair in self.spans(name))
            look = self.field.kinds.look
            self._spanned[side] = {
                pair: look((names, tuple(self._whose(name, pair, side) for name in names))) for pair in pairs
            }
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
