"""How fast odds and plans of The Arab-Israeli Wars are answered."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from functools import partial

from assistant.games.arab_israeli_wars.fire import fire
from assistant.games.arab_israeli_wars.forces import AskedAttack, Fighter, counter_fighter, field_on, sight_between
from assistant.games.arab_israeli_wars.plans import best_shares
from scenarios import load
from scenarios.model.game import Game
from scenarios.model.hexes import distance


def _best(times: int, call: Callable[[], object]) -> float:
    took = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        took.append(time.perf_counter() - start)
    return min(took)


def battlefield(game: Game, seed: int, firers: int, stacks: list[int]) -> tuple[AskedAttack, list[list[Fighter]]]:
    """Different Israeli units in sight of Arab stacks on the desert board."""
    rng = random.Random(seed)
    field = field_on(game, "S-6")
    hexes = [hex for hex in field.hex_map.hexes if 8 <= field.hex_map.spot(hex)[0] <= 24]
    firing_units = [
        u for u in game.units.values() if u.side == "israeli" and u.class_ != "air" and "direct_fire" in u.abilities
    ]
    target_units = [
        u for u in game.units.values() if u.side == "arab" and u.class_ in ("battle_tank", "infantry", "transport")
    ]
    targets = []
    for size, target_hex in zip(stacks, rng.sample(hexes, len(stacks)), strict=True):
        targets.append(
            [
                counter_fighter(game, u.id, u.side, u.nation, target_hex, frozenset({"spotted"}))
                for u in rng.choices(target_units, k=size)
            ]
        )
    places = [
        hex
        for hex in hexes
        if any(
            0 < distance(hex, t[0].hex) <= 6 and sight_between(field, Fighter("", "", hex=hex), t[0]).clear
            for t in targets
            if t[0].hex
        )
    ]
    shooting = tuple(
        counter_fighter(game, u.id, u.side, u.nation, rng.choice(places)) for u in rng.sample(firing_units, firers)
    )
    everyone = (*shooting, *(fighter for stack in targets for fighter in stack))
    return AskedAttack(game, "direct_fire", shooting, (), field, {}, everyone), targets


def figures() -> Iterator[str]:
    """Every figure with what was promised."""
    game = load("arab_israeli_wars")
    pattern, stacks = battlefield(game, 1, 4, [2])
    question = AskedAttack(game, "direct_fire", pattern.firers, tuple(stacks[0]), pattern.field, {}, pattern.everyone)
    took = _best(50, partial(fire, question, anyway=True))
    yield f"odds of 4 against 2 from a position: {took * 1000:.1f} ms (promised 5)"
    for sizes in ([1] * 6, [3, 3], [4, 2]):
        slowest = 0.0
        for seed in range(5):
            pattern, stacks = battlefield(game, seed, 12, sizes)
            slowest = max(slowest, _best(2, partial(best_shares, pattern, stacks)))
        yield f"best plan, 12 firers, stacks of {sizes}: {slowest:.2f} s at worst (promised 1)"


if __name__ == "__main__":
    print("\n".join(figures()))
