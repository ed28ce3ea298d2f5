"""The tutorial is followed from the first page to the last: every file is written, every command run and compared."""

from __future__ import annotations

import re
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.examples import assert_shown, commands_of, run

ROOT = Path(__file__).parent.parent
PAGES = sorted((ROOT / "docs" / "tutorial").glob("*.md"))
STEP = re.compile(
    r"^File `(?P<file>[^`]+)`:\n\n```\w*\n(?P<text>.*?)^```$"
    r"|^File `(?P<changed>[^`]+)`, with `(?P<old>[^`]+)` changed to `(?P<new>[^`]+)`$"
    r"|^```\n(?P<session>\$ .*?)^```$",
    re.MULTILINE | re.DOTALL,
)
SERVERS = {"watch": ["--no-open", "--port", "0"], "edit": ["--port", "0"], "serve": ["--port", "0", "--workers", "1"]}
"""Commands that serve a page until they are stopped, and what a test adds so that they disturb nobody."""


def serve(program: str, words: list[str], expected_output: str) -> None:
    """Start a server, compare what it prints but for the port, ask for its page and stop it."""
    code = f"from {program}.cli import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", code, *words, *SERVERS[words[0]]],
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert re.sub(r":\d+/", ":PORT/", line) == re.sub(r":\d+/", ":PORT/", expected_output)
        address = re.search(r"http://\S+", line)
        assert address is not None
        with urllib.request.urlopen(address[0], timeout=30) as answer:
            assert answer.status == 200 and b"<html" in answer.read()
    finally:
        process.terminate()
        process.wait(30)


def follow(page: Path) -> int:
    """Do what a page says, in the current folder; how many steps it had."""
    steps = list(STEP.finditer(page.read_text("utf-8")))
    for step in steps:
        if step["file"]:
            Path(step["file"]).write_text(step["text"], "utf-8")
        elif step["changed"]:
            text = Path(step["changed"]).read_text("utf-8")
            assert text.count(step["old"]) == 1, step[0]
            Path(step["changed"]).write_text(text.replace(step["old"], step["new"]), "utf-8")
        else:
            for program, words, expected_output in commands_of(step["session"]):
                if words[0] in SERVERS:
                    serve(program, words, expected_output)
                else:
                    assert_shown(expected_output, run(program, words))
    return len(steps)


def test_the_tutorial_from_an_empty_folder_to_the_end(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    assert [page.name[0] for page in PAGES] == list("12345678")
    for page in PAGES:
        assert follow(page) >= 1, page.name
    file_names = {path.name for path in (tmp_path / "dist" / "marsh_road").iterdir()}
    assert {"marsh_road-kit-a4.pdf", "marsh_road.vmod", "png"} <= file_names


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_block_of_a_page_is_a_step(page: Path) -> None:
    text = page.read_text("utf-8")
    assert text.count("```") == 2 * sum(1 for step in STEP.finditer(text) if not step["changed"])
