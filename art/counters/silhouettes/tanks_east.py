"""Tanks of Soviet design, and vehicles based on them."""

from __future__ import annotations

from art.counters.silhouettes.parts import (
    GROUND,
    Disc,
    Drawings,
    barrel,
    brake,
    cupola_gun,
    even_positions,
    in_row,
    place,
    seam,
    sleeve,
    solid,
    standing,
    tracks,
)
from art.svg import Element, circle, rect


def t34_chassis(ink: str, shade: str) -> list[Element]:
    """Christie wheels under a hull whose every side slopes."""
    wheels = in_row([9.9, 12.35, 15.15, 17.6, 20.05], 1.16)
    gear = tracks(Disc(7.95, 9.3, 0.8), Disc(22.25, 9.15, 0.85), wheels, ink, shade, "spoked")
    hull = "M6.7 8.55L7.1 8.15L9.9 6.5H19.6L22.9 7.6L23.6 8.3V8.55Z"
    tanks = [rect(x, 6.95, 2.1, 0.85, rx=0.4, fill="none", stroke=shade, stroke_width=0.16) for x in (15.9, 18.6)]
    return [*gear, solid(hull, ink), seam("M7.4 8.3H22.9", shade), *tanks]


def tank_t34(ink: str, shade: str) -> list[Element]:
    """T-34/85: the big rounded turret is far forward."""
    turret = "M9.6 6.6Q8.9 5.6 9.1 4.7Q9.3 3.85 10.6 3.75H15.6Q17.2 3.8 17.6 4.6L17.1 5.9L15.7 6.6Z"
    mantlet = "M7.7 4.9Q8.4 4.3 9.6 4.4V6.3Q8.3 6.3 7.7 5.8Z"
    cupola = "M12.8 4V3.3Q12.8 3 13.1 3H14.7Q15 3 15 3.3V4Z"
    gun = [barrel(0.9, 8.7, 5.35, 0.44, 0.66, ink)]
    lines = [seam("M10.4 6.62H15.5", shade), seam("M12.9 3.85H14.9", shade, 0.13), seam("M13.8 5.1H16.2", shade)]
    return [*t34_chassis(ink, shade), *gun, solid(mantlet, ink), solid(turret, ink), solid(cupola, ink), *lines]


def tank_destroyer(ink: str, shade: str) -> list[Element]:
    """SU-100: the T-34's hull with a casemate in front and a long gun out of it."""
    house = "M7.1 8.15L12.6 4.45H17.9L18.5 6.7V8.2Z"
    cupola = "M13.7 4.6V3.7Q13.7 3.4 14 3.4H15.6Q15.9 3.4 15.9 3.7V4.6Z"
    lines = [seam("M13.8 4.5H15.8", shade, 0.13), seam("M18.1 6.6L17.6 4.9H13", shade, 0.15)]
    mantlet = "M7.3 6Q8.6 5.3 10.2 5.7L11.5 6.2V7.5H8.4Q7.5 7.2 7.3 6.7Z"
    body = [*t34_chassis(ink, shade), solid(house, ink), solid(cupola, ink), solid(mantlet, ink), *lines]
    return [standing([*body, barrel(-2.2, 8, 6.35, 0.42, 0.66, ink)], 2.4, 0.9)]


def tank_t34_100(ink: str, shade: str) -> list[Element]:
    """T-34/100: the same hull under a tall box of a turret and a gun with a brake."""
    turret = "M9.2 6.6L8.8 4.5L10 3.1H18.9L19.7 3.9L19.1 5.6L16.5 6.9H9.6Z"
    lines = [seam("M9.9 6.62H16", shade), seam("M15.9 3.6V5.9", shade), seam("M10.3 3.6H18.8", shade)]
    gun = [barrel(1, 9.8, 5.25, 0.44, 0.72, ink), *brake(0.5, 5.25, ink, shade, 1.5, 0.95)]
    body = [*t34_chassis(ink, shade), solid(turret, ink), sleeve(7.6, 5.25, 2.3, 1.35, ink), *lines]
    return [place(body, 0.95, GROUND * 0.04, 0.96), *gun]


