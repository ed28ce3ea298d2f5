"""Putting units that a scenario sets up by area somewhere lawful, so that questions about the start have an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from assistant.games.yom_kippur.field import Assumed, Stand, field_of
from assistant.games.yom_kippur.ground import Ground
from scenarios.areas import Area
from scenarios.hexes import Hex, distance
from scenarios.position import Piece, Position, from_scenario, groups
from scenarios.resolve import Resolver


@lru_cache(maxsize=16)
def start(ground: Ground, scenario_id: str) -> tuple[Position, Assumed]:
    """The start of a scenario with every unit on the map, and which ones were put in a hex of our choice.

    A group set up within some hexes of a place goes to that place first, then around it, to swamps last; others spread over their
    area. Six steps to a hex (1.3), never with the enemy.
    """
    position = from_scenario(ground.game, scenario_id)
    scenario = ground.game.scenarios[scenario_id]
    areas = {
        f"setup:{side}/{key}": group.at for side, force in scenario.forces.items() for key, group in groups(force).items()
    }
    most = ground.limit("stack_steps")
    resolver = Resolver(ground.table, dict(scenario.zones))
    steps: dict[Hex, int] = {}
    owner: dict[Hex, str] = {}
    for piece in position.pieces:
        if isinstance(piece.at, Hex):
            _put(ground, piece, piece.at, steps, owner)
    pieces: list[Piece] = []
    assumed: set[tuple[str, str]] = set()
    order: dict[str, list[Hex]] = {}
    for piece in position.pieces:
        label = piece.at if isinstance(piece.at, str) else ""
        area = areas.get(label)
        unit = ground.game.units.get(piece.unit)
        if area is None or unit is None:
            pieces.append(piece)
            continue
        if label not in order:
            order[label] = _order(ground, resolver, area)
        hexes = (hex for hex in order[label] if owner.get(hex, unit.side) == unit.side)
        free = next((hex for hex in hexes if steps.get(hex, 0) + unit.steps <= most), None)
        if free is None:
            pieces.append(piece)
            continue
        _put(ground, piece, free, steps, owner)
        pieces.append(piece._replace(at=free))
        assumed.add((piece.unit, piece.copy))
    return replace(position, pieces=tuple(pieces)), frozenset(assumed)


@lru_cache(maxsize=16)
def at_start(ground: Ground, scenario_id: str) -> Mapping[int, Stand]:
    """The units on the map at the start of a scenario by the id of their piece, for all questions that begin there."""
    position, assumed = start(ground, scenario_id)
    return {id(stand.piece): stand for stand in field_of(ground, position, assumed).stands}


def _put(ground: Ground, piece: Piece, hex: Hex, steps: dict[Hex, int], owner: dict[Hex, str]) -> None:
    unit = ground.game.units.get(piece.unit)
    if unit is not None and "bridge" not in piece.states:
        steps[hex] = steps.get(hex, 0) + unit.steps - piece.steps_lost
        owner[hex] = unit.side


def _order(ground: Ground, resolver: Resolver, area: Area) -> list[Hex]:
    """The hexes of an area in the order we fill them: by distance from its middle, else evenly over the area."""
    found = sorted((hex for hex in resolver.places(area) if isinstance(hex, Hex)), key=ground.table.spot)
    if area.within is not None and area.within.of is not None:
        core = [hex for hex in resolver.places(area.within.of) if isinstance(hex, Hex)]
        wet = {hex: ground.off_road(hex, "mechanized") is None for hex in found}
        return sorted(found, key=lambda hex: (wet[hex], min((distance(hex, middle) for middle in core), default=0)))
    stride = max(1, len(found) // 12)
    return [hex for first in range(stride) for hex in found[first::stride]]
