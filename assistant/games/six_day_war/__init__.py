"""What the rules of Six Day War 1967 decide.

Python, because no declaration says it yet: combat on two tables and what an attack leaves undone, strikes and barrages on each unit of a
hex, whom an event brings.
"""

from __future__ import annotations

from assistant.questions.question import LazyQuestions

_HERE = "assistant.games.six_day_war"
QUESTIONS = LazyQuestions(
    {
        "odds": f"{_HERE}.odds:ODDS",
        "strike": f"{_HERE}.air:STRIKE",
        "barrage": f"{_HERE}.air:BARRAGE",
        "arrivals": f"{_HERE}.turn:ARRIVALS",
    }
)
"""The questions that the command line and the page ask."""
