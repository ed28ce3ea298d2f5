"""Every example of the pages about single games (docs/assistant-GAME.md) is run as it stands."""

from __future__ import annotations

import functools
import re
from pathlib import Path

import pytest

from assistant.cli import cli
from scenarios.command import load_game
from tests.asking import run_command
from tests.examples import assert_shown

ROOT = Path(__file__).parent.parent
EXAMPLE = re.compile(r"^\$ assistant (.+)\n((?:(?!\$ |```).*\n)*)", re.MULTILINE)
PAGES = [ROOT / "docs" / f"assistant-{game}.md" for game in ("yom-kippur", "six-day-war")]
DOCUMENT_PAGES = [*PAGES, ROOT / "docs" / "rules.md"]
EXAMPLES = [
    (page.stem, *example) for page in DOCUMENT_PAGES for example in EXAMPLE.findall(page.read_text(encoding="utf-8"))
]

# A game never changes once it is loaded, so one will do for all examples.
CACHED_LOADER = functools.cache(load_game)


@pytest.mark.parametrize(
    ("page", "words", "output_text"), EXAMPLES, ids=[f"{page}: {words[:60]}" for page, words, _ in EXAMPLES]
)
def test_an_example(page: str, words: str, output_text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for module in ("ask", "verbs", "open_save"):
        monkeypatch.setattr(f"assistant.commands.{module}.load_game", CACHED_LOADER)
    result = run_command(cli, *words.split())
    lines = [line.rstrip() for line in result.output.splitlines()]
    assert_shown(output_text, result)
    assert all(len(line) <= 100 for line in lines if not line.startswith("Error:"))


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_every_question_is_shown(page: Path) -> None:
    game = page.stem.removeprefix("assistant-").replace("-", "_")
    module = __import__(f"assistant.games.{game}", fromlist=["QUESTIONS"])
    question_names = {words.split()[2] for name, words, _ in EXAMPLES if name == page.stem and words.startswith("ask")}
    assert question_names >= set(module.QUESTIONS)
