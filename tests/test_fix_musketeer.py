"""Operation Musketeer through the command line's JSON: what can't be attacked, bombed or reached, panic, withdrawals."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import partial

import pytest

from assistant.cli import cli
from tests.asking import ask_json, ask_text, run_command

run = partial(ask_text, "ask", "musketeer", "--no-overlay")


ask = partial(ask_json, "ask", "musketeer", "--no-overlay")


@pytest.mark.parametrize("place_input", ["terrain=sea", "terrain=lake", "terrain=neutral", "hex=3906", "hex=0101"])
def test_nobody_is_attacked_where_no_ground_unit_can_be(place_input: str) -> None:
    """9.4."""
    assert "(9.4)" in run("odds", "attackers=para_16_britain", "defenders=div_1_egypt", place_input, code=2)


@pytest.mark.parametrize(
    "units, limit",
    [
        ("4*airstrike_france", "there are only 3 counters of"),
        ("2*gunfire_britain:distance=0", "there is only one counter of"),
    ],
)
def test_air_units_that_there_are_not(units: str, limit: str) -> None:
    """18.1, 20.0: no more than the counters printed."""
    assert limit in run("bombardment", f"attackers={units}", "terrain=open", code=2)


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        (["bombardment", "attackers=airstrike_britain", "terrain=lake"], "9.4, 19.5"),
        (["bombardment", "attackers=airstrike_britain", "hex=3906"], "9.4, 19.5"),
        (["bombardment", "attackers=airstrike_britain", "hex=5508", "scenario=none"], "19.5"),
        (["bombardment", "attackers=airstrike_britain", "hex=5508", "put=bde_7_israel@5508"], "19.5"),
        (["bombardment", "attackers=airstrike_britain", "defenders=bde_7_israel"], "19.5"),
    ],
)
def test_flights_that_cannot_be(words: list[str], rule: str) -> None:
    """9.4, 19.5: enemies in a hex on land."""
    assert f"({rule})" in run(*words, code=2)


@pytest.mark.parametrize(
    "words",
    [
        ("attackers=4*airstrike_israel", "defenders=2*airstrike_egypt"),
        ("attackers=3*airstrike_israel", "defenders=4*airstrike_egypt"),
        ("attackers=5*airstrike_britain,4*airstrike_france", "defenders=2*airstrike_egypt"),
    ],
)
def test_airstrikes_that_there_are_not(words: tuple[str, str]) -> None:
    """18.1: the pack has three French, Israeli and Egyptian airstrikes, eight Anglo-French."""
    assert "there are only 3 counters of" in run("superiority", *words, code=2)


def test_flights_that_can_be() -> None:
    """The same with enemies there, and with as many counters as there are."""
    assert ask("bombardment", "attackers=airstrike_britain", "hex=5508", "put=div_1_egypt@5508")["forces"][1]["losses"]
    assert ask("superiority", "attackers=3*airstrike_israel", "defenders=3*airstrike_egypt")["forces"]
    assert ask("superiority", "attackers=5*airstrike_britain", "defenders=3*airstrike_egypt")["forces"]


def test_a_panic_tells_who_is_disrupted() -> None:
    """Event 9: a one is DR, and who gets away from it is disrupted; a two is R, and costs no step on free ground."""
    (row,) = ask("event", "roll=9", "scenario=none", "put=div_1_egypt@5507")["panic"]
    assert [Fraction(row[key]) for key in ("eliminated", "retreated", "disrupted")] == [
        0,
        Fraction(1, 3),
        Fraction(1, 6),
    ]
    (row,) = ask("event", "roll=9", "scenario=none", "put=div_1_egypt@5507", "mark=div_1_egypt+disrupted")["panic"]
    assert [Fraction(row[key]) for key in ("eliminated", "retreated", "disrupted")] == [
        Fraction(1, 6),
        Fraction(1, 6),
        0,
    ]


def ways(*words: str) -> dict[str, int]:
    (unit,) = ask("retreat", "scenario=none", *words)["units"]
    return {way["to"]: way["harm"] for way in unit["ways"]}


def test_a_withdrawal_may_end_in_an_enemy_zone_of_control() -> None:
    """16.4: any direction; c: a zone disrupts; g: only the unit's end and a crowd are to be avoided."""
    enemy = "put=bde_7_israel@5509,div_1_egypt@5507"
    assert ways(enemy, "unit=bde_7_israel") == {"5508": 1, "5608": 0, "5609": 0, "5510": 0, "5409": 0, "5408": 0}
    disrupted_ways = ways(enemy, "mark=bde_7_israel+disrupted", "unit=bde_7_israel")
    assert "5508" not in disrupted_ways and set(disrupted_ways.values()) == {0}


def test_a_rout_tells_the_ends_that_cost_a_step_apart() -> None:
    """16.4 c."""
    (unit,) = ask("retreat", "scenario=none", "put=bde_7_israel@5509,div_1_egypt@5507", "unit=div_1_egypt")["units"]
    outcome = next(fate for fate in unit["outcomes"] if fate["length"] == 1)
    assert set(outcome["harmed_ends"]) == {"5508"} and "5508" not in outcome["ends"]


@pytest.mark.parametrize(
    ("unit", "extra_inputs", "way", "rule"),
    [
        ("bde_7_israel", [], "paradrop", "10.2"),
        ("bde_202_israel", [], "paradrop", "24.3"),
        ("bde_7_israel", [], "from Libya", "29.1"),
        ("para_16_britain", ["to=4006"], "paradrop", "9.4"),
        ("para_16_britain", ["to=5508"], "amphibious assault", "11.4"),
        ("para_16_britain", ["to=5508", "put=bde_7_israel@5508"], "paradrop", "12.5"),
        ("gol_israel", ["to=2020"], "paradrop", "10.2"),
    ],
)
def test_no_way_onto_the_map_names_its_rule(unit: str, extra_inputs: list[str], way: str, rule: str) -> None:
    """10.0, 11.0, 29.0: every way that is refused, with the record that refuses it."""
    answer = ask("entry", f"unit={unit}", "scenario=none", *extra_inputs)
    refusals = {row["way"]: row for row in answer["refused"]}
    assert refusals[way]["rule"] == rule and refusals[way]["why"]
    assert answer["ways"] or refusals[way]["why"] in run("entry", f"unit={unit}", "scenario=none", *extra_inputs)


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        (["paras=para_16_britain", "at=4006"], "9.4"),
        (["paras=para_16_britain", "at=5508", "put=bde_7_israel@5508"], "12.5"),
        (["paras=bde_202_israel", "at=5508"], "24.3"),
    ],
)
def test_a_drop_names_the_rule_that_refuses_it(words: list[str], rule: str) -> None:
    assert run("paradrop", *words, code=2).endswith(f"({rule})")


def test_an_engineer_helps_at_the_crossing_only() -> None:
    """24.2, ruling engineer_crossing: the reading stands with the record that uses it."""
    matching_rules = json.loads(run_command(cli, "rules", "musketeer", "engineers help across", "--json").output)[
        "rules"
    ]
    assert any("ruling engineer_crossing" in rule["rule"] for rule in matching_rules)
    readings = json.loads(run_command(cli, "rules", "musketeer", "24.2", "--json").output)["rules"]
    assert any("two hexes" in rule["text"] for rule in readings)
