"""Packs for tests: the small game as it is, or with something broken in it."""

from __future__ import annotations

import shutil
from pathlib import Path

TWO_WELLS = Path(__file__).parents[1] / "scenarios" / "samples" / "two_wells"


def copy(folder: Path) -> Path:
    """A copy of Two Wells to play with."""
    return Path(shutil.copytree(TWO_WELLS, folder / "two_wells"))


def broken(folder: Path, file: str, old: str, new: str) -> tuple[Path, int, int]:
    """A copy with one text replaced; and the line and column where the new text stands."""
    pack = copy(folder)
    path = pack / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file}"
    start = text.index(old)
    path.write_text(text.replace(old, new), encoding="utf-8")
    line = text.count("\n", 0, start) + 1
    return pack, line, start - text.rfind("\n", 0, start)
