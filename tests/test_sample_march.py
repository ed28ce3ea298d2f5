"""The Relief of Halden as its RULES.md tells it, asked on the command line: the numbers here are worked out by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from modgen.cache import Cache
from modgen.vmod.files.lock import Lock
from modgen.vmod.files.module import compose
from scenarios import load
from tests.asking import ask_json, ask_refusal

FOOT = "foot_crown/1"
NO_PICKET = ("--put", "horse_league/16@1604")


def costs(*words: str) -> dict[str, Any]:
    return {row["place"]: row["cost"] for row in ask_json("move", "march", *words)["places"]}


def bread(unit: str, *words: str) -> dict[str, Any]:
    """How a unit stands with its bread."""
    row: dict[str, Any] = ask_json("supply", "march", f"unit={unit}", *words)["sides"][0]["units"][0]
    return row


def happens(phase: str, *words: str) -> list[dict[str, Any]]:
    """What a phase of the turn brings."""
    phases = {row["phase"]: row["happens"] for row in ask_json("turn", "march", *words)["phases"]}
    events: list[dict[str, Any]] = phases.get(phase, [])
    return events


# --- Marches (3) --------------------------------------------------------------------------------------------------------


def test_by_road_and_off_it() -> None:
    road = ask_json("move", "march", FOOT, "0704")
    assert (road["path"], road["cost"], road["allowance"]) == (["0405", "0505", "0604", "0704"], 3, 4)
    reach = costs(FOOT)
    assert (reach["0506"], reach["0404"]) == (2, 3)  # clear; hills
    assert reach["0605"] == 4  # one hex in column, then clear 2 and 1 to leave the column; or twice clear
    # One hex in column, then hills 3 and 1 to leave the column: 5 of 4 points.
    assert ask_refusal("move", "march", FOOT, "0504") == (
        "Foot brigade 1 can't reach 0504: it is 5 points away, but the unit has 4",
        "3",
    )


def test_rivers_and_bridges() -> None:
    options = ("--put", f"{FOOT}@0703,brandt@0703,wagons_crown/1@0703")
    assert ask_json("move", "march", FOOT, "0803", *options)["cost"] == 4  # clear 2, the river 2
    assert ask_refusal("move", "march", "wagons_crown/1", "0803", *options) == (
        "Wagons 1 can't enter 0803: wagons and guns need a bridge",
        "3",
    )
    # The royal road crosses by a bridge: 0704 and 0804 in column.
    assert (
        ask_json("move", "march", "wagons_crown/1", "0804", "--put", "wagons_crown/1@0604,horse_league/16@1604")["cost"]
        == 2
    )


def test_wheels_keep_to_roads_in_rough_ground_and_magazines_always() -> None:
    wagons = costs("wagons_crown/1")
    assert (wagons["0704"], wagons["0305"]) == (4, 3)
    assert ask_refusal("move", "march", "wagons_crown/1", "0404", "--put", "wagons_crown/1@0405") == (
        "Wagons 1 can't enter 0404: this kind of unit may not enter it",
        "3",
    )
    assert costs("magazine_crown/1") == {"0306": 0, "0205": 1, "0405": 1, "0406": 1, "0105": 2, "0505": 2, "0507": 2}


def test_a_column_doesnt_march_into_a_zone() -> None:
    # The picket in 0905 covers 0804: two hexes in column, then clear 2 and 1 to leave the column.
    answer = ask_json("move", "march", "horse_crown/7", "0804")
    assert answer["cost"] == 5 and answer["places"][0]["stops"]
    free = costs("horse_crown/7", *NO_PICKET)
    assert (free["0804"], free["0905"]) == (3, 4)
    assert "1004" not in free  # in the zone of the western lines: 4 and 3 more


def test_chances_of_a_forced_march() -> None:
    forced_march = ask_json("move", "march", FOOT, "0804", "--kind", "forced")
    assert forced_march["allowance"] == {str(points): "1/6" for points in range(3, 9)}  # 4, and a die roll minus two
    assert (forced_march["cost"], forced_march["chance"]) == (6, "1/2")  # three in column, then 3: a die of 4 or more
    chances = {row["place"]: row["chance"] for row in ask_json("move", "march", FOOT, "--kind", "forced")["places"]}
    assert (chances["0704"], chances["0605"], chances["0504"]) == (1, "5/6", "2/3")


@pytest.mark.parametrize(
    "unit, options",
    [
        (FOOT, ("--mark", f"{FOOT}+tired")),
        (FOOT, ("--mark", f"{FOOT}+hungry")),
        (FOOT, ("chit=osten",)),
        ("wagons_crown/1", ()),
    ],
)
def test_who_makes_no_forced_march(unit: str, options: tuple[str, ...]) -> None:
    assert ask_refusal("move", "march", unit, "0505", "--kind", "forced", *options)[1] == "3.4"


def test_stacks() -> None:
    assert ask_json("stack", "march", "0405", "--unit", "foot_crown/3")["lines"] == [
        {"text": "a hex holds two brigades", "rule": "4"}
    ]
    assert ask_json("stack", "march", "0405", "--unit", "wagons_crown/1,falk,magazine_crown/1")["may"]
    assert not ask_json("stack", "march", "0306", "--unit", "wagons_crown/2")["may"]  # a train of wagons is there


# --- Command (2.3) ------------------------------------------------------------------------------------------------------


def test_a_chit_moves_the_units_near_its_general() -> None:
    # Karlsburg is three hexes from either general: Brandt reaches three, Falk two.
    options = ("--put", "foot_crown/5@0105")
    assert ask_json("move", "march", "foot_crown/5", "chit=brandt", *options)["allowance"] == 4
    assert ask_json("move", "march", "foot_crown/5", "chit=falk", *options)["allowance"] == 2
    assert ask_json("move", "march", "foot_crown/5", "chit=osten", *options)["allowance"] == 2  # the enemy's general
    assert ask_json("move", "march", "foot_crown/5", *options)["allowance"] == 4  # with no chit told, any general


def test_an_enemy_zone_cuts_command_unless_a_friend_is_there() -> None:
    # From 0406 to 0207 two hexes lead only through 0307, which a horse brigade in 0308 covers.
    placement = "foot_crown/5@0207"
    assert ask_json("move", "march", "foot_crown/5", "chit=falk", "--put", placement)["allowance"] == 4
    assert (
        ask_json("move", "march", "foot_crown/5", "chit=falk", "--put", f"{placement},horse_league/16@0308")[
            "allowance"
        ]
        == 2
    )
    assert (
        ask_json(
            "move", "march", "foot_crown/5", "chit=falk", "--put", f"{placement},horse_league/16@0308,foot_crown/6@0307"
        )["allowance"]
        == 4
    )


# --- Bread (5) ----------------------------------------------------------------------------------------------------------


def test_bread_comes_in_three_stages() -> None:
    row = bread(FOOT)
    assert (row["by"], row["source"], row["cost"], row["rule"]) == ("bread", "wagons_crown/1", 1, "5.3")
    assert row["path"] == ["0105", "0205", "0306", "0405"]  # from the base, by the magazine and the wagons
    wagons, magazine = bread("wagons_crown/1"), bread("magazine_crown/1")
    assert (wagons["by"], wagons["source"], wagons["cost"]) == ("loading", "magazine_crown/1", 0)
    assert (magazine["by"], magazine["cost"]) == ("convoy", 2)


def test_the_length_of_each_stage() -> None:
    # Brigades: two hexes from wagons, or one from a magazine.
    distant_supply = bread(FOOT, "--put", f"{FOOT}@0604")
    assert (
        not distant_supply["supplied"]
        and distant_supply["why"] == "from wagons: Wagons 1 reaches 2 far, and the unit is 3 away"
    )
    assert bread(FOOT, "--put", f"{FOOT}@0604,wagons_crown/1@0505")["by"] == "bread"
    no_wagons = ("--remove", "wagons_crown/1,wagons_crown/2")
    assert (bread(FOOT, *no_wagons)["by"], bread("horse_crown/7", *no_wagons)["supplied"]) == ("store", False)
    # Wagons: six points. By road 0905 is six hexes from Ottermill, 1004 seven; a clear hex off the road is 3.
    last = bread("wagons_crown/1", "--put", "wagons_crown/1@0905,horse_league/16@1604")
    assert (last["by"], last["cost"]) == ("loading", 6)
    cut_supply = bread("wagons_crown/1", "--put", "wagons_crown/1@1004,horse_league/16@1604")
    assert (cut_supply["supplied"], cut_supply["rule"]) == (False, "5.2")
    assert bread("wagons_crown/1", "--put", "wagons_crown/1@0305")["cost"] == 3
    # Magazines: eight hexes by road from Karlsburg, which is 0905 too.
    assert bread("magazine_crown/1", "--put", "magazine_crown/1@0905,horse_league/16@1604")["cost"] == 8
    assert bread("magazine_crown/1", "--put", "magazine_crown/1@1004,horse_league/16@1604")["rule"] == "5.1"
    assert not bread("magazine_crown/1", "--put", "magazine_crown/1@0404")["supplied"]


def test_what_cuts_a_stage_cuts_those_behind_it() -> None:
    raid = "horse_league/16@0206"  # its zone covers 0205, where the wagons keep the road open; Ottermill is a town
    assert bread("magazine_crown/1", "--put", raid)["supplied"]
    cut = ("--put", f"{raid},wagons_crown/2@0105")
    magazine = bread("magazine_crown/1", *cut)
    assert not magazine["supplied"] and magazine["why"].startswith("cut at 0205") and magazine["rule"] == "5.4"
    # A way of wagons around it would cost more than 6 from the magazine in Karlsburg.
    assert not bread("wagons_crown/1", *cut)["supplied"]
    brigade = bread(FOOT, *cut)
    assert (brigade["supplied"], brigade["why"]) == (False, "from wagons: Wagons 1 is out of supply itself")
    # The besiegers' road from Eastgate.
    assert ask_json("supply", "march", "side=league", "--put", f"{FOOT}@1505")["sides"][0]["unsupplied"] == [
        "foot_league/11",
        "foot_league/12",
        "train_league",
        "foot_league/13",
        "foot_league/14",
        "foot_league/15",
        "wagons_league/3",
        "wagons_league/4",
        "magazine_league",
    ]


def test_bread_crosses_a_river_by_the_bridge() -> None:
    placement = f"wagons_crown/1@0704,{FOOT}@0803"
    bridge_supply = bread(FOOT, "--put", f"{placement},horse_league/16@1604")
    assert (bridge_supply["cost"], bridge_supply["path"][-3:]) == (2, ["0704", "0804", "0803"])
    cut_supply = bread(FOOT, "--put", placement)  # the picket in 0905 covers the bridge's end
    assert not cut_supply["supplied"] and cut_supply["why"].startswith("cut at 0804")


def test_who_needs_no_bread() -> None:
    assert (bread("garrison_crown", "turn=5")["supplied"], bread("garrison_crown", "turn=6")["supplied"]) == (
        True,
        False,
    )
    assert bread("brandt", "--put", "brandt@0901")["rule"] == "5"
    assert bread("horse_league/16")["rule"] == "5.7"
    assert not bread("horse_league/16", "--put", "horse_league/17@0905")["supplied"]  # two brigades don't find forage
    assert not bread("horse_league/16", "--put", "horse_league/16@0906")["supplied"]  # woods


# --- Turn (2, 3.4, 5.5, 7.1) --------------------------------------------------------------------------------------------


def test_initiative_and_the_cup() -> None:
    # The Crown adds 1: of 36 throws it is ahead in 21, level in 5.
    assert happens("initiative")[0]["chances"] == {"Crown": "7/12", "League": "5/18", "tie": "5/36"}
    assert happens("cup")[0]["chances"] == {"brandt": "1/3", "falk": "1/6", "osten": "1/3", "nightfall": "1/6"}


def test_hunger() -> None:
    first = happens("bread", "--put", f"{FOOT}@0604")
    assert [(row["sets"], row["units"]) for row in first] == [("hungry", [FOOT])]
    lose, clear = happens("bread", "--put", f"{FOOT}@0604", "--mark", f"{FOOT}+hungry,foot_crown/2+hungry")
    assert [(row["unit"], row["chance"]) for row in lose["units"]] == [(FOOT, "1/2")] and lose["lose"] == "1"
    assert (clear["clears"], clear["units"]) == ("hungry", ["foot_crown/2"])
    assert happens("bread", "--turn", "5") == []
    assert [row["units"] for row in happens("bread", "--turn", "6")] == [["garrison_crown"]]


def test_stragglers() -> None:
    lose, clear = happens("rest", "--mark", f"{FOOT}+tired,foot_crown/2+tired+hungry")
    assert {row["unit"]: row["chance"] for row in lose["units"]} == {FOOT: "1/6", "foot_crown/2": "1/3"}
    assert (clear["clears"], clear["units"]) == ("tired", [FOOT, "foot_crown/2"])


@pytest.mark.parametrize("turn, chance", [(7, None), (8, "1/3"), (9, "1/2"), (10, "1")])
def test_the_end_comes_by_a_throw(turn: int, chance: object) -> None:
    end = happens("end", "--turn", str(turn))
    assert [row["chances"] for row in end] == ([] if chance is None else [{"the game ends": chance}])


# --- Fighting and winning (6, 7) ----------------------------------------------------------------------------------------


def test_the_walls_of_halden() -> None:
    west = ask_json(
        "odds", "march", "--from", "1105", "--at", "1204"
    )  # 8 against 4 is 2-1, and the walls are two columns
    assert (west["column"], west["chances"]) == ("1-1", {"AR": "1/3", "-": "1/3", "DR": "1/6", "D1": "1/6"})
    assert (
        ask_json("odds", "march", "--from", "1305", "--at", "1204")["column"] == "3-1"
    )  # 13 against 4, with the siege train
    hungry = ask_json(
        "odds", "march", "--from", "1105", "--at", "1204", "--mark", "foot_league/13+hungry,foot_league/14+hungry"
    )
    assert hungry["attack_strength"] == 4


def test_points_and_levels() -> None:
    start = ask_json("score", "march")
    assert (start["totals"], start["ahead"], start["level"]) == ({"crown": 0, "league": 3}, "league", "narrow")
    # The wagons in 1004 are two hexes from Halden, by 1104 or 1105: both in enemy zones, and so a brigade has to hold one.
    open_road = "magazine_crown/1@0505,wagons_crown/1@1004,horse_league/16@1604,foot_league/13@1103,foot_league/14@1604"
    relief_score = ask_json("score", "march", "--put", f"{open_road},{FOOT}@1105")
    assert (relief_score["totals"], relief_score["ahead"], relief_score["level"]) == (
        {"crown": 5, "league": 0},
        "crown",
        "decisive",
    )
    assert ask_json("score", "march", "--put", open_road)["totals"] == {"crown": 0, "league": 3}
    burnt = ask_json("score", "march", "--remove", "magazine_league")
    assert (burnt["totals"], burnt["level"]) == ({"crown": 3, "league": 3}, "drawn")
    capture_score = ask_json("score", "march", "--put", "foot_league/13@1204", "--remove", "garrison_crown")
    assert [row["side"] for row in capture_score["won"]] == ["league"]


# --- The module ---------------------------------------------------------------------------------------------------------


def test_a_save_of_its_module_answers_as_the_scenario_does(tmp_path: Path) -> None:
    save = tmp_path / "relief.vsav"
    save.write_bytes(compose(load("march"), Lock(), Cache(None)).files["Ten days in May.vsav"])
    position = ("--position", str(save))
    assert ask_json("move", "march", FOOT, "0704", *position)["cost"] == 3
    assert [side["unsupplied"] for side in ask_json("supply", "march", *position)["sides"]] == [[], []]
