"""Movement: points, zones of control, bridges, swimming, exploitation and overruns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from assistant.attacks import BadQuestion
from assistant.games.yom_kippur.field import Field, Stand, other
from assistant.rules.amounts import amount
from assistant.rules.asked import Asked
from assistant.rules.movement import Reach as DeclaredReach
from assistant.rules.movement import end_failures, gate_failures, reason
from assistant.rules.movement import reach as declared_way
from assistant.rules.stacking import failures
from scenarios.hexes import Hex, hexside, neighbours

Phase = Literal["movement", "exploitation"]


@dataclass(frozen=True)
class Reach:
    """Where a unit can go: points and the hex before each hex, where it may stop, and whom it could overrun."""

    stand: Stand
    allowance: Fraction
    costs: Mapping[Hex, Fraction]
    declared: DeclaredReach | None
    """What the pack's own rules say; None for a stack."""
    ends: frozenset[Hex]
    stops: frozenset[Hex]
    """Hexes where an enemy zone of control (or a spent allowance) stops it."""
    overruns: Mapping[Hex, Fraction]
    """Enemy hexes it could overrun alone, and the points left after it."""
    slowest: Mapping[Hex, Reach] = field(default_factory=dict)
    """For a stack: whose way to each hex it takes."""

    trails: dict[Hex, tuple[Hex, ...]] = field(default_factory=dict)
    """Ways asked for so far."""

    def path(self, to: Hex) -> tuple[Hex, ...]:
        """The way to a hex that it reaches."""
        if to in self.slowest:
            return self.slowest[to].path(to)
        if to not in self.trails:
            assert self.declared is not None
            kinds = self.declared.field.kinds
            self.trails[to] = tuple([kinds.places[n] for n in self.declared.path(kinds.number[to])])  # type: ignore[misc]
        return self.trails[to]


def allowance(field: Field, stand: Stand) -> Fraction:
    """Movement points: halved when disorganized and when out of supply, each (1.7, 1.9a)."""
    standing = field.standing(stand)
    walk = field.declared.program.rules.movement["move"]
    return Fraction(amount(field.declared, walk.allowance, field.declared.walker(standing), start=standing.at).most)


def may_exploit(field: Field, stand: Stand) -> str:
    """Why a unit can't move in the Exploitation Phase; empty if it can (1.4b, 1.9a, 3.1, ruling exploitation_zone)."""
    declared, standing = field.declared, field.standing(stand)
    gates = declared.program.ready(declared.program.rules.movement["exploitation"].who)
    asked = Asked(declared, declared.walker(standing), {"start": standing.at}, {})
    return next((f"{record.text} ({record.rule})" for record in gate_failures(declared, gates, asked)), "")


def reach(field: Field, stand: Stand, phase: Phase = "movement", *, may_cross_east: bool = False) -> Reach:
    """Where a unit can go in a phase on its own. `may_cross_east` is the price of 3.8 paid."""
    if phase == "exploitation" and (why := may_exploit(field, stand)):
        raise BadQuestion(f"{stand.name} can't exploit: {why}")
    found, places = declared_reach(field, stand, may_cross_east=may_cross_east), field.ground.kinds.places
    costs: dict[Hex, Fraction] = {places[n]: cost for n, cost in found.costs.items()}  # type: ignore[misc]
    points = Fraction(found.allowance.most) if found.allowance is not None else Fraction(0)
    ends = frozenset([hex for hex in costs if field.ground.kinds.number[hex] not in found.barred])
    stopped = {hex for hex in costs if field.ground.kinds.number[hex] in found.stops}
    stops = frozenset(costs.keys() & field.zones[other(stand.unit.side)].keys()) | stopped
    return Reach(stand, points, costs, found, ends, stops, _overruns(field, stand, costs, points))


def declared_reach(field: Field, stand: Stand, *, may_cross_east: bool = False) -> DeclaredReach:
    """Where a unit can go, as the pack's own rules say."""
    key = stand.unit.side, ("reach", stand.key, stand.piece, may_cross_east)
    if key not in field.ways:
        declared = field.with_told(may_cross_east=may_cross_east)
        field.ways[key] = declared_way(declared, field.standing(stand, declared))
    found: DeclaredReach = field.ways[key]
    return found


