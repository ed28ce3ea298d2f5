"""Pursuit (17.0)."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.answers import Answer, BadQuestion, Cell, Column, Line, Ours, Place, Places, Refusal, Value
from assistant.games.musketeer.asking import PLACED, asked_hex, asked_placed, counter, place
from assistant.games.musketeer.contingents import label
from assistant.games.musketeer.ground import Step
from assistant.games.musketeer.movement import Mover
from assistant.games.musketeer.stacking import room
from assistant.questions import Input, Question, Told
from assistant.shared.sourced import ours
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.hexes import Hex, distance

ROWS = {"mechanized": "mechanized", "foot": "non-mechanized", "static": "static"}
ENDS = ("fortification", "city")  # 17.3 f


def pursuit_hexes(game: Game, unit: Unit) -> int:
    """How many hexes a unit pursues (17.2, 17.5)."""
    table = game.tables["pursuit"]
    if unit.class_ not in ROWS:
        raise Refusal(f"{unit.name} doesn't pursue", "17.5")
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


def _pursuit(game: Game, told: Told) -> Answer:
    placed = asked_placed(game, told)
    here, unit, start = placed.here, placed.unit, placed.start
    if placed.landed:
        raise Refusal(f"{label(game, unit)} is in a direct assault: it doesn't pursue out of its hex", "29.5")
    far = pursuit_hexes(game, unit)
    if not far:
        raise Refusal(f"{label(game, unit)} is static: it doesn't pursue", "17.5")
    cleared = asked_hex(here.table, told, "cleared")
    if cleared is None or distance(start, cleared) != 1:
        raise BadQuestion("say which hex next to it was cleared: cleared=HEX (17.3)")
    reach: dict[Place, dict[str, Cell]] = {}
    for hex, path in pursuits(Mover(here, unit, start, placed.disrupted), cleared).items():
        may_end = hex == start or room(here, unit, hex)
        way = [place(here.table, step) for step in path]
        reach[place(here.table, hex)] = {"path": way, "may_end": may_end, "note": "" if may_end else "no room (12.1, 12.5)"}
    who = counter(game, unit)
    return Answer("pursuit", game.id, [
        Line((who, " in ", placed.place)), Value("unit", who, shown=False), Value("from", placed.place, shown=False),
        Value("allowance", far, "Pursues so many hexes at most", "17.2"),
        Places("reach", reach, "Into", [Column("path", "way"), Column("note", "note")]),
        Ours(ours(game, cells=[("pursuit", ROWS[unit.class_], "hexes")])),
    ])  # fmt: skip


PURSUIT = Question(
    name="pursuit", about="where a unit can pursue to", answer=_pursuit, bare=("unit", "from", "cleared"),
    inputs=(*PLACED, Input(name="cleared", about="the hex that was cleared", kind="place")),
)  # fmt: skip
