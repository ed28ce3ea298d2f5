"""Yom Kippur: retreats of several units at once against every plan, and what-ifs against the same attack asked for itself."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import pytest

from assistant.games.yom_kippur import QUESTIONS
from assistant.games.yom_kippur.field import Field, Stand, other
from assistant.games.yom_kippur.ground import Ground
from assistant.games.yom_kippur.retreats import Back, changed
from assistant.games.yom_kippur.together import Choice, TooMany, go_back, in_turn, shared_out
from scenarios import load
from scenarios.game import Game
from scenarios.hexes import Hex, distance, hexside, neighbours
from tests.asking import ask
from tests.test_yom_kippur_combat import put
from tests.test_yom_kippur_oracle import EGYPTIAN, ISRAELI
from tests.test_yom_kippur_retreats import may
from tests.test_yom_kippur_supply import crossable, scatter, small


@pytest.fixture(scope="module")
def game() -> Game:
    return load("yom_kippur", standing=False)


@pytest.fixture(scope="module")
def ground(game: Game) -> Ground:
    return Ground.of(game, "4.1")


def prices(field: Field, stand: Stand, hexes: int, leaving: list[Stand]) -> set[tuple[Hex, int]]:
    """Every end of a path so long, with each price it can have; nobody who leaves keeps a zone away."""
    foe, found = other(stand.unit.side), set[tuple[Hex, int]]()
    stay = {s.hex for s in field.stands if s.unit.side == stand.unit.side and s not in leaving}
    paths: list[tuple[Hex, ...]] = [(stand.hex,)]
    for _ in range(hexes):
        paths = [
            (*path, b)
            for path in paths
            for b in neighbours(path[-1])
            if may(field, stand, path[-1], b) and distance(stand.hex, b) == len(path)
        ]
    for path in paths:
        afoot = [
            b for a, b in pairwise(path)
            if "suez_canal" in field.ground.table.hexsides.get(hexside(a, b), frozenset())
            and hexside(a, b) not in crossable(field, stand.unit.side)
        ]  # fmt: skip
        if not afoot or (hexes == 1 and afoot[0] not in field.zones[foe]):
            found.add((path[-1], sum(hex in field.zones[foe] and hex not in stay for hex in path[1:])))
    return found


Step = tuple[Hex | None, int]
"""Where a unit ends (None: it dies) and what it costs."""


def best_plans(field: Field, walkers: list[Stand], hexes: int) -> tuple[tuple[Any, ...], list[tuple[Step, ...]]]:
    """The lowest price of any plan, and all plans that have it: each choice of each unit is tried with each of the others'."""
    side = walkers[0].unit.side
    options: list[list[Step]] = []
    for stand in walkers:
        alive = [(end, cost) for end, cost in prices(field, stand, hexes, walkers) if cost < stand.steps]
        options.append([*alive, (None, stand.steps)])
    best: tuple[Any, ...] = (99,)
    found: list[tuple[Step, ...]] = []
    for plan in product(*options):
        there: dict[Hex, int] = {}
        for stand, (end, cost) in zip(walkers, plan, strict=True):
            if end is not None:
                there[end] = there.get(end, 0) + stand.steps - cost
        friends = {end: [s for s in field.stands if s.unit.side == side and s.hex == end and s not in walkers] for end in there}
        if any(count + sum(s.steps for s in friends[end]) > 6 for end, count in there.items()):
            continue
        costs = tuple(cost for _, cost in plan)
        price = sum(costs), sum(end is None for end, _ in plan), costs
        if price <= best:
            found = [plan, *(found if price == best else ())]
            best = price
    return best, found


def stacks(field: Field, dice: random.Random) -> Iterator[list[Stand]]:
    """Two or three units of a side that go back together, from one hex or from several."""
    for side in ("egyptian", "israeli"):
        stands = sorted(field.of(side), key=lambda s: (s.hex, s.key))
        if len(stands) > 1:
            yield dice.sample(stands, min(len(stands), dice.randint(2, 3)))
        near = [s for s in stands if distance(s.hex, stands[0].hex) <= 1][:3]
        if len(near) > 1:
            yield near


