"""What the rules of Yom Kippur decide."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.games.yom_kippur.barrage import BARRAGE
from assistant.games.yom_kippur.bridges_answer import bridges_answer
from assistant.games.yom_kippur.move_text import move_answer
from assistant.games.yom_kippur.names import by_name
from assistant.games.yom_kippur.odds import ODDS
from assistant.games.yom_kippur.questions import PLACED
from assistant.games.yom_kippur.stacks_answer import stacks_answer
from assistant.games.yom_kippur.supply_text import supply_answer
from assistant.games.yom_kippur.turn import CEASE_FIRE, RECOVERY, REPLACEMENT, RESERVE, SAM, SCORE
from assistant.questions import Question as Typed
from assistant.shared.asking import Answerer, Question
from assistant.shared.folding import fitting

SIDE = {"side": "egyptian or israeli"}
def _question(answer: Answerer, about: str, names: Mapping[str, str]) -> Question:
    return Question(fitting(by_name(answer)), about, {**PLACED, **names})


QUESTIONS: Mapping[str, Question | Typed] = {
    "odds": ODDS,
    "barrage": BARRAGE,
    "supply": _question(supply_answer, "who is in supply, by which path, what cuts it, what would cut most", {
        **SIDE, "zone": "the enemy who takes a hex brings a zone of control along (yes or no)",
        "taken": "what if: hexes that the enemy takes, as in HEX,HEX", "paths": "every hex of each path (yes or no)",
    }),
    "move": _question(move_answer, "where a unit or a stack can go, and at what price", {
        "unit": "who moves, as in UNIT,UNIT", "to": "where to", "phase": "movement or exploitation",
        "air": "by helicopter (yes or no)",
    }),
    "score": SCORE,
    "sam": SAM,
    "cease_fire": CEASE_FIRE,
    "recovery": RECOVERY,
    "replacement": REPLACEMENT,
    "reserve": RESERVE,
    "bridges": _question(bridges_answer, "bridges that lie, that could be built, and the PCB bridge", {
        "unit": "only these units, as in UNIT,UNIT", **SIDE, "phase": "movement or exploitation",
        "shifted": "engineers that gave a combat shift this turn, as in UNIT,UNIT",
    }),
    "stacks": _question(stacks_answer, "the stacks and their steps", {"hex": "one hex", **SIDE}),
}  # fmt: skip
"""The questions that can be asked: a game and options in, JSON and lines of text out."""
