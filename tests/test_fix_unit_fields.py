"""A unit counts the same whether it is named in words or stands on the map; a factor that it hasn't counts 0, and that is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.cli import cli
from assistant.questions.registry import questions
from scenarios import load
from tests.asking import ask_json, run_command
from tests.packs import copy

ROOT = Path(__file__).parents[1] / "scenarios"
PACKS = sorted(path for folder in ("packs", "samples") for path in (ROOT / folder).iterdir() if path.is_dir())


def change_pack(folder: Path, *changes: tuple[str, str, str]) -> str:
    pack = copy(folder)
    for file, old, new in changes:
        path = pack / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, old
        path.write_text(text.replace(old, new), encoding="utf-8")
    return str(pack)


# Infantry of four steps whose attack is 3 for each step it has left; `badly_reduced` takes two of them.
STEPS = (
    ("game.yaml", "  reduced: {", "  badly_reduced: {name: Badly reduced, steps_lost: 2}\n  reduced: {"),
    ("counters.yaml", "    back: {state: reduced, factors: {attack: 2, defense: 2}}\n    steps: 2\n", "    steps: 4\n"),
    ("counters.yaml", "strength: attack,", 'strength: "attack * steps",'),
)


@pytest.mark.parametrize(
    ("state", "strength"), [("", 12), ("+reduced", 9), ("+badly_reduced", 6), ("+reduced+badly_reduced", 3)]
)
def test_lost_steps_count_in_words_as_on_the_map(tmp_path: Path, state: str, strength: int) -> None:
    pack = change_pack(tmp_path, *STEPS)
    words = ask_json("odds", pack, f"attackers=infantry_red/11{state}", "defenders=cars")
    map_answer = ask_json("odds", pack, "--at", "0402", "--put", f"infantry_red/11{state}@0401,gun@0402")
    assert words["attack_strength"] == map_answer["attack_strength"] == strength


NO_ATTACK = (
    "counters.yaml",
    "factors: {attack: 6, defense: 1, movement: 2}\n    abilities: [fires_far]",
    "factors: {defense: 1, movement: 2}",
)


def test_a_factor_that_a_counter_lacks_counts_nothing_and_that_is_said(tmp_path: Path) -> None:
    pack = change_pack(tmp_path, NO_ATTACK)
    words = ask_json("odds", pack, "attackers=camels/23,gun", "defenders=cars/14", "terrain=clear")
    put = "camels/23@0401,gun@0302,cars/14@0402"
    map_answer = ask_json("odds", pack, "--at", "0402", "terrain=clear", "--put", put)
    for odds_answer in (words, map_answer):
        assert odds_answer["attack_strength"] == 4
        assert [
            (missing_factor["group"], missing_factor["factor"], missing_factor["text"])
            for missing_factor in odds_answer["missing_factors"]
        ] == [("attackers", "attack", "Field gun has no attack factor; it counts as 0")]
    for question in (("attackers=camels/23,gun", "defenders=cars/14"), ("--at", "0402", "--put", put)):
        lines = run_command(cli, "odds", pack, *question).output
        assert lines.count("Field gun has no attack factor; it counts as 0") == 1


def test_a_factor_that_is_not_asked_for_is_not_missed(tmp_path: Path) -> None:
    pack = change_pack(
        tmp_path, NO_ATTACK, ("counters.yaml", "strength: attack,", "strength: 'if(fires_far, attack, 2)',")
    )
    assert "missing_factors" not in ask_json("odds", pack, "attackers=gun", "defenders=cars")


def test_no_defense_at_all_names_who_lacks_it(tmp_path: Path) -> None:
    change = (NO_ATTACK[0], NO_ATTACK[1], "factors: {attack: 6, movement: 2}")
    pack = change_pack(tmp_path, change)
    for question in (("attackers=cars", "defenders=gun"), ("--at", "0402", "--put", "cars/14@0401,gun@0402")):
        result = run_command(cli, "odds", pack, *question)
        assert result.exit_code == 2 and "Field gun has no defense factor; it counts as 0" in " ".join(
            result.output.split()
        )


@pytest.mark.parametrize("pack", PACKS, ids=lambda path: path.name)
def test_words_without_a_name_never_end_in_a_traceback(pack: Path) -> None:
    for name, question in questions(load(pack)).items():
        assert all(question.input(input_name) for input_name in question.positional), name
    for name in ("retreat", "move"):
        result = run_command(cli, name, pack.name, "foo", "bar", "baz")
        assert isinstance(result.exception, SystemExit) and result.exit_code == 2, result.output
