"""What the rules of October War decide."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.games.october_war.answers import air_answer, mobilization_answer, refit_answer
from assistant.games.october_war.battle_text import odds_answer
from assistant.games.october_war.movement import move_answer
from assistant.games.october_war.score import score_answer
from assistant.games.october_war.supply_text import supply_answer
from assistant.shared.asking import Answerer

ANSWERS: Mapping[str, Answerer] = {
    "air": air_answer,
    "mobilization": mobilization_answer,
    "move": move_answer,
    "odds": odds_answer,
    "refit": refit_answer,
    "score": score_answer,
    "supply": supply_answer,
}
"""The questions the command line can ask: a game and options in, JSON and lines of text out."""
