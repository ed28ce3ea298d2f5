"""The questions of the page: JSON in, JSON out, by the same functions as the command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from assistant.attacks import BadQuestion, Value, odds, unit_fields
from assistant.dicelog import roll
from assistant.lookup import lookup
from assistant.parts import ask, question, questions
from assistant.questions import Question
from assistant.shared.folding import unfolded
from assistant.text import odds_json
from assistant.words import read_answer
from scenarios.attacks import Input
from scenarios.game import Game
from scenarios.position import Position
from scenarios.reading.findings import instead

Body = Mapping[str, Any]
NO_FILES = "the page can't be told words or files; open a save, choose a scenario, or ask on the command line"


def odds_of(game: Game, body: Body) -> dict[str, Any]:
    """An attack: `attack`; `groups`, lists of `unit`, `states`, `told`; `inputs`."""
    key = _text(body, "attack")
    if key not in game.attacks:
        raise BadQuestion(f"{game.id} has no attack {key!r}; {instead(key, game.attacks)}")
    attack = game.attacks[key]
    groups: dict[str, list[dict[str, Value]]] = {}
    for name, units in _object(body, "groups").items():
        if name not in attack.groups:
            raise BadQuestion(f"{key} has no group {name!r}; {instead(name, attack.groups)}")
        if not isinstance(units, list):
            raise BadQuestion(f"{name} is a list of units")
        groups[name] = [_unit(game, attack.groups[name].inputs, unit) for unit in units]
    answer = odds(game, key, groups, _told(game, attack.inputs, _object(body, "inputs")))
    return odds_json(game, answer)


def _unit(game: Game, shapes: Mapping[str, Input], body: Any) -> dict[str, Value]:
    if not isinstance(body, dict):
        raise BadQuestion("a unit is told as {unit, states, told}")
    states = body.get("states", [])
    if not isinstance(states, list) or not all(isinstance(state, str) for state in states):
        raise BadQuestion("states are a list of names")
    return {**unit_fields(game, _text(body, "unit"), states), **_told(game, shapes, _object(body, "told"))}


def _told(game: Game, shapes: Mapping[str, Input], body: Body) -> dict[str, Value]:
    result: dict[str, Value] = {}
    for name, text in body.items():
        if name not in shapes:
            raise BadQuestion(f"nothing called {name!r} is asked; {instead(name, shapes)}")
        if text not in ("", None):
            result[name] = read_answer(game, name, shapes[name], str(text).lower() if isinstance(text, bool) else str(text))
    return result


def table_of(game: Game, body: Body) -> dict[str, Any]:
    """A table: `table`, `row`, `column`, `shift`, `die`."""
    row, column = body.get("row") or None, body.get("column") or None
    return lookup(game, _text(body, "table"), _maybe(row), _maybe(column), _whole(body, "shift"), _whole(body, "die"))


def roll_of(game: Game, body: Body) -> dict[str, Any]:
    """A throw: `what` (dice or a table), `column`, `shift`, `die`, `times`."""
    return roll(
        game, _text(body, "what"), times=min(_whole(body, "times", 1), 100), column=str(body.get("column") or ""),
        shift=_whole(body, "shift"), modifier=_whole(body, "die"),
    )  # fmt: skip


def question_of(game: Game, body: Body) -> dict[str, Any]:
    """A game's own question: `question`, `told` by name. The lines are what the command line would say, unbroken."""
    told = {name: value for name, value in _object(body, "told").items() if value not in ("", None)}
    if "words" in told or not isinstance(told.get("position"), Position | None):
        raise BadQuestion(NO_FILES)
    typed = isinstance(questions(game).get(_text(body, "question")), Question)
    kinds = (str, int, list, dict, Position) if typed else (str, int, Position)
    if strange := next((name for name, value in told.items() if not isinstance(value, kinds)), ""):
        raise BadQuestion(f"{strange} is told as a text or a whole number")
    reply = question(game, _text(body, "question"), told)
    if reply.nodes is not None:
        return {"nodes": reply.nodes(), "answer": reply.json()}
    return {"lines": unfolded(reply.text()), "answer": reply.json()}


def sight_of(game: Game, body: Body) -> dict[str, Any]:
    """Sight from one hex, or between two: `hexes`, and `scenario`, `map` or the `position` of an opened save."""
    hexes = body.get("hexes")
    if not isinstance(hexes, list) or not all(isinstance(hex, str) for hex in hexes):
        raise BadQuestion("hexes are a list of one or two names")
    position = body.get("position") or None
    if not isinstance(position, Position | None):
        raise BadQuestion(NO_FILES)
    where: dict[str, Any] = {key: _text(body, key) for key in ("scenario", "map") if body.get(key)}
    reply = ask(game, "los", hexes=hexes, **({"position": position} if position is not None else where))
    return {"lines": list(reply.text()), "answer": reply.json()}


QUESTIONS: Mapping[str, Callable[[Game, Body], dict[str, Any]]] = {
    "odds": odds_of,
    "table": table_of,
    "roll": roll_of,
    "ask": question_of,
    "sight": sight_of,
}


def _text(body: Body, key: str) -> str:
    value = body.get(key)
    if not isinstance(value, str) or not value:
        raise BadQuestion(f"say which {key}")
    return value


def _maybe(value: object) -> str | None:
    return None if value is None else str(value)


def _whole(body: Body, key: str, default: int = 0) -> int:
    value = body.get(key, default)
    try:
        return int(value if value not in ("", None) else default)
    except (TypeError, ValueError, OverflowError):
        raise BadQuestion(f"{key} is a whole number, not {value!r}") from None


def _object(body: Body, key: str) -> dict[str, Any]:
    value = body.get(key) or {}
    if not isinstance(value, dict):
        raise BadQuestion(f"{key} holds answers by name")
    return value
