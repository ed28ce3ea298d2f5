"""Exact sums of chances: by a common property of states, to a mean, over independent rolls."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from math import comb
from typing import TypeVar

State = TypeVar("State", bound=Hashable)
Key = TypeVar("Key", bound=Hashable)


def gather(chances: Mapping[State, Fraction], key: Callable[[State], Key]) -> dict[Key, Fraction]:
    """Return the chances of a property of the states."""
    result: dict[Key, Fraction] = {}
    for state, chance in chances.items():
        name = key(state)
        result[name] = result.get(name, Fraction(0)) + chance
    return result


def chain(chances: Mapping[State, Fraction], step: Callable[[State], Mapping[Key, Fraction]]) -> dict[Key, Fraction]:
    """Return the chances of the next states, where each state leads to others."""
    result: dict[Key, Fraction] = {}
    for state, chance in chances.items():
        for outcome, share in step(state).items():
            result[outcome] = result.get(outcome, Fraction(0)) + chance * share
    return result


def mean(chances: Mapping[State, Fraction], value: Callable[[State], int | Fraction]) -> Fraction:
    """Return the mean of a value over the chances."""
    return sum((chance * value(state) for state, chance in chances.items()), Fraction(0))


def convolve(parts: Iterable[Mapping[int, Fraction]]) -> dict[int, Fraction]:
    """Return the chances of the sum of independent numbers."""
    result = {0: Fraction(1)}
    for part in parts:
        result = chain(result, lambda total: {total + number: chance for number, chance in part.items()})  # noqa: B023
    return result


def successes(chance: Fraction, tries: int) -> dict[int, Fraction]:
    """Return the chances of the number of successes in so many independent tries; impossible numbers are left out."""
    good, denominator = chance.numerator, chance.denominator
    ways = {
        count: comb(tries, count) * good**count * (denominator - good) ** (tries - count) for count in range(tries + 1)
    }
    return {
        count: Fraction(number_of_ways, denominator**tries) for count, number_of_ways in ways.items() if number_of_ways
    }


def by_turn(chances: Iterable[tuple[int, Fraction]]) -> list[tuple[int, Fraction, Fraction]]:
    """Return the turns on which something may come once: the turn, the chance that it comes then, and that it has
    come by then."""
    waiting, rows = Fraction(1), []
    for turn, chance in chances:
        turn_chance = waiting * chance
        waiting -= turn_chance
        rows.append((turn, turn_chance, 1 - waiting))
    return rows
