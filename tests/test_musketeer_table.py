"""Questions at the table of Operation Musketeer, each answered from the rulebook by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from assistant.questions.answer import BadQuestion, Refusal
from assistant.questions.question import Question
from assistant.questions.registry import questions
from scenarios import load
from tests.asking import ask_game
from tests.net.adapter import ask as facts
from tests.net.musketeer_combat import combat_words

GAME = load("musketeer")
QUESTIONS = {name: question for name, question in questions(GAME).items() if isinstance(question, Question)}
EMPTY = {"scenario": "none"}


def ask(name: str, **options: str) -> dict[str, Any]:
    return ask_game(GAME, name, **(combat_words(GAME, options) if name == "odds" else options))


def attackers(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """What becomes of each attacker."""
    return [unit["becomes"] for unit in answer["forces"][0]["outcomes"]]


def chance(answer: dict[str, Any], name: str) -> Fraction:
    """The chance that an outcome says yes."""
    return next((Fraction(row["chances"].get("yes", 0)) for row in answer["named"] if row["name"] == name), Fraction(0))


def shifts(answer: dict[str, Any]) -> list[int]:
    shots = answer["forces"][0]["opening_fire"]
    return [shot["shift"] for shot in shots for _ in range(shot["count"])]


def reach(answer: dict[str, Any]) -> dict[str, Any]:
    return {place_row["place"]: place_row for place_row in answer.get("places") or answer["reach"]}


def refusal_of(name: str, **options: str) -> str:
    with pytest.raises(Refusal) as refusal:
        ask(name, **options)
    return str(refusal.value)


def test_the_defenders_fire_at_one_stack() -> None:
    """14.4: Egyptians in a city, two French stacks; 2 fires on column 2: A/G, R and D on 4, 5 and 6."""
    inputs = {"attackers": "rep_1_france/reg_10_france", "defenders": "bde_4_egypt", "terrain": "city"}
    for fire_at, hit in (("1", 0), ("2", 1), ("", 0)):
        fates = attackers(ask("odds", **inputs, fire_at=fire_at))
        assert Fraction(fates[hit]["unharmed"]) == Fraction(2, 3)
        assert fates[1 - hit] == {"unharmed": "1"}


@pytest.mark.parametrize("start", ["4106", "4105"])
def test_a_landing_is_a_direct_assault(start: str) -> None:
    """29.5, 11.4: from the hex itself or the sea; lost if the enemy stays, no pursuit, terrain counts, hexsides don't."""
    answer = ask("odds", attackers="cdo_3_britain", defenders="garrison_egypt", hex="port_said", from_=start)
    assert Fraction(attackers(answer)[0]["eliminated"]) == 1 - chance(answer, "cleared")
    assert chance(answer, "may_pursue") == 0 and shifts(answer) == [-2]


def test_who_lands_takes_the_canal_from_the_others() -> None:
    """14.10, 29.5: a hexside helps only if all come across it."""
    east = {"defenders": "bde_4_egypt", "hex": "4212"}
    assert shifts(ask("odds", attackers="gd_britain", from_="4112", **east)) == [-2]
    assert shifts(ask("odds", attackers="gd_britain/rep_1_france", from_="4112,4212", **east)) == [0, 0]
    assert shifts(ask("odds", attackers="re_britain,gd_britain", from_="4112", **east)) == [-1, -1]  # 24.2


def test_flak_among_the_defenders_counts() -> None:
    """24.1: one column however many airstrikes, none without any."""
    inputs = {"attackers": "gd_britain", "defenders": "aaa_cairo_egypt"}
    assert [shifts(ask("odds", **inputs, cas=str(cas))) for cas in (0, 1, 3)] == [[0], [0], [2]]


def test_without_a_stack_an_attack_is_no_longer_concentric() -> None:
    """29.4, as a what-if."""
    inputs = {"attackers": "bde_7_israel/gol_israel", "defenders": "bde_4_egypt", "hex": "5212"}
    answer = ask("odds", **inputs, from_="5112,5312", what_if="yes")
    assert shifts(answer) == [0, 0]  # rough ground one, from two sides one
    lone_variant = next(variant for variant in answer["what_if"] if variant["change"] == "Attackers without Gol")
    alone = ask("odds", **{**inputs, "attackers": "bde_7_israel"}, from_="5112")
    assert Fraction(lone_variant["chances"]["yes"]) == chance(alone, "cleared")


