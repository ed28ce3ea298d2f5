"""What a line of sight touches, found once for each difference of two hexes.

Hexes are numbered in one row, column after column: the number of (q, r) is q * stride + r and some constant, so that
the same step always changes it by the same amount. A hexside is one of three planes (directions 0, 1 and 2)
and the number of the hex it leaves; here all numbers count from the first hex of the line.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from assistant.games.arab_israeli_wars.ground import Ground
from scenarios.hexes import DIRECTIONS

CROSSED, ALONG, END = "crossed", "along", "end"
FIRST, LAST = 1, 2


class Readings(NamedTuple):
    """How the open places of VII.C are read; each is a ruling of the pack."""

    between: bool
    """sight_between: woods or a town exactly between two hexes at distance 2 block."""
    smoke_between: bool
    """smoke_between: so does smoke."""
    along: bool
    """sight_along: a line along a hexside is blocked by woods on one side only."""
    corner: bool
    """sight_corner: one blocking hexside of a corner's three is enough."""
    touch: bool
    """sight_touch: woods that are touched at a single corner block."""
    moraine_end: bool
    """sight_moraine_end: an own moraine blocks when it is touched at its end."""
    hull_end: bool
    """hull_down_end: a touch at a hexside's end is enough for hull down."""


def readings(ground: Ground) -> Readings:
    """The readings that hold on this ground."""
    return Readings(
        between=ground.reading("sight_between") == "blocked",
        smoke_between=ground.reading("smoke_between") == "blocked",
        along=ground.reading("sight_along") == "blocked",
        corner=ground.reading("sight_corner") == "blocked",
        touch=ground.reading("sight_touch") == "blocked",
        moraine_end=ground.reading("sight_moraine_end") == "blocked",
        hull_end=ground.reading("hull_down_end") == "shielded",
    )


class Touch(NamedTuple):
    """A hexside that a line touches: how, where, whether it is the first or the last hex's own, at which corner."""

    how: str
    plane: int
    number: int
    own: int
    corner: tuple[int, ...]


class Touched(NamedTuple):
    """All that one line touches, in order."""

    sides: tuple[Touch, ...]
    inside: tuple[int, ...]
    """The hexes whose inside it passes through, both ends included."""
    last: int
    own: tuple[Touch, ...]
    """Those of the hexsides that belong to the first or the last hex."""
    runs_along: bool
    """Whether it runs along hexsides: then every corner it touches is the end of one of them."""


@lru_cache(maxsize=1 << 15)
def touched(stride: int, dq: int, dr: int) -> Touched:
    """March from hex (0, 0) to hex (dq, dr), leaving each hex by a side or by a corner (VII.B.2, VII.C.4)."""
    steps = [q * stride + r for q, r in DIRECTIONS]
    last = dq * stride + dr
    d, m, n = _sextant(dq, dr)
    u, v = steps[d], steps[(d + 1) % 6]
    # How each way out changes `here` and `lead`: right of direction d, along it, along d + 1, both at once, left of that.
    moves = {-1: (u - v, 3 * (m + n)), 0: (u, 3 * n), 1: (v, -3 * m), 2: (u + v, 0), 3: (v - u, -3 * (m + n))}
    found: list[Touch] = []

    def side(how: str, here: int, way: int, corner: tuple[int, ...] = ()) -> None:
        way %= 6
        if way > 2:
            here += steps[way]
            way -= 3
        ends = here, here + steps[way]
        own = (FIRST if 0 in ends else 0) | (LAST if last in ends else 0)
        found.append(Touch(how, way, here, own, corner))

    def end(here: int, way: int) -> tuple[int, ...]:
        """The corner between the neighbours `way` and `way + 1`: the two hexsides that lead to it."""
        corner = here, here + steps[way % 6], here + steps[(way + 1) % 6]
        side(END, here, way, corner)
        side(END, here, way + 1, corner)
        return corner

    # The line goes between directions d and d + 1. `lead` is three times how far a hex's centre lies right of it;
    # where it equals one of three limits, the line leaves the hex by a corner.
    right, middle, left = -(m + 2 * n), m - n, 2 * m + n
    here, lead = 0, 0
    inside = [here]
    while here != last:
        if lead == middle:
            corner = end(here, d)
            side(ALONG if m == n else END, here + u, d + 2, corner)
            if m == n:
                end(here + u + v, d + 3)
            step = 2 if m == n else 0 if m > n else 1
        elif lead == right:
            side(END, here + steps[(d - 1) % 6], d + 1, end(here, d - 1))
            step = 0
        elif lead == left:
            side(END, here + steps[(d + 2) % 6], d, end(here, d + 1))
            step = 1
        else:
            step = -1 if lead < right else 0 if lead < middle else 1 if lead < left else 3
            side(CROSSED, here, d + step - (step == 3))
        across, change = moves[step]
        here, lead = here + across, lead + change
        inside.append(here)
    own = tuple(touch for touch in found if touch.own)
    return Touched(tuple(found), tuple(inside), last, own, m == n)


def _sextant(dq: int, dr: int) -> tuple[int, int, int]:
    """A direction d and how many steps lead that way and in direction d + 1."""
    for d in range(6):
        (uq, ur), (vq, vr) = DIRECTIONS[d], DIRECTIONS[(d + 1) % 6]
        m, n = dq * vr - dr * vq, uq * dr - ur * dq
        if m > 0 and n >= 0:
            return d, m, n
    raise ValueError("a line needs two different hexes")
