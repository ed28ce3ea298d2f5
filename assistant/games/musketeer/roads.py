"""The roads back of a unit that retreats, hex by hex (16.2 to 16.4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from assistant.games.musketeer.ground import Lazy
from assistant.games.musketeer.support import Support
from scenarios.hexes import Hex, distance
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
    """The roads from a hex for units of a nation that survive fewer than so many disruptions."""

    here: Support
    nation: str
    start: Hex
    steps: int

    def of(self, way: str, hexes: int) -> Iterable[Road]:
        """The cheapest roads of so many hexes in a direction of 16.3; in any, where none is told.

        Each step leads away from the start, so no hex is met twice and the end is as far as called for (16.4 e).
        """
        layers = self._layers[way]
        while len(layers) <= hexes:
            layers.append(self._onward(layers[-1], way))
        return layers[hexes].values()

    @cached_property
    def _layers(self) -> Lazy[str, list[Layer]]:
        def begun(way: str) -> list[Layer]:
            goals = [goal for goal in self._havens if goal != self.start] if way == "a" else [None]
            return [{(self.start, goal): Road((self.start,), 0, way) for goal in goals}]

        return Lazy(begun)

    def _onward(self, layer: Layer, way: str) -> Layer:
        after: Layer = {}
        for (here, goal), road in layer.items():
            for there, hurt in self._outward[here]:
                harm = road.harm + hurt
                if harm >= self.steps:
                    continue
                for aim in self._aims(here, there, goal, way):
                    held = after.get((there, aim))
                    if held is None or harm < held.harm:
                        after[there, aim] = Road((*road.path, there), harm, way)
        return after

    @cached_property
    def _outward(self) -> Lazy[Hex, list[tuple[Hex, int]]]:
        """The steps from a hex that lead away from the start, each with its disruptions: into an enemy zone of
        control, over the canal or a river (16.4 c, f); never among enemies nor where nobody may go (16.4 b)."""
        side, ground = self.here.game.nations[self.nation].side, self.here.ground
        zone, enemies, open_ = self.here.zones[side], self.here.enemies[side], self.here.open_to(self.nation)

        def outward(hex: Hex) -> list[tuple[Hex, int]]:
            gone = distance(self.start, hex)
            return [
                (step.hex, (step.hex in zone) + step.wet)
                for step in ground.steps[hex]
                if step.terrain is not None and step.hex not in enemies and step.hex in open_
                if distance(self.start, step.hex) > gone
            ]

        return Lazy(outward)

    def _aims(self, here: Hex, there: Hex, goal: Hex | None, way: str) -> Sequence[Hex | None]:
        """The goals that a step serves (16.3 as the ruling on its order and directions reads it)."""
        if not way:
            return (None,)
        ground = self.here.ground
        far = ground.far
        if goal is not None:
            if here == goal:
                return [aim for aim in self._havens if aim != here and far[aim][there] < far[aim][here]]
            return (goal,) if far[goal][there] < far[goal][here] else ()
        once_across = self.start in ground.east and here not in ground.east
        if (way == MIXED or once_across) and any(far[aim][there] < far[aim][here] for aim in self._havens):
            return (None,)
        line = ground.to_canal if here in ground.east else ground.to_south
        return (None,) if line[there] < line[here] else ()

    @cached_property
    def _havens(self) -> Sequence[Hex]:
        """The goals of 16.3 a that no enemy holds."""
        return sorted(self.here.ground.havens - self.here.enemies[self.here.game.nations[self.nation].side])


@lru_cache(maxsize=32)
def roads(here: Same[Support], nation: str, start: Hex, steps: int) -> Roads:
    """The roads of a position, once for all units that take them."""
    return Roads(here.value, nation, start, steps)
