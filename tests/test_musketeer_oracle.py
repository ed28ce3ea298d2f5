"""Whole combats of Operation Musketeer against the rules played out by hand: stacks, landings, engineers, flak, support.

Written from 14.0, 15.0, 16.1, 16.5, 17.0, 19.9, 24.0, 25.0 and 29.4 to 29.5, with the pack's tables typed again."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import pytest

from scenarios import load
from tests.net.adapter import GameAnswer, ask
from tests.test_musketeer_assistant import CRT

GAME = load("musketeer")
# Whole strength, strength of the back (0: none), and what it is.
WEST = {
    "armd_25_britain": (4, 2, ""), "rep_1_france": (3, 2, ""), "cdo_45_britain": (2, 1, ""), "loc_britain": (1, 0, ""),
    "re_britain": (1, 0, "engineer"), "reg_10_france": (2, 1, ""),
}  # fmt: skip
EAST = {
    "bde_4_egypt": (2, 1, ""), "armd_1_egypt": (3, 2, ""), "ng_1_egypt": (1, 0, ""),
    "aaa_canal_egypt": (1, 0, "flak"), "garrison_egypt": (1, 0, "static"),
}  # fmt: skip
# The shift for the defender, and whether he fires first.
GROUND = {
    "open": (0, False), "rough": (-1, False), "town": (-1, False), "city": (-2, True), "fortification": (-2, True),
    "pass": (-2, True),
}  # fmt: skip
CROSSING_SHIFTS = {"nothing": 0, "suez_canal": -2, "river": -1}


class Man(NamedTuple):
    """A unit: its name, its stack, where it is (in, away, dead) and whether it shows its back."""

    name: str
    stack: int
    where: str = "in"
    back: bool = False


class War(NamedTuple):
    """A moment of a combat."""

    west: tuple[Man, ...]
    east: tuple[Man, ...]
    cas: int
    west_forces: bool
    east_help: tuple[str, int] | None
    star: bool = False
    cleared_by: int = -1


class Case(NamedTuple):
    """What doesn't change in a combat."""

    terrain: str
    crossing: str
    special: bool
    concentric: bool
    is_landed: bool
    flak: bool
    aim: int
    policies: tuple[str, str]
    spares: bool


def strength(man: Man) -> int:
    full_strength, reduced_strength, _ = {**WEST, **EAST}[man.name]
    return reduced_strength if man.back else full_strength


def column(case: Case, war: War, man: Man, west: bool) -> int:
    if not west:
        help_ = 0 if war.east_help is None else war.east_help[1]
        return strength(man) + help_
    side = 0 if case.is_landed else CROSSING_SHIFTS[case.crossing]
    cover = min(GROUND[case.terrain][0], side)
    right = 2 * case.special + war.cas + war.west_forces + case.concentric
    if war.cas and case.flak:
        right -= 1
    mates = [mate for mate in war.west if mate.stack == man.stack and mate.where == "in"]
    if cover < 0 and any(WEST[mate.name][2] == "engineer" for mate in mates):
        right += 1
    return strength(man) + cover + right


def victim(men: list[int], all_men: tuple[Man, ...], policy: str, disrupts: bool) -> int:
    if policy == "listed":
        return men[0]
    if policy == "strongest":
        return max(men, key=lambda i: (strength(all_men[i]), -i))
    if policy == "spread" and disrupts:
        unharmed_men = [i for i in men if not all_men[i].back and {**WEST, **EAST}[all_men[i].name][1]]
        men = unharmed_men or men
    return min(men, key=lambda i: (strength(all_men[i]), i))


def suffer(case: Case, men: tuple[Man, ...], which: list[int], code: str, west: bool) -> tuple[Man, ...]:
    """A result on one unit of the side that is fired at."""
    i = victim(which, men, case.policies[0 if west else 1], "D" in code)
    man = men[i]
    _, reduced_strength, kind = {**WEST, **EAST}[man.name]
    if code == "E" or ("D" in code and (man.back or not reduced_strength)):
        man = man._replace(where="dead")
    else:
        if "D" in code:
            man = man._replace(back=True)
        stays = not west and case.terrain in ("city", "fortification")
        if "R" in code and not stays:
            man = man._replace(where="dead" if kind == "static" or (west and case.is_landed) else "away")
    return (*men[:i], man, *men[i + 1 :])


def hit(case: Case, war: War, code: str, by_west: bool, stack: int) -> War:
    if code.endswith("*"):
        code = code[:-1]
        if by_west:
            war = war._replace(star=True)
    if code == "-":
        return war
    if code == "A/G":
        if by_west:
            return war._replace(east_help=None)
        forces_first = case.spares and war.west_forces
        return war._replace(cas=war.cas - 1) if war.cas and not forces_first else war._replace(west_forces=False)
    if by_west:
        target_indexes = [i for i, man in enumerate(war.east) if man.where == "in"]
        war = war._replace(east=suffer(case, war.east, target_indexes, code, False))
        return war if any(man.where == "in" for man in war.east) else war._replace(cleared_by=stack)
    target_indexes = [i for i, man in enumerate(war.west) if man.where == "in" and man.stack == case.aim]
    return war._replace(west=suffer(case, war.west, target_indexes, code, True))


