"""Yom Kippur through the command line's JSON: where armor comes back, who may attack over the canal, when reserves come."""

from __future__ import annotations

import json
from typing import Any

import pytest

from modgen.cli import cli as modgen
from tests.asking import ask_json, run_assistant, run_command


def hexes(*words: str) -> set[str]:
    return {str(row["place"]) for row in ask_json("ask", "yom_kippur", "recovery", *words)["places"]}


SIX = ["gonen_arm_bde_a", "gonen_arm_bde_b", "gonen_arm_bde_c", "karen_arm_bde_a", "karen_arm_bde_b", "amir_arm_bde_a"]


@pytest.mark.parametrize(
    ("units", "free"), [(5, True), (6, False)], ids=["five steps leave room", "six steps fill the hex"]
)
def test_recovery_needs_room(units: int, free: bool) -> None:
    """1.3: a hex holds six steps; each of these units has one."""
    put = ",".join(f"{unit}@20.05" for unit in SIX[:units])
    assert ("20.05" in hexes("scenario=4.5", "remove=nir_arm_bde_a", f"put=sharon_div_hq@21.05,{put}")) is free


def test_armor_comes_back_to_a_swamp_along_a_road_only() -> None:
    """1.4a: 50.17 and 51.18 have a road, 50.16 and 51.17 haven't."""
    swamp_hexes = hexes("scenario=4.5", "put=adan_div_hq@50.17")
    assert {"50.17", "51.18"} <= swamp_hexes and not swamp_hexes & {"50.16", "51.17", "50.18"}


def test_a_tank_is_not_put_into_a_swamp_without_a_road() -> None:
    """1.4a."""
    assert "(1.4a)" in " ".join(
        run_assistant("ask", "yom_kippur", "supply", "scenario=4.5", "put=nir_arm_bde_a@50.16", code=2).split()
    )
    assert ask_json("ask", "yom_kippur", "supply", "scenario=4.5", "put=nir_arm_bde_a@50.17,pinchas_inf_bde_a@50.16")


def test_an_army_headquarters_does_not_attack_over_the_canal() -> None:
    """1.4a, 3.5a: it may not enter the east bank; with the price of 3.8 paid it may."""
    battle = (
        "odds",
        "scenario=4.6",
        "put=hq_2_army@42.24,yairi_abn_bde_a@42.23",
        "attackers=hq_2_army",
        "target=42.23",
    )
    answer = ask_json("ask", "yom_kippur", *battle)
    assert any("3.5a" in failure["rule"] for failure in answer["refused"])
    assert answer["hex_taken"] == 0 or answer["hex_taken"] == "0"
    paid_answer = ask_json("ask", "yom_kippur", *battle, "may_cross_east=yes")
    assert not any("3.5a" in failure["rule"] for failure in paid_answer["refused"])


@pytest.mark.parametrize(
    "attackers, paid, refused",
    [
        ("hq_2_army:across=suez_canal:bridged=yes,inf_2_4:across=suez_canal", "no", True),
        ("hq_2_army:across=suez_canal_no_bridge", "no", True),
        ("hq_2_army:across=suez_canal:bridged=yes,inf_2_4:across=suez_canal", "yes", False),
        ("hq_2_army:across=minor_canal,inf_2_4", "no", False),
        ("inf_2_4:across=suez_canal", "no", False),
    ],
)
def test_words_know_the_headquarters_rule_of_the_map(attackers: str, paid: str, refused: bool) -> None:
    """1.4a, 3.5a, 3.8: an attack in words over the canal is refused as the same attack on the map is."""
    words = ("odds", f"attackers={attackers}", "defenders=yairi_abn_bde_a", f"may_cross_east={paid}")
    rules = {failure["rule"] for failure in ask_json("ask", "yom_kippur", *words)["refused"]}
    place_words = ("odds", "scenario=4.6", "put=hq_2_army@42.24,yairi_abn_bde_a@42.23", "target=42.23")
    on_the_map = {
        failure["rule"] for failure in ask_json("ask", "yom_kippur", *place_words, "attackers=hq_2_army")["refused"]
    }
    assert (rules & on_the_map == {"1.4a, 1.10b, 1.13c, 3.5a"}) is refused


def test_tanks_without_a_bridge_take_nothing_over_the_canal() -> None:
    """1.13b: no advance for those who can't attack across; the infantry beside them may take the hex."""
    tanks = ("odds", "scenario=4.6", "put=sharon_recon_bn@42.23,recon_4@42.24,matt_abn_bde_a@42.23", "target=42.24",
             "remove=engineer_2_9")  # fmt: skip
    tank_answer = ask_json("ask", "yom_kippur", *tanks, "attackers=sharon_recon_bn")
    assert tank_answer["hex_falls"] not in (0, "0") and tank_answer["hex_taken"] in (0, "0")
    assert ask_json("ask", "yom_kippur", *tanks, "attackers=matt_abn_bde_a")["hex_taken"] not in (0, "0")


