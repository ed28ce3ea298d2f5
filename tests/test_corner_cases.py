"""Questions of a player who reads every "unless" of the rulebook, asked on the command line and answered from the rules."""

from __future__ import annotations

import functools
import json
from fractions import Fraction
from pathlib import Path

import pytest

from assistant.cli import cli
from scenarios.command import load_game
from tests.asking import ask_json, run_assistant, run_command

# A game never changes once it is loaded, so one will do for all questions.
CACHED_LOADER = functools.cache(load_game)


@pytest.fixture(autouse=True)
def loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("ask", "verbs", "open_save"):
        monkeypatch.setattr(f"assistant.commands.{module}.load_game", CACHED_LOADER)


# Turns


@pytest.mark.parametrize(
    ("game", "scenario", "turn", "turns"),
    [
        ("six_day_war", "standard", "7", "1 to 6"),
        ("yom_kippur", "4.5", "1", "2 to 3"),
        ("musketeer", "standard", "8", "1 to 7"),
    ],
)
def test_a_turn_that_the_scenario_does_not_have_is_refused(game: str, scenario: str, turn: str, turns: str) -> None:
    assert f"has turns {turns}, not {turn}" in run_assistant(
        "ask", game, "turn", f"scenario={scenario}", f"turn={turn}", code=2
    )


# Six Day War


def test_attacks_of_arabs_are_on_the_assault_table() -> None:
    """13.13: Arabs never use the Mobile table, so nothing of it stands against their attack."""
    answer = ask_json(
        "ask", "six_day_war", "attacks", "side=arab", "scenario=none", "turn=2", "put=is_7_armor@4425,eg_7_11@4424"
    )
    (attack,) = answer["sides"][0]["attacks"]
    assert attack["column"] == "0-49"
    assert attack["refused"] == []


def test_infantry_attacks_on_the_assault_table() -> None:
    """13.13: without armor, mechanized infantry or recon only the Assault table is left: 4 against 2 in the open."""
    answer = ask_json(
        "ask",
        "six_day_war",
        "attacks",
        "side=israeli",
        "scenario=none",
        "turn=2",
        "put=is_11_infantry@4622,eg_7_11@4621",
    )
    (attack,) = answer["sides"][0]["attacks"]
    assert (attack["column"], attack["refused"]) == ("200-299", [])


def test_arab_armor_is_refused_the_mobile_table_for_one_reason() -> None:
    """13.13: they are Arabs; that they have armor, or whom they attack, is beside the point."""
    put = "put=is_7_armor@4622,eg_14_armor@4621"
    text = run_assistant(
        "ask",
        "six_day_war",
        "odds",
        "attackers=eg_14_armor",
        "target=4622",
        "table=mobile",
        "scenario=none",
        put,
        "turn=2",
        code=2,
    )
    assert "only Israeli attacks may use the Mobile table (13.13)" in text
    assert "armor, mechanized" not in text
    assert "must be Arabs" not in text


def test_who_stands_in_a_hex_controls_it() -> None:
    """2.14: an Israeli in Eilat holds it, whatever marker lies there."""
    words = ("scenario=none", "sinai_defense=0", "eastern_defense=0")
    for pieces, points in (("control_arab@eilat", -10), ("control_arab@eilat,is_7_armor@eilat", 0)):
        answer = ask_json("ask", "six_day_war", "score", *words, f"put={pieces}")
        assert answer["totals"]["sinai"] == points


def test_the_score_of_a_front() -> None:
    """21.2: Gaza one more, Eilat one less; with Gaza alone a check breaks the front on a one."""
    chances = []
    for markers in ("control_israeli@gaza,control_arab@eilat", "control_israeli@gaza"):
        answer = ask_json("ask", "six_day_war", "forecast", "1", "scenario=none", f"put={markers}", "turn=2")
        chances.append(Fraction(answer["turns"][0]["counters"]["sinai_broken"].get("yes", "0")))
    assert chances == [0, 1 - (1 - Fraction(11, 36) / 6) ** 2]


def test_a_static_unit_is_never_brought_back() -> None:
    """8.1, 19.2."""
    assert "(8.1, 19.2)" in run_assistant("ask", "six_day_war", "reserve", "plan=replace_static:1", "turn=2")


