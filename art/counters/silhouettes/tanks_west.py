"""Tanks of British, American and French design."""

from __future__ import annotations

from art.counters.silhouettes.parts import (
    Disc,
    Drawings,
    barrel,
    brake,
    cupola_gun,
    even_positions,
    in_row,
    seam,
    sleeve,
    solid,
    tracks,
)
from art.svg import Element, circle, rect


def tank_centurion(ink: str, shade: str) -> list[Element]:
    """Centurion with the 105 mm gun, its evacuator in the middle; a rack behind the turret."""
    gun = [barrel(0.4, 9, 5.5, 0.44, 0.7, ink), sleeve(3.6, 5.5, 2, 0.98, ink)]
    rack = [rect(17.1, 4.35, 3, 1.75, rx=0.15, fill=ink), seam("M18.1 4.75V5.7M19.1 4.75V5.7", shade)]
    return [*gun, *_centurion(ink, shade), *rack, *cupola_gun(14.9, 3.1, ink, 3.6)]


def tank_centurion_20pdr(ink: str, shade: str) -> list[Element]:
    """Centurion with the 20-pounder, a weight at its muzzle, the turret still bare behind."""
    gun = [barrel(1.4, 9, 5.5, 0.4, 0.72, ink), sleeve(1.2, 5.5, 1.2, 0.76, ink)]
    return [*gun, *_centurion(ink, shade)]


def _centurion(ink: str, shade: str) -> list[Element]:
    """Skirts over the upper wheels, a slab of a turret hung with boxes."""
    wheels = in_row([8.2, 10.4, 12.9, 15.1, 17.6, 19.8], 1.02)
    gear = tracks(Disc(6.3, 9.15, 0.75), Disc(22, 9.05, 0.85), wheels, ink, shade)
    hull = "M4.9 8.25L5.2 7.7L8 6.7H22.6L23.6 7.5V8.25Z"
    skirt = "M7 7.6H21.2L21.4 9.45H6.9Z"
    turret = "M8.9 6.9L8.6 4.6L9.5 3.95H16.9L17.4 4.4V6.3L16.6 6.9Z"
    cupola = "M13.6 4V3.35Q13.6 3 14 3H15.8Q16.2 3 16.2 3.35V4Z"
    mantlet = rect(7.7, 4.65, 1.4, 1.75, rx=0.2, fill=ink)
    boxes = [rect(x, 4.75, 1.9, 1.25, fill="none", stroke=shade, stroke_width=0.16) for x in (10.9, 13.1, 15.3)]
    joints = [seam("M7.1 7.55H21.1", shade), seam("M10.5 7.8V9.2M14 7.8V9.2M17.5 7.8V9.2", shade, 0.13)]
    lines = [seam("M9.3 6.85H16.4", shade), seam("M13.7 3.92H16.1", shade, 0.13)]
    body = [*gear, solid(hull, ink), solid(skirt, ink), *joints]
    return [*body, mantlet, solid(turret, ink), solid(cupola, ink), *boxes, *lines]


def sherman_chassis(ink: str, shade: str, is_wide: bool = False) -> list[Element]:
    """A tall hull on three bogies: upright springs, or the wide track's level ones."""
    bogies = [9.6, 14.1, 18.6]
    y = 10.15
    wheels = in_row([x + side for x in bogies for side in (-1.02, 1.02)], 0.8, y)
    rollers = in_row([11.85, 16.35] if is_wide else [x + 0.6 for x in bogies], 0.38, 8.2)
    gear = tracks(Disc(6.6, 9, 1), Disc(21.5, 9.25, 0.85), wheels, ink, shade, "plain", rollers, "front")
    if is_wide:
        springs = [rect(x - 1.15, 8.7, 2.3, 0.5, rx=0.2, fill=shade) for x in bogies]
    else:
        springs = [solid(f"M{x - 0.5} 8.75H{x + 0.5}L{x + 0.8} 9.6H{x - 0.8}Z", shade) for x in bogies]
    hull = "M5.5 8.4Q5.3 7.7 6 7.2L9 4.95H20.9L22.6 5.9L23.1 7.6L20 7.8H6Z"
    lines = [seam("M7.2 7.25H22.4", shade), seam("M9.4 5.5L7.5 6.9", shade, 0.14)]
    return [*gear, *springs, solid(hull, ink), *lines]


