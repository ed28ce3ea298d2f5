"""Carriers and passengers: who carries whom, and what loading and unloading cost."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

from assistant.games.arab_israeli_wars.canal import bridged, debouchments, on_bridge
from assistant.games.arab_israeli_wars.ground import CANAL, Ground
from assistant.games.arab_israeli_wars.steps import HALF, Mover
from assistant.games.arab_israeli_wars.traffic import Bar, Occupant, Traffic, room, wreckage
from scenarios.counters import Unit
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.resolve import Location

HELICOPTER_LOAD = Fraction(3)
"""Passengers of a transport helicopter (Advanced I.E.9.a; UFT code 3I)."""


class Seated(Protocol):
    """A piece with its counter, place and states."""

    @property
    def unit(self) -> str: ...

    @property
    def at(self) -> Location | None: ...

    @property
    def states(self) -> frozenset[str]: ...


def seats(game: Game, pieces: Sequence[Seated], advanced: bool) -> dict[int, int]:
    """Who rides with whom, by their places in the list: a passenger lies right under its carrier (Basic V.B.5), so it
    comes after it; where that one is full, with the nearest one before it that has room."""
    aboard: dict[int, list[Unit]] = {}
    found: dict[int, int] = {}
    for place, piece in enumerate(pieces):
        if "loaded" not in piece.states or not isinstance(piece.at, Hex):
            continue
        rider = game.units.get(piece.unit)
        for before in range(place - 1, -1, -1):
            other = pieces[before]
            carrier = game.units.get(other.unit)
            if other.at != piece.at or carrier is None or "loaded" in other.states:
                continue
            riders = aboard.setdefault(before, [])
            if rider is None and "carries_bridge" not in carrier.abilities:
                continue
            if rider is not None and carry_bar(carrier, [*riders, rider], advanced):
                continue
            riders += [rider] if rider is not None else []
            found[place] = before
            break
    return found


def with_carrier(rider: frozenset[str], carrier: frozenset[str]) -> frozenset[str]:
    """A passenger's states: it is inverted and dispersed with its carrier (Basic V.B.6.d, V.B.6.e)."""
    return rider | (carrier & {"inverted", "dispersed"})


def carry_bar(carrier: Unit, passengers: Sequence[Unit], advanced: bool = True) -> Bar | None:
    """Why a carrier can't have these passengers together (Basic V.B.1-4, Advanced I.E.9, II.E, IV.B.2)."""
    able = carrier.abilities
    takes = {"carries_infantry", "carries_towed", "carries_three", "carries_any"} & able
    if not takes:
        return Bar(f"{carrier.name} carries no passengers", "Basic V.B")
    limit = HELICOPTER_LOAD if "carries_three" in able else Fraction(1)
    if "carries_any" not in able:
        for one in passengers:
            towed = "passenger_towed" in one.abilities
            if towed and "carries_towed" not in able:
                return Bar(f"only trucks carry {one.name}", "Basic V.B.3")
            if not towed and "passenger_infantry" not in one.abilities:
                return Bar(f"{one.name} can't be a passenger", "Basic V.B.4")
    halved = {one.template for one in passengers if "half_passenger" in one.abilities} if advanced else set[str]()
    pairs = sum(-(-sum(one.template == kind for one in passengers) // 2) for kind in halved)
    count = Fraction(pairs + sum(one.template not in halved for one in passengers))
    if count > limit:
        held = "three passengers" if limit > 1 else "one passenger"
        return Bar(f"{carrier.name} carries {held} at a time", "Basic V.B.1, Advanced I.E.9, II.E")
    return None


def handling(mover: Mover, passengers: Sequence[Unit]) -> tuple[Fraction, str]:
    """What it costs the carrier to load or unload, and the rule.

    Half the printed allowance for infantry class (Basic V.B.7.c, Standard III.B), all of it for towed guns (V.B.7.d),
    and all of it for helicopters and ferries (Advanced I.E.9.b, IV.B.2.d).
    """
    full = mover.allowance
    if mover.air:
        return full, "Advanced I.E.9.b"
    if mover.has("ferry"):
        return full, "Advanced IV.B.2.d"
    if any("passenger_towed" in one.abilities for one in passengers):
        return full, "Basic V.B.7.d"
    return full * HALF, "Basic V.B.7.c"


def load_bar(ground: Ground, mover: Mover, here: Traffic, hex: Hex, taken: Sequence[Occupant], origin: Hex) -> Bar | None:
    """Why these units, standing in `origin`, can't be loaded by a carrier in `hex` (Basic V.B.7, Advanced IV.B.2)."""
    held = [one.unit for one in mover.passengers]
    bar = carry_bar(mover.unit, [*held, *(one.unit for one in taken)], here.level == "advanced")
    if bar is not None:
        return bar
    if mover.has("ferry"):
        if ground.kind(hex) != CANAL:
            return Bar("a ferry carries only while it is in the canal", "Advanced IV.B.2.b")
        if origin not in debouchments(ground, hex):
            return Bar("the passenger starts in one of the two bank hexes of the cut", "Advanced IV.B.2.d")
        if mover.hex != hex:
            return Bar("the ferry starts its turn in the canal hex", "Advanced IV.B.2.d")
    elif origin != hex:
        return Bar("passenger and carrier must be in one hex", "Basic V.B.7.a")
    if any({"inverted", "dispersed", "loaded"} & one.states for one in taken):
        return Bar("a passenger must be face up to load", "Basic V.B.7.e")
    return None


def unload_bar(ground: Ground, mover: Mover, here: Traffic, hex: Hex, put: Sequence[Occupant], to: Hex) -> Bar | None:
    """Why these passengers can't be put down in `to` by a carrier in `hex` (Basic V.B.7, V.B.8; Advanced I.E.9.c)."""
    for one in put:
        if "dispersed" in one.states:
            return Bar("a dispersed passenger can't unload", "Basic V.B.7.e")
        if "inverted" in one.states and not ("special_infantry" in one.unit.abilities and here.level == "advanced"):
            return Bar("a passenger must be face up to unload", "Basic V.B.7.e, Advanced II.A.3")
    if mover.has("ferry"):
        if to not in debouchments(ground, hex):
            return Bar("a ferry unloads into one of its two bank hexes", "Advanced IV.B.2.e")
    elif to != hex:
        return Bar("a passenger is put down in the carrier's own hex", "Basic V.B.7.b")
    after = here if mover.air or mover.has("ferry") else here.plus(hex, Occupant(mover.unit, mover.copy, mover.side))
    for one in put:
        bar = _ground_bar(ground, one, mover.side, after, to)
        if bar is not None:
            return bar
        after = after.plus(to, one._replace(states=one.states - {"loaded"}))
    return None


def _ground_bar(ground: Ground, one: Occupant, side: str, here: Traffic, hex: Hex) -> Bar | None:
    """Why a unit may not stand in a hex next to those already there."""
    if ground.kind(hex) != CANAL:
        return room(ground, one.unit, side, here, hex)
    if not bridged(ground, hex) or here.barred(hex, side):
        return Bar("it can't be put down in the canal", "Standard VI.A.1")
    if wreckage(ground, hex) or on_bridge(ground, here, hex, side):
        return Bar("a canal bridge holds one stacking point", "Standard VI.D.2")
    return None
