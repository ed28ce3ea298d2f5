"""Movement and opportunity fire of The Arab-Israeli Wars: rule by rule, and the rulebook's examples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import pytest

from assistant.questions.answer import BadQuestion
from scenarios.model.hexes import Hex, hexside
from scenarios.model.position import Piece, Position
from tests.aiw_small import (
    GAME,
    HALF_POINT,
    NOBODY,
    A,
    B,
    C,
    D,
    Deed,
    F,
    MovingUnit,
    Plan,
    Surroundings,
    Table,
    crossings,
    hazards,
    mover,
    reach,
    scenario_table,
    small,
    standing,
    stop_costs,
    walk,
)
from tests.net.adapter import ask

# The rules, one by one.


def test_terrain_and_hexsides_add_up() -> None:
    table = small({B: "slope", C: "woods"}, {hexside(A, B): ["crest"], hexside(B, C): ["sand_dune"]})
    costs = [spending.total for spending in walk(table, mover("t_62", A), NOBODY, [B, C, D]).spendings]
    assert costs == [3, F(9, 2), F(11, 2)]
    truck = [
        spending.points
        for spending in walk(table, mover("truck_egypt", A), Surroundings(level="standard"), [B, C]).spendings
    ]
    assert truck == [5, F(5, 2)]


def test_the_cross_country_penalty_is_an_advanced_rule() -> None:
    table = small({}, {hexside(A, B): ["sand_dune"]})
    assert walk(table, mover("m3_halftrack", A), Surroundings(level="standard"), [B]).total_cost == F(3, 2)
    assert walk(table, mover("m3_halftrack", A), NOBODY, [B]).total_cost == F(5, 2)
    assert walk(table, mover("m60a1", A), NOBODY, [B]).total_cost == F(3, 2)


def test_the_road_rate_ignores_terrain_and_needs_room() -> None:
    table = small({B: "slope"}, {hexside(A, B): ["crest"]}, [(A, B, C)])
    assert walk(table, mover("t_62", A), NOBODY, [B, C]).total_cost == 1
    surroundings = standing(("t_62", B), level="advanced")
    assert walk(table, mover("t_62", A), surroundings, [B]).spendings[0].road
    two = standing(("t_62", B), ("t_62", B))
    assert walk(table, mover("t_62", A), two, [B]).total_cost == 3
    wreck = table.with_markers({B: ["wreck"]})
    assert walk(wreck, mover("t_62", A), NOBODY, [B]).total_cost == HALF_POINT
    assert walk(wreck, mover("t_62", A), surroundings, [B]).total_cost == 3


@pytest.mark.parametrize("work", ["mine_1_1", "mine_2_1", "mine_3_1", "fort", "double_wreck"])
def test_counters_that_end_a_road(work: str) -> None:
    for work_hex in (A, B):
        table = small({}, {}, [(A, B)], {work_hex: [work]})
        assert not walk(table, mover("t_62", A), NOBODY, [B]).spendings[0].road


def test_a_bridge_over_a_trench_restores_the_road_and_holds_one_vehicle() -> None:
    table = small({}, {}, [(A, B, C)], {B: ["trench"]})
    with pytest.raises(BadQuestion, match=r"Standard V\.G\.2"):
        walk(table, mover("t_62", A), NOBODY, [B])
    assert not walk(table, mover("infantry_egypt", A), NOBODY, [B]).spendings[0].road
    table = table.with_markers({B: ["trench", "bridge"]})
    assert walk(table, mover("t_62", A), NOBODY, [B]).spendings[0].road
    with pytest.raises(BadQuestion, match=r"Standard V\.H\.2"):
        walk(table, mover("t_62", A), standing(("t_55", B)), [B])
    walk(table, mover("t_62", A), standing(("infantry_egypt", B), ("infantry_egypt", B)), [B])


def test_towns_are_road() -> None:
    table = small({A: "town", B: "town"})
    assert walk(table, mover("t_62", A), NOBODY, [B]).total_cost == HALF_POINT
    drawn_table = small({A: "town", B: "town"}, rulings={"town_road": "drawn"})
    assert walk(drawn_table, mover("t_62", A), NOBODY, [B]).total_cost == 1
    assert walk(table.with_markers({B: ["block"]}), mover("t_62", A), NOBODY, [B]).total_cost == 1


def test_an_allowance_of_one_buys_one_hex() -> None:
    table = small({B: "slope"}, {hexside(A, B): ["crest"]}, [(C, D)])
    assert walk(table, mover("infantry_egypt", A), NOBODY, [B]).total_cost == 1
    with pytest.raises(BadQuestion, match=r"Basic V\.A\.6"):
        walk(table, mover("infantry_egypt", D), NOBODY, [C, B])
    assert stop_costs(reach(table, mover("infantry_egypt", D), NOBODY))[C] == HALF_POINT
    assert stop_costs(reach(table, mover("motorized_ferry", A), NOBODY))[B] == 1


def test_quick_march() -> None:
    """Advanced II.C.2: half a point a hex, but no slope and no ridge off the road; a dune it can cross."""
    sides = {hexside(A, B): ["ridge"], hexside(C, D): ["sand_dune"]}
    table = small({Hex(2, 0): "slope"}, sides)
    march = mover("infantry_israel", B, quick=True)
    assert stop_costs(reach(table, march, NOBODY))[C] == HALF_POINT
    assert stop_costs(reach(table, march, NOBODY))[Hex(0, 3)] == 1
    for target_hex in (A, Hex(2, 0)):
        with pytest.raises(BadQuestion, match=r"Basic V\.A\.6"):
            walk(table, march, NOBODY, [target_hex])
    assert walk(table, mover("infantry_israel", B), NOBODY, [A]).total_cost == 1
    assert walk(table, mover("infantry_israel", C, quick=True), NOBODY, [D]).total_cost == 1
    road = small({B: "slope"}, {hexside(A, B): ["ridge"]}, [(A, B, C)])
    assert walk(road, mover("infantry_israel", A, quick=True), NOBODY, [B, C]).total_cost == 1
    assert reach(table, mover("cobra", B, quick=True), NOBODY).bar
    for states, chances in (
        ("", {"D": F(1, 3), "-": F(2, 3)}),
        ("+dispersed", {"DD": F(1, 6), "D": F(1, 3), "-": HALF_POINT}),
    ):
        assert ask(GAME, "declared", words=f"quick_march targets=infantry_israel{states}")["targets"] == (chances,)
    end = hazards(table, march, [C])
    assert [blast.kind for blast in end.blasts] == ["quick march"] and sum(end.endings.values()) == 1


def test_inverted_dispersed_and_split_moves() -> None:
    table = small()
    assert reach(table, mover("t_62", A, "inverted"), NOBODY).bar
    assert reach(table, mover("m60a1", A, "inverted"), NOBODY).points == 3
    assert reach(table, mover("m60a1", A, "inverted"), Surroundings(level="basic")).bar
    assert reach(table, mover("m60a1", A, "inverted", "dispersed"), NOBODY).bar
    assert reach(table, mover("mi_8", A, "inverted", "dispersed"), NOBODY).points == 32
    for unit in ("how_122", "jet_israel"):
        assert reach(table, mover(unit, A), NOBODY).bar
    assert reach(table, mover("how_122", A, "committed"), NOBODY).bar
    with pytest.raises(BadQuestion, match=r"V\.B\.5"):
        reach(table, mover("t_62", A, "loaded"))
    with pytest.raises(BadQuestion, match=r"III\.A\.2"):
        walk(table, mover("m60a1", A, "inverted"), standing(("infantry_egypt", B)), [Deed("overrun", hex=B)])


def test_blocks() -> None:
    """Standard V.F.5: start next to it, one hex, stop; leave freely."""
    table = small({}, {}, [], {C: ["block"]})
    assert C not in reach(table, mover("t_62", A), NOBODY).stops
    result = reach(table, mover("t_62", B), NOBODY)
    assert result.stops[C].cost == 1
    with pytest.raises(BadQuestion, match=r"V\.F\.5"):
        walk(table, mover("t_62", A), NOBODY, [B, C])
    with pytest.raises(BadQuestion, match="the move ends"):
        walk(table, mover("t_62", B), NOBODY, [C, D])
    assert walk(table, mover("t_62", C), NOBODY, [D, Hex(2, 2)]).total_cost == 2


def test_enemies_and_stacking() -> None:
    table = small()
    with pytest.raises(BadQuestion, match="enemy"):
        walk(table, mover("t_62", A), standing(("m60a1", B)), [B])
    four = standing(*[("t_55", B)] * 4)
    with pytest.raises(BadQuestion, match=r"Basic III\.D"):
        walk(table, mover("t_62", A), four, [B])
    riding = standing(*[("btr_50", B)] * 3, *[("infantry_egypt", B)] * 3, states=dict.fromkeys((3, 4, 5), "loaded"))
    assert walk(table, mover("t_62", A), riding, [B]).total_cost == 1
    wrecks = table.with_markers({B: ["wreck", "double_wreck"]})
    walk(wrecks, mover("t_62", A), NOBODY, [B])
    with pytest.raises(BadQuestion, match="stacking"):
        walk(wrecks, mover("t_62", A), standing(("t_55", B)), [B])
    walk(table, mover("t_62", A), standing(("huey_gunship", B)), [B])


def test_loading_costs_half_or_all() -> None:
    """Basic V.B.7: half the allowance with its fraction for infantry, all of it for towed guns."""
    table = small()
    surroundings = standing(("infantry_egypt", B), ("how_122", A), ("sagger", B), ("sagger", B))
    load = walk(table, mover("btr_152", A), surroundings, [B, Deed("load", ("infantry_egypt",))])
    assert [spending.points for spending in load.spendings] == [2, F(9, 2)]
    aboard = walk(table, mover("btr_152", B), surroundings, [Deed("load", ("infantry_egypt",)), Deed("unload")])
    assert [spending.kind for spending in aboard.spendings] == ["load", "unload"] and aboard.total_cost == 9
    assert walk(table, mover("truck_egypt", A), surroundings, [Deed("load", ("how_122",))]).total_cost == 10
    with pytest.raises(BadQuestion, match="points"):
        walk(table, mover("truck_egypt", A), surroundings, [Deed("load", ("how_122",)), B])
    with pytest.raises(BadQuestion, match=r"V\.B\.3"):
        walk(table, mover("btr_152", A), surroundings, [Deed("load", ("how_122",))])
    two = walk(table, mover("btr_152", B), surroundings, [Deed("load", ("sagger", "sagger"))])
    assert two.total_cost == F(9, 2)
    with pytest.raises(BadQuestion, match="one passenger"):
        walk(table, mover("btr_152", B), surroundings, [Deed("load", ("sagger", "infantry_egypt"))])
    full = walk(table, mover("mi_8", B), surroundings, [Deed("load", ("sagger", "sagger", "infantry_egypt"))])
    assert full.total_cost == 32
    with pytest.raises(BadQuestion, match="only carriers"):
        walk(table, mover("t_62", B), surroundings, [Deed("load", ("infantry_egypt",))])


def test_unloading_needs_room_and_a_face_up_passenger() -> None:
    table = small()
    carrier = mover("m3_halftrack", A, riders=("infantry_israel",))
    done = walk(table, carrier, NOBODY, [B, Deed("unload"), C])
    assert done.total_cost == 6 and done.end == C
    crowd = standing(*[("m60a1", B)] * 3)
    walk(table, carrier, crowd, [B])
    with pytest.raises(BadQuestion, match="stacking"):
        walk(table, carrier, crowd, [B, Deed("unload")])
    with pytest.raises(BadQuestion, match="carries no unit"):
        walk(table, mover("m3_halftrack", A), NOBODY, [Deed("unload")])
    transport = mover("m3_halftrack", A, "inverted", riders=("infantry_israel",))
    assert walk(table, transport, NOBODY, [Deed("unload")]).total_cost == 4
    with pytest.raises(BadQuestion, match="points"):
        walk(table, transport, NOBODY, [B, Deed("unload")])


def test_where_a_carrier_can_load_and_unload() -> None:
    table = small(rows=6)
    carrier = mover("m3_halftrack", A, riders=("infantry_israel",))
    answer = reach(table, carrier, standing(*[("m60a1", B)] * 3)).reach_answer["handlings"]
    points_left = {table.hex(row["at"]): row["left"] for row in answer}
    assert points_left[A] == 4 and points_left[C] == 2 and B not in points_left and Hex(1, 5) not in points_left
    (empty,) = reach(table, mover("m3_halftrack", A), standing(("infantry_israel", B), ("m60a1", B))).reach_answer[
        "handlings"
    ]
    assert empty == {"kind": "load", "at": table.name(B), "units": ("infantry_israel",), "left": 3}


def test_overruns() -> None:
    """Standard II.D: two points next to the enemy, never by road, not into cover or works."""
    table = small({}, {}, [(A, B)])
    surroundings = standing(("infantry_israel", C))
    result = reach(table, mover("t_62", A), surroundings)
    assert result.stops[B].overruns == {C} and result.stops[B].cost == HALF_POINT and result.stops[B].off_road == 1
    done = walk(table, mover("t_62", A), surroundings, [B, Deed("overrun", hex=C)])
    assert [spending.points for spending in done.spendings] == [1, 2] and not done.spendings[0].road
    with pytest.raises(BadQuestion, match="the move ends"):
        walk(table, mover("t_62", A), surroundings, [B, Deed("overrun", hex=C), A])
    for changed_table in (small({C: "woods"}), small({C: "town"}), small({}, {}, [], {C: ["fort"]})):
        assert reach(changed_table, mover("t_62", A), surroundings).stops[B].overruns == set()
    for work in ("mine_2_1", "block", "fort"):
        assert reach(small({}, {}, [], {B: [work]}), mover("t_62", A), surroundings).stops[B].overruns == set()
    assert reach(table, mover("btr_50", A), standing(("m60a1", C))).stops[B].overruns == set()
    assert reach(table, mover("infantry_egypt", A), surroundings).stops[B].assaults == {C}
    assert (
        reach(table.with_markers({C: ["mine_2_1"]}), mover("infantry_egypt", A), surroundings).stops[B].assaults
        == set()
    )
    steep = small({B: "slope"}, {hexside(A, B): ["crest"]})
    walk(steep, mover("t_10m", A), surroundings, [B, Deed("overrun", hex=C)])
    with pytest.raises(BadQuestion, match="2 points"):
        walk(steep, mover("t_10m", A), surroundings, [Hex(2, 0), A, B, Deed("overrun", hex=C)])


def test_flails_wrecks_and_smoke() -> None:
    table = small({}, {}, [], {B: ["mine_2_1"], C: ["wreck"]})
    assert walk(table, mover("pt_54_flail", A), NOBODY, [B, Deed("clear_mine")]).total_cost == 4
    with pytest.raises(BadQuestion, match="flails"):
        walk(table, mover("t_62", B), NOBODY, [Deed("clear_mine")])
    assert walk(table, mover("t_62", C), NOBODY, [Deed("clear_wreck")]).total_cost == 6
    with pytest.raises(BadQuestion, match="battle tanks"):
        walk(table, mover("pt_76", C), NOBODY, [Deed("clear_wreck")])
    assert walk(table, mover("t_62", A), NOBODY, [Deed("smoke")]).total_cost == 6


def test_bridge_layers() -> None:
    """Standard VII.B.2: from the hex next to the trench onto it, and there it stops."""
    table = small({}, {}, [], {B: ["trench"]})
    assert reach(table, mover("mtu_2", A), NOBODY).stops[B].cost == 6
    assert B not in reach(table, mover("mtu_2", D), NOBODY).stops
    assert B not in reach(table.with_markers({B: ["trench", "mine_2_1"]}), mover("mtu_2", A), NOBODY).stops


def test_minefields() -> None:
    """Standard V.E.2: on entering and on leaving; engineers enter, flails pass; the mine left attacks first."""
    table = small({}, {}, [], {B: ["mine_2_1"], C: ["mine_3_1"]})
    tank = mover("t_62", A)
    hazard_report = hazards(table, tank, [B, C])
    assert [(blast.kind, blast.hex) for blast in hazard_report.blasts] == [
        ("mine_2_1", B),
        ("mine_2_1", B),
        ("mine_3_1", C),
    ]
    assert sum(hazard_report.endings.values()) == 1
    assert hazard_report.through == F(1, 6) * F(1, 6) * F(1, 6)
    for unit, blasts in (("combat_engineer_arab", 0), ("pt_54_flail", 0), ("infantry_egypt", 1)):
        moving_unit = mover(unit, A)
        assert len(hazards(table, moving_unit, [B]).blasts) == blasts
    stop = reach(table, tank).stops[D]
    assert (stop.cost, stop.mines, stop.safe) == (F(3), 4, F(4))
    mine_table = small({}, {}, [], {B: ["mine_2_1"]}, columns=2)
    straight = reach(mine_table, mover("t_62", A), standing(*[("m60a1", Hex(0, y)) for y in range(4)])).stops[C]
    assert straight.mines == 2 and straight.safe is None


def test_interdiction_attacks_every_spending() -> None:
    """Advanced III.D.3.c: a carrier that unloads and drives off is attacked twice."""
    carrier = mover("btr_60", A, riders=("infantry_egypt",))
    table = small({}, {}, [], {B: ["interdiction"]})
    hazard_report = hazards(table, carrier, [Deed("unload"), Hex(0, 0)])
    assert [blast.kind for blast in hazard_report.blasts] == ["interdiction"] * 2
    assert hazard_report.blasts[0].chances == {"D": F(1, 3), "-": F(2, 3)}  # 1-2 against armor
    assert sum(hazard_report.endings.values()) == 1 and hazard_report.through == F(4, 9)
    truck = mover("truck_egypt", A)
    soft = hazards(table, truck, [B])
    assert soft.blasts[0].chances == {"DD": F(1, 6), "D": F(1, 3), "-": F(1, 2)}  # 1-1
    assert not hazards(table, mover("mi_8", A), [B]).blasts


# The canal, on board A: H-4 is canal, H-3 and H-5 its banks (Advanced IV).


def canal(works: Mapping[str, Iterable[str]], rulings: Mapping[str, str] | None = None) -> Table:
    return replace(scenario_table("A-1", works, rulings), scenario="")


def test_nobody_enters_an_empty_canal_or_crosses_a_moraine() -> None:
    table = canal({"A-H-4": ["trench", "bridge"]})
    h3, h4, h5, i4, i3 = map(table.hex, ("A-H-3", "A-H-4", "A-H-5", "A-I-4", "A-I-3"))
    tank = mover("t_55", h3)
    with pytest.raises(BadQuestion, match=r"VI\.A\.1"):
        walk(canal({}), tank, NOBODY, [h4])
    with pytest.raises(BadQuestion, match="moraine"):
        walk(table, mover("t_55", i3), NOBODY, [h4])
    with pytest.raises(BadQuestion, match="entry"):
        walk(table, mover("t_55", h4), NOBODY, [i4])
    canal_walk = walk(table, tank, Surroundings(level="standard"), [h4, h5])
    assert [spending.points for spending in canal_walk.spendings] == [1, F(3, 2)]
    dune = canal({"A-H-4": ["trench", "bridge"]}, rulings={"bridge_entry_cost": "dune"})
    assert walk(dune, tank, NOBODY, [h4]).total_cost == F(3, 2)
    with pytest.raises(BadQuestion, match=r"VI\.D\.2"):
        walk(table, tank, standing(("t_55", h4)), [h4])
    with pytest.raises(BadQuestion, match=r"VI\.D\.2"):
        walk(canal({"A-H-4": ["trench", "bridge", "wreck"]}), tank, NOBODY, [h4])
    shut = Surroundings(shut=frozenset({h4}))
    with pytest.raises(BadQuestion, match="dispersed bridge"):
        walk(table, tank, shut, [h4])
    with pytest.raises(BadQuestion, match=r"Basic III\.C\.5"):
        walk(table, tank, Surroundings(level="basic"), [h4])


def test_swimmers_spend_everything_and_start_next_to_the_cut() -> None:
    table = canal({"A-H-4": ["trench"]})
    h2, h3, h4, h5 = map(table.hex, ("A-H-2", "A-H-3", "A-H-4", "A-H-5"))
    assert walk(table, mover("btr_50", h3), NOBODY, [h4]).total_cost == 6
    assert h4 not in reach(table, mover("btr_50", h2), NOBODY).stops
    assert h4 not in reach(table, mover("btr_50", h3), Surroundings(level="standard")).stops
    assert h4 not in reach(table, mover("t_55", h3), NOBODY).stops
    assert h4 not in reach(table, mover("btr_50", h3), standing(("btr_60", h4))).stops
    assert walk(table, mover("btr_50", h4), NOBODY, [h5]).total_cost == F(3, 2)
    penalty_table = canal({"A-H-4": ["trench"]}, rulings={"cut_penalty": "paid"})
    assert walk(penalty_table, mover("btr_50", h4), NOBODY, [h5]).total_cost == F(5, 2)


def test_infantry_bridges_and_ways_over() -> None:
    table = canal({"A-H-4": ["bridge"]})
    h3, h4, h5 = map(table.hex, ("A-H-3", "A-H-4", "A-H-5"))
    foot = mover("infantry_egypt", h3)
    assert walk(table, foot, NOBODY, [h4]).total_cost == 1
    with pytest.raises(BadQuestion, match=r"IV\.C"):
        walk(table, mover("t_55", h3), NOBODY, [h4])
    marching = mover("infantry_egypt", h3, quick=True)
    assert walk(table, marching, NOBODY, [h4, h5]).total_cost == 1
    (way,) = crossings(table, marching, NOBODY)
    assert (way.manner, way.turns, way.bar) == ("infantry bridge", 1, "")
    boats = {h4: 2, table.hex("A-I-4"): 1}
    boat_crossings = crossings(table, foot, NOBODY, boats)
    assert {(crossing.manner, crossing.turns) for crossing in boat_crossings} == {
        ("infantry bridge", 2),
        ("assault boat", 2),
    }
    afloat = canal({"A-H-4": ["trench"]})
    surroundings = standing(("gsp_ferry", h4), ("t_55", h3))
    (ferry,) = crossings(afloat, mover("t_55", h3), surroundings)
    assert (ferry.manner, ferry.far_hexes, ferry.bar) == ("ferry", frozenset({"A-H-5"}), "")
    loading_walk = walk(afloat, mover("gsp_ferry", h4), surroundings, [Deed("load", ("t_55",), h3)])
    assert loading_walk.total_cost == 6
    loaded_ferry = mover("gsp_ferry", h4, riders=("t_55",))
    assert walk(afloat, loaded_ferry, NOBODY, [Deed("unload", (), h5)]).total_cost == 6


def test_west_bank_positions_hold_two_and_one() -> None:
    table = canal({"A-H-3": ["improved_position"], "A-H-5": ["improved_position"]})
    h3, h5 = table.hex("A-H-3"), table.hex("A-H-5")
    two = standing(("infantry_egypt", h3), ("infantry_egypt", h3), ("infantry_egypt", h5), ("infantry_egypt", h5))
    with pytest.raises(BadQuestion, match=r"VI\.E\.3\.b"):
        walk(table, mover("infantry_egypt", table.hex("A-H-2")), two, [h3])
    walk(table, mover("t_55", table.hex("A-H-2")), two, [h3])
    walk(table, mover("infantry_egypt", table.hex("A-H-6")), two, [h5])


# Opportunity fire.


def shots(table: Table, moving_unit: MovingUnit, surroundings: Surroundings, plan: Plan) -> list[dict[str, object]]:
    """Who may fire, when: by step, then by copy."""
    return sorted(
        walk(table, moving_unit, surroundings, plan).move_answer["fired_at"],
        key=lambda shot: (shot["step"], shot["copy"]),
    )


def test_the_example_of_a_quarter() -> None:
    """Standard III.B: with an allowance of 6 it is a point and a half, split move or not. None in the Basic Rules."""
    table, firer = small(), standing(("t_62", Hex(3, 0)))
    for states in ((), ("inverted",)):
        shot_rows = shots(table, mover("m60a1", A, *states), firer, [B, C, D])
        assert [(shot["step"], shot["first"], shot["may_fire"]) for shot in shot_rows] == [
            (1, True, True),
            (2, False, True),
        ]
    assert shots(table, mover("m60a1", A), replace(firer, level="basic"), [B, C, D]) == []


def test_who_may_not_fire() -> None:
    table, firer_hex = small(rows=20), Hex(3, 5)
    units = standing(
        ("t_62", firer_hex),
        ("t_62", firer_hex),
        ("how_122", firer_hex),
        ("sagger", firer_hex),
        ("truck_egypt", firer_hex),
        ("infantry_egypt", Hex(3, 15)),
        states={1: "inverted"},
    )
    shot_rows = shots(table, mover("m60a1", A), units, [B, C])
    assert {shot["copy"] for shot in shot_rows if shot["may_fire"]} == {"0", "3"}
    assert {shot["copy"] for shot in shot_rows} == {"0", "1", "2", "3", "4", "5"}


def test_helicopters_become_targets_at_the_fourth_point() -> None:
    table, gun = small(columns=8, rows=8), standing(("aa_20_m3", Hex(3, 3)))
    path = [Hex(0, y) for y in range(1, 7)]
    assert [shot["step"] for shot in shots(table, mover("mi_8", Hex(0, 0)), gun, path)] == [3, 4, 5]
    assert walk(table, mover("mi_8", Hex(0, 0), "down"), NOBODY, path[:2]).total_cost == 4


# Positions.


def test_a_move_from_a_position() -> None:
    table = scenario_table("S-8")
    hexes = [table.hex(name) for name in ("D-R-5", "D-R-6", "D-R-7", "D-V-5")]
    pieces = (
        Piece("btr_152", "2321", "syria", hexes[0]),
        Piece("infantry_egypt", "1121", "syria", hexes[0], frozenset({"loaded"})),
        Piece("m60a1", "6511", "israel", hexes[3]),
        Piece("block", "1", "", hexes[2]),
        Piece("t_34_85", "1", "syria", hexes[0]),
    )
    position = Position(GAME.id, "S-8", 1, "", pieces)
    way = ask(GAME, "move", position, unit="btr_152", to="D-R-6")
    assert way["spent"] == 2 and way["steps"][0]["to"] == "D-R-6" and way["fired_at"] == ()
    answer = ask(GAME, "move", position, unit="btr_152")
    assert answer["reach"] and "steps" not in answer
    assert "out of reach" in ask(GAME, "move", position, unit="btr_152", to="D-A-1").refusal
    assert "btr_152" in ask(GAME, "move", position, unit="btr_153").refusal
    stays = ask(GAME, "move", position, unit="t_34_85")  # S-8 never lets them move
    assert not stays["reach"] and "stays" in ask(GAME, "move", position, unit="t_34_85", to="D-R-6").refusal


def test_b_1_closes_the_canal_and_the_west() -> None:
    """A special rule of the Situation: nobody enters the canal or the ground west of it."""
    inputs = {"unit": "amx_13", "scenario": "B-1", "from_": "A-H-5"}
    assert "(special rules)" in ask(GAME, "move", path="A-H-4", **inputs).refusal
    assert ask(GAME, "move", path="A-H-6", **inputs)["steps"]
