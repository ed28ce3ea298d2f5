"""Movement: points, zones of control, bridges, swimming, exploitation and overruns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from assistant.attacks import BadQuestion
from assistant.games.yom_kippur.field import Field, Stand, other
from assistant.shared.hexpaths import Net, grow
from scenarios.hexes import Hex, hexside, neighbours

Phase = Literal["movement", "exploitation"]


@dataclass(frozen=True)
class Reach:
    """Where a unit can go: points and the hex before each hex, where it may stop, and whom it could overrun."""

    stand: Stand
    allowance: Fraction
    costs: Mapping[Hex, Fraction]
    before: Mapping[Hex, Hex]
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
            self.trails[to] = (*self.path(self.before[to]), to) if to in self.before else (to,)
        return self.trails[to]


def allowance(field: Field, stand: Stand) -> Fraction:
    """Movement points: halved when disorganized and when out of supply, each (1.7, 1.9a)."""
    points = stand.factor("movement")
    for state in ("disorganized", "out_of_supply"):
        points *= field.ground.limit("weakened") if state in stand.piece.states else 1
    return points


def may_exploit(field: Field, stand: Stand) -> str:
    """Why a unit can't move in the Exploitation Phase; empty if it can (1.4b, 1.9a, 3.1, ruling exploitation_zone)."""
    able = "exploits" in stand.unit.abilities or "exploits_at_full" in stand.unit.abilities
    if not able:
        return "it has no exploitation capability (1.4b)"
    if "exploits_at_full" in stand.unit.abilities and stand.reduced:
        return "it has lost a step, and its exploitation capability with it (3.1)"
    if "disorganized" in stand.piece.states:
        return "it is disorganized (1.9a)"
    if field.ground.reading("exploitation_zone") == "free" and stand.hex in field.zones[other(stand.unit.side)]:
        return "it begins in an enemy zone of control (ruling exploitation_zone)"
    return ""


def reach(field: Field, stand: Stand, phase: Phase = "movement", *, may_cross_east: bool = False) -> Reach:
    """Where a unit can go in a phase on its own. `may_cross_east` is the price of 3.8 paid."""
    if phase == "exploitation" and (why := may_exploit(field, stand)):
        raise BadQuestion(f"{stand.name} can't exploit: {why}")
    foe = other(stand.unit.side)
    points = allowance(field, stand)
    bound = "stays_west" in stand.unit.abilities and not may_cross_east
    march = stand.hex, stand.kind, "swims" in stand.unit.abilities, bound, points
    key = stand.unit.side, march
    if key not in field.ways:
        field.ways[key] = _marched(field, stand, points, bound)
    costs, before, spent = field.ways[key]
    ends = frozenset([hex for hex in costs if hex == stand.hex or room(field, [stand], hex)])
    stops = frozenset(costs.keys() & field.zones[foe].keys()) | spent
    return Reach(stand, points, costs, before, ends, stops, _overruns(field, stand, costs, points))


def _marched(
    field: Field, stand: Stand, points: Fraction, bound: bool
) -> tuple[Mapping[Hex, Fraction], Mapping[Hex, Hex], AbstractSet[Hex]]:
    """The points to each hex, the hex before it, and the hexes that took the whole allowance."""
    foe, net = other(stand.unit.side), _net(field, stand)
    barred = frozenset(field.held[foe]) | (field.ground.east if bound else frozenset())
    shut = frozenset([net.numbers[hex] for hex in barred - {stand.hex}])
    zones = frozenset([net.numbers[hex] for hex in field.zones[foe]])
    tree = grow(net.steps, [net.numbers[stand.hex]], shut, int(points * net.scale), zones)
    amounts = {cost: net.points(cost) for cost in set(tree.costs.values())}
    costs = {net.places[n]: amounts[cost] for n, cost in tree.costs.items()}
    before = {net.places[n]: net.places[m] for n, m in tree.before.items()}
    spent = set()
    for near in _whole_steps(field, stand) if points > 0 else ():
        if near not in costs and net.numbers[near] not in shut:
            costs[near], before[near] = points, stand.hex
            spent.add(near)
    return costs, before, spent


