"""Fire of one unit after the other, each result applied at once: exactly, in numbers of ways."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Generic, TypeVar

State = TypeVar("State", bound=Hashable)
Shot = TypeVar("Shot", bound=Hashable)


class Salvos(Generic[State, Shot]):
    """The states of a force under fire, numbered as they are met. What a shot makes of a state is worked out once, and salvos that
    begin alike share their beginning."""

    def __init__(self, shares: Callable[[State, Shot], Mapping[State, int]]) -> None:
        """`shares` says what a shot makes of a state: the states after it, each with so many faces of the die."""
        self.shares = shares
        self.states: list[State] = []
        self._numbers: dict[State, int] = {}
        self._leads: dict[Shot, dict[int, tuple[tuple[int, int], ...]]] = {}
        self._after: dict[tuple[int, tuple[Shot, ...]], dict[int, int]] = {}

    def number(self, state: State) -> int:
        """The number of a state, a new one if it is new."""
        found = self._numbers.get(state)
        if found is None:
            found = self._numbers[state] = len(self.states)
            self.states.append(state)
        return found

    def after(self, state: int, shots: tuple[Shot, ...]) -> dict[int, int]:
        """In how many ways some shots, one after the other, lead from a state to others."""
        if not shots:
            return {state: 1}
        key = state, shots
        found = self._after.get(key)
        if found is None:
            found = self._after[key] = {}
            leads, get = self._leads.setdefault(shots[-1], {}), found.get
            for number, ways in self.after(state, shots[:-1]).items():
                led = leads.get(number)
                if led is None:
                    after = self.shares(self.states[number], shots[-1])
                    led = leads[number] = tuple([(self.number(there), faces) for there, faces in after.items()])
                for there, faces in led:
                    found[there] = get(there, 0) + ways * faces
        return found
