"""What a build can't do ends in a sentence: deep elements, long numbers, odd file names, processes that are killed."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from modgen.cli import cli as modgen
from scenarios.pack.pack_folder import SAMPLES
from tests.asking import run_command
from tests.packs import TWO_WELLS, break_pack, copy
from tests.vassal_module import element, module

BOX = "VASSAL.build.widget.BoxWidget"
KILLED = """
import os, signal, sys
if {killed}:
    os.kill(os.getpid(), signal.SIGKILL)
"""


def process(*words: object, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """The command line in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "modgen.cli", *map(str, words)], capture_output=True, env={**os.environ, **environment}
    )


def nested(depth: int) -> str:
    """Elements in elements."""
    inner = element(BOX)
    for _ in range(depth):
        inner = element(BOX, inner)
    return inner


@pytest.mark.parametrize("patch", [True, False])
def test_a_build_file_of_elements_in_elements_is_a_sentence(patch: bool, tmp_path: Path) -> None:
    old, new = module(tmp_path / "old.vmod"), module(tmp_path / "new.vmod", nested(5_000))
    pack = copy(tmp_path)
    for files in ((old, new), (new, old)):
        result = run_command(modgen, "diff", *files, *(["--patch", pack] if patch else []))
        assert result.exit_code == 2
        assert "new.vmod is a damaged module (buildFile.xml: its elements lie more than 60 deep" in result.stderr
    assert not (pack / "module.patch.json").exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"at": [], "add": nested(5_000)}, "its elements lie more than 60 deep"),
        ({"at": [f"BoxWidget#{n}" for n in range(5_000)], "add": nested(1)}, "change 1 isn't one"),
    ],
    ids=["added", "place"],
)
def test_a_patch_of_elements_in_elements_is_a_sentence(change: object, said: str, tmp_path: Path) -> None:
    pack = copy(tmp_path)
    (pack / "module.patch.json").write_text(json.dumps({"patch": 1, "changes": [change], "files": {}}))
    result = run_command(modgen, "build", pack, "--only", "module", "--out", tmp_path / "out")
    assert result.exit_code == 1 and said in result.stderr, result.output


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("multiply: 2}", f"multiply: {'9' * 320}}}"),
        ("multiply: 2}", f"multiply: 0.{'9' * 320}}}"),
        ("hexes >= 3", f"hexes >= {'9' * 320}"),
    ],
)
def test_a_number_of_an_expression_has_few_digits(old: str, new: str, tmp_path: Path) -> None:
    pack, line, _ = break_pack(tmp_path, "counters.yaml", old, new)
    result = run_command(modgen, "check", pack, "--no-overlay")
    assert result.exit_code == 1
    assert f"counters.yaml:{line}:" in result.output
    assert "is too long; a number has at most 12 digits before the point and 12 after it" in result.output


@pytest.mark.parametrize("label", ["9" * 320, "9" * 5_000], ids=["320", "5000"])
def test_odds_of_a_table_have_few_digits(label: str, tmp_path: Path) -> None:
    text = (TWO_WELLS / "counters.yaml").read_text(encoding="utf-8")
    first = next(part for part in ("3-1", "4-1", "2-1") if text.count(part) == 1)
    pack, line, _ = break_pack(tmp_path, "counters.yaml", first, f"{label}-1")
    result = run_command(modgen, "check", pack, "--no-overlay")
    assert result.exit_code == 1 and f"counters.yaml:{line}:" in result.output and "is no odds" in result.output


@pytest.mark.skipif(sys.platform != "linux", reason="other systems take no such names")
@pytest.mark.parametrize("name", [b"m\xe4p.yaml", "mäp.yaml".encode()], ids=["latin 1", "utf-8"])
@pytest.mark.parametrize("mode", ["1", "0"], ids=["utf-8 mode", "locale"])
def test_file_names_that_are_no_text_build(name: bytes, mode: str, tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"h\xe4user")
    folder.mkdir()
    pack = copy(folder)
    (pack / "map.yaml").rename(pack / os.fsdecode(name))
    environment = {"PYTHONUTF8": mode, "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "MITLA_CACHE": str(tmp_path / "kept")}
    words = ("build", pack, "--only", "module", "--only", "json", "--no-overlay", "--out", folder / "out")
    for _ in range(2):
        result = process(*words, **environment)
        assert result.returncode == 0 and b"Traceback" not in result.stderr, result.stderr
    with zipfile.ZipFile(io.BytesIO((folder / "out" / "two_wells" / "two_wells.vmod").read_bytes())) as files:
        assert "buildFile.xml" in files.namelist()


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is killed by a signal there")
def test_a_worker_that_is_killed_is_a_sentence(tmp_path: Path) -> None:
    packs = [shutil.copytree(SAMPLES / name, tmp_path / name) for name in ("march", "ridge")]
    script = tmp_path / "build.py"
    script.write_text(
        KILLED.format(killed='__name__ == "__mp_main__"')
        + "if __name__ == '__main__':\n    os.cpu_count = lambda: 2\n    from modgen.cli import main\n    main()\n"
    )
    words = ["build", *map(str, packs), "--only", "json", "--no-overlay", "--out", str(tmp_path / "out")]
    result = subprocess.run(
        [sys.executable, str(script), *words],
        capture_output=True,
        text=True,
        env={**os.environ, "MITLA_CACHE": str(tmp_path / "kept"), "PYTHONPATH": str(SAMPLES.parents[1])},
    )
    assert result.returncode == 1 and "Traceback" not in result.stderr, result.stderr
    for pack in packs:
        assert f"{pack}: a process of the build was stopped before it ended" in result.stderr
    assert not (tmp_path / "out").exists()
