"""Retreats: where a beaten unit may go, and what the way costs it."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from assistant.games.yom_kippur.field import Field, Stand, other
from scenarios.hexes import Hex, distance

NOBODY: frozenset[Stand] = frozenset()


@dataclass(frozen=True)
class Way:
    """A way back and the steps that enemy zones on it cost (ruling combat_losses)."""

    path: tuple[Hex, ...]
    steps: int

    @property
    def end(self) -> Hex:
        """Where it ends."""
        return self.path[-1]


@dataclass(frozen=True)
class Back:
    """What a retreat does to a unit: the ways that cost it least, or none, and then it dies."""

    stand: Stand
    ways: tuple[Way, ...]
    left: int
    """The steps it has when the retreat begins."""

    @property
    def lost(self) -> int:
        """The steps the retreat costs: all, if there is no way."""
        return min(self.left, self.ways[0].steps) if self.ways else self.left


def retreat(
    field: Field, stand: Stand, hexes: int, left: int, gone: AbstractSet[Stand] = NOBODY,
    beside: AbstractSet[Stand] = NOBODY,
) -> Back:  # fmt: skip
    """The cheapest ways to every hex so many hexes away (1.4a, rulings combat_losses, retreat_ways and canal_retreat).

    `gone` died in the battle and have no zones; `beside` retreat too and keep no zone away from the hex they leave.
    """
    foe, side = other(stand.unit.side), stand.unit.side
    # A dearer way is kept too: who loses a step more on it may find room where it ends.
    best: dict[tuple[Hex, int], Way] = {(stand.hex, 0): Way((stand.hex,), 0)}
    for step in range(1, hexes + 1):
        ahead: dict[tuple[Hex, int], Way] = {}
        for (here, _), way in best.items():
            for near in field.could_enter(stand, here, field.open_bridges[side]):
                if distance(stand.hex, near) != step or not _open(field, stand, near, foe, gone):
                    continue
                friends = [s for s in field.held[side].get(near, ()) if s not in gone and s not in beside]
                zoned = any(s not in gone for s in field.zones[foe].get(near, ()))
                if field.unaided(stand, here, near) and (hexes > 1 or zoned):
                    continue
                cost = way.steps + (zoned and not friends)
                ahead.setdefault((near, cost), Way((*way.path, near), cost))
        best = ahead
    room = int(field.ground.limit("stack_steps"))
    ends = [way for way in best.values() if _steps(field, side, way.end, gone) + max(0, left - way.steps) <= room]
    least = min((way.steps for way in ends), default=0)
    # Who would lose every step on the way is dead, way or not.
    ways = sorted((way for way in ends if way.steps == least), key=lambda way: field.ground.table.spot(way.end))
    return Back(stand, tuple(ways) if least < left else (), left)


def _steps(field: Field, side: str, hex: Hex, gone: AbstractSet[Stand]) -> int:
    return sum(s.steps for s in field.held[side].get(hex, ()) if s not in gone)


def _open(field: Field, stand: Stand, hex: Hex, foe: str, gone: AbstractSet[Stand]) -> bool:
    """Whether a unit may go back to a hex that it could enter: no enemy is there, and it needn't stay west."""
    bound = "stays_west" in stand.unit.abilities and hex in field.ground.east
    return not bound and not any(s not in gone for s in field.held[foe].get(hex, ()))
