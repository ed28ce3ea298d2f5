"""Marks around counters and tiles that make measuring unnecessary: crop and registration marks, rulers."""

from __future__ import annotations

from collections.abc import Iterable

from art import svg
from art.svg import Element
from art.text import text

INK = "#2b2620"
HAIR = 0.1
GAP = 1.4
"""The distance of a crop mark from the bleed."""
CROP = 3.2
TARGET = 2.2
"""The radius of a registration mark."""


def crop_marks(
    xs: Iterable[float], ys: Iterable[float], box: tuple[float, float, float, float], side_room: float = GAP + CROP
) -> list[Element]:
    """Short lines outside a box at every cut: `xs` are vertical cuts, `ys` horizontal ones. `side_room` is the width for the latter."""
    left, top, right, bottom = box
    gap = GAP * side_room / (GAP + CROP)
    data = ""
    for x in xs:
        data += _line(x, top - GAP - CROP, x, top - GAP) + _line(x, bottom + GAP, x, bottom + GAP + CROP)
    for y in ys:
        data += _line(left - side_room, y, left - gap, y) + _line(right + gap, y, right + side_room, y)
    return [svg.path(data, fill="none", stroke="#000000", stroke_width=HAIR)]


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return f"M{svg.number(x1)} {svg.number(y1)}L{svg.number(x2)} {svg.number(y2)}"


def target(x: float, y: float) -> Element:
    """A registration mark: a circle with a cross."""
    arm = TARGET * 1.35
    cross = _line(x - arm, y, x + arm, y) + _line(x, y - arm, x, y + arm)
    return svg.group(
        [
            svg.circle(x, y, TARGET, fill="none", stroke="#000000", stroke_width=HAIR),
            svg.circle(x, y, TARGET * 0.4, fill="none", stroke="#000000", stroke_width=HAIR),
            svg.path(cross, fill="none", stroke="#000000", stroke_width=HAIR),
        ]
    )


def ruler(x: float, y: float, room: float, inches: bool = True) -> Element:
    """A ruler as long as the space allows: millimeters above its line, and by choice eighths of an inch below."""
    long = min(100, int((room - 30) // 10) * 10)
    if long < 20:
        return svg.group([])
    parts = [_line(x, y, x + long, y)]
    numbers = []
    for mm in range(long + 1):
        tick_height = 2.2 if mm % 10 == 0 else 1.6 if mm % 5 == 0 else 1.0
        parts.append(_line(x + mm, y, x + mm, y - tick_height))
        if mm % 10 == 0 and mm:
            numbers.append(text(str(mm), x + mm, y - 2.6, 1.9, fill=INK))
    eighths = int(long / 25.4 * 8) if inches else -1
    for n in range(eighths + 1):
        tick_x = x + n * 25.4 / 8
        parts.append(_line(tick_x, y, tick_x, y + (2.2 if n % 8 == 0 else 1.5 if n % 4 == 0 else 0.9)))
        if n % 8 == 0 and n:
            numbers.append(text(f"{n // 8} in", tick_x, y + 3.7, 1.9, fill=INK))
    length_label = text(f"{long} mm", x + long + 1.5, y + 0.6, 2.3, "semibold", "start", fill=INK)
    zero = text("0", x, y - 2.6, 1.9, fill=INK)
    return svg.group(
        [svg.path("".join(parts), fill="none", stroke=INK, stroke_width=0.12), zero, *numbers, length_label]
    )
