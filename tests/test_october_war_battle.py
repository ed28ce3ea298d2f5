"""Solved battles against battles played by hand (tests/october_war_law.py): every die of small ones, many throws of large ones."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from fractions import Fraction
from functools import partial
from typing import Any

import pytest

from assistant.questions.registry import questions
from scenarios.model.position import Position
from tests.net.adapter import GameAnswer, ask, position
from tests.october_war_law import ATTACKER, BY_CLASS, BY_SIDE, DEFENDER, GAME, End, Man, Side, Throw, War

SMALL = {
    "arab": [
        "armored_brigade_egypt", "mech_brigade_egypt", "infantry_brigade_egypt", "hq_2a", "engineer_egypt",
        "rocket_brigade_egypt", "antitank_regiment_egypt", "static_sam_egypt", "guards_brigade_egypt",
        "city_brigade_egypt", "armored_brigade_libya",
    ],
    "israeli": [
        "armor_battalion", "mech_battalion", "hq_143", "engineer_battalion", "recon_battalion", "garrison",
        "paratroop_battalion", "golani_battalion", "antitank_battalion", "depot",
    ],
}  # fmt: skip
LARGE = {
    "arab": ["armored_division_egypt", "mech_division_egypt", "infantry_division_egypt"],
    "israeli": ["armor_brigade", "mech_brigade", "golani_brigade", "paratroop_brigade_31"],
}
Case = dict[str, Any]


def choices(name: str) -> tuple[str, ...]:
    """What the question lets a player choose."""
    parameter = questions(GAME)["odds"].input(name)
    assert parameter is not None
    return parameter.choices


LOSSES, RETREATS, DODGES = (choices(f"attackers_{name}") for name in ("losses", "retreats", "dodge"))


def case(rng: random.Random, small: int, large: int) -> Case:
    """A battle of up to so many small and large units a side, told in every way there is."""
    sides = rng.sample(["arab", "israeli"], 2)
    terrain = rng.choice([*BY_CLASS, *BY_SIDE])
    men = []
    for side in sides:
        small_count = rng.randint(1, small)
        unit_names = rng.sample(SMALL[side], small_count) + rng.choices(LARGE[side], k=rng.randint(0, large))
        cut = rng.random() < 0.3
        force = [Man(name, cut, name == "armor_brigade" and rng.random() < 0.3) for name in unit_names]
        if terrain == "mountain":
            force = [man for man in force if not man.is_mechanized] or [Man("hq_2a" if side == "arab" else "hq_143")]
        rng.shuffle(force)
        men.append(force)
    choices = [
        {
            "losses": rng.choice(list(LOSSES)),
            "obeys": rng.random() < 0.6,
            "dodge": rng.choice(list(DODGES)),
            "leave": rng.choice([Fraction(0), Fraction(1, 2)]),
            "can_retreat": rng.random() < 0.8,
            "leader_bonus": rng.choice([0, 0, 1, 2]),
        }
        for force in men
    ]
    parts = [part.id for force in men for man in force for part in man.parts]
    short = {name: GAME.units[name].count - rng.randint(0, 5) for name in dict.fromkeys(parts) if rng.random() < 0.4}
    return {
        "men": men,
        "choices": choices,
        "terrain": terrain,
        "first": rng.choice([ATTACKER, DEFENDER]),
        "morale": rng.random() < 0.2,
        "blows": [],
        "elsewhere": short if rng.random() < 0.5 else {},
    }


def war(battle_case: Case) -> War:
    sides = {
        name: Side(list(men), **choice)
        for name, men, choice in zip((ATTACKER, DEFENDER), battle_case["men"], battle_case["choices"], strict=True)
    }
    settings = {key: battle_case[key] for key in ("terrain", "first", "morale", "blows", "elsewhere")}
    return War(sides, **settings)


def elsewhere(short: Mapping[str, int]) -> Position:
    """A position with so many counters of some kinds in their reserve areas."""
    home = {"arab": "egyptian_reserve", "israeli": "israeli_reserve"}
    pieces = [
        f"{name}/{number}@{home[GAME.units[name].side]}"
        for name, unit_count in short.items()
        for number in range(1, unit_count + 1)
    ]
    return position(GAME, "standard", pieces, turn=2)


def _play_battle(battle_case: Case, throw: Throw) -> End:
    """A battle played by hand, from its start."""
    return war(battle_case).play(throw)


def every_sequence(play: Callable[[Throw], End], max_sequences: int) -> dict[End, Fraction] | None:
    """The chance of every end, by every sequence of results; None where there are more than so many."""
    ends: dict[End, Fraction] = {}
    script: list[int] = []
    for _ in range(max_sequences):
        throw_log: list[tuple[int, int]] = []
        chances: list[Fraction] = []

        def throw(codes: Mapping[str, Fraction]) -> str:
            which = script[len(throw_log)] if len(throw_log) < len(script) else 0  # noqa: B023
            throw_log.append((which, len(codes)))  # noqa: B023
            code = list(codes)[which]
            chances.append(codes[code])  # noqa: B023
            return code

        end = play(throw)
        chance = Fraction(1)
        for factor in chances:
            chance *= factor
        ends[end] = ends.get(end, Fraction(0)) + chance
        while throw_log and throw_log[-1][0] + 1 == throw_log[-1][1]:
            throw_log.pop()
        if not throw_log:
            return ends
        script = [which for which, _ in throw_log]
        script[-1] += 1
    return None


def simulate_battles(battle_case: Case, rng: random.Random, trials: int) -> list[End]:
    def throw(codes: Mapping[str, Fraction]) -> str:
        return rng.choices(list(codes), [float(share) for share in codes.values()])[0]

    return [war(battle_case).play(throw) for _ in range(trials)]


def agrees(exact: Mapping[End, Fraction], sample: Sequence[End]) -> bool:
    """Whether a simulation is within five standard deviations: who holds the point, the points of both sides."""
    values: list[Callable[[End], int]] = [lambda end: end[0] == ATTACKER, lambda end: end[1], lambda end: end[2]]
    for value in values:
        mean = sum(float(chance) * value(end) for end, chance in exact.items())
        spread = max(0.0, sum(float(chance) * value(end) ** 2 for end, chance in exact.items()) - mean**2)
        if abs(sum(map(value, sample)) / len(sample) - mean) > 5 * (spread / len(sample)) ** 0.5 + 1e-6:
            return False
    return set(sample) <= set(exact)


def question_inputs(battle_case: Case, rng: random.Random) -> dict[str, str]:
    """A battle as a player asks it, what falls on the defender first is a barrage or an air attack. Who has counters elsewhere is asked
    in a position: the brigade of a city is at home in one of them only."""
    battle_case["ew"] = rng.random() < 0.5
    words = {
        "terrain": battle_case["terrain"],
        "morale": "yes" if battle_case["morale"] else "",
        "ew_attacker": "yes" if battle_case["first"] == ATTACKER else "",
    }
    if battle_case["elsewhere"]:
        words["point"] = "ismailia" if battle_case["terrain"] == "city" else "tasa"
    words |= rng.choice([{}, {"barrage": "yes"}, {"tac": "2", "air_ew": "yes" if battle_case["ew"] else ""}])
    for name, men, choice in zip((ATTACKER, DEFENDER), battle_case["men"], battle_case["choices"], strict=True):
        words[f"{name}s"] = ",".join(
            man.id + "+out_of_supply" * man.cut + "+combined_arms" * man.is_mixed for man in men
        )
        words |= {
            f"{name}_losses": choice["losses"],
            f"{name}_retreats": "obey" if choice["obeys"] else "stand",
            f"{name}_dodge": choice["dodge"],
            f"{name}_leave": str(choice["leave"]),
            f"{name}_can_retreat": "yes" if choice["can_retreat"] else "no",
            f"{name}_hq": str(choice["leader_bonus"]),
        }
    return words


def tolls(answer: GameAnswer) -> dict[End, Fraction]:
    return {(toll["holder"], int(toll["attacker"]), int(toll["defender"])): toll["chance"] for toll in answer["tolls"]}


def test_every_die_of_small_battles_as_they_are_asked() -> None:
    """Refused ones are left out: forces that may not stand together, guns that may not fire."""
    battle_count = 0
    for seed in range(80):
        rng = random.Random(900 + seed)
        battle_case = case(rng, 2, seed % 2)
        words = question_inputs(battle_case, rng)
        answer = ask(GAME, "odds", elsewhere(battle_case["elsewhere"]) if battle_case["elsewhere"] else None, **words)
        if answer.refusal:
            continue
        battle_case["blows"] = [
            (codes, name == "air attack" and battle_case["ew"]) for name, codes in answer["blows"].items()
        ]
        brute = every_sequence(partial(_play_battle, battle_case), 400)
        exact = tolls(answer)
        assert exact == brute if brute is not None else agrees(exact, simulate_battles(battle_case, rng, 120)), seed
        battle_count += 1
    assert battle_count > 40


FIVES = [
    ["armored_division_egypt", "armored_brigade_egypt", "hq_2a", "antitank_regiment_egypt", "engineer_egypt"],
    ["armor_brigade", "mech_brigade", "armor_battalion", "hq_143", "recon_battalion"],
]


@pytest.mark.parametrize("forces", [FIVES, FIVES[::-1]])
def test_many_throws_of_five_against_five(forces: list[list[str]]) -> None:
    battle_case = case(random.Random(1), 1, 0)
    plain_choice = {
        "losses": "weakest",
        "obeys": True,
        "dodge": "never",
        "leave": Fraction(0),
        "can_retreat": True,
        "leader_bonus": 0,
    }
    battle_case |= {
        "men": [[Man(name) for name in names] for names in forces],
        "choices": [plain_choice, plain_choice],
        "elsewhere": {},
    }
    battle_case |= {"terrain": "open", "first": DEFENDER, "morale": False, "blows": []}
    exact = tolls(ask(GAME, "odds", attackers=",".join(forces[0]), defenders=",".join(forces[1])))
    assert len(exact) > 10 and agrees(exact, simulate_battles(battle_case, random.Random(2), 800))


def matches_law(attackers: str, defenders: list[str], short: Mapping[str, int], **policies: str) -> bool:
    """Whether a battle with counters elsewhere is what the law says of it."""
    men = [
        Side([Man(attackers)]),
        Side([Man(name) for name in defenders], losses=policies.get("defender_losses", "weakest")),
    ]
    answer = ask(
        GAME,
        "odds",
        elsewhere(short),
        attackers=attackers,
        defenders=",".join(defenders),
        point="tasa",
        terrain="open",
        attacker_can_retreat="yes",
        defender_can_retreat="yes",
        **policies,
    )
    law = War(dict(zip((ATTACKER, DEFENDER), men, strict=True)), elsewhere=short)
    brute = every_sequence(lambda throw: deepcopy(law).play(throw), 1500)
    rng = random.Random(3)

    def throw(codes: Mapping[str, Fraction]) -> str:
        return rng.choices(list(codes), [float(share) for share in codes.values()])[0]

    return (
        tolls(answer) == brute
        if brute is not None
        else agrees(tolls(answer), [deepcopy(law).play(throw) for _ in range(400)])
    )


def test_counters_that_retreat_alone_are_still_on_the_map() -> None:
    """9.4, 9.8: the third brigade of a division can't come from what went back one point."""
    two = ["infantry_division_egypt", "infantry_division_egypt"]
    assert matches_law("armor_brigade", two, {"infantry_brigade_egypt": 5}, defender_losses="listed")
    assert matches_law("armor_brigade", two, {"infantry_brigade_egypt": 3}, defender_losses="listed")


