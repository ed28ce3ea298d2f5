"""Units on the move in The Arab-Israeli Wars: for whom they are targets, what a quick march costs, what else they do."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import Result

from assistant.cli import cli as assistant
from assistant.questions.answer import BadQuestion
from scenarios.model.hexes import Hex
from tests.aiw_small import NOBODY, A, B, C, D, Deed, F, hazards, mover, reach, small, standing, walk
from tests.asking import run_command
from tests.questions import base

EL_FIRDAN = Path(__file__).parent.parent / "docs" / "examples" / "el_firdan.yaml"
CRT = {
    "1-2": ["X", "DD", "D", "D", "-", "-", "-", "-", "-"],
    "1-1": ["X", "DD", "DD", "D", "D", "-", "-", "-", "-"],
}
"""Two columns of the Combat Results Table, modified die -1 to 7."""


def opportunity_fire(path: str, *options: str) -> Result:
    return run_command(
        assistant,
        "odds",
        "arab_israeli_wars",
        "--position",
        str(EL_FIRDAN),
        "--attack",
        "opportunity_fire",
        "--path",
        path,
        *options,
        "--json",
    )


# Standard II.E.1: a target only after a fourth of its allowance in sight.


def test_a_target_after_a_fourth_of_its_allowance() -> None:
    early_result = opportunity_fire("A-L-9,A-L-8")
    assert (
        early_result.exit_code == 2
        and "not a target for any unit" in early_result.output
        and "Standard II.E.1" in early_result.output
    )
    answer = json.loads(opportunity_fire("A-L-9,A-L-8,A-L-7").stdout)
    assert answer["place"] == "A-L-7" and {(base(attacker), attacker["place"]) for attacker in answer["attackers"]} == {
        ("infantry_jordan", "A-K-6"),
        ("t_55", "A-M-7"),
    }
    assert [base(target) for target in answer["targets"]] == ["m60a1"]
    infantry_result = opportunity_fire("A-L-9,A-L-8,A-L-7", "--from", "A-M-6", "--firers", "infantry_egypt")
    assert infantry_result.exit_code == 2 and "a quarter of its allowance" in infantry_result.output


def test_an_overrun_on_the_way_takes_away_the_shield() -> None:
    """Standard II.E.5.e: not hull down from the hex that is overrun."""
    first_answer = json.loads(opportunity_fire("A-L-9,A-L-8,A-L-7").stdout)
    at_last = json.loads(opportunity_fire("A-L-9,A-L-8,A-L-7,overrun@A-M-7").stdout)
    assert first_answer["targets"][0]["die"] == 2 and at_last["targets"][0]["die"] == 0
    assert at_last["inputs"]["overrunning"] is True


def test_a_path_is_for_opportunity_fire_and_starts_where_the_unit_is() -> None:
    for words, reason in (
        (("--path", "A-L-9,A-L-8"), "opportunity_fire"),
        (("--attack", "opportunity_fire", "--path", "A-L-9"), "Basic V.A.5"),
        (("--attack", "opportunity_fire", "--path", "A-T-9,A-T-8"), "no unit that can move"),
    ):
        result = run_command(assistant, "odds", "arab_israeli_wars", "--position", str(EL_FIRDAN), *words)
        assert result.exit_code == 2 and reason in result.output


def test_smoke_hides_helicopters_and_from_helicopters() -> None:
    """Optional II.B.5: never through smoke, whatever the height; else air units are always in sight (Advanced I.A.2)."""
    clear_table, start = small(columns=3, rows=9), Hex(1, 0)
    smoky = clear_table.with_markers({Hex(1, 4): ["smoke"]})
    low = [Hex(1, y) for y in (1, 2)]
    for unit, path, firer in (("m60a1", low, "mi_8"), ("huey_gunship", [*low, Hex(1, 1), Hex(1, 2)], "shilka")):
        for table, is_seen in ((clear_table, True), (smoky, False)):
            assert (
                bool(walk(table, mover(unit, start), standing((firer, Hex(1, 7))), path).move_answer["fired_at"])
                is is_seen
            )


# Advanced II.C.2.d: a quick march has its price wherever it ends.


def test_a_quick_march_into_a_mine_is_paid_for_too() -> None:
    """Dispersed by the mine, the marcher is attacked at 1-2 with one off the die, and DD kills it."""
    table = small({}, {}, [], {B: ["mine_1_1"]})
    march = mover("infantry_egypt", A, quick=True)
    endings = hazards(table, march, [B]).endings
    kill_chance = dispersal_chance = through = Fraction(0)
    for roll in range(1, 7):
        for two in range(1, 7):
            mine_result = CRT["1-1"][roll + 1]
            if mine_result == "-":
                price = CRT["1-2"][two + 1]
                through += F(1, 36) * (price == "-")
                dispersal_chance += F(1, 36) * (price != "-")
            else:
                price = CRT["1-2"][two + 1 - 1]
                kill_chance += F(1, 36) * (price in ("X", "DD"))
                dispersal_chance += F(1, 36) * (price not in ("X", "DD"))
    assert endings == {("eliminated", B): kill_chance, ("dispersed", B): dispersal_chance, ("through", B): through}

    free_table = small({}, {}, [], {B: ["mine_1_1"]}, rulings={"quick_march_stopped": "free"})
    assert hazards(free_table, march, [B]).endings[("dispersed", B)] == (F(3, 6) + F(3, 6) * F(2, 6))


def test_who_has_not_left_its_hex_pays_nothing() -> None:
    table = small({}, {}, [], {A: ["mine_2_1"]})
    march = mover("infantry_egypt", A, quick=True)
    endings = hazards(table, march, [B]).endings
    assert endings[("dispersed", A)] == F(4, 6) and endings[("eliminated", A)] == F(1, 6)


def test_the_end_of_a_march_in_words_and_from_a_position() -> None:
    answer = json.loads(
        run_command(
            assistant, "odds", "arab_israeli_wars", "quick_march", "targets=infantry_egypt+dispersed", "--json"
        ).stdout
    )
    assert answer["column"] == "1-2" and answer["targets"][0]["chances"] == {
        "eliminated": "1/6",
        "dispersed": "1/3",
        "unharmed": "1/2",
    }
    position_result = run_command(
        assistant,
        "odds",
        "arab_israeli_wars",
        "--position",
        str(EL_FIRDAN),
        "--attack",
        "quick_march",
        "--at",
        "A-M-6",
        "--targets",
        "infantry_egypt",
        "--json",
    )
    assert json.loads(position_result.stdout)["targets"][0]["chances"] == {"dispersed": "1/3", "unharmed": "2/3"}
    tank = run_command(assistant, "odds", "arab_israeli_wars", "quick_march", "targets=t_62")
    assert tank.exit_code == 2 and "Advanced II.C.1" in tank.output
    nobody = run_command(assistant, "odds", "arab_israeli_wars", "quick_march")
    assert nobody.exit_code == 2 and "no unit is named" in nobody.output


# What else is done on the way.


def test_a_path_with_deeds() -> None:
    answer = json.loads(
        run_command(
            assistant,
            "move",
            "arab_israeli_wars",
            "--scenario",
            "A-5",
            "--unit",
            "m3_halftrack",
            "--from",
            "D-R-5",
            "--passengers",
            "infantry_israel",
            "--path",
            "D-R-5,unload,D-R-6",
            "--json",
        ).stdout
    )
    assert [step["action"] for step in answer["steps"]] == ["unload", "move"] and answer["steps"][0]["cost"] == 4
    march = json.loads(
        run_command(
            assistant,
            "move",
            "arab_israeli_wars",
            "--scenario",
            "A-5",
            "--unit",
            "infantry_egypt",
            "--from",
            "D-R-5",
            "--path",
            "quick,D-R-6",
            "--json",
        ).stdout
    )
    assert march["quick_march"] is True and march["cost"] == "1/2" and march["dangers"][0]["danger"] == "quick march"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--unit", "t_62", "--path", "quick,D-R-6"], "Advanced II.C.1"),
        (["--unit", "t_62", "--path", "D-R-6,unload"], "Basic V.B.5"),
        (["--unit", "truck_egypt", "--path", "load"], "Basic V.B.7"),
        (["--unit", "truck_egypt", "--path", "load:sagger"], "Basic V.B.7.a"),
        (["--unit", "truck_egypt", "--path", "load:saggr"], "sagger"),
        (["--unit", "t_62", "--path", "fly"], "there is no place 'fly'"),
        (["--unit", "t_62", "--path", "D-R-6,overrun"], "Standard II.D.2.b"),
        (["--unit", "infantry_egypt", "--path", "D-R-6,quick"], "Advanced II.C.2"),
        (["--unit", "t_62", "--path", "D-R-6", "--to", "D-R-6"], "not both"),
        (["--unit", "t_62", "--path", "D-R-60"], "Basic III.A"),
    ],
)
def test_what_a_path_may_not_have(words: list[str], reason: str) -> None:
    result = run_command(assistant, "move", "arab_israeli_wars", "--scenario", "A-5", "--from", "D-R-5", *words)
    assert result.exit_code == 2 and reason in result.output


def test_the_minelayer_moves_one_hex() -> None:
    """Optional II.A: for its whole allowance, and a mine is left where mines may be."""
    table = small({C: "town"})
    layer = mover("mlg_minelayer", A)
    done = walk(table, layer, NOBODY, [Deed("lay_mine", hex=B)])
    assert done.total_cost == 9 and done.end == B
    wrong: list[tuple[Hex, list[Hex | Deed]]] = [
        (C, [Deed("lay_mine", hex=D)]),
        (A, [B, Deed("lay_mine", hex=C)]),
        (A, [Deed("lay_mine")]),
    ]
    for start_hex, plan in wrong:
        with pytest.raises(BadQuestion, match=r"Optional II\.A|Standard V\.E"):
            walk(table, mover("mlg_minelayer", start_hex), NOBODY, plan)
    with pytest.raises(BadQuestion, match="minelayer"):
        walk(table, mover("btr_152", A), NOBODY, [Deed("lay_mine", hex=B)])


def test_a_bridge_layer_picks_its_bridge_up() -> None:
    """Standard VII.B.2.c: the way it was laid, the other way round."""
    table = small({}, {}, [], {B: ["trench", "bridge"]})
    assert walk(table, mover("mtu_2", B), NOBODY, [Deed("pick_up", hex=A)]).total_cost == 6
    for unit, start_hex in (("t_62", B), ("mtu_2", A)):
        with pytest.raises(BadQuestion, match=r"VII\.B\.2"):
            walk(table, mover(unit, start_hex), NOBODY, [Deed("pick_up", hex=C if start_hex == B else B)])


def test_bridges_overland() -> None:
    """Advanced V.D.2: a battle tank takes one up and puts it down for a whole allowance, and moves one point with it."""
    table = small({}, {}, [], {A: ["bridge"]})
    done = walk(table, mover("m60a1", A), NOBODY, [Deed("load", ("bridge",))])
    assert done.total_cost == 6 and reach(table, mover("m60a1", B, bridge=True)).points == 1
    assert walk(table, mover("m60a1", B, bridge=True), NOBODY, [Deed("unload", ("bridge",))]).total_cost == 1
    with pytest.raises(BadQuestion, match=r"V\.D\.1"):
        walk(table, mover("pmp_carrier", B, bridge=True), NOBODY, [Deed("unload", ("bridge",))])
    with pytest.raises(BadQuestion, match="may not carry bridges"):
        walk(table, mover("t_62", A), NOBODY, [Deed("load", ("bridge",))])


def test_engineers_build_where_the_rules_say() -> None:
    """Advanced V.A: a whole allowance in an east bank hex, or with a bridge on the canal."""
    table = small()
    with pytest.raises(BadQuestion, match=r"V\.B"):
        walk(table, mover("construction_engineer_arab", A), NOBODY, [Deed("build")])
    with pytest.raises(BadQuestion, match="engineers may build"):
        walk(table, mover("combat_engineer_arab", A), standing(), [Deed("build")])


# What a terminal shows.


@pytest.mark.parametrize(
    "words",
    [
        ["move", "--unit", "m60a1", "--from", "A-L-9", "--path", "A-L-8,A-L-7,overrun@A-M-7"],
        ["move", "--unit", "m60a1", "--from", "A-L-9"],
        ["move", "--unit", "how_122"],
        ["odds", "--from", "A-L-9,A-N-9", "--at", "A-M-7", "--what-if"],
        ["odds", "--attack", "indirect_fire", "--support", "155 mm battery", "--at", "A-M-6", "--seen", "no"],
        ["odds", "--best", "--side", "israeli", "--at", "A-M-7,A-K-6,A-H-7"],
        ["odds", "--attack", "opportunity_fire", "--path", "A-L-9,A-L-8,A-L-7,overrun@A-M-7"],
        ["los", "A-L-9", "A-M-6"],
        ["los", "A-L-9"],
        ["los"],
        ["los", "B-A-3", "A-GG-9"],
        ["morale"],
        ["score"],
    ],
)
def test_every_answer_fits_a_terminal(words: list[str]) -> None:
    result = run_command(assistant, words[0], "arab_israeli_wars", *words[1:], "--position", str(EL_FIRDAN))
    assert result.exit_code == 0, result.output
    assert result.stdout.strip() and all(len(line) <= 100 for line in result.stdout.splitlines())
