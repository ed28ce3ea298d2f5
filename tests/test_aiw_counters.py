"""The counters and charts of The Arab-Israeli Wars against facts typed straight from its rulebook."""

from collections import Counter
from fractions import Fraction

import pytest

from scenarios.model.game import Game
from scenarios.model.tables import span
from scenarios.pack.loading import read_game
from scenarios.pack.pack_folder import find_pack

# Every row of the Unit Function Table: id, first and last number, how many there are, zeros skipped.
ARAB = [
    ("atg_17lbr", "0111", "0112", 2), ("how_25lbr", "0211", "0212", 2), ("atg_85", "0321", "0322", 2),
    ("how_122", "0421", "0423", 3), ("mortar_120_arab", "0521", "0522", 2),
    ("infantry_jordan", "1111", "1119", 9), ("infantry_egypt", "1121", "1139", 18),
    ("commando", "1321", "1324", 4), ("mortar_82_egypt", "1411", "1413", 3), ("sagger", "1621", "1629", 9),
    ("rg_107", "1721", "1723", 3), ("combat_engineer_arab", "1821", "1822", 2),
    ("construction_engineer_arab", "1921", "1922", 2),
    ("truck_jordan", "2111", "2112", 2), ("truck_egypt", "2121", "2124", 4), ("m113_jordan", "2211", "2214", 4),
    ("btr_152", "2321", "2325", 5), ("btr_50", "2421", "2432", 11), ("btr_60", "2521", "2532", 11),
    ("ot_62", "2621", "2625", 5), ("bmp", "2721", "2732", 11),
    ("jeep_106_jordan", "3111", "3112", 2), ("pt_76", "3221", "3222", 2), ("rocket_140", "4121", "4122", 2),
    ("su_100", "5121", "5123", 3), ("t_34_100", "5221", "5222", 2), ("brdm", "5321", "5323", 3),
    ("t_34_85", "6121", "6133", 12), ("t_55", "6221", "6241", 19), ("t_10m", "6321", "6326", 6),
    ("t_62", "6421", "6441", 19), ("centurion_iii", "6511", "6517", 7),
    ("mtu_2", "7121", "7122", 2), ("pt_54_flail", "7221", "7222", 2), ("gsp_ferry", "7320", "7320", 1),
    ("pmp_carrier", "7421", "7422", 2), ("mlg_minelayer", "7520", "7520", 1),
    ("shilka", "8101", "8102", 2), ("zpu_4", "8201", "8203", 3), ("s_60", "8301", "8302", 2),
    ("mi_8", "9121", "9124", 4), ("jet_arab", "9901", "9902", 2),
]  # fmt: skip
ISRAELI = [
    ("infantry_israel", "1111", "1129", 18), ("machine_gun", "1211", "1214", 4), ("mortar_81", "1411", "1412", 2),
    ("cobra", "1511", "1512", 2), ("combat_engineer_israel", "1811", "1813", 3),
    ("pontoon_engineer", "1911", "1912", 2), ("truck_israel", "2111", "2114", 4),
    ("m3_halftrack", "2211", "2223", 12), ("m113a1", "2311", "2323", 12), ("scout_jeep", "3111", "3112", 2),
    ("jeep_106_israel", "3211", "3212", 2), ("amx_13", "3311", "3317", 7), ("armored_infantry", "3411", "3421", 10),
    ("mortar_120_m3", "4111", "4112", 2), ("ss11_m3", "5110", "5110", 1), ("atg_90_m3", "5211", "5212", 2),
    ("tow_m113", "5311", "5312", 2), ("sherman_50", "6111", "6113", 3), ("sherman_51", "6211", "6217", 7),
    ("sherman_51hv", "6311", "6317", 7), ("m48a5", "6411", "6421", 10), ("m60a1", "6511", "6517", 7),
    ("centurion_viii", "6611", "6617", 7), ("patturion", "6711", "6721", 10), ("ti_67", "6811", "6817", 7),
    ("sherman_flail", "7111", "7112", 2), ("m60_avlb", "7211", "7212", 2), ("motorized_ferry", "7311", "7312", 2),
    ("aa_20_m3", "8001", "8002", 2), ("huey_gunship", "9111", "9113", 3), ("uh_1", "9211", "9212", 2),
    ("jet_israel", "9901", "9904", 4),
]  # fmt: skip
ROWS = ARAB + ISRAELI

