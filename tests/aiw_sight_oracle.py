"""Sight in The Arab-Israeli Wars by brute force, written from the rules alone.

Every hexside of the map is tried against every line. A hex's centre is (q, r), a corner is the mean of three centres:
fractions, which are whole numbers when multiplied by three.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Literal, NamedTuple

from scenarios.model.boards import Arrangement, Board
from scenarios.model.game import Game
from scenarios.model.grids import Grid, Numbering
from scenarios.model.hexes import Hex, Hexside
from scenarios.model.maps import HexMap, put_together
from scenarios.reading.shapes import Findings

NEIGHBOUR_OFFSETS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
EAST = {"up": (1, 0), "right": (0, 1), "down": (-1, 0), "left": (0, -1)}
ELEVATION = {"sand_dune", "ridge", "crest", "moraine"}
Point = tuple[int, int]
Kind = Literal["ground", "infantry", "air"]


class Side(NamedTuple):
    """A hexside: its two hexes and its two corners."""

    x: Hex
    y: Hex
    p: Point
    q: Point


class SideCrossing(NamedTuple):
    """A hexside that a line meets: in the middle, along its length, or at an end (which is then told)."""

    side: Side
    manner: Literal["middle", "length", "end"]
    corner: Point | None


class Answer(NamedTuple):
    clear: bool
    b_hull_down: frozenset[frozenset[Hex]]
    a_hull_down: frozenset[frozenset[Hex]]


def next_to(hex: Hex) -> list[Hex]:
    return [Hex(hex.q + q, hex.r + r) for q, r in NEIGHBOUR_OFFSETS]


def corner_point(hexes: tuple[Hex, Hex, Hex]) -> Point:
    x, y = (3 * Fraction(sum(h[i] for h in hexes), 3) for i in (0, 1))
    assert x.denominator == y.denominator == 1
    return int(x), int(y)


def cross(o: Point, p: Point, q: Point) -> int:
    return (p[0] - o[0]) * (q[1] - o[1]) - (p[1] - o[1]) * (q[0] - o[0])


class Oracle:
    """A map with markers on it, and the readings of the rulings."""

    def __init__(self, table: HexMap, works: Mapping[Hex, frozenset[str]], rulings: Mapping[str, str]) -> None:
        self.terrain = {hex: table.terrain[hex] for hex in table.hexes}
        self.printed_sides = {frozenset(side): features for side, features in table.hexsides.items()}
        self.works = works
        self.rulings = rulings
        self.east = EAST[table.north]
        hex_pairs = {frozenset((hex, neighbour)) for hex in table.hexes for neighbour in next_to(hex)}
        self.sides = [self._side(*pair) for pair in hex_pairs]

    @staticmethod
    def _side(hex: Hex, neighbour: Hex) -> Side:
        x, y = min(hex, neighbour), max(hex, neighbour)
        p, q = (corner_point((x, y, third)) for third in sorted(set(next_to(x)) & set(next_to(y))))
        return Side(x, y, p, q)

    def has(self, hex: Hex, marker: str) -> bool:
        return marker in self.works.get(hex, ())

    def canal(self, hex: Hex) -> bool:
        return self.terrain.get(hex) == "suez_canal"

    def canal_exits(self, hex: Hex) -> list[Hex]:
        """The canal hexes that a bank hex is the way in to: the hex straight across is on the other bank."""
        canal_hexes = []
        for neighbour in next_to(hex):
            far_hex = Hex(2 * neighbour.q - hex.q, 2 * neighbour.r - hex.r)
            if self.canal(neighbour) and not self.canal(hex) and far_hex in self.terrain and not self.canal(far_hex):
                canal_hexes.append(neighbour)
        return canal_hexes

    def bank(self, hex: Hex) -> int:
        """1 on the east bank, -1 on the west bank, 0 elsewhere or where the canal runs east and west (VI.E.1)."""
        total = 0
        for neighbour in self.canal_exits(hex):
            right, y_offset = hex.q - neighbour.q, 2 * (hex.r - neighbour.r) + hex.q - neighbour.q
            total += right * self.east[0] + y_offset * self.east[1]
        return (total > 0) - (total < 0)

    def kinds(self, side: Side) -> set[str]:
        """The bars of a hexside; a trench in a canal hex makes dunes of its entry hexsides (VI.C.1)."""
        features = set(self.printed_sides.get(frozenset((side.x, side.y)), ()))
        for canal, bank in ((side.x, side.y), (side.y, side.x)):
            if "moraine" in features and self.has(canal, "trench") and canal in self.canal_exits(bank):
                features = features - {"moraine"} | {"sand_dune"}
        return features

    def is_high(self, hex: Hex) -> bool:
        """A slope, or an improved position on the west bank (VI.E.3)."""
        return self.terrain[hex] == "slope" or (self.has(hex, "improved_position") and self.bank(hex) < 0)

    def crossings(self, a: Hex, b: Hex) -> list[SideCrossing]:
        """Every hexside that the straight line between two centres meets (VII.B.2, VII.C.4)."""
        start, end = (3 * a.q, 3 * a.r), (3 * b.q, 3 * b.r)
        left, right = min(start[0], end[0]), max(start[0], end[0])
        top, bottom = min(start[1], end[1]), max(start[1], end[1])
        crossings = []
        for side in self.sides:
            p, q = side.p, side.q
            if max(p[0], q[0]) < left or min(p[0], q[0]) > right or max(p[1], q[1]) < top or min(p[1], q[1]) > bottom:
                continue
            at_p, at_q = cross(start, end, p), cross(start, end, q)
            if at_p * at_q > 0:
                continue
            if at_p == at_q == 0:
                if self.within(start, end, p) and self.within(start, end, q):
                    crossings.append(SideCrossing(side, "length", None))
            elif at_p * at_q < 0:
                if cross(p, q, start) * cross(p, q, end) < 0:
                    crossings.append(SideCrossing(side, "middle", None))
            else:
                corner = p if at_p == 0 else q
                if self.within(start, end, corner):
                    crossings.append(SideCrossing(side, "end", corner))
        return crossings

    @staticmethod
    def within(start: Point, end: Point, p: Point) -> bool:
        """Whether a point of the line lies between its ends."""
        projection = (p[0] - start[0]) * (end[0] - start[0]) + (p[1] - start[1]) * (end[1] - start[1])
        return 0 < projection < (end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2

    def answer(self, a: Hex, b: Hex, viewer: Kind = "ground", target: Kind = "ground") -> Answer:
        nobody: frozenset[frozenset[Hex]] = frozenset()
        if a == b:
            return Answer(True, nobody, nobody)
        crossings = self.crossings(a, b)
        flying = "air" in (viewer, target)
        if self.is_blocked(a, b, viewer, target, crossings, flying):
            return Answer(False, nobody, nobody)
        if flying:
            return Answer(True, nobody, nobody)
        return Answer(True, self.shields(a, b, b, crossings), self.shields(a, b, a, crossings))

    def shields(self, a: Hex, b: Hex, unit_hex: Hex, crossings: list[SideCrossing]) -> frozenset[frozenset[Hex]]:
        """The elevation hexsides of a unit's own hex that the line passes (VII.F.1, F.4.a)."""
        counting = {"crest"} if self.is_high(a) or self.is_high(b) else ELEVATION
        return frozenset(
            frozenset((crossing.side.x, crossing.side.y))
            for crossing in crossings
            if unit_hex in (crossing.side.x, crossing.side.y)
            and self.kinds(crossing.side) & counting
            and (crossing.manner == "middle" or self.rulings["hull_down_end"] == "shielded")
        )

    def is_blocked(
        self, a: Hex, b: Hex, viewer: Kind, target: Kind, crossings: list[SideCrossing], flying: bool
    ) -> bool:
        is_raised = self.is_high(a) or self.is_high(b)
        inside = self.inside(crossings)
        flanking_hexes = {
            hex for crossing in crossings if crossing.manner == "length" for hex in (crossing.side.x, crossing.side.y)
        }
        corners: dict[Point, int] = {}
        for crossing in crossings:
            x, y = crossing.side.x, crossing.side.y
            features = self.kinds(crossing.side)
            if {x, y} & {a, b}:
                own_end = crossing.manner == "end" and self.rulings["sight_moraine_end"] == "clear"
                is_open = self.opens(a, viewer, crossing.side) or self.opens(b, target, crossing.side)
                if "moraine" in features and not (is_raised or flying or is_open or own_end):
                    return True
                continue
            bar = not flying and bool(features & ({"crest"} if is_raised else ELEVATION))
            hiding = {hex for hex in (x, y) if self.hides(hex, is_raised or flying)}
            if crossing.manner == "length":
                if self.rulings["sight_along"] == "clear" and len(hiding) < 2:
                    hiding = set()
                if bar or hiding:
                    return True
            elif crossing.manner == "middle":
                if bar or hiding:
                    return True
            else:
                if self.rulings["sight_along"] == "clear":
                    hiding -= flanking_hexes - inside
                if self.rulings["sight_touch"] == "clear":
                    hiding = {hex for hex in hiding if hex in inside or hex in flanking_hexes}
                if bar or hiding:
                    assert crossing.corner is not None
                    corners[crossing.corner] = corners.get(crossing.corner, 0) + 1
        min_count = 1 if self.rulings["sight_corner"] == "blocked" else 2
        if any(count >= min_count for count in corners.values()):
            return True
        middle = Hex((a.q + b.q) // 2, (a.r + b.r) // 2)
        if middle in set(next_to(a)) & set(next_to(b)) and (2 * middle.q, 2 * middle.r) == (a.q + b.q, a.r + b.r):
            if self.has(middle, "smoke") and self.rulings["smoke_between"] == "blocked":
                return True
            return self.rulings["sight_between"] == "blocked" and self.hides(middle, is_raised or flying)
        return False

    @staticmethod
    def inside(crossings: list[SideCrossing]) -> set[Hex]:
        """The hexes whose inside a line passes: it meets their edge in two places that aren't on one side."""
        edge: dict[Hex, set[object]] = {}
        lengths = {
            hex for crossing in crossings if crossing.manner == "length" for hex in (crossing.side.x, crossing.side.y)
        }
        for crossing in crossings:
            for hex in (crossing.side.x, crossing.side.y):
                edge.setdefault(hex, set()).add(crossing.side if crossing.manner == "middle" else crossing.corner)
        return {hex for hex, places in edge.items() if len(places) > 1 and hex not in lengths}

    def hides(self, hex: Hex, is_above: bool) -> bool:
        """Woods and towns at ground level (VII.C.1.b), smoke at any (Optional II.B.1.a)."""
        return self.has(hex, "smoke") or (not is_above and self.terrain.get(hex) in ("woods", "town"))

    def opens(self, hex: Hex, unit: Kind, side: Side) -> bool:
        """Whether a fort, or a position for all but infantry, on the east bank makes a dune of this moraine (VI.E.2)."""
        works = self.has(hex, "fort") or (self.has(hex, "improved_position") and unit != "infantry")
        return hex in (side.x, side.y) and works and self.bank(hex) > 0


# Random ground.

GRID = Grid("flat", 9, 6, "even", "both", numbering=Numbering("letters", rows_from="bottom"))


def random_table(game: Game, rng: random.Random, grid: Grid = GRID) -> HexMap:
    """One or more boards with every kind of terrain and hexside, some of them turned, north anywhere."""
    canal = rng.random() < 0.6
    boards = {name: random_board(game, rng, name, grid, canal and name == "V") for name in "VWXY"}
    cells = [name + rng.choice(("", " turned")) for name in boards]
    layouts = [[[0]], [[0], [1]], [[1], [0]]] if canal else [[[0]], [[0, 1]], [[0, 1], [2, 3]]]
    rows = tuple(tuple(cells[i] for i in row) for row in rng.choice(layouts))
    arrangement = Arrangement(boards=rows, north=rng.choice(("up", "right", "down", "left", "left", "right")))
    hex_map = put_together("random", "Random", arrangement, boards, "clear", Findings())
    assert hex_map is not None
    return hex_map


def random_board(game: Game, rng: random.Random, name: str, grid: Grid, canal: bool) -> Board:
    thick = rng.choice((0.03, 0.08, 0.2))
    terrains = ["woods", "town", "slope"]
    terrain = {hex: rng.choice(terrains) if rng.random() < thick * 2 else "clear" for hex in grid.hexes}
    if canal:
        level = rng.randrange(2, 4)
        terrain |= {hex: "suez_canal" for hex in grid.hexes if int(grid.row_name(hex)) == level}
    hexsides: dict[Hexside, frozenset[str]] = {}
    for hex in grid.hexes:
        for neighbour in next_to(hex):
            side = Hexside(min(hex, neighbour), max(hex, neighbour))
            wet = [terrain.get(end) == "suez_canal" for end in side]
            if any(wet):
                if not all(wet) and hex in terrain and neighbour in terrain:
                    hexsides[side] = frozenset({"moraine"})
            elif rng.random() < thick:
                features = rng.sample(("sand_dune", "ridge", "crest"), rng.choice((1, 1, 1, 2)))
                hexsides[side] = frozenset(features)
    return replace(
        game.boards["B"], id=name, grid=grid, terrain=terrain, hexsides=hexsides, paths=(), places={}, zones={}
    )


def random_works(table: HexMap, rng: random.Random) -> dict[Hex, frozenset[str]]:
    """Smoke anywhere, trenches in the canal, forts and positions near it."""
    works: dict[Hex, frozenset[str]] = {}
    for hex in table.hexes:
        banks = any(table.terrain.get(neighbour) == "suez_canal" for neighbour in next_to(hex))
        hex_works = {"smoke"} if rng.random() < 0.02 else set()
        if table.terrain[hex] == "suez_canal":
            hex_works |= {"trench"} if rng.random() < 0.3 else set()
        elif rng.random() < (0.5 if banks else 0.05):
            hex_works.add(rng.choice(("fort", "improved_position")))
        if hex_works:
            works[hex] = frozenset(hex_works)
    return works


def some_pairs(table: HexMap, rng: random.Random, count: int) -> list[tuple[Hex, Hex]]:
    """Pairs of hexes: of all if there are no more, else at random."""
    if len(table.hexes) * (len(table.hexes) - 1) // 2 <= count:
        return list(combinations(table.hexes, 2))
    return [(rng.choice(table.hexes), rng.choice(table.hexes)) for _ in range(count)]
