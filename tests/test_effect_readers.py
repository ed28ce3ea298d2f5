"""Every effect of a special rule is applied by somebody, or the answers that it touches say that the players see to it."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from assistant.cli import cli
from scenarios import load, shipped_games
from tests.asking import run_command

ROOT = Path(__file__).parents[1]
READERS: dict[str, dict[str, str]] = yaml.safe_load(
    (ROOT / "tests" / "data" / "effect_readers.yaml").read_text(encoding="utf-8")
)
QUESTIONS = ("check", "move", "odds", "los", "turn", "score", "stack", "retreat", "supply", "morale", "air")


def pack_text(pack: str) -> str:
    """The text of a pack's rules and attacks, which ask for effects by name."""
    folder = ROOT / "scenarios" / "packs" / pack
    files = [path for path in folder.rglob("*.yaml") if not re.match(r"scenarios|situations|words", path.name)]
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


def asks(text: str, effect: str) -> bool:
    names = rf"\b(effect|effect_value|to|from|start|hex)\.{effect}\b"
    return bool(re.search(names, text) or re.search(rf"\b(effect|told_by): {effect}\b", text))


def named_in(path: Path) -> set[str]:
    """The texts that a program passes to functions, or compares."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    holders = [node for node in ast.walk(tree) if isinstance(node, ast.Call | ast.Compare)]
    inner = [part for node in holders for part in ast.walk(node) if isinstance(part, ast.Constant)]
    return {part.value for part in inner if isinstance(part.value, str)}


@pytest.mark.parametrize("pack", sorted(shipped_games()))
def test_every_effect_has_its_reader(pack: str) -> None:
    game = load(pack)
    used = {e.effect for scenario in game.scenarios.values() for special in scenario.special for e in special.effects}
    assert used <= set(game.effects)
    assert set(READERS[pack]) == set(game.effects), "tests/data/effect_readers.yaml says who reads each effect"
    for effect, reader in READERS[pack].items():
        word, code = game.effects[effect], reader.removeprefix("code ")
        if reader == "players":
            assert word.left_to_players and set(word.left_to_players) <= set(QUESTIONS), (
                f"{effect}: which answers say so?"
            )
        elif reader == "records":
            assert asks(pack_text(pack), effect), f"no record asks for {effect}"
        elif reader != code:
            assert effect in named_in(ROOT / "assistant" / "games" / pack / code), f"{code} doesn't ask for {effect}"
        else:
            path, _, text = reader.partition(": ")
            assert text and text in (ROOT / path).read_text(encoding="utf-8"), f"{effect}: {path} has no such text"


CASES: list[tuple[tuple[str, ...], str]] = [
    (("move", "arab_israeli_wars", "--scenario", "B-3", "t_55@D-R-5"), "nine hexes west"),
    (("turn", "arab_israeli_wars", "B-3", "turn=1"), "two to a hex"),
    (("turn", "arab_israeli_wars", "A-6", "turn=1"), "cancels one Egyptian air strike"),
    (("move", "arab_israeli_wars", "--scenario", "A-4", "patturion@C-D-5"), "west edge"),
    (("move", "arab_israeli_wars", "--scenario", "A-1", "construction_engineer_arab@A-H-3"), "Infantry bridges"),
    (("turn", "october_war", "turn=1"), "Turn 1 has no events"),
    (("turn", "yom_kippur", "4.1"), "second cease-fire"),
]


@pytest.mark.parametrize(("words", "text"), CASES)
def test_an_answer_says_what_is_left_to_the_players(words: tuple[str, ...], text: str) -> None:
    import json

    result = run_command(cli, *words, "--json")
    assert result.exit_code == 0, result.output
    answer: dict[str, Any] = json.loads(result.output)
    assert any(text in line["text"] for line in answer["left_to_players"])


def test_a_rule_of_other_turns_is_not_said() -> None:
    """B-3's column stands on turn 1 only."""
    result = run_command(cli, "turn", "arab_israeli_wars", "B-3", "turn=3")
    assert result.exit_code == 0 and "two to a hex" not in result.output
