"""Every example of the rulebook of The Arab-Israeli Wars, each by its paragraph, asked as a player would."""

from __future__ import annotations

from assistant.attack import odds, unit_fields
from assistant.games.arab_israeli_wars.fire import fire
from assistant.games.arab_israeli_wars.forces import AskedAttack, Fighter, counter_fighter, field_on, sight_between
from scenarios.model.hexes import Hex, hexside
from scenarios.model.maps import HexMap
from tests.aiw_small import (
    GAME,
    NOBODY,
    A,
    B,
    C,
    D,
    Deed,
    Surroundings,
    crossings,
    hazards,
    mover,
    reach,
    scenario_table,
    small,
    standing,
    walk,
)
from tests.asking import ask_json, run_assistant

EXAMPLES = (
    "Basic II.A.1", "Basic III.A.1", "Basic III.A.2", "Basic VI.A.1.b", "Basic VI.D.3.b", "Basic VI.D.4.d",
    "Basic VII.C.4", "Basic VII.F.4.a", "Basic VII.F.4.b", "Basic VIII.C.3", "Standard II.A.2.c", "Standard II.D.4.c",
    "Standard III.B", "Standard IV.B.2", "Advanced I.C.7.b", "Advanced I.E.9.a", "Advanced II.F.8.a",
    "Advanced II.G.2", "Advanced II.G.3", "Advanced III.D.3.c", "Advanced IV", "Situations C.8", "Situation A-4",
    "Suez Canal Chart", "Suez Canal Chart, note 1",
)  # fmt: skip
"""All paragraphs with an example, a drawing explained, or a `thus` with numbers in it, in the rulebook's order."""


def fighter(unit: str, place: Hex) -> Fighter:
    unit_record = GAME.units[unit]
    return counter_fighter(GAME, unit, unit_record.side, unit_record.nation, place)


def test_a_range_of_eight() -> None:
    """Basic II.A.1: at 8 hexes or nearer, not at 9."""
    assert GAME.units["t_62"].factors["range"] == 8
    assert (
        ask_json("odds", "arab_israeli_wars", "direct_fire", "firers=t_62:distance=8", "targets=m60a1")[
            "attack_strength"
        ]
        == 7
    )
    assert "out of range" in run_assistant(
        "odds", "arab_israeli_wars", "direct_fire", "firers=t_62:distance=9", "targets=m60a1", code=2
    )


def test_the_towns_of_board_a() -> None:
    """Basic III.A.1: A-R-2 is one of two town hexes, A-S-1 the other."""
    field = field_on(GAME, "A")
    towns = {field.hex_map.name(hex) for hex, kind in field.hex_map.terrain.items() if kind == "town"}
    assert towns == {"A-R-2", "A-S-1"}


def test_a_seam_hex() -> None:
    """Basic III.A.2: lettered edge to lettered edge, A-R-1 is B-P-1."""
    field = field_on(GAME, "A / B turned")
    assert field.hex_map.hex("A-R-1") == field.hex_map.hex("B-P-1")
    assert ask_json("los", "arab_israeli_wars", "--map", "A / B turned", "B-P-1", "A-R-2")["from"] == "A-R-1"


def test_odds_round_down() -> None:
    """Basic VI.A.1.b: 11 to 3 is 3-1, 3 to 11 is 1-4."""
    assert ask_json("odds", "arab_israeli_wars", "11:3")["column"] == "3-1"
    assert ask_json("odds", "arab_israeli_wars", "3:11")["column"] == "1-4"


def test_a_balanced_group() -> None:
    """Basic VI.D.3.b: for a missile it is infantry, for rifles armor, in one and the same attack."""
    firers = "firers=sagger:distance=3,infantry_egypt:distance=3"
    answer = ask_json("odds", "arab_israeli_wars", "direct_fire", firers, "targets=m60a1,infantry_israel", "--anyway")
    effects = {unit["name"]: unit["values"]["effect"] for unit in answer["units"] if unit["group"] == "firers"}
    missile, rifles = (GAME.tables["weapons"].cells[row] for row in ("direct/G", "direct/I"))
    columns = GAME.tables["weapons"].columns.labels
    assert effects == {
        "Sagger missile": int(missile[columns.index("NA 1-4")]),
        "Infantry": int(rifles[columns.index("A 3-6")]),
    }


