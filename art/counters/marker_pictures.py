"""Pictures on markers for constructions and states, on a box 12 wide and 8 high, in ink with a second tone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import cos, pi, sin

from art.counters.support_pictures import SUPPORT, burst
from art.maps.pens import fill, stroke
from art.svg import Element, circle, group, polygon, rect, translate

Picture = Callable[[str, str], list[Element]]
WAVES = "M1 7.4q0.8 -0.7 1.6 0t1.6 0t1.6 0t1.6 0t1.6 0t1.6 0"


def fort(ink: str, shade: str) -> list[Element]:
    """A casemate with embrasures."""
    wall = "M1 7.4L2.2 2.6H9.8L11 7.4Z"
    return [
        fill("M1.9 2.6V0.8H3.7V1.8H5.1V0.8H6.9V1.8H8.3V0.8H10.1V2.6Z", ink),
        fill(wall, shade),
        stroke(wall, ink, 0.5),
        rect(3, 4.3, 2.2, 0.9, fill=ink),
        rect(6.8, 4.3, 2.2, 0.9, fill=ink),
    ]


def improved_position(ink: str, shade: str) -> list[Element]:
    """Sandbags in three rows."""
    bags = []
    for row, count in enumerate((3, 4, 5)):
        for i in range(count):
            x = 6 + 2.2 * (i - (count - 1) / 2)
            bags.append(rect(x - 1.05, 1.9 + 1.8 * row, 2.1, 1.65, rx=0.7, fill=shade, stroke=ink, stroke_width=0.36))
    return bags


def draw_mine(ink: str, shade: str) -> list[Element]:
    """A mine with its prongs."""
    prongs = "".join(
        f"M{6 + 2.3 * cos(a):.3f} {5.6 + 2.3 * sin(a):.3f}L{6 + 4.2 * cos(a):.3f} {5.6 + 4.2 * sin(a):.3f}"
        for a in (pi * (1 + i / 6) for i in range(1, 6))
    )
    return [
        stroke(prongs, ink, 0.55),
        fill("M2.8 6.9A3.2 3.1 0 0 1 9.2 6.9Z", ink),
        rect(2, 6.9, 8, 0.7, rx=0.3, fill=ink),
        stroke("M4.4 5.9A1.8 1.6 0 0 1 5.9 4.7", shade, 0.4),
    ]


def block(ink: str, shade: str) -> list[Element]:
    """Two hedgehogs of beams with wire between."""
    beams = "M1.2 6.9L4.8 1.7M4.8 6.9L1.2 1.7M7.2 6.9L10.8 1.7M10.8 6.9L7.2 1.7"
    wire = "M5.3 3.7L6.7 4.9M5.3 4.9L6.7 3.7"
    return [stroke("M0.4 4.3H11.6", ink, 0.4), stroke(beams, ink, 0.85), stroke(wire, ink, 0.4)]


def trench(ink: str, shade: str) -> list[Element]:
    """A cut in the ground."""
    earth = "M0.4 3H3L4.2 6.8H7.8L9 3H11.6V7.8H0.4Z"
    return [
        fill(earth, shade),
        stroke("M0.4 3H3L4.2 6.8H7.8L9 3H11.6", ink, 0.6),
        stroke("M1 5H2.2M9.8 5H11M2 6.6H3", ink, 0.35),
    ]


def bridge(ink: str, shade: str) -> list[Element]:
    """A bridge over water."""
    return [
        stroke("M0.6 4.3H11.4M0.6 2.6H11.4", ink, 0.6),
        stroke("M1.2 2.6V4.3M3.1 2.6V4.3M5 2.6V4.3M7 2.6V4.3M8.9 2.6V4.3M10.8 2.6V4.3", ink, 0.35),
        stroke("M2.6 4.3V6.3M6 4.3V6.3M9.4 4.3V6.3", ink, 0.7),
        stroke(WAVES, ink, 0.4),
    ]


def bridge_side(ink: str, shade: str) -> list[Element]:
    """An engineer's bridge side. The arrow points at the bridged hexside."""
    return [fill("M6 -1L7.7 0.9H6.6V1.9H5.4V0.9H4.3Z", ink), *bridge(ink, shade)]


def bridge_destroyed(ink: str, shade: str) -> list[Element]:
    """A bridge with its middle fallen in."""
    return [
        stroke("M0.6 3.4H3.6L4.8 6M11.4 3.4H8.4L7.2 6", ink, 0.7),
        stroke("M2.2 3.4V6.4M9.8 3.4V6.4", ink, 0.7),
        stroke(WAVES, ink, 0.4),
        *burst(6, 2.2, 2.1, ink),
    ]


def captured_bridge(ink: str, shade: str) -> list[Element]:
    """A bridge with a flag on it."""
    return [*bridge(ink, shade), stroke("M5.6 2.6V-0.4", ink, 0.4), fill("M5.8 -0.6L9.2 0.4L5.8 1.4Z", ink)]


