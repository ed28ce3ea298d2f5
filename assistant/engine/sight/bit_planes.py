"""Every pair of a map at once: one bit a hex, one long integer for each difference of two hexes.

A bit plane holds what may block at a feature that lines meet, shifted so that its bits are at the first hexes of the
lines. The planes of all features on a line are combined. Where records ask for the ends, pairs of ends with equal
results share a level. A plane has a stretch of bits for each level, and the end selects the one that applies to a
line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Any, NamedTuple

from assistant.engine.program import CompiledRecord
from assistant.engine.sight.line_crossings import (
    ALONG_SIDE,
    AT_CORNER,
    CROSSES_SIDE,
    FIRST,
    HEXES,
    LAST,
    SHIFT,
    THROUGH_HEX,
    CrossingKind,
    Lines,
)
from assistant.engine.sight.line_results import LineEvaluator
from assistant.engine.sight.place_classes import Codes

MOST_CODES = 255
MOST_VERDICTS = 400_000
_SIDE_MANNERS = [
    *((CROSSES_SIDE, end_flags) for end_flags in (0, FIRST, LAST, FIRST | LAST)),
    (ALONG_SIDE, 0),
    *((AT_CORNER, end_flags) for end_flags in (0, FIRST, LAST, FIRST | LAST)),
]
_HEX_MANNERS = [(THROUGH_HEX, 0), (THROUGH_HEX, FIRST | LAST), (ALONG_SIDE, 0), (AT_CORNER, 0)]
THROUGH_BOTH = CrossingKind(HEXES, THROUGH_HEX, 0, False, 0, 0)
Worth = tuple[int, Fraction]
"""The number of a record that degrades lines, and the amount."""
Placement = frozenset[tuple[CrossingKind, frozenset[int]]]
"""Kinds of meeting, each with the place classes for which something holds."""


class TooManyPlanes(Exception):
    """There are too many classes for planes; lines are evaluated one by one."""


class Level(NamedTuple):
    """What affects lines between some classes of ends."""

    blocks: Placement
    worse: tuple[tuple[Worth, Placement], ...]
    maximum: Fraction


class Levels:
    """The levels of a map with some classes on it, and the classes of ends to which each level applies."""

    def __init__(
        self, judge: LineEvaluator, sides: frozenset[int], hexes: frozenset[int], ends: frozenset[int], is_turned: bool
    ) -> None:
        if (
            any(judge.lines.reading.ends_far)
            or (judge.feet is not None and judge.feet.exact)
            or max(*sides, *hexes, 0) > MOST_CODES
        ):
            raise TooManyPlanes
        sight = judge.sight
        turns = (False, True) if sight.beside_names else (False,)
        heights = range(judge.feet.count if judge.feet is not None else 1)
        side_kinds = [CrossingKind(0, *manner, turn, 0, 0) for manner, turn in product(_SIDE_MANNERS, turns)]
        hex_kinds = [
            CrossingKind(HEXES, *manner, False, height, 0) for manner, height in product(_HEX_MANNERS, heights)
        ]
        if (len(side_kinds) * len(sides) + len(hex_kinds) * len(hexes)) * len(ends) ** 2 > MOST_VERDICTS:
            raise TooManyPlanes
        doing = [record for record in sight.sides.records if record.effect != "shield"]
        rows = [(record, self._row(judge, record, side_kinds, sides, is_turned)) for record in doing]
        rows += [(record, self._row(judge, record, hex_kinds, hexes, is_turned)) for record in sight.hexes.records]
        level_numbers: dict[Level, int] = {}
        self.by_pair: dict[tuple[int, int], int] = {}
        for pair in product(sorted(ends), sorted(ends)):
            blocks: set[tuple[CrossingKind, frozenset[int]]] = set()
            worse: list[tuple[Worth, Placement]] = []
            for number, (record, row) in enumerate(rows):
                for worth, meetings in sorted(row(*pair).items()):
                    if record.effect == "block":
                        blocks |= meetings
                    elif worth:
                        worse.append(((number, worth), meetings))
            start, end = pair[::-1] if is_turned else pair
            max_worse = judge.max_degradation(start, end, 0) if worse else Fraction(0)
            self.by_pair[pair] = level_numbers.setdefault(
                Level(frozenset(blocks), tuple(worse), max_worse), len(level_numbers)
            )
        self.levels = list(level_numbers)
        self.worths = sorted({worth for level in self.levels for worth, _ in level.worse})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Levels) and (self.by_pair, self.levels) == (other.by_pair, other.levels)

    __hash__ = None  # type: ignore[assignment]

    def _row(
        self,
        judge: LineEvaluator,
        record: CompiledRecord,
        meeting_kinds: list[CrossingKind],
        codes: frozenset[int],
        is_turned: bool,
    ) -> Callable[[int, int], dict[Fraction, Placement]]:
        """Return, for two classes of ends, the worth of a record by kind of meeting and class."""
        cache: dict[Any, dict[Fraction, Placement]] = {}

        def row(first: int, last: int) -> dict[Fraction, Placement]:
            key = judge.ends_like(record, first, last, is_turned)
            if key not in cache:
                meetings_by_worth: dict[Fraction, set[tuple[CrossingKind, frozenset[int]]]] = {}
                for kind in meeting_kinds:
                    for worth, relevant_codes in judge.codes_of(record, kind, codes, first, last, is_turned).items():
                        meetings_by_worth.setdefault(worth, set()).add((kind, relevant_codes))
                cache[key] = {worth: frozenset(meetings) for worth, meetings in meetings_by_worth.items()}
            return cache[key]

        return row


class Planes(dict[int, int]):
    """Planes by the number of their kind, with a stretch for each level. Combined planes have negative numbers."""

    def __init__(self, lines: Lines, codes: Codes, size: int, meetings_by_level: Sequence[Placement]) -> None:
        """Build the planes. `size` is the number of bits of a level; `meetings_by_level` says what the planes of
        each level hold."""
        super().__init__()
        self.lines, self.size = lines, size
        self.bytes = [bytes(reversed(plane)) for plane in codes.planes]
        self.placements: list[dict[CrossingKind, set[int]]] = []
        for level in meetings_by_level:
            codes_by_kind: dict[CrossingKind, set[int]] = {}
            for kind, kind_codes in level:
                codes_by_kind.setdefault(kind, set()).update(kind_codes)
            self.placements.append(codes_by_kind)

    def __missing__(self, plane: int) -> int:
        if plane < 0:
            (first_plane, first_shift), (second_plane, second_shift) = self.lines.stretches[-plane - 1]
            bits = self[first_plane] >> first_shift | self[second_plane] >> second_shift
        else:
            bits = self._place_kind(self.lines.crossing_kinds[plane])
        self[plane] = bits
        return bits

    def _place_kind(self, kind: CrossingKind) -> int:
        codes, bits = self.bytes[kind.plane], 0
        if kind.plane != HEXES and self.lines.is_joined(kind):
            hexes, step = self._place_kind(THROUGH_BOTH), self.lines.steps[kind.plane]
            bits = hexes | (hexes >> step if step > 0 else hexes << -step)
        base_kind = kind if kind.plane == HEXES else kind._replace(plane=0)
        for number, codes_by_kind in enumerate(self.placements):
            blocking = codes_by_kind.get(base_kind)
            if blocking:
                digits = bytes([49 if code in blocking else 48 for code in range(256)])
                bits |= int(codes.translate(digits), 2) << number * self.size
        return bits


Rectangle = tuple[int, int | None]
"""First hexes of lines and last ones; None for all."""


class PlaneMasks(dict[int, int]):
    """The places that see the place at a distance, by the key of the difference; computed on demand."""

    def __init__(self, codes: Codes, judge: LineEvaluator, is_turned: bool) -> None:
        """Prepare the masks. `is_turned`: the places seen from there instead."""
        super().__init__()
        self.codes, self.judge, self.is_reversed = codes, judge, is_turned
        self.lines, self.row = judge.lines, judge.sight.row
        sides, hexes = frozenset().union(*codes.planes[:3]) - {0}, frozenset(codes.planes[HEXES]) - {0}
        key = sides, hexes, frozenset(codes.ends), is_turned
        if key not in judge.levels:
            judge.levels[key] = Levels(judge, *key)
        level_table: Levels = judge.levels[key]
        self.levels: Levels | None = level_table
        levels = level_table.levels
        self.size, self.full = self.row.size, (1 << self.row.size) - 1
        self.planes = Planes(self.lines, codes, self.size, [level.blocks for level in levels])
        self.worse = [
            (
                worth,
                Planes(
                    self.lines,
                    codes,
                    self.size,
                    [dict(level.worse).get((number, worth), frozenset()) for level in levels],
                ),
            )
            for number, worth in level_table.worths
        ]
        self.scale = lcm(
            *(worth.denominator for worth, _ in self.worse), *(level.maximum.denominator for level in levels)
        )
        self.choices = [
            (
                number * self.size,
                list(
                    self._rectangles(
                        codes.ends,
                        (pair for pair, level_number in level_table.by_pair.items() if level_number == number),
                    )
                ),
            )
            for number in range(1, len(levels))
        ]
        self.mosts = [int(level.maximum * self.scale) for level in levels]
        self.is_complete = False
        self._cut: dict[int, list[Rectangle]] = {}
        self._any_distance = not judge.sight.rules.limit and "distance" not in judge.sight.ends.names

    def fill(self) -> None:
        """Compute every pair."""
        if not self.is_complete:
            for key in self.row.half_keys:
                self[key]
            self.is_complete = True

    def __missing__(self, key: int) -> int:
        last, distance, single_terms, term_groups = self.lines.blocking_terms(key)
        planes, bits = self.planes, 0
        for plane, number in single_terms:
            bits |= planes[plane] >> number
        for group in term_groups:
            group_bits = -1
            for plane, number in group:
                group_bits &= planes[plane] >> number
            bits |= group_bits
        if self.worse:
            bits |= self._blocked_by_sum(key)
        blocked_bits = bits & self.full
        for shift, rectangles in self.choices:
            blocked_bits ^= (blocked_bits ^ bits >> shift) & _cells_in(rectangles, last)
        if self.codes.distances:
            cut = self._by_ends(0 if self._any_distance else distance)
            blocked_bits |= _cells_in(cut, last) if cut else 0
        mask = self[key] = self.row.starts(key) & ~blocked_bits
        return mask

    def _blocked_by_sum(self, key: int) -> int:
        """Return where the total degradation blocks a line. It counts in binary digits, one plane for each."""
        digits: list[int] = []
        margin = self.row.margin
        for kind, _, number, _ in self.lines[key].terms:
            for worth, planes in self.worse:
                plane, weight, place = planes[kind // SHIFT] >> number + margin, int(worth * self.scale), 0
                while plane and weight:
                    if weight & 1:
                        _count(digits, plane, place)
                    weight, place = weight >> 1, place + 1
        hidden_bits = 0
        for number, limit in enumerate(self.mosts):
            greater_bits, equal_bits = 0, -1
            for place in reversed(range(max(len(digits), limit.bit_length()))):
                digit = digits[place] if place < len(digits) else 0
                if limit >> place & 1:
                    equal_bits &= digit
                else:
                    greater_bits |= equal_bits & digit
                    equal_bits &= ~digit
            hidden_bits |= greater_bits & self.full << number * self.size
        return hidden_bits

    def _by_ends(self, distance: int) -> list[Rectangle]:
        """Return the lines of a length that their ends alone block."""
        if distance not in self._cut:
            judge, codes = self.judge, sorted(set(self.codes.distances))
            blocked_pairs = []
            for first, last in product(codes, codes):
                start, end = (last, first) if self.is_reversed else (first, last)
                if judge.ends(start, end, distance) or (
                    judge.sight.rules.limit and judge.limit(start, end, distance)[1] is not None
                ):
                    blocked_pairs.append((first, last))
            self._cut[distance] = list(self._rectangles(self.codes.distances, blocked_pairs))
        return self._cut[distance]

    def _rectangles(self, codes: list[int], pairs: Iterable[tuple[int, int]]) -> Iterator[Rectangle]:
        """Yield pairs of classes of ends as planes: the first hexes and the last ones."""
        lasts: dict[int, set[int]] = {}
        for first, last in pairs:
            lasts.setdefault(first, set()).add(last)
        firsts_by_lasts: dict[frozenset[int], set[int]] = {}
        for first, last_codes in lasts.items():
            firsts_by_lasts.setdefault(frozenset(last_codes), set()).add(first)
        all_codes = frozenset(codes)
        for those, firsts in firsts_by_lasts.items():
            yield self._plane(codes, firsts), None if those == all_codes else self._plane(codes, those)

    def _plane(self, codes: list[int], wanted_codes: Iterable[int]) -> int:
        code_set = set(wanted_codes)
        return self.row.plane(n for n, code in enumerate(codes) if code in code_set)


def _cells_in(rectangles: list[Rectangle], last: int) -> int:
    """Return the first hexes of the lines whose ends are in one of some rectangles."""
    bits = 0
    for firsts, lasts in rectangles:
        bits |= firsts if lasts is None else firsts & lasts >> last
    return bits


def _count(digits: list[int], plane: int, place: int) -> None:
    """Add one where a plane has a bit."""
    while plane:
        while len(digits) <= place:
            digits.append(0)
        digits[place], plane = digits[place] ^ plane, digits[place] & plane
        place += 1
