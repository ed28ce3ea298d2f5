"""Movement and opportunity fire of The Arab-Israeli Wars: rule by rule, and the rulebook's examples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.answers import BadQuestion
from assistant.games.arab_israeli_wars.forces import debouchments, east_bank, field_of, field_on, level_of, west_bank
from assistant.games.arab_israeli_wars.hazards import quick_march_chances
from assistant.games.arab_israeli_wars.move import move, move_nodes
from assistant.games.arab_israeli_wars.movement import Bar, Steps, without
from assistant.games.arab_israeli_wars.opportunity import quarter
from assistant.games.arab_israeli_wars.walk import Deed, Spending, Walk, mover_in, read_plan
from assistant.rules.field import Field
from scenarios.hexes import Hex, hexside
from scenarios.position import Piece, Position, from_scenario
from tests.aiw_small import (
    GAME,
    HALF,
    NOBODY,
    A,
    Around,
    B,
    C,
    D,
    F,
    ask_move,
    crossings,
    hazards,
    mover,
    opportunity,
    piece_of,
    reach,
    small,
    spent,
    standing,
    walk,
)
from tests.questions import shown

# The rules, one by one.


def test_terrain_and_hexsides_add_up() -> None:
    field = small({B: "slope", C: "woods"}, {hexside(A, B): ["crest"], hexside(B, C): ["sand_dune"]})
    costs = [one.total for one in walk(field, mover("t_62", A), NOBODY, [B, C, D]).spendings]
    assert costs == [3, F(9, 2), F(11, 2)]
    truck = [one.points for one in walk(field, mover("truck_egypt", A), Around(level="standard"), [B, C]).spendings]
    assert truck == [5, F(5, 2)]


def test_the_cross_country_penalty_is_an_advanced_rule() -> None:
    field = small({}, {hexside(A, B): ["sand_dune"]})
    assert walk(field, mover("m3_halftrack", A), Around(level="standard"), [B]).spent == F(3, 2)
    assert walk(field, mover("m3_halftrack", A), NOBODY, [B]).spent == F(5, 2)
    assert walk(field, mover("m60a1", A), NOBODY, [B]).spent == F(3, 2)


def test_the_road_rate_ignores_terrain_and_needs_room() -> None:
    field = small({B: "slope"}, {hexside(A, B): ["crest"]}, [(A, B, C)])
    assert walk(field, mover("t_62", A), NOBODY, [B, C]).spent == 1
    one = standing(("t_62", B), level="advanced")
    assert walk(field, mover("t_62", A), one, [B]).spendings[0].road
    two = standing(("t_62", B), ("t_62", B))
    assert walk(field, mover("t_62", A), two, [B]).spent == 3
    wreck = field.with_markers({B: ["wreck"]})
    assert walk(wreck, mover("t_62", A), NOBODY, [B]).spent == HALF
    assert walk(wreck, mover("t_62", A), one, [B]).spent == 3


@pytest.mark.parametrize("work", ["mine_1_1", "mine_2_1", "mine_3_1", "fort", "double_wreck"])
def test_counters_that_end_a_road(work: str) -> None:
    for where in (A, B):
        field = small({}, {}, [(A, B)], {where: [work]})
        assert not walk(field, mover("t_62", A), NOBODY, [B]).spendings[0].road


def test_a_bridge_over_a_trench_restores_the_road_and_holds_one_vehicle() -> None:
    field = small({}, {}, [(A, B, C)], {B: ["trench"]})
    with pytest.raises(BadQuestion, match=r"Standard V\.G\.2"):
        walk(field, mover("t_62", A), NOBODY, [B])
    assert not walk(field, mover("infantry_egypt", A), NOBODY, [B]).spendings[0].road
    field = field.with_markers({B: ["trench", "bridge"]})
    assert walk(field, mover("t_62", A), NOBODY, [B]).spendings[0].road
    with pytest.raises(BadQuestion, match=r"Standard V\.H\.2"):
        walk(field, mover("t_62", A), standing(("t_55", B)), [B])
    walk(field, mover("t_62", A), standing(("infantry_egypt", B), ("infantry_egypt", B)), [B])


def test_towns_are_road() -> None:
    field = small({A: "town", B: "town"})
    assert walk(field, mover("t_62", A), NOBODY, [B]).spent == HALF
    drawn = small({A: "town", B: "town"}, rulings={"town_road": "drawn"})
    assert walk(drawn, mover("t_62", A), NOBODY, [B]).spent == 1
    assert walk(field.with_markers({B: ["block"]}), mover("t_62", A), NOBODY, [B]).spent == 1


def test_an_allowance_of_one_buys_one_hex() -> None:
    field = small({B: "slope"}, {hexside(A, B): ["crest"]}, [(C, D)])
    assert walk(field, mover("infantry_egypt", A), NOBODY, [B]).spent == 1
    with pytest.raises(BadQuestion, match=r"Basic V\.A\.6"):
        walk(field, mover("infantry_egypt", D), NOBODY, [C, B])
    assert spent(reach(field, mover("infantry_egypt", D), NOBODY))[C] == HALF
    assert spent(reach(field, mover("motorized_ferry", A), NOBODY))[B] == 1


def test_quick_march() -> None:
    """Advanced II.C.2: half a point a hex, but no slope and no ridge off the road; a dune it can cross."""
    sides = {hexside(A, B): ["ridge"], hexside(C, D): ["sand_dune"]}
    field = small({Hex(2, 0): "slope"}, sides)
    march = mover("infantry_israel", B, quick=True)
    assert spent(reach(field, march, NOBODY))[C] == HALF
    assert spent(reach(field, march, NOBODY))[Hex(0, 3)] == 1
    for barred in (A, Hex(2, 0)):
        with pytest.raises(BadQuestion, match=r"Basic V\.A\.6"):
            walk(field, march, NOBODY, [barred])
    assert walk(field, mover("infantry_israel", B), NOBODY, [A]).spent == 1
    assert walk(field, mover("infantry_israel", C, quick=True), NOBODY, [D]).spent == 1
    road = small({B: "slope"}, {hexside(A, B): ["ridge"]}, [(A, B, C)])
    assert walk(road, mover("infantry_israel", A, quick=True), NOBODY, [B, C]).spent == 1
    assert reach(field, mover("cobra", B, quick=True), NOBODY).bar is not None
    assert quick_march_chances(GAME, GAME.units[march.unit]) == {"D": F(1, 3), "-": F(2, 3)}
    assert quick_march_chances(GAME, GAME.units[march.unit], dispersed=True) == {"DD": F(1, 6), "D": F(1, 3), "-": HALF}
    end = hazards(field, march, walk(field, march, NOBODY, [C]).legs)
    assert [blast.kind for blast in end.blasts] == ["quick march"] and sum(end.endings.values()) == 1


def test_inverted_dispersed_and_split_moves() -> None:
    field = small()
    assert reach(field, mover("t_62", A, "inverted"), NOBODY).bar is not None
    assert reach(field, mover("m60a1", A, "inverted"), NOBODY).points == 3
    assert reach(field, mover("m60a1", A, "inverted"), Around(level="basic")).bar is not None
    assert reach(field, mover("m60a1", A, "inverted", "dispersed"), NOBODY).bar is not None
    assert reach(field, mover("mi_8", A, "inverted", "dispersed"), NOBODY).points == 32
    for unit in ("how_122", "jet_israel"):
        assert reach(field, mover(unit, A), NOBODY).bar is not None
    assert reach(field, mover("how_122", A, "committed"), NOBODY).bar is not None
    assert reach(field, mover("t_62", A, "loaded"), NOBODY).bar is not None
    with pytest.raises(BadQuestion, match=r"III\.A\.2"):
        walk(field, mover("m60a1", A, "inverted"), standing(("infantry_egypt", B)), [Deed("overrun", hex=B)])


def test_blocks() -> None:
    """Standard V.F.5: start next to it, one hex, stop; leave freely."""
    field = small({}, {}, [], {C: ["block"]})
    assert C not in reach(field, mover("t_62", A), NOBODY).stops
    found = reach(field, mover("t_62", B), NOBODY)
    assert found.stops[C].spent == 1
    with pytest.raises(BadQuestion, match=r"V\.F\.5"):
        walk(field, mover("t_62", A), NOBODY, [B, C])
    with pytest.raises(BadQuestion, match="the move ends"):
        walk(field, mover("t_62", B), NOBODY, [C, D])
    assert walk(field, mover("t_62", C), NOBODY, [D, Hex(2, 2)]).spent == 2


def test_enemies_and_stacking() -> None:
    field = small()
    with pytest.raises(BadQuestion, match="enemy"):
        walk(field, mover("t_62", A), standing(("m60a1", B)), [B])
    four = standing(*[("t_55", B)] * 4)
    with pytest.raises(BadQuestion, match=r"Basic III\.D"):
        walk(field, mover("t_62", A), four, [B])
    riding = standing(*[("btr_50", B)] * 3, *[("infantry_egypt", B)] * 3, states=dict.fromkeys((3, 4, 5), "loaded"))
    assert walk(field, mover("t_62", A), riding, [B]).spent == 1
    wrecks = field.with_markers({B: ["wreck", "double_wreck"]})
    walk(wrecks, mover("t_62", A), NOBODY, [B])
    with pytest.raises(BadQuestion, match="stacking"):
        walk(wrecks, mover("t_62", A), standing(("t_55", B)), [B])
    walk(field, mover("t_62", A), standing(("huey_gunship", B)), [B])


def test_loading_costs_half_or_all() -> None:
    """Basic V.B.7: half the allowance with its fraction for infantry, all of it for towed guns."""
    field = small()
    here = standing(("infantry_egypt", B), ("how_122", A), ("sagger", B), ("sagger", B))
    load = walk(field, mover("btr_152", A), here, [B, Deed("load", ("infantry_egypt",))])
    assert [one.points for one in load.spendings] == [2, F(9, 2)]
    assert [one.unit.id for one in load.after.passengers] == ["infantry_egypt"]
    assert walk(field, mover("truck_egypt", A), here, [Deed("load", ("how_122",))]).spent == 10
    with pytest.raises(BadQuestion, match="points"):
        walk(field, mover("truck_egypt", A), here, [Deed("load", ("how_122",)), B])
    with pytest.raises(BadQuestion, match=r"V\.B\.3"):
        walk(field, mover("btr_152", A), here, [Deed("load", ("how_122",))])
    two = walk(field, mover("btr_152", B), here, [Deed("load", ("sagger", "sagger"))])
    assert two.spent == F(9, 2) and len(two.after.passengers) == 2
    with pytest.raises(BadQuestion, match="one passenger"):
        walk(field, mover("btr_152", B), here, [Deed("load", ("sagger", "infantry_egypt"))])
    full = walk(field, mover("mi_8", B), here, [Deed("load", ("sagger", "sagger", "infantry_egypt"))])
    assert full.spent == 32
    with pytest.raises(BadQuestion, match="only carriers"):
        walk(field, mover("t_62", B), here, [Deed("load", ("infantry_egypt",))])


def test_unloading_needs_room_and_a_face_up_passenger() -> None:
    field = small()
    carrier = mover("m3_halftrack", A, riders=("infantry_israel",))
    done = walk(field, carrier, NOBODY, [B, Deed("unload"), C])
    assert done.spent == 6 and not done.after.passengers
    crowd = standing(*[("m60a1", B)] * 3)
    walk(field, carrier, crowd, [B])
    with pytest.raises(BadQuestion, match="stacking"):
        walk(field, carrier, crowd, [B, Deed("unload")])
    with pytest.raises(BadQuestion, match="carries nobody"):
        walk(field, mover("m3_halftrack", A), NOBODY, [Deed("unload")])
    tired = mover("m3_halftrack", A, "inverted", riders=("infantry_israel",))
    assert walk(field, tired, NOBODY, [Deed("unload")]).spent == 4
    with pytest.raises(BadQuestion, match="points"):
        walk(field, tired, NOBODY, [B, Deed("unload")])


def test_where_a_carrier_can_load_and_unload() -> None:
    field = small(rows=6)
    carrier = mover("m3_halftrack", A, riders=("infantry_israel",))
    answer = ask_move(field, carrier, standing(*[("m60a1", B)] * 3))
    found = {one.hex: one.left for one in answer.handlings}
    assert found[A] == 4 and found[C] == 2 and B not in found and Hex(1, 5) not in found
    empty = ask_move(field, mover("m3_halftrack", A), standing(("infantry_israel", B), ("m60a1", B)))
    assert [(one.kind, one.hex, one.units, one.left) for one in empty.handlings] == [
        ("load", B, ("infantry_israel",), F(3))
    ]  # fmt: skip
    assert any("can load" in line for line in shown(move_nodes(empty))[1]) and shown(move_nodes(answer))[0]["loading"]
    plan = read_plan(field, ["B-6", "load:infantry_israel", "C-6", "unload", "overrun@A-2"])
    assert plan[1] == Deed("load", ("infantry_israel",)) and plan[3] == Deed("unload") and isinstance(plan[0], Hex)


def test_overruns() -> None:
    """Standard II.D: two points next to the enemy, never by road, not into cover or works."""
    field = small({}, {}, [(A, B)])
    here = standing(("infantry_israel", C))
    found = reach(field, mover("t_62", A), here)
    assert found.stops[B].overruns == (C,) and found.stops[B].spent == HALF and found.stops[B].off_road == 1
    done = walk(field, mover("t_62", A), here, [B, Deed("overrun", hex=C)])
    assert [one.points for one in done.spendings] == [1, 2] and not done.spendings[0].road
    with pytest.raises(BadQuestion, match="the move ends"):
        walk(field, mover("t_62", A), here, [B, Deed("overrun", hex=C), A])
    for changed in (small({C: "woods"}), small({C: "town"}), small({}, {}, [], {C: ["fort"]})):
        assert reach(changed, mover("t_62", A), here).stops[B].overruns == ()
    for work in ("mine_2_1", "block", "fort"):
        assert reach(small({}, {}, [], {B: [work]}), mover("t_62", A), here).stops[B].overruns == ()
    assert reach(field, mover("btr_50", A), standing(("m60a1", C))).stops[B].overruns == ()
    assert reach(field, mover("infantry_egypt", A), here).stops[B].assaults == (C,)
    assert reach(field.with_markers({C: ["mine_2_1"]}), mover("infantry_egypt", A), here).stops[B].assaults == ()
    steep = small({B: "slope"}, {hexside(A, B): ["crest"]})
    walk(steep, mover("t_10m", A), here, [B, Deed("overrun", hex=C)])
    with pytest.raises(BadQuestion, match="2 points"):
        walk(steep, mover("t_10m", A), here, [Hex(2, 0), A, B, Deed("overrun", hex=C)])


def test_flails_wrecks_and_smoke() -> None:
    field = small({}, {}, [], {B: ["mine_2_1"], C: ["wreck"]})
    assert walk(field, mover("pt_54_flail", A), NOBODY, [B, Deed("clear_mine")]).spent == 4
    with pytest.raises(BadQuestion, match="flails"):
        walk(field, mover("t_62", B), NOBODY, [Deed("clear_mine")])
    assert walk(field, mover("t_62", C), NOBODY, [Deed("clear_wreck")]).spent == 6
    with pytest.raises(BadQuestion, match="battle tanks"):
        walk(field, mover("pt_76", C), NOBODY, [Deed("clear_wreck")])
    assert walk(field, mover("t_62", A), NOBODY, [Deed("smoke")]).spent == 6


def test_bridge_layers() -> None:
    """Standard VII.B.2: from the hex next to the trench onto it, and there it stops."""
    field = small({}, {}, [], {B: ["trench"]})
    assert reach(field, mover("mtu_2", A), NOBODY).stops[B].spent == 6
    assert B not in reach(field, mover("mtu_2", D), NOBODY).stops
    assert B not in reach(field.with_markers({B: ["trench", "mine_2_1"]}), mover("mtu_2", A), NOBODY).stops


def test_minefields() -> None:
    """Standard V.E.2: on entering and on leaving; engineers enter, flails pass; the mine left attacks first."""
    field = small({}, {}, [], {B: ["mine_2_1"], C: ["mine_3_1"]})
    tank = mover("t_62", A)
    found = hazards(field, tank, walk(field, tank, NOBODY, [B, C]).legs)
    assert [(blast.kind, blast.hex) for blast in found.blasts] == [("mine_2_1", B), ("mine_2_1", B), ("mine_3_1", C)]
    assert sum(found.endings.values()) == 1
    assert found.through == F(1, 6) * F(1, 6) * F(1, 6)
    for unit, blasts in (("combat_engineer_arab", 0), ("pt_54_flail", 0), ("infantry_egypt", 1)):
        one = mover(unit, A)
        assert len(hazards(field, one, walk(field, one, NOBODY, [B]).legs).blasts) == blasts
    stop = reach(field, tank, NOBODY).stops[D]
    assert (stop.spent, stop.mines, stop.safe) == (F(3), 4, F(4))
    walled = small({}, {}, [], {B: ["mine_2_1"]}, columns=2)
    straight = reach(walled, mover("t_62", A), standing(*[("m60a1", Hex(0, y)) for y in range(4)])).stops[C]
    assert straight.mines == 2 and straight.safe is None


def test_interdiction_attacks_every_spending() -> None:
    """Advanced III.D.3.c: a carrier that unloads and drives off is attacked twice."""
    carrier = mover("btr_60", A, riders=("infantry_egypt",))
    field = small({}, {}, [], {B: ["interdiction"]})
    found = hazards(field, carrier, walk(field, carrier, NOBODY, [Deed("unload"), Hex(0, 0)]).legs)
    assert [blast.kind for blast in found.blasts] == ["interdiction"] * 2
    assert found.blasts[0].chances == {"D": F(1, 3), "-": F(2, 3)}  # 1-2 against armor
    assert sum(found.endings.values()) == 1 and found.through == F(4, 9)
    truck = mover("truck_egypt", A)
    soft = hazards(field, truck, walk(field, truck, NOBODY, [B]).legs)
    assert soft.blasts[0].chances == {"DD": F(1, 6), "D": F(1, 3), "-": F(1, 2)}  # 1-1
    assert not hazards(field, mover("mi_8", A), walk(field, mover("mi_8", A), NOBODY, [B]).legs).blasts


# The canal, on board A: H-4 is canal, H-3 and H-5 its banks (Advanced IV).


def canal(works: Mapping[str, Iterable[str]], **more: Mapping[str, str]) -> Field:
    field = field_on(GAME, "A-1", **more)  # type: ignore[arg-type]
    return field.with_markers({field.hex_map.hex(name): markers for name, markers in works.items()})


def test_entry_hexsides_of_h4() -> None:
    field = canal({})
    assert {field.hex_map.name(hex) for hex in debouchments(field, field.hex_map.hex("A-H-4"))} == {"A-H-3", "A-H-5"}


def test_nobody_enters_an_empty_canal_or_crosses_a_moraine() -> None:
    field = canal({"A-H-4": ["trench", "bridge"]})
    h3, h4, h5, i4, i3 = map(field.hex_map.hex, ("A-H-3", "A-H-4", "A-H-5", "A-I-4", "A-I-3"))
    tank = mover("t_55", h3)
    with pytest.raises(BadQuestion, match=r"VI\.A\.1"):
        walk(canal({}), tank, NOBODY, [h4])
    with pytest.raises(BadQuestion, match="moraine"):
        walk(field, mover("t_55", i3), NOBODY, [h4])
    with pytest.raises(BadQuestion, match="entry"):
        walk(field, mover("t_55", h4), NOBODY, [i4])
    over = walk(field, tank, Around(level="standard"), [h4, h5])
    assert [one.points for one in over.spendings] == [1, F(3, 2)]
    dune = canal({"A-H-4": ["trench", "bridge"]}, rulings={"bridge_entry_cost": "dune"})
    assert walk(dune, tank, NOBODY, [h4]).spent == F(3, 2)
    with pytest.raises(BadQuestion, match=r"VI\.D\.2"):
        walk(field, tank, standing(("t_55", h4)), [h4])
    with pytest.raises(BadQuestion, match=r"VI\.D\.2"):
        walk(canal({"A-H-4": ["trench", "bridge", "wreck"]}), tank, NOBODY, [h4])
    shut = Around(shut=frozenset({h4}))
    with pytest.raises(BadQuestion, match="dispersed bridge"):
        walk(field, tank, shut, [h4])
    with pytest.raises(BadQuestion, match=r"Basic III\.C\.5"):
        walk(field, tank, Around(level="basic"), [h4])


def test_swimmers_spend_everything_and_start_next_to_the_cut() -> None:
    field = canal({"A-H-4": ["trench"]})
    h2, h3, h4, h5 = map(field.hex_map.hex, ("A-H-2", "A-H-3", "A-H-4", "A-H-5"))
    assert walk(field, mover("btr_50", h3), NOBODY, [h4]).spent == 6
    assert h4 not in reach(field, mover("btr_50", h2), NOBODY).stops
    assert h4 not in reach(field, mover("btr_50", h3), Around(level="standard")).stops
    assert h4 not in reach(field, mover("t_55", h3), NOBODY).stops
    assert h4 not in reach(field, mover("btr_50", h3), standing(("btr_60", h4))).stops
    assert walk(field, mover("btr_50", h4), NOBODY, [h5]).spent == F(3, 2)
    paid = canal({"A-H-4": ["trench"]}, rulings={"cut_penalty": "paid"})
    assert walk(paid, mover("btr_50", h4), NOBODY, [h5]).spent == F(5, 2)


def test_infantry_bridges_and_ways_over() -> None:
    field = canal({"A-H-4": ["bridge"]})
    h3, h4, h5 = map(field.hex_map.hex, ("A-H-3", "A-H-4", "A-H-5"))
    foot = mover("infantry_egypt", h3)
    assert walk(field, foot, NOBODY, [h4]).spent == 1
    with pytest.raises(BadQuestion, match=r"IV\.C"):
        walk(field, mover("t_55", h3), NOBODY, [h4])
    marching = mover("infantry_egypt", h3, quick=True)
    assert walk(field, marching, NOBODY, [h4, h5]).spent == 1
    (way,) = crossings(field, marching, NOBODY)
    assert (way.how, way.turns, way.bar) == ("infantry bridge", 1, None)
    boats = {h4: 2, field.hex_map.hex("A-I-4"): 1}
    found = crossings(field, foot, NOBODY, boats)
    assert {(one.how, one.turns) for one in found} == {("infantry bridge", 2), ("assault boat", 2)}
    afloat = canal({"A-H-4": ["trench"]})
    here = standing(("gsp_ferry", h4), ("t_55", h3))
    (ferry,) = crossings(afloat, mover("t_55", h3), here)
    assert (ferry.how, ferry.far, ferry.bar) == ("ferry", (h5,), None)
    loaded = walk(afloat, mover("gsp_ferry", h4), here, [Deed("load", ("t_55",), h3)])
    assert loaded.spent == 6
    after = mover("gsp_ferry", h4, riders=tuple(one.unit.id for one in loaded.after.passengers))
    assert walk(afloat, after, NOBODY, [Deed("unload", (), h5)]).spent == 6


def test_west_bank_positions_hold_two_and_one() -> None:
    field = canal({"A-H-3": ["improved_position"], "A-H-5": ["improved_position"]})
    h3, h5 = field.hex_map.hex("A-H-3"), field.hex_map.hex("A-H-5")
    assert west_bank(field, h3) and east_bank(field, h5)
    two = standing(("infantry_egypt", h3), ("infantry_egypt", h3), ("infantry_egypt", h5), ("infantry_egypt", h5))
    with pytest.raises(BadQuestion, match=r"VI\.E\.3\.b"):
        walk(field, mover("infantry_egypt", field.hex_map.hex("A-H-2")), two, [h3])
    walk(field, mover("t_55", field.hex_map.hex("A-H-2")), two, [h3])
    walk(field, mover("infantry_egypt", field.hex_map.hex("A-H-6")), two, [h5])


# Opportunity fire.


def test_the_example_of_a_quarter() -> None:
    """Standard III.B: with an allowance of 6 it is a point and a half, split move or not."""
    field = small()
    assert {quarter(GAME, mover("m60a1", A, *states).on(field)) for states in ((), ("inverted",))} == {F(3, 2)}
    firer = piece_of(field, "t_62", Hex(3, 0))
    path = walk(field, mover("m60a1", A, "inverted"), NOBODY, [B, C, D])
    found = opportunity(field, NOBODY, path, [firer], lambda a, b: True)
    assert [(one.step, one.in_sight, one.first, one.failures) for one in found] == [
        (1, F(2), True, ()), (2, F(3), False, ())
    ]  # fmt: skip
    hidden = opportunity(field, NOBODY, path, [firer], lambda a, b: b != C)
    assert hidden == ()
    again = opportunity(field, NOBODY, path, [firer], lambda a, b: True, fired=[1])
    assert [one.step for one in again] == [1]
    assert opportunity(field, Around(level="basic"), path, [firer], lambda a, b: True) == ()


def test_who_may_not_fire() -> None:
    field = small(rows=20)
    path = walk(field, mover("m60a1", A), NOBODY, [B, C])
    units = [("t_62", ""), ("t_62", "inverted"), ("how_122", ""), ("sagger", ""), ("truck_egypt", "")]
    firers = [piece_of(field, unit, Hex(3, 5), str(i), *s.split()) for i, (unit, s) in enumerate(units)]
    far = piece_of(field, "infantry_egypt", Hex(3, 15), "far")
    found = opportunity(field, NOBODY, path, [*firers, far], lambda a, b: True)
    assert {one.firer.piece.copy for one in found if not one.failures} == {"0", "3"}
    assert {one.firer.piece.copy for one in found} == {"0", "1", "2", "3", "4", "far"}


def test_helicopters_become_targets_at_the_fourth_point() -> None:
    field = small(columns=8, rows=8)
    path = walk(field, mover("mi_8", Hex(0, 0)), NOBODY, [Hex(0, y) for y in range(1, 7)])
    gun = piece_of(field, "aa_20_m3", Hex(3, 3))
    assert [one.step for one in opportunity(field, NOBODY, path, [gun])] == [3, 4, 5]
    assert [one.step for one in opportunity(field, NOBODY, path, [gun], fired=[3, 4])] == [3, 4, 5]
    low = walk(field, mover("mi_8", Hex(0, 0), "down"), NOBODY, [Hex(0, 1), Hex(0, 2)])
    assert low.spent == 4


def active(spendings: Sequence[tuple[Fraction, bool]], need: Fraction, fired: frozenset[int]) -> list[int]:
    """From the words of Standard II.E.1: some unbroken stretch in sight, since the last shot, of a quarter or more."""
    found = []
    for i in range(len(spendings)):
        since = max((k + 1 for k in fired if k < i), default=0)
        stretches = (spendings[j : i + 1] for j in range(since, i + 1))
        if any(all(seen for _, seen in s) and sum(p for p, _ in s) >= need for s in stretches):
            found.append(i)
    return found


@given(
    st.lists(st.tuples(st.sampled_from([HALF, F(1), F(3, 2), F(2), F(3)]), st.booleans()), max_size=9),
    st.frozensets(st.integers(0, 8), max_size=3),
)
def test_opportunity_against_its_definition(spendings: list[tuple[Fraction, bool]], fired: frozenset[int]) -> None:
    field = small(columns=2, rows=12)
    unit = mover("t_62", Hex(0, 0)).on(field)
    total, made = F(0), []
    for i, (points, _) in enumerate(spendings):
        total += points
        made.append(Spending("move", Hex(0, i), Hex(0, i + 1), points, total, ()))
    path = Walk(unit, unit, F(99), tuple(made))
    seen = {Hex(0, i + 1): visible for i, (_, visible) in enumerate(spendings)}
    firer = piece_of(field, "m60a1", Hex(1, 0))
    found = opportunity(field, NOBODY, path, [firer], lambda a, b: seen[b], fired)
    assert [one.step for one in found] == active(spendings, F(3, 2), fired)


# Positions and renderers.


def test_a_move_from_a_position() -> None:
    field = field_on(GAME, "S-8")
    hexes = [field.hex_map.hex(name) for name in ("D-R-5", "D-R-6", "D-R-7", "D-V-5")]
    pieces = (
        Piece("btr_152", "2321", "syria", hexes[0]),
        Piece("infantry_egypt", "1121", "syria", hexes[0], frozenset({"loaded"})),
        Piece("m60a1", "6511", "israel", hexes[3]),
        Piece("block", "1", "", hexes[2]),
    )
    position = Position(GAME.id, "S-8", 1, "", pieces)
    field = field_of(GAME, position)
    unit = mover_in(field, "btr_152")
    assert [one.unit.id for one in unit.passengers] == ["infantry_egypt"] and unit.side == "arab"
    here = without(field, unit)
    answer = move(here, unit, to=hexes[1], sees=lambda a, b: True)
    assert answer.move is not None and answer.move.spent == 2
    held, lines = shown(move_nodes(answer))
    assert any("D-R-6" in line for line in lines)
    assert held["steps"][0]["cost"] == 2 and held["unit"] == "btr_152/2321" and held["shots"] == []
    whole, _ = shown(move_nodes(move(here, unit)))
    assert whole["reach"] and "path" not in whole
    with pytest.raises(BadQuestion, match="out of reach"):
        move(here, unit, to=field.hex_map.hex("D-A-1"))
    with pytest.raises(BadQuestion, match="no counter"):
        mover_in(field, "btr_153")
    t34 = mover("t_34_85", hexes[0]).on(here)
    assert move(here, t34).reach.bar is not None  # S-8 never lets them move
    assert shown(move_nodes(move(here, t34)))[1][1].startswith("! stays")


def test_b_1_closes_the_canal_and_the_west() -> None:
    """A special rule of the Situation: nobody enters the canal or the ground west of it."""
    field = field_of(GAME, from_scenario(GAME, "B-1"))
    steps = Steps(field, mover("amx_13", field.hex_map.hex("A-H-5")).on(field))
    assert level_of(field) == "basic"
    bar = steps.ways(field.hex_map.hex("A-H-5"), field.hex_map.hex("A-H-4"))
    assert isinstance(bar, Bar) and bar.rule == "special rules"
    assert not isinstance(steps.ways(field.hex_map.hex("A-H-5"), field.hex_map.hex("A-H-6")), Bar)
