"""What the rules of Yom Kippur decide."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.games.yom_kippur.barrage_answer import barrage_answer
from assistant.games.yom_kippur.bridges_answer import bridges_answer
from assistant.games.yom_kippur.move_text import move_answer
from assistant.games.yom_kippur.names import by_name
from assistant.games.yom_kippur.odds_answer import odds_answer
from assistant.games.yom_kippur.questions import PLACED
from assistant.games.yom_kippur.stacks_answer import stacks_answer
from assistant.games.yom_kippur.supply_text import supply_answer
from assistant.games.yom_kippur.turn import CEASE_FIRE, RECOVERY, REPLACEMENT, RESERVE, SAM, SCORE
from assistant.questions import Question as Typed
from assistant.shared.asking import Answerer, Question
from assistant.shared.folding import fitting

SIDE = {"side": "egyptian or israeli"}
AIR = {
    "target": "the hex that is attacked",
    "at": "the same",
    "israeli_air": "Israeli air units used",
    "egyptian_air": "Egyptian air units used",
    "sam_zone_air": "how many of the Israeli ones come from the SAM Zone Box",
    "terrain": "the terrain there, where it isn't the map's",
    "under_sam": "the hex is in range of an Egyptian SAM, where the map doesn't say (yes or no)",
    "under_hawk": "the hex is in range of the Hawk (yes or no)",
}


def _question(answer: Answerer, about: str, names: Mapping[str, str]) -> Question:
    return Question(fitting(by_name(answer)), about, {**PLACED, **names})


QUESTIONS: Mapping[str, Question | Typed] = {
    "odds": _question(odds_answer, "an attack: odds, results, losses, ways back; what if; the best plan", {
        "attackers": "who attacks, as in UNIT,UNIT; in words UNIT+STATE:across=suez_canal:bridged=yes", **AIR,
        "from": "or all who can attack from these hexes, as in HEX,HEX",
        "defenders": "in words, without a map: who is attacked, as in UNIT+STATE,UNIT",
        "road": "in words: tanks come along a road (yes or no)",
        "attacker_helper": "a headquarters or engineer helps the attack (yes or no)",
        "defender_helper": "a headquarters or engineer helps the defense (yes or no)",
        "overrun": "it is an overrun (yes or no)",
        "what_if": "also each change to the attack (yes or no)",
        "best": "share the attackers out among targets (yes or no)",
        "targets": "with best: the hexes that may be attacked, as in HEX,HEX", **SIDE,
        "aim": "with best: steps or hexes", "price": "with best: what a step of one's own counts, such as 1/2",
        "attack": "ground or barrage", "pre_game": "the barrage before turn 1 (yes or no)",
        "spotter": "with barrage: a friend is next to the target (yes or no)",
        "chemical": "with barrage: chemical shells, 4.3 (yes or no)",
        "allied_saggers": "the allies of Egypt have Saggers too, as we read 3.6 (yes or no)",
        "our_modifiers": "our shifts for spotting and terrain in a barrage (yes or no)",
    }),
    "barrage": _question(barrage_answer, "a barrage by guns and air units", {
        "attackers": "the guns, as in UNIT,UNIT; in words, without a target, UNIT+STATE:distance=3", **AIR, **SIDE,
        "spotter": "a friend is next to the target (yes or no)", "chemical": "chemical shells, 4.3 (yes or no)",
        "pre_game": "the barrage before turn 1 (yes or no)",
        "our_modifiers": "our shifts for spotting and terrain (yes or no)",
        "what_if": "also other guns, an air unit more, a spotter, the next column (yes or no)",
    }),
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
