"""The special rules of a game's scenarios, by the name of their effect; and a fire moved by further columns."""

from __future__ import annotations

from dataclasses import replace

from assistant.attacks import Answer
from scenarios.game import Game
from scenarios.scenario import Effect
from scenarios.tables import Table


def effects(game: Game, name: str, turn: int | None = None) -> list[Effect]:
    """Every effect of this name; with a turn, only those that hold in it by number."""
    return [
        effect
        for scenario in game.scenarios.values()
        for special in scenario.special
        for effect in special.effects
        if effect.effect == name and (turn is None or effect.turns == str(turn))
    ]


def shifted(table: Table, answer: Answer, more: int) -> Answer:
    """A fire so many columns farther to the right, to see what that would change."""
    if not more or answer.start is None:
        return answer
    labels = table.columns.labels
    column = table.shifted(labels.index(answer.start), answer.shift + more)
    return replace(answer, shift=answer.shift + more, column=labels[column], chances=table.distribution(column))