def ask_retreat(**options: str) -> dict[str, Any]:
    unit: dict[str, Any] = ask("retreat", **options)["units"][0]
    return unit


def test_retreats_of_those_who_stay_and_those_who_landed() -> None:
    """16.1, 16.5, 29.5."""
    garrison = ask_retreat(unit="garrison_egypt", from_="4106")
    assert garrison["no_retreat"][0]["rule"] == "16.5" and garrison["eliminated"] == "0" and not garrison["outcomes"]
    assert ask_retreat(unit="garrison_egypt", from_="4107")["eliminated"] == "1"
    assert ask_retreat(unit="bde_4_egypt", from_="4106")["may_stay"][0]["rule"] == "16.5"
    assert "may_stay" not in ask_retreat(unit="tank_1_ussr", from_="4106", **EMPTY)
    landing_inputs = {"put": "para_16_britain@4106", "mark": "para_16_britain+direct_assault"}
    assert ask_retreat(unit="para_16_britain", **landing_inputs)["eliminated"] == "1"
    assert "12.5" in refusal_of("retreat", unit="para_16_britain", put="para_16_britain@4106")


@pytest.mark.parametrize(
    ("unit", "ways"),
    [
        ("rep_1_france", {"paradrop", "amphibious assault", "Red Sea landing", "helicopters"}),
        ("gd_britain", {"amphibious assault", "Red Sea landing", "helicopters", "from Libya"}),
        ("armd_25_britain", {"Red Sea landing", "from Libya"}),
        ("mc_france", {"amphibious assault", "Red Sea landing", "helicopters"}),
        ("cca_us", {"Red Sea landing", "from Libya"}),
        ("eitan_israel", {"paradrop"}),
        ("abn_202_israel", set()),
        ("para_75_egypt", {"arrival"}),
        ("iraq_arab_league", {"arrival"}),
        ("abn_108g_ussr", {"arrival", "paradrop"}),
        ("kgb_ussr", {"arrival", "infiltration"}),
    ],
)
def test_how_a_unit_comes(unit: str, ways: set[str]) -> None:
    """8.3, 10.1, 10.2, 11.3, 24.3, 26.1, 29.1 to 29.3, with no base in hand."""
    assert {way["way"] for way in ask("entry", unit=unit)["ways"]} == ways


def test_ports_and_airbases_in_hand() -> None:
    """10.1, 11.2: one of the same contingent must be there; mechanized units don't fly, but Soviet ones do."""
    placement = {"put": "rep_1_france@port_said,kgb_ussr@4812", **EMPTY}
    ways = {
        name: {way["way"]: list(reach(way)) for way in ask("entry", unit=name, **placement)["ways"]}
        for name in ("gd_britain", "armd_25_britain", "cca_us", "tank_1_ussr")
    }
    assert ways["gd_britain"]["air transfer"] == ways["gd_britain"]["naval transfer"] == ["4106"]
    assert ways["armd_25_britain"]["naval transfer"] == ["4106"] and "air transfer" not in ways["armd_25_britain"]
    assert "naval transfer" not in ways["cca_us"] and ways["tank_1_ussr"]["air transfer"] == ["4812"]
    assert ask("entry", unit="rep_1_france", **placement)["from"] == "4106"


def test_drops() -> None:
    """10.2, 24.3, 28.1, 29.6, 15.3."""
    assert facts(GAME, "paradrop", unit="rep_1_france", to="4812")["disrupted"] == Fraction(1, 6)
    flak_inputs = {"put": "aaa_canal_egypt@4813", **EMPTY}
    assert facts(GAME, "paradrop", unit="rep_1_france", to="4812", **flak_inputs)["disrupted"] == Fraction(1, 3)
    drop_answer = facts(GAME, "paradrop", unit="rep_1_france", from_="4812", to="5012", disrupted="yes")
    assert (drop_answer["disrupted"], drop_answer["eliminated"]) == (0, Fraction(1, 6))
    for wrong_inputs in (
        {"unit": "rep_1_france", "from_": "5012", "to": "4812"},
        {"unit": "abn_202_israel", "to": "4812"},
        {"unit": "eitan_israel", "to": "4212"},
        {"unit": "rep_1_france", "to": "4104"},
    ):
        assert facts(GAME, "paradrop", **wrong_inputs).refusal


