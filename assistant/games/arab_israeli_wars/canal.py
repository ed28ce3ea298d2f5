"""The Suez Canal: cuts, bridges, swimmers, ferries and boats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from assistant.games.arab_israeli_wars.ground import CANAL, Ground
from assistant.games.arab_israeli_wars.steps import (
    QUICK_STEP,
    ZERO,
    Mover,
    Part,
    Rates,
    Step,
    open_ground,
)
from assistant.games.arab_israeli_wars.traffic import STACK, Bar, Occupant, Traffic, is_infantry, room, wreckage
from scenarios.hexes import Hex, hexside, neighbour, neighbours

BOATS = 4
"""Boats with passengers in a hex at once (Advanced IV.D.3.d)."""


def debouchments(ground: Ground, canal: Hex) -> tuple[Hex, ...]:
    """The two bank hexes behind a canal hex's entry hexsides (Advanced IV)."""
    return tuple(neighbour(canal, d) for d in ground.entries.get(canal, ()) if neighbour(canal, d) in ground.table)


def bridged(ground: Ground, hex: Hex) -> str:
    """The bridge in a canal hex: "pontoon" on a trench, "infantry" without (Standard VI.D, Advanced IV.C), or ""."""
    if not ground.has(hex, "bridge"):
        return ""
    return "pontoon" if ground.has(hex, "trench") else "infantry"


def on_bridge(ground: Ground, here: Traffic, hex: Hex, side: str) -> tuple[Occupant, ...]:
    """The units on the bridge of a canal hex: those that can't swim, else the first that isn't a ferry."""
    friends = here.friends(hex, side)
    if not bridged(ground, hex):
        return ()
    dry = tuple(one for one in friends if "amphibious" not in one.unit.abilities)
    return dry or tuple(one for one in friends if "ferry" not in one.unit.abilities)[:1]


def in_water(ground: Ground, here: Traffic, hex: Hex, side: str) -> tuple[Occupant, ...]:
    """The swimmers of a canal hex: the amphibious units that aren't on its bridge."""
    dry = on_bridge(ground, here, hex, side)
    return tuple(one for one in here.friends(hex, side) if "amphibious" in one.unit.abilities and one not in dry)


def canal_steps(rates: Rates, a: Hex, b: Hex) -> tuple[Step, ...] | Bar:
    """Steps into and out of canal hexes (Standard VI, Advanced IV; in the Basic Rules there are none, III.C.5)."""
    ground, here = rates.ground, rates.here
    if here.level == "basic":
        return Bar("nobody enters the canal in the Basic Rules", "Basic III.C.5")
    if ground.kind(a) == ground.kind(b) == CANAL:
        return Bar("canal hexes are entered and left over their entry hexsides", "Standard VI.D.2.c, Advanced IV.A.2")
    side = hexside(a, b)
    canal = a if ground.kind(a) == CANAL else b
    if side not in {hexside(canal, bank) for bank in debouchments(ground, canal)}:
        return Bar("nobody moves across a moraine", "Standard VI.B.2")
    return _off(rates, a, b) if canal == a else _onto(rates, a, b)


def _onto(rates: Rates, a: Hex, b: Hex) -> tuple[Step, ...] | Bar:
    """Onto a bridge for its cost, or into a cut by swimming."""
    ground, mover, here = rates.ground, rates.mover, rates.here
    if here.barred(b, mover.side):
        return Bar("an enemy unit is in the hex", "Basic III.C.2, V.A.7")
    by_bridge = _onto_bridge(rates, a, b)
    swimming = _swim(rates, a, b)
    found = [way for way in (by_bridge, swimming) if isinstance(way, Step)]
    if found:
        return tuple(sorted(found, key=lambda step: step.cost))
    if bridged(ground, b) and isinstance(by_bridge, Bar):
        return by_bridge
    if isinstance(swimming, Bar) and (mover.has("amphibious") or ground.has(b, "trench")):
        return swimming
    return Bar("no combat unit enters an empty canal hex", "Standard VI.A.1")


