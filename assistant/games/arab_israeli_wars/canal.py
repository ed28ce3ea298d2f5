"""Ways over the Suez Canal: bridges, swimming, ferries and boats, and the turns that each takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from assistant.engine.field import Field
from assistant.engine.movement.route_plan import MoveRefusal, Payment
from assistant.engine.placed_units import PlacedUnit
from assistant.games.arab_israeli_wars.forces import BRIDGE, CANAL, level_of, limit
from assistant.games.arab_israeli_wars.mover import MovingUnit
from scenarios.model.hexes import Hex, neighbour, neighbours, sides

FACE_DOWN = frozenset({"inverted", "dispersed"})
MORAINE = "moraine"


class Crossing(NamedTuple):
    """A way over the canal from a bank hex, and the least number of turns it takes."""

    means: str
    canal: int
    far_banks: tuple[int, ...]
    turns: int
    no: MoveRefusal | None
    rule: str


def crossings(mover: MovingUnit, boats: Mapping[int, int]) -> tuple[Crossing, ...]:
    """Return every way over the canal next to a unit: bridge, infantry bridge, swimming, ferry, boat (Suez Canal
    Chart).

    `boats` are the boats left in each canal hex (Advanced IV.D.2).
    """
    field = mover.field
    canal_hexes = [
        hex for hex in neighbours(mover.hex) if hex in field.hex_map and field.map_index.terrain(hex) == CANAL
    ]
    return tuple(
        crossing
        for hex in canal_hexes
        for crossing in _crossings_over(mover, hex, bool(boats.get(field.map_index.number[hex])))
    )


def _crossings_over(mover: MovingUnit, hex: Hex, boat: bool) -> Iterator[Crossing]:
    field, number, steps = mover.field, mover.field.map_index.number, mover.steps
    start, canal, markers, banks = (
        mover.placed_unit.place,
        number[hex],
        field.markers_at(hex),
        _debouchments(field, hex),
    )
    far_banks = tuple(number[bank] for bank in banks if bank != mover.hex)
    if mover.hex in banks:
        if BRIDGE in markers:
            kind, rule = ("pontoon", "Standard VI.D") if "trench" in markers else ("infantry", "Advanced IV.C")
            way = steps.way(start, canal, "bridge")
            turns = _turns(mover, way, canal, far_banks)
            yield Crossing(f"{kind} bridge", canal, far_banks, turns, _refusal(way), rule)
        if mover.placed_unit.fields["amphibious"] and "trench" in markers:
            swim = _refusal(steps.way(start, canal, "swim"))
            yield Crossing("swimming", canal, far_banks, 2, swim, "Advanced IV.A")
        for ferry in field.stack(canal, mover.placed_unit.side):
            if ferry.fields["ferry"] and ferry.fields["stacking_points"]:
                yield Crossing("ferry", canal, far_banks, 2, _no_ferry(mover, ferry), "Advanced IV.B")
    if boat:
        land = [near for near in neighbours(hex) if near in number and field.map_index.terrain(near) != CANAL]
        is_east = _is_east_bank(field, mover.hex)
        opposite_banks = tuple(number[near] for near in land if _is_east_bank(field, near) != is_east)
        yield Crossing("assault boat", canal, opposite_banks, 2, _no_boat(mover, canal), "Advanced IV.D")


def _refusal(way: Payment | MoveRefusal) -> MoveRefusal | None:
    return way if isinstance(way, MoveRefusal) else None


def _is_east_bank(field: Field, hex: Hex) -> bool:
    """Whether a hex is a bank hex on the canal's east side, by where north is (Standard VI.E.1)."""
    return bool(field.map_index.map_value(field.map_index.number[hex], f"{CANAL}_west"))


def _debouchments(field: Field, canal: Hex) -> tuple[Hex, ...]:
    """Return the two bank hexes behind a canal hex's entry hexsides, which are opposite each other and both moraine
    (Advanced IV)."""
    map = field.hex_map
    moraine = [MORAINE in map.hexsides.get(side, ()) for side in sides(canal)]
    banks = (neighbour(canal, d) for d in range(6) if moraine[d] and moraine[(d + 3) % 6])
    return tuple(hex for hex in banks if hex in map)


def _turns(mover: MovingUnit, entry_step: Payment | MoveRefusal, canal: int, far_banks: tuple[int, ...]) -> int:
    """Return one turn where the points reach onto the bridge and off again, else two."""
    exit_points = [
        way.points for n in far_banks if not isinstance(ways := mover.steps.ways(canal, n), MoveRefusal) for way in ways
    ]
    return (
        1
        if isinstance(entry_step, Payment) and exit_points and entry_step.points + min(exit_points) <= mover.allowance
        else 2
    )


def _no_ferry(mover: MovingUnit, ferry: PlacedUnit) -> MoveRefusal | None:
    """Return why a ferry can't load the unit: it loads one face-up unit from a bank hex of its cut, for a whole
    allowance (Advanced IV.B.2)."""
    if level_of(mover.field) != "advanced":
        return MoveRefusal("ferries are an Advanced Rule", "Advanced IV.B")
    if FACE_DOWN & (ferry.piece.states | mover.placed_unit.piece.states):
        return MoveRefusal("ferry and passenger must be face up", "Advanced IV.B.2.f")
    return None


def _no_boat(mover: MovingUnit, canal: int) -> MoveRefusal | None:
    """Return why a boat can't load the unit: it loads one face-up infantry-class unit from any adjacent bank hex
    (Advanced IV.D.3)."""
    field = mover.field
    if level_of(field) != "advanced":
        return MoveRefusal("assault boats are an Advanced Rule", "Advanced IV.D")
    if not mover.placed_unit.fields["on_foot"]:
        return MoveRefusal("boats carry infantry-class units only", "Advanced IV.D.3.a")
    if FACE_DOWN & mover.placed_unit.piece.states:
        return MoveRefusal("the passenger must be face up", "Advanced IV.D.3.g")
    boats, max_boats, stack = in_boats(field, canal), limit(field.game, "boats"), limit(field.game, "stacking_points")
    if boats >= max_boats:
        return MoveRefusal(f"only {max_boats} boats in a hex carry passengers at a time", "Advanced IV.D.3.d")
    if boats + sum(unit.fields["stacking_points"] for unit in field.by_place.get(canal, ())) + 1 > stack:
        return MoveRefusal(f"there would be more than {stack} stacking points", "Suez Canal Chart, note 1")
    return None


def in_boats(field: Field, canal: int) -> int:
    """Return how many boats carry a passenger. Passengers aboard a unit follow it in the list; the others are in
    boats (Basic V.B.5)."""
    count, room_left = 0, 0
    for unit in field.by_place.get(canal, ()):
        if "loaded" not in unit.piece.states:
            room_left = int(unit.fields["carries_any"] or unit.fields["carries_infantry"])
        elif room_left:
            room_left -= 1
        else:
            count += 1
    return count
