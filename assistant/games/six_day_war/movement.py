"""Movement: points and dice, roads and tracks, zones of control, forced marches, transfers, airborne moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from assistant.attacks import BadQuestion
from assistant.games.six_day_war.field import Field, Stand, other
from assistant.games.six_day_war.ground import FRONTS, WATER
from assistant.shared.hexpaths import grow, make_net
from scenarios.dice import dice
from scenarios.hexes import Hex, disk, hexside, neighbours
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
        return sum((chance for points, chance in self.points.items() if points >= self.costs[hex]), Fraction(0))


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
    if not field.enterable(b) or b in field.closed(side) or (not transfer and field.front(a) != field.front(b)):
        return None
    between = hexside(a, b)
    paths = field.table.path_sides.get(between, frozenset())
    way = next((kind for kind in PATHS[side] if kind in paths), "")
    points = number(field.chart(way or field.table.terrain[b], "cost"))
    if way == "road":
        return points
    wet = field.table.hexsides.get(between, frozenset()) & WATER
    return points + sum((number(field.chart(kind, "cost").lstrip("+")) for kind in wet), Fraction(0))


def reach(
    field: Field, stand: Stand, *, forced: bool = False, die: int | None = None, transfer: bool = False
) -> Reach:
    """Where a unit can go on the ground (10, 12.3, 12.4); with `transfer` a reserve brigade changes fronts (6.2)."""
    points = allowance(field, stand, forced=forced, die=die)
    foe = other(stand.side)
    zones = field.zones[foe]
    if transfer:
        _transferable(field, stand)
    most = max(points)
    far = int(most / min(number(field.chart(kind, "cost")) for kind in ("road", "track", "clear")))
    places = [hex for hex in disk(stand.hex, far) if hex in field.table and hex not in field.held[foe]]
    near = frozenset(places)

    def step(a: Hex, b: Hex) -> Fraction | None:
        # Straight from one enemy zone into another nobody goes (10.9, 12.4).
        barred = a in zones and b in zones
        return None if barred else cost(field, a, b, stand.side, transfer=transfer)

    net = make_net(places, lambda hex: [n for n in neighbours(hex) if n in near], step)
    stops = frozenset(net.numbers[hex] for hex in places if hex in zones)
    tree = grow(net.steps, [net.numbers[stand.hex]], limit=most * net.scale, stops=stops)
    costs = {net.places[n]: net.points(paid) for n, paid in tree.costs.items()}
    paths = {net.places[n]: tuple(net.places[m] for m in tree.path(n)) for n in tree.costs}
    ends = frozenset(hex for hex in costs if field.room((stand,), hex))
    if transfer:
        ends = frozenset(hex for hex in ends if field.front(hex) != field.front(stand.hex) and hex not in zones)
    return Reach(stand, points, costs, paths, ends, frozenset(hex for hex in costs if hex in zones))


def _transferable(field: Field, stand: Stand) -> None:
    """BadQuestion unless a unit may change fronts (6.2)."""
    if str(stand.unit.factors.get("front")) != "either" or stand.hex in field.zones["arab"]:
        raise BadQuestion(f"only a reserve brigade that begins outside enemy zones changes fronts, not {stand.name} (6.2)")


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
