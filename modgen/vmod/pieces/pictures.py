"""Pictures of a module: SVG in exact pixels."""

from __future__ import annotations

import hashlib

from art import svg
from art.svg import Element, to_bytes
from modgen.render import Picture, render_all

SvgPicture = Picture
"""A drawing and the pixels it is to have."""


def draw_picture(
    parts: list[Element], width: int, height: int, box: tuple[float, float, float, float] | None = None
) -> SvgPicture:
    """A drawing of that many pixels; `box` says which part of the plane it shows (its pixels, if none is given)."""
    left, top, box_width, box_height = box or (0.0, 0.0, float(width), float(height))
    view = " ".join(f"{value:.6f}" for value in (left, top, box_width, box_height))
    root = svg.element("svg", parts, width=str(width), height=str(height), viewBox=view, preserveAspectRatio="none")
    return SvgPicture(to_bytes(root), width, height)


def hashed_name(name: str, picture: SvgPicture) -> str:
    """A name with its content's hash: the engine keeps big pictures by name."""
    return f"{name}-{hashlib.sha256(picture.svg).hexdigest()[:10]}.png"


__all__ = ["SvgPicture", "draw_picture", "hashed_name", "render_all"]
