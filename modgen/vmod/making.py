"""Making a module with its lock: what old saves name stays, what is new is added."""

from __future__ import annotations

import contextlib

from modgen.cache import Cache
from modgen.files import write_text
from modgen.vmod.art import badges
from modgen.vmod.faces import back, front
from modgen.vmod.lock import NAME, CannotBuild, LockChanged, no_clash, read_lock
from modgen.vmod.module import module_bytes
from scenarios.game import Game
from scenarios.points import PointMap
from scenarios.vassal.windows import board_names


def make_module(game: Game, cache: Cache, locked: bool = False, pool: bool = True) -> bytes:
    """The module; the pack's lock is written where something was added to it, unless it is to stay as it is."""
    if not board_names(game) or not (game.maps or game.scenario_maps):
        raise CannotBuild("a module needs a board or a map of points to play on; add `boards` and `maps`, or build with --only kit")
    if game.boards and any(isinstance(table, PointMap) for table in game.maps.values()):
        raise CannotBuild("a module has boards of hexes or a map of points, not both; make a pack for each, or build with --only kit")
    no_clash((name(key) for key in (*game.units, *game.markers) for name in (front, back)), badges(game))
    lock = read_lock(game.folder)
    before = lock.as_text()
    content = module_bytes(game, lock, cache, pool)
    after = lock.as_text()
    if after != before:
        if locked:
            raise LockChanged(f"{NAME} would change; build without --locked and commit it")
        if not game.overlays:
            # A pack that can't be written to, such as an installed one, has the lock it came with.
            with contextlib.suppress(OSError):
                write_text(game.folder / NAME, after)
    return content
