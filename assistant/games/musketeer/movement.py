"""Ground movement of Operation Musketeer (9.0, 13.0, 24.2, 28.1)."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from assistant.games.musketeer.contingents import contingent
from assistant.games.musketeer.field import movement_of
from assistant.games.musketeer.ground import WATERS, Ground, Step
from assistant.games.musketeer.support import Support
from scenarios.counters import Unit
from scenarios.hexes import Hex


class Reach(NamedTuple):
    """A hex that a unit can move to: what it pays, the path, and whether an enemy zone of control stops it there."""

    cost: Fraction
    path: tuple[Hex, ...]
    stops: bool
    ways: tuple[str, ...] = ()
    """For each step the road or track it goes along; nothing where it goes across country."""


@dataclass(frozen=True)
class Mover:
    """A unit about to move. `disrupted` units have their back's movement."""

    here: Support
    unit: Unit
    start: Hex
    disrupted: bool = False

    @property
    def allowance(self) -> int:
        """Its movement factor (9.1)."""
        return movement_of(self.here.game, self.unit, self.disrupted)

    @property
    def enemies(self) -> frozenset[Hex]:
        """Hexes with enemy ground units."""
        return self.here.enemies[self.unit.side]

    @property
    def zone(self) -> frozenset[Hex]:
        """Hexes in enemy zones of control (13.0)."""
        return self.here.zones[self.unit.side]

    @cached_property
    def engineers(self) -> frozenset[Hex]:
        """Hexes with engineers of its contingent, who help others across while they stay (24.2)."""
        own = contingent(self.unit.nation)
        return frozenset(
            hex for _, unit, hex in self.here.units if "bridges" in unit.abilities and contingent(unit.nation) == own
        )

    @property
    def open(self) -> frozenset[Hex]:
        """The hexes that politics leave it (28.1)."""
        return self.here.open_to(self.unit.nation)

    def costs(self, a: Hex, b: Hex, last: str) -> dict[str, Fraction]:
        """What a step costs along each way it can go; nothing where nobody can go."""
        step = next(step for step in self.ground.steps[a] if step.hex == b)
        return {way: Fraction(price, self.ground.parts) for way, price in self.prices(step, a, last)}

    def prices(self, step: Step, start: Hex, last: str) -> list[tuple[str, int]]:
        """What a step costs in parts of a point along each way it can go; nothing where nobody can go.

        Across country the hex's dearest terrain and the hexside together (9.8, 9.9). Along a road or track its own price
        whatever the terrain, and one point from one kind of way to the other (9.10). A unit takes which it likes: the
        cheapest step may lead to a dearer one. Hexsides cost on roads too (the ruling on roads and hexsides).
        """
        if step.terrain is None:
            return []
        extra = sum(self._crossed(step, start).values()) if step.sides else 0
        found = [("", step.terrain + extra)]
        for way in step.ways:
            changed = last != "" and last != way
            found.append((way, (self.ground.parts if changed else self.ground.price(way)) + extra))
        return found

    def crossed(self, a: Hex, b: Hex) -> dict[str, Fraction]:
        """The hexsides of a step with their prices (9.8)."""
        step = next(step for step in self.ground.steps[a] if step.hex == b)
        return {kind: Fraction(price, self.ground.parts) for kind, price in self._crossed(step, a).items()}

    def _crossed(self, step: Step, start: Hex) -> dict[str, int]:
        """That in parts of a point: nothing for water where engineers help (24.2)."""
        helped = "bridges" in self.unit.abilities or start in self.engineers or step.hex in self.engineers
        return {kind: 0 if helped and kind in WATERS else price for kind, price in step.sides.items()}

    @property
    def ground(self) -> Ground:
        return self.here.ground

    def passable(self, hex: Hex) -> bool:
        """Whether ground units enter the hex at all (9.4)."""
        return self.ground.costs[hex] is not None


def moves(mover: Mover) -> Mapping[Hex, Reach]:
    """Every hex that a unit can end its move in, with the cheapest way; one hex it can always move (9.3)."""
    if not mover.allowance:
        return {mover.start: Reach(Fraction(0), (mover.start,), False)}
    parts, steps = mover.ground.parts, mover.ground.steps
    zone, enemies, open_ = mover.zone, mover.enemies, mover.open
    most = mover.allowance * parts
    best: dict[Hex, tuple[int, tuple[Hex, ...], tuple[str, ...]]] = {}
    too_dear: dict[Hex, tuple[int, tuple[Hex, ...], tuple[str, ...]]] = {}
    seen: set[tuple[Hex, str]] = set()
    queue: list[tuple[int, tuple[Hex, ...], tuple[str, ...]]] = [(0, (mover.start,), ())]
    while queue:
        spent, path, ways = heapq.heappop(queue)
        here, last = path[-1], ways[-1] if ways else ""
        if (here, last) in seen:
            continue
        seen.add((here, last))
        stops = here in zone and here != mover.start
        best.setdefault(here, (spent, path, ways))
        if stops:
            continue
        for step in steps[here]:
            there = step.hex
            if there in enemies or there not in open_ or (there in zone and here in zone):
                continue  # 9.4, 28.1, 13.6
            for way, price in mover.prices(step, here, last):
                if (there, way) in seen:
                    continue
                found = spent + price, (*path, there), (*ways, way)
                if found[0] <= most:
                    heapq.heappush(queue, found)
                elif len(path) == 1:
                    too_dear[there] = min(found, too_dear.get(there, found))
    # The one hex that it can always move, where no way within its allowance leads there (9.3).
    best = {**too_dear, **best}
    return {
        hex: Reach(Fraction(spent, parts), path, hex in zone and hex != mover.start, ways)
        for hex, (spent, path, ways) in best.items()
    }
