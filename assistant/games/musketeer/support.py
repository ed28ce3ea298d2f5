"""Lines of support of Operation Musketeer (21.3 to 21.7): in this game, supply."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from assistant.games.musketeer.contingents import contingent, label
from assistant.games.musketeer.field import Field, movement_of
from assistant.games.musketeer.ground import SEA, Lazy
from assistant.games.musketeer.trace import Trace
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.hexes import Hex, neighbours
from scenarios.maps import HexMap
from scenarios.position import Piece, Position
from scenarios.same import Same


class Line(NamedTuple):
    """A unit's line of support: the hexes from it to a source, or why there is none."""

    piece: Piece
    supplied: bool
    path: tuple[Hex, ...]
    by_road: bool
    why: str = ""
    rule: str = ""


class Cut(NamedTuple):
    """A hex, and the units that lose their line when an enemy stands there."""

    hex: Hex
    units: tuple[Piece, ...]


@dataclass(frozen=True)
class Support(Field):
    """The lines of support of a position."""

    def blocked(self, side: str) -> frozenset[Hex]:
        """The hexes that stop a side's lines: enemies and their zones of control (21.7)."""
        return self._blocked[side]

    @cached_property
    def _blocked(self) -> Mapping[str, frozenset[Hex]]:
        return {side: self.enemies[side] | self.zones[side] for side in self.game.sides}

    def sources(self, nation: str) -> frozenset[Hex]:
        """The logistics sources of a nation's contingent (21.4), by the scenario's `support` effects."""
        return self._sources.get(contingent(nation), frozenset())

    @cached_property
    def _sources(self) -> Mapping[str, frozenset[Hex]]:
        scenarios = self.game.scenarios
        name = self.position.scenario if self.position.scenario in scenarios else next(iter(scenarios))
        found: dict[str, frozenset[Hex]] = {}
        for special in scenarios[name].special:
            for effect in special.effects:
                if effect.effect != "support":
                    continue
                what, _, who = effect.value.rpartition(";")
                wanted = {word.strip() for word in what.split(",") if word.strip()}
                area = self.table.field if effect.at is None else self.ground.area(name, effect.at)
                own = contingent(effect.nation)
                holders = frozenset(
                    hex
                    for _, unit, hex in self.units
                    if (contingent(unit.nation) == own if who.strip() == "own" else unit.side == who.strip())
                )
                hexes = frozenset(h for h in holders if h in area and (not wanted or self.ground.kinds(h) & wanted))
                found[own] = found.get(own, frozenset()) | hexes
        return found

    def _flown(self, unit: Unit, hex: Hex) -> bool:
        """Whether an air supply marker of its own contingent is in a unit's hex; it serves no other hex (26.2)."""
        markers = self.ground.airdropped
        own = (piece for piece in self.position.pieces if piece.at == hex and piece.unit in markers)
        return any(contingent(unit.nation) in markers[piece.unit] for piece in own)

    def line(self, piece: Piece, unit: Unit, hex: Hex) -> Line:
        """One unit's line of support, or why it has none."""
        goal, path = self.sources(unit.nation), self.way(piece, unit, hex)
        if path is None:
            return Line(piece, False, (), False, *self._reason(unit, hex, goal, self._reach(piece, unit)))
        if len(path) == 1:
            return Line(piece, True, path, False, *(("on a source", "21.4") if hex in goal else ("air supply", "26.2")))
        return Line(piece, True, path, len(path) - 1 > self._reach(piece, unit))

    def _reach(self, piece: Piece, unit: Unit) -> int:
        return movement_of(self.game, unit, unit.back_state in piece.states)

    def way(self, piece: Piece, unit: Unit, hex: Hex) -> tuple[Hex, ...] | None:
        """The hexes of a line: as many as the unit's movement, twice as many all along roads and tracks (21.5, 21.6).

        The unit's own hex never stops it; every other hex, the source too, must be free (21.7, ruling support_ends).
        """
        goal, reach = self.sources(unit.nation), self._reach(piece, unit)
        if hex in goal or self._flown(unit, hex):
            return (hex,)
        trace = self._traces[contingent(unit.nation)]
        return trace.path(hex, reach, False) or trace.path(hex, 2 * reach, True)

    @cached_property
    def _traces(self) -> Mapping[str, Trace]:
        """For each contingent what its lines look for."""
        side = {contingent(nation): one.side for nation, one in self.game.nations.items()}
        return Lazy(lambda who: Trace(self.ground, self.sources(who), self.blocked(side[who])))

    @cached_property
    def _uncut(self) -> Mapping[str, Trace]:
        """The same if nobody cut them."""
        return Lazy(lambda who: Trace(self.ground, self.sources(who), frozenset()))

    def _reason(self, unit: Unit, hex: Hex, goal: frozenset[Hex], reach: int) -> tuple[str, str]:
        """Why there is no line, and by which rule: what stands on the shortest one that nobody cuts."""
        if not goal:
            return "its contingent holds no source", "21.4"
        free = self._uncut[contingent(unit.nation)]
        near = free.path(hex, reach, False) or free.path(hex, 2 * reach, True)
        if near is None:
            return "no source is near enough", "21.5"
        held = {at: label(self.game, other) for _, other, at in self.units if other.side != unit.side}
        for at in near[1:]:
            if at in held:
                return f"{held[at]} in {self.table.name(at)}", "21.7"
            if at in self.blocked(unit.side):
                whose = sorted({held[next_] for next_ in neighbours(at) if next_ in held})
                return f"the zone of control of {', '.join(whose) or 'an enemy'} in {self.table.name(at)}", "21.7"
        return "cut", "21.7"

    def lines(self, side: str) -> tuple[Line, ...]:
        """The lines of all ground units of a side."""
        return self._lines[side]

    @cached_property
    def _lines(self) -> Mapping[str, tuple[Line, ...]]:
        return {
            side: tuple(self.line(piece, unit, hex) for piece, unit, hex in self.units if unit.side == side)
            for side in self.game.sides
        }

    def cuts(self, side: str, most: int = 1) -> tuple[Cut, ...]:
        """The hexes where an enemy would cut most lines of a side, worst first. Units in the hex itself don't count."""
        lost: dict[Hex, list[Piece]] = {}
        for line in self.lines(side):
            if line.supplied and len(line.path) > 1:
                for hex in _around(line.path[1:]):
                    if hex != line.piece.at and self._stands(hex) and self._cut(line, hex):
                        lost.setdefault(hex, []).append(line.piece)
        found = [Cut(hex, tuple(pieces)) for hex, pieces in lost.items()]
        found.sort(key=lambda cut: (-len(cut.units), cut.hex))
        return tuple(found[:most])

    def _stands(self, hex: Hex) -> bool:
        return hex in self.table.names and self.table.terrain[hex] not in (SEA, "lake", "neutral")

    def _cut(self, line: Line, hex: Hex) -> bool:
        """Whether a unit loses its line when an enemy takes a hex, zone of control and all."""
        unit = self.game.units[line.piece.unit]
        reach, start = self._reach(line.piece, unit), line.path[0]
        trace, around = self._traces[contingent(unit.nation)], frozenset(_around([hex]))
        return not (trace.holds(start, reach, False, around) or trace.holds(start, 2 * reach, True, around))