def _onto_bridge(rates: Rates, a: Hex, b: Hex) -> Step | Bar:
    """Standard VI.D.2 and VI.E.5.b; infantry bridges Advanced IV.C; quick march over either (Suez Canal Chart, note 8)."""
    ground, mover, here = rates.ground, rates.mover, rates.here
    kind = bridged(ground, b)
    if not kind:
        return Bar("there is no bridge", "Standard VI.A.1")
    if b in here.shut:
        return Bar("nobody moves onto a dispersed bridge", "Standard VI.E.5.b")
    if kind == "infantry" and not is_infantry(mover.unit):
        return Bar("only infantry-class units use an infantry bridge", "Advanced IV.C.2")
    if wreckage(ground, b) + len(on_bridge(ground, here, b, mover.side)) >= 1:
        rule = "Advanced IV.C.2.c" if kind == "infantry" else "Standard VI.D.2"
        return Bar("a canal bridge holds one stacking point, wrecks counted", rule)
    if len(here.friends(b, mover.side)) + 1 > STACK:
        return Bar(f"there would be more than {STACK} stacking points", "Suez Canal Chart, note 1")
    cost = rates.of("suez_bridge")
    assert cost is not None
    parts = [Part("canal bridge", cost, "Suez Canal Chart")]
    if mover.quick:
        parts = [Part("quick march", QUICK_STEP, "Advanced II.C.2.a, IV.C.3")]
    if kind == "pontoon" and ground.reading("bridge_entry_cost") == "dune":
        for one in sorted(ground.side_kinds(hexside(a, b))):
            parts.append(Part(ground.game.hexsides[one].name.lower(), rates.of(one) or ZERO, "Standard VI.C.1"))
    only = ground.has(b, "block")
    total = sum((part.points for part in parts), ZERO)
    return Step(a, b, total, tuple(parts), False, only, "stops on the block" if only else "")


def _swim(rates: Rates, a: Hex, b: Hex) -> Step | Bar:
    """Amphibious units start next to a cut and spend their whole movement to enter it (Advanced IV.A)."""
    ground, mover, here = rates.ground, rates.mover, rates.here
    if here.level != "advanced":
        return Bar("swimming is an Advanced Rule", "Advanced IV.A")
    if not mover.has("amphibious"):
        return Bar("only amphibious units enter a cut without a bridge", "Standard VI.C.2, Advanced IV.A.1")
    if not ground.has(b, "trench"):
        return Bar("there is no cut in the moraine", "Advanced IV.A.1")
    if in_water(ground, here, b, mover.side):
        return Bar("a cut holds one amphibious unit", "Suez Canal Chart")
    full = mover.allowance
    return Step(a, b, full, (Part("swims", full, "Advanced IV.A.1"),), False, True, "swims into the cut")


def _off(rates: Rates, a: Hex, b: Hex) -> tuple[Step, ...] | Bar:
    """Out of a canal hex the bank's terrain and the cut's dune are paid as usual (Suez Canal Chart)."""
    ground, mover, here = rates.ground, rates.mover, rates.here
    bar = room(ground, mover.unit, mover.side, here, b)
    if bar is not None:
        return bar
    if hexside(a, b) in ground.cuts:
        parts = open_ground(rates, a, b)
    elif is_infantry(mover.unit) and bridged(ground, a):
        cost = QUICK_STEP if mover.quick and ground.kind(b) != "slope" else rates.of(ground.kind(b))
        assert cost is not None
        parts = (Part("off the infantry bridge", cost, "Advanced IV.C.2.a"),)
    else:
        return Bar("nobody moves across a moraine", "Standard VI.B.2")
    if isinstance(parts, Bar):
        return parts
    only = ground.has(b, "block")
    total = sum((part.points for part in parts), ZERO)
    return (Step(a, b, total, parts, False, only, "stops on the block" if only else ""),)


class Crossing(NamedTuple):
    """A way over the canal from a bank hex, and the turns it takes at least."""

    how: str
    canal: Hex
    far: tuple[Hex, ...]
    turns: int
    bar: Bar | None
    rule: str