def test_a_unit_that_comes_is_called_by_its_name() -> None:
    output = run_assistant("ask", "six_day_war", "stack", "at=5031", "unit=is_militia_sinai", "scenario=none")
    assert "\nMilitia may stand in 5031: yes" in output


# Yom Kippur


def test_an_egyptian_headquarters_goes_back_east_of_the_canal_once_that_is_paid_for() -> None:
    """3.8 lifts 1.10b and 3.5a, in a retreat too; unpaid it can't even stand there."""
    words = ("unit=hq_2_army", "hexes=1", "scenario=4.6", "put=hq_2_army@40.22")
    assert "may_cross_east=yes" in run_assistant("ask", "yom_kippur", "retreat", *words, code=2)
    text = run_assistant("ask", "yom_kippur", "retreat", *words, "may_cross_east=yes")
    assert "40.21" in text and "it has no retreat path" not in text


def test_states_may_be_named_with_the_unit() -> None:
    """1.9a: half of 16 points, and no exploitation."""
    words = ("scenario=4.5", "unit=nir_arm_bde_a+disorganized")
    assert "Points: 8\n" in run_assistant("ask", "yom_kippur", "move", *words, "to=43.19")
    assert "it is disorganized (1.9a)" in run_assistant(
        "ask", "yom_kippur", "move", *words, "kind=exploitation", code=2
    )
    answer = ask_json(
        "ask",
        "yom_kippur",
        "odds",
        "scenario=4.5",
        "attackers=nir_arm_bde_a+disorganized",
        "target=42.18",
        "put=inf_2_4@42.18",
    )
    assert answer["attack_strength"] == 4


def test_a_bridge_is_no_unit_and_the_refusal_says_so() -> None:
    """1.14d."""
    assert "doesn't count as a unit while it is marked bridge" in run_assistant(
        "ask", "yom_kippur", "move", "unit=engineer_1_109", "scenario=4.6", code=2
    )


def test_no_tanks_are_recovered_before_turn_2() -> None:
    """2.3."""
    assert "there is no recovery before turn 2 (2.3)" in run_assistant(
        "ask", "yom_kippur", "recovery", "scenario=4.1", "turn=1"
    )
    assert "no recovery" not in run_assistant("ask", "yom_kippur", "recovery", "scenario=4.1", "turn=2")


def test_a_draw_says_by_how_much_somebody_is_ahead() -> None:
    """1.15: from +1 to -1 it is a draw."""
    assert "Egyptian 1 ahead: Draw" in run_assistant("ask", "yom_kippur", "score", "scenario=4.6")


def test_the_exploitation_reserve_that_waits_after_the_last_turn_is_not_thrown_for(tmp_path: Path) -> None:
    """1.2, 3.4: the throw stands at the start of an Egyptian turn, and after the Israelis' part of turn 12 none is left."""
    path = tmp_path / "late.yaml"
    pieces = "  - {unit: arm_21_1, at: 'box:exploitation_reserve'}\n"
    path.write_text(
        f"game: yom_kippur\nscenario: '4.2'\nturn: 12\nphase: israeli_combat\npieces:\n{pieces}", encoding="utf-8"
    )
    assert "The Exploitation Reserve has come" in run_assistant("ask", "yom_kippur", "forecast", f"position={path}")
    assert "on this roll" not in run_assistant("ask", "yom_kippur", "forecast", f"position={path}")


# Musketeer


def test_a_garrison_never_moves_and_is_told_why() -> None:
    """9.5."""
    assert "it never moves (9.5)" in run_assistant(
        "ask", "musketeer", "move", "unit=garrison_egypt", "scenario=none", "put=garrison_egypt@5804", code=2
    )


def test_a_second_garrison_may_not_come_into_a_hex() -> None:
    """12.2: a hex holds one static unit; the garrison that stands there isn't the one that comes."""
    words = ("at=5307", "unit=garrison_egypt", "scenario=none")
    assert "no\na hex holds one static unit (12.2)" in run_assistant(
        "ask", "musketeer", "stack", *words, "put=garrison_egypt@5307"
    )
    assert "yes" in run_assistant("ask", "musketeer", "stack", *words, "put=div_1_egypt@5307,bde_4_egypt@5307")


