"""The rules of The Arab-Israeli Wars that no declaration can say.

This package holds fire of single units and overruns on the combat table, bombardment and indirect fire with
observers, opportunity fire, smoke, carriers and acts during a move, morale, plans.
"""

from __future__ import annotations

from assistant.questions.question import LazyQuestions

_HERE = "assistant.games.arab_israeli_wars"
QUESTIONS = LazyQuestions(
    {
        "los": f"{_HERE}.los:los_question",
        "morale": f"{_HERE}.morale:MORALE",
        "move": f"{_HERE}.movement:MOVE",
        "odds": f"{_HERE}.odds:odds_question",
        "smoke": f"{_HERE}.smoke:SMOKE",
    }
)
"""The questions that the command line and the page ask."""
