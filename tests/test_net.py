"""The net: nothing that can be asked disappears, and what was recorded is answered as it was (`make test-all` asks all of it)."""

from __future__ import annotations

from functools import cache

import pytest

from assistant.questions.registry import FORMER_NAMES
from scenarios import load, shipped_games
from tests.net import questions
from tests.net.adapter import ANYWHERE, ask, format_pieces, input_names, position
from tests.net.facts import GAMES
from tests.net.recording import CRASHED, Recording, compare_answers, differences, format_differences
from tests.net.recording import read as read_once

SAMPLE = 90
"""One question of so many is asked by `make test`."""


@cache
def read(game: str) -> Recording:
    return read_once(game)


def test_no_question_and_no_input_disappears() -> None:
    missing_lines = set(questions.recorded_lines()) - set(questions.lines(questions.today()))
    assert not missing_lines, sorted(missing_lines)


@pytest.mark.parametrize("game", shipped_games())
def test_every_question_with_facts_is_recorded(game: str) -> None:
    """`tests/net/facts` tells how answers are read; `python -m tests.net compare` names the questions that aren't there yet."""
    assert set(GAMES[game]) <= {*input_names(load(game)), *FORMER_NAMES}
    assert {case.question for case in read(game).cases} == set(GAMES[game]) | set(ANYWHERE)


@pytest.mark.parametrize("game", shipped_games())
def test_a_sample_is_answered_as_recorded(game: str) -> None:
    recording = read(game)
    mismatches = list(differences(recording, SAMPLE, len(game)))
    assert not mismatches, "\n".join(["", *format_differences(game, mismatches, recording)])


@pytest.mark.slow
@pytest.mark.parametrize("game", shipped_games())
def test_all_is_answered_as_recorded(game: str) -> None:
    recording = read(game)
    mismatches = list(differences(recording))
    assert not mismatches, "\n".join(["", *format_differences(game, mismatches, recording)])


@pytest.mark.parametrize("game", shipped_games())
def test_a_recording_says_much(game: str) -> None:
    """Every question is answered somewhere, not only refused."""
    recording = read(game)
    question_names = {
        case.question
        for case, answer in zip(recording.cases, recording.answers, strict=True)
        if answer.keys() - {"refused", CRASHED}
    }
    assert question_names == {case.question for case in recording.cases}


def test_what_a_difference_shows() -> None:
    old_answer = {"costs": {"1": "1/2", "2": "1"}, "ends": ["1", "2"], "column": "3-1"}
    new_answer = {"costs": {"1": "1/2", "2": "2", "3": "3"}, "ends": ["2", "3"], "column": "3-1"}
    assert compare_answers(old_answer, new_answer) == {"costs": ["2: 1 -> 2", "3: nothing -> 3"], "ends": ["-1 +3"]}
    assert compare_answers({"refused": "no way (1.3)"}, {"refused": "it can't go there (1.3)"}) == {}
    assert compare_answers({"refused": "no way (1.3)"}, {"refused": "it can't go there (1.4)"})
    assert compare_answers({"refused": "no way (1.3)"}, {"costs": {}})


def test_positions_are_written_and_read() -> None:
    texts = [
        "m60a1/6511@A-L-9",
        "infantry_jordan/1~egypt@A-K-6+dispersed+inverted",
        "mine_2_1/1@A-P-7",
        "t_55/6221@box:x",
    ]
    game = load("arab_israeli_wars")
    assert format_pieces(game, position(game, "S-9", texts)) == texts
    game = load("yom_kippur")
    texts = ["inf_2_4/1@33.22+reduced!1", "sam/2@39.29"]
    assert format_pieces(game, position(game, "4.1", texts)) == texts


def test_a_refusal_tells_its_rule() -> None:
    answer = ask("october_war", "odds", attackers="hq_143,hq_146", defenders="garrison")
    assert answer.refusal and answer.rules == {"12.1", "17.4"}
    with pytest.raises(AssertionError, match=r"12\.1"):
        answer["holds"]
