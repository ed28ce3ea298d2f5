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
from click.testing import CliRunner

from assistant.cli import cli
from assistant.games.arab_israeli_wars.forces import Battle, Fighter, field_on
from assistant.games.arab_israeli_wars.los import by_the_rules
from assistant.games.arab_israeli_wars.plans import best_shares
from scenarios import load
from scenarios.hexes import Hex, neighbours
from tests import aiw_fire_oracle as slow

GAME = load("arab_israeli_wars")
PRINTED = {one.id: one for one in slow.pieces()}
FIELD = field_on(GAME, "S-6")
SOFT = ("infantry_egypt", "sagger", "truck_egypt", "how_122")
HARD = ("t_55", "t_34_85", "btr_50")


def arab(rng: random.Random, at: Hex) -> Fighter:
    unit = GAME.units[rng.choice((*SOFT, *HARD))]
    states = {state for state in ("dispersed", "spotted") if rng.random() < 0.4}
    return Fighter(unit.id, unit.name, "arab", unit.nation, at, frozenset(states), copy=str(rng.random()))


def printed(one: Fighter) -> slow.Piece:
    return replace(PRINTED[one.unit], states=one.states)


def killed(b: slow.Battle) -> F:
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
    kinds = [(rng.choice(("(H)", "M")), rng.choice(points)) for _ in range(2)]
    chosen = [rng.choice(kinds) for _ in range(4)]
    return [
        Fighter("support", "battery", "israeli", "israel", None, frozenset(), {"off_board": n}, "", kind)
        for kind, n in chosen
    ]


def gun(one: Fighter, triple: bool = False) -> slow.Piece:
    points = one.told["off_board"]
    assert isinstance(points, int)
    return slow.Piece("battery", 0, one.weapon, 0, 0, "NA", 0, "israel", frozenset(), points=points, destructive=triple)


def shelled(guns: tuple[slow.Piece, ...], one: Fighter) -> F:
    assert one.at is not None
    return killed(slow.Battle("indirect_fire", guns, (printed(one),), FIELD.kinds.terrain(one.at))) if guns else F(0)


@pytest.mark.parametrize("seed", range(6))
def test_the_best_indirect_fire(seed: int) -> None:
    """Every battery on every hex or on none; where nobody sees it, a third hits, a half drifts to the neighbours
    evenly, the rest is lost (Standard II.A.4.c)."""
    rng = random.Random(seed)
    seen = seed % 2 == 0
    stacks = battlefield(rng, rng.choice(([2, 3], [1, 2, 2])))
    firers = batteries(rng)
    everyone = tuple(one for stack in stacks for one in stack)
    pattern = Battle(GAME, "indirect_fire", tuple(firers), (), FIELD, {}, everyone, seen=seen)
    plan = best_shares(pattern, stacks, by_the_rules)

    def worth(stack: Sequence[Fighter], guns: tuple[slow.Piece, ...]) -> F:
        own = sum((shelled(guns, one) for one in stack), F(0))
        if seen or stack[0].at is None:
            return own
        around = [one for one in everyone if one.at in neighbours(stack[0].at)]
        return own / 3 + sum((shelled(guns, one) for one in around), F(0)) / 12

    best = F(0)
    for choice in itertools.product(range(len(stacks) + 1), repeat=len(firers)):
        guns = [tuple(gun(f) for f, c in zip(firers, choice, strict=True) if c == s) for s in range(len(stacks))]
        best = max(best, sum((worth(stack, mine) for stack, mine in zip(stacks, guns, strict=True)), F(0)))
    assert plan.kills == best
    assert sum(len(volley.firers) for volley in plan.volleys) + len(plan.idle) == len(firers)


@pytest.mark.parametrize("seed", range(4))
def test_the_best_destructive_fire(seed: int) -> None:
    """Every battery on every hex, on every single unit at threefold strength, or on none (Advanced III.C.3, III.C.4);
    units in cover that nobody has spotted can't be written for (III.C.1.a)."""
    rng = random.Random(seed)
    stacks = battlefield(rng, rng.choice(([2], [1, 1], [2, 1])))
    firers = batteries(rng)[:3]
    everyone = tuple(one for stack in stacks for one in stack)
    pattern = Battle(GAME, "indirect_fire", tuple(firers), (), FIELD, {}, everyone, seen=True)
    plan = best_shares(pattern, stacks, by_the_rules, (), True)

    def open_to(one: Fighter) -> bool:
        return "spotted" in one.states or (one.at is not None and FIELD.kinds.terrain(one.at) not in ("woods", "town"))

    goals: list[tuple[int, Fighter | None]] = [(-1, None), *((s, None) for s in range(len(stacks)))]
    goals += [(s, one) for s, stack in enumerate(stacks) for one in stack if open_to(one)]
    best = F(0)
    for choice in itertools.product(goals, repeat=len(firers)):
        total = F(0)
        for s, stack in enumerate(stacks):
            for one in stack:
                guns = tuple(
                    gun(f, aim is not None)
                    for f, (at, aim) in zip(firers, choice, strict=True)
                    if at == s and aim in (None, one)
                )
                total += shelled(guns, one)
        best = max(best, total)
    assert plan.kills == best


# Air strikes (Standard II.F.3 to II.F.5).


def strikes(rng: random.Random, kinds: Sequence[str]) -> list[Fighter]:
    told = [{"points": rng.choice((10, 21)), "kind": kind} for kind in kinds]
    return [
        Fighter("support", kind, "israeli", "israel", None, frozenset(), told[i], "", kind)
        for i, kind in enumerate(kinds)
    ]


