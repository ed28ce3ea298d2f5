"""Chains of throws, solved exactly: where a state leads, with what chance, until it ends."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from math import lcm
from typing import TypeVar

State = TypeVar("State", bound=Hashable)
Key = TypeVar("Key", bound=Hashable)


def absorb(start: State, step: Callable[[State], Mapping[State, int | Fraction]]) -> dict[State, Fraction]:
    """The chance of ending in each state.

    `step` tells where a state leads, with the chances or the number of ways; nothing, where the chain ends there. A
    state may lead back to itself (throw again until something happens), but not through others: ValueError.
    """
    leads, order = _explore(start, step)
    # Ways over throws, not reduced: the throws of a battle are powers of one number, and reducing takes most of the time.
    mass: dict[State, tuple[int, int]] = {start: (1, 1)}
    ends: dict[State, Fraction] = {}
    for state in order:
        ways, throws = mass.pop(state, (0, 1))
        if not ways:
            continue
        onward = leads[state]
        if not onward:
            ends[state] = Fraction(ways, throws)
            continue
        again = onward.get(state, 0)
        total = sum(onward.values()) - again
        if not total:
            raise ValueError(f"the chain never leaves {state!r}")
        throws *= total
        for there, chance in onward.items():
            if there == state or not chance:
                continue
            more = ways * chance
            held, of = mass.get(there, (0, throws))
            if of == throws:
                mass[there] = (held + more, of)
            else:
                common = lcm(of, throws)
                mass[there] = (held * (common // of) + more * (common // throws), common)
    return ends


def _explore(
    start: State, step: Callable[[State], Mapping[State, int | Fraction]]
) -> tuple[dict[State, Mapping[State, int]], list[State]]:
    """Where every state leads, in whole ways; and the states in such an order that each leads only to later ones."""
    leads: dict[State, Mapping[State, int]] = {}
    order: list[State] = []
    open_: set[State] = set()
    stack: list[tuple[State, bool]] = [(start, False)]
    while stack:
        state, done = stack.pop()
        if done:
            open_.discard(state)
            order.append(state)
            continue
        if state in leads:
            continue
        leads[state] = _whole(step(state))
        open_.add(state)
        stack.append((state, True))
        for there in leads[state]:
            if there in open_ and there != state:
                raise ValueError(f"the chain runs in a circle through {there!r}")
            if there not in leads:
                stack.append((there, False))
    order.reverse()
    return leads, order


def _whole(chances: Mapping[State, int | Fraction]) -> Mapping[State, int]:
    if not any(isinstance(chance, Fraction) for chance in chances.values()):
        return chances  # type: ignore[return-value]
    common = lcm(*(chance.denominator for chance in chances.values()))
    return {state: chance.numerator * (common // chance.denominator) for state, chance in chances.items()}


def gather(chances: Mapping[State, Fraction], key: Callable[[State], Key]) -> dict[Key, Fraction]:
    """The chances of what the states have in common."""
    result: dict[Key, Fraction] = {}
    for state, chance in chances.items():
        name = key(state)
        result[name] = result.get(name, Fraction(0)) + chance
    return result


def mean(chances: Mapping[State, Fraction], value: Callable[[State], int | Fraction]) -> Fraction:
    """The mean of a value over the chances."""
    return sum((chance * value(state) for state, chance in chances.items()), Fraction(0))


def together(parts: Iterable[Mapping[int, Fraction]]) -> dict[int, Fraction]:
    """The chances of the sum of numbers that are thrown independently."""
    result = {0: Fraction(1)}
    for part in parts:
        summed: dict[int, Fraction] = {}
        for total, chance in result.items():
            for number, more in part.items():
                summed[total + number] = summed.get(total + number, Fraction(0)) + chance * more
        result = summed
    return result
