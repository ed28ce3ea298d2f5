"""Who has to attack and who has to be attacked (12.5, 13.3, 13.4, 13.11)."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.games.six_day_war.field import Field, Stand, other
from scenarios.hexes import Hex, neighbours


@dataclass(frozen=True)
class Duty:
    """A hex with units that must attack, or may, and the enemy hexes around it; all of which must be attacked by someone."""

    hex: Hex
    stands: tuple[Stand, ...]
    must: bool
    enemies: tuple[Hex, ...]


def duties(field: Field, side: str, front: str) -> tuple[Duty, ...]:
    """The stacks of a side on a front next to the enemy: those in an enemy zone must attack; those in their own works may,
    and then attack all around them (13.4). Static units never attack (13.11)."""
    foe = other(side)
    found = []
    for hex, stands in sorted(field.held[side].items()):
        able = tuple(s for s in stands if not s.static and "neutral" not in s.piece.states)
        enemies = tuple(
            near
            for near in neighbours(hex)
            if any("neutral" not in s.piece.states for s in field.held[foe].get(near, ())) and field.front(near) == front
        )
        if able and enemies and field.front(hex) == front:
            found.append(Duty(hex, able, hex in field.zones[foe], enemies))
    return tuple(found)


def to_attack(found: tuple[Duty, ...]) -> tuple[Hex, ...]:
    """Enemy hexes that somebody must attack: those next to a stack that has to (13.3, 13.5)."""
    return tuple(sorted({hex for duty in found if duty.must for hex in duty.enemies}))
