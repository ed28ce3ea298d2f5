"""What the rules of October War decide."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.games.october_war import (
    air_asked,
    battle_asked,
    command,
    communication,
    fire_asked,
    moves,
    reinforcements,
    score,
)
from assistant.games.october_war.battle_text import odds_answer
from assistant.games.october_war.spelling import in_any_case
from assistant.questions import Question
from assistant.shared.asking import Question as Older
from assistant.shared.folding import fitting

_ASKED = (
    ("air", air_asked.air_answer, "One air mission: what gets through, what it does", air_asked.NAMES),
    ("fire", fire_asked.fire_answer, "One unit's fire: its column, shift by shift, and each throw", fire_asked.NAMES),
    ("odds", odds_answer, "A whole battle: who holds the point, what it costs", battle_asked.NAMES),
)
QUESTIONS: Mapping[str, Question | Older] = {
    **{name: Older(fitting(in_any_case(answer)), about, names) for name, answer, about, names in _ASKED},
    "airmobile": moves.AIRMOBILE,
    "command": command.COMMAND,
    "mobilization": reinforcements.MOBILIZATION,
    "move": moves.MOVE,
    "refit": reinforcements.REFIT,
    "retreat": moves.RETREAT,
    "score": score.SCORE,
    "supply": communication.SUPPLY,
    "umbrella": command.UMBRELLA,
}
"""The questions that the command line and the page ask."""
