"""The checklist for a module update, followed with a game that was published and then changed."""

from __future__ import annotations

import datetime
import re
import shutil
import textwrap
from pathlib import Path

import pytest

from modgen.new import new_game
from tests.examples import assert_session, run

CHECKLIST = (Path(__file__).parent.parent / "docs" / "publishing.md").read_text("utf-8")
LORRIES = """  lorries:
    name: Lorries
    nation: red
    class: wheels
    type: cars
    factors: {attack: 0, defense: 1, movement: 6}
    count: 1
  cars:
"""


def change(path: Path, old: str, new: str) -> None:
    """Replace a text that stands once in a file."""
    text = path.read_text("utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), "utf-8")


@pytest.fixture
def game(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game whose module was published, in the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    new_game(Path("my_game"), "", datetime.date(2026, 11, 18), "two_wells")
    assert run("modgen", ["build", "my_game", "--only", "module"]).exit_code == 0
    Path("old").mkdir()
    shutil.copy("dist/my_game/my_game.vmod", "old")
    return Path("my_game")


def test_an_update_by_the_checklist(game: Path) -> None:
    change(game / "counters.yaml", "attack: 5, defense: 3", "attack: 5, defense: 2")
    change(game / "counters.yaml", "  cars:\n", LORRIES)
    change(game / "game.yaml", "release: 2026-11-18", "release: 2026-12-01")
    sessions = re.findall(r"^   ```\n(.*?)^   ```$", CHECKLIST, re.MULTILINE | re.DOTALL)
    assert len(sessions) == 5 and CHECKLIST.count("```") == 10
    for session in sessions:
        assert_session(textwrap.dedent(session))


def test_the_checklist_catches_what_breaks(game: Path) -> None:
    change(game / "counters.yaml", "  cars:\n", LORRIES)
    assert run("modgen", ["build", "my_game", "--only", "module", "--locked"]).exit_code == 1
    change(game / "counters.yaml", LORRIES, "  cars:\n")
    change(game / "counters.yaml", "  gun:\n", "  cannon:\n")
    change(game / "map.yaml", "gun: 1", "cannon: 1")
    assert run("modgen", ["build", "my_game", "--only", "module"]).exit_code == 0
    assert run("modgen", ["diff", "old/my_game.vmod", "dist/my_game/my_game.vmod"]).exit_code == 1
