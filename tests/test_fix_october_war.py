"""October War: errors found by comparing answers with the rulebook, asked on the command line."""

from __future__ import annotations

import functools
from functools import partial

import pytest

from scenarios.command import load_game
from tests.asking import ask_json, run_assistant

CACHED_LOADER = functools.cache(load_game)


@pytest.fixture(autouse=True)
def loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("ask", "verbs", "open_save"):
        monkeypatch.setattr(f"assistant.commands.{module}.load_game", CACHED_LOADER)


run = partial(run_assistant, "ask", "october_war")


ask = partial(ask_json, "ask", "october_war")


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


@pytest.mark.parametrize(("unit", "start", "end", "drop", "extra_inputs", "rule"), FLIGHTS)
def test_move_and_airmobile_refuse_the_same_flights(
    unit: str, start: str, end: str, drop: bool, extra_inputs: str, rule: str | None
) -> None:
    """`rule` is that of the refusal: none where the flight is lawful, an empty one where it is only too far."""
    flight = [f"unit={unit}", f"from={start}", f"to={end}", "scenario=none", "turn=2", *extra_inputs.split()]
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


# Aircraft stay in their theater (3.1, 18.4, 18.5; 10.11 for Iraq's)

THEATERS = [
    ("egypt", "tasa", True),
    ("egypt", "kuneitra", False),
    ("libya", "kuneitra", False),
    ("iraq", "tasa", True),
    ("iraq", "kuneitra", False),
    ("syria", "kuneitra", True),
    ("syria", "tasa", False),
    ("israel", "tasa", True),
    ("israel", "kuneitra", True),
]


@pytest.mark.parametrize("mission", ["ground", "recon"])
@pytest.mark.parametrize(("nation", "point", "may"), THEATERS)
def test_strikes_stay_in_their_theater(mission: str, nation: str, point: str, may: bool) -> None:
    words = [f"mission={mission}", f"nation={nation}", "tac=1", f"point={point}", "turn=2"]
    if may:
        assert ask("air", *words)["mission"] == mission
    else:
        assert "18.5" in run("air", *words, code=2)


def test_missiles_and_strikes_before_a_battle_stay_in_their_theater() -> None:
    fight = ["attackers=armored_brigade_syria", "defenders=armor_battalion", "turn=2"]
    for strike in ("wing=tac_syria", "wing=ssm_syria"):
        assert "18.5" in run("odds", *fight, "point=tasa", strike, code=2)
        forces = {force["group"]: force for force in ask("odds", *fight, "point=kuneitra", strike)["forces"]}
        assert forces["wing"]["opening_fire"]
    changes = [row["change"] for row in ask("odds", *fight, "point=tasa", "what_if=yes")["what_if"]]
    assert changes and not any("TAC" in change for change in changes)


# Turn 1 (6.3, ruling first_turn)


@pytest.mark.parametrize(("turn", "is_played"), [(1, False), (2, True)])
def test_the_israelis_have_no_first_echelon_on_turn_1(turn: int, is_played: bool) -> None:
    phases = [phase["phase"] for phase in ask("turn", "scenario=standard", f"turn={turn}")["phases"]]
    assert ("israeli_movement_1" in phases) == ("israeli_combat_1_ground" in phases) == is_played
    assert {"arab_movement_1", "arab_combat_1", "israeli_movement_2", "israeli_combat_2"} <= set(phases)


# Numbers that the rulebook doesn't give


def test_unofficial_numbers_of_a_barrage_and_of_a_turn_are_named() -> None:
    fight = ["attackers=armored_brigade_egypt", "defenders=armor_battalion"]
    entry = "markers/barrage_egypt/factors/strength"
    assert entry not in ask("odds", *fight)["unofficial"]
    assert ask("odds", *fight, "guns=barrage_egypt")["unofficial"][entry] == "reconstructed"
    assert entry in ask("odds", *fight, "what_if=yes")["unofficial"]
    addresses = ask("turn", "scenario=standard", "turn=3")["unofficial"]
    assert {f"tables/mobilization_points/cells/3/{nation}" for nation in ("israel", "egypt", "syria")} <= set(addresses)
    assert not any("mobilization" in entry for entry in ask("turn", "scenario=standard", "turn=1")["unofficial"])


@pytest.mark.parametrize(
    ("section", "ruling"),
    [
        ("23.1", "line from Gonen to El Hara"),
        ("13.9", "without a line of communication"),
        ("22.2", "help the units of an Arab ally"),
    ],
)
def test_readings_in_force_are_rulings(section: str, ruling: str) -> None:
    assert any(ruling in str(record) for record in ask("rules", section)["rules"])


def test_a_depot_doubles_what_a_unit_has() -> None:
    """13.2, 13.9: two points become four; one point without a line becomes two."""
    for place, points in (("tasa", 4), ("ismailia", 2)):  # there is no bridge over the canal behind Ismailia
        words = ["unit=armor_battalion", "scenario=none", f"put=armor_battalion@{place},depot@{place}"]
        assert ask("move", *words)["allowance"] == points


# What a refit costs (10.2, 11.3): an armored battalion half a point, a recon battalion one


@pytest.mark.parametrize(
    ("unit", "units", "unit_cost", "total_cost"),
    [
        ("armor_battalion", 1, "1/2", None),
        ("armor_battalion", 2, "1/2", 1),
        ("armor_battalion", 3, "1/2", 2),
        ("recon_battalion", 3, 1, 3),
    ],
)
def test_the_price_of_several_refits(unit: str, units: int, unit_cost: object, total_cost: int | None) -> None:
    words = [f"unit={unit}", f"units={units}"]
    answer = ask("refit", *words)
    assert answer["cost"] == unit_cost
    assert (answer["cost_of_all"] if units > 1 else None) == total_cost
    assert ("each" in run("refit", *words)) == (units > 1)


def test_how_many_must_leave_a_point() -> None:
    """12.1: four Arab brigades to a point."""
    put = ",".join(f"armored_brigade_egypt/{number}@tasa" for number in range(1, 7))
    (stack,) = ask("stack", "scenario=none", f"put={put}")["stacks"]
    assert not stack["may"] and stack["must_go"] == 2


def test_each_reason_against_a_strike_is_said_once() -> None:
    output = run(
        "odds", "attackers=armored_brigade_syria", "defenders=armor_battalion", "point=tasa", "wing=3*tac_syria", code=2
    )
    assert output.count("may not fly in the Sinai") == 1