def test_from_names_a_headquarters_that_may_attack() -> None:
    """1.5, Combat Results Table: a headquarters with an attack strength fights like others; one that may not says why."""
    units = "put=hq_2_army@{0},inf_2_4@{0},yairi_abn_bde_a@{1}"
    west = ask_json(
        "ask", "yom_kippur", "odds", "scenario=4.6", units.format("41.26", "41.25"), "from=41.26", "target=41.25"
    )
    assert {row["name"] for row in west["units"] if row["group"] == "attackers"} == {"2 Army HQ", "4 Inf"}
    east = ask_json(
        "ask", "yom_kippur", "odds", "scenario=4.6", units.format("42.24", "42.23"), "from=42.24", "target=42.23"
    )
    assert {row["name"] for row in east["units"] if row["group"] == "attackers"} == {"4 Inf"}
    assert not east["refused"]
    words = ("odds", "scenario=4.6", units.format("42.24", "42.23"), "from=42.24", "target=42.23")
    assert "2 Army HQ doesn't attack" in run_assistant("ask", "yom_kippur", *words)


@pytest.mark.parametrize(
    ("phase", "turn"),
    [
        ("air_reset", 2),
        ("egyptian_reserve_release", 2),
        ("egyptian_movement", 3),
        ("israeli_combat", 3),
        ("cease_fire_check", 3),
    ],
)
def test_the_ghq_reserve_comes_with_the_next_egyptian_turn(phase: str, turn: int) -> None:
    """3.3: at the start of the next Egyptian half turn once an Israeli unit has crossed."""
    words = ("forecast", "scenario=4.5", "put=nir_arm_bde_a@42.25")
    turns = ask_json("ask", "yom_kippur", *words, f"phase={phase}")["turns"]
    assert next(row["turn"] for row in turns if row["counters"]["ghq_out"] == {"yes": "1"}) == turn


def test_a_forecast_knows_the_phases() -> None:
    """One that isn't in the sequence is refused."""
    words = ("ask", "yom_kippur", "forecast", "scenario=4.5", "put=nir_arm_bde_a@42.25")
    assert "israeli_combat" in run_assistant(*words, "phase=israeli_kombat", code=2)


def test_a_group_that_arrives_on_a_headquarters_says_so() -> None:
    """4.1, turn 5: Shun and Schmk come on any Israeli headquarters."""
    group = next(
        row for row in json.loads(run_assistant("turn", "yom_kippur", "--scenario", "4.1", "--turn", "5", "--json"))["reinforcements"]
        if "shun_inf_tf" in row["units"]
    )  # fmt: skip
    assert "headquarters" in group["note"]
    assert "any Israeli headquarters" in " ".join(
        run_assistant("turn", "yom_kippur", "--scenario", "4.1", "--turn", "5").split()
    )


def rules(*words: str) -> list[dict[str, Any]]:
    return list(ask_json("rules", "yom_kippur", *words)["rules"])


def test_the_ruling_on_losses_says_what_the_odds_do() -> None:
    """1.8e: in combat the strongest loses first and the losses are shared out; of two steps both units lose one each."""
    assert any("next strongest" in rule["text"] and "around again" in rule["text"] for rule in rules("combat losses"))
    attackers = "gonen_arm_bde_a,gonen_arm_bde_b,gonen_arm_bde_c,karen_arm_bde_a,karen_arm_bde_b"
    answer = ask_json(
        "ask", "yom_kippur", "odds", f"attackers={attackers}", "defenders=inf_2_4,mech_90", "turn=4", "israeli_air=4"
    )
    (two,) = [row for row in answer["results"] if row["result"] == "D2r2"]
    losses = {row["unit"]: row["steps"] for row in two["units"] if row["role"] == "defender"}
    assert losses == {"inf_2_4": 1, "mech_90": 1}


def test_rules_of_the_series_are_cited_as_such() -> None:
    """1.9 is about disorganized units and 1.4 about kinds of units; what the series says of movement is a ruling."""
    enemy = run_assistant(
        "ask", "yom_kippur", "move", "scenario=none", "put=nir_arm_bde_a@27.14,inf_2_4@27.15", "unit=nir_arm_bde_a",
        "to=27.15", code=2,
    )  # fmt: skip
    assert "our ruling: enemy hexes" in " ".join(enemy.split())
    sentences = ("an enemy unit is there", "its movement")
    cited_rules = {rule["rule"] for text in sentences for rule in rules(text) if rule.get("text") == text}
    assert not cited_rules & {"1.9", "1.4"}


def test_the_price_of_crossing_moves_the_difference_by_two() -> None:
    """3.8: what the price comes to is a ruling."""
    assert any("By 2" in rule["text"] for rule in rules("3.8"))
    old_scores, new_scores = (
        {
            side["side"]: side["points"]
            for side in ask_json("ask", "yom_kippur", "score", "scenario=4.6", *words)["sides"]
        }
        for words in ((), ("may_cross_east=yes",))
    )
    assert new_scores == {**old_scores, "israeli": old_scores["israeli"] + 2}


def test_a_lake_hex_costs_a_swimmer_three_points() -> None:
    """3.5b: +2 over the canal, 3 for a lake hex."""
    tables = json.loads(run_command(modgen, "show", "yom_kippur", "tables", "--json").output)["tables"]
    (labels,) = [table["labels"] for table in tables if table["id"] == "limits"]
    assert "more" in labels["swim_canal_points"] and "more" not in labels["swim_lake_points"]


@pytest.mark.parametrize(("old", "new", "more"), [("reserve", "forecast", ()), ("sam", "missiles", ("at=20.20",))])
def test_a_former_name_of_a_question_still_answers(old: str, new: str, more: tuple[str, ...]) -> None:
    assert ask_json("ask", "yom_kippur", old, "scenario=4.1", *more) == ask_json(
        "ask", "yom_kippur", new, "scenario=4.1", *more
    )
