"""Missiles: who covers a hex."""

from __future__ import annotations

from assistant.games.yom_kippur.field import Field, Stand
from scenarios.hexes import Hex, distance


def umbrellas(field: Field, side: str, hex: Hex) -> tuple[Stand, ...]:
    """The missile units of a side that have a hex in range (1.10)."""
    return tuple(s for s in field.missiles[side] if distance(s.hex, hex) <= s.factor("sam_range"))


def under(field: Field, side: str) -> frozenset[Hex]:
    """All hexes that the missiles of a side have in range (1.10)."""
    ranges = {(s.hex, s.factor("sam_range").__floor__()) for s in field.missiles[side]}
    return frozenset().union(*(field.ground.within(hex, far) for hex, far in ranges))
