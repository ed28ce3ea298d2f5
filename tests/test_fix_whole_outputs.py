"""What a build writes is written whole: all outputs or none, on the disk before it gets its name, and nothing into the package."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from modgen.cli import cli
from scenarios.pack.pack_folder import SAMPLES
from tests.asking import run_command
from tests.packs import copy

LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
sys.argv = ["modgen", *sys.argv[2:]]
from modgen.cli import main
main()
"""
SAMPLE_NAMES = sorted(path.name for path in SAMPLES.iterdir() if (path / "game.yaml").exists())


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.skipif(sys.platform == "win32", reason="no limits there")
def test_a_full_disk_leaves_the_whole_old_set(tmp_path: Path) -> None:
    """The module has no room; the JSON, which is smaller and written first, stays the old one."""
    pack, out = copy(tmp_path), tmp_path / "out"
    words = ["build", str(pack), "--only", "json", "--only", "module", "--no-overlay", "--out", str(out)]
    assert run_command(cli, *words).exit_code == 0
    before = files_of(out)
    sizes = {name.rpartition(".")[2]: len(content) for name, content in before.items()}
    assert sizes["json"] < sizes["vmod"] - 1_000
    card = pack / "game.yaml"
    text = card.read_text(encoding="utf-8")
    card.write_text(text.replace("title: Two Wells", "title: Two Dry Wells"), encoding="utf-8")
    result = subprocess.run(
        [sys.executable, "-c", LIMITED, str(sizes["vmod"] - 1_000), *words], capture_output=True, text=True
    )
    assert result.returncode == 2 and "can't write to" in result.stderr and "Traceback" not in result.stderr
    assert files_of(out) == before
    assert run_command(cli, *words).exit_code == 0
    now = files_of(out)
    assert now.keys() == before.keys() and all(now[name] != before[name] for name in before)


def test_a_folder_in_the_way_of_one_output_leaves_the_others(tmp_path: Path) -> None:
    pack, out = copy(tmp_path), tmp_path / "out"
    (out / "two_wells" / "two_wells.vmod").mkdir(parents=True)
    words = ["build", str(pack), "--only", "json", "--only", "module", "--new-lock", "--no-overlay", "--out", str(out)]
    result = run_command(cli, *words)
    assert result.exit_code == 2 and "a folder has that name" in result.output
    assert files_of(out) == {}


def test_files_are_on_the_disk_before_they_get_their_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deeds: list[tuple[str, int]] = []
    fsync, replace = os.fsync, os.replace

    def watched_fsync(number: int) -> None:
        deeds.append(("fsync", os.fstat(number).st_ino))
        fsync(number)

    def watched_replace(old: str, new: str, **more: int) -> None:
        if Path(new).is_relative_to(tmp_path / "out") or Path(new).is_relative_to(tmp_path / "two_wells"):
            deeds.append(("rename", Path(old).stat().st_ino))
        replace(old, new, **more)

    monkeypatch.setattr(os, "fsync", watched_fsync)
    monkeypatch.setattr(os, "replace", watched_replace)
    words = [
        "build",
        str(copy(tmp_path)),
        "--only",
        "json",
        "--only",
        "module",
        "--no-overlay",
        "--out",
        str(tmp_path / "out"),
    ]
    assert run_command(cli, *words).exit_code == 0
    renamed = [file for deed, file in deeds if deed == "rename"]
    assert len(renamed) == 4, "the module, the JSON, its charts and the lock"
    for file in renamed:
        assert deeds.index(("fsync", file)) < deeds.index(("rename", file))


@pytest.mark.parametrize("name", SAMPLE_NAMES)
def test_building_a_sample_writes_nothing_into_the_package(name: str, tmp_path: Path) -> None:
    before = files_of(SAMPLES / name)
    words = ["build", str(SAMPLES / name), "--only", "module", "--locked", "--no-overlay", "--out", str(tmp_path)]
    result = run_command(cli, *words)
    assert result.exit_code == 0, result.output
    assert files_of(SAMPLES / name) == before and "module.lock.json" in before
