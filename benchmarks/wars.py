"""What the assistants of October War and Operation Musketeer take for an answer, in CPU time. Prints; asserts nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from assistant.games import musketeer, october_war
from assistant.games.musketeer.combat import solve
from assistant.games.musketeer.combat_asked import asked_combat
from scenarios import load

FIVES = {
    "attackers": "armored_division_egypt,armored_brigade_egypt,hq_2a,antitank_regiment_egypt,engineer_egypt",
    "defenders": "armor_brigade,mech_brigade,armor_battalion,hq_143,recon_battalion",
}
COMBATS = {
    "2 on 2 in a city": {
        "attackers": "armd_25_britain,rep_1_france", "defenders": "div_1_egypt,garrison_egypt", "terrain": "city", "cas": "2",
    },
    "3 on 2 in the open": {
        "attackers": "bde_7_israel,bde_4_israel,bde_9_israel", "defenders": "div_1_egypt,bde_4_egypt", "cas": "2",
    },
    "4 on 3, 3 airstrikes": {
        "attackers": "armd_25_britain,gd_britain,para_16_britain,cdo_3_britain",
        "defenders": "div_1_egypt,bde_4_egypt,garrison_egypt", "terrain": "city", "cas": "3",
    },
}  # fmt: skip


def took(times: int, call: Callable[[], object]) -> float:
    """The best of several runs, in milliseconds of CPU time."""
    best = float("inf")
    for _ in range(times):
        start = time.process_time()
        call()
        best = min(best, time.process_time() - start)
    return best * 1000


def figures() -> Iterator[str]:
    """Every figure with what was promised."""
    war, suez, place = load("october_war"), load("musketeer"), {"scenario": "standard"}
    battle, supply = october_war.QUESTIONS["odds"].answer, october_war.QUESTIONS["supply"].answer
    yield f"October War, a battle of five against five: {took(3, lambda: battle(war, FIVES)):.0f} ms (promised 1,000)"
    yield f"October War, supply: {took(3, lambda: supply(war, place)):.0f} ms"
    combat, rout = musketeer.QUESTIONS["odds"].answer, {"unit": "bde_4_egypt", "from": "5410", **place}
    for name, options in COMBATS.items():
        solved = took(10, lambda: solve(asked_combat(suez, options)[0]))  # noqa: B023
        whole = took(10, lambda: combat(suez, options))  # noqa: B023
        yield f"Musketeer, {name}: solved in {solved:.1f} ms, told in {whole:.1f} ms (promised 5)"
    yield f"Musketeer, supply: {took(3, lambda: musketeer.QUESTIONS['supply'].answer(suez, place)):.0f} ms"
    yield f"Musketeer, a rout: {took(3, lambda: musketeer.QUESTIONS['retreat'].answer(suez, rout)):.0f} ms"


if __name__ == "__main__":
    print("\n".join(figures()))
