"""An input that a special rule of the scenario answers (`read: effect`): in the assistant, in a module, and where it makes no sense."""

from __future__ import annotations

from pathlib import Path

import pytest

from modgen.vmod.lock import Lock
from modgen.vmod.places import usual
from modgen.vmod.traits import named
from scenarios import PackError, load
from scenarios.maps import HexMap
from scenarios.vassal.geometry import Sheet
from scenarios.vassal.windows import MAIN
from tests.bsh import Scope, evaluated
from tests.machine import Machine
from tests.rule_keys import asked
from tests.test_unshielded import pack

GAME = "arab_israeli_wars"
AWAY = ("D-AA-3", "D-EE-3")
"""Four hexes off: within the ranges that the light of B-3 is for, where Israelis double after 1960 elsewhere (WEC note 3)."""


def test_the_poor_light_of_a_situation_is_read_by_both() -> None:
    """B-3, special rules: Israeli fire at 3 to 6 hexes isn't doubled; a player who says otherwise is believed."""
    game = load(GAME)
    table = game.scenario_maps["B-3"]
    assert isinstance(table, HexMap)
    lock = Lock()
    machine = Machine(game, "B-3", {key: lock.gpid(key) for key in (*game.units, *game.markers)}, 1)
    for name, unit, place, role in (("a", "sherman_51hv", AWAY[0], "1"), ("b", "t_55", AWAY[1], "2")):
        x, y = Sheet(table).centre(table.hex(place))
        machine.pieces[name] = machine.put(unit, MAIN, str(x), str(y), place) | {"Role": role}
    printed = float(machine.pieces["a"]["attack"])
    put = f"put=sherman_51hv@{AWAY[0]},t_55@{AWAY[1]}"
    for said, times in (("", 1), ("no", 2)):
        machine.values["told_reduced_visibility"] = said or "as usual"
        machine.chat.clear()
        machine.press(named("direct_fire-odds"))
        assert float(machine.values["v_direct_fire_attack"]) == times * printed
        assert not any("double at 3 to 6" in line for line in machine.chat if "Not read" in line)
        told = asked(
            game,
            [
                "odds",
                "scenario=B-3",
                put,
                f"from={AWAY[0]}",
                f"at={AWAY[1]}",
                "anyway=yes",
                *([f"reduced_visibility={said}"] if said else []),
            ],
        )
        assert told["attack_strength"] == times * printed


def test_a_module_reads_it_by_the_scenario() -> None:
    game = load(GAME)
    shape = game.attacks["direct_fire"].inputs["reduced_visibility"]
    found = {key: bool(evaluated(usual(game, shape, True), Scope({"Scenario": key}))) for key in game.scenarios}
    assert [key for key, holds in found.items() if holds] == ["B-3"], "no other Situation has such a rule"


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("dark: {title: It is dark, read: effect}", "add `effect`, the id of one"),
        ("dark: {title: It is dark, effect: darkness}", "add `read: effect`"),
        ("dark: {title: It is dark, read: effect, effect: darkness}", "no effect is called 'darkness'"),
    ],
)
def test_where_it_makes_no_sense_the_pack_is_told_so(tmp_path: Path, given: str, wanted: str) -> None:
    with pytest.raises(PackError) as caught:
        load(pack(tmp_path, given))
    assert any(wanted in str(finding) and "counters.yaml:" in str(finding) for finding in caught.value.findings)
