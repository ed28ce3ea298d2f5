"""Retreats of several units at once: six steps to a hex hold for all of them (1.3, ruling retreat_together)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from assistant.games.yom_kippur.field import Field, Stand
from assistant.games.yom_kippur.retreats import Back, Changed, Way, retreat, ways
from scenarios.hexes import Hex

Rooms = tuple[int, ...]
"""The steps for which there is room, hex by hex."""


class Retreat(NamedTuple):
    """What a retreat does to units that go back together; `crowded` where some hex hasn't room for all who could go there."""

    backs: tuple[Back, ...]
    crowded: bool = False


class _Arrival(NamedTuple):
    """A unit that has to find room: its steps, and the hexes (by number) where it may end."""

    steps: int
    hexes: tuple[int, ...]


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
    return Retreat(_shared_out(alone, [ways(field, back.stand, hexes, back.left, after) for back in alone]), True)


def _shared_out(alone: Sequence[Back], choices: Sequence[Sequence[Way]]) -> tuple[Back, ...]:
    """The units with the ways of the plan that costs fewest steps, and of all that cost each of them the same."""
    numbers = {end: number for number, end in enumerate(dict.fromkeys(way.end for found in choices for way in found))}
    held = {way.end: way.room for found in choices for way in found}
    rooms = tuple(held[end] for end in numbers)

    def arrivals(costs: Sequence[int]) -> list[_Arrival]:
        return [
            _Arrival(back.left - cost, tuple(numbers[way.end] for way in found if way.steps == cost))
            for back, found, cost in zip(alone, choices, costs, strict=True)
            if cost < back.left
        ]

    costs = [back.lost for back in alone]
    if not fits(arrivals(costs), rooms):
        options = [
            [*((way.steps, numbers[way.end], back.left - way.steps) for way in found), (back.left, -1, 0)]
            for back, found in zip(alone, choices, strict=True)
        ]
        costs = list(_Plans(options).least(0, rooms).costs)
    result, everybody, known = [], arrivals(costs), dict[tuple[_Arrival, int], bool]()
    for back, found, cost in zip(alone, choices, costs, strict=True):
        mine = [way for way in found if way.steps == cost]
        one = _Arrival(back.left - cost, tuple(numbers[way.end] for way in mine))
        for hex in one.hexes:
            if (one, hex) not in known:
                others = everybody.copy()
                others.remove(one)
                known[one, hex] = fits(others, _taken(rooms, hex, one.steps))
        result.append(Back(back.stand, tuple(way for way in mine if known[one, numbers[way.end]]), back.left))
    return tuple(result)


def _taken(rooms: Rooms, hex: int, steps: int) -> Rooms:
    """The room that is left when so many steps go to a hex."""
    return (*rooms[:hex], rooms[hex] - steps, *rooms[hex + 1 :]) if steps else rooms


def fits(arrivals: Sequence[_Arrival], rooms: Rooms) -> bool:
    """Whether all find room at once."""
    order = sorted(arrivals, key=lambda one: (len(one.hexes), -one.steps, one.hexes))
    failed: set[tuple[int, Rooms]] = set()

    def from_here(depth: int, free: Rooms) -> bool:
        if depth == len(order):
            return True
        if (depth, free) in failed:
            return False
        steps, hexes = order[depth]
        # The roomiest hex first: if there is a plan, it is mostly found at once.
        for hex in sorted(hexes, key=lambda hex: -free[hex]):
            if free[hex] >= steps and from_here(depth + 1, _taken(free, hex, steps)):
                return True
        failed.add((depth, free))
        return False

    return from_here(0, rooms)


class _Price(NamedTuple):
    """What a plan costs: steps in all, units that die, and each unit's steps. The lowest is the best."""

    steps: int
    dead: int
    costs: tuple[int, ...]


class _Plans:
    """The best plans for the units from one on, given the room that is left."""

    def __init__(self, options: Sequence[Sequence[tuple[int, int, int]]]) -> None:
        """`options`: for each unit the steps that a choice costs, the hex by number (-1 if it dies) and what arrives."""
        self.options = options
        self.known: dict[tuple[int, Rooms], _Price] = {}

    def least(self, depth: int, free: Rooms) -> _Price:
        """The lowest price."""
        if depth == len(self.options):
            return _Price(0, 0, ())
        key = depth, free
        if key not in self.known:
            prices = []
            for cost, hex, steps in self.options[depth]:
                if hex < 0 or free[hex] >= steps:
                    rest = self.least(depth + 1, _taken(free, hex, steps))
                    prices.append(_Price(cost + rest.steps, (hex < 0) + rest.dead, (cost, *rest.costs)))
            self.known[key] = min(prices)
        return self.known[key]
