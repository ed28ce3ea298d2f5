"""Load a game by its id or folder, from the cache or from its files, or report everything that is wrong with them."""

from __future__ import annotations

import contextlib
import gc
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scenarios.reading.findings import SHEETS, Finding, NoSuchGame, PackError, suggest, surely

if TYPE_CHECKING:
    from scenarios.model.game import Game

RULEBOOKS = ("RULES.md", "rules.md")
PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".svg")
PACKS = Path(__file__).parents[1] / "packs"
SAMPLES = Path(__file__).parents[1] / "samples"


def shipped_games() -> list[str]:
    """The ids of the packs that are shipped with Mitla."""
    return sorted(path.parent.name for path in PACKS.glob("*/game.yaml"))


def samples() -> list[str]:
    """The ids of the small sample games that are shipped with Mitla."""
    return sorted(path.parent.name for path in SAMPLES.glob("*/game.yaml"))


def find_pack(game: str | Path) -> Path:
    """The folder of a pack: a shipped pack or sample by its id, or the user's own by its path."""
    if str(game) in shipped_games():
        return PACKS / str(game)
    if surely(Path(game).is_dir):
        return Path(game)
    if str(game) in samples():
        return SAMPLES / str(game)
    raise NoSuchGame(
        f"there is no game and no folder {str(game)!r}; {suggest(str(game), [*shipped_games(), *samples()])}"
    )


def load(game: str | Path, overlays: Iterable[Path] = (), with_config_overlays: bool = False) -> Game:
    """Load a game by id or folder. Raises PackError with everything that is wrong with its files.

    `overlays` are files with the user's own numbers. `with_config_overlays` adds those in the config folder.
    """
    from scenarios.folders import standing_overlays
    from scenarios.pack import pack_cache

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
    from scenarios.pack import building

    return building.read_game(folder, overlays, with_config_overlays)


def pack_files(folder: Path) -> list[Path]:
    """The files of a pack, `game.yaml` first."""
    files = [p for p in folder.rglob("*") if p.suffix in (".yaml", ".yml") and not p.name.startswith(".")]
    return sorted(files, key=lambda p: (p != folder / "game.yaml", natural(p.relative_to(folder).as_posix())))


def sheet_files(folder: Path) -> list[Path]:
    """The spreadsheets in a pack's folder, even those that its files don't name, and its rulebook."""
    rules = [folder / name for name in RULEBOOKS if (folder / name).is_file()]
    return sorted([p for p in folder.rglob("*") if p.suffix.lower() in SHEETS and not p.name.startswith(".")] + rules)


def picture_files(folder: Path) -> list[Path]:
    """The pictures in a pack's folder, even those that its files don't name."""
    return sorted(p for p in folder.rglob("*") if p.suffix.lower() in PICTURES and not p.name.startswith("."))


def overlay_pictures(overlays: Iterable[Path]) -> list[Path]:
    """The pictures beside overlays. Overlays may name them."""
    folders = sorted({path.parent for path in overlays})
    return [
        p for folder in folders if folder.is_dir() for p in sorted(folder.iterdir()) if p.suffix.lower() in PICTURES
    ]


def natural(name: str) -> list[tuple[int, int | str]]:
    """A sort key that puts s-2 before s-10."""
    return [(0, int(part)) if part.isdecimal() else (1, part) for part in re.split(r"(\d+)", name) if part]
