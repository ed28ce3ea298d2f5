"""Two clauses on a small map: inputs of an attack that are read by the rules, and units that are set up by area."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from assistant.questions.answering import answer_question
from assistant.questions.registry import questions
from assistant.questions.rendering import as_lines
from scenarios import check, load
from scenarios.model.game import Game
from tests.asking import ask_game
from tests.test_rules_walk import PACK

MAP = """
boards:
  b:
    name: B
    grid: {columns: 7, rows: 3, numbering: {scheme: xxyy}}
    hexes: {"0102": woods, "0303": lake, "0301": lake}
    hexsides: {river: [0402/0502]}
maps:
  m: {name: M, arrangement: {boards: b}}
"""
ATTACK = """
tables:
  crt: {title: CRT, dice: 1d6, columns: {odds: ["1-1", "2-1"]}, cells: {1-6: [X, X]}, results: {X: {meaning: gone}}}
attacks:
  battle:
    title: Battle
    table: crt
    defenders: defenders
    groups:
      attackers: {title: Attackers, strength: "2", inputs: {wet: {title: Over the river, by_rules: over.river}}}
      defenders: {title: Defenders, strength: "2"}
    inputs:
      light: {title: All of them are light, by_rules: not heavy}
      ground: {title: The ground they come from, kind: text, choices: [terrain], default: clear, by_rules: from.terrain}
      guns: {title: Guns, kind: number, default: "0", by_rules: 'if(side == "red", 3, 1)'}
    modifiers:
      - {text: over the river, to: attackers, when: wet, multiply: 1/2}
      - {text: light, when: light, shift: 1}
    requires: [{text: not out of the woods, that: ground != "woods"}, {text: with three guns, that: guns == 3}]
rules:
  values: {dry: not to.lake}
  allowed_places: [{text: nobody swims, rule: "2", that: dry}]
"""
PLACING = """
  stacking: [{text: two to a hex, that: count(stack) <= 2}]
  zones: {zoc: {has: heavy}}
  auto_set_up:
    text: any hex of the area
    order: [to.woods]
    near: {places: to.east_edge, over: dry}
scenarios:
  start:
    title: Start
    map: m
    forces:
      red: {groups: [{id: all, units: {light_red: 4}, at: {hexes: HOME}}, {id: far, units: {heavy_one_red: 1}, at: "0702"}]}
      blue: {groups: [{id: one, units: {light_blue: 1}, at: "0302"}]}
