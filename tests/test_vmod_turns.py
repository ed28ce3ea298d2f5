"""The turn tracker: going on and back through the phases, a turn passes over those that it doesn't have."""

from __future__ import annotations

import pytest

from modgen.vmod.files import keys
from modgen.vmod.setups.turns import held_on, named_phases, passed_over, phases, players, shown_phase, state
from scenarios import load, shipped_games
from scenarios.model.game import Game
from scenarios.vassal.sequence import split
from tests.bsh import Scope, evaluate_text

TURNS = 3


@pytest.fixture(params=sorted(shipped_games()))
def game(request: pytest.FixtureRequest) -> Game:
    return load(request.param)


def stops(game: Game, sequence: str, way: str) -> list[tuple[int, str]]:
    """Where a player stops who goes through a few turns: a phase with a hotkey that matches sends him on."""
    phase_names = [name for name in phases(game) if name in dict(named_phases(game.sequence[sequence]))]
    walk = [(turn, name) for turn in range(1, TURNS + 1) for name in phase_names]
    stroke = keys.NEXT_KEY if way == "Next" else keys.PREVIOUS_KEY
    tests = [(part.attributes["match"], part.attributes["hotkey"]) for part in passed_over(game)]
    turn_phases = []
    for turn, name in walk if way == "Next" else reversed(walk):
        turn_name = game.turns.names[turn - 1] if game.turns and game.turns.names else ""
        values = {
            "Turn_command": way,
            "Phase": name,
            "TurnNumber": str(turn),
            "TurnName": turn_name,
            "Sequence": sequence,
        }
        strokes = [key for match, key in tests if evaluate_text(str(match)[1:-1], Scope(values))]
        assert strokes in ([], [stroke])
        if not strokes:
            turn_phases.append((turn, name))
    return turn_phases


@pytest.mark.parametrize("way", ["Next", "Prev"])
def test_a_turn_has_its_own_phases_only(game: Game, way: str) -> None:
    for key, sequence in game.sequence.items():
        phases_by_name = dict(named_phases(sequence))
        phase_names = [name for name in phases(game) if name in phases_by_name]
        expected_stops = [
            (turn, name) for turn in range(1, TURNS + 1) for name in phase_names if held_on(phases_by_name[name], turn)
        ]
        assert stops(game, key, way) == (expected_stops if way == "Next" else expected_stops[::-1])


def test_the_phases_that_the_rulebooks_leave_out() -> None:
    october = {name for turn, name in stops(load("october_war"), "standard", "Next") if turn == 1}
    assert not any(word in name for name in october for word in ("Event", "Reorganization", "Mobilization", "Refit"))
    six = [(turn, name) for turn, name in stops(load("six_day_war"), "standard", "Next") if "Events" in name]
    assert {turn for turn, _ in six} == {2, 3}
    barrage = [turn for turn, name in stops(load("yom_kippur"), "standard", "Next") if "Pre-Game" in name]
    assert barrage == [1]


def test_a_scenario_begins_in_a_phase_that_its_first_turn_has() -> None:
    for name in sorted(shipped_games()):
        game = load(name)
        phase_names = phases(game)
        for scenario in game.scenarios.values():
            outer = split(split(split(state(game, scenario, phase_names), "\t")[1], "|")[1], ";")
            first_phase = phase_names[int(split(outer[4], ";")[0])]
            first = scenario.turns.first if scenario.turns else 1
            sequence = game.sequence[scenario.sequence or next(iter(game.sequence))]
            assert held_on(dict(named_phases(sequence))[first_phase], first)


def test_phases_are_shown_with_the_sides_of_the_scenario() -> None:
    """Syria moves first in S-3, against Jordan."""
    game = load("arab_israeli_wars")
    player_sides = players(game, game.scenarios["S-3"])
    assert player_sides == {"FirstPlayer": "Syrian", "SecondPlayer": "Jordanian"}
    assert players(game, game.scenarios["B-1"]) == {"FirstPlayer": "Arab", "SecondPlayer": "Israeli"}
    for phase, phase_title in (
        ("First Player Fire Phase", "Syrian Fire Phase"),
        ("Second Player Movement Phase", "Jordanian Movement Phase"),
    ):
        assert evaluate_text(shown_phase(game, "Phase"), Scope({"Phase": phase, **player_sides})) == phase_title
    assert not players(load("yom_kippur"), load("yom_kippur").scenarios["4.1"])
