"""Our own vehicle silhouettes, side views facing left, on a ground 24 wide and 12 high."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from art.silhouettes.vehicles import DRAWINGS
from art.svg import Element, group

SILHOUETTES: Mapping[str, Callable[[str, str], list[Element]]] = DRAWINGS


def silhouette(name: str, ink: str, shade: str) -> Element:
    """A silhouette in ink, with a second tone for wheels, hatches and ground."""
    return group(SILHOUETTES[name](ink, shade))
