"""Answers that fit a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

from assistant.shared.asking import Answerer, Options, Question, Said
from scenarios.game import Game

WIDTH = 100


def fold(line: str) -> list[str]:
    """A line as one or more that fit, the rest set in by four more."""
    if len(line) <= WIDTH:
        return [line]
    start = line[: len(line) - len(line.lstrip())]
    return textwrap.wrap(line, WIDTH, subsequent_indent=f"{start}    ", break_on_hyphens=False, break_long_words=False)


def folded(answer: Answerer, about: str, names: Mapping[str, str]) -> Question:
    """A question whose answer is folded."""

    def said(game: Game, options: Options) -> Said:
        json, lines = answer(game, options)
        return json, [part for line in lines for part in fold(line)]

    return Question(said, about, names)
