"""Yom Kippur: the book's rules one by one, asked as a player asks them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from assistant.engine.field import Field
from assistant.engine.movement.reach import reach
from assistant.engine.retreat.paths import retreat
from assistant.engine.zones import zones_of
from assistant.questions.answer import BadQuestion
from assistant.questions.registry import questions
from scenarios import load
from scenarios.model.game import Game
from scenarios.model.position import from_scenario
from tests.asking import ask
from tests.yom_kippur_field import hex_number, put

QUESTIONS = questions(load("yom_kippur", with_config_overlays=False))


@pytest.fixture(scope="module")
def game() -> Game:
    return load("yom_kippur", with_config_overlays=False)


@pytest.mark.parametrize(
    ("attackers", "defenders", "inputs", "strengths", "column"),
    [
        ("nir_arm_bde_a,nir_arm_bde_b", "inf_2_4", {}, (16, 8), "2-1"),
        ("nir_arm_bde_a,nir_arm_bde_b", "inf_2_4", {"terrain": "rough"}, (16, 16), "1-1"),
        ("nir_arm_bde_a,nir_arm_bde_b", "inf_2_4", {"terrain": "sand_dune"}, (16, 16), "1-1"),
        ("matt_abn_bde_a", "inf_2_4", {"terrain": "swamp"}, (4, 16), "1-4"),
        ("nir_arm_bde_a,nir_arm_bde_b", "inf_2_4", {"terrain": "city"}, (16, 24), "1-2"),
        ("nir_arm_bde_a,nir_arm_bde_b", "inf_2_4", {"terrain": "town"}, (16, 8), "2-1"),
        ("inf_2_4:across=suez_canal", "fort_milano", {}, (2, 8), "1-4"),
        ("inf_2_4:across=suez_canal,inf_2_120", "fort_milano", {}, (10, 8), "1-1"),
        ("arm_15:across=suez_canal:bridged=yes", "fort_milano", {}, ("5/2", 8), "1-4"),
        ("arm_15:across=minor_canal", "static_1", {}, (5, 4), "1-1"),
        ("nir_arm_bde_a+disorganized+out_of_supply", "inf_2_4+disorganized+out_of_supply", {}, (2, 2), "1-1"),
        ("inf_2_4+out_of_supply+disorganized:across=suez_canal", "fort_milano+out_of_supply", {}, ("1/2", 8), "1-4"),
        ("nir_arm_bde_a,engineer_bn_1", "inf_2_4", {"attacker_helper": "yes"}, (10, 8), "2-1"),
        ("nir_arm_bde_a", "inf_2_4,engineer_1_9,hq_2_army", {}, (8, 15), "1-3"),
        ("nir_arm_bde_a", "inf_2_4", {"attacker_helper": "yes", "defender_helper": "yes"}, (8, 8), "1-1"),
        ("nir_arm_bde_a", "inf_2_4", {"israeli_air": "3", "egyptian_air": "1", "turn": "7"}, (8, 8), "3-1"),
        ("nir_arm_bde_a", "inf_2_4", {"egyptian_air": "3"}, (8, 8), "1-4"),
        (
            "nir_arm_bde_a,nir_arm_bde_b,karen_arm_bde_a,karen_arm_bde_b,amir_arm_bde_a,amir_arm_bde_b",
            "inf_2_4",
            {},
            (48, 8),
            "5-1",
        ),
        ("nir_arm_bde_a,nir_arm_bde_b", "sam", {}, (16, 1), "9-1"),
        ("nir_arm_bde_a", "sam", {}, (8, 1), "7-1"),
    ],
)
def test_odds_in_words(
    game: Game, attackers: str, defenders: str, inputs: dict[str, str], strengths: tuple[int | str, int], column: str
) -> None:
    answer, _ = ask(game, QUESTIONS["odds"], {"attackers": attackers, "defenders": defenders, **inputs})
    assert [answer["attack_strength"], answer["defense_strength"]] == list(strengths)
    assert answer["column"] == column and not answer["refused"]


def test_words_and_map_agree(game: Game) -> None:
    """The same battle, with what the map shows told in words."""
    words = {
        "attackers": "nir_arm_bde_a,nir_arm_bde_b",
        "defenders": "inf_2_4+disorganized",
        "terrain": "sand_dune",
        "turn": "2",
    }
    map_inputs = {
        "put": "nir_arm_bde_a@38.17,nir_arm_bde_b@38.17,inf_2_4@38.18",
        "mark": "inf_2_4+disorganized",
        "turn": "2",
    }
    word_answer, _ = ask(game, QUESTIONS["odds"], words)
    two, _ = ask(game, QUESTIONS["odds"], {**map_inputs, "from": "38.17", "at": "38.18"})
    assert (
        word_answer["column"] == two["column"] and word_answer["values"]["star_counts"] and two["values"]["star_counts"]
    )
    assert word_answer["spread"]["defender_steps"] == two["spread"]["defender_steps"]
    with pytest.raises(BadQuestion, match="scenario needs `at`"):
        ask(game, QUESTIONS["odds"], {**words, "scenario": "4.5"})
    _, lines = ask(game, QUESTIONS["odds"], {**words, "turn": ""})
    assert "The turn: 1" in lines[0]
    guns, _ = ask(
        game, QUESTIONS["odds"], {"attack": "barrage", "attackers": "arty_53+disorganized,arty_55", "spotter": "yes"}
    )
    assert guns["attack_strength"] == 9 and guns["shift"] == 1


def test_a_shaken_defender_is_the_one_that_is_marked(game: Game) -> None:
    inputs = {"put": "nir_arm_bde_a@33.21,inf_2_4@33.22", "turn": "2", "attackers": "nir_arm_bde_a", "target": "33.22"}
    what_if = {row["change"]: row for row in ask(game, QUESTIONS["odds"], {**inputs, "what_if": "yes"})[0]["what_if"]}
    for state in ("disorganized", "out_of_supply"):
        marked_answer, _ = ask(game, QUESTIONS["odds"], {**inputs, "mark": f"inf_2_4+{state}"})
        change = what_if[f"4 Inf {state.replace('_', ' ')}"]
        assert (
            (change["column"], change["hex_falls"])
            == (marked_answer["column"], marked_answer["hex_falls"])
            == ("2-1", "5/6")
        )


def test_1_14a_an_engineer_that_shifted_builds_no_bridge(game: Game) -> None:
    inputs = {
        "put": "nir_arm_bde_a@42.22,engineer_bn_1@42.22,inf_2_4@42.23",
        "attackers": "nir_arm_bde_a",
        "target": "42.23",
    }
    answer, lines = ask(game, QUESTIONS["odds"], inputs)
    assert "1.5, 1.14a" in {row["rule"] for row in answer["remarks"]} and any("1.14a" in line for line in lines)
    chief, _ = ask(game, QUESTIONS["odds"], {**inputs, "put": inputs["put"] + ",sharon_div_hq@42.22"})
    remarks = {row["rule"] for row in chief.get("remarks", ())}
    assert "1.5, 1.14a" not in remarks and chief["shift"] == 1, "the headquarters can have given it"
    site = {"put": "engineer_bn_1@42.23,engineer_bn_2@32.23", "shifted": "engineer_bn_1"}
    reasons = {row["unit"]: row["why"] for row in ask(game, QUESTIONS["bridges"], site)[0]["sites"]}
    assert "1.14a" in reasons["engineer_bn_1"] and not reasons["engineer_bn_2"]


def ends(field: Field, hexes: int) -> set[str]:
    """Where the first unit can go back to."""
    unit_retreat = retreat(field, field.placed_units[0], hexes)
    return {field.map_index.name(way.end) for way in unit_retreat.ways[hexes]}


def test_1_13a_a_retreat_over_the_canal(game: Game) -> None:
    """On foot one hex and no farther, into no zone; by a bridge as by any ground."""
    lone_field = put(game, ("inf_2_4", "42.23"))
    west = {
        lone_field.map_index.name(lone_field.map_index.number[hex])
        for hex in lone_field.map_index.regions["west_of_canal"]
    }
    assert ends(lone_field, 1) & west
    assert not ends(lone_field, 2) & west
    watched_field = put(game, ("inf_2_4", "42.23"), ("nir_arm_bde_a", "42.25"))
    assert "42.24" not in ends(watched_field, 1)
    bridge_field = put(game, ("arm_15", "42.23"), ("engineer_2_9", "42.24", "bridge"))
    assert ends(bridge_field, 2) & west


def test_overruns_over_a_bridge(game: Game) -> None:
    """1.13b: by a bridge alone. A point for the ground, three for the overrun."""
    bridge_field = put(game, ("nir_arm_bde_a", "42.23"), ("arty_57", "42.24"), ("engineer_bn_1", "42.23", "bridge"))
    assert reach(bridge_field, bridge_field.placed_units[0]).acts["overrun"] == {
        hex_number(bridge_field, "42.24"): 16 - 1 - 3
    }
    bare_field = put(game, ("nir_arm_bde_a", "42.23"), ("arty_57", "42.24"))
    assert not reach(bare_field, bare_field.placed_units[0]).acts["overrun"]


def test_swimmers_reach_over_the_canal(game: Game) -> None:
    """3.5b and the ruling zone_reach: the 130th could cross, other tanks could not."""
    for unit, reaches in (("amphib_130_a", True), ("arm_15", False), ("inf_2_4", True)):
        field = put(game, (unit, "42.24"))
        assert bool(zones_of(field).zones_over("zoc", "egyptian", hex_number(field, "42.23"))) is reaches


def test_2_2_the_road_of_the_pcb(game: Game) -> None:
    """Who begins at its end in an enemy zone enters none; who can't exploit launches nothing in that phase."""
    road_field = put(game, ("nir_arm_bde_a", "24.20"), ("arm_15", "25.20"))
    free = [
        road_field.map_index.number[hex]
        for path in road_field.map_index.map.paths  # type: ignore[union-attr]
        if path.name == "Tirtur"
        for hex in path.hexes[1:]
    ]
    road_answer, _ = ask(
        game, QUESTIONS["bridges"], {"put": "nir_arm_bde_a@24.20,arm_15@25.20", "unit": "nir_arm_bde_a"}
    )
    reason = {row["road"]: row["why"] for row in road_answer["launches"]}["Tirtur"]
    assert bool(reason) == any(zones_of(road_field).zones_over("zoc", "egyptian", n) for n in free)
    exploit_answer, _ = ask(game, QUESTIONS["bridges"], {"scenario": "4.6", "phase": "exploitation"})
    assert any("can't exploit" in launch["why"] for launch in exploit_answer["launches"])


