"""What the rules of October War decide."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.games.october_war import air_asked, answers, battle_asked, fire_asked, move_asked, score, supply_text
from assistant.games.october_war.battle_text import odds_answer
from assistant.shared.asking import Question
from assistant.shared.folding import fitting

QUESTIONS: Mapping[str, Question] = {
    "air": Question(fitting(air_asked.air_answer), "One air mission: what gets through, what it does", air_asked.NAMES),
    "airmobile": Question(fitting(move_asked.airmobile_answer), "Where a unit can fly, and its chances of landing", move_asked.AIRMOBILE
    ),
    "fire": Question(fitting(fire_asked.fire_answer), "One unit's fire: its column, shift by shift, and each throw", fire_asked.NAMES),
    "mobilization": Question(fitting(answers.mobilization_answer), "What the points buy, turn by turn", answers.MOBILIZATION),
    "move": Question(fitting(move_asked.move_answer), "Where a unit can go", move_asked.MOVE),
    "odds": Question(fitting(odds_answer), "A whole battle: who holds the point, what it costs", battle_asked.NAMES),
    "refit": Question(fitting(answers.refit_answer), "When refitted units come back", answers.REFIT),
    "retreat": Question(fitting(move_asked.retreat_answer), "Where units can retreat to", move_asked.RETREAT),
    "score": Question(fitting(score.score_answer), "Victory points, level of victory, sudden death", score.NAMES),
    "supply": Question(fitting(supply_text.supply_answer), "Lines of communication, command, missile umbrellas", supply_text.NAMES
    ),
}
"""The questions that the command line and the page ask."""