# Attack, weapon, range, defense, movement as the force pictures of the Situations show them.
PICTURES = [
    ("B-1", "sherman_51", "16 A 10 10 5"), ("B-1", "sherman_50", "14 A 10 10 5"), ("B-1", "amx_13", "13 A 12 9 7"),
    ("B-1", "t_34_85", "7 A 8 7 6"), ("B-1", "su_100", "16 A 8 15 7"),
    ("S-4", "scout_jeep", "2 I 6 3 10"), ("S-4", "jeep_106_israel", "16 A 4 3 10"),
    ("S-4", "truck_israel", "0 - 0 1 10"), ("S-4", "infantry_israel", "7 I 4 8 1"),
    ("S-4", "machine_gun", "5 I 6 6 1"), ("S-4", "mortar_81", "4 M 19 3 1"),
    ("S-4", "combat_engineer_israel", "3 I 2 7 1"), ("S-4", "jeep_106_jordan", "16 A 4 4 10"),
    ("S-4", "atg_17lbr", "14 A 10 1 0"), ("S-4", "how_25lbr", "9 (H) 35 2 0"),
    ("S-4", "infantry_jordan", "6 I 6 8 1"), ("S-4", "centurion_iii", "16 A 12 14 5"),
    ("S-6", "atg_90_m3", "18 A 6 3 6"), ("S-6", "ti_67", "18 A 12 13 6"), ("S-6", "t_55", "10 A 8 10 6"),
    ("S-6", "mortar_120_arab", "9 M 23 2 0"), ("S-6", "brdm", "40 G 12 6 10"), ("S-6", "btr_50", "3 I 4 5 6"),
    ("S-6", "ot_62", "7 A 4 5 6"), ("S-6", "infantry_egypt", "6 I 6 8 1"),
    ("S-7", "sherman_51hv", "22 A 10 11 5"), ("S-7", "armored_infantry", "12 I 6 5 8"),
    ("S-7", "patturion", "25 A 12 16 6"), ("S-7", "centurion_viii", "25 A 12 15 5"),
    ("S-7", "mortar_120_m3", "9 M 25 3 6"), ("S-7", "atg_85", "14 A 8 2 3"), ("S-7", "rg_107", "15 A 4 2 1"),
    ("S-7", "mortar_82_egypt", "4 M 12 3 1"), ("S-7", "btr_60", "5 I 8 5 10"), ("S-7", "btr_152", "3 I 4 4 9"),
    ("S-7", "truck_egypt", "0 - 0 1 10"), ("S-8", "sagger", "30 G 12 2 1"), ("S-8", "how_122", "13 (H) 48 1 0"),
    ("S-8", "rocket_140", "21 (H) 36 2 8"), ("S-9", "m48a5", "25 A 14 15 6"), ("S-9", "m60a1", "25 A 14 16 6"),
    ("S-9", "combat_engineer_arab", "5 I 4 10 1"), ("S-9", "construction_engineer_arab", "2 I 4 6 1"),
    ("S-11", "cobra", "30 G 8 2 1"), ("S-11", "t_62", "14 A 8 10 6"), ("S-11", "pt_76", "7 A 6 4 6"),
    ("S-11", "pt_54_flail", "7 A 8 10 6"), ("S-11", "mtu_2", "2 I 4 6 6"), ("S-12", "bmp", "10 A 3 6 8"),
    ("S-12", "m113a1", "5 I 6 5 8"), ("S-12", "m3_halftrack", "3 I 6 3 8"), ("S-12", "m113_jordan", "3 I 6 4 8"),
    ("S-12", "commando", "5 I 4 6 1"), ("S-13", "t_10m", "12 A 8 11 5"), ("S-13", "motorized_ferry", "0 - 0 3 1"),
    ("S-13", "pontoon_engineer", "1 I 2 5 1"), ("A-3", "mi_8", "0 * 0 12 32"),
    ("A-4", "sherman_flail", "11 A 8 9 5"), ("A-5", "gsp_ferry", "0 - 0 3 6"), ("A-5", "t_34_100", "17 A 12 5 6"),
    ("A-7", "tow_m113", "50 G 12 5 8"), ("A-7", "huey_gunship", "12 A 6 18 40"),
]  # fmt: skip