def t55_chassis(ink: str, shade: str) -> list[Element]:
    """Five wheels, the first apart from the second; fender boxes and drums at the tail."""
    wheels = in_row([9.75, 12.85, 15.2, 17.55, 19.9], 1.12)
    gear = tracks(Disc(7.75, 9.45, 0.75), Disc(22, 9.35, 0.82), wheels, ink, shade, "star")
    hull = "M6.5 8.6L6.7 8.1L9.1 7.2H22.3L22.8 8.1V8.6Z"
    boxes = [
        rect(x, 7.35, long, 0.6, fill="none", stroke=shade, stroke_width=0.14) for x, long in ((16.6, 2), (18.9, 2))
    ]
    drum = rect(22.1, 6.8, 1.5, 1.25, rx=0.35, fill=ink)
    return [*gear, solid(hull, ink), seam("M7 8.3H22.5", shade), *boxes, drum, seam("M22.85 7V7.85", shade, 0.13)]


def dome(ink: str, shade: str) -> list[Element]:
    """The T-55's turret, half an egg, with its handrail and hatches."""
    shell = "M10.1 7.3Q10.1 5.9 11.6 5.1Q13.2 4.4 14.9 4.5Q17.8 4.9 18.1 7.3Z"
    cupola = "M14 4.8V4.1Q14 3.85 14.3 3.85H15.7Q16 3.85 16 4.1V4.9Z"
    lines = [seam("M10.6 7.24H17.7", shade), seam("M12.6 6.1Q14.2 5.5 16.6 6", shade, 0.15)]
    return [solid(shell, ink), solid(cupola, ink), *lines, seam("M14.1 4.55H15.9", shade, 0.13)]


def tank_t55(ink: str, shade: str) -> list[Element]:
    """T-55: bore evacuator at the very muzzle."""
    gun = [barrel(0.6, 11, 6.3, 0.44, 0.68, ink), sleeve(0.4, 6.3, 1.9, 0.84, ink), barrel(9, 11, 6.3, 0.72, 1.5, ink)]
    return [*t55_chassis(ink, shade), *gun, *dome(ink, shade)]


def tank_ti67(ink: str, shade: str) -> list[Element]:
    """TI-67: a T-55 with the 105 mm gun, a bin behind the turret and a machine gun on it."""
    gun = [barrel(0.4, 11, 6.3, 0.44, 0.7, ink), sleeve(4.4, 6.3, 2.1, 0.94, ink), barrel(9, 11, 6.3, 0.72, 1.6, ink)]
    basket = [rect(17, 5.2, 2.9, 1.35, rx=0.2, fill=ink), seam("M18.2 5.5V6.25M19.1 5.5V6.25", shade)]
    return [*t55_chassis(ink, shade), *gun, *basket, *dome(ink, shade), *cupola_gun(14.6, 4, ink, 3.4)]


def tank_t62(ink: str, shade: str) -> list[Element]:
    """T-62: longer, the wheels spread to the rear, the evacuator a third of the way from the muzzle."""
    wheels = in_row([9.4, 11.75, 14.1, 17, 20.1], 1.12)
    gear = tracks(Disc(7.4, 9.45, 0.75), Disc(22.2, 9.35, 0.82), wheels, ink, shade, "star")
    hull = "M6.1 8.6L6.3 8.15L9 7.2H22.9L23.4 8V8.6Z"
    shell = "M9.8 7.3Q9.6 5.8 11.6 4.85Q13.8 4 15.9 4.3Q18.5 4.8 18.7 7.3Z"
    cupola = "M14.5 4.5L14.8 3.7H16.3L16.7 4.7Z"
    lamp = [
        rect(10, 4.5, 1.1, 1.15, rx=0.3, fill=ink),
        seam("M10.3 4.85V5.3", shade, 0.2),
        seam("M10.7 5.4V6.2", ink, 0.4),
    ]
    gun = [barrel(0.3, 11, 6.3, 0.42, 0.68, ink), sleeve(3.2, 6.3, 2, 0.96, ink), barrel(8.8, 11, 6.3, 0.74, 1.5, ink)]
    lines = [seam("M10.3 7.24H18.3", shade), seam("M12.2 6.3V5.7Q14 5 16.8 5.5V6.1", shade, 0.15)]
    boxes = [rect(x, 7.4, 2, 0.58, fill="none", stroke=shade, stroke_width=0.14) for x in (15, 17.3, 19.6)]
    body = [*gear, solid(hull, ink), seam("M6.8 8.32H23", shade), *boxes]
    return [*body, *gun, *lamp, solid(shell, ink), solid(cupola, ink), *lines]