def why_not(field: Field, stand: Stand, to: Hex, *, may_cross_east: bool = False) -> str:
    """Why a unit doesn't get to a hex in one phase, or may not end there."""
    found = declared_reach(field, stand, may_cross_east=may_cross_east)
    why = found.why_not(field.ground.kinds.number[to])
    return reason(found, why) if why is not None else ""


def room(field: Field, stands: Sequence[Stand], hex: Hex) -> bool:
    """Whether units may end there together: six steps to a hex (1.3), nobody in a lake (3.5b)."""
    declared, kinds = field.declared, field.ground.kinds
    n = kinds.number[hex]
    friends = tuple([s.key for s in field.held[stands[0].unit.side].get(hex, ()) if s not in stands])
    key = stands[0].unit.side, ("room", kinds.kind(n), friends, *(stand.piece for stand in stands))
    if key not in field.ways:
        standings = [field.standing(stand) for stand in stands]
        walk, walker = declared.program.rules.movement["move"], declared.walker(standings[0])
        shut = field.ground.table.terrain[hex] == "sea" or end_failures(declared, walk, walker, n, standings[0].at, {}, room=False)
        field.ways[key] = not shut and not failures(declared, walker, n, (), standings)
    found: bool = field.ways[key]
    return found


def why_no_end(field: Field, stands: Sequence[Stand], hex: Hex) -> str:
    """Why units may not end there together."""
    if (terrain := field.ground.table.terrain[hex]) in ("sea", "lake"):
        return f"nobody ends a move in {'the sea' if terrain == 'sea' else 'a lake (3.5b)'}"
    there = [s for s in field.held[stands[0].unit.side].get(hex, ()) if s not in stands]
    held, coming = sum(s.steps for s in there), sum(s.steps for s in stands)
    return f"{held} steps are there, {coming} would come, and a hex holds {field.ground.most_steps} (1.3)"


def _overruns(field: Field, stand: Stand, costs: Mapping[Hex, Fraction], points: Fraction) -> dict[Hex, Fraction]:
    """Enemy hexes that a unit could overrun on its way (1.9a, Player's Notes, ruling overrun_cost).

    Not when disorganized or begun in an enemy zone; the ground must allow it, and the points must do.
    """
    foe = other(stand.unit.side)
    zones = field.zones[foe]
    if "disorganized" in stand.piece.states or stand.hex in zones or stand.factor("attack") <= 0:
        return {}
    ground, held = field.ground, field.held[foe]
    order = {hex: number for number, hex in enumerate(costs)}
    open_ = [hex for hex in held if ground.chart(ground.table.terrain[hex], "overrun") == "yes"]
    # In the order in which the unit gets next to them.
    steps = sorted((order[hex], neighbours(hex).index(near), hex, near) for near in open_ for hex in ground.near(near) if hex in order)
    found: dict[Hex, Fraction] = {}
    for _, _, hex, near in steps:
        cost = _attack_cost(field, stand, hex, near)
        # The overrun hex's own zone doesn't stop its attackers; another's does.
        if cost is None or any(s not in held[near] for s in zones.get(hex, ())):
            continue
        left = points - costs[hex] - cost - ground.limit("overrun_points")
        if left >= 0 and left > found.get(near, Fraction(-1)):
            found[near] = left
    return found


def _attack_cost(field: Field, stand: Stand, a: Hex, b: Hex) -> Fraction | None:
    """What an overrun's step costs; over the canal by a bridge alone (1.13b)."""
    bridged = field.bridged(stand.unit.side, hexside(a, b))
    return field.ground.bridged_cost(b, stand.kind) if bridged else field.ground.cost(a, b, stand.kind)


def together(reaches: Sequence[Reach], field: Field) -> Reach:
    """Where units that move as a stack can end: where each can go, and all find room (1.3)."""
    first = reaches[0]
    shared = [hex for hex in first.costs if all(hex in one.costs for one in reaches)]
    stands = [one.stand for one in reaches]
    slowest = {hex: max(reaches, key=lambda one: one.costs[hex]) for hex in shared}
    ends = frozenset([hex for hex in shared if room(field, stands, hex)])
    stops = frozenset([hex for hex in shared if any(hex in one.stops for one in reaches)])
    overruns = {
        hex: min(one.overruns[hex] for one in reaches)
        for hex in first.overruns
        if all(hex in one.overruns for one in reaches)
    }
    costs = {hex: one.costs[hex] for hex, one in slowest.items()}
    return Reach(first.stand, min(one.allowance for one in reaches), costs, None, ends, stops, overruns, slowest)
