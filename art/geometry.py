"""Hexes on paper: where they lie in millimetres, their outlines, smooth lines through them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from art.svg import number
from scenarios.hexes import Corner, Hex, Hexside, Orientation, corners, ends, neighbour

Point = tuple[float, float]
ROOT3 = math.sqrt(3)


@dataclass(frozen=True)
class Paper:
    """How hexes lie on paper: their orientation, the length of a side, and where the hex (0, 0) lies."""

    orientation: Orientation
    side: float
    x: float = 0
    y: float = 0

    def at(self, thirds_x: float, thirds_y: float) -> Point:
        """A point given in thirds of axial coordinates."""
        q, r = thirds_x / 3, thirds_y / 3
        if self.orientation == "flat":
            return self.x + 1.5 * self.side * q, self.y + ROOT3 * self.side * (r + q / 2)
        return self.x + ROOT3 * self.side * (q + r / 2), self.y + 1.5 * self.side * r

    def centre(self, hex: Hex) -> Point:
        """The centre of a hex."""
        return self.at(3 * hex.q, 3 * hex.r)

    def corner(self, corner: Corner) -> Point:
        """A corner of a hex."""
        return self.at(corner.x, corner.y)

    def outline(self, hex: Hex) -> list[Point]:
        """The six corners of a hex."""
        return [self.corner(corner) for corner in corners(hex)]


def path_of(points: Iterable[Point], closed: bool = False) -> str:
    """Straight lines through points, as SVG."""
    text = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)
    return text + ("Z" if closed else "")


def loops(hexes: frozenset[Hex]) -> list[list[Corner]]:
    """The outlines of a set of hexes: closed loops of corners, outer ones clockwise."""
    following: dict[Corner, list[Corner]] = {}
    for hex in sorted(hexes):
        around = corners(hex)
        for d in range(6):
            if neighbour(hex, d) not in hexes:
                following.setdefault(around[d], []).append(around[(d + 1) % 6])
    result = []
    while following:
        start = min(following)
        loop, here = [start], start
        while True:
            onward = following[here]
            there = onward.pop()
            if not onward:
                del following[here]
            if there == start:
                break
            loop.append(there)
            here = there
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

    def walk(start: Corner, there: Corner) -> list[Corner]:
        chain = [start, there]
        links[start].discard(there)
        links[there].discard(start)
        while len(links[chain[-1]]) == 1 and chain[-1] not in forks:
            (onward,) = links[chain[-1]]
            links[chain[-1]].discard(onward)
            links[onward].discard(chain[-1])
            chain.append(onward)
        return chain

    forks = {corner for corner, near in links.items() if len(near) > 2}
    tips = sorted(corner for corner, near in links.items() if len(near) == 1)
    for start in [*tips, *sorted(forks), *sorted(links)]:
        while links[start]:
            result.append(walk(start, min(links[start])))
    return result


def rounded(points: Sequence[Point], closed: bool, times: int = 2) -> list[Point]:
    """A line with its corners cut off again and again (Chaikin)."""
    line = list(points)
    for _ in range(times):
        cut: list[Point] = [] if closed else [line[0]]
        pairs = zip(line, [*line[1:], line[0]] if closed else line[1:], strict=False)
        for (ax, ay), (bx, by) in pairs:
            cut += [(0.75 * ax + 0.25 * bx, 0.75 * ay + 0.25 * by), (0.25 * ax + 0.75 * bx, 0.25 * ay + 0.75 * by)]
        line = cut if closed else [*cut, line[-1]]
    return line


def middles(points: Sequence[Point], closed: bool) -> list[Point]:
    """The middles of a line's pieces: takes the zigzag out of a row of hexsides."""
    pairs = zip(points, [*points[1:], points[0]] if closed else points[1:], strict=False)
    inner = [((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in pairs]
    return inner if closed else [points[0], *inner, points[-1]]


def through(centres: Sequence[Point]) -> str:
    """A smooth road through the centres of neighbouring hexes: it crosses each hexside in its middle."""
    if len(centres) < 3:
        return path_of(centres)
    text = f"M{number(centres[0][0])} {number(centres[0][1])}"
    mids = [((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in pairwise(centres)]
    text += f"L{number(mids[0][0])} {number(mids[0][1])}"
    for (cx, cy), (mx, my) in zip(centres[1:-1], mids[1:], strict=True):
        text += f"Q{number(cx)} {number(cy)} {number(mx)} {number(my)}"
    return text + f"L{number(centres[-1][0])} {number(centres[-1][1])}"
