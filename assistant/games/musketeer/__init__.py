"""What the rules of Operation Musketeer decide."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.games.musketeer.air import air_answer
from assistant.games.musketeer.answers import escalation_answer, refit_answer, supply_answer
from assistant.games.musketeer.combat_text import odds_answer
from assistant.games.musketeer.movement import move_answer
from assistant.games.musketeer.score import score_answer
from assistant.shared.asking import Answerer

ANSWERS: Mapping[str, Answerer] = {
    "air": air_answer,
    "escalation": escalation_answer,
    "move": move_answer,
    "odds": odds_answer,
    "refit": refit_answer,
    "score": score_answer,
    "supply": supply_answer,
}
"""The questions the command line can ask: a game and options in, JSON and lines of text out."""
