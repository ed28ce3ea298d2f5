"""Every worked example of October War's rulebook, by its rule.

1   3.1    Egyptians stay in the Sinai theater, Iraqis on the Golan
2   9.1    only Egyptian brigades make an Egyptian division
3   15.4   an armored brigade fires on 5, a mechanized one on 3
4   15.6   a defending force has one terrain shift; 25 less one column is 19; a headquarters of 2 makes 5 of 3
5   15.7   antitank strength against an armored brigade, not against combined arms
6   16.2   a result of 2 breaks a brigade down and costs a battalion, one casualty point
7   17.2   HQ 143 gives two columns
8   18.5   ten airstrikes against one front and five against the other are two separate fights
9   20.4   missiles in Suez City cover Port Tawfik
10  22.1   of Syrians and Jordanians in a point only one army attacks
11  24.3   from Port Said a barrage reaches the fort to its east, not the Chinese Farm
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from assistant.attacks import BadQuestion, Value, odds, unit_fields
from assistant.games.october_war import QUESTIONS
from assistant.games.october_war.air import Wing, superiority
from assistant.games.october_war.battle import solve
from assistant.games.october_war.fire import Battle
from assistant.games.october_war.forces import army
from assistant.games.october_war.ground import ground
from assistant.games.october_war.losses import lose
from assistant.games.october_war.move_asked import flights
from assistant.games.october_war.policy import Policy
from assistant.games.october_war.reach import umbrellas
from assistant.games.october_war.result import ATTACKER, DEFENDER
from scenarios import load
from scenarios.position import Piece, Position, from_scenario

GAME = load("october_war")


def columns(battle: Battle, side: str) -> list[str | None]:
    return [volley.answer.column for volley in solve(battle).volleys if volley.side == side]


def fields(*names: str) -> list[dict[str, Value]]:
    return [unit_fields(GAME, name.partition("+")[0], name.split("+")[1:]) for name in names]


def test_theaters() -> None:
    """3.1: no route leads an Arab unit from one theater to the other."""
    here = ground(GAME, from_scenario(GAME, "standard"))
    sinai, golan = here.map.in_area("sinai"), here.map.in_area("golan")
    assert {there for point in sinai for there in here.map.adjacent(point)} & golan == set()
    assert flights(here, "qantara", 20).keys() & golan == set()
    assert flights(here, "sasa", 20).keys() & sinai == set()
    assert flights(here, "israeli_reserve", 2).keys() & sinai and flights(here, "israeli_reserve", 2).keys() & golan


def test_divisions_are_of_one_army() -> None:
    """9.1: what a division breaks down into is its own nation's."""
    for unit in GAME.units.values():
        assert all(GAME.units[part].nation == unit.nation for part in unit.breaks_into)


def test_units_fire_alone() -> None:
    """15.4: 5 and 3 at two Israeli armored battalions; ours carries missiles, which count against armor (15.7)."""
    battle = Battle(
        GAME, fields("armored_brigade_egypt", "mech_brigade_egypt"), fields("armor_battalion", "armor_battalion")
    )
    assert columns(battle, ATTACKER) == ["5", "4"]
    foot = Battle(GAME, fields("armored_brigade_egypt", "mech_brigade_egypt"), fields("mech_battalion"))
    assert columns(foot, ATTACKER) == ["5", "3"]


def test_shifts() -> None:
    """15.6: a strength of 3 with a headquarters of 2 fires on 5; 25 less one column is 19; one shift for terrain."""
    brigade = unit_fields(GAME, "mech_brigade_egypt")
    led = odds(GAME, "ground", {"firing": [brigade]}, {"headquarters": Fraction(2)})
    assert led.attack_strength == 3 and led.column == "5"
    strong = {**unit_fields(GAME, "armor_brigade"), "strength": Fraction(25)}
    town = odds(GAME, "ground", {"firing": [strong]}, {"terrain": "town"})
    assert town.start == "20" and town.shift == -1 and town.column == "19"
    fort = odds(GAME, "ground", {"firing": [brigade]}, {"terrain": "israeli_fort_golan"})
    assert [a.text for a in fort.applied] == ["terrain"] and fort.shift == -3


def test_antitank_strength() -> None:
    """15.7."""
    defenders = fields("antitank_regiment_egypt")
    plain = Battle(GAME, fields("armor_brigade", "infantry_battalion"), defenders)
    assert columns(plain, DEFENDER) == ["4"]
    assert columns(Battle(GAME, fields("armor_brigade+combined_arms", "infantry_battalion"), defenders), DEFENDER) == [
        "1"
    ]


def test_losses() -> None:
    """16.2: break down, then one battalion; the break-down itself is no casualty point."""
    own = army(GAME, fields("armor_brigade"), Policy(), "israeli", {})
    after = lose(own, own.start, 2)
    assert own.names(after) == {"Armored battalion": 2} and own.casualties(after) == 1
    assert own.casualties(lose(own, own.start, 1)) == 0
    assert own.casualties(lose(own, own.start, 4)) == 3 and not any(lose(own, own.start, 4).present)


def test_the_143rd() -> None:
    """17.2."""
    battle = Battle(GAME, fields("hq_143", "armor_battalion"), fields("armored_brigade_egypt"))
    shifts = [volley.answer.shift for volley in solve(battle).volleys if volley.side == ATTACKER]
    assert shifts == [2, 2]


def test_two_fronts_in_the_air() -> None:
    """18.5: each theater is fought for by itself, ten strikes against one, five against the other."""
    for israeli, arab in ((10, ("egypt", 5)), (5, ("syria", 3))):
        found = superiority(GAME, ("israel", arab[0]), (Wing(israeli), Wing(arab[1])))
        assert found.first == 0 and sum(found.duels.values()) == 1


def test_missiles_in_suez_city() -> None:
    """20.4."""
    here = ground(GAME, Position("october_war", "standard", pieces=(Piece("mobile_sam_egypt", "1", "", "suez_city"),)))
    assert "port_tawfik" in umbrellas(here, "arab")[0].points


def test_one_army_attacks() -> None:
    """22.1, and either may be chosen."""
    attackers = fields("armored_brigade_syria", "armored_brigade_jordan")
    battle = Battle(GAME, attackers, fields("armor_battalion"))
    assert columns(battle, ATTACKER) == ["5"]
    assert columns(Battle(GAME, attackers, fields("armor_battalion"), contingent="syria"), ATTACKER) == ["4"]
    assert columns(Battle(GAME, fields("armor_battalion"), attackers), DEFENDER) == ["4", "5"]


def test_where_barrages_reach() -> None:
    """24.3."""
    asked = {"attackers": "armored_brigade_egypt", "defenders": "armor_battalion", "barrage": "yes"}
    json, _ = QUESTIONS["odds"].answer(GAME, {**asked, "point": "budapest"})
    assert "barrage" in json["blows"]
    with pytest.raises(BadQuestion, match=r"24\.3"):
        QUESTIONS["odds"].answer(GAME, {**asked, "point": "chinese_farm"})