def test_missiles_do_not_overrun() -> None:
    """Basic VI.D.4.d: the chart has no line for G in overruns."""
    assert not any(row.startswith("overrun/G") for row in GAME.tables["weapons"].cells)
    assert "can't overrun" in run_assistant(
        "odds", "arab_israeli_wars", "overrun", "attackers=brdm", "targets=infantry_israel", code=2
    )


def test_behind_a_dune() -> None:
    """Basic VII.C.4: who is right behind the dune is seen and hull down, who is far behind it isn't seen."""
    field = field_on(GAME, small(sides={hexside(B, C): ["sand_dune"]}, rows=6).map)
    near_look, far_look = (sight_between(field, fighter("t_62", A), fighter("m60a1", hex)) for hex in (C, D))
    assert near_look.clear and near_look.shields and not far_look.clear


def test_shielded_from_any_attacker() -> None:
    """Basic VII.F.4.a: not from a slope alone, but as soon as somebody on the ground joins in."""
    high_hex, low, target_hex = Hex(1, 0), Hex(0, 2), Hex(1, 3)
    sides = {hexside(target_hex, neighbour): ["sand_dune"] for neighbour in (Hex(1, 2), Hex(0, 3))}
    field = field_on(GAME, small({high_hex: "slope"}, sides, rows=6).map)
    target = (fighter("m60a1", target_hex),)

    def die(*hexes: Hex) -> int:
        return (
            fire(AskedAttack(GAME, "direct_fire", tuple(fighter("t_62", hex) for hex in hexes), target, field))
            .fates[0]
            .die
        )

    assert (die(high_hex), die(low), die(high_hex, low)) == (0, 2, 2)


def test_fire_at_an_overrun() -> None:
    """Basic VII.F.4.b: nothing shields from who is overrun, but with another firer it does."""
    overrun, other_hex, target_hex = Hex(1, 2), Hex(0, 3), Hex(1, 3)
    field = field_on(GAME, small({}, {hexside(target_hex, hex): ["ridge"] for hex in (overrun, other_hex)}, rows=6).map)

    def die(*hexes: Hex) -> int:
        firers = tuple(fighter("t_62", hex) for hex in hexes)
        target = fighter("m60a1", target_hex)
        everyone = (*firers, target, fighter("t_55", overrun))
        battle = AskedAttack(GAME, "opportunity_fire", firers, (target,), field, {}, everyone, overrun)
        return fire(battle).fates[0].die

    assert (die(overrun), die(other_hex), die(overrun, other_hex)) == (0, 2, 2)


def test_town_and_fort() -> None:
    """Basic VIII.C.3: three units of 2 are 11 in a town and 36 in a fort."""
    targets = "targets=sagger+spotted,sagger+spotted,sagger+spotted"
    assert (
        ask_json("odds", "arab_israeli_wars", "direct_fire", "firers=m60a1", targets, "terrain=town")[
            "defense_strength"
        ]
        == 11
    )
    assert (
        ask_json("odds", "arab_israeli_wars", "direct_fire", "firers=m60a1", targets, "works=fort")["defense_strength"]
        == 36
    )


