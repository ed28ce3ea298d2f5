"""Fire of one unit after the other, each result applied at once: exactly, in numbers of ways."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Generic, TypeVar

State = TypeVar("State", bound=Hashable)
Shot = TypeVar("Shot", bound=Hashable)


class Numbered(Generic[State]):
    """States by number, in the order in which they are met."""

    def __init__(self) -> None:
        self.states: list[State] = []
        self._numbers: dict[State, int] = {}

    def number(self, state: State) -> int:
        """The number of a state, a new one if it is new."""
        found = self._numbers.get(state)
        if found is None:
            found = self._numbers[state] = len(self.states)
            self.states.append(state)
        return found


class Salvos(Generic[Shot]):
    """What shots make of a force whose states have numbers. What a shot makes of a state is worked out once, and salvos that begin
    alike share their beginning."""

    def __init__(self, shares: Callable[[int, Shot], Mapping[int, int]]) -> None:
        """`shares` says what a shot makes of a state: the states after it, each with so many faces of the die."""
        self.shares = shares
        self._leads: dict[Shot, dict[int, tuple[tuple[int, int], ...]]] = {}
        self._after: dict[tuple[int, tuple[Shot, ...]], dict[int, int]] = {}

    def after(self, state: int, shots: tuple[Shot, ...]) -> dict[int, int]:
        """In how many ways some shots, one after the other, lead from a state to others."""
        if not shots:
            return {state: 1}
        found = self._after.get((state, shots))
        if found is None:
            found = self._after[state, shots] = {}
            leads, get = self._leads.setdefault(shots[-1], {}), found.get
            for number, ways in self.after(state, shots[:-1]).items():
                led = leads.get(number)
                if led is None:
                    led = leads[number] = tuple(self.shares(number, shots[-1]).items())
                for there, faces in led:
                    found[there] = get(there, 0) + ways * faces
        return found
