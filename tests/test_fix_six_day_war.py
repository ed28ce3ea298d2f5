"""Six Day War: errors found by comparing answers with the rulebook, asked on the command line."""

from __future__ import annotations

import functools
import json
from typing import Any

import pytest
from click.testing import CliRunner

from assistant.cli import cli
from scenarios.command import load_game

LOADED = functools.cache(load_game)


@pytest.fixture(autouse=True)
def loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("cli", "verbs"):
        monkeypatch.setattr(f"assistant.{module}.load_game", LOADED)


def ask(question: str, *words: str) -> dict[str, Any]:
    result = CliRunner().invoke(cli, ["ask", "six_day_war", question, *words, "--json"])
    assert result.exit_code == 0, result.output
    answer: dict[str, Any] = json.loads(result.output)
    return answer


# Disintegration markers (21.3 to 21.5)

TURNED = "disintegration_sinai+disintegrated@box:sinai_disintegration"
INTACT = "disintegration_sinai@box:sinai_disintegration"


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        (["scenario=none", f"put=eg_7_11@3230,{TURNED}", "hexes=1"], "14.2"),  # a retreat becomes a panic
        (["scenario=none", f"put=eg_7_11@3230,{TURNED}", "hexes=panic"], "21.3"),  # a panic eliminates
        (["scenario=none", "put=eg_7_11@3230", "disintegrated=sinai", "hexes=1"], "14.2"),
        (["scenario=standard", "mark=disintegration_sinai+disintegrated", "hexes=1"], "14.2"),
        (["scenario=none", f"put=eg_7_11@3230,{INTACT}", "hexes=1"], ""),
        (["scenario=standard", "hexes=1"], ""),
        (["scenario=standard", "mark=disintegration_eastern+disintegrated", "hexes=1"], ""),
    ],
)
def test_a_turned_marker_breaks_its_front(words: list[str], rule: str) -> None:
    (unit,) = ask("retreat", "unit=eg_7_11", *words)["units"]
    assert unit["rule"] == rule
    assert (unit["eliminated"] == "1") == (rule == "21.3")


def test_a_turned_marker_ends_the_checks_of_its_front() -> None:
    """21.5: who has disintegrated is not checked again."""
    checks = ask("events", "scenario=none", "turn=2", f"put={TURNED}")["checks"]
    assert {check["front"]: "by_the_end" in check for check in checks} == {"sinai": False, "eastern": True}


# The tables of an attack (13.13, 25.5)


@pytest.mark.parametrize(
    ("words", "tables"),
    [
        (["turn=1"], ["mobile", "assault"]),
        (["turn=1", "enhanced=yes"], ["mobile", "assault"]),  # forbidden, but the choice of the table stays
        (["turn=2", "enhanced=yes"], ["mobile", "assault"]),
        (["turn=1", "enhanced=yes", "table=mobile"], ["mobile"]),
    ],
)
def test_the_choice_of_the_table_does_not_hang_on_enhancement(words: list[str], tables: list[str]) -> None:
    found = ask(
        "odds", "scenario=none", "put=is_7_armor@4622,eg_7_11@4621", "attackers=is_7_armor", "target=4621", *words
    )
    assert [attack["attack"] for attack in found["attacks"]] == tables
    forbidden = "turn=1" in words and "enhanced=yes" in words
    assert all(("25.5" in str(attack["refused"])) == forbidden for attack in found["attacks"])


def test_an_arab_attack_has_one_table() -> None:
    """6.0, 13.13: Arabs neither choose the table nor enhance attacks."""
    found = ask(
        "odds",
        "scenario=none",
        "put=is_7_armor@4622,eg_7_11@4621",
        "attackers=eg_7_11",
        "target=4622",
        "turn=2",
        "enhanced=yes",
    )
    assert [attack["attack"] for attack in found["attacks"]] == ["assault"]


# Equals (13.16): the owner chooses among units of the same strength

PAIR = ["scenario=none", "put=is_7_armor@4622,is_14_armor@4622,eg_7_11@4621,eg_2_10@4621", "turn=2"]


def test_equals_share_their_losses() -> None:
    attack = ask("odds", *PAIR, "attackers=eg_7_11,eg_2_10", "target=4622")["attacks"][0]
    # AE, AD and AA by a third each: AE takes both, the others one of the two.
    rows = {row["unit"]: row for row in attack["fates"]}
    assert {name: rows[name]["eliminated"] for name in ("eg_7_11", "eg_2_10")} == {"eg_7_11": "2/3", "eg_2_10": "2/3"}
    assert rows["eg_7_11"]["equals"] == ["eg_2_10"] and rows["eg_2_10"]["equals"] == ["eg_7_11"]
    assert rows["is_7_armor"]["equals"] == []


def test_the_stronger_of_two_is_no_equal() -> None:
    """The Israeli strengths are 8 and 8; against them 2 and, with a garrison, 1."""
    words = ["scenario=none", "put=is_60_armor@5328,eg_garrison_gaza@gaza,eg_7_11@gaza", "turn=2"]
    attack = ask("odds", *words, "attackers=is_60_armor", "target=gaza")["attacks"][0]
    assert all(row["equals"] == [] for row in attack["fates"])
