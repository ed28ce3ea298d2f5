"""Putting units that the set-up gives by area somewhere lawful, so that questions about the start have an answer."""

from __future__ import annotations

from dataclasses import replace

from assistant.games.six_day_war.field import Field, Stand, other
from scenarios.game import Game
from scenarios.hexes import Hex, neighbours
from scenarios.position import Piece, Position, from_scenario, groups
from scenarios.resolve import Resolver

LIVED_IN = ("fortified_city", "city", "town", "kibbutz", "airbase")
RULE = "set up by area; the hex is our choice: forts, then lived-in places, then others, those near the enemy first"


def start(game: Game, scenario_id: str) -> tuple[Position, frozenset[tuple[str, str]]]:
    """The start of the scenario with every unit on the map, and which ones were put in a hex of our choice (24.1, 11.8).

    In the order of the set-up. A mobile Arab goes to a fortification that has none yet; the others, and the Israelis, to
    places where people live, then to any other hex of their area, the nearest to the enemy's country first; each to a hex
    of its own and out of enemy zones, if there is one.
    """
    position = from_scenario(game, scenario_id)
    scenario = game.scenarios[scenario_id]
    trays = {
        f"setup:{side}/{key}": group for side, force in scenario.forces.items() for key, group in groups(force).items()
    }
    bare = Field.of(game, position)
    resolver = Resolver(bare.table, dict(scenario.zones))
    waiting = [
        number
        for number, piece in enumerate(position.pieces)
        if piece.unit in game.units and isinstance(piece.at, str) and piece.at in trays and trays[piece.at].at is not None
    ]
    waiting.sort(key=lambda number: trays[str(position.pieces[number].at)].order or 0)
    order: dict[str, list[Hex]] = {}
    away: dict[str, dict[Hex, int]] = {}
    pieces = list(position.pieces)
    field = bare
    for number in waiting:
        piece = pieces[number]
        label = str(piece.at)
        if label not in order:
            area = trays[label].at
            assert area is not None
            hexes = [hex for hex in resolver.places(area) if isinstance(hex, Hex)]
            side = game.units[piece.unit].side
            if side not in away:
                away[side] = _away(bare, side)
            order[label] = _order(bare, hexes, away[side])
        hex = _choose(field, piece, order[label])
        if hex is not None:
            pieces[number] = piece._replace(at=hex)
            field = Field.of(game, replace(position, pieces=tuple(pieces)), ground=bare.ground)
    put = frozenset((pieces[n].unit, pieces[n].copy) for n in waiting if isinstance(pieces[n].at, Hex))
    return replace(position, pieces=tuple(pieces)), put


def _order(field: Field, hexes: list[Hex], away: dict[Hex, int]) -> list[Hex]:
    """The hexes of an area in the order we fill them."""

    def key(hex: Hex) -> tuple[bool, int, tuple[int, int]]:
        return field.table.terrain[hex] not in LIVED_IN, away.get(hex, len(away)), field.table.spot(hex)

    return sorted((hex for hex in hexes if field.enterable(hex)), key=key)


def _away(field: Field, side: str) -> dict[Hex, int]:
    """How far hexes are from the enemy's country by land."""
    foreign = [h for h in field.table.hexes if field.enterable(h) and (h in field.israel) == (side == "arab")]
    found = dict.fromkeys(foreign, 0)
    edge = foreign
    while edge:
        ahead = []
        for hex in edge:
            for near in neighbours(hex):
                if near in field.table and near not in found and field.enterable(near):
                    found[near] = found[hex] + 1
                    ahead.append(near)
        edge = ahead
    return found


def _choose(field: Field, piece: Piece, order: list[Hex]) -> Hex | None:
    unit = field.game.units[piece.unit]
    mine, zones = field.held[unit.side], field.zones[other(unit.side)]
    if unit.side == "arab" and unit.class_ == "mobile":
        for hex in order:
            if field.table.terrain[hex] == "fortification" and all(s.static for s in mine.get(hex, ())):
                return hex
    free = []
    for hex in order:
        if hex in field.held[other(unit.side)]:
            continue
        stand = Stand(unit, piece, hex)
        if field.room((stand,), hex):
            if hex not in zones and hex not in mine:
                return hex
            free.append(hex)
    return min(free, key=lambda hex: (hex in zones, len(mine.get(hex, ())))) if free else None
