"""Six Day War: errors found by comparing answers with the rulebook, asked on the command line."""

from __future__ import annotations

import functools
from fractions import Fraction

import pytest

from assistant.cli import cli
from scenarios.command import load_game
from tests.asking import ask_json, run_command

CACHED_LOADER = functools.cache(load_game)


@pytest.fixture(autouse=True)
def loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("ask", "verbs", "open_save"):
        monkeypatch.setattr(f"assistant.commands.{module}.load_game", CACHED_LOADER)


# Disintegration markers (21.3 to 21.5)

DISINTEGRATED_SINAI = "disintegration_sinai+disintegrated@box:sinai_disintegration"
INTACT = "disintegration_sinai@box:sinai_disintegration"


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        (["scenario=none", f"put=eg_7_11@3230,{DISINTEGRATED_SINAI}", "hexes=1"], "14.2"),  # a retreat becomes a panic
        (["scenario=none", f"put=eg_7_11@3230,{DISINTEGRATED_SINAI}", "kind=panic"], "21.3"),  # a panic eliminates
        (["scenario=none", "put=eg_7_11@3230", "sinai_broken=yes", "hexes=1"], "14.2"),
        (["scenario=standard", "mark=disintegration_sinai+disintegrated", "hexes=1"], "14.2"),
        (["scenario=none", f"put=eg_7_11@3230,{INTACT}", "hexes=1"], ""),
        (["scenario=standard", "hexes=1"], ""),
        (["scenario=standard", "mark=disintegration_eastern+disintegrated", "hexes=1"], ""),
    ],
)
def test_a_turned_marker_breaks_its_front(words: list[str], rule: str) -> None:
    (unit,) = ask_json("ask", "six_day_war", "retreat", "unit=eg_7_11", *words)["units"]
    stated = {line.get("rule") for key in ("no_retreat", "lines") for line in unit.get(key, ())}
    assert (rule in stated) if rule in ("21.3",) else (unit["eliminated"] != "1")
    assert rule == "21.3" or ("length" in unit) == (rule == "14.2"), "only a panic has a die"
    assert (unit["eliminated"] == "1") == (rule == "21.3")


def test_a_turned_marker_ends_the_checks_of_its_front() -> None:
    """21.5: who has disintegrated is not checked again."""
    words = ("forecast", "1", "scenario=none", "turn=2", f"put={DISINTEGRATED_SINAI}", "eastern_score=3")
    (turn,) = ask_json("ask", "six_day_war", *words)["turns"]
    assert turn["counters"]["sinai_broken"] == {"yes": "1"}
    assert 0 < Fraction(turn["counters"]["eastern_broken"]["yes"]) < 1


# The tables of an attack (13.13, 25.5)


@pytest.mark.parametrize(
    ("words", "tables"),
    [
        (["turn=1"], ["mobile", "assault"]),
        (["turn=1", "enhanced=yes"], ["mobile", "assault"]),  # forbidden, but the choice of the table stays
        (["turn=2", "enhanced=yes"], ["mobile", "assault"]),
        (["turn=1", "enhanced=yes", "table=mobile"], ["mobile"]),
    ],
)
def test_the_choice_of_the_table_does_not_hang_on_enhancement(words: list[str], tables: list[str]) -> None:
    answer = ask_json(
        "ask",
        "six_day_war",
        "odds",
        "scenario=none",
        "put=is_7_armor@4622,eg_7_11@4621",
        "attackers=is_7_armor",
        "target=4621",
        *words,
    )
    assert [attack["attack"] for attack in answer["attacks"]] == tables
    forbidden = "turn=1" in words and "enhanced=yes" in words
    assert all(("25.5" in str(attack["refused"])) == forbidden for attack in answer["attacks"])


def test_an_arab_attack_has_one_table() -> None:
    """6.0, 13.13: Arabs neither choose the table nor enhance attacks."""
    answer = ask_json(
        "ask",
        "six_day_war",
        "odds",
        "scenario=none",
        "put=is_7_armor@4622,eg_7_11@4621",
        "attackers=eg_7_11",
        "target=4622",
        "turn=2",
        "enhanced=yes",
    )
    assert [attack["attack"] for attack in answer["attacks"]] == ["assault"]


# Equals (13.16): the owner chooses among units of the same strength

PAIR = ["scenario=none", "put=is_7_armor@4622,is_14_armor@4622,eg_7_11@4621,eg_2_10@4621", "turn=2"]


def test_equals_share_their_losses() -> None:
    attack = ask_json("ask", "six_day_war", "odds", *PAIR, "attackers=eg_7_11,eg_2_10", "target=4622")["attacks"][0]
    # AE, AD and AA by a third each: AE takes both, the others one of the two.
    rows = {row["unit"]: row for row in attack["outcomes"]}
    assert {name: rows[name]["eliminated"] for name in ("eg_7_11", "eg_2_10")} == {"eg_7_11": "2/3", "eg_2_10": "2/3"}
    assert rows["eg_7_11"]["equals"] == ["eg_2_10"] and rows["eg_2_10"]["equals"] == ["eg_7_11"]
    assert rows["is_7_armor"]["equals"] == []


