"""Questions of Operation Musketeer: what the rules forbid, what if, and numbers that are ours."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.questions.answer import BadQuestion
from assistant.questions.registry import questions
from scenarios import load
from scenarios.model.game import Game
from tests.asking import ask, run_assistant
from tests.net.musketeer_combat import combat_words

GAME = load("musketeer")
QUESTIONS = questions(GAME)
POLICIES = next(
    question_input.choices for question_input in QUESTIONS["odds"].inputs if question_input.name == "attackers_losses"
)


def odds(inputs: dict[str, Any], game: Game = GAME) -> dict[str, Any]:
    return ask(game, QUESTIONS["odds"], combat_words(game, inputs))[0]


def chance(answer: dict[str, Any], name: str) -> Fraction:
    """The chance that an outcome says yes."""
    return next((Fraction(row["chances"].get("yes", 0)) for row in answer["named"] if row["name"] == name), Fraction(0))


def test_the_command_line() -> None:
    output = run_assistant(
        "ask", "musketeer", "odds", "attackers=bde_7_israel", "defenders=bde_4_egypt", "terrain=city"
    )
    assert "Defenders go first" in output
    assert "did you mean attackers" in run_assistant("ask", "musketeer", "odds", "atackers=x", code=2)
    assert "did you mean gol_israel" in run_assistant(
        "ask", "musketeer", "move", "unit=gol_isreal", "scenario=standard", code=2
    )


def test_a_unit_that_was_disrupted_before_its_retreat_is_so_after_it() -> None:
    """16.4 c: only an enemy zone of control disrupts a unit on its retreat. The answer says what the unit is then."""
    words = ("ask", "musketeer", "retreat", "scenario=none", "--json")
    fresh = json.loads(run_assistant(*words, "unit=armd_1_egypt@4812"))["units"][0]
    disrupted = json.loads(run_assistant(*words, "unit=armd_1_egypt+disrupted@4812"))["units"][0]
    assert (fresh["reduced"], disrupted["reduced"]) == ("0", "1")
    assert {row["outcome"] for row in fresh["outcomes"]} == {"unharmed"}
    assert {row["outcome"] for row in disrupted["outcomes"]} == {"disrupted"}
    assert "Reduced after the retreat: 100.0%" in run_assistant(*words[:-1], "unit=armd_1_egypt+disrupted@4812")


WEST = ("armd_25_britain", "rep_1_france", "loc_britain")
EAST = ("div_1_egypt", "bde_4_egypt", "ng_1_egypt", "garrison_egypt")


@settings(max_examples=60, deadline=None)
@given(
    west=st.lists(st.sampled_from(WEST), min_size=1, max_size=3, unique=True),
    east=st.lists(st.sampled_from(EAST), min_size=1, max_size=2, unique=True),
    terrain=st.sampled_from(["open", "town", "city", "fortification", "pass"]),
    cas=st.integers(0, 3),
    policies=st.tuples(st.sampled_from(list(POLICIES)), st.sampled_from(list(POLICIES))),
)
def test_chances_add_up_whatever_is_asked(
    west: list[str], east: list[str], terrain: str, cas: int, policies: tuple[str, str]
) -> None:
    options = {"attackers": ",".join(west), "defenders": ",".join(east), "terrain": terrain, "cas": str(cas)}
    options |= {"attacker_losses": policies[0], "defender_losses": policies[1]}
    answer = odds(options)
    for side in answer["forces"][:2]:
        assert sum(Fraction(loss["chance"]) for loss in side["losses"]) == 1
        for unit in side["outcomes"]:
            assert sum(map(Fraction, unit["becomes"].values())) == 1
    assert 0 <= chance(answer, "must_pursue") <= chance(answer, "may_pursue") <= chance(answer, "cleared") <= 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"attackers": "bde_7_israel", "defenders": "garrison_egypt", "hex": "4212"}, "28.1"),
        ({"attackers": "gol_israel,bde_4_israel,bde_7_israel,bde_9_israel", "defenders": "garrison_egypt"}, "12.1"),
        ({"attackers": "gol_israel", "defenders": "div_1_egypt,div_2_egypt"}, "12.1"),
        ({"attackers": "gol_israel", "defenders": "bde_4_egypt,iraq_arab_league"}, "12.5"),
        ({"attackers": "gol_israel,gd_britain", "defenders": "bde_4_egypt"}, "14.1"),
        ({"attackers": "gol_israel", "defenders": "bde_4_egypt", "cas": "3"}, "18.4"),
        ({"attackers": "gol_israel", "defenders": "bde_4_egypt", "defender_guerrilla": "1"}, "14.10"),
        ({"attackers": "gol_israel", "defenders": "bde_4_egypt", "hex": "5509", "from": "5505"}, "14.2"),
        (
            {
                "attackers": "bde_4_egypt",
                "defenders": "gd_britain",
                "terrain": "town",
                "attacker_guerrilla": "0",
                "attacker_special_forces": "yes",
            },
            "25.3",
        ),
        ({"attackers": "gd_britain", "defenders": "bde_4_egypt", "attacker_guerrilla": "0"}, "14.10"),
        ({"attackers": "gd_britain", "defenders": "bde_4_egypt", "fire_at": "2"}, "fire_at"),
        ({"attackers": "armd_25_britain", "defenders": "bde_4_egypt", "hex": "4106", "from": "4106"}, "11.3"),
        ({"attackers": "abn_202_israel", "defenders": "bde_4_egypt", "hex": "5509", "from": "5509"}, "24.3"),
        ({"attackers": "pmf_us", "defenders": "bde_4_egypt", "hex": "3415", "from": "3415"}, "11.3"),
    ],
)
def test_what_the_rules_forbid(options: dict[str, Any], message: str) -> None:
    with pytest.raises(BadQuestion, match=message.replace(".", r"\.")):
        odds(options)


def test_what_if() -> None:
    """One unit less, an airstrike more, a special command: each is the combat asked that way."""
    base = {"attackers": "bde_7_israel,gol_israel", "defenders": "div_1_egypt", "terrain": "rough", "cas": "1"}
    answer = odds({**base, "what_if": "yes"})
    changes = {row["change"]: row for row in answer["what_if"]}
    for change, changed_inputs in {
        "Attackers without Gol": {"attackers": "bde_7_israel"},
        "Attackers' support with one more Mystere IV, Ouragan, Mustang": {"cas": "2"},
        "Attackers' support without Mystere IV, Ouragan, Mustang": {"cas": "0"},
        "The impulse is a special command: yes": {"special_command": "yes"},
        "The attack is concentric: yes": {"concentric": "yes"},
    }.items():
        changed_answer = odds({**base, **changed_inputs})
        assert Fraction(changes[change]["chances"].get("yes", 0)) == chance(changed_answer, "cleared"), change
    assert not any("with one more Israeli 7" in change for change in changes)  # there is one counter of it


def test_the_numbers_that_are_ours_are_named() -> None:
    answer, lines = ask(GAME, QUESTIONS["odds"], {"attackers": "rep_1_france", "defenders": "bde_4_egypt"})
    assert "counters/bde_4_egypt/factors/combat" in answer["unofficial"]
    assert "tables/ground/cells" in answer["unofficial"] and any("Uses unofficial numbers" in line for line in lines)


def test_what_an_overlay_gives_is_the_users_own(tmp_path: Path) -> None:
    overlay_path = tmp_path / "mine.yaml"
    overlay_path.write_text("overlay: musketeer\ncounters: {gd_britain: {factors: {combat: 5}}}\n", encoding="utf-8")
    answer = odds({"attackers": "gd_britain,re_britain", "defenders": "bde_4_egypt"}, load("musketeer", [overlay_path]))
    assert answer["forces"][0]["opening_fire"][0]["column"] == "5"
    assert "counters/gd_britain/factors/combat" not in answer["unofficial"]
    assert "counters/re_britain/factors/combat" in answer["unofficial"]
