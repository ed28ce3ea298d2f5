"""The Arab-Israeli Wars, Situations B-1 to S-7: facts typed from the rulebook, against the pack."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from scenarios.areas.resolving import Resolver
from scenarios.model.areas import Area, Within
from scenarios.model.game import Game
from scenarios.model.hexes import Hex
from scenarios.model.maps import HexMap
from scenarios.model.scenario import Group, Scenario
from scenarios.pack.loading import read_game
from scenarios.pack.pack_folder import find_pack

CODES = ("B-1", "B-2", "B-3", "B-4", "S-1", "S-2", "S-3", "S-4", "S-5", "S-6", "S-7")
RECONSTRUCTED_CODES = {"B-2", "B-3", "B-4", "S-1", "S-2", "S-3"}
LETTERS = [*"ABCDEFGHIJKLMNOPQRSTUVWXYZ", *(2 * x for x in "ABCDEFG")]

# title, year, last turn, first side, morale
CARDS: dict[str, tuple[str, int, int, str, dict[str, str]]] = {
    "B-1": ("Bir Gifgafa", 1956, 15, "arab", {"israel": "B", "egypt": "C"}),
    "B-2": ("Rafid", 1973, 7, "arab", {"israel": "A", "syria": "C"}),
    "B-3": ("Tel Maschara", 1973, 12, "arab", {"israel": "B", "iraq": "D"}),
    "B-4": ("Botzer", 1973, 10, "arab", {"israel": "A", "egypt": "B"}),
    "S-1": ("Kalkiliah", 1956, 15, "israeli", {"israel": "A", "jordan": "B"}),
    "S-2": ("Abu Agheila", 1967, 10, "israeli", {"israel": "A", "egypt": "C"}),
    "S-3": ("Irbid", 1970, 12, "syrian", {"jordan": "A", "syria": "C"}),
    "S-4": ("Jenin", 1967, 20, "israeli", {"israel": "A", "jordan": "B"}),
    "S-5": ("Jenin (might-have-been)", 1967, 20, "israeli", {"israel": "A", "jordan": "B", "iraq": "B"}),
    "S-6": ("Ras Sudar", 1973, 10, "arab", {"israel": "A", "egypt": "B"}),
    "S-7": ("El Al", 1973, 12, "israeli", {"israel": "A", "syria": "C"}),
}
SETS_UP_FIRST = {
    "B-1": "", "B-2": "arab", "B-3": "israeli", "B-4": "arab", "S-1": "arab", "S-2": "arab",
    "S-3": "jordanian", "S-4": "arab", "S-5": "arab", "S-6": "israeli", "S-7": "arab",
}  # fmt: skip
# side, points, per, event
POINTS = {
    "B-1": """
        arab 2 unit eliminated, arab 1 unit remaining, israeli 2 unit eliminated, israeli 1 unit exited
    """,
    "B-2": """
        arab 1 turn other, arab 4 once eliminated, arab 2 unit eliminated, israeli 2 unit eliminated,
        israeli 10 once survived
    """,
    "B-3": "israeli 3 unit eliminated, arab 4 unit eliminated, arab 1 unit exited",
    "B-4": """
        israeli 3 unit eliminated, israeli 4 unit eliminated, israeli 1 unit remaining,
        arab 3 unit eliminated, arab 3 unit exited, arab 1 unit exited
    """,
    "S-1": """
        arab 5 unit eliminated, arab 2 unit remaining, israeli 10 once entered, israeli 1 unit eliminated
    """,
    "S-2": """
        arab 3 unit eliminated, arab 1 unit remaining, israeli 1 unit eliminated, israeli 1 unit exited,
        israeli 4 unit exited
    """,
    "S-3": """
        syrian 2 unit eliminated, syrian 1 unit exited, jordanian 2 unit eliminated,
        jordanian 10 hex occupied
    """,
    "S-4": """
        israeli 10 unit eliminated, israeli 4 unit eliminated, israeli 1 unit eliminated,
        arab 2 unit exited, arab 1 unit remaining, arab 2 unit eliminated
    """,
    "S-6": """
        israeli 2 unit eliminated, israeli 1 unit remaining, arab 2 unit eliminated, arab 2 unit exited
    """,
    "S-7": """
        israeli 3 unit exited, israeli 1 unit eliminated, israeli 1 unit remaining, arab 2 unit eliminated,
        arab 1 unit remaining
    """,
}
POINTS["S-5"] = POINTS["S-4"]
# side, kind, count, weapon, strength
SUPPORT = {
    "S-1": "arab artillery 2 (H) 9",
    "S-2": "israeli artillery 3 (H) 10",
    "S-3": "jordanian air_strike 16 A 16",
    "S-4": "israeli air_strike 10 A 10",
    "S-5": "israeli air_strike 10 A 10",
    "S-6": "israeli air_strike 10 A 21",
}
# The lists whose pictures survived, as we read them (rulings S-4_..., S-6_..., S-7_...).
FORCES = {
    ("B-1", "israeli"): "sherman_51 5, sherman_50 2, amx_13 5",
    ("B-1", "arab"): "t_34_85 12, su_100 3",
    ("S-4", "israeli"): """
        sherman_51hv 5, scout_jeep 2, jeep_106_israel 2, truck_israel 2, infantry_israel 18, machine_gun 4,
        mortar_81 2, combat_engineer_israel 2, amx_13 7
    """,
    ("S-4", "arab"): """
        jeep_106_jordan 2, atg_17lbr 1, how_25lbr 1, truck_jordan 2, truck_egypt 3, infantry_jordan 9,
        infantry_egypt 4, centurion_iii 6
    """,
    ("S-6", "israeli"): """
        infantry_israel 12, machine_gun 2, mortar_81 1, jeep_106_israel 2, atg_90_m3 2, ti_67 5,
        improved_position 6
    """,
    ("S-6", "arab"): """
        t_55 19, infantry_egypt 9, mortar_82_egypt 1, mortar_120_arab 2, brdm 3, btr_50 7, ot_62 4,
        shilka 1, zpu_4 1
    """,
    ("S-7", "israeli"): """
        sherman_51hv 6, armored_infantry 6, patturion 5, centurion_viii 2, mortar_120_m3 2
    """,
    ("S-7", "arab"): """
        brdm 3, atg_85 2, rg_107 2, infantry_egypt 9, mortar_82_egypt 1, btr_60 7, t_55 19, btr_152 3,
        truck_egypt 4, improved_position 3
    """,
}
FORCES["S-5", "israeli"] = FORCES["S-4", "israeli"]
FORCES["S-5", "arab"] = FORCES["S-4", "arab"] + ", t_55 18"
# First and last PICS number of the Unit Function Table; a number never ends in 0.
PICS = """
    atg_17lbr 111-112, how_25lbr 211-212, atg_85 321-322, how_122 421-423, mortar_120_arab 521-522,
    infantry_jordan 1111-1119, infantry_egypt 1121-1139, mortar_82_egypt 1411-1413, rg_107 1721-1723,
    truck_jordan 2111-2112, truck_egypt 2121-2124, m113_jordan 2211-2214, btr_152 2321-2325,
    btr_50 2421-2432, btr_60 2521-2532, ot_62 2621-2625, jeep_106_jordan 3111-3112, su_100 5121-5123,
    brdm 5321-5323, t_34_85 6121-6133, t_55 6221-6241, t_62 6421-6441, centurion_iii 6511-6517,
    infantry_israel 1111-1129, machine_gun 1211-1214, mortar_81 1411-1412, combat_engineer_israel 1811-1813,
    truck_israel 2111-2114, m3_halftrack 2211-2223, scout_jeep 3111-3112, jeep_106_israel 3211-3212,
    amx_13 3311-3317, shilka 8101-8102, zpu_4 8201-8203, armored_infantry 3411-3421, mortar_120_m3 4111-4112, atg_90_m3 5211-5212,
    sherman_50 6111-6113, sherman_51 6211-6217, sherman_51hv 6311-6317, m48a5 6411-6421, m60a1 6511-6517,
    centurion_viii 6611-6617, patturion 6711-6721, ti_67 6811-6817, sherman_flail 7111-7112