def wreck(ink: str, shade: str) -> list[Element]:
    """A burnt-out tank."""
    return [
        fill("M1.4 6.7A1 1 0 0 1 1.6 4.9H10.2A1 1 0 0 1 10.6 6.7L9.6 7.6H2.6Z", ink),
        fill("M3.6 4.7L4.6 3.2H7.6L8.6 4.7Z", ink),
        stroke("M4.6 3.9L1 5.4", ink, 0.5),
        *(circle(x, 6.5, 0.5, fill=shade) for x in (3.2, 5.1, 7.0, 8.9)),
        stroke("M6.4 2.4Q5.4 1.4 6.4 0.5M8.2 2.6Q7.2 1.4 8.4 0.2", ink, 0.45),
    ]


def double_wreck(ink: str, shade: str) -> list[Element]:
    """Two burnt-out tanks."""
    return [translate(group(wreck(ink, shade)), 5.0, 0.0, 0.58), translate(group(wreck(ink, shade)), -0.2, 2.6, 0.66)]


def draw_spotted(ink: str, shade: str) -> list[Element]:
    """An eye."""
    lids = "M0.8 4Q6 -1.2 11.2 4Q6 9.2 0.8 4Z"
    return [fill(lids, shade), stroke(lids, ink, 0.6), circle(6, 4, 1.75, fill=ink), circle(6.6, 3.4, 0.5, fill=shade)]


def draw_dispersed(ink: str, shade: str) -> list[Element]:
    """A square flying apart."""
    chips = [(0.9, 0.8), (5.1, 0.0), (9.3, 0.9), (0.3, 4.1), (9.9, 4.3), (2.6, 6.3), (7.6, 6.2)]
    rays = "M4.6 3.2L3.2 2.4M7.4 3.2L8.8 2.4M4.4 4.4L2.6 4.7M7.6 4.4L9.4 4.8M5.2 5.2L4.4 6.2M6.8 5.2L7.6 6.2"
    return [
        *(polygon([(x, y), (x + 1.7, y + 0.3), (x + 1.4, y + 1.7), (x - 0.2, y + 1.4)], fill=ink) for x, y in chips),
        stroke(rays, ink, 0.35),
        rect(5.1, 3.1, 1.8, 1.7, fill=shade, stroke=ink, stroke_width=0.35),
    ]


def draw_down(ink: str, shade: str) -> list[Element]:
    """An arrow to the ground."""
    return [fill("M5 0.4H7V3.6H9L6 6.6L3 3.6H5Z", ink), stroke("M0.8 7.5H11.2", ink, 0.6)]


def out_of_supply(ink: str, shade: str) -> list[Element]:
    """A struck-out fuel can."""
    can = "M3.4 1.8H7.2L8.8 3.2V7.4H3.4Z"
    return [
        fill(can, shade),
        stroke(can, ink, 0.5),
        stroke("M4.4 1.8V0.8H6.8V1.8M4.6 3.6L7.6 6.4M7.6 3.6L4.6 6.4", ink, 0.45),
        stroke("M1.2 7.6L10.8 0.4", ink, 0.8),
    ]


def draw_disorganized(ink: str, shade: str) -> list[Element]:
    """A flash."""
    return [*burst(6, 4, 4.0, ink), fill("M6.8 1.6L4.4 4.5H5.8L5.1 6.5L7.6 3.5H6.2Z", shade)]


def step_loss(ink: str, shade: str) -> list[Element]:
    """Stairs down."""
    return [
        fill("M1 1.6H3.6V3.4H6V5.2H8.4V7.4H1Z", shade),
        stroke("M1 1.6H3.6V3.4H6V5.2H8.4V7.2H10.8", ink, 0.7),
        stroke("M6 1.2L9.8 4.2M7.9 4.3L10 4.4L9.6 2.3", ink, 0.55),
    ]


def draw_disintegrated(ink: str, shade: str) -> list[Element]:
    """A split shield."""
    left_half = "M5.2 0.6L2 1.4V4.4Q2.2 6.4 4.8 7.6L4.2 5.6L5.4 4.2L4.4 2.4Z"
    right = "M7 0.6L10.2 1.4V4.4Q10 6.4 7.2 7.6L6 5.8L7.2 4.2L6.1 2.4Z"
    return [fill(left_half, ink), fill(right, ink)]


def shield(ink: str, shade: str) -> list[Element]:
    """A whole shield."""
    outline = "M6 0.5L9.8 1.5V4.4Q9.4 6.6 6 7.7Q2.6 6.6 2.2 4.4V1.5Z"
    return [fill(outline, shade), stroke(outline, ink, 0.6), stroke("M6 0.6V7.5M2.3 3.8H9.7", ink, 0.4)]


PICTURES: Mapping[str, Picture] = {
    "fort": fort, "improved_position": improved_position, "mine": draw_mine, "block": block, "trench": trench,
    "bridge": bridge_side, "pontoon": bridge, "bridge_destroyed": bridge_destroyed, "captured_bridge": captured_bridge,
    "wreck": wreck, "double_wreck": double_wreck, "spotted": draw_spotted, "dispersed": draw_dispersed, "down": draw_down,
    "out_of_supply": out_of_supply, "disorganized": draw_disorganized, "step_loss": step_loss,
    "disintegrated": draw_disintegrated, "shield": shield,
    **SUPPORT,
}  # fmt: skip
