"""Random events: the chance of each, and of disintegration turn by turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from assistant.games.six_day_war.field import Field
from assistant.games.six_day_war.ground import FRONTS
from assistant.games.six_day_war.score import HOMES, holder
from scenarios.dice import dice
from scenarios.game import Game
from scenarios.hexes import Hex

CHECK = "disintegration"


def event_chances(game: Game) -> Mapping[str, Fraction]:
    """The chance of each event in one throw (9.1)."""
    return game.tables["events"].distribution(0)


def _limit(game: Game, name: str) -> str:
    return game.tables["limits"].cell(name, 0).code


def within(game: Game, turns: int = 1) -> Mapping[str, Fraction]:
    """The chance that each event comes at least once in so many turns: both players roll (ruling eastern_events_phase)."""
    rolls = int(_limit(game, "events_a_turn")) * turns
    return {event: 1 - (1 - chance) ** rolls for event, chance in event_chances(game).items()}


def disintegrates(game: Game, score: int) -> Fraction:
    """The chance that a check breaks a front: a die of no more than objectives taken less places lost (21.2)."""
    return sum((chance for face, chance in dice(_limit(game, "disintegration")).items() if face <= score), Fraction(0))


def front_scores(field: Field, control: Mapping[Hex, str]) -> dict[str, int]:
    """For each front: objectives that Israelis control, less cities, towns and kibbutzes that Arabs control (21.2)."""
    homes = [hex for hex in field.israel if field.table.terrain[hex] in HOMES]
    found = {}
    for front in FRONTS:
        taken = sum(holder(field, hex, control) == "israeli" for hex in field.table.zones[f"{front}_objectives"])
        lost = sum(field.front(hex) == front and holder(field, hex, control) == "arab" for hex in homes)
        found[front] = taken - lost
    return found


@dataclass(frozen=True)
class Forecast:
    """One turn of the forecast: the chance that the front breaks now, and that it has broken by now."""

    turn: int
    now: Fraction
    by_now: Fraction


def disintegration(game: Game, scores: Mapping[int, int]) -> tuple[Forecast, ...]:
    """The chance of disintegration turn by turn, given objectives less lost places on each turn (9.3, 21.2).

    No events on turn 1. Each check that comes rolls a die of its own.
    """
    rolls = int(_limit(game, "events_a_turn"))
    table = game.tables["events"]
    check = sum(
        (p for event, p in event_chances(game).items() if table.results[event].effects.get("check") == CHECK), Fraction(0)
    )
    whole = Fraction(1)
    found = []
    for turn, score in sorted(scores.items()):
        chance = Fraction(0) if turn == 1 else 1 - (1 - check * disintegrates(game, score)) ** rolls
        found.append(Forecast(turn, whole * chance, 1 - whole * (1 - chance)))
        whole *= 1 - chance
    return tuple(found)
