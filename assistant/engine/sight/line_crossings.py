"""The straight lines of a map: exactly which hexsides and hexes the line between two hexes meets, computed once for
each difference of two hexes.

The hexes of a map are numbered in one row, column after column: the number of (q, r) is q * stride + r and some
constant. So the same step always changes the number by the same amount. A hexside is in one of three planes
(directions 0, 1 and 2), under the number of the hex that it leaves. A line's features have numbers that count from
its first hex, so one `SightLine` serves all lines of a difference. A plane of bits, one for each hex of the row, can
be shifted so that its bits are at the first hexes of the lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from scenarios.model.hexes import DIRECTIONS, Hex
from scenarios.model.maps import HexMap

CROSSES_SIDE, THROUGH_HEX, ALONG_SIDE, AT_CORNER = "crossed", "through", "along", "corner"
FIRST, LAST = 1, 2
HEXES = 3
"""The plane of hexes; 0 to 2 are those of hexsides."""
SHIFT = 1 << 16
"""The kind's number is multiplied by this; the lower bits hold the class of what is met."""
_LANE_WIDTH = 1 << 12
_LONGEST = 8


class SideTouch(NamedTuple):
    """A hexside that a line meets: how, where, whether it belongs to the first or the last hex, in which corner."""

    manner: str
    plane: int
    number: int
    hex_index: int
    corner: tuple[int, ...]


class Passage(NamedTuple):
    """A hex between the ends that a line meets: how, where, and whether only in hexsides of the two ends."""

    manner: str
    number: int
    hex_index: int


class LineCrossings(NamedTuple):
    """All that the lines of one difference meet, in order."""

    last: int
    sides: tuple[SideTouch, ...]
    hexes: tuple[Passage, ...]


class CrossingKind(NamedTuple):
    """The manner of meeting a hexside or a hex, as far as records distinguish it."""

    plane: int
    manner: str
    endpoint: int
    is_reversed: bool
    """For a hexside: the second of its two hexes is the nearer one."""
    height: int
    """For a hex: the interval of relevant heights that holds the line there."""
    distance: int
    """The length of the line, if a record asks for it; else 0."""


Term = tuple[int, int]
"""The number of a kind, and the shift that brings its plane to the first hex."""


class SightLine(NamedTuple):
    """What may block the lines of one difference."""

    crossing: LineCrossings
    distance: int
    terms: tuple[tuple[int, int, int, int], ...]
    """For each feature met: the number of its kind (times SHIFT), its plane, its number, and its group where several
    must block together."""


class BlockingTerms(NamedTuple):
    """What blocks the lines of one difference, as planes to combine."""

    last: int
    distance: int
    single_terms: tuple[Term, ...]
    """What blocks by itself; stretches of several are one term."""
    joint_terms: tuple[tuple[Term, ...], ...]
    """What blocks only all together."""


