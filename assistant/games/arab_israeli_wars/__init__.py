"""The rules of The Arab-Israeli Wars that no declaration can say.

This package holds fire of single units and overruns on the combat table, bombardment and indirect fire with
observers, opportunity fire, smoke, carriers and acts during a move, morale, plans.
"""

from __future__ import annotations

from assistant.questions.question import LazyQuestions

_PACKAGE = "assistant.games.arab_israeli_wars"
QUESTIONS = LazyQuestions(
    {
        "los": f"{_PACKAGE}.los:los_question",
        "morale": f"{_PACKAGE}.morale:MORALE",
        "move": f"{_PACKAGE}.movement:MOVE",
        "odds": f"{_PACKAGE}.odds:odds_question",
        "smoke": f"{_PACKAGE}.smoke:SMOKE",
    }
)
"""The questions that the command line and the page ask."""
