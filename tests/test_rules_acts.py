"""What may be done on the way of a move: each clause of `acts`, and a planned path, by a small pack worked out by hand."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from assistant.questions.answer import Refusal
from assistant.questions.answering import answer_question
from assistant.questions.registry import questions
from assistant.questions.rendering import answer_json
from scenarios import PackError, load
from scenarios.model.game import Game

# Along the top the road 0101 to 0401, below it clear ground; the lake is 0302.
PACK = """
source: {mine: a test}
game: {id: small, title: Small, release: 2026-11-16}
sides: {red: Red, blue: Blue}
nations:
  red: {name: Red, side: red, colors: {fill: "#ffffff", ink: "#000000"}}
  blue: {name: Blue, side: blue, colors: {fill: "#ffffff", ink: "#000000"}}
states: {loaded: Loaded, tired: Tired}
terrain:
  clear: {name: Clear, mark: ".", color: "#ffffff"}
  lake: {name: Lake, mark: "l", color: "#0000ff"}
paths: {road: Road}
factors: {movement: {name: Movement, kind: number}}
classes: {foot: Foot, truck: Truck}
counters:
  squad: {name: Squad, nation: red, class: foot, count: 6, factors: {movement: 3}}
  lorry: {name: Lorry, nation: red, class: truck, count: 2, factors: {movement: 6}}
  enemy: {name: Enemy, nation: blue, class: foot, count: 2, factors: {movement: 3}}
markers: {mine: {name: Mine, count: 4}}
boards:
  plain:
    name: Plain
    grid: {columns: 4, rows: 3, numbering: {scheme: xxyy}}
    terrain: |
      #  1234
      01 . .
      01  . .
      02 . l
      02  . .
      03 . .
      03  . .
    paths: [{kind: road, hexes: ["0101", "0201", "0301", "0401"]}]
maps: {main: {name: Plain, arrangement: {boards: [[plain]]}}}
rules:
  inputs: {trailer: {title: It tows a trailer}}
  stacking: [{text: a hex holds two units, rule: "1", that: 'count(stack, not loaded) <= 2'}]
  aboard: loaded
  carry:
    - {text: only lorries carry, rule: "2", that: class == "truck"}
    - {text: two at most, rule: "2.1", that: count(load) <= 2}
  movement:
    march:
      rule: "3"
      cites: {step: "3.1", points: "3.2"}
      allowance: [{text: its movement, set: movement}]
      modes: {road: over.road, country: "true"}
      steps:
        - {text: nobody swims, rule: "4", when: to.lake, forbid: true}
        - {text: the enemy is there, rule: "4.1", when: to.enemy, forbid: true}
        - {text: the hex is full, rule: "4.2", when: not to.room, forbid: true}
        - {text: the ground, rule: "5", cost: 1}
        - {text: a trailer, rule: "5.1", when: input.trailer, add: 1}
        - {text: a road, rule: "6", when: mode == "road", cost: 1/2}
    flight: {like: march, title: Flight}
  acts:
    dig: {title: Digging in, rule: "7", where: here, steps: [{text: two points, rule: "7.1", cost: 2}]}
    storm:
      title: Storming
      rule: "8"
      of: [march]
      without: [road]
      ends: true
      steps:
        - {text: nobody is there, rule: "8.1", when: not to.enemy, forbid: true}
        - {text: one point, rule: "8.2", cost: 1}
    lay:
      title: Laying a mine
      rule: "9"
      where: into
      does: leaves a mine
      steps:
        - {text: from the start of the move, rule: "9.1", when: not first, forbid: true}
        - {text: all points, rule: "9.2", cost: movement}
    load:
      title: Loading
      rule: "10"
      where: near
      cargo: load
      steps:
        - {text: a tired squad stays, rule: "10.1", when: 'any(load, tired)', forbid: true}
        - {text: loading, rule: "10.2", cost: count(load) + distance}
    unload: {title: Unloading, rule: "11", where: near, cargo: unload, marks: [tired], steps: [{text: unloading, rule: "11.1", cost: 1}]}
    hitch: {title: Hitching up, rule: "12", where: here, sets: {trailer: true}, steps: [{text: a point, rule: "12.1", cost: 1}]}
    fish:
      title: Fishing
      rule: "13"
      where: here
      beside: [{text: no lake is next to it, rule: "13.1", that: to.lake}]
      steps: [{text: free, rule: "13.2", cost: 0}]
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    folder: Path = tmp_path_factory.mktemp("acts")
    (folder / "game.yaml").write_text(PACK, encoding="utf-8")
    return load(folder)


