"""The two basic strokes of icons."""

from __future__ import annotations

from art.svg import Element, path


def stroke(d: str, ink: str, width: float) -> Element:
    """A line with round ends."""
    return path(d, fill="none", stroke=ink, stroke_width=width, stroke_linecap="round", stroke_linejoin="round")


def fill(d: str, ink: str) -> Element:
    """A filled shape."""
    return path(d, fill=ink)