def test_what_wins_at_once_is_not_told_as_a_fact() -> None:
    """3.1: no sudden death of the West on turn 1; on turn 2 the East has won where no Western unit is left."""
    words = ("scenario=none", "put=div_1_egypt@4106")
    text = " ".join(run_assistant("ask", "musketeer", "score", *words, "turn=1").split())
    assert (
        "East Bloc has not yet met this condition: No West Bloc ground unit is on the map. Still needed: turn 2 or later (3.1)"
        in text
    )
    assert [won["side"] for won in ask_json("ask", "musketeer", "score", *words, "turn=2")["won"]] == ["east"]


# October War


def test_surprise_is_for_syrians_on_turn_1() -> None:
    """6.3 (1)."""
    words = ("defenders=armor_battalion", "attackers_surprise=yes")
    answer = ask_json("ask", "october_war", "odds", "attackers=armored_brigade_syria", *words)
    assert answer["goes_first"] == "attackers"
    assert "(6.3)" in run_assistant(
        "ask", "october_war", "odds", "attackers=armored_brigade_syria", *words, "turn=2", code=2
    )
    assert "(6.3)" in run_assistant("ask", "october_war", "odds", "attackers=armored_brigade_egypt", *words, code=2)


def test_the_defender_only_answers_an_ew_marker() -> None:
    """15.2, 26.2."""
    words = ("attackers=armored_brigade_egypt", "defenders=armor_battalion", "ew_defender=yes")
    assert "(15.2, 26.2)" in run_assistant("ask", "october_war", "odds", *words, code=2)
    assert ask_json("ask", "october_war", "odds", *words, "ew_attacker=yes")["goes_first"] == "defenders"


def test_a_mixed_arab_attack_says_which_army_fires() -> None:
    """12.3, 22.1: one nationality fires from a point."""
    words = ("attackers=armored_brigade_syria,armored_brigade_jordan", "defenders=armor_battalion")
    for choice, unit in (("", "Jordanian armored brigade"), ("contingent=syria", "Armored brigade")):
        answer = ask_json("ask", "october_war", "odds", *words, *filter(None, [choice]))
        (note,) = [line["text"] for line in answer["lines"] if line.get("rule") == "12.3, 22.1"]
        assert note.startswith(f"{unit}: only the army of this unit fires")


@pytest.mark.parametrize("words", [("unit=armor_battalion",), ("unit=paratroop_battalion", "drop=yes")])
def test_a_unit_that_never_flies_is_refused_once(words: tuple[str, ...]) -> None:
    """13.8, 13.10: airmobile moves are for commandos and airmobile units, drops for the 202nd."""
    put = f"put={words[0].removeprefix('unit=')}@tasa,depot@tasa"
    rule = "(13.10, 23.5)" if "drop=yes" in words else "(13.8, 23.4)"
    assert rule in run_assistant("ask", "october_war", "airmobile", *words, "scenario=none", put, "turn=2", code=2)


def test_command_may_be_asked_on_an_empty_map() -> None:
    """14.2: with an enemy in its point a headquarters commands only there."""
    put = "put=hq_143@tasa,armor_battalion@chinese_farm,armored_brigade_egypt@tasa,mech_battalion@tasa"
    text = run_assistant("ask", "october_war", "command", "scenario=none", "side=israeli", put)
    assert "Chinese Farm  NOT in command" in text
    assert "Tasa          HQ 143" in text


def test_men_on_foot_need_an_engineer_where_they_start_to_cross_the_canal() -> None:
    """13.7, 21.1."""
    words = ("unit=infantry_brigade_egypt", "to=milano", "scenario=none")
    put = "put=infantry_brigade_egypt@qantara"
    assert "no engineer in its starting point (21.1, 21.3)" in run_assistant(
        "ask", "october_war", "move", *words, put, code=2
    )
    assert "takes the whole move" in run_assistant(
        "ask", "october_war", "move", *words, f"{put},engineer_egypt@qantara"
    )


# The Arab-Israeli Wars


