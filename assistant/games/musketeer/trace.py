"""Paths to logistics sources (21.3 to 21.7)."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from assistant.games.musketeer.ground import Ground, Lazy
from scenarios.hexes import Hex

FAR = 10_000
"""Farther than any source."""


@dataclass(frozen=True, eq=False)
class Trace:
    """Paths to any of the goals that go through no hex that is shut."""

    ground: Ground
    goals: frozenset[Hex]
    shut: frozenset[Hex]

    def path(self, start: Hex, limit: int, roads: bool) -> tuple[Hex, ...] | None:
        """A shortest path of so many hexes at most; the start itself may be shut. Along roads and tracks only, if told."""
        near, left = self._near(roads), self._left[roads]
        length = 1 + min((left.get(hex, FAR) for hex in near[start]), default=FAR)
        if length > limit:
            return None
        before: dict[Hex, Hex] = {}
        queue = deque([(start, 0)])
        while queue:
            here, gone = queue.popleft()
            for there in near[here]:
                if there in before or there == start or gone + 1 + left.get(there, FAR) > length:
                    continue
                before[there] = here
                if there in self.goals:
                    way = [there]
                    while way[-1] != start:
                        way.append(before[way[-1]])
                    return tuple(reversed(way))
                queue.append((there, gone + 1))
        return None

    def holds(self, start: Hex, limit: int, roads: bool, taken: frozenset[Hex]) -> bool:
        """Whether there is a path if further hexes are shut."""
        near, left = self._near(roads), self._left[roads]
        seen = {start}
        edge = [start]
        for gone in range(1, limit + 1):
            after = []
            for here in edge:
                for there in near[here]:
                    if there not in seen and there not in taken and gone + left.get(there, FAR) <= limit:
                        if there in self.goals:
                            return True
                        seen.add(there)
                        after.append(there)
            edge = after
        return False

    def _near(self, roads: bool) -> Mapping[Hex, tuple[Hex, ...]]:
        return self.ground.along if roads else self.ground.dry

    @cached_property
    def _left(self) -> Mapping[bool, Mapping[Hex, int]]:
        """How far it is from a free hex to the nearest goal, anywhere and along roads and tracks: as far as any goes."""
        return Lazy(self._distances)

    def _distances(self, roads: bool) -> Mapping[Hex, int]:
        near = self._near(roads)
        found = dict.fromkeys(self.goals - self.shut, 0)
        edge = list(found)
        for far in range(1, self.ground.reach * (2 if roads else 1)):
            after = []
            for here in edge:
                for there in near[here]:
                    if there not in found and there not in self.shut:
                        found[there] = far
                        after.append(there)
            edge = after
        return found
