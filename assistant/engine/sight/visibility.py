"""Lines of sight between units: the straight line between the centers of two hexes, and the effects of the hexsides
and hexes that it meets.

Lines are exact (`line_crossings.py`): one that touches a corner touches it. What a record says of a hexside or hex
depends only on the names that its list asks for. So equal ends, hexsides and hexes share a class, and each class is
evaluated once for a map (`place_classes.py`, `line_results.py`). Every pair of a map at once is computed with planes
of bits (`bit_planes.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import compress
from typing import Any, NamedTuple

from assistant.engine.field import Field
from assistant.engine.map_index import in_order
from assistant.engine.placed_units import Mover, PlacedUnit
from assistant.engine.program import CompiledRecord
from assistant.engine.sight.bit_planes import PlaneMasks, TooManyPlanes
from assistant.engine.sight.line_crossings import HEXES, SHIFT, SightLine, difference
from assistant.engine.sight.line_results import LineEvaluator, LineVerdict
from assistant.engine.sight.place_classes import HEIGHT, SightMap, sight_map_of
from assistant.questions.answer import BadQuestion
from scenarios.model.hexes import Hex, Hexside, hexside
from scenarios.model.maps import HexMap
from scenarios.model.memo import cached_on

AT_ONCE = 512
"""The number of places whose rows are made from planes together."""
_FLAGS = bytes.maketrans(b"01", b"\0\1")


class MetFeature(NamedTuple):
    """A hexside or a hex that a line meets: crossed or through, along, or in a corner; neither where the ends alone
    matter."""

    manner: str
    side: Hexside | None
    hex: Hex | None


class SightEffect(NamedTuple):
    """What a record does to a line, and where."""

    crossing: MetFeature
    record: CompiledRecord
    amount: Fraction
    """How much it degrades the line."""
    rule: str
    """The rule of the record, and that of the manner."""


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
    """What shields the target."""
    shields_back: tuple[SightEffect, ...]
    """What shields the observer."""
    too_far: CompiledRecord | None
    """The record that limits the range of sight, where the line is longer."""
    limit: Fraction | None

    @property
    def degradation(self) -> Fraction:
        """The degradation of the line."""
        return sum((effect.amount for effect in self.degraded_by), Fraction(0))


def has_sight(field: Field) -> bool:
    """Whether the pack declares sight on this map."""
    return field.program.rules.sight is not None and isinstance(field.map_index.map, HexMap)


class Sights:
    """All lines of sight on a field. It never changes; it caches what it computes."""

    def __init__(self, field: Field) -> None:
        if field.program.rules.sight is None:
            raise BadQuestion("this pack has no rules for line of sight; add `rules.sight` (docs/rules.md)")
        if not isinstance(field.map_index.map, HexMap):
            raise BadQuestion("line of sight needs a hex map, and this map has no hexes")
        self.field = field
        self.map = sight_map_of(field.map_index)
        self.rules, self.row = self.map.rules, self.map.row
        self.codes = self.map.codes(field)
        self.usual = next(reversed(list(self.rules.observers)), "")
        """The default kind of observer and target."""
        self._judges: dict[tuple[str, str], LineEvaluator] = {}
        self._effects_memo: dict[tuple[int, int, LineVerdict], tuple[SightEffect, ...]] = {}
        """The effect in each place, by the kind of meeting and its number in the row."""
        self._masks: dict[tuple[str, str, bool], PlaneMasks] = {}
        if not self.codes.changed_cells:
            cached_on(self.map, _bare_sights).setdefault(self.codes.context, self)

    # Observers.

    def observer(self, fields: Any) -> str:
        """Return the kind of observer that a unit is."""
        mover = Mover(fields["side"], fields)
        return next(
            (name for name, holds in self.rules.observers.items() if self.field.holds(holds, mover)), self.usual
        )

    def judge(self, viewer: str, seen_as: str) -> LineEvaluator:
        """Return the evaluator of the records for these kinds of observer and target."""
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
        """Whether a line is clear, without reasons: each class of what is met is evaluated once."""
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
        """Return the line from a place to another, with all that it meets."""
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
        """Yield the effects of all that a line meets, in order from its start."""
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
                manner = judge.lines.crossing_kinds[kind // SHIFT].manner
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

    # Effects of the ends, the range and the degradation.

    def by_ends(self, a: int, b: int) -> list[SightEffect]:
        """Return what blocks the line between two places because of where they are, whatever lies between."""
        return self._by_ends(a, b, self.field.map_index.distance(a, b), self.judge("", ""))

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
        """Return whether the target's units hide, and why a unit isn't seen although the line may be clear."""
        field, lookup = self.field, self.field.program.lookup
        mover = field.mover(unit) if unit is not None else field.unknown_unit
        extra_values = {"distance": look.distance, "viewer": look.viewer, "seen_as": look.seen_as}
        scope = field.scope(mover, {"from": look.a, "to": look.b}, extra_values)
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
        """Return every other place that is seen from a place."""
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
        # Lines that meet nothing that has changed keep their result.
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
        """Return, for half of all differences, the places from which the place at that difference is seen.
        `is_turned`: the places that it sees."""
        key = viewer or self.usual, seen_as or self.usual, is_turned
        if key not in self._masks:
            try:
                masks = PlaneMasks(self.codes, self.judge(viewer, seen_as), is_turned)
            except TooManyPlanes:
                masks = LineByLine(self, viewer, seen_as, is_turned)
            # Observer and target are usually of the same kind: then the masks are those with the roles exchanged.
            swapped_masks = self._masks.get((key[1], key[0], not is_turned))
            is_same = (
                swapped_masks is not None and swapped_masks.levels is not None and swapped_masks.levels == masks.levels
            )
            self._masks[key] = swapped_masks if swapped_masks is not None and is_same else masks
        return self._masks[key]

    def known_masks(self, viewer: str, seen_as: str, is_turned: bool) -> PlaneMasks | None:
        """Return the masks, if they were computed before."""
        return self._masks.get((viewer or self.usual, seen_as or self.usual, is_turned))

    def all_pairs(self, viewer: str = "", seen_as: str = "") -> PlaneMasks:
        """Return every pair of the map, in both directions."""
        for is_turned in (False, True):
            self.masks(viewer, seen_as, is_turned).fill()
        return self.masks(viewer, seen_as)

    def every_row(self, viewer: str = "", seen_as: str = "") -> Iterator[tuple[int, list[int]]]:
        """Yield every place with all others that are seen from it."""
        self.all_pairs(viewer, seen_as)
        onward, back_masks = (self.masks(viewer, seen_as, is_turned) for is_turned in (False, True))
        row = self.row
        steps = [dq * row.stride + dr for dq, dr in map(difference, row.half_keys)]
        # A bit for each place: those that see the place at this difference forward, then backward.
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
        """Yield every two places of which the first sees the second, each pair once: the observer in the lower
        column."""
        place_by_bit = {bit: n for n, bit in enumerate(self.row.bits)}
        number, places = self.field.map_index.number, self.field.map_index.places
        for key, mask in self.all_pairs(viewer, seen_as).items():
            step = Hex(*difference(key))
            while mask:
                n = place_by_bit[mask.bit_length() - 1]
                yield n, number[places[n].plus(step)]  # type: ignore[union-attr]
                mask ^= 1 << mask.bit_length() - 1

    def order(self, n: int) -> tuple[tuple[int, str], ...]:
        """Return the sort key of places by their names."""
        return in_order(self.field.map_index.name(n))

    def count(self, viewer: str = "", seen_as: str = "") -> int:
        """Return how many pairs see each other."""
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
    """The same where there are too many classes for planes: lines are evaluated one by one."""

    def __init__(self, sights: Sights, viewer: str, seen_as: str, is_turned: bool) -> None:
        dict.__init__(self)
        self.sights, self.looks, self.is_reversed = sights, (viewer, seen_as), is_turned
        self.row, self.is_complete, self.levels = sights.row, False, None

    def __missing__(self, key: int) -> int:
        mask, row, number = 0, self.row, self.sights.field.map_index.number
        step = Hex(*difference(key))
        for n, hex in enumerate(self.sights.field.map_index.places):
            m = number.get(hex.plus(step))  # type: ignore[union-attr]
            if m is not None and self.sights.clear(*((m, n) if self.is_reversed else (n, m)), *self.looks):
                mask |= 1 << row.bits[n]
        self[key] = mask
        return mask
