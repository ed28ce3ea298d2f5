"""Leaves: the windows of a scenario card lie on its pages, apart from each other, and hold what the card names."""

from __future__ import annotations

from itertools import combinations

import pytest

from modgen.cache import Cache
from modgen.kit.cards import scenario_card
from modgen.kit.frame import frame_of
from modgen.kit.leaves import Leaves, leaves
from modgen.kit.options import PAPERS, Options
from scenarios import load, shipped_games
from scenarios.model.game import Game
from tests.packs import TWO_WELLS

HALF_PICTURE = {"picture": "map/x", "width": 94.0, "height": 70.0, "wide": False}
WIDE_PICTURE = {"picture": "map/x", "width": 182.0, "height": 60.0, "wide": True}


def card(game: Game, key: str, picture: dict[str, object], options: Options) -> Leaves:
    card_content = scenario_card(game, key, {*game.units, *game.markers}, picture, {})
    return leaves("scenario", {**frame_of(game, options), "card": card_content}, game.card.release, Cache(None))


def height(window: dict[str, float | str], picture: dict[str, object]) -> float:
    shape = float(str(picture["height"])) / float(str(picture["width"])) if window["picture"] == "map/x" else 1.0
    return float(window["width"]) * shape


@pytest.mark.parametrize("picture", [HALF_PICTURE, WIDE_PICTURE])
@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("name", [str(TWO_WELLS), *shipped_games()])
def test_windows_lie_on_the_page_and_apart(name: str, paper: str, picture: dict[str, object]) -> None:
    game, options = load(name), Options(paper=PAPERS[paper])
    key = list(game.scenarios)[-1]
    leaf_info = card(game, key, picture, options).data
    for window in leaf_info["windows"]:
        assert window["x"] >= 14 - 1e-6 and window["x"] + window["width"] <= options.paper.width - 14 + 1e-6
        assert window["y"] >= 14 - 1e-6 and window["y"] + height(window, picture) <= options.paper.height - 14 + 1e-6
    for a, b in combinations(leaf_info["windows"], 2):
        is_apart = (
            a["leaf"] != b["leaf"]
            or a["x"] + a["width"] <= b["x"] + 1e-6
            or b["x"] + b["width"] <= a["x"] + 1e-6
            or a["y"] + height(a, picture) <= b["y"] + 1e-6
            or b["y"] + height(b, picture) <= a["y"] + 1e-6
        )
        assert is_apart, (a, b)


@pytest.mark.parametrize("name", [str(TWO_WELLS), *shipped_games()])
def test_every_group_has_its_pictures(name: str) -> None:
    game = load(name)
    key, scenario = next(iter(game.scenarios.items()))
    leaf_info = card(game, key, HALF_PICTURE, Options()).data
    picture_keys = {window["picture"] for window in leaf_info["windows"]}
    groups = [group for force in scenario.forces.values() for group in force.groups]
    assert picture_keys == {"map/x"} | {f"face/{piece}" for group in groups for piece in (*group.units, *group.markers)}
    assert [heading["title"] for heading in leaf_info["headings"]] == [scenario.title]
