"""Fire of one unit after the other with immediate results: exact, as numbers of ways."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Generic, TypeVar

State = TypeVar("State", bound=Hashable)
Shot = TypeVar("Shot", bound=Hashable)


class NumberedStates(Generic[State]):
    """Numbers states in the order of their first use."""

    def __init__(self) -> None:
        self.states: list[State] = []
        self._numbers: dict[State, int] = {}

    def number(self, state: State) -> int:
        """Return the number of a state; a new state gets a new number."""
        state_number = self._numbers.get(state)
        if state_number is None:
            state_number = self._numbers[state] = len(self.states)
            self.states.append(state)
        return state_number


class Salvos(Generic[Shot]):
    """The effects of shots on a force whose states are numbered. Each shot at a state is computed once, and salvos
    that begin the same way share their beginning."""

    def __init__(self, shares: Callable[[int, Shot], Mapping[int, int]]) -> None:
        """Prepare the salvos. `shares` maps a state and a shot to the next states, each with its number of die
        faces."""
        self.shares = shares
        self._leads: dict[Shot, dict[int, tuple[tuple[int, int], ...]]] = {}
        self._successors: dict[tuple[int, tuple[Shot, ...]], dict[int, int]] = {}

    def successors(self, state: int, shots: tuple[Shot, ...]) -> dict[int, int]:
        """Return in how many ways a sequence of shots leads from a state to others."""
        if not shots:
            return {state: 1}
        ways_by_state = self._successors.get((state, shots))
        if ways_by_state is None:
            ways_by_state = self._successors[state, shots] = {}
            leads, get = self._leads.setdefault(shots[-1], {}), ways_by_state.get
            for number, ways in self.successors(state, shots[:-1]).items():
                transitions = leads.get(number)
                if transitions is None:
                    transitions = leads[number] = tuple(self.shares(number, shots[-1]).items())
                for next_state, faces in transitions:
                    ways_by_state[next_state] = get(next_state, 0) + ways * faces
        return ways_by_state
