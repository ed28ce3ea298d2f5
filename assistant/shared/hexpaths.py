"""Cheapest paths over a net: hexes and what a step from one to the next costs, in whole numbers."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Generic, TypeVar

from scenarios.hexes import Hex, neighbours
from scenarios.maps import HexMap

N = TypeVar("N", bound=Hashable)
Steps = Sequence[Sequence[tuple[int, int]]]
"""For each place, by number: the places that can be entered from it, and the cost."""

NOWHERE: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Net(Generic[N]):
    """Places by number, and steps between them. Costs are whole numbers: movement points times `scale`."""

    places: tuple[N, ...]
    numbers: Mapping[N, int]
    scale: int
    steps: Steps
    back: Steps
    """The same steps walked the other way."""

    def points(self, cost: int) -> Fraction:
        """A cost in movement points."""
        return Fraction(cost, self.scale)

    def with_steps(self, more: Iterable[tuple[N, N, Fraction]]) -> Net[N]:
        """The net with further steps, such as over a bridge. Costs must fit the scale."""
        steps, back = list(self.steps), list(self.back)
        for a, b, cost in more:
            whole = cost * self.scale
            if whole.denominator != 1:
                raise ValueError(f"a cost of {cost} does not fit a net that counts in parts of 1/{self.scale}")
            m, n = self.numbers[a], self.numbers[b]
            steps[m] = (*steps[m], (n, int(whole)))
            back[n] = (*back[n], (m, int(whole)))
        return Net(self.places, self.numbers, self.scale, steps, back)


def turned(steps: Steps) -> Steps:
    """The same steps walked the other way."""
    back: list[list[tuple[int, int]]] = [[] for _ in steps]
    for a, onward in enumerate(steps):
        for b, cost in onward:
            back[b].append((a, cost))
    return back


def hex_net(table: HexMap, cost: Callable[[Hex, Hex], Fraction | None]) -> Net[Hex]:
    """The net of a hex map: `cost` says what entering b from its neighbour a takes, None where nobody can."""
    return make_net(table.hexes, lambda hex: (near for near in neighbours(hex) if near in table.names), cost)


def make_net(
    places: Sequence[N], beside: Callable[[N], Iterable[N]], cost: Callable[[N, N], Fraction | None]
) -> Net[N]:
    """The net of any places and their neighbours."""
    numbers = {place: number for number, place in enumerate(places)}
    raw = [[(numbers[b], paid) for b in beside(a) if (paid := cost(a, b)) is not None] for a in places]
    scale = lcm(*(paid.denominator for onward in raw for _, paid in onward), 1)
    steps = [[(b, int(paid * scale)) for b, paid in onward] for onward in raw]
    return Net(tuple(places), numbers, scale, steps, turned(steps))


@dataclass(frozen=True)
class Tree:
    """The cheapest ways from some starts."""

    costs: Mapping[int, int]
    before: Mapping[int, int]

    def path(self, place: int) -> tuple[int, ...]:
        """The way from a start to a place that was reached."""
        way = [place]
        while way[-1] in self.before:
            way.append(self.before[way[-1]])
        return tuple(reversed(way))


def grow(
    steps: Steps, starts: Iterable[int], shut: Collection[int] = NOWHERE, limit: int | None = None,
    stops: Collection[int] = NOWHERE,
) -> Tree:  # fmt: skip
    """The cheapest ways to all places within a limit. Nobody enters a shut place; nobody goes on from a stop."""
    begun = [start for start in dict.fromkeys(starts) if start not in shut]
    costs: dict[int, int] = dict.fromkeys(begun, 0)
    before: dict[int, int] = {}
    # Costs are small whole numbers: a shelf for each total is quicker than a heap.
    shelves: list[list[int]] = [begun]
    total = top = 0
    while total <= top:
        for here in shelves[total]:
            if costs[here] != total or (here in stops and here in before):
                continue
            for there, paid in steps[here]:
                onward = total + paid
                if there in costs:
                    if costs[there] <= onward:
                        continue
                elif there in shut:
                    continue
                if limit is not None and onward > limit:
                    continue
                costs[there] = onward
                before[there] = here
                while top < onward:
                    shelves.append([])
                    top += 1
                shelves[onward].append(there)
        total += 1
    return Tree(costs, before)


def way_without(
    back: Steps, tree: Tree, wanted: Iterable[int], lost: AbstractSet[int], limit: int | None,
    fallen: dict[int, bool],
) -> tuple[int, ...] | None:  # fmt: skip
    """How a tree could still reach one of the wanted places within its limit if some places were shut as well.

    The answer goes from the last place whose old way is whole to the wanted one. Searched backwards: the old cost of a
    place is the least its new one can be, so the first place found whose old way is whole decides. `fallen` remembers
    whose old way was cut, for one tree and one loss.
    """
    costs, before = tree.costs, tree.before
    best = {place: 0 for place in wanted if place in costs and place not in lost}
    after: dict[int, int] = {}
    heap = [(costs[place], 0, place) for place in best]
    heapq.heapify(heap)
    while heap:
        _, gone, here = heapq.heappop(heap)
        if gone > best[here]:
            continue
        if not _cut(before, here, lost, fallen):
            way = [here]
            while way[-1] in after:
                way.append(after[way[-1]])
            return tuple(way)
        for near, paid in back[here]:
            if near not in costs or near in lost:
                continue
            onward = gone + paid
            least = onward + costs[near]
            if (limit is None or least <= limit) and onward < best.get(near, onward + 1):
                best[near] = onward
                after[near] = here
                heapq.heappush(heap, (least, onward, near))
    return None


def _cut(before: Mapping[int, int], place: int, lost: AbstractSet[int], fallen: dict[int, bool]) -> bool:
    if place in fallen:
        return fallen[place]
    way = []
    here: int | None = place
    while here is not None and here not in fallen:
        way.append(here)
        if here in lost:
            break
        here = before.get(here)
    result = here is not None and (here in lost or fallen.get(here, False))
    fallen.update(dict.fromkeys(way, result))
    return result
