"""The Arab-Israeli Wars, Situations S-8 to A-7: what the rulebook says of them, typed in once more."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from scenarios.areas.resolving import Resolver
from scenarios.model.areas import Area
from scenarios.model.game import Game
from scenarios.model.hexes import Hex, distance
from scenarios.model.maps import HexMap
from scenarios.model.scenario import Group, Scenario
from scenarios.pack.loading import read_game
from scenarios.pack.pack_folder import find_pack

CODES = ("S-8", "S-9", "S-10", "S-11", "S-12", "S-13", "A-1", "A-2", "A-3", "A-4", "A-5", "A-6", "A-7")

# turns, who moves first, who sets up first, morale
FACTS: dict[str, tuple[int, str, str, dict[str, str]]] = {
    "S-8": (15, "israeli", "arab", {"israel": "A", "syria": "C"}),
    "S-9": (10, "israeli", "arab", {"israel": "A", "egypt": "B"}),
    "S-10": (10, "israeli", "arab", {"israel": "A", "egypt": "B"}),
    "S-11": (12, "arab", "israeli", {"israel": "A", "syria": "B"}),
    "S-12": (15, "israeli", "arab", {"israel": "A", "syria": "B", "lebanon": "D", "palestine": "B"}),
    "S-13": (20, "israeli", "arab", {"israel": "A", "egypt": "B"}),
    "A-1": (20, "arab", "arab", {"israel": "A", "egypt": "B"}),
    "A-2": (10, "israeli", "israeli", {"israel": "A", "egypt": "B"}),
    "A-3": (10, "israeli", "", {"israel": "A", "egypt": "A"}),
    "A-4": (20, "arab", "arab", {"israel": "A", "egypt": "B"}),
    "A-5": (20, "israeli", "israeli", {"israel": "A", "egypt": "B"}),
    "A-6": (20, "israeli", "israeli", {"israel": "A", "egypt": "B"}),
    "A-7": (10, "israeli", "arab", {"israel": "A", "egypt": "B"}),
}

# side, kind, how many, strength, weapon
SUPPORT: dict[str, set[tuple[str, str, int, int | None, str]]] = {
    "S-8": {
        ("israeli", "artillery", 1, 15, "(H)"),
        ("arab", "artillery", 3, 12, "(H)"),
        ("arab", "artillery", 2, 14, "(H)"),
    },
    "S-9": {("israeli", "artillery", 1, 15, "(H)")},
    "S-10": {("israeli", "artillery", 1, 15, "(H)"), ("israeli", "artillery", 2, 15, "(H)")},
    "S-11": {("israeli", "air_strike", 20, 21, "A")},
    "S-12": {
        ("israeli", "artillery", 3, 15, "(H)"),
        ("israeli", "air_strike", 5, 22, "A"),
        ("arab", "artillery", 3, 13, "(H)"),
        ("arab", "artillery", 1, 21, "(H)"),
    },
    "S-13": {
        ("israeli", "artillery", 2, 15, "(H)"),
        ("arab", "artillery", 2, 12, "(H)"),
        ("arab", "artillery", 1, 14, "(H)"),
    },
    "A-1": {
        ("arab", "artillery", 4, 12, "(H)"),
        ("arab", "artillery", 1, 18, "M"),
        ("arab", "assault_boat", 24, None, "-"),
    },
    "A-2": {("arab", "artillery", 2, 12, "(H)")},
    "A-3": {("arab", "air_strike", 4, 30, "G")},
    "A-4": {("israeli", "artillery", 3, 10, "(H)")},
    "A-5": {
        ("israeli", "artillery", 3, 15, "(H)"),
        ("israeli", "air_strike", 7, 45, "H"),
        ("israeli", "air_strike", 7, 21, "A"),
        ("arab", "artillery", 3, 13, "(H)"),
        ("arab", "artillery", 2, 14, "(H)"),
    },
    "A-6": {
        ("israeli", "air_strike", 15, 21, "A"),
        ("arab", "air_strike", 10, 10, "A"),
        ("arab", "air_strike", 4, 20, "(H)"),
    },
    "A-7": set(),
}

# points of the Israeli lines, then of the Arab lines
VICTORY: dict[str, tuple[list[int], list[int]]] = {
    "S-8": ([1, 4], [3, 1]),
    "S-9": ([20, 1, 1], [5, 1]),
    "S-10": ([20, 1, 1], [5, 1]),
    "S-11": ([2, 3], [3, 1, 1, 2]),
    "S-12": ([2, 2, 1], [3, 3, 2]),
    "S-13": ([1, 20, 30, 30], [2]),
    "A-1": ([1, 5], [2, 1, 5]),
    "A-2": ([20, 4, 1], [10, 2]),
    "A-3": ([1, 2, 4, 2], [4, 1]),
    "A-4": ([1, 1, 1, 2], [2, 1, 1, 2]),
    "A-5": ([2, 5, 15], [1, 10, 1]),
    "A-6": ([3, 15, 1], [1, 1, 10, 1]),
    "A-7": ([1, 1], [1, 1]),
}

# turn, board ("" for any) and edge of each arrival
ARRIVALS: dict[str, set[tuple[str, str, int, str, str]]] = {
    "S-8": set(),
    "S-9": {("israeli", "brigade", 1, "B", "east")},
    "S-10": {("israeli", "brigade", 1, "B", "east"), ("israeli", "support", 1, "B", "east")},
    "S-11": {("israeli", "B", 1, "D", "west")}
    | {
        ("arab", group, 1, "C", "east")
        for group in ("78th", "81st", "mechanized", "78th-air", "81st-air", "mechanized-air")
    },
    "S-12": {
        ("israeli", "brigade", 1, "C", "south"),
        ("arab", "syrians", 1, "D", "north"),
        ("arab", "syrians-air", 1, "D", "north"),
    },
    "S-13": {
        ("israeli", "A", 1, "", "south"),
        ("israeli", "B", 1, "B", "east"),
        ("arab", "B", 10, "", "north"),
    },
    "A-1": set(),
    "A-2": {("israeli", "B", 1, "", "east")},
    "A-3": {("israeli", "battalion", 1, "", "east"), ("arab", "airmobile", 1, "", "west")},
    "A-4": {("israeli", "brigade", 1, "C", "east")},
    "A-5": {("arab", "E", 7, "A", "north"), ("arab", "F", 10, "C", "west"), ("arab", "G", 12, "C", "south")},
    "A-6": {
        ("arab", "C", 1, "C", "west"),
        ("arab", "D", 5, "B", "north"),
        ("arab", "E", 9, "C", "north"),
        ("arab", "F", 12, "D", "south"),
    },
    "A-7": {("arab", "B", 2, "", "west"), ("israeli", "B", 2, "", "east")},
}

# counts that pictures and text still show
PRINTED_TOTALS: dict[str, dict[str, int]] = {
    "S-8": {
        "patturion": 8, "centurion_viii": 4, "armored_infantry": 4, "mortar_120_m3": 2, "infantry_egypt": 12,
        "sagger": 4, "rg_107": 2, "mortar_82_egypt": 2, "how_122": 2, "rocket_140": 2, "su_100": 2,
        "atg_85": 2, "mortar_120_arab": 2, "t_34_85": 8, "fort": 2, "improved_position": 8,
    },
    "S-9": {
        "m48a5": 8, "m60a1": 4, "armored_infantry": 2, "sagger": 9, "rg_107": 3, "mortar_82_egypt": 3,
        "su_100": 2, "construction_engineer_arab": 2, "how_122": 1, "mortar_120_arab": 2, "atg_85": 2,
        "truck_egypt": 3, "improved_position": 10, "trench": 2, "bridge": 2,
    },
    "S-10": {"m48a5": 8, "m60a1": 4, "armored_infantry": 10, "mortar_120_m3": 2},
    "S-11": {
        "patturion": 8, "centurion_viii": 4, "improved_position": 12, "trench": 12, "mine_2_1": 6, "t_62": 19,
        "t_55": 19, "shilka": 2, "zpu_4": 1,
    },
    "S-12": {
        "armored_infantry": 10, "mortar_120_m3": 2, "infantry_israel": 9, "m113a1": 10, "m3_halftrack": 2,
        "combat_engineer_israel": 2, "t_62": 19, "m113_jordan": 3, "t_34_85": 6, "commando": 4, "btr_152": 4,
        "fort": 5, "shilka": 2, "zpu_4": 2, "s_60": 1,
    },
    "S-13": {
        "m60a1": 7, "infantry_israel": 7, "m48a5": 9, "mortar_120_m3": 2, "motorized_ferry": 1, "t_10m": 6,
        "rocket_140": 2, "fort": 3, "improved_position": 10, "trench": 7,
    },
    "A-1": {
        "m60a1": 5, "armored_infantry": 3, "infantry_israel": 2, "fort": 2, "improved_position": 10,
        "mine_2_1": 6, "mortar_82_egypt": 2, "atg_85": 2, "mortar_120_arab": 2, "combat_engineer_arab": 2,
    },
    "A-2": {"m48a5": 6, "fort": 1, "t_55": 12, "sagger": 9, "trench": 7},
    "A-3": {"m48a5": 7, "infantry_egypt": 10, "sagger": 4, "mi_8": 4},
    "A-4": {
        "centurion_viii": 7, "patturion": 7, "infantry_israel": 9, "machine_gun": 2, "m3_halftrack": 12,
        "jeep_106_israel": 2, "mortar_120_m3": 2, "how_122": 3, "t_34_85": 12, "su_100": 3, "t_10m": 6,
        "mortar_120_arab": 2, "commando": 4, "btr_152": 4, "atg_85": 2, "fort": 6, "improved_position": 12,
        "block": 9, "mine_1_1": 9, "mine_2_1": 3, "mine_3_1": 3,
    },
    "A-5": {
        "infantry_israel": 18, "m48a5": 10, "armored_infantry": 4, "m60a1": 7, "m113a1": 6, "commando": 4,
        "how_122": 3, "construction_engineer_arab": 2, "btr_50": 6, "t_55": 16, "t_10m": 6, "t_62": 10,
        "btr_152": 3, "fort": 3, "improved_position": 8, "block": 2, "trench": 6, "mine_1_1": 9,
        "mine_2_1": 6, "mine_3_1": 3,
    },
    "A-6": {"mlg_minelayer": 1},
    "A-7": {"m60a1": 4, "armored_infantry": 4, "huey_gunship": 3, "t_62": 6, "btr_50": 3, "mi_8": 3},
}  # fmt: skip

# Arab infantry of both parts of the sheet
INFANTRY = {"S-8": 12, "S-9": 27, "S-10": 27, "S-12": 26, "A-2": 27, "A-3": 10, "A-4": 27, "A-5": 27}

# how many of a counter the number ranges of the Unit Function Table hold, zeroes skipped
MIX = {
    "atg_17lbr": 2, "how_25lbr": 2, "atg_85": 2, "how_122": 3, "mortar_120_arab": 2, "infantry_jordan": 9,
    "infantry_egypt": 18, "commando": 4, "mortar_82_egypt": 3, "sagger": 9, "rg_107": 3,
    "combat_engineer_arab": 2, "construction_engineer_arab": 2, "truck_jordan": 2, "truck_egypt": 4,
    "m113_jordan": 4, "btr_152": 5, "btr_50": 11, "btr_60": 11, "ot_62": 5, "bmp": 11,
    "jeep_106_jordan": 2, "pt_76": 2, "rocket_140": 2, "su_100": 3, "t_34_100": 2, "brdm": 3,
    "t_34_85": 12, "t_55": 19, "t_10m": 6, "t_62": 19, "centurion_iii": 7, "mtu_2": 2, "pt_54_flail": 2,
    "gsp_ferry": 1, "pmp_carrier": 2, "mlg_minelayer": 1, "shilka": 2, "zpu_4": 3, "s_60": 2, "mi_8": 4,
    "infantry_israel": 18, "machine_gun": 4, "mortar_81": 2, "cobra": 2, "combat_engineer_israel": 3,
    "pontoon_engineer": 2, "truck_israel": 4, "m3_halftrack": 12, "m113a1": 12, "scout_jeep": 2,
    "jeep_106_israel": 2, "amx_13": 7, "armored_infantry": 10, "mortar_120_m3": 2, "ss11_m3": 1,
    "atg_90_m3": 2, "tow_m113": 2, "sherman_50": 3, "sherman_51": 7, "sherman_51hv": 7, "m48a5": 10,
    "m60a1": 7, "centurion_viii": 7, "patturion": 10, "ti_67": 7, "sherman_flail": 2, "m60_avlb": 2,
    "motorized_ferry": 2, "aa_20_m3": 2, "huey_gunship": 3, "uh_1": 2, "bridge": 6,
}  # fmt: skip


@cache
def load_full_game() -> Game:
    game, _ = read_game(find_pack("arab_israeli_wars"), [], False)
    assert game is not None
    return game


@cache
def table(code: str) -> tuple[Scenario, HexMap, Resolver]:
    scenario, hex_map = load_full_game().scenarios[code], load_full_game().scenario_maps[code]
    assert isinstance(hex_map, HexMap)
    return scenario, hex_map, Resolver(hex_map, dict(scenario.zones))


def group(code: str, side: str, name: str) -> Group:
    (match,) = [g for g in table(code)[0].forces[side].groups if g.id == name]
    return match


def places(code: str, area: Area | None) -> frozenset[Hex]:
    assert area is not None
    hexes = table(code)[2].places(area)
    assert hexes
    return frozenset(spot for spot in hexes if isinstance(spot, Hex))


def start(code: str, side: str, name: str) -> frozenset[Hex]:
    return places(code, group(code, side, name).at)


def entry(code: str, side: str, name: str) -> frozenset[Hex]:
    enters = group(code, side, name).enters
    assert enters is not None
    return places(code, enters.at)


def rows(code: str, board: str, hexes: frozenset[Hex]) -> set[str]:
    """The lettered rows of a board that hexes of the map lie in."""
    names = table(code)[1].names
    name_parts = [name.split("-") for hex in hexes for name in names[hex]]
    return {row for board_name, row, _ in name_parts if board_name == board}


def letters(first: str, last: str) -> set[str]:
    all_letters = [*"ABCDEFGHIJKLMNOPQRSTUVWXYZ", "AA", "BB", "CC", "DD", "EE", "FF", "GG"]
    return set(all_letters[all_letters.index(first) : all_letters.index(last) + 1])


def hexes(code: str, *names: str) -> list[Hex]:
    return [table(code)[1].hex(name) for name in names]


def counts(code: str) -> Counter[str]:
    total: Counter[str] = Counter()
    for force in table(code)[0].forces.values():
        for unit_group in force.groups:
            total.update({**unit_group.units, **unit_group.markers})
    return total


@pytest.mark.parametrize("code", CODES)
def test_length_order_and_morale(code: str) -> None:
    scenario = table(code)[0]
    last, first, sets_up, morale = FACTS[code]
    assert scenario.turns is not None and scenario.turns.last == last
    assert (scenario.first, scenario.sets_up_first, dict(scenario.morale)) == (first, sets_up, morale)
    level = "standard" if code.startswith("S") else "advanced"
    assert (scenario.level, scenario.sequence) == (level, level)
    assert scenario.arrangement is not None and scenario.arrangement.source is not None
    assert scenario.arrangement.source.word == "inferred"


@pytest.mark.parametrize("code", CODES)
def test_support(code: str) -> None:
    support_rows = {
        (side, support.kind, support.count, None if support.strength is None else int(support.strength), support.weapon)
        for side, force in table(code)[0].forces.items()
        for support in force.support
    }
    assert support_rows == SUPPORT[code]


@pytest.mark.parametrize("code", CODES)
def test_victory_points(code: str) -> None:
    for side, points in zip(("israeli", "arab"), VICTORY[code], strict=True):
        assert [v.points for v in table(code)[0].victory if v.side == side] == points


@pytest.mark.parametrize("code", CODES)
def test_arrivals_come_over_the_right_edge(code: str) -> None:
    scenario, hex_map, _ = table(code)
    arrivals = set()
    for side, force in scenario.forces.items():
        for unit_group in force.groups:
            assert (unit_group.at is None) != (unit_group.enters is None), (
                f"{unit_group.id}: on the map or arriving, not both"
            )
            if unit_group.enters is None:
                continue
            area = unit_group.enters.at
            assert area is not None
            arrivals.add((side, unit_group.id, unit_group.enters.turn, area.board, area.edge or ""))
            if area.edge:
                assert places(code, area) <= hex_map.edge(area.edge)
    assert arrivals == ARRIVALS[code]


@pytest.mark.parametrize("code", CODES)
def test_printed_counts(code: str) -> None:
    total = counts(code)
    assert {key: total[key] for key in PRINTED_TOTALS[code]} == PRINTED_TOTALS[code]
    if code in INFANTRY:
        assert total["infantry_egypt"] + total["infantry_jordan"] == INFANTRY[code]


@pytest.mark.parametrize("code", CODES)
def test_never_more_than_there_are(code: str) -> None:
    for key, count in counts(code).items():
        if key in MIX:
            assert count <= MIX[key], f"{code}: {count} {key}"
        else:
            assert key in {"fort", "improved_position", "mine_1_1", "mine_2_1", "mine_3_1", "block", "trench"}


def test_every_infantry_list_with_carriers_fits() -> None:
    assert counts("S-12")["m113a1"] == counts("S-12")["infantry_israel"] + counts("S-12")["mortar_81"]
    foot = ("infantry_israel", "machine_gun", "mortar_81")
    assert counts("A-4")["m3_halftrack"] == sum(counts("A-4")[key] for key in foot)
    assert 3 * counts("A-3")["mi_8"] == counts("A-3")["infantry_egypt"] + counts("A-3")["sagger"] // 2


def test_s_8() -> None:
    assert rows("S-8", "D", start("S-8", "arab", "division")) == letters("A", "K")
    assert rows("S-8", "D", start("S-8", "israeli", "brigade")) == letters("X", "GG")
    assert start("S-8", "arab", "division") > table("S-8")[1].edge("east")
    (special,) = table("S-8")[0].special
    assert [(e.effect, e.units) for e in special.effects] == [("no_movement", ("t_34_85",))]


@pytest.mark.parametrize("code", ["S-9", "S-13", "A-1", "A-2", "A-5", "A-6"])
def test_canal_runs_north_to_south_with_the_wide_side_east(code: str) -> None:
    hex_map = table(code)[1]
    canal = places(code, table(code)[0].zones["canal"])
    assert canal == {hex_map.hex(f"A-{row}-4") for row in letters("A", "GG")}
    assert hex_map.hex("A-H-4") in canal
    area = table(code)[0].zones.get("east")
    if area is not None:
        east = places(code, area)
        assert hex_map.hex("A-H-5") in east and hex_map.hex("A-H-3") not in east
    assert hex_map.hex("A-A-4") in hex_map.edge("north") and hex_map.hex("A-GG-4") in hex_map.edge("south")


def test_s_9_and_s_10() -> None:
    area = start("S-9", "arab", "division")
    canal = places("S-9", table("S-9")[0].zones["canal"])
    assert {min(distance(hex, water) for water in canal) for hex in area} == set(range(1, 7))
    assert start("S-9", "arab", "bridges") == canal
    assert counts("S-9")["t_55"] == 6 and counts("S-9")["combat_engineer_arab"] == 2
    assert {(demand.of, demand.at_least) for s in table("S-9")[0].special for demand in s.set_up} == {(("bridge",), 12)}
    near_area, far_area = [v.at for v in table("S-9")[0].victory if v.event == "remaining"]
    assert {min(distance(hex, water) for water in canal) for hex in places("S-9", near_area)} == {1}
    assert min(min(distance(hex, water) for water in canal) for hex in places("S-9", far_area)) == 5
    assert table("S-10")[0].victory == table("S-9")[0].victory


def test_s_11() -> None:
    hex_map = table("S-11")[1]
    assert start("S-11", "israeli", "A") == hex_map.on_board("D")
    assert hex_map.edge("west") < hex_map.on_board("D") and hex_map.edge("east") < hex_map.on_board("C")
    assert len(hex_map.edge("west")) <= counts("S-11")["trench"], "the ditch crosses the whole front"
    arrival = group("S-11", "israeli", "B").enters
    assert arrival is not None and (arrival.turn, arrival.until) == (1, 12)


def test_s_12() -> None:
    hex_map = table("S-12")[1]
    assert rows("S-12", "C", start("S-12", "arab", "lebanese")) == letters("K", "GG")
    assert start("S-12", "arab", "palestinians") == hex_map.on_board("D")
    assert {g.nation for g in table("S-12")[0].forces["arab"].groups} == {"syria", "lebanon", "palestine"}
    towns = places("S-12", table("S-12")[0].victory[0].at)
    assert towns & hex_map.on_board("C") and towns & hex_map.on_board("D")


def test_s_13() -> None:
    hex_map = table("S-13")[1]
    area = start("S-13", "arab", "A")
    canal = places("S-13", table("S-13")[0].zones["canal"])
    assert rows("S-13", "A", area) == rows("S-13", "B", area) == letters("A", "AA")
    assert max(min(distance(hex, water) for water in canal) for hex in area) == 12
    assert start("S-13", "arab", "A-bridges") == canal
    a_gg = set(hexes("S-13", *(f"A-GG-{n}" for n in range(5, 11))))
    b_gg = set(hexes("S-13", *(f"B-GG-{n}" for n in range(1, 11))))
    assert entry("S-13", "israeli", "A") == a_gg | b_gg
    assert entry("S-13", "arab", "B") == hex_map.edge("north")
    arrival = group("S-13", "arab", "B").enters
    assert arrival is not None and arrival.together and arrival.until == 20
    assert counts("S-13")["trench"] == 3 * counts("S-13")["bridge"] - 2


def test_a_1() -> None:
    banks = {"arab": "A-positions", "israeli": "strongpoints"}
    west, east = (start("A-1", side, name) for side, name in banks.items())
    assert west == set(hexes("A-1", *(f"A-{row}-3" for row in letters("A", "GG"))))
    assert east == set(hexes("A-1", *(f"A-{row}-5" for row in letters("A", "GG"))))
    assert counts("A-1")["construction_engineer_arab"] == 2
    assert group("A-1", "israeli", "strongpoints").units["infantry_israel"] == 2


def test_a_2() -> None:
    canal = places("A-2", table("A-2")[0].zones["canal"])
    start_hexes = start("A-2", "arab", "B")
    assert max(min(distance(hex, water) for water in canal) for hex in start_hexes) == 4
    assert start("A-2", "israeli", "A") == set(hexes("A-2", *(f"A-{row}-5" for row in letters("A", "GG"))))
    assert not start("A-2", "arab", "A") & places("A-2", table("A-2")[0].zones["east"])
    east = places("A-2", table("A-2")[0].zones["east"])
    assert east - start_hexes, "the east is wider than the four hexes"
    assert (("bridge",), 10) in {(demand.of, demand.at_least) for s in table("A-2")[0].special for demand in s.set_up}


def test_a_3() -> None:
    west, east = (table("A-3")[1].edge(edge) for edge in ("west", "east"))
    assert min(distance(a, b) for a in west for b in east) // 6 + 1 == 6, "six turns at six hexes a turn"
    effects = {(e.effect, e.value) for s in table("A-3")[0].special for e in s.effects}
    assert effects == {("carried_air_strike", "30 G")}


def test_a_4() -> None:
    hex_map = table("A-4")[1]
    assert rows("A-4", "C", start("A-4", "arab", "A")) == letters("L", "GG")
    assert rows("A-4", "A", start("A-4", "arab", "B")) == letters("I", "X")
    assert rows("A-4", "B", start("A-4", "arab", "C")) == letters("I", "X")
    assert hex_map.hex("A-R-5") in start("A-4", "arab", "B")
    assert not start("A-4", "arab", "B") & set(hexes("A-4", "A-R-4", "A-R-3", "A-R-2", "A-S-1"))
    closed_areas = [e.at for s in table("A-4")[0].special for e in s.effects if e.effect == "closed_area"]
    assert set(hexes("A-4", "A-R-4", "A-R-2", "A-S-1")) < places("A-4", closed_areas[0])
    assert hex_map.edge("west") < hex_map.on_board("B") and hex_map.edge("east") < hex_map.on_board("C")
    junctions = places("A-4", table("A-4")[0].zones["junctions_on_b"])
    assert junctions == set(hexes("A-4", "B-CC-3", "B-D-5"))
    assert junctions < places("A-4", table("A-4")[0].victory[2].at)
    leavers = {e.side: e.units for s in table("A-4")[0].special for e in s.effects if e.effect == "may_exit"}
    assert leavers == {"israeli": (), "arab": ("t_34_85", "su_100", "t_10m")}


def test_a_5() -> None:
    hex_map = table("A-5")[1]
    assert rows("A-5", "A", start("A-5", "israeli", "B")) == letters("Y", "GG")
    assert rows("A-5", "A", start("A-5", "arab", "B")) == letters("A", "T")
    north, south = (rows("A-5", "D", start("A-5", "israeli", name)) for name in ("C", "D"))
    assert not north & {"Q"} and not south & {"R"} and not north & south
    assert not rows("A-5", "B", start("A-5", "arab", "C")) & {"Q"}
    assert start("A-5", "arab", "D") == hex_map.on_board("B")
    assert entry("A-5", "arab", "E") == set(hexes("A-5", *(f"A-A-{n}" for n in range(5, 11))))
    enters = group("A-5", "arab", "G").enters
    assert enters is not None
    entries = [(way.turn, way.until, places("A-5", way.at)) for way in enters.ways if way.at is not None]
    assert entries == [(12, None, hex_map.edge("south", "C")), (16, None, hex_map.edge("west", "C"))]
    assert hex_map.edge("west") < hex_map.on_board("C") and hex_map.edge("east") < hex_map.on_board("D")
    bank = hexes("A-5", *(f"A-{row}-5" for row in letters("A", "GG")))
    way = min(distance(a, b) for a in hex_map.on_board("D") for b in bank)
    assert way == 16, "a bridge towed one hex a turn just arrives"
    orders = [(g.order, side) for side, f in table("A-5")[0].forces.items() for g in f.groups if g.order]
    assert [side for _, side in sorted(set(orders))] == ["israeli", "arab"] * 4


def test_a_6() -> None:
    hex_map = table("A-6")[1]
    assert rows("A-6", "A", start("A-6", "israeli", "A")) == letters("X", "GG")
    assert rows("A-6", "A", start("A-6", "israeli", "B")) == letters("X", "GG")
    assert rows("A-6", "B", start("A-6", "israeli", "C")) == letters("A", "J")
    assert hex_map.hex("A-X-11") == hex_map.hex("B-J-11"), "row X of A and row J of B are one line"
    west = places("A-6", table("A-6")[0].zones["west"])
    assert hex_map.on_board("C") < west and not west & hex_map.on_board("B")
    assert hex_map.edge("south", "D") < west
    air = [e.value for s in table("A-6")[0].special for e in s.effects if e.effect == "air_superiority"]
    assert air == ["0-10"]


def test_a_7() -> None:
    assert rows("A-7", "B", start("A-7", "arab", "A")) == letters("CC", "GG")
    assert rows("A-7", "B", start("A-7", "israeli", "A")) == letters("A", "F")
    assert start("A-7", "arab", "A") > entry("A-7", "arab", "B")


def test_what_the_scan_lost_is_marked() -> None:
    groups = [g for f in table("A-6")[0].forces.values() for g in f.groups]
    for unit_group in (g for g in groups if g.units and g.id != "A-minelayer"):
        source = unit_group.sources["units"]
        assert source is not None and source.word == "reconstructed"
    for key in ("turns", "first"):
        source = table("A-7")[0].sources[key]
        assert source is not None and source.word == "reconstructed"
