"""Supply: from the map's edge to headquarters to units (1.6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from assistant.games.yom_kippur.field import SIDES, Field, Stand, other
from assistant.shared.hexpaths import Net, Tree, grow
from assistant.shared.traces import Claim, Source, cuts
from scenarios.hexes import Hex

NOTHING: frozenset[Hex] = frozenset()
EDGES = {"egyptian": "west_edge", "israeli": "east_edge"}
EDGE_NAMES = {"egyptian": "the west edge", "israeli": "the east edge"}


@dataclass(frozen=True)
class Line:
    """One unit: in or out of supply, by whom, over which hexes; or what keeps supply from it."""

    stand: Stand
    supplied: bool
    rule: str
    by: str = ""
    path: tuple[Hex, ...] = ()
    points: Fraction | None = None
    reason: str = ""
    blocked: tuple[Hex, ...] = ()


@dataclass(frozen=True)
class Threat:
    """A hex and the units that would be out of supply if the enemy stood there."""

    hex: Hex
    names: tuple[str, ...]


@dataclass(frozen=True)
class SideSupply:
    """One side's supply."""

    side: str
    lines: tuple[Line, ...]
    threats: tuple[Threat, ...]

    @property
    def out(self) -> tuple[Line, ...]:
        """The units that are out of supply."""
        return tuple(line for line in self.lines if not line.supplied)


def supply(
    field: Field, *, sides: Iterable[str] = SIDES, most: int = 3, zone: bool = False, lost: Set[Hex] = NOTHING
) -> tuple[SideSupply, ...]:
    """The supply of both sides or of some, with the `most` hexes whose loss would cut most units (1.6).

    With `zone` the enemy who takes the hex brings a zone of control along. `lost` are hexes that, what if, the enemy of
    either side has taken already; who stands there is gone.
    """
    return tuple(side_supply(field, side, most=most, zone=zone, lost=lost) for side in sides)


def side_supply(
    field: Field, side: str, *, most: int = 3, zone: bool = False, lost: Set[Hex] = NOTHING
) -> SideSupply:
    """The supply of one side."""
    mine = tuple(stand for stand in field.of(side) if stand.hex not in lost)
    trace = _Trace(field, side, mine, lost, zone)
    claims = {stand.key: trace.claim(stand) for stand in mine if "always_supplied" not in stand.unit.abilities}
    lines = tuple(trace.line(stand, claims.get(stand.key)) for stand in mine)
    friends, beside = trace.friends, field.ground.beside

    def taken(place: int) -> frozenset[int]:
        return beside[place] - friends

    def around(place: int) -> frozenset[int]:
        return frozenset() if place in friends else beside[place]

    enemy = [trace.numbers[hex] for hex in field.held[other(side)]]
    found = cuts(
        list(claims.values()), most=most, barred=enemy,
        taken=taken if zone else None, around=around if zone else None,
    )  # fmt: skip
    names = {stand.key: stand.name for stand in mine}
    threats = tuple(Threat(trace.net.places[cut.place], tuple(names[name] for name in cut.names)) for cut in found)
    return SideSupply(side, lines, threats)


def in_supply(field: Field, side: str, stands: Iterable[Stand]) -> tuple[Stand, ...]:
    """Those of a side's units that are in supply, without how."""
    key = side, "trace"
    if key not in field.ways:
        field.ways[key] = _Trace(field, side, field.of(side), NOTHING, False)
    trace: _Trace = field.ways[key]
    return tuple(s for s in stands if "always_supplied" in s.unit.abilities or trace.claim(s).best() is not None)