def points_to(field: Field, stand: Stand, to: Hex) -> Fraction | None:
    """The points that a mechanized unit needs to a hex, however many it has; None where there is no way.

    Searched from the hex, once for all who go there: nobody goes on from an enemy zone, but one may begin in it.
    """
    net = _net(field, stand)
    key = stand.unit.side, ("to", to, "swims" in stand.unit.abilities)
    if key not in field.ways:
        foe = other(stand.unit.side)
        shut = frozenset([net.numbers[hex] for hex in field.held[foe]])
        zones = frozenset([net.numbers[hex] for hex in field.zones[foe]])
        field.ways[key] = grow(net.back, [net.numbers[to]], shut, None, zones).costs
    cost = field.ways[key].get(net.numbers[stand.hex])
    return None if cost is None else net.points(cost)


def why_not(field: Field, stand: Stand, to: Hex, *, may_cross_east: bool = False) -> str:
    """Why a unit doesn't get to a hex in one phase."""
    ground, foe = field.ground, other(stand.unit.side)
    if to in field.held[foe]:
        return f"{field.held[foe][to][0].name} stands there"
    if ground.table.terrain[to] == "sea":
        return "nobody enters the sea (Terrain Effects Chart)"
    if ground.table.terrain[to] == "lake" and "swims" not in stand.unit.abilities:
        return "only the amphibious brigade crosses lakes (3.5b)"
    if "stays_west" in stand.unit.abilities and to in ground.east and not may_cross_east:
        return "it has to stay west of the canal (1.10b, 1.13c, 3.5a)"
    if to in neighbours(stand.hex) and field.unaided(stand, stand.hex, to) and stand.kind == "infantry":
        return "nobody crosses the canal on foot into an enemy zone of control (1.13a)"
    net = _net(field, stand)
    shut = frozenset(net.numbers[hex] for hex in field.held[foe])
    free = grow(net.steps, [net.numbers[stand.hex]], shut).costs.get(net.numbers[to])
    if free is None:
        foot = "the canal and swamps take men on foot their whole allowance, so from the next hex only (1.4a, 1.13a)"
        return foot if stand.kind == "infantry" else "no road or bridge leads there (1.4a, 1.13a)"
    cost = net.points(free)
    if cost <= allowance(field, stand):
        return "enemy zones of control stop it on the way"
    return f"it is {cost} points away and there are {allowance(field, stand)}"


def _net(field: Field, stand: Stand) -> Net[Hex]:
    """The steps of a unit's class with the bridges it can use; a swimmer's water too (3.5b)."""
    swims = "swims" in stand.unit.abilities
    return field.ground.net(stand.kind, field.open_bridges[stand.unit.side], swims=swims)


def _whole_steps(field: Field, stand: Stand) -> list[Hex]:
    """Neighbours that infantry enters for its whole allowance: swamp off the road, and over the canal (1.4a, 1.13a)."""
    if stand.kind != "infantry":
        return []
    ground, found = field.ground, []
    foe = other(stand.unit.side)
    for near in neighbours(stand.hex):
        if near not in ground.table or ground.table.terrain[near] in ("sea", "lake"):
            continue
        canal = ground.canal_between(stand.hex, near)
        clear = near not in field.held[foe] and near not in field.zones[foe]
        if (canal and clear) or (not canal and not ground.by_road(stand.hex, near) and ground.takes_all(near, "infantry")):
            found.append(near)
    return found


def room(field: Field, stands: Sequence[Stand], hex: Hex) -> bool:
    """Whether units may end there together: six steps to a hex (1.3), nobody in a lake (3.5b)."""
    if field.ground.table.terrain[hex] in ("sea", "lake"):
        return False
    there = field.held[stands[0].unit.side].get(hex, ())
    steps = sum(s.steps for s in there if s not in stands) if there else 0
    return steps + sum(s.steps for s in stands) <= field.ground.most_steps


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
    return Reach(first.stand, min(one.allowance for one in reaches), costs, {}, ends, stops, overruns, slowest)
