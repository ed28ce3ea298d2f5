"""Yom Kippur: ways back and losses, against every path and every throw."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scenarios import load
from scenarios.model.game import Game
from scenarios.model.hexes import Hex, distance, hexside, neighbours
from tests.net.board import Board, Man, put
from tests.yom_kippur_small import crossable, enemy_of, factor, fighting, may, scatter, small, steps, zones


@pytest.fixture(scope="module")
def game() -> Game:
    return load("yom_kippur", with_config_overlays=False)


def every_path(board: Board, man: Man, hexes: int, steps_left: int, dead: frozenset[str]) -> dict[str, int]:
    """The fewest steps that any path so long costs, by its end, once the dead are gone."""
    watched_hexes, best = zones(board, enemy_of(man.side), dead), dict[str, int]()
    friends = [friend for friend in fighting(board, man.side) if friend != man]
    paths: list[tuple[Hex, ...]] = [(man.hex,)]
    for _ in range(hexes):
        paths = [(*path, b) for path in paths for b in neighbours(path[-1]) if may(board, man, path[-1], b, dead)]
    for path in paths:
        if distance(man.hex, path[-1]) != hexes:
            continue
        afoot = [
            b
            for a, b in pairwise(path)
            if "suez_canal" in board.table.hexsides.get(hexside(a, b), ())
            and hexside(a, b) not in crossable(board, man.side, dead)
        ]
        if afoot and (len(path) > 2 or afoot[0] in watched_hexes):
            continue
        price = sum(hex in watched_hexes and all(friend.hex != hex for friend in friends) for hex in path[1:])
        stacked_steps = sum(steps(friend) for friend in friends if friend.hex == path[-1])
        end = board.table.name(path[-1])
        if stacked_steps + max(0, steps_left - price) <= 6 and price < best.get(end, 99):
            best[end] = price
    return best


def isolated_units(board: Board) -> list[tuple[Man, list[Man]]]:
    """Units that stand alone next to enemies who could attack them, with those enemies."""
    pairs = []
    for man in fighting(board):
        mates = [mate for mate in fighting(board, man.side) if mate.hex == man.hex]
        foes = [
            foe
            for foe in fighting(board, enemy_of(man.side))
            if distance(foe.hex, man.hex) == 1 and factor(foe, "attack") > 0
        ]
        if len(mates) == 1 and foes and man.unit.type != "fort":
            pairs.append((man, [foe for foe in foes if foe.unit.type != "hq"]))
    return [(man, foes) for man, foes in pairs if foes]


def test_ways_back_against_every_path(game: Game) -> None:
    """The defender of every battle on small maps, after each result that sends him back."""
    checked_count = 0
    for seed in range(150):
        dice = random.Random(5000 + seed)
        board = scatter(small(game, dice), dice)
        for man, foes in isolated_units(board):
            answer = board.ask("odds", attackers=",".join(foe.key for foe in foes), target=board.table.name(man.hex))
            for result in answer.get("results", {}).values() if not answer.refusal else ():
                checked_count += back_as_by_hand(board, man, result)
    assert checked_count > 450


def back_as_by_hand(board: Board, man: Man, result: dict[str, Any]) -> int:
    """Whether a result sends the defender back; it goes where the cheapest paths end, or dies if all cost too much."""
    losses = result["attacker"]["lost"]
    dead = frozenset(
        attacker.id
        for attacker in fighting(board, enemy_of(man.side))
        if losses.get(attacker.key, 0) >= steps(attacker)
    )
    share = result["defender"]
    retreat = share["back"].get(man.key)
    steps_left = steps(man) - int(share["lost"].get(man.key, 0) - (retreat["lost"] if retreat else 0))
    if not share["retreat"] or steps_left <= 0:
        assert retreat is None
        return 0
    expected_prices = every_path(board, man, int(share["retreat"]), steps_left, dead)
    min_price = min(expected_prices.values(), default=99)
    if min_price >= steps_left:
        assert not retreat["to"] and retreat["lost"] == steps_left
    else:
        assert retreat["lost"] == min_price
        assert retreat["to"] == {end for end, price in expected_prices.items() if price == min_price}
    return 1


def test_tanks_driven_into_a_swamp_are_destroyed(game: Game) -> None:
    """1.4a: a mechanized unit with nothing but swamp behind it has no way."""
    table = put(game).table
    swamps = [hex for hex in table.hexes if table.terrain[hex] == "swamp"]

    def open_to(a: Hex, unit: str) -> list[Hex]:
        man = put(game, (unit, table.name(a))).men[0]
        return [b for b in neighbours(a) if may(Board(game, (man,)), man, a, b)]

    wet = next(
        hex
        for hex in table.hexes
        if table.terrain[hex] in ("open", "rough")
        and any(n in swamps for n in neighbours(hex))
        and 0 < len(open_to(hex, "arm_15")) < 6
    )
    foes = ["nir_arm_bde_a", "nir_arm_bde_b", "karen_arm_bde_a", "karen_arm_bde_b", "amir_arm_bde_a", "amir_arm_bde_b"]
    walls = [(unit, table.name(hex)) for unit, hex in zip(foes, open_to(wet, "arm_15"), strict=False)]
    attackers = ",".join(unit for unit, _ in walls)

    def ends(unit: str) -> set[str]:
        answer = put(game, (unit, table.name(wet)), *walls, scenario="4.1", turn=9).ask(
            "odds", attackers=attackers, target=table.name(wet)
        )
        backs = [
            result["defender"]["back"].get(unit)
            for result in answer["results"].values()
            if not result["attacker"]["lost"]
        ]
        assert any(retreat is not None for retreat in backs)
        return {end for retreat in backs if retreat for end in retreat["to"]}

    assert not ends("arm_15")
    assert ends("inf_2_4"), "men on foot go in"


def test_the_dead_have_no_zone(game: Game) -> None:
    """Steps are lost before anybody goes back: where an attacker dies, his zone doesn't stop the defender."""
    board = put(
        game, ("inf_2_4", "33.22"), ("nir_arm_bde_a", "33.21"), ("nir_arm_bde_b", "33.23"), scenario="4.1", turn=9
    )
    answer = board.ask("odds", attackers="nir_arm_bde_a,nir_arm_bde_b", target="33.22")
    alive: set[tuple[frozenset[str], Fraction]] = set()
    dead: set[tuple[frozenset[str], Fraction]] = set()
    for result in answer["results"].values():
        if result["defender"]["retreat"] == 1 and not result["defender"]["steps"]:
            retreat = result["defender"]["back"]["inf_2_4"]
            (dead if result["attacker"]["lost"] else alive).add((retreat["to"], retreat["lost"]))
    path_prices = [
        every_path(board, board.men[0], 1, 3, dead_units)
        for dead_units in (frozenset[str](), frozenset({"nir_arm_bde_a"}))
    ]
    assert dead and path_prices[0] != path_prices[1]
    for (ends, loss), paths in [
        *((outcome, path_prices[0]) for outcome in alive),
        *((outcome, path_prices[1]) for outcome in dead),
    ]:
        assert loss == min(paths.values()) and ends == {end for end, price in paths.items() if price == loss}


