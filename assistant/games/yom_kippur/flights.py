"""Helicopters: who may fly, and where to (1.11)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assistant.games.yom_kippur.field import Field, Stand, other
from assistant.games.yom_kippur.movement import room, why_no_end
from assistant.games.yom_kippur.umbrella import umbrellas, under
from scenarios.hexes import Hex, distance


@dataclass(frozen=True)
class Flight:
    """An airmobile move: where the unit may land, or why it can't fly."""

    stand: Stand
    landings: Mapping[Hex, int]
    reason: str = ""


def airmobile(field: Field, stand: Stand, *, turn: int | None = None, every_turn: bool = False) -> Flight:
    """Where a unit may be flown: as many hexes as the table of limits says, never in range of enemy missiles (1.11).

    `every_turn` gives Egypt its first turn's lift throughout (4.3 C).
    """
    now = field.position.turn if turn is None else turn
    side = stand.unit.side
    if why := _grounded(field, stand, 1 if every_turn else now):
        return Flight(stand, {}, why)
    foe = other(side)
    covered = under(field, foe)
    if stand.hex in covered:
        names = ", ".join(sam.name for sam in umbrellas(field, foe, stand.hex))
        return Flight(stand, {}, f"it stands in range of {names} (1.10, 1.11)")
    bound = field.ground.east if "stays_west" in stand.unit.abilities else frozenset[Hex]()
    landings = {
        hex: step
        for hex, step in _flown(field, stand, covered).items()
        if step and hex not in field.held[foe] and hex not in bound and room(field, [stand], hex)
    }
    return Flight(stand, landings)


def why_no_landing(field: Field, flight: Flight, to: Hex) -> str:
    """Why a unit that may fly can't land in a hex."""
    stand, foe, far = flight.stand, other(flight.stand.unit.side), int(field.ground.limit("airmobile_hexes"))
    if to == stand.hex:
        return "it stands there already"
    if to in field.held[foe]:
        return f"{field.held[foe][to][0].name} stands there (1.11)"
    if covering := umbrellas(field, foe, to):
        return f"it is in range of {', '.join(sam.name for sam in covering)} (1.10, 1.11)"
    if "stays_west" in stand.unit.abilities and to in field.ground.east:
        return "it has to stay west of the canal (1.10b, 1.13c, 3.5a)"
    if (away := distance(stand.hex, to)) > far:
        return f"it is {away} hexes away, and a flight goes {far} (1.11)"
    if not room(field, [stand], to):
        return why_no_end(field, [stand], to)
    return f"no way of {far} hexes leads around the enemy's missiles (1.10, 1.11)"


def _flown(field: Field, stand: Stand, covered: frozenset[Hex]) -> Mapping[Hex, int]:
    """The hexes that a flight gets to around the enemy's missiles, and how far they are (1.11)."""
    key = stand.unit.side, ("flight", stand.hex)
    if key not in field.ways:
        flown = {stand.hex: 0}
        edge = [stand.hex]
        for step in range(1, int(field.ground.limit("airmobile_hexes")) + 1):
            near = dict.fromkeys([near for hex in edge for near in field.ground.near(hex)])
            edge = [hex for hex in near if hex not in flown and hex not in covered]
            flown |= dict.fromkeys(edge, step)
        field.ways[key] = flown
    found: Mapping[Hex, int] = field.ways[key]
    return found


def _grounded(field: Field, stand: Stand, turn: int) -> str:
    """Why a unit can't be lifted this turn; empty if it can (1.7, 1.9a, 1.11b, 1.11c, 1.15d)."""
    for state, rule in (("disorganized", "1.9a"), ("out_of_supply", "1.7")):
        if state in stand.piece.states:
            return f"it is {state.replace('_', ' ')} ({rule})"
    abilities = stand.unit.abilities
    if "air_lift_always" in abilities:
        return ""
    if stand.unit.side == "israeli":
        if stand.kind != "infantry":
            return "only infantry flies (1.11b)"
        lift = field.ground.limit("airmobile_steps")
        return "" if stand.steps <= lift else f"it has more than {lift} steps (1.11b)"
    if "air_lift" in abilities:
        last = field.ground.limit("airmobile_last_turn")
        return "" if turn <= last else f"the airmobile brigades fly up to turn {last} (1.11c)"
    if "air_lift_first" in abilities:
        last = field.ground.limit("commando_last_turn")
        return "" if turn <= last else f"commandos and airborne fly up to turn {last} (1.11c)"
    return "it can't be lifted (1.11c)"
