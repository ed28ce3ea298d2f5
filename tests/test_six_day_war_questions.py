"""Six Day War: the questions, the book's examples one by one, junk, and numbers that nobody knows."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import pytest

from assistant.cli import cli
from assistant.questions.answer import BadQuestion
from assistant.questions.answering import answer_question
from assistant.questions.question import from_words
from assistant.questions.registry import questions
from assistant.questions.rendering import answer_json
from assistant.tables import STRENGTHS
from assistant.unofficial import required_factor
from scenarios import load
from scenarios.model.game import Game
from scenarios.model.hexes import hexside, neighbours
from scenarios.model.maps import HexMap
from tests.asking import ask, assert_fits_schema, run_command
from tests.net.adapter import ask as facts
from tests.net.adapter import position
from tests.questions import bears_junk

QUESTIONS = questions(load("six_day_war", with_config_overlays=False))
PUT = {
    "scenario": "none",
    "put": "is_7_armor@4622,is_60_armor@4622,eg_7_11@4621,eg_14_armor@4621,is_202_airborne@5031",
    "turn": "2",
}
QUESTION_CASES = {
    "odds": {**PUT, "attackers": "is_7_armor,is_60_armor", "target": "4621"},
    "attacks": PUT,
    "stack": PUT,
    "retreat": {**PUT, "unit": "eg_7_11", "hexes": "3"},
    "advance": {**PUT, "unit": "is_7_armor", "hexes": "2"},
    "move": {**PUT, "unit": "is_7_armor"},
    "supply": PUT,
    "score": {**PUT, "sinai_spent": "7"},
    "air": {"superiority": "5", "ground": "2", "barrages": "3"},
    "strike": {**PUT, "hex": "4621", "airstrikes": "2"},
    "barrage": {**PUT, "hex": "4622"},
    "reserve": {"plan": "enhanced_attack:3", "sinai_spent": "10"},
    "arrivals": {**PUT, "event": "9", "front": "sinai"},
    "forecast": {**PUT, "sinai_score": "2:3,3:4"},
}


@pytest.fixture(scope="module")
def game() -> Game:
    return load("six_day_war", with_config_overlays=False)


@pytest.fixture(scope="module")
def table(game: Game) -> HexMap:
    return cast(HexMap, game.maps["main"])


# The examples of the rulebook, all of them, in its order.
# 10.8 and 10.12, the river, and 12.1, the fortification: in test_six_day_war_moves. 13.12's note on shifts is here.


def test_11_4_a_syrian_goes_through_two_jordanians(game: Game, table: HexMap) -> None:
    syria = table.zones["syria"]
    road = next(p.hexes for p in table.paths if p.kind == "road" and len(p.hexes) > 2 and set(p.hexes[:3]) <= syria)
    a, b, c = map(table.name, road[:3])
    route_answer = facts(
        game, "move", position(game, "standard", [f"sy_8@{a}", f"jo_kw@{b}", f"jo_ha@{b}"], turn=2), unit="sy_8", die=1
    )
    assert b in route_answer["passed_only"] and c in route_answer["ends"] and route_answer["ways"][c] == (a, b, c)


def test_13_12_shifts(game: Game, table: HexMap) -> None:
    """1000 % with one shift for the defender is 500; commanding terrain and the enhancement count once each."""
    for strengths in ("1000:100", "10:1"):
        assert {
            battle["column"] for battle in facts(game, "odds", strengths=strengths, shift=-1)["attacks"].values()
        } == {"500-599"}
    high_hex, low = next(
        (a, b)
        for a in sorted(table.zones["eastern_sector"])
        for b in neighbours(a)
        if table.terrain[a] == "commanding"
        and table.terrain.get(b) == "clear"
        and not table.hexsides.get(hexside(a, b))
    )
    board_position = position(
        game, "standard", [f"is_45_armor@{table.name(high_hex)}", f"sy_8@{table.name(low)}"], turn=2
    )
    answers = [
        facts(game, "odds", board_position, attackers="is_45_armor", target=table.name(low), enhanced=is_enhanced)
        for is_enhanced in (False, True)
    ]
    assert [attack_answer["tables"]["mobile"]["shift"] for attack_answer in answers] == [1, 2]


@pytest.mark.parametrize(
    ("strengths", "shift", "column"),
    [("20:12", "0", "150-199"), ("10:12", "0", "50-99"), ("1000:100", "-1", "500-599")],
)
def test_13_14_columns(game: Game, strengths: str, shift: str, column: str) -> None:
    json_answer, lines = ask(game, QUESTIONS["odds"], {"strengths": strengths, "shift": shift})
    assert {battle["column"] for battle in json_answer["attacks"]} == {column}
    assert sum(column in line for line in lines) == 2
    for battle in json_answer["attacks"]:
        assert sum(map(Fraction, battle["chances"].values())) == 1


def test_16_12_seven_airstrikes(game: Game) -> None:
    """EH takes three; the book's example says four (ruling eh_of_seven): the rule is played, the example isn't."""
    level_losses = {5 - int(level) for level in facts(game, "air", superiority=7, level=5, shock_turn="no")["level"]}
    assert 3 in level_losses and 4 not in level_losses
    assert game.rulings["eh_of_seven"].choice == "three"


# Every question.


@pytest.mark.parametrize("name", QUESTION_CASES)
def test_each_answers(game: Game, name: str) -> None:
    json_answer, lines = ask(game, QUESTIONS[name], QUESTION_CASES[name])
    assert json_answer["game"] == game.id and all(len(line) <= 100 for line in lines)
    assert_fits_schema(json_answer)
    assert all(words and len(words) < 100 for words in QUESTIONS[name].names.values())


# What every question may be told of a position is read in one place: two questions stand for all, but each looks at the turn.
READ = ["scenario", "position", "put", "mark", "remove"]
KEYS = [
    (name, key)
    for name in QUESTION_CASES
    for key in QUESTIONS[name].names
    if key not in READ or name in ("supply", "air")
]


@pytest.mark.parametrize(("name", "key"), KEYS)
def test_each_bears_junk(game: Game, name: str, key: str) -> None:
    bears_junk(game, QUESTIONS[name], QUESTION_CASES[name], key)


def test_what_if_and_the_start_of_the_scenario(game: Game) -> None:
    json_answer, lines = ask(game, QUESTIONS["odds"], {**QUESTION_CASES["odds"], "what_if": "yes"})
    mobile = next(battle for battle in json_answer["attacks"] if battle["attack"] == "mobile")
    changes = {row["change"]: row for row in mobile["what_if"]}
    assert "without 7 Armored" in changes and "one column to the right" in changes
    assert mobile["next_column"] == 2, "16 against 6: 300 % is 18"
    enhanced_attack = next(row for change, row in changes.items() if "enhanced" in change)
    assert enhanced_attack["column"] == changes["one column to the right"]["column"]
    json_answer, lines = ask(game, QUESTIONS["supply"], {})
    israel = next(side for side in json_answer["sides"] if side["side"] == "israeli")
    assert israel["supplied"] and not israel["unsupplied"] and israel["cuts"]
    assert any("placed by us" in line for line in lines)


def test_stacks_attack_together_and_several_hexes_at_once(game: Game, table: HexMap) -> None:
    """13.5, 13.10: one of two in a hex isn't enough; two hexes in one battle if everybody touches everybody."""
    json_answer, lines = ask(game, QUESTIONS["odds"], {**PUT, "attackers": "is_7_armor", "target": "4621"})
    assert (
        json_answer["not_attacking"] == ["is_60_armor"]
        and json_answer["refused"][0]["rule"] == "13.10"
        and "13.10" in lines[0]
    )
    middle = table.hex("4622")
    first, second = next((a, b) for a in neighbours(middle) for b in neighbours(middle) if b in neighbours(a))
    a, b = table.name(first), table.name(second)
    board_position = position(game, "standard", ["is_7_armor@4622", f"eg_7_11@{a}", f"eg_14_armor@{b}"], turn=2)
    for battle in facts(game, "odds", board_position, attackers="is_7_armor", target=f"{a},{b}")["attacks"].values():
        assert battle["defense"] == 6 and len(battle["strengths"]["defenders"]) == 2
    distant_position = position(game, "standard", ["is_7_armor@4622", f"eg_7_11@{a}", "eg_14_armor@5031"], turn=2)
    assert "not next to" in facts(game, "odds", distant_position, attackers="is_7_armor", target=f"{a},5031").refusal


