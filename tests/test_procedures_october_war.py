"""October War's battle as a procedure of its pack, against battles played by hand (tests/october_war_law.py)."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import partial
from typing import Any

from assistant.engine.procedures.case import Case as ProcedureCase
from assistant.engine.procedures.case import Participant
from assistant.engine.procedures.outcomes import Solution, Solver
from assistant.engine.procedures.reading import start_field
from tests.october_war_law import ATTACKER, GAME, Man
from tests.test_october_war_battle import Case, _play_battle, case, every_sequence

ROLES = ("attackers", "defenders")


def participants(men: list[Man], leader: int) -> tuple[Participant, ...]:
    """The units of a force in words of a procedure."""
    return tuple(
        Participant(
            man.id,
            tuple(
                s for s in GAME.states if (s == "out_of_supply" and man.cut) or (s == "combined_arms" and man.is_mixed)
            ),
            inputs=(("led", Fraction(leader)),),
        )
        for man in men
    )


def procedure_case(battle: Case) -> ProcedureCase:
    """A battle of the tests as a case of the procedure."""
    groups, policies, cannot_leave = {}, {}, set[str]()
    for role, men, choice in zip(ROLES, battle["men"], battle["choices"], strict=True):
        groups[role] = participants(men, choice["leader_bonus"])
        policies[role] = {
            "losses": choice["losses"],
            "retreats": "obey" if choice["obeys"] else "stand",
            "dodge": choice["dodge"],
            "leave": choice["leave"],
        }
        cannot_leave |= set() if choice["can_retreat"] else {role}
    inputs: dict[str, Any] = {
        "ew_attacker": battle["first"] == ATTACKER,
        "terrain": battle["terrain"],
        "morale": battle["morale"],
    }
    return ProcedureCase(
        GAME,
        start_field(GAME),
        "odds",
        groups,
        inputs,
        policies,
        elsewhere=battle["elsewhere"],
        immobile={
            role: choice.get("stays", frozenset()) for role, choice in zip(ROLES, battle["choices"], strict=True)
        },
        cannot_leave=frozenset(cannot_leave),
        terrain=battle["terrain"],
    )


def tolls(solution: Solution) -> dict[tuple[str, int, int], Fraction]:
    """Who holds the point, and the casualty points of both sides."""
    return {key: chance for key, chance in solution.together.items() if chance}


def test_battles_against_every_sequence_of_dice() -> None:
    enumerated = 0
    for seed in range(150):
        rng = random.Random(seed)
        battle = case(rng, 2, seed % 2)
        if seed % 5 == 0:
            battle["choices"][1]["stays"] = frozenset({battle["men"][1][0].id})
        by_hand = every_sequence(partial(_play_battle, battle), 400)
        if by_hand is None:
            continue
        enumerated += 1
        assert tolls(Solver(procedure_case(battle)).solve(False)) == {k: v for k, v in by_hand.items() if v}, seed
    assert enumerated >= 40
