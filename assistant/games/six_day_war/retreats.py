"""Retreats and panics: where a unit may go back to, and the chance that it dies of it (14)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fractions import Fraction

from assistant.games.six_day_war.field import Field, Stand, Walk, other
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
        field.enterable(b)
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


def _walks(field: Field, stand: Stand, hexes: int, gone: AbstractSet[Stand]) -> Sequence[Walk]:
    """Every hex that a retreating unit may enter within so many hexes."""
    enemies = frozenset(s for s in gone if s.side != stand.side)
    key = (stand.hex, stand.side, hexes, enemies)
    if key not in field.walked:
        field.walked[key] = tuple(_walk(field, stand, hexes, enemies))
    return field.walked[key]


def _walk(field: Field, stand: Stand, hexes: int, gone: AbstractSet[Stand]) -> Iterator[Walk]:
    seen: dict[Hex, tuple[Hex, ...]] = {stand.hex: (stand.hex,)}
    edge = [stand.hex]
    for steps in range(1, hexes + 1):
        ahead = []
        for hex in edge:
            for near in neighbours(hex):
                if near not in seen and may_retreat(field, stand, hex, near, gone):
                    seen[near] = (*seen[hex], near)
                    ahead.append(near)
                    yield Walk(seen[near], distance(stand.hex, near) == steps, field.protects(near, stand.side))
        edge = ahead


def _ends(field: Field, stand: Stand, hexes: int, walks: Sequence[Walk], gone: AbstractSet[Stand]) -> Ways:
    length = hexes + 1
    ends = {
        walk.path[-1]: walk.path
        for walk in walks
        if (walk.straight and len(walk.path) == length) or (walk.works and len(walk.path) <= length)
    }
    free = {hex: path for hex, path in ends.items() if field.room((stand,), hex, gone)}
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
    why = "no way back (14.2)" if dies == 1 else "panic, moved by the enemy (14.2)" if len(far) > 1 else ""
    if len(far) == 1 and dies < 1 and not any(field.room((stand,), hex, gone) for hex in ways[max(far)]):
        why = "only where there is no room (11.5)"
    return Retreat(stand, dies, ways, why)


def _far(hexes: str) -> dict[int, Fraction]:
    """How far a number or a die of hexes may be."""
    return {int(hexes): Fraction(1)} if hexes.isdecimal() else dict(dice(hexes))


def broken(field: Field, stand: Stand, disintegrated: AbstractSet[str]) -> bool:
    """Whether a unit is one of a disintegrated front, as told or as its marker shows; Jordanians never are (21.3, 21.4)."""
    return (
        stand.side == "arab"
        and "keeps_order" not in stand.unit.abilities
        and (field.front(stand.hex) in disintegrated | field.broken or "disintegrated" in stand.piece.states)
    )
