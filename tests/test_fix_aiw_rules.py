"""Rules of The Arab-Israeli Wars that answers broke; each case names its rule."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.cli import cli
from tests.asking import ask_json, ask_text, run_command

GAME = "arab_israeli_wars"


def ask(verb: str, *words: str, code: int = 0) -> Any:
    return ask_text(verb, GAME, *words, "--json", code=code) if code else ask_json(verb, GAME, *words)


def arrivals(scenario: str, turn: int, unit: str) -> list[str]:
    """What the answer says of the groups with a counter that may come on a turn."""
    words = run_command(cli, "turn", GAME, scenario, f"turn={turn}").output
    answer = ask("turn", scenario, f"turn={turn}")
    rows = [row for row in answer.get("reinforcements", ()) if unit in row["units"]]
    assert not rows or "Reinforcements" in words
    return [f"{row['text']}|{row['only_with']}" for row in rows]


@pytest.mark.parametrize(
    ("turn", "places"),
    [(11, []), (12, ["on the south edge of board C|"]), (13, []), (15, []), (16, ["on the west edge of board C|"]), (17, [])],
)  # fmt: skip
def test_group_g_of_a_5_comes_on_one_of_two_turns(turn: int, places: list[str]) -> None:
    """Situation A-5: over the south edge on turn 12, or over the west edge on turn 16."""
    assert arrivals("A-5", turn, "t_62") == places


def test_units_of_the_advanced_air_rules_are_named_as_such() -> None:
    """The Situations D.1: two Shilkas and a ZPU-4 come into S-11 only with the advanced air rules."""
    assert all(row.endswith("|the advanced air rules") for row in arrivals("S-11", 1, "shilka"))
    assert len(arrivals("S-11", 1, "shilka")) == 2
    card = run_command(cli, "scenario", GAME, "S-11").output
    assert "only with the advanced air rules: Shilka" in " ".join(card.split())


def test_a_group_that_may_never_come_has_no_latest_turn() -> None:
    """S-11, Group B: a die decides on every turn until 12."""
    words = " ".join(run_command(cli, "turn", GAME, "S-11", "turn=3").output.split())
    assert "at the latest" not in words and "not after turn 12" in words


def test_boards_of_a_4_are_apart() -> None:
    """A-4, special rule 1: the hexes on the seam of C and A are half on either; nobody goes farther onto the other board."""
    places = {row["place"] for row in ask("move", "--scenario", "A-4", "patturion@C-FF-5")["reach"]}
    assert places and all(name.startswith("C-") or name.startswith("A-A-") for name in places)


@pytest.mark.parametrize(
    ("israeli", "moves"),
    [("", False), ("patturion@C-D-5", False), ("patturion@A-D-7", True), ("patturion@B-D-5", True)],
)  # fmt: skip
def test_units_of_a_4_wait_for_an_enemy_on_their_board(israeli: str, moves: bool) -> None:
    """A-4, special rule 2. An Israeli on B, farther west, has come over A."""
    put = ",".join(filter(None, ("t_34_85@A-M-7", israeli)))
    answer = ask("move", "--scenario", "A-4", "--put", put, "t_34_85@A-M-7")
    assert bool(answer["refused"]) is not moves
    assert moves or "special rule 2" in answer["refused"][0]["rule"]
    assert not ask("move", "--scenario", "A-4", "--put", put, "t_34_85@A-M-7", "entered=A")["refused"]


def test_an_overland_bridge_bars_no_overrun() -> None:
    """Advanced V.D.3.c; a bridge in its place lies on a trench (Standard V.H)."""
    words = ("odds", "--scenario", "A-6", "attack=overrun", "from=B-H-5", "at=B-H-6", "side=arab", "--put")
    assert ask(*words, "t_62@B-H-5,infantry_israel@B-H-6,bridge@B-H-6")["refused"] == []
    assert "Standard II.D.3.b" in ask(*words, "t_62@B-H-5,infantry_israel@B-H-6,bridge@B-H-6,trench@B-H-6", code=2)
    reach = ask("move", "--scenario", "A-6", "--put", "t_62@B-H-4,infantry_israel@B-H-6,bridge@B-H-6", "t_62@B-H-4")
    assert any("B-H-6" in row["overruns"] for row in reach["reach"])


@pytest.mark.parametrize(("destructive", "falls"), [("sherman_51hv", {"hit"}), ("", {"hit", "drift", "scatter"})])
def test_unseen_destructive_fire_stays_where_it_is(destructive: str, falls: set[str]) -> None:
    """Advanced III.C.2.c; unseen neutralization may scatter or drift (Standard II.A.4.c)."""
    aim = (f"destructive={destructive}",) if destructive else ()
    answer = ask("odds", "--scenario", "A-6", "--put", "sherman_51hv@B-Q-5,how_122@B-GG-5", "attack=indirect_fire",
               "from=B-GG-5", "at=B-Q-5", "seen=no", *aim)  # fmt: skip
    assert {fall["how"] for fall in answer["falls"]} == falls
    if destructive:
        assert answer["targets"][0]["chances"] == {"unharmed": "1"} and not answer["eliminated"]


def test_a_helicopter_is_a_target_from_its_fourth_point_on() -> None:
    """Advanced I.D.2.a: points count wherever they are spent; smoke hides the first three hexes of the way (Optional II.B.5)."""
    smoke = "smoke@B-H-6,smoke@B-H-7,smoke@B-H-8"
    answer = ask("move", "--scenario", "A-3", "--put", "mi_8@B-H-5,aa_20_m3@B-K-8", "--with", smoke, "mi_8@B-H-5",
               "path=B-H-6,B-H-7,B-H-8,B-H-9,B-H-10")  # fmt: skip
    assert [shot["step"] for shot in answer["shots"]] == [3, 4]


@pytest.mark.parametrize(
    ("scenario", "start", "destination", "code"), [("A-3", "B-H-5", "B-H-8", 2), ("S-12", "C-H-5", "C-H-8", 0)]
)
def test_nap_of_the_earth_is_of_1976_and_later(scenario: str, start: str, destination: str, code: int) -> None:
    """Optional I.D: A-3 is of 1973, S-12 of a time to come."""
    answer = ask(
        "move", "--scenario", scenario, "--put", f"mi_8+down@{start}", f"mi_8@{start}", f"to={destination}", code=code
    )
    assert code == 0 or "(Optional I.D)" in answer


@pytest.mark.parametrize("attack", ["overrun", "close_assault", "indirect_fire"])
def test_a_basic_situation_has_no_attacks_of_the_standard_rules(attack: str) -> None:
    """The Situations A.1: the numbers come only if they are wanted anyway."""
    unit = {"overrun": "t_34_85", "close_assault": "infantry_egypt", "indirect_fire": "mortar_82_egypt"}[attack]
    words = ("odds", "--scenario", "B-1", "--put", f"{unit}@B-H-5,sherman_51hv@B-H-6", f"attack={attack}",
             "from=B-H-5", "at=B-H-6", "side=arab")  # fmt: skip
    assert "The Situations A.1" in ask(*words, code=2)
    assert ask(*words, "anyway=yes")["attack"] == attack


def test_a_tie_is_called() -> None:
    """The Situations B.2 gives levels of victory from one point ahead; an empty table is a tie."""
    assert "no side is ahead: a tie" in [line["text"] for line in ask("score", "S-9")["lines"]]


def test_the_far_bank_is_told_the_ways_over_the_canal() -> None:
    """Advanced IV.D boats, Advanced IV.A swimming: two turns each; elsewhere it stays out of reach."""
    boat = ask(
        "move",
        "--scenario",
        "A-1",
        "--put",
        "infantry_egypt@A-H-3",
        "infantry_egypt@A-H-3",
        "to=A-H-5",
        "boats=A-H-4=2",
    )
    assert [(crossing["way"], crossing["to"], crossing["takes"]) for crossing in boat["crossings"]] == [
        ("assault boat", ["A-H-5"], 2)
    ]
    swim = ask("move", "--scenario", "A-5", "--put", "pt_76@A-H-3,trench@A-H-4", "pt_76@A-H-3", "to=A-H-5")
    assert [crossing["way"] for crossing in swim["crossings"]] == ["swimming"]
    assert "out of reach" in ask(
        "move", "--scenario", "A-5", "--put", "pt_76@A-H-3,trench@A-H-4", "pt_76@A-H-3", "to=A-O-5", code=2
    )
