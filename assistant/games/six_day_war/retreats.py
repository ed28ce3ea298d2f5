"""Retreats and panics: where a unit may go back to, and the chance that it dies of it (14)."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fractions import Fraction

from assistant.games.six_day_war.field import Field, Stand, other
from scenarios.dice import dice
from scenarios.hexes import Hex, distance, neighbours

NOBODY: frozenset[Stand] = frozenset()
Ways = Mapping[Hex, tuple[Hex, ...]]
"""The hexes where a retreat may end, each with a path."""


@dataclass(frozen=True)
class Retreat:
    """What a retreat does to a unit: the chance that it dies of it, and where it may go for one hex, each with a path."""

    stand: Stand
    dies: Fraction
    to: tuple[Hex, ...]
    why: str

    @property
    def name(self) -> str:
        """Who it is."""
        return self.stand.name


def may_retreat(field: Field, stand: Stand, a: Hex, b: Hex, gone: AbstractSet[Stand] = NOBODY) -> bool:
    """Whether a retreating unit may go from a to its neighbour b (5.4, 12.1, 14.2); `gone` died in the battle."""
    foe = other(stand.side)
    return (
        b in field.table
        and field.enterable(b)
        and field.front(b) == field.front(stand.hex)
        and b not in field.closed(stand.side)
        and all(s in gone for s in field.held[foe].get(b, ()))
        and all(s in gone for s in field.zones[foe].get(b, ()))
        and field.ground.bridged(a, b)
    )


def ways_back(field: Field, stand: Stand, hexes: int, gone: AbstractSet[Stand] = NOBODY) -> Ways:
    """Where a unit may end a retreat of so many hexes: that far from where it fought, or in works on the way (14.2, 14.5).

    Where some ends have room and some have not, only the former (14.2).
    """
    if stand.static:
        return {}
    reached: dict[Hex, tuple[Hex, ...]] = {stand.hex: (stand.hex,)}
    ends: dict[Hex, tuple[Hex, ...]] = {}
    for step in range(1, hexes + 1):
        ahead: dict[Hex, tuple[Hex, ...]] = {}
        for hex, path in reached.items():
            for near in neighbours(hex):
                if near not in ahead and distance(stand.hex, near) == step and may_retreat(field, stand, hex, near, gone):
                    ahead[near] = (*path, near)
        reached = ahead
        ends |= {hex: path for hex, path in reached.items() if step == hexes or field.protects(hex, stand.side)}
    free = {hex: path for hex, path in ends.items() if field.room((stand,), hex, frozenset(gone))}
    return free or ends


def retreat(
    field: Field, stand: Stand, hexes: str, broken: bool, gone: AbstractSet[Stand] = NOBODY,
    nullified: AbstractSet[Hex] = frozenset(),
) -> Retreat:  # fmt: skip
    """What a retreat of one hex, or a panic of a die, does to a unit (14.2, 14.3, 14.5, 21.3).

    `broken` is a unit of a disintegrated front; works in `nullified` hexes don't count (20.5).
    """
    if broken and hexes != "1":
        return Retreat(stand, Fraction(1), (), "panic on a disintegrated front (21.3)")
    if not broken and field.protects(stand.hex, stand.side) and stand.hex not in nullified:
        return Retreat(stand, Fraction(0), (stand.hex,), "may stay (14.5)")
    if stand.static:
        return Retreat(stand, Fraction(1), (), "static (14.3)")
    far = {1: Fraction(1)} if hexes == "1" and not broken else dict(dice(field.limit("panic") if hexes == "1" else hexes))
    ways = {count: ways_back(field, stand, count, gone) for count in far}
    dies = sum((chance for count, chance in far.items() if not ways[count]), Fraction(0))
    why = "" if len(far) == 1 else "panic, moved by the enemy (14.2)"
    if len(far) == 1 and ways[1] and not any(field.room((stand,), hex, frozenset(gone)) for hex in ways[1]):
        why = "only where there is no room (11.5)"
    return Retreat(stand, dies, tuple(sorted(ways.get(1, {}))), why)


def broken(field: Field, stand: Stand, disintegrated: AbstractSet[str]) -> bool:
    """Whether a unit is one of a disintegrated front; Jordanians never are (21.3, 21.4)."""
    return (
        stand.side == "arab"
        and "keeps_order" not in stand.unit.abilities
        and (field.front(stand.hex) in disintegrated or "disintegrated" in stand.piece.states)
    )
