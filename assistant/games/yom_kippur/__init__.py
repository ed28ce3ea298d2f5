"""What the rules of Yom Kippur decide.

Python, because no declaration says it yet: bridges that are towed and laid, tanks that come back.
"""

from __future__ import annotations

from assistant.questions.question import LazyQuestions

_HERE = "assistant.games.yom_kippur"
QUESTIONS = LazyQuestions(
    {
        "recovery": f"{_HERE}.turn:RECOVERY",
        "replacement": f"{_HERE}.turn:REPLACEMENT",
        "bridges": f"{_HERE}.bridges:BRIDGES",
    }
)
"""The questions that the command line and the page ask."""