def test_the_end_of_a_scenario(game: Game) -> None:
    """4.5 ends with turn 3, and has three hexes to win."""
    answer, _ = ask(game, QUESTIONS["forecast"], {"scenario": "4.5"})
    assert [row["turn"] for row in answer["turns"]] == [2, 3]
    score, _ = ask(game, QUESTIONS["score"], {"scenario": "4.5", "put": "amir_arm_bde_a@44.21"})
    assert objectives(score) == {
        "10.15": "egyptian",
        "24.20": "egyptian",
        "44.21": "israeli",
    }
    cut = {
        "scenario": "4.5",
        "put": "amir_arm_bde_a@44.21",
        "remove": "adan_div_hq,sharon_div_hq,mend_div_hq,south_corps_hq",
    }
    owners = objectives(ask(game, QUESTIONS["score"], cut)[0])
    assert "44.21" not in owners, "a unit out of supply holds nothing"
    assert not score["won"] and score["level"] == "Egyptian victory", "they win at the end of turn 3, not at once"
    final_score, _ = ask(game, QUESTIONS["score"], {"scenario": "4.5", "turn": "3"})
    assert [row["side"] for row in final_score["won"]] == ["egyptian"]


def objectives(score: dict[str, Any]) -> dict[str, str]:
    """Who has which of the hexes that win."""
    return {place: way["side"] for way in score["sudden_death"] for place in way["places"]}


