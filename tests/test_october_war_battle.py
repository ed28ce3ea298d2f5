"""Solved battles against battles played by hand (tests/october_war_law.py): every die of small ones, many throws of large ones."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import pytest

from assistant.attack import unit_fields
from assistant.games.october_war.battle import Battle, Blow
from assistant.games.october_war.combat import solve
from assistant.games.october_war.forces import DODGES, LOSSES, RETREATS, Policy, army, leave_one, lose
from tests.net.adapter import Told, ask
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


def case(rng: random.Random, small: int, large: int) -> Case:
    """A battle of up to so many small and large units a side, told in every way there is."""
    sides = rng.sample(["arab", "israeli"], 2)
    terrain = rng.choice([*BY_CLASS, *BY_SIDE])
    men = []
    for side in sides:
        many = rng.randint(1, small)
        picked = rng.sample(SMALL[side], many) + rng.choices(LARGE[side], k=rng.randint(0, large))
        cut = rng.random() < 0.3
        force = [Man(name, cut, name == "armor_brigade" and rng.random() < 0.3) for name in picked]
        if terrain == "mountain":
            force = [man for man in force if not man.mechanized] or [Man("hq_2a" if side == "arab" else "hq_143")]
        rng.shuffle(force)
        men.append(force)
    choices = [
        {
            "losses": rng.choice(list(LOSSES)), "obeys": rng.random() < 0.6, "dodge": rng.choice(list(DODGES)),
            "leave": rng.choice([Fraction(0), Fraction(1, 2)]), "can_retreat": rng.random() < 0.8,
            "led": rng.choice([0, 0, 1, 2]),
            "stays": frozenset(
                one.id for man in force for one in (man, *man.parts) if rng.random() < 0.3
            ) if rng.random() < 0.4 else frozenset(),
        }
        for force in men
    ]  # fmt: skip
    blows = []
    for _ in range(rng.choice([0, 0, 1])):
        share = Fraction(rng.randint(0, 3), 6)
        blows.append(({"-": 1 - share, rng.choice("rR123"): share} if share else {"-": Fraction(1)}, rng.random() < 0.5))
    parts = [part.id for force in men for man in force for part in man.parts]
    short = {name: GAME.units[name].count - rng.randint(0, 5) for name in dict.fromkeys(parts) if rng.random() < 0.4}
    return {
        "men": men, "choices": choices, "terrain": terrain, "first": rng.choice([ATTACKER, DEFENDER]),
        "morale": rng.random() < 0.2, "blows": blows, "elsewhere": short,
    }  # fmt: skip


def war(told: Case) -> War:
    sides = {
        name: Side(list(men), **choice)
        for name, men, choice in zip((ATTACKER, DEFENDER), told["men"], told["choices"], strict=True)
    }
    rest = {key: told[key] for key in ("terrain", "first", "morale", "blows", "elsewhere")}
    return War(sides, **rest)


def solved(told: Case) -> dict[End, Fraction]:
    units = [
        [unit_fields(GAME, man.id, ["out_of_supply"] * man.cut + ["combined_arms"] * man.mixed) for man in men]
        for men in told["men"]
    ]
    policies = [
        Policy(
            one["losses"], list(RETREATS)[not one["obeys"]], one["dodge"], one["leave"], one["can_retreat"], one["stays"]
        )
        for one in told["choices"]
    ]
    near = [{"": one["led"]} for one in told["choices"]]
    result = solve(
        Battle(
            GAME, units[0], units[1], {"terrain": told["terrain"], "morale": told["morale"]}, told["first"],
            (near[0], near[1]), (policies[0], policies[1]),
            blows=tuple(Blow("blow", codes, chosen) for codes, chosen in told["blows"]), elsewhere=told["elsewhere"],
        )
    )  # fmt: skip
    return {(toll.holder, toll.attacker, toll.defender): chance for toll, chance in result.tolls().items()}


def _played(told: Case, throw: Throw) -> End:
    """A battle played by hand, from its start."""
    return war(told).play(throw)


def every_sequence(play: Callable[[Throw], End], most: int) -> dict[End, Fraction] | None:
    """The chance of every end, by every sequence of results; None where there are more than so many."""
    ends: dict[End, Fraction] = {}
    script: list[int] = []
    for _ in range(most):
        thrown: list[tuple[int, int]] = []
        chances: list[Fraction] = []

        def throw(codes: Mapping[str, Fraction]) -> str:
            which = script[len(thrown)] if len(thrown) < len(script) else 0  # noqa: B023
            thrown.append((which, len(codes)))  # noqa: B023
            code = list(codes)[which]
            chances.append(codes[code])  # noqa: B023
            return code

        end = play(throw)
        chance = Fraction(1)
        for one in chances:
            chance *= one
        ends[end] = ends.get(end, Fraction(0)) + chance
        while thrown and thrown[-1][0] + 1 == thrown[-1][1]:
            thrown.pop()
        if not thrown:
            return ends
        script = [which for which, _ in thrown]
        script[-1] += 1
    return None


def simulated(told: Case, rng: random.Random, trials: int) -> list[End]:
    def throw(codes: Mapping[str, Fraction]) -> str:
        return rng.choices(list(codes), [float(share) for share in codes.values()])[0]

    return [war(told).play(throw) for _ in range(trials)]


def agrees(exact: Mapping[End, Fraction], seen: Sequence[End]) -> bool:
    """Whether a simulation is within five standard deviations: who holds the point, the points of both sides."""
    values: list[Callable[[End], int]] = [lambda end: end[0] == ATTACKER, lambda end: end[1], lambda end: end[2]]
    for value in values:
        mean = sum(float(chance) * value(end) for end, chance in exact.items())
        spread = max(0.0, sum(float(chance) * value(end) ** 2 for end, chance in exact.items()) - mean**2)
        if abs(sum(map(value, seen)) / len(seen) - mean) > 5 * (spread / len(seen)) ** 0.5 + 1e-6:
            return False
    return set(seen) <= set(exact)


def asked(told: Case, rng: random.Random) -> dict[str, str]:
    """A battle as a player asks it: what only a position shows (counters elsewhere, who has nowhere to go) is left out, and what falls
    on the defender first is a barrage or an air attack."""
    told["elsewhere"], told["blows"] = {}, []
    for choice in told["choices"]:
        choice["stays"] = frozenset()
    told["ew"] = rng.random() < 0.5
    words = {"terrain": told["terrain"], "morale": "yes" if told["morale"] else "",
        "ew_attacker": "yes" if told["first"] == ATTACKER else ""}
    words |= rng.choice([{}, {"barrage": "yes"}, {"tac": "2", "air_ew": "yes" if told["ew"] else ""}])
    for name, men, choice in zip((ATTACKER, DEFENDER), told["men"], told["choices"], strict=True):
        words[f"{name}s"] = ",".join(man.id + "+out_of_supply" * man.cut + "+combined_arms" * man.mixed for man in men)
        words |= {
            f"{name}_losses": choice["losses"], f"{name}_retreats": "obey" if choice["obeys"] else "stand",
            f"{name}_dodge": choice["dodge"],
            f"{name}_leave": str(choice["leave"]), f"{name}_can_retreat": "yes" if choice["can_retreat"] else "no",
            f"{name}_hq": str(choice["led"]),
        }  # fmt: skip
    return words


def tolls(found: Told) -> dict[End, Fraction]:
    return {(one["holder"], int(one["attacker"]), int(one["defender"])): one["chance"] for one in found["tolls"]}


def test_every_die_of_small_battles_as_they_are_asked() -> None:
    """Refused ones are left out: forces that may not stand together, guns that may not fire."""
    played = 0
    for seed in range(60):
        rng = random.Random(900 + seed)
        told = case(rng, 2, seed % 2)
        found = ask(GAME, "odds", **asked(told, rng))
        if found.refusal:
            continue
        told["blows"] = [(codes, name == "air attack" and told["ew"]) for name, codes in found["blows"].items()]
        brute = every_sequence(partial(_played, told), 400)
        exact = tolls(found)
        assert exact == brute if brute is not None else agrees(exact, simulated(told, rng, 120)), seed
        played += 1
    assert played > 30


@pytest.mark.parametrize("seed", range(15))
def test_every_die_of_small_battles(seed: int) -> None:
    rng = random.Random(seed)
    told = case(rng, 2, seed % 2)
    brute = every_sequence(lambda throw: war(told).play(throw), 500)
    exact = solved(told)
    assert sum(exact.values()) == 1
    assert exact == brute if brute is not None else agrees(exact, simulated(told, rng, 150))


FIVES = [
    ["armored_division_egypt", "armored_brigade_egypt", "hq_2a", "antitank_regiment_egypt", "engineer_egypt"],
    ["armor_brigade", "mech_brigade", "armor_battalion", "hq_143", "recon_battalion"],
]


@pytest.mark.parametrize("forces", [FIVES, FIVES[::-1]])
def test_many_throws_of_five_against_five(forces: list[list[str]]) -> None:
    told = case(random.Random(1), 1, 0)
    plain = {"losses": "weakest", "obeys": True, "dodge": "never", "leave": Fraction(0), "can_retreat": True, "led": 0}
    plain |= {"stays": frozenset()}
    told |= {"men": [[Man(name) for name in names] for names in forces], "choices": [plain, plain], "elsewhere": {}}
    told |= {"terrain": "open", "first": DEFENDER, "morale": False, "blows": []}
    exact = tolls(ask(GAME, "odds", attackers=",".join(forces[0]), defenders=",".join(forces[1])))
    assert len(exact) > 10 and agrees(exact, simulated(told, random.Random(2), 800))


def test_counters_that_retreat_alone_are_still_on_the_map() -> None:
    """9.4, 9.8: the third brigade of a division can't come from what went back one point."""
    force = [unit_fields(GAME, name) for name in ("infantry_division_egypt", "infantry_division_egypt")]
    short = army(GAME, force, Policy(losses="listed"), "arab", {"infantry_brigade_egypt": 5})
    broken = lose(short, short.start, 1)
    assert short.names(broken) == {"Infantry division": 1, "Infantry brigade": 3}
    alone = leave_one(short, leave_one(short, leave_one(short, broken)))
    assert short.names(alone) == {"Infantry division": 1}
    assert short.casualties(lose(short, alone, 1)) == 3
    enough = army(GAME, force, Policy(losses="listed"), "arab", {"infantry_brigade_egypt": 3})
    assert enough.names(lose(enough, enough.start, 2)) == {"Infantry brigade": 6}


def test_losses_of_the_example() -> None:
    """16.2: break down, then one battalion; the break-down itself is no casualty point."""
    own = army(GAME, [unit_fields(GAME, "armor_brigade")], Policy(), "israeli", {})
    after = lose(own, own.start, 2)
    assert own.names(after) == {"Armored battalion": 2} and own.casualties(after) == 1
    assert own.casualties(lose(own, own.start, 1)) == 0
    assert own.casualties(lose(own, own.start, 4)) == 3 and not any(lose(own, own.start, 4).present)
