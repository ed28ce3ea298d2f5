"""The questions of the page: JSON in, JSON out, by the same functions as the command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from assistant.dice import ROLL
from assistant.odds import attack_question
from assistant.page.wording import nodes_for_page
from assistant.questions.answer import BadQuestion
from assistant.questions.answering import answer_question
from assistant.questions.question import Input
from assistant.questions.references import UnitRef
from assistant.questions.registry import ask, questions
from assistant.questions.rendering import answer_json, as_nodes
from assistant.tables import TABLE
from scenarios.model.game import Game
from scenarios.model.position import Position
from scenarios.reading.findings import suggest

Body = Mapping[str, Any]
MOST_UNITS = 200
"""The maximum number of units in a group of an attack."""
NO_FILES = "the page takes no file names; open a save, choose a scenario, or ask on the command line"


def odds_of(game: Game, body: Body) -> dict[str, Any]:
    """An attack: `attack`; `groups`, lists of `unit`, `states`, `inputs`; `inputs`."""
    key = _text(body, "attack")
    if key not in game.attacks:
        raise BadQuestion(f"{game.id} has no attack {key!r}; {suggest(key, game.attacks)}")
    groups: dict[str, tuple[UnitRef, ...]] = {}
    for name, units in _object(body, "groups").items():
        if name not in game.attacks[key].groups:
            raise BadQuestion(f"{key} has no group {name!r}; {suggest(name, game.attacks[key].groups)}")
        if not isinstance(units, list):
            raise BadQuestion(f"{name} is a list of units")
        if len(units) > MOST_UNITS:
            raise BadQuestion(f"{name} may list at most {MOST_UNITS} units; name fewer")
        groups[name] = tuple(map(_unit, units))
    inputs = {name: _format_value(value) for name, value in _object(body, "inputs").items()}
    return answer_json(answer_question(attack_question(game), game, {"attack": key, **inputs, **groups}))


def _unit(body: Any) -> UnitRef:
    if not isinstance(body, dict):
        raise BadQuestion("a unit needs the form {unit, states, inputs}")
    states = body.get("states", [])
    if not isinstance(states, list) or not all(isinstance(state, str) for state in states):
        raise BadQuestion("states must be a list of names")
    details = {name: _format_value(value) for name, value in _inputs(body).items() if value not in ("", None)}
    return UnitRef(_text(body, "unit"), states=tuple(states), details=details)


def _format_value(value: object) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else "" if value is None else str(value)


def table_of(game: Game, body: Body) -> dict[str, Any]:
    """A table: `table`, `row`, `column`, `shift`, `die`."""
    table_inputs = {key: body[key] for key in ("row", "column", "shift", "die") if body.get(key)}
    return answer_json(answer_question(TABLE, game, {"table": _text(body, "table"), **table_inputs}))


def roll_of(game: Game, body: Body) -> dict[str, Any]:
    """A roll: `what` (dice or a table), `column`, `shift`, `die`, `times`."""
    roll_inputs = {key: body[key] for key in ("column", "shift", "die", "times") if body.get(key)}
    return answer_json(answer_question(ROLL, game, {"what": _text(body, "what"), **roll_inputs}))


def question_of(game: Game, body: Body) -> dict[str, Any]:
    """A game's own question: `question`, `inputs` by name."""
    inputs = {name: value for name, value in _inputs(body).items() if value not in ("", None)}
    question = questions(game).get(_text(body, "question"))
    files = question is not None and any(_is_file(question.input(name), value) for name, value in inputs.items())
    if "words" in inputs or files or not isinstance(inputs.get("position"), Position | None):
        raise BadQuestion(NO_FILES)
    if strange := next(
        (name for name, value in inputs.items() if not isinstance(value, str | int | list | dict | Position)), ""
    ):
        raise BadQuestion(f"{strange} must be a text or a whole number")
    result = ask(game, _text(body, "question"), inputs)
    return {"nodes": nodes_for_page(game, as_nodes(result)), "answer": answer_json(result)}


def _is_file(input_: Input | None, value: object) -> bool:
    """Whether an input would read or write a file on this machine."""
    return input_ is not None and (
        input_.kind == "file" or (input_.kind == "position" and not isinstance(value, Position))
    )


QUESTIONS: Mapping[str, Callable[[Game, Body], dict[str, Any]]] = {
    "odds": odds_of,
    "table": table_of,
    "roll": roll_of,
    "ask": question_of,
}


def _text(body: Body, key: str) -> str:
    value = body.get(key)
    if not isinstance(value, str) or not value:
        raise BadQuestion(f"name the {key}")
    return value


def _inputs(body: Body) -> dict[str, Any]:
    """Return the inputs of a question or a unit."""
    if "told" in body:
        raise BadQuestion("`told` is now called `inputs`")
    return _object(body, "inputs")


def _object(body: Body, key: str) -> dict[str, Any]:
    value = body.get(key) or {}
    if not isinstance(value, dict):
        raise BadQuestion(f"{key} must be an object of values by name")
    return value
