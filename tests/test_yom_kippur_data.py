"""The counters, tables, attacks and scenarios of Yom Kippur against facts typed straight from its rulebook."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from assistant.attack import AttackValue, odds, unit_fields
from scenarios.model.dice import dice
from scenarios.model.game import Game
from scenarios.model.scenario import Group, Scenario
from scenarios.pack.loading import read_game
from scenarios.pack.pack_folder import find_pack

SCENARIOS = ["4.1", "4.1a", "4.1b", "4.2", "4.3", "4.4", "4.5", "4.6"]

# The combat table: one line a throw from 2 to 12, ten columns; * is the star.
CRT = """
A2r1* A1r1* A1r1* A1r1* A1* A1* A1* A1*Dr1* A1*Dr1* A1*Dr1*
A1r1* A1r1* A1* A1* A1* A1* A1*Dr1* A1*Dr1* A1*Dr1* A1*Dr1*
A1r1* A1* A1* A1* A1* A1*Dr1* A1*Dr1* A1*Dr1* A1*D1r1* A*D1r1*
A1* A1* A1* A1* A1*Dr1* A1*Dr1* A1*Dr1* A1*D1r1* A*D1r1* A*D1r2*
A1* A1* A1* A1*Dr1 A1*Dr1* A1*Dr1* A1*D1r1* A*D1r1* A*D1r2* A*D2r2*
A1* A1* A1*Dr1 A1*Dr1* A1*Dr1* A1*D1r1* A*D1r1* A*D1r2* A*D2r2* A*D2r2
A1* A1*Dr1 A1*Dr1* A1*Dr1* A1*D1r1* A*D1r1* A*D1r2* A*D2r2* A*D2r2 D3r2
A1*Dr1 A1*Dr1* A1*Dr1* A1*D1r1* A*D1r1* A*D1r2* A*D2r2* A*D2r2* D2r2 D3r2
A1*Dr1* A1*Dr1* A1*D1r2* A*D1r2* A*D1r2* A*D2r2* A*D2r2* D2r2 D3r2 D3r2
A1*Dr1* A1*D1r2* A*D1r2* A*D1r2* A*D2r2* A*D2r2* D2r2 D3r2 D3r2 D3r3
A*D2r2* A*D2r2* A*D2r2* A*D2r2* A*D2r2* D2r2 D3r2 D3r2 D3r3 D3r3
"""

FORTS = {
    "54.19": "budapst", "55.24": "orkal", "51.24": "lhtznt", "49.24": "drora", "44.23": "ktuba", "42.23": "milano",
    "38.23": "mfrkt", "32.23": "nozel", "29.24": "purkan", "22.23": "matzmd", "22.22": "lakekan", "19.21": "botzer",
    "15.17": "lituf", "9.17": "mafzeah", "5.17": "nisan", "4.18": "masrek",
}  # fmt: skip

# The set-ups of 4.5 and 4.6, hex by hex.
ISRAELI_45 = """
4.18 fort_masrek | 5.17 fort_nisan | 9.03 arty_bde_b south_corps_hq | 9.11 raviv_arm_bde_b | 9.17 fort_mafzeah
11.12 ivan_recon_bn | 14.11 biro_mech_bde_b | 16.10 arty_bde_3 engineer_bn_3 mend_div_hq | 16.11 biro_mech_bde_a
17.12 mend_recon_bn | 20.12 pinchas_inf_bde_b | 22.12 pinchas_inf_bde_a | 26.07 engineer_bn_2 jeep_recon_co
27.15 erez_arm_bde_a shom_arm_bde_b | 28.15 sharon_recon_bn | 29.15 reshef_arm_bde_b | 29.24 fort_purkan
30.14 hasini_recon_bn | 33.17 static_4 | 33.18 static_3 | 39.18 static_2 | 43.18 nir_arm_bde_a nir_arm_bde_b
44.18 adan_recon_bn amir_arm_bde_b | 46.16 adan_div_hq arty_bde_1 engineer_bn_1 | 46.20 rami_mech_bde_a
46.21 alush_inf_bde_a | 48.16 arty_bde_2 | 48.17 alush_inf_bde_b | 54.19 alush_inf_bde_c fort_budapst
"""
EGYPTIAN_45 = """
10.15 mech_7_8 | 10.16 inf_7_12 | 10.17 inf_7_11 | 11.15 arty_53 commando_132 | 12.21 sam | 13.15 arm_25
13.18 engineer_1_109 hq_3_army mech_130 | 14.14 commando_127 | 14.15 arty_78 engineer_2_109 | 15.15 commando_130
16.14 inf_19_7 | 16.20 sam | 17.14 inf_19_5 | 17.16 arty_55 | 17.24 sam | 18.14 mech_19_2 | 20.25 kuwait_inf
21.20 arty_60 | 22.21 arty_47 | 23.17 amphib_130_b | 23.20 arm_4_3 | 24.20 inf_16_16 | 24.24 engineer_3_9
25.18 amphib_130_a | 26.28 sam | 27.20 airmobile_160 | 28.25 plo_inf | 29.21 mech_16_3 | 29.25 arty_39
31.20 inf_16_112 | 32.23 arty_63 | 32.24 engineer_1_9 | 32.28 sam | 33.21 abn_140 | 35.21 arm_23_24
36.20 commando_134 | 37.21 inf_2_120 | 38.20 mech_2_117 | 39.21 inf_2_4 | 39.23 arty_62 | 39.25 frog | 39.29 sam
41.21 mech_90 | 42.24 arty_57 engineer_2_9 hq_2_army | 43.23 arty_79 | 43.28 sam | 45.21 arm_15
45.22 mech_18_136 | 47.21 inf_18_134 | 47.22 commando_129 | 51.28 sam | 54.20 commando_128 commando_131
55.21 inf_18_135
"""
ISRAELI_46 = """
4.18 fort_masrek | 5.17 fort_nisan | 9.03 arty_bde_b south_corps_hq | 9.14 abn_bde_23_c | 9.15 abn_bde_23_a
9.16 abn_bde_23_b | 9.17 fort_mafzeah | 11.12 ivan_recon_bn | 13.13 barom_arm_bde_a | 14.12 barom_arm_bde_b
16.10 arty_bde_3 engineer_bn_3 mend_div_hq | 16.12 biro_mech_bde_b | 17.13 biro_mech_bde_a | 18.13 mend_recon_bn
20.15 baru_mech_bn | 21.17 schmk_inf_tf shakd_inf_tf shun_inf_tf | 22.16 arty_bde_a arty_bde_d
22.17 matt_abn_bde_a matt_abn_bde_b matt_abn_bde_c | 22.18 erez_arm_bde_a erez_arm_bde_b
23.18 reshef_arm_bde_a reshef_arm_bde_b | 25.17 raviv_arm_bde_a raviv_arm_bde_b | 26.14 haruv_inf_tf
27.12 hawk_bn rckt_bn | 27.14 sharon_div_hq sharon_recon_bn | 27.15 shom_arm_bde_b | 27.16 pinchas_inf_bde_b
27.17 jeep_recon_co | 28.14 arty_bde_4 arty_bde_e | 28.15 pinchas_inf_bde_a
29.15 engineer_bn_2 hasini_recon_bn nir_arm_bde_b | 33.18 static_3 yairi_abn_bde_a
37.15 gonen_arm_bde_a gonen_arm_bde_b gonen_arm_bde_c | 39.15 amir_arm_bde_a amir_arm_bde_b arty_bde_c
39.18 static_2 yairi_abn_bde_b | 40.14 adan_div_hq adan_recon_bn | 40.15 arty_bde_1 engineer_bn_1
41.15 karen_arm_bde_a karen_arm_bde_b | 42.18 static_4 yairi_abn_bde_c | 43.18 peled_mech_bde_a peled_mech_bde_b
44.18 yossi_abn_tf | 45.19 rami_mech_bde_a | 46.19 alush_inf_bde_a | 48.16 arty_bn_5
48.17 alush_inf_bde_b arty_bde_2 | 50.17 yaya_abn_tf | 54.19 alush_inf_bde_c fort_budapst
"""
EGYPTIAN_46 = """
10.15 inf_19_5 | 10.16 mech_19_2 | 10.17 inf_19_7 | 11.15 arty_53 commando_132 | 11.16 arm_4_2 arm_4_6
11.17 mech_4_6 recon_4 | 12.16 arm_6_22 recon_6 | 12.21 sam | 13.15 arm_25 | 13.17 mech_6_1 mech_6_113
13.18 engineer_1_109 hq_3_army mech_130 | 14.14 commando_127 | 14.15 arty_78 engineer_2_109 | 15.15 commando_130
15.17 arty_55 | 16.15 mech_7_8 | 16.17 arty_60 | 16.20 sam | 17.16 inf_7_11 | 17.17 inf_7_12 | 17.24 sam
20.25 kuwait_inf | 21.20 amphib_130_b | 22.21 arty_47 | 23.20 arm_4_3 | 24.20 inf_16_16 | 24.24 engineer_3_9
25.18 amphib_130_a | 26.28 sam | 27.20 airmobile_160 | 29.21 mech_16_3 | 29.25 plo_inf | 31.20 inf_16_112
32.19 mech_21_18 | 32.20 abn_140 | 32.24 engineer_1_9 | 32.28 sam | 33.20 arm_21_1 recon_21
33.21 arty_39 arty_63 | 34.19 mech_23_118 recon_23 | 34.20 mech_23_116 | 35.21 arm_23_24 | 36.20 commando_134
37.21 inf_2_120 | 38.20 mech_2_117 | 38.21 arty_62 | 39.21 inf_2_4 | 39.25 frog | 39.29 sam | 41.21 mech_90
42.24 arty_57 engineer_2_9 hq_2_army | 43.21 arm_15 | 43.28 sam | 44.20 inf_18_134 | 44.21 arty_79
45.21 mech_18_136 | 46.21 inf_18_135 | 47.21 commando_129 | 51.28 sam | 54.20 commando_128
"""
SETUPS = [
    ("4.5", "israeli", ISRAELI_45), ("4.5", "egyptian", EGYPTIAN_45),
    ("4.6", "israeli", ISRAELI_46), ("4.6", "egyptian", EGYPTIAN_46),
]  # fmt: skip
BRIDGES = {"engineer_2_9": "42.24", "engineer_1_9": "32.24", "engineer_3_9": "24.24", "engineer_1_109": "13.18"}

# How many units come on each turn by each entry area: A, B, C, any of them (ABC), on a headquarters (HQ).
ARRIVALS = {
    "4.1": {"2A": 12, "2B": 10, "2C": 6, "3A": 11, "3B": 4, "5A": 3, "5HQ": 2, "6ABC": 4, "7ABC": 2},
    "4.2": {"2A": 12, "2B": 7, "2C": 3, "3A": 12, "3B": 4, "3C": 3, "5A": 5, "5HQ": 2, "6ABC": 6, "7ABC": 2},
    "4.3": {"2A": 9, "2B": 6, "3A": 14, "3B": 5, "3C": 6, "4A": 1, "6A": 5, "6HQ": 2, "7ABC": 6, "8ABC": 2},
    "4.4": {"2A": 12, "2B": 11, "2C": 6, "3A": 11, "3B": 4, "5A": 2, "5HQ": 2, "6ABC": 4, "7ABC": 2},
    "4.5": {"2A": 6, "2C": 6, "3A": 11, "3B": 4},
    "4.6": {"6ABC": 4, "7ABC": 2},
}
# Who they are; a brigade stands for its parts (WHOLE).
WAVES = {
    "4.1": """2A adan_div_hq adan_recon_bn nir rami karen fedale arty_bde_b arty_bde_c
        2B sharon_div_hq sharon_recon_bn erez raviv ivan_recon_bn biro arty_bde_d | 2C yairi abn_bde_23
        3A barom peled shakd_inf_tf haruv_inf_tf gonen baru_mech_bn arty_bde_e | 3B arty_bde_4 matt
        5A yaya_abn_tf yossi_abn_tf arty_bn_5 | 5HQ shun_inf_tf schmk_inf_tf | 6ABC berg revel | 7ABC chert""",
    "4.2": """2A adan_div_hq adan_recon_bn nir rami karen amir arty_bde_b arty_bde_c
        2B sharon_div_hq sharon_recon_bn raviv erez arty_bde_d | 2C abn_bde_23
        3A barom peled gonen fedale baru_mech_bn arty_bde_e ivan_recon_bn | 3B arty_bde_4 matt | 3C yairi
        5A yaya_abn_tf yossi_abn_tf arty_bn_5 shakd_inf_tf haruv_inf_tf | 5HQ shun_inf_tf schmk_inf_tf
        6ABC berg biro revel | 7ABC chert""",
    "4.3": """2A amir adan_div_hq adan_recon_bn nir rami arty_bde_b | 2B erez sharon_div_hq sharon_recon_bn raviv
        3A barom peled gonen fedale baru_mech_bn karen arty_bde_c arty_bde_e | 3B matt arty_bde_4 arty_bde_d
        3C abn_bde_23 yairi | 4A ivan_recon_bn | 6A yaya_abn_tf yossi_abn_tf arty_bn_5 shakd_inf_tf haruv_inf_tf
        6HQ shun_inf_tf schmk_inf_tf | 7ABC berg biro revel | 8ABC chert""",
    "4.4": """2A adan_div_hq adan_recon_bn nir rami karen fedale arty_bde_b arty_bde_c
        2B sharon_div_hq sharon_recon_bn erez raviv ivan_recon_bn biro arty_bde_d arty_bn_5 | 2C yairi abn_bde_23
        3A barom peled shakd_inf_tf haruv_inf_tf gonen baru_mech_bn arty_bde_e | 3B arty_bde_4 matt
        5A yaya_abn_tf yossi_abn_tf | 5HQ shun_inf_tf schmk_inf_tf | 6ABC berg revel | 7ABC chert""",
    "4.5": """2A amir_arm_bde_a karen fedale arty_bde_c | 2C abn_bde_23 yairi
        3A barom gonen peled baru_mech_bn haruv_inf_tf shakd_inf_tf arty_bde_e | 3B arty_bde_4 matt""",
    "4.6": "6ABC berg revel | 7ABC chert",
}
ARMORED_BRIGADES = ["nir", "karen", "erez", "raviv", "barom", "amir", "reshef", "shom"]
MECHANIZED_BRIGADES = ["rami", "fedale", "biro", "peled", "berg", "revel", "chert"]
BRIGADE_PARTS = {
    **{name: (f"{name}_arm_bde", "ab") for name in ARMORED_BRIGADES},
    **{name: (f"{name}_mech_bde", "ab") for name in MECHANIZED_BRIGADES},
    **{name: (f"{name}_abn_bde", "abc") for name in ("yairi", "matt")},
    "gonen": ("gonen_arm_bde", "abc"), "abn_bde_23": ("abn_bde_23", "abc"), "alush": ("alush_inf_bde", "abc"),
    "pinchas": ("pinchas_inf_bde", "ab"), "statics": ("static", "1234"), "engineers": ("engineer_bn", "123"),
}  # fmt: skip
REAR_UNITS = "south_corps_hq hawk_bn engineers rckt_bn arty_bde_1 arty_bde_2 arty_bde_3 jeep_recon_co hasini_recon_bn"
ISRAELI_AREAS = {
    "4.1": {
        "lateral_road": "reshef", "artillery_road": "pinchas", "west_of_artillery_road": "statics",
        "5 of 22.04": REAR_UNITS, "50.01": "amir", "23.20": "mend_recon_bn", "17.01": "shom_arm_bde_a",
        "5 of 50.19": "alush", "10.01": "arty_bde_a shom_arm_bde_b", "27.14": "mend_div_hq",
    },
    "4.4": {
        "east_of_canal": "reshef pinchas amir engineers rckt_bn arty_bde_a arty_bde_1 arty_bde_2 arty_bde_3"
        " jeep_recon_co hasini_recon_bn shom mend_div_hq mend_recon_bn",
        "west_of_artillery_road": "statics", "5 of 22.04": "south_corps_hq hawk_bn", "5 of 50.19": "alush",
    },
}  # fmt: skip
EGYPTIAN_AREAS = {
    "port_said_crossing": "inf_18_135 commando_130",
    "north_of_army_boundary": "inf_2_4 inf_2_120 mech_2_117 inf_16_16 inf_16_112 mech_16_3 inf_18_134 mech_18_136"
    " arm_21_14 arm_23_24 hq_2_army mech_90 abn_182 commando_129 arm_15 arty_47 arty_57 arty_62 arty_78 arty_79"
    " engineer_1_9 engineer_2_9 engineer_3_9",
    "south_of_army_boundary": "arm_4_3 inf_7_11 inf_7_12 mech_7_8 inf_19_5 inf_19_7 mech_19_2 plo_inf kuwait_inf"
    " hq_3_army amphib_130_a amphib_130_b mech_130 engineer_1_109 engineer_2_109 commando_127 arm_25 arty_53 arty_55"
    " arty_60",
    "west_of_canal": "commando_128 commando_131 commando_132 commando_134 abn_140 airmobile_150 airmobile_160 arty_39"
    " arty_63 sam frog",
}
# 4.1a moves these out of the areas above.
EGYPTIAN_41A = {
    "20.25": "kuwait_inf", "18.24": "plo_inf", "16.20": "amphib_130_a amphib_130_b",
    "3 of 39.25": "inf_18_134 mech_18_136 arm_15", "3 of 32.25": "inf_2_4 inf_2_120 mech_2_117 arm_23_24",
    "3 of 25.25": "inf_16_16 inf_16_112 mech_16_3 arm_21_14", "3 of 14.18": "inf_7_11 inf_7_12 mech_7_8 arm_25",
    "3 of 10.18": "inf_19_5 inf_19_7 mech_19_2 arm_4_3",
}  # fmt: skip

TANK_STEPS = {"4.1": 5, "4.1a": 5, "4.1b": 5, "4.2": 5, "4.3": 5, "4.4": 5, "4.5": 2, "4.6": 1}
RESERVE = [
    "mech_21_18",
    "arm_21_1",
    "recon_21",
    "mech_23_116",
    "mech_23_118",
    "recon_23",
    "mech_4_6",
    "arm_4_2",
    "arm_4_6",
    "recon_4",
    "mech_6_1",
    "mech_6_113",
    "arm_6_22",
    "recon_6",
]
GHQ = [
    "hq_ghq",
    "mech_3_10",
    "mech_3_114",
    "arm_3_23",
    "recon_3",
    "arm_ind",
    "arm_nasser",
    "arm_pres_gd",
    "morocco_inf",
]


@pytest.fixture(scope="module")
def game() -> Game:
    parsed_game, findings = read_game(find_pack("yom_kippur"), [], False)
    assert parsed_game is not None and not findings
    return parsed_game


def groups(scenario: Scenario, side: str) -> tuple[Group, ...]:
    return scenario.forces[side].groups


def count_placed(scenario: Scenario) -> Counter[str]:
    return Counter(u for force in scenario.forces.values() for group in force.groups for u in _unit_copies(group))


def _unit_copies(group: Group) -> list[str]:
    return [unit for unit, count in group.units.items() for _ in range(count)]


def parse_placements(text: str) -> set[tuple[str, str]]:
    """(hex, unit) for every unit of a list above."""
    rows = [row.split() for line in text.strip().splitlines() for row in line.split("|")]
    return {(row[0], unit) for row in rows for unit in row[1:]}


def test_scenarios(game: Game) -> None:
    assert list(game.scenarios) == SCENARIOS
    for key, scenario in game.scenarios.items():
        assert scenario.turns is not None
        turns = {"4.5": (2, 3), "4.6": (6, 12)}.get(key, (1, 12))
        assert (scenario.turns.first, scenario.turns.last) == turns
        assert (scenario.first, scenario.sets_up_first) == ("egyptian", "israeli")


def test_the_sheet_has_280_counters(game: Game) -> None:
    by_side = Counter[str]()
    for unit in game.units.values():
        by_side["power" if unit.nation in ("us", "ussr") else unit.side] += unit.count
    assert by_side == {"israeli": 99, "egyptian": 86, "power": 21}
    assert sum(by_side.values()) + sum(marker.count or 0 for marker in game.markers.values()) == 280


@pytest.mark.parametrize("key", SCENARIOS)
def test_every_unit_is_placed_once(game: Game, key: str) -> None:
    used = count_placed(game.scenarios[key])
    copies = {unit.id: unit.count for unit in game.units.values()}
    powers = {u.id for u in game.units.values() if u.nation in ("us", "ussr")}
    unused_units = {u for u in copies if u not in used}
    assert all(used[unit] == copies[unit] for unit in used)
    if key == "4.3":
        assert unused_units == set(RESERVE)
    elif key == "4.5":
        late_units = ["yaya_abn_tf", "yossi_abn_tf", "arty_bn_5", "shun_inf_tf", "schmk_inf_tf"]
        late_units += [f"{name}_mech_bde_{letter}" for name in ("berg", "revel", "chert") for letter in "ab"]
        assert unused_units == {*late_units, *powers}
    else:
        assert not unused_units
    placed_count = sum(count for unit, count in used.items() if unit not in powers)
    assert placed_count == {"4.3": 171, "4.5": 174}.get(key, 185)


@pytest.mark.parametrize(("key", "side", "text"), SETUPS)
def test_set_up_hexes(game: Game, key: str, side: str, text: str) -> None:
    actual_hexes = {
        (group.at.hex, unit)
        for group in groups(game.scenarios[key], side)
        if group.at and group.at.hex
        for unit in group.units
    }
    assert actual_hexes == parse_placements(text)


@pytest.mark.parametrize(
    ("key", "middle", "units"),
    [
        ("4.5", "27.14", "sharon_div_hq arty_bde_a arty_bde_d hawk_bn rckt_bn"),
        ("4.6", "9.12", "fedale_mech_bde_a fedale_mech_bde_b"),
    ],
)
def test_near_a_hex(game: Game, key: str, middle: str, units: str) -> None:
    (group,) = [g for g in groups(game.scenarios[key], "israeli") if g.at and g.at.within]
    assert group.at is not None and group.at.within is not None and group.at.within.of is not None
    assert (group.at.within.of.hex, group.at.within.distance, set(group.units)) == (middle, 2, set(units.split()))


@pytest.mark.parametrize("key", ["4.5", "4.6"])
def test_bridges_dead_and_weakened(game: Game, key: str) -> None:
    egyptian = groups(game.scenarios[key], "egyptian")
    bridges = {u: g.at.hex for g in egyptian if "bridge" in g.states and g.at for u in g.units}
    assert bridges == BRIDGES
    (weak,) = [g for g in egyptian if g.steps_lost]
    assert (dict(weak.units), weak.steps_lost, weak.states) == ({"inf_18_135": 1}, 1, ("reduced",))
    dead = {
        side: {u for g in groups(game.scenarios[key], side) if g.at and g.at.box.endswith("_dead") for u in g.units}
        for side in ("israeli", "egyptian")
    }
    eliminated_forts = [
        "lituf",
        "botzer",
        "lakekan",
        "matzmd",
        "nozel",
        "mfrkt",
        "milano",
        "ktuba",
        "drora",
        "lhtznt",
        "orkal",
    ]
    if key == "4.5":
        units = [
            "static_1",
            "shom_arm_bde_a",
            "reshef_arm_bde_a",
            "raviv_arm_bde_a",
            "rami_mech_bde_b",
            "erez_arm_bde_b",
        ]
        arabs = {"arm_21_14", "abn_182", "airmobile_150"}
    else:
        units = ["static_1", "nir_arm_bde_a", "shom_arm_bde_a", "rami_mech_bde_b"]
        eliminated_forts.append("purkan")
        arabs = {"arm_21_14", "abn_182", "airmobile_150", "commando_131"}
    assert dead == {"israeli": {*units, *(f"fort_{name}" for name in eliminated_forts)}, "egyptian": arabs}


@pytest.mark.parametrize("key", ["4.1", "4.1a", "4.1b", "4.2", "4.3", "4.4"])
def test_forts_at_their_hexes(game: Game, key: str) -> None:
    forts_by_hex = {
        group.at.hex: unit
        for group in groups(game.scenarios[key], "israeli")
        if group.at
        for unit in group.units
        if unit.startswith("fort_")
    }
    assert forts_by_hex == {hex_id: f"fort_{name}" for hex_id, name in FORTS.items()}


@pytest.mark.parametrize("key", SCENARIOS)
def test_reinforcements(game: Game, key: str) -> None:
    arrivals = Counter[str]()
    for group in groups(game.scenarios[key], "israeli"):
        if group.enters is not None:
            entry_area = group.enters.at
            area = "HQ" if entry_area is None else "ABC" if entry_area.any_ else entry_area.zone[-1].upper()
            arrivals[f"{group.enters.turn}{area}"] += sum(group.units.values())
    assert arrivals == ARRIVALS["4.1" if key in ("4.1a", "4.1b") else key]
    assert all(group.enters is None for group in groups(game.scenarios[key], "egyptian"))


def parse_units(text: str) -> set[str]:
    """The units of a list, brigades taken apart."""
    parts = [(BRIGADE_PARTS.get(word, (word, ""))) for word in text.split()]
    return {f"{stem}_{letter}" for stem, letters in parts for letter in letters} | {s for s, ls in parts if not ls}


@pytest.mark.parametrize("key", WAVES)
def test_who_comes_when_and_where(game: Game, key: str) -> None:
    units_by_arrival = {}
    for group in groups(game.scenarios[key], "israeli"):
        if group.enters is not None:
            entry_area = group.enters.at
            area = "HQ" if entry_area is None else "ABC" if entry_area.any_ else entry_area.zone[-1].upper()
            units_by_arrival[f"{group.enters.turn}{area}"] = set(group.units)
    waves = [wave.split(maxsplit=1) for line in WAVES[key].splitlines() for wave in line.split("|")]
    assert units_by_arrival == {arrival: parse_units(units) for arrival, units in waves}


def areas(game: Game, key: str, side: str) -> dict[str, set[str]]:
    """Who sets up in which area, forts left out."""
    units_by_area: dict[str, set[str]] = {}
    for group in groups(game.scenarios[key], side):
        units = {unit for unit in group.units if not unit.startswith("fort_")}
        if group.at is None or group.at.box or not units:
            continue
        limit = group.at.within
        area_name = f"{limit.distance} of {limit.of.hex}" if limit and limit.of else group.at.hex or group.at.zone
        units_by_area.setdefault(area_name, set()).update(units)
    return units_by_area


@pytest.mark.parametrize("key", SCENARIOS[:6])
def test_set_up_areas(game: Game, key: str) -> None:
    """4.2 and 4.3 are 4.1 without Amir; 4.1b adds the reserve to the west bank."""
    israeli = {area: parse_units(units) for area, units in ISRAELI_AREAS["4.4" if key == "4.4" else "4.1"].items()}
    if key in ("4.2", "4.3"):
        del israeli["50.01"]
    assert areas(game, key, "israeli") == israeli
    egyptian = {area: set(units.split()) for area, units in EGYPTIAN_AREAS.items()}
    if key == "4.1b":
        egyptian["west_of_canal"] |= set(RESERVE)
    if key == "4.1a":
        moved_units = {area: set(units.split()) for area, units in EGYPTIAN_41A.items()}
        egyptian = {area: units - set().union(*moved_units.values()) for area, units in egyptian.items()} | moved_units
    assert areas(game, key, "egyptian") == egyptian
    if key == "4.1a":
        nearby_areas = [g.at for g in groups(game.scenarios[key], "egyptian") if g.at and g.at.within]
        assert all(set_up_area.zone == "west_of_canal" for set_up_area in nearby_areas)


@pytest.mark.parametrize("key", SCENARIOS)
def test_the_reserve_is_promised_only_where_it_waits(game: Game, key: str) -> None:
    """3.3 and 3.4; 4.1b, 4.3 and 4.6 have nothing in that box."""
    special = game.scenarios[key].special
    waits = key not in ("4.1b", "4.3", "4.6")
    assert any(e.effect == "reserve_roll" for rule in special for e in rule.effects) == waits
    (release,) = [rule for rule in special if any(e.effect == "ghq_release" for e in rule.effects)]
    assert ("Exploitation" in release.text) == waits


@pytest.mark.parametrize("key", SCENARIOS)
def test_reserves_and_tank_steps(game: Game, key: str) -> None:
    boxes: dict[str, set[str]] = {}
    for group in groups(game.scenarios[key], "egyptian"):
        if group.at and group.at.box:
            boxes[group.at.box] = set(group.units)
            if group.at.box == "egyptian_tank_steps":
                assert dict(group.markers) == {"step_loss": TANK_STEPS[key]}
    assert boxes["ghq_holding"] == set(GHQ)
    assert boxes.get("exploitation_reserve") == (set(RESERVE) if key not in ("4.1b", "4.3", "4.6") else None)


def test_no_hex_over_six_steps(game: Game) -> None:
    for key in ("4.5", "4.6"):
        for side in ("israeli", "egyptian"):
            steps = Counter[str]()
            for group in groups(game.scenarios[key], side):
                if group.at and group.at.hex and "bridge" not in group.states:
                    steps[group.at.hex] += sum(game.units[u].steps - group.steps_lost for u in group.units)
            assert max(steps.values()) <= 6


def test_third_temple(game: Game) -> None:
    effects = {e.effect: (e.side, e.value, e.turns) for s in game.scenarios["4.3"].special for e in s.effects}
    assert effects["no_air_units"][0] == "israeli"
    assert effects["air_units"] == ("egyptian", "4", "1+")
    assert effects["chemical_shells"][::2] == ("egyptian", "1-3")
    assert "airmobile_lift" in effects


def test_october_8_victory(game: Game) -> None:
    lines = game.scenarios["4.5"].victory
    assert {line.side for line in lines} == {"israeli", "egyptian"}
    for line in lines:
        assert line.wins and line.at_least == 2 and line.at is not None
        assert set(line.at.hexes) == {"44.21", "24.20", "10.15"}


def test_units(game: Game) -> None:
    units = game.units
    infantry = [u for u in units.values() if u.nation == "egypt" and u.type == "leg_infantry"]
    assert len(infantry) == 10 and {u.steps for u in infantry} == {3}
    for unit in units.values():
        assert (unit.class_ == "infantry") == (
            unit.type in ("leg_infantry", "commando", "airborne", "airmobile", "static", "sam")
        )
        assert ("fires_barrage" in unit.abilities) == (unit.factors.get("barrage", 0) != 0)
        if "fires_barrage" in unit.abilities:
            assert unit.factors["range"] == (10 if unit.id in ("frog", "rckt_bn") else 4)
        if "umbrella" in unit.abilities:
            assert unit.factors["sam_range"] == 12
        assert unit.back is None or unit.steps > 1 or unit.back_state == "bridge"
    forts = [u for u in units.values() if u.type == "fort"]
    assert len(forts) == 16
    assert all(f.factors["defense"] == infantry[0].factors["defense"] and f.steps == 2 for f in forts)
    assert {u.id for u in units.values() if "swims" in u.abilities} == {"amphib_130_a", "amphib_130_b"}
    assert {u.id for u in units.values() if "air_lift" in u.abilities} == {"airmobile_150", "airmobile_160"}
    assert units["ussr_airmobile_21"].abilities >= {"air_lift_always", "own_supply"}
    assert sum("builds_bridge" in u.abilities for u in units.values()) == 8
    power = Counter[str]()
    for unit in units.values():
        power[unit.nation] += int(str(unit.factors["attack"]))
    assert power["ussr"] > power["us"]


def test_factors_say_they_are_ours(game: Game) -> None:
    printed_factors = {"range", "sam_range"}
    for datum in game.data:
        if datum.address[0] == "counters" and datum.address[2:3] == ("factors",):
            assert datum.source is not None
            assert (datum.source.word == "rulebook") == (datum.address[3] in printed_factors)


def test_combat_table(game: Game) -> None:
    table = game.tables["combat"]
    assert table.columns.odds == ("1-4", "1-3", "1-2", "1-1", "2-1", "3-1", "4-1", "5-1", "7-1", "9-1")
    assert [" ".join(table.cells[str(row)]) for row in range(2, 13)] == CRT.strip().splitlines()
    for code, outcome in table.results.items():
        effects = outcome.effects
        attacker, _, defender = code.partition("D")
        assert ("attacker_star" in effects) == ("*" in attacker)
        assert ("defender_star" in effects) == ("*" in defender)
        assert effects.get("attacker_steps", "0") == (attacker[1:2] if attacker[1:2].isdigit() else "0")
        assert effects.get("defender_steps", "0") == (defender[:1] if defender[:1].isdigit() else "0")
        for part, key in ((attacker, "attacker_retreat"), (defender, "defender_retreat")):
            assert effects.get(key, "0") == (part.partition("r")[2].rstrip("*") or "0")


def test_terrain_chart(game: Game) -> None:
    table = game.tables["terrain"]
    cells = {
        "open": "1 1 1 1",
        "rough": "3 3 2 1",
        "sand_dune": "4 4 2 1",
        "swamp": "all P 2 1",
        "sea": "P P P P",
        "city": "1/2 1/2 3 1",
        "road": "1/2 1/2 1 1",
        "pcb_road": "1/2 1/2 1 1",
        "suez_canal": "all P 1 1/4",
        "minor_canal": "+3 +3 1 1/2",
    }
    for row, text in cells.items():
        assert " ".join(table.cells[row][:4]) == text
    assert {row for row, cell in table.cells.items() if cell[4] == "no"} == {"rough", "sand_dune", "swamp"}
    assert {*game.terrain, *game.hexsides} - {"river"} <= set(table.cells)


def worth(game: Game, table: str, code: str) -> tuple[int, ...]:
    """A result as numbers that grow with the damage, or with what is gained."""
    effects = game.tables[table].results[code].effects
    if table == "combat":
        keys = ("defender_steps", "defender_retreat", "attacker_steps", "attacker_retreat")
        amounts = [int(effects.get(key, "0")) for key in keys]
        return (amounts[0] - amounts[2] + amounts[1] - amounts[3],)
    if table == "barrage":
        return (int(effects.get("steps", "0")), int("state" in effects))
    return (int(next(iter(effects.values()), "0")),)


@pytest.mark.parametrize("name", ["combat", "barrage", "sam_suppression", "tank_recovery"])
def test_more_strength_and_a_higher_throw_never_hurt(game: Game, name: str) -> None:
    table = game.tables[name]
    throws = sorted(dice(table.dice))
    for column in range(len(table.columns.labels)):
        column_worths = [worth(game, name, table.cell(throw, column).code) for throw in throws]
        assert column_worths == sorted(column_worths)
    for throw in throws:
        row_worths = [worth(game, name, table.cell(throw, i).code) for i in range(len(table.columns.labels))]
        assert row_worths == sorted(row_worths)
    assert {code for cells in table.cells.values() for code in cells} == set(table.results)


def test_designed_tables_fit_the_text(game: Game) -> None:
    assert "18-26" in game.tables["barrage"].columns.strength
    assert game.tables["sam_suppression"].columns.strength == ("0", "1", "2", "3+")
    assert game.tables["sam_suppression"].dice == "1d6"
    assert game.tables["sam_suppression"].distribution(0)["1"] > 0
    track = game.tables["turn_track"]
    assert list(track.cells) == [str(turn) for turn in range(1, 13)]
    rows = list(track.cells.values())
    assert all(int(row[1]) >= 1 and 1 <= int(row[2]) < 4 for row in rows)
    assert [int(row[2]) for row in rows] == sorted((int(row[2]) for row in rows), reverse=True)
    rolls = [int(row[3]) for row in rows if row[3] != "NA"]
    assert rolls == sorted(rolls, reverse=True) and len(rolls) < 12
    for name in ("barrage", "sam_suppression", "tank_recovery", "turn_track"):
        source = game.tables[name].source
        assert source is not None and source.word == "reconstructed"


@pytest.mark.parametrize(
    ("points", "level"),
    [(-9, "Egyptian major"), (-5, "Egyptian major"), (-4, "Egyptian minor"), (-2, "Egyptian minor"), (-1, "Draw"),
     (1, "Draw"), (2, "Israeli minor"), (4, "Israeli minor"), (5, "Israeli major"), (8, "Israeli major")],
)  # fmt: skip
def test_victory_levels(game: Game, points: int, level: str) -> None:
    table = game.tables["victory"]
    column = table.find_column(Fraction(points))
    assert column is not None and table.cell("level", column).code == level


def test_ground_combat(game: Game) -> None:
    def fields(unit: str, *states: str, **extra_fields: str | bool) -> dict[str, AttackValue]:
        return unit_fields(game, unit, states, **extra_fields)

    def fight(
        attackers: list[dict[str, AttackValue]], defenders: list[dict[str, AttackValue]], **inputs: AttackValue
    ) -> tuple[Fraction, int]:
        answer = odds(game, "ground", {"attackers": attackers, "defenders": defenders}, inputs)
        assert answer.ratio is not None
        return answer.ratio, answer.shift

    nir = fields("nir_arm_bde_a")
    inf = fields("inf_2_4")
    ratio, shift = fight([nir], [inf])
    assert shift == 0
    assert fight([nir], [inf], terrain="rough")[0] == ratio / 2
    assert fight([nir], [inf], terrain="city")[0] == ratio / 3
    assert fight([nir], [inf], terrain="town")[0] == ratio
    assert fight([nir], [fields("inf_2_4", "disorganized", "out_of_supply")])[0] == ratio * 4
    assert fight([fields("matt_abn_bde_a", across="suez_canal")], [inf])[0] == Fraction(1, 8)
    assert fight([nir], [inf], attacker_helper=True, israeli_air=3, egyptian_air=1)[1] == 3
    assert fight([inf], [nir], israeli_air=3, egyptian_air=1)[1] == -2
    helpers = [fields("engineer_bn_1"), fields("adan_div_hq"), nir]
    assert fight(helpers, [inf])[1] == 1
    assert fight(helpers, [inf, fields("hq_2_army")])[1] == 0
    assert fight([nir], [inf, fields("engineer_1_9")])[1] == -1


@pytest.mark.parametrize(
    ("inputs", "unit", "failure"),
    [
        ({}, {"across": "suez_canal"}, "1.13b"),
        ({}, {"across": "suez_canal", "bridged": True}, ""),
        ({"terrain": "swamp"}, {}, "1.4a"),
        ({"terrain": "swamp", "road": True}, {}, ""),
        ({"terrain": "sand_dune", "overrun": True}, {}, "Player's Notes"),
        ({"under_sam": True, "israeli_air": 2, "sam_zone_air": 1}, {}, "1.12c"),
        ({"under_sam": True, "israeli_air": 2, "sam_zone_air": 2}, {}, ""),
        ({"under_hawk": True, "egyptian_air": 1}, {}, "1.10"),
    ],
)
def test_what_ground_combat_forbids(
    game: Game, inputs: dict[str, str | bool | int], unit: dict[str, str | bool], failure: str
) -> None:
    attacker = unit_fields(game, "nir_arm_bde_a", (), **unit)
    answer = odds(game, "ground", {"attackers": [attacker], "defenders": [unit_fields(game, "inf_2_4")]}, inputs)
    assert len(answer.failures) == bool(failure)
    assert all(f"({failure})" in message for message in answer.failures)


def test_first_use_of_missiles(game: Game) -> None:
    """3.6: turns 1 to 3, Israeli pure armor, and Egyptian infantry of any kind, on either side."""

    def counts(attackers: str, defenders: str, **inputs: AttackValue) -> bool:
        sides = {"attackers": attackers.split(), "defenders": defenders.split()}
        units = {key: [unit_fields(game, name) for name in names] for key, names in sides.items()}
        answer = odds(game, "ground", units, inputs)
        assert answer.shift == (-1 if "engineer" in defenders else 0)
        return answer.values["star_counts"] is True

    for foe in ("inf_2_4", "mech_90", "abn_140", "airmobile_160", "commando_127"):
        assert counts("nir_arm_bde_a", foe, turn=3) and counts(foe, "nir_arm_bde_a matt_abn_bde_a", turn=1)
        assert not counts("nir_arm_bde_a", foe, turn=4) and not counts("rami_mech_bde_a", foe, turn=2)
    for foe in ("arm_15", "amphib_130_a", "engineer_1_9", "sam", "arty_47"):
        assert not counts("nir_arm_bde_a", foe, turn=1)
    assert counts("nir_arm_bde_a", "plo_inf", turn=1)
    assert not counts("nir_arm_bde_a", "plo_inf", turn=1, allied_saggers=False)


def test_lost_stars_are_not_the_rulebooks(game: Game) -> None:
    table = game.tables["combat"]
    lost_cells = {(2, "1-2"), (4, "1-2"), (4, "2-1"), (5, "1-1"), (6, "1-4"), (8, "1-4")}
    assert set(table.sources) == {f"{row}/{column}" for row, column in lost_cells}
    assert {source.word for source in table.sources.values() if source} == {"inferred"}


def test_friends_do_not_fight(game: Game) -> None:
    nir, inf, gun = (unit_fields(game, name) for name in ("nir_arm_bde_a", "inf_2_4", "arty_47"))
    assert odds(game, "ground", {"attackers": [nir], "defenders": [nir]}).failures
    assert odds(game, "ground", {"attackers": [nir, inf], "defenders": [inf]}).failures
    assert odds(game, "barrage", {"attackers": [gun]}, {"israeli_air": 1}).failures
    assert not odds(game, "barrage", {"attackers": [gun]}, {"egyptian_air": 1}).failures
    answer = odds(game, "barrage", {"attackers": [gun]}, {"spotter": True, "our_modifiers": False})
    assert answer.shift == 0


def test_barrage(game: Game) -> None:
    guns = [unit_fields(game, f"arty_{number}") for number in (47, 57, 62)]
    answer = odds(game, "barrage", {"attackers": guns})
    assert answer.attack_strength == 18 and answer.column == "18-26"
    assert odds(game, "barrage", {"attackers": guns}, {"spotter": True}).column == "27-35"
    assert odds(game, "barrage", {"attackers": guns}, {"chemical": True}).attack_strength == 36
    assert odds(game, "barrage", {"attackers": []}, {"israeli_air": 2}).attack_strength == 24
    assert odds(game, "barrage", {"attackers": []}, {"egyptian_air": 2}).attack_strength == 10
    weak = unit_fields(game, "arty_47", ["disorganized", "out_of_supply"])
    assert odds(game, "barrage", {"attackers": [weak]}).attack_strength == Fraction(3, 2)
    distant_gun = unit_fields(game, "arty_47", (), distance=5)
    assert odds(game, "barrage", {"attackers": [distant_gun]}).failures
    assert not odds(game, "barrage", {"attackers": [unit_fields(game, "frog", (), distance=10)]}).failures
    assert odds(game, "barrage", {"attackers": guns}, {"pre_game": True, "egyptian_air": 1}).failures


def test_suppression_counts_three_at_most(game: Game) -> None:
    columns = [odds(game, "sam_suppression", {}, {"allocated": n}).column for n in range(6)]
    assert columns == ["0", "1", "2", "3+", "3+", "3+"]


def test_the_doubts_are_written_down(game: Game) -> None:
    expected_rulings = {
        "reshef_twice",
        "exploitation_4_3",
        "stray_force",
        "spellings",
        "torn_lines",
        "israeli_bridges",
        "schnell_abdul",
        "crt_rows",
        "crt_stars",
    }
    assert expected_rulings <= set(game.rulings)
