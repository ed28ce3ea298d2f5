"""What the rules of Yom Kippur decide."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from assistant.games.yom_kippur.answers import (
    cease_fire_answer,
    odds_answer,
    recovery_answer,
    sam_answer,
    score_answer,
)
from assistant.games.yom_kippur.move_text import move_answer
from assistant.games.yom_kippur.supply_text import supply_answer
from scenarios.game import Game

Answerer = Callable[[Game, Mapping[str, Any]], tuple[dict[str, Any], list[str]]]

ANSWERS: Mapping[str, Answerer] = {
    "supply": supply_answer,
    "odds": odds_answer,
    "score": score_answer,
    "move": move_answer,
    "sam": sam_answer,
    "cease_fire": cease_fire_answer,
    "recovery": recovery_answer,
}
"""The questions the command line can ask: a game and options in, JSON and lines of text out."""
