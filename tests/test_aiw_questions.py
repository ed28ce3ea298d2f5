"""The commands of The Arab-Israeli Wars, asked by name as other games are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from assistant.attacks import BadQuestion
from assistant.cli import cli
from assistant.games.arab_israeli_wars import QUESTIONS
from scenarios import load
from scenarios.opening import open_position
from tests.questions import answered, nonsense

GAME = load("arab_israeli_wars")
FIRDAN = "docs/examples/el_firdan.yaml"
ASKED: list[tuple[str, dict[str, Any]]] = [
    ("attack", {"position": FIRDAN, "from": "A-L-9", "at": "A-M-7"}),
    ("attack", {"position": FIRDAN, "from": "A-L-9", "at": "A-M-7", "attack": "direct_fire", "what_if": "yes"}),
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
    flags = [word for key, value in options.items() for word in (f"--{key.replace('_', '-')}", *[value] * (value != "yes"))]
    runner = CliRunner()
    by_flags = runner.invoke(cli, ["odds" if name == "attack" else name, GAME.id, *flags])
    by_names = runner.invoke(cli, ["ask", GAME.id, name, *(f"{key}={value}" for key, value in options.items())])
    assert by_flags.exit_code == by_names.exit_code == 0, by_flags.output
    assert by_flags.output == by_names.output


@pytest.mark.parametrize("name", list(QUESTIONS))
def test_junk_gets_a_sentence(name: str) -> None:
    nonsense(GAME, QUESTIONS[name], next(options for asked, options in ASKED if asked == name))


def test_an_open_position_is_as_good_as_its_file() -> None:
    opened = open_position(GAME, Path(FIRDAN))
    for name in QUESTIONS:
        told = {"move": {"unit": "m60a1"}, "attack": {"from": "A-L-9", "at": "A-M-7"}}.get(name, {})
        assert QUESTIONS[name].answer(GAME, {**told, "position": opened}) == QUESTIONS[name].answer(GAME, {**told, "position": FIRDAN})


def test_an_attack_needs_a_position() -> None:
    with pytest.raises(BadQuestion, match="open a save"):
        QUESTIONS["attack"].answer(GAME, {"scenario": "S-9", "from": "A-L-9", "at": "A-M-7"})
