"""Movement and opportunity fire of The Arab-Israeli Wars: rule by rule, and the rulebook's examples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.answers import BadQuestion
from assistant.games.arab_israeli_wars.canal import crossings, debouchments
from assistant.games.arab_israeli_wars.ground import Ground
from assistant.games.arab_israeli_wars.hazards import hazards, quick_march_chances
from assistant.games.arab_israeli_wars.move import move, move_nodes
from assistant.games.arab_israeli_wars.movement import Bar, Mover, Occupant, Steps, Traffic, reach, traffic
from assistant.games.arab_israeli_wars.opportunity import Firer, in_sight, opportunity, quarter
from assistant.games.arab_israeli_wars.walk import Deed, Spending, Walk, mover_in, read_plan, walk
from scenarios.hexes import Hex, hexside
from scenarios.position import Piece, Position, from_scenario
from tests.aiw_small import GAME, HALF, A, B, C, D, F, mover, small, spent, standing
from tests.questions import shown

# The rules, one by one.


def test_terrain_and_hexsides_add_up() -> None:
    ground = small({B: "slope", C: "woods"}, {hexside(A, B): ["crest"], hexside(B, C): ["sand_dune"]})
    costs = [one.total for one in walk(ground, mover("t_62", A), Traffic(), [B, C, D]).spendings]
    assert costs == [3, F(9, 2), F(11, 2)]
    truck = [one.points for one in walk(ground, mover("truck_egypt", A), Traffic(level="standard"), [B, C]).spendings]
    assert truck == [5, F(5, 2)]


def test_the_cross_country_penalty_is_an_advanced_rule() -> None:
    ground = small({}, {hexside(A, B): ["sand_dune"]})
    assert walk(ground, mover("m3_halftrack", A), Traffic(level="standard"), [B]).spent == F(3, 2)
    assert walk(ground, mover("m3_halftrack", A), Traffic(), [B]).spent == F(5, 2)
    assert walk(ground, mover("m60a1", A), Traffic(), [B]).spent == F(3, 2)


def test_the_road_rate_ignores_terrain_and_needs_room() -> None:
    ground = small({B: "slope"}, {hexside(A, B): ["crest"]}, [(A, B, C)])
    assert walk(ground, mover("t_62", A), Traffic(), [B, C]).spent == 1
    one = standing(("t_62", B), level="advanced")
    assert walk(ground, mover("t_62", A), one, [B]).spendings[0].road
    two = standing(("t_62", B), ("t_62", B))
    assert walk(ground, mover("t_62", A), two, [B]).spent == 3
    wreck = ground.with_works({B: ["wreck"]})
    assert walk(wreck, mover("t_62", A), Traffic(), [B]).spent == HALF
    assert walk(wreck, mover("t_62", A), one, [B]).spent == 3
    assert not walk(ground, mover("t_62", A), Traffic(), [B], roads=False).spendings[0].road


@pytest.mark.parametrize("work", ["mine_1_1", "mine_2_1", "mine_3_1", "fort", "double_wreck"])
def test_counters_that_end_a_road(work: str) -> None:
    for where in (A, B):
        ground = small({}, {}, [(A, B)], {where: [work]})
        assert not walk(ground, mover("t_62", A), Traffic(), [B]).spendings[0].road


def test_a_bridge_over_a_trench_restores_the_road_and_holds_one_vehicle() -> None:
    ground = small({}, {}, [(A, B, C)], {B: ["trench"]})
    with pytest.raises(BadQuestion, match=r"Standard V\.G\.2"):
        walk(ground, mover("t_62", A), Traffic(), [B])
    assert not walk(ground, mover("infantry_egypt", A), Traffic(), [B]).spendings[0].road
    ground = ground.with_works({B: ["trench", "bridge"]})
    assert walk(ground, mover("t_62", A), Traffic(), [B]).spendings[0].road
    with pytest.raises(BadQuestion, match=r"Standard V\.H\.2"):
        walk(ground, mover("t_62", A), standing(("t_55", B)), [B])
    walk(ground, mover("t_62", A), standing(("infantry_egypt", B), ("infantry_egypt", B)), [B])


def test_towns_are_road() -> None:
    ground = small({A: "town", B: "town"})
    assert walk(ground, mover("t_62", A), Traffic(), [B]).spent == HALF
    drawn = small({A: "town", B: "town"}, rulings={"town_road": "drawn"})
    assert walk(drawn, mover("t_62", A), Traffic(), [B]).spent == 1
    assert walk(ground.with_works({B: ["block"]}), mover("t_62", A), Traffic(), [B]).spent == 1


def test_an_allowance_of_one_buys_one_hex() -> None:
    ground = small({B: "slope"}, {hexside(A, B): ["crest"]}, [(C, D)])
    assert walk(ground, mover("infantry_egypt", A), Traffic(), [B]).spent == 1
    with pytest.raises(BadQuestion, match=r"Basic V\.A\.6"):
        walk(ground, mover("infantry_egypt", D), Traffic(), [C, B])
    assert spent(reach(ground, mover("infantry_egypt", D), Traffic()))[C] == HALF
    assert spent(reach(ground, mover("motorized_ferry", A), Traffic()))[B] == 1


def test_quick_march() -> None:
    """Advanced II.C.2: half a point a hex, but no slope and no ridge off the road; a dune it can cross."""
    sides = {hexside(A, B): ["ridge"], hexside(C, D): ["sand_dune"]}
    ground = small({Hex(2, 0): "slope"}, sides)
    march = mover("infantry_israel", B, quick=True)
    assert spent(reach(ground, march, Traffic()))[C] == HALF
    assert spent(reach(ground, march, Traffic()))[Hex(0, 3)] == 1
    for barred in (A, Hex(2, 0)):
        with pytest.raises(BadQuestion, match=r"Basic V\.A\.6"):
            walk(ground, march, Traffic(), [barred])
    assert walk(ground, mover("infantry_israel", B), Traffic(), [A]).spent == 1
    assert walk(ground, mover("infantry_israel", C, quick=True), Traffic(), [D]).spent == 1
    road = small({B: "slope"}, {hexside(A, B): ["ridge"]}, [(A, B, C)])
    assert walk(road, mover("infantry_israel", A, quick=True), Traffic(), [B, C]).spent == 1
    assert reach(ground, mover("cobra", B, quick=True), Traffic()).bar is not None
    assert quick_march_chances(GAME, march.unit) == {"D": F(1, 3), "-": F(2, 3)}
    assert quick_march_chances(GAME, march.unit, dispersed=True) == {"DD": F(1, 6), "D": F(1, 3), "-": HALF}
    end = hazards(ground, march, walk(ground, march, Traffic(), [C]).legs)
    assert [blast.kind for blast in end.blasts] == ["quick march"] and sum(end.endings.values()) == 1


def test_inverted_dispersed_and_split_moves() -> None:
    ground = small()
    assert reach(ground, mover("t_62", A, "inverted"), Traffic()).bar is not None
    assert reach(ground, mover("m60a1", A, "inverted"), Traffic()).points == 3
    assert reach(ground, mover("m60a1", A, "inverted"), Traffic(level="basic")).bar is not None
    assert reach(ground, mover("m60a1", A, "inverted", "dispersed"), Traffic()).bar is not None
    assert reach(ground, mover("mi_8", A, "inverted", "dispersed"), Traffic()).points == 32
    for unit in ("how_122", "jet_israel"):
        assert reach(ground, mover(unit, A), Traffic()).bar is not None
    assert reach(ground, mover("how_122", A, "committed"), Traffic()).bar is not None
    assert reach(ground, mover("t_62", A, "loaded"), Traffic()).bar is not None
    with pytest.raises(BadQuestion, match=r"III\.A\.2"):
        walk(ground, mover("m60a1", A, "inverted"), standing(("infantry_egypt", B)), [Deed("overrun", hex=B)])


def test_blocks() -> None:
    """Standard V.F.5: start next to it, one hex, stop; leave freely."""
    ground = small({}, {}, [], {C: ["block"]})
    assert C not in reach(ground, mover("t_62", A), Traffic()).stops
    found = reach(ground, mover("t_62", B), Traffic())
    assert found.stops[C].spent == 1
    with pytest.raises(BadQuestion, match=r"V\.F\.5"):
        walk(ground, mover("t_62", A), Traffic(), [B, C])
    with pytest.raises(BadQuestion, match="the move ends"):
        walk(ground, mover("t_62", B), Traffic(), [C, D])
    assert walk(ground, mover("t_62", C), Traffic(), [D, Hex(2, 2)]).spent == 2


def test_enemies_and_stacking() -> None:
    ground = small()
    with pytest.raises(BadQuestion, match="enemy"):
        walk(ground, mover("t_62", A), standing(("m60a1", B)), [B])
    four = standing(*[("t_55", B)] * 4)
    with pytest.raises(BadQuestion, match=r"Basic III\.D"):
        walk(ground, mover("t_62", A), four, [B])
    riding = standing(*[("btr_50", B)] * 3, *[("infantry_egypt", B)] * 3, states=dict.fromkeys((3, 4, 5), "loaded"))
    assert walk(ground, mover("t_62", A), riding, [B]).spent == 1
    wrecks = ground.with_works({B: ["wreck", "double_wreck"]})
    walk(wrecks, mover("t_62", A), Traffic(), [B])
    with pytest.raises(BadQuestion, match="stacking"):
        walk(wrecks, mover("t_62", A), standing(("t_55", B)), [B])
    walk(ground, mover("t_62", A), standing(("huey_gunship", B)), [B])


def test_loading_costs_half_or_all() -> None:
    """Basic V.B.7: half the allowance with its fraction for infantry, all of it for towed guns."""
    ground = small()
    here = standing(("infantry_egypt", B), ("how_122", A), ("sagger", B), ("sagger", B))
    load = walk(ground, mover("btr_152", A), here, [B, Deed("load", ("infantry_egypt",))])
    assert [one.points for one in load.spendings] == [2, F(9, 2)]
    assert [one.unit.id for one in load.after.passengers] == ["infantry_egypt"]
    assert walk(ground, mover("truck_egypt", A), here, [Deed("load", ("how_122",))]).spent == 10
    with pytest.raises(BadQuestion, match="points"):
        walk(ground, mover("truck_egypt", A), here, [Deed("load", ("how_122",)), B])
    with pytest.raises(BadQuestion, match=r"V\.B\.3"):
        walk(ground, mover("btr_152", A), here, [Deed("load", ("how_122",))])
    two = walk(ground, mover("btr_152", B), here, [Deed("load", ("sagger", "sagger"))])
    assert two.spent == F(9, 2) and len(two.after.passengers) == 2
    with pytest.raises(BadQuestion, match="one passenger"):
        walk(ground, mover("btr_152", B), here, [Deed("load", ("sagger", "infantry_egypt"))])
    full = walk(ground, mover("mi_8", B), here, [Deed("load", ("sagger", "sagger", "infantry_egypt"))])
    assert full.spent == 32
    with pytest.raises(BadQuestion, match="only carriers"):
        walk(ground, mover("t_62", B), here, [Deed("load", ("infantry_egypt",))])


def test_unloading_needs_room_and_a_face_up_passenger() -> None:
    ground = small()
    rider = Occupant(GAME.units["infantry_israel"], "1", "israeli", frozenset({"loaded"}))
    carrier = Mover(GAME.units["m3_halftrack"], A, "israeli", "", frozenset(), (rider,))
    done = walk(ground, carrier, Traffic(), [B, Deed("unload"), C])
    assert done.spent == 6 and not done.after.passengers
    crowd = standing(*[("m60a1", B)] * 3)
    walk(ground, carrier, crowd, [B])
    with pytest.raises(BadQuestion, match="stacking"):
        walk(ground, carrier, crowd, [B, Deed("unload")])
    with pytest.raises(BadQuestion, match="carries nobody"):
        walk(ground, mover("m3_halftrack", A), Traffic(), [Deed("unload")])
    tired = Mover(GAME.units["m3_halftrack"], A, "israeli", "", frozenset({"inverted"}), (rider,))
    assert walk(ground, tired, Traffic(), [Deed("unload")]).spent == 4
    with pytest.raises(BadQuestion, match="points"):
        walk(ground, tired, Traffic(), [B, Deed("unload")])


def test_where_a_carrier_can_load_and_unload() -> None:
    ground = small(rows=6)
    rider = Occupant(GAME.units["infantry_israel"], "1", "israeli", frozenset({"loaded"}))
    carrier = Mover(GAME.units["m3_halftrack"], A, "israeli", "", frozenset(), (rider,))
    answer = move(ground, carrier, standing(*[("m60a1", B)] * 3))
    found = {one.hex: one.left for one in answer.handlings}
    assert found[A] == 4 and found[C] == 2 and B not in found and Hex(1, 5) not in found
    empty = move(ground, mover("m3_halftrack", A), standing(("infantry_israel", B), ("m60a1", B)))
    assert [(one.kind, one.hex, one.units, one.left) for one in empty.handlings] == [
        ("load", B, ("infantry_israel",), F(3))
    ]  # fmt: skip
    assert any("can load" in line for line in shown(move_nodes(empty))[1]) and shown(move_nodes(answer))[0]["loading"]
    plan = read_plan(ground, ["B-6", "load:infantry_israel", "C-6", "unload", "overrun@A-2"])
    assert plan[1] == Deed("load", ("infantry_israel",)) and plan[3] == Deed("unload") and isinstance(plan[0], Hex)


def test_overruns() -> None:
    """Standard II.D: two points next to the enemy, never by road, not into cover or works."""
    ground = small({}, {}, [(A, B)])
    here = standing(("infantry_israel", C))
    found = reach(ground, mover("t_62", A), here)
    assert found.stops[B].overruns == (C,) and found.stops[B].spent == HALF and found.stops[B].off_road == 1
    done = walk(ground, mover("t_62", A), here, [B, Deed("overrun", hex=C)])
    assert [one.points for one in done.spendings] == [1, 2] and not done.spendings[0].road
    with pytest.raises(BadQuestion, match="the move ends"):
        walk(ground, mover("t_62", A), here, [B, Deed("overrun", hex=C), A])
    for changed in (small({C: "woods"}), small({C: "town"}), small({}, {}, [], {C: ["fort"]})):
        assert reach(changed, mover("t_62", A), here).stops[B].overruns == ()
    for work in ("mine_2_1", "block", "fort"):
        assert reach(small({}, {}, [], {B: [work]}), mover("t_62", A), here).stops[B].overruns == ()
    assert reach(ground, mover("btr_50", A), standing(("m60a1", C))).stops[B].overruns == ()
    assert reach(ground, mover("infantry_egypt", A), here).stops[B].assaults == (C,)
    assert reach(ground.with_works({C: ["mine_2_1"]}), mover("infantry_egypt", A), here).stops[B].assaults == ()
    steep = small({B: "slope"}, {hexside(A, B): ["crest"]})
    walk(steep, mover("t_10m", A), here, [B, Deed("overrun", hex=C)])
    with pytest.raises(BadQuestion, match="2 points"):
        walk(steep, mover("t_10m", A), here, [Hex(2, 0), A, B, Deed("overrun", hex=C)])


def test_flails_wrecks_and_smoke() -> None:
    ground = small({}, {}, [], {B: ["mine_2_1"], C: ["wreck"]})
    assert walk(ground, mover("pt_54_flail", A), Traffic(), [B, Deed("clear_mine")]).spent == 4
    with pytest.raises(BadQuestion, match="flails"):
        walk(ground, mover("t_62", B), Traffic(), [Deed("clear_mine")])
    assert walk(ground, mover("t_62", C), Traffic(), [Deed("clear_wreck")]).spent == 6
    with pytest.raises(BadQuestion, match="battle tanks"):
        walk(ground, mover("pt_76", C), Traffic(), [Deed("clear_wreck")])
    assert walk(ground, mover("t_62", A), Traffic(), [Deed("smoke")]).spent == 6


def test_bridge_layers() -> None:
    """Standard VII.B.2: from the hex next to the trench onto it, and there it stops."""
    ground = small({}, {}, [], {B: ["trench"]})
    assert reach(ground, mover("mtu_2", A), Traffic()).stops[B].spent == 6
    assert B not in reach(ground, mover("mtu_2", D), Traffic()).stops
    assert B not in reach(ground.with_works({B: ["trench", "mine_2_1"]}), mover("mtu_2", A), Traffic()).stops


def test_minefields() -> None:
    """Standard V.E.2: on entering and on leaving; engineers enter, flails pass; the mine left attacks first."""
    ground = small({}, {}, [], {B: ["mine_2_1"], C: ["mine_3_1"]})
    tank = mover("t_62", A)
    found = hazards(ground, tank, walk(ground, tank, Traffic(), [B, C]).legs)
    assert [(blast.kind, blast.hex) for blast in found.blasts] == [("mine_2_1", B), ("mine_2_1", B), ("mine_3_1", C)]
    assert sum(found.endings.values()) == 1
    assert found.through == F(1, 6) * F(1, 6) * F(1, 6)
    for unit, blasts in (("combat_engineer_arab", 0), ("pt_54_flail", 0), ("infantry_egypt", 1)):
        one = mover(unit, A)
        assert len(hazards(ground, one, walk(ground, one, Traffic(), [B]).legs).blasts) == blasts
    stop = reach(ground, tank, Traffic()).stops[D]
    assert (stop.spent, stop.mines, stop.safe) == (F(3), 4, F(4))
    walled = small({}, {}, [], {B: ["mine_2_1"]}, columns=2)
    straight = reach(walled, mover("t_62", A), standing(*[("m60a1", Hex(0, y)) for y in range(4)])).stops[C]
    assert straight.mines == 2 and straight.safe is None


def test_interdiction_attacks_every_spending() -> None:
    """Advanced III.D.3.c: a carrier that unloads and drives off is attacked twice."""
    rider = Occupant(GAME.units["infantry_egypt"], "1", "arab", frozenset({"loaded"}))
    carrier = Mover(GAME.units["btr_60"], A, "arab", "", frozenset(), (rider,))
    ground = small({}, {}, [], {B: ["interdiction"]})
    found = hazards(ground, carrier, walk(ground, carrier, Traffic(), [Deed("unload"), Hex(0, 0)]).legs)
    assert [blast.kind for blast in found.blasts] == ["interdiction"] * 2
    assert found.blasts[0].chances == {"D": F(1, 3), "-": F(2, 3)}  # 1-2 against armor
    assert sum(found.endings.values()) == 1 and found.through == F(4, 9)
    truck = mover("truck_egypt", A)
    soft = hazards(ground, truck, walk(ground, truck, Traffic(), [B]).legs)
    assert soft.blasts[0].chances == {"DD": F(1, 6), "D": F(1, 3), "-": F(1, 2)}  # 1-1
    assert not hazards(ground, mover("mi_8", A), walk(ground, mover("mi_8", A), Traffic(), [B]).legs).blasts


# The canal, on board A: H-4 is canal, H-3 and H-5 its banks (Advanced IV).


def canal(works: Mapping[str, Iterable[str]], **more: Mapping[str, str]) -> Ground:
    ground = Ground.of(GAME, "A-1", **more)  # type: ignore[arg-type]
    return ground.with_works({ground.hex(name): markers for name, markers in works.items()})


def test_entry_hexsides_of_h4() -> None:
    ground = canal({})
    assert {ground.map.name(hex) for hex in debouchments(ground, ground.hex("A-H-4"))} == {"A-H-3", "A-H-5"}


def test_nobody_enters_an_empty_canal_or_crosses_a_moraine() -> None:
    ground = canal({"A-H-4": ["trench", "bridge"]})
    h3, h4, h5, i4, i3 = map(ground.hex, ("A-H-3", "A-H-4", "A-H-5", "A-I-4", "A-I-3"))
    tank = mover("t_55", h3)
    with pytest.raises(BadQuestion, match=r"VI\.A\.1"):
        walk(canal({}), tank, Traffic(), [h4])
    with pytest.raises(BadQuestion, match="moraine"):
        walk(ground, mover("t_55", i3), Traffic(), [h4])
    with pytest.raises(BadQuestion, match="entry"):
        walk(ground, mover("t_55", h4), Traffic(), [i4])
    over = walk(ground, tank, Traffic(level="standard"), [h4, h5])
    assert [one.points for one in over.spendings] == [1, F(3, 2)]
    dune = canal({"A-H-4": ["trench", "bridge"]}, rulings={"bridge_entry_cost": "dune"})
    assert walk(dune, tank, Traffic(), [h4]).spent == F(3, 2)
    with pytest.raises(BadQuestion, match=r"VI\.D\.2"):
        walk(ground, tank, standing(("t_55", h4)), [h4])
    with pytest.raises(BadQuestion, match=r"VI\.D\.2"):
        walk(canal({"A-H-4": ["trench", "bridge", "wreck"]}), tank, Traffic(), [h4])
    shut = Traffic(shut=frozenset({h4}))
    with pytest.raises(BadQuestion, match="dispersed bridge"):
        walk(ground, tank, shut, [h4])
    with pytest.raises(BadQuestion, match=r"Basic III\.C\.5"):
        walk(ground, tank, Traffic(level="basic"), [h4])


def test_swimmers_spend_everything_and_start_next_to_the_cut() -> None:
    ground = canal({"A-H-4": ["trench"]})
    h2, h3, h4, h5 = map(ground.hex, ("A-H-2", "A-H-3", "A-H-4", "A-H-5"))
    assert walk(ground, mover("btr_50", h3), Traffic(), [h4]).spent == 6
    assert h4 not in reach(ground, mover("btr_50", h2), Traffic()).stops
    assert h4 not in reach(ground, mover("btr_50", h3), Traffic(level="standard")).stops
    assert h4 not in reach(ground, mover("t_55", h3), Traffic()).stops
    assert h4 not in reach(ground, mover("btr_50", h3), standing(("btr_60", h4))).stops
    assert walk(ground, mover("btr_50", h4), Traffic(), [h5]).spent == F(3, 2)
    paid = canal({"A-H-4": ["trench"]}, rulings={"cut_penalty": "paid"})
    assert walk(paid, mover("btr_50", h4), Traffic(), [h5]).spent == F(5, 2)


def test_infantry_bridges_and_ways_over() -> None:
    ground = canal({"A-H-4": ["bridge"]})
    h3, h4, h5 = map(ground.hex, ("A-H-3", "A-H-4", "A-H-5"))
    foot = mover("infantry_egypt", h3)
    assert walk(ground, foot, Traffic(), [h4]).spent == 1
    with pytest.raises(BadQuestion, match=r"IV\.C"):
        walk(ground, mover("t_55", h3), Traffic(), [h4])
    marching = mover("infantry_egypt", h3, quick=True)
    assert walk(ground, marching, Traffic(), [h4, h5]).spent == 1
    (way,) = crossings(ground, marching, Traffic())
    assert (way.how, way.turns, way.bar) == ("infantry bridge", 1, None)
    boats = {h4: 2, ground.hex("A-I-4"): 1}
    found = crossings(ground, foot, Traffic(), boats)
    assert {(one.how, one.turns) for one in found} == {("infantry bridge", 2), ("assault boat", 2)}
    afloat = canal({"A-H-4": ["trench"]})
    here = standing(("gsp_ferry", h4), ("t_55", h3))
    (ferry,) = crossings(afloat, mover("t_55", h3), here)
    assert (ferry.how, ferry.far, ferry.bar) == ("ferry", (h5,), None)
    loaded = walk(afloat, mover("gsp_ferry", h4), here, [Deed("load", ("t_55",), h3)])
    assert loaded.spent == 6
    after = Mover(GAME.units["gsp_ferry"], h4, "arab", "", frozenset(), loaded.after.passengers)
    assert walk(afloat, after, Traffic(), [Deed("unload", (), h5)]).spent == 6


def test_west_bank_positions_hold_two_and_one() -> None:
    ground = canal({"A-H-3": ["improved_position"], "A-H-5": ["improved_position"]})
    h3, h5 = ground.hex("A-H-3"), ground.hex("A-H-5")
    assert ground.west_bank(h3) and ground.east_bank(h5)
    two = standing(("infantry_egypt", h3), ("infantry_egypt", h3), ("infantry_egypt", h5), ("infantry_egypt", h5))
    with pytest.raises(BadQuestion, match=r"VI\.E\.3\.b"):
        walk(ground, mover("infantry_egypt", ground.hex("A-H-2")), two, [h3])
    walk(ground, mover("t_55", ground.hex("A-H-2")), two, [h3])
    walk(ground, mover("infantry_egypt", ground.hex("A-H-6")), two, [h5])


# Opportunity fire.


def test_the_example_of_a_quarter() -> None:
    """Standard III.B: with an allowance of 6 it is a point and a half, split move or not."""
    assert quarter(GAME, mover("m60a1", A)) == quarter(GAME, mover("m60a1", A, "inverted")) == F(3, 2)
    ground = small()
    firer = Firer(GAME.units["t_62"], Hex(3, 0))
    path = walk(ground, mover("m60a1", A, "inverted"), Traffic(), [B, C, D])
    found = opportunity(ground, Traffic(), path, [firer], lambda a, b: True)
    assert [(one.step, one.in_sight, one.first, one.failures) for one in found] == [
        (1, F(2), True, ()), (2, F(3), False, ())
    ]  # fmt: skip
    hidden = opportunity(ground, Traffic(), path, [firer], lambda a, b: b != C)
    assert hidden == ()
    again = opportunity(ground, Traffic(), path, [firer], lambda a, b: True, fired=[1])
    assert [one.step for one in again] == [1]
    assert opportunity(ground, Traffic(level="basic"), path, [firer], lambda a, b: True) == ()


def test_who_may_not_fire() -> None:
    ground = small(rows=20)
    path = walk(ground, mover("m60a1", A), Traffic(), [B, C])
    units = [("t_62", ""), ("t_62", "inverted"), ("how_122", ""), ("sagger", ""), ("truck_egypt", "")]
    firers = [Firer(GAME.units[unit], Hex(3, 5), str(i), frozenset(s.split())) for i, (unit, s) in enumerate(units)]
    far = Firer(GAME.units["infantry_egypt"], Hex(3, 15), "far")
    found = opportunity(ground, Traffic(), path, [*firers, far], lambda a, b: True)
    assert {one.firer.copy for one in found if not one.failures} == {"0", "3"}
    assert {one.firer.copy for one in found} == {"0", "1", "2", "3", "4", "far"}


def test_helicopters_become_targets_at_the_fourth_point() -> None:
    ground = small(columns=8, rows=8)
    path = walk(ground, mover("mi_8", Hex(0, 0)), Traffic(), [Hex(0, y) for y in range(1, 7)])
    gun = Firer(GAME.units["aa_20_m3"], Hex(3, 3))
    sees = in_sight(ground, path.mover)  # air units are always in sight
    assert [one.step for one in opportunity(ground, Traffic(), path, [gun], sees)] == [3, 4, 5]
    assert [one.step for one in opportunity(ground, Traffic(), path, [gun], sees, fired=[3, 4])] == [3, 4, 5]
    low = walk(ground, mover("mi_8", Hex(0, 0), "down"), Traffic(), [Hex(0, 1), Hex(0, 2)])
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
    ground = small(columns=2, rows=12)
    unit = mover("t_62", Hex(0, 0))
    total, made = F(0), []
    for i, (points, _) in enumerate(spendings):
        total += points
        made.append(Spending("move", Hex(0, i), Hex(0, i + 1), points, total, ()))
    path = Walk(unit, unit, F(99), tuple(made))
    seen = {Hex(0, i + 1): visible for i, (_, visible) in enumerate(spendings)}
    firer = Firer(GAME.units["m60a1"], Hex(1, 0))
    found = opportunity(ground, Traffic(), path, [firer], lambda a, b: seen[b], fired)
    assert [one.step for one in found] == active(spendings, F(3, 2), fired)


# Positions and renderers.


def test_a_move_from_a_position() -> None:
    ground = Ground.of(GAME, "S-8")
    hexes = [ground.hex(name) for name in ("D-R-5", "D-R-6", "D-R-7", "D-V-5")]
    pieces = (
        Piece("btr_152", "2321", "syria", hexes[0]),
        Piece("infantry_egypt", "1121", "syria", hexes[0], frozenset({"loaded"})),
        Piece("m60a1", "6511", "israel", hexes[3]),
        Piece("block", "1", "", hexes[2]),
    )
    position = Position(GAME.id, "S-8", 1, "", pieces)
    unit = mover_in(GAME, position, "btr_152")
    assert [one.unit.id for one in unit.passengers] == ["infantry_egypt"] and unit.side == "arab"
    here = traffic(GAME, position).without("btr_152", "2321")
    answer = move(ground, unit, here, to=hexes[1], sees=lambda a, b: True)
    assert answer.move is not None and answer.move.spent == 2
    held, lines = shown(move_nodes(answer))
    assert any("D-R-6" in line for line in lines)
    assert held["steps"][0]["cost"] == 2 and held["unit"] == "btr_152/2321" and held["shots"] == []
    whole, _ = shown(move_nodes(move(ground, unit, here)))
    assert whole["reach"] and "path" not in whole
    with pytest.raises(BadQuestion, match="out of reach"):
        move(ground, unit, here, to=ground.hex("D-A-1"))
    with pytest.raises(BadQuestion, match="no counter"):
        mover_in(GAME, position, "btr_153")
    t34 = mover("t_34_85", hexes[0])
    assert reach(ground, t34, here).bar is not None  # S-8 never lets them move
    assert shown(move_nodes(move(ground, t34, here)))[1][1].startswith("! stays")


def test_b_1_closes_the_canal_and_the_west() -> None:
    """A special rule of the Situation: nobody enters the canal or the ground west of it."""
    ground = Ground.of(GAME, "B-1")
    here = traffic(GAME, from_scenario(GAME, "B-1"))
    steps = Steps(ground, mover("amx_13", ground.hex("A-H-5")), here)
    assert here.level == "basic"
    bar = steps.ways(ground.hex("A-H-5"), ground.hex("A-H-4"))
    assert isinstance(bar, Bar) and bar.rule == "special rules"
    assert not isinstance(steps.ways(ground.hex("A-H-5"), ground.hex("A-H-6")), Bar)
