"""How long the supply of a full Yom Kippur position takes."""

from __future__ import annotations

import time

from assistant.games.yom_kippur.field import field_of
from assistant.games.yom_kippur.ground import Ground
from assistant.games.yom_kippur.placing import start
from assistant.games.yom_kippur.supply import supply
from scenarios import load


def yom_kippur(times: int = 20) -> tuple[float, float]:
    """Milliseconds of the processor for both sides of 4.5, best of several: without and with the hexes that would cut most."""
    ground = Ground.of(load("yom_kippur", standing=False), "4.5")
    position, assumed = start(ground, "4.5")
    best = [float("inf"), float("inf")]
    for _ in range(times):
        for place, most in enumerate((0, 3)):
            begun = time.process_time()
            supply(field_of(ground, position, assumed), most=most)
            best[place] = min(best[place], 1000 * (time.process_time() - begun))
    return best[0], best[1]


if __name__ == "__main__":
    plain, worst = yom_kippur()
    print(f"supply of 4.5: {plain:.1f} ms, with the worst hexes {worst:.1f} ms")