# The Weapons Effectiveness Chart, block by block: D doubled, N normal, H halved, Q quartered, - not allowed.
LETTERS = {"T": 3, "D": 2, "N": 1, "H": Fraction(1, 2), "Q": Fraction(1, 4), "-": 0}
CHART = {
    # armored 1-2, 3-6, 7+; not armored 1-4, 5+; aircraft 1-4, 5-6, 7+
    "direct/I": "N-- NH NHH",
    "direct/A": "DNH HQ HQ-",
    "direct/H": "NHH DD ---",
    "direct/M": "NHH DD ---",
    "direct/(H)": "NHH DD ---",
    "direct/G": "-NN -- ---",
    "direct/AA": "--- -- NNH",
    "indirect/M": "HHH NN ---",
    "indirect/(H)": "HHH NN ---",
    "overrun/A": "N-- N- ---",
    "overrun/I": "--- N- ---",
    "close_assault/I": "D-- N- ---",
    "air_strike/A": "DNH H- ---",
    "air_strike/G": "NNN -- ---",
    "air_strike/H": "H-- N- ---",
    "air_strike/(H)": "H-- N- ---",
    # notes 3, 5, 6 and 7
    "direct/I overrun": "D-- N- ---",
    "direct/I overrun after 1970 egypt": "T-- N- ---",
    "direct/A after 1960 israel": "DDH HQ HQ-",
    "direct/A after 1967 jordan": "DDH HQ HQ-",
    "direct/G TOW": "NNN -- ---",
    "close_assault/I after 1970 egypt": "T-- N- ---",
}


@pytest.fixture(scope="module")
def game() -> Game:
    loaded_game, _ = read_game(find_pack("arab_israeli_wars"), [], False)
    assert loaded_game is not None
    return loaded_game


def units_with(game: Game, ability: str) -> set[str]:
    return {key for key, unit in game.units.items() if ability in unit.abilities}


def test_every_type_of_the_table_and_no_other(game: Game) -> None:
    assert set(game.units) == {row[0] for row in ROWS}


@pytest.mark.parametrize(("unit", "first", "last", "count"), ROWS)
def test_numbers(game: Game, unit: str, first: str, last: str, count: int) -> None:
    unit_record = game.units[unit]
    assert (unit_record.numbers[0], unit_record.numbers[-1]) == (first, last)
    assert unit_record.count == len(unit_record.numbers) == count


def test_totals(game: Game) -> None:
    totals: Counter[str] = Counter()
    for unit in game.units.values():
        totals[unit.side] += unit.count
    assert totals == {"arab": 212, "israeli": 162}


def test_no_number_twice_on_a_side(game: Game) -> None:
    for side in ("arab", "israeli"):
        numbers = [n for unit in game.units.values() if unit.side == side for n in unit.numbers]
        assert len(numbers) == len(set(numbers))


def test_first_digit_is_the_class(game: Game) -> None:
    classes = [
        "towed_artillery",
        "infantry",
        "transport",
        "light_armor",
        "spa",
        "tank_destroyer",
        "battle_tank",
        "engineering_vehicle",
        "anti_aircraft",
        "air",
    ]
    for unit in game.units.values():
        assert {n[0] for n in unit.numbers} == {str(classes.index(unit.class_))}, unit.id


def test_third_digit_one_is_jordanian(game: Game) -> None:
    """But for the 82mm mortars, whose ruling says why."""
    for unit in game.units.values():
        if unit.side == "arab" and unit.id != "mortar_82_egypt":
            assert (unit.nation == "jordan") == all(n[2] == "1" for n in unit.numbers), unit.id


@pytest.mark.parametrize(("situation", "unit", "expected_text"), PICTURES)
def test_factors_of_the_force_pictures(game: Game, situation: str, unit: str, expected_text: str) -> None:
    factors = game.units[unit].factors
    actual_text = " ".join(str(factors[f]) for f in ("attack", "weapon", "range", "defense", "movement"))
    assert actual_text == expected_text, situation


