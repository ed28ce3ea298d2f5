"""Stacks that are too high when a phase ends (11)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from assistant.games.six_day_war.field import Field, Stand
from scenarios.hexes import Hex


@dataclass(frozen=True)
class TooMany:
    """A hex with too many units of a side: how many mobile and how many static ones must go."""

    hex: Hex
    stands: tuple[Stand, ...]
    mobile: int
    static: int


def too_many(field: Field) -> tuple[TooMany, ...]:
    """The hexes over the limits; Arabs keep the units of one contingent (11.2, 11.3, 11.5)."""
    found = []
    for side, held in field.held.items():
        for hex, stands in sorted(held.items()):
            mobile = [s for s in stands if not s.static]
            together = Counter(s.contingent if side == "arab" else side for s in mobile)
            kept = min(max(together.values(), default=0), field.mobile_limit[side])
            walls = max(0, len(stands) - len(mobile) - int(field.limit("static_stack")))
            if len(mobile) > kept or walls:
                found.append(TooMany(hex, stands, len(mobile) - kept, walls))
    return tuple(found)
