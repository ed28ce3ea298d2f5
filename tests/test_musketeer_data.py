"""Operation Musketeer: facts typed from the rulebook, its worked examples, and that our tables keep their promises."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from assistant.attack import Odds, odds, unit_fields
from assistant.questions.answering import answer_question
from assistant.questions.registry import questions
from assistant.questions.rendering import answer_json
from scenarios.areas.resolving import Resolver
from scenarios.model.counters import Unit
from scenarios.model.game import Game
from scenarios.model.scenario import Scenario, Victory
from scenarios.model.tables import Table
from scenarios.pack.loading import load

DOC = Path(__file__).parent.parent / "docs" / "tables-musketeer.md"
CONTINGENTS = ("anglo_french", "israel", "us", "egypt", "arab_league", "ussr")
GROUND = ("mechanized", "foot", "static")

# The codes of 15.1 and 19.4, from the worst for the firer to the best.
GROUND_ORDER = ("-", "A/G", "R", "D", "DR", "DR*", "E", "E*")
AIR_ORDER = ("AA", "-", "1", "2", "3", "4")
STEPS = {"-": 0, "A/G": 0, "R": 0, "D": 1, "DR": 1, "DR*": 1, "E": 2, "E*": 2}


@cache
def game() -> Game:
    return load("musketeer")


def table(table_id: str) -> Table:
    return game().tables[table_id]


def standard() -> Scenario:
    return game().scenarios["standard"]


def row(table_id: str, label: str) -> tuple[str, ...]:
    return table(table_id).cells[label]


def columns(table_id: str) -> list[list[str]]:
    """Each column of a table rolled with one die, from 1 to 6."""
    chart = table(table_id)
    return [[chart.cell(die, i).code for die in range(1, 7)] for i in range(len(chart.columns.labels))]


# The charts that the rulebook prints


def test_stacking() -> None:
    limits = {"anglo_french": 4, "israel": 3, "us": 4, "egypt": 2, "arab_league": 2, "ussr": 3}  # 12.1
    assert {c: int(row("stacking", c)[0]) for c in CONTINGENTS} == limits
    assert {c for c in CONTINGENTS if row("stacking", c)[1] == "1"} == {"egypt", "arab_league"}
    air = {"anglo_french": 3, "israel": 2, "us": 4, "egypt": 1, "ussr": 2, "arab_league": 1}  # 18.4
    assert {c: int(row("air_stacking", c)[0]) for c in CONTINGENTS} == air
    assert {row("air_stacking", c)[1] for c in CONTINGENTS} == {"7"}  # 19.1


def test_refit() -> None:
    printed_rows = {
        "anglo_french": "3 3 2",
        "israel": "3 2 -",
        "us": "3 4 2",
        "egypt": "2 1 3",
        "ussr": "2 2 2",
        "arab_league": "1 1 -",
    }
    assert {c: " ".join(row("refit", c)) for c in CONTINGENTS} == printed_rows


def test_escalation() -> None:
    points = {
        "command_anglo_french": 1,
        "command_israel": 1,
        "command_us": 2,
        "command_musketeer": 2,
        "command_revise": 2,
        "command_kadesh": 2,
        "command_strac": 3,
        "command_egypt": 0,
        "command_arab_league": 1,
        "command_ussr": 2,
        "command_mobilizes": 1,
        "command_suez": 4,
    }
    assert {key: int(cells[0]) for key, cells in table("escalation").cells.items()} == points
    markers = {key: m for key, m in game().markers.items() if key.startswith("command_")}
    assert {key: int(m.factors["escalation"]) for key, m in markers.items()} == points
    assert {m.count for m in markers.values()} == {1}
    # 7.0: how many markers each contingent has, regular and special.
    uses = Counter((cells[1], cells[2]) for cells in table("escalation").cells.values())
    assert [uses[c, "each turn"] for c in CONTINGENTS] == [1] * 6
    assert [uses[c, "once"] for c in CONTINGENTS] == [2, 1, 1, 1, 0, 1]


def test_events() -> None:
    names = (
        "UN Emergency Session",
        "Ike Annoyed",
        "Arab Infighting",
        "Run on the Pound Sterling",
        "Hungarian Uprising",
        "Brinksmanship",
        "Nasser Speech",
        "Egyptian General Staff Panics",
        "Arabs Sabotage Oil Pipelines",
        "Khrushchev Pounds Shoe",
        "Syrian/Jordanian Offensive",
    )
    chart = table("events")
    assert [chart.cell(n, 0).code for n in range(2, 13)] == list(names)
    assert chart.distribution(0)["Brinksmanship"] == Fraction(6, 36)
    barred_markers = {name: chart.results[name].effects.get("no_marker") for name in names}
    assert {barred_markers[names[i]] for i in (1, 2, 3, 4, 10)} == {
        "command_us",
        "command_arab_league",
        "command_anglo_french",
        "command_ussr",
        "command_israel",
    }
    assert chart.results["UN Emergency Session"].effects == {"escalation": "-1"}
    # Sum by sum: which marker is out, how escalation moves, what comes back.
    printed_effects = {
        3: "no_marker command_us",
        4: "no_marker command_arab_league",
        5: "no_marker command_anglo_french",
        6: "no_marker command_ussr",
        7: "escalation 2d6",
        8: "refit 2 guerrillas 1",
        9: "DR 1 R 2 garrison_lost 1-2",
        10: "no_marker west_special",
        11: "escalation 1d6 return_airstrikes 1 return_ground 1",
        12: "no_marker command_israel",
    }
    for total, effect_text in printed_effects.items():
        effects = chart.results[chart.cell(total, 0).code].effects
        assert " ".join(f"{key} {value}" for key, value in effects.items()) == effect_text


def test_paradrop() -> None:
    chart = table("paradrop")
    assert [chart.cell(die, 0).code for die in range(1, 7)] == ["D", *"-----"]
    assert [chart.cell(die, 1).code for die in range(1, 7)] == ["D", "D", *"----"]


def test_involvement() -> None:
    """28.3: a die no higher than the turn; a three on turn 1 is not enough, a one on turn 2 is."""
    chart = table("involvement")
    for turn in range(1, 8):
        column = chart.find_column(Fraction(turn))
        assert column is not None
        for die in range(1, 7):
            assert (chart.cell(die, column).code == "in") == (die <= turn)


def test_victory_points() -> None:
    places_by_points = {
        15: "cairo",
        10: "alexandria",
        7: "port_said suez_city",
        5: "gaza sharm_el_sheikh",
        3: "ismailia qantara",
        2: "matruh giza el_arish mitla_pass gidi_pass",
        1: "rafah abu_agheila",
    }
    for points, places in places_by_points.items():
        for spot in places.split():
            assert row("victory_points", spot) == (str(points), str(points))
    assert row("victory_points", "eilat") == ("0", "5")
    assert row("victory_points", "Israel: other town or kibbutz") == ("0", "2")
    kills = {
        "Egypt: division": "2 0",
        "Arab League: division": "1 0",
        "USSR: regiment or task force": "2 0",
        "East: airstrike": "2 0",
        "East: all else": "0 0",
        "Britain, France: ground unit": "0 2",
        "Israel: ground unit": "0 1",
        "US: ground unit": "0 3",
        "West: airstrike": "0 1",
        "West: all else": "0 0",
    }
    assert {key: " ".join(row("victory_points", key)) for key in kills} == kills
    levels = table("victory_levels")
    for lead, level in (
        (0, "Draw"),
        (20, "Draw"),
        (21, "Regional Victory"),
        (40, "Regional Victory"),
        (41, "Theater Victory"),
        (60, "Theater Victory"),
        (61, "Global Victory"),
    ):
        column = levels.find_column(Fraction(lead))
        assert column is not None and levels.cell("level", column).code == level


def test_terrain() -> None:
    cost = {key: cells[0] for key, cells in table("terrain").cells.items()}
    assert Fraction(cost["suez_canal"]) + Fraction(cost["open"]) == 3  # 9.8
    assert (cost["road"], cost["track"]) == ("1/3", "1/2")  # 9.10
    assert all(cost[hexside].startswith("+") for hexside in ("suez_canal", "river", "wadi"))
    first = {key: cells[2] for key, cells in table("terrain").cells.items()}
    assert first["city"] == first["fortification"] == "defender"
    assert first["open"] == "attacker"
    words = {*game().terrain, *game().hexsides, *game().paths}
    assert set(cost) == words
    assert all(int(cells[1]) <= 0 for cells in table("terrain").cells.values())


def test_pursuit() -> None:
    hexes = {key: int(cells[0]) for key, cells in table("pursuit").cells.items()}
    assert hexes["mechanized"] == 3 and hexes["mechanized"] > hexes["non-mechanized"] >= 1 and hexes["static"] == 0


def test_contingents() -> None:
    printed_rows = {  # 10.4, 10.1, 11.6, 29.4
        "anglo_french": "3 yes 2 yes",
        "israel": "1 no 0 yes",
        "us": "2 yes 1 yes",
        "egypt": "0 no 0 no",
        "arab_league": "0 no 0 no",
        "ussr": "1 yes 0 yes",
    }
    cells = table("contingents").cells
    assert {key: " ".join(row[:3] + row[4:]) for key, row in cells.items()} == printed_rows
    assert {key for key, row in cells.items() if row[3] == "withdraws"} == {"anglo_french", "israel", "us"}  # 16.1


def test_air_transfer_is_an_entry() -> None:
    """10.1: British, French, US and Soviet units may fly to an airbase of theirs; in the West only the non-mechanized."""
    entry = questions(game())["entry"]
    ground = [unit for unit in game().units.values() if unit.class_ in ("mechanized", "foot", "static")]

    def flies(unit: Unit) -> bool:
        """Whether it may fly to Almaza, where another of its nation stands."""
        friend = next(
            other_unit for other_unit in ground if other_unit.nation == unit.nation and other_unit is not unit
        )
        inputs = {"unit": unit.id, "scenario": "none", "put": f"{friend.id}@almaza"}
        return any(way["way"] == "air transfer" for way in answer_json(answer_question(entry, game(), inputs))["ways"])

    fly = [unit for unit in ground if flies(unit)]
    assert {unit.nation for unit in fly} == {"britain", "france", "us", "ussr"}
    assert {unit.nation for unit in fly if unit.class_ == "mechanized"} == {"ussr"}


# Our tables keep what the text says of them


@pytest.mark.parametrize(("table_id", "order"), [("ground", GROUND_ORDER), ("air", AIR_ORDER)])
def test_monotone(table_id: str, order: tuple[str, ...]) -> None:
    """No better die and no higher column gives a worse result, and each column is better somewhere."""
    ranks = [[order.index(code) for code in column] for column in columns(table_id)]
    for column in ranks:
        assert column == sorted(column)
    for lower, higher in pairwise(ranks):
        assert all(a <= b for a, b in zip(lower, higher, strict=True)) and lower != higher
    assert {code for column in columns(table_id) for code in column} == set(order)
    assert set(table(table_id).results) == set(order)


def test_air_table_sums_to_seven() -> None:
    assert table("air").columns.labels == ("1", "2", "3", "4", "5", "6", "7")
    assert all("AA" in column for column in columns("air"))


def test_expected_results_are_plotted() -> None:
    """The plots of the document are those of the tables."""
    text = DOC.read_text(encoding="utf-8")
    ground = [Fraction(sum(STEPS[code] for code in column), 6) for column in columns("ground")]
    assert ground == [Fraction(n, 6) for n in range(10)]
    hits = [Fraction(sum(int(c) for c in column if c.isdigit()), 6) for column in columns("air")]
    assert hits == sorted(set(hits))
    for title, labels, values in (
        ("column steps", table("ground").columns.labels, ground),
        ("column hits", table("air").columns.labels, hits),
    ):
        lines = [
            f"{label:>6}  {float(value):4.2f}  {'#' * round(value * 12)}".rstrip()
            for label, value in zip(labels, values, strict=True)
        ]
        assert "\n".join([title, *lines]) in text


def test_sources() -> None:
    words = {key: game_table.source.word for key, game_table in game().tables.items() if game_table.source}
    assert {key for key, word in words.items() if word != "rulebook"} == {
        "ground",
        "air",
        "terrain",
        "pursuit",
        "reinforcements",
    }
    assert set(words) == set(game().tables)


# The order of battle

BASE = {"battalion": 1, "regiment": 2, "brigade": 3, "group": 3, "division": 5}
WEAKER_UNITS = {
    "re_britain", "loc_britain", "sc_israel", "corps_7_us", "aaa_us", "cz_us", "div_8_egypt", "bde_97r_egypt",
    "bde_98r_egypt", "bde_99r_egypt", "ng_1_egypt", "ng_2_egypt", "ng_26_egypt", "min_int_egypt", "aaa_cairo_egypt",
    "aaa_canal_egypt", "eng_egypt", "kgb_ussr", "pvo_ussr", "eng_ussr", "garrison_egypt", "garrison_israel",
}  # fmt: skip


def ground_units() -> list[Unit]:
    return [unit for unit in game().units.values() if unit.class_ in GROUND]


def test_one_scale() -> None:
    for unit in ground_units():
        arab = unit.nation in ("egypt", "arab_league")
        better = (unit.type == "armor") + (unit.type in ("parachute", "marine"))
        combat = max(1, BASE[unit.size] + better - arab - (unit.id in WEAKER_UNITS))
        pace = 6 if unit.type == "armored_car" else 5 if unit.class_ == "mechanized" else 3
        movement = 0 if unit.class_ == "static" else pace - arab
        assert (unit.factors["combat"], unit.factors["movement"]) == (combat, movement), unit.id
        assert unit.steps == (2 if combat > 1 else 1)
        if unit.back is None:
            assert combat == 1
        else:
            assert unit.back_state == "disrupted"
            assert (unit.back["combat"], unit.back["movement"]) == (-(-combat // 2), -(-movement // 2))


def test_french_strengths() -> None:
    """14.7 knows a French 3 and a French 2."""
    strengths = {int(str(unit.factors["combat"])) for unit in ground_units() if unit.nation == "france"}
    assert strengths == {3, 2}


def test_named_units() -> None:
    """Names of 2.6 and what other rules say of them."""
    names = {nation: {u.name for u in game().units.values() if u.nation == nation} for nation in game().nations}
    for nation, expected_names in {
        "britain": "Gd,LOC,MI6,RE",
        "france": "Col,MC,RAP,REC,1 REP,2 RCP,10",
        "israel": "Eitan,Gol,SC,202",
        "us": "7C,CC A,CZ,PMF,SF",
        "egypt": "1 MFF,Min Int,1 NG,75 P,8 PLA,97 R,Res,S el S,SC",
        "arab_league": "Saudi EF",
        "ussr": "108 G,GSFE,KGB,PVO,Sptznz,VOL",
    }.items():
        assert set(expected_names.split(",")) <= names[nation], nation
    units = game().units
    assert units["reg_10_france"].type == "armored_car" and units["reg_10_france"].size == "regiment"  # 2.2
    assert units["col_france"].type == "infantry" and units["col_france"].size == "brigade"
    for key in ("abn_202_israel", "para_75_egypt"):  # 24.3
        assert "no_drop" in units[key].abilities
    assert units["abn_202_israel"].size == "brigade" and units["para_75_egypt"].size == "battalion"
    assert (units["eitan_israel"].size, "airborne" in units["eitan_israel"].abilities) == ("battalion", True)  # 8.3
    assert {u.id for u in units.values() if "infiltrates" in u.abilities} == {"vol_ussr", "kgb_ussr"}  # 29.3
    assert units["vol_ussr"].class_ == "mechanized"
    assert {u.size for u in ground_units() if u.nation == "ussr"} == {"regiment", "group"}  # 3.3
    assert not any(u.class_ == "static" and u.factors["movement"] for u in ground_units())


def test_counts() -> None:
    units, markers = game().units, game().markers
    assert (units["garrison_egypt"].count, units["garrison_israel"].count) == (8, 6)  # 4.3
    lifts = {
        "airborne_britain": 1,
        "airborne_israel": 1,
        "airborne_ussr": 1,
        "airborne_us": 2,
        "airborne_france": 2,
        "sealift_britain": 1,
        "sealift_us": 1,
        "sealift_france": 1,
        "helicopter": 1,
    }
    assert {key: markers[key].count for key in lifts} == lifts  # 10.4, 11.6, 26.1
    assert {int(str(u.factors["shifts"])) for u in units.values() if u.class_ == "guerrilla"} == {0, 1, 2}  # 25.4
    assert {u.nation for u in units.values() if u.class_ == "guerrilla"} == {"egypt"}
    # The Refit Table: Israel and the Arab League have neither special forces nor guerrillas.
    assert {u.nation for u in units.values() if u.class_ == "special_forces"} == {
        "britain",
        "france",
        "us",
        "egypt",
        "ussr",
    }
    assert {u.nation for u in units.values() if u.class_ == "gunfire"} == {"britain", "france", "us"}  # 20.0
    assert {u.nation for u in units.values() if u.class_ == "rocket"} == {"ussr"}
    brigades = [u for u in units.values() if u.nation == "egypt" and u.size == "brigade"]
    assert sum(u.type == "infantry" for u in brigades) > 3 and sum(u.type == "armor" for u in brigades) > 1
    for nation, limit in (("israel", 2), ("us", 4), ("egypt", 1), ("ussr", 2), ("arab_league", 1)):
        assert units[f"airstrike_{nation}"].count >= limit


# The worked examples


def fire(unit: str, states: tuple[str, ...] = (), **inputs: Fraction | int | str | bool) -> Odds:
    return odds(game(), "ground_fire", {"firer": [unit_fields(game(), unit, states)]}, inputs)


def test_french_example() -> None:
    """14.7: the 3 fires as a 3 and the 2 as a 2; with air support each has the shift."""
    three, two = fire("col_france"), fire("reg_10_france")
    assert (three.column, two.column) == ("3", "2")
    three, two = fire("col_france", cas=1), fire("reg_10_france", cas=1)
    assert (three.column, two.column) == ("4", "3")
    assert [a.rule for a in three.modifiers] == ["14.10"]


def test_air_support_example() -> None:
    """19.9: two Israeli airstrikes against a fort; one is shot down before the Israelis fire."""
    fort = int(row("terrain", "fortification")[1])
    assert row("terrain", "fortification")[2] == "defender"
    planned_answer = fire("bde_7_israel", terrain="fortification", cas=2)
    remaining_answer = fire("bde_7_israel", terrain="fortification", cas=1)
    assert (planned_answer.shift, remaining_answer.shift) == (fort + 2, fort + 1)
    assert not planned_answer.failures and fire("bde_7_israel", cas=3).failures  # 18.4
    answer = fire("bde_6_egypt", role="defender", terrain="fortification")
    assert answer.shift == 0 and answer.chances == table("ground").distribution(1)


def test_guerrilla_example() -> None:
    """25.4: an Egyptian division in a city fires first, two to the right; then the armored brigade, one."""
    city = int(row("terrain", "city")[1])
    assert row("terrain", "city")[2] == "defender"
    egypt = fire("div_2_egypt", role="defender", terrain="city", guerrilla=2)
    assert egypt.shift == 2 and not egypt.failures
    west = fire("armd_25_britain", terrain="city", special_forces=True)
    assert west.shift == city + 1 and not west.failures
    assert [a.amount for a in west.modifiers if a.text == "special forces"] == [1]


def test_shifts() -> None:
    assert fire("bde_7_israel", special_command=True).shift == 2  # 14.10
    assert fire("bde_7_israel", special_command=True, role="defender").shift == 0
    assert fire("bde_7_israel", concentric=True).shift == 1  # 29.4
    assert fire("bde_4_egypt", concentric=True).failures
    assert fire("armd_25_britain", cas=2, enemy_flak=True).shift == 1  # 24.1
    assert fire("armd_25_britain", enemy_flak=True).shift == 0
    canal, city = int(row("terrain", "suez_canal")[1]), int(row("terrain", "city")[1])
    combined_answer = fire("armd_25_britain", terrain="city", across="suez_canal")
    assert combined_answer.shift == min(canal, city)  # one terrain only, the best
    assert fire("armd_25_britain", across="suez_canal", engineer=True).shift == canal + 1  # 24.2
    assert fire("armd_25_britain", engineer=True).shift == 0
    assert fire("cdo_3_britain", ("direct_assault",), across="suez_canal").shift == 0  # 29.5
    assert fire("cdo_3_britain", ("disrupted",)).attack_strength == 2
    assert fire("bde_4_egypt", terrain="open", guerrilla=1).failures  # 14.10
    assert fire("col_france", terrain="city", guerrilla=1).failures
    assert fire("bde_4_egypt", terrain="city", guerrilla=1, special_forces=True).failures  # 25.3
    assert fire("bde_4_egypt", role="defender", cas=1).failures  # 19.8


def test_air() -> None:
    strikes = [unit_fields(game(), "airstrike_britain")] * 4 + [unit_fields(game(), "airstrike_france")] * 2
    assert odds(game(), "air_superiority", {"attackers": strikes}).column == "6"
    first = odds(game(), "air_superiority", {"attackers": strikes[:3]}, {"special_command": True})
    assert (first.start, first.column) == ("3", "5")  # 19.3
    answer = odds(game(), "air_superiority", {"attackers": strikes[:3]}, {"special_command": True, "role": "defender"})
    assert answer.column == "3"
    mixed_strikes = [*strikes[:2], unit_fields(game(), "airstrike_israel")]
    assert odds(game(), "air_superiority", {"attackers": mixed_strikes}).failures


def test_bombardment() -> None:
    strike, guns = unit_fields(game(), "airstrike_britain"), unit_fields(game(), "gunfire_britain", distance=1)
    city = int(row("terrain", "city")[1])
    answer = odds(game(), "bombardment", {"attackers": [strike] * 3 + [guns]}, {"terrain": "city", "enemy_flak": True})
    assert answer.attack_strength == 4 and answer.shift == city - 1 and not answer.failures
    assert odds(game(), "bombardment", {"attackers": [guns]}, {"enemy_flak": True}).shift == 0  # 20.4
    assert odds(game(), "bombardment", {"attackers": [strike] * 4}).failures  # 18.4
    far_gun = unit_fields(game(), "gunfire_britain", distance=2)
    assert odds(game(), "bombardment", {"attackers": [far_gun]}).failures  # 20.3
    for distance, has_failures in ((10, False), (11, True)):
        rockets = unit_fields(game(), "rockets", distance=distance)
        assert bool(odds(game(), "bombardment", {"attackers": [rockets]}).failures) == has_failures


# The scenario


def test_card() -> None:
    scenario = standard()
    assert scenario.turns is not None and scenario.turns.last == 7
    assert (scenario.first, scenario.sets_up_first, scenario.sequence) == ("west", "east", "standard")


def test_all_counters_are_used_once() -> None:
    used: Counter[str] = Counter()
    for force in standard().forces.values():
        for group in force.groups:
            used.update(group.units)
            used.update(group.markers)
    counter_counts = {key: unit.count for key, unit in game().units.items()}
    counter_counts |= {key: marker.count or 0 for key, marker in game().markers.items() if key != "nuclear"}
    assert used == Counter(counter_counts)


def test_set_up() -> None:
    groups = {group.id: group for force in standard().forces.values() for group in force.groups}
    boxes = {key: group.at.box for key, group in groups.items() if group.at and group.at.box}
    assert boxes["egypt_box"] == boxes["egypt_guerrillas"] == "egyptian_reinforcement"
    assert boxes["egypt_air"] == "egyptian_available" and boxes["israel_air"] == "israeli_available"
    assert boxes["britain"] == boxes["france"] == "anglo_french_reinforcement"
    assert (boxes["us"], boxes["ussr"]) == ("us_reinforcement", "ussr_reinforcement")
    reserve = [game().units[key] for key in groups["egypt_box"].units]
    assert Counter((unit.size, unit.type) for unit in reserve) == {("brigade", "infantry"): 3, ("brigade", "armor"): 1}
    assert groups["egypt_garrisons"].units == {"garrison_egypt": 8}
    assert groups["israel_garrisons"].units == {"garrison_israel": 6}
    east = [group.order for group in standard().forces["east"].groups]
    assert max(east) < min(group.order for group in standard().forces["west"].groups if group.units)


def test_places_fit_the_garrisons() -> None:
    """4.3: eight Egyptian cities and fortifications, six Israeli towns and kibbutzes; a sudden death takes all cities."""
    resolver = Resolver(game().scenario_maps["standard"])
    groups = {group.id: group for force in standard().forces.values() for group in force.groups}
    for key, count in (("egypt_garrisons", 8), ("israel_garrisons", 6)):
        area = groups[key].at
        assert area is not None and len(resolver.places(area)) == count
    for line in standard().victory:
        if line.wins and line.at is not None:
            assert len(resolver.places(line.at)) == line.at_least
        elif line.event == "occupied" and line.at is not None and line.at.any_:
            assert len(resolver.places(line.at)) == len(line.at.any_)


def points(line: Victory) -> int:
    return int(line.points or 0)


def test_victory_lines() -> None:
    lines = standard().victory
    assert {line.side for line in lines if line.wins} == {"west", "east"}
    occupations: Counter[tuple[str, int]] = Counter()
    for line in lines:
        if line.event == "occupied" and not line.wins and line.at is not None:
            occupations[line.side, points(line)] += len(line.at.any_) or 1
    west = {15: 1, 10: 1, 7: 2, 5: 2, 3: 2, 2: 5, 1: 2}
    assert {p: n for (side, p), n in occupations.items() if side == "west"} == west
    assert {p: n for (side, p), n in occupations.items() if side == "east"} == west | {5: 3, 2: 6}
    worth = {
        "div_1_egypt": 2,
        "div_8_egypt": 2,
        "bde_4_egypt": 0,
        "iraq_arab_league": 1,
        "saudi_arab_league": 0,
        "mech_1_ussr": 2,
        "gsfe_ussr": 2,
        "airstrike_egypt": 2,
        "airstrike_ussr": 2,
        "guerrilla_2": 0,
        "garrison_egypt": 0,
        "gd_britain": 2,
        "mc_france": 2,
        "bde_7_israel": 1,
        "cca_us": 3,
        "airstrike_us": 1,
        "special_forces_us": 0,
        "special_forces_ussr": 0,
        "gunfire_us": 0,
        "rockets": 0,
    }
    for key, expected_points in worth.items():
        unit = game().units[key]
        kill_points = 0
        for line in lines:
            victim_filter = line.who
            if line.event != "eliminated" or victim_filter is None:
                continue
            meets = (not victim_filter.units or key in victim_filter.units) and (
                not victim_filter.classes or unit.class_ in victim_filter.classes
            )
            meets &= victim_filter.nation in ("", unit.nation) and victim_filter.side in ("", unit.side)
            kill_points += points(line) * (meets and line.side != unit.side)
        assert kill_points == expected_points, key


def test_divisions_are_all_counted() -> None:
    listed_units = {unit for line in standard().victory if line.who for unit in line.who.units}
    assert listed_units == {unit.id for unit in ground_units() if unit.size == "division"}


def test_special_rules() -> None:
    effects = [effect for special in standard().special for effect in special.effects]
    barred_markers = {(e.side, e.value, e.turns) for e in effects if e.effect == "no_marker"}
    assert barred_markers == {("west", "command_revise", "1"), ("east", "command_mobilizes", "1")}  # 28.2
    assert [e.value for e in effects if e.effect == "world_war"] == ["50"]  # 6.4
    assert {e.nation for e in effects if e.effect == "commitment"} == {"us", "ussr", "arab_league"}  # 28.3
    limits = {e.nation: e.value.split(", ")[:3] for e in effects if e.effect == "entry_limit"}
    for nation, nation_limits in limits.items():
        contingent = "anglo_french" if nation in ("britain", "france") else nation
        expected_limits = zip(("ground", "air", "special"), row("reinforcements", contingent), strict=True)
        assert nation_limits == [f"{category} {number}" for category, number in expected_limits]


def test_rulings() -> None:
    expected_rulings = {
        "reinforcements_move",
        "landing_on_enemy",
        "air_superiority_limit",
        "bombardment_limit",
        "special_forces_after_use",
        "rout_direction",
        "city_retreat",
        "panic_in_cities",
        "command_pool",
        "turn_ends",
        "box_names",
        "egypt_marker",
        "west_contingents",
    }
    assert expected_rulings <= set(game().rulings)
    assert all(len(ruling.readings) > 1 and ruling.rule for ruling in game().rulings.values())
