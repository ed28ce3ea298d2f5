"""What every question of a game owes: it reads only what it names, it bears junk, its lines fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assistant.questions.answer import BadQuestion
from assistant.questions.answering import answer_question
from assistant.questions.question import Question
from assistant.questions.rendering import answer_json, as_lines
from scenarios import PackError
from scenarios.model.game import Game

JUNK = (
    "banana",
    "-3",
    "1/2",
    "@",
    "99999999",
    "a:b,c",
    "x@y",
    ",",
    ":",
    "+",
    "*",
    "yes",
    "0",
    "4.5",
    "é",
    " ",
    "nir_arm_bde_a+x",
)


def ask(game: Game, question: Question, options: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The answer, checked: names, width, and every spread of chances whole."""
    result = answer_question(question, game, options)
    lines = list(as_lines(result))
    assert lines and all(len(line) <= 100 and line == line.rstrip() for line in lines)
    return answer_json(result), lines


def bears_junk(game: Game, question: Question, options: Mapping[str, Any], name: str) -> None:
    """Nothing but a kind complaint comes of junk under a name."""
    for junk in JUNK:
        try:
            ask(game, question, {**options, name: junk})
        except (BadQuestion, PackError) as error:
            assert str(error)
