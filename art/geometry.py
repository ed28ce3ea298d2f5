"""The geometry of hexes on paper: positions in millimeters, outlines, smooth lines."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from scenarios.model.hexes import Corner, Hex, Hexside, Orientation, corners, ends, neighbour

Point = tuple[float, float]
ROOT3 = math.sqrt(3)
_ZEROS = [(".00", ""), *((f".{digit}0", f".{digit}") for digit in range(1, 10))]
"""The endings of a number with two decimals that can be shortened."""


def short(value: float) -> str:
    """A number with two decimals, as short as possible. Maps have hundreds of thousands of numbers."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


@dataclass(frozen=True)
class Paper:
    """The placement of hexes on paper: their orientation, the length of a side, and the position of hex (0, 0)."""

    orientation: Orientation
    side: float
    x: float = 0
    y: float = 0

    def point_at(self, thirds_x: float, thirds_y: float) -> Point:
        """The point for coordinates in thirds of axial coordinates."""
        q, r = thirds_x / 3, thirds_y / 3
        if self.orientation == "flat":
            return self.x + 1.5 * self.side * q, self.y + ROOT3 * self.side * (r + q / 2)
        return self.x + ROOT3 * self.side * (q + r / 2), self.y + 1.5 * self.side * r

    def centre(self, hex: Hex) -> Point:
        """The center of a hex."""
        return self.point_at(3 * hex.q, 3 * hex.r)

    def corner(self, corner: Corner) -> Point:
        """The point of a corner of a hex."""
        return self.point_at(corner.x, corner.y)

    def hex_at(self, x: float, y: float) -> Hex:
        """The hex that contains a point of the paper."""
        a, b = (x - self.x) / self.side, (y - self.y) / self.side
        if self.orientation == "flat":
            q, r = a * 2 / 3, b / ROOT3 - a / 3
        else:
            q, r = a / ROOT3 - b / 3, b * 2 / 3
        cube = [round(q), round(r), round(-q - r)]
        errors = [abs(cube[0] - q), abs(cube[1] - r), abs(cube[2] + q + r)]
        if errors[0] > errors[1] and errors[0] > errors[2]:
            cube[0] = -cube[1] - cube[2]
        elif errors[1] > errors[2]:
            cube[1] = -cube[0] - cube[2]
        return Hex(cube[0], cube[1])

    def outline(self, hex: Hex) -> list[Point]:
        """The six corners of a hex."""
        return [self.corner(corner) for corner in corners(hex)]


def path_of(points: Iterable[Point], is_closed: bool = False) -> str:
    """An SVG path of straight lines through points."""
    text = "M" + "L".join([f"{x:.2f} {y:.2f}" for x, y in points])
    # The same result as `short`, for all numbers at once.
    for zeros, short_zeros in _ZEROS:
        text = text.replace(zeros, short_zeros)
    return text + "Z" if is_closed else text


def loops(hexes: frozenset[Hex]) -> list[list[Corner]]:
    """The outlines of a set of hexes: closed loops of corners. Outer loops are clockwise."""
    following: dict[Corner, list[Corner]] = {}
    for hex in sorted(hexes):
        hex_corners = corners(hex)
        for d in range(6):
            if neighbour(hex, d) not in hexes:
                following.setdefault(hex_corners[d], []).append(hex_corners[(d + 1) % 6])
    result = []
    for start in sorted(following):
        while start in following:
            loop, corner = [start], start
            while True:
                onward = following[corner]
                next_corner = onward.pop()
                if not onward:
                    del following[corner]
                if next_corner == start:
                    break
                loop.append(next_corner)
                corner = next_corner
            result.append(loop)
    return result


