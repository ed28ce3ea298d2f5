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
