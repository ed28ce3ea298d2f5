"""Scenery for a tactical board: dry wadis, fields near villages, tracks in the sand.

No rule refers to it. So it is faint, avoids landforms, and is on open ground only. It depends only on the hexes
of a board and their names, so a board looks the same in every orientation.
"""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from art import svg
from art.color import darker, lighter, mix
from art.geometry import Paper, Point, flowing, path_of
from art.maps.textures import texture_of
from art.svg import Element
from scenarios.model.game import Game
from scenarios.model.hexes import Hex, Hexside, neighbours
from scenarios.model.maps import HexMap

LONGEST = 9
"""The maximum number of hexes of a wadi."""
SHORTEST = 4
MAX_DISTANCE = 6
"""The maximum length of a track."""
SETTLEMENTS = ("town", "village", "city", "kibbutz")
PLANTED = (*SETTLEMENTS, "woods", "orchard")


def scenery(table: HexMap, paper: Paper, color: str) -> list[Element]:
    """Fields, wadis and tracks on the plain terrain of a map, from the bottom up."""
    land = _Land(table)
    wadis = "".join(path_of(flowing([_point_near(land, hex, paper, 0.42) for hex in way])) for way in land.wadis())
    tracks = "".join(path_of(flowing([_point_near(land, hex, paper, 0.12) for hex in way])) for way in land.tracks())
    parts = list(_plots(land, paper, color))
    return [
        *parts,
        *(_wadi(wadis, color, paper.side) if wadis else []),
        *(_track(tracks, color, paper.side) if tracks else []),
    ]


def has_scenery(game: Game, table: HexMap) -> bool:
    """Whether a map gets scenery: it must be open sand."""
    return texture_of(table.plain, game.terrain[table.plain]) == "sand"


def sample(x: float, y: float, color: str) -> list[Element]:
    """A sample of a wadi and a track for a legend, around a point."""
    ground = svg.rect(x - 6, y - 4, 12, 8, rx=1, fill=color)
    bends = [(-5.0, 0.6), (-2.0, -1.8), (2.0, 0.4), (5.0, -1.8)]
    ways = (path_of(flowing([(x + a, y + b + dy) for a, b in bends])) for dy in (-0.6, 2.4))
    return [ground, *_wadi(next(ways), color, 9.0), *_track(next(ways), color, 9.0)]


PEN = {"fill": "none", "stroke_linecap": "round", "stroke_linejoin": "round"}


def _wadi(data: str, color: str, side: float) -> list[Element]:
    return [
        svg.path(data, stroke=darker(color, 0.17), stroke_width=side * 0.2, stroke_opacity=0.75, **PEN),
        svg.path(data, stroke=lighter(color, 0.2), stroke_width=side * 0.13, **PEN),
        svg.path(
            data, stroke=darker(color, 0.15), stroke_width=side * 0.03, stroke_dasharray=_dashes(side, 0.05, 0.2), **PEN
        ),
    ]


def _track(data: str, color: str, side: float) -> list[Element]:
    return [
        svg.path(data, stroke=darker(color, 0.2), stroke_width=side * 0.075, stroke_opacity=0.8, **PEN),
        svg.path(data, stroke=color, stroke_width=side * 0.035, **PEN),
    ]


def _dashes(side: float, dash: float, gap: float) -> str:
    return f"{svg.number(side * dash)} {svg.number(side * gap)}"


