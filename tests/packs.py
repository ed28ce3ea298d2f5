"""Packs for tests: the small game as it is, or with something broken in it."""

from __future__ import annotations

import shutil
from pathlib import Path

TWO_WELLS = Path(__file__).parents[1] / "scenarios" / "samples" / "two_wells"


TWO_SIDES = """source: {mine: a test}
game: {id: small, title: Small, release: 2026-11-16}
sides: {red: Red, blue: Blue}
nations:
  red: {name: Red, side: red, colors: {fill: "#ffffff", ink: "#000000"}}
  blue: {name: Blue, side: blue, colors: {fill: "#ffffff", ink: "#000000"}}
"""
"""How a pack for tests of rules begins."""
SMALL = (
    TWO_SIDES
    + """terrain:
  clear: {name: Clear, mark: ".", color: "#ffffff"}
  woods: {name: Woods, mark: "w", color: "#00ff00"}
  lake: {name: Lake, mark: "l", color: "#0000ff"}
"""
)
"""Two sides on three kinds of ground."""


def copy(folder: Path) -> Path:
    """A copy of Two Wells to play with, without its lock, as if it had never been built."""
    return Path(shutil.copytree(TWO_WELLS, folder / "two_wells", ignore=shutil.ignore_patterns("module.lock.json")))


def break_pack(folder: Path, file: str, old: str, new: str) -> tuple[Path, int, int]:
    """A copy with one text replaced; and the line and column where the new text stands."""
    pack = copy(folder)
    path = pack / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file}"
    start = text.index(old)
    path.write_text(text.replace(old, new), encoding="utf-8")
    line = text.count("\n", 0, start) + 1
    return pack, line, start - text.rfind("\n", 0, start)
