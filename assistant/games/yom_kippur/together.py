"""Retreats of several units at once: six steps to a hex hold for all of them (1.3, ruling retreat_together)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from assistant.games.yom_kippur.field import Field, Stand
from assistant.games.yom_kippur.retreats import Back, Changed, Way, retreat, ways
from scenarios.hexes import Hex

Rooms = tuple[int, ...]
"""The steps for which there is room, hex by hex."""
MOST_TRIED = 2_000
"""So many places are tried for the units of one retreat. A lawful stack takes about a hundred at most."""


class Retreat(NamedTuple):
    """What a retreat does to units that go back together; `crowded` where some hex hasn't room for all who could go there."""

    backs: tuple[Back, ...]
    crowded: bool = False
    sure: bool = True
    """Whether every plan was tried; if not, there may be one that costs less."""


class Choice(NamedTuple):
    """One thing that a unit can do: go back to a hex (by number), or die (-1); what it costs, and the steps that arrive."""

    cost: int
    hex: int
    steps: int


class TooMany(Exception):
    """There are more plans than can be tried."""


def go_back(field: Field, walkers: Sequence[Stand], left: Mapping[Stand, int], hexes: int, after: Changed) -> Retreat:
    """The ways back that cost all of them together least; `left` are their steps when they begin.

    They go at once: none is a friend already there who would keep an enemy zone off another. Each has the ends that it
    takes in any plan in which all pay what they pay in the best.
    """
    alone = tuple([retreat(field, stand, hexes, left[stand], after) for stand in walkers])
    steps: dict[Hex, int] = {}
    rooms: dict[Hex, int] = {}
    for back in alone:
        for way in back.ways:
            steps[way.end] = steps.get(way.end, 0) + back.left - way.steps
            rooms[way.end] = way.room
    if all(steps[end] <= room for end, room in rooms.items()):
        return Retreat(alone)
    return _crowded(alone, [ways(field, back.stand, hexes, back.left, after) for back in alone])


def _crowded(alone: Sequence[Back], found: Sequence[Sequence[Way]]) -> Retreat:
    """The units with the ways of the plan that costs fewest steps, and of all that cost each of them the same."""
    numbers = {end: number for number, end in enumerate(dict.fromkeys(way.end for each in found for way in each))}
    held = {way.end: way.room for each in found for way in each}
    choices = [
        [*(Choice(way.steps, numbers[way.end], back.left - way.steps) for way in each), Choice(back.left, -1, 0)]
        for back, each in zip(alone, found, strict=True)
    ]
    rooms, sure = tuple(held.values()), True
    try:
        best = shared_out(choices, rooms)
    except TooMany:
        best, sure = in_turn(choices, rooms), False
    backs = []
    for back, each, mine in zip(alone, found, best, strict=True):
        chosen = {(one.cost, one.hex) for one in mine}
        backs.append(Back(back.stand, tuple(way for way in each if (way.steps, numbers[way.end]) in chosen), back.left))
    return Retreat(tuple(backs), True, sure)


def in_turn(choices: Sequence[Sequence[Choice]], rooms: Rooms) -> list[list[Choice]]:
    """A plan: one after the other, each where it costs least, in the hex with most room."""
    plan = []
    for mine in choices:
        open_ = [one for one in mine if one.hex < 0 or rooms[one.hex] >= one.steps]
        best = min(open_, key=lambda one: (one.cost, one.hex < 0, -rooms[one.hex]))
        rooms = _taken(rooms, best)
        plan.append([best])
    return plan


def shared_out(choices: Sequence[Sequence[Choice]], rooms: Rooms) -> list[list[Choice]]:
    """What each unit does in any of the best plans: fewest steps lost by all, then fewest dead, then by the units that
    come first; each unit loses the same in all of them."""
    search = _Search(rooms)
    fixed = [list(mine) for mine in choices]
    steps = sum(min(one.cost for one in mine) for mine in fixed)
    while not search.possible(fixed, steps, len(fixed)):
        steps += 1
    dead = 0
    while not search.possible(fixed, steps, dead):
        dead += 1
    for place, mine in enumerate(fixed):
        for cost in sorted({one.cost for one in mine}):
            fixed[place] = [one for one in mine if one.cost == cost]
            if search.possible(fixed, steps, dead):
                break
    known: dict[tuple[tuple[Choice, ...], Choice], bool] = {}
    result = []
    for place, mine in enumerate(fixed):
        for one in mine:
            if (tuple(mine), one) not in known:
                known[tuple(mine), one] = search.possible([*fixed[:place], [one], *fixed[place + 1 :]], steps, dead)
        result.append([one for one in mine if known[tuple(mine), one]])
    return result


def _taken(rooms: Rooms, one: Choice) -> Rooms:
    """The room that is left after a choice."""
    return (*rooms[: one.hex], rooms[one.hex] - one.steps, *rooms[one.hex + 1 :]) if one.hex >= 0 else rooms


class _Search:
    """Plans for units that have to find room."""

    def __init__(self, rooms: Rooms) -> None:
        self.rooms = rooms
        self.tried = 0

    def possible(self, choices: Sequence[Sequence[Choice]], steps: int, dead: int) -> bool:
        """Whether all can choose so that no more than these steps are lost and no more units than these die."""
        # Who has least choice comes first, and units alike come one after the other.
        order = sorted(choices, key=lambda mine: (len(mine), -mine[0].steps, mine))
        least = [0]
        for mine in reversed(order):
            least.append(least[-1] + min(one.cost for one in mine))
        least.reverse()
        failed: set[tuple[int, Rooms, int, int]] = set()

        def onward(depth: int, free: Rooms, steps: int, dead: int) -> bool:
            if depth == len(order):
                return True
            key = depth, free, steps, dead
            if least[depth] > steps or key in failed:
                return False
            self.tried += 1
            if self.tried > MOST_TRIED:
                raise TooMany
            # The roomiest hex first: if there is a plan, it is mostly found at once.
            for one in sorted(order[depth], key=lambda one: (one.cost, -free[one.hex])):
                died = one.hex < 0
                may = died <= dead and one.cost <= steps and (died or free[one.hex] >= one.steps)
                if may and onward(depth + 1, _taken(free, one), steps - one.cost, dead - died):
                    return True
            failed.add(key)
            return False

        return onward(0, self.rooms, steps, dead)
