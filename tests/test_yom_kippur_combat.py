"""Yom Kippur battles, dice and score."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from scenarios import load
from scenarios.model.game import Game
from tests.net.adapter import GameAnswer, ask, position


@pytest.fixture(scope="module")
def game() -> Game:
    return load("yom_kippur", with_config_overlays=False)


def about(question: str, *units: str, turn: int = 1, scenario: str = "4.1", **inputs: str) -> GameAnswer:
    """A question about a position with these units, as UNIT@HEX+STATE."""
    return ask("yom_kippur", question, position("yom_kippur", scenario, units, turn=turn), **inputs)


def attack(*units: str, attackers: str, target: str, turn: int = 1, **inputs: str) -> GameAnswer:
    """An attack in a position with these units."""
    return about("odds", *units, turn=turn, attackers=attackers, target=target, **inputs)


def test_october_8th_costs_a_task_force_and_another() -> None:
    task_forces = "reshef_arm_bde_a,reshef_arm_bde_b"
    dunes = attack(
        "reshef_arm_bde_a@38.17", "reshef_arm_bde_b@38.17", "inf_2_4@38.18", attackers=task_forces, target="38.18"
    )
    assert dunes["attack"] == 16 and dunes["defense"] == 16, "dunes double the defender"
    field = ("reshef_arm_bde_a@33.21", "reshef_arm_bde_b@33.21", "inf_2_4@33.22")
    open_field = attack(*field, attackers=task_forces, target="33.22")
    assert open_field["column"] == "2-1"
    assert open_field["spread"]["attacker_steps"]["2"] == Fraction(26, 36), "a throw below 9: a step and a Sagger's"
    calm = attack(*field, attackers=task_forces, target="33.22", turn=4)
    assert set(calm["spread"]["attacker_steps"]) == {"0", "1"}, "after turn 3 the star is nothing (3.6)"


def test_every_throw_gives_the_steps_that_the_table_says(game: Game) -> None:
    """Each of the 36 throws by hand against the solved spread."""
    answer = attack(
        "nir_arm_bde_a@33.21",
        "alush_inf_bde_a@33.21",
        "mech_2_117@33.22",
        attackers="nir_arm_bde_a,alush_inf_bde_a",
        target="33.22",
    )
    table = game.tables["combat"]
    column = table.named_column(answer["column"])
    expected_chances: dict[tuple[int, int], Fraction] = {}
    for a, b in product(range(1, 7), repeat=2):
        code = table.cell(a + b, column).code
        first, _, defender_code = code.partition("D")
        attacker = int(first[1]) if len(first) > 1 and first[1].isdigit() else 0
        # Nir, the strongest, goes by the table; the infantry can't give the Sagger's step for him.
        attacker = min(2, attacker) if attacker else int("*" in first)
        defender = min(2, int(defender_code[0]) if defender_code and defender_code[0].isdigit() else 0)
        expected_chances[attacker, defender] = expected_chances.get((attacker, defender), Fraction(0)) + Fraction(1, 36)
    actual_chances: dict[tuple[int, int], Fraction] = {}
    for result in answer["results"].values():
        key = int(sum(result["attacker"]["lost"].values())), int(sum(result["defender"]["lost"].values()))
        actual_chances[key] = actual_chances.get(key, Fraction(0)) + result["chance"]
    assert actual_chances == expected_chances


def test_a_fort_takes_its_retreat_as_steps() -> None:
    answer = attack("inf_2_4@29.23", "fort_purkan@29.24", attackers="inf_2_4", target="29.24", turn=5)
    for result in answer["results"].values():
        loss = sum(result["defender"]["lost"].values())
        assert loss == min(2, result["defender"]["steps"] + result["defender"]["retreat"])
        assert result["falls"] == (loss == 2)


def test_water_missiles_and_helpers_come_from_the_position() -> None:
    field = ("inf_2_4@38.24", "hq_2_army@38.24", "fort_mfrkt@38.23", "sam@39.29")
    answer = attack(*field, attackers="inf_2_4", target="38.23", israeli_air="1")
    assert answer["attack"] == 2, "a quarter over the canal"
    assert answer["shift"] == 0, "the headquarters for, an air unit against"
    assert not answer["allowed"], "the air unit would have to come from the SAM Zone Box"
    assert attack(*field, attackers="inf_2_4", target="38.23", israeli_air="1", sam_zone_air="1")["allowed"]
    assert not attack("arm_15@38.24", "fort_mfrkt@38.23", attackers="arm_15", target="38.23")["allowed"], (
        "tanks need a bridge"
    )
    assert attack("arm_15@38.24", "fort_mfrkt@38.23", "engineer_1_9@38.24+bridge", attackers="arm_15", target="38.23")[
        "allowed"
    ]


def test_halved_twice() -> None:
    answer = attack(
        "nir_arm_bde_a@33.21+disorganized+out_of_supply", "inf_2_4@33.22", attackers="nir_arm_bde_a", target="33.22"
    )
    assert answer["attack"] == 2


def test_barrage_sees_distance_and_spotters() -> None:
    far_barrage = about(
        "odds", "arty_bde_1@33.17", "inf_2_4@33.22", attack="barrage", attackers="arty_bde_1", target="33.22"
    )
    assert not far_barrage["allowed"], "out of range"
    near_barrage = about(
        "odds",
        "arty_bde_1@33.18",
        "nir_arm_bde_a@33.21",
        "inf_2_4@33.22",
        attack="barrage",
        attackers="arty_bde_1",
        target="33.22",
    )
    assert near_barrage["allowed"] and near_barrage["shift"] == 1
    assert sum(near_barrage["chances"].values()) == 1


def test_suppression_cease_fire_and_recovery_add_up() -> None:
    rows = [
        ask("yom_kippur", "suppression", allocated=str(allocated), available="8")["fly"]["under_missiles"]
        for allocated in range(9)
    ]
    assert all(sum(row.values()) == 1 for row in rows)
    means = [sum(int(count) * chance for count, chance in row.items()) for row in rows]
    assert means[:2] == [Fraction(1, 3), Fraction(5, 6)] and means[8] == 0, "none is left to fly"
    turns = ask("yom_kippur", "forecast", scenario="4.1")["counters"]
    # 1.15: so much or more on two dice; after a second cease-fire there is no further roll (1.15b).
    ways = {6: 1, 7: 3, 8: 6, 9: 10, 10: 15, 11: 21}
    counts = {turn: [Fraction(0)] * 3 for turn in turns}
    for pattern in product((False, True), repeat=len(turns)):
        weight = Fraction(1)
        for hit, turn in zip(pattern, turns, strict=True):
            chance = Fraction(ways.get(int(turn), 0), 36)
            weight *= chance if hit else 1 - chance
        for place, turn in enumerate(turns, 1):
            counts[turn][min(2, sum(pattern[:place]))] += weight
    for turn, counters in turns.items():
        assert [counters["cease_fires"].get(str(number), 0) for number in range(3)] == counts[turn], turn
    dead = ("nir_arm_bde_a@box:israeli_dead", "nir_arm_bde_b@box:israeli_dead")
    assert about("recovery", "sharon_div_hq@27.14", *dead, turn=2)["chances"] == {
        "1": Fraction(1, 3),
        "2": Fraction(2, 3),
    }
    assert about("recovery", dead[0])["chances"] == {"0": 1}


def test_score() -> None:
    assert about("score", "sharon_div_hq@27.14", "arm_15@33.25")["points"] == {"egyptian": 5, "israeli": 5}
    crossing = ("adan_div_hq@22.22", "nir_arm_bde_a@22.24", "engineer_bn_1@22.23+bridge")
    assert about("score", *crossing)["points"]["israeli"] == 6
    control_score = about("score", *crossing, control="20.25:israeli,5.19:israeli")
    assert control_score["difference"] == 5 and control_score["level"] == "Israeli major"
    ignored_score = about("score", *crossing, ignored_israeli="2")
    assert ignored_score["difference"] == -3 and ignored_score["level"] == "Egyptian minor"
    assert ask("yom_kippur", "score", scenario="4.5")["level"] == "Egyptian victory"


def test_answers_and_bad_questions() -> None:
    inputs = {"scenario": "4.5", "attackers": "alush_inf_bde_a", "target": "45.21"}
    answer = ask("yom_kippur", "odds", **inputs, what_if="yes")
    assert sum(result["chance"] for result in answer["results"].values()) == 1
    assert answer["changes"] and answer["next_column"] > 0
    for question in ("suppression", "forecast", "recovery"):
        assert not ask("yom_kippur", question, scenario="4.5").refusal
    assert ask("yom_kippur", "odds", **{**inputs, "target": "10.15"})["forbidden"] == {"1.2"}
    assert "alush_inf_bde_a" in ask("yom_kippur", "odds", **{**inputs, "attackers": "alush"}).refusal
