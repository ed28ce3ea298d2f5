"""Who sees whom: the straight line between the middles of two hexes, and what the hexsides and hexes that it meets do to it.

Lines are exact (`lines.py`): one that touches a corner touches it. What a record says of a hexside or hex depends only on the names
that its list asks for, so ends, hexsides and hexes that are alike have one number, and each kind is judged once for a map
(`codes.py`, `verdicts.py`). Every pair of a map at once is a matter of planes of bits (`planes.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import compress
from typing import Any, NamedTuple

from assistant.engine.field import Field, Mover, PlacedUnit
from assistant.engine.map_index import in_order
from assistant.engine.program import CompiledRecord
from assistant.engine.scope import Scope
from assistant.engine.sight.bit_planes import PlaneMasks, TooManyPlanes
from assistant.engine.sight.line_crossings import HEXES, SHIFT, SightLine, difference
from assistant.engine.sight.line_results import LineEvaluator, LineVerdict
from assistant.engine.sight.place_classes import HEIGHT, SightMap, sight_map_of
from assistant.questions.answer import BadQuestion
from scenarios.model.hexes import Hex, Hexside, hexside
from scenarios.model.maps import HexMap
from scenarios.model.memo import cached_on

AT_ONCE = 512
"""How many places have their rows made out of planes together."""
_FLAGS = bytes.maketrans(b"01", b"\0\1")


class MetFeature(NamedTuple):
    """A hexside or a hex that a line meets: crossed or through, along, or in a corner; neither where the ends alone matter."""

    manner: str
    side: Hexside | None
    hex: Hex | None


class SightEffect(NamedTuple):
    """What a record does to a line, and where."""

    crossing: MetFeature
    record: CompiledRecord
    amount: Fraction
    """By how much it makes the line worse."""
    rule: str
    """The record's, and that of the manner."""


class SightResult(NamedTuple):
    """A line of sight from a to b."""

    a: int
    b: int
    distance: int
    viewer: str
    seen_as: str
    clear: bool
    blocked_by: tuple[SightEffect, ...]
    degraded_by: tuple[SightEffect, ...]
    shields: tuple[SightEffect, ...]
    """What shields who is looked at;"""
    shields_back: tuple[SightEffect, ...]
    """and who looks."""
    too_far: CompiledRecord | None
    """The record that limits how far one sees, where it is farther."""
    limit: Fraction | None

    @property
    def degradation(self) -> Fraction:
        """By how much the line is worse."""
        return sum((effect.amount for effect in self.degraded_by), Fraction(0))


def has_sight(field: Field) -> bool:
    """Whether the pack says who sees whom on this map."""
    return field.program.rules.sight is not None and isinstance(field.kinds.map, HexMap)


