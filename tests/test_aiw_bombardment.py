"""The best plans for indirect fire and air strikes in The Arab-Israeli Wars, against every plan tried one by one."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction as F
from pathlib import Path
from typing import Any

import pytest

from assistant.cli import cli
from assistant.games.arab_israeli_wars.forces import AskedAttack, Fighter, counter_fighter, field_on
from assistant.games.arab_israeli_wars.plans import best_shares
from scenarios import load
from scenarios.model.hexes import Hex, neighbours
from tests import aiw_fire_oracle as slow
from tests.asking import run_command

GAME = load("arab_israeli_wars")
PRINTED_PIECES = {piece.id: piece for piece in slow.pieces()}
FIELD = field_on(GAME, "S-6")
SOFT = ("infantry_egypt", "sagger", "truck_egypt", "how_122")
HARD = ("t_55", "t_34_85", "btr_50")


def arab(rng: random.Random, place: Hex) -> Fighter:
    unit = GAME.units[rng.choice((*SOFT, *HARD))]
    states = {state for state in ("dispersed", "spotted") if rng.random() < 0.4}
    return counter_fighter(GAME, unit.id, "arab", unit.nation, place, states, copy=str(rng.random()))


def printed_piece(fighter: Fighter) -> slow.Piece:
    return replace(PRINTED_PIECES[fighter.unit], states=fighter.states)


def expected_kills(b: slow.Battle) -> F:
    """Units eliminated on average, by the oracle."""
    return sum((c.get("eliminated", F(0)) for answer in slow.answers(b) for c in answer.chances), F(0))


def battlefield(rng: random.Random, sizes: Sequence[int]) -> list[list[Fighter]]:
    hexes = [hex for hex in FIELD.hex_map.hexes if 10 <= FIELD.hex_map.spot(hex)[0] <= 24]
    return [
        [arab(rng, hex) for _ in range(size)] for hex, size in zip(rng.sample(hexes, len(sizes)), sizes, strict=True)
    ]


# Indirect fire: all that is written for a hex is one attack on each unit there (Standard II.A.4, II.A.5).


def batteries(rng: random.Random) -> list[Fighter]:
    points = (15, 12, 9, 18)
    battery_types = [(rng.choice(("(H)", "M")), rng.choice(points)) for _ in range(2)]
    sample = [rng.choice(battery_types) for _ in range(4)]
    return [
        Fighter("support", "battery", "israeli", "israel", None, frozenset(), {"off_board": n}, "", kind)
        for kind, n in sample
    ]


def gun(fighter: Fighter, triple: bool = False) -> slow.Piece:
    points = fighter.inputs["off_board"]
    assert isinstance(points, int)
    return slow.Piece(
        "battery", 0, fighter.weapon, 0, 0, "NA", 0, "israel", frozenset(), points=points, destructive=triple
    )


def shelling_kills(guns: tuple[slow.Piece, ...], fighter: Fighter) -> F:
    assert fighter.hex is not None
    return (
        expected_kills(
            slow.Battle("indirect_fire", guns, (printed_piece(fighter),), FIELD.map_index.terrain(fighter.hex))
        )
        if guns
        else F(0)
    )


@pytest.mark.parametrize("seed", range(6))
def test_the_best_indirect_fire(seed: int) -> None:
    """Every battery on every hex or on none; where nobody sees it, a third hits, a half drifts to the neighbours
    evenly, the rest is lost (Standard II.A.4.c)."""
    rng = random.Random(seed)
    is_seen = seed % 2 == 0
    stacks = battlefield(rng, rng.choice(([2, 3], [1, 2, 2])))
    firers = batteries(rng)
    everyone = tuple(fighter for stack in stacks for fighter in stack)
    pattern = AskedAttack(GAME, "indirect_fire", tuple(firers), (), FIELD, {}, everyone, is_seen=is_seen)
    plan = best_shares(pattern, stacks)

    def worth(stack: Sequence[Fighter], guns: tuple[slow.Piece, ...]) -> F:
        direct_kills = sum((shelling_kills(guns, fighter) for fighter in stack), F(0))
        if is_seen or stack[0].hex is None:
            return direct_kills
        adjacent_fighters = [fighter for fighter in everyone if fighter.hex in neighbours(stack[0].hex)]
        return direct_kills / 3 + sum((shelling_kills(guns, fighter) for fighter in adjacent_fighters), F(0)) / 12

    best = F(0)
    for choice in itertools.product(range(len(stacks) + 1), repeat=len(firers)):
        guns = [tuple(gun(f) for f, c in zip(firers, choice, strict=True) if c == s) for s in range(len(stacks))]
        best = max(best, sum((worth(stack, stack_guns) for stack, stack_guns in zip(stacks, guns, strict=True)), F(0)))
    assert plan.kills == best
    assert sum(len(volley.firers) for volley in plan.volleys) + len(plan.idle) == len(firers)


@pytest.mark.parametrize("seed", range(4))
def test_the_best_destructive_fire(seed: int) -> None:
    """Every battery on every hex, on every single unit at threefold strength, or on none (Advanced III.C.3, III.C.4);
    units in cover that nobody has spotted can't be written for (III.C.1.a)."""
    rng = random.Random(seed)
    stacks = battlefield(rng, rng.choice(([2], [1, 1], [2, 1])))
    firers = batteries(rng)[:3]
    everyone = tuple(fighter for stack in stacks for fighter in stack)
    pattern = AskedAttack(GAME, "indirect_fire", tuple(firers), (), FIELD, {}, everyone, is_seen=True)
    plan = best_shares(pattern, stacks, (), True)

    def open_to(fighter: Fighter) -> bool:
        return "spotted" in fighter.states or (
            fighter.hex is not None and FIELD.map_index.terrain(fighter.hex) not in ("woods", "town")
        )

    goals: list[tuple[int, Fighter | None]] = [(-1, None), *((s, None) for s in range(len(stacks)))]
    goals += [(s, fighter) for s, stack in enumerate(stacks) for fighter in stack if open_to(fighter)]
    best = F(0)
    for choice in itertools.product(goals, repeat=len(firers)):
        total = F(0)
        for s, stack in enumerate(stacks):
            for fighter in stack:
                guns = tuple(
                    gun(f, aim is not None)
                    for f, (stack_number, aim) in zip(firers, choice, strict=True)
                    if stack_number == s and aim in (None, fighter)
                )
                total += shelling_kills(guns, fighter)
        best = max(best, total)
    assert plan.kills == best


