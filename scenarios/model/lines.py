"""The hexes, hexsides and corners on a straight line between the centers of two hexes, computed exactly."""

from functools import lru_cache
from typing import NamedTuple

from scenarios.model.hexes import CORNER_OFFSETS, Corner, Hex, Hexside, centre, hexside, neighbour


class Line(NamedTuple):
    """The hexes, hexsides and corners on a line, each kind in order from the first hex to the last."""

    hexes: tuple[Hex, ...]
    """Hexes whose interior the line enters, both ends included."""
    crossed_sides: tuple[Hexside, ...]
    """Hexsides that the line crosses between their corners."""
    followed_sides: tuple[Hexside, ...]
    """Hexsides that the line runs along."""
    corners: tuple[Corner, ...]
    """Corners that the line touches, with the ends of the hexsides that it runs along."""


def line(a: Hex, b: Hex) -> Line:
    """The line from the center of a to the center of b."""
    q, r = a
    x, y = centre(a)
    base = _from_origin(b.q - q, b.r - r)
    return Line(
        tuple([Hex(q + s, r + t) for s, t in base.hexes]),
        tuple([_shift_side(side, q, r) for side in base.crossed_sides]),
        tuple([_shift_side(side, q, r) for side in base.followed_sides]),
        tuple([Corner(x + s, y + t) for s, t in base.corners]),
    )


def _shift_side(side: Hexside, q: int, r: int) -> Hexside:
    (aq, ar), (bq, br) = side
    return Hexside(Hex(aq + q, ar + r), Hex(bq + q, br + r))


@lru_cache(maxsize=1 << 16)
def _from_origin(dq: int, dr: int) -> Line:
    """Follow the line from hex (0, 0) to hex (dq, dr). It leaves each hex through a side or a corner."""
    current, goal = Hex(0, 0), Hex(dq, dr)
    hexes, crossed_sides, sides_along, corners = [current], list[Hexside](), list[Hexside](), list[Corner]()
    while current != goal:
        x, y = centre(current)
        # Negative values lie left of the line, positive ones right. Corners go clockwise, so the line leaves
        # where the sign changes from left to right.
        turns = [dq * (y + v) - dr * (x + u) for u, v in CORNER_OFFSETS]
        d = next(d for d in range(6) if turns[d - 1] < 0 <= turns[d])
        if turns[d] > 0:
            next_hex = neighbour(current, d - 1)
            crossed_sides.append(hexside(current, next_hex))
        else:
            u, v = CORNER_OFFSETS[d]
            corners.append(Corner(x + u, y + v))
            # A third hexside leads straight on from the corner. The line passes left or right of it, or runs along it.
            onward = dq * v - dr * u
            if onward == 0:
                sides_along.append(hexside(neighbour(current, d - 1), neighbour(current, d)))
                corners.append(Corner(x + 2 * u, y + 2 * v))
                next_hex = current.plus(Hex(u, v))
            else:
                next_hex = neighbour(current, d - 1 if onward > 0 else d)
        hexes.append(next_hex)
        current = next_hex
    return Line(tuple(hexes), tuple(crossed_sides), tuple(sides_along), tuple(corners))