def ask_move(game: Game, put: str, unit: str, path: str, **extra_inputs: str) -> Any:
    inputs = {"put": put, "unit": unit, "path": path, **extra_inputs}
    return answer_json(
        answer_question(questions(game)["move"], game, {name: value for name, value in inputs.items() if value})
    )


def costs(game: Game, put: str, unit: str, path: str, **extra_inputs: str) -> list[Fraction]:
    return [Fraction(str(step["cost"])) for step in ask_move(game, put, unit, path, **extra_inputs)["steps"]]


def rule_against(game: Game, put: str, unit: str, path: str, **extra_inputs: str) -> str:
    """The rule by which a path is refused."""
    with pytest.raises(Refusal) as refusal:
        ask_move(game, put, unit, path, **extra_inputs)
    return refusal.value.rule


def test_a_path_is_paid_step_by_step(game: Game) -> None:
    """By road half a point (6), else one (5); what a place apart, too far, full or taken says."""
    move = ask_move(game, "squad@0101", "squad", "0201,0202")
    assert [step["cost"] for step in move["steps"]] == ["1/2", 1] and move["cost"] == "3/2" and move["left"] == "3/2"
    assert move["path"] == ["0101", "0201", "0202"]
    assert rule_against(game, "squad@0101", "squad", "0301") == "3.1"
    assert rule_against(game, "squad@0103", "squad", "0102,0101,0102,0103") == "3.2"
    assert rule_against(game, "squad@0201", "squad", "0302") == "4"
    assert rule_against(game, "squad@0101,enemy@0102", "squad", "0102") == "4.1"
    assert rule_against(game, "lorry@0101,squad/1@0102,squad/2@0102", "lorry", "0102") == "1", (
        "the demand says more than `room`"
    )


def test_an_act_in_its_own_place(game: Game) -> None:
    assert costs(game, "squad@0101", "squad", "0201,dig") == [Fraction(1, 2), 2]
    assert rule_against(game, "squad@0101", "squad", "dig@0201") == "7"
    assert rule_against(game, "squad@0101", "squad", "0102,0103,dig") == "7.1", "two points, and one is left"


def test_an_act_that_ends_the_move_and_rules_out_a_mode(game: Game) -> None:
    """Storming (8): next to it, not by road, and nothing after it; on marches only."""
    pieces = "squad@0101,enemy@0301"
    assert costs(game, pieces, "squad", "0201,storm@0301") == [1, 1], "the road isn't used"
    assert rule_against(game, pieces, "squad", "0201,storm@0202") == "8.1"
    assert rule_against(game, pieces, "squad", "storm@0301", kind="flight") == "8"
    with pytest.raises(Exception, match="the move ends in 0201: storm"):
        ask_move(game, pieces, "squad", "0201,storm@0301,0202")
    reach = answer_json(answer_question(questions(game)["move"], game, {"put": pieces, "unit": "squad"}))
    assert {(act["act"], act["place"], str(act["left"])) for act in reach["acts"] if act["act"] == "storm"} == {
        ("storm", "0301", "1")
    }