def test_without_counters_a_large_unit_goes_whole() -> None:
    """9.4, 9.8: nine Egyptian infantry brigades in the mix, eight, seven or six of them elsewhere."""
    for force, short in (
        (["infantry_division_egypt", "armored_brigade_egypt"], 8),
        (["infantry_division_egypt"], 7),
        (["infantry_division_egypt"], 6),
    ):
        assert matches_law("armor_battalion", force, {"infantry_brigade_egypt": short})
    intact_units, split_units = (
        ask(
            GAME,
            "odds",
            elsewhere({"infantry_brigade_egypt": brigade_count}),
            attackers="armor_battalion",
            defenders="infantry_division_egypt",
            point="tasa",
        )["sides"]["defender"]["left"]
        for brigade_count in (7, 6)
    )
    assert set(intact_units) == {"Infantry division"} and set(split_units) == {"Infantry division", "Infantry brigade"}


def test_losses_of_the_example() -> None:
    """16.2: break down, then one battalion; the break-down itself is no casualty point. The law by hand does so."""
    for losses, units_left, points in ((1, 3, 0), (2, 2, 1), (4, 0, 3)):
        side = Side([Man("armor_brigade")])
        War({ATTACKER: side, DEFENDER: Side([Man("hq_2a")])}).lose(side, losses, False)
        assert [man.id for man in side.men] == ["armor_battalion"] * units_left and side.points == points
