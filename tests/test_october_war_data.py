"""October War's counters, tables, attacks and set-up against facts typed from the rulebook."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from assistant.attack import AttackValue, Odds, odds, unit_fields
from scenarios import load
from scenarios.areas.resolving import Resolver
from scenarios.model.points import PointMap

ROOT = Path(__file__).parent.parent
GAME = load(ROOT / "scenarios" / "packs" / "october_war")
SCENARIO = GAME.scenarios["standard"]


def words(text: str) -> list[str]:
    return text.split()


# The tables once more, typed from the text.

GROUND = {
    1: "- - - - - - - - - - r R R R R R R R R R",
    2: "- - - - - - - - r R R R R R 1 1 1 1 2 2",
    3: "- - - - - - - r R 1 1 1 1 1 1 1 2 2 2 2",
    4: "- - - - r R R 1 1 1 2 2 2 2 2 2 2 3 3 3",
    5: "- - r R 1 1 1 1 2 2 2 2 3 3 3 3 3 3 3 4",
    6: "r R 1 1 1 2 2 2 2 2 2 3 3 3 4 4 4 4 4 5",
}
AIR = {
    1: "- - - - - - A A A A A",
    2: "- - - - - A 1 1 1 1 2",
    3: "- - - - A A 1 2 2 2 2",
    4: "- - A A 1 1 2 2 2 2 2",
    5: "- A A 1 1 1 2 2 2 3 3",
    6: "A 1 1 1 2 2 2 2 3 3 4",
}


@pytest.mark.parametrize(("table", "rows", "first"), [("ground", GROUND, 1), ("air", AIR, 0)])
def test_combat_tables(table: str, rows: dict[int, str], first: int) -> None:
    chart = GAME.tables[table]
    labels = [str(first + i) for i in range(len(words(rows[1])))]
    assert list(chart.columns.labels) == labels
    for die, row in rows.items():
        assert [chart.cell(die, i).code for i in range(len(labels))] == words(row)
    assert all(chart.cell(die, i).meaning for die in rows for i in range(len(labels)))


def test_ground_table_cells_and_slope() -> None:
    ground = GAME.tables["ground"]
    assert len(ground.columns.labels) == 20
    assert ground.cell(5, ground.named_column("7")).code == "1"
    assert ground.cell(6, ground.named_column("20")).code == "5"
    means = [
        sum((int(code) * chance for code, chance in ground.distribution(i).items() if code.isdigit()), Fraction(0))
        for i in range(20)
    ]
    assert means == sorted(means) and means[19] == Fraction(16, 6)


def column(table: str, label: str) -> list[str]:
    chart = GAME.tables[table]
    return [chart.cell(die, chart.named_column(label)).code for die in range(1, 7)]


def test_air_defense_and_airmobile() -> None:
    assert column("air_defense", "2") == words("- - - - AR ELIM")
    assert column("air_defense", "1") == words("- - - - - AR")
    # Five of the strategic readings survive: two dashes at the left, and these three somewhere behind them.
    strategic = column("air_defense", "3")
    assert strategic[:2] == ["-", "-"] and {"AR", "ELIM", "ELIM+AR"} <= set(strategic)
    assert column("airmobile", "3") == words("A A S S S S")
    assert column("airmobile", "2") == words("E A A S S S")
    assert column("airmobile", "1") == words("E E A A S S")


CELLS: dict[str, dict[str, str]] = {
    "refit_israeli": {"1": "X", "2": "R2", "3": "R1", "4": "R1", "5": "R0", "6": "R0"},
    "refit_arab": {"1": "X", "2": "X", "3": "R3", "4": "R2", "5": "R1", "6": "R0"},
    "terrain_by_faction": {
        "israeli_fort_golan": "stop -3 0",
        "israeli_fort_sinai": "stop -1 0",
        "arab_fort": "stop 0 -2",
        "city": "stop 0 -3",
        "town": "1 0 -1",
    },
    "mobilization_israeli": {
        "headquarters": "3 2",
        "armor": "1 1/2",
        "mechanized_infantry": "1 1/2",
        "paratroop": "2 1",
        "infantry": "1/2 1/2",
        "recon": "2 1",
        "airmobile_infantry": "3 2",
        "commando": "3 2",
        "engineer": "2 1",
        "barrage": "1 N/a",
        "tac": "set-up 1/2",
        "garrison": "N/a N/a",
        "signals": "set-up N/a",
        "depot": "set-up N/a",
        "antitank": "event 1",
        "mobile_sam": "set-up 1",
        "wild_weasel": "event 1",
        "ew": "event N/a",
    },
    "mobilization_arab": {
        "headquarters": "4 3",
        "guards": "3 2",
        "armor": "2 1",
        "mechanized_infantry": "1 1",
        "infantry": "1 1/2",
        "commando_airmobile": "3 2",
        "commando_other": "2 1",
        "rocket_launcher": "2 1",
        "antitank": "1 1/2",
        "engineer": "2 1",
        "barrage": "1 N/a",
        "mobile_sam": "set-up 2",
        "static_sam": "set-up N/a",
        "tac": "N/a 1",
        "ssm": "3 N/a",
        "ew": "event N/a",
    },
    "victory_arab": {"casualty point of Israel": "2", "Israeli fort": "2", "pass": "5", "Arab objective": "10"},
    "victory_israeli": {
        "casualty point of the Arabs": "1",
        "African point": "2",
        "Egyptian town": "5",
        "Egyptian city": "1",
        "Syrian fort": "3",
        "Israeli objective": "10",
    },
}


@pytest.mark.parametrize("table", CELLS)
def test_charts(table: str) -> None:
    assert {row: " ".join(cells) for row, cells in GAME.tables[table].cells.items()} == CELLS[table]


def test_every_type_has_a_price() -> None:
    israeli = {unit.type for unit in GAME.units.values() if unit.nation == "israel"}
    assert israeli <= set(GAME.tables["mobilization_israeli"].cells)
    arab = {unit.type for unit in GAME.units.values() if unit.nation in ("egypt", "syria")}
    assert arab - set(GAME.tables["mobilization_arab"].cells) == {"commando", "paratroop", "marine"}


def test_terrain_chart() -> None:
    cells = GAME.tables["terrain"].cells
    stops = {row for row, (mechanized_cost, _, _, _) in cells.items() if mechanized_cost == "stop"}
    assert stops == {"rough", "marsh", "objective", "reserve_area", "breach"}
    assert cells["mountain"] == ("prohibited", "stop", "-2", "-2")
    assert cells["desert"] == ("1", "stop", "0", "0")
    assert cells["suez_canal"][2:] == ("-2", "-1")
    shifts = {row: cell[2] for row, cell in cells.items()}
    assert [shifts[row] for row in ("open", "rough", "pass", "objective", "marsh")] == ["0", "-1", "-1", "-1", "-1"]
    assert cells["lake_crossing"] == cells["red_sea_crossing"] == ("prohibited", "prohibited", "-1", "-1")


def test_terrain_chart_line_by_line() -> None:
    """The chart's movement and shift; what its notes say by class stands in the test above."""
    printed_rows = {
        "open": "1 0",
        "rough": "stop -1",
        "pass": "1 -1",
        "mountain": "stop -2",
        "desert": "stop 0",
        "objective": "stop -1",
        "route": "* -",
        "suez_canal": "1 -1",
        "lake_crossing": "prohibited -1",
        "red_sea_crossing": "prohibited -1",
        "reserve_area": "stop -",
        "purple_line": "- -",
        "jordan_river": "- -",
        "breach": "stop -",
        "marsh": "stop 0",
    }
    cells = GAME.tables["terrain"].cells
    assert {row: f"{cell[1]} {cell[3]}" for row, cell in cells.items()} == printed_rows


