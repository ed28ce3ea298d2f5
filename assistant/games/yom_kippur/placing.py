"""Putting units that a scenario sets up by area somewhere lawful, so that questions about the start have an answer."""

from __future__ import annotations

from dataclasses import replace

from assistant.rules.kinds import Kinds, kinds_of, once
from scenarios.areas import Area
from scenarios.game import Game
from scenarios.hexes import Hex, distance
from scenarios.maps import HexMap
from scenarios.position import Piece, Position, from_scenario, groups
from scenarios.resolve import Resolver


def start(game: Game, scenario: str) -> tuple[Position, frozenset[tuple[str, str]]]:
    """The start of a scenario with every unit on the map, and which ones were put in a hex of our choice."""
    return once(game, _start, scenario)


def _start(game: Game, scenario_id: str) -> tuple[Position, frozenset[tuple[str, str]]]:
    """A group set up within some hexes of a place goes to that place first, then around it, to swamps last; others spread over
    their area. Six steps to a hex (1.3), never with the enemy."""
    kinds = kinds_of(game, scenario_id)
    assert kinds is not None
    position, scenario = from_scenario(game, scenario_id), game.scenarios[scenario_id]
    areas = {f"setup:{side}/{key}": group.at for side, force in scenario.forces.items() for key, group in groups(force).items()}
    most = int(game.tables["limits"].cell("stack_steps", 0).code)
    resolver = Resolver(kinds.map, dict(scenario.zones))
    steps: dict[Hex, int] = {}
    owner: dict[Hex, str] = {}

    def put(piece: Piece, hex: Hex) -> None:
        unit = game.units.get(piece.unit)
        if unit is not None and "bridge" not in piece.states:
            steps[hex] = steps.get(hex, 0) + unit.steps - piece.steps_lost
            owner[hex] = unit.side

    for piece in position.pieces:
        if isinstance(piece.at, Hex):
            put(piece, piece.at)
    pieces: list[Piece] = []
    assumed: set[tuple[str, str]] = set()
    order: dict[str, list[Hex]] = {}
    for piece in position.pieces:
        label = piece.at if isinstance(piece.at, str) else ""
        area, unit = areas.get(label), game.units.get(piece.unit)
        if area is not None and unit is not None:
            if label not in order:
                order[label] = _order(kinds, resolver, area)
            side, count = unit.side, unit.steps
            room = (hex for hex in order[label] if owner.get(hex, side) == side and steps.get(hex, 0) + count <= most)
            hex = next(room, None)
            if hex is not None:
                put(piece, hex)
                assumed.add((piece.unit, piece.copy))
                piece = piece._replace(at=hex)
        pieces.append(piece)
    return replace(position, pieces=tuple(pieces)), frozenset(assumed)


def _order(kinds: Kinds, resolver: Resolver, area: Area) -> list[Hex]:
    """The hexes of an area in the order we fill them: by distance from its middle, else evenly over the area."""
    map, chart = kinds.map, kinds.program.game.tables["terrain"]
    assert isinstance(map, HexMap)
    hexes = sorted((hex for hex in resolver.places(area) if isinstance(hex, Hex)), key=map.spot)
    if area.within is not None and area.within.of is not None:
        core = [hex for hex in resolver.places(area.within.of) if isinstance(hex, Hex)]
        wet = {hex: chart.looked_up(map.terrain[hex], "mechanized") in ("P", "all") for hex in hexes}
        return sorted(hexes, key=lambda hex: (wet[hex], min((distance(hex, middle) for middle in core), default=0)))
    stride = max(1, len(hexes) // 12)
    return [hex for first in range(stride) for hex in hexes[first::stride]]
