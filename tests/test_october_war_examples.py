"""Every worked example of October War's rulebook, by its rule.

1   3.1    Egyptians stay in the Sinai theater, Iraqis on the Golan
2   9.1    only Egyptian brigades make an Egyptian division
3   15.4   an armored brigade fires on 5, a mechanized one on 3
4   15.6   a defending force has one terrain shift; 25 less one column is 19; a headquarters of 2 makes 5 of 3
5   15.7   antitank strength against an armored brigade, not against combined arms
6   16.2   a result of 2 breaks a brigade down and costs a battalion, one casualty point (in test_october_war_battle)
7   17.2   HQ 143 gives two columns
8   18.5   ten airstrikes against one front and five against the other are two separate fights
9   20.4   missiles in Suez City cover Port Tawfik
10  22.1   of Syrians and Jordanians in a point only one army attacks
11  24.3   from Port Said a barrage reaches the fort to its east, not the Chinese Farm
"""

from __future__ import annotations

from scenarios import load
from scenarios.model.points import PointMap
from scenarios.model.position import Piece, Position
from tests.net.adapter import ask

GAME = load("october_war")


def columns(side: str, **inputs: str) -> list[str]:
    """The columns on which a side of a battle fires."""
    return [volley["column"] for volley in ask(GAME, "odds", **inputs)["sides"][side]["volleys"]]


def test_theaters() -> None:
    """3.1: no route leads an Arab unit from one theater to the other."""
    map_ = GAME.maps["main"]
    assert isinstance(map_, PointMap)
    sinai, golan = map_.in_area("sinai"), map_.in_area("golan")
    assert {adjacent_point for point in sinai for adjacent_point in map_.adjacent(point)} & golan == set()
    for unit, start, far_points in (
        ("commando_brigade_egypt", "qantara", golan),
        ("commando_brigade_syria", "sasa", sinai),
    ):
        assert not set(ask(GAME, "airmobile", unit=unit, from_=start, scenario="standard")["landings"]) & far_points
        assert not set(ask(GAME, "move", unit=unit, from_=start, scenario="standard")["costs"]) & far_points
    israeli = set(
        ask(GAME, "airmobile", unit="sayeret_matkal", from_="israeli_reserve", scenario="standard")["landings"]
    )
    assert israeli & sinai and israeli & golan


def test_divisions_are_of_one_army() -> None:
    """9.1: what a division breaks down into is its own nation's."""
    for unit in GAME.units.values():
        assert all(GAME.units[part].nation == unit.nation for part in unit.breaks_into)


def test_units_fire_alone() -> None:
    """15.4: 5 and 3 at two Israeli armored battalions; ours carries missiles, which count against armor (15.7)."""
    attackers = "armored_brigade_egypt,mech_brigade_egypt"
    assert columns("attacker", attackers=attackers, defenders="2*armor_battalion") == ["5", "4"]
    assert columns("attacker", attackers=attackers, defenders="mech_battalion") == ["5", "3"]


def test_shifts() -> None:
    """15.6: a strength of 3 with a headquarters of 2 fires on 5; 25 less one column is 19; one shift for terrain."""
    led_answer = ask(GAME, "declared", words="ground firing=mech_brigade_egypt headquarters=2")
    assert led_answer["attack"] == 3 and led_answer["column"] == "5"
    town = ask(GAME, "fire", strength="25", side="israeli", attacking="yes", terrain="town")
    assert town["start"] == "20" and town["shift"] == -1 and town["column"] == "19"
    fort = ask(GAME, "declared", words="ground firing=mech_brigade_egypt terrain=israeli_fort_golan")
    assert len(fort["modifiers"]) == 1 and fort["shift"] == -3


def test_antitank_strength() -> None:
    """15.7."""
    for brigade, column in (("armor_brigade", "4"), ("armor_brigade+combined_arms", "1")):
        assert columns("defender", attackers=f"{brigade},infantry_battalion", defenders="antitank_regiment_egypt") == [
            column
        ]


def test_the_143rd() -> None:
    """17.2."""
    answer = ask(GAME, "odds", attackers="hq_143,armor_battalion", defenders="armored_brigade_egypt")
    assert [volley["shift"] for volley in answer["sides"]["attacker"]["volleys"]] == [2, 2]


def test_two_fronts_in_the_air() -> None:
    """18.5: each theater is fought for by itself, ten strikes against one, five against the other."""
    for israeli, arab, strikes in ((10, "egypt", 5), (5, "syria", 3)):
        answer = ask(GAME, "air", mission="superiority", turn="3", israel=str(israeli), **{arab: str(strikes)})
        assert answer["first"] == "israel" and sum(answer["holder"].values()) == 1


def test_missiles_in_suez_city() -> None:
    """20.4."""
    position = Position("october_war", "standard", pieces=(Piece("mobile_sam_egypt", "1", "", "suez_city"),))
    (covers,) = ask(GAME, "umbrella", position)["covers"].values()
    assert "port_tawfik" in covers


def test_one_army_attacks() -> None:
    """22.1, and either may be chosen."""
    arabs = "armored_brigade_syria,armored_brigade_jordan"
    assert columns("attacker", attackers=arabs, defenders="armor_battalion") == ["5"]
    assert columns("attacker", attackers=arabs, defenders="armor_battalion", contingent="syria") == ["4"]
    assert columns("defender", attackers="armor_battalion", defenders=arabs) == ["4", "5"]


def test_where_barrages_reach() -> None:
    """24.3."""
    inputs = {"attackers": "armored_brigade_egypt", "defenders": "armor_battalion", "barrage": "yes"}
    assert "barrage" in ask(GAME, "odds", **inputs, point="budapest")["blows"]
    assert "24.3" in ask(GAME, "odds", **inputs, point="chinese_farm").rules
