"""What the rules of October War decide.

Python, because no declaration says it yet: one unit's fire by a bare strength, air missions, landings, mobilization and refit. The pack
declares everything else.
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
        "refit": f"{_HERE}.turn:REFIT",
    }
)
"""The questions that the command line and the page ask."""
