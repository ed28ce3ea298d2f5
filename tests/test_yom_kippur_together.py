"""Yom Kippur: retreats of several units at once against every plan, and what-ifs against the same attack asked for itself."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import pairwise, product
from typing import Any

import pytest

from scenarios import load
from scenarios.model.game import Game
from scenarios.model.hexes import Hex, distance, hexside, neighbours
from tests.net.adapter import ask
from tests.net.board import Board, Man, put
from tests.test_yom_kippur_oracle import EGYPTIAN, ISRAELI
from tests.yom_kippur_small import crossable, enemy_of, factor, fighting, may, scatter, small, steps, zones


@pytest.fixture(scope="module")
def game() -> Game:
    return load("yom_kippur", with_config_overlays=False)


def prices(board: Board, man: Man, hexes: int, leaving: list[Man], dead: frozenset[str]) -> set[tuple[Hex, int]]:
    """Every end of a path so long, with each price it can have; nobody who leaves keeps a zone away."""
    watched_hexes, end_prices = zones(board, enemy_of(man.side), dead), set[tuple[Hex, int]]()
    stay = {friend.hex for friend in fighting(board, man.side) if friend not in leaving}
    paths: list[tuple[Hex, ...]] = [(man.hex,)]
    for _ in range(hexes):
        paths = [
            (*path, b)
            for path in paths
            for b in neighbours(path[-1])
            if may(board, man, path[-1], b, dead) and distance(man.hex, b) == len(path)
        ]
    for path in paths:
        afoot = [
            b
            for a, b in pairwise(path)
            if "suez_canal" in board.table.hexsides.get(hexside(a, b), ())
            and hexside(a, b) not in crossable(board, man.side, dead)
        ]
        if not afoot or (hexes == 1 and afoot[0] not in watched_hexes):
            end_prices.add((path[-1], sum(hex in watched_hexes and hex not in stay for hex in path[1:])))
    return end_prices


Step = tuple[Hex | None, int]
"""Where a unit ends (None: it dies) and what it costs."""


def best_plans(
    board: Board, walkers: dict[Man, int], hexes: int, dead: frozenset[str], removed_men: list[Man]
) -> tuple[tuple[Any, ...], list[tuple[Step, ...]]]:
    """The lowest price of any plan, and all plans that have it: each choice of each unit (with its steps left) is tried with each
    of the others'."""
    side = next(iter(walkers)).side
    options: list[list[Step]] = []
    for man, steps_left in walkers.items():
        alive = [
            (end, cost) for end, cost in prices(board, man, hexes, [*walkers, *removed_men], dead) if cost < steps_left
        ]
        options.append([*alive, (None, steps_left)])
    best: tuple[Any, ...] = (99,)
    cheapest_plans: list[tuple[Step, ...]] = []
    for plan in product(*options):
        steps_by_hex: dict[Hex, int] = {}
        for steps_left, (end, cost) in zip(walkers.values(), plan, strict=True):
            if end is not None:
                steps_by_hex[end] = steps_by_hex.get(end, 0) + steps_left - cost
        friends = {end: [m for m in fighting(board, side) if m.hex == end and m not in walkers] for end in steps_by_hex}
        if any(count + sum(steps(m) for m in friends[end]) > 6 for end, count in steps_by_hex.items()):
            continue
        costs = tuple(cost for _, cost in plan)
        price = sum(costs), sum(end is None for end, _ in plan), costs
        if price <= best:
            cheapest_plans = [plan, *(cheapest_plans if price == best else ())]
            best = price
    return best, cheapest_plans


def test_going_back_together_against_every_plan(game: Game) -> None:
    """The defenders of battles on small maps, several in a hex, after each result that sends them back."""
    checked_count = 0
    for seed in range(220):
        dice = random.Random(7000 + seed)
        board = scatter(small(game, dice), dice)
        for stack, foes in stacks(board):
            answer = board.ask(
                "odds", attackers=",".join(foe.key for foe in foes), target=board.table.name(stack[0].hex)
            )
            for result in answer["results"].values() if not answer.refusal else ():
                checked_count += together_as_by_hand(board, stack, result)
    assert checked_count > 180


def stacks(board: Board) -> list[tuple[list[Man], list[Man]]]:
    """Two or more units in a hex, next to enemies who could attack them, with those enemies."""
    pairs = []
    for side, men_by_hex in board.units_by_hex.items():
        for hex, all_men in men_by_hex.items():
            men = [man for man in all_men if "bridge" not in man.states]
            foes = [
                foe
                for foe in fighting(board, enemy_of(side))
                if distance(foe.hex, hex) == 1 and factor(foe, "attack") > 0
            ]
            foes = [foe for foe in foes if foe.unit.type != "hq"]
            if len(men) > 1 and foes and all(man.unit.type != "fort" for man in men):
                pairs.append((men, foes))
    return pairs


