"""Several units going back at once: how many of them find no room (11.2, 11.3, 14.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction

from assistant.games.six_day_war.field import Field, Stand
from assistant.games.six_day_war.retreats import Retreat
from scenarios.hexes import Hex

Pool = tuple[str, int, frozenset[str]]
"""Room for units: who is there, how many more may come, and whom it has to be shut to in the end."""
Group = tuple[str, int, tuple[Hex, ...]]
"""Units that go the same ways: their contingent, how many they are, and the hexes with room for one of them."""


def too_many(retreats: Sequence[Retreat]) -> dict[int, Fraction]:
    """How many of these units of a side end where there is no room, with the chances of a panic's die.

    Whoever moves them takes no full hex while a unit has another end (14.2). The owner, who moves a retreat of one hex,
    leaves as few out as he can; the enemy, who moves a panic, takes room away from as many as he can.
    """
    going = [one for one in retreats if one.far and not one.stays]
    if not going:
        return {0: Fraction(1)}
    field, leaving = going[0].field, going[0].gone
    panic = any(max(one.far) > 1 for one in going)
    throws = max((one.far for one in going), key=len)
    found: dict[int, Fraction] = {}
    for die in throws:
        ends = [(one.stand, one.ends(die if die in one.far else one.far[0])) for one in going]
        count = crowded(field, [(stand, hexes) for stand, hexes in ends if hexes], leaving, panic)
        found[count] = found.get(count, Fraction(0)) + Fraction(1, len(throws))
    return found


def crowded(
    field: Field, units: Sequence[tuple[Stand, AbstractSet[Hex]]], leaving: AbstractSet[Stand], panic: bool
) -> int:
    """How many units find no room at one of their ends, if they are moved as badly (`panic`) or as well as may be."""
    pools: dict[Hex, Pool] = {}
    members: dict[tuple[str, tuple[Hex, ...]], int] = {}
    left_out = 0
    for stand, hexes in units:
        whose = _whose(stand)
        for hex in hexes:
            if hex not in pools:
                there = [s for s in field.held[stand.side].get(hex, ()) if not s.static and s not in leaving]
                room = field.mobile_limit[stand.side] - len(there) if len({_whose(s) for s in there}) < 2 else 0
                pools[hex] = _whose(there[0]) if there else "", max(0, room), frozenset()
        roomy = tuple(sorted(hex for hex in hexes if _room(pools[hex], whose)))
        left_out += not roomy
        if roomy:
            members[whose, roomy] = members.get((whose, roomy), 0) + 1
    groups = [(whose, count, roomy) for (whose, roomy), count in members.items()]
    return left_out + (0 if _plenty(groups, pools) else _played(groups, pools, panic))


def _whose(stand: Stand) -> str:
    """Whom a unit shares a hex with: Arab contingents don't mix (11.3)."""
    return stand.contingent if stand.side == "arab" else stand.side


def _room(pool: Pool, whose: str) -> int:
    holder, left, _ = pool
    return left if holder in ("", whose) else 0


def _plenty(groups: Sequence[Group], pools: Mapping[Hex, Pool]) -> bool:
    """Whether nobody can be left out, whatever is done: all who could come can't fill the ends of any group."""
    for whose, _, hexes in groups:
        rivals = [other for other in groups if not set(hexes).isdisjoint(other[2])]
        mixed = any(other[0] != whose for other in rivals)
        # A unit of another contingent shuts a hex by itself.
        space = len(hexes) if mixed else sum(_room(pools[hex], whose) for hex in hexes)
        if space < sum(count for _, count, _ in rivals):
            return False
    return True


def _played(groups: Sequence[Group], pools: Mapping[Hex, Pool], panic: bool) -> int:
    """All ways to put the groups down, one group after the other; whoever is left out has to find all his ends shut."""
    last = {hex: number for number, (_, _, hexes) in enumerate(groups) for hex in hexes}
    states: dict[frozenset[tuple[Hex, Pool]], int] = {frozenset(): 0}
    choose = max if panic else min
    for number, (whose, count, hexes) in enumerate(groups):
        onward: dict[frozenset[tuple[Hex, Pool]], int] = {}
        for state, out in states.items():
            now = dict(state)
            here = [now.get(hex, pools[hex]) for hex in hexes]
            for spread in _spreads(count, [_room(pool, whose) for pool in here]):
                more = count - sum(spread)
                after = dict(now)
                for hex, (holder, left, needs), come in zip(hexes, here, spread, strict=True):
                    after[hex] = whose if come else holder, left - come, needs | {whose} if more else needs
                done = [after.pop(hex) for hex in hexes if last[hex] == number]
                if not any(_room(pool, who) for pool in done for who in pool[2]):
                    key = frozenset(after.items())
                    onward[key] = choose(onward.get(key, out + more), out + more)
        states = onward
    return choose(states.values())


def _spreads(count: int, rooms: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All ways to put at most so many units where there is room."""
    if not rooms:
        yield ()
        return
    for come in range(min(count, rooms[0]) + 1):
        for rest in _spreads(count - come, rooms[1:]):
            yield come, *rest
