"""Every example of the pages about single games (docs/assistant-GAME.md) is run as it stands."""

from __future__ import annotations

import functools
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.cli import cli
from scenarios.command import load_game
from tests.examples import assert_shown

ROOT = Path(__file__).parent.parent
EXAMPLE = re.compile(r"^\$ assistant (.+)\n((?:(?!\$ |```).*\n)*)", re.MULTILINE)
PAGES = [ROOT / "docs" / f"assistant-{game}.md" for game in ("yom-kippur", "six-day-war")]
SHOWN = [*PAGES, ROOT / "docs" / "rules.md"]
EXAMPLES = [(page.stem, *found) for page in SHOWN for found in EXAMPLE.findall(page.read_text(encoding="utf-8"))]

# A game never changes once it is loaded, so one will do for all examples.
LOADED = functools.cache(load_game)


@pytest.mark.parametrize(
    ("page", "words", "shown"), EXAMPLES, ids=[f"{page}: {words[:60]}" for page, words, _ in EXAMPLES]
)
def test_an_example(page: str, words: str, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for module in ("cli", "verbs"):
        monkeypatch.setattr(f"assistant.{module}.load_game", LOADED)
    result = CliRunner().invoke(cli, words.split())
    lines = [line.rstrip() for line in result.output.splitlines()]
    assert_shown(shown, result)
    assert all(len(line) <= 100 for line in lines if not line.startswith("Error:"))


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_every_question_is_shown(page: Path) -> None:
    game = page.stem.removeprefix("assistant-").replace("-", "_")
    module = __import__(f"assistant.games.{game}", fromlist=["QUESTIONS"])
    asked = {words.split()[2] for name, words, _ in EXAMPLES if name == page.stem and words.startswith("ask")}
    assert asked >= set(module.QUESTIONS)
