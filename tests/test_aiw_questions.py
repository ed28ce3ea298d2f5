"""The commands of The Arab-Israeli Wars, asked by name as other games are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from assistant.cli import cli
from assistant.games.arab_israeli_wars import QUESTIONS
from scenarios import load
from scenarios.opening import open_position
from tests.questions import answered, nonsense

GAME = load("arab_israeli_wars")
FIRDAN = "docs/examples/el_firdan.yaml"
ASKED: list[tuple[str, dict[str, Any]]] = [
    ("move", {"scenario": "S-9", "unit": "t_62", "from": "A-H-3", "quick": "yes"}),
    ("move", {"position": FIRDAN, "unit": "m60a1"}),
    ("morale", {"unit": "t_62", "level": "B", "turns": "3"}),
    ("morale", {"position": FIRDAN}),
    ("score", {"scenario": "S-1"}),
    ("score", {"position": FIRDAN}),
]


@pytest.mark.parametrize(("name", "options"), ASKED)
def test_a_question_is_the_command(name: str, options: dict[str, Any]) -> None:
    answered(GAME, QUESTIONS[name], options)
    flags = [word for key, value in options.items() for word in (f"--{key}", *[value] * (key != "quick"))]
    runner = CliRunner()
    by_flags = runner.invoke(cli, [name, GAME.id, *flags])
    by_names = runner.invoke(cli, [name, GAME.id, *(f"{key}={value}" for key, value in options.items())])
    assert by_flags.exit_code == by_names.exit_code == 0, by_flags.output
    assert by_flags.output == by_names.output


@pytest.mark.parametrize("name", list(QUESTIONS))
def test_junk_gets_a_sentence(name: str) -> None:
    nonsense(GAME, QUESTIONS[name], next(options for asked, options in ASKED if asked == name))


def test_an_open_position_is_as_good_as_its_file() -> None:
    opened = open_position(GAME, Path(FIRDAN))
    for name in QUESTIONS:
        told = {"unit": "m60a1"} if name == "move" else {}
        assert QUESTIONS[name].answer(GAME, {**told, "position": opened}) == QUESTIONS[name].answer(GAME, {**told, "position": FIRDAN})
