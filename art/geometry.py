"""Hexes on paper: where they lie in millimetres, their outlines, smooth lines through them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from scenarios.model.hexes import Corner, Hex, Hexside, Orientation, corners, ends, neighbour

Point = tuple[float, float]
ROOT3 = math.sqrt(3)
_ZEROS = [(".00", ""), *((f".{digit}0", f".{digit}") for digit in range(1, 10))]
"""What a number to a hundredth ends with that can be shorter."""


def short(value: float) -> str:
    """A number to a hundredth of a millimetre: maps have hundreds of thousands of them."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


@dataclass(frozen=True)
class Paper:
    """How hexes lie on paper: their orientation, the length of a side, and where the hex (0, 0) lies."""

    orientation: Orientation
    side: float
    x: float = 0
    y: float = 0

    def point_at(self, thirds_x: float, thirds_y: float) -> Point:
        """A point given in thirds of axial coordinates."""
        q, r = thirds_x / 3, thirds_y / 3
        if self.orientation == "flat":
            return self.x + 1.5 * self.side * q, self.y + ROOT3 * self.side * (r + q / 2)
        return self.x + ROOT3 * self.side * (q + r / 2), self.y + 1.5 * self.side * r

    def centre(self, hex: Hex) -> Point:
        """The centre of a hex."""
        return self.point_at(3 * hex.q, 3 * hex.r)

    def corner(self, corner: Corner) -> Point:
        """A corner of a hex."""
        return self.point_at(corner.x, corner.y)

    def hex_at(self, x: float, y: float) -> Hex:
        """The hex that a point of the paper lies in."""
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
    """Straight lines through points, as SVG."""
    text = "M" + "L".join([f"{x:.2f} {y:.2f}" for x, y in points])
    # As `short` writes them, all at once.
    for zeros, short_zeros in _ZEROS:
        text = text.replace(zeros, short_zeros)
    return text + "Z" if is_closed else text


def loops(hexes: frozenset[Hex]) -> list[list[Corner]]:
    """The outlines of a set of hexes: closed loops of corners, outer ones clockwise."""
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
    """Hexsides as lines of corners, as long as they run on without a fork."""
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
    """A line with its corners cut off several times (Chaikin's algorithm)."""
    line = list(points)
    for _ in range(times):
        cut: list[Point] = [] if is_closed else [line[0]]
        pairs = zip(line, [*line[1:], line[0]] if is_closed else line[1:], strict=False)
        for (ax, ay), (bx, by) in pairs:
            cut += [(0.75 * ax + 0.25 * bx, 0.75 * ay + 0.25 * by), (0.25 * ax + 0.75 * bx, 0.25 * ay + 0.75 * by)]
        line = cut if is_closed else [*cut, line[-1]]
    return line


def flowing(points: Sequence[Point], steps: int = 8) -> list[Point]:
    """A curve through all points (Catmull and Rom), for rivers of which only a few points are known."""
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
    """Points along a line, no farther from each other than that."""
    result = list(points[:1])
    for a, b in pairwise(points):
        count = max(1, math.ceil(math.dist(a, b) / max_gap))
        result += [(a[0] + (b[0] - a[0]) * i / count, a[1] + (b[1] - a[1]) * i / count) for i in range(1, count + 1)]
    return result


def holds(shape: Sequence[Point], point: Point) -> bool:
    """Whether a point lies in a closed shape."""
    x, y = point
    inside = False
    for (ax, ay), (bx, by) in zip(shape, [*shape[1:], shape[0]], strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            inside = not inside
    return inside


def wandering(points: Sequence[Point], reach: float) -> list[Point]:
    """Points moved a little, each always the same way: it takes the ruler out of a row of hexsides."""
    result = []
    for x, y in points:
        turn = math.sin(x * 12.9898 + y * 78.233) * 43758.5453
        result.append((x + reach * math.cos(turn), y + reach * math.sin(turn)))
    return result


WAVES = (
    (0.1, 0.62, 0.85, 2.2, 0.3), (0.075, 1.7, 2.3, 0.4, 2.9), (0.045, 4.3, -3.1, 1.9, 0.7), (0.028, 7.4, 8.3, 5.1, 3.6),
)  # fmt: skip
"""How ground strays from its hexsides, in hexsides: how far, how often along x and y, and where the waves begin."""


def roughen_outline(points: Sequence[Point], side: float) -> list[Point]:
    """A closed outline as wind and water leave it: bays and spurs of several sizes, the same for whatever shares a point."""
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
    """The middles of a line's pieces: takes the zigzag out of a row of hexsides."""
    pairs = zip(points, [*points[1:], points[0]] if is_closed else points[1:], strict=False)
    inner = [((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in pairs]
    return inner if is_closed else [points[0], *inner, points[-1]]


SWAY = 0.16
"""By how much a road turns this way or that where it leaves a hex, in radians."""


def _bends(centres: Sequence[Point]) -> list[tuple[Point, Point, Point, Point]]:
    """A road through neighbouring hexes: for each inner hex where it comes in, two points that pull it, where it goes out.

    It crosses each hexside in its middle, in the direction of the crossings before and after: so hexes in a zigzag make
    a straight road. A little sway, always the same in the same place, keeps it from looking ruled.
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
    """The point of each inner hex in the middle of the road through it; see `through`."""
    return [
        ((a[0] + 3 * p[0] + 3 * q[0] + b[0]) / 8, (a[1] + 3 * p[1] + 3 * q[1] + b[1]) / 8)
        for a, p, q, b in _bends(centres)
    ]


def through(centres: Sequence[Point], first: Point, last: Point) -> str:
    """A smooth road through neighbouring hexes, from one end to the other."""
    bends = _bends(centres)
    if not bends:
        return path_of([first, last])
    text = f"M{short(first[0])} {short(first[1])}L{short(bends[0][0][0])} {short(bends[0][0][1])}"
    for _, p, q, b in bends:
        text += f"C{short(p[0])} {short(p[1])} {short(q[0])} {short(q[1])} {short(b[0])} {short(b[1])}"
    return text + f"L{short(last[0])} {short(last[1])}"


def smooth_road(centres: Sequence[Point], first: Point, last: Point) -> list[Point]:
    """The same road as a line of points."""
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
