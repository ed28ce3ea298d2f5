"""A position as a save that VASSAL opens under the game's module."""

from __future__ import annotations

from modgen.vmod.files.lock import LOCK, CannotBuild, read_lock
from modgen.vmod.files.module import VASSAL, metadata, slots, stamp, version
from modgen.vmod.pieces import pieces
from modgen.vmod.setups.setups import commands, save
from modgen.vmod.setups.turns import phases, state
from modgen.vmod.sight.sight_tables import setup_values
from scenarios.model.game import Game
from scenarios.model.position import Position
from scenarios.reading.findings import suggest


def position_save(game: Game, position: Position) -> bytes:
    """The position as a .vsav file. Raises CannotBuild with a sentence if the module couldn't open it."""
    if position.scenario not in game.scenarios:
        suggestion = suggest(position.scenario, game.scenarios)
        raise CannotBuild(
            f"a save is of a scenario of the module; {game.id} has no scenario {position.scenario!r}; {suggestion}"
        )
    lock = read_lock(game.folder)
    gpids = slots(game, lock)
    if lock.as_text() != read_lock(game.folder).as_text():
        raise CannotBuild(
            f"{game.id} has counters that its module ({LOCK}) doesn't know yet; build the module first: modgen build"
        )
    scenario = game.scenarios[position.scenario]
    phase_names = lock.names.get("phases", phases(game)) if game.sequence else ["Play"]
    turn = state(game, scenario, phase_names, position.turn)
    text = commands(
        game, position, gpids, pieces.prototypes(game), turn, layout=setup_values(game).get(position.scenario, "")
    )
    return save(text, metadata(game), version(game), VASSAL, stamp(game), f"{scenario.title}, turn {position.turn}")
