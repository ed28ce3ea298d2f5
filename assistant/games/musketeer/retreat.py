"""Retreats of Operation Musketeer: withdrawals and routs, hex by hex (16.0)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from assistant.games.musketeer.contingents import contingent
from assistant.games.musketeer.ends import sheltered
from assistant.games.musketeer.ground import Lazy
from assistant.games.musketeer.harms import harms
from assistant.games.musketeer.roads import MIXED, Road, roads
from assistant.games.musketeer.stacking import fits
from assistant.games.musketeer.support import Support
from scenarios.counters import Unit
from scenarios.dice import dice
from scenarios.hexes import Hex
from scenarios.same import Same

FURTHER = 4
"""How many hexes more a unit looks for one where it may stack (16.4 d)."""


class Fate(NamedTuple):
    """The best that can become of a unit that retreats so many hexes; no road where it is eliminated on the way."""

    hexes: int
    road: Road | None
    ends: tuple[Hex, ...]
    """The hexes where it can end with as little harm."""
    eliminated: bool
    disrupted: bool


class Costs(NamedTuple):
    """What a retreat costs."""

    eliminated: Fraction
    disrupted: Fraction


@dataclass(frozen=True)
class Retreat:
    """A unit that must retreat from a hex."""

    here: Support
    unit: Unit
    start: Hex
    disrupted: bool = False
    landed: bool = False
    """It is in a direct assault: lost if it has to retreat (29.5)."""

    @property
    def stays(self) -> bool:
        """Whether it ignores a retreat and takes DR as D; it may go all the same, unless it is static (16.1, 16.5)."""
        return sheltered(self.unit, self.here.table.terrain[self.start])

    @cached_property
    def routs(self) -> bool:
        """Whether it routs; otherwise it withdraws (16.1)."""
        table = self.here.game.tables["contingents"]
        code = table.cell(contingent(self.unit.nation), table.named_column("retreat")).code
        return code.startswith("routs") and not ("airborne withdraws" in code and "airborne" in self.unit.abilities)

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

    @property
    def costs(self) -> Costs:
        """The chances that a unit which goes is eliminated and that it is disrupted."""
        if self.unit.class_ == "static" or self.landed:
            return Costs(Fraction(1), Fraction(0))  # 16.1, 29.5
        harms = [self.harm(hexes) for hexes in (dice("1d6") if self.routs else (1,))]
        hurt = [harm is not None and (self.disrupted or harm > 0) for harm in harms]
        return Costs(Fraction(harms.count(None), len(harms)), Fraction(sum(hurt), len(harms)))

    def harm(self, hexes: int) -> int | None:
        """The disruptions of the best retreat of so many hexes, as `fate` finds it; None if it is eliminated."""
        known, steps, forts = harms(Same(self.here), self.unit.nation, self.start), self._steps, self._forts
        for way in self._ways:
            early = [
                known.at(way, gone)[hex]
                for gone in range(1, hexes) if forts
                for hex in known.at(way, gone).keys() & forts
                if self._may_end[hex]
            ]  # fmt: skip
            for gone in range(hexes, hexes + FURTHER + 1):
                ended = [harm for hex, harm in known.at(way, gone).items() if harm < steps and self._may_end[hex]]
                if ended:
                    return min([*ended, *(harm for harm in early if harm < steps)])
            if any(harm < steps for harm in early):
                return min(early)
        return None

    def fate(self, hexes: int) -> Fate:
        """The best end of a retreat of so many hexes: alive if any path allows, then in the order of 16.3 (16.4 g)."""
        for way in self._ways:
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
        known, steps, forts = roads(Same(self.here), self.unit.nation, self.start), self._steps, self._forts
        before = (road for gone in range(1, hexes) for road in known.of(way, gone, steps)) if forts else ()
        early = [road for road in before if road.path[-1] in forts and self._may_end[road.path[-1]]]
        for gone in range(hexes, hexes + FURTHER + 1):
            ended = [road for road in known.of(way, gone, steps) if self._may_end[road.path[-1]]]
            if ended:
                return [*ended, *early]
        return early

    @property
    def _ways(self) -> tuple[str, ...]:
        """The directions in the order of 16.3; any, where it withdraws (16.2)."""
        west = "c" if self.start in self.here.ground.east else "b"
        return ("a", west, MIXED) if self.routs else ("",)

    @property
    def _steps(self) -> int:
        """Disruptions that eliminate it (15.3)."""
        return 1 if self.disrupted or self.unit.back is None else 2

    @property
    def _forts(self) -> frozenset[Hex]:
        """Where it may end early (16.5)."""
        return self.here.ground.forts if contingent(self.unit.nation) == "egypt" else frozenset()

    @cached_property
    def _may_end(self) -> Mapping[Hex, bool]:
        side, game, stacks = self.unit.side, self.here.game, self.here.stacks
        alone = fits(game, [self.unit])
        return Lazy(lambda hex: fits(game, [*stacks[side, hex], self.unit]) if (side, hex) in stacks else alone)
