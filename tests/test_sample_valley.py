"""The Valley of Torv: its battles, raids and events against games played out die by die from its RULES.md."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import pytest

from tests.asking import ask_json, ask_refusal, ask_text

FIRE = ("----", "----", "---1", "--11", "-111", "1112")
"""The Fire table: a row for each die, a column for each strength from 1 to 4."""
COMBAT = {"infantry": (0, 1, 2), "armor": (0, 2, 4)}
"""The combat strength of a regiment with no, one or two steps."""
Force = tuple[tuple[str, int], ...]
"""Regiments, each with its steps."""


def hits(strength: int, die: int) -> int:
    """What a die on the Fire table does; strengths below 1 and above 4 take the outer columns."""
    cell = FIRE[die - 1][min(max(strength, 1), 4) - 1]
    return 0 if cell == "-" else int(cell)


def lose(force: Force, steps: int) -> Force:
    """Full regiments lose the first steps, the weakest before the others."""
    regiments = list(force)
    for _ in range(steps):
        if regiments:
            weakest = min(regiments, key=lambda regiment: (regiment[1] == 1, COMBAT[regiment[0]][regiment[1]]))
            regiments.remove(weakest)
            regiments += [(weakest[0], 1)] if weakest[1] == 2 else []
    return tuple(sorted(regiments))


def volley(firing: Force, target: Force, shift: int) -> Iterator[tuple[Force, Fraction]]:
    """What the fire of a side leaves of the other, for every roll of its dice. Steps may be taken one after the other."""
    for dice in product(range(1, 7), repeat=len(firing)):
        left = target
        for (kind, steps), die in zip(firing, dice, strict=True):
            left = lose(left, hits(COMBAT[kind][steps] + shift, die))
        yield left, Fraction(1, 6 ** len(firing))


def gather(results: Iterator[tuple[Any, Fraction]]) -> dict[Any, Fraction]:
    found: dict[Any, Fraction] = {}
    for key, chance in results:
        found[key] = found.get(key, Fraction(0)) + chance
    return found


def bombed(attack_by: int, defenders: Force) -> dict[Force, Fraction]:
    """What bombers leave of the defenders, after the fire at them."""
    found: dict[Force, Fraction] = {}
    for flak in product(range(1, 7), repeat=len(defenders) if attack_by else 0):
        bombers = max(0, attack_by - flak.count(6))
        for die in range(1, 7):
            left = lose(defenders, hits(2 * bombers, die)) if bombers else defenders
            found[left] = found.get(left, Fraction(0)) + Fraction(1, 6 ** (len(flak) + 1))
    return found


def battle(
    attackers: Force, defenders: Force, terrain: str = "open", bombers: int = 0, withdraw: int = 0
) -> dict[str, Fraction]:
    """How a battle ends. Attackers with so many regiments or fewer withdraw."""
    ends: dict[str, Fraction] = {}
    shift = -1 if terrain == "town" else 0
    now = {(attackers, left): chance for left, chance in bombed(bombers, defenders).items()}
    for round_number in (1, 2, 3):
        after: dict[tuple[Force, Force], Fraction] = {}
        for (own, enemy), chance in now.items():
            if not enemy:
                ends["the defenders are eliminated"] = ends.get("the defenders are eliminated", Fraction(0)) + chance
                continue
            for own_left, share in gather(volley(enemy, own, 0)).items():
                shooters = own_left if terrain == "hills" else own
                for enemy_left, other in gather(volley(shooters, enemy, shift)).items():
                    key = own_left, enemy_left
                    after[key] = after.get(key, Fraction(0)) + chance * share * other
        now = {}
        for (own, enemy), chance in after.items():
            if not own and not enemy:
                end = "both sides are eliminated"
            elif not own:
                end = "the attackers are eliminated"
            elif not enemy:
                end = "the defenders are eliminated"
            elif len(own) <= withdraw:
                end = "the attackers withdraw"
            elif round_number == 3:
                end = "night falls, and both sides stay"
            else:
                now[own, enemy] = chance
                continue
            ends[end] = ends.get(end, Fraction(0)) + chance
    return ends


def listed(rows: list[dict[str, Any]]) -> dict[str, Fraction]:
    return {row["text"]: Fraction(row["chance"]) for row in rows}


ARMOR, INFANTRY, WORN = ("armor", 2), ("infantry", 2), ("infantry", 1)


@pytest.mark.parametrize(
    ("words", "attackers", "defenders", "options"),
    [
        (["infantry_south", "infantry_north"], (INFANTRY,), (INFANTRY,), {}),
        (["infantry_south", "infantry_north", "terrain=hills"], (INFANTRY,), (INFANTRY,), {"terrain": "hills"}),
        (["armor_south", "infantry_north+reduced", "terrain=town"], (ARMOR,), (WORN,), {"terrain": "town"}),
        (["armor_south,infantry_south", "2*infantry_north"], (ARMOR, INFANTRY), (INFANTRY, INFANTRY), {}),
        (
            ["armor_south,infantry_south", "2*infantry_north", "terrain=town", "bombers=2*bombers_south"],
            (ARMOR, INFANTRY), (INFANTRY, INFANTRY), {"terrain": "town", "bombers": 2},
        ),
        (
            ["armor_south,infantry_south", "armor_north,infantry_north", "attackers_withdraw=1"],
            (ARMOR, INFANTRY), (ARMOR, INFANTRY), {"withdraw": 1},
        ),
    ],
)  # fmt: skip
def test_a_battle_is_the_one_played_by_hand(
    words: list[str], attackers: Force, defenders: Force, options: dict[str, Any]
) -> None:
    answer = ask_json("ask", "valley", "battle", *words)
    by_hand = battle(tuple(sorted(attackers)), tuple(sorted(defenders)), **options)
    assert listed(answer["outcomes"]) == {end: chance for end, chance in by_hand.items() if chance}


def test_the_first_fires_and_the_steps_of_a_battle() -> None:
    """In the first round a regiment in the open fires on the column of its strength; at a town, one column to the left."""
    text = ask_text("ask", "valley", "battle", "armor_south", "infantry_north", "terrain=town")
    assert "Armor on column 3 (the enemy defends a town shift -1, 4.2)" in text and "go first" not in text
    answer = ask_json("ask", "valley", "battle", "infantry_south", "infantry_north+reduced", "terrain=hills")
    forces = {force["group"]: force for force in answer["forces"]}
    assert answer["goes_first"] == "defenders"
    assert sum(map(Fraction, forces["attackers"]["steps_remaining"].values())) == 1
    assert Fraction(forces["defenders"]["chance_gone"]) == Fraction(
        battle((INFANTRY,), (WORN,), "hills")["the defenders are eliminated"]
    )


def test_a_battle_is_read_from_the_map() -> None:
    put = "put=armor_south/14@torv,infantry_south/11@torv"
    answer = ask_json("ask", "valley", "battle", "point=torv", "side=south", put)
    by_hand = battle((ARMOR, INFANTRY), (INFANTRY, INFANTRY), "town")
    assert listed(answer["outcomes"]) == by_hand
    text = ask_text("ask", "valley", "battle", "point=torv", "side=south", put)
    assert "Read from the map: Attackers: Infantry 11, Armor 14; Defenders: Infantry 1, Infantry 2" in text
    assert "The terrain of the point: town" in text


def test_nobody_flies_in_the_rain() -> None:
    words = ("ask", "valley", "battle", "armor_south", "infantry_north", "bombers=bombers_south", "weather=rain")
    assert ask_refusal(*words) == ("nobody flies in the rain", "6")
    assert ask_json(*words[:5])["outcomes"]
    assert ask_refusal("ask", "valley", "raid", "bombers_south", "weather=rain") == ("nobody flies in the rain", "6")
    assert ask_refusal("ask", "valley", "raid", "fighters_south") == ("Fighters: only bombers attack a depot", "5.3")


def test_an_air_raid_is_the_one_played_by_hand() -> None:
    """Two bombers with one escort against two fighters: a squadron of air combat 3 hits on 4 to 6."""
    raid = {2: (0, 0, 0, 1, 1, 2), 4: (0, 1, 1, 1, 2, 3)}
    damage: dict[int, Fraction] = {}
    fates = {"escorts": Fraction(0), "interceptors": Fraction(0)}
    for escort, one, two, *dice in product(range(1, 7), repeat=5):
        share = Fraction(1, 6**6)
        interceptors = 2 - (escort >= 4)
        fates["interceptors"] += 6 * share * (escort >= 4)
        fates["escorts"] += 6 * share * (one >= 4 or two >= 4)
        bombers = max(0, 2 - sum(die >= 4 for die in dice[:interceptors]))
        for die in range(1, 7):
            result = raid[2 * bombers][die - 1] if bombers else 0
            damage[result] = damage.get(result, Fraction(0)) + share
    answer = ask_json("ask", "valley", "raid", "2*bombers_south", "2*fighters_north", "escorts=fighters_south")
    counter = next(row for row in answer["counter_values"] if row["counter"] == "destroyed")
    assert {int(key): Fraction(chance) for key, chance in counter["chances"].items() if Fraction(chance)} == damage
    forces = {force["group"]: force for force in answer["forces"]}
    assert Fraction(forces["escorts"]["chance_gone"]) == fates["escorts"]
    assert Fraction(forces["interceptors"]["mean_worth_lost"]) == fates["interceptors"]


def test_the_events_are_those_drawn_by_hand() -> None:
    """Every order of a small cup: two Talks, Rain, a train and a Quiet."""
    cup = ("talks", "talks", "rain", "train_north", "quiet")
    answer = ask_json("ask", "valley", "events", "cup=2*talks,rain,train_north,quiet", "turns=4")
    ended, rain, points = dict.fromkeys(range(1, 5), Fraction(0)), dict.fromkeys(range(1, 5), Fraction(0)), Fraction(0)
    orders = list(permutations(cup))
    for order in orders:
        north = 2
        for turn, chit in enumerate(order[:4], start=1):
            north += 1 + 2 * (chit == "train_north")
            if order[:turn].count("talks") == 2:
                ended[turn] += Fraction(1, len(orders))
                break
            rain[turn] += Fraction(chit == "rain", len(orders))
        points += Fraction(min(north, 12), len(orders))
    assert {row["turn"]: Fraction(row["chance"]) for row in answer["by_turn"]} == ended
    for row in answer["by_turn"]:
        assert Fraction(row["counters"]["weather"].get("rain", 0)) == rain[row["turn"]]
    north_points = next(row for row in answer["counter_values"] if row["counter"] == "north_points")
    assert Fraction(north_points["mean"]) == points


def test_moves_of_the_valley() -> None:
    road = ask_json("move", "valley", "armor_south/14", "torv")
    assert road["cost"] == 3 and road["lines"][0]["rule"] == "2.1"
    together = ("--put", "infantry_south/11@torv")
    assert ask_refusal("move", "valley", "infantry_south/11", "knoll", *together)[1] == "2.2"


def test_replacements_are_bought_turn_by_turn() -> None:
    """North has 2 points and gets 1 in each turn. Armor costs 4, infantry 2; one regiment a turn comes back."""
    prices = {"armor_north": 4, "infantry_north": 2}
    wishes = ["armor_north", "infantry_north", "infantry_north"]
    put = "put=armor_north@box:lost,2*infantry_north@box:lost"
    answer = ask_json("ask", "valley", "replacements", f"wishes={','.join(wishes)}", put)
    points, waiting, bought = 2, list(wishes), []
    for turn in range(1, 9):
        points += 1
        if waiting and prices[waiting[0]] <= points:
            points -= prices[waiting[0]]
            bought.append((waiting.pop(0), turn))
        row = next(row for row in answer["turns"] if row["turn"] == turn)
        assert row["left"] == points
    assert [(row["unit"], row["turn"]) for row in answer["bought"]] == bought
    rich = ask_json("ask", "valley", "replacements", "wishes=infantry_north,infantry_north", put, "north_points=9")
    assert [row["turn"] for row in rich["bought"]] == [1, 2]
    entries = {row["side"]: [place["place"] for place in row["places"]] for row in answer["entries"]}
    assert entries == {"north": ["hald"], "south": ["varde"]}
    refused = ask_json("ask", "valley", "replacements", "wishes=bombers_south")["refused"]
    assert (refused[0]["text"], refused[0]["rule"]) == ("squadrons are not rebuilt", "7.1")