def tank_t10(ink: str, shade: str) -> list[Element]:
    """T-10M: seven small wheels and rollers, a pike nose, a long gun with a big brake."""
    wheels = in_row(even_positions(10.2, 20.7, 7), 0.8)
    rollers = in_row([12, 15.45, 18.9], 0.42, 8.8)
    gear = tracks(Disc(8.7, 9.35, 0.68), Disc(22.4, 9.3, 0.72), wheels, ink, shade, "plain", rollers)
    hull = "M7.1 8.25L7.7 7.8L10.4 6.9H22L23.5 7.6L23.7 8.25H7.5Z"
    shell = "M9.9 7Q10.2 5.2 12.3 4.75L15.2 4.45Q18.6 4.6 19.1 6.1L18.6 7.1Z"
    cupola = "M14 4.7V4.15Q14 3.85 14.3 3.85H15.9Q16.2 3.85 16.2 4.15V4.7Z"
    gun = [barrel(1, 10.8, 6, 0.38, 0.72, ink), sleeve(2.75, 6, 1.5, 0.8, ink), barrel(8.7, 10.8, 6, 0.74, 1.3, ink)]
    lines = [seam("M10.3 6.98H18.3", shade), seam("M7.9 8H23.2", shade), seam("M14.1 4.6H16.1", shade, 0.13)]
    body = [*gear, solid(hull, ink), solid(shell, ink), solid(cupola, ink), *lines]
    return [*body, *gun, *brake(0.3, 6, ink, shade, 1.9, 0.95), *cupola_gun(15.1, 3.95, ink, 3.8)]


def minelayer(ink: str, shade: str) -> list[Element]:
    """A tracked carrier with a ramp at its tail that drops mines."""
    wheels = in_row(even_positions(3.4, 14.6, 7), 0.88)
    rollers = in_row([5.4, 9, 12.6], 0.4, 8.7)
    gear = tracks(Disc(1.75, 9.3, 0.8), Disc(16.2, 9.3, 0.75), wheels, ink, shade, "plain", rollers, "front")
    hull = "M.6 8.2L.9 7.7L4.3 5.9H7L7.5 4.6H16.8L17.3 8.2Z"
    cab = "M4.6 6V5.1Q4.6 4.7 5 4.7H6.2Q6.6 4.7 6.6 5.1V6Z"
    ramp = "M15.2 4.7L16.6 3.6L22.6 9.6L21.9 10.4L20.6 9.9Z"
    mines = [
        part for x, y in ((17.75, 4.35), (19.35, 5.95), (20.95, 7.55)) for part in _draw_mine_plough(x, y, ink, shade)
    ]
    mine_row = [rect(18.2, GROUND - 0.55, 1.6, 0.55, rx=0.2, fill=ink), rect(18.6, GROUND - 0.8, 0.8, 0.3, fill=ink)]
    lines = [seam("M1.2 7.95H16.9", shade), seam("M8.4 5.4H15.4M11.9 5.4V7.6", shade), seam("M4.7 5.85H6.5", shade)]
    return [*gear, solid(hull, ink), solid(cab, ink), solid(ramp, ink), *lines, *mines, *mine_row]


def _draw_mine_plough(x: float, y: float, ink: str, shade: str) -> list[Element]:
    return [circle(x + 0.15, y - 0.15, 0.75, fill=ink), circle(x + 0.15, y - 0.15, 0.45, fill=shade)]


DRAWINGS: Drawings = {
    "tank_t34": tank_t34,
    "tank_t34_100": tank_t34_100,
    "tank_destroyer": tank_destroyer,
    "tank_t55": tank_t55,
    "tank_ti67": tank_ti67,
    "tank_t62": tank_t62,
    "tank_t10": tank_t10,
    "minelayer": minelayer,
}
