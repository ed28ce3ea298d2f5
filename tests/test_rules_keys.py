"""Every key of `rules` is carried out: with it the answer is what the rule says, without it, it is another."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
import yaml

from scenarios import load
from tests.packs import break_pack
from tests.rule_keys import ask_words, keys, lacking, part, small
from tests.test_procedure_keys import CASES as PROCEDURE_CASES

TESTS = Path(__file__).parent
CASES: list[dict[str, Any]] = yaml.safe_load((TESTS / "data" / "rule_keys.yaml").read_text(encoding="utf-8"))
EXTRA_TEXTS = {
    "refit": """source: {mine: a test}
tables:
  refit:
    title: Refit
    dice: 1d6
    columns: {names: [all]}
    cells: {1-2: soon, 3-6: lost}
    results: {soon: {meaning: It comes soon., effects: {turns: 2}}, lost: It never comes.}
""",
    "flag": "source: {mine: a test}\nmarkers: {flag: {name: Flag, side: red, count: 2}}\n",
    "levels": """source: {mine: a test}
tables:
  levels:
    title: Levels
    row_title: Lead
    columns: {names: [level]}
    cells: {"0-": none, "1-5": narrow, "6+": crushing}
""",
}
ELSEWHERE = {
    "Rules.like": "test_rules_samples.py::test_rules_like_a_samples",
    "Walk.like": "test_rules_keys.py::test_a_walk_like_another",
    "Span.effect": "test_rules_keys.py::test_a_scenario_says_where_a_bridge_lies",
    "Sight.corner": "test_rules_sight.py::test_both_hexes_of_a_hexside_corners_and_observers",
    "Rules.auto_set_up": "test_rules_reading.py::test_units_set_up_by_area",
    "Placing.text": "test_rules_reading.py::test_a_fort_first_and_what_is_told",
    "Priority.when": "test_rules_reading.py::test_a_fort_first_and_what_is_told",
    "Priority.that": "test_rules_reading.py::test_a_fort_first_and_what_is_told",
    "Placing.order": "test_rules_reading.py::test_evenly_over_the_area",
    "Placing.near": "test_rules_reading.py::test_units_set_up_by_area",
    "Nearness.places": "test_rules_reading.py::test_units_set_up_by_area",
    "Nearness.over": "test_rules_reading.py::test_units_set_up_by_area",
    "Placing.spread": "test_rules_reading.py::test_evenly_over_the_area",
    "Placing.first": "test_rules_reading.py::test_a_fort_first_and_what_is_told",
    "Placing.best": "test_rules_reading.py::test_one_to_a_hex_if_that_is_best",
    "Walk.cites": "test_rules_acts.py::test_a_path_is_paid_step_by_step",
    "Act.where": "test_rules_acts.py::test_an_act_in_its_own_place",
    "Act.ends": "test_rules_acts.py::test_an_act_that_ends_the_move_and_rules_out_a_mode",
    "Act.without": "test_rules_acts.py::test_an_act_that_ends_the_move_and_rules_out_a_mode",
    "Act.does": "test_rules_acts.py::test_an_act_that_moves",
    "Act.cargo": "test_rules_acts.py::test_loading_and_unloading",
    "Act.marks": "test_rules_acts.py::test_loading_and_unloading",
    "Act.sets": "test_rules_acts.py::test_an_act_that_tells_something",
    "Act.beside": "test_rules_acts.py::test_what_has_to_be_next_to_it",
    "Rules.aboard": "test_rules_acts.py::test_who_is_aboard_already",
    "Retreat.enemy_moves": "test_rules_room.py::test_who_finds_no_room",
    **dict.fromkeys(
        (
            "Rules.set_up",
            "SetUp.of",
            "SetUp.at",
            "SetUp.never",
            "SetUp.from_",
            "SetUp.at_least",
            "SetUp.at_most",
            "SetUp.between",
        ),
        "test_fix_set_up.py::test_a_pack_of_ones_own_says_how_its_pieces_set_up",
    ),
    "VictoryRules.players": "test_victory_players.py::test_each_player_counts_for_himself",
    "VictoryRules.nobody": "test_victory_players.py::test_nobody_wins_without_points_or_where_the_other_side_does",
    "Procedure.scores": "test_procedure_keys.py::test_scores_say_who_wins_by_what_a_battle_costs",
    "ResultRule.stop": "test_rules_results.py::test_units_that_stop",
}
"""Keys that stand in a test of their own."""


@pytest.mark.parametrize("case", CASES, ids=[case["keys"] for case in CASES])
def test_a_key_does_what_it_says(case: dict[str, Any], tmp_path: Path) -> None:
    game = small(tmp_path, case["rules"], EXTRA_TEXTS.get(case.get("with", ""), ""))
    words, answer_path = case["asked"].split(), case["at"]
    assert part(ask_words(game, words), answer_path) == case["answer"], ask_words(game, words)
    for key in case["keys"].split():
        assert part(ask_words(lacking(game, key), words), answer_path) != case["answer"], (
            f"the answer is the same without {key}"
        )


def test_every_key_is_named() -> None:
    """A new key of scenarios/rules/shapes.py needs a case in data/rule_keys.yaml, or a test of its own."""
    case_keys = {key for case in [*CASES, *PROCEDURE_CASES] for key in case["keys"].split()} | set(ELSEWHERE)
    assert keys() - case_keys == set(), "these keys have no test"
    assert case_keys - keys() == set(), "these keys are gone"
    for key, test in ELSEWHERE.items():
        file, _, name = test.partition("::")
        text = (TESTS / file).read_text(encoding="utf-8")
        assert name in {node.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)}, test
        assert key.partition(".")[2] in text, f"{test} doesn't name {key}"


def test_a_walk_like_another(tmp_path: Path) -> None:
    """It has the steps of the other and its own allowance: three hexes at 1 each."""
    rules = "movement: {move: {allowance: 9, steps: [{text: the ground, cost: 1}]}, rush: {like: move, allowance: 3}}"
    answer = ask_words(small(tmp_path, rules), ["move", "unit=gun@0101", "scenario=none", "kind=rush", "to=0401"])
    assert (answer["allowance"], answer["cost"]) == (3, 3)


def test_a_scenario_says_where_a_bridge_lies(tmp_path: Path) -> None:
    """`effect`: the scenario gives the gun in 0203 the hexside to 0303; by itself it lies straight to the north, where no wadi is."""
    effects = 'effects: [{effect: laid, units: [gun], at: {hexes: ["0203", "0303"]}}, {effect: no_crossing,'
    pack, *_ = break_pack(tmp_path, "map.yaml", "effects: [{effect: no_crossing,", effects)
    text = (pack / "map.yaml").read_text(encoding="utf-8")
    (pack / "map.yaml").write_text(
        text.replace("effects: {no_crossing:", "effects: {laid: A bridge, no_crossing:"), encoding="utf-8"
    )
    rules = """rules:
  spans: {bridge: {of: type == "gun", over: [wadi], toward: [north], effect: laid}}
  movement: {move: {allowance: 3, steps: [{text: no bridge, when: over.wadi and not over.enemy_bridge, forbid: true}, {text: it, cost: 1}]}}
"""
    (pack / "rules.yaml").write_text(rules, encoding="utf-8")
    words = ["move", "unit=cars/14@0203", "put=gun@0203", "to=0303"]
    game = load(pack)
    assert ask_words(game, words)["cost"] == 1
    assert "refused" in ask_words(lacking(game, "Span.effect"), words)