class _Trace:
    """The sources of one side and the ways from them."""

    def __init__(self, field: Field, side: str, mine: tuple[Stand, ...], lost: Set[Hex], zone: bool) -> None:
        self.field, self.side = field, side
        self.table = field.ground.table
        self.net: Net[Hex] = field.ground.net(field.bridges[side])
        self.numbers: Mapping[Hex, int] = self.net.numbers
        self.friends = frozenset(self.numbers[stand.hex] for stand in mine)
        taken = frozenset(self.numbers[hex] for hex in lost)
        if zone:
            taken |= frozenset(n for place in taken for n in field.ground.beside[place]) - self.friends
        self.shut = frozenset(self.numbers[hex] for hex in field.shut(side)) | taken
        self.starts = [self.numbers[hex] for hex in self.table.zones[EDGES[side]]]
        self.mine = mine
        self._open: dict[str, Tree] = {}

    @cached_property
    def edge(self) -> Source:
        """The side's edge of the map (1.6a)."""
        return self._source(self.shut)

    @cached_property
    def bank(self) -> Source | None:
        """Egypt's edge, on the west bank alone (1.6c)."""
        return self._source(self.shut | self.field.ground.east_numbers) if self.side == "egyptian" else None

    @cached_property
    def headquarters(self) -> list[tuple[Stand, Source]]:
        """The side's headquarters, each with what it reaches if it is in supply itself (1.6a, 1.6b)."""
        found = []
        for stand in self.mine:
            if "supplies" in stand.unit.abilities:
                root, reach = self.numbers[stand.hex], int(stand.factor("supply_range") * self.net.scale)
                tree = grow(self.net.steps, [root], self.shut, reach) if root in self.edge.tree.costs else Tree({}, {})
                found.append((stand, Source(stand.name, self.net.back, tree, reach, root, self.edge)))
        return found

    def _source(self, shut: frozenset[int]) -> Source:
        return Source(EDGE_NAMES[self.side], self.net.back, grow(self.net.steps, self.starts, shut))

    def servers(self, stand: Stand) -> list[Source]:
        """The headquarters that may supply a unit: any of its side, of a superpower only its own (1.6b, 1.15d)."""
        own = "own_supply" in stand.unit.abilities
        return [source for hq, source in self.headquarters if not own or hq.unit.nation == stand.unit.nation]

    def claim(self, stand: Stand) -> Claim:
        """What would supply a unit.

        A headquarters needs a way from its map edge (1.6a); an Egyptian one from the west bank alone, on that bank or
        just across the canal from it (1.6c); everybody else a headquarters that gets next to it (1.6b). A superpower's
        unit has only its own (1.15d).
        """
        home = self.numbers[stand.hex]
        if "supplies" in stand.unit.abilities:
            return Claim(stand.key, home, frozenset((home,)), (self.edge,))
        touch = self.field.ground.beside[home] | {home}
        sources = self.servers(stand)
        if self.bank is not None and "own_supply" not in stand.unit.abilities:
            sources.insert(0, self.bank)
        return Claim(stand.key, home, touch, tuple(sources))

    def line(self, stand: Stand, claim: Claim | None) -> Line:
        """How a unit stands with its supply."""
        if claim is None:
            return Line(stand, True, "1.6d", "itself")
        best = claim.best()
        if best is None:
            return self._out(stand, claim)
        source, place = best
        path = tuple(self.net.places[n] for n in source.way(place))
        if source.root is None:
            return Line(stand, True, "1.6a" if "supplies" in stand.unit.abilities else "1.6c", source.name, path)
        return Line(stand, True, "1.6b", source.name, path, self.net.points(source.tree.costs[place]))

    def _unhindered(self, source: Source, starts: list[int]) -> Tree:
        """The ways there would be if no enemy were about."""
        if source.name not in self._open:
            self._open[source.name] = grow(self.net.steps, starts)
        return self._open[source.name]

    def _out(self, stand: Stand, claim: Claim) -> Line:
        """Why a unit is out of supply: the enemies on the way it would have, or no way at all."""
        if "supplies" in stand.unit.abilities:
            tree = self._unhindered(self.edge, self.starts)
            if claim.home not in tree.costs:
                return Line(stand, False, "1.6a", reason=f"no way from {self.edge.name} is passable")
            return self._blocked(stand, "1.6a", f"the way from {self.edge.name}", tree.path(claim.home))
        found: list[tuple[int, str, Line]] = []
        for hq, source in self.headquarters:
            if source not in claim.sources or source.root is None:
                continue
            tree = self._unhindered(source, [source.root])
            places = [place for place in claim.touch if place in tree.costs]
            if not places:
                continue
            place = min(places, key=lambda p: (tree.costs[p], p))
            cost, points, reach = tree.costs[place], self.net.points(tree.costs[place]), hq.factor("supply_range")
            if points > reach:
                reason = f"{hq.name} reaches {reach} points and this is {points} away"
                line = Line(stand, False, "1.6b", hq.name, points=points, reason=reason)
            elif source.root not in self.edge.tree.costs:
                line = Line(stand, False, "1.6a", hq.name, points=points, reason=f"{hq.name} has no supply itself")
            else:
                line = self._blocked(stand, "1.6b", f"the way from {hq.name}", tree.path(place))
            found.append((cost - int(reach * self.net.scale), hq.name, line))
        if not found:
            why = "no headquarters has a passable way next to it" if claim.sources else "it has no headquarters of its own"
            return Line(stand, False, "1.6e", reason=why)
        return min(found, key=lambda item: item[:2])[2]

    def _blocked(self, stand: Stand, rule: str, what: str, way: tuple[int, ...]) -> Line:
        hexes = tuple(self.net.places[n] for n in way if n in self.shut)
        foe = other(self.side)
        whose = []
        for hex in hexes:
            inside = self.field.held[foe].get(hex)
            who = inside or self.field.zones[foe].get(hex, ())
            verb = "held by" if inside else "in the zone of"
            names = f"{verb} {', '.join(s.name for s in who)}" if who else "taken"
            whose.append(f"{self.table.name(hex)} ({names})")
        path = tuple(self.net.places[n] for n in way)
        return Line(stand, False, rule, path=path, reason=f"{what} is cut at {'; '.join(whose)}", blocked=hexes)
