"""Yom Kippur: the questions, the book's examples one by one, junk, what if, the best plan, reserves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from assistant.cli import cli
from assistant.engine.field import Field
from assistant.questions.answer import BadQuestion
from assistant.questions.registry import questions
from assistant.unofficial import required_factor
from scenarios import load
from scenarios.model.game import Game
from tests.asking import ask, run_command
from tests.questions import bears_junk
from tests.yom_kippur_field import put

QUESTIONS = questions(load("yom_kippur", with_config_overlays=False))
PLACE = {"put": "nir_arm_bde_a@33.21,nir_arm_bde_b@33.21,engineer_bn_1@33.20,inf_2_4@33.22,arty_bde_1@33.19,sam@39.29,hq_2_army@42.24",
         "turn": "2"}  # fmt: skip
QUESTION_CASES: Mapping[str, Mapping[str, str]] = {
    "odds": {**PLACE, "attackers": "nir_arm_bde_a,nir_arm_bde_b", "target": "33.22"},
    "supply": {**PLACE, "side": "israeli"},
    "move": {**PLACE, "unit": "nir_arm_bde_a,nir_arm_bde_b"},
    "score": {"scenario": "4.6", "control": "20.25:israeli"},
    "missiles": {**PLACE, "at": "33.22"},
    "suppression": {**PLACE, "allocated": "1"},
    "forecast": {"scenario": "4.5"},
    "recovery": {**PLACE, "turns": "2"},
    "replacement": {**PLACE},
    "bridges": {**PLACE, "side": "israeli"},
    "stacks": {**PLACE},
}
MAPLESS_QUESTIONS = ("stacks",)


@pytest.fixture(scope="module")
def game() -> Game:
    return load("yom_kippur", with_config_overlays=False)


# The rulebook has no worked battle; what it spells out by way of example, in its order.


def test_1_4c_three_steps_of_an_infantry_brigade(game: Game) -> None:
    """Flipped, then a marker, then dead; with the marker it is one step for stacking."""
    full_field, reduced_field = put(game, ("inf_2_4", "33.22")), put(game, ("inf_2_4", "33.22", "reduced"))
    last = put(game, ("inf_2_4", "33.22", "reduced", "step_loss"))
    assert [field.placed_units[0].steps for field in (full_field, reduced_field, last)] == [3, 2, 1]
    answer, _ = ask(game, QUESTIONS["stack"], {"position": last.position, "at": "33.22"})
    assert answer["stacks"][0]["levels"][0]["room"] == 5


def ask_odds(field: Field, attackers: str, target: str, **inputs: str) -> dict[str, Any]:
    """An attack on a hex."""
    answer, _ = ask(
        field.game, QUESTIONS["odds"], {"position": field.position, "attackers": attackers, "target": target, **inputs}
    )
    return answer


def test_1_5_one_shift_a_side_however_many_helpers(game: Game) -> None:
    helper_field = put(
        game, ("nir_arm_bde_a", "33.21"), ("engineer_bn_1", "33.21"), ("sharon_div_hq", "33.21"), ("inf_2_4", "33.22")
    )
    assert ask_odds(helper_field, "nir_arm_bde_a", "33.22")["shift"] == 1
    balanced_field = put(
        game, ("nir_arm_bde_a", "33.21"), ("engineer_bn_1", "33.21"), ("inf_2_4", "33.22"), ("engineer_1_9", "33.22")
    )
    assert ask_odds(balanced_field, "nir_arm_bde_a", "33.22")["shift"] == 0, "they cancel out"


def test_1_6c_the_east_bank_is_supplied_over_the_canal(game: Game) -> None:
    answer, _ = ask(game, QUESTIONS["supply"], {"put": "inf_2_120@37.24", "side": "egyptian"})
    (unit,) = answer["sides"][0]["units"]
    assert unit["supplied"] and unit["rule"] == "1.6c"


def test_1_9a_a_second_dg_changes_nothing(game: Game) -> None:
    disorganized_field = put(game, ("nir_arm_bde_a", "33.21", "disorganized"), ("inf_2_4", "33.22"))
    twice = put(game, ("nir_arm_bde_a", "33.21", "disorganized", "disorganized"), ("inf_2_4", "33.22"))
    strengths = [ask_odds(f, "nir_arm_bde_a", "33.22")["attack_strength"] for f in (disorganized_field, twice)]
    assert strengths == [4, 4]


def test_1_12a_air_units_and_the_ends_of_the_table(game: Game) -> None:
    field = put(game, ("nir_arm_bde_a", "33.21"), ("inf_2_4", "33.22"))
    net = ask_odds(field, "nir_arm_bde_a", "33.22", israeli_air="3", egyptian_air="1", turn="7")
    assert (net["start"], net["column"]) == ("1-1", "3-1")
    crowded_field = put(game, *((f"{unit}_arm_bde_a", "33.21") for unit in ("nir", "karen", "amir")), ("sam", "33.22"))
    three = "nir_arm_bde_a,karen_arm_bde_a,amir_arm_bde_a"
    assert ask_odds(crowded_field, three, "33.22", israeli_air="6", sam_zone_air="6", turn="7")["column"] == "9-1"


def test_1_12b_points_of_air_units(game: Game) -> None:
    for side, points in (("egyptian", 5), ("israeli", 12)):
        units = "nir_arm_bde_a@33.21" if side == "egyptian" else "inf_2_4@33.21"
        inputs = {"attack": "barrage", "put": units, "target": "33.21", f"{side}_air": "2", "side": side}
        answer, _ = ask(game, QUESTIONS["odds"], inputs)
        assert answer["attack_strength"] == 2 * points


def test_1_12c_a_throw_even_with_none_and_never_more_than_three(game: Game) -> None:
    chances = [
        ask(game, QUESTIONS["suppression"], {"allocated": str(allocated), "available": "12"})[0]["counter_values"]
        for allocated in range(6)
    ]
    assert any(key != "0" for key in chances[0][0]["chances"]) and chances[3] == chances[4] == chances[5]


def test_3_5a_a_headquarters_counts_over_its_bridges(game: Game) -> None:
    units = {
        "put": "hq_2_army@42.25,inf_2_120@42.21,engineer_2_9@42.24",
        "mark": "engineer_2_9+bridge",
        "side": "egyptian",
    }
    answer, _ = ask(game, QUESTIONS["supply"], units)
    units_by_name = {unit["unit"]: unit for unit in answer["sides"][0]["units"]}
    assert units_by_name["inf_2_120"]["rule"] == "1.6b" and {"42.24", "42.23"} <= set(
        units_by_name["inf_2_120"]["path"]
    )


# Every question.


@pytest.mark.parametrize("name", QUESTION_CASES)
def test_each_answers(game: Game, name: str) -> None:
    answer, _ = ask(game, QUESTIONS[name], QUESTION_CASES[name])
    assert answer["game"] == game.id
    assert all(words and len(words) < 100 for words in QUESTIONS[name].names.values())


# Where the units stand is read in one way for every question but the cease-fire, which can do without.
POSITION_INPUTS = {"scenario", "position", "turn", "put", "mark", "remove", "may_cross_east"}
QUESTION_INPUTS = [
    (name, key)
    for name in QUESTION_CASES
    for key in QUESTIONS[name].names
    if key not in POSITION_INPUTS or name in MAPLESS_QUESTIONS
]


@pytest.mark.parametrize(("name", "key"), QUESTION_INPUTS)
def test_each_bears_junk(game: Game, name: str, key: str) -> None:
    bears_junk(game, QUESTIONS[name], QUESTION_CASES[name], key)


def test_what_if(game: Game) -> None:
    answer, _ = ask(game, QUESTIONS["odds"], {**QUESTION_CASES["odds"], "what_if": "yes"})
    changes = {row["change"]: row for row in answer["what_if"]}
    assert answer["column"] == "2-1" and answer["next_column"] == 8
    assert changes["without Nir A"]["column"] == "1-1"
    assert changes["with a headquarters or engineer"]["column"] == changes["one column to the right"]["column"] == "3-1"
    for chances in (answer["spread"][key] for key in answer["spread"]):
        assert sum(map(Fraction, chances.values())) == 1


def test_what_if_hexes_are_taken(game: Game) -> None:
    answer, _ = ask(game, QUESTIONS["supply"], {"scenario": "4.5", "side": "egyptian"})
    worst = answer["sides"][0]["cuts"][0]
    cut, _ = ask(game, QUESTIONS["supply"], {"scenario": "4.5", "side": "egyptian", "taken": worst["place"]})
    cut_units = {unit["unit"] for unit in cut["sides"][0]["units"] if not unit["supplied"]}
    assert cut_units == set(worst["unsupplied"]) == set(cut["sides"][0]["unsupplied"]), (
        "what it is said to cut is what it cuts"
    )


def plans(field: Field, units: list[str], targets: list[str]) -> Fraction:
    """The most steps that any way to share out the units brings, each way worked out by itself."""
    best = Fraction(0)
    for assignment in product([None, *targets], repeat=len(units)):
        total = Fraction(0)
        for target in targets:
            group = [unit for unit, hex in zip(units, assignment, strict=True) if hex == target]
            if not group:
                continue
            helper = "yes" if "engineer_bn_1" in group else "no"
            try:
                answer = ask_odds(field, ",".join(group), target, attacker_helper=helper)
            except BadQuestion:
                break
            if any(failure["group"] == "attackers" for failure in answer["refused"]):
                total -= 99
            total += sum(int(steps) * Fraction(chance) for steps, chance in answer["spread"]["defender_steps"].items())
        else:
            best = max(best, total)
    return best


def test_the_best_plan_against_every_plan(game: Game) -> None:
    units = ["nir_arm_bde_a", "alush_inf_bde_a", "engineer_bn_1", "rami_mech_bde_a"]
    field = put(
        game,
        *((unit, hex) for unit, hex in zip(units, ("33.21", "33.21", "33.21", "32.21"), strict=True)),
        ("inf_2_4", "33.22"),
        ("mech_90", "32.22"),
        turn=4,
    )
    inputs = {
        "position": field.position,
        "best": "yes",
        "at": "33.22,32.22",
        "attackers": ",".join(units),
        "price": "0",
    }
    best_plan, _ = ask(game, QUESTIONS["odds"], inputs)
    assert Fraction(best_plan["worth"]) == plans(field, units, ["33.22", "32.22"]) > 0
    used = [unit for attack in best_plan["attacks"] for unit in attack["units"]]
    assert len(used) == len(set(used))
    dear, _ = ask(game, QUESTIONS["odds"], {**inputs, "price": "5"})
    assert Fraction(dear["worth"]) >= 0 and not dear["attacks"], "nobody attacks where a step lost counts five gained"


def test_replacements(game: Game) -> None:
    """3.7: not in an enemy zone, disorganized, out of supply; not the dead, not the whole, armor only."""
    field = put(
        game,
        ("arm_15", "33.26", "reduced"),
        ("arm_25", "33.22", "reduced"),
        ("arm_4_3", "30.30", "reduced", "disorganized"),
        ("arm_23_24", "35.30", "reduced", "out_of_supply"),
        ("inf_2_4", "36.26", "reduced"),
        ("arm_21_1", "37.30"),
        ("nir_arm_bde_a", "33.21"),
        scenario="4.1",
    )
    answer, _ = ask(game, QUESTIONS["replacement"], {"position": field.position})
    rows_by_unit = {row["unit"]: row for row in answer["units"]}
    assert set(rows_by_unit) == {"arm_15", "arm_25", "arm_4_3", "arm_23_24"}
    assert not rows_by_unit["arm_15"]["why"] and rows_by_unit["arm_15"]["exploits_again"]
    assert all(rows_by_unit[unit]["why"] for unit in ("arm_25", "arm_4_3", "arm_23_24"))
    assert answer["steps_left"] == 5, "4.1"


def test_the_reserve_comes_by_nine_or_more(game: Game) -> None:
    """3.4: ten of the thirty-six throws, from turn 2; 4.6 and 4.3 have no throw."""

    def reserves(**inputs: str) -> list[dict[str, dict[str, str]]]:
        return [row["counters"] for row in ask(game, QUESTIONS["forecast"], inputs)[0]["turns"]]

    waiting = Fraction(1)
    for turn, counters in enumerate(reserves(scenario="4.1"), 1):
        waiting *= Fraction(26, 36) if turn > 1 else 1
        assert Fraction(counters["reserve_out"]["no"]) == waiting
    for scenario in ("4.3", "4.6", "4.1b"):
        assert all(counters["reserve_out"] == {"no": "1"} for counters in reserves(scenario=scenario))
    # 3.3: an Israeli is west of the canal.
    assert reserves(scenario="4.5", put="erez_arm_bde_a@22.24")[0]["reserve_out"] == {"yes": "1"}


def test_scenario_4_3_has_its_own_air(game: Game) -> None:
    inputs = {"scenario": "4.3", "put": "nir_arm_bde_a@33.21,inf_2_4@33.22"}
    flight = {**inputs, "attackers": "nir_arm_bde_a", "target": "33.22", "israeli_air": "1"}
    assert [row["rule"] for row in ask(game, QUESTIONS["odds"], flight)[0]["refused"]] == ["4.3 A"]
    guns = {**inputs, "put": inputs["put"] + ",arty_53@33.24", "attackers": "arty_53", "target": "33.21"}
    guns["attack"] = "barrage"
    double_barrage, _ = ask(game, QUESTIONS["odds"], guns)
    later, _ = ask(game, QUESTIONS["odds"], {**guns, "turn": "4"})
    assert double_barrage["attack_strength"] == 2 * later["attack_strength"]
    flown, _ = ask(
        game,
        QUESTIONS["move"],
        {"scenario": "4.3", "unit": "airmobile_150", "kind": "flight", "turn": "9", "remove": "hawk_bn"},
    )
    assert len(flown["places"]) > 1


def test_a_strength_that_nobody_knows(game: Game) -> None:
    unit = game.units["inf_2_4"]
    blank = replace(unit, factors={key: value for key, value in unit.factors.items() if key != "attack"})
    with pytest.raises(BadQuestion, match="counters/inf_2_4/factors/attack"):
        required_factor(game, blank, "attack")
    answer, _ = ask(game, QUESTIONS["odds"], QUESTION_CASES["odds"])
    assert answer["unofficial"]["counters/inf_2_4/factors/defense"] == "reconstructed"


def test_from_the_command_line(tmp_path: Path) -> None:
    arguments = ["ask", "yom_kippur", "odds", *(f"{key}={value}" for key, value in QUESTION_CASES["odds"].items())]
    assert "Column: 2-1" in run_command(cli, *arguments).output
    assert run_command(cli, *arguments, "turn=x").exit_code == 2
    overlay_path = tmp_path / "mine.yaml"
    overlay_path.write_text(
        "overlay: yom_kippur\ncounters:\n  inf_2_4:\n    factors: {defense: 16}\n", encoding="utf-8"
    )
    result = run_command(cli, *arguments, "--overlay", str(overlay_path))
    assert result.exit_code == 0 and "Strength: 16\nAgainst: 16" in result.output
