"""Putting units that the set-up gives by area somewhere lawful, so that questions about the start have an answer."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from assistant.games.six_day_war.field import Field, Stand, other
from assistant.games.six_day_war.ground import SIDES
from scenarios.game import Game
from scenarios.hexes import Hex, neighbours
from scenarios.position import Piece, Position, from_scenario, groups
from scenarios.resolve import Resolver
from scenarios.same import Same

LIVED_IN = ("fortified_city", "city", "town", "kibbutz", "airbase")
RULE = "set up by area; the hex is our choice: forts, then lived-in places, then others, those near the enemy first"


def started(game: Game, scenario_id: str) -> Field:
    """The start of the scenario with every unit on the map."""
    return _started(Same(game), scenario_id)


@lru_cache(maxsize=8)
def _started(game: Same[Game], scenario_id: str) -> Field:
    return Field.of(game.value, *start(game.value, scenario_id))


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
    forts: dict[str, list[Hex]] = {}
    away: dict[str, dict[Hex, int]] = {}
    pieces = list(position.pieces)
    setup = _Setup(bare)
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
            forts[label] = [hex for hex in order[label] if bare.table.terrain[hex] == "fortification"]
        hex = setup.choose(piece, order[label], forts[label])
        if hex is not None:
            pieces[number] = piece._replace(at=hex)
            setup.put(Stand(game.units[piece.unit], pieces[number], hex))
    put = frozenset((pieces[n].unit, pieces[n].copy) for n in waiting if isinstance(pieces[n].at, Hex))
    return replace(position, pieces=tuple(pieces)), put


class _Setup:
    """Who stands where, and which hexes they watch, as the set-up goes on."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self.held: dict[str, dict[Hex, list[Stand]]] = {side: {} for side in SIDES}
        self.zones: dict[str, set[Hex]] = {side: set() for side in SIDES}
        for stand in field.stands:
            self.put(stand)

    def put(self, stand: Stand) -> None:
        """One more unit on the map."""
        self.held[stand.side].setdefault(stand.hex, []).append(stand)
        if self.field.watches(stand):
            self.zones[stand.side].update(self.field.ground.watched_from(stand.hex, stand.side))

    def choose(self, piece: Piece, order: list[Hex], forts: list[Hex]) -> Hex | None:
        """The first hex of an order that suits a unit best."""
        unit = self.field.game.units[piece.unit]
        mine, foe, zones = self.held[unit.side], self.held[other(unit.side)], self.zones[other(unit.side)]
        if unit.side == "arab" and unit.class_ == "mobile":
            for hex in forts:
                if all(s.static for s in mine.get(hex, ())):
                    return hex
        free = []
        for hex in order:
            if hex in foe or not self.field.fits([Stand(unit, piece, hex), *mine.get(hex, ())]):
                continue
            if hex not in zones and hex not in mine:
                return hex
            free.append(hex)
        return min(free, key=lambda hex: (hex in zones, len(mine.get(hex, ())))) if free else None


def _order(field: Field, hexes: list[Hex], away: dict[Hex, int]) -> list[Hex]:
    """The hexes of an area in the order we fill them."""

    def key(hex: Hex) -> tuple[bool, int, tuple[int, int]]:
        return field.table.terrain[hex] not in LIVED_IN, away.get(hex, len(away)), field.table.spot(hex)

    return sorted((hex for hex in hexes if field.enterable(hex)), key=key)


def _away(field: Field, side: str) -> dict[Hex, int]:
    """How far the hexes of a side's country are from the enemy's by land."""
    land = frozenset(hex for hex in field.table.hexes if field.enterable(hex))
    own = land & field.israel if side == "israeli" else land - field.israel
    near = {hex: [n for n in neighbours(hex) if n in land and n not in field.israel] for hex in land & field.israel}
    edge = [hex for hex in near if near[hex]] if side == "israeli" else [n for around in near.values() for n in around]
    found = dict.fromkeys(edge, 1)
    while edge:
        ahead = []
        for hex in edge:
            far = found[hex] + 1
            for n in neighbours(hex):
                if n in own and n not in found:
                    found[n] = far
                    ahead.append(n)
        edge = ahead
    return found
