"""What the rules of Operation Musketeer decide.

Python, because no declaration says it: panic in the Sinai, and refits of a whole position.
"""

from __future__ import annotations

from assistant.questions.question import LazyQuestions

_HERE = "assistant.games.musketeer"
QUESTIONS = LazyQuestions(
    {
        "event": f"{_HERE}.turn:EVENT",
        "refit": f"{_HERE}.turn:REFIT",
    }
)
"""The questions that the command line and the page ask."""