def test_a_bombardment_aimed_at_a_hex() -> None:
    """19.5, 19.6, 20.3, 20.4, 24.1, 28.1."""
    placement = {"put": "bde_4_egypt@5307,aaa_canal_egypt@5308", **EMPTY}
    fort = facts(GAME, "air", units="2*airstrike_israel", hex="5307", **placement)
    assert fort["shift"] == -2 and set(fort["steps"]) == {"0", "1"}  # the town one, flak next to it one
    guns = facts(GAME, "air", units="gunfire_britain", hex="5307", **placement)
    assert guns["shift"] == -1 and guns["airstrike_lost"] == 0
    for wrong_inputs in (
        {"units": "gunfire_britain", "hex": "5509"},
        {"units": "airstrike_israel", "hex": "4111"},
        {"units": "rockets", "hex": "6009", "put": "tank_1_ussr@4812,bde_7_israel@6009", **EMPTY},
    ):
        assert facts(GAME, "air", **wrong_inputs).rules & {"20.3", "28.1"}
    two = facts(GAME, "air", units="4*airstrike_us,gunfire_us", targets="bde_4_egypt,ng_1_egypt", special_command="yes")
    # Six and two more is column 7: AA, 1, 1, 2, 3, 4; only two are there, and the whole one goes first.
    sixth = Fraction(1, 6)
    assert two["steps"] == {"0": sixth, "1": 2 * sixth, "2": 3 * sixth}
    assert two["eliminated"] == {"0": 3 * sixth, "1": 3 * sixth}


def test_seven_airstrikes_attack_and_seven_fire_back() -> None:
    """19.1, 19.2, 19.3; the British and the French are one contingent."""
    assert facts(GAME, "air", attacker="anglo_french:8", defender="egypt:3").rules == {"19.1"}
    answer = facts(GAME, "air", attacker="egypt:3", defender="anglo_french:8", special_command="yes")
    assert answer["first_fire"] == "attacker" and answer["columns"] == {"attacker": "5", "defender": "7"}


def not_playable(answer: dict[str, Any]) -> dict[str, str]:
    return {marker_row["marker"]: marker_row["rule"] for marker_row in answer.get("refused", [])}


def forecast(**options: str) -> dict[str, Any]:
    return ask("forecast", **options)


def test_markers_by_their_names() -> None:
    """6.2, 22.2, 28.2, 28.3; 7.7: a special marker that the position lacks is used up."""
    told = forecast(
        turns="1", index="36", turn="2", markers="musketeer,suez,us,kadesh,egypt", us="yes", ussr="yes", remove="kadesh"
    )
    # Musketeer 2, Suez 4 and the US 2 make 44: no event but Brinksmanship and the shoe moves it by more than one.
    assert max(map(int, told["turns"][0]["counters"]["index"])) == 49 and "44" in told["turns"][0]["counters"]["index"]
    assert not_playable(told).keys() == {"command_kadesh"}
    first = forecast(turns="1", turn="1", markers="revise,mobilizes,ussr")
    assert not_playable(first) == {"command_revise": "28.2", "command_mobilizes": "28.2", "command_ussr": "28.3"}
    ban_answer = forecast(turns="1", turn="2", markers="musketeer,mobilizes", banned="west_special")
    assert not_playable(ban_answer) == {"command_musketeer": "22.2"}  # event 10 is the West's
    with pytest.raises(BadQuestion, match="1 to 7"):
        forecast(turn="8")


def test_entry_of_the_superpowers_turn_by_turn() -> None:
    """28.3: on turn 2 the Soviets come on 1 or 2, and the US then rolls at once; on turn 6 nobody stays out."""
    rows = {row["turn"]: row["counters"] for row in forecast()["turns"]}
    assert [rows[turn]["ussr"]["yes"] for turn in (1, 2, 6)] == ["1/6", "4/9", "1"] and rows[1]["us"]["yes"] == "1/36"
    # The US at the end of turn 2: in before, or the Soviets were, or both roll now.
    assert Fraction(rows[2]["us"]["yes"]) == Fraction(1, 36) + Fraction(5, 36) * Fraction(1, 3) + Fraction(
        5, 6
    ) * Fraction(1, 9)


