"""Whole battles of October War: every die sequence of small ones, and a simulation of the written rules for large ones."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction

import pytest

from assistant.attacks import Value, unit_fields
from assistant.games.october_war.battle import solve
from assistant.games.october_war.fire import Battle
from assistant.games.october_war.policy import Policy
from assistant.games.october_war.result import ATTACKER, DEFENDER
from scenarios import load

GAME = load("october_war")

# The Ground CRT, typed from the chart: columns 1 to 20 of each die.
CRT = {
    1: "- - - - - - - - - - r R R R R R R R R R",
    2: "- - - - - - - - r R R R R R 1 1 1 1 2 2",
    3: "- - - - - - - r R 1 1 1 1 1 1 1 2 2 2 2",
    4: "- - - - r R R 1 1 1 2 2 2 2 2 2 2 3 3 3",
    5: "- - r R 1 1 1 1 2 2 2 2 3 3 3 3 3 3 3 4",
    6: "r R 1 1 1 2 2 2 2 2 2 3 3 3 4 4 4 4 4 5",
}
# Strength, bracket against armor, leader, is it armor, what it breaks down into, engineer, elite.
KNOWN: dict[str, tuple[int, int, int, bool, tuple[str, ...]]] = {
    "armored_brigade_egypt": (5, 0, 0, True, ()),
    "mech_brigade_egypt": (3, 4, 0, False, ()),
    "infantry_brigade_egypt": (2, 3, 0, False, ()),
    "armored_division_egypt": (13, 14, 0, True, ("armored_brigade_egypt",) * 2 + ("mech_brigade_egypt",)),
    "infantry_division_egypt": (6, 9, 0, False, ("infantry_brigade_egypt",) * 3),
    "hq_2a": (1, 0, 1, False, ()),
    "engineer_egypt": (1, 0, 0, False, ()),
    "antitank_regiment_egypt": (1, 4, 0, False, ()),
    "armor_battalion": (4, 0, 0, True, ()),
    "mech_battalion": (2, 0, 0, False, ()),
    "armor_brigade": (12, 0, 0, True, ("armor_battalion",) * 3),
    "mech_brigade": (6, 0, 0, False, ("mech_battalion",) * 3),
    "hq_143": (1, 0, 2, False, ()),
    "recon_battalion": (2, 0, 0, False, ()),
}
KEPT = ("hq_2a", "hq_143", "engineer_egypt")
Dice = Callable[[int], str]
"""A throw on a column: the code."""
End = tuple[str, int, int]


def fields(*names: str) -> list[dict[str, Value]]:
    return [unit_fields(GAME, name) for name in names]


def ranked(units: Sequence[str]) -> list[str]:
    return sorted(units, key=lambda name: (name in KEPT, KNOWN[name][0], name))


class Written:
    """The rules of 15.0 and 16.0 played by hand, the weakest lost first, every retreat obeyed (or none)."""

    def __init__(self, attackers: Sequence[str], defenders: Sequence[str], first: str, shift: int, obey: bool) -> None:
        self.force = {ATTACKER: list(attackers), DEFENDER: list(defenders)}
        self.points = {ATTACKER: 0, DEFENDER: 0}
        self.first, self.shift, self.obey = first, shift, obey

    def play(self, die: Dice) -> End:
        second = DEFENDER if self.first == ATTACKER else ATTACKER
        while True:
            scored = False
            for shooter, target in ((self.first, second), (second, self.first)):
                scored |= self.fire(shooter, target, die)
                if not self.force[target]:
                    return shooter, self.points[ATTACKER], self.points[DEFENDER]
            if not scored:
                return DEFENDER, self.points[ATTACKER], self.points[DEFENDER]

    def fire(self, shooter: str, target: str, die: Dice) -> bool:
        scored = False
        leader = max(KNOWN[name][2] for name in self.force[shooter])
        for name in sorted(self.force[shooter], key=self.place):
            if not self.force[target]:
                break
            strength, bracket, *_ = KNOWN[name]
            if bracket and any(KNOWN[other][3] for other in self.force[target]):
                strength = bracket
            column = min(strength, 20) + leader + (self.shift if shooter == ATTACKER else 0)
            code = die(max(1, min(20, column)))
            if code != "-":
                scored = True
                self.suffer(target, code)
        return scored

    def place(self, name: str) -> int:
        return list(KNOWN).index(name)

    def suffer(self, side: str, code: str) -> None:
        if code in "rR" and self.obey:
            units = self.force[side]
            self.force[side] = [] if code == "R" else without(units, ranked(units)[0])
            return
        for _ in range(1 if code in "rR" else int(code)):
            large = [name for name in self.force[side] if KNOWN[name][4]]
            if large:
                broken = ranked(large)[0]
                self.force[side] = without(self.force[side], broken) + list(KNOWN[broken][4])
            elif self.force[side]:
                self.force[side] = without(self.force[side], ranked(self.force[side])[0])
                self.points[side] += 1


def without(units: Sequence[str], name: str) -> list[str]:
    left = list(units)
    left.remove(name)
    return left


def faces(column: int) -> list[str]:
    return [CRT[die].split()[column - 1] for die in range(1, 7)]


def every_sequence(play: Callable[[Dice], End]) -> dict[End, Fraction]:
    """Every sequence of dice, each as long as the battle asks for more; faces with the same code are taken together."""
    chances: dict[End, Fraction] = {}
    script: list[int] = []
    while True:
        thrown: list[tuple[int, int]] = []  # which of how many codes
        chance = Fraction(1)

        def die(column: int, thrown: list[tuple[int, int]] = thrown, script: list[int] = script) -> str:
            nonlocal chance
            codes = sorted(set(faces(column)))
            which = script[len(thrown)] if len(thrown) < len(script) else 0
            thrown.append((which, len(codes)))
            chance *= Fraction(faces(column).count(codes[which]), 6)
            return codes[which]

        end = play(die)
        chances[end] = chances.get(end, Fraction(0)) + chance
        while thrown and thrown[-1][0] + 1 == thrown[-1][1]:
            thrown.pop()
        if not thrown:
            return chances
        script = [which for which, _ in thrown]
        script[-1] += 1


def solved(
    attackers: Sequence[str], defenders: Sequence[str], first: str, obey: bool, **told: Value
) -> dict[End, Fraction]:
    policy = Policy(retreats="obey" if obey else "stand")
    ordered = [sorted(units, key=list(KNOWN).index) for units in (attackers, defenders)]
    asked = Battle(GAME, fields(*ordered[0]), fields(*ordered[1]), told, first=first, policies=(policy, policy))
    result = solve(asked)
    assert sum(result.endings.values()) == 1
    return {(toll.holder, toll.attacker, toll.defender): chance for toll, chance in result.tolls().items()}


SMALL_ARAB = (
    "armored_brigade_egypt",
    "mech_brigade_egypt",
    "infantry_brigade_egypt",
    "hq_2a",
    "antitank_regiment_egypt",
)
SMALL_ISRAELI = ("armor_battalion", "mech_battalion", "hq_143", "recon_battalion")


@pytest.mark.parametrize(("arabs", "israelis"), [(1, 1), (2, 1), (1, 2)])
@pytest.mark.parametrize("first", [ATTACKER, DEFENDER])
@pytest.mark.parametrize("obey", [True, False])
def test_every_die_sequence(arabs: int, israelis: int, first: str, obey: bool) -> None:
    rng = random.Random(f"{arabs}{israelis}{first}{obey}")
    for _ in range(3):
        attackers, defenders = rng.choices(SMALL_ARAB, k=arabs), rng.choices(SMALL_ISRAELI, k=israelis)
        brute = every_sequence(lambda die: Written(attackers, defenders, first, 0, obey).play(die))  # noqa: B023
        assert solved(attackers, defenders, first, obey) == brute


def test_every_die_sequence_of_two_against_two_and_of_a_break_down() -> None:
    pairs = (["armored_brigade_egypt", "infantry_brigade_egypt"], ["armor_battalion", "mech_battalion"])
    brute = every_sequence(lambda die: Written(*pairs, DEFENDER, 0, True).play(die))
    assert solved(*pairs, DEFENDER, True) == brute
    large = (["infantry_division_egypt"], ["armor_battalion"])
    brute = every_sequence(lambda die: Written(*large, DEFENDER, -3, True).play(die))
    assert solved(*large, DEFENDER, True, terrain="israeli_fort_golan") == brute


FIVES = [
    (
        ["armored_division_egypt", "armored_brigade_egypt", "hq_2a", "antitank_regiment_egypt", "engineer_egypt"],
        ["armor_brigade", "mech_brigade", "armor_battalion", "hq_143", "recon_battalion"],
    ),
    (["armor_brigade", "armor_brigade", "mech_brigade", "hq_143", "recon_battalion"],
     ["infantry_division_egypt", "armored_brigade_egypt", "antitank_regiment_egypt", "engineer_egypt", "hq_2a"]),
]  # fmt: skip


@pytest.mark.parametrize("pair", FIVES)
@pytest.mark.parametrize("obey", [True, False])
def test_a_simulation_of_the_written_rules_agrees(pair: tuple[list[str], list[str]], obey: bool) -> None:
    rng = random.Random(8)
    trials = 1500
    points: Callable[[End], int]
    ends = [Written(*pair, DEFENDER, 0, obey).play(lambda column: rng.choice(faces(column))) for _ in range(trials)]
    exact = solved(*pair, DEFENDER, obey)
    holds = float(sum(chance for end, chance in exact.items() if end[0] == ATTACKER))
    seen = sum(end[0] == ATTACKER for end in ends) / trials
    assert abs(seen - holds) < 5 * (holds * (1 - holds) / trials) ** 0.5 + 1e-9
    for points in (lambda end: end[1], lambda end: end[2]):
        mean = float(sum((chance * points(end) for end, chance in exact.items()), Fraction(0)))
        spread = float(sum((chance * points(end) ** 2 for end, chance in exact.items()), Fraction(0))) - mean**2
        assert abs(sum(map(points, ends)) / trials - mean) < 5 * (spread / trials) ** 0.5 + 1e-9


@pytest.mark.parametrize("pair", FIVES)
def test_five_against_five_is_solved(pair: tuple[list[str], list[str]]) -> None:
    ends = solved(*pair, DEFENDER, True)
    assert sum(ends.values()) == 1 and len(ends) > 10