def bomb(one: Fighter) -> slow.Piece:
    points = one.told["points"]
    assert isinstance(points, int)
    return slow.Piece("strike", 0, one.weapon, 0, 0, "F", 0, "israel", frozenset(), points=points)


def divisions(units: tuple[Fighter, ...]) -> Iterator[list[tuple[Fighter, ...]]]:
    """Every way to divide units into groups."""
    if not units:
        yield []
        return
    for size in range(len(units)):
        for others in itertools.combinations(units[1:], size):
            rest = tuple(one for one in units[1:] if one not in others)
            for more in divisions(rest):
                yield [(units[0], *others), *more]


def struck(stack: Sequence[Fighter], others: Sequence[Fighter], heavy: Sequence[Fighter]) -> F:
    """The most that these strikes can do in a hex: others on groups, (H) strikes on every unit."""
    at = stack[0].at
    assert at is not None
    terrain, bombs, best = FIELD.kinds.terrain(at), tuple(bomb(one) for one in heavy), F(0)

    def attack(firers: Sequence[slow.Piece], group: Sequence[Fighter]) -> F | None:
        targets = tuple(printed(one) for one in group)
        if any(slow.effect(slow.Battle("air_strike", tuple(firers), targets), f, targets) == 0 for f in firers):
            return None
        if terrain in ("woods", "town") and not all("spotted" in one.states for one in group):
            return None  # Basic VII.D.3
        return killed(slow.Battle("air_strike", tuple(firers), targets, terrain))

    for groups in divisions(tuple(stack)):
        for choice in itertools.product(range(len(groups)), repeat=len(others)):
            total: F | None = F(0)
            for g, group in enumerate(groups):
                mine = [bomb(one) for one, chosen in zip(others, choice, strict=True) if chosen == g]
                if mine:
                    got = attack([*mine, *bombs], group)
                    total = None if got is None or total is None else total + got
                elif bombs and total is not None:
                    alone = slow.Battle("air_strike", bombs, tuple(printed(one) for one in group), terrain)
                    total += killed(alone)
            best = max(best, total or F(0))
    return best


@pytest.mark.parametrize(
    "kinds", [("A", "A", "G"), ("A", "H", "A"), ("(H)", "(H)", "(H)"), ("A", "(H)", "A"), ("G", "(H)", "H", "(H)")]
)
def test_the_best_air_strikes(kinds: tuple[str, ...]) -> None:
    """Every strike on every hex or none, and there on every group; (H) strikes on all units of the hex."""
    for seed in range(2):
        rng = random.Random(seed)
        stacks = battlefield(rng, rng.choice(([3], [2, 1], [1, 1])))
        firers = strikes(rng, kinds)
        everyone = tuple(one for stack in stacks for one in stack)
        plan = best_shares(Battle(GAME, "air_strike", tuple(firers), (), FIELD, {}, everyone), stacks, by_the_rules)
        best = F(0)
        for choice in itertools.product(range(len(stacks) + 1), repeat=len(firers)):
            total = F(0)
            for s, stack in enumerate(stacks):
                mine = [one for one, chosen in zip(firers, choice, strict=True) if chosen == s]
                total += struck(stack, [f for f in mine if f.weapon != "(H)"], [f for f in mine if f.weapon == "(H)"])
            best = max(best, total)
        assert plan.kills == best


# At the command line.


def asked(*words: str) -> Any:
    found = CliRunner().invoke(cli, ["odds", "arab_israeli_wars", *words, "--best", "--json"])
    return json.loads(found.stdout) if found.exit_code == 0 else found.output


def test_a_plan_uses_all_batteries_of_the_side(tmp_path: Path) -> None:
    """S-12 gives Israel three 155 mm batteries of 15, and five strikes of 22 A."""
    path = tmp_path / "position.yaml"
    pieces = ("truck_egypt, nation: syria, at: C-H-5", "mortar_120_m3, at: C-H-9", "t_62, nation: syria, at: C-J-5")
    lines = "".join(f"  - {{unit: {piece}}}\n" for piece in pieces)
    path.write_text(f"game: arab_israeli_wars\nscenario: S-12\npieces:\n{lines}", encoding="utf-8")
    here = ("--position", str(path), "--side", "israeli", "--at", "C-H-5,C-J-5")
    found = asked(*here, "--attack", "indirect_fire", "--seen", "yes")
    units = [one["name"] for attack in found["attacks"] for one in attack["attackers"]]
    assert sorted(units) == ["120mm mortar on M3", *["155 mm battery"] * 3]
    assert found["worth"] == "7/6"  # the mortar's 9 to a truck's 1; the batteries' 45/2 to a T-62's 10, a 2-1
    strikes = asked(*here, "--attack", "air_strike")
    assert strikes["worth"] == 2  # 22 A is doubled against armor: 44 to 10, and halved: 11 to 1
    one = asked(*here, "--attack", "air_strike", "--support", "Air strike")
    assert one["worth"] == 1 and "unable" in one


def test_what_a_plan_can_not_be_told() -> None:
    position = str(Path(__file__).parent.parent / "docs" / "examples" / "el_firdan.yaml")
    here = ("--position", position, "--at", "A-M-7", "--attack", "indirect_fire")
    assert "israeli" in asked(*here, "--side", "isreali")
    assert "Advanced III.C" in asked(*here, "--side", "israeli", "--destructive", "any")
    assert "--destructive any" in asked(*here, "--side", "israeli", "--destructive", "t_55")
    assert "Standard II.A.5.d" in asked(*here, "--side", "israeli", "--targets", "t_55")
