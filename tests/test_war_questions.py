"""Every question of October War and of Operation Musketeer: right ones answered, wrong ones told kindly."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.questions.question import Question
from assistant.questions.registry import questions
from scenarios import load
from scenarios.model.game import Game
from tests.asking import ask, assert_fits_schema
from tests.questions import any_words, check_answer, nonsense

Asked = tuple[str, dict[str, Any]]
START = {"scenario": "standard"}
COMBAT = {
    "attackers": "bde_7_israel,gol_israel/bde_4_israel",
    "defenders": "bde_4_egypt",
    "hex": "5509",
    "from": "5508,5510",
}
MUSKETEER: list[Asked] = [
    ("odds", {"attackers": "armd_25_britain", "defenders": "div_1_egypt", "terrain": "city",
              "attackers_support": "special_forces_britain", "defenders_support": "guerrilla_2"}),
    ("odds", {**COMBAT, "attackers_support": "2*airstrike_israel", "what_if": "yes", **START}),
    ("odds", {"attackers": "cdo_3_britain+direct_assault", "defenders": "garrison_egypt", "hex": "4106", "from": "4106"}),
    ("superiority", {"attackers": "3*airstrike_israel", "defenders": "2*airstrike_egypt"}),
    ("bombardment", {"attackers": "2*airstrike_israel", "terrain": "rough"}),
    ("entry", {"unit": "rep_1_france", "to": "4106", **START}),
    ("forecast", {"index": "38", "turn": "3", "markers": "command_anglo_french,command_us", "turns": "2", "us": "yes"}),
    ("event", {"roll": "9", **START}),
    ("move", {"unit": "gol_israel", "from": "5709", **START}),
    ("paradrop", {"paras": "rep_1_france", "at": "4106", **START}),
    ("pursuit", {"unit": "bde_7_israel", "from": "5508", "cleared": "5509", **START}),
    ("refit", {"nation": "egypt", "units": "3", "impulses": "2"}),
    ("refit", START),
    ("retreat", {"unit": "bde_4_egypt", "from": "5510", **START}),
    ("score", START),
    ("supply", START),
]  # fmt: skip
OCTOBER_WAR: list[Asked] = [
    ("odds", {"attackers": "armored_brigade_egypt", "defenders": "garrison"}),
    ("odds", {"attackers": "2*armor_battalion,hq_143", "defenders": "mech_brigade_egypt", "terrain": "town", "what_if": "yes"}),
    ("odds", {"attackers": "infantry_brigade_egypt", "defenders": "garrison", "point": "milano", "across": "suez_canal",
              "helped": "yes", "guns": "barrage_egypt", **START}),
    ("odds", {"attackers": "armor_brigade", "defenders": "infantry_division_egypt", "wing": "3*tac_israel,wild_weasel",
              "sites": "static_sam_egypt,mobile_sam_egypt:near=yes", "air_ew": "yes"}),
    ("air", {"mission": "superiority", "israel": "12", "egypt": "5", "weasels": "2", "ew": "yes", "arab_others": "2"}),
    ("air", {"mission": "strategic", "nation": "egypt", "tac": "3", "ssm": "1"}),
    ("air", {"mission": "ground", "tac": "3", "weasels": "1", "sites": "2", "sites_here": "1", "sead": "1"}),
    ("air", {"mission": "recon", "tac": "1", "sites": "2"}),
    ("airmobile", {"unit": "commando_brigade_egypt", "from": "ismailia", "turn": "1", **START}),
    ("airmobile", {"unit": "paratroop_battalion_202", "from": "israeli_reserve", "to": "tasa", "drop": "yes", **START}),
    ("command", {"unit": "hq_143", "from": "tasa", **START}),
    ("command", {"side": "arab", **START}),
    ("umbrella", {"unit": "static_sam_egypt", "from": "suez_city", **START}),
    ("fire", {"unit": "mech_brigade_egypt", "headquarters": "2", "terrain": "rough", "targets": "armor_brigade", "shift": "1"}),
    ("fire", {"strength": "25", "shift": "-1"}),
    ("mobilization", {"wishes": "hq_143,4*armor_battalion,armor_brigade"}),
    ("move", {"unit": "armor_brigade", **START}),
    ("refit", {"unit": "armored_brigade_egypt", "units": "3", "turns": "2"}),
    ("retreat", {"point": "mount_hermon", "side": "israeli", **START}),
    ("score", {"israeli": "3", **START}),
    ("supply", {"side": "israeli", **START}),
    ("supply", {"side": "arab", "control": "no", **START}),
]  # fmt: skip


class War(NamedTuple):
    """A game, what is asked of it and a few words that it knows."""

    game: Game
    questions: dict[str, Question]
    question_cases: list[Asked]
    known_names: list[str]


WARS = {
    "musketeer": War(
        load("musketeer"), dict(questions(load("musketeer"))), MUSKETEER,
        ["standard", "west", "israel", "5509", "bde_7_israel", "command_us", "2", "yes", "no", "0.5", "city"],
    ),
    "october_war": War(
        load("october_war"), dict(questions(load("october_war"))), OCTOBER_WAR,
        ["standard", "arab", "israeli", "tasa", "ground", "armor_battalion", "2", "yes", "no", "0.5"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("war", "name", "options"),
    [(war, *question_case) for war, war_setup in WARS.items() for question_case in war_setup.question_cases],
)
def test_answers(war: str, name: str, options: dict[str, Any]) -> None:
    check_answer(WARS[war].game, WARS[war].questions[name], options)


@pytest.mark.parametrize(("name", "options"), MUSKETEER)
def test_answers_have_known_keys(name: str, options: dict[str, Any]) -> None:
    assert_fits_schema(ask(WARS["musketeer"].game, WARS["musketeer"].questions[name], options)[0])


@pytest.mark.parametrize(
    ("war", "name"), [(war, name) for war, war_setup in WARS.items() for name in dict(war_setup.question_cases)]
)
def test_junk_gets_a_sentence(war: str, name: str) -> None:
    war_setup = WARS[war]
    nonsense(
        war_setup.game,
        war_setup.questions[name],
        next(options for question_name, options in war_setup.question_cases if question_name == name),
    )


@pytest.mark.parametrize("war", list(WARS))
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_words_at_all(war: str, data: st.DataObject) -> None:
    war_setup = WARS[war]
    name = data.draw(st.sampled_from(sorted(war_setup.questions)))
    any_words(war_setup.game, war_setup.questions[name], data, war_setup.known_names)
