"""What the assistants of October War and Operation Musketeer take for an answer, in CPU time. Prints; asserts nothing."""

from __future__ import annotations

import time
from collections.abc import Callable

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


def main() -> None:
    """Run the questions that have a promise."""
    war, suez = load("october_war"), load("musketeer")
    print(
        f"October War, a battle of five against five: {took(3, lambda: october_war.QUESTIONS['odds'].answer(war, FIVES)):.0f} ms"
    )
    place = {"scenario": "standard"}
    print(f"October War, supply: {took(3, lambda: october_war.QUESTIONS['supply'].answer(war, place)):.0f} ms")
    for name, options in COMBATS.items():
        solved = took(10, lambda: solve(asked_combat(suez, options)[0]))  # noqa: B023
        whole = took(10, lambda: musketeer.QUESTIONS["odds"].answer(suez, options))  # noqa: B023
        print(f"Musketeer, {name}: solved in {solved:.1f} ms, told in {whole:.1f} ms")
    print(f"Musketeer, supply: {took(3, lambda: musketeer.QUESTIONS['supply'].answer(suez, place)):.0f} ms")
    print(
        f"Musketeer, a rout: {took(3, lambda: musketeer.QUESTIONS['retreat'].answer(suez, {'unit': 'bde_4_egypt', 'from': '5410', **place})):.0f} ms"
    )


if __name__ == "__main__":
    main()
