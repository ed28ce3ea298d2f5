"""Shots one after the other (assistant/rules/rounds.py) against every sequence of dice thrown one by one."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.rules.rounds import Numbered, Salvos

FACES = 3


@settings(max_examples=60, deadline=None)
@given(
    hits=st.lists(st.lists(st.integers(0, 2), min_size=FACES, max_size=FACES), min_size=1, max_size=3),
    shots=st.lists(st.integers(0, 2), max_size=4), steps=st.integers(0, 5),
)  # fmt: skip
def test_salvos_against_every_throw(hits: list[list[int]], shots: list[int], steps: int) -> None:
    """A force of so many steps; each face of a gun's die takes some of them away, and none below nothing."""
    forces: Numbered[int] = Numbered()
    guns = tuple(shot % len(hits) for shot in shots)

    def shares(number: int, gun: int) -> dict[int, int]:
        found: dict[int, int] = {}
        for lost in hits[gun]:
            there = forces.number(max(0, forces.states[number] - lost))
            found[there] = found.get(there, 0) + 1
        return found

    salvos: Salvos[int] = Salvos(shares)
    brute: dict[int, int] = {}
    for dice in product(range(FACES), repeat=len(guns)):
        left = steps
        for gun, die in zip(guns, dice, strict=True):
            left = max(0, left - hits[gun][die])
        brute[left] = brute.get(left, 0) + 1
    for _ in range(2):  # the second time from what is kept
        after = salvos.after(forces.number(steps), guns)
        assert {forces.states[number]: ways for number, ways in after.items()} == brute


def test_a_state_has_one_number() -> None:
    forces: Numbered[str] = Numbered()
    assert [forces.number(state) for state in ("whole", "worn", "whole")] == [0, 1, 0] and forces.states == [
        "whole",
        "worn",
    ]