def _around(hexes: Iterable[Hex]) -> set[Hex]:
    return {near for hex in hexes for near in (hex, *neighbours(hex))}


def support(game: Game, position: Position) -> Support:
    """The lines of support of a position; a set-up group with one unit for each of its hexes stands there already."""
    return _support(Same(game), Same(position))


@lru_cache(maxsize=8)
def _support(known: Same[Game], told: Same[Position]) -> Support:
    game, position = known.value, told.value
    table = game.scenario_maps.get(position.scenario) or next(iter(game.maps.values()))
    assert isinstance(table, HexMap)
    here = Support(game, table, position)
    return here if (settled := _settled(here)) is position else replace(here, position=settled)


def _settled(here: Support) -> Position:
    position = here.position
    scenario = here.game.scenarios.get(position.scenario)
    if scenario is None or not any(str(piece.at).startswith("setup:") for piece in position.pieces):
        return position
    homes: dict[str, list[Hex]] = {}
    for side, force in scenario.forces.items():
        for number, group in enumerate(force.groups, 1):
            spots = [] if group.at is None else sorted(here.ground.area(position.scenario, group.at))
            if spots and sum(group.units.values()) == len(spots):
                homes[f"setup:{side}/{group.id or number}"] = spots
    pieces = tuple(
        piece._replace(at=homes[str(piece.at)].pop(0)) if homes.get(str(piece.at)) else piece
        for piece in position.pieces
    )
    return replace(position, pieces=pieces)
