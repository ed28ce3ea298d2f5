"""Retreats: where a beaten unit may go, and what the way costs it."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import dataclass
from typing import NamedTuple

from assistant.games.yom_kippur.field import Field, Stand, other
from scenarios.hexes import Hex, distance

NOBODY: frozenset[Stand] = frozenset()
NOWHERE: frozenset[Hex] = frozenset()


class Way(NamedTuple):
    """A way back, the steps that enemy zones on it cost (ruling combat_losses), and the room where it ends (1.3)."""

    path: tuple[Hex, ...]
    steps: int
    room: int = 0

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


class Changed(NamedTuple):
    """What a battle has changed for those who go back."""

    free: frozenset[Hex] = NOWHERE
    """Hexes whose enemies are all dead."""
    calm: frozenset[Hex] = NOWHERE
    """Hexes that only the zones of the dead covered."""
    empty: frozenset[Hex] = NOWHERE
    """Hexes that all friends leave, so that none keeps an enemy zone away."""
    left: frozenset[tuple[Hex, int]] = frozenset()
    """The steps that leave each hex, dead or alive, and make room there."""


UNCHANGED = Changed()


def changed(field: Field, side: str, gone: Collection[Stand] = NOBODY, leaving: Collection[Stand] = NOBODY) -> Changed:
    """What is different for a side once `gone` have died, who have neither hex nor zone, and `leaving` of its own have left."""
    foe = other(side)
    theirs, ours = field.held[foe], field.held[side]
    covered = {hex for stand in gone for hex in field.zone(stand)}
    hexes = {stand.hex for stand in leaving}
    return Changed(
        frozenset(stand.hex for stand in gone if all(s in gone for s in theirs[stand.hex])),
        frozenset(hex for hex in covered if all(s in gone for s in field.covering(foe, hex))),
        frozenset(hex for hex in hexes if all(s in leaving for s in ours[hex])),
        frozenset((hex, sum(s.steps for s in ours[hex] if s in leaving)) for hex in hexes),
    )


def ways(field: Field, stand: Stand, hexes: int, left: int, after: Changed = UNCHANGED) -> tuple[Way, ...]:
    """The ways to every hex so many hexes away where a unit with so many steps finds room: one for each end and price.

    Who would lose every step on the way is dead, way or not (1.3, 1.4a, rulings retreat_ways and canal_retreat).
    """
    key = _key(stand, hexes, after)
    if key not in field.ways:
        field.ways[key] = _ways(field, stand, hexes, after)
    return tuple([way for way in field.ways[key] if 0 < left - way.steps <= way.room])


def _key(stand: Stand, *more: Hashable) -> tuple[str, Hashable]:
    """All that a way depends on: units alike in it have the same ways."""
    abilities = stand.unit.abilities
    walker = stand.hex, stand.kind, "swims" in abilities, "stays_west" in abilities
    return stand.unit.side, (walker, *more)


def _ways(field: Field, stand: Stand, hexes: int, after: Changed) -> tuple[Way, ...]:
    side, start, afoot = stand.unit.side, stand.hex, field.ground.reading("canal_retreat")
    foe = other(side)
    bound = field.ground.east if "stays_west" in stand.unit.abilities else NOWHERE
    bridges, enemies, friends = field.open_bridges[side], field.held[foe], field.held[side]
    # A dearer way is kept too: who loses a step more on it may find room where it ends.
    best: dict[tuple[Hex, int], Way] = {(start, 0): Way((start,), 0)}
    for step in range(1, hexes + 1):
        ahead: dict[tuple[Hex, int], Way] = {}
        for (here, _), way in best.items():
            for near in field.could_enter(stand, here, bridges):
                if distance(start, near) != step or near in bound or (near in enemies and near not in after.free):
                    continue
                zoned = near not in after.calm and bool(field.covering(foe, near))
                if field.unaided(stand, here, near) and (afoot == "never" or (afoot == "crossing" and (hexes > 1 or zoned))):
                    continue
                cost = way.steps + (zoned and (near not in friends or near in after.empty))
                ahead.setdefault((near, cost), Way((*way.path, near), cost))
        best = ahead
    leaving, most = dict(after.left), field.ground.most_steps
    found = []
    for (end, _), way in best.items():
        there = sum(s.steps for s in friends.get(end, ())) - leaving.get(end, 0)
        found.append(way._replace(room=most - there))
    return tuple(sorted(found, key=lambda way: field.ground.table.spot(way.end)))


def retreat(field: Field, stand: Stand, hexes: int, left: int, after: Changed = UNCHANGED) -> Back:
    """The ways back that cost a unit least if it goes alone (ruling combat_losses)."""
    key = _key(stand, hexes, after, left)
    if key not in field.ways:
        found = ways(field, stand, hexes, left, after)
        least = min((way.steps for way in found), default=0)
        field.ways[key] = tuple([way for way in found if way.steps == least])
    return Back(stand, field.ways[key], left)