def test_reserves_that_are_out(game: Game) -> None:
    reserve = [piece.unit for piece in from_scenario(game, "4.5").pieces if piece.at == "box:exploitation_reserve"]
    answer, _ = ask(game, QUESTIONS["forecast"], {"scenario": "4.5", "remove": ",".join(reserve)})
    assert all(row["counters"]["reserve_out"] == {"no": "1"} for row in answer["turns"])
    supply, lines = ask(game, QUESTIONS["supply"], {"scenario": "4.5", "side": "egyptian"})
    (egypt,) = supply["sides"]
    assert [remark["rule"] for remark in egypt["remarks"]] == ["3.3"] and any("3.3" in line for line in lines)
    israel = ask(game, QUESTIONS["supply"], {"scenario": "4.5", "side": "israeli"})[0]["sides"][0]
    assert "remarks" not in israel


def test_1_11b_the_lift_of_a_turn(game: Game) -> None:
    places = (
        "matt_abn_bde_a@20.05,matt_abn_bde_b@20.05,matt_abn_bde_c@20.05,yairi_abn_bde_a@20.06,yairi_abn_bde_b@20.06"
    )
    units = [part.partition("@")[0] for part in places.split(",")]
    answer, _ = ask(
        game, QUESTIONS["move"], {"put": places, "unit": ",".join(units[:4]), "kind": "flight", "to": "17.10"}
    )
    assert answer["remarks"][0]["amount"] == 4
    assert [(row["place"], row["cost"]) for row in answer["places"]] == [("17.10", 6)]
    with pytest.raises(BadQuestion, match="does not carry so many steps"):
        ask(game, QUESTIONS["move"], {"put": places, "unit": ",".join(units), "kind": "flight"})


