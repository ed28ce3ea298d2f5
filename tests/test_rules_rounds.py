"""Shots one after the other (assistant/engine/battle/rounds.py) against every sequence of dice thrown one by one."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.engine.battle.rounds import NumberedStates, Salvos

FACES = 3


@settings(max_examples=60, deadline=None)
@given(
    hits=st.lists(st.lists(st.integers(0, 2), min_size=FACES, max_size=FACES), min_size=1, max_size=3),
    shots=st.lists(st.integers(0, 2), max_size=4), steps=st.integers(0, 5),
)  # fmt: skip
def test_salvos_against_every_throw(hits: list[list[int]], shots: list[int], steps: int) -> None:
    """A force of so many steps; each face of a gun's die takes some of them away, and none below nothing."""
    forces: NumberedStates[int] = NumberedStates()
    guns = tuple(shot % len(hits) for shot in shots)

    def shares(number: int, gun: int) -> dict[int, int]:
        tally: dict[int, int] = {}
        for loss in hits[gun]:
            state = forces.number(max(0, forces.states[number] - loss))
            tally[state] = tally.get(state, 0) + 1
        return tally

    salvos: Salvos[int] = Salvos(shares)
    brute: dict[int, int] = {}
    for dice in product(range(FACES), repeat=len(guns)):
        steps_left = steps
        for gun, die in zip(guns, dice, strict=True):
            steps_left = max(0, steps_left - hits[gun][die])
        brute[steps_left] = brute.get(steps_left, 0) + 1
    for _ in range(2):  # the second time from what is kept
        distribution = salvos.successors(forces.number(steps), guns)
        assert {forces.states[number]: ways for number, ways in distribution.items()} == brute


def test_a_state_has_one_number() -> None:
    forces: NumberedStates[str] = NumberedStates()
    assert [forces.number(state) for state in ("whole", "worn", "whole")] == [0, 1, 0] and forces.states == [
        "whole",
        "worn",
    ]