def test_every_kind_of_point_has_a_line() -> None:
    rows = {*GAME.tables["terrain"].cells, *GAME.tables["terrain_by_faction"].cells}
    assert set(GAME.terrain) <= rows


def test_victory_levels() -> None:
    levels = GAME.tables["victory_levels"]
    levels_by_points = {
        n: levels.cell("level", levels.find_column(Fraction(n)) or 0).code for n in (0, 24, 25, 50, 51, 300)
    }
    assert list(levels_by_points.values()) == [
        "Draw",
        "Draw",
        "Minor Victory",
        "Minor Victory",
        "Major Victory",
        "Major Victory",
    ]


def test_events() -> None:
    arab = (
        "Arab Allies,Ceasefire,Jordanian Front,Major Operation,Morale Check,Oil Embargo,Option,Satellite Recon,"
        "Soviet Resupply"
    )
    israeli = (
        "Ceasefire,Combined Arms,Electronic Warfare,Major Operation (A),Major Operation (B),Morale Check,Option,"
        "Satellite Recon,US Resupply"
    )
    assert list(GAME.tables["events_arab"].cells) == arab.split(",")
    assert list(GAME.tables["events_israeli"].cells) == israeli.split(",")
    ends = {row: end for row, (_, end) in GAME.tables["events_arab"].cells.items() if end != "discard"}
    assert {row for row, end in ends.items() if end == "return"} == {"Morale Check", "Oil Embargo"}
    assert set(ends) == {"Morale Check", "Oil Embargo", "Jordanian Front"}  # that one a little later
    ends = {row: end for row, (_, end) in GAME.tables["events_israeli"].cells.items() if end != "discard"}
    assert set(ends) == {"Combined Arms"} and words(ends["Combined Arms"])[0] == "remains"
    names = [(marker.side, marker.name) for key, marker in GAME.markers.items() if key.startswith("event_")]
    assert Counter(names) == Counter(
        [("arab", name) for name in arab.split(",")] + [("israeli", name) for name in israeli.split(",")]
    )
    # The numbers of the chart: dice, points and turns.
    for side, row, event_text in [
        ("arab", "Arab Allies", "Three dice"),
        ("arab", "Jordanian Front", "3 MP"),
        ("arab", "Oil Embargo", "2 MP"),
        ("arab", "Oil Embargo", "gains 1"),
        ("arab", "Morale Check", "1 MP more"),
        ("arab", "Soviet Resupply", "one EW"),
        ("israeli", "Ceasefire", "turn 3"),
        ("israeli", "Ceasefire", "a 1 on"),
        ("israeli", "US Resupply", "Two dice"),
        ("israeli", "Morale Check", "-1"),
    ]:
        assert event_text in GAME.tables[f"events_{side}"].cells[row][0]
    pools = [group for force in SCENARIO.forces.values() for group in force.groups if "event" in str(group.markers)]
    assert sum(count for group in pools for count in group.markers.values()) == 18


