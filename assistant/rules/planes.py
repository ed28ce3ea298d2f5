"""Every pair of a map at once: one bit a hex, one long integer for each difference of two hexes.

What may block at something that lines meet is a plane of bits, moved so that it lies on the first hexes of the lines; the planes of all
that a line meets are laid over each other. Where records ask for the ends, pairs of ends that are judged alike have one level, and a
plane has a stretch of bits for each level; which holds for a line is chosen at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Any, NamedTuple

from assistant.rules.codes import Codes
from assistant.rules.lines import ALONG, CORNER, CROSSED, FIRST, HEXES, LAST, SHIFT, THROUGH, Kind, Lines
from assistant.rules.program import Ready
from assistant.rules.verdicts import Judge

MOST_CODES = 255
MOST_VERDICTS = 400_000
_SIDE_MANNERS = [
    *((CROSSED, own) for own in (0, FIRST, LAST, FIRST | LAST)), (ALONG, 0), *((CORNER, own) for own in (0, FIRST, LAST, FIRST | LAST))
]  # fmt: skip
_HEX_MANNERS = [(THROUGH, 0), (THROUGH, FIRST | LAST), (ALONG, 0), (CORNER, 0)]
THROUGH_BOTH = Kind(HEXES, THROUGH, 0, False, 0, 0)
Worth = tuple[int, Fraction]
"""A record that makes lines worse, by its number, and by how much."""
Where = frozenset[tuple[Kind, frozenset[int]]]
"""Kinds of meeting, each with the codes of what is met for which something holds."""


class TooMany(Exception):
    """There are too many kinds to lay planes; lines are looked at one by one."""


class Level(NamedTuple):
    """What is done to lines between some kinds of ends."""

    blocks: Where
    worse: tuple[tuple[Worth, Where], ...]
    most: Fraction


class Levels:
    """The levels of a map with some codes on it: which there are, and between which kinds of ends each of them holds."""

    def __init__(
        self, judge: Judge, sides: frozenset[int], hexes: frozenset[int], ends: frozenset[int], turned: bool
    ) -> None:
        if (
            any(judge.lines.reading.far)
            or (judge.feet is not None and judge.feet.exact)
            or max(*sides, *hexes, 0) > MOST_CODES
        ):
            raise TooMany
        sight = judge.sight
        turns = (False, True) if sight.beside_names else (False,)
        heights = range(judge.feet.count if judge.feet is not None else 1)
        side_kinds = [Kind(0, *manner, turn, 0, 0) for manner, turn in product(_SIDE_MANNERS, turns)]
        hex_kinds = [Kind(HEXES, *manner, False, height, 0) for manner, height in product(_HEX_MANNERS, heights)]
        if (len(side_kinds) * len(sides) + len(hex_kinds) * len(hexes)) * len(ends) ** 2 > MOST_VERDICTS:
            raise TooMany
        doing = [record for record in sight.sides.records if record.effect != "shield"]
        rows = [(record, self._row(judge, record, side_kinds, sides, turned)) for record in doing]
        rows += [(record, self._row(judge, record, hex_kinds, hexes, turned)) for record in sight.hexes.records]
        known: dict[Level, int] = {}
        self.of: dict[tuple[int, int], int] = {}
        for pair in product(sorted(ends), sorted(ends)):
            blocks: set[tuple[Kind, frozenset[int]]] = set()
            worse: list[tuple[Worth, Where]] = []
            for number, (record, row) in enumerate(rows):
                for worth, where in sorted(row(*pair).items()):
                    if record.effect == "block":
                        blocks |= where
                    elif worth:
                        worse.append(((number, worth), where))
            start, end = pair[::-1] if turned else pair
            most = judge.most(start, end, 0) if worse else Fraction(0)
            self.of[pair] = known.setdefault(Level(frozenset(blocks), tuple(worse), most), len(known))
        self.levels = list(known)
        self.worths = sorted({worth for level in self.levels for worth, _ in level.worse})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Levels) and (self.of, self.levels) == (other.of, other.levels)

    __hash__ = None  # type: ignore[assignment]

    def _row(
        self, judge: Judge, record: Ready, kinds: list[Kind], codes: frozenset[int], turned: bool
    ) -> Callable[[int, int], dict[Fraction, Where]]:
        """For two kinds of ends: what a record is worth for which kinds of meeting and codes."""
        known: dict[Any, dict[Fraction, Where]] = {}

        def row(first: int, last: int) -> dict[Fraction, Where]:
            key = judge.ends_like(record, first, last, turned)
            if key not in known:
                found: dict[Fraction, set[tuple[Kind, frozenset[int]]]] = {}
                for kind in kinds:
                    for worth, held in judge.codes_of(record, kind, codes, first, last, turned).items():
                        found.setdefault(worth, set()).add((kind, held))
                known[key] = {worth: frozenset(where) for worth, where in found.items()}
            return known[key]

        return row


class Planes(dict[int, int]):
    """Planes by the number of their kind, with a stretch for each level; those of several in a row have numbers below zero."""

    def __init__(self, lines: Lines, codes: Codes, size: int, where: Sequence[Where]) -> None:
        """`size`: how many bits a level has; `where`: for each level, what the planes are of."""
        super().__init__()
        self.lines, self.size = lines, size
        self.bytes = [bytes(reversed(plane)) for plane in codes.planes]
        self.where: list[dict[Kind, set[int]]] = []
        for level in where:
            held: dict[Kind, set[int]] = {}
            for kind, some in level:
                held.setdefault(kind, set()).update(some)
            self.where.append(held)

    def __missing__(self, plane: int) -> int:
        if plane < 0:
            (one, here), (other, there) = self.lines.stretches[-plane - 1]
            made = self[one] >> here | self[other] >> there
        else:
            made = self._laid(self.lines.kinds[plane])
        self[plane] = made
        return made

    def _laid(self, kind: Kind) -> int:
        codes, made = self.bytes[kind.plane], 0
        if kind.plane != HEXES and self.lines.is_joined(kind):
            hexes, step = self._laid(THROUGH_BOTH), self.lines.steps[kind.plane]
            made = hexes | (hexes >> step if step > 0 else hexes << -step)
        alike = kind if kind.plane == HEXES else kind._replace(plane=0)
        for number, where in enumerate(self.where):
            blocking = where.get(alike)
            if blocking:
                digits = bytes([49 if code in blocking else 48 for code in range(256)])
                made |= int(codes.translate(digits), 2) << number * self.size
        return made


Rectangle = tuple[int, int | None]
"""First hexes of lines and last ones; None for all."""


class Masks(dict[int, int]):
    """The places that see the place so far away, by the key of the difference; each is worked out when it is asked for."""

    def __init__(self, codes: Codes, judge: Judge, turned: bool) -> None:
        """`turned`: those that are seen from the place so far away."""
        super().__init__()
        self.codes, self.judge, self.turned = codes, judge, turned
        self.lines, self.row = judge.lines, judge.sight.row
        sides, hexes = frozenset().union(*codes.planes[:3]) - {0}, frozenset(codes.planes[HEXES]) - {0}
        key = sides, hexes, frozenset(codes.ends), turned
        if key not in judge.levels:
            judge.levels[key] = Levels(judge, *key)
        laid: Levels = judge.levels[key]
        self.levels: Levels | None = laid
        levels = laid.levels
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
            for number, worth in laid.worths
        ]
        self.scale = lcm(*(worth.denominator for worth, _ in self.worse), *(level.most.denominator for level in levels))
        self.choices = [
            (
                number * self.size,
                list(self._rectangles(codes.ends, (pair for pair, of in laid.of.items() if of == number))),
            )
            for number in range(1, len(levels))
        ]
        self.mosts = [int(level.most * self.scale) for level in levels]
        self.whole = False
        self._cut: dict[int, list[Rectangle]] = {}
        self._any_distance = not judge.sight.rules.limit and "distance" not in judge.sight.ends.names

    def fill(self) -> None:
        """Work out every pair."""
        if not self.whole:
            for key in self.row.half:
                self[key]
            self.whole = True

    def __missing__(self, key: int) -> int:
        last, distance, alone, together = self.lines.laid(key)
        planes, found = self.planes, 0
        for plane, number in alone:
            found |= planes[plane] >> number
        for group in together:
            both = -1
            for plane, number in group:
                both &= planes[plane] >> number
            found |= both
        if self.worse:
            found |= self._hidden(key)
        blocked = found & self.full
        for above, rectangles in self.choices:
            blocked ^= (blocked ^ found >> above) & _in(rectangles, last)
        if self.codes.far:
            cut = self._by_ends(0 if self._any_distance else distance)
            blocked |= _in(cut, last) if cut else 0
        mask = self[key] = self.row.starts(key) & ~blocked
        return mask

    def _hidden(self, key: int) -> int:
        """Where so much makes a line worse that it is blocked: counted in binary digits, each of them a plane."""
        digits: list[int] = []
        margin = self.row.margin
        for kind, _, number, _ in self.lines[key].terms:
            for worth, planes in self.worse:
                plane, weight, place = planes[kind // SHIFT] >> number + margin, int(worth * self.scale), 0
                while plane and weight:
                    if weight & 1:
                        _count(digits, plane, place)
                    weight, place = weight >> 1, place + 1
        found = 0
        for number, most in enumerate(self.mosts):
            over, same = 0, -1
            for place in reversed(range(max(len(digits), most.bit_length()))):
                digit = digits[place] if place < len(digits) else 0
                if most >> place & 1:
                    same &= digit
                else:
                    over |= same & digit
                    same &= ~digit
            found |= over & self.full << number * self.size
        return found

    def _by_ends(self, far: int) -> list[Rectangle]:
        """Lines of a length that their ends alone block."""
        if far not in self._cut:
            judge, codes = self.judge, sorted(set(self.codes.far))
            blocked = []
            for first, last in product(codes, codes):
                start, end = (last, first) if self.turned else (first, last)
                if judge.ends(start, end, far) or (
                    judge.sight.rules.limit and judge.limit(start, end, far)[1] is not None
                ):
                    blocked.append((first, last))
            self._cut[far] = list(self._rectangles(self.codes.far, blocked))
        return self._cut[far]

    def _rectangles(self, codes: list[int], pairs: Iterable[tuple[int, int]]) -> Iterator[Rectangle]:
        """Pairs of kinds of ends as planes: the first hexes and the last ones."""
        lasts: dict[int, set[int]] = {}
        for first, last in pairs:
            lasts.setdefault(first, set()).add(last)
        alike: dict[frozenset[int], set[int]] = {}
        for first, held in lasts.items():
            alike.setdefault(frozenset(held), set()).add(first)
        every = frozenset(codes)
        for those, firsts in alike.items():
            yield self._plane(codes, firsts), None if those == every else self._plane(codes, those)

    def _plane(self, codes: list[int], wanted: Iterable[int]) -> int:
        some = set(wanted)
        return self.row.plane(n for n, code in enumerate(codes) if code in some)


def _in(rectangles: list[Rectangle], last: int) -> int:
    """The first hexes of the lines that have their ends in one of some rectangles."""
    found = 0
    for firsts, lasts in rectangles:
        found |= firsts if lasts is None else firsts & lasts >> last
    return found


def _count(digits: list[int], plane: int, place: int) -> None:
    """Add one where a plane has a bit."""
    while plane:
        while len(digits) <= place:
            digits.append(0)
        digits[place], plane = digits[place] ^ plane, digits[place] & plane
        place += 1
