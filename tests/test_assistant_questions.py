"""The questions of the operational games, from the command line."""

from __future__ import annotations

import json

from tests.asking import run_assistant


def test_supply_of_yom_kippur() -> None:
    assert isinstance(json.loads(run_assistant("supply", "yom_kippur", "--scenario", "4.5", "--json")), dict)
    assert "Reshef" in run_assistant("supply", "yom_kippur", "--scenario", "4.5", "--paths")
    assert "name a scenario" in run_assistant("supply", "yom_kippur", code=2)
    assert "did you mean" in run_assistant("supply", "yom_kippur", "--scenario", "4.55", code=2)


def test_questions_by_name() -> None:
    assert "forecast" in run_assistant("ask", "yom_kippur", "forcast", code=2)
    assert run_assistant("ask", "yom_kippur", "forecast", "scenario=4.6").strip()
    assert "no answer" in run_assistant("ask", "arab_israeli_wars", "supply", code=2)
