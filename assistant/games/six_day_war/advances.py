"""Advances after combat: where a unit may go, stop by stop (15)."""

from __future__ import annotations

from assistant.answers import Refusal
from assistant.games.six_day_war.field import Field, Stand
from assistant.games.six_day_war.retreats import Ways
from assistant.rules.movement import reach
from scenarios.hexes import Hex


def advances(field: Field, stand: Stand, hexes: int) -> Ways:
    """The hexes that a unit may end an advance in, each with a path (5.4, 12.7, 15.1 to 15.4, 25.4)."""
    declared = field.declared()
    found = reach(declared, field.standing(stand, declared), section="advance", result=hexes)
    if found.refused:
        raise Refusal(f"{stand.name} can't advance: {found.refused[0].text}", found.refused[0].rule)
    places, ways = declared.kinds.places, {}
    for n in found.costs:
        path = tuple([hex for step in found.path(n) if isinstance(hex := places[step], Hex)])
        if n not in found.barred and path[-1] != stand.hex:
            ways[path[-1]] = path
    return ways
