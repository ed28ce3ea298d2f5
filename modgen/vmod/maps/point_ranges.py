"""Ranges on a point map. The engine measures pixels there, so the module lists points and the routes between them."""

from __future__ import annotations

from modgen.vmod.battle.beanshell import text_of
from modgen.vmod.maps.zones import stops
from modgen.vmod.pieces.faces import ranges
from scenarios.model.game import Game
from scenarios.model.points import PointMap

DISTANCES = "Distances"
"""The property with every point's number and its distances, one digit for each point in order: |Suez=07:0132...|"""
MAX_DISTANCE = 35
"""The distance of points out of range: the last digit to the base of 36."""


def table_name(distance: int) -> str:
    """The name of the property that lists the points within a distance of each point."""
    return f"Near{distance}"


def farthest(game: Game) -> int:
    """The longest range of any counter, in points."""
    range_values = [unit.factors.get(key, 0) for unit in game.units.values() for key, _ in ranges(game)]
    return max((int(range_value) for range_value in range_values if not isinstance(range_value, str)), default=0)


def points_in_range(game: Game, table: PointMap, point: str) -> dict[str, int]:
    """Every point that a range can reach, nearest first. A range doesn't enter or leave reserve areas, or pass what stops it."""
    closed_points = {key for area in table.areas.values() if area.kind == "reserve" for key in area.points}
    ends = stops(game, table)
    distances = {point: 0}
    edge = [point] if point not in closed_points else []
    while edge:
        passable_points = (edge_point for edge_point in edge if edge_point not in ends)
        further = dict.fromkeys(neighbour for edge_point in passable_points for neighbour in table.adjacent(edge_point))
        distance = distances[edge[0]] + 1
        edge = [neighbour for neighbour in further if neighbour not in closed_points and neighbour not in distances]
        distances |= dict.fromkeys(edge, distance)
    return distances


def range_texts(game: Game) -> dict[str, str]:
    """For each distance that counters reach, a text with every point and the points within that distance: |Suez=Suez, Adabiya|"""
    tables = [table for table in game.maps.values() if isinstance(table, PointMap)]
    spans = range(1, farthest(game) + 1)
    table_rows: dict[str, list[str]] = {name: [] for name in (*map(table_name, spans), DISTANCES)}
    for table in tables:
        names = {key: point.name for key, point in table.points.items()}
        for i, (key, name) in enumerate(names.items()):
            reach = points_in_range(game, table, key)
            for n in spans:
                table_rows[table_name(n)].append(
                    f"{name}={', '.join(names[k] for k, distance in reach.items() if distance <= n)}"
                )
            table_rows[DISTANCES].append(f"{name}={i:03}:{''.join(figure(reach.get(k, MAX_DISTANCE)) for k in names)}")
    return {key: "|".join(["", *rows, ""]) for key, rows in table_rows.items()} if tables else {}


def figure(number: int) -> str:
    """A number up to 35 as one digit."""
    return "0123456789abcdefghijklmnopqrstuvwxyz"[min(number, MAX_DISTANCE)]


def _row() -> str:
    """An expression for the position of a piece's row, at the number of its point."""
    location = text_of("LocationName")
    return f'{text_of(DISTANCES)}.indexOf("|"+{location}+"=")+{location}.length()+2'


def number() -> str:
    """An expression for the number of the point that a piece is on."""
    return f"{text_of(DISTANCES)}.substring({_row()},{_row()}+3)"


def points_to(number: str) -> str:
    """An expression for the distance in points from a piece to the point with a number."""
    return f"Character.getNumericValue({text_of(DISTANCES)}.charAt({_row()}+4+Integer.parseInt({number})))"


def told_points(factor: str, name: str) -> str:
    """An expression for the chat: the points within a counter's range, whatever point it is on."""
    near_table = f'String.valueOf(GetProperty("Near"+{factor}))'
    start = f'{near_table}.indexOf("|"+LocationName+"=")'
    list_start = f"{start}+String.valueOf(LocationName).length()+2"
    point_list = f'{near_table}.substring({list_start},{near_table}.indexOf("|",{start}+1))'
    return (
        f'{{{start}<0?PieceName+" stands on no point":PieceName+": {name} "+{factor}+" from "+LocationName+": "'
        f"+{point_list}}}"
    )
