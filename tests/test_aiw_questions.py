"""The commands of The Arab-Israeli Wars, asked by name as other games are."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from assistant.attacks import BadQuestion
from assistant.cli import cli
from assistant.games.arab_israeli_wars import QUESTIONS
from scenarios import load
from scenarios.opening import open_position
from scenarios.position import Piece, Position, locate
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
    ("smoke", {"position": FIRDAN, "unit": "mortar_120_arab", "at": "A-N-9"}),
    ("score", {"scenario": "S-1"}),
    ("score", {"position": FIRDAN}),
]


@pytest.mark.parametrize(("name", "options"), ASKED)
def test_a_question_is_the_command(name: str, options: dict[str, Any]) -> None:
    answered(GAME, QUESTIONS[name], options)
    if name == "smoke":  # there is no command of that name
        return
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
        told = {"move": {"unit": "m60a1"}, "attack": {"from": "A-L-9", "at": "A-M-7"},
                "smoke": {"unit": "how_122", "at": "A-M-7"}}.get(name, {})
        assert QUESTIONS[name].answer(GAME, {**told, "position": opened}) == QUESTIONS[name].answer(GAME, {**told, "position": FIRDAN})


def test_an_attack_needs_a_position() -> None:
    with pytest.raises(BadQuestion, match="open a save"):
        QUESTIONS["attack"].answer(GAME, {"scenario": "S-9", "from": "A-L-9", "at": "A-M-7"})


def smoked(at: str, *, unit: str = "mortar_120_arab", **changes: Any) -> dict[str, Any]:
    """Smoke in a position with one firer in A-L-5, a friend in A-N-8 and an enemy in A-N-9."""
    pieces = [("mortar_120_arab", "A-L-5"), ("how_122", "A-L-5"), ("rocket_140", "A-L-5"), ("t_55", "A-N-8"), ("m60a1", "A-N-9")]
    table = GAME.scenario_maps["S-9"]
    held = [Piece(name, "1", GAME.units[name].nation, locate(table, place), changes.get(name, frozenset())) for name, place in pieces]
    return QUESTIONS["smoke"].answer(GAME, {"position": Position(GAME.id, "S-9", 3, "", tuple(held)), "unit": unit, "at": at})[0]


def test_smoke() -> None:
    """Optional II.B.3 and II.B.4: who may fire it, where to, by sight or written down, for two turns."""
    told = smoked("A-N-9")
    assert told["direct"] == told["indirect"] == [] and told["removed_in_turn"] == 5
    assert sum(Fraction(one["chance"]) for one in told["unseen"]) == 1
    assert {one["to"]: Fraction(one["chance"]) for one in told["unseen"]}["A-N-9"] == Fraction(1, 3), "Scatter Chart: 1 or 2"
    assert "a friend is in the hex" in smoked("A-N-8")["direct"][0]
    assert "no rockets" in smoked("A-N-9", unit="rocket_140")["indirect"][0]
    assert "fires no smoke" in smoked("A-K-6", unit="t_55")["direct"][0]
    assert "inverted" in smoked("A-N-9", mortar_120_arab=frozenset({"inverted"}))["direct"][0]
    assert smoked("A-L-7", unit="how_122")["direct"] == [] and "quarter" in smoked("A-L-7", unit="how_122")["indirect"][0]
    assert [why for why in smoked("B-GG-10")["direct"] if "range" in why], "the mortar reaches 23 hexes"
