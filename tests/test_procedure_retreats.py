"""Retreats walked inside a procedure of a stranger's game, and what goes wrong where places are declared."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import pytest

from assistant.questions.answering import answer_question
from assistant.questions.registry import questions
from assistant.questions.rendering import answer_json
from scenarios import PackError
from scenarios.model.game import Game
from tests.rule_keys import small

CHASE = """
zones: {zoc: {title: Zone, has: 'type == "infantry"'}}
retreat:
  back:
    length: 1
    harm: steps
    prefer: least_harm
    steps:
      - {text: the enemy is there, when: to.enemy, forbid: true}
      - {text: an enemy zone, when: to.zoc, harm: 1}
    no_path: {text: nowhere to go, lose: all}
results: {flee: [{text: one runs, to: defenders, count: 1, retreat: 1}]}
procedures:
  chase:
    title: A chase
    groups:
      hunters: {title: Hunters, stacks: true, read: {from: true, whose: own}}
      prey: {title: Prey, keep: units, read: {whose: enemy}}
    stages: [{text: a chase, fire: chase, of: hunters, at: prey, by: all}]
"""
ATTACK = """source: {mine: a test}
tables:
  flight:
    title: Flight
    dice: 1d6
    columns: {names: [result]}
    cells: {"1-3": R, "4-6": "-"}
    results: {R: {meaning: One runs., effects: {flee: "1"}}, "-": Nothing.}
attacks:
  chase: {title: A chase, table: flight, column: '"result"', attackers: firing, groups: {firing: {title: Hunters, strength: attack}}}
"""
HEXES = [f"{column:02}{row:02}" for column in range(1, 5) for row in range(1, 4)]


@pytest.fixture(name="wells", scope="module")
def _wells(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return small(tmp_path_factory.mktemp("wells"), CHASE.strip(), ATTACK)


def becomes(game: Game, put: str) -> dict[str, Fraction]:
    """What becomes of the one who is chased from 0202."""
    inputs = {"at": "0202", "from": "0102", "side": "red", "scenario": "none", "put": put}
    answer = answer_json(answer_question(questions(game)["chase"], game, inputs))
    (prey,) = next(group for group in answer["forces"] if group["group"] == "prey")["outcomes"]
    return {word: Fraction(chance) for word, chance in prey["becomes"].items()}


@pytest.mark.parametrize("seed", range(12))
def test_a_retreat_in_a_chain_is_the_retreat_of_the_unit(wells: Game, seed: int) -> None:
    """Half of the dice make it run, and then it is as the question `retreat` says of it alone."""
    rng = random.Random(seed)
    others = rng.sample([hex for hex in HEXES if hex not in ("0202", "0102")], rng.randint(0, 5))
    reds = [f"infantry_red/{11 + i}@{hex}" for i, hex in enumerate(["0102", *others][:3])]
    reds += [f"cars/{14 + i}@{hex}" for i, hex in enumerate(others[2:4])]
    put = ",".join(["infantry_blue/21@0202", *reds])
    inputs = {"unit": "infantry_blue/21", "scenario": "none", "put": put}
    (alone,) = answer_json(answer_question(questions(wells)["retreat"], wells, inputs))["units"]
    chances = becomes(wells, put)
    assert sum(chances.values()) == 1
    assert chances.get("eliminated", 0) == Fraction(alone["eliminated"]) / 2
    left = sum(chance for word, chance in chances.items() if word.endswith("left"))
    assert left == (1 - Fraction(alone["eliminated"])) / 2
    assert left - chances.get("left", 0) == Fraction(alone.get("reduced", 0)) / 2


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "read: {from: true, whose: own}",
            "read: {from: true, zone: zoc}",
            "`from` goes with neither `zone` nor `with`",
        ),
        ("read: {whose: enemy}", "read: {whose: enemy, same: nation}", "only the units of a support are compared"),
        ("prey: {title: Prey", "prey: {supports: hunters, title: Prey", ""),
        ("read: {whose: enemy}}", "read: {whose: enemy}, barred: [{text: no, when: to.hil}]}", "hil"),
        (
            "    stages:",
            "    inputs: {wide: {title: From two sides, read: angle}}\n    stages:",
            "`read: angle` and `degrees` go together; add `degrees: 120`",
        ),
        (
            "    stages:",
            "    inputs: {wide: {title: From two sides, read: angle, degrees: 300}}\n    stages:",
            "300 isn't an angle from 60 to 180",
        ),
        (
            "    stages:",
            "    inputs: {wide: {title: From two sides, degrees: 120}}\n    stages:",
            "`read: angle` and `degrees` go together; add `read: angle`",
        ),
    ],
)
def test_mistakes_with_places(old: str, new: str, message: str, tmp_path: Path) -> None:
    text = CHASE.strip().replace(old, new)
    assert text != CHASE.strip()
    if not message:
        assert small(tmp_path, text, ATTACK)
        return
    with pytest.raises(PackError) as error:
        small(tmp_path, text, ATTACK)
    assert message in str(error.value)


def test_questions_with_places_that_do_not_fit(wells: Game) -> None:
    question = questions(wells)["chase"]
    put = "infantry_blue/21@0202,infantry_red/11@0102"
    for inputs, message in (
        ({"at": "0202"}, "say where the units come from: from=PLACE,PLACE; next to 0202 they stand in 0102"),
        ({"at": "0202", "from": "0301"}, "no unit that may take part stands in 0301"),
        ({"from": "0102"}, "say at=PLACE"),
        ({"at": "0202", "from": "0102,0102"}, "a place is named twice with `from`"),
        ({"at": "0202", "from": "0102", "hunters": "infantry_red;cars"}, "hunters names 2 stacks"),
    ):
        with pytest.raises(ValueError) as error:
            answer_question(question, wells, {"side": "red", "scenario": "none", "put": put, **inputs})
        assert message in str(error.value)
