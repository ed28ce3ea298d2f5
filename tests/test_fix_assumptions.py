"""What an answer takes for granted is said first: in lines, in JSON, on the page, and with a refusal."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

import pytest

from assistant.cli import cli
from assistant.page.answers import QUESTIONS
from scenarios import load
from tests.asking import run_command

SAM = ("ask", "yom_kippur", "missiles", "scenario=4.1", "at=33.20")


def run(*words: str) -> str:
    return run_command(cli, *words).output


def assumptions_of(*words: str) -> dict[str, Any]:
    """What is assumed, by the input that would say it."""
    answer = json.loads(run_command(cli, *words, "--json").stdout)
    return {assumption["input"]: assumption["value"] for assumption in reversed(answer.get("assumptions", []))}


@pytest.mark.parametrize(
    ("words", "inputs"),
    [
        # In words: what a map or a scenario would say.
        (("odds", "yom_kippur", "attackers=inf_2_4", "defenders=nir_arm_bde_b"), {"turn": 1, "terrain": "open"}),
        (("odds", "arab_israeli_wars", "firers=t_62", "targets=m60a1"), {"distance": 1, "year": 1977, "terrain": "clear"}),
        (("odds", "musketeer", "attackers=bde_7_israel", "defenders=bde_4_egypt"), {"terrain": "open"}),
        (("odds", "october_war", "attackers=armor_brigade_7", "defenders=armored_brigade_egypt"), {"terrain": "open"}),
        (("ask", "october_war", "air", "mission=superiority", "israel=3", "egypt=2"), {"turn": 2}),
        (("ask", "yom_kippur", "forecast", "scenario=4.1"), {"turn": 1}),
        (("ask", "musketeer", "forecast"), {"turn": 1}),
        # From a scenario: its first turn (3 in 4.5), the phase, the units that no player has set up.
        (("move", "yom_kippur", "unit=inf_2_4", "put=inf_2_4@33.26"), {"kind": "move", "turn": 1}),
        (SAM, {"turn": 1, "set_up": 85}),
        (("turn", "yom_kippur", "scenario=4.1"), {"turn": 1, "set_up": 85}),
        (("stack", "yom_kippur", "scenario=4.1"), {"turn": 1, "set_up": 85}),
        (("move", "yom_kippur", "unit=132_cdo", "kind=flight", "scenario=4.1"), {"turn": 1, "set_up": 85}),
        (("move", "six_day_war", "unit=is_7_armor"), {"turn": 1, "set_up": 71}),
    ],
)  # fmt: skip
def test_what_nobody_said_is_in_the_answer(words: tuple[str, ...], inputs: dict[str, Any]) -> None:
    assumptions = assumptions_of(*words)
    assert inputs.items() <= assumptions.items(), assumptions
    assert run(*words).removeprefix("Error: ").find("Assumed: ") >= 0


@pytest.mark.parametrize(
    ("words", "inputs"),
    [
        (("odds", "yom_kippur", "attackers=inf_2_4", "defenders=nir_arm_bde_b", "turn=2", "terrain=open"), {"turn", "terrain"}),
        (("odds", "arab_israeli_wars", "firers=t_62:distance=3", "targets=m60a1", "year=1967"), {"distance", "year"}),
        (("ask", "yom_kippur", "forecast", "scenario=4.1", "turn=2"), {"turn"}),
        ((*SAM, "turn=2"), {"turn"}),
    ],
)  # fmt: skip
def test_what_is_said_is_not_assumed(words: tuple[str, ...], inputs: set[str]) -> None:
    assert not inputs & assumptions_of(*words).keys()


def test_it_is_the_first_line_key_and_node() -> None:
    assert run(*SAM).startswith("Assumed: turn 1; 85 units marked *")
    game = load("yom_kippur")
    body = {"question": "missiles", "inputs": {"scenario": "4.1", "at": "33.20"}}
    page = QUESTIONS["ask"](game, body)
    assert page["nodes"][0]["kind"] == "assumptions" and page["nodes"][0]["text"].startswith("Assumed: turn 1")
    assert list(page["answer"])[2] == "assumptions"


def test_the_turn_is_the_same_in_words_and_on_the_map() -> None:
    """Saggers count on turns 1 to 3 (3.6): the same turn gives the same stars."""
    words = ("odds", "yom_kippur", "attackers=inf_2_4", "defenders=nir_arm_bde_b")
    put = (
        "odds",
        "yom_kippur",
        "scenario=none",
        "put=inf_2_4@33.10,nir_arm_bde_b@33.11",
        "attackers=inf_2_4",
        "target=33.11",
    )
    in_words, on_map = (json.loads(run(*question, "--json")) for question in (words, put))
    assert in_words["values"]["star_counts"] and on_map["values"]["star_counts"]
    assert assumptions_of(*words)["turn"] == assumptions_of(*put)["turn"] == 1


def test_units_set_up_by_us_have_a_star() -> None:
    assert "Reshef A*" in run("stack", "yom_kippur", "scenario=4.1")
    assert "SAM 1*" in run("stack", "yom_kippur", "scenario=4.1", "at=11.26")
    assert "SAM 1*" not in run("stack", "yom_kippur", "scenario=none", "put=sam/1@11.26,inf_2_4@11.26", "at=11.26")


def test_a_refusal_says_what_it_takes_for_granted() -> None:
    words = ("move", "musketeer", "unit=special_forces_france", "from=5709", "scenario=none")
    assert assumptions_of(*words) == {"turn": 1} and "Assumed: turn 1" in run(*words)


def test_the_odds_of_the_page_say_what_they_assume_and_what_counts_0() -> None:
    """The tab for odds shows both lines above the column."""
    groups = {"attackers": [{"unit": "inf_2_4"}], "defenders": [{"unit": "nir_arm_bde_b"}]}
    answer = QUESTIONS["odds"](load("yom_kippur"), {"attack": "ground", "groups": groups, "inputs": {}})
    assert {"turn", "terrain"} <= {assumption["input"] for assumption in answer["assumptions"]}
    script = resources.files("assistant.page").joinpath("assets", "fight.js").read_text(encoding="utf-8")
    lines = script[script.index("function oddsLines(") : script.index("odds.column !== null")]
    assert "T.assumed(odds.assumptions)" in lines and "odds.missing_factors" in lines


def test_the_year_is_the_same_in_words_and_on_the_map() -> None:
    words = ("odds", "arab_israeli_wars", "firers=t_62:distance=2", "targets=m60a1")
    put = ("odds", "arab_israeli_wars", "--map", "B", "put=t_62@B-H-5,m60a1@B-H-7", "firers=t_62", "at=B-H-7")
    in_words, on_map = (assumptions_of(*question)["year"] for question in (words, put))
    assert int(in_words) == int(on_map)


@pytest.mark.parametrize(
    "words",
    [
        ("odds", "yom_kippur", "attackers=inf_2_4@33.10", "defenders=nir_arm_bde_b"),
        ("odds", "two_wells", "attackers=cars@0302", "defenders=gun"),
        ("odds", "musketeer", "attackers=bde_7_israel@4311", "defenders=bde_4_egypt"),
    ],
)
def test_a_place_is_no_part_of_a_battle_in_words(words: tuple[str, ...]) -> None:
    """A place that an answer would ignore is refused: the terrain and the turn would be assumed in spite of it."""
    result = run_command(cli, *words)
    assert result.exit_code == 2 and "a battle in words has none" in " ".join(result.output.split()), result.output