def test_equals_in_different_hexes_are_kept_apart_where_it_matters_who_is_taken() -> None:
    """13.16, 14.2, column 50-99: AE 1/6, AD 1/3, AA 1/3, AR 1/6. Of two equal units in two hexes, 10 Infantry has no
    way back.

    AE takes both. AD takes either, and 10 Infantry is lost in any case, for want of a way back: 11 Infantry is lost
    only if its owner takes it. AA takes either, and nobody goes back: a half each. AR costs 10 Infantry alone.
    """
    enemies = "is_7_armor@4622,is_14_armor@4822,is_60_armor@4823,is_200_armor@4723"
    apart = ("odds", "scenario=none", f"put={enemies},eg_7_11@4621,eg_2_10@4722", "turn=2")
    attack = ask_json("ask", "six_day_war", *apart, "attackers=eg_7_11,eg_2_10", "target=4622")["attacks"][0]
    rows = {row["unit"]: row for row in attack["outcomes"]}
    assert (rows["eg_7_11"]["eliminated"], rows["eg_7_11"]["eliminated_at_most"]) == ("1/3", "2/3")
    assert (rows["eg_2_10"]["eliminated"], rows["eg_2_10"]["eliminated_at_most"]) == ("5/6", "5/6")
    lines = run_command(cli, *apart[:1], "six_day_war", *apart[1:], "attackers=eg_7_11,eg_2_10", "target=4622")
    text = " ".join(lines.output.split())
    assert "one of 10 Infantry, Egyptian 11 Infantry gone, the owner's choice" in text
    assert "at most, as the owner chooses" in text


def test_the_stronger_of_two_is_no_equal() -> None:
    """The Israeli strengths are 8 and 8; against them 2 and, with a garrison, 1."""
    words = ["scenario=none", "put=is_60_armor@5328,eg_garrison_gaza@gaza,eg_7_11@gaza", "turn=2"]
    attack = ask_json("ask", "six_day_war", "odds", *words, "attackers=is_60_armor", "target=gaza")["attacks"][0]
    assert all(row["equals"] == [] for row in attack["outcomes"])


# Who must attack, and who stands too close (13.3 to 13.5, 13.11; 11.2, 11.3): one question each

WAR = [
    "scenario=none",
    "put=is_7_armor@4622,eg_7_11@4621,jo_kw@jenin,is_45_armor@6836,is_militia_sinai@4925,eg_2_10@5025",
]


def test_both_fronts_each_under_its_name() -> None:
    parts = ask_json("ask", "six_day_war", "attacks", *WAR)["sides"]
    assert [(part["side"], part["front"]) for part in parts] == [
        ("israeli", "sinai"),
        ("israeli", "eastern"),
        ("arab", "sinai"),
        ("arab", "eastern"),
    ]
    assert all(name in part["title"] for part, name in zip(parts, ["Sinai", "Eastern"] * 2, strict=True))
    places = {part["front"]: {row["place"] for row in part["attacks"]} for part in parts if part["side"] == "israeli"}
    assert "4621" in places["sinai"] and len(places["eastern"]) == 1
    (eastern_part,) = ask_json("ask", "six_day_war", "attacks", *WAR, "side=israeli", "front=eastern")["sides"]
    assert eastern_part == parts[1]


def test_what_each_stack_must_attack_and_who_never_does() -> None:
    (sinai,) = ask_json("ask", "six_day_war", "attacks", *WAR, "side=israeli", "front=sinai")["sides"]
    (stack,) = sinai["stacks"]
    assert (stack["units"], stack["must"], stack["enemies"], stack["rule"]) == (["is_7_armor"], True, ["4621"], "13.3")
    assert [(unable_stack["units"], unable_stack["rule"]) for unable_stack in sinai["unable"]] == [
        (["is_militia_sinai/1"], "13.11")
    ]
    assert [target_row["place"] for target_row in sinai["to_attack"]] == ["4621"]


def test_works_attack_all_around_them_or_nobody() -> None:
    words = ["scenario=none", "put=is_7_armor@4925,eg_7_11@4924,eg_2_10@5025", "side=israeli", "front=sinai"]
    (stack,) = ask_json("ask", "six_day_war", "attacks", *words)["sides"][0]["stacks"]
    assert not stack["must"] and stack["rule"] == "13.4" and sorted(stack["enemies"]) == ["4924", "5025"]


@pytest.mark.parametrize(("old", "new"), [("duties", "attacks"), ("stacks", "stack")])
def test_the_former_name_answers_with_the_merged_question(old: str, new: str) -> None:
    answer = ask_json("ask", "six_day_war", old, *WAR)
    assert answer["question"] == new and answer == ask_json("ask", "six_day_war", new, *WAR)
    question_list = run_command(cli, "ask", "six_day_war").output
    assert f"\n{new}: " in f"\n{question_list}" and f"\n{old}: " not in f"\n{question_list}"


@pytest.mark.parametrize(
    ("units", "must_go", "rule"),
    [
        (["is_7_armor", "is_60_armor", "is_14_armor"], None, ""),
        (["is_7_armor", "is_60_armor", "is_14_armor", "is_200_armor"], 1, "11.2"),
        (["eg_7_11", "eg_2_10"], None, ""),
        (["eg_7_11", "eg_2_10", "eg_2_12"], 1, "11.2"),
        (["jo_kw", "sy_8"], 1, "11.3"),
        (["jo_kw", "sy_8", "sy_19"], 1, "11.3"),
    ],
)
def test_how_many_must_leave_a_stack(units: list[str], must_go: int | None, rule: str) -> None:
    """11.2, 11.3: three Israelis, two Arabs, and contingents don't mix."""
    place = "5030" if units[0].startswith("is_") else "4621" if units[0].startswith("eg_") else "jenin"
    (stack,) = ask_json(
        "ask", "six_day_war", "stack", "scenario=none", "put=" + ",".join(f"{unit}@{place}" for unit in units)
    )["stacks"]
    assert stack.get("must_go") == must_go and stack["may"] == (must_go is None) and rule in stack["why"]
