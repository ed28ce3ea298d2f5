"""Retreats of Operation Musketeer: withdrawals and routs, hex by hex (16.0)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from assistant.games.musketeer.contingents import contingent
from assistant.games.musketeer.ends import sheltered
from assistant.games.musketeer.movement import WATERS, Mover
from assistant.games.musketeer.stacking import fits
from assistant.games.musketeer.support import Support
from scenarios.counters import Unit
from scenarios.dice import dice
from scenarios.hexes import Hex, distance, hexside, neighbours

MIXED = "abc"
"""Towards one goal of 16.3 after another: for a unit that would be lost on the way to any single one (16.4 g)."""
FURTHER = 4
"""How many hexes more a unit looks for one where it may stack (16.4 d)."""


class Road(NamedTuple):
    """A way back: its hexes, how often it disrupts the unit, and the direction of 16.3 it takes."""

    path: tuple[Hex, ...]
    harm: int
    way: str


class Fate(NamedTuple):
    """The best that can become of a unit that retreats so many hexes; no road where it is eliminated on the way."""

    hexes: int
    road: Road | None
    ends: tuple[Hex, ...]
    """The hexes where it can end with as little harm."""
    eliminated: bool
    disrupted: bool


@dataclass(frozen=True)
class Retreat:
    """A unit that must retreat from a hex."""

    here: Support
    unit: Unit
    start: Hex
    disrupted: bool = False
    landed: bool = False
    """It is in a direct assault: lost if it has to retreat (29.5)."""
    outward: dict[Hex, list[tuple[Hex, int]]] = field(default_factory=dict, compare=False)
    """The steps from each hex that lead away from the start, with their harm; filled as they are asked for."""

    @property
    def stays(self) -> bool:
        """Whether it ignores a retreat and takes DR as D; it may go all the same, unless it is static (16.1, 16.5)."""
        return sheltered(self.unit, self.here.table.terrain[self.start])

    @cached_property
    def mover(self) -> Mover:
        return Mover(self.here, self.unit, self.start, self.disrupted)

    @property
    def routs(self) -> bool:
        """Whether it routs; otherwise it withdraws (16.1)."""
        table = self.here.game.tables["contingents"]
        code = table.cell(contingent(self.unit.nation), table.named_column("retreat")).code
        return code.startswith("routs") and not ("airborne withdraws" in code and "airborne" in self.unit.abilities)

    @property
    def steps(self) -> int:
        """Disruptions until it is gone (15.3)."""
        return 1 if self.disrupted or self.unit.back is None else 2

    @cached_property
    def fates(self) -> dict[Fate, Fraction]:
        """What may become of it if it goes, with the die of a rout (16.3); nothing if it stays for good."""
        if self.unit.class_ == "static" and self.stays:
            return {}  # 16.1
        if self.unit.class_ == "static" or self.landed:
            return {Fate(0, None, (), True, False): Fraction(1)}  # 16.1, 29.5
        if not self.routs:
            return {self.fate(1): Fraction(1)}
        return {self.fate(hexes): chance for hexes, chance in dice("1d6").items()}

    def fate(self, hexes: int) -> Fate:
        """The best end of a retreat of so many hexes: alive if any path allows, then in the order of 16.3 (16.4 g)."""
        for way in ("a", "c" if self.start in self._east else "b", MIXED) if self.routs else ("",):
            roads = self._roads(hexes, way)
            if roads:
                least = min(road.harm for road in roads)
                best = [road for road in roads if road.harm == least]
                ends = tuple(sorted({road.path[-1] for road in best}))
                return Fate(hexes, best[0], ends, False, self.disrupted or least > 0)
        return Fate(hexes, None, (), True, False)

    def _roads(self, hexes: int, way: str) -> list[Road]:
        """Every cheapest road of a direction that the unit survives, to a hex where it may end.

        A hex over the stacking limit means one more (16.4 d); an Egyptian may end early in a fortification (16.5).
        """
        rests = [road for gone in range(1, hexes) for road in self._layer(way, gone).values()]
        early = [road for road in rests if self._rests(road.path[-1])]
        for gone in range(hexes, hexes + FURTHER + 1):
            ended = [road for road in self._layer(way, gone).values() if self._may_end(road.path[-1])]
            if ended:
                return [*ended, *early]
        return early

    def _layer(self, way: str, hexes: int) -> dict[tuple[Hex, Hex | None], Road]:
        """The cheapest roads of so many hexes, by where they lead and what they make for.

        Each step leads away from the start, so no hex is met twice and the end is as far as called for (16.4 e).
        """
        if way not in self._found:
            self._found[way] = [{(self.start, goal): Road((self.start,), 0, way) for goal in self._goals(way)}]
        layers = self._found[way]
        while len(layers) <= hexes:
            layers.append(self._onward(layers[-1], way))
        return layers[hexes]

    @cached_property
    def _found(self) -> dict[str, list[dict[tuple[Hex, Hex | None], Road]]]:
        return {}

    def _onward(self, layer: dict[tuple[Hex, Hex | None], Road], way: str) -> dict[tuple[Hex, Hex | None], Road]:
        after: dict[tuple[Hex, Hex | None], Road] = {}
        for (here, goal), road in layer.items():
            for there, hurt in self._outward(here):
                harm = road.harm + hurt
                if harm >= self.steps:
                    continue
                for aim in self._aims(here, there, goal, way):
                    held = after.get((there, aim))
                    if held is None or harm < held.harm:
                        after[there, aim] = Road((*road.path, there), harm, way)
        return after

    def _outward(self, here: Hex) -> list[tuple[Hex, int]]:
        if here not in self.outward:
            gone = distance(self.start, here)
            self.outward[here] = [
                (there, self._harm(here, there))
                for there in neighbours(here)
                if distance(self.start, there) > gone and self._enters(there)
            ]
        return self.outward[here]

    def _enters(self, hex: Hex) -> bool:
        mover = self.mover
        return hex in self.here.table and hex in mover.open and hex not in mover.enemies and mover.passable(hex)

    def _harm(self, a: Hex, b: Hex) -> int:
        """Disruptions of a step: into an enemy zone of control, over the canal or a river (16.4 c, f)."""
        waters = self.here.table.hexsides.get(hexside(a, b), frozenset()) & frozenset(WATERS)
        return int(b in self.mover.zone) + int(bool(waters))

    def _rests(self, hex: Hex) -> bool:
        fort = self.here.table.terrain[hex] == "fortification"
        return fort and contingent(self.unit.nation) == "egypt" and self._may_end(hex)

    def _may_end(self, hex: Hex) -> bool:
        held = [unit for _, unit, at in self.here.units if at == hex and unit.side == self.unit.side]
        return fits(self.here.game, [*held, self.unit])

    def _goals(self, way: str) -> Iterable[Hex | None]:
        return sorted(self._havens - {self.start}) if way == "a" else (None,)

    def _aims(self, here: Hex, there: Hex, goal: Hex | None, way: str) -> Iterable[Hex | None]:
        """The goals that a step serves (16.3 as the ruling on its order and directions reads it)."""
        if not way:
            return (None,)
        if way == "a":
            assert goal is not None
            among = sorted(self._havens - {here}) if here == goal else [goal]
            return [aim for aim in among if distance(there, aim) < distance(here, aim)]
        once_across = self.start in self._east and here not in self._east
        if (way == MIXED or once_across) and any(distance(there, aim) < distance(here, aim) for aim in self._havens):
            return (None,)
        aims = self._west_bank if here in self._east else self._south
        return (None,) if _near(there, aims) < _near(here, aims) else ()

    @cached_property
    def _havens(self) -> frozenset[Hex]:
        table = self.here.table
        kinds = {hex for place in table.places.values() if place.kind == "airbase" for hex in place.hexes}
        cities = {hex for hex in table.zones["egypt"] if table.terrain[hex] == "city"}
        return frozenset((kinds & table.zones["egypt"]) | cities) - self.mover.enemies

    @cached_property
    def _east(self) -> frozenset[Hex]:
        return self.here.table.zones["sinai"] | self.here.table.zones["israel"]

    @cached_property
    def _south(self) -> frozenset[Hex]:
        return self.here.table.edge("south") & self.here.table.zones["egypt"]

    @cached_property
    def _west_bank(self) -> frozenset[Hex]:
        canal = [side for side, kinds in self.here.table.hexsides.items() if "suez_canal" in kinds]
        return frozenset(hex for side in canal for hex in (side.a, side.b)) - self._east


def _near(hex: Hex, goals: frozenset[Hex]) -> int:
    return min((distance(hex, goal) for goal in goals), default=0)
