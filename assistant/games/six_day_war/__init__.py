"""What the rules of Six Day War 1967 decide."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.games.six_day_war.after_answers import advance_answer, duties_answer, retreat_answer, stack_answer
from assistant.games.six_day_war.air_answers import air_answer, barrage_answer, strike_answer
from assistant.games.six_day_war.move_answer import move_answer
from assistant.games.six_day_war.odds_answer import odds_answer
from assistant.games.six_day_war.questions import PLACED
from assistant.games.six_day_war.turn_answers import (
    arrival_answer,
    event_answer,
    reserve_answer,
    score_answer,
    supply_answer,
)
from assistant.shared.asking import Answerer, Question
from assistant.shared.folding import fitting

BROKEN = {"disintegrated": "fronts whose Arabs have disintegrated, as in sinai,eastern"}
CONTROL = {"control": "who controls empty hexes, as in HEX:SIDE,HEX:SIDE"}


def _question(answer: Answerer, about: str, names: Mapping[str, str]) -> Question:
    return Question(fitting(answer), about, {**PLACED, **names})


QUESTIONS: Mapping[str, Question] = {
    "odds": _question(odds_answer, "an attack: percentage, tables, shifts, results spelled out; what if", {
        "attackers": "who attacks, as in UNIT,UNIT", "from": "or the hexes they stand in, with all who can attack there",
        "target": "the hex attacked, or several at once, as in HEX,HEX, or a unit there", "at": "the same as target",
        "defenders": "or who is attacked, as in UNIT,UNIT",
        "table": "mobile or assault, where only one is wanted",
        "enhanced": "an enhanced attack, for a reserve point (yes or no)",
        "airborne_surprise": "the first airborne assault of the front on a fortification (yes or no)", **BROKEN,
        "shock_and_enhanced": "on turn 1 shock and enhancement both shift, as we read it (yes or no)",
        "what_if": "also each change to the attack (yes or no)",
        "strengths": "instead of units: two bare strengths, as in 20:12", "shift": "their net shift, right if positive",
    }),
    "duties": _question(duties_answer, "who must attack, and which enemies must be attacked", {
        "side": "israeli or arab", "front": "sinai or eastern",
    }),
    "stacks": _question(stack_answer, "hexes with too many units for the end of a phase", {}),
    "retreat": _question(retreat_answer, "where a unit may retreat or panic to, and the chance that it dies of it", {
        "unit": "who, as in UNIT,UNIT", "hexes": "how far, or panic", **BROKEN,
    }),
    "advance": _question(advance_answer, "where a unit may advance after combat", {
        "unit": "who, as in UNIT,UNIT", "hexes": "how far at most",
    }),
    "move": _question(move_answer, "where a unit can go, by land or air, and with what chance", {
        "unit": "who moves", "to": "where to", "die": "what was thrown for its points",
        "forced": "a forced march, for a reserve point (yes or no)", "air": "an airborne move, for a reserve point (yes or no)",
        "transfer": "a reserve brigade changes fronts, for reserve points (yes or no)",
    }),
    "supply": _question(supply_answer, "lines of communication: Refit or deadpile, and what would cut most", {}),
    "score": _question(score_answer, "the points of both players and the level of victory", {
        **CONTROL, "spent": "reserve points spent, as in sinai:12,eastern:3",
        "air_defense": "Arab air defense left, as in sinai:0,eastern:2",
    }),
    "air": _question(air_answer, "air superiority and the fire that answers it", {
        "front": "sinai or eastern", "superiority": "airstrikes on air superiority", "special_forces": "special forces with them",
        "ground": "airstrikes on ground support", "level": "Arab air defense level, where it isn't the start's",
        "barrages": "Arab barrage markers available", "first": "what is taken off first: levels or barrages",
        "shock_turn": "it is the turn of Israeli shock (yes or no)",
        "what_if": "also for every other number of airstrikes (yes or no)",
    }),
    "strike": _question(strike_answer, "airstrikes on a hex", {
        "hex": "the hex", "airstrikes": "how many, 1 to 3", **BROKEN,
    }),
    "barrage": _question(barrage_answer, "an Arab barrage on a hex", {
        "hex": "the hex", "place": "on the city, town, kibbutz or airbase itself (yes or no)",
    }),
    "reserve": _question(reserve_answer, "reserve points: a plan, what each point buys, and where units arrive", {
        "plan": "what is bought, as in purchase_ground_unit:2,enhanced_attack:1", "spent": "points spent before",
        "events": "what events 4 and 5 took or gave, as in -3", "front": "sinai or eastern, for where units arrive",
        **CONTROL,
    }),
    "arrivals": _question(arrival_answer, "whom an event brings to the Arabs, and where they may be put", {
        "event": "the dice of the event: 3, 9 or 10; else all", "front": "sinai or eastern; else both", **CONTROL,
    }),
    "events": _question(event_answer, "the chance of each event, and of disintegration", {
        **CONTROL, "scores": "objectives less places lost on coming turns, as in 2:3,3:5",
    }),
}  # fmt: skip
"""The questions that can be asked: a game and options in, JSON and lines of text out."""
