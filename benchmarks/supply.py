"""How long supply and odds take in Yom Kippur and Six Day War, in milliseconds of the processor, best of several."""

from __future__ import annotations

import time
from collections.abc import Callable

from assistant.games.six_day_war.battle import battles
from assistant.games.six_day_war.field import Field
from assistant.games.six_day_war.lines import replacement_lines
from assistant.games.six_day_war.placing import start as six_days
from assistant.games.yom_kippur.chances import barrage, cease_fires, suppression
from assistant.games.yom_kippur.combat import ground_combat
from assistant.games.yom_kippur.field import field_of
from assistant.games.yom_kippur.ground import Ground
from assistant.games.yom_kippur.placing import start
from assistant.games.yom_kippur.supply import supply
from scenarios import load


def best(call: Callable[[], object], times: int = 20) -> float:
    """The best of several runs."""
    result = float("inf")
    for _ in range(times):
        begun = time.process_time()
        call()
        result = min(result, 1000 * (time.process_time() - begun))
    return result


def figures() -> list[str]:
    """Each figure with what was promised."""
    ground = Ground.of(load("yom_kippur", standing=False), "4.5")
    position, assumed = start(ground, "4.5")
    field = field_of(ground, position, assumed)
    units = {stand.key: stand for stand in field.stands}
    target = ground.table.hex("45.21")
    june = load("six_day_war", standing=False)
    placed, ours = six_days(june, "standard")
    front = Field.of(june, placed, ours)
    armies = {stand.key: stand for stand in front.stands}
    plain = best(lambda: supply(field_of(ground, position, assumed), most=0))
    cuts = best(lambda: supply(field_of(ground, position, assumed)))
    attack = best(lambda: ground_combat(field, [units["alush_inf_bde_a"], units["rami_mech_bde_a"]], target))
    guns = best(lambda: barrage(field, [units["arty_bde_1"]], target))
    tables = best(lambda: (suppression(ground.game, 8), cease_fires(ground.game)))
    both = best(lambda: battles(front, [armies["is_2_infantry"]], [armies["jo_hashimi"].hex]))
    lines = best(lambda: replacement_lines(front))
    return [
        f"Yom Kippur, supply of 4.5: {plain:.1f} ms, with the hexes that cut most {cuts:.1f} ms (promised 30)",
        f"Yom Kippur, odds: {attack:.1f} ms, barrage {guns:.1f} ms, suppression and cease-fires {tables:.1f} ms (promised 5)",
        f"Six Day War, odds on both tables: {both:.1f} ms (promised 5); lines of all units with what cuts them {lines:.1f} ms",
    ]


if __name__ == "__main__":
    print("\n".join(figures()))
