"""Pictures of a module: SVG in exact pixels."""

from __future__ import annotations

import hashlib

from art import svg
from art.svg import Element, to_bytes
from modgen.render import Picture, render_all

SvgPicture = Picture
"""A drawing and its size in pixels."""


def draw_picture(
    parts: list[Element], width: int, height: int, box: tuple[float, float, float, float] | None = None
) -> SvgPicture:
    """A drawing of this many pixels. `box` is the part of the plane that it shows; the default is its own pixels."""
    left, top, box_width, box_height = box or (0.0, 0.0, float(width), float(height))
    view = " ".join(f"{value:.6f}" for value in (left, top, box_width, box_height))
    root = svg.element("svg", parts, width=str(width), height=str(height), viewBox=view, preserveAspectRatio="none")
    return SvgPicture(to_bytes(root), width, height)


def hashed_name(name: str, picture: SvgPicture) -> str:
    """A name with a hash of its content, because the engine caches big pictures by name."""
    return f"{name}-{hashlib.sha256(picture.svg).hexdigest()[:10]}.png"


__all__ = ["SvgPicture", "draw_picture", "hashed_name", "render_all"]
