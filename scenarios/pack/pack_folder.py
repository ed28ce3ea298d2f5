"""The folders of packs, and the files in them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from scenarios.reading.findings import SHEETS, NoSuchGame, suggest, surely

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