def chains(sides: Iterable[Hexside]) -> list[list[Corner]]:
    """Join hexsides into lines of corners. A line continues until it reaches a fork."""
    links: dict[Corner, set[Corner]] = {}
    for side in sides:
        a, b = ends(side)
        links.setdefault(a, set()).add(b)
        links.setdefault(b, set()).add(a)
    result: list[list[Corner]] = []

    def walk(start: Corner, second_corner: Corner) -> list[Corner]:
        chain = [start, second_corner]
        links[start].discard(second_corner)
        links[second_corner].discard(start)
        while len(links[chain[-1]]) == 1 and chain[-1] not in forks:
            (onward,) = links[chain[-1]]
            links[chain[-1]].discard(onward)
            links[onward].discard(chain[-1])
            chain.append(onward)
        return chain

    forks = {corner for corner, corner_links in links.items() if len(corner_links) > 2}
    tips = sorted(corner for corner, corner_links in links.items() if len(corner_links) == 1)
    for start in [*tips, *sorted(forks), *sorted(links)]:
        while links[start]:
            result.append(walk(start, min(links[start])))
    return result


def cut_corners(points: Sequence[Point], is_closed: bool, times: int = 2) -> list[Point]:
    """A line with its corners cut several times (Chaikin's algorithm)."""
    line = list(points)
    for _ in range(times):
        cut: list[Point] = [] if is_closed else [line[0]]
        pairs = zip(line, [*line[1:], line[0]] if is_closed else line[1:], strict=False)
        for (ax, ay), (bx, by) in pairs:
            cut += [(0.75 * ax + 0.25 * bx, 0.75 * ay + 0.25 * by), (0.25 * ax + 0.75 * bx, 0.25 * ay + 0.75 * by)]
        line = cut if is_closed else [*cut, line[-1]]
    return line


def flowing(points: Sequence[Point], steps: int = 8) -> list[Point]:
    """A curve through all points (Catmull-Rom), for rivers with few known points."""
    line = [points[0], *points, points[-1]]
    curve = []
    for (ax, ay), (bx, by), (cx, cy), (dx, dy) in zip(line, line[1:], line[2:], line[3:], strict=False):
        for i in range(steps):
            t = i / steps
            f = (-t + 2 * t**2 - t**3, 2 - 5 * t**2 + 3 * t**3, t + 4 * t**2 - 3 * t**3, -(t**2) + t**3)
            curve.append(
                (
                    (f[0] * ax + f[1] * bx + f[2] * cx + f[3] * dx) / 2,
                    (f[0] * ay + f[1] * by + f[2] * cy + f[3] * dy) / 2,
                )
            )
    return [*curve, points[-1]]


def space_points(points: Sequence[Point], max_gap: float) -> list[Point]:
    """Points along a line with no gap larger than `max_gap`."""
    result = list(points[:1])
    for a, b in pairwise(points):
        count = max(1, math.ceil(math.dist(a, b) / max_gap))
        result += [(a[0] + (b[0] - a[0]) * i / count, a[1] + (b[1] - a[1]) * i / count) for i in range(1, count + 1)]
    return result