def test_reorganization_and_break_down_agree() -> None:
    chart = GAME.tables["reorganization"]
    printed_rows = {  # armored, mechanized, infantry, paratroop
        "Egyptian armored division": "2100",
        "Egyptian mechanized division": "1200",
        "Egyptian infantry division": "0030",
        "Syrian armored division": "2100",
        "Syrian mechanized division": "0120",
        "Iraqi armored division": "2100",
        "Israeli armored brigade": "3000",
        "Israeli mechanized brigade": "0300",
        "Israeli combined arms brigade": "2100",
        "Israeli paratroop brigade": "0003",
        "Israeli infantry brigade": "0030",
    }
    assert {row: "".join(cells) for row, cells in chart.cells.items()} == printed_rows
    column_by_type = {"armor": 0, "mechanized_infantry": 1, "infantry": 2, "paratroop": 3}
    rows = {
        "armored_division_egypt": "Egyptian armored division",
        "mech_division_egypt": "Egyptian mechanized division",
        "infantry_division_egypt": "Egyptian infantry division",
        "armored_division_syria": "Syrian armored division",
        "mech_division_syria": "Syrian mechanized division",
        "armored_division_iraq": "Iraqi armored division",
        "armor_brigade": "Israeli armored brigade",
        "mech_brigade": "Israeli mechanized brigade",
        "paratroop_brigade": "Israeli paratroop brigade",
        "infantry_brigade_gal": "Israeli infantry brigade",
    }
    for key, row in rows.items():
        parts = [0, 0, 0, 0]
        for part, count in GAME.units[key].breaks_into.items():
            parts[column_by_type[GAME.units[part].type]] += count
        assert tuple(map(str, parts)) == chart.cells[row], key
    large = [unit for unit in GAME.units.values() if "large" in unit.abilities]
    assert all(sum(unit.breaks_into.values()) == 3 for unit in large)
    for unit in large:  # the scale: a large unit is the sum of its parts
        for factor in ("strength", "bracket"):
            parts_of = [
                (GAME.units[part].factors.get(factor) or GAME.units[part].factors["strength"], count)
                for part, count in unit.breaks_into.items()
            ]
            if factor in unit.factors:
                assert unit.factors[factor] == sum(Fraction(str(value)) * count for value, count in parts_of), unit.id


def test_stacking_and_the_lost_track() -> None:
    stacking = GAME.tables["stacking"].cells
    assert stacking["limit"] == ("4", "9") and stacking["air units over a point"] == ("3", "7")
    assert stacking["division"][0] == stacking["brigade"][1] == "3"
    assert stacking["brigade"][0] == stacking["regiment"][0] == stacking["battalion"][0] == "1"  # 12.1
    assert stacking["battalion"][1] == stacking["company"][1] == stacking["depot"][1] == "1"
    assert set(stacking["headquarters of each size"]) == {"1"} and stacking["static SAM"][0] == "0"  # 12.5
    free = {unit.type for unit in GAME.units.values() if "free_stacking_one" in unit.abilities}
    assert free == set(words("recon headquarters mobile_sam engineer antitank rocket_launcher garrison"))  # 12.5
    track = GAME.tables["mobilization_points"]
    assert track.source is not None and track.source.word == "reconstructed"
    assert list(track.cells) == [str(n) for n in range(1, 10)]
    assert set(track.cells["1"]) == {"0"}
    assert all(int(track.cells[str(n)][0]) >= 3 for n in range(2, 10))


