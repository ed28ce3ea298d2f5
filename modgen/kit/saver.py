"""Saving ink: surfaces become light, lines and letters stay dark."""

from __future__ import annotations

import re

from lxml import etree

from art.color import lighter, luminance
from art.svg import Element, to_bytes

HEX = re.compile(r"#[0-9a-fA-F]{6}")
SHARE = 0.72
"""How much white a bright surface gets."""


def saved(color: str) -> str:
    """A colour as it is printed to save ink: the brighter it was, the nearer to white."""
    if not HEX.fullmatch(color):
        return color
    light = luminance(color)
    return lighter(color, SHARE * max(0.0, min(1.0, (light - 0.06) / 0.2)))


def save_ink(root: Element) -> Element:
    """A drawing with its surfaces made light, in place."""
    for element in root.iter():
        for name in ("fill", "stroke", "stop-color"):
            color = element.get(name)
            if color:
                element.set(name, saved(color))
    return root


def spared(svg: bytes) -> bytes:
    """The same for a drawing that is written already."""
    return to_bytes(save_ink(etree.fromstring(svg)))
