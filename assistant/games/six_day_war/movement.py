"""Movement: points and dice, roads and tracks, zones of control, forced marches, transfers, airborne moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

from assistant.attacks import BadQuestion
from assistant.games.six_day_war.field import Field, Stand, other
from assistant.games.six_day_war.ground import FRONTS, WATER, Ground
from assistant.shared.hexpaths import Net, grow, hex_net
from scenarios.dice import dice
from scenarios.hexes import Hex, hexside, neighbours
from scenarios.reading.shapes import number

PATHS = {"israeli": ("road", "track"), "arab": ("road",)}
"""Whom a road or track helps (10.13, 10.15)."""


@dataclass(frozen=True)
class Reach:
    """Where a unit can go: points, path and chance for each hex, and where it may end."""

    stand: Stand
    points: Mapping[int, Fraction]
    """How many points it may have, each with its chance."""
    costs: Mapping[Hex, Fraction]
    paths: Mapping[Hex, tuple[Hex, ...]]
    ends: frozenset[Hex]
    stops: frozenset[Hex]
    """Hexes where an enemy zone of control stops it."""

    def chance(self, hex: Hex) -> Fraction:
        """The chance that its points suffice."""
        cost = self.costs[hex]
        if cost not in self._enough:
            self._enough[cost] = sum((chance for points, chance in self.points.items() if points >= cost), Fraction(0))
        return self._enough[cost]

    @cached_property
    def _enough(self) -> dict[Fraction, Fraction]:
        return {}


def allowance(field: Field, stand: Stand, *, forced: bool = False, die: int | None = None) -> dict[int, Fraction]:
    """Movement points with their chances: Israelis a number, more by a die on a forced march; Arabs a die (10.2 to 10.4,
    10.16, 25.5). `die` is what was thrown."""
    if stand.static:
        raise BadQuestion(f"{stand.name} is static and never moves (19.2)")
    if "neutral" in stand.piece.states:
        raise BadQuestion(f"{stand.name} is neutral and doesn't move (25.2)")
    if any(field.effects("no_movement", stand.side)):
        raise BadQuestion(f"{stand.name} can't move: Arabs stay where they are on turn {field.position.turn} (25.5)")
    thrown = dict(dice(field.limit("forced_march"))) if die is None else {die: Fraction(1)}
    if stand.side == "israeli" and not forced and die is not None:
        raise BadQuestion("Israelis throw a die for a forced march only: forced (10.16)")
    if stand.side == "israeli":
        basic = int(number(next(iter(field.effects("movement_points", "israeli"))).value))
        return {basic + more: chance for more, chance in thrown.items()} if forced else {basic: Fraction(1)}
    if forced:
        raise BadQuestion("only Israelis make forced marches (10.16)")
    if die is None:
        thrown = dict(dice(next(iter(field.effects("contingent_die", "arab"))).value))
    return thrown


def cost(field: Field, a: Hex, b: Hex, side: str, *, transfer: bool = False) -> Fraction | None:
    """What a step costs; None where nobody of that side goes (5.4, 10.12 to 10.15, 25.4). No minimum move (10.8)."""
    return None if b in field.closed(side) else _cost(field.ground, a, b, side, transfer)


def _cost(ground: Ground, a: Hex, b: Hex, side: str, transfer: bool) -> Fraction | None:
    """What the land makes a step cost."""
    if not ground.enterable(b) or (not transfer and ground.front(a) != ground.front(b)):
        return None
    return sum((number(ground.chart(kind, "cost").lstrip("+")) for kind in _paid_for(ground, a, b, side)), Fraction(0))


def paid_for(field: Field, a: Hex, b: Hex, side: str) -> list[str]:
    """The rows of the terrain chart that a step pays: the road, the track or the hex, and water without a bridge (10.12 to
    10.15)."""
    return _paid_for(field.ground, a, b, side)


def _paid_for(ground: Ground, a: Hex, b: Hex, side: str) -> list[str]:
    between = hexside(a, b)
    paths = ground.table.path_sides.get(between, frozenset())
    way = next((kind for kind in PATHS[side] if kind in paths), "")
    wet = ground.table.hexsides.get(between, frozenset()) & WATER if way != "road" else ()
    return [way or ground.table.terrain[b], *sorted(wet)]


@lru_cache(maxsize=16)
def _net(ground: Ground, side: str, transfer: bool) -> Net[Hex]:
    """Every step of a side over the map."""
    return hex_net(ground.table, lambda a, b: _cost(ground, a, b, side, transfer))


def reach(
    field: Field, stand: Stand, *, forced: bool = False, die: int | None = None, transfer: bool = False
) -> Reach:
    """Where a unit can go on the ground (10, 12.3, 12.4); with `transfer` a reserve brigade changes fronts (6.2)."""
    points = allowance(field, stand, forced=forced, die=die)
    foe = other(stand.side)
    zones = field.zones[foe]
    if transfer:
        _transferable(field, stand)
    net = _net(field.ground, stand.side, transfer)
    start, steps = net.numbers[stand.hex], net.steps
    stops = frozenset(net.numbers[hex] for hex in zones)
    shut = frozenset(net.numbers[hex] for hex in (*field.held[foe], *field.closed(stand.side)) if hex != stand.hex)
    if start in stops:
        # Straight from one enemy zone into another nobody goes (10.9, 12.4).
        steps = [*steps[:start], [step for step in steps[start] if step[0] not in stops], *steps[start + 1 :]]
    tree = grow(steps, [start], shut, max(points) * net.scale, stops)
    costs = {net.places[n]: net.points(paid) for n, paid in tree.costs.items()}
    paths = {net.places[n]: tuple(net.places[m] for m in tree.path(n)) for n in tree.costs}
    ends = frozenset(hex for hex in costs if field.room((stand,), hex))
    if transfer:
        ends = frozenset(hex for hex in ends if field.front(hex) != field.front(stand.hex) and hex not in zones)
    return Reach(stand, points, costs, paths, ends, frozenset(hex for hex in costs if hex in zones))


def price_of_way(field: Field, stand: Stand, to: Hex, *, transfer: bool) -> Fraction | None:
    """What the cheapest way to a hex would cost if no enemy were in it; None if there is none."""
    net = _net(field.ground, stand.side, transfer)
    shut = frozenset(net.numbers[hex] for hex in field.closed(stand.side) if hex != stand.hex)
    tree = grow(net.steps, [net.numbers[stand.hex]], shut)
    paid = tree.costs.get(net.numbers[to])
    return None if paid is None else net.points(paid)


def _transferable(field: Field, stand: Stand) -> None:
    """BadQuestion unless a unit may change fronts (6.2)."""
    if str(stand.unit.factors.get("front")) != "either":
        raise BadQuestion(f"only a reserve brigade changes fronts, and {stand.name} is none (6.2)")
    if stand.hex in field.zones["arab"]:
        raise BadQuestion(f"{stand.name} is in an enemy zone of control, and no transfer begins there (6.2)")


@dataclass(frozen=True)
class Drop:
    """An airborne move: an assault from a free hex to anywhere, or an extraction out of an enemy zone to a free hex."""

    stand: Stand
    extraction: bool
    landings: frozenset[Hex]
    hot: frozenset[Hex]
    """Landings in an enemy zone of control, where it must attack."""
    surprised: frozenset[Hex]
    """Enemy fortifications next to landings: the first assault on one finds it nullified (20.5)."""


def airborne(field: Field, stand: Stand, *, transfer: bool = False) -> Drop:
    """Where an airborne unit can be put down on its front, for a reserve point (20.1 to 20.5); with `transfer` a reserve
    brigade on the other front, outside enemy zones (6.2)."""
    if stand.side != "israeli" or "air_move" not in stand.unit.abilities:
        raise BadQuestion(f"{stand.name} can't move by air: only Israeli airborne units do (20.1, 20.4)")
    zones = field.zones["arab"]
    extraction = stand.hex in zones
    front = field.front(stand.hex)
    if transfer:
        _transferable(field, stand)
        front = FRONTS[1 - FRONTS.index(front)]
    landings = frozenset(
        hex
        for hex in field.table.zones[f"{front}_sector"]
        if hex != stand.hex
        and field.enterable(hex)
        and hex not in field.closed("israeli")
        and hex not in field.held["arab"]
        and not ((extraction or transfer) and hex in zones)
        and field.room((stand,), hex)
    )
    forts = frozenset(
        hex for hex in field.held["arab"] if field.table.terrain[hex] == "fortification" and field.front(hex) == front
    )
    near = frozenset(n for hex in landings & zones.keys() for n in neighbours(hex))
    surprised = frozenset() if extraction or transfer else forts & near
    return Drop(stand, extraction, landings, frozenset(hex for hex in landings if hex in zones), surprised)