def test_hull_down_and_target(game: Game) -> None:
    russian = {"t_34_85", "t_10m", "t_55", "ti_67", "t_62"}
    for unit in game.units.values():
        expected_value = 0 if unit.class_ == "air" else 1 if unit.id in russian else 2
        assert unit.factors["hull_down"] == expected_value, unit.id
    armor_units = {key for key, unit in game.units.items() if unit.factors["target"] == "A"}
    apcs = {"m113_jordan", "btr_152", "btr_50", "btr_60", "ot_62", "bmp", "m3_halftrack", "m113a1"}
    other_units = {"pt_76", "amx_13", "armored_infantry", "mortar_120_m3", "aa_20_m3"}
    vehicles = {"mtu_2", "pt_54_flail", "sherman_flail", "m60_avlb"}
    tanks = {key for key, unit in game.units.items() if unit.class_ in ("battle_tank", "tank_destroyer")}
    assert armor_units == apcs | other_units | vehicles | tanks
    assert {unit.class_ for unit in game.units.values() if unit.factors["target"] == "F"} == {"air"}


def test_modes_fit_the_weapon(game: Game) -> None:
    for unit in game.units.values():
        weapon, has = unit.factors["weapon"], unit.abilities
        if unit.class_ != "air":
            assert ("indirect_fire" in has) == (weapon in ("M", "(H)")), unit.id
        assert weapon == "AA" or "anti_aircraft_fire" not in has
        assert "overrun" not in has or weapon in ("A", "I"), unit.id
        assert "close_assault" not in has or (weapon == "I" and unit.class_ == "infantry"), unit.id
        assert (weapon == "-") == ("direct_fire" not in has), unit.id
        if unit.class_ == "battle_tank":
            assert {"direct_fire", "opportunity_fire", "overrun"} <= has
            assert (unit.side == "israeli") == ({"split_move_fire", "carries_bridge"} <= has)


def test_passengers_and_carriers(game: Game) -> None:
    """Basic V.B: all infantry class, and towed artillery on trucks alone; the towed AA guns by ruling."""
    assert units_with(game, "passenger_infantry") == {k for k, u in game.units.items() if u.class_ == "infantry"}
    towed_units = {k for k, u in game.units.items() if u.class_ == "towed_artillery"}
    assert units_with(game, "passenger_towed") == towed_units | {"zpu_4", "s_60"}
    assert units_with(game, "carries_towed") == {"truck_jordan", "truck_egypt", "truck_israel"}
    assert units_with(game, "carries_infantry") == {
        "m113_jordan",
        "btr_152",
        "btr_50",
        "btr_60",
        "ot_62",
        "bmp",
        "m3_halftrack",
        "m113a1",
    }
    assert units_with(game, "carries_three") == {"mi_8", "uh_1"}
    assert units_with(game, "carries_any") == units_with(game, "ferry") == {"gsp_ferry", "motorized_ferry"}
    assert units_with(game, "half_passenger") == units_with(game, "reloads") == {"sagger", "cobra"}


def test_named_abilities(game: Game) -> None:
    assert units_with(game, "flail") == {"sherman_flail", "pt_54_flail"}
    assert units_with(game, "bridging") == {"m60_avlb", "mtu_2"}
    assert units_with(game, "engineer_standard") == {"combat_engineer_arab", "combat_engineer_israel"}
    assert units_with(game, "engineer_advanced") == {"construction_engineer_arab", "pontoon_engineer"}
    assert units_with(game, "infantry_morale") == {"infantry_jordan", "infantry_egypt", "infantry_israel", "commando"}
    assert units_with(game, "wire_guided") == {k for k, u in game.units.items() if u.factors["weapon"] == "G"}
    assert units_with(game, "special_infantry") == units_with(game, "infantry_morale") | {"machine_gun"}
    assert units_with(game, "minelayer") == {"mlg_minelayer"}
    assert units_with(game, "close_missile") == {"tow_m113"}
    assert units_with(game, "truck_rate") == {
        "truck_jordan",
        "truck_egypt",
        "truck_israel",
        "btr_152",
        "btr_60",
        "rocket_140",
        "brdm",
        "pmp_carrier",
        "mlg_minelayer",
    }