def test_a_howitzer_of_range_44() -> None:
    """Standard II.A.2.c: from 11 to 44 hexes, and direct fire nearer too. No counter has 44, so it is told."""
    for unit, max_range in (("how_122", 48), ("rocket_140", 36), ("how_25lbr", 35)):
        min_range = -(-max_range // 4)
        fits = [f"{unit}:distance={n}" for n in (min_range, max_range)]
        for firer in fits:
            ask_json("odds", "arab_israeli_wars", "indirect_fire", f"firers={firer}", "targets=infantry_israel")
        short = run_assistant(
            "odds",
            "arab_israeli_wars",
            "indirect_fire",
            f"firers={unit}:distance={min_range - 1}",
            "targets=infantry_israel",
            code=2,
        )
        assert "Standard II.A.2.c" in short
        assert "Standard II.A.2.b" in run_assistant(
            "odds",
            "arab_israeli_wars",
            "indirect_fire",
            f"firers={unit}:distance={max_range + 1}",
            "targets=infantry_israel",
            code=2,
        )
        ask_json(
            "odds",
            "arab_israeli_wars",
            "direct_fire",
            f"firers={unit}:distance={min_range - 1}",
            "targets=infantry_israel",
        )
    target = unit_fields(GAME, "infantry_israel")
    for distance, is_allowed in ((10, False), (11, True), (44, True), (45, False)):
        gun = {**unit_fields(GAME, "how_122", distance=distance), "range": 44}
        assert bool(odds(GAME, "indirect_fire", {"firers": [gun], "targets": [target]}).failures) is not is_allowed


def test_an_overrun_goes_up_a_column() -> None:
    """Standard II.D.4.c: odds of 2-1 are resolved on 3-1."""
    answer = ask_json("odds", "arab_israeli_wars", "overrun", "attackers=t_55,t_55", "targets=infantry_israel")
    assert (answer["start"], answer["column"]) == ("2-1", "3-1")


def test_a_fourth_of_six() -> None:
    """Standard III.B: an allowance of 6 makes a target after 1½ points, split move or not."""
    for states in ((), ("inverted",)):
        shots = walk(small(), mover("m60a1", A, *states), standing(("t_62", Hex(3, 0))), [B, C]).move_answer["fired_at"]
        assert [shot["step"] for shot in shots] == [1]
    assert reach(small(rows=8), mover("m60a1", A, "inverted"), NOBODY).points == 3


def test_morale_a() -> None:
    """Standard IV.B.2: level A, not infantry: 1 to 5."""
    answer = ask_json("morale", "arab_israeli_wars", "--unit", "m60a1", "--level", "A")
    assert (answer["recovers_on"], answer["chance"]) == ("1-5", "5/6")


def test_the_second_wave() -> None:
    """Advanced I.C.7.b: who was dispersed by the first wave is one off the die for the second."""
    strike = "strikes=jet_israel:points=21:kind=A:carried=yes"
    first = ask_json("odds", "arab_israeli_wars", "air_strike", strike, "targets=t_62")
    second = ask_json("odds", "arab_israeli_wars", "air_strike", strike, "targets=t_62+dispersed")
    assert (first["targets"][0]["die"], second["targets"][0]["die"]) == (0, -1)


def test_six_saggers_in_a_helicopter() -> None:
    """Advanced I.E.9.a: two Saggers are one passenger, so six of them fit, seven don't."""
    for load, may in ((["sagger"] * 6, True), (["sagger"] * 7, False), (["infantry_egypt"] * 4, False)):
        assert ask_json("ask", "arab_israeli_wars", "carry", "unit=mi_8", f"load={','.join(load)}")["may"] is may


def test_reserve_reloads() -> None:
    """Advanced II.F.8.a: a reserve for every full three Saggers; nine Saggers have three."""
    reloads = GAME.markers["sagger_reload"]
    assert GAME.units["sagger"].count == 9 and reloads.count == 9 + 9 // 3


def test_a_minefield_attacks_at_its_odds() -> None:
    """Advanced II.G.2: a 3-1 minefield at 3-1."""
    assert ask_json("odds", "arab_israeli_wars", "minefield", "mine=mine_3_1", "targets=t_62")["column"] == "3-1"


def test_engineers_attack_at_the_reverse() -> None:
    """Advanced II.G.3: a 3-1 minefield at 1-3."""
    answer = ask_json("odds", "arab_israeli_wars", "clear_mines", "engineers=combat_engineer_arab", "mine=mine_3_1")
    assert answer["column"] == "1-3"


def test_a_carrier_is_interdicted_twice() -> None:
    """Advanced III.D.3.c: once as it unloads and once as it drives off."""
    carrier = mover("btr_60", A, riders=("infantry_egypt",))
    table = small({}, {}, [], {B: ["interdiction"]})
    hazard_report = hazards(table, carrier, [Deed("unload"), Hex(0, 0)])
    assert [blast.kind for blast in hazard_report.blasts] == ["interdiction", "interdiction"]


def test_debouchments_of_h4() -> None:
    """Advanced IV: H-3 and H-5 are those of the canal hex H-4."""
    table = scenario_table("A-1", {"A-H-4": ["bridge"]})
    for bank, opposite_bank in (("A-H-3", "A-H-5"), ("A-H-5", "A-H-3")):
        (way,) = crossings(table, mover("infantry_egypt", table.hex(bank)))
        assert way.manner == "infantry bridge" and way.far_hexes == {opposite_bank}


def test_a_strike_of_21_points() -> None:
    """Situations C.8: a strike by itself or carried by an aircraft is of 21 points either way."""
    plain_strike = ask_json(
        "odds", "arab_israeli_wars", "air_strike", "strikes=jet_israel:points=21:kind=A", "targets=t_62"
    )
    carried_strike = ask_json(
        "odds", "arab_israeli_wars", "air_strike", "strikes=jet_israel:points=21:kind=A:carried=yes", "targets=t_62"
    )
    assert plain_strike["attack_strength"] == carried_strike["attack_strength"] == 42


def test_road_junctions_of_b() -> None:
    """Situation A-4: CC-3 and D-5 are junctions, BB-4 isn't."""
    table = GAME.scenario_maps["A-4"]
    assert isinstance(table, HexMap)
    roads = [side for side, path_kinds in table.path_sides.items() if "road" in path_kinds]
    counts = {name: sum(table.hex(name) in side for side in roads) for name in ("B-CC-3", "B-D-5", "B-BB-4")}
    assert counts["B-CC-3"] == counts["B-D-5"] == 3 and counts["B-BB-4"] != 3


def test_the_canal_chart() -> None:
    """Suez Canal Chart: cuts at the entry hexsides, a fort on the east bank, positions on either."""
    cut = ("--with", "trench@A-H-4")
    assert not ask_json("los", "arab_israeli_wars", "--map", "A", "A-H-3", "A-H-5")["clear"]
    assert ask_json("los", "arab_israeli_wars", "--map", "A", *cut, "A-H-3", "A-H-4")["clear"]
    assert not ask_json("los", "arab_israeli_wars", "--map", "A", *cut, "A-H-3", "A-H-5", "--with", "smoke@A-H-4")[
        "clear"
    ]
    east, west = "A-H-5", "A-H-3"
    for bank, marker, viewer, clear in (
        (east, "fort", "infantry", True),
        (east, "improved_position", "infantry", False),
        (east, "improved_position", "ground", True),
        (west, "improved_position", "infantry", True),
        (west, "fort", "infantry", False),
    ):
        words = ("--scenario", "A-1", bank, "A-H-4", "--with", f"{marker}@{bank}", "--viewer", viewer)
        assert ask_json("los", "arab_israeli_wars", *words)["clear"] is clear


def test_a_full_canal_hex() -> None:
    """Suez Canal Chart, note 1: on trench and bridge one unit, one swimmer (a ferry with a passenger) and two boats."""
    table = scenario_table("A-1", {"A-H-4": ["trench", "bridge"]})
    h3, h4 = table.hex("A-H-3"), table.hex("A-H-4")

    def units_in_hex(*units: str) -> Surroundings:
        """A plus marks a passenger: of the unit before it, or in a boat."""
        return Surroundings(tuple((unit.strip("+"), h4, "loaded" * (unit[0] == "+")) for unit in units))

    def ways(unit: str, *other_units: str) -> dict[str, bool]:
        return {
            crossing.manner: not crossing.bar
            for crossing in crossings(table, mover(unit, h3), units_in_hex(*other_units), {h4: 9})
        }

    boat, rider = "+sagger", "+infantry_egypt"
    assert ways("infantry_egypt") == {"pontoon bridge": True, "assault boat": True}
    assert ways("t_55", "t_62")["pontoon bridge"] is False
    assert ways("btr_50", "t_62") == {"pontoon bridge": False, "swimming": True, "assault boat": False}
    assert ways("btr_50", "t_62", "btr_50")["swimming"] is False
    assert ways("infantry_egypt", boat, "t_62", "btr_50", rider)["assault boat"] is True
    assert ways("infantry_egypt", boat, boat, "t_62", "btr_50")["assault boat"] is False
    assert ways("infantry_egypt", boat, boat, boat)["assault boat"] is True
    assert ways("infantry_egypt", boat, boat, boat, boat)["assault boat"] is False
    assert ways("t_55", "gsp_ferry")["ferry"] is True


def test_no_example_is_missing() -> None:
    docstrings = {
        name: function.__doc__ for name, function in globals().items() if name.startswith("test_") and function.__doc__
    }
    assert sorted(doc.partition(":")[0] for doc in docstrings.values()) == sorted(EXAMPLES)
