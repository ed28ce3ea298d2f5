"""The results of a battle: each spelled out for both sides, and what they come to on average."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import NamedTuple

from assistant.games.yom_kippur.losses import Force, Part, Share, parts
from scenarios.same import Same
from scenarios.tables import Table


class CombatResult(NamedTuple):
    """One result of the table: its chance and what it does."""

    code: str
    chance: Fraction
    attacker: Share
    defender: Share
    hex_falls: bool


def results(
    mine: Force, theirs: Force, table: Table, chances: Mapping[str, Fraction], stars: bool
) -> tuple[CombatResult, ...]:
    """Each result spelled out. `stars`: whether a star costs an Israeli armor step (3.6)."""
    both = parts(Same(table), stars)
    return tuple(CombatResult(code, chance, *_shares(mine, theirs, *both[code])) for code, chance in chances.items())


def _shares(mine: Force, theirs: Force, attack: Part, defense: Part) -> tuple[Share, Share, bool]:
    """What a result does to the attacker and to the defender, and whether the hex is left free."""
    # Steps first, on both sides; who dies of them has no zone when the others go back.
    attacker = mine.share(attack)
    defender = theirs.share(defense, attacker.dead)
    return mine.share(attack, defender.dead) if attack.hexes else attacker, defender, defender.leaves


class Mean(NamedTuple):
    """The chance that the hex falls, and the steps that attacker and defender lose on average."""

    falls: Fraction
    mine: Fraction
    theirs: Fraction


def mean(mine: Force, theirs: Force, table: Table, column: int | None, stars: bool) -> Mean:
    """What a battle on a column comes to on average; nothing where there is no attack."""
    if column is None:
        return Mean(Fraction(0), Fraction(0), Fraction(0))
    both, (throws, codes) = parts(Same(table), stars), _throws(Same(table), column)
    fallen = lost = killed = 0
    for code, count in codes.items():
        attacker, defender, falls = _shares(mine, theirs, *both[code])
        fallen += count * falls
        lost += count * attacker.total
        killed += count * defender.total
    return Mean(Fraction(fallen, throws), Fraction(lost, throws), Fraction(killed, throws))


@lru_cache(maxsize=32)
def _throws(table: Same[Table], column: int) -> tuple[int, Mapping[str, int]]:
    """How many throws there are, and how many of them give each result of a column."""
    chances = table.value.distribution(column)
    throws = lcm(*(chance.denominator for chance in chances.values()))
    return throws, {code: int(chance * throws) for code, chance in chances.items()}
