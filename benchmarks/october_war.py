"""What the assistant of October War takes for its heaviest answers, in CPU time. Prints; asserts nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assistant.questions.answering import answer_question
from assistant.questions.registry import questions
from assistant.questions.rendering import answer_json
from benchmarks.timing import took
from scenarios import load

FARM = {"position": "docs/examples/chinese_farm.yaml", "point": "chinese_farm"}
START = {"scenario": "standard"}
ANSWERS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "one fire": ("fire", {"strength": "25", "shift": "-1"}),
    "one fire in a position": ("fire", {"unit": "armor_brigade_14", **FARM}),
    "one on one": ("odds", {"attackers": "armor_battalion", "defenders": "mech_brigade_egypt", "terrain": "town"}),
    "two on two, air attack and barrage first": ("odds", {
        "attackers": "armor_battalion,hq_143", "defenders": "armored_brigade_egypt,hq_2a", "terrain": "city",
        "tac": "7", "sites": "4", "barrage": "yes",
    }),
    "one on one, what if": ("odds", {
        "attackers": "armor_battalion", "defenders": "armored_brigade_egypt", "what_if": "yes",
    }),
    "a brigade on a division": ("odds", {"attackers": "armor_brigade", "defenders": "armored_division_egypt"}),
    "air superiority": ("air", {"mission": "superiority", "israel": "20", "syria": "8", "weasels": "2", "ew": "yes"}),
    "air ground attack": ("air", {"mission": "ground", "tac": "7", "sites": "6"}),
    "a parachute drop": ("airmobile", {"unit": "paratroop_battalion_202", "from": "israeli_reserve", "drop": "yes", **START}),
    "a refit of sixty": ("refit", {"unit": "armor_battalion", "units": "60", "turns": "5"}),
    "a move": ("move", {"unit": "armor_battalion", "from": "israeli_reserve", **START}),
    "a retreat": ("retreat", {"side": "israeli", **FARM}),
    "the score": ("score", {"position": FARM["position"], "israeli": "31", "egyptian": "28", "syrian": "22"}),
}  # fmt: skip
SUPPLY: Mapping[str, Mapping[str, str]] = {"a position": {"position": FARM["position"]}, "the start": START}
BATTLES: Mapping[str, Mapping[str, str]] = {
    "three on two of a position": {"side": "israeli", **FARM},
    "five on five": {
        "attackers": "armored_division_egypt,armored_brigade_egypt,hq_2a,antitank_regiment_egypt,engineer_egypt",
        "defenders": "armor_brigade,mech_brigade,armor_battalion,hq_143,recon_battalion",
    },
    "full points on both sides": {
        "attackers": "3*armor_brigade,hq_143,engineer_battalion,recon_battalion", "terrain": "city",
        "defenders": "armored_division_egypt,armored_brigade_egypt,hq_2a,antitank_regiment_egypt,engineer_egypt,"
        "mobile_sam_egypt",
    },
    "five on five, what if": {
        "attackers": "armored_division_egypt,armored_brigade_egypt,hq_2a,antitank_regiment_egypt,engineer_egypt",
        "defenders": "armor_brigade,mech_brigade,armor_battalion,hq_143,recon_battalion", "what_if": "yes",
    },
}  # fmt: skip


def figures() -> Iterator[str]:
    """Every figure with what was promised."""
    war = load("october_war")
    war_questions = questions(war)

    def time_question(question: str, options: Mapping[str, str]) -> float:
        return took(5, lambda: answer_json(answer_question(war_questions[question], war, options)))

    for name, (question, options) in ANSWERS.items():
        yield f"October War, {name}: {time_question(question, options):.1f} ms (promised 20)"
    for name, options in SUPPLY.items():
        yield f"October War, supply of {name}: {time_question('supply', options):.1f} ms (promised 20)"
    for name, options in BATTLES.items():
        yield f"October War, a battle of {name}: {time_question('odds', options):.1f} ms (promised 1,000)"


if __name__ == "__main__":
    print("\n".join(figures()))
