"""The hexes of a map that the rules close to all units. The kit prints no paper for them."""

from __future__ import annotations

from collections.abc import Iterator

from scenarios.areas.resolving import Resolver
from scenarios.expressions import Binary, Expression, Name
from scenarios.model.game import Game
from scenarios.model.hexes import Hex
from scenarios.model.maps import HexMap
from scenarios.rules.shapes import Gate, Step


def closed_hexes(game: Game, map_id: str) -> frozenset[Hex]:
    """The hexes that no unit enters in any scenario on a map.

    A special rule always closes them to all units. Every kind of move has a record that forbids entering them or
    ending there.
    """
    field = game.maps.get(map_id)
    scenarios = [scenario for scenario in game.scenarios.values() if scenario.map == map_id]
    if game.rules is None or not game.rules.movement or not isinstance(field, HexMap) or not scenarios:
        return frozenset()
    forbidden_names = [
        {
            name
            for record in (*game.rules.spread(walk.steps), *game.rules.spread(walk.ends))
            for name in _forbidden_terrain(record)
        }
        for walk in game.rules.movement.values()
    ]
    everywhere = set.intersection(*forbidden_names)
    closed_hexes = []
    for scenario in scenarios:
        resolver = Resolver(field, scenario.zones)
        areas = [
            effect.at
            for special in scenario.special
            for effect in special.effects
            if effect.at
            and f"to.{effect.effect}" in everywhere
            and not (effect.side or effect.nation or effect.units or effect.turns)
        ]
        closed_hexes.append({spot for area in areas for spot in resolver.places(area) if isinstance(spot, Hex)})
    return frozenset(set.intersection(*closed_hexes))


def _forbidden_terrain(record: object) -> Iterator[str]:
    """The terrain that a record forbids to enter or to end in, for no other reason than its kind."""
    if isinstance(record, Step | Gate) and record.forbid and record.when is not None:
        yield from _sufficient_names(record.when.expression)


def _sufficient_names(expression: Expression) -> Iterator[str]:
    """The names of which each alone makes an expression true."""
    if isinstance(expression, Name):
        yield expression.name
    elif isinstance(expression, Binary) and expression.operator == "or":
        yield from _sufficient_names(expression.left)
        yield from _sufficient_names(expression.right)
