"""What the rules of The Arab-Israeli Wars decide."""

from __future__ import annotations

from assistant.questions import Late

_HERE = "assistant.games.arab_israeli_wars"
QUESTIONS = Late({
    "los": f"{_HERE}.los:los_question",
    "morale": f"{_HERE}.morale:MORALE",
    "move": f"{_HERE}.move:MOVE",
    "odds": f"{_HERE}.odds:odds_question",
    "smoke": f"{_HERE}.smoke:SMOKE",
})  # fmt: skip
"""The questions that the command line and the page ask."""
