"""Sight and what shields, hex by hex, for whoever keeps them in tables: a module's battles have no lines to follow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from assistant.games.arab_israeli_wars.ground import CANAL, Ground
from assistant.games.arab_israeli_wars.sight_board import BARS, CREST, HIGH
from assistant.games.arab_israeli_wars.sight_fast import Observer, sights
from scenarios.hexes import DIRECTIONS, Hex

OBSTACLES = ("smoke",)
"""The markers that can come between anywhere."""
CANAL_WORKS = ("trench", "fort", "improved_position")
"""The markers that change sight where there is a canal: a cut, and works on its east bank (Standard VI)."""


class Shield(NamedTuple):
    """What shields a hex: a bit for each direction whose hexside has a bar, and one for each with a crest."""

    bars: int
    crests: int
    high: bool
    """On a slope, where only crests shield (VII.F.4.a)."""


def rows(ground: Ground, viewer: Observer = "ground") -> Mapping[Hex, frozenset[Hex]]:
    """What is seen from every hex, its own included."""
    known = sights(ground)
    return {hex: known.seen_from(hex, viewer) for hex in ground.table.hexes}


def shields(ground: Ground) -> Mapping[Hex, Shield]:
    """What shields every hex."""
    codes = sights(ground).codes
    numbers = codes.numbers

    def bits(hex: Hex, wanted: int) -> int:
        number, found = numbers.number(hex), 0
        for d in range(len(DIRECTIONS)):
            here, plane = (number, d) if d < 3 else (number + numbers.steps[d], d - 3)
            found |= (1 << d) if codes.sides[plane][here] & wanted else 0
        return found

    high = {hex: bool(codes.hexes[numbers.number(hex)] & HIGH) for hex in ground.table.hexes}
    return {hex: Shield(bits(hex, BARS), bits(hex, CREST), high[hex]) for hex in ground.table.hexes}


def corners_shield(ground: Ground) -> bool:
    """Whether a hexside shields from a line that only touches its end."""
    return sights(ground).how.hull_end


def blocking(ground: Ground) -> tuple[str, ...]:
    """The markers that block every line that touches a side of their hex, the two ends' own sides aside; none where the pack's
    readings are otherwise."""
    how = sights(ground).how
    return OBSTACLES if how.corner and how.along and how.touch and (how.smoke_between or how.between) else ()


def hiding(ground: Ground) -> tuple[str, ...]:
    """The markers that change sight on this map, which no table of the bare map knows."""
    canal = CANAL in ground.table.terrain.values()
    return (*OBSTACLES, *(CANAL_WORKS if canal else ()))