@pytest.mark.parametrize("seed", range(20))
def test_going_back_together_against_every_plan(game: Game, seed: int) -> None:
    dice = random.Random(7000 + seed)
    field = scatter(small(game, dice), dice)
    for walkers in stacks(field, dice):
        for hexes in (1, 2):
            left = {stand: stand.steps for stand in walkers}
            found = go_back(field, walkers, left, hexes, changed(field, walkers[0].unit.side, (), walkers))
            best, plans = best_plans(field, walkers, hexes)
            assert tuple(back.lost for back in found.backs) == best[2]
            if found.crowded:
                ends = [{plan[place][0] for plan in plans} - {None} for place in range(len(walkers))]
                assert [{way.end for way in back.ways} for back in found.backs] == ends


@pytest.mark.parametrize("seed", range(40))
def test_sharing_room_out_against_every_plan(seed: int) -> None:
    """Tighter than any field: the lowest price, and what each unit does in any plan that has it."""
    dice = random.Random(seed)
    rooms = tuple(dice.randint(0, 4) for _ in range(dice.randint(1, 4)))
    choices = []
    for steps in (dice.choice((1, 1, 2, 3)) for _ in range(dice.randint(2, 5))):
        ways = {(dice.randint(0, 2), hex) for hex in range(len(rooms)) for _ in range(2)}
        fits = [Choice(cost, hex, steps - cost) for cost, hex in sorted(ways) if 0 < steps - cost <= rooms[hex]]
        choices.append([*fits, Choice(steps, -1, 0)])
    best: tuple[Any, ...] = (99,)
    plans: list[tuple[Choice, ...]] = []
    for plan in product(*choices):
        if all(sum(one.steps for one in plan if one.hex == hex) <= room for hex, room in enumerate(rooms)):
            costs = tuple(one.cost for one in plan)
            price = sum(costs), sum(one.hex < 0 for one in plan), costs
            plans = [plan, *(plans if price == best else ())] if price <= best else plans
            best = min(best, price)
    found = shared_out(choices, rooms)
    assert [set(mine) for mine in found] == [{plan[place] for plan in plans} for place in range(len(choices))]
    simple = in_turn(choices, rooms)
    assert all(sum(mine[0].steps for mine in simple if mine[0].hex == hex) <= room for hex, room in enumerate(rooms))


def test_a_pile_beyond_all_limits_gets_one_plan() -> None:
    """Thirty steps of units that may go to ten hexes with too little room: not every plan is tried, and that is said."""
    rooms = (2, 2, 1, 2, 1, 2, 2, 1, 2, 1)
    choices = [[*(Choice(0, hex, 2) for hex in range(10) if rooms[hex] > 1 and (hex + unit) % 3), Choice(1, 9 - unit % 10, 1),
                Choice(2, -1, 0)] for unit in range(15)]  # fmt: skip
    with pytest.raises(TooMany):
        shared_out(choices, rooms)


def test_1_3_a_stack_that_finds_no_room_together(ground: Ground) -> None:
    """Each of two brigades could go to the one open hex alone; six steps don't hold both beside a third."""
    target, only = ground.table.hex("33.22"), ground.table.hex("33.23")
    walls = [ground.table.name(hex) for hex in neighbours(target) if hex != only]
    foes = ["nir_arm_bde_a", "nir_arm_bde_b", "karen_arm_bde_a", "karen_arm_bde_b", "amir_arm_bde_a"]
    enemies = list(zip(foes, walls, strict=True))
    units = [("inf_2_4", "33.22"), ("inf_2_120", "33.22")]
    full = put(ground, *units, ("inf_16_16", "33.23"), *enemies)
    assert [len(back.ways) for back in both_back(full)] == [1, 0], "the second is lost"
    assert [len(back.ways) for back in both_back(put(ground, *units, *enemies))] == [1, 1]


