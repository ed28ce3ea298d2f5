"""Runs the examples of the README and of docs/install.md as they are printed there."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from assistant.cli import cli as assistant
from modgen.cli import cli as modgen
from scenarios.pack.pack_file import PackFile
from scenarios.reading.reference import reference
from tests.asking import run_command
from tests.examples import assert_shown

ROOT = Path(__file__).parent.parent
DOCUMENTS = ("README.md", "docs/install.md")


def test_the_python_session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    results = doctest.testfile(str(ROOT / "docs" / "install.md"), module_relative=False, encoding="utf-8")
    assert results.attempted > 3 and results.failed == 0


EXAMPLE = re.compile(r"^\$ (modgen|assistant) (.+)\n((?:(?!\$ |```).*\n)*)", re.MULTILINE)
COMMANDS = [example for name in DOCUMENTS for example in EXAMPLE.findall((ROOT / name).read_text(encoding="utf-8"))]


@pytest.mark.parametrize(("program", "words", "output_text"), COMMANDS, ids=[f"{c[0]} {c[1]}" for c in COMMANDS])
def test_the_commands(program: str, words: str, output_text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = run_command(modgen if program == "modgen" else assistant, *words.split())
    assert_shown(output_text, result)


def test_there_are_commands() -> None:
    assert len(COMMANDS) >= 9


def test_the_reference_is_what_the_shapes_say() -> None:
    reference_text = (ROOT / "docs" / "pack-reference.md").read_text(encoding="utf-8")
    assert reference_text == reference(PackFile, "What a pack may hold"), "run: python -m scenarios.reading.reference"