def test_an_act_that_moves(game: Game) -> None:
    """A mine (9) is laid by going off, for all points, from the start."""
    move = ask_move(game, "squad@0101", "squad", "lay@0102")
    assert move["path"] == ["0101", "0102"] and move["steps"][0]["note"] == "leaves a mine" and move["left"] == 0
    assert rule_against(game, "squad@0101", "squad", "0201,lay@0202") == "9.1"
    assert rule_against(game, "squad@0201", "squad", "lay@0302") == "4", "the step has to be allowed"


def test_loading_and_unloading(game: Game) -> None:
    """A point for each squad and one for each hex off (10.2); two at most (2.1); who is put down is tired and stays (10.1)."""
    pieces = "lorry@0101,squad/1@0101,squad/2@0102,squad/3@0102"
    assert costs(game, pieces, "lorry", "load:squad,0201,unload") == [1, Fraction(1, 2), 1]
    assert costs(game, pieces, "lorry", "load:squad+squad@0102") == [3]
    assert ask_move(game, pieces, "lorry", "load:squad")["passengers"] == ["squad/1"]
    assert rule_against(game, pieces, "lorry", "load:squad,load:squad+squad@0102") == "2.1"
    assert rule_against(game, pieces, "lorry", "load:squad+squad") == "10", "only one is there"
    assert rule_against(game, pieces, "squad/1", "load:lorry") == "2"
    assert rule_against(game, pieces, "lorry", "unload") == "11"
    assert rule_against(game, pieces, "lorry", "load:squad,unload,load:squad") == "10.1"
    assert (
        rule_against(game, "lorry@0101,squad/1@0101,squad/4@0201,squad/5@0201", "lorry", "load:squad,unload@0201")
        == "1"
    )


def test_who_is_aboard_already(game: Game) -> None:
    """A loaded unit is with the carrier before it in its hex."""
    assert ask_move(game, "lorry@0101,squad+loaded@0101", "lorry", "0201")["passengers"] == ["squad/1"]
    assert costs(game, "lorry@0101,squad+loaded@0101", "lorry", "0201,unload") == [Fraction(1, 2), 1]


def test_an_act_that_tells_something(game: Game) -> None:
    """Hitched up (12), each step off the road costs one more (5.1)."""
    assert costs(game, "squad@0103", "squad", "hitch,0102") == [1, 2]
    assert rule_against(game, "squad@0103", "squad", "hitch,0102,0103") == "3.2"


def test_what_has_to_be_next_to_it(game: Game) -> None:
    assert costs(game, "squad@0301", "squad", "fish") == [0]
    assert rule_against(game, "squad@0101", "squad", "fish") == "13.1"


def wrong(tmp_path: Path, old: str, new: str) -> str:
    assert old in PACK
    (tmp_path / "game.yaml").write_text(PACK.replace(old, new), encoding="utf-8")
    with pytest.raises(PackError) as error:
        load(tmp_path)
    return str(error.value)


def mistakes() -> Iterator[tuple[str, str, str]]:
    yield "without: [road]", "without: [raod]", "there is no mode of a move 'raod'; did you mean road?"
    yield "sets: {trailer: true}", "sets: {trailor: true}", "there is no input 'trailor' to set"
    yield "sets: {trailer: true}", "sets: {trailer: maybe}", "trailer is true or false, not 'maybe'"
    yield "marks: [tired]", "marks: [tied]", "state 'tied'"
    yield "aboard: loaded", "aboard: loade", "state 'loade'"
    yield "where: here, steps", "where: there, steps", "there"
    yield "that: to.lake}]", "that: to.lakes}]", "lakes"
    yield (
        '{text: two points, rule: "7.1", cost: 2}',
        '{text: two points, rule: "7.1", cost: count(load)}',
        "acts with `cargo`",
    )
    yield "of: [march]", "of: [marsh]", "marsh"


@pytest.mark.parametrize(("old", "new", "message"), list(mistakes()))
def test_mistakes_are_found(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert message in wrong(tmp_path, old, new)
