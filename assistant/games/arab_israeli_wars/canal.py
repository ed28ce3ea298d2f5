"""Over the Suez Canal: bridges, swimming, ferries and boats, and the turns that each takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from assistant.games.arab_israeli_wars.forces import CANAL, debouchments, east_bank, level_of, limit
from assistant.games.arab_israeli_wars.movement import Bar, Mover, Step, Steps, friends
from assistant.rules.field import Field, Standing
from scenarios.hexes import Hex, neighbours


def bridged(field: Field, hex: Hex) -> str:
    """The bridge in a canal hex: "pontoon" on a trench, "infantry" without (Standard VI.D, Advanced IV.C), or ""."""
    if "bridge" not in field.markers_at(hex):
        return ""
    return "pontoon" if "trench" in field.markers_at(hex) else "infantry"


def on_bridge(field: Field, hex: Hex, side: str) -> tuple[Standing, ...]:
    """The units on the bridge of a canal hex: those that can't swim, else the first that isn't a ferry."""
    if not bridged(field, hex):
        return ()
    there = friends(field, hex, side)
    dry = tuple(one for one in there if "amphibious" not in one.unit.abilities)
    return dry or tuple(one for one in there if "ferry" not in one.unit.abilities)[:1]


class Crossing(NamedTuple):
    """A way over the canal from a bank hex, and the turns it takes at least."""

    how: str
    canal: Hex
    far: tuple[Hex, ...]
    turns: int
    bar: Bar | None
    rule: str


def crossings(field: Field, mover: Mover, boats: Mapping[Hex, int] | None = None) -> tuple[Crossing, ...]:
    """Every way over the canal next to a unit: bridge, infantry bridge, swimming, ferry, boat (Suez Canal Chart).

    `boats` are the boats left in each canal hex (Advanced IV.D.2).
    """
    steps = Steps(field, mover)
    found: list[Crossing] = []
    for canal in (hex for hex in neighbours(mover.hex) if hex in field.hex_map and field.kinds.terrain(hex) == CANAL):
        doors = debouchments(field, canal)
        far = tuple(hex for hex in doors if hex != mover.hex)
        if mover.hex in doors:
            if kind := bridged(field, canal):
                way = steps.way(mover.hex, canal, "bridge")
                rule = "Advanced IV.C" if kind == "infantry" else "Standard VI.D"
                bar = way if isinstance(way, Bar) else None
                found.append(Crossing(f"{kind} bridge", canal, far, _turns(steps, way, canal, far), bar, rule))
            if mover.has("amphibious") and "trench" in field.markers_at(canal):
                way = steps.way(mover.hex, canal, "swim")
                found.append(Crossing("swimming", canal, far, 2, way if isinstance(way, Bar) else None, "Advanced IV.A"))
            for one in friends(field, canal, mover.side):
                if "ferry" in one.unit.abilities:
                    found.append(Crossing("ferry", canal, far, 2, _ferry_bar(field, mover, one), "Advanced IV.B"))
        if boats and boats.get(canal, 0):
            banks = tuple(
                hex for hex in neighbours(canal)
                if hex in field.hex_map and field.kinds.terrain(hex) != CANAL and east_bank(field, hex) != east_bank(field, mover.hex)
            )  # fmt: skip
            found.append(Crossing("assault boat", canal, banks, 2, _boat_bar(field, mover, canal), "Advanced IV.D"))
    return tuple(found)


def _turns(steps: Steps, onto: Step | Bar, canal: Hex, far: tuple[Hex, ...]) -> int:
    """One turn where the points reach onto the bridge and off again, else two."""
    off = [way for hex in far if not isinstance(way := steps.ways(canal, hex), Bar)]
    if isinstance(onto, Bar) or not off:
        return 2
    return 1 if onto.cost + min(step.cost for way in off for step in way) <= steps.mover.allowance else 2


def _ferry_bar(field: Field, mover: Mover, ferry: Standing) -> Bar | None:
    """A ferry loads one face-up unit from a bank hex of its cut, for a whole allowance (Advanced IV.B.2)."""
    if level_of(field) != "advanced":
        return Bar("ferries are an Advanced Rule", "Advanced IV.B")
    if {"inverted", "dispersed"} & (ferry.piece.states | mover.states):
        return Bar("ferry and passenger must be face up", "Advanced IV.B.2.f")
    return None


def _boat_bar(field: Field, mover: Mover, canal: Hex) -> Bar | None:
    """A boat loads one face-up infantry-class unit from any bank hex next to it (Advanced IV.D.3)."""
    if level_of(field) != "advanced":
        return Bar("assault boats are an Advanced Rule", "Advanced IV.D")
    if not mover.standing.fields["on_foot"]:
        return Bar("boats take infantry-class units only", "Advanced IV.D.3.a")
    if {"inverted", "dispersed"} & mover.states:
        return Bar("the passenger must be face up", "Advanced IV.D.3.g")
    there = field.by_place.get(field.kinds.number[canal], ())
    boats, most, stack = in_boats(field, canal), limit(field.game, "boats"), limit(field.game, "stacking_points")
    if boats >= most:
        return Bar(f"only {most} boats in a hex carry passengers at a time", "Advanced IV.D.3.d")
    if boats + sum(one.fields["stacking_points"] for one in there) + 1 > stack:
        return Bar(f"there would be more than {stack} stacking points", "Suez Canal Chart, note 1")
    return None


def in_boats(field: Field, canal: Hex) -> int:
    """How many boats carry a passenger: those aboard a unit stand behind it, the others are in boats (Basic V.B.5)."""
    count, room_left = 0, 0
    for one in field.by_place.get(field.kinds.number[canal], ()):
        if "loaded" not in one.piece.states:
            room_left = int(bool(one.unit.abilities & {"carries_any", "carries_infantry"}))
        elif room_left:
            room_left -= 1
        else:
            count += 1
    return count