@pytest.mark.parametrize(
    ("unit", "places", "destination", "reason"),
    [
        ("sam", "sam@42.24", "42.23", "west of the canal"),
        ("arm_15", "arm_15@42.24", "42.23", "bridge"),
        ("inf_2_4", "inf_2_4@42.24,static_1@42.22", "42.23", "zone of control"),
        ("inf_2_4", "inf_2_4@42.25", "42.23", "must start its move next to 42.23"),
        ("nir_arm_bde_a", "nir_arm_bde_a@27.14,inf_2_4@28.14", "28.14", "an enemy unit is there"),
        ("arty_53", "arty_53@33.30", "33.26", "points away"),
    ],
)
def test_why_a_hex_is_out_of_reach(game: Game, unit: str, places: str, destination: str, reason: str) -> None:
    inputs = {"put": places, "unit": unit, "to": destination, "mark": f"{unit}+disorganized+out_of_supply"}
    with pytest.raises(BadQuestion, match=reason):
        ask(game, QUESTIONS["move"], inputs)


@pytest.mark.parametrize(
    ("inputs", "reason"),
    [
        ({"attackers": "nir_arm_bde_a+reduced"}, "with that loss it is gone"),
        ({"attackers": "nir_arm_bde_a+bridge"}, "no engineer"),
        ({"attackers": "nir_arm_bde_a", "put": "nir_arm_bde_a@33.21"}, "put needs `at`"),
    ],
)
def test_states_that_cannot_be(game: Game, inputs: dict[str, str], reason: str) -> None:
    with pytest.raises(BadQuestion, match=reason):
        ask(game, QUESTIONS["odds"], {**inputs, "defenders": "inf_2_4"})


def test_who_is_not_on_the_map(game: Game) -> None:
    for unit, reason in (
        ("amir_arm_bde_a", "enters on turn 2"),
        ("hq_ghq", "GHQ Holding Box"),
        ("arm_21_14", "Dead Pile"),
    ):
        with pytest.raises(BadQuestion, match=reason):
            ask(game, QUESTIONS["move"], {"scenario": "4.5", "unit": unit})


def test_artillery_alone_does_not_attack(game: Game) -> None:
    answer, _ = ask(game, QUESTIONS["odds"], {"attackers": "arty_bde_a", "defenders": "inf_2_4"})
    assert answer["refused"]
    assert not ask(game, QUESTIONS["odds"], {"attackers": "arty_bde_a,nir_arm_bde_a", "defenders": "inf_2_4"})[0][
        "refused"
    ]


def test_air_units_of_the_turn(game: Game) -> None:
    inputs = {
        "scenario": "4.3",
        "put": "nir_arm_bde_a@33.21,inf_2_4@33.22",
        "attackers": "inf_2_4",
        "target": "33.21",
        "remove": "hawk_bn",
    }
    assert ask(game, QUESTIONS["odds"], {**inputs, "egyptian_air": "4", "turn": "9"})[0]["column"]
    refused, _ = ask(game, QUESTIONS["odds"], {**inputs, "egyptian_air": "5", "turn": "9"})
    assert [row["rule"] for row in refused["refused"]] == ["1.12"]


def test_a_flipped_unit_names_its_back(game: Game) -> None:
    answer, _ = ask(game, QUESTIONS["odds"], {"attackers": "arm_15+reduced", "defenders": "inf_2_4"})
    assert "counters/arm_15/back/factors/attack" in answer["unofficial"]
    assert Fraction(answer["attack_strength"]) == 5
