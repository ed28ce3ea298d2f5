"""Questions of a player who reads every "unless" of the rulebook, asked on the command line and answered from the rules."""

from __future__ import annotations

import functools
import json
from typing import Any

import pytest
from click.testing import CliRunner

from assistant.cli import cli
from scenarios.command import load_game

# A game never changes once it is loaded, so one will do for all questions.
LOADED = functools.cache(load_game)


@pytest.fixture(autouse=True)
def loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("cli", "verbs"):
        monkeypatch.setattr(f"assistant.{module}.load_game", LOADED)


def asked(game: str, question: str, *words: str) -> dict[str, Any]:
    result = CliRunner().invoke(cli, ["ask", game, question, *words, "--json"])
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.output)
    return found


def lines(game: str, question: str, *words: str) -> str:
    result = CliRunner().invoke(cli, ["ask", game, question, *words])
    assert result.exit_code == 0, result.output
    return result.output


def refused(game: str, question: str, *words: str) -> str:
    result = CliRunner().invoke(cli, ["ask", game, question, *words])
    assert result.exit_code == 2, result.output
    return result.output


# Turns


@pytest.mark.parametrize(
    ("game", "scenario", "turn", "turns"),
    [("six_day_war", "standard", "7", "1 to 6"), ("yom_kippur", "4.5", "1", "2 to 3"), ("musketeer", "standard", "8", "1 to 7")],
)
def test_a_turn_that_the_scenario_does_not_have_is_refused(game: str, scenario: str, turn: str, turns: str) -> None:
    assert f"has turns {turns}, not {turn}" in refused(game, "turn", f"scenario={scenario}", f"turn={turn}")


# Six Day War


def test_attacks_of_arabs_are_on_the_assault_table() -> None:
    """13.13: Arabs never use the Mobile table, so nothing of it stands against their attack."""
    found = asked("six_day_war", "attacks", "side=arab", "scenario=none", "turn=2", "put=is_7_armor@4425,eg_7_11@4424")
    (attack,) = found["sides"][0]["attacks"]
    assert attack["column"] == "0-49"
    assert attack["refused"] == []


def test_infantry_attacks_on_the_assault_table() -> None:
    """13.13: without armor, mechanized infantry or recon only the Assault table is left: 4 against 2 in the open."""
    found = asked("six_day_war", "attacks", "side=israeli", "scenario=none", "turn=2", "put=is_11_infantry@4622,eg_7_11@4621")
    (attack,) = found["sides"][0]["attacks"]
    assert (attack["column"], attack["refused"]) == ("200-299", [])


def test_arab_armor_is_refused_the_mobile_table_for_one_reason() -> None:
    """13.13: they are Arabs; that they have armor, or whom they attack, is beside the point."""
    put = "put=is_7_armor@4622,eg_14_armor@4621"
    text = refused("six_day_war", "odds", "attackers=eg_14_armor", "target=4622", "table=mobile", "scenario=none", put, "turn=2")
    assert "only Israelis use the Mobile table (13.13)" in text
    assert "armor, mechanized" not in text
    assert "must be Arabs" not in text


def test_who_stands_in_a_hex_controls_it() -> None:
    """2.14: an Israeli in Eilat holds it, whatever is told."""
    text = refused("six_day_war", "events", "scenario=none", "put=is_7_armor@eilat", "control=eilat:arab", "turn=2")
    assert "7 Armored stands in 2532" in text
    found = asked("six_day_war", "events", "scenario=none", "control=eilat:arab,gaza:israeli", "turn=2")
    assert [check["score"] for check in found["checks"]] == [0, 0]  # Gaza one more, Eilat one less (21.2)


def test_a_static_unit_is_never_brought_back() -> None:
    """8.1, 19.2."""
    assert "(8.1, 19.2)" in refused("six_day_war", "reserve", "plan=replace_static:1", "front=sinai", "turn=2")


def test_a_unit_that_comes_is_called_by_its_name() -> None:
    assert lines("six_day_war", "stack", "at=5031", "unit=is_militia_sinai", "scenario=none").startswith("Militia may stand in 5031: yes")
