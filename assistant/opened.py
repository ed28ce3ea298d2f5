"""A game in play, as text and JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from assistant.shared.folding import folded
from scenarios.cards import wrapped
from scenarios.game import Game
from scenarios.position import Piece, Position, shown

SHOWN = 12
"""How many kinds of what isn't known are named."""


def opened_json(game: Game, position: Position) -> dict[str, Any]:
    """A position for a program."""
    table = game.scenario_maps.get(position.scenario)
    pieces = [
        {"unit": piece.unit, "copy": piece.copy, "nation": piece.nation, "at": shown(table, piece.at),
         "states": sorted(piece.states), "steps_lost": piece.steps_lost}
        for piece in position.pieces
    ]  # fmt: skip
    head = {"game": game.id, "scenario": position.scenario, "turn": position.turn, "phase": position.phase}
    return {**head, "pieces": pieces, "unknown": unknown_json(game, position)}


def unknown_json(game: Game, position: Position) -> list[dict[str, str]]:
    """What a save has and the pack doesn't know, for a program."""
    table = game.scenario_maps.get(position.scenario)
    return [
        {"unit": one.unit, "copy": one.copy, "at": shown(table, one.at), **({"state": one.state} if one.state else {})}
        for one in position.unknown
    ]


def unknown_text(game: Game, position: Position) -> str:
    """What a save has and the pack doesn't know, in a sentence; nothing where it knows everything."""
    if not position.unknown:
        return ""
    table = game.scenario_maps.get(position.scenario)
    places: dict[str, list[str]] = {}
    for one in position.unknown:
        what = f"the state {one.state} of {one.unit}" if one.state else one.unit
        places.setdefault(what, []).append(shown(table, one.at))
    named = [f"{len(at)} x {what} ({', '.join(dict.fromkeys(at))})" for what, at in places.items()]
    more = [f"and {len(named) - SHOWN} more"] * (len(named) > SHOWN)
    fix = "if a counter was renamed, its pack can say so with `was`"
    return f"Not known to {game.id}, and left out: {', '.join([*named[:SHOWN], *more])}; {fix}."


def opened_text(game: Game, position: Position) -> Iterator[str]:
    """A position in lines: by side, nation and place; who waits is counted."""
    held = game.scenarios.get(position.scenario)
    yield f"{game.title}: {position.scenario} {held.title if held else ''}, turn {position.turn}"
    table = game.scenario_maps.get(position.scenario)
    sides: dict[str, dict[str, list[str]]] = {}
    for piece in position.pieces:
        where = shown(table, piece.at)
        sides.setdefault(_owner(game, position, piece), {}).setdefault(where, []).append(_named(game, piece))
    for side, places in sides.items():
        yield side
        for where, names in sorted(places.items()):
            yield from wrapped(f"{where}: " + ", ".join(_counted(names)))
    if left_out := unknown_text(game, position):
        yield from folded([left_out])


def _counted(names: list[str]) -> Iterator[str]:
    for name, count in Counter(names).items():
        yield f"{count} x {name}" if count > 1 else name


def _owner(game: Game, position: Position, piece: Piece) -> str:
    """Whose a piece is: its side, and its nation where the side has several."""
    unit = game.units.get(piece.unit)
    if unit is None:
        return "Markers"
    scenario = game.scenarios.get(position.scenario)
    own = scenario.sides if scenario else {}
    side = next((key for key, held in own.items() if piece.nation in held.nations), unit.side)
    held = own.get(side) or game.sides.get(side)
    name = held.name if held else side
    alike = [nation for nation in game.nations.values() if nation.side == unit.side]
    nation = game.nations.get(piece.nation) if len(alike) > 1 else None
    told = (nation.adjective or nation.name) if nation else ""
    return f"{name}, {told}" if told and told != name else name


def _named(game: Game, piece: Piece) -> str:
    unit = game.units.get(piece.unit)
    name = unit.name if unit is not None else game.markers[piece.unit].name
    states = ", ".join(game.states[state].name.lower() for state in sorted(piece.states))
    return f"{name} ({states})" if states else name
