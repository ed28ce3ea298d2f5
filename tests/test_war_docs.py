"""The examples of the pages on October War and Operation Musketeer are run as they stand."""

from __future__ import annotations

import functools
import re
import shlex
from pathlib import Path

import pytest

from assistant.cli import cli
from scenarios.command import load_game
from scenarios.model.game import Game
from tests.asking import run_command
from tests.examples import assert_shown

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "docs" / name for name in ("assistant-october-war.md", "assistant-musketeer.md")]
EXAMPLES = [
    example
    for page in PAGES
    for example in re.findall(
        r"^\$ assistant (.+)\n((?:(?!\$ |```).*\n)*)", page.read_text(encoding="utf-8"), re.MULTILINE
    )
]


@functools.cache
def load_cached(game: str, overlays: tuple[Path, ...], no_overlay: bool) -> Game:
    return load_game(game, overlays, no_overlay)


@pytest.mark.parametrize(("words", "expected_output"), EXAMPLES, ids=[example[0] for example in EXAMPLES])
def test_the_documented_examples(words: str, expected_output: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("assistant.cli.load_game", load_cached, raising=False)
    result = run_command(cli, *shlex.split(words))
    assert_shown(expected_output, result)


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 30
