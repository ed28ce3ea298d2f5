"""Ranges on a point map: the engine measures pixels there, so the points within one, two, three routes are listed."""

from __future__ import annotations

from modgen.vmod.faces import ranges
from scenarios.game import Game
from scenarios.points import PointMap
from scenarios.vassal.windows import map_of


def table_name(distance: int) -> str:
    """The property that lists what lies within a distance of each point."""
    return f"Near{distance}"


def farthest(game: Game) -> int:
    """The longest range of any counter, in points."""
    found = [unit.factors.get(key, 0) for unit in game.units.values() for key, _ in ranges(game)]
    return max((int(held) for held in found if not isinstance(held, str)), default=0)


def within(table: PointMap, point: str, distance: int) -> list[str]:
    """The names of the points at most that many routes away, nearest first; no range leads into a reserve area."""
    closed = {key for area in table.areas.values() if area.kind == "reserve" for key in area.points}
    found = [point]
    edge = [point] if point not in closed else []
    for _ in range(distance):
        edge = [
            there
            for there in dict.fromkeys(there for here in edge for there in table.adjacent(here))
            if there not in closed and there not in found
        ]
        found += edge
    return [table.points[key].name for key in found]


def near(game: Game) -> dict[str, str]:
    """For each distance that counters reach, one text with every point and what lies within: |Suez=Suez, Adabiya|"""
    table = map_of(game)
    if not isinstance(table, PointMap):
        return {}
    return {
        table_name(distance): "|".join(
            ["", *(f"{table.points[key].name}={', '.join(within(table, key, distance))}" for key in table.points), ""]
        )
        for distance in range(1, farthest(game) + 1)
    }


def told_points(factor: str, name: str) -> str:
    """An expression for the chat: the points within a counter's range, wherever it stands."""
    held = f'String.valueOf(GetProperty("Near"+{factor}))'
    start = f'{held}.indexOf("|"+LocationName+"=")'
    skipped = f"{start}+String.valueOf(LocationName).length()+2"
    listed = f'{held}.substring({skipped},{held}.indexOf("|",{start}+1))'
    return (
        f'{{{start}<0?PieceName+" stands on no point":PieceName+": {name} "+{factor}+" from "+LocationName+": "'
        f"+{listed}}}"
    )