def test_only_what_is_printed_is_called_rulebook() -> None:
    sources = {datum.path: datum.source.word for datum in GAME.data if datum.source}
    printed_strengths = {
        "armored_brigade_egypt": "5",
        "guards_brigade_egypt": "6",
        "mech_brigade_egypt": "3",
        "guards_brigade_syria": "5",
        "wild_weasel": "2",
    }
    tacs = {key: "1" for key in GAME.units if key.startswith("tac_")}
    for key, strength in {**printed_strengths, **tacs}.items():
        assert GAME.units[key].factors["strength"] == Fraction(strength), key
    # 5.3 gives a 4 to two of the eight Syrian brigades only, so for the kind it is no more than inferred.
    assert GAME.units["armored_brigade_syria"].factors["strength"] == 4
    for key in GAME.units:
        word = sources[f"counters/{key}/factors/strength"]
        assert (word == "rulebook") == (key in printed_strengths or key in tacs), key
    assert sources["counters/hq_143/factors/leader"] == "rulebook" and GAME.units["hq_143"].factors["leader"] == 2
    leaders = [path for path, word in sources.items() if path.endswith("/leader") and word == "rulebook"]
    assert leaders == ["counters/hq_143/factors/leader"]
    for unit in GAME.units.values():
        if unit.type == "headquarters":
            assert Fraction(str(unit.factors["strength"])) + Fraction(str(unit.factors["leader"])) >= 2


# The set-up, typed from 5.1 to 5.3: how many units of each type (and size) in each place.

SET_UP: dict[str, dict[str, int]] = {
    "bar_lev": {"garrison": 4},
    "sinai": {"headquarters": 2, "armor battalion": 9, "depot": 1, "mobile_sam": 1},
    "hermon": {"signals": 1},
    "golan": {
        "headquarters": 2,
        "armor battalion": 6,
        "mechanized_infantry battalion": 3,
        "paratroop battalion": 3,
        "depot": 2,
        "mobile_sam": 1,
    },
    "reserve": {"headquarters": 4, "armor brigade": 6, "paratroop brigade": 2},
    "air": {"tac": 20},
    "large_golan": {"armor brigade": 2, "mechanized_infantry brigade": 1, "paratroop brigade": 1},
    "large_sinai": {"armor brigade": 3},
    "egypt": {
        "headquarters": 2,
        "armor division": 2,
        "mechanized_infantry division": 2,
        "infantry division": 5,
        "armor brigade": 2,
        "marine": 1,
        "paratroop brigade": 1,
        "commando": 4,
        "antitank": 2,
        "engineer": 4,
        "rocket_launcher": 2,
        "mobile_sam": 4,
        "static_sam": 8,
    },
    "port_said": {"infantry brigade": 1},
    "ismailia": {"infantry brigade": 1},
    "suez": {"infantry brigade": 1},
    "egypt_reserve": {"mechanized_infantry division": 1, "armor brigade": 2, "paratroop brigade": 1, "commando": 1},
    "egypt_air": {"tac": 7, "ssm": 2},
    "syria": {
        "headquarters": 1,
        "armor division": 2,
        "mechanized_infantry division": 3,
        "armor brigade": 3,
        "engineer": 1,
        "rocket_launcher": 1,
        "mobile_sam": 2,
        "static_sam": 2,
        "mechanized_infantry brigade": 1,
    },
    "sasa": {"commando": 1},
    "syria_reserve": {"headquarters": 1, "armor brigade": 2, "mechanized_infantry brigade": 1, "irregular": 1},
    "syria_air": {"tac": 3, "ssm": 1},
}
SIZED_TYPES = {"armor", "mechanized_infantry", "infantry", "paratroop"}
GROUPS = {group.id: group for force in SCENARIO.forces.values() for group in force.groups}


@pytest.mark.parametrize("place", SET_UP)
def test_set_up(place: str) -> None:
    set_up_counts: Counter[str] = Counter()
    for key, count in GROUPS[place].units.items():
        unit = GAME.units[key]
        set_up_counts[f"{unit.type} {unit.size}" if unit.type in SIZED_TYPES else unit.type] += count
    assert set_up_counts == Counter(SET_UP[place])


