"""The pictures of the page: counters and maps, drawn on demand."""

from __future__ import annotations

from typing import Any

from art import svg
from art.counters.face import face
from art.counters.markers import draw_marker
from art.maps.hexmap import sheet_of
from art.maps.point_layout import point_sheet
from art.sheets.mapsheet import scenario_map, scenario_plan
from scenarios.areas.front_line import Point, front
from scenarios.areas.resolving import Location
from scenarios.model.game import Game
from scenarios.model.maps import HexMap
from scenarios.model.position import from_scenario


def counter_picture(game: Game, piece: str, is_back: bool) -> bytes | None:
    """Return a counter's front or back; None if there is no such counter."""
    if piece in game.units:
        return svg.to_bytes(face(game, game.units[piece], "back" if is_back else "front"))
    if piece in game.markers:
        return svg.to_bytes(draw_marker(game, piece, side="back" if is_back else "front"))
    return None


def map_picture(game: Game, scenario: str) -> bytes | None:
    """Return the map of a scenario; None if there is no such scenario."""
    return svg.to_bytes(scenario_map(game, scenario)) if scenario in game.scenarios else None


def map_spots(game: Game, scenario: str) -> dict[str, Any] | None:
    """Return the positions of the hexes or points of a scenario's map on its picture, in millimeters; None if there
    is no such scenario."""
    if scenario not in game.scenarios:
        return None
    plan, map = scenario_plan(game, scenario), game.scenario_maps[scenario]
    left, top = plan.map.x, plan.map.y
    if isinstance(map, HexMap):
        paper, hexes = sheet_of(map).paper, map.hexes
        towns = {hex: place.name for place in map.places.values() for hex in place.hexes}
        spots = [(map.name(hex), *paper.centre(hex), map.terrain[hex], towns.get(hex, "")) for hex in hexes]
        centre: dict[Location, Point] = {hex: paper.centre(hex) for hex in hexes}
    else:
        points, point_spots = map.points, point_sheet(map).points
        spots = [(key, *spot, points[key].terrain, points[key].name) for key, spot in point_spots.items()]
        centre = {key: point_spots[key] for key in point_spots}
    places = [
        {
            "name": name,
            "x": round(left + x, 2),
            "y": round(top + y, 2),
            "terrain": _terrain(game, terrain),
            "title": title,
        }
        for name, x, y, terrain, title in spots
    ]
    x, y = front(game, from_scenario(game, scenario), centre.get) or (plan.width / 2 - left, plan.height / 2 - top)
    front_spot = {"x": round(left + x, 2), "y": round(top + y, 2)}
    return {
        "width": plan.width,
        "height": plan.height,
        "hexes": isinstance(map, HexMap),
        "front": front_spot,
        "places": places,
    }


def _terrain(game: Game, key: str) -> str:
    return game.terrain[key].name if key in game.terrain else ""
