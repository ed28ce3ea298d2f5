"""Engineers' vehicles: bridges, flails and ferries."""

from __future__ import annotations

from art.counters.silhouettes.parts import (
    GROUND,
    Disc,
    Drawings,
    even_positions,
    in_row,
    place,
    ring,
    seam,
    solid,
    standing,
    tracks,
)
from art.counters.silhouettes.tanks_east import t55_chassis, tank_t55
from art.counters.silhouettes.tanks_west import m60_chassis, tank_sherman
from art.svg import Element, circle, line, rect


def _truss(left: float, right: float, top: float, low: float, shade: str, panels: int) -> Element:
    """The zigzag of a girder."""
    xs = even_positions(left, right, panels * 2 + 1)
    points = [f"{x:.3g} {low if i % 2 == 0 else top}" for i, x in enumerate(xs)]
    return seam("M" + "L".join(points), shade, 0.15)


def bridge_layer(ink: str, shade: str) -> list[Element]:
    """M-60 with a folded scissors bridge."""
    halves = ["M.5 5.6L1.4 4H22.6L23.3 4.6V5.6Z", "M1.3 3.6L3 2.2H22.6L23.3 2.7V3.6Z"]
    pins = [circle(22.9, 3.8, 0.55, fill=ink), circle(22.9, 3.8, 0.22, fill=shade)]
    ram = [
        solid("M3.9 7.7L2.4 5.4H5.6L7.6 7Z", ink),
        rect(15.4, 5.4, 1.8, 1.4, fill=ink),
        rect(9, 5.4, 1.3, 1.4, fill=ink),
    ]
    girders = [_truss(2, 21.8, 4.4, 5.25, shade, 9), _truss(3.4, 21.8, 2.6, 3.25, shade, 9)]
    return [standing(m60_chassis(ink, shade), -0.9, 0.88), *ram, *(solid(d, ink) for d in halves), *girders, *pins]


def bridge_mtu2(ink: str, shade: str) -> list[Element]:
    """MTU-2: a T-55 with a box bridge, its ramps folded on top."""
    deck = "M.5 6.8L.9 4.9H22.8L23.4 6.8Z"
    ramps = ["M1.1 4.6L1.7 3.4H8.4L10.2 4.6Z", "M12.6 4.6L14.4 3.4H22.1L22.7 4.6Z"]
    posts = [rect(x, 6.6, 1.4, 1.4, fill=ink) for x in (7.4, 12, 16.6)]
    girder = _truss(1.8, 22.2, 5.35, 6.4, shade, 10)
    body = [standing(t55_chassis(ink, shade), -1.7, 0.92), *posts, solid(deck, ink), girder]
    return [*body, *(solid(d, ink) for d in ramps)]


def _flail(ink: str, shade: str) -> list[Element]:
    """A drum of chains on two arms before a tank."""
    x, y, radius = 3.5, 8.2, 2.65
    ends = ring(9, x, y, radius, -52)
    chains = [line(x, y, a, b, stroke=ink, stroke_width=0.24, stroke_dasharray="0.55 0.12") for a, b in ends]
    balls = [circle(a, b, 0.36, fill=ink) for a, b in ends]
    arms = [seam("M3.5 8.2L11.8 9.3", ink, 0.75), seam("M8.2 9L11.8 10.2", ink, 0.45)]
    return [
        *chains,
        *balls,
        *arms,
        circle(x, y, 1.15, fill=ink),
        circle(x, y, 0.62, fill=shade),
        circle(x, y, 0.25, fill=ink),
    ]


def flail(ink: str, shade: str) -> list[Element]:
    """Sherman flail."""
    return [*_flail(ink, shade), standing(tank_sherman(ink, shade), 6.6, 0.74)]


def flail_t55(ink: str, shade: str) -> list[Element]:
    """T-54 flail."""
    return [*_flail(ink, shade), standing(tank_t55(ink, shade), 6.3, 0.735)]


def ferry(ink: str, shade: str) -> list[Element]:
    """GSP: half a ferry on tracks, its second float folded over it."""
    wheels = in_row(even_positions(5.2, 18.6, 7), 0.88)
    gear = tracks(Disc(3.4, 9.4, 0.72), Disc(20.5, 9.3, 0.78), wheels, ink, shade, "plain")
    hull = "M.6 6.4L1.6 6H22.8L23.5 6.6L22.6 8.6H2.6Z"
    afloat = "M1.6 4L3 3.1H21.8L22.8 3.8V5.5H2.8Z"
    ramp = "M3.6 2.8L5 2.1H20.4L21.4 2.8Z"
    lines = [seam("M2.6 7.3H22.6", shade), seam("M7.6 3.6V5M12.8 3.6V5M18 3.6V5", shade)]
    pins = [rect(x, y, 0.9, 0.8, fill=ink) for x in (5, 12.4, 19.6) for y in (5.3, 2.6)]
    return [*gear, solid(hull, ink), solid(afloat, ink), *pins, solid(ramp, ink), *lines]


def ferry_motorized(ink: str, shade: str) -> list[Element]:
    """A raft under way: deck, ramps up at both ends, a tank aboard."""
    floats = "M3 8.1H21L20.2 9.9Q20 10.2 19.6 10.2H4.4Q4 10.2 3.8 9.9Z"
    deck = rect(2.4, 7.5, 19.2, 0.75, fill=ink)
    ramps = seam("M2.6 7.8L.7 5.9M21.4 7.8L23.3 5.9", ink, 0.6)
    bridge = [rect(19, 5.3, 1.7, 2.3, fill=ink), rect(19.3, 5.7, 1.1, 0.7, fill=shade), seam("M19.8 5.3V3.6", ink, 0.2)]
    waves = seam("M1 10.75q1 -.6 2 0" + "t2 0" * 10, ink, 0.42)
    joints = seam("M8.4 8.6V9.8M15.6 8.6V9.8", shade)
    cargo = standing(tank_sherman(ink, shade), 1.6, 0.68)
    raft_cargo = place([cargo], 0, 7.55 - GROUND)
    return [raft_cargo, deck, solid(floats, ink), ramps, *bridge, joints, waves]


DRAWINGS: Drawings = {
    "bridge_layer": bridge_layer,
    "bridge_mtu2": bridge_mtu2,
    "flail": flail,
    "flail_t55": flail_t55,
    "ferry": ferry,
    "ferry_motorized": ferry_motorized,
}
