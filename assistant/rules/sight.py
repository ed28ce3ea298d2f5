"""Who sees whom: the straight line between the middles of two hexes, and what the hexsides and hexes that it meets do to it.

Lines are exact (`scenarios/lines.py`): one that touches a corner touches it. What a record says of a hexside or hex depends only on
the names that its list asks for, so each kind is judged once.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from assistant.answers import BadQuestion
from assistant.rules.amounts import amount
from assistant.rules.asked import Asked
from assistant.rules.field import Field, Standing, Walker
from assistant.rules.program import Ready, ReadyList
from scenarios.hexes import Hex, Hexside, distance, hexes_at, hexside
from scenarios.lines import line
from scenarios.maps import HexMap

NOBODY = Walker("", {"nation": "", "id": ""})
"""Sight is the same for all sides."""


class Met(NamedTuple):
    """A hexside or a hex that a line meets: crossed or through, along, or in a corner."""

    manner: str
    side: Hexside | None
    hex: Hex | None


class Effect(NamedTuple):
    """What a record does to a line, and where."""

    met: Met
    record: Ready
    amount: Fraction = Fraction(0)
    """By how much it makes the line worse."""


class Look(NamedTuple):
    """A line of sight from a to b."""

    a: int
    b: int
    distance: int
    clear: bool
    blocked_by: tuple[Effect, ...]
    degraded_by: tuple[Effect, ...]
    shields: tuple[Effect, ...]
    """What shields who is looked at;"""
    shields_back: tuple[Effect, ...]
    """and who looks."""
    too_far: Ready | None
    """The record that limits how far one sees, where it is farther."""
    limit: Fraction | None

    @property
    def degraded(self) -> Fraction:
        """By how much the line is worse."""
        return sum((effect.amount for effect in self.degraded_by), Fraction(0))


@lru_cache(maxsize=1 << 14)
def _meets(dq: int, dr: int) -> tuple[Met, ...]:
    """All that the line from hex (0, 0) to hex (dq, dr) meets: hexsides in order, then the hexes between."""
    a, b = Hex(0, 0), Hex(dq, dr)
    passed = line(a, b)
    manners: dict[Hexside, str] = dict.fromkeys(passed.crossed, "crossed")
    manners |= dict.fromkeys(passed.along, "along")
    for corner in passed.corners:
        here = hexes_at(corner)
        for number, one in enumerate(here):
            for other in here[number + 1 :]:
                manners.setdefault(hexside(one, other), "corner")
    hexes: dict[Hex, str] = dict.fromkeys(passed.hexes[1:-1], "through")
    for side in passed.along:
        for hex in (side.a, side.b):
            hexes.setdefault(hex, "along")
    for corner in passed.corners:
        for hex in hexes_at(corner):
            hexes.setdefault(hex, "corner")
    ends = {a, b}
    return (
        *(Met(manner, side, None) for side, manner in manners.items()),
        *(Met(manner, None, hex) for hex, manner in hexes.items() if hex not in ends),
    )


class Sights:
    """All sight on a field."""

    def __init__(self, field: Field) -> None:
        rules = field.program.rules.sight
        if rules is None:
            raise BadQuestion("this pack doesn't say who sees whom; add `rules.sight` (docs/rules.md)")
        if not isinstance(field.kinds.map, HexMap):
            raise BadQuestion("sight goes along straight lines, and this map has no hexes")
        self.field, self.rules, self.map = field, rules, field.kinds.map
        self._sides, self._hexes = (field.program.ready(records) for records in (rules.sides, rules.hexes))
        self._ends: dict[tuple[int, tuple[str, ...]], tuple[Any, ...]] = {}
        self._verdicts: dict[Any, tuple[tuple[Ready, Fraction], ...]] = {}

    def look(self, a: int, b: int) -> Look:
        """The line from a place to another, with all that it meets."""
        places = self.field.kinds.places
        here, there = places[a], places[b]
        assert isinstance(here, Hex) and isinstance(there, Hex)
        far = distance(here, there)
        effects: list[Effect] = []
        for met in _meets(there.q - here.q, there.r - here.r) if a != b else ():
            moved = _moved(met, here)
            effects += self._side(a, b, far, moved) if moved.side is not None else self._hex(a, b, far, moved)
        blocks = [effect for effect in effects if effect.record.effect == "block"]
        worse = [effect for effect in effects if effect.record.effect == "degrade" and effect.amount]
        most = self._most(a, b, far) if worse else None
        hidden = most is not None and sum(effect.amount for effect in worse) > most
        limit, too_far = self._limit(a, b, far)
        shields: dict[str, list[Effect]] = {"to": [], "from": []}
        for effect in effects:
            if effect.record.effect == "shield":
                shields[effect.record.record.shield].append(effect)  # type: ignore[attr-defined]
        clear = not blocks and not hidden and too_far is None
        kept = (tuple(shields["to"]), tuple(shields["from"])) if clear else ((), ())
        return Look(a, b, far, clear, tuple(blocks), tuple(worse), *kept, too_far, limit)

    def clear(self, a: int, b: int) -> bool:
        """Whether the line is clear."""
        return self.look(a, b).clear

    def seen_from(self, a: int) -> list[int]:
        """Every other place that is seen from one."""
        return [b for b in range(len(self.field.kinds.places)) if b != a and self.clear(a, b)]

    def unspotted(self, look: Look, standing: Standing) -> list[Ready]:
        """Why a unit isn't seen although the line is clear."""
        ready = self.field.program.ready(self.rules.spotting)
        asked = Asked(self.field, self.field.walker(standing), {"from": look.a, "to": look.b}, {"distance": look.distance})
        lookup = self.field.program.lookup
        holds = [record for record in ready.records if record.when is None or record.when(asked, lookup, None) is True]
        return [record for record in holds if record.work is not None and record.work(asked, lookup, None) is not True]

    # What a hexside or a hex does.

    def _side(self, a: int, b: int, far: int, met: Met) -> Iterator[Effect]:
        side = met.side
        assert side is not None
        numbers = self.field.kinds.number
        on_map = [hex for hex in side if hex in numbers]
        if not on_map:
            return
        lies = self.map.hexsides.get(side, frozenset())
        if len(on_map) == 2:
            lies = self.field.kinds.lies(numbers[side.a], numbers[side.b])
        places = self.field.kinds.places
        own = "".join(name for name, end in (("from", places[a]), ("to", places[b])) if end in side).replace("fromto", "both")
        more = {"manner": met.manner, "own": own, "distance": far}
        key = ("side", self._end(a, self._sides, "from_"), self._end(b, self._sides, "to"), frozenset(lies), met.manner, own)
        yield from self._judged(self._sides, key, a, b, far, met, more, lies)

    def _hex(self, a: int, b: int, far: int, met: Met) -> Iterator[Effect]:
        hex = met.hex
        assert hex is not None
        n = self.field.kinds.number.get(hex)
        if n is None:
            return
        height = self._line_height(a, b, hex) if "line.height" in self._hexes.names else Fraction(0)
        more = {"manner": met.manner, "distance": far, "line.height": height}
        ends = self._end(a, self._hexes, "from_"), self._end(b, self._hexes, "to")
        key = ("hex", *ends, self._values(n, self._between), met.manner, height)
        yield from self._judged(self._hexes, key, a, b, far, met, more, frozenset(), n)

    def _judged(
        self, ready: ReadyList, key: Any, a: int, b: int, far: int, met: Met, more: dict[str, Any], lies: frozenset[str], n: int = -1
    ) -> Iterator[Effect]:
        """The records that hold, judged once for what is alike."""
        if "distance" in ready.names:
            key = (*key, far)
        if key not in self._verdicts:
            places = {"from": a, "to": b} if n < 0 else {"from": a, "to": b, "hex": n}
            asked = _OnLine(self.field, places, more, lies)
            lookup, holding = self.field.program.lookup, []
            for record in ready.records:
                if record.when is None or record.when(asked, lookup, None) is True:
                    worth = Fraction(record.work(asked, lookup, None)) if record.work is not None else Fraction(0)
                    holding.append((record, worth))
            self._verdicts[key] = tuple(holding)
        for record, worth in self._verdicts[key]:
            yield Effect(met, record, worth)

    @property
    def _between(self) -> tuple[str, ...]:
        return tuple(sorted(name.partition(".")[2] for name in self._hexes.names if name.startswith("hex.")))

    def _end(self, n: int, ready: ReadyList, which: str) -> tuple[Any, ...]:
        return self._values(n, getattr(ready.uses, which))

    def _values(self, n: int, names: tuple[str, ...]) -> tuple[Any, ...]:
        """What is asked of a place, to tell kinds of it apart."""
        if (n, names) not in self._ends:
            values = (self.field.of_place(NOBODY, n, name) for name in names)
            self._ends[n, names] = tuple(repr(value) if isinstance(value, list) else value for value in values)
        return self._ends[n, names]

    def _line_height(self, a: int, b: int, hex: Hex) -> Fraction:
        """How high the line is over a hex, exactly: over the foot of its middle on the line."""
        kinds = self.field.kinds
        start, end = kinds.places[a], kinds.places[b]
        assert isinstance(start, Hex) and isinstance(end, Hex)
        whole, part = end.minus(start), hex.minus(start)
        along = Fraction(2 * (part.q * whole.q + part.r * whole.r) + part.q * whole.r + part.r * whole.q,
                         2 * (whole.q * whole.q + whole.r * whole.r + whole.q * whole.r))  # fmt: skip
        low, high = kinds.height(a), kinds.height(b)
        return Fraction(low) + (Fraction(high) - Fraction(low)) * along

    # How far, and how bad.

    def _most(self, a: int, b: int, far: int) -> Fraction | None:
        if self.rules.most is None:
            return None
        return Fraction(self.field.ask(self.rules.most, NOBODY, {"distance": far}, **{"from": a, "to": b}))

    def _limit(self, a: int, b: int, far: int) -> tuple[Fraction | None, Ready | None]:
        if not self.rules.limit:
            return None, None
        found = amount(self.field, self.rules.limit, NOBODY, {"distance": far}, **{"from": a, "to": b})
        limit = Fraction(found.most)
        return limit, found.rests[-1] if far > limit and found.rests else None


class _OnLine(Asked):
    """What a record of sight may ask: the two ends, the hexside that is met or the hex."""

    __slots__ = ("lies",)

    def __init__(self, field: Field, places: dict[str, int], more: dict[str, Any], lies: frozenset[str]) -> None:
        super().__init__(field, NOBODY, places, more)
        self.lies = lies

    def _find(self, name: str) -> Any:
        prefix, dot, rest = name.partition(".")
        if dot and prefix == "over":
            return [{"kind": kind} for kind in sorted(self.lies)] if rest == "features" else rest in self.lies
        return super()._find(name)


def _moved(met: Met, by: Hex) -> Met:
    if met.hex is not None:
        return Met(met.manner, None, met.hex.plus(by))
    assert met.side is not None
    return Met(met.manner, Hexside(met.side.a.plus(by), met.side.b.plus(by)), None)


def has_sight(field: Field) -> bool:
    """Whether the pack says who sees whom on this map."""
    return field.program.rules.sight is not None and isinstance(field.kinds.map, HexMap)
