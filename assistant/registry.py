"""The questions that a game answers: its own (`assistant/games/<game>/`), those that its pack declares, and those of every pack."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
from collections.abc import Iterator, Mapping
from functools import cached_property
from types import ModuleType
from typing import Any

from assistant.answers import Answer, BadQuestion
from assistant.questions import Late, Question, answer
from scenarios.game import Game
from scenarios.reading.findings import instead

EVERYWHERE = Late(
    {
        "table": "assistant.tables:TABLE",
        "roll": "assistant.dice:ROLL",
        "scenario": "assistant.scenario:SCENARIO",
        "rules": "assistant.rulebook:RULES",
    }
)
"""The questions that any pack answers."""
FORMER_NAMES = {"duties": "attacks", "stacks": "stack"}
"""Questions that were merged with others: who asks by the old name is answered by the new one."""


def questions(game: Game) -> Mapping[str, Question]:
    """The questions that a game answers by name."""
    return _Known(game)


class _Known(Mapping[str, Question]):
    """The questions of a game, each looked for and made when it is asked for."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.own: Mapping[str, Any] = getattr(_package(game), "QUESTIONS", {})

    @cached_property
    def declared(self) -> Mapping[str, Question]:
        """Those that the pack declares and the game's own code leaves to it."""
        game, found = self.game, dict[str, Question]()
        if game.attacks and "odds" not in self.own:
            from assistant.odds import attack_question

            found["odds"] = attack_question(game)
        if game.maps or game.scenario_maps:
            from assistant.rules.questions import rule_questions

            found |= {name: one for name, one in rule_questions(game).items() if name not in self.own}
        return found

    def __getitem__(self, name: str) -> Question:
        if name in self.own:
            held = self.own[name]
            made: Question = held(self.game) if inspect.isfunction(held) else held
            return made
        if name in self.declared or name in EVERYWHERE:
            return self.declared[name] if name in self.declared else EVERYWHERE[name]
        return self[FORMER_NAMES[name]]

    def __contains__(self, name: object) -> bool:
        if name in self.own or name in EVERYWHERE or name in self.declared:
            return True
        return name in FORMER_NAMES and FORMER_NAMES[str(name)] in self

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*self.declared, *self.own, *EVERYWHERE)))

    def __len__(self) -> int:
        return len(list(iter(self)))


def ask(game: Game, name: str, told: Mapping[str, Any]) -> Answer:
    """The answer to a question by name; BadQuestion where there is no such question, or it can't be told that."""
    known = questions(game)
    if name not in known:
        raise BadQuestion(f"{game.title} has no answer to {name!r}; {instead(name, known)}")
    return answer(known[name], game, told)


def _package(game: Game) -> ModuleType | None:
    if not game.id.isidentifier() or importlib.util.find_spec(f"assistant.games.{game.id}") is None:
        return None
    return importlib.import_module(f"assistant.games.{game.id}")