def _point_near(land: _Land, hex: Hex, paper: Paper, reach: float) -> Point:
    """A point near the middle of a hex, below its number. It is always the same for a hex."""
    x, y = paper.centre(hex)
    number = land.number(hex)
    return (
        x + paper.side * reach * ((number % 97) / 48 - 1),
        y + paper.side * (0.12 + 0.7 * reach * ((number // 97 % 89) / 44 - 1)),
    )


def _plots(land: _Land, paper: Paper, color: str) -> Iterator[Element]:
    """Fields on open ground beside villages and orchards: plots with furrows."""
    green, side = mix(color, "#a9b86a", 0.42), paper.side
    ground = furrows = ""
    for hex in land.farmland():
        number = land.number(hex)
        x, y = paper.centre(hex)
        for n in range(2 + number % 2):
            piece = number >> (5 * n)
            lean = (piece % 7 - 3) * 0.05
            left = x + side * (-0.62 + 0.44 * n + (piece % 5) * 0.02)
            top = y + side * (-0.28 + (piece % 11) * 0.045)
            width, height = side * (0.34 + (piece % 4) * 0.02), side * (0.34 + (piece % 3) * 0.08)

            plot = _Plot(left, top, width, height, lean)
            ground += path_of(
                [plot.point_at(0, 0), plot.point_at(1, 0), plot.point_at(1, 1), plot.point_at(0, 1)], is_closed=True
            )
            for share in (0.2, 0.4, 0.6, 0.8):
                level = [plot.point_at(0.06, share), plot.point_at(0.94, share)]
                furrows += path_of(level if piece % 2 else [plot.point_at(share, 0.06), plot.point_at(share, 0.94)])
    if ground:
        yield svg.path(ground, fill=green, stroke=darker(green, 0.14), stroke_width=side * 0.018)
        yield svg.path(furrows, fill="none", stroke=darker(green, 0.13), stroke_width=side * 0.018)


class _Plot(NamedTuple):
    """A field: its corner, its sides, and its slant."""

    left: float
    top: float
    width: float
    height: float
    lean: float

    def point_at(self, x_share: float, y_share: float) -> Point:
        """A point of the field, by its shares of the two sides."""
        return (
            self.left + self.width * x_share + self.lean * self.height * y_share,
            self.top + self.height * y_share + self.lean * self.width * x_share,
        )


class _Land:
    """A map with the data that scenery needs."""

    def __init__(self, table: HexMap) -> None:
        self.table = table
        self.roads = {hex for side in table.path_sides for hex in side}
        self.open = {hex for hex, kind in table.terrain.items() if kind == table.plain}
        self._numbers: dict[Hex, int] = {}
        for placement in table.placed:
            for local in placement.board.grid.hexes:
                name = f"{placement.board.id}/{placement.board.grid.name(local)}"
                self._numbers[placement.to_map(local)] = zlib.crc32(name.encode())

    def number(self, hex: Hex) -> int:
        """A pseudo-random number that is constant for the hex."""
        return self._numbers.get(hex, 0)

    def farmland(self) -> list[Hex]:
        """Open hexes beside villages, and some beside orchards."""
        result = []
        for hex in sorted(self.open - self.roads):
            adjacent_kinds = {self.table.terrain.get(adjacent, "") for adjacent in neighbours(hex)}
            share = 3 if adjacent_kinds & set(SETTLEMENTS) else 1 if adjacent_kinds & set(PLANTED) else 0
            if self.number(hex) % 5 < share:
                result.append(hex)
        return result

    def wadis(self) -> list[list[Hex]]:
        """Dry courses that run down from the slopes and end on open ground."""
        used: set[Hex] = set()
        courses = []
        for group in self._groups(
            {hex for hex, kind in self.table.terrain.items() if kind in ("slope", "hill", "rough")}
        ):
            middle = (sum(hex.q for hex in group) / len(group), sum(hex.r for hex in group) / len(group))
            rim = [hex for hex in group if any(adjacent in self.open for adjacent in neighbours(hex))]
            for start in sorted(rim, key=self.number)[: 1 + len(group) // 7]:
                way = self._downhill_path(start, middle, used)
                if len(way) >= SHORTEST:
                    courses.append(way)
                    used |= {adjacent for hex in way for adjacent in (hex, *neighbours(hex))}
        return courses

    def _downhill_path(self, start: Hex, middle: tuple[float, float], used: Collection[Hex]) -> list[Hex]:
        way = [start]
        while len(way) < LONGEST:
            tip = way[-1]
            if len(way) > 2 and any(adjacent not in self.table for adjacent in neighbours(tip)):
                break  # the wadi leaves the map
            ahead = [
                adjacent
                for adjacent in neighbours(tip)
                if adjacent in self.open and adjacent not in way and adjacent not in used and self._free(tip, adjacent)
            ]
            if not ahead:
                break
            way.append(
                max(
                    ahead,
                    key=lambda candidate: (_distance(candidate, middle) + self.number(candidate) % 10 / 14, candidate),
                )
            )
        return way

    def tracks(self) -> list[list[Hex]]:
        """The shortest path over open ground from each village or orchard to a road."""
        groups = self._groups({hex for hex, kind in self.table.terrain.items() if kind in PLANTED})
        ways = (self._to_road(group) for group in groups if not self.roads & set(group))
        return [way for way in ways if way]

    def _to_road(self, group: Sequence[Hex]) -> list[Hex]:
        came: dict[Hex, Hex | None] = dict.fromkeys(sorted(group, key=self.number))
        distances = dict.fromkeys(came, 0)
        queue = deque(came)
        while queue:
            hex = queue.popleft()
            if hex in self.roads:
                way: list[Hex] = []
                step: Hex | None = hex
                while step is not None:
                    way.append(step)
                    step = came[step]
                return way[::-1]
            for adjacent in sorted(neighbours(hex), key=self.number):
                if (
                    adjacent in self.open
                    and adjacent not in came
                    and distances[hex] < MAX_DISTANCE
                    and self._free(hex, adjacent)
                ):
                    came[adjacent], distances[adjacent] = hex, distances[hex] + 1
                    queue.append(adjacent)
        return []

    def _free(self, a: Hex, b: Hex) -> bool:
        """Whether neither landform nor water separates two hexes."""
        return Hexside(*sorted((a, b))) not in self.table.hexsides

    @staticmethod
    def _groups(hexes: Iterable[Hex]) -> list[list[Hex]]:
        remaining, groups = set(hexes), []
        while remaining:
            edge, group = [min(remaining)], []
            while edge:
                hex = edge.pop()
                if hex in remaining:
                    remaining.discard(hex)
                    group.append(hex)
                    edge += neighbours(hex)
            groups.append(sorted(group))
        return groups


def _distance(hex: Hex, middle: tuple[float, float]) -> float:
    q, r = hex.q - middle[0], hex.r - middle[1]
    return max(abs(q), abs(r), abs(q + r))
