"""Every worked example of Operation Musketeer's rulebook, by its rule.

1  8.2    a box's limits: so many ground, air and special units an impulse
2  9.8    the canal and open ground: three movement points (tests/test_operational_moves.py, and below by name)
3  14.2   a stack attacks one of two hexes, with one unit or both
4  14.4   Egyptians in a city fire first at two French stacks
5  14.7   French 3 and 2 fire alone; each has the support's shift
6  17.1   three in a stack: one disrupts, one eliminates, all may pursue
7  19.9   two airstrikes against a fort: after an A/G one shift is left
8  25.4   special forces one column, a guerrilla of two two columns, the city's defenders first
9  28.3   a 3 on turn 1 keeps the Soviets out, a 1 on turn 2 brings them in, and then the US may roll
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, cast

from scenarios import load
from scenarios.model.maps import HexMap
from scenarios.model.position import Piece, Position
from tests.net.adapter import GameAnswer, ask

GAME = load("musketeer")
MAP = cast(HexMap, GAME.maps["main"])


def ask_odds(attackers: str, defenders: str, **inputs: Any) -> GameAnswer:
    return ask(GAME, "odds", attackers=attackers, defenders=defenders, **inputs)


def shifts(answer: GameAnswer, side: str) -> list[int]:
    return [unit["shift"] for unit in answer["sides"][side]["units"]]


def why_not(marker: str, **inputs: Any) -> str:
    """The rule by which a marker can't be played; nothing, where it can."""
    return str(ask(GAME, "forecast", turns="1", markers=marker, **inputs).get("refused", {}).get(marker, ""))


def test_reinforcement_limits() -> None:
    """8.2: each contingent's box has a number for each kind; ours stand in a table of their own."""
    table = GAME.tables["reinforcements"]
    assert table.columns.labels == ("ground", "air", "special")
    assert set(table.cells) == set(GAME.tables["stacking"].cells)


def test_crossing_the_canal_costs_three() -> None:
    """9.8, asked by name: from a hex of the west bank into open ground east of the canal."""
    direct = []
    for side, side_kinds in MAP.hexsides.items():
        east = next((h for h in (side.a, side.b) if h in MAP.zones["sinai"]), None)
        if "suez_canal" not in side_kinds or east is None or MAP.terrain[east] != "open" or MAP.path_sides.get(side):
            continue
        west, destination = MAP.name(side.b if east == side.a else side.a), MAP.name(east)
        answer = ask(GAME, "move", Position("musketeer", "standard"), unit="gd_britain", from_=west, to=destination)
        if answer["way"] == (west, destination):
            direct.append(answer["costs"][destination])
            assert answer["steps"] == ({"to": destination, "cost": 3},)
    assert direct and set(direct) == {3}


def test_some_or_all_of_a_stack_attack() -> None:
    """14.2: the same hex is attacked by one of the stack or by both."""
    assert (
        ask_odds("rep_1_france", "bde_4_egypt")["cleared"]
        < ask_odds("rep_1_france,rcp_2_france", "bde_4_egypt")["cleared"]
    )


def test_a_city_fires_first() -> None:
    """14.4: two French stacks, and the Egyptians' one fire."""
    answer = ask_odds("rep_1_france;rcp_2_france", "bde_4_egypt", terrain="city")
    assert answer["first_fire"] == "defender"
    assert len(answer["sides"]["defender"]["units"]) == 1


def test_strengths_are_not_added() -> None:
    """14.7: columns 3 and 2, and each two further with two airstrikes."""
    answer = ask_odds("rep_1_france,reg_10_france", "bde_4_egypt", cas="2")
    assert [unit["column"] for unit in answer["sides"]["attacker"]["units"]] == ["5", "4"]
    assert shifts(answer, "attacker") == [2, 2]


def test_the_whole_stack_pursues() -> None:
    """17.1: whoever cleared the hex, all of his stack may follow; another stack may not, unless concentric (29.4)."""
    three = ask_odds("armd_25_britain,gd_britain,loc_britain", "ng_1_egypt")
    assert three["may_pursue"] == three["cleared"]
    plain_answer = ask_odds("garrison_israel;bde_7_israel", "ng_1_egypt")
    assert 0 < plain_answer["may_pursue"] < plain_answer["cleared"]
    concentric_answer = ask_odds("garrison_israel;bde_7_israel", "ng_1_egypt", concentric="yes")
    assert concentric_answer["may_pursue"] == concentric_answer["cleared"]


