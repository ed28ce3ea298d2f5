"""What every question about a position needs: the game's ground, the position of a scenario or a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assistant.attacks import BadQuestion
from assistant.games.yom_kippur.field import Field, Stand, field_of
from assistant.games.yom_kippur.ground import Ground
from assistant.games.yom_kippur.placing import start
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.position import Position, from_file
from scenarios.reading.findings import instead

Options = Mapping[str, Any]


def asked_field(game: Game, options: Options) -> Field:
    """The units on the ground: `position` (a Position or a file), or the start of `scenario`."""
    position = options.get("position")
    if isinstance(position, str | Path):
        position = from_file(game, Path(position))
    if isinstance(position, Position):
        return field_of(Ground.of(game, position.scenario), position)
    scenario = options.get("scenario")
    if not scenario:
        raise BadQuestion(f"say which scenario or position; {game.id} has {', '.join(game.scenarios)}")
    if scenario not in game.scenarios:
        raise BadQuestion(f"there is no scenario {scenario!r}; {instead(str(scenario), game.scenarios)}")
    ground = Ground.of(game, str(scenario))
    placed, assumed = start(ground, str(scenario))
    return field_of(ground, placed, assumed)


def asked_unit(field: Field, name: str) -> Stand:
    """A unit on the map by its counter's id (`sam/3` for one of several) or its name."""
    for stand in field.stands:
        if name in (stand.key, stand.unit.id, stand.name):
            return stand
    known = [stand.key for stand in field.stands]
    if name in field.ground.game.units:
        raise BadQuestion(f"{name} is not on the map")
    raise BadQuestion(f"no unit on the map is called {name!r}; {instead(name, known)}")


def asked_hex(field: Field, name: str) -> Hex:
    """A hex by its name."""
    try:
        return field.ground.table.hex(name)
    except ValueError as error:
        raise BadQuestion(str(error)) from None
