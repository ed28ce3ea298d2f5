"""Throws with a seed and a log, scenario cards, and the list of questions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.dice import ROLL, throws
from assistant.questions.answering import answer_question
from assistant.questions.rendering import answer_json
from scenarios import load, shipped_games
from scenarios.model.dice import dice
from scenarios.model.game import Game
from tests.asking import run_assistant

GAME = load("scenarios/samples/two_wells")


def roll(game: Game, dice_text: str, **inputs: Any) -> dict[str, Any]:
    return answer_json(answer_question(ROLL, game, {"what": dice_text, **inputs}))


@given(st.integers(1 - 10**12, 10**12 - 1), st.sampled_from(["1d6", "2d6", "1d10", "d6"]))
def test_a_seed_gives_the_same_throws(seed: int, dice_text: str) -> None:
    first = [throw["total"] for throw in roll(GAME, dice_text, seed=seed, times=20)["rolls"]]
    assert first == [throw["total"] for throw in roll(GAME, dice_text, seed=seed, times=20)["rolls"]]
    assert set(first) <= set(dice(dice_text))
    later = throws(dice_text, seed, skip=5)
    assert first[5:8] == [sum(next(later)) for _ in range(3)]


def test_throws_are_fair_enough() -> None:
    """Within five standard deviations of what they should be, for a seed that always gives the same."""
    dice_rolls = throws("1d6", 1)
    tally = dict.fromkeys(range(1, 7), 0)
    for _ in range(6000):
        tally[next(dice_rolls)[0]] += 1
    assert all(abs(count - 1000) < 5 * (6000 * 5 / 36) ** 0.5 for count in tally.values())


def test_a_throw_on_a_table_reads_its_row() -> None:
    for game_id in shipped_games():
        game = load(game_id)
        for key, table in game.tables.items():
            if not table.dice:
                continue
            label = table.columns.labels[-1]
            answer = roll(game, key, seed=3, times=4, column=label, die=1)
            for throw in answer["rolls"]:
                assert throw["total"] == sum(throw["dice"]) + 1
                assert throw["result"] == table.cell(throw["total"], len(table.columns.labels) - 1).code


def test_a_log_goes_on_where_it_stopped(tmp_path: Path) -> None:
    log = tmp_path / "throws.log"
    answer = json.loads(run_assistant("roll", "yom_kippur", "2d6", "--seed", "7", "--times", "6", "--json"))
    for _ in range(3):
        run_assistant("roll", "yom_kippur", "2d6", "--seed", "7", "--times", "2", "--log", str(log))
    logged_throws = [throw for line in log.read_text().splitlines() for throw in json.loads(line)["rolls"]]
    assert logged_throws == answer["rolls"]
    (tmp_path / "other.log").write_text("not a log\n")
    assert "is not a log of dice rolls" in run_assistant(
        "roll", "yom_kippur", "2d6", "--log", str(tmp_path / "other.log"), code=2
    )
    assert "can't be written" in run_assistant(
        "roll", "yom_kippur", "2d6", "--log", str(tmp_path / "no/such.log"), code=2
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("yom_kippur", "comat"), "did you mean combat?"),
        (("yom_kippur", "combat"), "choose a --column"),
        (("yom_kippur", "terrain"), "takes no die roll"),
        (("yom_kippur", "2d6", "--times", "0"), "from 1 to 10000, not '0'"),
        (("yom_kippur", "combat", "--column", "nonsense"), "nonsense"),
    ],
)
def test_wrong_throws(words: tuple[str, ...], message: str) -> None:
    assert message in run_assistant("roll", *words, code=2)


def test_scenario_cards() -> None:
    assert "4.5" in run_assistant("scenario", "yom_kippur")
    assert "first player: Egyptian" in run_assistant("scenario", "yom_kippur", "4.5")
    assert json.loads(run_assistant("scenario", "yom_kippur", "4.5", "--json"))["scenario"] == "4.5"
    assert "did you mean" in run_assistant("scenario", "yom_kippur", "4.55", code=2)


def test_questions_are_listed() -> None:
    answer = json.loads(run_assistant("ask", "yom_kippur", "--json"))
    assert {"supply", "odds", "move", "score"} <= set(answer["questions"])
    assert "supply:" in run_assistant("ask", "yom_kippur")
    assert "name a scenario or a position" in run_assistant("score", "arab_israeli_wars", code=2)


def test_a_save_is_opened_and_written_as_a_position(tmp_path: Path) -> None:
    from modgen.cache import Cache
    from modgen.vmod.files.lock import Lock
    from modgen.vmod.files.module import compose
    from scenarios.model.position import from_file

    save = tmp_path / "noon.vsav"
    save.write_bytes(compose(GAME, Lock(), Cache(None)).files["Noon.vsav"])
    position_file = tmp_path / "noon.yaml"
    pack = "scenarios/samples/two_wells"
    assert "Two Wells: noon Noon, turn 1" in run_assistant(
        "open", str(save), "--game", pack, "--write", str(position_file)
    )
    pieces = json.loads(run_assistant("open", str(save), "--game", pack, "--json"))["pieces"]
    assert len(pieces) == len(from_file(GAME, position_file).pieces) > 8
    (tmp_path / "bad.vsav").write_bytes(b"no zip")
    assert "no VASSAL save" in run_assistant("open", str(tmp_path / "bad.vsav"), code=2)
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".vsav", ".vsav", ".yaml"]