def test_named_units_and_markers_of_the_set_up() -> None:
    assert {key for key in GROUPS["reserve"].units if key.startswith("hq")} == {"hq_143", "hq_146", "hq_162", "hq_240"}
    assert set(GROUPS["large_golan"].units) == {
        "golani_brigade",
        "armor_brigade_7",
        "armor_brigade_188",
        "paratroop_brigade_31",
    }
    assert GROUPS["egypt_barrage"].markers == {"barrage_egypt": 2}
    assert GROUPS["syria_barrage"].markers == {"barrage_syria": 1}
    assert (GROUPS["egypt_ew"].markers, GROUPS["syria_ew"].markers) == ({"ew_arab": 3}, {"ew_arab": 2})
    assert GROUPS["egypt_reserve"].units["armored_brigade_libya"] == 1
    assert GROUPS["syria"].units["mech_brigade_morocco"] == GROUPS["syria_reserve"].units["brigade_pla"] == 1
    assert (SCENARIO.sets_up_first, SCENARIO.first) == ("israeli", "arab")
    assert SCENARIO.turns is not None and SCENARIO.turns.last == 9


def test_classes_and_what_special_units_can_do() -> None:
    """2.3 names the classes; 9.6, 16.4, 21.6, 23.1 and 23.5 who can do what."""
    mechanized_types = words("armor mechanized_infantry recon antitank rocket_launcher")
    foot = words("headquarters infantry paratroop commando garrison engineer static_sam depot")
    for unit in GAME.units.values():
        if unit.type in mechanized_types + foot:
            assert unit.class_ == ("mechanized" if unit.type in mechanized_types else "non_mechanized"), unit.id

    def units_with(ability: str) -> set[str]:
        return {unit.id for unit in GAME.units.values() if ability in unit.abilities}

    israeli = [unit for unit in GAME.units.values() if unit.nation == "israel"]
    golani = {"golani_brigade", "golani_battalion"}
    assert units_with("elite") == golani | {unit.id for unit in israeli if unit.type in ("paratroop", "commando")}
    assert units_with("airborne") == {"paratroop_battalion_202"}
    assert units_with("amphibious") == {"amphibious_brigade_egypt"} | {u.id for u in israeli if u.type == "commando"}
    assert units_with("free_second_move") == {unit.id for unit in israeli if unit.type in ("recon", "commando")}
    # The static units of 2.3: garrisons, SAM sites, the listening post and the depots.
    assert units_with("static") == {"garrison", "static_sam_egypt", "static_sam_syria", "signals_unit", "depot"}
    assert units_with("no_crossing") == {"city_brigade_egypt"}  # 5.2 (2)
    for key, part in (("golani_brigade", "golani_battalion"), ("paratroop_brigade_202", "paratroop_battalion_202")):
        assert GAME.units[key].breaks_into == {part: 3}
        assert [unit.id for unit in israeli if part in unit.breaks_into] == [key]  # 9.6


def test_counts_that_the_set_up_only_bounds_are_inferred() -> None:
    """Where points or an event may bring more than the set-up places, the text has no total."""
    source_words = {datum.path: datum.source.word for datum in GAME.data if datum.source}
    for unit in GAME.units.values():
        if (
            unit.type in words("engineer rocket_launcher commando paratroop antitank tac ssm")
            and unit.nation
            in (
                "israel",
                "egypt",
                "syria",
            )
            and unit.id != "paratroop_brigade_31"
        ):
            assert source_words[f"counters/{unit.id}/count"] != "rulebook", unit.id
    assert source_words["counters/static_sam_egypt/count"] == source_words["counters/garrison/count"] == "rulebook"


def test_special_rules() -> None:
    """6.3, 10.5, 10.6, 23.1 as effects."""
    rule_effects = {
        (effect.effect, effect.value or "", effect.turns) for rule in SCENARIO.special for effect in rule.effects
    }
    effect_values = {(name, value) for name, value, _ in rule_effects}
    assert {
        ("strikes_limited", "10"),
        ("mobilization_cap", "12"),
        ("mobilization_cap", "15"),
        ("free_ew", "1"),
    } <= effect_values
    assert {("stacking_at_setup", "2"), ("garrison_required", "4"), ("allies_drawn", "3d6")} <= effect_values
    skipped_phases = [value for name, value, _ in rule_effects if name == "phases_skipped"]
    assert sorted(len(words(value)) for value in skipped_phases) == [4, 6]  # 2a to 2d, 3a to 3f
    assert {phase for value in skipped_phases for phase in words(value)} >= {"israeli_movement_1", "israeli_combat_1"}


def test_every_counter_is_somewhere_and_two_sheets_are_full() -> None:
    placed_counts: Counter[str] = Counter()
    for group in GROUPS.values():
        placed_counts.update(dict(group.units))
    assert placed_counts == {key: unit.count for key, unit in GAME.units.items()}
    available = GROUPS["mobilization"].units
    assert (available["armor_battalion"], available["mech_battalion"]) == (12, 15)
    assert sum(placed_counts.values()) + sum(marker.count or 0 for marker in GAME.markers.values()) == 2 * 176


