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

from dataclasses import replace
from fractions import Fraction
from typing import cast

from assistant.attacks import unit_fields
from assistant.games.musketeer import QUESTIONS
from assistant.games.musketeer.combat import solve
from assistant.games.musketeer.fighters import Fighter, Support, fighter
from assistant.games.musketeer.forecast import forecast
from assistant.games.musketeer.outcome import ATTACKER, DEFENDER, Combat
from assistant.games.musketeer.politics import World, why_not
from scenarios import load
from scenarios.maps import HexMap
from scenarios.position import Piece, Position

GAME = load("musketeer")
MAP = cast(HexMap, GAME.maps["main"])


def units(*names: str, stack: int = 0) -> tuple[Fighter, ...]:
    return tuple(fighter(GAME, unit_fields(GAME, name), stack) for name in names)


def shifts(combat: Combat, side: str) -> list[int]:
    return [answer.shift for answer in solve(combat).shots[(ATTACKER, DEFENDER).index(side)]]


def test_reinforcement_limits() -> None:
    """8.2: each contingent's box has a number for each kind; ours stand in a table of their own."""
    table = GAME.tables["reinforcements"]
    assert table.columns.labels == ("ground", "air", "special")
    assert set(table.cells) == set(GAME.tables["stacking"].cells)


def test_crossing_the_canal_costs_three() -> None:
    """9.8, asked by name: from a hex of the west bank into open ground east of the canal."""
    asked = {"unit": "gd_britain", "position": Position("musketeer", "standard")}
    direct = []
    for side, kinds in MAP.hexsides.items():
        east = next((h for h in (side.a, side.b) if h in MAP.zones["sinai"]), None)
        if "suez_canal" not in kinds or east is None or MAP.terrain[east] != "open" or MAP.path_sides.get(side):
            continue
        west = side.b if east == side.a else side.a
        json, lines = QUESTIONS["move"].answer(GAME, {**asked, "from": MAP.name(west), "to": MAP.name(east)})
        found = json["hexes"][MAP.name(east)]
        if len(found["path"]) == 2:
            direct.append(found["cost"])
            assert any(" 3 " in line for line in lines)
    assert direct and set(direct) == {"3"}


def test_some_or_all_of_a_stack_attack() -> None:
    """14.2: the same hex is attacked by one of the stack or by both."""
    both = Combat(GAME, units("rep_1_france", "rcp_2_france"), units("bde_4_egypt"), {})
    one = replace(both, attackers=both.attackers[:1])
    assert solve(one).cleared() < solve(both).cleared()


def test_a_city_fires_first() -> None:
    """14.4: two French stacks, and the Egyptians' one fire."""
    french = (*units("rep_1_france"), *units("rcp_2_france", stack=1))
    outcome = solve(Combat(GAME, french, units("bde_4_egypt"), {"terrain": "city"}))
    assert outcome.first == DEFENDER
    assert len(outcome.shots[1]) == 1


def test_strengths_are_not_added() -> None:
    """14.7: columns 3 and 2, and each two further with two airstrikes."""
    combat = Combat(GAME, units("rep_1_france", "reg_10_france"), units("bde_4_egypt"), {}, (Support(cas=2), Support()))
    assert [answer.column for answer in solve(combat).shots[0]] == ["5", "4"]
    assert shifts(combat, ATTACKER) == [2, 2]


def test_the_whole_stack_pursues() -> None:
    """17.1: whoever cleared the hex, all of his stack may follow; another stack may not, unless concentric (29.4)."""
    three = solve(Combat(GAME, units("armd_25_britain", "gd_britain", "loc_britain"), units("ng_1_egypt"), {}))
    assert three.may_pursue() == three.cleared()
    static = (*units("garrison_israel"), *units("bde_7_israel", stack=1))
    parted = solve(Combat(GAME, static, units("ng_1_egypt"), {}))
    assert 0 < parted.may_pursue() < parted.cleared()
    together = solve(Combat(GAME, static, units("ng_1_egypt"), {"concentric": True}))
    assert together.may_pursue() == together.cleared()


