"""Pieces that are put on the map are of the nation that the Situation gives their counter to (The Situations A.3.b)."""

from __future__ import annotations

import pytest

from assistant.cli import cli
from tests.asking import ask_json, run_command

GAME = "arab_israeli_wars"


def strength(scenario: str, attacker: str, defender: str, attack: str) -> int:
    start, target = attacker.partition("@")[2], defender.partition("@")[2]
    odds_answer = ask_json("odds", GAME, "--scenario", scenario, "--put", attacker, "--put", defender, "--attack", attack,
                  "--from", start.partition(":")[0], "--at", target, "--anyway")  # fmt: skip
    return int(odds_answer["attack_strength"])


@pytest.mark.parametrize(
    ("scenario", "attacker", "defender", "attack", "expected_strength"),
    [
        # Close assault against armor doubles, for Egyptians after 1970 triples (WEC note 7): 6 becomes 12 or 18.
        ("S-7", "infantry_egypt@D-R-5", "sherman_51hv@D-Q-5", "close_assault", 12),
        ("S-7", "infantry_egypt@D-R-5:nation=egypt", "sherman_51hv@D-Q-5", "close_assault", 18),
        ("S-13", "infantry_jordan@B-H-5", "m60a1@B-H-6", "close_assault", 18),
        # Jordanians double anti-tank fire after 1967 (WEC note 5), and in S-12 the jeep is Lebanese.
        ("S-12", "jeep_106_jordan@C-R-5", "m60a1@C-R-8", "direct_fire", 16),
        ("S-12", "jeep_106_jordan@C-R-5:nation=jordan", "m60a1@C-R-8", "direct_fire", 32),
    ],
)
def test_a_piece_that_is_put_fights_for_the_nation_of_the_situation(
    scenario: str, attacker: str, defender: str, attack: str, expected_strength: int
) -> None:
    assert strength(scenario, attacker, defender, attack) == expected_strength


@pytest.mark.parametrize(
    ("observer", "scatters"),
    [
        ("t_62@D-R-5", False),  # Syrian in S-12, as the battery
        ("t_34_85@D-R-5", True),  # Palestinian
        ("infantry_egypt@D-R-5:nation=syria", False),
        ("infantry_egypt@D-R-5:nation=palestine", True),
    ],
)
def test_an_observer_that_is_put_spots_for_its_own_nation(observer: str, scatters: bool) -> None:
    """S-12, special rule: no army spots for another; unseen fire may scatter (Standard II.A.4.c)."""
    odds_answer = ask_json("odds", GAME, "--scenario", "S-12", "--put", observer, "--put", "infantry_israel@D-Q-5", "--attack",
                  "indirect_fire", "--support", "130 mm battery", "--side", "arab", "--at", "D-Q-5")  # fmt: skip
    assert ("scatter" in {fall["how"] for fall in odds_answer["falls"]}) is scatters


def test_a_nation_that_the_game_does_not_have_is_refused() -> None:
    result = run_command(cli, "odds", GAME, "--scenario", "S-12", "--put", "t_62@D-R-5:nation=atlantis")
    assert result.exit_code == 2 and "no nation 'atlantis'" in result.output
