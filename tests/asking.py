"""How tests ask: by the command line, as text or as JSON, or a question of a game in Python."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from functools import partial
from typing import Any

import click
import jsonschema
from click.testing import CliRunner, Result

from assistant.cli import cli as assistant
from assistant.questions.answering import answer_question
from assistant.questions.keys import answer_schema
from assistant.questions.question import Question
from assistant.questions.registry import questions
from assistant.questions.rendering import answer_json, as_lines
from assistant.unofficial import unofficial_line
from modgen.cli import cli as modgen
from scenarios.model.game import Game


def run_command(group: click.Command, *words: object) -> Result:
    """The result of a command. It may end with an exit code, never with an exception."""
    result = CliRunner().invoke(group, [str(word) for word in words])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert "Traceback" not in result.output
    return result


def run_assistant(*words: object, code: int = 0) -> str:
    """What `assistant` prints, with this exit code."""
    return _output(assistant, words, code)


def run_modgen(*words: object, code: int = 0) -> str:
    """What `modgen` prints, with this exit code."""
    return _output(modgen, words, code)


def ask_text(*words: object, code: int = 0) -> str:
    """What `assistant` prints, on one line."""
    return " ".join(run_assistant(*words, code=code).split())


def ask_json(*words: object, code: int = 0) -> dict[str, Any]:
    """The JSON answer of `assistant`, and nothing else on the terminal."""
    answer: dict[str, Any] = json.loads(run_assistant(*words, "--json", code=code))
    return answer


def ask_refusal(*words: object) -> tuple[str, str]:
    """The first reason of a refusal, and its rule."""
    output = run_assistant(*words, "--json", code=2)
    reason = json.loads(output[: output.rindex("}") + 1])["refused"][0]
    return reason["text"], reason["rule"]


def ask(game: Game, question: Question, options: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The answer to a question as JSON and as lines, which fit the terminal."""
    result = answer_question(question, game, options)
    lines = list(as_lines(result, name_entries=partial(unofficial_line, game)))
    assert lines and all(len(line) <= 100 and line == line.rstrip() for line in lines)
    return answer_json(result), lines


def ask_game(game: Game, name: str, **inputs: Any) -> dict[str, Any]:
    """The JSON answer to a question of a game by its name. `from_` is the input `from`."""
    return answer_json(
        answer_question(questions(game)[name], game, {key.rstrip("_"): value for key, value in inputs.items()})
    )


def _output(group: click.Command, words: tuple[object, ...], code: int) -> str:
    result = run_command(group, *words)
    assert result.exit_code == code, result.output
    return result.output


def assert_fits_schema(answer: Mapping[str, Any]) -> None:
    """That a JSON answer has only the keys, and the kinds of values, that the schema promises."""
    _answer_validator().validate(answer)


@functools.cache
def _answer_validator() -> jsonschema.Draft202012Validator:
    """The validator of all answers; making it checks the schema itself."""
    schema = answer_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)