"""


HOME = [f"0{column}0{row}" for column in (1, 2, 3) for row in (1, 2, 3)]
NORTH = [f"0{column}01" for column in range(1, 8)]


def write_game(folder: Path, text: str) -> Game:
    for name, hexes in (("HOME", HOME), ("NORTH", NORTH)):
        text = text.replace(name, "[" + ", ".join(f'"{hex}"' for hex in hexes) + "]")
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    assert not check(folder), check(folder)
    return load(folder)


def test_an_attack_is_told_what_the_rules_say(tmp_path: Path) -> None:
    game = write_game(tmp_path, PACK + MAP + ATTACK)
    pair = "light_red/1@0402,heavy_one_red/1@0501,light_blue/1@0502"
    joint_attack = ask_game(game, "odds", at="0502", put=pair)
    assert (
        joint_attack["inputs"]["light"] is False
        and joint_attack["inputs"]["ground"] == "clear"
        and joint_attack["inputs"]["guns"] == 3
    )
    assert sorted(unit["value"] for unit in joint_attack["units"] if unit["group"] == "attackers") == [1, 2], (
        "one of them crosses the river"
    )
    lone_attack = ask_game(game, "odds", at="0502", from_="0402", put=pair)
    assert lone_attack["inputs"]["light"] is True and lone_attack["shift"] == 1 and not lone_attack["refused"]
    assert ask_game(game, "odds", at="0502", from_="0402", put=pair, light="no")["shift"] == 0, "what is told wins"
    blue = ask_game(game, "odds", at="0402", side="blue", put="light_red/1@0402,light_blue/1@0502")
    assert [failure["text"] for failure in blue["refused"]] == ["with three guns"]
    woods = ask_game(game, "odds", at="0202", put="light_red/1@0102,light_blue/1@0202")
    assert [failure["text"] for failure in woods["refused"]] == ["not out of the woods"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("by_rules: not heavy", "by_rules: to.swamp", "swamp"),
        ("by_rules: from.terrain", "by_rules: not heavy", "gives a flag"),
        (ATTACK[ATTACK.index("\nrules:") :], "\n", "the pack has no `rules` to ask"),
    ],
)  # fmt: skip
def test_what_the_rules_cannot_say(tmp_path: Path, old: str, new: str, message: str) -> None:
    (tmp_path / "game.yaml").write_text((PACK + MAP + ATTACK).replace(old, new), encoding="utf-8")
    findings = [str(finding) for finding in check(tmp_path)]
    assert any(message in line and "game.yaml:" in line for line in findings), findings


def test_units_set_up_by_area(tmp_path: Path) -> None:
    game = write_game(tmp_path, PACK + MAP + ATTACK + PLACING)
    stacks = ask_game(game, "stack", scenario="start")["stacks"]
    red = [stack for stack in stacks if stack["side"] == "red" and len(stack["units"]) == 2]
    assert {stack["place"] for stack in red} <= {"0201", "0202", "0203"}, (
        "no lakes, not with Blue in 0302, nearest to the edge"
    )
    assert len(red) == 2 and all(stack["may"] for stack in red)
    woods = write_game(
        tmp_path, PACK + MAP.replace('"0102": woods', '"0201": woods, "0202": woods, "0203": woods') + ATTACK + PLACING
    )
    homes = [
        stack["place"] for stack in ask_game(woods, "stack", scenario="start")["stacks"] if len(stack["units"]) == 2
    ]
    assert homes and all(place.startswith("01") for place in homes), "woods come last"


def test_one_to_a_hex_if_that_is_best(tmp_path: Path) -> None:
    best = PLACING.replace("    near:", "    best: [count(to.friends)]\n    near:")
    game = write_game(tmp_path, PACK + MAP + ATTACK + best)
    assert not [stack for stack in ask_game(game, "stack", scenario="start")["stacks"] if len(stack["units"]) > 1]


def test_evenly_over_the_area(tmp_path: Path) -> None:
    spread = (
        PLACING.replace("order: [to.woods]", "spread: 4")
        .replace("HOME", "NORTH")
        .replace("(stack) <= 2", "(stack) <= 1")
    )
    game = write_game(tmp_path, PACK + MAP.replace(', "0301": lake', "") + ATTACK + spread)
    stacks = [ask_game(game, "stack", scenario="start", at=f"0{column}01")["stacks"] for column in range(1, 8)]
    columns = [column for column, stack in enumerate(stacks, 1) if stack and stack[0]["side"] == "red"]
    assert len(columns) == 4 and max(b - a for a, b in pairwise(columns)) <= 2


def test_a_fort_first_and_what_is_told(tmp_path: Path) -> None:
    woods = "    first: [{when: not heavy, that: to.woods and not to.friend}]\n"
    first = PLACING.replace("    near:", f"{woods}    near:")
    game = write_game(tmp_path, PACK + MAP + ATTACK + first)
    assert ask_game(game, "stack", scenario="start", at="0102")["stacks"][0]["units"] == ["light_red/1"]
    result = ask_game(game, "stack", scenario="start", at="0102", put="light_red/1@0601")
    assert not result["stacks"], "who is put elsewhere isn't there"
    assert not any(
        stack["side"] == "red" and stack["place"] != "0702"
        for stack in ask_game(game, "stack", scenario="none")["stacks"]
    )
    lines = list(as_lines(answer_question(questions(game)["odds"], game, {"at": "0302", "scenario": "start"})))
    assert "any hex of the area; of these fight here: Light" in " ".join(lines[0:2]), (
        "the text of `auto_set_up`, and whose place it is"
    )


def test_what_only_points_ask_is_told_to_score(tmp_path: Path) -> None:
    attack_rules = ATTACK.replace(
        "rules:\n", "rules:\n  inputs: {raids: {title: Raids that Red has made, kind: number}}\n", 1
    )
    line = "    victory: [{side: red, points: 2, per: other, event: other, times: input.raids, text: Each raid.}]\n"
    game = write_game(tmp_path, PACK + MAP + attack_rules + PLACING + line)
    assert ask_game(game, "score", scenario="start", raids="3")["totals"] == {"red": 6, "blue": 0}
    assert ask_game(game, "score", scenario="start")["totals"] == {"red": 0, "blue": 0}
    assert "raids" in questions(game)["score"].names and "raids" not in questions(game)["stack"].names


def test_what_a_column_further_right_takes(tmp_path: Path) -> None:
    """2 against 2 is 1-1: two points more make it 2-1. At the last column there is none."""
    game = write_game(tmp_path, PACK + MAP + ATTACK)
    odds = ask_game(game, "odds", at="0502", put="heavy_one_red/1@0501,light_blue/1@0502", what_if="yes")
    assert (odds["start"], odds["next_column"]) == ("1-1", 2)
    two = ask_game(
        game, "odds", at="0502", put="heavy_one_red/1@0501,heavy_one_red/2@0501,light_blue/1@0502", what_if="yes"
    )
    assert two["start"] == "2-1" and two.get("next_column") is None


def test_who_crosses_a_river_into_both_places(tmp_path: Path) -> None:
    """`read: hexside` of a battle: every attacker has to cross it into every place attacked that is next to him."""
    ford = "ford: {title: All cross, read: hexside, hexsides: [river]}"
    river = ATTACK.replace("inputs:\n      light:", f"inputs:\n      {ford}\n      light:")
    game = write_game(tmp_path, PACK + MAP + river)
    inputs = {"from_": "0402", "put": "light_red/1@0402,light_blue/1@0502,light_blue/2@0503"}
    assert ask_game(game, "odds", at="0502", **inputs)["inputs"]["ford"] is True
    assert ask_game(game, "odds", at="0502,0503", **inputs)["inputs"]["ford"] is False