def move_words(unit: str, put: str, destination: str = "B-H-6") -> tuple[str, ...]:
    return (f"unit={unit}", "from=B-H-5", f"to={destination}", "map=B", f"put={unit}@B-H-5,{put}")


@pytest.mark.parametrize(
    ("unit", "put", "rule"),
    [
        ("t_62", "trench@B-H-6", "Standard V.G.2"),  # no vehicle enters a trench without a bridge
        ("t_62", "trench@B-H-6,bridge@B-H-6,t_55@B-H-6", "Standard V.H.2"),  # one vehicle on the bridge
        ("mtu_2", "trench@B-H-6,mine_2_1@B-H-6", "Standard V.H.1"),  # no bridge on a mine
        ("t_62", "4*t_55@B-H-6", "Basic III.D, V.A.7"),  # four stacking points
        ("t_62", "m60a1@B-H-6", "Basic III.C.2, V.A.7"),  # an enemy
    ],
)
def test_a_hex_that_cannot_be_entered_is_refused_by_its_own_rule(unit: str, put: str, rule: str) -> None:
    assert f"({rule})" in run_assistant("ask", "arab_israeli_wars", "move", *move_words(unit, put), code=2)


@pytest.mark.parametrize(("unit", "put"), [("infantry_egypt", "trench@B-H-6"), ("mtu_2", "trench@B-H-6"),
                                           ("infantry_egypt", "trench@B-H-6,bridge@B-H-6,t_55@B-H-6")])  # fmt: skip
def test_infantry_and_bridge_layers_enter_a_trench(unit: str, put: str) -> None:
    """Standard V.G.2, V.H.2, VII.B.2."""
    assert "B-H-5 B-H-6" in run_assistant("ask", "arab_israeli_wars", "move", *move_words(unit, put))


def test_a_battle_in_words_is_direct_fire_if_nothing_else_is_told() -> None:
    """Basic VIII.C.3, its example: three units of 2 in a town are worth 11, in a fort 36."""
    words = ("firers=t_62:distance=4", "targets=3*sagger+spotted")
    assert ask_json("ask", "arab_israeli_wars", "odds", *words, "terrain=town")["defense_strength"] == 11
    assert ask_json("ask", "arab_israeli_wars", "odds", *words, "works=fort")["defense_strength"] == 36


def test_the_row_of_the_chart_says_whose_it_is() -> None:
    """Weapons Effectiveness Chart: Israelis double at 3 to 6 hexes after 1960."""
    text = run_assistant("ask", "arab_israeli_wars", "odds", "firers=m60a1:distance=5", "targets=t_62", "year=1973")
    assert "50 = 25 ×2 WEC (A at 5, Israel after 1960)" in text


def test_a_game_of_many_maps_asks_for_a_scenario() -> None:
    assert "name one, such as scenario=B-1" in run_assistant(
        "ask", "arab_israeli_wars", "stack", "at=A-H-8", "unit=t_62", "scenario=none", code=2
    )


def test_two_saggers_are_one_passenger_in_the_advanced_rules_only() -> None:
    """Basic V.B.1, Advanced II.E, I.E.9.a."""
    words = ("unit=btr_60", "load=2*sagger")
    assert "may carry 2 x Sagger missile: yes" in run_assistant(
        "ask", "arab_israeli_wars", "carry", *words, "scenario=A-1"
    )
    assert "no\nit may carry one passenger at a time" in run_assistant(
        "ask", "arab_israeli_wars", "carry", *words, "scenario=S-4"
    )
    assert "yes" in run_assistant("ask", "arab_israeli_wars", "carry", "unit=mi_8", "load=6*sagger", "scenario=A-1")


def test_formations_of_one_name_on_both_sides_are_told_with_their_nation() -> None:
    """13.16: in a bloodbath both an Israeli and an Egyptian 11 Infantry may go; the answer says which is whose."""
    words = (
        "attackers=is_11_infantry",
        "target=4621",
        "scenario=none",
        "put=is_11_infantry@4622,eg_7_11@4621",
        "turn=2",
    )
    assert "Egyptian 11 Infantry gone; Israeli 11 Infantry gone" in run_assistant("ask", "six_day_war", "odds", *words)


