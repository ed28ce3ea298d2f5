"""Yom Kippur: rulings that a user's overlay reads the other way."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.engine.movement.reach import reach
from assistant.engine.retreat.paths import retreat
from assistant.questions.registry import questions
from scenarios import PackError, load
from scenarios.model.game import Game
from tests.asking import ask
from tests.yom_kippur_field import put

QUESTIONS = questions(load("yom_kippur", with_config_overlays=False))
OTHER_RULINGS = {
    "canal_retreat": "never", "exploitation_zone": "any", "enemy_bridges": "own", "trace_zones": "always", "allies_atgm": "nation",
    "barrage_modifiers": "none",
}  # fmt: skip


def overlaid(folder: Path, text: str) -> Game:
    path = folder / "mine.yaml"
    path.write_text(f"overlay: yom_kippur\nrulings: {text}\n", encoding="utf-8")
    return load("yom_kippur", [path], with_config_overlays=False)


@pytest.fixture(scope="module")
def game() -> Game:
    return load("yom_kippur", with_config_overlays=False)


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return overlaid(
        tmp_path_factory.mktemp("mine"),
        "{" + ", ".join(f"{key}: {value}" for key, value in OTHER_RULINGS.items()) + "}",
    )


def test_all_that_can_be_switched_are_here(game: Game) -> None:
    assert {key for key, ruling in game.rulings.items() if ruling.switch} == set(OTHER_RULINGS)


def west_bank(game: Game, hexes: int) -> bool:
    """Whether men on the east bank may go so far back over the canal."""
    field = put(game, ("inf_2_4", "42.23"))
    west = field.map_index.regions["west_of_canal"]
    return any(
        field.map_index.places[way.end] in west for way in retreat(field, field.placed_units[0], hexes).ways[hexes]
    )


def test_a_retreat_over_the_canal(game: Game, other: Game, tmp_path: Path) -> None:
    free = overlaid(tmp_path, "{canal_retreat: free}")
    assert [west_bank(variant, 1) for variant in (game, other, free)] == [True, False, True]
    assert [west_bank(variant, 2) for variant in (game, other, free)] == [False, False, True]


def test_exploiting_out_of_a_zone(game: Game, other: Game) -> None:
    fields = [put(variant, ("nir_arm_bde_a", "33.17"), ("inf_2_4", "33.18")) for variant in (game, other)]
    assert [bool(reach(field, field.placed_units[0], "exploitation").refusals) for field in fields] == [True, False]


def test_attacking_over_the_enemys_bridge(game: Game, other: Game) -> None:
    inputs = {
        "put": "arm_15@42.24,fort_milano@42.23,engineer_bn_1@42.23",
        "mark": "engineer_bn_1+bridge",
        "attackers": "arm_15",
        "target": "42.23",
    }
    assert [bool(ask(variant, QUESTIONS["odds"], inputs)[0]["refused"]) for variant in (game, other)] == [False, True]


def test_a_trace_through_a_zone_with_a_friend_in_it(game: Game, other: Game) -> None:
    units = "sharon_div_hq@10.03,static_1@10.02,inf_2_4@10.04,inf_2_120@9.03,inf_16_16@11.03"
    sides = [
        ask(variant, QUESTIONS["supply"], {"put": units, "unit": "sharon_div_hq"})[0]["sides"][0]
        for variant in (game, other)
    ]
    assert [side["units"][0]["supplied"] for side in sides] == [True, False]


def test_saggers_of_the_allies_and_our_shifts(game: Game, other: Game) -> None:
    words = {"attackers": "nir_arm_bde_a", "defenders": "plo_inf", "turn": "1"}
    put_inputs = {
        "put": "nir_arm_bde_a@33.21,plo_inf@33.22",
        "attackers": "nir_arm_bde_a",
        "target": "33.22",
        "turn": "1",
    }
    for inputs in (words, put_inputs):
        assert [ask(variant, QUESTIONS["odds"], inputs)[0]["values"]["star_counts"] for variant in (game, other)] == [
            True,
            False,
        ]
        assert ask(other, QUESTIONS["odds"], {**inputs, "allied_saggers": "yes"})[0]["values"]["star_counts"], (
            "what is told wins"
        )
    guns = {"attack": "barrage", "attackers": "arty_bde_a,arty_bde_b", "spotter": "yes"}
    assert [ask(variant, QUESTIONS["odds"], guns)[0]["shift"] for variant in (game, other)] == [1, 0]


def test_what_can_not_be_switched(tmp_path: Path) -> None:
    """All mistakes in one run, each with what would be right."""
    wrong = "{canal_retreat: nevr, canal_retreet: never, halvings: once, enemy_bridges: {choice: own}}"
    with pytest.raises(PackError) as error_info:
        overlaid(tmp_path, wrong)
    for words in (
        "did you mean never",
        "did you mean canal_retreat",
        "halvings has one reading that is played",
        "enemy_bridges: any",
    ):
        assert words in str(error_info.value)
