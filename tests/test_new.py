"""`modgen new`: a pack that checks and builds at once, or a sentence."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.attack import odds, unit_fields
from modgen.cli import cli
from modgen.new import CannotStart, new_game
from scenarios import check, load
from scenarios.pack.pack_folder import samples
from tests.asking import run_command

DAY = datetime.date(2026, 1, 2)


def test_a_new_game_is_fine_and_fights(tmp_path: Path) -> None:
    folder = tmp_path / "My Great-Game"
    files = new_game(folder, "", DAY)
    assert all(file.is_file() for file in files) and [path.name for path in tmp_path.iterdir()] == ["My Great-Game"]
    assert check(folder) == []
    game = load(folder)
    assert (game.id, game.title, game.card.release) == ("my_great_game", "My Great Game", "2026-01-02")
    groups = {"attackers": [unit_fields(game, "tanks")], "defenders": [unit_fields(game, "infantry_north")]}
    assert odds(game, "assault", groups, {"terrain": "rough"}).column == "1-2"


def test_a_new_game_builds(tmp_path: Path) -> None:
    runner = CliRunner()
    assert runner.invoke(cli, ["new", str(tmp_path / "mine"), "--title", "Mine"]).exit_code == 0
    build_options = ["--out", str(tmp_path / "out"), "--only", "kit", "--only", "module", "--only", "json"]
    result = runner.invoke(cli, ["build", str(tmp_path / "mine"), *build_options])
    assert result.exit_code == 0, result.output
    file_names = {file.name for file in (tmp_path / "out" / "mine").iterdir()}
    assert {"mine-kit-a4.pdf", "mine.vmod", "mine.json"} <= file_names


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    new_game(tmp_path / "taken", "", DAY)
    with pytest.raises(CannotStart, match="isn't empty"):
        new_game(tmp_path / "taken", "", DAY)
    with pytest.raises(CannotStart, match="begins with a letter"):
        new_game(tmp_path / "1973", "", DAY)
    assert run_command(cli, "new", str(tmp_path / "1973")).exit_code == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["taken"]


@pytest.mark.parametrize("sample", samples())
def test_a_new_game_like_a_sample_has_its_rules(sample: str, tmp_path: Path) -> None:
    folder = tmp_path / "my_game"
    assert new_game(folder, "", datetime.date(2026, 11, 18), sample)
    assert check(folder) == []
    game, base = load(folder), load(sample)
    assert (game.id, game.title, game.card.release, game.card.year) == ("my_game", "My Game", "2026-11-18", 2026)
    assert game.rules is not None and base.rules is not None and list(game.rules.movement) == list(base.rules.movement)
    assert (folder / "RULES.md").is_file()


def test_a_sample_that_isnt_there(tmp_path: Path) -> None:
    with pytest.raises(CannotStart, match="did you mean corps"):
        new_game(tmp_path / "g", "", datetime.date(2026, 11, 18), "corp")
