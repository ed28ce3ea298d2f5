"""The questions of the operational games, from the command line."""

from __future__ import annotations

import json

from click.testing import CliRunner

from assistant.cli import cli


def run(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == code, result.output
    return result.output


def test_supply_of_yom_kippur() -> None:
    assert isinstance(json.loads(run("supply", "yom_kippur", "--scenario", "4.5", "--json")), dict)
    assert "Reshef" in run("supply", "yom_kippur", "--scenario", "4.5", "--paths")
    assert "name a scenario" in run("supply", "yom_kippur", code=2)
    assert "did you mean" in run("supply", "yom_kippur", "--scenario", "4.55", code=2)


def test_questions_by_name() -> None:
    assert "cease_fire" in run("ask", "yom_kippur", "ceasefire", code=2)
    assert run("ask", "yom_kippur", "cease_fire", "scenario=4.6").strip()
    assert "no answer" in run("ask", "arab_israeli_wars", "supply", code=2)