class Sights:
    """All sight on a field. Nothing in it changes; what is worked out is kept."""

    def __init__(self, field: Field) -> None:
        if field.program.rules.sight is None:
            raise BadQuestion("this pack doesn't say who sees whom; add `rules.sight` (docs/rules.md)")
        if not isinstance(field.kinds.map, HexMap):
            raise BadQuestion("sight goes along straight lines, and this map has no hexes")
        self.field = field
        self.map = sight_map_of(field.kinds)
        self.rules, self.row = self.map.rules, self.map.row
        self.codes = self.map.codes(field)
        self.usual = next(reversed(list(self.rules.observers)), "")
        """How who looks and who is looked at are taken where nobody is named."""
        self._judges: dict[tuple[str, str], LineEvaluator] = {}
        self._effects_memo: dict[tuple[int, int, LineVerdict], tuple[SightEffect, ...]] = {}
        """What is done where, by the kind of meeting and its number in the row."""
        self._masks: dict[tuple[str, str, bool], PlaneMasks] = {}
        if not self.codes.changed_cells:
            cached_on(self.map, _bare_sights).setdefault(self.codes.context, self)

    # Who looks.

    def observer(self, fields: Any) -> str:
        """How a unit looks and is looked at."""
        mover = Mover(fields["side"], fields)
        return next(
            (name for name, holds in self.rules.observers.items() if self.field.holds(holds, mover)), self.usual
        )

    def judge(self, viewer: str, seen_as: str) -> LineEvaluator:
        """What the records say where units look and are looked at so."""
        key = viewer or self.usual, seen_as or self.usual
        if key not in self._judges:
            self._judges[key] = self._evaluator(*key)
        return self._judges[key]

    def _evaluator(self, viewer: str, seen_as: str) -> LineEvaluator:
        """What the records say for what holds in the whole question; fields on one map share it."""
        evaluators, sight = cached_on(self.map, _evaluators), self.map
        heights = len(sight.registers["hexes"].values) if HEIGHT in sight.hexes.names else 0
        key = self.codes.context, viewer, seen_as, heights
        if key not in evaluators:
            evaluators[key] = LineEvaluator(sight, self.field, viewer, seen_as)
        return evaluators[key]

    def _base_sights(self, viewer: str, seen_as: str) -> Sights | None:
        """The sights of the bare map under the same readings, if every pair is known there."""
        root = cached_on(self.map, _bare_sights).get(self.codes.context)
        if root is None or root is self or not self.codes.changed_cells:
            return None
        masks = (root.known_masks(viewer, seen_as, is_turned) for is_turned in (False, True))
        return root if all(mask is not None and mask.is_complete for mask in masks) else None

    # One line.

    def clear(self, a: int, b: int, viewer: str = "", seen_as: str = "") -> bool:
        """Whether the line from a place to another is clear."""
        keys = self.row.keys
        key = keys[b] - keys[a]
        if key == 0:
            return True
        is_turned = key < 0
        masks = self.known_masks(viewer, seen_as, is_turned)
        if masks is not None:
            mask = masks.get(abs(key))
            if mask is not None:
                return mask >> self.row.bits[b if is_turned else a] & 1 == 1
        return self._clear(a, b, abs(key), is_turned, self.judge(viewer, seen_as))

    def _clear(self, a: int, b: int, key: int, is_turned: bool, judge: LineEvaluator) -> bool:
        """The same without reasons: each kind of what is met is judged once."""
        first, last = (b, a) if is_turned else (a, b)
        line = judge.lines[key]
        if self.codes.distances and (
            self._by_ends(a, b, line.distance, judge) or self._limit(a, b, line.distance, judge)[1] is not None
        ):
            return False
        codes, start = self.codes.planes, self.row.numbers[first]
        verdicts = judge.verdicts_between(self.codes.ends[first], self.codes.ends[last], is_turned)
        worse = Fraction(0)
        group_counts: dict[int, int] = {}
        for kind, plane, number, group in line.terms:
            code = codes[plane][start + number]
            if code and (verdict := verdicts[kind + code]) is not None:
                if verdict.blocks:
                    if not group:
                        return False
                    group_counts[group] = group_counts.get(group, 0) + 1
                    if group_counts[group] >= judge.needs(kind):
                        return False
                worse += verdict.worse
        return not worse or worse <= self._max_degradation(a, b, line.distance, judge)

    def look(self, a: int, b: int, viewer: str = "", seen_as: str = "") -> SightResult:
        """The line from a place to another, with all that it meets."""
        judge = self.judge(viewer, seen_as)
        keys = self.row.keys
        key = keys[b] - keys[a]
        if key == 0:
            return SightResult(a, b, 0, judge.viewer, judge.seen_as, True, (), (), (), (), None, None)
        line, is_turned = judge.lines[abs(key)], key < 0
        effects = list(self._effects(a, b, line, is_turned, judge))
        blocks = [
            *self._by_ends(a, b, line.distance, judge),
            *(effect for effect in effects if effect.record.effect == "block"),
        ]
        worse = [effect for effect in effects if effect.record.effect == "degrade" and effect.amount]
        is_hidden = bool(worse) and sum(effect.amount for effect in worse) > self._max_degradation(
            a, b, line.distance, judge
        )
        limit, too_far = self._limit(a, b, line.distance, judge)
        clear = not blocks and not is_hidden and too_far is None
        shields: dict[str, list[SightEffect]] = {"to": [], "from": []}
        for effect in effects if clear else ():
            if effect.record.effect == "shield":
                shields[effect.record.record.shield].append(effect)  # type: ignore[attr-defined]
        return SightResult(
            a,
            b,
            line.distance,
            judge.viewer,
            judge.seen_as,
            clear,
            tuple(blocks),
            tuple(worse),
            tuple(shields["to"]),
            tuple(shields["from"]),
            too_far,
            limit,
        )

    def _effects(self, a: int, b: int, line: SightLine, is_turned: bool, judge: LineEvaluator) -> Iterator[SightEffect]:
        """What all that a line meets does to it, in order from where it starts."""
        first, last = (b, a) if is_turned else (a, b)
        codes, start = self.codes.planes, self.row.numbers[first]
        verdicts = judge.verdicts_between(self.codes.ends[first], self.codes.ends[last], is_turned)
        doing: list[tuple[int, int, int, int, LineVerdict]] = []
        group_counts: dict[int, int] = {}
        for kind, plane, number, group in line.terms:
            code = codes[plane][start + number]
            if code and (verdict := verdicts[kind + code]) is not None:
                doing.append((kind, plane, number, group, verdict))
                if group and verdict.blocks:
                    group_counts[group] = group_counts.get(group, 0) + 1
        if is_turned:
            doing = [entry for hexes in (False, True) for entry in reversed(doing) if (entry[1] == HEXES) == hexes]
        for kind, plane, number, group, verdict in doing:
            effects = self._effects_memo.get((kind, start + number, verdict))
            if effects is None:
                manner = judge.lines.kinds[kind // SHIFT].manner
                crossing = self._crossing(manner, plane, start + number)
                effects = tuple(
                    [
                        SightEffect(crossing, record, worth, self.map.cite_rule(record, manner))
                        for record, worth in verdict.records
                    ]
                )
                self._effects_memo[kind, start + number, verdict] = effects
            if group and group_counts.get(group, 0) < judge.needs(kind):
                yield from (effect for effect in effects if effect.record.effect != "block")
            else:
                yield from effects

    def _crossing(self, manner: str, plane: int, number: int) -> MetFeature:
        row = self.row
        if plane == HEXES:
            return MetFeature(manner, None, row.hex(number))
        return MetFeature(manner, hexside(row.hex(number), row.hex(number + row.steps[plane])), None)

    # What lies at the ends, how far, and how bad.

    def by_ends(self, a: int, b: int) -> list[SightEffect]:
        """What keeps two places from seeing each other by where they are, whatever lies between."""
        return self._by_ends(a, b, self.field.kinds.distance(a, b), self.judge("", ""))

    def _by_ends(self, a: int, b: int, distance: int, judge: LineEvaluator) -> list[SightEffect]:
        codes = self.codes.distances
        records = judge.ends(codes[a], codes[b], distance) if codes else ()
        return [SightEffect(MetFeature("", None, None), record, Fraction(0), record.rule) for record in records]

    def _max_degradation(self, a: int, b: int, distance: int, judge: LineEvaluator) -> Fraction:
        return judge.max_degradation(self.codes.ends[a], self.codes.ends[b], distance)

    def _limit(
        self, a: int, b: int, distance: int, judge: LineEvaluator
    ) -> tuple[Fraction | None, CompiledRecord | None]:
        if not self.rules.limit:
            return None, None
        return judge.limit(self.codes.distances[a], self.codes.distances[b], distance)

    # Spotting.

    def hides(self, look: SightResult, unit: PlacedUnit | None = None) -> tuple[bool, list[CompiledRecord]]:
        """Whether units hide where the line leads; and why one of them isn't seen although the line may be clear."""
        field, lookup = self.field, self.field.program.lookup
        mover = field.walker(unit) if unit is not None else field.unknown_unit
        extra_values = {"distance": look.distance, "viewer": look.viewer, "seen_as": look.seen_as}
        scope = Scope(field, mover, {"from": look.a, "to": look.b}, extra_values)
        ready = field.program.ready(self.rules.spotting)
        holds = [
            record
            for record in ready.records
            if record.condition is None or record.condition(scope, lookup, None) is True
        ]
        unseen = [
            record for record in holds if record.work is not None and record.work(scope, lookup, None) is not True
        ]
        return any(record.condition is not None for record in holds), unseen

    # Many lines.

    def seen_from(self, n: int, viewer: str = "", seen_as: str = "") -> list[int]:
        """Every other place that is seen from one."""
        onward, back_masks = (self.known_masks(viewer, seen_as, is_turned) for is_turned in (False, True))
        keys, bits = self.row.keys, self.row.bits
        key, bit = keys[n], bits[n]
        if onward is not None and back_masks is not None and onward.is_complete and back_masks.is_complete:
            return [
                target
                for target, k in enumerate(keys)
                if (onward[k - key] >> bit & 1 if k > key else k != key and back_masks[key - k] >> bits[target] & 1)
            ]
        root = self._base_sights(viewer, seen_as)
        if root is None:
            judge = self.judge(viewer, seen_as)
            return [m for m, k in enumerate(keys) if k != key and self._clear(n, m, abs(k - key), k < key, judge)]
        # Lines that meet nothing of what has changed are as they were.
        was, judge, margin, size = (
            set(root.seen_from(n, viewer, seen_as)),
            self.judge(viewer, seen_as),
            self.row.margin,
            self.row.size,
        )
        changed_bits = sum(1 << bits[m] + margin + size for m in self.codes.changed_cells)
        bits_near, visible_places = judge.lines.touched_bits, []
        local_changes = changed_bits >> size + bit
        for m, k in enumerate(keys):
            if k == key:
                continue
            meets = (
                bits_near(k - key) & local_changes if k > key else bits_near(key - k) & changed_bits >> size + bits[m]
            )
            if self._clear(n, m, abs(k - key), k < key, judge) if meets else m in was:
                visible_places.append(m)
        return visible_places

    def masks(self, viewer: str = "", seen_as: str = "", is_turned: bool = False) -> PlaneMasks:
        """For half of all differences the places from which the place so far away is seen; `turned`: which see from there."""
        key = viewer or self.usual, seen_as or self.usual, is_turned
        if key not in self._masks:
            try:
                masks = PlaneMasks(self.codes, self.judge(viewer, seen_as), is_turned)
            except TooManyPlanes:
                masks = LineByLine(self, viewer, seen_as, is_turned)
            # Mostly it is the same who looks and who is looked at: then the masks are those of the roles exchanged.
            swapped_masks = self._masks.get((key[1], key[0], not is_turned))
            is_same = (
                swapped_masks is not None and swapped_masks.levels is not None and swapped_masks.levels == masks.levels
            )
            self._masks[key] = swapped_masks if swapped_masks is not None and is_same else masks
        return self._masks[key]

    def known_masks(self, viewer: str, seen_as: str, is_turned: bool) -> PlaneMasks | None:
        """The masks, if they were asked for before."""
        return self._masks.get((viewer or self.usual, seen_as or self.usual, is_turned))

    def all_pairs(self, viewer: str = "", seen_as: str = "") -> PlaneMasks:
        """Every pair of the map, both ways."""
        for is_turned in (False, True):
            self.masks(viewer, seen_as, is_turned).fill()
        return self.masks(viewer, seen_as)

    def every_row(self, viewer: str = "", seen_as: str = "") -> Iterator[tuple[int, list[int]]]:
        """Every place with all others that are seen from it."""
        self.all_pairs(viewer, seen_as)
        onward, back_masks = (self.masks(viewer, seen_as, is_turned) for is_turned in (False, True))
        row = self.row
        steps = [dq * row.stride + dr for dq, dr in map(difference, row.half_keys)]
        # A bit for each place: those that see the place so far on, then those that see the place so far back.
        planes = [
            *map(onward.__getitem__, row.half_keys),
            *(back_masks[key] << step for key, step in zip(row.half_keys, steps, strict=True)),
        ]
        steps += [-step for step in steps]
        for first in range(0, row.size, AT_ONCE):
            digits = [f"{plane >> first & (1 << AT_ONCE) - 1:0{AT_ONCE}b}" for plane in planes]
            block = "".join(digits).encode("ascii").translate(_FLAGS)
            for n, bit in enumerate(row.bits):
                if first <= bit < first + AT_ONCE:
                    row_number = row.numbers[n]
                    yield (
                        n,
                        [
                            row.place[row_number + step]
                            for step in compress(steps, block[first - bit - 1 + AT_ONCE :: AT_ONCE])
                        ],
                    )

    def pairs(self, viewer: str = "", seen_as: str = "") -> Iterator[tuple[int, int]]:
        """Every two places of which the first sees the second, each pair once: the viewer in the lower column."""
        place_by_bit = {bit: n for n, bit in enumerate(self.row.bits)}
        number, places = self.field.kinds.number, self.field.kinds.places
        for key, mask in self.all_pairs(viewer, seen_as).items():
            step = Hex(*difference(key))
            while mask:
                n = place_by_bit[mask.bit_length() - 1]
                yield n, number[places[n].plus(step)]  # type: ignore[union-attr]
                mask ^= 1 << mask.bit_length() - 1

    def order(self, n: int) -> tuple[tuple[int, str], ...]:
        """What puts places in the order of their names."""
        return in_order(self.field.kinds.name(n))

    def count(self, viewer: str = "", seen_as: str = "") -> int:
        """How many pairs see each other."""
        return sum(mask.bit_count() for mask in self.all_pairs(viewer, seen_as).values())


def sights_of(field: Field) -> Sights:
    """Who sees whom on a field."""
    return cached_on(field, Sights)


def _evaluators(sight: SightMap) -> dict[Any, LineEvaluator]:
    """What the records say, for fields on one map."""
    return {}


def _bare_sights(sight: SightMap) -> dict[tuple[Any, ...], Sights]:
    """The sights of the bare map, by what holds in the whole question."""
    return {}


class LineByLine(PlaneMasks):
    """The same where there are too many kinds for planes: lines are looked at one by one."""

    def __init__(self, sights: Sights, viewer: str, seen_as: str, is_turned: bool) -> None:
        dict.__init__(self)
        self.sights, self.looks, self.is_reversed = sights, (viewer, seen_as), is_turned
        self.row, self.is_complete, self.levels = sights.row, False, None

    def __missing__(self, key: int) -> int:
        mask, row, number = 0, self.row, self.sights.field.kinds.number
        step = Hex(*difference(key))
        for n, hex in enumerate(self.sights.field.kinds.places):
            m = number.get(hex.plus(step))  # type: ignore[union-attr]
            if m is not None and self.sights.clear(*((m, n) if self.is_reversed else (n, m)), *self.looks):
                mask |= 1 << row.bits[n]
        self[key] = mask
        return mask
