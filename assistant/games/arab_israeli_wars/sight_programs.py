"""What blocks all lines of one difference, as planes of bits to be laid over each other."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from assistant.games.arab_israeli_wars.sight_lines import ALONG, CROSSED, FIRST, LAST, Readings, touched
from scenarios.hexes import DIRECTIONS

WHOLE, BAR, HEX, SMOKE = 0, 3, 6, 7
"""Where the planes begin: hexsides with all that blocks on them, their bars alone, hexes that hide, smoke."""
PLANES = 8
_LONGEST = 8

Term = tuple[int, int]
"""A plane, and how far it is moved for what the line touches to come to lie on its first hex."""


def margin(stride: int) -> int:
    """How much lower than their numbers hexes stand in answers, so that no plane is ever moved to the left."""
    return stride + 2


class Program(NamedTuple):
    """What blocks the lines of one difference."""

    last: int
    """The number of the last hex."""
    one: tuple[Term, ...]
    """Any of these blocks."""
    two: tuple[tuple[tuple[Term, ...], tuple[Term, ...]], ...]
    """Any of the first together with any of the second blocks."""
    first: tuple[Term, ...]
    """Moraines that are the first hex's own,"""
    final: tuple[Term, ...]
    """and the last hex's own."""
    adjacent: bool
    """Those of the first hex are the last one's too."""
    near: int
    """The bits of all hexes that have a touched side."""
    blind: tuple[int, ...]
    """The hexes in which smoke blocks by itself."""


class Programs:
    """Programs by difference, for one stride and one set of readings.

    Long lines have stretches in common: eight terms in a row are made one plane, itself of two halves. Planes from
    PLANES on are such stretches.
    """

    def __init__(self, stride: int, how: Readings) -> None:
        self.stride, self.how = stride, how
        self.stretches: list[tuple[Term, Term]] = []
        self._known: dict[tuple[Term, Term], int] = {}
        self._programs: dict[tuple[int, int], Program] = {}

    def program(self, dq: int, dr: int) -> Program:
        """The program of a difference: VII.C.1 to C.4, Standard VI.B.3, Optional II.B.1."""
        if (dq, dr) not in self._programs:
            self._programs[dq, dr] = self._made(dq, dr)
        return self._programs[dq, dr]

    def _made(self, dq: int, dr: int) -> Program:
        how, line = self.how, touched(self.stride, dq, dr)
        steps = [q * self.stride + r for q, r in DIRECTIONS[:3]]
        edge = margin(self.stride)
        one: list[Term] = []
        two: list[tuple[tuple[Term, ...], tuple[Term, ...]]] = []
        own: dict[int, list[Term]] = {FIRST: [], LAST: []}
        corners: dict[tuple[int, ...], list[tuple[Term, ...]]] = {}
        # The hexes that the line doesn't enter lie beside it all the way, or each is touched at a single corner.
        beside = how.along if line.runs_along else how.touch
        blind: set[int] = set()
        for how_touched, plane, at, belongs, corner in line.sides:
            number = at + edge
            if belongs:
                if how_touched == CROSSED or how.moraine_end:
                    own[belongs & FIRST or LAST].append((plane, number))
            elif how_touched == CROSSED or (how_touched == ALONG and how.along):
                one.append((WHOLE + plane, number))
                blind |= {at, at + steps[plane]}
            elif how_touched == ALONG:
                one.append((BAR + plane, number))
                two.append((((HEX, number),), ((HEX, number + steps[plane]),)))
            else:
                hiding = [n for n in (at, at + steps[plane]) if beside or n in line.inside]
                blind.update(hiding)
                terms = [(BAR + plane, number), *((HEX, n + edge) for n in hiding)]
                corners.setdefault(corner, []).append(
                    ((WHOLE + plane, number),) if len(hiding) == 2 else tuple(terms)
                )
        for meeting in corners.values():
            if how.corner:
                one += [term for terms in meeting for term in terms]
            else:
                two += [(x, y) for i, x in enumerate(meeting) for y in meeting[:i]]
        if len(line.inside) == 3 and all(touch.own for touch in line.sides):
            one += [(HEX, line.inside[1] + edge)] if how.between else []
            one += [(SMOKE, line.inside[1] + edge)] if how.smoke_between else []
            blind |= {line.inside[1]} if how.between or how.smoke_between else set()
        adjacent = line.sides[0].own == FIRST | LAST
        near = 0
        for touch in line.sides:
            near |= 1 << touch.number + edge | 1 << touch.number + steps[touch.plane] + edge
        return Program(
            line.last, self._shorter(one), tuple(two), tuple(own[FIRST]), tuple(own[LAST]), adjacent, near, tuple(blind)
        )  # fmt: skip

    def _shorter(self, terms: list[Term]) -> tuple[Term, ...]:
        """The terms with stretches of eight, four and two made one each."""
        found: list[Term] = []
        start = 0
        while start < len(terms):
            length = min(_LONGEST, 1 << (len(terms) - start).bit_length() - 1)
            found.append(self._stretch(terms[start : start + length]))
            start += length
        return tuple(found)

    def _stretch(self, terms: list[Term]) -> Term:
        if len(terms) == 1:
            return terms[0]
        half = len(terms) // 2
        (one, here), (other, there) = self._stretch(terms[:half]), self._stretch(terms[half:])
        start = min(here, there)
        made = (one, here - start), (other, there - start)
        plane = self._known.get(made)
        if plane is None:
            plane = self._known[made] = PLANES + len(self.stretches)
            self.stretches.append(made)
        return plane, start


@lru_cache(maxsize=16)
def programs(stride: int, how: Readings) -> Programs:
    """The programs for maps of one height."""
    return Programs(stride, how)
