"""Pursuit in Operation Musketeer (17.0)."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.attacks import BadQuestion
from assistant.games.musketeer.ground import Step
from assistant.games.musketeer.movement import Mover
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.hexes import Hex

ROWS = {"mechanized": "mechanized", "foot": "non-mechanized", "static": "static"}
ENDS = ("fortification", "city")  # 17.3 f


def pursuit_hexes(game: Game, unit: Unit) -> int:
    """How many hexes a unit pursues (17.2, 17.5)."""
    table = game.tables["pursuit"]
    if unit.class_ not in ROWS:
        raise BadQuestion(f"{unit.name} doesn't pursue (17.5)")
    return int(table.cell(ROWS[unit.class_], 0).code)


def pursuits(mover: Mover, cleared: Hex) -> Mapping[Hex, tuple[Hex, ...]]:
    """Every hex that a unit can end its pursuit in, with a way there: the cleared hex first, then any (17.3, 17.4)."""
    limit = pursuit_hexes(mover.here.game, mover.unit)
    found: dict[Hex, tuple[Hex, ...]] = {}
    onward: set[Hex] = set()
    edge: list[tuple[Hex, ...]] = [(mover.start,)]
    for gone in range(limit):
        after: list[tuple[Hex, ...]] = []
        for path in edge:
            for step in mover.ground.steps[path[-1]]:
                there = step.hex
                if (not gone and there != cleared) or there in onward or not _enters(mover, there, cleared):
                    continue
                found.setdefault(there, (*path, there))
                if not _stops(mover, step):
                    onward.add(there)
                    after.append((*path, there))
        edge = after
    return found


def _enters(mover: Mover, hex: Hex, cleared: Hex) -> bool:
    return (hex == cleared or hex not in mover.enemies) and hex in mover.open and mover.passable(hex)


def _stops(mover: Mover, step: Step) -> bool:
    """Beyond the canal or a river, in a fortification or a city (17.3 e, f)."""
    return step.wet or mover.here.table.terrain[step.hex] in ENDS
