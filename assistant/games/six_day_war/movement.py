"""Movement: points and dice, roads and tracks, zones of control, forced marches, transfers, airborne moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from assistant.answers import BadQuestion, Refusal
from assistant.games.six_day_war.field import Field, Stand, other
from assistant.games.six_day_war.ground import FRONTS, WATER
from assistant.rules.amounts import amount
from assistant.rules.movement import Reach as DeclaredReach
from assistant.rules.movement import reach as declared_reach
from scenarios.hexes import Hex, hexside, neighbours

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
    declared: DeclaredReach
    """What the pack's own rules say."""

    def chance(self, hex: Hex) -> Fraction:
        """The chance that its points suffice."""
        cost = self.costs[hex]
        if cost not in self._enough:
            self._enough[cost] = sum((chance for points, chance in self.points.items() if points >= cost), Fraction(0))
        return self._enough[cost]

    @cached_property
    def _enough(self) -> dict[Fraction, Fraction]:
        return {}


def allowance(field: Field, stand: Stand, *, forced: bool = False, die: int | None = None) -> Mapping[int, Fraction]:
    """Movement points with their chances: Israelis a number, more by a die on a forced march; Arabs a die (10.2 to 10.4,
    10.16, 25.5). `die` is what was thrown."""
    declared = field.declared(forced=forced, die=die or 0)
    standing = field.standing(stand, declared)
    walk = declared.program.rules.movement["move"]
    worked = amount(declared, walk.allowance, declared.walker(standing), start=standing.at)
    if worked.forbidden is not None:
        raise Refusal(f"{stand.name} can't move: {worked.forbidden.text}", worked.forbidden.rule)
    return {int(points): chance for points, chance in worked.chances.items()}


def paid_for(field: Field, a: Hex, b: Hex, side: str) -> list[str]:
    """The rows of the terrain chart that a step pays: the road, the track or the hex, and water without a bridge (10.12 to
    10.15)."""
    table, between = field.ground.table, hexside(a, b)
    paths = table.path_sides.get(between, frozenset())
    way = next((kind for kind in PATHS[side] if kind in paths), "")
    wet = table.hexsides.get(between, frozenset()) & WATER if way != "road" else ()
    return [way or table.terrain[b], *sorted(wet)]


def reach(
    field: Field, stand: Stand, *, forced: bool = False, die: int | None = None, transfer: bool = False
) -> Reach:
    """Where a unit can go on the ground (10, 12.3, 12.4); with `transfer` a reserve brigade changes fronts (6.2)."""
    declared = field.declared(forced=forced, die=die or 0, transfer=transfer)
    found = declared_reach(declared, field.standing(stand, declared))
    if found.refused:
        raise Refusal(f"{stand.name} can't move: {found.refused[0].text}", found.refused[0].rule)
    assert found.allowance is not None
    places, number = declared.kinds.places, declared.kinds.number
    costs: dict[Hex, Fraction] = {places[n]: cost for n, cost in found.costs.items()}  # type: ignore[misc]
    paths: dict[Hex, tuple[Hex, ...]] = {hex: tuple([places[n] for n in found.path(number[hex])]) for hex in costs}  # type: ignore[misc]
    # Where it is it may stay, unless it has to change fronts.
    ends = frozenset(hex for hex in costs if number[hex] not in found.barred and not (transfer and hex == stand.hex))
    zones = field.zones[other(stand.side)]
    points = {int(amount_): chance for amount_, chance in found.allowance.chances.items()}
    return Reach(stand, points, costs, paths, ends, frozenset(hex for hex in costs if hex in zones), found)


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