def both_back(field: Field) -> tuple[Back, ...]:
    """The first two units of a field, one hex back."""
    walkers = list(field.stands[:2])
    return go_back(field, walkers, {s: s.steps for s in walkers}, 1, changed(field, "egyptian", (), walkers)).backs


def battles(seed: int) -> Mapping[str, str]:
    dice = random.Random(seed)
    hexes = [("33.21", "33.22"), ("38.17", "38.18"), ("42.24", "42.23")][seed % 3]
    pools = [ISRAELI, EGYPTIAN] if dice.random() < 0.5 else [EGYPTIAN, ISRAELI]
    sides = [dice.sample(pool, dice.randint(2, 4)) for pool in pools]
    states = {unit: dice.choice(("", "", "+disorganized", "+out_of_supply")) for units in sides for unit in units}
    return {
        "put": ",".join(f"{unit}@{hex}" for units, hex in zip(sides, hexes, strict=True) for unit in units),
        "mark": ",".join(unit + state for unit, state in states.items() if state), "turn": str(dice.randint(1, 5)),
        "attackers": ",".join(sides[0]), "target": hexes[1], "israeli_air": str(dice.randint(0, 1)),
        "may_cross_east": "yes",
    }  # fmt: skip


def numbers(told: Mapping[str, Any]) -> tuple[Any, ...]:
    """What a what-if says of an attack, from the attack's own answer."""
    spread = told["spread"]
    steps = [sum(int(n) * Fraction(p) for n, p in spread[f"{side}_steps"].items()) for side in ("attacker", "defender")]
    return told["column"], Fraction(told["hex_falls"]), Fraction(told["hex_taken"]), *steps


@pytest.mark.parametrize("seed", range(9))
def test_each_what_if_against_the_attack_itself(game: Game, seed: int) -> None:
    asked = battles(seed)
    told, _ = ask(game, QUESTIONS["odds"], {**asked, "what_if": "yes"})
    keys = ("hex_falls", "hex_taken", "attacker_steps", "defender_steps")
    found = {
        one["change"]: (one["column"], *(Fraction(one[key]) for key in keys))
        for one in told["what_if"]
    }
    attackers = asked["attackers"].split(",")
    for unit in attackers:
        rest = ",".join(other for other in attackers if other != unit)
        alone, _ = ask(game, QUESTIONS["odds"], {**asked, "attackers": rest})
        assert found[f"without {game.units[unit].name}"] == numbers(alone), unit
    helper, _ = ask(game, QUESTIONS["odds"], {**asked, "attacker_helper": "yes"})
    if "with a headquarters or engineer" in found:
        assert found["with a headquarters or engineer"] == numbers(helper)
    flown = "with one air unit more" if game.units[attackers[0]].side == "israeli" else "with an enemy air unit"
    air = {**asked, "israeli_air": str(int(asked["israeli_air"]) + 1), "sam_zone_air": "1"}
    assert found[flown] == numbers(ask(game, QUESTIONS["odds"], air)[0])
    for state in ("disorganized", "out_of_supply"):
        change = f"if the defenders were {state.replace('_', ' ')}"
        if change in found:
            assert found[change] == numbers(ask(game, QUESTIONS["odds"], {**asked, "mark": shaken(asked, state)})[0])


def shaken(asked: Mapping[str, str], state: str) -> str:
    """The marks of a battle with every defender in one state more."""
    marks = {part.split("+")[0]: set(part.split("+")[1:]) for part in asked["mark"].split(",") if part}
    for part in asked["put"].split(","):
        unit, _, hex = part.partition("@")
        if hex == asked["target"]:
            marks.setdefault(unit, set()).add(state)
    return ",".join("+".join([unit, *sorted(states)]) for unit, states in marks.items())
