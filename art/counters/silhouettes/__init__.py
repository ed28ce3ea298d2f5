"""Mitla's own vehicle silhouettes: side views facing left, on a box 24 wide and 12 high.

`parts` has wheels, tracks, turrets and hulls. Each other module combines them for one family of vehicles.
"""

from __future__ import annotations

from art.counters.silhouettes import air, carriers, engineers, guns, halftracks, tanks_east, tanks_west, wheeled
from art.counters.silhouettes.parts import Drawings
from art.svg import Element, group

DRAWINGS: Drawings = {
    **guns.DRAWINGS,
    **wheeled.DRAWINGS,
    **halftracks.DRAWINGS,
    **carriers.DRAWINGS,
    **tanks_east.DRAWINGS,
    **tanks_west.DRAWINGS,
    **engineers.DRAWINGS,
    **air.DRAWINGS,
}

SILHOUETTES = DRAWINGS


def silhouette(name: str, ink: str, shade: str) -> Element:
    """A silhouette in ink, with a second tone for wheels, hatches and gaps."""
    return group(SILHOUETTES[name](ink, shade))
