"""Ranges on a point map: the engine measures pixels there, so its points and the routes between them are listed."""

from __future__ import annotations

from modgen.vmod.beanshell import text_of
from modgen.vmod.faces import ranges
from modgen.vmod.zones import stops
from scenarios.game import Game
from scenarios.points import PointMap

DISTANCES = "Distances"
"""The property with every point's number and its distances, one figure for each point in order: |Suez=07:0132...|"""
FAR = 35
"""What stands where no range leads: the last figure to the base of 36."""


def table_name(distance: int) -> str:
    """The property that lists what lies within a distance of each point."""
    return f"Near{distance}"


def farthest(game: Game) -> int:
    """The longest range of any counter, in points."""
    found = [unit.factors.get(key, 0) for unit in game.units.values() for key, _ in ranges(game)]
    return max((int(held) for held in found if not isinstance(held, str)), default=0)


def reached(game: Game, table: PointMap, point: str) -> dict[str, int]:
    """Every point that a range can lead to, nearest first: into and out of no reserve area, past nothing that stops it."""
    closed = {key for area in table.areas.values() if area.kind == "reserve" for key in area.points}
    ends = stops(game, table)
    found = {point: 0}
    edge = [point] if point not in closed else []
    while edge:
        passed = (here for here in edge if here not in ends)
        further = dict.fromkeys(there for here in passed for there in table.adjacent(here))
        away = found[edge[0]] + 1
        edge = [there for there in further if there not in closed and there not in found]
        found |= dict.fromkeys(edge, away)
    return found


def near(game: Game) -> dict[str, str]:
    """For each distance that counters reach, one text with every point and what lies within: |Suez=Suez, Adabiya|"""
    tables = [table for table in game.maps.values() if isinstance(table, PointMap)]
    spans = range(1, farthest(game) + 1)
    listed: dict[str, list[str]] = {name: [] for name in (*map(table_name, spans), DISTANCES)}
    for table in tables:
        names = {key: point.name for key, point in table.points.items()}
        for i, (key, name) in enumerate(names.items()):
            reach = reached(game, table, key)
            for n in spans:
                listed[table_name(n)].append(f"{name}={', '.join(names[k] for k, away in reach.items() if away <= n)}")
            listed[DISTANCES].append(f"{name}={i:03}:{''.join(figure(reach.get(k, FAR)) for k in names)}")
    return {key: "|".join(["", *rows, ""]) for key, rows in listed.items()} if tables else {}


def figure(number: int) -> str:
    """A number up to 35 as one figure."""
    return "0123456789abcdefghijklmnopqrstuvwxyz"[min(number, FAR)]


def _row() -> str:
    """An expression for where a piece's own row begins, at the number of its point."""
    here = text_of("LocationName")
    return f'{text_of(DISTANCES)}.indexOf("|"+{here}+"=")+{here}.length()+2'


def number() -> str:
    """An expression for the number of the point that a piece stands on."""
    return f"{text_of(DISTANCES)}.substring({_row()},{_row()}+3)"


def points_to(number: str) -> str:
    """An expression for the points from where a piece stands to the point of a number."""
    return f"Character.getNumericValue({text_of(DISTANCES)}.charAt({_row()}+4+Integer.parseInt({number})))"


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