def test_places_of_the_set_up() -> None:
    resolver = Resolver(GAME.maps["main"], dict(SCENARIO.zones))
    west, east = (resolver.places(GROUPS[key].at) for key in ("egypt", "sinai"))  # type: ignore[arg-type]
    assert not west & east and "port_said" in west
    forts = resolver.places(GROUPS["bar_lev"].at)  # type: ignore[arg-type]
    assert len(forts) >= 4 and not forts & east
    golan = resolver.places(GROUPS["golan"].at), resolver.places(GROUPS["syria"].at)  # type: ignore[arg-type]
    assert not golan[0] & golan[1] and "sasa" in golan[1]


# Attacks.


def fire(unit: str = "armor_battalion", /, **inputs: AttackValue) -> Odds:
    """One unit's fire. `oos` and `strength` are told of the unit, all else of the battle."""
    states = ["out_of_supply"] if inputs.pop("oos", False) else []
    extra_factors = {key: inputs.pop(key) for key in ("strength",) if key in inputs}
    return odds(GAME, "ground", {"firing": [unit_fields(GAME, unit, states, **extra_factors)]}, inputs)


def test_examples_of_the_rulebook() -> None:
    # 15.6: 25 points and one shift left start at 20 and fire on 19.
    answer = fire(strength=25, terrain="pass")
    assert (answer.start, answer.shift, answer.column) == ("20", -1, "19")
    # 15.6: a headquarters of two moves a 3 to 5. 17.2: the 143rd is worth two.
    assert fire("mech_brigade_egypt", headquarters=2).column == "5"
    assert GAME.units["hq_143"].factors["leader"] == 2
    # 15.4: the Egyptian armored brigade fires with 5, the mechanized with 3.
    assert [fire(f"{kind}_brigade_egypt").column for kind in ("armored", "mech")] == ["5", "3"]
    # 17.0: every headquarters fires on 2 or better.
    for unit in GAME.units.values():
        if unit.type == "headquarters":
            assert int(fire(unit.id).column or 0) >= 2


def test_antitank_example() -> None:
    """15.7: an armored brigade with an infantry battalion brings out the bracket, combined arms alone do not."""
    firing = [unit_fields(GAME, "mech_brigade_egypt")]
    infantry = unit_fields(GAME, "infantry_battalion")
    plain_brigade = unit_fields(GAME, "armor_brigade")
    combined_brigade = unit_fields(GAME, "armor_brigade", ["combined_arms"])
    columns = [
        odds(GAME, "ground", {"firing": firing, "targets": targets}, {"attacking": False}).column
        for targets in (
            [plain_brigade, infantry],
            [combined_brigade, infantry],
            [infantry],
            [combined_brigade, plain_brigade],
        )
    ]
    bracket = str(GAME.units["mech_brigade_egypt"].factors["bracket"])
    assert columns == [bracket, "3", "3", bracket]
    assert fire("rocket_brigade_egypt").start == "5" and fire("rocket_brigade_egypt", attacking=False).start == "1"


@pytest.mark.parametrize(
    ("unit", "inputs", "shift"),
    [
        ("armor_battalion", {"terrain": "city"}, -3),
        ("armor_battalion", {"terrain": "arab_fort"}, -2),
        ("armor_battalion", {"terrain": "town"}, -1),
        ("armor_battalion", {"terrain": "israeli_fort_golan"}, 0),
        ("armored_brigade_syria", {"terrain": "israeli_fort_golan"}, -3),
        ("armored_brigade_egypt", {"terrain": "israeli_fort_sinai"}, -1),
        ("armored_brigade_egypt", {"terrain": "city"}, 0),
        ("armor_battalion", {"terrain": "city", "attacking": False}, 0),
        ("armor_battalion", {"terrain": "marsh"}, -1),
        ("infantry_battalion", {"terrain": "marsh"}, 0),
        ("infantry_battalion", {"terrain": "mountain"}, -2),
        ("infantry_brigade_egypt", {"across": "suez_canal", "helped": True}, 0),
        ("infantry_brigade_egypt", {"across": "suez_canal", "helped": True, "terrain": "israeli_fort_sinai"}, -1),
        ("infantry_brigade_egypt", {"across": "suez_canal", "bridge": True, "terrain": "israeli_fort_sinai"}, -1),
        ("sayeret_matkal", {"across": "suez_canal"}, -1),
        ("amphibious_brigade_egypt", {"across": "suez_canal"}, -2),
        ("amphibious_brigade_egypt", {"across": "suez_canal", "terrain": "israeli_fort_sinai"}, -3),
        ("amphibious_brigade_egypt", {"across": "lake_crossing"}, -1),
        ("armored_brigade_egypt", {"across": "suez_canal", "bridge": True}, 0),
        ("paratroop_battalion", {"terrain": "city"}, -2),
        ("paratroop_battalion", {"terrain": "city", "engineer": True}, -1),
        ("paratroop_battalion", {"terrain": "open"}, 0),
        ("infantry_battalion", {"terrain": "arab_fort", "engineer": True}, -1),
        ("engineer_egypt", {"terrain": "israeli_fort_sinai"}, 0),
        ("armor_battalion", {"morale": True}, -1),
        ("armored_brigade_egypt", {"morale": True}, 0),
        ("hq_143", {"headquarters": 1}, 2),
        ("hq_2a", {"headquarters": 2}, 2),
    ],
)
def test_shifts(unit: str, inputs: dict[str, AttackValue], shift: int) -> None:
    answer = fire(unit, **inputs)
    assert (answer.shift, answer.failures) == (shift, ())


