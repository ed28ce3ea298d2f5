"""The set-up card by formation: every counter of a formation once, and where it stands as its scenario says."""

from __future__ import annotations

import pytest

from modgen.kit.formations import formation_card
from scenarios import load, shipped_games


@pytest.mark.parametrize("name", ["yom_kippur", "six_day_war", "musketeer"])
def test_every_unit_of_a_formation_is_on_the_card_once(name: str) -> None:
    game = load(name)
    card = formation_card(game)
    assert card is not None
    card_units = [
        (nation["name"], formation["name"], piece["face"].removeprefix("face/"))
        for nation in card["nations"]
        for formation in nation["formations"]
        for piece in formation["pieces"]
    ]
    units = [
        (game.nations[unit.nation].name, unit.formation, unit.id) for unit in game.units.values() if unit.formation
    ]
    assert sorted(card_units) == sorted(units)


def test_it_says_where_a_formation_stands() -> None:
    card = formation_card(load("yom_kippur"))
    assert card is not None
    places = {formation["name"]: formation["where"] for nation in card["nations"] for formation in nation["formations"]}
    assert places["Reshef's Armored Brigade"] == ["On the Lateral Road, 48.15 to 10.11"]
    assert places["Matt's Airborne Brigade"] == ["Enters on turn 3, in Entry Area B"]
    assert places["Shom's Armored Brigade"] == ["In 17.01, 10.01"]


def test_a_scenario_has_its_own_units_only_and_games_without_formations_have_no_card() -> None:
    game = load("yom_kippur")
    last = list(game.scenarios)[-1]
    scenario_units = {
        unit for force in game.scenarios[last].forces.values() for group in force.groups for unit in group.units
    }
    card = formation_card(game, last)
    assert card is not None and card["title"] == game.scenarios[last].title
    card_units = {
        p["face"].removeprefix("face/") for n in card["nations"] for f in n["formations"] for p in f["pieces"]
    }
    assert card_units <= scenario_units
    assert [name for name in shipped_games() if formation_card(load(name)) is None] == [
        "arab_israeli_wars",
        "october_war",
    ]