def tank_sherman(ink: str, shade: str) -> list[Element]:
    """Sherman with the long 75 mm gun: round turret, counterweight behind."""
    turret = "M9.8 5Q9.5 3.1 11.3 2.75H16.1Q17.1 2.8 17.4 3.2L17 4.9Z"
    weight = "M16.6 3H19.3Q19.9 3 19.9 3.6V4.2Q19.9 4.7 19.3 4.7H16.6Z"
    cupola = "M13.2 2.9V2.3Q13.2 2 13.5 2H15.1Q15.4 2 15.4 2.3V2.9Z"
    gun = [barrel(1.4, 10, 4.05, 0.4, 0.62, ink), *brake(0.7, 4.05, ink, shade, 1.35, 0.9)]
    mantlet = rect(8.7, 3.3, 1.6, 1.5, rx=0.4, fill=ink)
    lines = [seam("M10.3 4.98H16.8", shade), seam("M17.3 3.4V4.5", shade), seam("M13.3 2.82H15.3", shade, 0.13)]
    body = [*sherman_chassis(ink, shade), *gun, mantlet, solid(turret, ink), solid(weight, ink), solid(cupola, ink)]
    return [*body, *lines]


def tank_super_sherman(ink: str, shade: str) -> list[Element]:
    """Sherman with the 105 mm gun: wide tracks, a longer turret, a brake as big as a bucket."""
    turret = "M9.6 5L9.4 3.6Q9.8 2.6 11.2 2.45H17Q18.4 2.55 18.6 3.4L18 4.9Z"
    box = rect(18, 2.7, 3.1, 1.7, rx=0.2, fill=ink)
    gun = [barrel(1.6, 10, 3.95, 0.46, 0.72, ink), *brake(0.4, 3.95, ink, shade, 2, 1.25)]
    mantlet = "M8 3.5L9.8 2.9V5L8 4.5Z"
    cupola = "M14 2.6V2Q14 1.7 14.3 1.7H15.9Q16.2 1.7 16.2 2V2.6Z"
    lines = [seam("M10.1 4.98H17.6", shade), seam("M18.9 3V4.1M20 3V4.1", shade), seam("M14.1 2.5H16.1", shade, 0.13)]
    body = [
        *sherman_chassis(ink, shade, is_wide=True),
        *gun,
        solid(mantlet, ink),
        solid(turret, ink),
        box,
        solid(cupola, ink),
    ]
    return [*body, *lines]


def patton_gear(ink: str, shade: str) -> list[Element]:
    """Six even wheels under rollers."""
    wheels = in_row(even_positions(8.7, 19.6, 6), 1.02)
    rollers = in_row([9.8, 14.15, 18.5], 0.44, 8.45)
    return tracks(Disc(6.7, 9.15, 0.85), Disc(21.9, 8.9, 0.85), wheels, ink, shade, "disc", rollers)


def tank_patton(ink: str, shade: str) -> list[Element]:
    """M-48: a boat of a hull, a turret like a loaf, the evacuator in the middle of the gun."""
    hull = "M6 7.85Q5.2 7.5 6.1 7Q8 6.3 10 6.15H21.9Q23.4 6.2 23.5 7.2L23.2 7.85H6Z"
    turret = "M9.2 6.3Q8.8 4.6 10.3 3.7Q12 2.95 14.2 3Q17.3 3.1 18.8 4.3L18.4 5.4Q17.6 6.3 16.8 6.3Z"
    cupola = "M12.9 3.2V2.2Q13 1.75 13.5 1.75H15Q15.6 1.75 15.6 2.3V3.2Z"
    gun = [barrel(0.4, 9.5, 4.9, 0.44, 0.72, ink), sleeve(4.2, 4.9, 2, 0.98, ink), barrel(8, 9.8, 4.9, 0.9, 1.7, ink)]
    basket = [seam("M18.3 4.1H20.6V5.4H18.2", ink, 0.3), seam("M19.5 4.1V5.4", ink, 0.2)]
    lines = [seam("M9.8 6.25H16.7", shade), seam("M6.5 7.5H23", shade), seam("M13 3.1H15.5", shade, 0.13)]
    body = [*patton_gear(ink, shade), solid(hull, ink), *gun, *basket, solid(turret, ink), solid(cupola, ink)]
    return [*body, rect(10.7, 2.1, 2.6, 0.22, fill=ink), *lines, seam("M13.2 4.6Q15.4 4.3 17.4 4.8", shade, 0.15)]