# Air strikes (Standard II.F.3 to II.F.5).


def strikes(rng: random.Random, weapon_kinds: Sequence[str]) -> list[Fighter]:
    inputs = [{"points": rng.choice((10, 21)), "kind": kind} for kind in weapon_kinds]
    return [
        Fighter("support", kind, "israeli", "israel", None, frozenset(), inputs[i], "", kind)
        for i, kind in enumerate(weapon_kinds)
    ]


def bomb(fighter: Fighter) -> slow.Piece:
    points = fighter.inputs["points"]
    assert isinstance(points, int)
    return slow.Piece("strike", 0, fighter.weapon, 0, 0, "F", 0, "israel", frozenset(), points=points)


def divisions(units: tuple[Fighter, ...]) -> Iterator[list[tuple[Fighter, ...]]]:
    """Every way to divide units into groups."""
    if not units:
        yield []
        return
    for size in range(len(units)):
        for partners in itertools.combinations(units[1:], size):
            remainder = tuple(unit for unit in units[1:] if unit not in partners)
            for division in divisions(remainder):
                yield [(units[0], *partners), *division]


def best_strike_kills(stack: Sequence[Fighter], light_strikes: Sequence[Fighter], heavy: Sequence[Fighter]) -> F:
    """The most that these strikes can do in a hex: others on groups, (H) strikes on every unit."""
    target_hex = stack[0].hex
    assert target_hex is not None
    terrain, bombs, best = FIELD.map_index.terrain(target_hex), tuple(bomb(strike) for strike in heavy), F(0)

    def attack(firers: Sequence[slow.Piece], group: Sequence[Fighter]) -> F | None:
        targets = tuple(printed_piece(target) for target in group)
        if any(slow.effect(slow.Battle("air_strike", tuple(firers), targets), f, targets) == 0 for f in firers):
            return None
        if terrain in ("woods", "town") and not all("spotted" in target.states for target in group):
            return None  # Basic VII.D.3
        return expected_kills(slow.Battle("air_strike", tuple(firers), targets, terrain))

    for groups in divisions(tuple(stack)):
        for choice in itertools.product(range(len(groups)), repeat=len(light_strikes)):
            total: F | None = F(0)
            for g, group in enumerate(groups):
                group_bombs = [
                    bomb(strike)
                    for strike, group_number in zip(light_strikes, choice, strict=True)
                    if group_number == g
                ]
                if group_bombs:
                    got = attack([*group_bombs, *bombs], group)
                    total = None if got is None or total is None else total + got
                elif bombs and total is not None:
                    bomb_battle = slow.Battle(
                        "air_strike", bombs, tuple(printed_piece(target) for target in group), terrain
                    )
                    total += expected_kills(bomb_battle)
            best = max(best, total or F(0))
    return best


