"""What single games answer beyond the pack's arithmetic: `assistant/games/<game>/`, imported when asked."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from types import ModuleType
from typing import Any, NamedTuple

from assistant.attacks import BadQuestion
from assistant.questions import Question, answer
from assistant.rendering import as_json, as_lines, as_nodes
from assistant.shared.asking import Question as Older
from scenarios.game import Game
from scenarios.position import Position
from scenarios.reading.findings import instead, nearest

EVERY = ("odds", "table", "roll", "scenario", "open", "serve")
"""The commands that any pack answers."""
FREE = "words"
"""A question with this name reads the words of the command line itself."""
COMMANDS = ("los", "move", "supply", "morale", "score")
"""The commands that a game may answer with flags of its own."""


class Reply(NamedTuple):
    """An answer in both its forms; neither is made before it is asked for."""

    text: Callable[[], Iterator[str]]
    json: Callable[[], dict[str, Any]]
    nodes: Callable[[], list[dict[str, Any]]] | None = None
    """The answer's tree for the page."""


def has(game: Game, command: str) -> bool:
    """Whether a game answers a command with flags of its own."""
    return _command(game, command) is not None


def ask(game: Game, command: str, **options: Any) -> Reply:
    """A game's own answer to a command; BadQuestion if it has none."""
    found = _command(game, command)
    if found is None:
        raise BadQuestion(f"{game.title} has no answer to `assistant {command}`; {_others(game, command)}")
    taken = inspect.signature(found).parameters
    strange = next((key for key in options if key not in taken), None)
    if strange is not None:
        told = f"words such as {options[strange][0]!r}" if strange == FREE else f"--{strange.replace('_', '-').strip('-')}"
        flags = [f"--{key.replace('_', '-').strip('-')}" for key in taken if key not in ("game", FREE)]
        raise BadQuestion(f"{game.title} doesn't take {told} in `assistant {command}`; it takes {', '.join(flags)}")
    needed = [key for key, one in taken.items() if key != "game" and one.default is one.empty and key not in options]
    if needed:
        raise BadQuestion(f"say which {needed[0].strip('_')}: --{needed[0].replace('_', '-').strip('-')}")
    reply: Reply = found(game, **options)
    return noted(game, options, reply)


def noted(game: Game, options: Mapping[str, Any], reply: Reply) -> Reply:
    """An answer with what it leaves out: pieces of a save that the pack doesn't know."""
    position = options.get("position")
    if not isinstance(position, Position) or not position.unknown:
        return reply
    from assistant.opened import unknown_json, unknown_text
    from assistant.shared.folding import folded

    return Reply(
        lambda: chain(reply.text(), folded([unknown_text(game, position)])),
        lambda: {**reply.json(), "left_out": unknown_json(game, position)},
    )


def answers(game: Game) -> str:
    """The half sentence that tells by which commands a game is asked."""
    own = [command for command in COMMANDS if has(game, command)]
    return "ask by a command: `assistant " + "`, `".join((*EVERY[:1], *own, *EVERY[1:])) + "`"


def questions(game: Game) -> Mapping[str, Question | Older]:
    """The questions that a game answers by name."""
    own: Mapping[str, Question | Older] = getattr(_package(game), "QUESTIONS", {})
    declared: dict[str, Question] = {}
    if game.attacks and "odds" not in own and not has(game, "odds"):
        from assistant.attack import attack_question

        declared["odds"] = attack_question(game)
    if game.rules is not None:
        from assistant.rules.questions import rule_questions

        declared |= {name: one for name, one in rule_questions(game).items() if name not in own and not has(game, name)}
    return {**declared, **own}


def question(game: Game, name: str, options: Mapping[str, Any]) -> Reply:
    """The answer to a question by name; BadQuestion where there is no such question, or it can't be told that."""
    known = questions(game)
    if name not in known:
        raise BadQuestion(f"{game.title} has no answer to {name!r}; {_others(game, name)}")
    asked = known[name]
    if isinstance(asked, Question):
        found = answer(asked, game, options)
        return Reply(lambda: as_lines(found), lambda: as_json(found), lambda: as_nodes(found))
    strange = next((key for key in options if key != FREE and key not in asked.names), None)
    if strange is not None and FREE not in asked.names:
        raise BadQuestion(f"{name} can't be told {strange!r}; {instead(strange, asked.names)}")
    if FREE not in asked.names:
        names = [word.partition("=")[0] for word in options.get(FREE, ())]
        twice = next((key for key in names if names.count(key) > 1), None)
        if twice is not None:
            raise BadQuestion(f"{twice} is told twice; tell it once, several with commas: {twice}=FIRST,SECOND")
    told, lines = asked.answer(game, options)
    reply = Reply(lambda: iter(lines), lambda: told)
    return reply if "left_out" in told else noted(game, options, reply)


def _others(game: Game, name: str) -> str:
    """What to ask a game instead."""
    known = questions(game)
    by_command = any(has(game, command) for command in COMMANDS)
    return instead(name, known) if known and (nearest(name, known) or not by_command) else answers(game)


def _package(game: Game) -> ModuleType | None:
    if not game.id.isidentifier() or importlib.util.find_spec(f"assistant.games.{game.id}") is None:
        return None
    return importlib.import_module(f"assistant.games.{game.id}")


def _command(game: Game, command: str) -> Callable[..., Reply] | None:
    if _package(game) is None or importlib.util.find_spec(f"assistant.games.{game.id}.commands") is None:
        return None
    module = importlib.import_module(f"assistant.games.{game.id}.commands")
    found = getattr(module, f"{command}_command", None)
    return found if callable(found) else None