def m60_chassis(ink: str, shade: str) -> list[Element]:
    """The Patton's gear under a straight wedge of a hull."""
    hull = "M5.2 7.85L5.4 7.2L9 6.1H22.2L23.6 6.8V7.3L23.2 7.85Z"
    boxes = [
        rect(x, 6.4, long, 0.75, fill="none", stroke=shade, stroke_width=0.14) for x, long in ((9.8, 3.4), (17.2, 4))
    ]
    return [*patton_gear(ink, shade), solid(hull, ink), seam("M6 7.5H23", shade), *boxes]


def tank_m60(ink: str, shade: str) -> list[Element]:
    """M-60A1: the turret drawn out to a needle's nose, the tall cupola with its own gun."""
    turret = "M8.4 5.3Q8.3 4.5 9.2 4.1L13.4 2.95H17.4L20.4 3.6V5L17.8 5.4L17.1 6.3H10.6Z"
    cupola = "M13.2 3.1V1.9Q13.3 1.3 14.2 1.3H15.4Q16.2 1.3 16.3 1.9V3.1Z"
    gun = [barrel(0.4, 9, 4.85, 0.42, 0.7, ink), sleeve(4.1, 4.85, 2, 0.95, ink), barrel(6.8, 9, 4.85, 0.75, 1.3, ink)]
    basket = [seam("M20.2 3.8H22.3V5H20.2", ink, 0.28), seam("M21.3 3.8V5", ink, 0.2)]
    lines = [seam("M11 6.25H17", shade), seam("M13.3 3.02H16.3", shade, 0.13), seam("M13 4.6H18.6", shade, 0.15)]
    body = [*m60_chassis(ink, shade), *gun, *basket, solid(turret, ink), solid(cupola, ink)]
    return [*body, rect(11, 1.95, 2.6, 0.24, fill=ink), *lines]


def tank_amx13(ink: str, shade: str) -> list[Element]:
    """AMX-13: a long sloping bow, and far back a turret whose upper half rocks."""
    wheels = in_row(even_positions(9.2, 19.4, 5), 1.1)
    rollers = in_row([10.5, 14.3, 18.1], 0.4, 8.35)
    gear = tracks(Disc(7.1, 9.05, 0.9), Disc(21.6, 9.3, 0.85), wheels, ink, shade, "disc", rollers, "front")
    hull = "M5.8 8.1L6 7.6L12.2 6.1H22.9L23.4 6.8L23.2 8.1Z"
    ring = "M14 6.4L13.5 5.2H20.7L20 6.4Z"
    turret = "M12 4.9L12.6 3.7Q13 3.2 14 3.1H20.9L21.7 3.6L21.4 5.1H13Z"
    cupola = "M16.2 3.2Q16.2 2.1 17.3 2.1T18.5 3.2Z"
    gun = [barrel(1.4, 12.8, 4.3, 0.4, 0.64, ink), *brake(0.7, 4.3, ink, shade, 1.3, 0.9)]
    lines = [seam("M13.3 5.15H20.9", shade, 0.2), seam("M6.6 7.75H22.9", shade), seam("M14.2 6.3H19.9", shade, 0.13)]
    body = [*gear, solid(hull, ink), *gun, solid(ring, ink), solid(turret, ink), solid(cupola, ink)]
    return [*body, *lines, circle(16.9, 4.3, 0.22, fill=shade)]


DRAWINGS: Drawings = {
    "tank_centurion": tank_centurion,
    "tank_centurion_20pdr": tank_centurion_20pdr,
    "tank_sherman": tank_sherman,
    "tank_super_sherman": tank_super_sherman,
    "tank_patton": tank_patton,
    "tank_m60": tank_m60,
    "tank_amx13": tank_amx13,
}
