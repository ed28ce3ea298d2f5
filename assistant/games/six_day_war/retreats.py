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
STAY = "may stay (14.5)"
Ways = Mapping[Hex, tuple[Hex, ...]]
"""The hexes where a retreat may end, each with a path."""


@dataclass(frozen=True)
class Retreat:
    """What a retreat does to a unit: the chance that it dies of it, and where it may go, by the number of hexes."""

    stand: Stand
    dies: Fraction
    ways: Mapping[int, Ways]
    why: str
    stays: bool = False
    """Works let it ignore the retreat (14.5)."""

    @property
    def to(self) -> tuple[Hex, ...]:
        """Where it may be after a retreat of one hex."""
        return (self.stand.hex,) if self.stays else tuple(sorted(self.ways.get(1, {})))

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

    Only its end has to be that far away, so works may lie aside. Where some ends have room and some have not, only the
    former (14.2).
    """
    return {} if stand.static else _ends(field, stand, hexes, _walks(field, stand, hexes, gone), gone)


def _walks(field: Field, stand: Stand, hexes: int, gone: AbstractSet[Stand]) -> Ways:
    """Every hex that a retreating unit may enter within so many hexes, with a shortest path."""
    seen: dict[Hex, tuple[Hex, ...]] = {stand.hex: (stand.hex,)}
    edge = [stand.hex]
    for _ in range(hexes):
        ahead = []
        for hex in edge:
            for near in neighbours(hex):
                if near not in seen and may_retreat(field, stand, hex, near, gone):
                    seen[near] = (*seen[hex], near)
                    ahead.append(near)
        edge = ahead
    return seen


def _ends(field: Field, stand: Stand, hexes: int, walks: Ways, gone: AbstractSet[Stand]) -> Ways:
    ends = {
        hex: path
        for hex, path in walks.items()
        if 1 < len(path) <= hexes + 1 and (distance(stand.hex, hex) == hexes or field.protects(hex, stand.side))
    }
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
        return Retreat(stand, Fraction(1), {}, "panic on a disintegrated front (21.3)")
    stays = not broken and field.protects(stand.hex, stand.side) and stand.hex not in nullified
    if stand.static:
        return Retreat(stand, Fraction(not stays), {}, STAY if stays else "static (14.3)", stays)
    far = _far(field.limit("panic") if broken else hexes)
    walks = _walks(field, stand, max(far), gone)
    ways = {count: _ends(field, stand, count, walks, gone) for count in far}
    if stays:
        return Retreat(stand, Fraction(0), ways, STAY, stays)
    dies = sum((chance for count, chance in far.items() if not ways[count]), Fraction(0))
    why = "panic, moved by the enemy (14.2)" if len(far) > 1 else "no way back (14.2)" if dies else ""
    if len(far) == 1 and dies < 1 and not any(field.room((stand,), hex, frozenset(gone)) for hex in ways[max(far)]):
        why = "only where there is no room (11.5)"
    return Retreat(stand, dies, ways, why)


def _far(hexes: str) -> dict[int, Fraction]:
    """How far a number or a die of hexes may be."""
    return {int(hexes): Fraction(1)} if hexes.isdigit() else dict(dice(hexes))


def broken(field: Field, stand: Stand, disintegrated: AbstractSet[str]) -> bool:
    """Whether a unit is one of a disintegrated front, as told or as its marker shows; Jordanians never are (21.3, 21.4)."""
    return (
        stand.side == "arab"
        and "keeps_order" not in stand.unit.abilities
        and (field.front(stand.hex) in disintegrated | field.broken or "disintegrated" in stand.piece.states)
    )
