"""What the questions have in common: the ground and the position, hexes by name, and how places and units stand in answers."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from assistant.answers import BadQuestion, Counter, Place
from assistant.asking import named_place
from assistant.games.arab_israeli_wars.ground import Ground, from_position
from assistant.questions import GONE, MARK, POSITION, PUT, Input, Told
from assistant.rules.changes import rearranged
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.opening import open_position
from scenarios.position import Position

SCENARIO = Input(name="scenario", about="the Situation: its map, its year, its armies", kind="choice", of="scenario")
MAP = Input(name="map", about="or the boards, one or in rows, as they lie", example="B / A turned")
CHANGED = (PUT, MARK, GONE)
WITH = Input(
    name="with", about="markers that stand there besides", kind="put", what_if=True, aliases=("works",), example="smoke@A-H-5",
)  # fmt: skip
RULING = Input(
    name="ruling", about="rulings that are read the other way", kind="pairs", values="text", between="=", aliases=("rulings",),
    example="sight_touch=clear",
)  # fmt: skip
ON_THE_GROUND = (SCENARIO, POSITION, MAP, *CHANGED, WITH, RULING)


def asked_position(game: Game, told: Told) -> Position | None:
    """The position that is told, changed as told; a Situation's or a map's has only the pieces that are put there."""
    position: Position | Path | None = told.get("position")
    changes = {one.name: told.get(one.name, ()) for one in CHANGED}
    if isinstance(position, Path):
        try:
            position = open_position(game, position)
        except OSError as error:
            raise BadQuestion(f"no position can be read from {str(position)!r}: {error.strerror}") from None
    if not any(changes.values()):
        return position
    held = position or Position(game.id, str(told.get("scenario", "")))
    ground = _ground(game, told, held)
    return rearranged(game, held, **changes, located=lambda text: named_place(ground.map, text, "put")).position


def _ground(game: Game, told: Told, position: Position | None) -> Ground:
    rulings = told.get("ruling", {})
    where = str(told.get("scenario") or told.get("map") or "")
    if position is not None and (position.scenario or where):
        return from_position(game, position, where="" if position.scenario else where, rulings=rulings)
    if not where:
        raise BadQuestion("say where: --map BOARDS, --scenario SITUATION or --position FILE (Basic III.A.3)")
    return Ground.of(game, where, rulings=rulings)


def asked_ground(game: Game, told: Told) -> tuple[Ground, Position | None]:
    """The ground that a question is asked on, with the markers that are told besides, and the position on it."""
    position = asked_position(game, told)
    ground = _ground(game, told, position)
    works: dict[Hex, set[str]] = {}
    for named in told.get("with", ()):
        hex = hex_of(ground, named.place)
        works.setdefault(hex, set(ground.works.get(hex, ()))).add(named.id)
    return ground.with_works(works), position


def hex_of(ground: Ground, name: str) -> Hex:
    """The hex of a name; BadQuestion where the Situation or map has none."""
    try:
        return ground.map.hex(name)
    except ValueError:
        pass
    try:
        found = named_place(ground.map, name)
    except BadQuestion as error:
        boards = [placed.board.id for placed in ground.map.placed]
        played = f"played on board{'s' * (len(boards) > 1)} {' and '.join(boards)}"
        where = f"; Situation {ground.scenario} is {played}" if ground.scenario else ""
        raise BadQuestion(f"{error}{where} (Basic III.A)") from None
    if not isinstance(found, Hex):
        raise BadQuestion(f"{name!r} is no hex of the map (Basic III.A)")
    return found


def place(ground: Ground, hex: Hex) -> Place:
    """A hex in an answer; where boards overlap, people read both its names."""
    return Place(ground.map.name(hex), "=".join(ground.map.names[hex]))


def places(ground: Ground, hexes: Iterable[Hex]) -> list[Place]:
    """Hexes in an answer, in their order."""
    return [place(ground, hex) for hex in hexes]


def counter(game: Game, unit: str, copy: str = "") -> Counter:
    """A unit or a marker in an answer, with its number."""
    name = game.units[unit].name if unit in game.units else game.markers[unit].name
    return Counter(f"{unit}/{copy}" if copy else unit, name)