def test_flak_at_a_fort() -> None:
    """19.9: where the fort's fire was an A/G, the Israelis fire with one airstrike."""
    first_answer, two = (ask_odds("bde_7_israel", "bde_4_egypt", terrain="fortification", cas=cas) for cas in "12")
    # The brigade of 2 fires on column 2: nothing on 1 to 3, A/G on 4, R on 5, D on 6.
    assert two["airstrikes_lost"] == {"0": Fraction(5, 6), "1": Fraction(1, 6)}
    assert shifts(first_answer, "attacker") == [-1] and shifts(two, "attacker") == [0]


def test_special_forces_and_guerrillas() -> None:
    """25.4: two columns for the Egyptians in the city, who fire first; one for the French special forces."""
    answer = ask_odds(
        "armd_25_britain", "div_1_egypt", terrain="city", attacker_special_forces="yes", defender_guerrilla="2"
    )
    assert answer["first_fire"] == "defender" and shifts(answer, "defender") == [2]
    (attack,) = answer["sides"]["attacker"]["units"]
    assert {(reason["rule"], int(reason["shift"])) for reason in attack["why"]} == {("14.10", -2), ("25.4", 1)}


def test_the_soviets_come() -> None:
    """28.3: 1 in 6 on turn 1; by the end of turn 2, 1 - 5/6 x 4/6; markers are played only after that."""
    turns = ask(GAME, "forecast", turns="2")["counters"]
    assert turns["1"]["ussr"]["yes"] == Fraction(1, 6)
    two = {power: turns["2"][power]["yes"] for power in ("ussr", "us")}
    assert two["ussr"] == 1 - Fraction(5, 6) * Fraction(4, 6)
    # The US rolls from the moment the Soviets are in: on turn 1 with 1/6, on turn 2 with 2/6.
    first = Fraction(1, 6) * (Fraction(1, 6) + Fraction(5, 6) * Fraction(2, 6))
    assert two["us"] == first + Fraction(5, 6) * Fraction(2, 6) * Fraction(2, 6)
    assert why_not("command_ussr", turn="2") == "28.3"
    assert not why_not("command_ussr", turn="3", ussr="yes")


def test_first_turn_and_special_markers() -> None:
    """28.2: not Revise nor Egypt Mobilizes on turn 1; 7.7: a special marker once."""
    assert why_not("command_revise") == why_not("command_mobilizes") == "28.2"
    assert not why_not("command_musketeer") and not why_not("command_revise", turn="2")
    musketeer_answer = ask(GAME, "forecast", index="44", markers="command_musketeer", turns="2")
    base_answer = ask(GAME, "forecast", index="46", turns="2")
    assert musketeer_answer["ends"] == base_answer["ends"]


def test_egyptians_stay_where_they_attack_from() -> None:
    """16.1: in a city or fortification they don't retreat, attacking or defending."""
    fate = ask_odds("bde_4_egypt", "bde_7_israel")["sides"]["attacker"]["units"][0]["fate"]
    assert any("retreated" in end for end in fate)
    stays = ask_odds("bde_4_egypt", "bde_7_israel", hex="5510", from_="5509")
    assert not any("retreated" in end for end in stays["sides"]["attacker"]["units"][0]["fate"])


def test_a_position_tells_the_combat() -> None:
    """Who stands in the hexes, with the AAA next to them (24.1)."""
    pieces = (
        Piece("bde_7_israel", "1", "", MAP.hex("5508")),
        Piece("gol_israel", "1", "", MAP.hex("5510")),
        Piece("bde_4_egypt", "1", "", MAP.hex("5509")),
        Piece("aaa_canal_egypt", "1", "", MAP.hex("5409")),
    )
    answer = ask(GAME, "odds", Position("musketeer", "standard", pieces=pieces), hex="5509", from_="5508,5510", cas="1")
    read = {"terrain": "fortification", "across": "nothing", "concentric": True, "enemy_flak": True}
    assert {name: answer["inputs"][name] for name in read} == read
    assert [unit["unit"] for unit in answer["sides"]["attacker"]["units"]] == ["bde_7_israel", "gol_israel"]
    assert shifts(answer, "attacker") == [-2 + 1 - 1 + 1] * 2