def test_the_weakest_is_named(game: Game) -> None:
    """13.16: by printed strength, the infantry of 2 before the armor of 4."""
    losses: dict[str, set[str]] = {}
    for extra_unit in ("", ",is_60_armor@4622"):
        inputs = {
            **PUT,
            "put": f"is_7_armor@4622,eg_7_11@4621,eg_14_armor@4621{extra_unit}",
            "from": "4622",
            "target": "4621",
        }
        for battle in ask(game, QUESTIONS["odds"], inputs)[0]["attacks"]:
            for result in battle["results"]:
                which = game.tables[battle["attack"]].results[result["result"]].effects.get("defender_loses", "-")
                losses.setdefault(which, set()).update(result["defenders_lost"])
    assert (losses["weakest"], losses["strongest"], losses["-"]) == ({"eg_7_11"}, {"eg_14_armor"}, set())


def test_a_strength_that_nobody_knows(game: Game) -> None:
    unit = game.units["is_7_armor"]
    blank = replace(unit, factors={key: value for key, value in unit.factors.items() if key != "combat"})
    with pytest.raises(BadQuestion, match="counters/is_7_armor/factors/combat"):
        required_factor(game, blank, "combat")
    json_answer, _ = ask(game, QUESTIONS["odds"], QUESTION_CASES["odds"])
    assert "counters/is_7_armor/factors/combat" in json_answer["attacks"][0]["unofficial"]


