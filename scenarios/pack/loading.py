"""Load a game by its id or folder, from the cache or from its files, or report everything that is wrong with them."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scenarios.folders import standing_overlays
from scenarios.pack import pack_cache
from scenarios.pack.pack_folder import find_pack, overlay_pictures, pack_files, picture_files, sheet_files
from scenarios.reading.findings import Finding, PackError

if TYPE_CHECKING:
    from scenarios.model.game import Game


def load(game: str | Path, overlays: Iterable[Path] = (), with_config_overlays: bool = False) -> Game:
    """Load a game by id or folder. Raises PackError with everything that is wrong with its files.

    `overlays` are files with the user's own numbers. `with_config_overlays` adds those in the config folder.
    """
    folder, used = find_pack(game), list(overlays)
    with pause_collector():
        pictures = [
            *picture_files(folder),
            *overlay_pictures([*used, *(standing_overlays() if with_config_overlays else ())]),
        ]
        key = pack_cache.key_of(
            folder, [*pack_files(folder), *sheet_files(folder)], pictures, used, with_config_overlays
        )
        if key and (cached_game := pack_cache.read_cached(key, folder)) is not None:
            return cached_game
        loaded_game, findings = read_game(folder, used, with_config_overlays)
    if loaded_game is None or findings:
        raise PackError(findings)
    if key:
        pack_cache.keep(key, loaded_game)
    return loaded_game


@contextlib.contextmanager
def pause_collector() -> Iterator[None]:
    """Pause the garbage collector. Loading allocates much and frees nothing."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def check(game: str | Path, overlays: Iterable[Path] = (), with_config_overlays: bool = False) -> list[Finding]:
    """Everything that is wrong with a game's files. Empty if nothing is."""
    return read_pack(game, overlays, with_config_overlays)[1]


def read_pack(
    game: str | Path, overlays: Iterable[Path], with_config_overlays: bool
) -> tuple[Game | None, list[Finding]]:
    """Read as much of a game as possible, and everything that is wrong with its files."""
    with pause_collector():
        loaded_game, findings = read_game(find_pack(game), list(overlays), with_config_overlays)
    return loaded_game, sorted(set(findings))


def read_game(folder: Path, overlays: Sequence[Path], with_config_overlays: bool) -> tuple[Game | None, list[Finding]]:
    """Read as much of a game as possible from its files, with all findings."""
    # Imported late: a game from the cache is loaded without the readers of packs and without YAML.
    from scenarios.pack import building

    return building.read_game(folder, overlays, with_config_overlays)