def test_supply_and_what_is_not_allowed() -> None:
    assert fire(oos=True).shift == -2
    assert fire("garrison", oos=True, attacking=False, terrain="israeli_fort_sinai").shift == 0
    assert fire("garrison", oos=True).column == "1"
    assert fire("armored_brigade_egypt", across="suez_canal").failures
    assert fire("armored_brigade_egypt", across="suez_canal", helped=True).failures
    # 13.7, 21.1: men on foot cross with an engineer; 21.2, 21.3: others, the engineers too, over a bridge only.
    assert fire("infantry_brigade_egypt", across="suez_canal").failures
    assert fire("engineer_egypt", across="suez_canal", helped=True).failures
    assert fire("infantry_brigade_egypt", across="red_sea_crossing").failures
    assert not fire("sayeret_matkal", across="red_sea_crossing").failures
    assert fire(terrain="mountain").failures
    assert fire("tac_israel").failures


def strikes(attack: str, units: list[str], **inputs: AttackValue) -> Odds:
    return odds(GAME, attack, {"firing": [unit_fields(GAME, unit) for unit in units]}, inputs)


def test_air_attacks() -> None:
    six = ["tac_israel"] * 6
    umbrella = strikes("air_ground_attack", six, umbrella_over=True)
    assert (umbrella.start, umbrella.column) == ("6", "4")
    assert strikes("air_ground_attack", six, umbrella_over=True, ew=True).column == "6"
    assert strikes("air_ground_attack", six, overstacked=True, terrain="arab_fort").column == "5"
    assert strikes("air_ground_attack", ["tac_egypt"], umbrella_over=True).column == "0"
    assert strikes("air_ground_attack", ["tac_israel"] * 8).failures and not strikes("air_ground_attack", six).failures
    assert strikes("air_ground_attack", ["tac_egypt"] * 4).failures
    assert strikes("air_ground_attack", ["tac_egypt", "tac_libya"]).failures
    assert strikes("air_ground_attack", ["wild_weasel"]).failures
    assert strikes("air_ground_attack", ["wild_weasel"] * 2, at_air_defense=True).column == "4"
    assert strikes("air_superiority", [*six, "wild_weasel"]).column == "8"
    assert strikes("air_superiority", six, ew=True).column == "7"
    assert strikes("air_superiority", ["tac_egypt"], ew=True).failures
    assert strikes("air_superiority", ["ssm_egypt"]).failures
    assert strikes("air_superiority", ["tac_israel"] * 11).failures
    assert strikes("strategic_attack", ["tac_syria"] * 2 + ["ssm_syria"]).column == "3"
    assert strikes("strategic_attack", [*six, "wild_weasel"], ew=True).column == "7"


def test_air_defense_fire() -> None:
    def shot(unit: str, **inputs: AttackValue) -> Odds:
        distance = inputs.pop("distance", 0)
        return odds(GAME, "air_defense", {"firing": [unit_fields(GAME, unit, distance=distance)]}, inputs)

    ground = shot("mobile_sam_egypt", distance=1)
    assert ground.chances == {"-": Fraction(2, 3), "AR": Fraction(1, 6), "ELIM": Fraction(1, 6)} and not ground.failures
    assert shot("mobile_sam_egypt", mission="recon").chances == {"-": Fraction(5, 6), "AR": Fraction(1, 6)}
    assert shot("mobile_sam_egypt", distance=2).failures and not shot("static_sam_egypt", distance=2).failures
    assert shot("static_sam_egypt", distance=1, weasels=True).failures
    assert shot("armored_brigade_egypt").failures
    assert not odds(GAME, "air_defense", {}, {"mission": "strategic_attack"}).failures