def play(case: Case, start: War) -> dict[War, Fraction]:
    """Every throw of every unit, in turn."""
    shots = [("west", i) for i in range(len(start.west))]
    east_shots = [("east", i) for i in range(len(start.east))]
    order = east_shots + shots if GROUND[case.terrain][1] else shots + east_shots

    @cache
    def play_turn(war: War, turn: int) -> tuple[tuple[War, Fraction], ...]:
        if turn == len(order):
            return ((war, Fraction(1)),)
        side, i = order[turn]
        man = (war.west if side == "west" else war.east)[i]
        prey = war.east if side == "west" else [target for target in war.west if target.stack == case.aim]
        if man.where != "in" or all(target.where != "in" for target in prey):
            return play_turn(war, turn + 1)
        column_number = max(1, min(10, column(case, war, man, side == "west")))
        ends: dict[War, Fraction] = {}
        for code in CRT[column_number - 1].split():
            for end, chance in play_turn(hit(case, war, code, side == "west", man.stack), turn + 1):
                ends[end] = ends.get(end, Fraction(0)) + chance / 6
        return tuple(ends.items())

    return dict(play_turn(start, 0))


def count_end(case: Case, end: War) -> tuple[Any, ...]:
    """What the assistant tells of an end: losses of both sides, whether cleared, who pursues, airstrikes left."""
    is_cleared = all(man.where != "in" for man in end.east)
    west = end.west
    if case.is_landed and not is_cleared:
        west = tuple(man._replace(where="dead") for man in west)
    pursuers = [
        m for m in west if m.where == "in" and not case.is_landed and (case.concentric or m.stack == end.cleared_by)
    ]
    may = is_cleared and bool(pursuers)
    tally = tuple(
        (
            sum(m.where == "dead" for m in men),
            sum(m.back and m.where != "dead" for m in men),
            sum(m.where == "away" for m in men),
        )
        for men in (west, end.east)
    )
    return tally[0], tally[1], is_cleared, may, may and end.star, end.cas


def random_case(rng: random.Random, max_units: int) -> tuple[Case, War, dict[str, str]]:
    west = [rng.sample(list(WEST), rng.randint(1, 2)) for _ in range(rng.choice((1, 1, 2)))]
    if len(west) == 2:
        west[1] = [name for name in west[1] if name not in west[0]] or ["rtr_6_britain"]
        west = west if "rtr_6_britain" not in west[1] else west[:1]
    while sum(map(len, west)) > max_units:
        west[0].pop()
    west = [stack for stack in west if stack]
    east = rng.sample(list(EAST), rng.randint(1, 2))
    terrain = rng.choice(list(GROUND))
    has_landed = rng.random() < 0.2
    concentric = len(west) > 1 and rng.random() < 0.5
    crossing = rng.choice(list(CROSSING_SHIFTS))
    help_ = rng.choice([None, ("forces", 1), ("guerrilla", 2), ("guerrilla", 1), ("guerrilla", 0)])
    if help_ is not None and help_[0] == "guerrilla" and terrain not in ("city", "town"):
        help_ = None
    policies = tuple(rng.choice(["spread", "weakest", "strongest", "listed"]) for _ in range(2))
    aim = rng.randrange(len(west))
    flak = "aaa_canal_egypt" in east or rng.random() < 0.3
    case = Case(
        terrain,
        crossing,
        rng.random() < 0.3,
        concentric,
        has_landed,
        flak,
        aim,
        (policies[0], policies[1]),
        rng.random() < 0.3,
    )
    men = tuple(Man(name, n) for n, stack in enumerate(west) for name in stack)
    war = War(men, tuple(Man(name, 0) for name in east), rng.randint(0, 3), rng.random() < 0.3, help_)
    mark = "+direct_assault" if has_landed else ""
    inputs = {
        "attackers": "/".join(",".join(name + mark for name in stack) for stack in west),
        "defenders": ",".join(east),
        "terrain": terrain,
        "across": crossing,
        "special_command": "yes" if case.special else "no",
        "concentric": "yes" if concentric else "no",
        "cas": str(war.cas),
        "enemy_flak": "yes" if flak else "no",
        "fire_at": str(aim + 1),
        "attacker_special_forces": "yes" if war.west_forces else "no",
        "attacker_losses": policies[0],
        "defender_losses": policies[1],
        "spare_air": "yes" if case.spares else "no",
    }
    if help_ is not None:
        inputs["defender_special_forces" if help_[0] == "forces" else "defender_guerrilla"] = (
            "yes" if help_[0] == "forces" else str(help_[1])
        )
    return case, war, inputs


def gather_chances(ends: dict[War, Fraction], case: Case, pick: int) -> dict[Any, Fraction]:
    totals: dict[Any, Fraction] = {}
    for end, chance in ends.items():
        key = count_end(case, end)[pick]
        totals[key] = totals.get(key, Fraction(0)) + chance
    return totals


def losses(answer: GameAnswer, side: str) -> dict[Any, Fraction]:
    return {
        (loss["eliminated"], loss["disrupted"], loss["retreated"]): loss["chance"]
        for loss in answer["sides"][side]["losses"]
    }


def compare(seed: int, max_units: int) -> None:
    case, war, inputs = random_case(random.Random(seed), max_units)
    ends = play(case, war)
    answer = ask(GAME, "odds", **inputs)
    assert losses(answer, "attacker") == gather_chances(ends, case, 0), inputs
    assert losses(answer, "defender") == gather_chances(ends, case, 1), inputs
    for pick, name in ((2, "cleared"), (3, "may_pursue"), (4, "must_pursue")):
        assert answer[name] == gather_chances(ends, case, pick).get(True, 0), (name, inputs)
    strikes_lost = {int(n): chance for n, chance in answer["airstrikes_lost"].items()}
    assert strikes_lost == {
        war.cas - strikes_left: chance for strikes_left, chance in gather_chances(ends, case, 5).items()
    }, inputs


@pytest.mark.parametrize("seed", range(40))
def test_whole_combats_by_hand(seed: int) -> None:
    compare(seed, 3)
