"""The sequence of play as a card: the phases of a turn in order, each with its player and its actions."""

from __future__ import annotations

from typing import Any

from modgen.kit.cards import PLAIN_COLORS, side_colors
from scenarios.model.definitions import Phase
from scenarios.model.game import Game

Json = dict[str, Any]
SECOND = {"fill": "#cfc3a8", "ink": "#2b2620"}
"""The colors of the second player, if the scenario decides which side that is."""


def sequences(game: Game, scenario: str = "") -> list[Json]:
    """The sequences of play that a kit needs: all, or that of one scenario."""
    follows = game.scenarios[scenario].sequence if scenario else ""
    chosen_sequences = {follows: game.sequence[follows]} if follows in game.sequence else game.sequence
    return [
        {
            "title": sequence.title,
            "rule": sequence.rule,
            "note": sequence.note,
            "phases": [_phase(game, phase, "") for phase in sequence.phases],
        }
        for sequence in chosen_sequences.values()
    ]


def _phase(game: Game, phase: Phase, outer_side: str) -> Json:
    """A phase with its subphases. `outer_side` is the side of the phase around it."""
    side = phase.side or outer_side
    return {
        "name": phase.name,
        "rule": phase.rule,
        "note": phase.note,
        "turns": "" if "turn" in phase.note else _turns(phase),
        "side": _side_name(game, side) if outer_side and side != outer_side else "",
        "colors": _colors(game, side),
        "phases": [_phase(game, inner, side) for inner in phase.phases],
    }


def _turns(phase: Phase) -> str:
    """The turns that have a phase, if not all do."""
    if phase.turn:
        return f"turn {phase.turn} only"
    return f"from turn {phase.since}" if phase.since > 1 else ""


def _side_name(game: Game, side: str) -> str:
    players = {"first": "first player", "second": "second player", "both": "both sides"}
    return game.sides[side].name if side in game.sides else players.get(side, "")


def _colors(game: Game, side: str) -> Json:
    return SECOND if side == "second" else side_colors(game, game.sides, side) if side in game.sides else PLAIN_COLORS
