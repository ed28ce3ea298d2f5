"""What the assistant of Yom Kippur takes for its heaviest answers, in CPU time. Prints; asserts nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assistant.questions.answering import answer_question
from assistant.questions.registry import questions
from benchmarks.timing import took
from scenarios import load

PAIR = {"put": "nir_arm_bde_a@40.21,nir_arm_bde_b@40.21", "attackers": "nir_arm_bde_a,nir_arm_bde_b", "target": "39.21"}
TWELVE = [
    "nir_arm_bde_a", "nir_arm_bde_b", "erez_arm_bde_a", "erez_arm_bde_b", "rami_mech_bde_a", "engineer_bn_1",
    "karen_arm_bde_a", "karen_arm_bde_b", "gonen_arm_bde_a", "gonen_arm_bde_b", "rami_mech_bde_b", "matt_abn_bde_a",
]  # fmt: skip
DEFENDERS = "inf_2_4@32.21,inf_2_120@32.21"
STACKS = {
    "put": ",".join([*(f"{unit}@{'31.21' if number < 6 else '32.20'}" for number, unit in enumerate(TWELVE)), DEFENDERS]),
    "attackers": ",".join(TWELVE), "target": "32.21", "israeli_air": "2", "sam_zone_air": "2",
}  # fmt: skip
GUNS = {
    "attackers": "arty_bde_a,arty_bde_d",
    "target": "23.20",
    "israeli_air": "2",
    "sam_zone_air": "2",
    "what_if": "yes",
}
TABLES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "two units attack": ("odds", {"scenario": "4.5", **PAIR}),
    "the same with what_if": ("odds", {"scenario": "4.5", **PAIR, "what_if": "yes"}),
    "twelve units attack": ("odds", {"scenario": "4.1", **STACKS, "remove": "static_1"}),
    "a battle in words": (
        "odds",
        {"attackers": ",".join(TWELVE), "defenders": "inf_2_4,arm_15,engineer_1_9", "turn": "2"},
    ),
    "a barrage with what_if": ("barrage", {"scenario": "4.6", **GUNS}),
    "missiles and suppression": ("sam", {"scenario": "4.6", "hex": "24.20"}),
    "forecast of twelve turns": ("forecast", {"scenario": "4.1"}),
    "tank recovery in twelve turns": ("recovery", {"scenario": "4.5", "turns": "12"}),
    "tank replacement": ("replacement", {"scenario": "4.5", "mark": "arm_25+reduced,arm_15+reduced"}),
}
OTHER_QUESTIONS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "twelve units attack, with what_if": ("odds", {**TABLES["twelve units attack"][1], "what_if": "yes"}),
    "a move of two units": ("move", {"scenario": "4.5", "unit": "nir_arm_bde_a,nir_arm_bde_b"}),
    "a flight": ("move", {"scenario": "4.6", "put": "matt_abn_bde_a@20.05", "unit": "matt_abn_bde_a", "air": "yes"}),
    "all bridges": ("bridges", {"scenario": "4.1"}),
    "points": ("score", {"scenario": "4.5"}),
}


def figures() -> Iterator[str]:
    """Every figure with what was promised."""
    game = load("yom_kippur", with_config_overlays=False)

    def time_answer(question: str, options: Mapping[str, str]) -> float:
        return took(7, lambda: answer_question(questions(game)[question], game, options))

    for label, question_inputs in TABLES.items():
        yield f"Yom Kippur, {label}: {time_answer(*question_inputs):.1f} ms (promised 5)"
    for label, question_inputs in OTHER_QUESTIONS.items():
        yield f"Yom Kippur, {label}: {time_answer(*question_inputs):.1f} ms (promised 20)"
    for extra_inputs in ({}, {"taken": "46.16,33.20"}, {"zone": "yes"}):
        words = " ".join(["supply of 4.5", *(f"{key}={value}" for key, value in extra_inputs.items())])
        yield f"Yom Kippur, {words}: {time_answer('supply', {'scenario': '4.5', **extra_inputs}):.1f} ms (promised 30)"


if __name__ == "__main__":
    print("\n".join(figures()))
