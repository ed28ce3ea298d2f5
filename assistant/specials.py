"""What a scenario's special rules change."""

from __future__ import annotations

from scenarios.game import Game
from scenarios.scenario import Effect


def all_effects(game: Game, name: str, turn: int | None = None) -> list[Effect]:
    """Every effect of this name; with a turn, only those that hold in it by number."""
    return [
        effect
        for scenario in game.scenarios.values()
        for special in scenario.special
        for effect in special.effects
        if effect.effect == name and (turn is None or effect.turns == str(turn))
    ]
