"""Zones of control: which hexes units cover, and who covers them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from scenarios.hexes import Hex, neighbours
from scenarios.maps import HexMap

Holder = TypeVar("Holder")


def covered(
    table: HexMap,
    holders: Iterable[tuple[Holder, Hex]],
    reaches: Callable[[Holder, Hex, Hex], bool] = lambda holder, a, b: True,
) -> dict[Hex, tuple[Holder, ...]]:
    """The hexes next to units that have a zone of control, each with the units that cover it.

    `reaches` says whether a unit's zone extends from its own hex into a neighbour.
    """
    found: dict[Hex, tuple[Holder, ...]] = {}
    for holder, hex in holders:
        for near in neighbours(hex):
            if near in table.names and reaches(holder, hex, near):
                found[near] = (*found.get(near, ()), holder)
    return found