def test_columns_of_the_table(game: Game) -> None:
    """Split move and fire, cross-country, amphibious, smoke, overrun, opportunity fire: the dots, drift undone."""
    tanks = {key for key, unit in game.units.items() if unit.class_ == "battle_tank"}
    israeli_units = {key for key in tanks if game.units[key].side == "israeli"}
    trucks = {"truck_jordan", "truck_egypt", "truck_israel"}
    carriers = {"m113_jordan", "btr_152", "btr_50", "btr_60", "ot_62", "bmp", "m3_halftrack", "m113a1"}
    jeeps = {"jeep_106_jordan", "jeep_106_israel", "scout_jeep"}
    assert units_with(game, "split_move_fire") == israeli_units | jeeps | {
        "m3_halftrack",
        "m113a1",
        "amx_13",
        "armored_infantry",
        "mortar_120_m3",
        "ss11_m3",
        "atg_90_m3",
        "tow_m113",
    }
    assert units_with(game, "cross_country") == trucks | jeeps | {
        "m113_jordan",
        "btr_50",
        "ot_62",
        "rocket_140",
        "shilka",
        "m3_halftrack",
        "m113a1",
        "armored_infantry",
        "tow_m113",
    }
    assert units_with(game, "amphibious") == {
        "m113_jordan",
        "btr_50",
        "btr_60",
        "ot_62",
        "bmp",
        "pt_76",
        "brdm",
        "gsp_ferry",
        "m113a1",
        "armored_infantry",
        "tow_m113",
        "motorized_ferry",
    }
    assert units_with(game, "smoke") == (tanks - {"t_34_85", "sherman_50", "m48a5", "m60a1"}) | {
        "how_25lbr",
        "how_122",
        "mortar_120_arab",
        "infantry_jordan",
        "infantry_egypt",
        "commando",
        "mortar_82_egypt",
        "combat_engineer_arab",
        "infantry_israel",
        "machine_gun",
        "mortar_81",
        "amx_13",
        "armored_infantry",
        "mortar_120_m3",
    }
    assert units_with(game, "overrun") == tanks | carriers | {"pt_76", "su_100", "amx_13", "armored_infantry"}
    assert units_with(game, "direct_fire") - units_with(game, "opportunity_fire") == {
        "how_25lbr",
        "how_122",
        "mortar_120_arab",
        "mortar_82_egypt",
        "construction_engineer_arab",
        "rocket_140",
        "mortar_81",
        "pontoon_engineer",
        "mortar_120_m3",
        "sherman_flail",
        "jet_arab",
        "jet_israel",
    }
    assert units_with(game, "close_assault") == units_with(game, "special_infantry") | units_with(
        game, "engineer_standard"
    )
    assert units_with(game, "anti_tank_howitzer") == {"how_122"} and units_with(game, "no_spotting") == trucks


def test_every_known_contradiction_has_a_ruling(game: Game) -> None:
    contradictions = """dispersed_die ti_67_hull_down mortar_weapon smoke_die bridges_apart infantry_27 off_board_strengths
        bridge_assault block_hexes overrun_town_fort spotted_removed west_bank_position trench_gap sheet_totals
        marker_counts t_55_carrier S-12_pt_76 S-5_length A-5_length A-7_length A-7_first A-6_air"""
    for name in contradictions.split():
        ruling = game.rulings[name]
        assert len(ruling.readings) >= 2 and ruling.choice in ruling.readings and ruling.why, name


def test_spotted_markers_come_off_first(game: Game) -> None:
    """The ruling spotted_removed, in every sequence."""
    for sequence in game.sequence.values():
        for phase in sequence.phases:
            if phase.id.endswith("_fire"):
                assert phase.phases[0].id == phase.id.replace("_fire", "_unspot")


def test_jets_and_bridge(game: Game) -> None:
    assert game.units["jet_arab"].factors["defense"] == 18
    assert game.units["jet_israel"].factors["defense"] == 24
    assert game.markers["bridge"].factors["defense"] == "24"
    assert game.markers["bridge"].count == 6


def test_markers_serve_every_situation(game: Game) -> None:
    """A-4 needs most: six forts, twelve improved positions, nine blocks, nine mines 1-1, three each of the others."""
    min_counts = {
        "fort": 6,
        "improved_position": 12,
        "block": 9,
        "mine_1_1": 9,
        "mine_2_1": 6,
        "mine_3_1": 3,
        "trench": 7,
    }
    for marker, count in min_counts.items():
        assert (game.markers[marker].count or 0) >= count
    reloads = game.markers["sagger_reload"]
    assert reloads.count == game.units["sagger"].count + 3
    assert reloads.numbers == (("1621", "1629"),)
    assert game.markers["cobra_reload"].count == 2


