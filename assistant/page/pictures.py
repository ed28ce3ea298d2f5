"""The pictures of the page: counters and maps, drawn when asked for."""

from __future__ import annotations

from typing import Any

from art import svg
from art.counters import face
from art.hexmap import sheet_of
from art.mapsheet import scenario_map, scenario_plan
from art.markers import marker
from art.pointsheet import point_sheet
from scenarios.game import Game
from scenarios.maps import HexMap
from scenarios.position import WAITING, Piece, Position, from_scenario, shown


def counter_picture(game: Game, piece: str, back: bool) -> bytes | None:
    """A counter's front or back; None if there is no such counter."""
    if piece in game.units:
        return svg.to_bytes(face(game, game.units[piece], "back" if back else "front"))
    if piece in game.markers:
        return svg.to_bytes(marker(game, piece, side="back" if back else "front"))
    return None


def map_picture(game: Game, scenario: str) -> bytes | None:
    """The map of a scenario; None if there is no such scenario."""
    return svg.to_bytes(scenario_map(game, scenario)) if scenario in game.scenarios else None


def map_places(game: Game, scenario: str, position: Position | None = None) -> dict[str, Any] | None:
    """Where the hexes or points of a scenario's map lie on its picture, in millimetres, and who stands there.

    At the start, if no position is told."""
    if scenario not in game.scenarios:
        return None
    plan, table = scenario_plan(game, scenario), game.scenario_maps[scenario]
    left, top = plan.map.x, plan.map.y
    if isinstance(table, HexMap):
        paper, hexes = sheet_of(table).paper, table.hexes
        towns = {hex: place.name for place in table.places.values() for hex in place.hexes}
        spots = [(table.name(hex), *paper.centre(hex), table.terrain[hex], towns.get(hex, "")) for hex in hexes]
    else:
        points = table.points
        spots = [
            (key, *spot, points[key].terrain, points[key].name) for key, spot in point_sheet(table).points.items()
        ]
    places = [
        {"name": name, "x": round(left + x, 2), "y": round(top + y, 2), "terrain": _terrain(game, terrain), "title": title}
        for name, x, y, terrain, title in spots
    ]
    pieces: dict[str, list[dict[str, Any]]] = {}
    for piece in (position or from_scenario(game, scenario)).pieces:
        where = shown(table, piece.at)
        if where.partition(":")[0] not in WAITING:
            pieces.setdefault(where, []).append(_piece(game, piece))
    size = {"width": plan.width, "height": plan.height, "hexes": isinstance(table, HexMap)}
    return {**size, "places": places, "pieces": pieces}


def _piece(game: Game, piece: Piece) -> dict[str, Any]:
    back = game.units[piece.unit].back_state if piece.unit in game.units else ""
    side = "back" if back in piece.states else "front"
    return {"unit": piece.unit, "side": side, "states": sorted(piece.states - {back})}


def _terrain(game: Game, key: str) -> str:
    return game.terrain[key].name if key in game.terrain else ""
