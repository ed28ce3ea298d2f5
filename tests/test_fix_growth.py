"""What a build costs grows with what is built: calls with the counters, memory with the largest picture."""

from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path
from types import FrameType

import pytest
from PIL import Image

from benchmarks.growth import cost, pack
from modgen.cli import cli
from scenarios.pack.pack_folder import SAMPLES
from tests.asking import run_command

MEGABYTES = 800


def calls_of_a_build(folder: Path, counters: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many functions are called to build a module whose counters have backs that change no factor."""
    where = pack(folder / str(counters), counters, 8)
    file = where / "game.yaml"
    text = file.read_text(encoding="utf-8")
    assert text.count("back: {state: reduced, factors: {attack: 1}}") == counters
    file.write_text(
        text.replace("back: {state: reduced, factors: {attack: 1}}", "back: {state: reduced}"), encoding="utf-8"
    )
    monkeypatch.setenv("MITLA_CACHE", "off")
    count = 0

    def counted(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"

    words = ["build", str(where), "--only", "module", "--no-overlay", "--out", str(where / "out")]
    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        result = run_command(cli, *words)
    finally:
        sys.setprofile(before)
    assert result.exit_code == 0, result.output
    return count


def test_a_module_is_built_in_time_that_grows_with_its_counters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls_of_a_build(tmp_path / "first", 10, monkeypatch)  # imports what there is to import
    few, many = (calls_of_a_build(tmp_path, number, monkeypatch) for number in (100, 300))
    assert many < 3.3 * few


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured on Linux only")
@pytest.mark.parametrize("what", ["png", "tabletop"])
def test_pictures_of_a_small_game_take_little_memory(what: str, tmp_path: Path) -> None:
    spent = cost("build", str(SAMPLES / "island"), "--only", what, "--no-overlay", "--out", str(tmp_path))
    assert spent.megabytes < MEGABYTES, spent


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured on Linux only")
def test_the_board_of_a_large_map_has_a_palette_and_takes_little_memory(tmp_path: Path) -> None:
    """A board of 120 by 120 hexes has 45 million dots, 180 MB; it is never in memory whole in full colours."""
    words = [
        "build",
        str(pack(tmp_path / "large", 20, 120)),
        "--only",
        "module",
        "--no-overlay",
        "--out",
        str(tmp_path / "out"),
    ]
    spent = cost(*words)
    assert spent.megabytes < MEGABYTES, spent
    with zipfile.ZipFile(next((tmp_path / "out").rglob("*.vmod"))) as files:
        board = next(name for name in files.namelist() if name.startswith("images/board-sheet"))
        with Image.open(io.BytesIO(files.read(board))) as picture:
            assert picture.mode == "P" and picture.width * picture.height > 40_000_000
