"""Lines of communication (11.2): who has one, which way, what cuts it, and which point matters most."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from assistant.games.october_war.ground import CANAL, ENEMY, WATER, Ground
from assistant.shared.pointpaths import Ways, ways
from scenarios.counters import Unit
from scenarios.position import Piece
from scenarios.resolve import Resolver

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


class Cut(NamedTuple):
    """A point, and the units and controlled points that lose their line when the enemy takes it."""

    point: str
    units: tuple[Piece, ...]
    points: tuple[str, ...]


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

    def blocked(self, point: str) -> str:
        """Why no line enters a point (2.6, 11.2); nothing if it may."""
        if self.ground.holds(ENEMY[self.side], point):
            return "enemy units"
        if self.ground.off_map(point):
            return "" if self.ground.owner(point) == self.side else "the enemy's reserve area"
        held = self.ground.control[point]
        return "enemy control" if self.control and held == ENEMY[self.side] else ""

    def barred(self, a: str, b: str, kinds: frozenset[str], swims: bool) -> str:
        """Why no line runs along a route (11.2); nothing if it may."""
        if kinds - {CANAL, WATER} or (swims and WATER in kinds):
            return ""
        if CANAL in kinds:
            return "" if self.ground.bridged(a, b, self.side) else "no bridge"
        return "water"

    def sources(self) -> list[str]:
        """The side's reserve areas."""
        points = self.ground.map.points
        return [point for point in points if self.ground.off_map(point) and self.ground.owner(point) == self.side]

    def _open(self, swims: bool) -> Ways:
        def step(here: str, there: str, kinds: frozenset[str]) -> int | None:
            return None if self.blocked(there) or self.barred(here, there, kinds, swims) else 1

        return ways(self.ground.map, self.sources(), step)

    @cached_property
    def _dry(self) -> Ways:
        return self._open(False)

    @cached_property
    def _wet(self) -> Ways:
        return self._open(True)

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

        def step(here: str, there: str, kinds: frozenset[str]) -> int | None:
            # Walked from the reserve area: what is entered here is left on the way to it.
            stops = there != point and bool(self.blocked(there))
            return 1 + BLOCK * (stops + bool(self.barred(here, there, kinds, swims)))

        found = ways(self.ground.map, self.sources(), step)
        if point not in found.costs:
            return ("no route leads to a reserve area",)
        path = tuple(reversed(found.path(point)))
        reasons = []
        names = {at: shape.name for at, shape in self.ground.map.points.items()}
        for here, there in pairwise(path):
            barred = self.barred(here, there, self.ground.map.adjacent(here)[there], swims)
            if barred:
                reasons.append(f"{barred} between {names[here]} and {names[there]}")
            if self.blocked(there):
                reasons.append(f"{self.blocked(there)} in {names[there]}")
        return tuple(reasons)

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
        return tuple(self.line(piece, unit) for piece, unit in self.ground.units if unit.side == self.side)

    @cached_property
    def _net(self) -> Mapping[bool, Mapping[str, tuple[str, ...]]]:
        """Where a line may run on from each point, away from the reserve areas: without swimming, and with it."""
        adjacent = {point: self.ground.map.adjacent(point) for point in self.ground.map.points}
        free = {point for point in adjacent if not self.blocked(point)}
        return {
            swims: {
                here: tuple(
                    there for there, kinds in ends.items() if there in free and not self.barred(here, there, kinds, swims)
                )
                for here, ends in adjacent.items()
            }
            for swims in (False, True)
        }

    def _left(self, swims: bool, taken: str) -> frozenset[str]:
        """The points that still have a line when the enemy stands in one of them."""
        net, found = self._net[swims], set(self.sources())
        open_ = list(found)
        while open_:
            fresh = [there for there in net[open_.pop()] if there not in found and there != taken]
            found.update(fresh)
            open_ += fresh
        # Where the enemy is too, a line may start, not pass.
        return frozenset(found | {point for point, ends in net.items() if point != taken and found.intersection(ends)})

    @cached_property
    def _cuts(self) -> tuple[Cut, ...]:
        units = [
            (piece, can_swim(self.ground.game.units[piece.unit]))
            for line in self.all()
            if line.supplied and not self.safe(str((piece := line.piece).at))
        ]
        held = [p for p, side in self.ground.control.items() if side == self.side and not self.ground.off_map(p)]
        reached = [point for point in held if self.reach(point) is not None]
        found = []
        for point in self.ground.map.points:
            if self.ground.off_map(point) or point not in self._wet.costs:
                continue
            left = {swims: self._left(swims, point) for swims in (False, True)}
            gone = tuple(piece for piece, swims in units if piece.at != point and piece.at not in left[swims])
            points = tuple(p for p in reached if p != point and p not in left[False])
            if gone or points:
                found.append(Cut(point, gone, points))
        return tuple(sorted(found, key=lambda cut: (-len(cut.units), -len(cut.points), cut.point)))

    def cuts(self, most: int = 1) -> tuple[Cut, ...]:
        """The points that, taken by the enemy, would cut most units (then most controlled points), worst first.

        Units in the taken point itself don't count: they would be gone, not cut off. A bridge that falls with its bank
        (21.4) carries no line that doesn't pass the bank.
        """
        return self._cuts[:most]

    def waiting(self) -> tuple[Waiting, ...]:
        """The groups of the scenario that may still choose their point."""
        game, position = self.ground.game, self.ground.position
        scenario = game.scenarios.get(position.scenario)
        if scenario is None or self.side not in scenario.forces:
            return ()
        trays = {str(piece.at) for piece in position.pieces if str(piece.at).startswith("setup:")}
        resolver = Resolver(self.ground.map, dict(scenario.zones))
        result = []
        for number, group in enumerate(scenario.forces[self.side].groups, 1):
            if group.at is None or f"setup:{self.side}/{group.id or number}" not in trays:
                continue
            points = sorted(str(spot) for spot in resolver.places(group.at))
            out = tuple(p for p in points if self.reach(p) is None and not self.safe(p))
            result.append(Waiting(group.name or group.id, tuple(points), out))
        return tuple(result)


def can_swim(unit: Unit) -> bool:
    """Whether a unit traces across lake and sea points: amphibious units and commandos (11.2)."""
    return "amphibious" in unit.abilities or unit.type == "commando"


def lines(ground: Ground, sides: Iterable[str] = ("arab", "israeli"), control: bool = True) -> Sequence[Lines]:
    """The lines of both sides."""
    return [Lines(ground, side, control) for side in sides]
