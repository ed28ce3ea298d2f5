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

from scenarios.boards import Arrangement, Board
from scenarios.game import Game
from scenarios.grids import Grid, Numbering
from scenarios.hexes import Hex, Hexside
from scenarios.maps import HexMap, put_together
from scenarios.reading.shapes import Findings

AROUND = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
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


class Met(NamedTuple):
    """A hexside that a line meets: in the middle, along its length, or at an end (which is then told)."""

    side: Side
    manner: Literal["middle", "length", "end"]
    corner: Point | None


class Answer(NamedTuple):
    clear: bool
    b_hull_down: frozenset[frozenset[Hex]]
    a_hull_down: frozenset[frozenset[Hex]]


def next_to(hex: Hex) -> list[Hex]:
    return [Hex(hex.q + q, hex.r + r) for q, r in AROUND]


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
        self.printed = {frozenset(side): kinds for side, kinds in table.hexsides.items()}
        self.works = works
        self.rulings = rulings
        self.east = EAST[table.north]
        between = {frozenset((hex, other)) for hex in table.hexes for other in next_to(hex)}
        self.sides = [self._side(*pair) for pair in between]

    @staticmethod
    def _side(hex: Hex, other: Hex) -> Side:
        x, y = min(hex, other), max(hex, other)
        p, q = (corner_point((x, y, third)) for third in sorted(set(next_to(x)) & set(next_to(y))))
        return Side(x, y, p, q)

    def has(self, hex: Hex, marker: str) -> bool:
        return marker in self.works.get(hex, ())

    def canal(self, hex: Hex) -> bool:
        return self.terrain.get(hex) == "suez_canal"

    def across(self, hex: Hex) -> list[Hex]:
        """The canal hexes that a bank hex is the way in to: the hex straight across is on the other bank."""
        found = []
        for other in next_to(hex):
            beyond = Hex(2 * other.q - hex.q, 2 * other.r - hex.r)
            if self.canal(other) and not self.canal(hex) and beyond in self.terrain and not self.canal(beyond):
                found.append(other)
        return found

    def bank(self, hex: Hex) -> int:
        """1 on the east bank, -1 on the west bank, 0 elsewhere or where the canal runs east and west (VI.E.1)."""
        total = 0
        for other in self.across(hex):
            right, down = hex.q - other.q, 2 * (hex.r - other.r) + hex.q - other.q
            total += right * self.east[0] + down * self.east[1]
        return (total > 0) - (total < 0)

    def kinds(self, side: Side) -> set[str]:
        """The bars of a hexside; a trench in a canal hex makes dunes of its entry hexsides (VI.C.1)."""
        kinds = set(self.printed.get(frozenset((side.x, side.y)), ()))
        for canal, bank in ((side.x, side.y), (side.y, side.x)):
            if "moraine" in kinds and self.has(canal, "trench") and canal in self.across(bank):
                kinds = kinds - {"moraine"} | {"sand_dune"}
        return kinds

    def high(self, hex: Hex) -> bool:
        """A slope, or an improved position on the west bank (VI.E.3)."""
        return self.terrain[hex] == "slope" or (self.has(hex, "improved_position") and self.bank(hex) < 0)

    def met(self, a: Hex, b: Hex) -> list[Met]:
        """Every hexside that the straight line between two centres meets (VII.B.2, VII.C.4)."""
        start, end = (3 * a.q, 3 * a.r), (3 * b.q, 3 * b.r)
        left, right = min(start[0], end[0]), max(start[0], end[0])
        top, bottom = min(start[1], end[1]), max(start[1], end[1])
        found = []
        for side in self.sides:
            p, q = side.p, side.q
            if max(p[0], q[0]) < left or min(p[0], q[0]) > right or max(p[1], q[1]) < top or min(p[1], q[1]) > bottom:
                continue
            at_p, at_q = cross(start, end, p), cross(start, end, q)
            if at_p * at_q > 0:
                continue
            if at_p == at_q == 0:
                if self.within(start, end, p) and self.within(start, end, q):
                    found.append(Met(side, "length", None))
            elif at_p * at_q < 0:
                if cross(p, q, start) * cross(p, q, end) < 0:
                    found.append(Met(side, "middle", None))
            else:
                corner = p if at_p == 0 else q
                if self.within(start, end, corner):
                    found.append(Met(side, "end", corner))
        return found

    @staticmethod
    def within(start: Point, end: Point, p: Point) -> bool:
        """Whether a point of the line lies between its ends."""
        along = (p[0] - start[0]) * (end[0] - start[0]) + (p[1] - start[1]) * (end[1] - start[1])
        return 0 < along < (end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2

    def answer(self, a: Hex, b: Hex, viewer: Kind = "ground", target: Kind = "ground") -> Answer:
        nobody: frozenset[frozenset[Hex]] = frozenset()
        if a == b:
            return Answer(True, nobody, nobody)
        met = self.met(a, b)
        flying = "air" in (viewer, target)
        if self.blocked(a, b, viewer, target, met, flying):
            return Answer(False, nobody, nobody)
        if flying:
            return Answer(True, nobody, nobody)
        return Answer(True, self.shields(a, b, b, met), self.shields(a, b, a, met))

    def shields(self, a: Hex, b: Hex, whose: Hex, met: list[Met]) -> frozenset[frozenset[Hex]]:
        """The elevation hexsides of a unit's own hex that the line passes (VII.F.1, F.4.a)."""
        counting = {"crest"} if self.high(a) or self.high(b) else ELEVATION
        return frozenset(
            frozenset((one.side.x, one.side.y))
            for one in met
            if whose in (one.side.x, one.side.y)
            and self.kinds(one.side) & counting
            and (one.manner == "middle" or self.rulings["hull_down_end"] == "shielded")
        )

    def blocked(self, a: Hex, b: Hex, viewer: Kind, target: Kind, met: list[Met], flying: bool) -> bool:
        raised = self.high(a) or self.high(b)
        inside = self.inside(met)
        flanked = {hex for one in met if one.manner == "length" for hex in (one.side.x, one.side.y)}
        corners: dict[Point, int] = {}
        for one in met:
            x, y = one.side.x, one.side.y
            kinds = self.kinds(one.side)
            if {x, y} & {a, b}:
                own_end = one.manner == "end" and self.rulings["sight_moraine_end"] == "clear"
                opened = self.opens(a, viewer, one.side) or self.opens(b, target, one.side)
                if "moraine" in kinds and not (raised or flying or opened or own_end):
                    return True
                continue
            bar = not flying and bool(kinds & ({"crest"} if raised else ELEVATION))
            hiding = {hex for hex in (x, y) if self.hides(hex, raised or flying)}
            if one.manner == "length":
                if self.rulings["sight_along"] == "clear" and len(hiding) < 2:
                    hiding = set()
                if bar or hiding:
                    return True
            elif one.manner == "middle":
                if bar or hiding:
                    return True
            else:
                if self.rulings["sight_along"] == "clear":
                    hiding -= flanked - inside
                if self.rulings["sight_touch"] == "clear":
                    hiding = {hex for hex in hiding if hex in inside or hex in flanked}
                if bar or hiding:
                    assert one.corner is not None
                    corners[one.corner] = corners.get(one.corner, 0) + 1
        least = 1 if self.rulings["sight_corner"] == "blocked" else 2
        if any(count >= least for count in corners.values()):
            return True
        middle = Hex((a.q + b.q) // 2, (a.r + b.r) // 2)
        if middle in set(next_to(a)) & set(next_to(b)) and (2 * middle.q, 2 * middle.r) == (a.q + b.q, a.r + b.r):
            if self.has(middle, "smoke") and self.rulings["smoke_between"] == "blocked":
                return True
            return self.rulings["sight_between"] == "blocked" and self.hides(middle, raised or flying)
        return False

    @staticmethod
    def inside(met: list[Met]) -> set[Hex]:
        """The hexes whose inside a line passes: it meets their edge in two places that aren't on one side."""
        edge: dict[Hex, set[object]] = {}
        lengths = {hex for one in met if one.manner == "length" for hex in (one.side.x, one.side.y)}
        for one in met:
            for hex in (one.side.x, one.side.y):
                edge.setdefault(hex, set()).add(one.side if one.manner == "middle" else one.corner)
        return {hex for hex, places in edge.items() if len(places) > 1 and hex not in lengths}

    def hides(self, hex: Hex, over: bool) -> bool:
        """Woods and towns at ground level (VII.C.1.b), smoke at any (Optional II.B.1.a)."""
        return self.has(hex, "smoke") or (not over and self.terrain.get(hex) in ("woods", "town"))

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
    made = put_together("random", "Random", arrangement, boards, "clear", Findings())
    assert made is not None
    return made


def random_board(game: Game, rng: random.Random, name: str, grid: Grid, canal: bool) -> Board:
    thick = rng.choice((0.03, 0.08, 0.2))
    kinds = ["woods", "town", "slope"]
    terrain = {hex: rng.choice(kinds) if rng.random() < thick * 2 else "clear" for hex in grid.hexes}
    if canal:
        level = rng.randrange(2, 4)
        terrain |= {hex: "suez_canal" for hex in grid.hexes if int(grid.row_name(hex)) == level}
    hexsides: dict[Hexside, frozenset[str]] = {}
    for hex in grid.hexes:
        for other in next_to(hex):
            side = Hexside(min(hex, other), max(hex, other))
            wet = [terrain.get(end) == "suez_canal" for end in side]
            if any(wet):
                if not all(wet) and hex in terrain and other in terrain:
                    hexsides[side] = frozenset({"moraine"})
            elif rng.random() < thick:
                found = rng.sample(("sand_dune", "ridge", "crest"), rng.choice((1, 1, 1, 2)))
                hexsides[side] = frozenset(found)
    return replace(
        game.boards["B"], id=name, grid=grid, terrain=terrain, hexsides=hexsides, paths=(), places={}, zones={}
    )


def random_works(table: HexMap, rng: random.Random) -> dict[Hex, frozenset[str]]:
    """Smoke anywhere, trenches in the canal, forts and positions near it."""
    works: dict[Hex, frozenset[str]] = {}
    for hex in table.hexes:
        banks = any(table.terrain.get(other) == "suez_canal" for other in next_to(hex))
        here = {"smoke"} if rng.random() < 0.02 else set()
        if table.terrain[hex] == "suez_canal":
            here |= {"trench"} if rng.random() < 0.3 else set()
        elif rng.random() < (0.5 if banks else 0.05):
            here.add(rng.choice(("fort", "improved_position")))
        if here:
            works[hex] = frozenset(here)
    return works


def some_pairs(table: HexMap, rng: random.Random, count: int) -> list[tuple[Hex, Hex]]:
    """Pairs of hexes: of all if there are no more, else at random."""
    if len(table.hexes) * (len(table.hexes) - 1) // 2 <= count:
        return list(combinations(table.hexes, 2))
    return [(rng.choice(table.hexes), rng.choice(table.hexes)) for _ in range(count)]