def test_barrage() -> None:
    def barrage(unit: str, **inputs: AttackValue) -> Odds:
        return odds(GAME, "barrage", {"firing": [unit_fields(GAME, unit)]}, inputs)

    assert barrage("barrage_syria", hermon=True).shift == 1
    assert barrage("barrage_syria", terrain="israeli_fort_golan").shift == -3
    assert barrage("barrage_egypt", within_control=False).failures
    assert not barrage("barrage_israel", within_control=False).failures
    assert barrage("barrage_israel", echelon=2).failures and barrage("barrage_israel", spotter=False).failures
    assert barrage("armored_brigade_egypt").failures


def test_airmobile_moves() -> None:
    def flight(unit: str, **inputs: AttackValue) -> Odds:
        return odds(GAME, "airmobile", {"moving": [unit_fields(GAME, unit)]}, inputs)

    columns = [
        flight("sayeret_matkal").column,
        flight("commando_brigade_egypt").column,
        flight("commando_brigade_egypt", friendly_umbrella=True).column,
        flight("commando_brigade_syria", turn=1).column,
        flight("airmobile_battalion", enemy_superiority=True).column,
    ]
    assert columns == ["3", "2", "3", "3", "1"]
    assert flight("commando_brigade_egypt", distance=5).failures
    assert not flight("paratroop_battalion_202", drop=True, distance=8).failures
    assert flight("paratroop_battalion", drop=True).failures and flight("infantry_battalion").failures
    assert flight("sayeret_matkal", objective=True).failures


def test_victory() -> None:
    points = Counter((line.side, int(line.points)) for line in SCENARIO.victory if line.points is not None)
    assert points == Counter(
        [(side, n) for side, row in (("israeli", (1, 2, 5, 1, 3, 10)), ("arab", (2, 2, 5, 10))) for n in row]
    )
    assert Counter(line.side for line in SCENARIO.victory if line.wins) == {"arab": 3, "israeli": 2}
    # 4.1: the Bar-Lev Line and both passes, the Golan forts, two cities; 70 and 60 casualties.
    resolver = Resolver(GAME.maps["main"], dict(SCENARIO.zones))
    ends = [line for line in SCENARIO.victory if line.wins]
    place_counts = [(len(resolver.places(line.at)), line.at_least) for line in ends if line.at is not None]
    assert place_counts == [(12, 12), (7, 7), (3, 2)]
    assert [re.findall(r"\b[67]0\b", line.text) for line in ends if line.at is None] == [["70"], ["60"]]
    # 4.2: no African point that is a town, city or objective counts as African too.
    (africa,) = (line.at for line in SCENARIO.victory if line.side == "israeli" and line.points == 2)
    field = GAME.maps["main"]
    assert africa is not None and isinstance(field, PointMap)
    assert not {field.points[str(point)].terrain for point in resolver.places(africa)} & {"town", "city", "objective"}


def test_rulings_hold_the_known_doubts() -> None:
    ruling_ids = """sam_umbrella_shift first_turn egyptian_city_points recon_air_defense air_defense_codes canal_fire
        second_ceasefire combined_arms_event golan_reserve_allies elite_shift second_echelon_combat
        israeli_first_echelon_air ew_step iraqi_areas sudan strategic_air_defense fort_supply amphibious_class
        arab_morale_objectives"""
    assert set(words(ruling_ids)) <= set(GAME.rulings)


def test_plots_in_the_docs() -> None:
    text = (ROOT / "docs" / "tables-october_war.md").read_text(encoding="utf-8")
    ground = GAME.tables["ground"]
    bars = re.findall(r"^ +(\d+) +(\d+)/6 +(\d) (\d)(?:  (#+))?$", text, re.M)
    assert len(bars) == 20
    for label, losses, single_retreats, full_retreats, bar in bars:
        codes = [ground.cell(die, ground.named_column(label)).code for die in range(1, 7)]
        assert int(losses) == len(bar) == sum(int(code) for code in codes if code.isdigit())
        assert (int(single_retreats), int(full_retreats)) == (codes.count("r"), codes.count("R"))
    rows = re.findall(r"^ +(\d)  (#* *)  (#* *)  ?(#*)$", text, re.M)
    track = GAME.tables["mobilization_points"].cells
    assert {row[0]: tuple(str(part.count("#")) for part in row[1:]) for row in rows if row[0] != "1"} == {
        turn: cells for turn, cells in track.items() if turn != "1"
    }
