"""What one step from hex to hex costs a unit, or why it can't be taken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from assistant.games.arab_israeli_wars.ground import MORAINE, Ground
from assistant.games.arab_israeli_wars.traffic import (
    ROAD_STACK,
    Bar,
    Occupant,
    Traffic,
    is_infantry,
    points,
    room,
    wreckage,
)
from scenarios.counters import Unit
from scenarios.hexes import Hex, hexside

ZERO, HALF, ONE = Fraction(0), Fraction(1, 2), Fraction(1)
HELICOPTER_STEP = ONE
"""Advanced I.E.2."""
LOW_STEP = Fraction(2)
"""A helicopter that is down (Optional I.D.2.d)."""
QUICK_STEP = HALF
"""Advanced II.C.2.a."""
PENALTY = ONE
"""Advanced II.D.2."""
TOWING = ONE
"""The allowance of an Israeli unit with a bridge (Advanced V.D.2.b)."""


@dataclass(frozen=True)
class Mover:
    """The unit that moves: where, in which states, whom it carries, and how it means to go."""

    unit: Unit
    hex: Hex
    side: str
    copy: str = ""
    states: frozenset[str] = frozenset()
    passengers: tuple[Occupant, ...] = ()
    bridge: bool = False
    """It carries a bridge."""
    quick: bool = False
    """It is on a quick march (Advanced II.C)."""

    @property
    def allowance(self) -> Fraction:
        """The printed allowance, or 1 with a bridge in tow (Standard III.B, Advanced V.D.2.b)."""
        printed = self.unit.factors["movement"]
        assert isinstance(printed, Fraction)
        return TOWING if self.bridge and self.unit.class_ == "battle_tank" else printed

    @property
    def air(self) -> bool:
        return self.unit.class_ == "air"

    @property
    def low(self) -> bool:
        """A helicopter that is down (Optional I.C)."""
        return self.air and "down" in self.states

    def has(self, ability: str) -> bool:
        return ability in self.unit.abilities


class Part(NamedTuple):
    """One thing that a step is paid for."""

    text: str
    points: Fraction
    rule: str


class Step(NamedTuple):
    """A step from a hex to its neighbour."""

    start: Hex
    end: Hex
    cost: Fraction
    parts: tuple[Part, ...]
    road: bool = False
    only: bool = False
    """The unit must start next to this hex, and goes no further."""
    note: str = ""


def budget(mover: Mover, here: Traffic) -> Fraction | Bar:
    """How many points a unit may spend now, or why none.

    Inverted and dispersed units stay (Basic V.A.1), but for split move and fire, half the allowance (Standard III),
    and helicopters (Advanced I.E.2.c).
    """
    unit, states = mover.unit, mover.states
    if unit.id in here.held.get(mover.side, ()):
        return Bar("the Situation doesn't let it move", "special rules")
    if "loaded" in states:
        return Bar("a passenger goes where its carrier goes", "Basic V.B.6")
    if mover.air and not mover.allowance:
        return Bar("airplanes are placed, they don't move", "Advanced I.B.3")
    if not mover.allowance:
        return Bar("it can't move by itself", "Basic II.A, V.B.3")
    if mover.quick and not mover.has("special_infantry"):
        return Bar("only special infantry may quick-march", "Advanced II.C.1")
    if mover.quick and here.level != "advanced":
        return Bar("quick march is an Advanced Rule", "Advanced II.C")
    if "committed" in states:
        return Bar("it is written down for indirect fire", "Standard II.A.1")
    if mover.air and not mover.low:
        return mover.allowance
    if "dispersed" in states:
        return Bar("it is dispersed", "Basic V.A.1, Standard III.A.1")
    if "inverted" not in states:
        return mover.allowance
    if mover.low:
        return Bar("a helicopter that is down moves face up only", "Optional I.D.2.a")
    if not mover.has("split_move_fire") or here.level == "basic":
        return Bar("it is inverted", "Basic V.A.1")
    return mover.allowance / 2


@dataclass(frozen=True, eq=False)
class Rates:
    """The Terrain Effects Chart for one unit: the truck column at the truck rate, else the other (UFT key)."""

    ground: Ground
    mover: Mover
    here: Traffic

    @cached_property
    def _cells(self) -> Mapping[str, Fraction | None]:
        chart = self.ground.game.tables["terrain"]
        column = chart.named_column("truck" if self.mover.has("truck_rate") else "move")
        return {row: None if (text := cells[column]) == "no" else Fraction(text) for row, cells in chart.cells.items()}

    def of(self, kind: str) -> Fraction | None:
        """The points for a kind of hex, hexside or road; None where there is no way."""
        return self._cells[kind]

    @cached_property
    def _roads(self) -> frozenset[Hex]:
        return frozenset(hex for path in self.ground.table.paths if path.kind == "road" for hex in path.hexes)

    @cached_property
    def _ends_road(self) -> frozenset[str]:
        chart = self.ground.game.tables["neutral_counters"]
        column = chart.named_column("ends road")
        return frozenset(row for row, cells in chart.cells.items() if cells[column] == "yes")

    def road_hex(self, hex: Hex) -> bool:
        """Whether a hex holds a road: drawn or a town, and no counter ends it (Basic V.C.5, V.C.6, Standard V.H.3)."""
        works = self.ground.works.get(hex, frozenset())
        ends = works & self._ends_road - ({"trench"} if "bridge" in works else frozenset())
        return not ends and (hex in self._roads or self.ground.kind(hex) == "town")

    def along_road(self, a: Hex, b: Hex) -> bool:
        """Whether a step follows a road, but for the stack in the hex entered (Basic V.C.1.a-c)."""
        if not (self.road_hex(a) and self.road_hex(b)):
            return False
        towns = self.ground.kind(a) == self.ground.kind(b) == "town" and self.ground.reading("town_road") == "towns"
        return towns or "road" in self.ground.table.path_sides.get(hexside(a, b), ())


def land_steps(rates: Rates, a: Hex, b: Hex) -> tuple[Step, ...] | Bar:
    """Steps on dry land: the road rate, the terrain's cost, a bridge laid ahead."""
    ground, mover, here = rates.ground, rates.mover, rates.here
    works = ground.works.get(b, frozenset())
    if "trench" in works and "bridge" not in works and mover.has("bridging") and here.level != "basic":
        return _laying(rates, a, b)
    bar = room(ground, mover.unit, mover.side, here, b)
    if bar is None and "bridge" in works and "trench" in works and not is_infantry(mover.unit):
        taken = ground.reading("bridge_wrecks") == "taken" and wreckage(ground, b)
        bar = Bar("a wreck takes the bridge's one point", "Standard V.H.2") if taken else None
    if bar is None and b in here.shut:
        bar = Bar("nobody moves onto a dispersed bridge", "Standard VI.E.5.b")
    if bar is not None:
        return bar
    only = "block" in works
    note = "stops on the block" if only else ""
    found: list[Step] = []
    if rates.along_road(a, b) and points(ground, here, b, mover.side) <= ROAD_STACK:
        road = rates.of("road")
        assert road is not None
        found.append(Step(a, b, road, (Part("road", road, "Basic V.C.3"),), True, only, note))
    parts = open_ground(rates, a, b)
    if isinstance(parts, Bar):
        return tuple(found) or parts
    found.append(Step(a, b, sum((part.points for part in parts), ZERO), parts, False, only, note))
    return tuple(sorted(found, key=lambda step: (step.cost, not step.road)))


