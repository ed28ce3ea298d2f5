"""How much a retreat harms at least, without the road it takes (16.2 to 16.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from assistant.games.musketeer.ground import Lazy
from assistant.games.musketeer.roads import MIXED, Roads, roads
from assistant.games.musketeer.support import Support
from scenarios.hexes import Hex
from scenarios.same import Same

MOST = 2
"""Disruptions that eliminate any unit (15.3)."""
Goals = tuple[int, ...]
"""For each number of disruptions, the goals still ahead on some road that costs so many: a bit for each."""


@dataclass(frozen=True, eq=False)
class Harms:
    """The least harm of roads from a hex, of any direction and length.

    It goes the same steps as `Roads`, but keeps for each hex only which goals are still ahead.
    """

    known: Roads

    def at(self, way: str, hexes: int) -> Mapping[Hex, int]:
        """The hexes that roads of this direction and length lead to, each with the fewest disruptions."""
        return self._found[way, hexes]

    @cached_property
    def _found(self) -> Mapping[tuple[str, int], Mapping[Hex, int]]:
        return Lazy(lambda key: {hex: 0 if goals[0] else 1 for hex, goals in self._layers[key].items()})

    @cached_property
    def _layers(self) -> Mapping[tuple[str, int], Mapping[Hex, Goals]]:
        def layer(key: tuple[str, int]) -> Mapping[Hex, Goals]:
            way, hexes = key
            if hexes:
                return self._onward(self._layers[way, hexes - 1], way)
            start = self.known.start
            return {start: (self._havens & ~self._bits.get(start, 0) if way == "a" else 1, 0)}

        return Lazy(layer)

    @cached_property
    def _bits(self) -> Mapping[Hex, int]:
        return self.known.here.ground.haven_bits

    @cached_property
    def _havens(self) -> int:
        return sum(self._bits[hex] for hex in self.known.havens)

    def _onward(self, layer: Mapping[Hex, Goals], way: str) -> dict[Hex, Goals]:
        after: dict[Hex, Goals] = {}
        ground, outward = self.known.here.ground, self.known.outward
        for here, goals in layer.items():
            own = self._bits.get(here, 0)
            if way == "a" and own:  # a goal reached: on to any other
                goals = tuple([ahead | (self._havens & ~own) if ahead & own else ahead for ahead in goals])
            for there, hurt in outward[here]:
                serving = ground.nearer[here, there] if way == "a" else self._serves(way, here, there)
                found = list(after.get(there, (0, 0)))
                for harm in range(MOST - hurt):
                    found[harm + hurt] |= goals[harm] & serving
                if any(found):
                    after[there] = tuple(found)
        return after

    def _serves(self, way: str, here: Hex, there: Hex) -> int:
        """Whether a step of another direction is one of those that 16.3 allows."""
        return int(not way or self.known.serves(way == MIXED, here, there))


@lru_cache(maxsize=32)
def harms(here: Same[Support], nation: str, start: Hex) -> Harms:
    """The least harm of a position's roads, once for all units that take them."""
    return Harms(roads(here, nation, start))
