"""Chances added up exactly: by what states have in common, to a mean, over independent throws."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from math import comb
from typing import TypeVar

State = TypeVar("State", bound=Hashable)
Key = TypeVar("Key", bound=Hashable)


def gather(chances: Mapping[State, Fraction], key: Callable[[State], Key]) -> dict[Key, Fraction]:
    """The chances of what the states have in common."""
    result: dict[Key, Fraction] = {}
    for state, chance in chances.items():
        name = key(state)
        result[name] = result.get(name, Fraction(0)) + chance
    return result


def then(chances: Mapping[State, Fraction], step: Callable[[State], Mapping[Key, Fraction]]) -> dict[Key, Fraction]:
    """The chances of what follows, where each state leads to others."""
    result: dict[Key, Fraction] = {}
    for state, chance in chances.items():
        for after, share in step(state).items():
            result[after] = result.get(after, Fraction(0)) + chance * share
    return result


def mean(chances: Mapping[State, Fraction], value: Callable[[State], int | Fraction]) -> Fraction:
    """The mean of a value over the chances."""
    return sum((chance * value(state) for state, chance in chances.items()), Fraction(0))


def together(parts: Iterable[Mapping[int, Fraction]]) -> dict[int, Fraction]:
    """The chances of the sum of numbers that are thrown independently."""
    result = {0: Fraction(1)}
    for part in parts:
        result = then(result, lambda total: {total + number: more for number, more in part.items()})  # noqa: B023
    return result


def successes(chance: Fraction, tries: int) -> dict[int, Fraction]:
    """How many of so many independent tries succeed, those that can't be left out."""
    good, all_ = chance.numerator, chance.denominator
    ways = {count: comb(tries, count) * good**count * (all_ - good) ** (tries - count) for count in range(tries + 1)}
    return {count: Fraction(many, all_**tries) for count, many in ways.items() if many}


def by_turn(chances: Iterable[tuple[int, Fraction]]) -> list[tuple[int, Fraction, Fraction]]:
    """What may come on each turn and comes once: the turn, the chance that it comes then, and that it has come by then."""
    waiting, found = Fraction(1), []
    for turn, chance in chances:
        now = waiting * chance
        waiting -= now
        found.append((turn, now, 1 - waiting))
    return found
