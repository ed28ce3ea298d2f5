"""October War: errors found by comparing answers with the rulebook, asked on the command line."""

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


def run(question: str, *words: str, code: int = 0) -> str:
    result = CliRunner().invoke(cli, ["ask", "october_war", question, *words])
    assert result.exit_code == code, result.output
    return result.output


def ask(question: str, *words: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(run(question, *words, "--json"))
    return answer


# Flights (13.8, 13.10, 23.4, 23.5)

SAM = "put=static_sam_egypt@ismailia"
FLIGHTS = [
    ("armor_battalion", "tasa", "baluza", False, "", "13.8, 23.4"),
    ("armor_battalion", "israeli_reserve", "tasa", True, "", "13.10, 23.5"),
    ("commando_battalion", "israeli_reserve", "tasa", True, "", "13.10, 23.5"),
    ("paratroop_battalion_202", "tasa", "baluza", False, "", "13.8, 23.4"),
    ("commando_battalion", "tasa", "abu_suweir", False, "", "23.4"),
    ("commando_battalion", "tasa", "ismailia", False, SAM, "23.4"),
    ("commando_battalion", "ismailia", "tasa", False, SAM, "23.4"),
    ("paratroop_battalion_202", "israeli_reserve", "bir_gifgafa", True, "", "23.4"),
    ("commando_battalion", "tasa", "el_arish", False, "", ""),
    ("commando_battalion", "tasa", "wasit", False, "", "23.4"),
    ("commando_battalion", "tasa", "ismailia", False, "", None),
    ("commando_battalion", "tasa", "baluza", False, "", None),
    ("paratroop_battalion_202", "israeli_reserve", "baluza", True, "", None),
]


@pytest.mark.parametrize(("unit", "start", "end", "drop", "more", "rule"), FLIGHTS)
def test_move_and_airmobile_refuse_the_same_flights(
    unit: str, start: str, end: str, drop: bool, more: str, rule: str | None
) -> None:
    """`rule` is that of the refusal: none where the flight is lawful, an empty one where it is only too far."""
    flight = [f"unit={unit}", f"from={start}", f"to={end}", "scenario=none", "turn=2", *more.split()]
    kind, drops = ("drop", ["drop=yes"]) if drop else ("airmobile", [])
    if rule is None:
        assert ask("move", *flight, f"kind={kind}")["places"][0]["may_end"]
        (landing,) = ask("airmobile", *flight, *drops)["landings"]
        assert landing["why"] == [] and landing["may_end"]
        return
    assert (f"({rule})" if rule else "points") in run("move", *flight, f"kind={kind}", code=2)
    if "13." in rule:
        assert f"({rule})" in run("airmobile", *flight, *drops, code=2)
    else:
        (landing,) = ask("airmobile", *flight, *drops)["landings"]
        assert rule in landing["why"][0] and not landing["may_end"]