def open_ground(rates: Rates, a: Hex, b: Hex) -> tuple[Part, ...] | Bar:
    """The hex entered and the hexside crossed, off the road (Basic V.A.6.b, Advanced II.C, II.D)."""
    ground, mover = rates.ground, rates.mover
    kind = ground.kind(b)
    cost = rates.of(kind)
    if cost is None:
        return Bar(f"there is no way into {ground.game.terrain[kind].name}", "Terrain Effects Chart")
    parts = [Part(ground.game.terrain[kind].name.lower(), cost, "Terrain Effects Chart")]
    if mover.quick and kind != "slope":
        parts = [Part("quick march", QUICK_STEP, "Advanced II.C.2.a")]
    side = hexside(a, b)
    kinds = ground.side_kinds(side)
    for one in sorted(kinds):
        more = rates.of(one)
        if more is None:
            return Bar(f"nobody crosses a {ground.game.hexsides[one].name.lower()}", "Standard VI.B.2")
        parts.append(Part(ground.game.hexsides[one].name.lower(), more, "Terrain Effects Chart"))
    free = side in ground.cuts and ground.reading("cut_penalty") == "free"
    if mover.has("cross_country") and rates.here.level == "advanced" and kinds - {MORAINE} and not free:
        parts.append(Part("cross-country penalty", PENALTY, "Advanced II.D"))
    return tuple(parts)


def _laying(rates: Rates, a: Hex, b: Hex) -> tuple[Step, ...] | Bar:
    """A bridge layer drives onto the trench next to it and bridges it (Standard V.H.1, VII.B.2)."""
    ground, mover, here = rates.ground, rates.mover, rates.here
    works = ground.works.get(b, frozenset())
    if any(one in ("block", "wreck", "double_wreck") or one.startswith("mine_") for one in works):
        return Bar("no bridge is laid on a mine, block or wreck", "Standard V.H.1")
    bridged = ground.with_works({b: works | {"bridge"}})
    bar = room(bridged, mover.unit, mover.side, here, b)
    if bar is not None:
        return bar
    full = mover.allowance
    return (Step(a, b, full, (Part("lays a bridge", full, "Standard VII.B.2"),), False, True, "lays a bridge"),)