def crossings(ground: Ground, mover: Mover, here: Traffic, boats: Mapping[Hex, int] | None = None) -> tuple[Crossing, ...]:
    """Every way over the canal next to a unit: bridge, infantry bridge, swimming, ferry, boat (Suez Canal Chart).

    `boats` are the boats left in each canal hex (Advanced IV.D.2).
    """
    rates = Rates(ground, mover, here)
    found: list[Crossing] = []
    for canal in (hex for hex in neighbours(mover.hex) if hex in ground.table and ground.kind(hex) == CANAL):
        doors = debouchments(ground, canal)
        far = tuple(hex for hex in doors if hex != mover.hex)
        if mover.hex in doors:
            if kind := bridged(ground, canal):
                way = _onto_bridge(rates, mover.hex, canal)
                rule = "Advanced IV.C" if kind == "infantry" else "Standard VI.D"
                bar = way if isinstance(way, Bar) else None
                found.append(Crossing(f"{kind} bridge", canal, far, _turns(rates, way, canal, far), bar, rule))
            if mover.has("amphibious") and ground.has(canal, "trench"):
                way = _swim(rates, mover.hex, canal)
                found.append(Crossing("swimming", canal, far, 2, way if isinstance(way, Bar) else None, "Advanced IV.A"))
            for one in here.friends(canal, mover.side):
                if "ferry" in one.unit.abilities:
                    found.append(Crossing("ferry", canal, far, 2, _ferry_bar(mover, here, one), "Advanced IV.B"))
        if boats and boats.get(canal, 0):
            banks = tuple(
                hex for hex in neighbours(canal)
                if hex in ground.table and ground.kind(hex) != CANAL and ground.east_bank(hex) != ground.east_bank(mover.hex)
            )  # fmt: skip
            found.append(Crossing("assault boat", canal, banks, 2, _boat_bar(mover, here, canal), "Advanced IV.D"))
    return tuple(found)


def _turns(rates: Rates, onto: Step | Bar, canal: Hex, far: tuple[Hex, ...]) -> int:
    """One turn where the points reach onto the bridge and off again, else two."""
    off = [way for hex in far if not isinstance(way := _off(rates, canal, hex), Bar)]
    if isinstance(onto, Bar) or not off:
        return 2
    return 1 if onto.cost + min(step.cost for way in off for step in way) <= rates.mover.allowance else 2


def _ferry_bar(mover: Mover, here: Traffic, ferry: Occupant) -> Bar | None:
    """A ferry loads one face-up unit from a bank hex of its cut, for a whole allowance (Advanced IV.B.2)."""
    if here.level != "advanced":
        return Bar("ferries are an Advanced Rule", "Advanced IV.B")
    if {"inverted", "dispersed"} & (ferry.states | mover.states):
        return Bar("ferry and passenger must be face up", "Advanced IV.B.2.f")
    return None


def _boat_bar(mover: Mover, here: Traffic, canal: Hex) -> Bar | None:
    """A boat loads one face-up infantry-class unit from any bank hex next to it (Advanced IV.D.3)."""
    if here.level != "advanced":
        return Bar("assault boats are an Advanced Rule", "Advanced IV.D")
    if not is_infantry(mover.unit):
        return Bar("boats take infantry-class units only", "Advanced IV.D.3.a")
    if {"inverted", "dispersed"} & mover.states:
        return Bar("the passenger must be face up", "Advanced IV.D.3.g")
    boats = in_boats(here, canal)
    if boats >= BOATS:
        return Bar(f"only {BOATS} boats in a hex carry passengers at a time", "Advanced IV.D.3.d")
    if boats + sum(one.points for one in here.at(canal)) + 1 > STACK:
        return Bar(f"there would be more than {STACK} stacking points", "Suez Canal Chart, note 1")
    return None


def in_boats(here: Traffic, canal: Hex) -> int:
    """How many boats carry a passenger: those aboard a unit stand behind it, the others are in boats (Basic V.B.5)."""
    count, room_left = 0, 0
    for one in here.at(canal):
        if "loaded" not in one.states:
            room_left = int(bool(one.unit.abilities & {"carries_any", "carries_infantry"}))
        elif room_left:
            room_left -= 1
        else:
            count += 1
    return count
