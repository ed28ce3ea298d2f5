"""Retreats and panics: where a unit may go back to, and the chance that it dies of it (14)."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from assistant.games.six_day_war.field import Field, Stand
from assistant.games.six_day_war.flight import Flight
from scenarios.dice import dice
from scenarios.hexes import Hex

NOBODY: frozenset[Stand] = frozenset()
STAY = "may stay (14.5)"
Ways = Mapping[Hex, tuple[Hex, ...]]
"""The hexes where a retreat may end, each with a path."""


@dataclass(frozen=True, eq=False)
class Retreat:
    """What a retreat does to a unit: the chance that it dies of it, and how many hexes it may be."""

    field: Field
    stand: Stand
    dies: Fraction
    why: str
    stays: bool = False
    """Works let it ignore the retreat (14.5)."""
    far: tuple[int, ...] = ()
    gone: AbstractSet[Stand] = NOBODY

    @cached_property
    def ways(self) -> Mapping[int, Ways]:
        """Where it may go, by the number of hexes."""
        return {count: ways_back(self.field, self.stand, count, self.gone) for count in self.far}

    @property
    def to(self) -> tuple[Hex, ...]:
        """Where it may be after a retreat of one hex."""
        if self.stays:
            return (self.stand.hex,)
        return tuple(sorted(ways_back(self.field, self.stand, 1, self.gone))) if 1 in self.far else ()

    @property
    def name(self) -> str:
        """Who it is."""
        return self.stand.name


def may_retreat(field: Field, stand: Stand, a: Hex, b: Hex, gone: AbstractSet[Stand] = NOBODY) -> bool:
    """Whether a retreating unit may go from a to its neighbour b (5.4, 12.1, 14.2); `gone` died in the battle."""
    return b in field.ground.ways_out(a) and _flight(field, stand, gone).open(b)


def ways_back(field: Field, stand: Stand, hexes: int, gone: AbstractSet[Stand] = NOBODY) -> Ways:
    """Where a unit may end a retreat of so many hexes: that far from where it fought, or in works on the way (14.2, 14.5).

    Only its end has to be that far away, so works may lie aside. Where some ends have room and some have not, only the
    former (14.2).
    """
    if stand.static:
        return {}
    ends = {path[-1]: path for path in _flight(field, stand, gone).ends(stand.hex, hexes)}
    free = {hex: path for hex, path in ends.items() if field.room((stand,), hex, gone)}
    return free or ends


def _flight(field: Field, stand: Stand, gone: AbstractSet[Stand]) -> Flight:
    return Flight.of(field, stand.side, (s for s in gone if s.side != stand.side))


def retreat(
    field: Field, stand: Stand, hexes: str, broken: bool, gone: AbstractSet[Stand] = NOBODY,
    nullified: AbstractSet[Hex] = frozenset(),
) -> Retreat:  # fmt: skip
    """What a retreat of one hex, or a panic of a die, does to a unit (14.2, 14.3, 14.5, 21.3).

    `broken` is a unit of a disintegrated front; works in `nullified` hexes don't count (20.5).
    """
    if broken and hexes != "1":
        return Retreat(field, stand, Fraction(1), "panic on a disintegrated front (21.3)")
    stays = not broken and field.protects(stand.hex, stand.side) and stand.hex not in nullified
    if stand.static:
        return Retreat(field, stand, Fraction(not stays), STAY if stays else "static (14.3)", stays)
    far = _far(field.limit("panic") if broken else hexes)
    if stays:
        return Retreat(field, stand, Fraction(0), STAY, stays, tuple(far), gone)
    dies = _flight(field, stand, gone).chance_of_no_end(stand.hex, far)
    why = "no way back (14.2)" if dies == 1 else "panic, moved by the enemy (14.2)" if len(far) > 1 else ""
    found = Retreat(field, stand, dies, why, stays, tuple(far), gone)
    if len(far) == 1 and dies < 1 and not any(field.room((stand,), hex, gone) for hex in found.ways[max(far)]):
        return Retreat(field, stand, dies, "only where there is no room (11.5)", stays, tuple(far), gone)
    return found


def _far(hexes: str) -> Mapping[int, Fraction]:
    """How far a number or a die of hexes may be."""
    return {int(hexes): Fraction(1)} if hexes.isdecimal() else dice(hexes)


def broken(field: Field, stand: Stand, disintegrated: AbstractSet[str]) -> bool:
    """Whether a unit is one of a disintegrated front, as told or as its marker shows; Jordanians never are (21.3, 21.4)."""
    return (
        stand.side == "arab"
        and "keeps_order" not in stand.unit.abilities
        and (field.front(stand.hex) in disintegrated | field.broken or "disintegrated" in stand.piece.states)
    )
