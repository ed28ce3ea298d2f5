"""Advances after combat: where a unit may go, stop by stop (15)."""

from __future__ import annotations

from assistant.attacks import BadQuestion
from assistant.games.six_day_war.field import Field, Stand, other
from assistant.games.six_day_war.retreats import Ways
from scenarios.hexes import Hex, neighbours


def advances(field: Field, stand: Stand, hexes: int) -> Ways:
    """The hexes that a unit may end an advance in, each with a path: not over the front boundary, not into closed country,
    water, an enemy or a full hex; zones of control don't matter, but a river without a bridge ends it (5.4, 12.7, 15.1 to
    15.4, 25.4)."""
    if stand.static:
        raise BadQuestion(f"{stand.name} is static and never advances (15.1)")
    foe, closed = field.held[other(stand.side)], field.closed(stand.side)
    found: dict[Hex, tuple[Hex, ...]] = {}
    stopped: dict[Hex, tuple[Hex, ...]] = {}
    moving: dict[Hex, tuple[Hex, ...]] = {stand.hex: (stand.hex,)}
    seen = {stand.hex}
    for _ in range(hexes):
        ahead: dict[Hex, tuple[Hex, ...]] = {}
        for hex, path in moving.items():
            for near in neighbours(hex):
                if near in seen or not field.enterable(near) or near in foe or near in closed:
                    continue
                if field.front(near) != field.front(stand.hex):
                    continue
                (ahead if field.ground.bridged(hex, near) else stopped).setdefault(near, (*path, near))
        seen |= ahead.keys()
        found |= ahead
        moving = ahead
    reached = {hex: min((ways[hex] for ways in (found, stopped) if hex in ways), key=len) for hex in {**found, **stopped}}
    return {hex: path for hex, path in reached.items() if hex != stand.hex and field.room((stand,), hex)}
