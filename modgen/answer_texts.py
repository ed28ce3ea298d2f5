"""Tables and scenarios as text: the answers of the assistant."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from assistant.questions.answering import answer_question
from assistant.questions.rendering import as_lines
from assistant.scenario import SCENARIO
from assistant.tables import TABLE
from assistant.unofficial import unofficial_line
from scenarios.model.game import Game


def table_lines(game: Game) -> Iterable[str]:
    """The tables as they are printed."""
    for key in game.tables:
        yield from as_lines(answer_question(TABLE, game, {"table": key}), name_entries=partial(unofficial_line, game))
        yield ""


def scenario_lines(game: Game) -> Iterable[str]:
    """The scenarios as cards."""
    for key in game.scenarios:
        yield from as_lines(
            answer_question(SCENARIO, game, {"scenario": key}), name_entries=partial(unofficial_line, game)
        )
        yield ""
    if not game.scenarios:
        yield f"{game.title} has no scenario yet."
