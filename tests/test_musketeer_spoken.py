"""What people say instead of ids: the same answer, or a sentence that tells the choice."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenarios import load
from scenarios.opening_positions import open_position
from tests.net.adapter import ask

GAME = load("musketeer")
FIGHT = {"attackers": "bde_7_israel,gol_israel+disrupted/bde_9_israel", "defenders": "bde_4_egypt"}


@pytest.mark.parametrize(
    ("question", "spoken_inputs", "expected_inputs"),
    [
        ("odds", {"attackers": "Israeli 7, GOL+Disrupted/9", "defenders": "Egyptian 4"}, FIGHT),
        ("odds", {**FIGHT, "terrain": "Desert", "special_command": "Y"},
         {**FIGHT, "terrain": "open", "special_command": "yes"}),
        ("odds", {**FIGHT, "hex": "Abu Agheila", "from": "55.08, 5510"},
         {**FIGHT, "hex": "5509", "from": "5508,5510"}),
        ("odds", {**FIGHT, "across": "Suez Canal"}, {**FIGHT, "across": "suez_canal"}),
        ("move", {"unit": "Gol", "from": "57.09", "to": "El Arish"}, {"unit": "gol_israel", "from": "5709", "to": "el_arish"}),
        ("supply", {"put": "7@Rafah,1 REP@Port Said", "remove": "garrison_egypt/1,garrison_egypt/3", "side": "West"},
         {"put": "bde_7_israel@rafah,rep_1_france@port_said", "remove": "garrison_egypt/1,garrison_egypt/3", "side": "west"}),
        ("air", {"attacker": "UK:3", "defender": "Egyptians:2"}, {"attacker": "britain:3", "defender": "egypt:2"}),
        ("air", {"units": "2*Airstrike_France, Jean Bart", "hex": "Port Said"},
         {"units": "2*airstrike_france,gunfire_france", "hex": "port_said"}),
        ("forecast", {"markers": "Operation Musketeer,KADESH,uk", "ussr": "Y"},
         {"markers": "musketeer,kadesh,anglo_french", "ussr": "yes"}),
        ("entry", {"unit": "75P"}, {"unit": "para_75_egypt"}),
        ("refit", {"nation": "Anglo-French", "kind": "Air", "units": "2"},
         {"nation": "anglo_french", "kind": "air", "units": "2"}),
    ],
)  # fmt: skip
def test_said_and_meant(question: str, spoken_inputs: dict[str, str], expected_inputs: dict[str, str]) -> None:
    assert ask(GAME, question, **spoken_inputs) == ask(GAME, question, **expected_inputs)


def test_a_name_of_several_is_asked_back() -> None:
    """Both Egypt and Israel have a 4."""
    assert "bde_4_egypt or bde_4_israel" in ask(GAME, "odds", attackers="7", defenders="4").refusal
    sinai = open_position(GAME, Path("docs/examples/sinai_1956.yaml"))
    for inputs, message in (
        ({}, "from=PLACE,PLACE; next to 5509 they stand in 5508, 5510"),
        ({"from": "5608"}, "stands in 5608; next to 5509"),
    ):
        assert message in ask(GAME, "odds", sinai, hex="5509", **inputs).refusal
    assert "did you mean gol_israel" in ask(GAME, "move", unit="gol_isreal").refusal