def together_as_by_hand(board: Board, stack: list[Man], result: dict[str, Any]) -> int:
    """One result on a stack: who is left goes back by a plan that no other betters."""
    losses = result["attacker"]["lost"]
    dead = frozenset(
        attacker.id
        for attacker in fighting(board, enemy_of(stack[0].side))
        if losses.get(attacker.key, 0) >= steps(attacker)
    )
    share = result["defender"]
    backs = share["back"]
    by_key = {man.key: man for man in stack}
    walkers = {
        by_key[key]: steps(by_key[key]) - int(share["lost"].get(key, 0) - retreat["lost"])
        for key, retreat in backs.items()
    }
    if not share["retreat"] or len(walkers) < 2:
        return 0
    best, plans = best_plans(board, walkers, int(share["retreat"]), dead, [man for man in stack if man not in walkers])
    assert tuple(retreat["lost"] for retreat in backs.values()) == best[2]
    if share["crowded"]:
        ends = [board.names(end for plan in plans if (end := plan[place][0])) for place in range(len(walkers))]
        assert [set(retreat["to"]) for retreat in backs.values()] == ends
    return 1


def test_1_3_a_stack_that_finds_no_room_together(game: Game) -> None:
    """Each of two brigades could go to the one open hex alone; six steps don't hold both beside a third."""
    table = put(game).table
    target, open_hex = table.hex("33.22"), table.hex("33.23")
    walls = [table.name(hex) for hex in neighbours(target) if hex != open_hex]
    foes = ["nir_arm_bde_a", "nir_arm_bde_b", "karen_arm_bde_a", "karen_arm_bde_b", "amir_arm_bde_a"]
    enemies = list(zip(foes, walls, strict=True))
    units = [("inf_2_4", "33.22"), ("inf_2_120", "33.22")]

    def retreat_sizes(*extra_units: tuple[str, str]) -> set[tuple[int, ...]]:
        board = put(game, *units, *extra_units, *enemies, scenario="4.1", turn=9)
        answer = board.ask("odds", attackers=",".join(foes), target="33.22")
        results = [
            result
            for result in answer["results"].values()
            if result["defender"]["retreat"] == 1 and not result["attacker"]["lost"]
        ]
        return {
            tuple(sorted(len(retreat["to"]) for retreat in result["defender"]["back"].values())) for result in results
        }

    assert retreat_sizes(("inf_16_16", "33.23")) == {(0, 1)}, "one of them is lost"
    assert retreat_sizes() == {(1, 1)}


def battles(seed: int) -> Mapping[str, str]:
    dice = random.Random(seed)
    hexes = [("33.21", "33.22"), ("38.17", "38.18"), ("42.24", "42.23")][seed % 3]
    pools = [ISRAELI, EGYPTIAN] if dice.random() < 0.5 else [EGYPTIAN, ISRAELI]
    sides = [dice.sample(pool, dice.randint(2, 4)) for pool in pools]
    states = {unit: dice.choice(("", "", "+disorganized", "+out_of_supply")) for units in sides for unit in units}
    return {
        "put": ",".join(f"{unit}@{hex}" for units, hex in zip(sides, hexes, strict=True) for unit in units),
        "mark": ",".join(unit + state for unit, state in states.items() if state),
        "turn": str(dice.randint(1, 5)),
        "attackers": ",".join(sides[0]),
        "target": hexes[1],
        "israeli_air": str(dice.randint(0, 1)),
        "may_cross_east": "yes",
    }


def numbers(answer: Mapping[str, Any]) -> dict[str, Any]:
    """What a what-if says of an attack, from the attack's own answer."""
    means = {
        side: sum(int(n) * p for n, p in answer["spread"][f"{side}_steps"].items()) for side in ("attacker", "defender")
    }
    return {"column": answer["column"], "falls": answer["falls"], "taken": answer["taken"], **means}


@pytest.mark.parametrize("seed", range(9))
def test_each_what_if_against_the_attack_itself(game: Game, seed: int) -> None:
    inputs = battles(seed)
    changes = ask(game, "odds", **inputs, what_if="yes")["changes"]
    attackers = inputs["attackers"].split(",")
    for unit in attackers:
        other_attackers = ",".join(attacker for attacker in attackers if attacker != unit)
        answer = ask(game, "odds", **{**inputs, "attackers": other_attackers})
        if (change := f"without {game.units[unit].name}") in changes and answer["allowed"]:
            assert changes[change] == numbers(answer), unit
    helper = ask(game, "odds", **inputs, attacker_helper="yes")
    if "with a headquarters or engineer" in changes and helper["allowed"]:
        assert changes["with a headquarters or engineer"] == numbers(helper)
    air = {**inputs, "israeli_air": str(int(inputs["israeli_air"]) + 1)}
    flown = ask(game, "odds", **air)
    if flown["allowed"] and flown["column"] != ask(game, "odds", **inputs)["column"]:
        assert changes["with one Israeli air unit more"] == numbers(flown)
    for part in inputs["put"].split(","):
        unit = part.partition("@")[0]
        for state in ("disorganized", "out_of_supply"):
            change = f"{game.units[unit].name} {state.replace('_', ' ')}"
            marked = ask(game, "odds", **{**inputs, "mark": shaken(inputs, unit, state)})
            if change in changes and marked["allowed"]:
                assert changes[change] == numbers(marked)


def shaken(inputs: Mapping[str, str], unit: str, state: str) -> str:
    """The marks of a battle with one unit in one state more."""
    marks = {part.split("+")[0]: set(part.split("+")[1:]) for part in inputs["mark"].split(",") if part}
    marks.setdefault(unit, set()).add(state)
    return ",".join("+".join([unit, *sorted(states)]) for unit, states in marks.items())
