"""Questions of a game put to the test: right ones, and every kind of nonsense."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from assistant.questions.answer import Answer, BadQuestion, Node
from assistant.questions.question import Question
from assistant.questions.rendering import answer_json, as_lines
from scenarios import PackError
from scenarios.model.game import Game
from tests.asking import ask


def render_nodes(nodes: Sequence[Node]) -> tuple[dict[str, Any], list[str]]:
    """Nodes of an answer in both forms."""
    result = Answer("question", "game", nodes)
    return answer_json(result), list(as_lines(result))


def base(row: Mapping[str, Any]) -> str:
    """The counter of a row, without its copy."""
    return str(row["unit"]).partition("/")[0]


JUNK = ("", "-1", "1/0", "99999", "?", "yes", "a,b", ":", "3*", "*x", "x+nonsense", "0101", True)
MORE_JUNK = (
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


def check_answer(game: Game, question: Question, options: Mapping[str, Any]) -> None:
    """It is answered in both forms, in lines that fit, and all it was told has a name."""
    json_answer, lines = ask(game, question, options)
    assert json.loads(json.dumps(json_answer))["game"] == game.id
    assert lines and max(map(len, lines)) <= 100
    assert set(options) <= set(question.names)


def kind(game: Game, question: Question, options: Mapping[str, Any]) -> None:
    """An answer or a sentence, never a crash."""
    try:
        _, lines = ask(game, question, options)
        assert max(map(len, lines)) <= 100
    except (BadQuestion, PackError) as error:
        assert str(error)


def nonsense(game: Game, question: Question, base: Mapping[str, Any]) -> None:
    """Every name with every kind of nonsense."""
    for key in question.names:
        for junk in JUNK:
            kind(game, question, {**base, key: junk})


def any_words(game: Game, question: Question, data: st.DataObject, known_words: list[str]) -> None:
    """A few names with words that are known, or any text."""
    keys = data.draw(st.lists(st.sampled_from(sorted(question.names)), max_size=4))
    words = st.sampled_from(known_words) | st.text(max_size=6)
    kind(game, question, {key: data.draw(words) for key in keys if key != "position"})


def bears_junk(game: Game, question: Question, options: Mapping[str, Any], name: str) -> None:
    """Nothing but a kind complaint comes of junk under a name."""
    for junk in MORE_JUNK:
        kind(game, question, {**options, name: junk})
