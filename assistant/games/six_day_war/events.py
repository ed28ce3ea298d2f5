"""Random events: the chance of each, and of disintegration turn by turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from scenarios.dice import dice
from scenarios.game import Game

CHECK = "disintegration"


def event_chances(game: Game) -> Mapping[str, Fraction]:
    """The chance of each event in one throw (9.1)."""
    return game.tables["events"].distribution(0)


def this_turn(game: Game, rolls: int = 2) -> Mapping[str, Fraction]:
    """The chance that each event comes at least once in a turn: both players roll (ruling eastern_events_phase)."""
    return {event: 1 - (1 - chance) ** rolls for event, chance in event_chances(game).items()}


def disintegrates(objectives: int, lost: int) -> Fraction:
    """The chance that a check breaks a front: a die of no more than objectives taken less places lost (21.2)."""
    score = objectives - lost
    return sum((chance for face, chance in dice("1d6").items() if face <= score), Fraction(0))


@dataclass(frozen=True)
class Forecast:
    """One turn of the forecast: the chance that the front breaks now, and that it has broken by now."""

    turn: int
    now: Fraction
    by_now: Fraction


def disintegration(game: Game, scores: Mapping[int, int], *, rolls: int = 2) -> tuple[Forecast, ...]:
    """The chance of disintegration turn by turn, given objectives less lost places on each turn (9.3, 21.2).

    No events on turn 1. Each check that comes rolls a die of its own.
    """
    table = game.tables["events"]
    check = sum(
        (p for event, p in event_chances(game).items() if table.results[event].effects.get("check") == CHECK), Fraction(0)
    )
    whole = Fraction(1)
    found = []
    for turn, score in sorted(scores.items()):
        chance = Fraction(0) if turn == 1 else 1 - (1 - check * disintegrates(score, 0)) ** rolls
        found.append(Forecast(turn, whole * chance, 1 - whole * (1 - chance)))
        whole *= 1 - chance
    return tuple(found)
