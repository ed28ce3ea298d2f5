"""Where indirect fire comes down: the Scatter Chart and the Drift Diagram, exactly."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal, NamedTuple

from assistant.games.arab_israeli_wars.ground import Ground
from scenarios.dice import dice
from scenarios.hexes import Hex, neighbour

_BEARING = {"up": 0, "right": 90, "down": 180, "left": 270}


class Fall(NamedTuple):
    """A place where the fire may come down, with its chance. No hex: off the map, or lost altogether."""

    how: Literal["hit", "drift", "scatter"]
    hex: Hex | None
    chance: Fraction
    thrown: int = 0
    """The throw on the Drift Diagram."""


def falls(ground: Ground, hex: Hex, *, seen: bool, interdiction: bool = False) -> tuple[Fall, ...]:
    """Where fire written down for a hex comes down; the chances add up to 1.

    A friend who sees the hex keeps it there (Standard II.A.4.b). Else the Scatter Chart decides (II.A.4.c); unseen
    interdiction always drifts (Advanced III.D.2.b).
    """
    if seen:
        return (Fall("hit", hex, Fraction(1)),)
    if interdiction:
        return drift(ground, hex, Fraction(1))
    chart = ground.game.tables["scatter"]
    chances = chart.distribution(0)
    found: list[Fall] = []
    if chances.get("hit"):
        found.append(Fall("hit", hex, chances["hit"]))
    if chances.get("drift"):
        found.extend(drift(ground, hex, chances["drift"]))
    if chances.get("scatter"):
        found.append(Fall("scatter", None, chances["scatter"]))
    return tuple(found)


def drift(ground: Ground, hex: Hex, chance: Fraction) -> tuple[Fall, ...]:
    """The neighbouring hexes that fire drifts to, by the throw (Standard II.A.4.c)."""
    places = drift_hexes(ground, hex)
    table = ground.game.tables["drift"]
    return tuple(
        Fall("drift", places[thrown] if places[thrown] in ground.table else None, chance * share, thrown)
        for thrown, share in dice(table.dice).items()
    )


def drift_hexes(ground: Ground, hex: Hex) -> Mapping[int, Hex]:
    """The neighbour for each throw: the diagram's arrow lies along the long lettered edge and points north, or east
    where that edge runs east and west (Standard II.A.4.c)."""
    table = ground.game.tables["drift"]
    north = _BEARING[ground.table.north]
    # The long edge of a flat-top board runs across the sheet.
    arrow = north if ground.table.north in ("left", "right") else north + 90
    column = table.named_column("degrees")
    return {
        thrown: neighbour(hex, (arrow + int(table.cell(thrown, column).code)) % 360 // 60)
        for thrown in dice(table.dice)
    }
