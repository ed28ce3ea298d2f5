"""Retreats and panics: where a unit may go back to, and the chance that it dies of it (14)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
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
    broken: bool = False
    """Its front has disintegrated, so works don't end its retreat (21.3)."""

    @cached_property
    def ways(self) -> Mapping[int, Ways]:
        """Where it may go, by the number of hexes."""
        return {count: ways_back(self.field, self.stand, count, self.gone, self.broken) for count in self.far}

    def ends(self, hexes: int) -> frozenset[Hex]:
        """All ends of a retreat of so many hexes, with and without room."""
        return _flight(self.field, self.stand, self.gone, self.broken).all_ends(self.stand.hex, hexes)

    @property
    def to(self) -> tuple[Hex, ...]:
        """Where it may be after a retreat of one hex."""
        if self.stays:
            return (self.stand.hex,)
        return tuple(sorted(ways_back(self.field, self.stand, 1, self.gone, self.broken))) if 1 in self.far else ()

    @property
    def name(self) -> str:
        """Who it is."""
        return self.stand.name


def may_retreat(field: Field, stand: Stand, a: Hex, b: Hex, gone: AbstractSet[Stand] = NOBODY) -> bool:
    """Whether a retreating unit may go from a to its neighbour b (5.4, 12.1, 14.2); `gone` died in the battle."""
    return b in field.ground.ways_out(a) and _flight(field, stand, gone).open(b)


def ways_back(field: Field, stand: Stand, hexes: int, gone: AbstractSet[Stand] = NOBODY, broken: bool = False) -> Ways:
    """Where a unit may end a retreat of so many hexes: that far from where it fought, or in works on the way (14.2, 14.5);
    of a `broken` front not in works (21.3).

    Only its end has to be that far away, so works may lie aside. Where some ends have room and some have not, only the
    former (14.2).
    """
    if stand.static:
        return {}
    ends = {path[-1]: path for path in _flight(field, stand, gone, broken).ends(stand.hex, hexes)}
    free = {hex: path for hex, path in ends.items() if field.room((stand,), hex, gone)}
    return free or ends


def _flight(field: Field, stand: Stand, gone: AbstractSet[Stand], broken: bool = False) -> Flight:
    return Flight.of(field, stand.side, (s for s in gone if s.side != stand.side), broken)


def risk(
    field: Field, stand: Stand, hexes: str, broken: bool, gone: AbstractSet[Stand] = NOBODY,
    nullified: AbstractSet[Hex] = frozenset(),
) -> tuple[Fraction, bool]:  # fmt: skip
    """The chance that a unit dies of a retreat of one hex or a panic of a die, and whether it may stay (14.2, 14.3, 14.5,
    21.3).

    `broken` is a unit of a disintegrated front; works in `nullified` hexes don't count (20.5).
    """
    if broken and hexes != "1":
        return Fraction(1), False
    if not broken and field.protects(stand.hex, stand.side) and stand.hex not in nullified:
        return Fraction(0), True
    if stand.static:
        return Fraction(1), False
    return _flight(field, stand, gone, broken).chance_of_no_end(stand.hex, _far(field, hexes, broken)), False


def retreat(
    field: Field, stand: Stand, hexes: str, broken: bool, gone: AbstractSet[Stand] = NOBODY,
    nullified: AbstractSet[Hex] = frozenset(),
) -> Retreat:  # fmt: skip
    """What a retreat of one hex, or a panic of a die, does to a unit, told as in `risk`."""
    dies, stays = risk(field, stand, hexes, broken, gone, nullified)
    if broken and hexes != "1":
        return Retreat(field, stand, dies, "panic on a disintegrated front (21.3)")
    if stand.static:
        return Retreat(field, stand, dies, STAY if stays else "static (14.3)", stays)
    far = tuple(_far(field, hexes, broken))
    why = STAY if stays else "no way back (14.2)" if dies == 1 else "panic, moved by the enemy (14.2)" if len(far) > 1 else ""
    found = Retreat(field, stand, dies, why, stays, far, gone, broken)
    if why or any(field.room((stand,), hex, gone) for hex in found.ways[far[0]]):
        return found
    return replace(found, why="only where there is no room (11.5)")


def back_together(
    field: Field, units: Sequence[tuple[Stand, bool]], hexes: str, dead: AbstractSet[Stand] = NOBODY,
    nullified: AbstractSet[Hex] = frozenset(),
) -> tuple[Retreat, ...]:  # fmt: skip
    """The retreats of units of a side, each with whether it is broken: who has to go leaves room for the others."""
    going = {s for s, loose in units if not risk(field, s, hexes, loose, dead, nullified)[1]}
    gone = frozenset((*dead, *going))
    return tuple(retreat(field, s, hexes, loose, gone, nullified) for s, loose in units)


def _far(field: Field, hexes: str, broken: bool) -> Mapping[int, Fraction]:
    """How far a number or a die of hexes may be; a retreat of a broken unit is a panic (21.3)."""
    told = field.limit("panic") if broken else hexes
    return {int(told): Fraction(1)} if told.isdecimal() else dice(told)


def broken(field: Field, stand: Stand, disintegrated: AbstractSet[str]) -> bool:
    """Whether a unit is one of a disintegrated front, as told or as its marker shows; Jordanians never are (21.3, 21.4)."""
    return (
        stand.side == "arab"
        and "keeps_order" not in stand.unit.abilities
        and (field.front(stand.hex) in disintegrated | field.broken or "disintegrated" in stand.piece.states)
    )
