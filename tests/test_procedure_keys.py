"""Every key of procedures is carried out: with it the answer is what the rule says, without it, it is another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from scenarios import load
from scenarios.model.game import Game
from tests.rule_keys import ask_words, lacking, part, small

TESTS = Path(__file__).parent
SEA = (TESTS / "data" / "procedures" / "sea" / "game.yaml").read_text(encoding="utf-8")
CASES: list[dict[str, Any]] = yaml.safe_load((TESTS / "data" / "procedure_keys.yaml").read_text(encoding="utf-8"))


def sea_with(folder: Path, rules: str) -> Game:
    """The stranger's sea game with other rules."""
    lines = "".join(f"  {line}\n" for line in rules.splitlines())
    (folder / "game.yaml").write_text(SEA.partition("rules:\n")[0] + f"rules:\n{lines}", encoding="utf-8")
    return load(folder)


@pytest.mark.parametrize("case", CASES, ids=[case["keys"] for case in CASES])
def test_a_key_of_procedures_does_what_it_says(case: dict[str, Any], tmp_path: Path) -> None:
    game = sea_with(tmp_path, case["rules"])
    words, answer_path = case["asked"].split(), case["at"]
    assert part(ask_words(game, words), answer_path) == case["answer"], ask_words(game, words)
    for key in case["keys"].split():
        assert part(ask_words(lacking(game, key), words), answer_path) != case["answer"], (
            f"the answer is the same without {key}"
        )


def test_scores_say_who_wins_by_what_a_battle_costs(tmp_path: Path) -> None:
    """`scores`: each unit lost is a point, and Blue wins at once at two points. A storm takes one unit; one point was there before."""
    rules = (
        "counters: {toll: {title: Red units lost, at_least: 0}}\n"
        "procedures: {storm: {title: A storm, groups: {hit: {title: Who is there}}, scores: {toll: counter.toll + gone.hit},\n"
        "  stages: [{text: a storm, of: hit, roll: 1d6, needs: roll <= 2, eliminate: true}]}}"
    )
    line = "{side: blue, wins: true, event: other, text: Red is worn out., needs: [{text: two units, amount: counter.toll, at_least: 2}]}"
    game = small(tmp_path, rules, line=line)
    wins = ask_words(game, ["storm", "hit=cars", "toll=1", "scenario=noon"])["wins"]
    assert (
        wins["blue"] == "1/3"
        and ask_words(game, ["storm", "hit=cars", "toll=0", "scenario=noon"])["wins"]["blue"] == "0"
    )
    assert "wins" not in ask_words(lacking(game, "Procedure.scores"), ["storm", "hit=cars", "toll=1", "scenario=noon"])
