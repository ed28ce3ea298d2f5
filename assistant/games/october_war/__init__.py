"""What the rules of October War decide.

Python, because no declaration says it: battles of several rounds in which units break down, air missions and missiles, mobilization,
events that are drawn.
"""

from __future__ import annotations

from assistant.questions.question import LazyQuestions

_HERE = "assistant.games.october_war"
QUESTIONS = LazyQuestions(
    {
        "air": f"{_HERE}.air:AIR",
        "airmobile": f"{_HERE}.movement:AIRMOBILE",
        "fire": f"{_HERE}.fire:FIRE",
        "mobilization": f"{_HERE}.turn:MOBILIZATION",
        "odds": f"{_HERE}.odds:ODDS",
        "refit": f"{_HERE}.turn:REFIT",
    }
)
"""The questions that the command line and the page ask."""
