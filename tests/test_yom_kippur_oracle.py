"""Yom Kippur: whole battles against a slow reckoning from the book, throw by throw."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import pytest

from scenarios import load
from scenarios.model.game import Game
from tests.net.adapter import ask
from tests.test_yom_kippur_data import CRT

ODDS = ["1/4", "1/3", "1/2", "1", "2", "3", "4", "5", "7", "9"]
# Two hexes, what the second gives its defender, and what lies between them for the attacker.
GROUNDS = [
    ("33.21", "33.22", "1", "1"), ("38.17", "38.18", "2", "1"), ("42.23", "42.24", "1", "1/4"), ("42.24", "42.23", "1", "1/4"),
    ("29.24", "29.25", "3", "1/4"), ("15.21", "16.21", "1", "1/2"), ("27.15", "27.16", "1", "1"),
]  # fmt: skip
ISRAELI = ["nir_arm_bde_a", "gonen_arm_bde_a", "rami_mech_bde_a", "matt_abn_bde_a", "alush_inf_bde_a", "static_1",
           "sharon_recon_bn", "engineer_bn_1", "sharon_div_hq", "us_abn_82_1", "us_arm_1_1"]  # fmt: skip
EGYPTIAN = ["inf_2_4", "inf_7_11", "mech_90", "mech_21_18", "arm_15", "arm_23_24", "recon_4", "commando_130", "abn_140",
            "airmobile_150", "plo_inf", "engineer_1_9", "hq_2_army", "amphib_130_a"]  # fmt: skip
AIR = {1: (2, 3), 2: (4, 2), 3: (4, 2), 4: (4, 1), 5: (5, 1)}
"""Air units of a turn, Israeli and Egyptian (1.12); the track is ours."""
MISSILES = {"leg_infantry", "mech_infantry", "airborne", "airmobile", "commando"}


@dataclass
class Man:
    """A unit as a player sees it."""

    id: str
    states: set[str]
    game: Game

    def __post_init__(self) -> None:
        unit = self.game.units[self.id]
        self.face = unit.back if "reduced" in self.states and unit.back else unit.factors
        self.steps = unit.steps - ("reduced" in self.states)
        self.nation, self.type, self.foot = unit.nation, unit.type, unit.class_ == "infantry"

    def strength(self, factor: str) -> Fraction:
        value = Fraction(str(self.face[factor]))
        fort = self.type == "fort"
        for state in ("disorganized", "out_of_supply"):
            value /= 2 if state in self.states and not (fort and state == "out_of_supply") else 1
        return value


def losses(men: list[Man], part: str, factor: str, stars: bool, canal: bool = False) -> tuple[int, bool]:
    """Steps that one side loses by its part of a result before it goes back, and whether any of it then stays in the hex;
    of attackers over the `canal`, who could enter the hex beyond (1.13b, 3.5b)."""
    digits = re.match(r"(\d?)(?:r(\d))?", part)
    assert digits
    due, retreat_hexes = int(digits[1] or 0), int(digits[2] or 0)
    steps_left = {man.id: man.steps for man in men}
    order = sorted(men, key=lambda man: (-Fraction(str(man.face[factor])), man.id))
    while due and sum(steps_left.values()):
        for man in order:
            if due and steps_left[man.id]:
                steps_left[man.id] -= 1
                due -= 1
    if stars and "*" in part:
        armor = [man for man in men if man.nation == "israel" and man.type == "armor" and steps_left[man.id]]
        if armor:
            steps_left[min(armor, key=lambda man: steps_left[man.id] == 1).id] -= 1
    for man in men:
        if man.type == "fort":
            steps_left[man.id] = max(0, steps_left[man.id] - retreat_hexes)
    retreaters = [man for man in men if not canal or man.foot or man.id.startswith("amphib")]
    stays = any(steps_left[man.id] for man in retreaters if man.type == "fort" or not retreat_hexes)
    return sum(man.steps for man in men) - sum(steps_left.values()), stays


def reckon(
    attackers: list[Man], defenders: list[Man], turn: int, ground: tuple[str, ...], shift: int
) -> Counter[tuple[int, int, bool, bool]]:
    """How many of the 36 throws cost attacker and defender so many steps, whether the hex falls, and whether an attacker
    is left in place to take it."""
    attack = sum((man.strength("attack") for man in attackers), Fraction(0)) * Fraction(ground[3])
    defense = sum((man.strength("defense") for man in defenders), Fraction(0)) * Fraction(ground[2])
    column = sum(attack >= Fraction(label) * defense for label in ODDS) - 1
    for side, sign in ((attackers, 1), (defenders, -1)):
        shift += sign * any(man.type in ("hq", "engineer") for man in side)
    column = min(max(max(column, 0) + shift, 0), len(ODDS) - 1)
    everybody = attackers + defenders
    stars = (
        turn in (1, 2, 3)
        and any(man.nation == "israel" and man.type == "armor" for man in everybody)
        and any(man.nation in ("egypt", "palestine") and man.type in MISSILES for man in everybody)
    )
    counts: Counter[tuple[int, int, bool, bool]] = Counter()
    for a, b in product(range(1, 7), repeat=2):
        cell = CRT.split("\n")[1:-1][a + b - 2].split()[column]
        attacker_code, _, defender_code = cell.removeprefix("A").partition("D")
        attacker_loss, is_attacker_left = losses(attackers, attacker_code, "attack", stars, ground[3] == "1/4")
        defender_loss, is_hex_held = losses(defenders, defender_code, "defense", stars)
        counts[attacker_loss, defender_loss, not is_hex_held, is_attacker_left and not is_hex_held] += 1
    return counts


def battle(game: Game, seed: int) -> tuple[dict[str, str], Counter[tuple[int, int, bool, bool]]]:
    """A battle as a user asks it, and what it comes to."""
    dice = random.Random(seed)
    ground, turn = dice.choice(GROUNDS), dice.randint(1, 5)
    pools = [ISRAELI, EGYPTIAN] if dice.random() < 0.5 else [EGYPTIAN, ISRAELI]
    if ground[1] == "42.23" and dice.random() < 0.7:
        pools = [EGYPTIAN, [*ISRAELI[:4], "fort_milano"]]
    sides = [[_man(game, dice, unit) for unit in dice.sample(pool, dice.randint(1, 4))] for pool in pools]
    air = dice.randint(0, AIR[turn][0]), dice.randint(0, AIR[turn][1])
    shift = (air[0] - air[1]) * (1 if pools[0] is ISRAELI else -1)
    places = [f"{man.id}@{hex}" for men, hex in zip(sides, ground[:2], strict=True) for man in men]
    marks = ["+".join([man.id, *sorted(man.states)]) for men in sides for man in men if man.states]
    inputs = {
        "put": ",".join(places),
        "mark": ",".join(marks),
        "turn": str(turn),
        "target": ground[1],
        "attackers": ",".join(man.id for man in sides[0]),
        "israeli_air": str(air[0]),
        "egyptian_air": str(air[1]),
        "may_cross_east": "yes",
    }
    return inputs, reckon(sides[0], sides[1], turn, ground, shift)


def _man(game: Game, dice: random.Random, unit: str) -> Man:
    states = {state for state in ("disorganized", "out_of_supply") if dice.random() < 0.25}
    return Man(unit, states | ({"reduced"} if game.units[unit].steps > 1 and dice.random() < 0.3 else set()), game)


def check(game: Game, seed: int) -> None:
    inputs, expected_counts = battle(game, seed)
    actual_counts: Counter[tuple[int, int, bool, bool]] = Counter()
    for result in ask(game, "odds", **inputs)["results"].values():
        combat_losses = [
            sum(result[side]["lost"].values()) - sum(retreat["lost"] for retreat in result[side]["back"].values())
            for side in ("attacker", "defender")
        ]
        actual_counts[combat_losses[0], combat_losses[1], result["falls"], result["taken"]] += int(
            36 * result["chance"]
        )
    assert actual_counts == expected_counts, inputs


@pytest.fixture(scope="module")
def game() -> Game:
    return load("yom_kippur", with_config_overlays=False)


@pytest.mark.parametrize("part", range(4))
def test_whole_battles(game: Game, part: int) -> None:
    for seed in range(40 * part, 40 * part + 40):
        check(game, seed)
