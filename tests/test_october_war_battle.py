"""Whole battles of October War: every die sequence of small ones, and a simulation of the written rules for large ones."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.attacks import BadQuestion, Value, unit_fields
from assistant.games.october_war.battle import battle, first_fire
from assistant.games.october_war.forces import Policy
from assistant.games.october_war.result import ATTACKER, DEFENDER
from assistant.shared.chains import absorb, counting, together
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
    result = battle(GAME, fields(*ordered[0]), fields(*ordered[1]), told, first=first, policies=(policy, policy))
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
        ["armored_division_egypt", "infantry_division_egypt", "armored_brigade_egypt", "hq_2a", "antitank_regiment_egypt"],
        ["armor_brigade", "mech_brigade", "armor_battalion", "hq_143", "recon_battalion"],
    ),
    (["armor_brigade", "armor_brigade", "mech_brigade", "hq_143", "recon_battalion"],
     ["infantry_division_egypt", "armored_brigade_egypt", "antitank_regiment_egypt", "mech_brigade_egypt", "hq_2a"]),
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
def test_five_against_five_takes_less_than_a_second(pair: tuple[list[str], list[str]]) -> None:
    took = []
    for _ in range(2):
        start = time.process_time()
        solved(*pair, DEFENDER, True)
        took.append(time.process_time() - start)
    assert min(took) < 1


def test_the_rulebooks_examples() -> None:
    """15.4: strengths 5 and 3; 15.6: a headquarters of 2 makes 3 a 5; 15.7: the bracket counts against plain armor."""
    result = battle(
        GAME, fields("armored_brigade_egypt", "mech_brigade_egypt"), fields("armor_battalion", "armor_battalion")
    )
    columns = {(volley.name, volley.answer.column) for volley in result.volleys if volley.side == ATTACKER}
    assert {column for _, column in columns} == {"5", "4"}  # against armor the brigade's missiles count
    against = battle(GAME, fields("armored_brigade_egypt", "mech_brigade_egypt"), fields("mech_battalion"))
    assert {volley.answer.column for volley in against.volleys if volley.side == ATTACKER} == {"5", "3"}
    led = battle(GAME, fields("mech_brigade_egypt"), fields("mech_battalion"), headquarters=(2, 0))
    assert next(volley.answer.column for volley in led.volleys if volley.side == ATTACKER) == "5"
    mixed = [unit_fields(GAME, "armor_brigade", ["combined_arms"])]
    plain = battle(GAME, mixed, fields("mech_brigade_egypt"))
    assert next(volley.answer.column for volley in plain.volleys if volley.side == DEFENDER) == "3"


def test_a_combined_arms_brigade_breaks_down_by_its_own_line() -> None:
    result = battle(GAME, [unit_fields(GAME, "armor_brigade", ["combined_arms"])], fields("armored_division_egypt"))
    names = {(kind.fields["id"], count) for kind in result.attacker.kinds for count in kind.parts.values()}
    assert {count for _, count in names} == {1, 2}


def test_first_fire() -> None:
    """15.2, 26.2, 6.3 (1)."""
    for attacker, defender, surprise in product((False, True), repeat=3):
        expected = ATTACKER if surprise or (attacker and not defender) else DEFENDER
        assert first_fire(attacker, defender, surprise) == expected


def test_static_units_never_retreat_and_a_static_sam_is_no_casualty() -> None:
    result = battle(GAME, fields("armor_brigade"), fields("static_sam_egypt"))
    assert result.mean_casualties(DEFENDER) == 0
    assert not any(why == "retreated" for holder, why in result.whys() if holder == ATTACKER)
    fort = battle(GAME, fields("armored_brigade_egypt"), fields("garrison"), {"terrain": "israeli_fort_sinai"})
    assert not any(why == "retreated" for holder, why in fort.whys() if holder == ATTACKER)


def test_a_whole_retreat_spares_losses() -> None:
    """16.3: one for Arabs, two for Israelis."""
    attack = fields("armored_division_egypt", "armored_brigade_egypt")
    stay, flee = (
        battle(GAME, attack, fields("armor_battalion"), first=ATTACKER, policies=(Policy(), Policy(dodge=dodge)))
        for dodge in ("never", "last")
    )
    assert flee.mean_casualties(DEFENDER) < stay.mean_casualties(DEFENDER)
    assert flee.holds() == stay.holds()


def test_who_leaves_when_outmatched_saves_his_units() -> None:
    cautious = Policy(retreats="stand", leave=Fraction(1))
    outcome = battle(GAME, fields("mech_battalion", "mech_battalion"), fields("armored_brigade_egypt"),
                     policies=(cautious, Policy(retreats="stand")))  # fmt: skip
    bold = battle(GAME, fields("mech_battalion", "mech_battalion"), fields("armored_brigade_egypt"),
                  policies=(Policy(retreats="stand"), Policy(retreats="stand")))  # fmt: skip
    assert outcome.mean_casualties(ATTACKER) < bold.mean_casualties(ATTACKER)


def test_of_a_mixed_arab_attack_one_army_fires() -> None:
    """12.3, 22.1."""
    result = battle(GAME, fields("armored_brigade_syria", "mech_brigade_morocco"), fields("armor_battalion"))
    assert [volley.name for volley in result.volleys if volley.side == ATTACKER] == ["Armored brigade"]
    assert any("Syria" in note for note in result.notes)


def test_wrong_questions() -> None:
    with pytest.raises(BadQuestion, match="both sides"):
        battle(GAME, [], fields("armor_battalion"))
    with pytest.raises(BadQuestion, match="both forces"):
        battle(GAME, fields("armor_battalion"), fields("mech_battalion"))
    with pytest.raises(BadQuestion, match="did you mean"):
        Policy(losses="weekest")
    with pytest.raises(BadQuestion, match="doesn't fight"):
        battle(GAME, fields("tac_israel"), fields("mech_brigade_egypt"))
    with pytest.raises(BadQuestion, match="worked out"):
        battle(GAME, fields("armor_battalion"), fields("mech_brigade_egypt"), {"headquarters": Fraction(2)})


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.sampled_from(SMALL_ARAB), min_size=1, max_size=3),
    st.lists(st.sampled_from(SMALL_ISRAELI), min_size=1, max_size=3),
    st.sampled_from(["weakest", "keep_large", "strongest", "listed"]),
    st.booleans(),
)
def test_chances_add_up_to_one(arabs: list[str], israelis: list[str], losses: str, obey: bool) -> None:
    policy = Policy(losses=losses, retreats="obey" if obey else "stand", dodge="last")
    result = battle(GAME, fields(*arabs), fields(*israelis), policies=(policy, policy))
    assert sum(result.holds().values()) == sum(result.tolls().values()) == 1
    assert all(0 <= toll.attacker <= len(arabs) and 0 <= toll.defender <= len(israelis) for toll in result.tolls())


def test_chains() -> None:
    """A chain that throws again until it ends is solved, one that runs in a circle is refused."""
    half = Fraction(1, 2)
    again = {"start": {"start": half, "won": Fraction(1, 3), "lost": Fraction(1, 6)}, "won": {}, "lost": {}}
    assert absorb("start", lambda state: again[state]) == {"won": Fraction(2, 3), "lost": Fraction(1, 3)}
    circle = {"a": {"b": half, "c": half}, "b": {"a": Fraction(1)}, "c": {}}
    with pytest.raises(ValueError, match="circle"):
        absorb("a", lambda state: circle[state])
    with pytest.raises(ValueError, match="never leaves"):
        absorb("a", lambda state: {"a": 1})
    steps = {"a": {("a1", 1): 1, ("b", 2): 2}, "a1": {("b", 0): 1, ("b", 5): 3}, "b": {}}
    assert counting("a", lambda state: steps[state]) == {
        ("b", 2): Fraction(2, 3), ("b", 1): Fraction(1, 12), ("b", 6): Fraction(1, 4),
    }  # fmt: skip
    with pytest.raises(ValueError, match="circle"):
        counting("a", lambda state: {("a", 1): 1})
    sixth = dict.fromkeys(range(1, 7), Fraction(1, 6))
    assert together([sixth, sixth])[7] == Fraction(1, 6)
