"""Mistakes of pack authors that `modgen check` names: where, what is wrong, what would be right."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from modgen.cli import cli
from scenarios import shipped_games
from tests.asking import run_command
from tests.packs import break_pack, copy

SAMPLES = Path(__file__).parents[1] / "scenarios" / "samples"


def findings(*packs: str | Path) -> list[dict[str, Any]]:
    """What a check finds."""
    answer = json.loads(run_command(cli, "check", *map(str, packs), "--no-overlay", "--json").stdout)
    return [finding for game in answer["games"] for finding in game["findings"]]


GARRISON = 'units: {infantry_blue: 2}, markers: {dug_in: 2}, states: [dug_in], at: "0301"}'
CROWD = GARRISON.replace("2}, markers", "2, camels: 1}, markers").replace("0301", "0402")
RIDERS = "{camels: 2, gun: 1}"
KILLS = "per: unit, event: eliminated, who: {side: blue}"
MISTAKES: dict[str, tuple[str, list[tuple[str, str]], str, tuple[str, ...]]] = {
    "a result's effect that no record carries out": (
        "counters.yaml", [("{defender_steps: all}", "{defender_step: all}")], "defender_step: all",
        ("nothing carries out the effect 'defender_step' of the result 'DE'", "did you mean defender_steps")),
    "three units in a hex that holds two": (
        "map.yaml", [(GARRISON, CROWD), (RIDERS, "{camels: 1}")],
        '"0402"}', ("can't stand together in 0402: a hex holds two units (2.3)", "set fewer up there")),
    "a place where somebody survived": (
        "map.yaml", [(KILLS, 'per: once, event: survived, at: "0402", who: {side: red}')], '"0402", who',
        ("'survived' asks who is left", "leave out `at`")),
    "a section that RULES.md doesn't have": (
        "rules.yaml", [('camels need no water, rule: "6"', 'camels need no water, rule: "6.7"')], '"6.7"',
        ("RULES.md has no section 6.7", "add the section")),
    "points that no step costs": (
        "rules.yaml", [("rule: \"2\", cost: price}", "rule: \"2\", stop: true}"), ("when: over.track, cost: ", "when: over.track, harm: "),
                       ("when: wadi, add: ", "when: wadi, harm: ")], "- {text: an enemy unit is there, rule: \"2.2\"",
        ("no record gives a step a price", "add one with `cost`")),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_found_where_it_stands(tmp_path: Path, mistake: str) -> None:
    file, changes, snippet, message_parts = MISTAKES[mistake]
    pack = copy(tmp_path)
    text = (pack / file).read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    (pack / file).write_text(text, encoding="utf-8")
    pack_findings = findings(pack)
    assert len(pack_findings) == 1, pack_findings
    start = text.index(snippet)
    place = text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)
    assert (pack_findings[0]["path"], pack_findings[0]["line"], pack_findings[0]["column"]) == (
        str(pack / file),
        *place,
    )
    assert all(part in pack_findings[0]["message"] for part in message_parts), pack_findings[0]["message"]


def test_a_back_whose_state_loses_no_step_is_found_at_its_counter(tmp_path: Path) -> None:
    pack, _, _ = break_pack(tmp_path, "game.yaml", "short: RED, steps_lost: 1,", "short: RED,")
    pack_findings = findings(pack)
    assert len(pack_findings) == 1, pack_findings
    finding, counters = pack_findings[0], pack / "counters.yaml"
    line = counters.read_text(encoding="utf-8").splitlines()[finding["line"] - 1]
    assert finding["path"] == str(counters)
    assert line.strip().startswith("back: {state: reduced") and line[finding["column"] - 1 :].startswith("reduced")
    assert finding["message"].startswith("Infantry, a counter of 2 steps, has its back in the state reduced")
    assert "add `steps_lost: 1` to the state" in finding["message"]


def test_clean_packs_have_no_findings() -> None:
    samples = sorted(folder for folder in SAMPLES.iterdir() if folder.is_dir())
    assert len(samples) >= 5 and findings(*shipped_games(), *samples) == []


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        # A two-step counter without a back, a table's note of another kind, a lettered paragraph of a section that is there.
        ("counters.yaml", "    back: {state: reduced, factors: {attack: 2, defense: 2}}\n", ""),
        ("rules.yaml", 'camels need no water, rule: "6"', 'camels need no water, rule: "6a, 2.1, The chart"'),
        ("map.yaml", KILLS, "per: once, event: survived, who: {side: red}"),
    ],
)
def test_what_is_right_is_no_finding(tmp_path: Path, file: str, old: str, new: str) -> None:
    assert findings(break_pack(tmp_path, file, old, new)[0]) == []
