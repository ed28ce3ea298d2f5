"""The list of all that can be asked: verbs with their flags, questions with their inputs, attacks with theirs. None may disappear."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scenarios import load, shipped_games
from tests.net.adapter import input_names, verbs

FILE = Path(__file__).with_name("questions.json")

RENAMED_LINES: dict[str, str] = {
    "command line verb score --tell": "command line verb score --counts",
    "command line verb score spent": "command line verb score sinai_spent",
    "command line verb score air_defense": "command line verb score sinai_defense",
    "command line verb score --spent": "command line verb score --sinai-spent",
    "command line verb score --air-defense": "command line verb score --sinai-defense",
    "command line verb ask --spent": "command line verb ask --sinai-spent",
    "command line verb ask --air-defense": "command line verb ask --sinai-defense",
    "arab_israeli_wars ask odds words": "arab_israeli_wars ask odds attack",
    "october_war ask retreat point": "october_war ask retreat at", "october_war ask umbrella point": "october_war ask umbrella at",
    "yom_kippur ask move air": "yom_kippur ask move kind", "yom_kippur ask move phase": "yom_kippur ask move kind",
    "six_day_war ask move air": "six_day_war ask move kind",
    "six_day_war ask retreat disintegrated": "six_day_war ask retreat sinai_broken",
    "musketeer ask forecast committed": "musketeer ask forecast ussr", "musketeer ask forecast later": "musketeer ask forecast phase",
    "musketeer ask forecast used": "musketeer ask forecast markers", "musketeer ask forecast what_if": "musketeer ask forecast mark",
    "six_day_war ask forecast control": "six_day_war ask forecast put",
    "six_day_war ask reserve control": "six_day_war ask reserve put",
    "six_day_war ask reserve events": "six_day_war ask reserve more",
    "six_day_war ask reserve spent": "six_day_war ask reserve sinai_spent",
    "six_day_war ask score control": "six_day_war ask score put",
    "six_day_war ask score spent": "six_day_war ask score sinai_spent",
    "six_day_war ask score air_defense": "six_day_war ask score sinai_defense",
    "six_day_war ask forecast scores": "six_day_war ask forecast sinai_score",
    "october_war ask odds point": "october_war ask odds at",
    "october_war ask odds attacker_hq": "october_war ask odds attackers_led",
    "october_war ask odds defender_hq": "october_war ask odds defenders_led",
    "october_war ask odds surprise": "october_war ask odds attackers_surprise",
    "october_war ask odds tac": "october_war ask odds wing",
    "october_war ask odds weasels": "october_war ask odds wing",
    "october_war ask odds ssm": "october_war ask odds wing",
    "october_war ask odds sites_here": "october_war ask odds sites_near",
    "october_war ask odds barrage": "october_war ask odds guns",
    "october_war ask odds attacker_losses": "october_war ask odds attackers_losses",
    "october_war ask odds attacker_retreats": "october_war ask odds attackers_retreats",
    "october_war ask odds attacker_dodge": "october_war ask odds attackers_dodge",
    "october_war ask odds attacker_leave": "october_war ask odds attackers_leave",
    "october_war ask odds attacker_can_retreat": "october_war ask odds attackers_can_retreat",
    "october_war ask odds attacker_shift": "october_war ask odds attackers_shift",
    "october_war ask odds defender_losses": "october_war ask odds defenders_losses",
    "october_war ask odds defender_retreats": "october_war ask odds defenders_retreats",
    "october_war ask odds defender_dodge": "october_war ask odds defenders_dodge",
    "october_war ask odds defender_leave": "october_war ask odds defenders_leave",
    "october_war ask odds defender_can_retreat": "october_war ask odds defenders_can_retreat",
    "october_war ask odds defender_shift": "october_war ask odds defenders_shift",
}  # fmt: skip
"""What is called otherwise since the list was made, as in `yom_kippur ask stacks` to `yom_kippur ask stack`; both as `lines` has them."""


def today() -> dict[str, Any]:
    """All that can be asked now."""
    games = {}
    for name in shipped_games():
        game = load(name)
        attacks = {
            key: {
                *attack.inputs,
                *attack.groups,
                *(
                    f"{group}:{input_name}"
                    for group, group_shape in attack.groups.items()
                    for input_name in group_shape.inputs
                ),
            }
            for key, attack in game.attacks.items()
        }
        games[name] = {"ask": _sort_inputs(input_names(game)), "attack": _sort_inputs(attacks)}
    return {"command line": {"verb": _sort_inputs(verbs())}, **games}


def _sort_inputs(names_by_question: dict[str, set[str]]) -> dict[str, list[str]]:
    return {name: sorted(inputs) for name, inputs in names_by_question.items()}


def lines(questions_by_game: dict[str, Any]) -> Iterator[str]:
    """Each question, and each input of each, in a line of its own."""
    for game, questions_by_kind in questions_by_game.items():
        for kind, questions in questions_by_kind.items():
            for name, inputs in questions.items():
                yield f"{game} {kind} {name}"
                yield from (f"{game} {kind} {name} {key}" for key in inputs)


MOVED_PREFIXES = {
    "arab_israeli_wars verb": "arab_israeli_wars ask",
    "arab_israeli_wars ask attack": "arab_israeli_wars ask odds",
    "six_day_war ask duties": "six_day_war ask attacks",
    "six_day_war ask stacks": "six_day_war ask stack",
    "yom_kippur ask stacks": "yom_kippur ask stack",
    "musketeer ask escalation": "musketeer ask forecast",
    "six_day_war ask events": "six_day_war ask forecast",
    "yom_kippur ask cease_fire": "yom_kippur ask forecast",
    "yom_kippur ask reserve": "yom_kippur ask forecast",
}
"""Questions that are asked by another name, by the beginning of their lines: verbs with flags of their own are questions now."""


def recorded_lines() -> list[str]:
    """The list as it was made, under today's names."""
    kept_lines = []
    for line in lines(json.loads(FILE.read_text(encoding="utf-8"))):
        for old_prefix, new_prefix in MOVED_PREFIXES.items():
            line = new_prefix + line.removeprefix(old_prefix) if line.startswith(old_prefix) else line
        kept_lines.append(RENAMED_LINES.get(line, line))
    return kept_lines


def write() -> None:
    """Make the list anew."""
    parts = []
    for game, questions_by_kind in today().items():
        rows = [
            f"  {json.dumps(kind)}: {{\n"
            + ",\n".join(f"   {json.dumps(k)}: {json.dumps(v)}" for k, v in questions.items())
            + "\n  }"
            for kind, questions in questions_by_kind.items()
        ]
        parts.append(f" {json.dumps(game)}: {{\n" + ",\n".join(rows) + "\n }")
    FILE.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")
