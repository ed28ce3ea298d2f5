"""Builds a module with its lock: everything that old saves name stays, and new names are added."""

from __future__ import annotations

from modgen.cache import Cache, key_of
from modgen.notices import comes_with_mitla
from modgen.vmod.files.lock import LOCK, CannotBuild, LockChanged, missing, no_clash, read_lock, write_lock
from modgen.vmod.files.module import module_bytes
from modgen.vmod.pieces.face_pictures import badges
from modgen.vmod.pieces.faces import back_picture, front
from scenarios.model.game import Game
from scenarios.model.points import PointMap
from scenarios.vassal.windows import board_names


def make_module(game: Game, cache: Cache, is_locked: bool = False, pool: bool = True, new_lock: bool = False) -> bytes:
    """The module as a file. If the build added something to the pack's lock, it writes the lock.

    With `is_locked`, an addition raises LockChanged instead. With overlays, the lock isn't written.
    A pack that has lost its lock isn't built, unless `new_lock` is set.
    """
    if not board_names(game) or not (game.maps or game.scenario_maps):
        raise CannotBuild(
            "a module needs a board or a map of points to play on; add `boards` and `maps`, or build with --only kit"
        )
    if game.boards and any(isinstance(table, PointMap) for table in game.maps.values()):
        raise CannotBuild(
            "a module has boards of hexes or a map of points, not both; make a pack for each, or build with --only kit"
        )
    no_clash((name(key) for key in (*game.units, *game.markers) for name in (front, back_picture)), badges(game))
    had = key_of("lock", game.id, str(game.folder.resolve()))
    path = game.folder / LOCK
    if not path.exists() and not new_lock and not is_locked:
        if comes_with_mitla(game):
            raise CannotBuild(missing(path, "this pack comes with one"))
        if cache.get(had) is not None:
            raise CannotBuild(missing(path, "this pack was built with one"))
    lock = read_lock(game.folder)
    old_lock_text = lock.as_text()
    content = module_bytes(game, lock, cache, pool)
    if lock.as_text() != old_lock_text:
        if is_locked:
            raise LockChanged(f"{LOCK} would change; build without --locked and commit it")
        if not game.overlays:
            write_lock(game.folder, lock)
    if path.exists():
        cache.put(had, b"")
    return content