def test_names_in_any_case_and_names_of_several(game: Game) -> None:
    move_answer, _ = ask(game, QUESTIONS["move"], {"unit": "200 ARMORED", "to": "5030"})
    assert move_answer["unit"] == "is_200_armor"
    upper_answer, _ = ask(
        game, QUESTIONS["odds"], {**PUT, "attackers": "IS_7_ARMOR,60 armored", "target": "Bir_Lahfan"}
    )
    plain_answer, _ = ask(game, QUESTIONS["odds"], QUESTION_CASES["odds"])
    assert upper_answer == plain_answer
    with pytest.raises(BadQuestion, match=r"several counters are called '11 Infantry'; choose .*is_11_infantry"):
        ask(game, QUESTIONS["retreat"], {"unit": "11 Infantry"})


def test_from_the_command_line(tmp_path: Path) -> None:
    result = run_command(cli, "odds", "six_day_war", "1000:100", "shift=-1", "--json")
    assert result.exit_code == 0 and json.loads(result.output)["column"] == "500-599"
    assert run_command(cli, "ask", "six_day_war", "odds", "strengths=20").exit_code == 2
    overlay_path = tmp_path / "mine.yaml"
    overlay_path.write_text(
        "overlay: six_day_war\ncounters:\n  is_7_armor:\n    factors: {combat: 40}\n", encoding="utf-8"
    )
    arguments = [
        "ask",
        "six_day_war",
        "odds",
        *(f"{key}={value}" for key, value in QUESTION_CASES["odds"].items()),
        "--overlay",
        str(overlay_path),
    ]
    cli_result = run_command(cli, *arguments)
    assert cli_result.exit_code == 0 and "Strength: 48" in cli_result.output and "Against: 6" in cli_result.output


@pytest.mark.parametrize(
    ("words", "column"),
    [("1000:100 shift=-1", "500-599"), ("1000:100 shift=-1 table=assault", "500-599"), ("1:9 shift=-3", "0-49"),
     ("10:12 shift=+1", "100-149"), ("1000:100 shift=2", "600+")],
)  # fmt: skip
def test_bare_strengths_take_a_shift(game: Game, words: str, column: str) -> None:
    """13.12: what lies beyond the end starts there, then shifts."""

    def ask_strengths(words: str) -> dict[str, Any]:
        return answer_json(answer_question(STRENGTHS, game, from_words(STRENGTHS, words.split())))

    assert ask_strengths(words)["column"] == column
    with pytest.raises(ValueError, match="did you mean shift"):
        ask_strengths("20:12 shfit=1")
    with pytest.raises(ValueError, match="whole number"):
        ask_strengths("20:12 shift=left")