def holds(shape: Sequence[Point], point: Point) -> bool:
    """Whether a closed shape contains a point."""
    x, y = point
    inside = False
    for (ax, ay), (bx, by) in zip(shape, [*shape[1:], shape[0]], strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            inside = not inside
    return inside


def wandering(points: Sequence[Point], reach: float) -> list[Point]:
    """Move points a little, each always in the same way. A row of hexsides then looks less straight."""
    result = []
    for x, y in points:
        turn = math.sin(x * 12.9898 + y * 78.233) * 43758.5453
        result.append((x + reach * math.cos(turn), y + reach * math.sin(turn)))
    return result


WAVES = (
    (0.1, 0.62, 0.85, 2.2, 0.3),
    (0.075, 1.7, 2.3, 0.4, 2.9),
    (0.045, 4.3, -3.1, 1.9, 0.7),
    (0.028, 7.4, 8.3, 5.1, 3.6),
)
"""How terrain outlines deviate from hexsides, in hexsides: the distance, the frequencies along x and y, and the phase of the waves."""


def roughen_outline(points: Sequence[Point], side: float) -> list[Point]:
    """Roughen a closed outline with bays and spurs of several sizes. Outlines that share a point get the same deviation there."""
    outline = []
    for x, y in space_points([*points, points[0]], side * 0.2)[:-1]:
        a, b = x / side, y / side
        dx = sum(
            amplitude * math.sin(x_frequency * a + y_frequency * b + start)
            for amplitude, x_frequency, y_frequency, start, _ in WAVES
        )
        dy = sum(
            amplitude * math.sin(y_frequency * a - x_frequency * b + start)
            for amplitude, x_frequency, y_frequency, _, start in WAVES
        )
        outline.append((x + side * dx, y + side * dy))
    return outline


def middles(points: Sequence[Point], is_closed: bool) -> list[Point]:
    """The midpoints of a line's pieces. They smooth the zigzag of a row of hexsides."""
    pairs = zip(points, [*points[1:], points[0]] if is_closed else points[1:], strict=False)
    inner = [((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in pairs]
    return inner if is_closed else [points[0], *inner, points[-1]]


SWAY = 0.16
"""The maximum sway of a road at a hexside, in radians."""


def _bends(centres: Sequence[Point]) -> list[tuple[Point, Point, Point, Point]]:
    """A road through adjacent hexes. Each inner hex gives its entry point, two control points and its exit point.

    The road crosses each hexside at its middle. Its direction there follows the crossings before and after, so a zigzag
    of hexes gives a straight road. A small sway, constant for each place, makes the road look natural.
    """
    mids = [((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in pairwise(centres)]
    ways = []
    for i, (x, y) in enumerate(mids):
        (ax, ay), (bx, by) = mids[max(0, i - 1)], mids[min(len(mids) - 1, i + 1)]
        turn = SWAY * math.sin(math.sin(x * 12.9898 + y * 78.233) * 43758.5453)
        angle = math.atan2(by - ay, bx - ax) + turn
        ways.append((math.cos(angle), math.sin(angle)))
    result = []
    for ((ax, ay), (ux, uy)), ((bx, by), (vx, vy)) in pairwise(zip(mids, ways, strict=True)):
        pull = math.dist((ax, ay), (bx, by)) * 0.36
        result.append(((ax, ay), (ax + ux * pull, ay + uy * pull), (bx - vx * pull, by - vy * pull), (bx, by)))
    return result


def passing(centres: Sequence[Point]) -> list[Point]:
    """The midpoint of the road through each inner hex. See `through`."""
    return [
        ((a[0] + 3 * p[0] + 3 * q[0] + b[0]) / 8, (a[1] + 3 * p[1] + 3 * q[1] + b[1]) / 8)
        for a, p, q, b in _bends(centres)
    ]


def through(centres: Sequence[Point], first: Point, last: Point) -> str:
    """A smooth road through adjacent hexes, from one end to the other, as SVG path data."""
    bends = _bends(centres)
    if not bends:
        return path_of([first, last])
    text = f"M{short(first[0])} {short(first[1])}L{short(bends[0][0][0])} {short(bends[0][0][1])}"
    for _, p, q, b in bends:
        text += f"C{short(p[0])} {short(p[1])} {short(q[0])} {short(q[1])} {short(b[0])} {short(b[1])}"
    return text + f"L{short(last[0])} {short(last[1])}"


def smooth_road(centres: Sequence[Point], first: Point, last: Point) -> list[Point]:
    """A smooth road through adjacent hexes, as a line of points."""
    line = [first]
    for a, p, q, b in _bends(centres):
        for t in (0.0, 0.25, 0.5, 0.75, 1.0):
            f = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
            line.append(
                (
                    f[0] * a[0] + f[1] * p[0] + f[2] * q[0] + f[3] * b[0],
                    f[0] * a[1] + f[1] * p[1] + f[2] * q[1] + f[3] * b[1],
                )
            )
    return [*line, last]
