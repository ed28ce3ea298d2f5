"""What can't become a module: the build says which piece or id it is, and writes nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from modgen.build import build_games
from modgen.build_jobs import BuildJob
from modgen.cache import Cache
from modgen.cli import cli
from modgen.kit.options import options
from modgen.vmod.files.lock import LOCK, CannotBuild, read_lock
from tests.asking import run_command
from tests.packs import break_pack, copy

LOCK_DATA = {"next": 3, "gpids": {"cars": 1, "gun": 2}, "names": {}, "boards": {}}


def findings(pack: Path, output_folder: Path) -> list[str]:
    """What a build of the module says; it must not have written anything."""
    answer = build_games(
        [BuildJob(str(pack), (), False, ("module",), options())], output_folder, quiet=True, cache=Cache(None)
    )
    assert answer["files"] == [] and not list(output_folder.rglob("*.vmod"))
    return [*answer["findings"], *answer["wrong"], *answer["failed"]]


@pytest.mark.parametrize(
    "file, old, new, message",
    [
        ("map.yaml", 'at: "0301"}', 'at: "0999"}', "0999"),
        ("map.yaml", 'at: "0301"}', "at: {box: nowhere}}", "nowhere"),
        ("map.yaml", "infantry_blue: 2}, markers", "infantry_blu: 2}, markers", "infantry_blu"),
        ("counters.yaml", "  dry: {name", "  gun: {name", "'gun' is a counter's too"),
        ("counters.yaml", "  dry: {name", "  moved: {name", "moved can't be the id of a counter or marker"),
    ],
)
def test_a_bad_pack_makes_no_module(tmp_path: Path, file: str, old: str, new: str, message: str) -> None:
    pack, _, _ = break_pack(tmp_path, file, old, new)
    messages = findings(pack, tmp_path / "out")
    assert len(messages) == 1 and message in messages[0], messages
    assert not (pack / LOCK).exists()


def test_a_piece_off_the_map_makes_no_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A place that a pack may name and a module has not: the check of packs can't know."""
    from modgen.vmod.files import module
    from scenarios.model.position import from_scenario

    def misplaced_start(game: object) -> object:
        return {"noon": from_scenario(game, "noon").with_move("gun", "1", "box:nowhere")}  # type: ignore[arg-type]

    monkeypatch.setattr(module, "positions", misplaced_start)
    messages = findings(copy(tmp_path), tmp_path / "out")
    assert len(messages) == 1
    assert "gun 1 is in box:nowhere" in messages[0] and "scenario noon" in messages[0]


@pytest.mark.parametrize(
    "change, message",
    [
        ({"gpids": {"cars": 1, "gun": 1}}, "gives the id 1 to cars and to gun"),
        ({"next": 2}, "gives gun the id 2, but the next would be 2"),
        ({"names": 5}, "is damaged"),
    ],
)
def test_a_bad_lock_makes_no_module(tmp_path: Path, change: dict[str, object], message: str) -> None:
    pack = copy(tmp_path)
    (pack / LOCK).write_text(json.dumps(LOCK_DATA | change), encoding="utf-8")
    messages = findings(pack, tmp_path / "out")
    assert len(messages) == 1 and message in messages[0]
    with pytest.raises(CannotBuild, match=message):
        read_lock(pack)


def test_the_command_says_it_and_fails(tmp_path: Path) -> None:
    pack = copy(tmp_path)
    (pack / LOCK).write_text("{", encoding="utf-8")
    result = run_command(cli, "build", str(pack), "--only", "module", "--out", str(tmp_path / "out"), "--no-overlay")
    assert result.exit_code == 1
    assert "is damaged; take it from the last commit again" in result.output
