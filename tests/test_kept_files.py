"""Packs, modules and saves of earlier releases are opened by today's code.

A folder of tests/data/kept/ has what a release wrote: a pack with its lock, its module, a position written by hand and the save
made of it. Its files are never made anew; a new release gets a folder of its own.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.cli import cli as assistant
from modgen.cache import Cache
from modgen.cli import cli as modgen
from modgen.vmod.check.diff import compare
from modgen.vmod.check.verify import verify_module
from modgen.vmod.files.locked_build import make_module
from scenarios import load
from scenarios.model.position import Position
from scenarios.opening_positions import open_position

RELEASE_FOLDERS = sorted((Path(__file__).parent / "data" / "kept").iterdir())
RELEASES = pytest.mark.parametrize("kept", RELEASE_FOLDERS, ids=[folder.name for folder in RELEASE_FOLDERS])


def pieces(position: Position) -> list[tuple[object, ...]]:
    return sorted(
        (piece.unit, piece.copy, str(piece.at), tuple(sorted(piece.states)), piece.steps_lost)
        for piece in position.pieces
    )


def test_there_is_one() -> None:
    assert "0.2" in [folder.name for folder in RELEASE_FOLDERS]


@RELEASES
def test_the_save_shows_what_was_put_into_it(kept: Path) -> None:
    game = load(kept / "two_wells")
    saved_position, written_position = (
        open_position(game, kept / "two_wells.vsav"),
        open_position(game, kept / "position.yaml"),
    )
    assert pieces(saved_position) == pieces(written_position) and len(written_position.pieces) == 5
    assert (
        (saved_position.scenario, saved_position.turn)
        == (written_position.scenario, written_position.turn)
        == ("noon", 3)
    )


@RELEASES
def test_the_module_is_whole(kept: Path) -> None:
    assert verify_module(kept / "two_wells.vmod", load(kept / "two_wells"))["problems"] == []


@RELEASES
def test_saves_keep_under_the_module_that_is_built_today(kept: Path, tmp_path: Path) -> None:
    """The lock is binding: it may grow, but what was saved then opens now."""
    pack = Path(shutil.copytree(kept / "two_wells", tmp_path / "two_wells"))
    (tmp_path / "now.vmod").write_bytes(make_module(load(pack), Cache(tmp_path / "cache")))
    assert compare(kept / "two_wells.vmod", tmp_path / "now.vmod")["breaks"] == []


@RELEASES
def test_the_commands_open_them(kept: Path, tmp_path: Path) -> None:
    pack, save, run = str(kept / "two_wells"), str(kept / "two_wells.vsav"), CliRunner()
    open_result = run.invoke(assistant, ["open", save, "--game", pack])
    assert open_result.exit_code == 0 and "0301" in open_result.output
    odds = run.invoke(assistant, ["odds", pack, "--position", save, "--from", "0201", "--at", "0301", "--json"])
    position_odds = run.invoke(
        assistant, ["odds", pack, "--position", str(kept / "position.yaml"), "--from", "0201", "--at", "0301", "--json"]
    )
    assert odds.exit_code == 0 and odds.output == position_odds.output
    import_result = run.invoke(modgen, ["import", str(kept / "two_wells.vmod"), "--to", str(tmp_path / "again")])
    assert import_result.exit_code == 0, import_result.output
