"""The roads back of a unit that retreats, hex by hex (16.2 to 16.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from assistant.games.musketeer.ground import Lazy
from assistant.games.musketeer.support import Support
from scenarios.hexes import Hex
from scenarios.same import Same

MIXED = "abc"
"""Towards one goal of 16.3 after another: for a unit that would be lost on the way to any single one (16.4 g)."""


class Road(NamedTuple):
    """A way back: its hexes, how often it disrupts the unit, and the direction of 16.3 it takes."""

    path: tuple[Hex, ...]
    harm: int
    way: str


Layer = dict[tuple[Hex, Hex | None], Road]
"""The cheapest roads of so many hexes, by where they lead and what they make for."""


@dataclass(frozen=True, eq=False)
class Roads:
    """The roads from a hex for units of a nation."""

    here: Support
    nation: str
    start: Hex

    def of(self, way: str, hexes: int, steps: int) -> Iterable[Road]:
        """The cheapest roads of so many hexes in a direction of 16.3 (in any, where none is told) that a unit survives
        which so many disruptions eliminate.

        Each step leads away from the start, so no hex is met twice and the end is as far as called for (16.4 e).
        """
        return self._layers[way, steps, hexes].values()

    @cached_property
    def _layers(self) -> Mapping[tuple[str, int, int], Layer]:
        def layer(key: tuple[str, int, int]) -> Layer:
            way, steps, hexes = key
            if hexes:
                return self._onward(self._layers[way, steps, hexes - 1], way, steps)
            goals = [goal for goal in self.havens if goal != self.start] if way == "a" else [None]
            return {(self.start, goal): Road((self.start,), 0, way) for goal in goals}

        return Lazy(layer)

    def _onward(self, layer: Layer, way: str, steps: int) -> Layer:
        after: Layer = {}
        bits = self.here.ground.haven_bits
        for (here, goal), (path, before, _) in layer.items():
            bit = bits[goal] if goal is not None and here != goal else 0
            for there, hurt, nearer in self._ahead[here]:
                harm = before + hurt
                if harm >= steps or (bit and not nearer & bit):
                    continue
                for aim in (goal,) if bit else self._aims(way, here, there, goal, nearer):
                    held = after.get((there, aim))
                    if held is None or harm < held.harm:
                        after[there, aim] = Road((*path, there), harm, way)
        return after

    @cached_property
    def _ahead(self) -> Mapping[Hex, list[tuple[Hex, int, int]]]:
        """The steps outward from a hex, each with its disruptions and the bits of the havens that it brings nearer."""
        nearer = self.here.ground.nearer
        return Lazy(lambda hex: [(there, hurt, nearer[hex, there]) for there, hurt in self.outward[hex]])

    def _aims(self, way: str, here: Hex, there: Hex, goal: Hex | None, nearer: int) -> Sequence[Hex | None]:
        """The goals that a step serves from one that is reached, or with none (16.3 as the rulings on its order and
        directions read it)."""
        if goal is not None:
            bits = self.here.ground.haven_bits
            return [aim for aim in self.havens if aim != here and nearer & bits[aim]]
        return (None,) if not way or self.serves(way == MIXED, here, there) else ()

    def serves(self, mixed: bool, here: Hex, there: Hex) -> bool:
        """Whether a step leads to the canal or the south edge, or once across also to a haven (16.3 b, c); to any of
        them, if they are mixed."""
        ground = self.here.ground
        line = ground.to_canal if here in ground.east else ground.to_south
        if line[there] < line[here]:
            return True
        once_across = self.start in ground.east and here not in ground.east
        return (mixed or once_across) and any(ground.far[aim][there] < ground.far[aim][here] for aim in self.havens)

    @cached_property
    def outward(self) -> Lazy[Hex, list[tuple[Hex, int]]]:
        """The steps from a hex that lead away from the start, each with its disruptions: into an enemy zone of
        control, over the canal or a river (16.4 c, f); never among enemies nor where nobody may go (16.4 b)."""
        side, ground = self.here.game.nations[self.nation].side, self.here.ground
        zone, enemies, open_ = self.here.zones[side], self.here.enemies[side], self.here.open_to(self.nation)
        gone = ground.far[self.start]

        def away(hex: Hex) -> list[tuple[Hex, int]]:
            return [
                (step.hex, (step.hex in zone) + step.wet)
                for step in ground.steps[hex]
                if step.terrain is not None and gone[step.hex] > gone[hex]
                if step.hex not in enemies and step.hex in open_
            ]

        return Lazy(away)

    @cached_property
    def havens(self) -> Sequence[Hex]:
        """The goals of 16.3 a that no enemy holds."""
        return sorted(self.here.ground.havens - self.here.enemies[self.here.game.nations[self.nation].side])


@lru_cache(maxsize=32)
def roads(here: Same[Support], nation: str, start: Hex) -> Roads:
    """The roads of a position, once for all units that take them."""
    return Roads(here.value, nation, start)
