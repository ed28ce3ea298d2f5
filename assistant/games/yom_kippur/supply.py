"""Units in supply."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.engine.field import Field
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.supply.supply_lines import supply_of


def in_supply(field: Field, standings: Iterable[PlacedUnit]) -> tuple[PlacedUnit, ...]:
    """Those of some units that are in supply."""
    return tuple(s for s in standings if supply_of(field, s.side).is_served(s, "supplied"))