def test_a_special_command_of_the_arab_league() -> None:
    """7.0: it has a regular marker only."""
    with pytest.raises(BadQuestion, match=r"7\.0"):
        ask("odds", attackers="iraq_arab_league", defenders="gol_israel", special_command="yes")


def test_a_move_that_cannot_be() -> None:
    """9.4, 9.5, 13.6, 28.1."""
    inputs = {"from_": "4311", "unit": "bde_7_israel"}
    assert "(28.1)" in refusal_of("move", **inputs, to="4211", **EMPTY)
    assert "(9.4)" in refusal_of("move", **inputs, to="4410", put="bde_4_egypt@4410", **EMPTY)
    assert "(13.6)" in refusal_of("move", **inputs, to="4310", put="bde_4_egypt@4410", **EMPTY)
    assert "(9.5)" in refusal_of("move", unit="garrison_egypt", from_="4106", to="4107")
    move_answer = ask(
        "move", unit="gd_britain", from_="4112", to="4212", disrupted="yes", **EMPTY
    )  # 9.3: three for a two
    assert reach(move_answer)["4212"]["cost"] == 3


def test_what_a_crossing_is_paid_for() -> None:
    """9.8: the canal two and open ground one; 24.2: nothing for the canal beside an engineer."""
    inputs = {"unit": "gd_britain", "from_": "4112", "to": "4212", **EMPTY}
    assert ask("move", **inputs)["steps"] == [
        {"place": "4212", "cost": 3, "why": "the most expensive terrain 1 (9.9); the Suez Canal +2 (9.8)"}
    ]
    assert ask("move", **inputs, put="re_britain@4112")["steps"][0]["cost"] == 1
    assert ask("move", **inputs, put="corps_7_us@4112")["steps"][0]["cost"] == 3  # of another contingent


def test_panic_in_the_sinai() -> None:
    """Event 9: DR on 1, R on 2, in cities and fortifications too; a garrison is gone on either; none west of the canal."""
    answer = ask(
        "event", roll="9", put="bde_4_egypt@5509,ng_1_egypt@5307,garrison_egypt@5606,bde_5_egypt@4316", **EMPTY
    )
    assert answer["events"][0]["chance"] == "1/9"
    chances = {
        unit_row["unit"].partition("/")[0]: (unit_row["eliminated"], unit_row["retreated"])
        for unit_row in answer["panic"]
    }
    assert chances == {"bde_4_egypt": ("0", "1/3"), "ng_1_egypt": ("1/6", "1/6"), "garrison_egypt": ("1/3", "0")}


def test_refits_of_a_position() -> None:
    """21.2, 21.8, 21.9, 25.8."""
    lost_units = "airstrike_egypt@box:eliminated,special_forces_britain@box:eliminated,gd_britain@box:eliminated"
    answer = ask("refit", put=f"bde_4_egypt@4106,{lost_units}", mark="bde_4_egypt+disrupted")
    assert {unit_row["unit"].partition("/")[0]: unit_row["chance"] for unit_row in answer["units"]} == {
        "bde_4_egypt": "1/3",
        "airstrike_egypt": "1/6",
        "special_forces_britain": "1/3",
    }


@pytest.mark.parametrize(
    ("lead", "level"), [("div_1_egypt", "Draw"), ("div_1_egypt,div_2_egypt,div_8_egypt", "Regional Victory")]
)
def test_levels_of_victory(lead: str, level: str) -> None:
    """3.3: Cairo 15 and 2 a division make 17, a draw, or 21, a regional victory; nothing for a brigade or a garrison."""
    dead = ",".join(f"{unit}@box:eliminated" for unit in [*lead.split(","), "bde_4_egypt", "garrison_egypt"])
    answer = ask("score", put=f"gd_britain@cairo,{dead}", **EMPTY)
    assert answer["level"] == level and answer["totals"]["west"] == 15 + 2 * len(lead.split(","))
