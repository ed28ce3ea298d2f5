"""What reaches how far on the point map: headquarters (14.0) and missiles (20.3)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from assistant.games.october_war.ground import ENEMY, Ground
from assistant.shared.pointpaths import ways
from scenarios.counters import Unit
from scenarios.position import Piece
from scenarios.same import Same

SEA = "red_sea_crossing"


class Command(NamedTuple):
    """A unit and the headquarters that command it; `free` where it needs none to move in the second echelon."""

    piece: Piece
    by: tuple[str, ...]
    free: str


class Umbrella(NamedTuple):
    """A missile unit and the points it covers, with their distance."""

    piece: Piece
    points: Mapping[str, int]


def leader(unit: Unit) -> int:
    """The leader value of a headquarters; 0 of any other unit."""
    return int(str(unit.factors.get("leader", 0)))


def command_points(ground: Ground, point: str, side: str, radius: int) -> dict[str, int]:
    """The points in a headquarters' command radius (14.1, 14.2), with their distance.

    Enemies with the headquarters keep it to its own point, enemies on the way block it; never into or out of a
    reserve area (14.3).
    """
    enemy = ENEMY[side]

    def step(here: str, there: str, kinds: frozenset[str]) -> int | None:
        return None if ground.holds(enemy, here) or ground.off_map(there) or ground.off_map(here) else 1

    return dict(ways(ground.map, [point], step, radius).costs)


def commands(ground: Ground, side: str) -> tuple[Command, ...]:
    """Which units of a side are in command (14.1); an Arab headquarters commands its own army only (22.2)."""
    radius = [
        (unit, command_points(ground, str(piece.at), side, leader(unit)))
        for piece, unit in ground.units
        if unit.side == side and leader(unit)
    ]
    result = []
    for piece, unit in ground.units:
        if unit.side != side:
            continue
        assert isinstance(piece.at, str)
        by = tuple(
            hq.name for hq, points in radius if piece.at in points and (side == "israeli" or hq.nation == unit.nation)
        )
        result.append(Command(piece, by, _free(ground, piece.at, unit)))
    return tuple(result)


def commanded(ground: Ground, nation: str) -> set[str]:
    """The points in which units of a nation are in command (14.1, 22.2)."""
    return {
        point
        for piece, unit in ground.units
        if unit.nation == nation and leader(unit)
        for point in command_points(ground, str(piece.at), unit.side, leader(unit))
    }


def _free(ground: Ground, point: str, unit: Unit) -> str:
    if ground.off_map(point):
        return "in a reserve area (14.3)"
    return "needs no command (14.4, 23.1)" if "free_second_move" in unit.abilities else ""


def umbrella_points(ground: Ground, point: str, reach: int) -> Mapping[str, int]:
    """The points under missiles of this reach (20.3): over the canal, not across the Red Sea, not off the map (20.4)."""

    def step(here: str, there: str, kinds: frozenset[str]) -> int | None:
        return None if ground.map.points[here].terrain == SEA or ground.off_map(there) else 1

    return {} if ground.off_map(point) else ways(ground.map, [point], step, reach).costs


def umbrellas(ground: Ground, side: str) -> tuple[Umbrella, ...]:
    """The umbrellas of a side's missile units, worked out once for a position."""
    return _umbrellas(Same(ground), side)


@lru_cache(maxsize=16)
def _umbrellas(ground: Same[Ground], side: str) -> tuple[Umbrella, ...]:
    result = []
    for piece, unit in ground.value.units:
        if unit.side == side and "air_defense" in unit.abilities:
            assert isinstance(piece.at, str)
            reach = int(str(unit.factors.get("umbrella", 0)))
            result.append(Umbrella(piece, umbrella_points(ground.value, piece.at, reach)))
    return tuple(result)
