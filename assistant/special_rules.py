"""The effects of a scenario's special rules, and the rules that are left to the players."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from assistant.questions.answer import Sentence
from scenarios.model.game import Game
from scenarios.model.position import Position
from scenarios.model.scenario import Effect
from scenarios.model.tables import span


def all_effects(game: Game, name: str, turn: int | None = None) -> list[Effect]:
    """Return every effect of this name; with a turn, only those that apply in it by number."""
    return [
        effect
        for scenario in game.scenarios.values()
        for special in scenario.special
        for effect in special.effects
        if effect.effect == name and (turn is None or effect.turns == str(turn))
    ]


def left_to_players(game: Game, question: str, inputs: Mapping[str, Any]) -> Iterator[Sentence]:
    """Yield the special rules of a question's scenario that its answer doesn't apply: the players must apply them."""
    position = inputs.get("position") or inputs.get("check")
    key = str(inputs.get("scenario") or (position.scenario if isinstance(position, Position) else ""))
    if not key and len(game.scenarios) == 1:
        key = next(iter(game.scenarios))
    if key not in game.scenarios:
        return
    turn = inputs.get("turn") or (position.turn if isinstance(position, Position) else 0)
    about = "check" if "check" in inputs else question
    for special in game.scenarios[key].special:
        for effect in special.effects:
            word = game.effects.get(effect.effect)
            in_force = not effect.turns or not turn or span(effect.turns).holds(Fraction(turn))
            if word is not None and about in word.left_to_players and in_force:
                source = special.source
                rule = special.rule or (source.note if source is not None and source.word == "rulebook" else "")
                yield Sentence(
                    f"the players apply this rule: {' '.join(special.text.split())}", rule, "left_to_players"
                )
                break
