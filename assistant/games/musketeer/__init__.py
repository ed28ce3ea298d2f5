"""What the rules of Operation Musketeer decide."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.games.musketeer import (
    air_asked,
    answers,
    combat_asked,
    escalation_asked,
    events,
    landing,
    placed,
    routes,
    score,
)
from assistant.games.musketeer.combat_text import odds_answer
from assistant.games.musketeer.spoken import spoken
from assistant.shared.asking import Answerer, Question
from assistant.shared.folding import fitting


def asked(answer: Answerer) -> Answerer:
    """An answer in lines that fit, to what people say."""
    return spoken(fitting(answer))


QUESTIONS: Mapping[str, Question] = {
    "air": Question(asked(air_asked.air_answer), "Air superiority or a bombardment", air_asked.NAMES),
    "entry": Question(asked(landing.entry_answer), "How a unit may come onto the map, and where", landing.ENTRY),
    "escalation": Question(
        asked(escalation_asked.escalation_answer),
        "World War III and the entry of the superpowers",
        escalation_asked.NAMES,
    ),
    "event": Question(asked(events.event_answer), "The random event of a turn, and a panic in the Sinai", events.NAMES),
    "move": Question(asked(routes.move_answer), "Where a unit can go, and at what price", routes.MOVE),
    "odds": Question(asked(odds_answer), "A combat with both fires: who is left, who pursues", combat_asked.NAMES),
    "paradrop": Question(asked(landing.paradrop_answer), "The hazards of a drop", landing.DROP),
    "pursuit": Question(asked(routes.pursuit_answer), "Where a unit can pursue to", routes.PURSUIT),
    "refit": Question(asked(answers.refit_answer), "The chances of refits", answers.REFIT),
    "retreat": Question(
        asked(routes.retreat_answer), "Withdrawal or rout: where a unit goes, what it costs", placed.UNIT
    ),
    "score": Question(asked(score.score_answer), "Victory points, level of victory, sudden death", score.NAMES),
    "supply": Question(asked(answers.supply_answer), "Lines of support, and what would cut them", answers.SUPPLY),
}
"""The questions that the command line and the page ask."""
