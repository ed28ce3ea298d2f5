"""A pack is regular files in its folder. Whatever else lies there ends in a sentence, soon and in little memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.packs import copy

LIMIT_SCRIPT = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (1_000_000_000, 1_000_000_000))
sys.argv = ["modgen", *sys.argv[1:]]
from modgen.cli import main
main()
"""
SPARSE = 3_000_000_000


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def pipe(path: Path) -> None:
    os.mkfifo(path)


def sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(SPARSE)


def outside(path: Path) -> None:
    outside_file = path.parent.parent / "elsewhere"
    outside_file.write_text("{}\n" if path.suffix == ".yaml" else "# Rules\n", encoding="utf-8")
    path.symlink_to(outside_file)


MAKERS = {"device": device, "pipe": pipe, "sparse": sparse, "outside": outside}
REFUSED_FILES = {
    ("more.yaml", "device"): "this is no regular file",
    ("more.yaml", "pipe"): "this is no regular file",
    ("more.yaml", "sparse"): "more than 100 MB",
    ("more.yaml", "outside"): "leads out of the pack",
    ("more.csv", "sparse"): "more than 100 MB",
    ("RULES.md", "sparse"): "more than 100 MB",
    ("RULES.md", "outside"): "leads out of the pack",
}
HARMLESS = [
    ("more.csv", "device"), ("more.csv", "pipe"), ("more.png", "device"), ("more.png", "pipe"), ("more.png", "sparse"),
    ("RULES.md", "device"), ("RULES.md", "pipe"),
]  # fmt: skip
"""What no file of the pack names: it is no part of the pack."""


def run(tmp_path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "MITLA_CACHE": str(tmp_path / "cache"), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    command = [sys.executable, "-c", LIMIT_SCRIPT, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment, check=False)


@pytest.mark.skipif(sys.platform != "linux", reason="devices, pipes and limits of Linux")
@pytest.mark.parametrize(("name", "kind"), [*REFUSED_FILES, *HARMLESS])
@pytest.mark.parametrize("command", ["check", "build"])
def test_what_is_no_file_of_a_pack_is_a_sentence(name: str, kind: str, command: str, tmp_path: Path) -> None:
    pack = copy(tmp_path)
    (pack / name).unlink(missing_ok=True)
    MAKERS[kind](pack / name)
    extra_options = ["--only", "json", "--out", str(tmp_path / "out")] if command == "build" else []
    done = run(tmp_path, command, str(pack), "--json", *extra_options)
    assert "Traceback" not in done.stderr and "MemoryError" not in done.stderr, done.stderr
    sentence = REFUSED_FILES.get((name, kind))
    if sentence is None:
        assert done.returncode == 0, done.stdout + done.stderr
    else:
        assert done.returncode != 0 and sentence in done.stdout + done.stderr, done.stdout + done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="devices, pipes and limits of Linux")
@pytest.mark.parametrize("kind", ["device", "pipe", "sparse", "outside"])
@pytest.mark.parametrize("name", ["module.lock.json", "module.patch.json"])
def test_files_of_a_module_are_regular_too(name: str, kind: str, tmp_path: Path) -> None:
    pack = copy(tmp_path)
    (pack / name).unlink(missing_ok=True)
    MAKERS[kind](pack / name)
    done = run(tmp_path, "build", str(pack), "--only", "json", "--out", str(tmp_path / "out"), "--json")
    assert done.returncode == 0 and json.loads(done.stdout)["files"], done.stderr
