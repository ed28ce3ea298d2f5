"""An input that a special rule of the scenario answers (`read: effect`): in the assistant, in a module, and where it makes no sense."""

from __future__ import annotations

from pathlib import Path

import pytest

from modgen.vmod.battle.places import usual
from modgen.vmod.files.lock import Lock
from modgen.vmod.pieces.traits import named_key
from scenarios import PackError, load
from scenarios.model.maps import HexMap
from scenarios.vassal.geometry import BoardSheet
from scenarios.vassal.windows import MAIN
from tests.bsh import Scope, evaluate_text
from tests.machine import Machine
from tests.rule_keys import ask_words
from tests.test_unshielded import pack

GAME = "arab_israeli_wars"
DISTANT_HEXES = ("D-AA-3", "D-EE-3")
"""Four hexes off: within the ranges that the light of B-3 is for, where Israelis double after 1960 elsewhere (WEC note 3)."""


def test_the_poor_light_of_a_situation_is_read_by_both() -> None:
    """B-3, special rules: Israeli fire at 3 to 6 hexes isn't doubled; a player who says otherwise is believed."""
    game = load(GAME)
    table = game.scenario_maps["B-3"]
    assert isinstance(table, HexMap)
    lock = Lock()
    machine = Machine(game, "B-3", {key: lock.gpid(key) for key in (*game.units, *game.markers)}, 1)
    for name, unit, place, role in (("a", "sherman_51hv", DISTANT_HEXES[0], "1"), ("b", "t_55", DISTANT_HEXES[1], "2")):
        x, y = BoardSheet(table).centre(table.hex(place))
        machine.pieces[name] = machine.put(unit, MAIN, str(x), str(y), place) | {"Role": role}
    printed_attack = float(machine.pieces["a"]["attack"])
    put = f"put=sherman_51hv@{DISTANT_HEXES[0]},t_55@{DISTANT_HEXES[1]}"
    for light_input, times in (("", 1), ("no", 2)):
        machine.values["told_reduced_visibility"] = light_input or "default"
        machine.chat.clear()
        machine.press(named_key("direct_fire-odds"))
        assert float(machine.values["v_direct_fire_attack"]) == times * printed_attack
        assert not any("double at 3 to 6" in line for line in machine.chat if "Not read" in line)
        answer = ask_words(
            game,
            [
                "odds",
                "scenario=B-3",
                put,
                f"from={DISTANT_HEXES[0]}",
                f"at={DISTANT_HEXES[1]}",
                "anyway=yes",
                *([f"reduced_visibility={light_input}"] if light_input else []),
            ],
        )
        assert answer["attack_strength"] == times * printed_attack


def test_a_module_reads_it_by_the_scenario() -> None:
    game = load(GAME)
    shape = game.attacks["direct_fire"].inputs["reduced_visibility"]
    readings = {key: bool(evaluate_text(usual(game, shape, True), Scope({"Scenario": key}))) for key in game.scenarios}
    assert [key for key, holds in readings.items() if holds] == ["B-3"], "no other Situation has such a rule"


@pytest.mark.parametrize(
    ("effect_text", "message"),
    [
        ("dark: {title: It is dark, read: effect}", "add `effect`, the id of one"),
        ("dark: {title: It is dark, effect: darkness}", "add `read: effect`"),
        ("dark: {title: It is dark, read: effect, effect: darkness}", "no effect is called 'darkness'"),
    ],
)
def test_where_it_makes_no_sense_the_pack_is_told_so(tmp_path: Path, effect_text: str, message: str) -> None:
    with pytest.raises(PackError) as error_info:
        load(pack(tmp_path, effect_text))
    assert any(message in str(finding) and "counters.yaml:" in str(finding) for finding in error_info.value.findings)
