"""What the rules of October War decide."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.games.october_war import (
    air_asked,
    answers,
    battle_asked,
    fire_asked,
    move_asked,
    reach_asked,
    score,
    supply_text,
)
from assistant.games.october_war.battle_text import odds_answer
from assistant.games.october_war.spelling import in_any_case
from assistant.shared.asking import Question
from assistant.shared.folding import fitting

_ASKED = (
    ("air", air_asked.air_answer, "One air mission: what gets through, what it does", air_asked.NAMES),
    ("airmobile", move_asked.airmobile_answer, "Where a unit can fly, and its chances of landing", move_asked.AIRMOBILE),
    ("command", reach_asked.command_answer, "How far headquarters reach, and who is in command", reach_asked.COMMAND),
    ("fire", fire_asked.fire_answer, "One unit's fire: its column, shift by shift, and each throw", fire_asked.NAMES),
    ("mobilization", answers.mobilization_answer, "What the points buy, turn by turn", answers.MOBILIZATION),
    ("move", move_asked.move_answer, "Where a unit can go", move_asked.MOVE),
    ("odds", odds_answer, "A whole battle: who holds the point, what it costs", battle_asked.NAMES),
    ("refit", answers.refit_answer, "When refitted units come back", answers.REFIT),
    ("retreat", move_asked.retreat_answer, "Where units can retreat to", move_asked.RETREAT),
    ("score", score.score_answer, "Victory points, level of victory, sudden death", score.NAMES),
    ("supply", supply_text.supply_answer, "Lines of communication, command, missile umbrellas", supply_text.NAMES),
    ("umbrella", reach_asked.umbrella_answer, "What lies under missiles", reach_asked.UMBRELLA),
)
QUESTIONS: Mapping[str, Question] = {
    name: Question(fitting(in_any_case(answer)), about, names) for name, answer, about, names in _ASKED
}
"""The questions that the command line and the page ask."""
