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
from assistant.games.musketeer.support import Support
from scenarios.counters import Unit
from scenarios.hexes import Hex, hexside, neighbours

WAYS = ("road", "track")
WATERS = ("suez_canal", "river")  # 24.2: what engineers cross for nothing


class Reach(NamedTuple):
    """A hex that a unit can move to: what it pays, the way, and whether an enemy zone of control stops it there."""

    cost: Fraction
    path: tuple[Hex, ...]
    stops: bool


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

    def cost(self, a: Hex, b: Hex, last: str) -> tuple[Fraction, str] | None:
        """What a step costs and along which way it goes; None where nobody can go.

        The hex's dearest terrain and the hexside together (9.8, 9.9); along a road or track its own price whatever the
        terrain, and one point from one kind of way to the other (9.10). Hexsides cost on roads too (the ruling on
        roads and hexsides).
        """
        ground = self.here.entry_cost(b)
        if ground is None:
            return None
        side = hexside(a, b)
        extra = sum(self.crossed(a, b).values(), Fraction(0))
        ways = [way for way in WAYS if way in self.here.table.path_sides.get(side, frozenset())]
        if not ways:
            return ground + extra, ""
        way = last if last in ways else ways[0]
        changed = last in WAYS and last != way
        return (Fraction(1) if changed else self._prices[way]) + extra, way

    def crossed(self, a: Hex, b: Hex) -> dict[str, Fraction]:
        """The hexsides of a step with their prices (9.8): nothing for water where engineers help (24.2)."""
        kinds = self.here.table.hexsides.get(hexside(a, b), frozenset())
        if not kinds:
            return {}
        helped = "bridges" in self.unit.abilities or bool(self.engineers & {a, b})
        return {
            kind: Fraction(0) if helped and kind in WATERS else self._prices[kind]
            for kind in sorted(kinds)
            if kind in self._prices
        }

    @cached_property
    def _prices(self) -> Mapping[str, Fraction]:
        """What hexsides, roads and tracks cost."""
        chart = self.here.game.tables["terrain"]
        column = chart.named_column("move")
        return {
            kind: Fraction(chart.cell(kind, column).code)
            for kind in (*self.here.game.hexsides, *WAYS)
            if kind in chart.cells
        }

    def passable(self, hex: Hex) -> bool:
        """Whether ground units enter the hex at all (9.4)."""
        return self.here.entry_cost(hex) is not None

    def enters(self, a: Hex, b: Hex) -> bool:
        """No enemy hex (9.4), no hex that politics close, never from one zone of control into another (13.6)."""
        if b in self.enemies or b not in self.open:
            return False
        return not (a in self.zone and b in self.zone)


def moves(mover: Mover) -> Mapping[Hex, Reach]:
    """Every hex that a unit can end its move in, with the cheapest way; one hex it can always move (9.3)."""
    allowance = mover.allowance
    best: dict[Hex, Reach] = {}
    if not allowance:
        return {mover.start: Reach(Fraction(0), (mover.start,), False)}
    seen: set[tuple[Hex, str]] = set()
    queue: list[tuple[Fraction, tuple[Hex, ...], str]] = [(Fraction(0), (mover.start,), "")]
    while queue:
        spent, path, last = heapq.heappop(queue)
        here = path[-1]
        if (here, last) in seen:
            continue
        seen.add((here, last))
        stops = here in mover.zone and here != mover.start
        best.setdefault(here, Reach(spent, path, stops))
        if stops:
            continue
        for there in neighbours(here):
            step = mover.cost(here, there, last) if there in mover.here.table and mover.enters(here, there) else None
            if step is None:
                continue
            total = spent + step[0]
            if total <= allowance:
                heapq.heappush(queue, (total, (*path, there), step[1]))
            elif len(path) == 1:
                best.setdefault(there, Reach(total, (*path, there), there in mover.zone))
    return best
