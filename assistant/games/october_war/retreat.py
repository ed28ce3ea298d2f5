"""Where units can retreat to (16.3, 16.4), and why not elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from assistant.attacks import Fields
from assistant.games.october_war.forces import parts_of
from assistant.games.october_war.ground import CANAL, ENEMY, WATER, Ground
from assistant.games.october_war.movement import CROSSINGS, ON_FOOT, Mover, overstacked
from assistant.games.october_war.supply import can_swim, lines_of
from scenarios.counters import Unit


class Refuge(NamedTuple):
    """A point next to the battle, and why a unit can't retreat there; nothing if it can."""

    point: str
    why_not: str


def refuges(here: Ground, start: str, unit: Unit) -> tuple[Refuge, ...]:
    """The points that a unit might retreat to, one route away, or across a lake or the Red Sea (16.4 (4))."""
    found = []
    for there, kinds in here.map.adjacent(start).items():
        if here.map.points[there].terrain in CROSSINGS:
            beyond = [p for p in here.map.adjacent(there) if p != start and here.map.points[p].terrain not in CROSSINGS]
            found += [Refuge(point, _why_not(here, unit, start, point, frozenset({WATER}))) for point in beyond]
        else:
            found.append(Refuge(there, _why_not(here, unit, start, there, kinds)))
    best: dict[str, Refuge] = {}
    for refuge in found:
        if refuge.point not in best or not refuge.why_not:
            best[refuge.point] = refuge
    return tuple(best.values())


def _why_not(here: Ground, unit: Unit, start: str, there: str, kinds: frozenset[str]) -> str:
    if "static" in unit.abilities:
        return "static units are eliminated instead (16.4)"
    enemy, mover = ENEMY[unit.side], Mover(here, unit, start)
    if here.holds(enemy, there):
        return "enemy units (16.4)"
    if here.off_map(there):
        return "" if here.owner(there) == unit.side else "the enemy's reserve area (25.2)"
    if here.control[there] == enemy:
        return "enemy control (2.6, 16.4)"
    if shut := mover.shut(there):
        return f"{shut.removesuffix(')')}, 16.4)"
    barred = _barred(here, unit, start, there, kinds)
    if barred:
        return barred
    lines = lines_of(here, unit.side)
    if "airmobile" not in unit.abilities and not lines.safe(there) and lines.reach(there, can_swim(unit)) is None:
        return "no line of communication (16.4)"
    over = overstacked(here, unit, start, there)
    return f"{over.removesuffix(')')}, 16.4)" if over else ""


def _barred(here: Ground, unit: Unit, start: str, there: str, kinds: frozenset[str]) -> str:
    """Water on the way (16.4 (3), (4)); the ruling on the canal lets men on foot go where an engineer is."""
    if kinds - {CANAL, WATER}:
        return ""
    mover = Mover(here, unit, start)
    if WATER in kinds:
        return "" if mover.swims else "water (16.4)"
    if here.bridged(start, there, unit.side) or mover.swims:
        return ""
    engineer = any("engineering" in one.abilities for _, one in here.stack(start, unit.side))
    return "" if engineer and unit.type in ON_FOOT else "no bridge over the canal (16.4)"


def able(here: Ground, point: str, units: Iterable[Fields]) -> dict[str, bool]:
    """Of units fighting in a point and what they break down into, by id: whether one can retreat (16.4).

    Each is asked as if it went alone; static units never retreat (16.4 (8)) and are left out. Nobody is asked where none
    of their side is there yet.
    """
    found: dict[str, bool] = {}
    for fields in units:
        unit = here.game.units[str(fields["id"])]
        if unit.id in found or not here.holds(unit.side, point):
            continue
        states = [state for state in here.game.states if fields.get(state) is True]
        for one in (unit, *(here.game.units[part] for part in parts_of(here.game, unit, states))):
            if one.id not in found and "static" not in one.abilities:
                found[one.id] = any(not refuge.why_not for refuge in refuges(here, point, one))
    return found