def test_an_attack_beyond_the_rules_of_the_situation_is_told() -> None:
    """The Situations A.1: B-1 is played with the Basic Rules, which have direct fire only (Basic VI.C)."""
    words = ("scenario=B-1", "from=A-H-6", "at=A-H-7", "put=t_34_85@A-H-6,infantry_israel@A-H-7")
    assert "this attack is in the Standard Rules" in run_assistant(
        "ask", "arab_israeli_wars", "odds", *words, "attack=overrun", "anyway=yes"
    )
    assert "is a Situation of" not in run_assistant("ask", "arab_israeli_wars", "odds", *words)


def test_every_question_of_yom_kippur_takes_an_empty_map() -> None:
    """8 against 8 in sand dunes, which double the defense: 1-2 (Terrain Effects Chart)."""
    words = (
        "scenario=none",
        "attackers=nir_arm_bde_a",
        "target=42.18",
        "put=nir_arm_bde_a@43.18,inf_2_4@42.18",
        "turn=4",
    )
    assert ask_json("ask", "yom_kippur", "odds", *words)["column"] == "1-2"


# Stacks


@pytest.mark.parametrize(
    ("game", "words", "rule"),
    [
        (
            "musketeer",
            ("at=4106", "unit=rep_1_france", "put=garrison_egypt@4106"),
            "12.5, 29.5",
        ),  # enemies never share a hex
        ("six_day_war", ("at=4621", "unit=is_7_armor", "put=eg_14_armor@4621"), "10.9"),
        ("six_day_war", ("at=6001", "unit=is_7_armor"), "10.9"),  # nor does anybody stand in the sea
        (
            "yom_kippur",
            ("at=42.23", "unit=hq_2_army"),
            "1.10b, 1.13c, 3.5a",
        ),  # Egyptian headquarters stay west of the canal
    ],
)
def test_nobody_may_stand_where_a_rule_keeps_him_out(game: str, words: tuple[str, ...], rule: str) -> None:
    text = " ".join(run_assistant("ask", game, "stack", *words, "scenario=none").split())
    assert ": no " in text
    assert f"({rule})" in text


def test_who_lands_on_the_enemy_may_stand_there() -> None:
    """Musketeer 29.5."""
    words = ("at=4106", "unit=rep_1_france+direct_assault", "put=garrison_egypt@4106", "scenario=none")
    assert ": yes" in run_assistant("ask", "musketeer", "stack", *words)


# Tables


def test_a_strength_beyond_the_table_reads_its_last_column() -> None:
    """October War 15.6: more than 20 is read on column 20; a 3 there is 2 losses, and one column to the left a 6 is 4."""
    answer = ask_json("ask", "october_war", "table", "table=ground", "column=25", "row=3")
    assert (answer["column"], answer["row"], answer["result"]) == ("20", "3", "2")
    answer = ask_json("ask", "october_war", "table", "table=ground", "column=25", "row=6", "shift=-1")
    assert (answer["column"], answer["row"], answer["result"]) == ("19", "6", "4")


def test_row_and_column_may_be_told_in_either_order_where_they_differ() -> None:
    for words in (("150-199", "3"), ("3", "150-199")):
        result = run_command(cli, "table", "six_day_war", "mobile", *words, "--json")
        assert json.loads(result.output)["column"] == "150-199"


@pytest.mark.parametrize(
    ("question", "message"),
    [("move", "it never moves (our ruling: series movement)"), ("advance", "a fort may not advance (2.1)")],
)
def test_a_bar_lev_fort_neither_moves_nor_advances(question: str, message: str) -> None:
    """Yom Kippur 2.1."""
    assert message in run_assistant(
        "ask", "yom_kippur", question, "unit=fort_milano", "scenario=none", "put=fort_milano@42.23", code=2
    )


def test_a_bar_lev_fort_takes_a_retreat_as_steps() -> None:
    """Yom Kippur 2.1."""
    text = run_assistant(
        "ask", "yom_kippur", "retreat", "unit=fort_milano", "hexes=1", "scenario=none", "put=fort_milano@42.23"
    )
    assert "it stays: a fort does not retreat and loses a step for each hex (2.1)" in text
