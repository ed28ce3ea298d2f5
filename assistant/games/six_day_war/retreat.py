"""Retreats and panics of several units: what the pack declares, in the words of battles and strikes (14, 15)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from assistant.engine.field import Field
from assistant.engine.placed_units import PlacedUnit
from assistant.engine.retreat.joint_retreat import retreat_together
from assistant.engine.retreat.paths import RetreatPaths

PANIC = "panic"


def back_together(field: Field, standings: Sequence[PlacedUnit], hexes: str) -> tuple[RetreatPaths, ...]:
    """The retreats of units of a side by so many hexes, or by a panic's die."""
    name, result = (PANIC, 1) if not hexes.isdecimal() else ("retreat", int(hexes))
    return retreat_together(field, standings, result, name).backs


def ends_of(back: RetreatPaths) -> list[int]:
    """Where a unit may be after a retreat of one hex."""
    return [back.unit.place] if back.stays else [way.end for way in back.ways.get(1, ())]


def why(back: RetreatPaths) -> tuple[str, str]:
    """Why a unit stays, dies or is moved by the enemy, and the rule; nothing where it simply goes."""
    panic = None if back.length.sure else back.length.rests[-1]
    record = back.fate or back.choice or (back.no_way if back.chance_gone == 1 else panic)
    if record is not None:
        return record.text, record.rule
    crowded = all(way.room for ways in back.ways.values() for way in ways)
    return ("only where there is no room", "11.5") if crowded else ("", "")


def crowd_text(found: Mapping[int, Fraction]) -> str:
    """How many of those who go back find no room."""
    counts = [
        f"{count}" + ("" if chance == 1 else f" by {float(chance):.0%}")
        for count, chance in sorted(found.items())
        if count
    ]
    return f"too many for the room there: {', '.join(counts)}"
