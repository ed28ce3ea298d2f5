"""Ways over a point map: the cheapest from a set of starts, and what lies on them."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from scenarios.points import PointMap

Step = Callable[[str, str, frozenset[str]], int | None]
"""What a step costs from a point to the next over routes of these kinds; None where it is not allowed."""


@dataclass(frozen=True)
class Ways:
    """The cheapest way to each point that can be reached."""

    costs: Mapping[str, int]
    before: Mapping[str, str]

    def path(self, point: str) -> tuple[str, ...]:
        """The way to a point, from its start."""
        way = [point]
        while way[-1] in self.before:
            way.append(self.before[way[-1]])
        return tuple(reversed(way))


def ways(field: PointMap, starts: Iterable[str], step: Step, limit: int | None = None) -> Ways:
    """The cheapest ways from any of the starts, as far as the limit. Ties go to the point that is named first."""
    costs: dict[str, int] = {}
    before: dict[str, str] = {}
    queue: list[tuple[int, str, str]] = [(0, start, "") for start in sorted(set(starts))]
    while queue:
        cost, here, came = heapq.heappop(queue)
        if here in costs:
            continue
        costs[here] = cost
        if came:
            before[here] = came
        for there, kinds in field.adjacent(here).items():
            if there in costs:
                continue
            more = step(here, there, kinds)
            if more is not None and (limit is None or cost + more <= limit):
                heapq.heappush(queue, (cost + more, there, here))
    return Ways(costs, before)


def spread(net: Mapping[str, Iterable[str]], starts: Iterable[str]) -> Ways:
    """The shortest ways over a net that tells where each point leads. Ties go as in `ways`."""
    layer = sorted(set(starts))
    costs = dict.fromkeys(layer, 0)
    before: dict[str, str] = {}
    while layer:
        fresh: list[str] = []
        for here in layer:
            for there in net[here]:
                if there not in costs:
                    costs[there], before[there] = costs[here] + 1, here
                    fresh.append(there)
        layer = sorted(fresh)
    return Ways(costs, before)