"""


def parse_pairs(text: str) -> dict[str, str]:
    """`name value, name value ...` as a mapping."""
    pairs = [item.split() for item in text.split(",")]
    return {pair[0]: pair[1] for pair in pairs}


@cache
def game() -> Game:
    loaded_game, _ = read_game(find_pack("arab_israeli_wars"), [], False)
    assert loaded_game is not None
    return loaded_game


def field(code: str) -> HexMap:
    hex_map = game().scenario_maps[code]
    assert isinstance(hex_map, HexMap)
    return hex_map


def places(code: str, area: Area | None) -> frozenset[Hex]:
    assert area is not None
    hexes = Resolver(field(code), dict(game().scenarios[code].zones)).places(area)
    return frozenset(spot for spot in hexes if isinstance(spot, Hex))


def hex_names(code: str, area: Area | None, board: str) -> set[str]:
    """The hexes of an area by their names on one board, without its letter."""
    return {
        name.partition("-")[2]
        for hex in places(code, area)
        for name in field(code).names[hex]
        if name.startswith(f"{board}-")
    }


def column(first: str, last: str, numbers: range | None = None, even_numbers: range | None = None) -> set[str]:
    """Hexes of the columns from first to last; odd columns have 1 to 10, even ones 1 to 11."""
    a, b = LETTERS.index(first), LETTERS.index(last)
    return {
        f"{LETTERS[i]}-{n}"
        for i in range(a, b + 1)
        for n in ((even_numbers or range(1, 12)) if i % 2 else (numbers or range(1, 11)))
    }


def group(code: str, side: str, id: str) -> Group:
    return next(g for g in game().scenarios[code].forces[side].groups if g.id == id)


def entry(code: str, side: str, id: str) -> tuple[int, int | None, bool, Area | None]:
    enters = group(code, side, id).enters
    assert enters is not None
    return enters.turn, enters.until, enters.together, enters.at


def total(scenario: Scenario, side: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    for g in scenario.forces[side].groups:
        counts.update(g.units)
        counts.update(g.markers)
    return counts


@pytest.mark.parametrize("code", CODES)
def test_card(code: str) -> None:
    s = game().scenarios[code]
    title, year, last, first, morale = CARDS[code]
    assert s.turns is not None
    assert (s.title, s.year, s.turns.last, s.first, dict(s.morale)) == (title, year, last, first, morale)
    assert s.sets_up_first == SETS_UP_FIRST[code]
    assert s.sequence == s.level == ("basic" if code.startswith("B") else "standard")
    assert str(year) in s.date and s.summary


@pytest.mark.parametrize("code", CODES)
def test_points(code: str) -> None:
    lines = [f"{v.side} {v.points} {v.per} {v.event}" for v in game().scenarios[code].victory]
    assert lines == [line.strip() for line in POINTS[code].split(",")]


@pytest.mark.parametrize("code", CODES)
def test_support(code: str) -> None:
    support = [
        f"{side} {s.kind} {s.count} {s.weapon} {s.strength}"
        for side, force in game().scenarios[code].forces.items()
        for s in force.support
    ]
    assert support == ([SUPPORT[code]] if code in SUPPORT else [])


@pytest.mark.parametrize(("code", "side"), FORCES)
def test_forces_whose_pictures_survived(code: str, side: str) -> None:
    counts = {unit: int(count) for unit, count in parse_pairs(FORCES[code, side]).items()}
    assert total(game().scenarios[code], side) == counts


@pytest.mark.parametrize("code", CODES)
def test_never_more_than_the_counter_mix(code: str) -> None:
    numbers = parse_pairs(PICS)
    for side, force in game().scenarios[code].forces.items():
        used: Counter[str] = sum((Counter(g.units) for g in force.groups), Counter())
        assert used
        for unit, count in used.items():
            low, highest = map(int, numbers[unit].split("-"))
            assert count <= sum(1 for n in range(low, highest + 1) if n % 10), (side, unit)


@pytest.mark.parametrize("code", CODES)
def test_says_what_is_reconstructed(code: str) -> None:
    for side, force in game().scenarios[code].forces.items():
        for g in force.groups:
            is_reconstructed = code in RECONSTRUCTED_CODES and g.id != "settlement"
            assert (g.source is not None and g.source.word == "reconstructed") is is_reconstructed, (side, g.id)
    arrangement = game().scenarios[code].arrangement
    assert arrangement is not None and arrangement.source is not None
    assert arrangement.source.word == "inferred"


@pytest.mark.parametrize("code", CODES)
def test_whoever_sets_up_has_room(code: str) -> None:
    """Four stacking points a hex."""
    for force in game().scenarios[code].forces.values():
        for g in force.groups:
            if g.at is not None:
                assert 4 * len(places(code, g.at)) >= sum(g.units.values())
            else:
                assert g.enters is not None and places(code, g.enters.at)


def test_b1_plays_east_of_the_canal() -> None:
    m = field("B-1")
    assert m.hex("B-B-1") == m.hex("A-B-11")
    assert hex_names("B-1", Area(edge="north"), "A") >= {"A-5", "A-10"}
    closed_hexes = hex_names("B-1", game().scenarios["B-1"].zones["canal_and_west"], "A")
    assert {"H-1", "H-2", "H-3", "H-4", "R-2", "S-1"} <= closed_hexes and "H-5" not in closed_hexes
    effects = [e for s in game().scenarios["B-1"].special for e in s.effects]
    assert [e.effect for e in effects] == ["closed_area"] and places("B-1", effects[0].at)
    turn, until, _, area = entry("B-1", "israeli", "all")
    south = hex_names("B-1", area, "A")
    assert (turn, until) == (1, None) and {"GG-6", "GG-10"} <= south <= column("GG", "GG", range(4, 11))
    assert not south & closed_hexes
    turn, until, _, area = entry("B-1", "arab", "all")
    assert (turn, until) == (1, None) and hex_names("B-1", area, "B") == column("A", "A")
    assert hex_names("B-1", game().scenarios["B-1"].victory[3].at, "B") == column("A", "A")


def test_b2_settlement() -> None:
    settlement = group("B-2", "israeli", "settlement")
    assert dict(settlement.units) == {"infantry_israel": 1} and dict(settlement.markers) == {"fort": 1}
    assert hex_names("B-2", settlement.at, "C") == {"O-7", "O-8", "N-9", "M-9", "L-8", "L-9"}
    assert total(game().scenarios["B-2"], "israeli")["infantry_israel"] == 1
    assert hex_names("B-2", group("B-2", "israeli", "brigade").at, "C") == column("A", "GG")
    assert hex_names("B-2", group("B-2", "arab", "all").at, "D") == column("A", "GG")
    effects = [e for s in game().scenarios["B-2"].special for e in s.effects]
    no_movement = next(e for e in effects if e.effect == "no_movement")
    assert (no_movement.side, no_movement.units) == ("israeli", ("infantry_israel",))
    demand = next(set_up for s in game().scenarios["B-2"].special for set_up in s.set_up)
    assert (demand.of, demand.from_, demand.at_most) == (("infantry_israel",), ("fort",), 0)


def test_b3_column() -> None:
    turn, _, is_together, area = entry("B-3", "arab", "all")
    assert (turn, is_together) == (1, True)
    assert len(places("B-3", area)) == 2 and places("B-3", area) <= field("B-3").edge("east")
    assert total(game().scenarios["B-3"], "arab").total() == 2 * 9
    # Edge hexes are one hex from the edge: eleven columns stay free (ruling edge_distance).
    assert hex_names("B-3", group("B-3", "israeli", "all").at, "D") == column("A", "V")
    effects = {e.effect: e for s in game().scenarios["B-3"].special for e in s.effects}
    assert (effects["no_doubling"].side, effects["no_doubling"].value) == ("israeli", "3-6")
    assert effects["forced_march"].value == "9" and len(game().scenarios["B-3"].special) == 4
    assert places("B-3", game().scenarios["B-3"].victory[2].at) == field("B-3").edge("west")


def test_b4_rows() -> None:
    assert hex_names("B-4", group("B-4", "arab", "all").at, "B") == column("A", "E")
    assert hex_names("B-4", group("B-4", "israeli", "all").at, "B") == column("CC", "GG")
    lines = game().scenarios["B-4"].victory
    assert hex_names("B-4", lines[4].at, "B") == hex_names("B-4", lines[5].at, "B") == column("GG", "GG")
    assert lines[0].who and lines[0].who.units == ("t_62",)
    assert lines[1].who and lines[1].who.except_ == ("t_62",)
    assert not game().scenarios["B-4"].special


def test_s1_places() -> None:
    m = field("S-1")
    town = [hex for hex, kind in m.terrain.items() if kind == "town" and hex in m.on_board("D")]
    other_board_hexes = [hex for hex in town if hex not in m.on_board("C")]
    assert len(other_board_hexes) == 1
    fort = places("S-1", group("S-1", "arab", "A").at)
    assert len(fort) == 6 and other_board_hexes[0] not in fort and fort <= m.on_board("D")
    assert group("S-1", "arab", "A").markers["fort"] == 1
    turn, _, _, area = entry("S-1", "arab", "B")
    assert turn == 5 and places("S-1", area) == m.edge("east", "D") == m.edge("east")
    turn, _, _, area = entry("S-1", "israeli", "C")
    assert turn == 11 and places("S-1", area) == m.edge("west", "C") == m.edge("west")
    assert places("S-1", group("S-1", "israeli", "A").at) == m.on_board("C")
    block = group("S-1", "israeli", "B").at
    assert block is not None and block.at_least is not None
    assert (block.at_least.distance, block.at_least.units) == (5, "jordan")
    assert other_board_hexes[0] in places("S-1", block) and not places("S-1", block) & m.edge("west")
    assert m.edge("east") <= places("S-1", block)
    assert "10" in (game().scenarios["S-1"].turns or pytest.fail("no turns")).note
    assert game().scenarios["S-1"].victory[3].needs
    assert places("S-1", game().scenarios["S-1"].victory[1].at) == m.on_board("D")


def test_s2_places() -> None:
    assert hex_names("S-2", group("S-2", "arab", "A").at, "B") == column("V", "X")
    assert hex_names("S-2", group("S-2", "arab", "B").at, "B") == column("A", "M", range(1, 8), range(1, 9))
    turn, _, _, area = entry("S-2", "israeli", "A")
    assert turn == 1 and hex_names("S-2", area, "B") == column("GG", "GG")
    turn, _, _, area = entry("S-2", "israeli", "B")
    assert turn == 1 and hex_names("S-2", area, "B") == column("A", "L", range(10, 11), range(11, 12))
    lines = game().scenarios["S-2"].victory
    assert [line.who and line.who.groups for line in lines[3:]] == [("A",), ("B",)]
    assert hex_names("S-2", lines[3].at, "B") == column("A", "A")


def test_s3_places() -> None:
    s = game().scenarios["S-3"]
    nations = {id: side.nations for id, side in s.sides.items()}
    assert nations == {"jordanian": ("jordan",), "syrian": ("syria",)}
    for g in s.forces["jordanian"].groups:
        assert hex_names("S-3", g.at, "C") == column("A", "M")
        assert g.nation == "jordan"
    turn, _, _, area = entry("S-3", "syrian", "all")
    assert turn == 1 and hex_names("S-3", area, "C") == hex_names("S-3", area, "D") == column("GG", "GG")
    assert hex_names("S-3", s.victory[1].at, "C") == column("A", "A")
    towns = places("S-3", s.victory[3].at)
    assert towns & field("S-3").on_board("C") and towns & field("S-3").on_board("D")


def test_s4_places() -> None:
    m = field("S-4")
    assert m.hex("C-B-1") == m.hex("D-B-11")
    west_strip = column("A", "GG", range(5, 11), range(6, 12))
    for id in ("A-moshe", "A-albert"):
        assert hex_names("S-4", group("S-4", "israeli", id).at, "C") == west_strip
    assert hex_names("S-4", group("S-4", "arab", "A").at, "D") == column("A", "GG", range(6, 11), range(6, 12))
    assert entry("S-4", "israeli", "B")[:3] == (2, 3, True)
    assert places("S-4", entry("S-4", "israeli", "B")[3]) == m.edge("north", "C") | m.edge("north", "D")
    for code, id in (("S-4", "B"), ("S-5", "B"), ("S-5", "B-iraq")):
        turn, until, is_together, area = entry(code, "arab", id)
        assert (turn, until, is_together) == (4, 20, True)
        assert places(code, area) == m.edge("east", "D") == m.edge("east")
    tanks = game().scenarios["S-4"].victory[1].who
    assert tanks is not None and {"centurion_iii", "t_55"} <= set(tanks.units)


def test_s5_is_s4_with_an_iraqi_brigade() -> None:
    base, iraqi_scenario = game().scenarios["S-4"], game().scenarios["S-5"]
    assert (
        iraqi_scenario.like == "S-4"
        and iraqi_scenario.arrangement == base.arrangement
        and iraqi_scenario.victory == base.victory
    )
    new_groups = iraqi_scenario.forces["arab"].groups[len(base.forces["arab"].groups) :]
    assert [(g.nation, dict(g.units)) for g in new_groups] == [("iraq", {"t_55": 18})]


def test_s5_has_its_length_from_s4() -> None:
    """S-5 points to S-4 for set-up, special rules and points, not for the length."""
    words = {
        datum.address[2]: datum.source.word
        for datum in game().data
        if datum.source and datum.address[:2] == ("scenarios", "S-5")
    }
    assert (words["turns"], words["first"], words["morale"]) == ("inferred", "inferred", "inferred")


def test_no_armored_infantry_before_1973() -> None:
    """No list that survives shows it in 1956 or 1967, so no rebuilt one has it."""
    for code, s in game().scenarios.items():
        if any("armored_infantry" in g.units for force in s.forces.values() for g in force.groups):
            assert (s.year or 0) >= 1973, code


def test_s6_anti_aircraft_is_optional() -> None:
    """The Situations D.2: one Shilka for the 22nd, one ZPU-4 for the 113th, with the advanced air rules."""
    optional_groups = [
        g for g in game().scenarios["S-6"].forces["arab"].groups if g.only_with == "the advanced air rules"
    ]
    assert [(dict(g.units), g.formation.split()[0]) for g in optional_groups] == [
        ({"shilka": 1}, "22nd"),
        ({"zpu_4": 1}, "113th"),
    ]


def test_s6_places() -> None:
    s = game().scenarios["S-6"]
    for g in s.forces["israeli"].groups:
        assert hex_names("S-6", g.at, "B") == column("A", "E")
    for g in s.forces["arab"].groups:
        assert hex_names("S-6", g.at, "B") == column("L", "GG")
    assert hex_names("S-6", s.victory[3].at, "B") == column("A", "A")


def test_s7_places() -> None:
    m, s = field("S-7"), game().scenarios["S-7"]
    assert m.hex("D-GG-5") == m.hex("C-A-5")
    for g in s.forces["arab"].groups:
        assert hex_names("S-7", g.at, "D") == column("R", "GG")
        assert places("S-7", g.at) <= m.on_board("D")
    for g in s.forces["israeli"].groups:
        assert g.enters is not None and g.enters.turn == 1
        assert places("S-7", g.enters.at) == m.edge("west", "D") == m.edge("west")
    assert places("S-7", s.victory[0].at) == m.edge("east", "C") == m.edge("east")
    assert places("S-7", s.victory[2].at) == m.on_board("C")
    assert places("S-7", s.victory[4].at) == m.on_board("D")


@pytest.mark.parametrize("code", CODES)
def test_boards_that_the_text_names(code: str) -> None:
    boards = {placement.board.id for placement in field(code).placed}
    expected_boards = {
        "B-1": {"A", "B"},
        "B-2": {"C", "D"},
        "S-1": {"C", "D"},
        "S-3": {"C", "D"},
        "S-4": {"C", "D"},
        "S-5": {"C", "D"},
        "S-7": {"C", "D"},
    }
    assert boards == expected_boards[code] if code in expected_boards else len(boards) == 1


def test_relief_force_can_reach_board_d() -> None:
    """The reason why C is crossed the short way in S-1: a half-track moves 8 and has five turns."""
    m = field("S-1")
    reachable_hexes = Resolver(m).places(
        Area(board="D", within=Within(distance=5 * 8, of=Area(board="C", edge="west")))
    )
    assert reachable_hexes == m.on_board("D")


@pytest.mark.parametrize("id", ["edge_distance", "S-4_jeeps", "S-4_howitzer", "S-6_counts", "S-7_mortars"])
def test_rulings_keep_both_readings(id: str) -> None:
    ruling = game().rulings[id]
    assert len(ruling.readings) >= 2 and ruling.choice in ruling.readings and ruling.why
