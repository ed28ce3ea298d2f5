"""What the rules of Six Day War 1967 decide."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from assistant.games.six_day_war.answers import (
    air_answer,
    event_answer,
    odds_answer,
    reserve_answer,
    score_answer,
    supply_answer,
)
from scenarios.game import Game

Answerer = Callable[[Game, Mapping[str, Any]], tuple[dict[str, Any], list[str]]]

ANSWERS: Mapping[str, Answerer] = {
    "odds": odds_answer,
    "supply": supply_answer,
    "score": score_answer,
    "air": air_answer,
    "reserve": reserve_answer,
    "events": event_answer,
}
"""The questions the command line can ask: a game and options in, JSON and lines of text out."""