UNITS = {
    "israeli": [
        "nir_arm_bde_a",
        "nir_arm_bde_b",
        "alush_inf_bde_a",
        "rami_mech_bde_a",
        "engineer_bn_1",
        "matt_abn_bde_a",
    ],
    "egyptian": ["inf_2_4", "mech_90", "arm_15", "commando_130", "engineer_1_9", "plo_inf"],
}
STATES = st.lists(st.sampled_from(["disorganized", "out_of_supply", "reduced"]), unique=True, max_size=3)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    attackers=st.lists(st.tuples(st.sampled_from(UNITS["israeli"]), STATES), min_size=1, max_size=4, unique_by=lambda u: u[0]),
    defenders=st.lists(st.tuples(st.sampled_from(UNITS["egyptian"]), STATES), min_size=1, max_size=3, unique_by=lambda u: u[0]),
    air=st.tuples(st.integers(0, 5), st.integers(0, 5)), turn=st.integers(1, 12),
    places=st.sampled_from([("33.21", "33.22"), ("38.17", "38.18"), ("24.21", "24.20"), ("42.23", "42.24")]),
)  # fmt: skip
def test_any_battle_adds_up(
    game: Game,
    attackers: list[tuple[str, list[str]]],
    defenders: list[tuple[str, list[str]]],
    air: tuple[int, int],
    turn: int,
    places: tuple[str, str],
) -> None:
    units = [(unit, places[0], *states) for unit, states in attackers] + [
        (unit, places[1], *states) for unit, states in defenders
    ]
    board = put(game, *units, turn=turn, scenario="4.1")
    answer = board.ask(
        "odds",
        attackers=",".join(unit for unit, _ in attackers),
        target=places[1],
        israeli_air=str(air[0]),
        egyptian_air=str(air[1]),
    )
    if answer.refusal:
        return
    assert sum(result["chance"] for result in answer["results"].values()) == 1
    have = {man.key: steps(man) for man in board.men}
    for share in (result[side] for result in answer["results"].values() for side in ("attacker", "defender")):
        assert all(0 < loss <= have[key] for key, loss in share["lost"].items())
        assert not answer["saggers"] or turn <= 3
    assert 0 <= answer["falls"] <= 1
    for side in ("attacker", "defender"):
        spread: dict[str, Fraction] = {}
        for result in answer["results"].values():
            count = str(sum(result[side]["lost"].values()))
            spread[count] = spread.get(count, Fraction(0)) + result["chance"]
        assert answer["spread"][f"{side}_steps"] == spread
