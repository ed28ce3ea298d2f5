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
    """Nobody of the defenders is left in the hex."""
    hex_taken: bool
    """And somebody of the attackers is left who may advance into it."""


def results(
    mine: Force, theirs: Force, table: Table, chances: Mapping[str, Fraction], stars: bool, follower: bool
) -> tuple[CombatResult, ...]:
    """Each result spelled out. `stars`: whether a star costs an Israeli armor step (3.6); `follower`: whether somebody
    who loses nothing can advance as well (1.5)."""
    both = parts(Same(table), stars)
    return tuple(
        CombatResult(code, chance, *_shares(mine, theirs, *both[code], follower)) for code, chance in chances.items()
    )


def _shares(
    mine: Force, theirs: Force, attack: Part, defense: Part, follower: bool
) -> tuple[Share, Share, bool, bool]:
    """What a result does to the attacker and to the defender, whether the hex is left free, and whether it is taken."""
    # Steps first, on both sides; who dies of them has no zone when the others go back.
    attacker = mine.share(attack)
    defender = theirs.share(defense, attacker.dead)
    if attack.hexes:
        return mine.share(attack, defender.dead), defender, defender.leaves, False
    taken = defender.leaves and (follower or any(s not in attacker.dead and s not in mine.rooted for s in mine.stands))
    return attacker, defender, defender.leaves, taken


class Mean(NamedTuple):
    """The chances that the hex falls and that an attacker takes it, and the steps that both lose on average."""

    falls: Fraction
    taken: Fraction
    mine: Fraction
    theirs: Fraction


def mean(mine: Force, theirs: Force, table: Table, column: int | None, stars: bool, follower: bool) -> Mean:
    """What a battle on a column comes to on average; nothing where there is no attack."""
    if column is None:
        return Mean(Fraction(0), Fraction(0), Fraction(0), Fraction(0))
    both, (throws, codes) = parts(Same(table), stars), _throws(Same(table), column)
    fallen = held = lost = killed = 0
    for code, count in codes.items():
        attacker, defender, falls, taken = _shares(mine, theirs, *both[code], follower)
        fallen += count * falls
        held += count * taken
        lost += count * attacker.total
        killed += count * defender.total
    return Mean(*(Fraction(count, throws) for count in (fallen, held, lost, killed)))


@lru_cache(maxsize=32)
def _throws(table: Same[Table], column: int) -> tuple[int, Mapping[str, int]]:
    """How many throws there are, and how many of them give each result of a column."""
    chances = table.value.distribution(column)
    throws = lcm(*(chance.denominator for chance in chances.values()))
    return throws, {code: int(chance * throws) for code, chance in chances.items()}
