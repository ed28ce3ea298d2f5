"""Positions as VASSAL saves, where something installed can write them.

`modgen` can, and says so in its entry point `mitla.saves`. So the page offers it without knowing how a module is
built.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points

from assistant.page.response import Response
from assistant.questions.answer import BadQuestion
from scenarios.model.game import Game
from scenarios.model.position import Position

GROUP, NAME = "mitla.saves", "vassal"


def save_writer() -> Callable[[Game, Position], bytes] | None:
    """Return the function that writes a position as a VASSAL save; None where there is none."""
    writers = entry_points(group=GROUP, name=NAME)
    return next(iter(writers)).load() if writers else None


def can_save() -> bool:
    """Whether positions can be written as VASSAL saves here."""
    return bool(entry_points(group=GROUP, name=NAME))


def vassal_save(game: Game, position: Position) -> Response:
    """Return a position as a save that VASSAL opens."""
    write = save_writer()
    if write is None:
        raise BadQuestion("this page can't write VASSAL saves; save the position file, then run: modgen save GAME FILE")
    return Response(200, "application/octet-stream", write(game, position))