def test_weapons_chart(game: Game) -> None:
    table = game.tables["weapons"]
    assert table.columns.labels == ("A 1-2", "A 3-6", "A 7+", "NA 1-4", "NA 5+", "F 1-4", "F 5-6", "F 7+")
    assert set(table.cells) == set(CHART)
    for row, letters in CHART.items():
        cells = [Fraction(cell) for cell in table.cells[row]]
        assert cells == [LETTERS[letter] for letter in letters.replace(" ", "")], row


def test_combat_table(game: Game) -> None:
    table = game.tables["combat"]
    assert table.columns.odds == ("1-4", "1-3", "1-2", "1-1", "2-1", "3-1", "4-1")
    grade = {"-": 0, "D": 1, "DD": 2, "X": 3}
    grid = [[grade[table.cell(die, column).code] for column in range(7)] for die in range(-1, 8)]
    for row in grid:
        assert row == sorted(row)
    for column in zip(*grid, strict=True):
        assert list(column) == sorted(column, reverse=True)
    assert table.find_column(Fraction(11, 3)) == 5  # 11 to 3 is 3-1
    assert table.find_column(Fraction(3, 11)) == 0  # 3 to 11 is 1-4
    assert table.find_column(Fraction(1, 5)) is None
    assert table.cell(-4, 3) == table.cell(-1, 3)
    assert table.cell(11, 6).code == "-"


def test_morale_ladder(game: Game) -> None:
    table = game.tables["morale"]
    best = {level: [span(cell).maximum or 0 for cell in cells] for level, cells in table.cells.items()}
    assert best["A"][table.named_column("other")] == 5
    for level in "ABCD":
        infantry, other_value = best[level]
        assert other_value == infantry + 1
    assert [best[level][1] for level in "ABCD"] == [5, 4, 3, 2]


def test_scatter_and_drift(game: Game) -> None:
    scatter = game.tables["scatter"]
    assert [scatter.cell(die, 0).code for die in range(1, 7)] == ["hit", "hit", *["drift"] * 3, "scatter"]
    drift = game.tables["drift"]
    flat = {drift.cell(die, drift.named_column("arrow east")).code for die in range(1, 7)}
    assert flat == {"n", "ne", "se", "s", "sw", "nw"}
    pointy = {drift.cell(die, drift.named_column("arrow north")).code for die in range(1, 7)}
    assert pointy == {"ne", "e", "se", "sw", "w", "nw"}


def test_victory_levels(game: Game) -> None:
    levels = {label: cells[0] for label, cells in game.tables["victory_levels"].cells.items()}
    assert levels == {
        "1-2": "marginal",
        "3-6": "minor",
        "7-14": "substantial",
        "15-30": "major",
        "31+": "decisive",
    }


def test_terrain(game: Game) -> None:
    """What the text fixes: quick march is 1/2 for 1; slopes and ridges stop it, dunes don't."""
    cells = game.tables["terrain"].cells
    assert {cells[kind][0] for kind in ("clear", "woods", "town")} == {"1"}
    assert cells["road"][0] == "1/2"
    assert Fraction(cells["slope"][0]) > 1
    assert Fraction(cells["ridge"][0]) > Fraction(1, 2) >= Fraction(cells["sand_dune"][0])
    assert cells["suez_canal"][0] == cells["moraine"][0] == "no"
    assert {*game.terrain, *game.hexsides, *game.paths} <= set(cells)


def test_sources_are_honest(game: Game) -> None:
    words = {datum.address: datum.source.word for datum in game.data if datum.source}
    assert words[("tables", "combat", "cells", "1", "3-1")] == "inferred"
    assert words[("tables", "drift", "cells", "1", "degrees")] == "reconstructed"
    assert words[("tables", "weapons", "cells", "direct/A", "A 1-2")] == "rulebook"
    assert words[("counters", "t_62", "factors", "defense")] == "rulebook"
    assert words[("counters", "t_62", "abilities", "2")] == "inferred"
    assert words[("markers", "wreck", "count")] == "reconstructed"
