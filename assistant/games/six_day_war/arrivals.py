"""Where units come onto the map: bought and refitted Israelis, and the Arabs that an event brings (7, 8.3)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from assistant.games.six_day_war.field import Field
from assistant.games.six_day_war.ground import FRONTS
from assistant.games.six_day_war.marks import dead, terrorized
from assistant.games.six_day_war.score import holder
from assistant.shared.strengths import needed
from scenarios.areas import Area
from scenarios.counters import Unit
from scenarios.hexes import Hex

CITIES = ("city", "fortified_city")
AREAS = {front: Area(zone=f"{front}_arrivals") for front in FRONTS}
OUT = re.compile(r"dead|aside")
"""Places that nobody waits in."""
RETURN = "3"
DRAWN = "9"
"""The events by their dice: one comes back from the dead; one volunteer is drawn blind."""


def arrivals(field: Field, front: str, kinds: Sequence[str], control: Mapping[Hex, str] | None = None) -> tuple[Hex, ...]:
    """Where Israelis of a front may be put on the map: such places of Israel under Israeli control, not terrorized (7.2,
    8.3, 18.8). A full hex takes them, for stacks are counted at the end of the phases that follow (11.4)."""
    terror = terrorized(field.position)
    return tuple(
        hex
        for hex in sorted(field.israel, key=field.table.spot)
        if field.table.terrain[hex] in kinds
        and field.front(hex) == front
        and holder(field, hex, control or {}) == "israeli"
        and hex not in terror
    )


@dataclass(frozen=True)
class Arrival:
    """What an event brings to the Arabs of a front."""

    event: str
    units: tuple[Unit, ...]
    chance: Fraction
    """The chance of each unit: 1 where all come or the player picks."""
    hexes: tuple[Hex, ...]
    hot: frozenset[Hex]
    """Hexes in an enemy zone of control, which is allowed."""


def arab_events(field: Field) -> dict[str, str]:
    """The events that bring Arabs, by their dice, with their names (25.7, Random Events Table)."""
    table = field.game.tables["events"]
    dice = sorted({RETURN, *(effect.value for effect in field.effects("by_event"))}, key=int)
    return {row: table.cell(Fraction(row), 0).code for row in dice}


def arab_arrival(field: Field, front: str, event: str, control: Mapping[Hex, str] | None = None) -> Arrival:
    """Who comes to a front by an event, and where: the map edge and Arab cities, not where an enemy stands (7.4)."""
    units = _weakest(field, front) if event == RETURN else _waiting(field, front, event)
    scenario = field.game.scenarios[field.position.scenario]
    entries = [g.enters.at for g in scenario.forces["arab"].groups if g.enters and units and units[0].id in g.units]
    area = (entries[0] if entries and event != RETURN else None) or AREAS[front]
    foe, closed = field.held["israeli"], field.closed("arab")
    hexes = tuple(
        hex
        for hex in sorted(h for h in field.ground.places(area) if isinstance(h, Hex))
        if field.enterable(hex) and hex not in foe and hex not in closed
        and (field.table.terrain[hex] not in CITIES or holder(field, hex, control or {}) == "arab")
    )  # fmt: skip
    chance = Fraction(1, len(units)) if event == DRAWN and units else Fraction(1)
    return Arrival(event, units, chance, hexes, frozenset(hex for hex in hexes if hex in field.zones["israeli"]))


def _waiting(field: Field, front: str, event: str) -> tuple[Unit, ...]:
    """The units of an event that are still outside (24.1)."""
    meant = next(effect for effect in field.effects("by_event") if effect.value == event)
    outside = [p.unit for p in field.position.pieces if isinstance(p.at, str) and not OUT.search(p.at)]
    units = (field.game.units[unit] for unit in outside if unit in field.game.units)
    return tuple(
        unit
        for unit in units
        if unit.nation == meant.nation and unit.factors.get("front") == front and (not meant.units or unit.id in meant.units)
    )


def lost_mobile(field: Field, front: str) -> list[Unit]:
    """The mobile Arabs among the dead of a front."""
    lost = [field.game.units[p.unit] for p in dead(field.game, field.position, front) if p.unit in field.game.units]
    return [unit for unit in lost if unit.side == "arab" and unit.class_ == "mobile"]


def _weakest(field: Field, front: str) -> tuple[Unit, ...]:
    """The weakest mobile Arab among the dead of a front; several where they are equal and the player picks (event 3)."""
    mobile = lost_mobile(field, front)
    least = min((needed(field.game, unit, "combat") for unit in mobile), default=Fraction(0))
    return tuple(unit for unit in mobile if needed(field.game, unit, "combat") == least)
