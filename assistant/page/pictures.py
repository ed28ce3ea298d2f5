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


def map_places(game: Game, scenario: str) -> dict[str, Any] | None:
    """Where the hexes or points of a scenario's map lie on its picture, in millimetres."""
    if scenario not in game.scenarios:
        return None
    plan, table = scenario_plan(game, scenario), game.scenario_maps[scenario]
    left, top = plan.map.x, plan.map.y
    if isinstance(table, HexMap):
        paper = sheet_of(table).paper
        spots = [(table.names[hex][0], *paper.centre(hex)) for hex in table.hexes]
    else:
        spots = [(name, *spot) for name, spot in point_sheet(table).points.items()]
    places = [[name, round(left + x, 2), round(top + y, 2)] for name, x, y in spots]
    return {"width": plan.width, "height": plan.height, "places": places, "hexes": isinstance(table, HexMap)}
