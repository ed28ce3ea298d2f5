"""How chances flow through the rounds of a battle, in whole ways out of powers of the die's faces."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from assistant.games.october_war.result import ATTACKER
from assistant.games.october_war.rounds import WIDE, Arrivals, End, Rounds

Held = dict[int, int]
"""In how many ways, by a count that is kept on the way."""


class Spread(NamedTuple):
    """In how many ways each end is reached, by the count; and out of how many."""

    ends: Mapping[End, Held]
    of: int


def by_points(rounds: Rounds) -> Spread:
    """Every end by the points that have retreated."""
    return _flow(rounds, rounds.arrivals, rounds.ends)


def by_rounds(rounds: Rounds) -> dict[int, Fraction]:
    """The chance of each number of rounds; 0 where the blows before them end the battle."""

    def counted(arrivals: Arrivals) -> Arrivals:
        ways: dict[int, int] = {}
        for source, _, more in arrivals:
            ways[source] = ways.get(source, 0) + more
        return [(source, rounds.begins[source], more) for source, more in ways.items()]

    together = [one for arrivals in rounds.ends.values() for one in arrivals]
    ends, of = _flow(rounds, [counted(one) for one in rounds.arrivals], {("", "", 0, 0): counted(together)})
    return {count: Fraction(ways, of) for held in ends.values() for count, ways in sorted(held.items())}


def weighed(rounds: Rounds) -> tuple[Fraction, Fraction, Fraction]:
    """The chance that the attacker holds the point; the points that each side has left in it or away, on average."""
    faces = rounds.faces
    mass, thrown = [1], [0]
    retreated: dict[int, list[int]] = {}

    def arrived(into: Arrivals, most: int) -> int:
        total = 0
        for source, gain, ways in into:
            ways *= mass[source]
            if gain:
                sums = retreated.setdefault(thrown[source], [0, 0])
                sums[0] += gain // WIDE * ways
                sums[1] += gain % WIDE * ways
            total += ways * faces ** (most - thrown[source])
        return total

    for into, dice in zip(rounds.arrivals[1:], rounds.dice[1:], strict=True):
        most = max(thrown[source] for source, _, _ in into)
        mass.append(arrived(into, most))
        thrown.append(most + dice)
    most = max(thrown)
    held, left = 0, [0, 0]
    for (holder, _, attacker, defender), into in rounds.ends.items():
        ways = arrived(into, most)
        held += ways * (holder == ATTACKER)
        left[0] += ways * rounds.attackers.points(attacker)
        left[1] += ways * rounds.defenders.points(defender)
    for before, sums in retreated.items():
        left = [one + more * faces ** (most - before) for one, more in zip(left, sums, strict=True)]
    of = rounds.opened * faces**most
    return Fraction(held, of), Fraction(left[0], of), Fraction(left[1], of)


def _flow(rounds: Rounds, arrivals: list[Arrivals], ends: Mapping[End, Arrivals]) -> Spread:
    held: list[Held] = [{0: 1}]
    thrown = [0]
    for into, dice in zip(arrivals[1:], rounds.dice[1:], strict=True):
        most = max(thrown[source] for source, _, _ in into)
        held.append(_merged(into, held, thrown, most, rounds.faces))
        thrown.append(most + dice)
    most = max(thrown)
    return Spread(
        {end: _merged(into, held, thrown, most, rounds.faces) for end, into in ends.items()},
        rounds.opened * rounds.faces**most,
    )


def _merged(into: Arrivals, held: list[Held], thrown: list[int], most: int, faces: int) -> Held:
    """What arrives in a state, in ways out of so many dice."""
    result: Held = {}
    get = result.get
    for source, gain, ways in into:
        ways *= faces ** (most - thrown[source])
        for count, n in held[source].items():
            count += gain
            result[count] = get(count, 0) + n * ways
    return result
