"""National flags of the periods of the games, 9 wide and 6 high."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import cos, pi, sin

from art.svg import Element, circle, group, path, polygon, rect
from scenarios.model.definitions import Colors

FLAG_WIDTH, FLAG_HEIGHT = 9.0, 6.0
RED, GREEN, BLACK, WHITE, BLUE = "#c1272d", "#1d7a3c", "#1b1b1b", "#ffffff", "#1f4fa0"
Parts = list[Element]


def star(x: float, y: float, radius: float, color: str, tips: int = 5) -> Element:
    """A star with that many points. The first points up."""
    inner = radius * (0.4 if tips == 5 else 0.5)
    points = [
        (x + r * sin(pi * i / tips), y - r * cos(pi * i / tips))
        for i in range(2 * tips)
        for r in [(radius, inner)[i % 2]]
    ]
    return polygon(points, fill=color)


def bands(colors: Sequence[str], shares: Sequence[float] = (1, 1, 1)) -> Parts:
    """Horizontal bands, from the top."""
    parts, y = [], 0.0
    for color, share in zip(colors, shares, strict=True):
        height = FLAG_HEIGHT * share / sum(shares)
        parts.append(rect(0, y, FLAG_WIDTH, height, fill=color))
        y += height
    return parts


def israel() -> Parts:
    """Two stripes and the shield of David."""
    upward_triangle = "M4.5 1.75L5.58 3.62H3.42Z"
    downward_triangle = "M4.5 4.25L3.42 2.38H5.58Z"
    stripes = [rect(0, 0.55, FLAG_WIDTH, 0.8, fill=BLUE), rect(0, FLAG_HEIGHT - 1.35, FLAG_WIDTH, 0.8, fill=BLUE)]
    return [
        rect(0, 0, FLAG_WIDTH, FLAG_HEIGHT, fill=WHITE),
        *stripes,
        path(upward_triangle + downward_triangle, fill="none", stroke=BLUE, stroke_width=0.26),
    ]


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
    return [rect(0, 0, FLAG_WIDTH, FLAG_HEIGHT, fill=GREEN), path(moon, fill=WHITE), star(5.45, 3, 0.6, WHITE)]


def moon(x: float, y: float, radius: float, color: str) -> Element:
    """A crescent, open to the right."""
    tip, half_height = x + radius * 0.55, radius * 0.84
    return path(
        f"M{tip:.2f} {y - half_height:.2f}A{radius} {radius} 0 1 0 {tip:.2f} {y + half_height:.2f}"
        f"A{radius * 0.95:.2f} {radius * 0.95:.2f} 0 0 1 {tip:.2f} {y - half_height:.2f}Z",
        fill=color,
    )


def britain() -> Parts:
    """The crosses of three saints."""
    # The diagonal bars are shapes that end in the corners: lines with such ends would extend beyond the flag
    white = [(0, 0), (1, 0), (9, 5.4), (9, 6), (8, 6), (0, 0.6)]
    red = [(0, 0), (0.4, 0), (9, 5.75), (9, 6), (8.6, 6), (0, 0.25)]
    slants = [
        polygon([(x, y) if way else (FLAG_WIDTH - x, y) for x, y in bar], fill=color)
        for bar, color in ((white, WHITE), (red, RED))
        for way in (True, False)
    ]
    crosses = ((WHITE, 2.0), (RED, 1.2))
    upright = [
        path("M4.5 0V6M0 3H9", fill="none", stroke=color, stroke_width=bar_width) for color, bar_width in crosses
    ]
    return [rect(0, 0, FLAG_WIDTH, FLAG_HEIGHT, fill=BLUE), *slants, *upright]


def france() -> Parts:
    """Blue, white and red upright."""
    return [rect(3 * n, 0, 3, FLAG_HEIGHT, fill=color) for n, color in enumerate((BLUE, WHITE, RED))]


def united_states() -> Parts:
    """Stripes and a field of stars."""
    stripe_height = FLAG_HEIGHT / 13
    stripes = [rect(0, n * stripe_height, FLAG_WIDTH, stripe_height, fill=(RED, WHITE)[n % 2]) for n in range(13)]
    dots = [circle(0.6 + 0.7 * x, 0.55 + 0.72 * y, 0.15, fill=WHITE) for x in range(5) for y in range(4)]
    return [*stripes, rect(0, 0, 4, 7 * stripe_height, fill="#1f3f7a"), *dots]


def soviet_union() -> Parts:
    """A sickle, a hammer and a star in gold on red."""
    gold = "#f0c13c"
    sickle = path(
        "M2.5 1.9A1.05 1.05 0 1 1 1.25 3.5", fill="none", stroke=gold, stroke_width=0.28, stroke_linecap="round"
    )
    hammer = path("M1.5 2.3L2.75 3.7M1.25 2.55L1.8 2.05", fill="none", stroke=gold, stroke_width=0.3)
    return [rect(0, 0, FLAG_WIDTH, FLAG_HEIGHT, fill=RED), sickle, hammer, star(1.95, 1.0, 0.45, gold)]


def arab_league() -> Parts:
    """A crescent in a chain on green."""
    ring = circle(4.5, 3, 2.0, fill="none", stroke=WHITE, stroke_width=0.3, stroke_dasharray="0.5 0.16")
    return [rect(0, 0, FLAG_WIDTH, FLAG_HEIGHT, fill="#1d6b3a"), ring, moon(4.35, 3, 1.15, WHITE)]


def algeria() -> Parts:
    """Green and white with a red crescent and star."""
    halves = [
        rect(0, 0, FLAG_WIDTH / 2, FLAG_HEIGHT, fill=GREEN),
        rect(FLAG_WIDTH / 2, 0, FLAG_WIDTH / 2, FLAG_HEIGHT, fill=WHITE),
    ]
    return [*halves, moon(4.3, 3, 1.5, RED), star(5.1, 3, 0.75, RED)]


def kuwait() -> Parts:
    """Green, white and red with a black trapezium."""
    return [*bands((GREEN, WHITE, RED)), polygon([(0, 0), (2.25, 2), (2.25, 4), (0, 6)], fill=BLACK)]


def kingdom_of_egypt() -> Parts:
    """A crescent and three stars in white on green: Egypt until it joined with Syria in 1958."""
    places = ((5.1, 2.1), (5.1, 3.9), (6.3, 3.0))
    return [
        rect(0, 0, FLAG_WIDTH, FLAG_HEIGHT, fill=GREEN),
        moon(4.0, 3, 1.9, WHITE),
        *(star(x, y, 0.55, WHITE) for x, y in places),
    ]


def arab_federation() -> Parts:
    """Red, white and black with a golden hawk: the federation of Egypt, Libya and Syria, from 1972."""
    hawk = "M4.5 2.25L4.85 2.6L5.7 2.4L5.3 3.5L4.75 3.25L4.95 3.75H4.05L4.25 3.25L3.7 3.5L3.3 2.4L4.15 2.6Z"
    return [*bands((RED, WHITE, BLACK)), path(hawk, fill="#c99a2e")]


def morocco() -> Parts:
    """A green seal of five lines on red."""
    tips = [(4.5 + 1.7 * sin(0.8 * pi * n), 3.1 - 1.7 * cos(0.8 * pi * n)) for n in range(5)]
    seal = "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in tips) + "Z"
    return [
        rect(0, 0, FLAG_WIDTH, FLAG_HEIGHT, fill=RED),
        path(seal, fill="none", stroke="#123f24", stroke_width=0.32, stroke_linejoin="round"),
    ]


def saudi_arabia() -> Parts:
    """A line of script over a sword, on green."""
    script = "M2.3 2.3q.35-.9.7 0t.7 0t.7 0t.7 0t.7 0t.7 0"
    pen = {"fill": "none", "stroke": WHITE, "stroke_linecap": "round"}
    return [
        rect(0, 0, FLAG_WIDTH, FLAG_HEIGHT, fill=GREEN),
        path(script, stroke_width=0.34, **pen),
        path("M2.3 4.1H6.5M6.1 3.8V4.4", stroke_width=0.24, **pen),
    ]


def sudan() -> Parts:
    """Red, white and black with a green wedge."""
    return [*bands((RED, WHITE, BLACK)), polygon([(0, 0), (3, 3), (0, 6)], fill=GREEN)]


def tunisia() -> Parts:
    """A red crescent and star on a white disc."""
    return [
        rect(0, 0, FLAG_WIDTH, FLAG_HEIGHT, fill=RED),
        circle(4.5, 3, 1.6, fill=WHITE),
        moon(4.4, 3, 1.1, RED),
        star(4.95, 3, 0.55, RED),
    ]


FLAGS: Mapping[str, Callable[[], Parts]] = {
    "israel": israel,
    "egypt": stars(2),
    "syria": stars(3),
    "iraq": stars(3),
    "jordan": jordan,
    "palestine": palestine,
    "lebanon": lebanon,
    "volunteers": crescent,
    "britain": britain,
    "france": france,
    "us": united_states,
    "ussr": soviet_union,
    "arab": arab_league,
    "algeria": algeria,
    "kuwait": kuwait,
    "libya": arab_federation,
    "morocco": morocco,
    "saudi": saudi_arabia,
    "sudan": sudan,
    "tunisia": tunisia,
    "kingdom_of_egypt": kingdom_of_egypt,
    "arab_federation": arab_federation,
}


def flag(name: str, colors: Colors) -> Element:
    """The flag with that name, or of the nation in the first word of an id. Otherwise a roundel in the nation's colors."""
    draw = FLAGS.get(name) or FLAGS.get(name.partition("_")[0])
    inner = (
        draw() if draw else [rect(0, 0, FLAG_WIDTH, FLAG_HEIGHT, fill=colors.accent), circle(4.5, 3, 1.6, fill=WHITE)]
    )
    return group([*inner, rect(0, 0, FLAG_WIDTH, FLAG_HEIGHT, fill="none", stroke=colors.ink, stroke_width=0.22)])
