"""What single games answer beyond the pack's arithmetic: `assistant/games/<game>/commands.py`, imported when asked."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from assistant.attacks import BadQuestion
from scenarios.game import Game
from scenarios.reading.findings import instead


class Reply(NamedTuple):
    """An answer in both its forms; neither is made before it is asked for."""

    text: Callable[[], Iterator[str]]
    json: Callable[[], dict[str, Any]]


def has(game: Game, command: str) -> bool:
    """Whether a game answers a command in its own way."""
    return _find(game, command) is not None


def ask(game: Game, command: str, **options: Any) -> Reply:
    """A game's own answer to a command; BadQuestion if it has none."""
    found = _find(game, command)
    if found is None:
        raise BadQuestion(f"{game.title} has no answer to `assistant {command}` (yet)")
    reply: Reply = found(game, **options)
    return reply


def answer(game: Game, question: str, options: Mapping[str, Any]) -> Reply:
    """The answer of a game that lists its questions (`ANSWERS`); BadQuestion if there is no such question."""
    answers: Mapping[str, Any] = {}
    if game.id.isidentifier() and importlib.util.find_spec(f"assistant.games.{game.id}") is not None:
        module = importlib.import_module(f"assistant.games.{game.id}")
        questions = getattr(module, "QUESTIONS", {})
        answers = {name: one.answer for name, one in questions.items()} or getattr(module, "ANSWERS", {})
    if question not in answers:
        raise BadQuestion(f"{game.title} has no answer to {question!r}; {instead(question, answers)}")
    found, lines = answers[question](game, options)
    return Reply(lambda: iter(lines), lambda: found)


def _find(game: Game, command: str) -> Callable[..., Reply] | None:
    if not game.id.isidentifier() or importlib.util.find_spec(f"assistant.games.{game.id}") is None:
        return None
    if importlib.util.find_spec(f"assistant.games.{game.id}.commands") is None:
        return None
    module = importlib.import_module(f"assistant.games.{game.id}.commands")
    found = getattr(module, f"{command}_command", None)
    return found if callable(found) else None
