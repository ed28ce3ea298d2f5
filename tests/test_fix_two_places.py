"""An attack on two places at once: each defender is judged in its own."""

from __future__ import annotations

import pytest

from assistant.cli import cli
from tests.asking import ask_json, run_command

# 0301 is a village, which doubles the defense (RULES.md 3.1), 0302 is clear.
PUT = ("--scenario", "none", "--put", "cars/14@0401,cars/15@0401,infantry_blue/21@0301,camels/23@0302")


@pytest.mark.parametrize("places", ["0301,0302", "0302,0301"])
def test_a_village_doubles_only_who_stands_in_it(places: str) -> None:
    answer = ask_json("odds", "two_wells", "--at", places, "--from", "0401", *PUT)
    values = {unit["name"]: unit["value"] for unit in answer["units"] if unit["group"] == "defenders"}
    assert values == {"Infantry 21": 10, "Camel riders 23": 3} and answer["defense_strength"] == 13
    assert {row["place"]: row["inputs"]["terrain"] for row in answer["by_place"]} == {
        "0301": "village",
        "0302": "clear",
    }


def test_what_a_player_says_counts_for_all() -> None:
    answer = ask_json("odds", "two_wells", "--at", "0301,0302", "--from", "0401", "terrain=clear", *PUT)
    assert answer["defense_strength"] == 8 and "by_place" not in answer


def test_a_shift_of_the_whole_attack_is_that_of_the_first_place_and_that_is_said() -> None:
    # 0402 is a hill: one column to the left (3.3).
    put = ("--scenario", "none", "--put", "cars/14@0401,camels/23@0302,gun@0402")
    assert ask_json("odds", "two_wells", "--at", "0402,0302", *put)["shift"] == -1
    assert ask_json("odds", "two_wells", "--at", "0302,0402", *put)["shift"] == 0
    lines = run_command(cli, "odds", "two_wells", "--at", "0302,0402", *put).output
    assert "hill in 0402" in " ".join(lines.split()) and "the whole attack uses clear" in " ".join(lines.split())
