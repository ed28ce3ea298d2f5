"""What a straight line from the centre of one hex to the centre of another passes, exactly."""

from functools import lru_cache
from typing import NamedTuple

from scenarios.model.hexes import CORNER_OFFSETS, Corner, Hex, Hexside, centre, hexside, neighbour


class Line(NamedTuple):
    """What a line passes, each kind in order from its first hex to its last."""

    hexes: tuple[Hex, ...]
    """Hexes whose inside it passes through, both ends included."""
    crossed_sides: tuple[Hexside, ...]
    """Hexsides it crosses between their corners."""
    followed_sides: tuple[Hexside, ...]
    """Hexsides it runs along."""
    corners: tuple[Corner, ...]
    """Corners it touches, the ends of the hexsides it runs along included."""


def line(a: Hex, b: Hex) -> Line:
    """The line from the centre of a to the centre of b."""
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
    """March from hex (0, 0) to hex (dq, dr), leaving each hex by a side or by a corner."""
    current, goal = Hex(0, 0), Hex(dq, dr)
    hexes, crossed_sides, sides_along, corners = [current], list[Hexside](), list[Hexside](), list[Corner]()
    while current != goal:
        x, y = centre(current)
        # Below zero left of the line, above zero right of it. Corners go clockwise, so the way out is
        # where they change from left to right.
        turns = [dq * (y + v) - dr * (x + u) for u, v in CORNER_OFFSETS]
        d = next(d for d in range(6) if turns[d - 1] < 0 <= turns[d])
        if turns[d] > 0:
            next_hex = neighbour(current, d - 1)
            crossed_sides.append(hexside(current, next_hex))
        else:
            u, v = CORNER_OFFSETS[d]
            corners.append(Corner(x + u, y + v))
            # A third hexside leads straight on from the corner; the line passes it left, right or along it.
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