@pytest.mark.parametrize(
    "weapon_kinds",
    [("A", "A", "G"), ("A", "H", "A"), ("(H)", "(H)", "(H)"), ("A", "(H)", "A"), ("G", "(H)", "H", "(H)")],
)
def test_the_best_air_strikes(weapon_kinds: tuple[str, ...]) -> None:
    """Every strike on every hex or none, and there on every group; (H) strikes on all units of the hex."""
    for seed in range(2):
        rng = random.Random(seed)
        stacks = battlefield(rng, rng.choice(([3], [2, 1], [1, 1])))
        firers = strikes(rng, weapon_kinds)
        everyone = tuple(fighter for stack in stacks for fighter in stack)
        plan = best_shares(AskedAttack(GAME, "air_strike", tuple(firers), (), FIELD, {}, everyone), stacks)
        best = F(0)
        for choice in itertools.product(range(len(stacks) + 1), repeat=len(firers)):
            total = F(0)
            for s, stack in enumerate(stacks):
                stack_strikes = [firer for firer, stack_number in zip(firers, choice, strict=True) if stack_number == s]
                total += best_strike_kills(
                    stack,
                    [f for f in stack_strikes if f.weapon != "(H)"],
                    [f for f in stack_strikes if f.weapon == "(H)"],
                )
            best = max(best, total)
        assert plan.kills == best


# At the command line.


def ask_best(*words: str) -> Any:
    result = run_command(cli, "odds", "arab_israeli_wars", *words, "--best", "--json")
    return json.loads(result.stdout) if result.exit_code == 0 else result.output


def test_a_plan_uses_all_batteries_of_the_side(tmp_path: Path) -> None:
    """S-12 gives Israel three 155 mm batteries of 15, and five strikes of 22 A."""
    path = tmp_path / "position.yaml"
    pieces = ("truck_egypt, nation: syria, at: C-H-5", "mortar_120_m3, at: C-H-9", "t_62, nation: syria, at: C-J-5")
    lines = "".join(f"  - {{unit: {piece}}}\n" for piece in pieces)
    path.write_text(f"game: arab_israeli_wars\nscenario: S-12\npieces:\n{lines}", encoding="utf-8")
    options = ("--position", str(path), "--side", "israeli", "--at", "C-H-5,C-J-5")
    plan = ask_best(*options, "--attack", "indirect_fire", "--seen", "yes")
    units = [attacker["name"] for attack in plan["attacks"] for attacker in attack["attackers"]]
    assert sorted(units) == ["120mm mortar on M3", *["155 mm battery"] * 3]
    assert plan["worth"] == "7/6"  # the mortar's 9 to a truck's 1; the batteries' 45/2 to a T-62's 10, a 2-1
    strikes = ask_best(*options, "--attack", "air_strike")
    assert strikes["worth"] == 2  # 22 A is doubled against armor: 44 to 10, and halved: 11 to 1
    single_plan = ask_best(*options, "--attack", "air_strike", "--support", "Air strike")
    assert single_plan["worth"] == 1 and "unable" in single_plan


def test_what_a_plan_can_not_be_told() -> None:
    position = str(Path(__file__).parent.parent / "docs" / "examples" / "el_firdan.yaml")
    options = ("--position", position, "--at", "A-M-7", "--attack", "indirect_fire")
    assert "israeli" in ask_best(*options, "--side", "isreali")
    assert "Advanced III.C" in ask_best(*options, "--side", "israeli", "--destructive", "any")
    assert "--destructive any" in ask_best(*options, "--side", "israeli", "--destructive", "t_55")
    assert "Standard II.A.5.d" in ask_best(*options, "--side", "israeli", "--targets", "t_55")
