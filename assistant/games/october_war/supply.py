"""Lines of communication (11.2): who has one, which way, what cuts it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

from assistant.games.october_war.ground import CANAL, ENEMY, WATER, Ground
from assistant.shared.pointpaths import Ways, spread, ways
from scenarios.counters import Unit
from scenarios.points import PointMap
from scenarios.position import Piece
from scenarios.same import Same

FORTS = ("arab_fort", "israeli_fort_sinai", "israeli_fort_golan")
BLOCK = 1_000
"""More than any way is long: a way with fewer blocks is always the better one."""


class Line(NamedTuple):
    """A unit's line of communication: the way to its reserve area, or what stands in it."""

    piece: Piece
    supplied: bool
    why: str
    path: tuple[str, ...]
    cut_by: tuple[str, ...]


class Waiting(NamedTuple):
    """A group that is not on the map yet: the points it may set up in, and those of them without a line."""

    group: str
    points: tuple[str, ...]
    out: tuple[str, ...]


@dataclass(frozen=True)
class Lines:
    """The lines of one side. `control` also stops them at points that the enemy controls but doesn't hold (2.6)."""

    ground: Ground
    side: str
    control: bool = True

    @cached_property
    def blocks(self) -> Mapping[str, str]:
        """Why no line enters a point (2.6, 11.2); only those that none may."""
        here, enemy = self.ground, ENEMY[self.side]
        own, reserves = set(self.sources()), here.reserves
        held = {point: "enemy control" for point, side in here.control.items() if side == enemy and point not in own}
        units = {point: "enemy units" for point, sides in here.occupants.items() if enemy in sides}
        return (held if self.control else {}) | dict.fromkeys(reserves - own, "the enemy's reserve area") | units

    def barred(self, a: str, b: str, kinds: frozenset[str], swims: bool) -> str:
        """Why no line runs along a route (11.2); nothing if it may."""
        if kinds - {CANAL, WATER} or (swims and WATER in kinds):
            return ""
        if CANAL in kinds:
            return "" if self.ground.bridged(a, b, self.side) else "no bridge"
        return "water"

    def sources(self) -> list[str]:
        """The side's reserve areas."""
        return sorted(point for point in self.ground.reserves if self.ground.owner(point) == self.side)

    @cached_property
    def _dry(self) -> Ways:
        return spread(self.net(False), self.sources())

    @cached_property
    def _wet(self) -> Ways:
        return spread(self.net(True), self.sources())

    def net(self, swims: bool) -> Mapping[str, Sequence[str]]:
        """Where a line may run on from each point, away from the reserve areas."""
        if swims not in self._nets:
            roads, water = _routes(Same(self.ground.map))
            net = {here: [there for there in ends if there not in self.blocks] for here, ends in roads.items()}
            for here, there, kinds in water:
                if there not in self.blocks and not self.barred(here, there, kinds, swims):
                    net[here].append(there)
            self._nets[swims] = net
        return self._nets[swims]

    @cached_property
    def _nets(self) -> dict[bool, Mapping[str, Sequence[str]]]:
        return {}

    def reach(self, point: str, swims: bool = False) -> tuple[str, ...] | None:
        """The way from a point to the reserve area, or None. A line starts even where the enemy stands too."""
        found = self._wet if swims else self._dry
        if point in found.costs:
            return tuple(reversed(found.path(point)))
        ends = [
            (found.costs[next_], next_)
            for next_, kinds in self.ground.map.adjacent(point).items()
            if next_ in found.costs and not self.barred(point, next_, kinds, swims)
        ]
        return (point, *reversed(found.path(min(ends)[1]))) if ends else None

    def obstacles(self, point: str, swims: bool = False) -> tuple[str, ...]:
        """What stands in the way that has the fewest things in it."""
        found = self._forced(swims)
        near = self.ground.map.adjacent(point).items()
        ends = [
            (found.costs[there] + BLOCK * bool(self.barred(point, there, kinds, swims)), there)
            for there, kinds in near
            if there in found.costs
        ]
        if not ends:
            return ("no route leads to a reserve area",)
        path = (point, *reversed(found.path(min(ends)[1])))
        reasons = []
        names = {at: shape.name for at, shape in self.ground.map.points.items()}
        for here, there in pairwise(path):
            barred = self.barred(here, there, self.ground.map.adjacent(here)[there], swims)
            if barred:
                reasons.append(f"{barred} between {names[here]} and {names[there]}")
            if there in self.blocks:
                reasons.append(f"{self.blocks[there]} in {names[there]}")
        return tuple(reasons)

    def _forced(self, swims: bool) -> Ways:
        """The ways from the reserve areas to each point that have the fewest things in them, the point itself among them."""
        if swims not in self._forces:

            def step(here: str, there: str, kinds: frozenset[str]) -> int | None:
                return 1 + BLOCK * ((there in self.blocks) + bool(self.barred(here, there, kinds, swims)))

            self._forces[swims] = ways(self.ground.map, self.sources(), step)
        return self._forces[swims]

    @cached_property
    def _forces(self) -> dict[bool, Ways]:
        return {}

    def line(self, piece: Piece, unit: Unit) -> Line:
        """One unit's line (11.2); Israelis who hold a fort need none."""
        assert isinstance(piece.at, str)
        swims = can_swim(unit)
        path = self.reach(piece.at, swims)
        if path is not None:
            return Line(piece, True, "line of communication", path, ())
        if self.safe(piece.at):
            return Line(piece, True, "holds a fort", (), ())
        return Line(piece, False, "cut off", (), self.obstacles(piece.at, swims))

    def safe(self, point: str) -> bool:
        """Whether a point is a fort whose Israeli holders need no line (11.2, and the ruling on who holds it)."""
        shape = self.ground.map.points[point]
        own = self.ground.owner(point) == self.side
        held = own or not self.ground.holds(ENEMY[self.side], point)
        return self.side == "israeli" and shape.terrain in FORTS and held

    def all(self) -> tuple[Line, ...]:
        """Every ground unit of the side on the map."""
        return self._all

    @cached_property
    def _all(self) -> tuple[Line, ...]:
        return tuple(self.line(piece, unit) for piece, unit in self.ground.units if unit.side == self.side)

    def waiting(self) -> tuple[Waiting, ...]:
        """The groups of the scenario that may still choose their point."""
        game, position = self.ground.game, self.ground.position
        scenario = game.scenarios.get(position.scenario)
        if scenario is None or self.side not in scenario.forces:
            return ()
        trays = {str(piece.at) for piece in position.pieces if str(piece.at).startswith("setup:")}
        result = []
        for number, group in enumerate(scenario.forces[self.side].groups, 1):
            if group.at is None or f"setup:{self.side}/{group.id or number}" not in trays:
                continue
            points = sorted(self.ground.places(group.at))
            out = tuple(p for p in points if self.reach(p) is None and not self.safe(p))
            result.append(Waiting(group.name or group.id, tuple(points), out))
        return tuple(result)


def can_swim(unit: Unit) -> bool:
    """Whether a unit traces across lake and sea points: amphibious units and commandos (11.2)."""
    return "amphibious" in unit.abilities or unit.type == "commando"


def lines_of(ground: Ground, side: str, control: bool = True) -> Lines:
    """The lines of a side, worked out once for a position."""
    return _lines(Same(ground), side, control)


@lru_cache(maxsize=16)
def _lines(ground: Same[Ground], side: str, control: bool) -> Lines:
    return Lines(ground.value, side, control)


@lru_cache(maxsize=8)
def _routes(field: Same[PointMap]) -> tuple[Mapping[str, Sequence[str]], Sequence[tuple[str, str, frozenset[str]]]]:
    """Where land routes lead from each point; and the steps over water, with their kinds."""
    table = field.value
    steps = [(here, there, kinds) for here in table.points for there, kinds in table.adjacent(here).items()]
    roads: dict[str, list[str]] = {point: [] for point in table.points}
    for here, there, kinds in steps:
        if kinds - {CANAL, WATER}:
            roads[here].append(there)
    return roads, [step for step in steps if not step[2] - {CANAL, WATER}]
