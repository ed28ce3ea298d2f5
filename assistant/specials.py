"""What a scenario's special rules change."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from scenarios.game import Game
from scenarios.position import Position
from scenarios.scenario import Effect
from scenarios.tables import span


def effects(game: Game, position: Position, kind: str, side: str = "") -> Iterator[Effect]:
    """The effects of a kind that hold for a side (or for any) on the turn of a position."""
    scenario = game.scenarios.get(position.scenario)
    for special in scenario.special if scenario else ():
        for effect in special.effects:
            now = not effect.turns or span(effect.turns).holds(Fraction(position.turn))
            if effect.effect == kind and now and (not side or effect.side in ("", side)):
                yield effect


def all_effects(game: Game, name: str, turn: int | None = None) -> list[Effect]:
    """Every effect of this name; with a turn, only those that hold in it by number."""
    return [
        effect
        for scenario in game.scenarios.values()
        for special in scenario.special
        for effect in special.effects
        if effect.effect == name and (turn is None or effect.turns == str(turn))
    ]
