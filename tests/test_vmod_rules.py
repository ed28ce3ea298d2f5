"""What a module reads of declared rules: zones of control, where ranges stop, stacking, and the marker of the turn."""

from __future__ import annotations

import pytest

from modgen.vmod.maps.point_ranges import points_in_range
from modgen.vmod.maps.stacking import stacking
from modgen.vmod.maps.zones import has_zone, stops, zone_of_control
from modgen.vmod.pieces.pieces import expand_prototypes, piece_entry
from modgen.vmod.pieces.unit_fields import steps_left
from modgen.vmod.setups.turns import markers_moved
from modgen.vmod.text.chat import sentences
from scenarios import load
from scenarios.model.points import PointMap
from scenarios.vassal.windows import turn_markers
from tests import shared
from tests.bsh import Scope, evaluate_text


def test_units_with_an_attack_strength_have_a_zone_in_yom_kippur() -> None:
    """1.9a: strongpoints and guns without an attack strength have none."""
    game = load("yom_kippur")
    assert zone_of_control(game) is not None
    for unit in game.units.values():
        attack = unit.factors.get("attack", 0)
        assert has_zone(game, unit) == (not isinstance(attack, str) and attack >= 1), unit.id
    prototypes = shared.prototypes(game)
    shaded_units = {
        key
        for key in game.units
        if any("area_zone" in trait.type for trait in expand_prototypes(piece_entry(game, key, "1").traits, prototypes))
    }
    assert shaded_units == {key for key, unit in game.units.items() if has_zone(game, unit)}


def test_a_game_without_declared_zones_shades_none() -> None:
    game = load("october_war")
    assert zone_of_control(game) is None and not any(has_zone(game, unit) for unit in game.units.values())


def test_airstrikes_and_special_forces_of_musketeer_have_no_zone() -> None:
    """12.3, 25.0: they are no ground units and don't count in their hex."""
    game = load("musketeer")
    assert all(
        has_zone(game, unit) == (unit.class_ in ("mechanized", "foot", "static")) for unit in game.units.values()
    )


def test_missiles_do_not_reach_across_the_red_sea() -> None:
    """20.4: a range ends at a crossing of the Red Sea, on both of them."""
    game = load("october_war")
    table = next(iter(game.maps.values()))
    assert isinstance(table, PointMap)
    sea = {key for key, point in table.points.items() if point.terrain == "red_sea_crossing"}
    assert sea and stops(game, table) == sea
    for crossing in sea:
        reach = points_in_range(game, table, crossing)
        assert set(reach) == {crossing}, "nothing lies beyond"


@pytest.mark.parametrize(
    "face, second, expected_steps", [("1", "false", 3), ("2", "false", 2), ("2", "true", 1), ("1", "true", 2)]
)
def test_steps_that_are_lost_do_not_count_for_stacking(face: str, second: str, expected_steps: int) -> None:
    """1.3: a hex holds six steps; a reduced unit has one step less, and a second marker another."""
    game = load("yom_kippur")
    scope = Scope({"steps": "3", "face_state": "reduced", "Face_Level": face, "step_loss_Active": second})
    assert evaluate_text(steps_left(game), scope) == expected_steps
    ((condition, words),) = stacking(game)
    assert words == "a hex holds six steps (1.3)" and 'SumStack("StepsLeft"' in condition and "<=(6.0)" in condition


def test_limits_of_a_table_are_told_for_each_contingent() -> None:
    """12.1 of Musketeer: four Anglo-French or American units, three Israeli or Soviet, two Egyptian or Arab League."""
    game = load("musketeer")
    condition = next(
        condition for condition, words in stacking(game) if words.startswith("a hex holds four Anglo-French")
    )
    for nation, max_units in {
        "britain": 4,
        "france": 4,
        "us": 4,
        "israel": 3,
        "ussr": 3,
        "egypt": 2,
        "arab_league": 2,
    }.items():
        limit = condition[condition.index("<=") + 2 : condition.rindex("+0.000001")]
        assert evaluate_text(limit[1:-1], Scope({"nation": nation})) == max_units


def test_what_the_engine_cannot_judge_is_left_out_and_the_rest_is_told_once() -> None:
    assert not stacking(load("october_war")) and not stacking(load("arab_israeli_wars"))
    game = load("six_day_war")
    text = sentences(game)
    assert "StackPos==1" in text and "a hex holds one static unit (11.2, 11.3)" in text
    heard = [trait.type for trait in shared.prototypes(game)["Arrival"] if trait.type.startswith("report;")]
    assert len(heard) == len(stacking(game)) + 1, "each rule, and who comes too early"


def test_the_turn_moves_its_markers() -> None:
    assert turn_markers(load("musketeer")) == {"turn": "Turn"}
    assert turn_markers(load("yom_kippur")) == {"game_turn": "Turn Record Track"}
    october = load("october_war")
    assert set(turn_markers(october)) == {"turn_israeli", "turn_arab"}
    prototypes = shared.prototypes(october)
    send_traits = [
        trait.type
        for trait in expand_prototypes(piece_entry(october, "turn_arab", "1").traits, prototypes)
        if "turn-marker" in trait.type
    ]
    assert len(send_traits) == 1 and '{"Arab Turn Record "+Math.min(TurnNumber,9)}' in send_traits[0]
    assert len(markers_moved(october)) == 1 and not markers_moved(load("arab_israeli_wars"))