def test_flak_at_a_fort() -> None:
    """19.9: where the fort's fire was an A/G, the Israelis fire with one airstrike."""
    combat = Combat(
        GAME, units("bde_7_israel"), units("bde_4_egypt"), {"terrain": "fortification"}, (Support(cas=2), Support())
    )
    outcome = solve(combat)
    # The brigade of 2 fires on column 2: nothing on 1 to 3, A/G on 4, R on 5, D on 6.
    assert outcome.air_lost() == {0: Fraction(5, 6), 1: Fraction(1, 6)}
    one = solve(replace(combat, support=(Support(cas=1), Support())))
    assert [a.shift for a in one.shots[0]] == [-1] and shifts(combat, ATTACKER) == [0]


def test_special_forces_and_guerrillas() -> None:
    """25.4: two columns for the Egyptians in the city, who fire first; one for the French special forces."""
    combat = Combat(
        GAME, units("armd_25_britain"), units("div_1_egypt"), {"terrain": "city"},
        (Support(special_forces=True), Support(guerrilla=2)),
    )  # fmt: skip
    assert solve(combat).first == DEFENDER and shifts(combat, DEFENDER) == [2]
    (attack,) = solve(combat).shots[0]
    assert {a.text: int(a.amount) for a in attack.applied} == {"terrain": -2, "special forces": 1}


def test_the_soviets_come() -> None:
    """28.3: 1 in 6 on turn 1; by the end of turn 2, 1 - 5/6 x 4/6; markers are played only after that."""
    assert forecast(GAME, 1, [[]]).committed["ussr"] == Fraction(1, 6)
    two = forecast(GAME, 1, [[], []])
    assert two.committed["ussr"] == 1 - Fraction(5, 6) * Fraction(4, 6)
    # The US rolls from the moment the Soviets are in: on turn 1 with 1/6, on turn 2 with 2/6.
    first = Fraction(1, 6) * (Fraction(1, 6) + Fraction(5, 6) * Fraction(2, 6))
    assert two.committed["us"] == first + Fraction(5, 6) * Fraction(2, 6) * Fraction(2, 6)
    assert "28.3" in why_not(GAME, "command_ussr", World(2, "", frozenset()))
    assert not why_not(GAME, "command_ussr", World(3, "", frozenset({"ussr"})))


def test_first_turn_and_special_markers() -> None:
    """28.2: not Revise nor Egypt Mobilizes on turn 1; 7.7: a special marker once."""
    fresh = World(1, "", frozenset())
    assert "28.2" in why_not(GAME, "command_revise", fresh) and "28.2" in why_not(GAME, "command_mobilizes", fresh)
    assert not why_not(GAME, "command_musketeer", fresh) and not why_not(GAME, "command_revise", fresh._replace(turn=2))
    once = forecast(GAME, 44, [["command_musketeer"], ["command_musketeer"]])
    bare = forecast(GAME, 46, [[], []])
    assert once.war == bare.war


def test_egyptians_stay_where_they_attack_from() -> None:
    """16.1: in a city or fortification they don't retreat, attacking or defending."""
    base = Combat(GAME, units("bde_4_egypt"), units("bde_7_israel"), {})
    assert any("retreated" in fate for fate in solve(base).fate(ATTACKER, 0))
    assert not any("retreated" in fate for fate in solve(replace(base, grounds=("city",))).fate(ATTACKER, 0))


def test_a_position_tells_the_combat() -> None:
    """Who stands in the hexes, with the AAA next to them (24.1)."""
    pieces = (
        Piece("bde_7_israel", "1", "", MAP.hex("5508")), Piece("gol_israel", "1", "", MAP.hex("5510")),
        Piece("bde_4_egypt", "1", "", MAP.hex("5509")), Piece("aaa_canal_egypt", "1", "", MAP.hex("5409")),
    )  # fmt: skip
    asked = {
        "position": Position("musketeer", "standard", pieces=pieces),
        "hex": "5509",
        "from": "5508,5510",
        "cas": "1",
    }
    json, _ = QUESTIONS["odds"].answer(GAME, asked)
    assert json["inputs"] == {
        "terrain": "fortification", "across": "nothing", "concentric": True, "enemy_flak": True,
    }  # fmt: skip
    assert [one["unit"] for one in json["sides"][ATTACKER]["units"]] == ["bde_7_israel", "gol_israel"]
    assert [one["shift"] for one in json["sides"][ATTACKER]["units"]] == [-2 + 1 - 1 + 1] * 2
