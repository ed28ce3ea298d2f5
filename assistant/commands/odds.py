"""`assistant odds`: an attack of the game, one that its pack declares, or two bare strengths as in 9:3."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.commands.verbs import named_question, verb_command
from assistant.odds import attack_question, is_attack
from assistant.questions.question import Question
from assistant.tables import STRENGTHS, are_strengths
from scenarios.model.game import Game


def find_odds_question(game: Game, name: str, words: Sequence[str]) -> Question | None:
    """Return the question that the first word asks; else the game's own."""
    question = named_question(game, name, words)
    if not words:
        return question
    if are_strengths(game, words[0]):
        return STRENGTHS
    if question is not None and "attack" not in question.positional and is_attack(game, words[0]):
        return attack_question(game)  # the game's own question leaves this attack to the pack
    return question


odds = verb_command("odds", find_odds_question)
