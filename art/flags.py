"""National flags of the years of the games, 9 wide and 6 high."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import cos, pi, sin

from art.svg import Element, circle, group, path, polygon, rect
from scenarios.pack import Colors

WIDE, HIGH = 9.0, 6.0
RED, GREEN, BLACK, WHITE, BLUE = "#c1272d", "#1d7a3c", "#1b1b1b", "#ffffff", "#1f4fa0"
Parts = list[Element]


def star(x: float, y: float, radius: float, color: str, tips: int = 5) -> Element:
    """A star with so many tips, the first one up."""
    inner = radius * (0.4 if tips == 5 else 0.5)
    points = [
        (x + r * sin(pi * i / tips), y - r * cos(pi * i / tips))
        for i in range(2 * tips)
        for r in [(radius, inner)[i % 2]]
    ]
    return polygon(points, fill=color)


def bands(colors: Sequence[str], shares: Sequence[float] = (1, 1, 1)) -> Parts:
    """Bands across, from the top."""
    parts, y = [], 0.0
    for color, share in zip(colors, shares, strict=True):
        high = HIGH * share / sum(shares)
        parts.append(rect(0, y, WIDE, high, fill=color))
        y += high
    return parts


def israel() -> Parts:
    """Two stripes and the shield of David."""
    up = "M4.5 1.75L5.58 3.62H3.42Z"
    down = "M4.5 4.25L3.42 2.38H5.58Z"
    stripes = [rect(0, 0.55, WIDE, 0.8, fill=BLUE), rect(0, HIGH - 1.35, WIDE, 0.8, fill=BLUE)]
    return [rect(0, 0, WIDE, HIGH, fill=WHITE), *stripes, path(up + down, fill="none", stroke=BLUE, stroke_width=0.26)]


def stars(count: int) -> Callable[[], Parts]:
    """Red, white and black with green stars."""
    places = [4.5 + 2.1 * (i - (count - 1) / 2) for i in range(count)]
    return lambda: [*bands((RED, WHITE, BLACK)), *(star(x, 3.05, 0.8, GREEN) for x in places)]


def jordan() -> Parts:
    """Black, white and green with a red wedge and a star."""
    return [*palestine(), star(1.35, 3, 0.55, WHITE, 7)]


def palestine() -> Parts:
    """Black, white and green with a red wedge."""
    return [*bands((BLACK, WHITE, GREEN)), polygon([(0, 0), (3.9, 3), (0, 6)], fill=RED)]


def lebanon() -> Parts:
    """A cedar between red bands."""
    cedar = "M4.5 1.6L5.2 2.35H4.95L5.75 3.1H5.4L6.2 3.95H4.75V4.4H4.25V3.95H2.8L3.6 3.1H3.25L4.05 2.35H3.8Z"
    return [*bands((RED, WHITE, RED), (1, 2, 1)), path(cedar, fill=GREEN)]


def crescent() -> Parts:
    """A crescent and a star: volunteers of many countries."""
    moon = "M5.2 1.5A1.7 1.7 0 1 0 5.2 4.5A2 2 0 0 1 5.2 1.5Z"
    return [rect(0, 0, WIDE, HIGH, fill=GREEN), path(moon, fill=WHITE), star(5.45, 3, 0.6, WHITE)]


FLAGS: Mapping[str, Callable[[], Parts]] = {
    "israel": israel,
    "egypt": stars(2),
    "syria": stars(3),
    "iraq": stars(3),
    "jordan": jordan,
    "palestine": palestine,
    "lebanon": lebanon,
    "volunteers": crescent,
}


def flag(nation: str, colors: Colors) -> Element:
    """The flag of a nation, found by the first word of its id; else a roundel in its own colours."""
    draw = FLAGS.get(nation.partition("_")[0])
    inner = draw() if draw else [rect(0, 0, WIDE, HIGH, fill=colors.accent), circle(4.5, 3, 1.6, fill=WHITE)]
    return group([*inner, rect(0, 0, WIDE, HIGH, fill="none", stroke=colors.ink, stroke_width=0.22)])
