"""Where a unit can go: reach, cheapest paths, and what it can still do there."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from assistant.attacks import BadQuestion
from assistant.games.arab_israeli_wars.canal import canal_steps
from assistant.games.arab_israeli_wars.ground import CANAL, Ground
from assistant.games.arab_israeli_wars.hazards import mine_at, mine_attacks
from assistant.games.arab_israeli_wars.steps import (
    HELICOPTER_STEP,
    LOW_STEP,
    ONE,
    ZERO,
    Mover,
    Part,
    Rates,
    Step,
    budget,
    land_steps,
)
from assistant.games.arab_israeli_wars.traffic import Bar, Traffic
from scenarios.hexes import Hex, distance, neighbours

OVERRUN = Fraction(2)
"""The points of an overrun (Standard II.D.1.c)."""


@dataclass(frozen=True)
class Stop:
    """A hex that a unit can reach, by its cheapest path."""

    hex: Hex
    spent: Fraction
    steps: tuple[Step, ...]
    mines: int
    """How often mines attack on the way."""
    off_road: Fraction | None
    """The cheapest cost without the road rate, which overruns and assaults forbid."""
    safe: Fraction | None
    """The cheapest cost that no mine attacks."""
    overruns: tuple[Hex, ...]
    assaults: tuple[Hex, ...]

    @property
    def path(self) -> tuple[Hex, ...]:
        """The hexes on the way, the last one included."""
        return tuple(step.end for step in self.steps)


@dataclass(frozen=True)
class Reach:
    """All that a unit can reach this turn, or why it stays."""

    mover: Mover
    points: Fraction
    stops: Mapping[Hex, Stop]
    bar: Bar | None
    notes: tuple[str, ...]


def ways(rates: Rates, a: Hex, b: Hex) -> tuple[Step, ...] | Bar:
    """The ways to go from a hex to its neighbour, cheapest first, or why there is none (Basic V.A.5-7)."""
    ground, mover, here = rates.ground, rates.mover, rates.here
    if distance(a, b) != 1:
        return Bar("a unit moves from hex to neighbouring hex", "Basic V.A.5")
    if b not in ground.table:
        return Bar("that is off the map", "The Situations C.4")
    if not ground.together(a, b):
        return Bar("the boards don't touch", "special rules")
    if mover.air:
        cost = LOW_STEP if mover.low else HELICOPTER_STEP
        rule = "Optional I.D.2.d" if mover.low else "Advanced I.E.2"
        return (Step(a, b, cost, (Part("flies", cost, rule),)),)
    if b in here.closed:
        return Bar("the Situation closes this ground", "special rules")
    if CANAL in (ground.kind(a), ground.kind(b)):
        return canal_steps(rates, a, b)
    return land_steps(rates, a, b)


def affordable(mover: Mover, step: Step, spent: Fraction, taken: int, limit: Fraction) -> Step | Bar:
    """The step as it is paid after `taken` others, or why it can't be (Basic V.A.6, Standard V.F.5).

    An allowance of 1 always buys one hex (Basic V.A.6.d), but not on a quick march (Advanced II.C.2.a-b).
    """
    if step.only and taken:
        return Bar(f"a unit that {step.note} starts next to it and moves one hex", _only_rule(step))
    if spent + step.cost <= limit:
        return step
    if mover.allowance == ONE == limit and not mover.quick and not taken and not spent:
        last = (Part("an allowance of 1 buys one hex", limit, "Basic V.A.6.d"),)
        return step._replace(cost=limit, parts=last)
    return Bar(f"it takes {step.cost} points, and {limit - spent} are left", "Basic V.A.6")


def _only_rule(step: Step) -> str:
    return step.parts[0].rule if step.note != "stops on the block" else "Standard V.F.5"


def reach(ground: Ground, mover: Mover, here: Traffic) -> Reach:
    """Every hex that a unit can get to in this phase, with its cheapest path (Basic V.A)."""
    if mover.hex not in ground.table:
        raise BadQuestion("the unit isn't on the map")
    points = budget(mover, here)
    if isinstance(points, Bar):
        return Reach(mover, ZERO, MappingProxyType({}), points, here.notes)
    rates = Rates(ground, mover, here)
    found = search(rates, points)
    off_road = search(rates, points, roads=False) if any(s.road for way in found.values() for s in way) else found
    safe = search(rates, points, mines=False) if any(mine_at(ground, hex) for hex in found) else found
    stops = {
        hex: Stop(
            hex,
            cost_of(steps),
            steps,
            mined(ground, mover, steps),
            cost_of(off_road[hex]) if hex in off_road else None,
            cost_of(safe[hex]) if hex in safe else None,
            overruns(rates, hex, points - cost_of(off_road[hex])) if hex in off_road else (),
            assaults(rates, hex) if hex in off_road else (),
        )
        for hex, steps in found.items()
    }
    return Reach(mover, points, MappingProxyType(stops), None, here.notes)


def search(
    rates: Rates, points: Fraction, roads: bool = True, mines: bool = True
) -> dict[Hex, tuple[Step, ...]]:
    """The cheapest way to every hex in reach; among equals the fewest mines, then the fewest hexes."""
    start = rates.mover.hex
    best: dict[Hex, tuple[Step, ...]] = {}
    queue: list[tuple[Fraction, int, int, Hex, tuple[Step, ...]]] = [(ZERO, 0, 0, start, ())]
    while queue:
        spent, blasts, taken, hex, steps = heapq.heappop(queue)
        if hex in best:
            continue
        best[hex] = steps
        if steps and steps[-1].only:
            continue
        leaving = mine_attacks(rates.ground, rates.mover, hex, entering=False)
        if leaving and not mines:
            continue
        for other in neighbours(hex):
            if other in best or isinstance(found := ways(rates, hex, other), Bar):
                continue
            entering = mine_attacks(rates.ground, rates.mover, other, entering=True)
            if entering and not mines:
                continue
            for way in found:
                step = affordable(rates.mover, way, spent, taken, points)
                if isinstance(step, Step) and (roads or not step.road):
                    entry = (spent + step.cost, blasts + leaving + entering, taken + 1, other, (*steps, step))
                    heapq.heappush(queue, entry)
    return best


def cost_of(steps: tuple[Step, ...]) -> Fraction:
    return sum((step.cost for step in steps), ZERO)


def mined(ground: Ground, mover: Mover, steps: tuple[Step, ...]) -> int:
    """How many mine attacks a path meets (Standard V.E.2)."""
    return sum(
        mine_attacks(ground, mover, s.start, entering=False) + mine_attacks(ground, mover, s.end, entering=True)
        for s in steps
    )


_NO_OVERRUN = frozenset({"mine_1_1", "mine_2_1", "mine_3_1", "trench", "block", "fort", "bridge"})
_MINES = frozenset({"mine_1_1", "mine_2_1", "mine_3_1"})


def overruns(rates: Rates, hex: Hex, left: Fraction) -> tuple[Hex, ...]:
    """The neighbouring hexes that a unit could overrun from here with so many points left (Standard II.D, V.H.4)."""
    ground, mover, here = rates.ground, rates.mover, rates.here
    if not mover.has("overrun") or here.level == "basic" or "inverted" in mover.states or left < OVERRUN:
        return ()
    if ground.kind(hex) == CANAL or ground.works.get(hex, frozenset()) & _NO_OVERRUN:
        return ()
    return tuple(other for other in neighbours(hex) if overrun_bar(rates, other) is None)


def overrun_bar(rates: Rates, hex: Hex) -> Bar | None:
    """Why the units of a hex can't be overrun by this unit (Standard II.D.2.e, II.D.3.b, V.H.4; Advanced I.E.4)."""
    ground, mover = rates.ground, rates.mover
    foes = [one for one in rates.here.at(hex) if one.side != mover.side and "loaded" not in one.states]
    foes = [one for one in foes if one.unit.class_ != "air" or "down" in one.states]
    if not foes:
        return Bar("nobody to overrun is there", "Standard II.D.2.b")
    if ground.kind(hex) in ("woods", "town", CANAL):
        return Bar("no overrun into woods, towns or the canal", "Standard II.D.3.b, VI.E.3")
    if ground.works.get(hex, frozenset()) & _NO_OVERRUN:
        return Bar("no overrun of a minefield, trench, block, fort or bridge", "Standard II.D.3.b, V.H.4")
    if mover.unit.factors["weapon"] != "A" and any(one.unit.factors["target"] == "A" for one in foes):
        return Bar("armor is in the hex, and only A weapons overrun armor", "Standard II.D.2.e")
    return None


def assaults(rates: Rates, hex: Hex) -> tuple[Hex, ...]:
    """The neighbouring hexes that a unit could assault from here after its move (Standard II.C, VI.E; Advanced II.C.2.e)."""
    ground, mover, here = rates.ground, rates.mover, rates.here
    if not mover.has("close_assault") or mover.quick or here.level == "basic" or "inverted" in mover.states:
        return ()
    if ground.kind(hex) == CANAL or ground.works.get(hex, frozenset()) & _MINES:
        return ()
    return tuple(
        other for other in neighbours(hex)
        if here.enemies(other, mover.side) and ground.kind(other) != CANAL
        and not ground.works.get(other, frozenset()) & _MINES
    )  # fmt: skip
