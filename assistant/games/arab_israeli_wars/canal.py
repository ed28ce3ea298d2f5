"""Over the Suez Canal: bridges, swimming, ferries and boats, and the turns that each takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from assistant.games.arab_israeli_wars.forces import BRIDGE, CANAL, debouchments, east_bank, level_of, limit
from assistant.rules.field import Field, Standing
from assistant.rules.planned import Bar, Paid
from scenarios.hexes import Hex, neighbours

if TYPE_CHECKING:
    from assistant.games.arab_israeli_wars.movement import Mover

FACE_DOWN = frozenset({"inverted", "dispersed"})


class Crossing(NamedTuple):
    """A way over the canal from a bank hex, and the turns it takes at least."""

    how: str
    canal: int
    far: tuple[int, ...]
    turns: int
    no: Bar | None
    rule: str


def crossings(mover: Mover, boats: Mapping[int, int]) -> tuple[Crossing, ...]:
    """Every way over the canal next to a unit: bridge, infantry bridge, swimming, ferry, boat (Suez Canal Chart).

    `boats` are the boats left in each canal hex (Advanced IV.D.2).
    """
    field = mover.field
    near = [hex for hex in neighbours(mover.hex) if hex in field.hex_map and field.kinds.terrain(hex) == CANAL]
    return tuple(one for hex in near for one in _over(mover, hex, bool(boats.get(field.kinds.number[hex]))))


def _over(mover: Mover, hex: Hex, boat: bool) -> Iterator[Crossing]:
    field, number, steps = mover.field, mover.field.kinds.number, mover.steps
    here, canal, markers, banks = mover.standing.at, number[hex], field.markers_at(hex), debouchments(field, hex)
    far = tuple(number[bank] for bank in banks if bank != mover.hex)
    if mover.hex in banks:
        if BRIDGE in markers:
            kind, rule = ("pontoon", "Standard VI.D") if "trench" in markers else ("infantry", "Advanced IV.C")
            way = steps.way(here, canal, "bridge")
            yield Crossing(
                f"{kind} bridge",
                canal,
                far,
                _turns(mover, way, canal, far),
                way if isinstance(way, Bar) else None,
                rule,
            )
        if mover.standing.fields["amphibious"] and "trench" in markers:
            way = steps.way(here, canal, "swim")
            yield Crossing("swimming", canal, far, 2, way if isinstance(way, Bar) else None, "Advanced IV.A")
        for ferry in field.stack(canal, mover.standing.side):
            if ferry.fields["ferry"] and ferry.fields["stacking_points"]:
                yield Crossing("ferry", canal, far, 2, _no_ferry(mover, ferry), "Advanced IV.B")
    if boat:
        land = [near for near in neighbours(hex) if near in number and field.kinds.terrain(near) != CANAL]
        over = tuple(number[near] for near in land if east_bank(field, near) != east_bank(field, mover.hex))
        yield Crossing("assault boat", canal, over, 2, _no_boat(mover, canal), "Advanced IV.D")


def _turns(mover: Mover, onto: Paid | Bar, canal: int, far: tuple[int, ...]) -> int:
    """One turn where the points reach onto the bridge and off again, else two."""
    off = [way.points for n in far if not isinstance(ways := mover.steps.ways(canal, n), Bar) for way in ways]
    return 1 if isinstance(onto, Paid) and off and onto.points + min(off) <= mover.allowance else 2


def _no_ferry(mover: Mover, ferry: Standing) -> Bar | None:
    """A ferry loads one face-up unit from a bank hex of its cut, for a whole allowance (Advanced IV.B.2)."""
    if level_of(mover.field) != "advanced":
        return Bar("ferries are an Advanced Rule", "Advanced IV.B")
    if FACE_DOWN & (ferry.piece.states | mover.standing.piece.states):
        return Bar("ferry and passenger must be face up", "Advanced IV.B.2.f")
    return None


def _no_boat(mover: Mover, canal: int) -> Bar | None:
    """A boat loads one face-up infantry-class unit from any bank hex next to it (Advanced IV.D.3)."""
    field = mover.field
    if level_of(field) != "advanced":
        return Bar("assault boats are an Advanced Rule", "Advanced IV.D")
    if not mover.standing.fields["on_foot"]:
        return Bar("boats take infantry-class units only", "Advanced IV.D.3.a")
    if FACE_DOWN & mover.standing.piece.states:
        return Bar("the passenger must be face up", "Advanced IV.D.3.g")
    boats, most, stack = in_boats(field, canal), limit(field.game, "boats"), limit(field.game, "stacking_points")
    if boats >= most:
        return Bar(f"only {most} boats in a hex carry passengers at a time", "Advanced IV.D.3.d")
    if boats + sum(one.fields["stacking_points"] for one in field.by_place.get(canal, ())) + 1 > stack:
        return Bar(f"there would be more than {stack} stacking points", "Suez Canal Chart, note 1")
    return None


def in_boats(field: Field, canal: int) -> int:
    """How many boats carry a passenger: those aboard a unit stand behind it, the others are in boats (Basic V.B.5)."""
    count, room_left = 0, 0
    for one in field.by_place.get(canal, ()):
        if "loaded" not in one.piece.states:
            room_left = int(one.fields["carries_any"] or one.fields["carries_infantry"])
        elif room_left:
            room_left -= 1
        else:
            count += 1
    return count
