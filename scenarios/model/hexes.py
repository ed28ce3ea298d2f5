"""Hexes in axial coordinates, their hexsides and their corners, in integers.

q grows to the right and r grows down. The six directions are numbered clockwise: on a flat-top grid from
straight up, on a pointy-top grid from the upper left.
"""

from typing import Literal, NamedTuple

Orientation = Literal["flat", "pointy"]


class Hex(NamedTuple):
    """A hex, or an offset from one hex to another."""

    q: int
    r: int

    def plus(self, vector: "Hex") -> "Hex":
        return Hex(self[0] + vector[0], self[1] + vector[1])

    def minus(self, vector: "Hex") -> "Hex":
        return Hex(self[0] - vector[0], self[1] - vector[1])

    def times(self, n: int) -> "Hex":
        return Hex(self.q * n, self.r * n)


class Hexside(NamedTuple):
    """The side that two neighbors share, a < b. Created by `hexside`."""

    a: Hex
    b: Hex


class Corner(NamedTuple):
    """A point where three hexes meet: the sum of their coordinates. It equals the corner's own position times three."""

    x: int
    y: int


DIRECTIONS = (Hex(0, -1), Hex(1, -1), Hex(1, 0), Hex(0, 1), Hex(-1, 1), Hex(-1, 0))

DIRECTION_NAMES: dict[Orientation, tuple[str, ...]] = {
    "flat": ("n", "ne", "se", "s", "sw", "nw"),
    "pointy": ("nw", "ne", "e", "se", "sw", "w"),
}

# Offsets from a center, in thirds. Corner d lies between the neighbors d - 1 and d.
CORNER_OFFSETS = ((-1, -1), (1, -2), (2, -1), (1, 1), (-1, 2), (-2, 1))


def direction_name(orientation: Orientation, d: int) -> str:
    """The compass name of direction d, modulo six."""
    return DIRECTION_NAMES[orientation][d % 6]


def direction_number(orientation: Orientation, name: str) -> int:
    """The number of the direction with this compass name. Upper and lower case are equal."""
    names = DIRECTION_NAMES[orientation]
    if name.lower() not in names:
        name_list = f"{', '.join(names[:-1])} and {names[-1]}"
        raise ValueError(f"there is no direction {name!r}; {orientation}-top hexes have {name_list}")
    return names.index(name.lower())


def neighbour(hex: Hex, d: int) -> Hex:
    """The adjacent hex in direction d, modulo six."""
    return hex.plus(DIRECTIONS[d % 6])


def neighbours(hex: Hex) -> tuple[Hex, ...]:
    """The six adjacent hexes, by direction."""
    q, r = hex
    return tuple([Hex(q + dq, r + dr) for dq, dr in DIRECTIONS])


def direction(a: Hex, b: Hex) -> int:
    """The direction from a to its neighbor b."""
    step = b.minus(a)
    if step not in DIRECTIONS:
        raise ValueError(f"hexes {tuple(a)} and {tuple(b)} are not neighbours")
    return DIRECTIONS.index(step)


def distance(a: Hex, b: Hex) -> int:
    """The distance from a to b in hexes."""
    q, r = b[0] - a[0], b[1] - a[1]
    return max(abs(q), abs(r), abs(q + r))


def ring(hex: Hex, radius: int) -> tuple[Hex, ...]:
    """The hexes at this distance, clockwise from the one in direction 0."""
    if radius < 0:
        raise ValueError(f"a ring has no radius {radius}; the least is 0")
    if radius == 0:
        return (hex,)
    ring_hexes = []
    corner_hex = hex.plus(DIRECTIONS[0].times(radius))
    for d in range(6):
        for _ in range(radius):
            ring_hexes.append(corner_hex)
            corner_hex = neighbour(corner_hex, d + 2)
    return tuple(ring_hexes)


def disk(hex: Hex, radius: int) -> tuple[Hex, ...]:
    """The hexes up to this distance, ring by ring from the center."""
    if radius < 0:
        raise ValueError(f"a disk has no radius {radius}; the least is 0")
    return tuple(ring_hex for k in range(radius + 1) for ring_hex in ring(hex, k))


def hexside(a: Hex, b: Hex) -> Hexside:
    """The side that the neighbors a and b share."""
    direction(a, b)
    return Hexside(a, b) if a < b else Hexside(b, a)


def sides(hex: Hex) -> tuple[Hexside, ...]:
    """The six sides of a hex, by direction."""
    return tuple(hexside(hex, neighbour_hex) for neighbour_hex in neighbours(hex))


def centre(hex: Hex) -> tuple[int, int]:
    """The center of a hex, in the thirds that corners use."""
    return 3 * hex.q, 3 * hex.r


def corners(hex: Hex) -> tuple[Corner, ...]:
    """The six corners of a hex, clockwise. Side d runs from corner d to corner d + 1."""
    x, y = centre(hex)
    return tuple(Corner(x + u, y + v) for u, v in CORNER_OFFSETS)


def ends(side: Hexside) -> tuple[Corner, Corner]:
    """The two corners of a hexside, clockwise around its hex a."""
    d = direction(side.a, side.b)
    hex_corners = corners(side.a)
    return hex_corners[d], hex_corners[(d + 1) % 6]


def hexes_at(corner: Corner) -> tuple[Hex, Hex, Hex]:
    """The three hexes that meet at a corner, sorted."""
    x, y = corner
    if x % 3 == 0 or (x - y) % 3:
        raise ValueError(f"{tuple(corner)} is not a corner of any hex")
    meeting = sorted(Hex((x - u) // 3, (y - v) // 3) for u, v in CORNER_OFFSETS if (x - u) % 3 == 0)
    return meeting[0], meeting[1], meeting[2]
