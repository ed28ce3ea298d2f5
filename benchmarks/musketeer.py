"""What the assistant of Operation Musketeer takes for its heaviest answers, in CPU time. Prints; asserts nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assistant.questions.answering import answer_question
from assistant.questions.question import Question
from assistant.questions.registry import questions
from benchmarks.timing import took
from scenarios import load

COMBATS = {
    "2 on 2 in a city": {
        "attackers": "armd_25_britain,rep_1_france", "defenders": "div_1_egypt,garrison_egypt", "terrain": "city", "cas": "2",
    },
    "3 on 2 in the open": {
        "attackers": "bde_7_israel,bde_4_israel,bde_9_israel", "defenders": "div_1_egypt,bde_4_egypt", "cas": "2",
    },
    "4 on 3, 3 airstrikes": {
        "attackers": "armd_25_britain,gd_britain,para_16_britain,cdo_3_britain",
        "defenders": "div_1_egypt,bde_4_egypt,garrison_egypt", "terrain": "city", "cas": "3",
    },
}  # fmt: skip
START = {"scenario": "standard"}
POSITION = {"position": "docs/examples/sinai_1956.yaml"}
FULL = (
    "gol_israel@5508,bde_4_israel@5508,bde_7_israel@5508,bde_9_israel@5510,bde_10_israel@5510,bde_11_israel@5510,"
    "bde_12_israel@5709,bde_27_israel@5608,bde_37_israel@5808,abn_202_israel@4715,div_1_egypt@5509,div_2_egypt@4812,"
    "bde_4_egypt@5509,bde_5_egypt@4615,bde_6_egypt@5207,armd_1_egypt@4912,armd_2_egypt@4713,mff_1_egypt@5408"
)
EIGHT = "armd_25_britain,gd_britain,para_16_britain,cdo_3_britain/bde_19_britain,rep_1_france,rtr_6_britain,re_britain"
NINE = "tank_1_ussr,mech_1_ussr,mech_2_ussr/abn_108g_ussr,abn_119g_ussr,abn_234g_ussr/vol_ussr,kgb_ussr,gsfe_ussr"
THREE = {"defenders": "div_1_egypt,bde_4_egypt,garrison_egypt", "terrain": "city"}
ROUT = "bde_7_israel@5010,bde_4_israel@5010,armd_1_egypt@4910,armd_2_egypt@4910"
LATER = "2:anglo_french,2:israel,2:us,2:egypt,2:ussr,2:arab_league,2:mobilizes,2:suez,2:strac,2:revise"
QUESTION_CASES: dict[str, tuple[str, dict[str, Any]]] = {
    **{f"combat, {name}": ("odds", dict(options)) for name, options in COMBATS.items()},
    "combat, 8 on 3, 3 airstrikes": ("odds", {"attackers": EIGHT, **THREE, "cas": "3"}),
    "combat, 9 Soviets on 4, all support": ("odds", {
        "attackers": NINE, "defenders": "gd_britain,bde_19_britain,para_16_britain,armd_25_britain", "terrain": "city",
        "cas": "2", "attacker_special_forces": "yes",
    }),
    "combat, from a position": ("odds", {**POSITION, "hex": "5509", "from": "5508,5510", "cas": "1"}),
    "combat, from a full scenario": ("odds", {**START, "put": FULL, "hex": "5509", "from": "5508,5510", "cas": "2"}),
    "combat, with routs": ("odds", {**START, "put": ROUT, "hex": "4910", "from": "5010", "cas": "2"}),
    "combat, what if, 4 on 3": ("odds", {
        "attackers": EIGHT.partition("/")[0], **THREE, "cas": "2", "attacker_special_forces": "yes", "what_if": "yes",
    }),
    "combat, what if, from a position": (
        "odds", {**POSITION, "hex": "5509", "from": "5508,5510", "cas": "1", "what_if": "yes"},
    ),
    "air superiority, 7 on 60": (
        "air", {"attacker": "egypt:7", "defender": "anglo_french:60", "special_command": "yes"},
    ),
    "bombardment": ("air", {"units": "4*airstrike_us,gunfire_us", "hex": "port_said", **START}),
    "entry": ("entry", {"unit": "rep_1_france", **POSITION}),
    "forecast, 2 turns": ("forecast", {"index": "38", "turn": "3", "markers": "us", "turns": "2"}),
    "forecast, 7 turns": ("forecast", {"markers": f"1:musketeer,1:kadesh,{LATER}", "turns": "7"}),
    "event 9, a full Sinai": ("event", {"roll": "9", **START, "put": FULL}),
    "move": ("move", {"unit": "bde_7_israel", **POSITION}),
    "refits of 60 units": ("refit", {"nation": "egypt", "units": "60", "impulses": "60"}),
    "rout": ("retreat", {"unit": "armd_1_egypt", **POSITION}),
    "score": ("score", POSITION),
    "supply": ("supply", POSITION),
    "supply, a full Sinai": ("supply", {**START, "put": FULL}),
}  # fmt: skip


def figures() -> Iterator[str]:
    """Every figure with what was promised; the game was asked something before, but not this."""
    game = load("musketeer")
    game_questions = {name: candidate for name, candidate in questions(game).items() if isinstance(candidate, Question)}
    for name, (question, options) in QUESTION_CASES.items():
        limit_text = " (promised 5)" if question in ("odds", "air") else ""
        yield f"Musketeer, {name}: {took(5, lambda: answer_question(game_questions[question], game, options)):.1f} ms{limit_text}"  # noqa: B023


if __name__ == "__main__":
    print("\n".join(figures()))
