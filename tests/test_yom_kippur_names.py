"""Yom Kippur: units by the names on their counters, and what a question that says too little is told."""

from __future__ import annotations

import pytest

from assistant.cli import cli
from scenarios import load
from scenarios.model.game import Game
from tests.asking import run_command
from tests.net.adapter import ask


@pytest.fixture(scope="module")
def game() -> Game:
    return load("yom_kippur", with_config_overlays=False)


def test_no_two_counters_have_one_name(game: Game) -> None:
    pairs = {(name.casefold(), unit.id) for unit in game.units.values() for name in (unit.name, unit.id)}
    assert len({name for name, _ in pairs}) == len(pairs)


@pytest.mark.parametrize(
    ("by_name", "by_id"),
    [
        ({"attackers": "Nir A+disorganized,nir b", "defenders": "4 INF"}, {"attackers": "nir_arm_bde_a+disorganized,nir_arm_bde_b",
                                                                            "defenders": "inf_2_4"}),
        ({"put": "Nir A@33.21,4 Inf@33.22", "mark": "4 inf+disorganized", "attackers": "NIR_ARM_BDE_A", "target": "33.22"},
         {"put": "nir_arm_bde_a@33.21,inf_2_4@33.22", "mark": "inf_2_4+disorganized", "attackers": "nir_arm_bde_a", "target": "33.22"}),
        ({"scenario": "4.6", "remove": "sam 3,15 Arm", "attackers": ["Artillery A"], "target": "23.20", "attack": "barrage"},
         {"scenario": "4.6", "remove": "sam/3,arm_15", "attackers": "arty_bde_a", "target": "23.20", "attack": "barrage"}),
    ],
)  # fmt: skip
def test_a_unit_by_its_name(game: Game, by_name: dict[str, str], by_id: dict[str, str]) -> None:
    assert ask(game, "odds", **by_name) == ask(game, "odds", **by_id)


@pytest.mark.parametrize(
    ("question", "inputs", "words"),
    [
        ("odds", {}, "attackers=UNIT"),
        ("odds", {"scenario": "4.5", "from": "10.15", "target": "45.21", "side": "israeli"}, "they stand in "),
        ("odds", {"scenario": "4.5", "target": "10.15"}, "no Israeli unit is adjacent to 10.15"),
        ("odds", {"scenario": "4.5", "target": "50.05"}, "no unit is in 50.05"),
    ],
)
def test_too_little_said(game: Game, question: str, inputs: dict[str, str], words: str) -> None:
    assert words in ask(game, question, **inputs).refusal


def test_who_stands_next_to_a_hex_attacks_it(game: Game) -> None:
    """Where nobody is named; and a unit that stands elsewhere may not."""
    neighbours = ask(game, "odds", scenario="4.5", target="45.21")
    named = ask(game, "odds", scenario="4.5", target="45.21", attackers="Alush A,Rami A")
    assert sorted(neighbours["strengths"]["attackers"]) == sorted(named["strengths"]["attackers"])
    assert neighbours["column"] == named["column"]
    assert ask(game, "odds", scenario="4.5", target="45.21", attackers="Nir A")["forbidden"] == {"1.2"}


def test_a_unit_that_has_nothing_to_do_with_bridges(game: Game) -> None:
    arguments = ["put=engineer_bn_1@33.18,alush_inf_bde_a@33.17", "unit=Engineer 1,Alush A"]
    output = run_command(cli, "ask", "yom_kippur", "bridges", *arguments).output
    assert "no water" in output and "builds no bridges" in output
    assert ask(game, "supply", scenario="4.5", side="Israeli") == ask(game, "supply", scenario="4.5", side="israeli")
