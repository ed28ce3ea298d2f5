"""The samples' rules as their RULES.md tells them, asked on the command line: the numbers here are worked out by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assistant.cli import cli
from modgen.cache import Cache
from modgen.vmod.files.lock import Lock
from modgen.vmod.files.module import compose
from scenarios import check, load
from scenarios.pack.pack_folder import samples
from tests.asking import ask_json, ask_refusal, run_command


def costs(*words: str) -> dict[str, Any]:
    return {row["place"]: row["cost"] for row in ask_json("move", *words)["places"]}


@pytest.mark.parametrize("name", samples())
def test_every_sample_is_whole(name: str) -> None:
    assert check(name) == [] and load(name).rules is not None
    assert (load(name).folder / "RULES.md").is_file()


# --- The Ford at Lindau -----------------------------------------------------------------------------------------------


def test_roads_and_ground_of_the_ford() -> None:
    road = ask_json("move", "corps", "infantry_north/3", "0805")
    assert (road["path"], road["cost"]) == (["0704", "0804", "0805"], 2)
    # A clear hex off the road 1, the river 1 more; there the guard of the ford stops it.
    river = ask_json("move", "corps", "infantry_north/3", "0906")
    assert river["cost"] == 4 and river["lines"][0]["rule"] == "3.1"
    assert [step["why"] for step in river["steps"]] == [
        "a road (3)",
        "the ground (3)",
        "the ground 1 (3); a river +1 (3)",
    ]
    horse = costs("corps", "cavalry_north", "--put", "cavalry_north@0704")
    assert (horse["0804"], horse["0805"], horse["0503"]) == (
        "1/2",
        1,
        "7/2",
    )  # the road north to the town, then hills at 3


def test_mud_takes_more_off_the_roads() -> None:
    dry, wet = costs("corps", "infantry_north/5"), costs("corps", "infantry_north/5", "--turn", "3")
    assert (dry["1104"], wet["1104"]) == (1, 2)
    assert (dry["1003"], wet["1003"]) == (2, 3)  # woods
    assert costs("corps", "infantry_north/3", "--turn", "3")["0805"] == 2  # by road
    assert (dry["1005"], dry["1006"], wet["1005"]) == (1, 3, 2)
    # Over the river in mud: a clear hex 1, mud 1, the river 1, mud again 1.
    assert costs("corps", "infantry_north/5", "--put", "infantry_north/5@1005", "--turn", "3")["1006"] == 4


def test_zones_lock() -> None:
    options = ("--put", "infantry_south/11@0404")
    assert ask_refusal("move", "corps", "infantry_north/1", "0303", *options) == (
        "Infantry corps 1 can't move: it is in an enemy zone of control and may not leave",
        "3.1",
    )
    # Cavalry slips away, but not straight into another zone.
    horse = ("--put", "cavalry_north@0304,infantry_south/11@0404")
    assert ask_json("move", "corps", "cavalry_north", "0303", *horse)["cost"] == "1/2"  # along the road
    round_ = ask_json("move", "corps", "cavalry_north", "0403", *horse)
    assert (round_["path"], round_["cost"]) == (["0304", "0303", "0403"], "3/2")


def test_zones_neither_cross_rivers_nor_enter_towns() -> None:
    assert ask_refusal("move", "corps", "infantry_north/3", "0806")[1] == "3"
    assert not next(row for row in ask_json("move", "corps", "infantry_north/3")["places"] if row["place"] == "0805")[
        "stops"
    ]


def test_the_railway() -> None:
    ride = ask_json("move", "corps", "infantry_north/6", "0102", "kind=rail")
    assert len(ride["path"]) == 12 and ride["path"][0] == "1203"
    assert ask_refusal("move", "corps", "infantry_north/6", "0102", "kind=rail", "--put", "cavalry_south/16@0602") == (
        "Infantry corps 6 can't reach 0102: the path is blocked at 0503: an enemy zone of control",
        "3.3",
    )
    assert ask_refusal("move", "corps", "infantry_north/5", "0102", "kind=rail")[0].endswith(
        "it does not start on the railway"
    )
    assert ask_refusal("move", "corps", "infantry_south/14", "1303", "kind=rail")[1] == "3.3"


def test_command_supply_and_the_hex_that_is_always_allowed() -> None:
    answer = ask_json("move", "corps", "infantry_north/6", "--put", "infantry_north/6@1308")
    assert answer["allowance"] == 3  # out of command
    unit = "infantry_north/5"
    starving = ask_json("move", "corps", unit, "--turn", "3", "--put", f"{unit}@1002", "--mark", f"{unit}+starving")
    assert starving["allowance"] == 2
    woods = next(row for row in starving["places"] if row["place"] == "1003")  # 3 points in mud
    assert woods["may_end"]


def test_stages_of_supply() -> None:
    unit = ask_json("supply", "corps", "unit=infantry_north/1")["sides"][0]["units"][0]
    assert (unit["by"], unit["cost"], unit["rule"]) == ("army", 5, "7.2")
    assert ask_json("supply", "corps", "unit=infantry_north/1", "turn=3")["sides"][0]["unsupplied"] == [
        "infantry_north/1"
    ]
    # The headquarters itself is cut off when both arms of the railway are: then everybody is.
    cut = ask_json("supply", "corps", "side=north", "--put", "infantry_south/11@0603,infantry_south/12@0904")["sides"][
        0
    ]
    staff = next(row for row in cut["units"] if row["unit"] == "hq_north")
    assert staff["why"].startswith("cut at") and staff["rule"] == "7.4"
    assert "infantry_north/3" in cut["unsupplied"]


def test_retreats_at_the_ford() -> None:
    ways = ask_json("retreat", "corps", "infantry_north/3", "hexes=2", "--put", "infantry_north/3@0805")["units"][0][
        "ways"
    ]
    assert all(not way["to"].endswith(("06", "07")) or way["path"][1] == "0806" for way in ways)
    assert "0604" in {way["to"] for way in ways} and all(way["harm"] == 0 for way in ways)
    (staff,) = ask_json("retreat", "corps", "hq_north")["units"][0]["no_retreat"]
    assert staff["rule"] == "6" and staff["text"].startswith("it stays")


def test_stacks_at_the_ford() -> None:
    assert ask_json("stack", "corps", "0304", "--unit", "infantry_north/3")["lines"] == [
        {"text": "a hex holds two corps", "rule": "4"}
    ]
    assert ask_json("stack", "corps", "0304", "--unit", "hq_north")["may"] is True
    crowd = ask_json("stack", "corps", "--put", "infantry_north/3@0304")["stacks"][0]
    assert crowd["place"] == "0304" and not crowd["may"]


# --- The Landing on Skarholm --------------------------------------------------------------------------------------------


def test_marches_on_the_island() -> None:
    move_costs = costs("island", "infantry_islanders/11")
    # By road 1 each; a hill path 2 and the hills 1 more.
    assert move_costs == {
        "kirkeby": 0,
        "nordby": 1,
        "sletten": 1,
        "ostvik": 1,
        "odden": 2,
        "sorhavn": 2,
        "skagen": 2,
        "holm": 3,
        "bjerget": 3,
        "vik": 3,
    }
    assert (
        ask_refusal("move", "island", "infantry_islanders/13", "vik")[1] == "2.1"
    )  # four points by Kirkeby, Sletten and Skagen
    assert ask_refusal("move", "island", "infantry_mainland/1", "vik")[1] == "2.1"  # at sea
    assert (
        ask_refusal("move", "island", "infantry_islanders/11", "skagen", "--put", "infantry_mainland/1@skagen")[1]
        == "2.2"
    )


def test_ships_carry_what_they_hold() -> None:
    sail = ("--kind", "sail")
    joint_move = ask_json("move", "island", "transport/2,infantry_mainland/3,infantry_mainland/4", "south_sea", *sail)
    assert (joint_move["path"], joint_move["cost"]) == (["havn", "west_sound", "south_sea"], 2)
    # Two battalions weigh 4, which one transport holds; three need the second one.
    three = "infantry_mainland/3,infantry_mainland/4,infantry_mainland/5"
    assert ask_refusal("move", "island", f"transport/2,{three}", "south_sea", *sail)[1] == "4.2"
    assert ask_json("move", "island", f"transport/2,transport/3,{three}", "south_sea", *sail)["cost"] == 2
    assert ask_refusal("move", "island", "infantry_mainland/3", "south_sea", *sail)[1] == "4.2"
    assert ask_refusal("move", "island", "infantry_islanders/11", "nordby", *sail)[1] == "3.2"
    # A gunboat has 4 points and the enemy's patrol bars the east.
    assert costs("island", "gunboat_mainland", *sail) == {"west_sound": 0, "havn": 1, "north_sea": 1, "south_sea": 1}
    assert ask_refusal("move", "island", "gunboat_mainland", "nordby", *sail)[1] == "2.2"  # the garrison is there
    empty_port = ("--put", "infantry_islanders/13@odden")
    assert (
        ask_refusal("move", "island", "gunboat_mainland", "nordby", *sail, *empty_port)[1] == "3.1"
    )  # and still the town is theirs
    captured_port = ("--put", "flag_mainland@nordby,infantry_islanders/13@odden")
    assert ask_json("move", "island", "gunboat_mainland", "nordby", *sail, *captured_port)["cost"] == 2
    assert ask_refusal("move", "island", "transport/1", "vik", "--kind", "land")[1] == "3.3"
    assert ask_refusal("move", "island", "transport/1", "havn", "--put", "transport/1@vik", *sail)[1] == "3"


def test_landings_and_the_storm() -> None:
    assert costs("island", "infantry_mainland/1", "--kind", "land") == {
        "west_sound": 0,
        "skagen": 1,
    }  # the militia holds Vik
    north = ("--put", "transport/1@north_sea,infantry_mainland/1@north_sea,infantry_islanders/13@odden")
    assert ask_json("move", "island", "infantry_mainland/1", "nordby", "--kind", "land", *north)["cost"] == 1
    assert (
        ask_refusal("move", "island", "infantry_mainland/1", "nordby", "--kind", "land", "--turn", "3", *north)[1]
        == "3.4"
    )
    assert ask_refusal("move", "island", "gunboat_mainland", "north_sea", "--kind", "sail", "--turn", "6")[1] == "3.4"
    assert ask_refusal("move", "island", "infantry_mainland/3", "--kind", "land")[1] == "3.3"


def test_stacks_by_weight() -> None:
    assert {row["place"]: row["may"] for row in ask_json("stack", "island")["stacks"]} == {
        "havn": True,
        "west_sound": True,
        "kirkeby": True,
        "sorhavn": True,
    }
    assert not ask_json("stack", "island", "kirkeby", "unit=militia/15")["may"]  # two battalions and guns weigh 6
    assert ask_json("stack", "island", "vik", "unit=infantry_islanders/13")["may"]  # militia 1 and a battalion 2
    assert not ask_json("stack", "island", "vik", "unit=infantry_islanders/12,infantry_islanders/13")["may"]


def test_supply_from_a_port_and_over_the_beach() -> None:
    def supply_by_unit(put: str, *options: str) -> dict[str, str]:
        side = ask_json("supply", "island", "--side", "mainland", "--put", put, *options)["sides"][0]
        return {row["unit"]: row["by"] if row["supplied"] else f"out: {row['rule']}" for row in side["units"]}

    assert supply_by_unit("infantry_mainland/1@skagen")["infantry_mainland/1"] == "beach"
    assert supply_by_unit("infantry_mainland/1@sletten")["infantry_mainland/1"].startswith("out")
    port = "infantry_mainland/1@sletten,infantry_mainland/2@sorhavn,militia/16@bjerget,militia/17@bjerget"
    assert supply_by_unit(port)["infantry_mainland/1"] == "port"  # Sorhavn is theirs now, one road away
    placements = (
        "infantry_mainland/1@vik,infantry_mainland/2@sorhavn,militia/15@holm,militia/16@bjerget,"
        "militia/17@bjerget,transport/1@havn"
    )
    assert supply_by_unit(placements)["infantry_mainland/1"] == "port"  # Sorhavn, Sletten, Skagen, Vik: three roads
    assert supply_by_unit(f"{placements},infantry_islanders/11@skagen")["infantry_mainland/1"].startswith("out")
    assert supply_by_unit("infantry_mainland/1@skagen")["transport/1"] == ""


def test_an_assault_from_the_sea() -> None:
    attackers = "infantry_mainland/1,infantry_mainland/2,gunboat_mainland"
    answer = ask_json("odds", "island", "--from", "west_sound", "--at", "vik", f"attackers={attackers}")
    # Two battalions at half, 2 and 2, and the gunboat's 3 against a militia's 2.
    assert (answer["attack_strength"], answer["defense_strength"], answer["column"]) == (7, 2, "3-1")
    assert answer["chances"] == {"DR": "1/2", "D1": "1/3", "DE": "1/6"}
    retreat = ask_json("retreat", "island", "militia/15", "--put", "infantry_mainland/1@skagen")["units"][0]
    assert [way["to"] for way in retreat["ways"]] == ["holm"]
    assert {row["place"]: row["rule"] for row in retreat["barred"]} == {"skagen": "5.5", "west_sound": "5.5"}
    # Landed and beaten, a battalion goes back aboard, if there is room.
    aboard = ask_json("retreat", "island", "infantry_mainland/1", "--put", "infantry_mainland/1@skagen")["units"][0]
    assert [way["to"] for way in aboard["ways"]] == ["west_sound"]
    full = ask_json(
        "retreat", "island", "infantry_mainland/1", "--put", "infantry_mainland/1@skagen,infantry_mainland/3@west_sound"
    )["units"][0]
    assert full["ways"] == [] if "ways" in full else full["no_path"]


def test_points_of_the_island() -> None:
    start = ask_json("score", "island")
    assert start["totals"] == {"mainland": 0, "islanders": 2}
    answer = ask_json(
        "score", "island", "--put", "flag_mainland@nordby,infantry_islanders/13@odden,infantry_mainland/1@skagen"
    )
    assert answer["totals"] == {"mainland": 3, "islanders": 1}  # Vik is left to them


# --- Two Wells --------------------------------------------------------------------------------------------------------

WITHOUT_OTHERS = ("--remove", "infantry_blue/21,infantry_blue/22")


def test_moves_of_two_wells() -> None:
    move_costs = costs("two_wells", "cars", "--put", "cars/14@0102", *WITHOUT_OTHERS)
    # The track 1 a hex, over the wadi too; a hill 2; across the wadi off the track 1 more.
    assert (move_costs["0201"], move_costs["0301"], move_costs["0401"]) == (1, 2, 3)
    assert move_costs["0302"] == 3  # from 0301; from 0201 or 0202 it would be 1 + 1 + 1 all the same
    assert move_costs["0402"] == 5  # the hill: 2 more than 0302 or 0401
    text, rule = ask_refusal(
        "move", "two_wells", "cars", "0303", "--put", "cars/14@0203", "--turn", "2", *WITHOUT_OTHERS
    )
    assert (text, rule) == (
        "Armoured cars 14 can't enter 0303: it may not cross the wadi this turn",
        "special rule of the scenario",
    )


def test_the_watch_of_two_wells() -> None:
    reach = {row["place"]: row for row in ask_json("move", "two_wells", "cars", "--put", "cars/14@0102")["places"]}
    # The garrison in 0301 watches 0201, where the track crosses the wadi, but not 0202.
    assert reach["0201"]["stops"] and reach["0201"]["rule"] == "2.1"
    assert not reach["0202"]["stops"]
    assert ask_refusal("move", "two_wells", "cars", "0301", "--put", "cars/14@0102")[1] == "2.2"


def test_the_water_of_two_wells() -> None:
    sides = {side["side"]: side for side in ask_json("supply", "two_wells")["sides"]}
    # The three hexes of the west edge have a Red infantry each from the start.
    assert set(sides["red"]["supplied"]) == {"infantry_red/11", "infantry_red/12", "infantry_red/13"}
    fine = sides["blue"]
    assert set(fine["supplied"]) == {"infantry_blue/21", "infantry_blue/22"}
    cars = ask_json("supply", "two_wells", "unit=cars", "--put", "cars/14@0401,camels/23@0302,camels/24@0402")["sides"][
        0
    ]["units"][0]
    assert cars["supplied"] is False and cars["why"].startswith("cut at 03") and cars["rule"] == "6"
    assert ask_json("supply", "two_wells", "unit=camels/23", "--put", "camels/23@0103,infantry_red/11@0202")["sides"][
        0
    ]["units"][0]["supplied"]


def test_the_way_back_of_two_wells() -> None:
    dug_in = ask_json("retreat", "two_wells", "infantry_blue/21")["units"][0]
    assert dug_in["no_retreat"][0]["rule"] == "4.2"
    ways = ask_json("retreat", "two_wells", "infantry_blue/21", "--mark", "infantry_blue/21", "--put", "cars/14@0201")[
        "units"
    ][0]["ways"]
    assert {way["to"] for way in ways} == {"0401", "0302"}


def test_a_save_of_a_samples_module(tmp_path: Path) -> None:
    game = load("corps")
    save = tmp_path / "autumn.vsav"
    save.write_bytes(compose(game, Lock(), Cache(None)).files["Autumn rains.vsav"])
    answer = ask_json("move", "corps", "infantry_north/3", "0805", "--position", str(save))
    assert answer["cost"] == 2
    assert ask_json("supply", "corps", "--position", str(save))["sides"][0]["unsupplied"] == []
    landing = tmp_path / "landing.vsav"
    landing.write_bytes(compose(load("island"), Lock(), Cache(None)).files["The landing.vsav"])
    assert costs("island", "infantry_mainland/1", "--kind", "land", "--position", str(landing)) == {
        "west_sound": 0,
        "skagen": 1,
    }
    assert [side["unsupplied"] for side in ask_json("supply", "island", "--position", str(landing))["sides"]] == [
        [],
        [],
    ]


def test_a_pack_without_rules_is_told_what_to_add(tmp_path: Path) -> None:
    from tests.packs import copy

    pack = copy(tmp_path)
    (pack / "rules.yaml").unlink()
    for verb, message in (
        ("move", "movement; add `rules.movement`"),
        ("supply", "`rules.supply`"),
        ("stack", "`rules.stacking`"),
    ):
        result = run_command(cli, verb, str(pack), "cars")
        assert result.exit_code == 2 and message in result.output


def test_rules_like_a_samples(tmp_path: Path) -> None:
    from tests.packs import copy

    pack = copy(tmp_path)
    (pack / "rules.yaml").write_text("rules:\n  like: two_wells\n  zones: {watch: {has: false}}\n", encoding="utf-8")
    assert check(pack) == []
    reach = {row["place"]: row for row in ask_json("move", str(pack), "cars", "--put", "cars/14@0102")["places"]}
    assert not reach["0201"]["stops"]
