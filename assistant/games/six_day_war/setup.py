"""Units that the set-up gives by area are put somewhere lawful, so that questions about the start have an answer (11.8, 24.1)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from assistant.games.six_day_war.fronts import SIDES, around, foe, static, terrain, within
from assistant.rules.field import Field, Standing
from assistant.rules.kinds import kinds_of, once
from assistant.rules.stacking import failures
from scenarios.game import Game
from scenarios.position import Position, from_scenario, groups
from scenarios.resolve import Resolver

LIVED_IN = ("fortified_city", "city", "town", "kibbutz", "airbase")
RULE = "set up by area; the hex is our choice: forts, then lived-in places, then others, those near the enemy first"


def started(game: Game, scenario: str) -> tuple[Position, frozenset[tuple[str, str]]]:
    """The start of the scenario with every unit on the map, and which ones were put in a hex of our choice.

    In the order of the set-up. A mobile Arab goes to a fortification that has none yet; the others, and the Israelis, to
    places where people live, then to any other hex of their area, the nearest to the enemy's country first; each to a hex
    of its own and out of enemy zones, if there is one.
    """
    return once(game, _started, scenario)


def _started(game: Game, scenario_id: str) -> tuple[Position, frozenset[tuple[str, str]]]:
    position, scenario = from_scenario(game, scenario_id), game.scenarios[scenario_id]
    trays = {f"setup:{side}/{key}": group for side, force in scenario.forces.items() for key, group in groups(force).items()}
    kinds = kinds_of(game, scenario_id)
    assert kinds is not None
    field = Field(kinds, position)
    resolver = Resolver(kinds.map, dict(scenario.zones))
    pieces = list(position.pieces)
    waiting = [i for i, piece in enumerate(pieces) if piece.unit in game.units and str(piece.at) in trays and trays[str(piece.at)].at]
    waiting.sort(key=lambda i: trays[str(pieces[i].at)].order or 0)
    away = {side: _away(field, side) for side in SIDES}
    order: dict[str, list[int]] = {}
    setup = _Setup(field)
    for i in waiting:
        piece = pieces[i]
        label = str(piece.at)
        if label not in order:
            area = trays[label].at
            assert area is not None
            hexes = [kinds.number[hex] for hex in resolver.places(area) if hex in kinds.number]
            order[label] = _order(field, hexes, away[game.units[piece.unit].side])
        if order[label]:
            n = setup.choose(field.as_if(piece._replace(at=kinds.places[order[label][0]])), order[label])
            if n is not None:
                pieces[i] = piece._replace(at=kinds.places[n])
                setup.put(field.as_if(pieces[i]))
    put = frozenset((pieces[i].unit, pieces[i].copy) for i in waiting if pieces[i].at in kinds.number)
    return replace(position, pieces=tuple(pieces)), put


class _Setup:
    """Who stands where, and which hexes they watch, as the set-up goes on."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self.held: dict[str, dict[int, list[Standing]]] = {side: {} for side in SIDES}
        self.zones: dict[str, set[int]] = {side: set() for side in SIDES}
        for standing in field.standings:
            self.put(standing)

    def put(self, standing: Standing) -> None:
        """One more unit on the map."""
        self.held[standing.side].setdefault(standing.at, []).append(standing)
        self.zones[standing.side].update(self.field.zones.around("zoc", standing))

    def choose(self, standing: Standing, order: Sequence[int]) -> int | None:
        """The first hex of an order that suits a unit best."""
        mine, enemies, zones = self.held[standing.side], self.held[foe(standing.side)], self.zones[foe(standing.side)]
        if standing.side == "arab" and not static(standing):
            for n in order:
                if terrain(self.field, n) == "fortification" and all(map(static, mine.get(n, ()))):
                    return n
        free, walker = [], self.field.walker(standing)
        for n in order:
            there = mine.get(n, ())
            if n in enemies or (there and failures(self.field, walker, n, (), there)):
                continue
            if n not in zones and not there:
                return n
            free.append(n)
        return min(free, key=lambda n: (n in zones, len(mine.get(n, ()))), default=None)


def _land(field: Field, n: int) -> bool:
    return field.game.tables["terrain"].looked_up(terrain(field, n), "cost") != "no"


def _order(field: Field, hexes: Collection[int], away: dict[int, int]) -> list[int]:
    """The hexes of an area in the order we fill them."""
    spots = field.kinds.map.spots  # type: ignore[union-attr]

    def key(n: int) -> tuple[bool, int, tuple[int, int]]:
        return terrain(field, n) not in LIVED_IN, away.get(n, len(away)), spots[field.kinds.places[n]]  # type: ignore[index]

    return sorted((n for n in hexes if _land(field, n)), key=key)


def _away(field: Field, side: str) -> dict[int, int]:
    """How far the hexes of a side's country are from the enemy's by land."""
    own = {n: within(field, n, "israel") == (side == "israeli") for n in range(len(field.kinds.places)) if _land(field, n)}
    edge = [n for n in own if own[n] and not all(own.get(m, True) for m in around(field, n))]
    found = dict.fromkeys(edge, 1)
    for n in edge:  # which grows
        for m in around(field, n):
            if own.get(m) and m not in found:
                found[m] = found[n] + 1
                edge.append(m)
    return found
