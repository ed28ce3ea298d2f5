"""The questions that a game answers: its own (`assistant/games/<game>/`), those that its pack declares, and those of
every pack."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
from collections.abc import Iterator, Mapping
from functools import cached_property
from types import ModuleType
from typing import Any

from assistant.questions.answer import Answer, BadQuestion
from assistant.questions.answering import answer_question
from assistant.questions.question import LazyQuestions, Question
from scenarios.model.game import Game
from scenarios.reading.findings import suggest

EVERYWHERE = LazyQuestions(
    {
        "table": "assistant.tables:TABLE",
        "roll": "assistant.dice:ROLL",
        "scenario": "assistant.scenario:SCENARIO",
        "rules": "assistant.rulebook:RULES",
    }
)
"""The questions that any pack answers."""
FORMER_NAMES = {
    "duties": "attacks",
    "stacks": "stack",
    "cease_fire": "forecast",
    "escalation": "forecast",
    "events": "forecast",
    "reserve": "forecast",
    "sam": "missiles",
}
"""Questions that were merged with others: the old name still works."""


def questions(game: Game) -> Mapping[str, Question]:
    """Return the questions of a game by name."""
    return _Known(game)


class _Known(Mapping[str, Question]):
    """The questions of a game, each found and built on demand."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.own_questions: Mapping[str, Any] = getattr(_package(game), "QUESTIONS", {})

    @cached_property
    def declared_questions(self) -> Mapping[str, Question]:
        """The questions that the pack declares and the game's own code leaves to it."""
        # Imported late, like all of this function: a table or a roll of a game without maps starts without the engine.
        game, declared_questions = self.game, dict[str, Question]()
        if game.attacks and "odds" not in self.own_questions:
            from assistant.odds import attack_question

            declared_questions["odds"] = attack_question(game)
        if game.rules is not None and game.rules.procedures:
            from assistant.engine.procedures.question import procedure_questions

            own = self.own_questions
            declared_questions |= {k: question for k, question in procedure_questions(game).items() if k not in own}
        if game.maps or game.scenario_maps:
            from assistant.engine.questions import rule_questions

            declared_questions |= {
                name: question for name, question in rule_questions(game).items() if name not in self.own_questions
            }
        return declared_questions

    def __getitem__(self, name: str) -> Question:
        if name in self.own_questions:
            entry = self.own_questions[name]
            question: Question = entry(self.game) if inspect.isfunction(entry) else entry
            return question
        if name in self.declared_questions or name in EVERYWHERE:
            return self.declared_questions[name] if name in self.declared_questions else EVERYWHERE[name]
        return self[FORMER_NAMES[name]]

    def __contains__(self, name: object) -> bool:
        if name in self.own_questions or name in EVERYWHERE or name in self.declared_questions:
            return True
        return name in FORMER_NAMES and FORMER_NAMES[str(name)] in self

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*self.declared_questions, *self.own_questions, *EVERYWHERE)))

    def __len__(self) -> int:
        return len(list(iter(self)))


def ask(game: Game, name: str, inputs: Mapping[str, Any]) -> Answer:
    """Return the answer to a question by name. Raise BadQuestion where the question or one of the inputs doesn't
    exist."""
    game_questions = questions(game)
    if name not in game_questions:
        raise BadQuestion(f"{game.title} has no answer to {name!r}; {suggest(name, game_questions)}")
    return answer_question(game_questions[name], game, inputs)


def _package(game: Game) -> ModuleType | None:
    if not game.id.isidentifier() or importlib.util.find_spec(f"assistant.games.{game.id}") is None:
        return None
    return importlib.import_module(f"assistant.games.{game.id}")