class HexRow:
    """The hexes of a map in one row, with a ring of hexes around it.

    A hex's number is q * stride + r + base. In planes its bit is `margin` lower, so that a plane always shifts to
    the right, whichever neighbor of the line moves to its first hex. A hex's key identifies a difference.
    """

    def __init__(self, map: HexMap) -> None:
        hexes = map.hexes
        self.spots = map.spots
        rows = [y for _, y in self.spots.values()]
        self.top, self.bottom = min(rows), max(rows)
        self.flat = map.orientation == "flat"
        self.stride = (self.bottom - self.top) // (2 if self.flat else 1) + 4
        self.margin = margin_of(self.stride)
        self.base = 2 * self.margin - min(q * self.stride + r for q, r in hexes)
        self.size = max(map_number(hex, self.stride) for hex in hexes) + self.base + 2 * self.margin
        self.steps = steps_of(self.stride)
        self.numbers = [self.number(hex) for hex in hexes]
        """By the place numbers of the rules."""
        self.bits = [number - self.margin for number in self.numbers]
        self.keys = [hex.q * _LANE_WIDTH + hex.r for hex in hexes]
        self.place = {number: n for n, number in enumerate(self.numbers)}
        self._hexes = hexes
        self._all_hexes = self.plane(range(len(hexes)))
        self._inside: dict[int, int] = {}
        self._starts: dict[int, int] = {}

    def number(self, hex: Hex) -> int:
        """Return the number of a hex in the row."""
        return map_number(hex, self.stride) + self.base

    def hex(self, number: int) -> Hex:
        """Return the hex of a number, on the map or next to it."""
        return self._hex_at[number]

    @cached_property
    def _hex_at(self) -> dict[int, Hex]:
        hex_by_number = {self.number(hex.plus(step)): hex.plus(step) for hex in self._hexes for step in DIRECTIONS}
        return hex_by_number | {self.number(hex): hex for hex in self._hexes}

    def plane(self, places: Iterable[int]) -> int:
        """Return a bit for each of some places."""
        bits = bytearray(b"0" * self.size)
        for n in places:
            bits[-1 - self.bits[n]] = 49
        return int(bits, 2)

    def starts(self, key: int) -> int:
        """Return the hexes from which the hex at this difference is on the map."""
        if key not in self._starts:
            self._starts[key] = self._start_plane(key)
        return self._starts[key]

    def _start_plane(self, key: int) -> int:
        dq, dr = difference(key)
        row_shift = 2 * dr + dq if self.flat else dr
        if row_shift not in self._inside:
            hex_numbers = (
                n for n, hex in enumerate(self._hexes) if self.top <= self.spots[hex][1] + row_shift <= self.bottom
            )
            self._inside[row_shift] = self.plane(hex_numbers)
        return self._all_hexes & self._all_hexes >> dq * self.stride + dr & self._inside[row_shift]

    @cached_property
    def half_keys(self) -> tuple[int, ...]:
        """The keys of half of all differences; the other half is their reverse."""
        height, step = self.bottom - self.top, 2 if self.flat else 1
        columns = [hex.q for hex in self._hexes]
        keys = (
            dq * _LANE_WIDTH + ((row_shift - dq) // 2 if self.flat else row_shift)
            for dq in range(max(columns) - min(columns) + 1)
            for row_shift in range(-height + (height + dq) % step, height + 1, step)
        )
        return tuple(key for key in keys if key > 0 and self.starts(key))


def margin_of(stride: int) -> int:
    """Return how much lower than its number the bit of a hex is."""
    return stride + 2


def steps_of(stride: int) -> list[int]:
    """Return the change of the number toward a neighbor, for each direction."""
    return [q * stride + r for q, r in DIRECTIONS]


def map_number(hex: Hex, stride: int) -> int:
    """Return the number of a hex without the map's constant."""
    return hex.q * stride + hex.r


def difference(key: int) -> tuple[int, int]:
    """Return the difference of two hexes from the difference of their keys."""
    dr = (key + _LANE_WIDTH // 2) % _LANE_WIDTH - _LANE_WIDTH // 2
    return (key - dr) // _LANE_WIDTH, dr


class LineReading(NamedTuple):
    """How a pack interprets what lines meet."""

    side_reading: int
    """How many of the two hexes beside a line along a hexside must block."""
    corner: int
    """How many of the hexsides that meet in a corner must block."""
    faces: bool
    """Whether the two hexes of a hexside are distinguished."""
    ends_far: tuple[bool, bool]
    """Whether records of hexsides, and of hexes, ask for the distance."""


class Lines(dict[int, SightLine]):
    """The lines of all maps with one stride, by the key of their difference and for one way of reading; computed on
    demand.

    Long lines have stretches in common: eight terms in a row become one plane, itself of two halves. Such planes
    have negative numbers.
    """

    def __init__(self, stride: int, reading: LineReading, height: Callable[[int, int], int] | None) -> None:
        super().__init__()
        self.stride, self.reading, self.height = stride, reading, height
        self.margin, self.steps = margin_of(stride), steps_of(stride)
        self.crossing_kinds: list[CrossingKind] = []
        self.stretches: list[tuple[Term, Term]] = []
        self._kind: dict[tuple[int, str, int, bool, int, int], int] = {}
        self._touched_bits: dict[int, int] = {}
        self._blocking_terms: dict[int, BlockingTerms] = {}
        self._stretch: dict[tuple[Term, Term], int] = {}

    def __missing__(self, key: int) -> SightLine:
        line = self[key] = self._line(*difference(key))
        return line

    def _number(self, kind: tuple[int, str, int, bool, int, int]) -> int:
        number = self._kind.get(kind)
        if number is None:
            number = self._kind[kind] = len(self.crossing_kinds)
            self.crossing_kinds.append(CrossingKind(*kind))
        return number

    def _line(self, dq: int, dr: int) -> SightLine:
        crossing, reading = meeting(self.stride, dq, dr), self.reading
        line_length = max(abs(dq), abs(dr), abs(dq + dr))
        side_far, hex_far = (line_length if uses_distance else 0 for uses_distance in reading.ends_far)
        # Of the two hexes of a hexside the second is the nearer one where the step to it leads back.
        reversals = [reading.faces and 2 * (q * dq + r * dr) + q * dr + r * dq < 0 for q, r in DIRECTIONS[:3]]
        terms: list[tuple[int, int, int, int]] = []
        groups: dict[tuple[int, ...], int] = {}
        for manner, plane, number, end_flags, corner in crossing.sides:
            kind = self._number((plane, manner, end_flags, reversals[plane], 0, side_far))
            is_grouped = manner == AT_CORNER and not end_flags and reading.corner > 1
            terms.append((kind * SHIFT, plane, number, groups.setdefault(corner, len(groups) + 1) if is_grouped else 0))
        heights = self._heights(dq, dr) if self.height is not None else [0] * len(crossing.hexes)
        beside_count = 0
        for (manner, number, end_flags), height in zip(crossing.hexes, heights, strict=True):
            kind = self._number((HEXES, manner, end_flags, False, height, hex_far))
            is_grouped = manner == ALONG_SIDE and reading.side_reading > 1
            # The two hexes beside a hexside follow each other.
            terms.append(
                (
                    kind * SHIFT,
                    HEXES,
                    number,
                    groups.setdefault((beside_count // 2,), len(groups) + 1) if is_grouped else 0,
                )
            )
            beside_count += is_grouped
        return SightLine(crossing, line_length, tuple(terms))

    def blocking_terms(self, key: int) -> BlockingTerms:
        """Return what blocks the lines of a difference, as planes."""
        if key not in self._blocking_terms:
            line, margin, steps = self[key], self.margin, self.steps
            single_terms: list[Term] = []
            groups: dict[int, list[Term]] = {}
            needs = {}
            covered_hexes = set()
            for kind, plane, number, group in line.terms:
                term = kind // SHIFT, number + margin
                if group:
                    groups.setdefault(group, []).append(term)
                    needs[group] = self.reading.side_reading if plane == HEXES else self.reading.corner
                    continue
                if self.needs_join and plane != HEXES and self.is_joined(self.crossing_kinds[term[0]]):
                    covered_hexes |= {number, number + steps[plane]}
                elif plane == HEXES and number in covered_hexes:
                    continue
                single_terms.append(term)
            combined_terms = tuple(
                combination
                for group, group_terms in groups.items()
                for combination in combinations(group_terms, needs[group])
            )
            self._blocking_terms[key] = BlockingTerms(
                line.crossing.last, line.distance, self._shorter(single_terms), combined_terms
            )
        return self._blocking_terms[key]

    @property
    def needs_join(self) -> bool:
        """Whether the plane of crossed hexsides between the ends also includes what blocks in the hexes on both
        sides."""
        return self.height is None and not self.reading.ends_far[1]

    def is_joined(self, kind: CrossingKind) -> bool:
        """Whether this is such a plane: the line then passes through both hexes."""
        return self.needs_join and kind.manner == CROSSES_SIDE and not kind.endpoint

    def _heights(self, dq: int, dr: int) -> list[int]:
        """Return, for each hex between, the position of the line there: the foot of the hex's center on it, as a
        fraction of the whole line."""
        assert self.height is not None
        denominator, heights = 2 * (dq * dq + dr * dr + dq * dr), []
        for passage in meeting(_LANE_WIDTH, dq, dr).hexes:
            q, r = difference(passage.number)
            heights.append(self.height(2 * (q * dq + r * dr) + q * dr + r * dq, denominator))
        return heights

    def touched_bits(self, key: int) -> int:
        """Return the bits of all hexes that have a side which the lines of a difference meet."""
        if key not in self._touched_bits:
            steps, margin, bits = self.steps, self.margin, 0
            for _, plane, number, _, _ in self[key].crossing.sides:
                bits |= 1 << number + margin | 1 << number + steps[plane] + margin
            self._touched_bits[key] = bits
        return self._touched_bits[key]

    def _shorter(self, terms: list[Term]) -> tuple[Term, ...]:
        """Combine stretches of eight, four and two terms into one each."""
        joined_terms: list[Term] = []
        start = 0
        while start < len(terms):
            length = min(_LONGEST, 1 << (len(terms) - start).bit_length() - 1)
            joined_terms.append(self._join_terms(terms[start : start + length]))
            start += length
        return tuple(joined_terms)

    def _join_terms(self, terms: list[Term]) -> Term:
        if len(terms) == 1:
            return terms[0]
        middle = len(terms) // 2
        (first_plane, first_start), (second_plane, second_start) = (
            self._join_terms(terms[:middle]),
            self._join_terms(terms[middle:]),
        )
        start = min(first_start, second_start)
        stretch_key = (first_plane, first_start - start), (second_plane, second_start - start)
        plane = self._stretch.get(stretch_key)
        if plane is None:
            self.stretches.append(stretch_key)
            plane = self._stretch[stretch_key] = -len(self.stretches)
        return plane, start


def meeting(stride: int, dq: int, dr: int) -> LineCrossings:
    """March from hex (0, 0) to hex (dq, dr), and leave each hex by a side or by a corner."""
    steps = steps_of(stride)
    last = dq * stride + dr
    d, m, n = _sextant(dq, dr)
    u, v = steps[d], steps[(d + 1) % 6]
    # The change of `here` and `lead` by each exit: right of direction d, along it, along d + 1, both at once, left of
    # that.
    moves = {-1: (u - v, 3 * (m + n)), 0: (u, 3 * n), 1: (v, -3 * m), 2: (u + v, 0), 3: (v - u, -3 * (m + n))}
    sides: list[SideTouch] = []
    hexes: dict[int, str] = {}

    def side(manner: str, hex_number: int, way: int, corner: tuple[int, ...] = ()) -> None:
        way %= 6
        if way > 2:
            hex_number += steps[way]
            way -= 3
        ends = hex_number, hex_number + steps[way]
        end_flags = (FIRST if 0 in ends else 0) | (LAST if last in ends else 0)
        sides.append(SideTouch(manner, way, hex_number, end_flags, corner))
        for hex in ends:
            if manner == ALONG_SIDE:
                hexes[hex] = ALONG_SIDE
            else:
                hexes.setdefault(hex, AT_CORNER)

    def end(hex_number: int, way: int) -> tuple[int, ...]:
        """Return the corner between the neighbors `way` and `way + 1`: the two hexsides that lead to it."""
        corner = hex_number, hex_number + steps[way % 6], hex_number + steps[(way + 1) % 6]
        side(AT_CORNER, hex_number, way, corner)
        side(AT_CORNER, hex_number, way + 1, corner)
        return corner

    # The line goes between directions d and d + 1. `lead` is three times how far a hex's center lies right of it. Where
    # it equals one of three limits, the line leaves the hex by a corner.
    right, middle, left = -(m + 2 * n), m - n, 2 * m + n
    current, lead = 0, 0
    inside = [current]
    while current != last:
        if lead == middle:
            corner = end(current, d)
            side(ALONG_SIDE if m == n else AT_CORNER, current + u, d + 2, corner)
            if m == n:
                end(current + u + v, d + 3)
            step = 2 if m == n else 0 if m > n else 1
        elif lead == right:
            side(AT_CORNER, current + steps[(d - 1) % 6], d + 1, end(current, d - 1))
            step = 0
        elif lead == left:
            side(AT_CORNER, current + steps[(d + 2) % 6], d, end(current, d + 1))
            step = 1
        else:
            step = -1 if lead < right else 0 if lead < middle else 1 if lead < left else 3
            side(CROSSES_SIDE, current, d + step - (step == 3))
        offset, change = moves[step]
        current, lead = current + offset, lead + change
        inside.append(current)
    hexes |= dict.fromkeys(inside, THROUGH_HEX)
    del hexes[0], hexes[last]
    free = {hex for touch in sides if not touch.hex_index for hex in (touch.number, touch.number + steps[touch.plane])}
    passages = [Passage(manner, hex, 0 if hex in free else FIRST | LAST) for hex, manner in hexes.items()]
    return LineCrossings(last, tuple(sides), tuple(passages))


def _sextant(dq: int, dr: int) -> tuple[int, int, int]:
    """Return a direction d and how many steps lead that way and in direction d + 1."""
    for d in range(6):
        (uq, ur), (vq, vr) = DIRECTIONS[d], DIRECTIONS[(d + 1) % 6]
        m, n = dq * vr - dr * vq, uq * dr - ur * dq
        if m > 0 and n >= 0:
            return d, m, n
    raise ValueError("a line needs two different hexes")
