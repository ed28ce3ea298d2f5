"""Tracked carriers, and their weapons and crews."""

from __future__ import annotations

from art.counters.silhouettes.parts import (
    Disc,
    Drawings,
    aerial,
    barrel,
    brake,
    cupola_gun,
    even_positions,
    in_row,
    missile,
    rider,
    rotate,
    seam,
    sleeve,
    solid,
    tracks,
)
from art.svg import Element, circle, ellipse, rect


def m113_chassis(ink: str, shade: str) -> list[Element]:
    """M113: an aluminum box with a slanting front."""
    wheels = in_row(even_positions(6.1, 17.5, 5), 1.22)
    gear = tracks(Disc(3.6, 9, 0.95), Disc(20.3, 9.3, 0.9), wheels, ink, shade, drive="front")
    hull = "M1.6 6.9L4.9 3.6H21.5L22.2 4.2V7.3L21.6 8.1H2.2Z"
    lines = [
        seam("M2.2 7.75H21.6", shade),
        seam("M2.6 6.6L4.9 4.35", shade),
        seam("M6.2 4.5H20.8M20.8 4.5V6.9", shade, 0.13),
    ]
    return [*gear, solid(hull, ink), *lines]


def _hatch(ink: str, shade: str) -> list[Element]:
    ring = "M8.6 3.7V3.1Q8.6 2.8 8.9 2.8H11.3Q11.6 2.8 11.6 3.1V3.7Z"
    return [solid(ring, ink), seam("M8.7 3.55H11.5", shade, 0.13)]


def apc_tracked(ink: str, shade: str) -> list[Element]:
    """M113 with its machine gun."""
    gun = [*cupola_gun(10, 2.9, ink, 3.9), rect(8.6, 1.55, 0.3, 1.3, fill=ink)]
    return [*m113_chassis(ink, shade), *_hatch(ink, shade), *gun, aerial(20.3, 3.7, 0.6, ink)]


def armored_infantry(ink: str, shade: str) -> list[Element]:
    """M113 with riflemen looking out."""
    squad = [part for x in (13.6, 16.3, 19) for part in rider(x, 3.65, ink, 1.1)]
    gun = [*rider(9.8, 3.65, ink, 1.1), rect(3.7, 2.4, 5.2, 0.24, fill=ink), rect(6, 2.25, 2.6, 0.55, fill=ink)]
    guard = [seam("M7.3 2.7V3.7", ink, 0.3), seam("M13.6 2.7L11.4 3.1M16.3 2.7L14.3 3.1M19 2.7L17 3.1", ink, 0.25)]
    return [*m113_chassis(ink, shade), *squad, *gun, *guard]


def missile_apc(ink: str, shade: str) -> list[Element]:
    """M113 with a TOW launcher."""
    tube = [rect(5.4, 0.9, 8, 0.95, rx=0.12, fill=ink), rect(5.1, 0.75, 0.7, 1.25, rx=0.15, fill=ink)]
    sight = rect(9.6, 1.7, 1.9, 0.85, fill=ink)
    mount = "M9.9 3.7L10.2 1.8H11.1L11.4 3.7Z"
    lines = [seam("M7.2 1.38H12.6", shade, 0.13), seam("M9.1 3.85H12.2", shade, 0.13)]
    gunner = rider(14.6, 3.65, ink, 1.1)
    return [*m113_chassis(ink, shade), *tube, sight, solid(mount, ink), *gunner, *lines]


def pt76_chassis(ink: str, shade: str) -> list[Element]:
    """A flat boat on six wheels."""
    wheels = in_row(even_positions(6.3, 19.2, 6), 1.06)
    gear = tracks(Disc(4.3, 9.2, 0.8), Disc(21.4, 9.1, 0.85), wheels, ink, shade, "star")
    hull = "M2.2 7.1L3 6.7L6.6 6.2H22.9L23.6 7L23.1 8.3H3.4Z"
    return [*gear, solid(hull, ink), seam("M3.4 8H22.9", shade), seam("M2.9 7.05L6.3 6.65", shade, 0.13)]


def light_tank(ink: str, shade: str) -> list[Element]:
    """PT-76: a cone of a turret on the boat."""
    turret = "M7.9 6.4L9.8 4Q10 3.8 10.3 3.8H14.2Q14.5 3.8 14.7 4L16.3 6.4Z"
    hatch = "M11 4V3.4Q11 3.1 11.3 3.1H13.6Q13.9 3.1 13.9 3.4V4Z"
    gun = [
        barrel(1.2, 9.4, 5.3, 0.36, 0.56, ink),
        *brake(0.5, 5.3, ink, shade, 1.15, 0.75),
        sleeve(3.1, 5.3, 1.4, 0.7, ink),
    ]
    lines = [seam("M8.4 6.25H15.9", shade), seam("M10.9 4.1H13.9", shade, 0.13)]
    boxes = rect(18.4, 6.6, 3.2, 0.9, fill="none", stroke=shade, stroke_width=0.14)
    return [
        *pt76_chassis(ink, shade),
        *gun,
        barrel(8, 10, 5.3, 0.8, 1.4, ink),
        solid(turret, ink),
        solid(hatch, ink),
        *lines,
        boxes,
    ]


def _house(ink: str, shade: str) -> list[Element]:
    house = "M5.6 6.4L7.3 4.4H16.4L17.5 5.2L18 6.4Z"
    return [solid(house, ink), seam("M6 6.25H17.6", shade), seam("M8.3 4.9V5.9M12 4.9V5.9M15.6 4.9V5.9", shade, 0.13)]


def apc_btr50(ink: str, shade: str) -> list[Element]:
    """BTR-50: the boat with an open troop room and a machine gun."""
    cupola = "M7.9 4.6V4Q7.9 3.7 8.2 3.7H10Q10.3 3.7 10.3 4V4.6Z"
    squad = [part for x in (12.2, 14.7) for part in rider(x, 4.45, ink)]
    body = [*pt76_chassis(ink, shade), *_house(ink, shade), solid(cupola, ink), seam("M8 4.45H10.2", shade, 0.13)]
    return [*body, *squad, *cupola_gun(9.3, 3.8, ink, 4), aerial(17, 5, 1.2, ink)]


def apc_ot62(ink: str, shade: str) -> list[Element]:
    """OT-62: the boat with a roof, a small turret and a gun."""
    turret = "M8.3 4.5L8.9 2.9Q9.1 2.6 9.5 2.6H11.7Q12.1 2.6 12.3 2.9L12.9 4.5Z"
    tube = [barrel(3.6, 9.4, 3.5, 0.34, 0.5, ink), sleeve(7.2, 3.5, 2, 0.75, ink)]
    hatch = rect(14, 4.1, 2, 0.5, rx=0.15, fill=ink)
    body = [*pt76_chassis(ink, shade), *_house(ink, shade), hatch]
    return [*body, *tube, solid(turret, ink), seam("M8.5 4.4H12.7", shade, 0.13), aerial(17, 5, 1.2, ink)]


def apc_gun(ink: str, shade: str) -> list[Element]:
    """BMP: a knife of a bow, a flat turret with a short gun and a missile over it."""
    wheels = in_row(even_positions(5.6, 18.4, 6), 0.98)
    rollers = in_row([7.7, 12, 16.3], 0.4, 8.5)
    gear = tracks(Disc(3.5, 9.1, 0.85), Disc(20.7, 9.2, 0.85), wheels, ink, shade, "disc", rollers, "front")
    hull = "M.4 7.3L1 6.7L9.4 5.2H22.5L23.6 6.2L23.1 8.15H2.6Z"
    turret = "M9.9 5.4L11.6 3.9H15.1L16.9 5.4Z"
    hatch = "M13.2 4V3.5Q13.2 3.3 13.5 3.3H14.7Q15 3.3 15 3.5V4Z"
    gun = [
        barrel(6.2, 11.6, 4.6, 0.62, 0.74, ink),
        *missile(6.7, 3.35, 3.5, ink, 0.5),
        seam("M9.6 3.4L11.9 4.2", ink, 0.25),
    ]
    ports = [circle(x, 6.3, 0.24, fill=shade) for x in (16.3, 17.9, 19.5, 21.1)]
    lines = [seam("M1.8 7.3L22.8 7.3", shade), seam("M10.3 5.3H16.5", shade), seam("M2.6 6.9L9.3 5.7", shade, 0.12)]
    return [*gear, solid(hull, ink), *gun, solid(turret, ink), solid(hatch, ink), *ports, *lines]


def aa_sp(ink: str, shade: str) -> list[Element]:
    """Shilka: four barrels out of a broad turret, the radar behind."""
    wheels = in_row(even_positions(5, 18.2, 6), 1.06)
    gear = tracks(Disc(2.9, 9.2, 0.8), Disc(20.5, 9.1, 0.85), wheels, ink, shade, "star")
    hull = "M1.4 8L1.8 7.3L5.8 6.1H21.7L22.5 6.8L22.3 8.3H1.6Z"
    turret = "M6.8 6.3L6.5 4.9L7.8 3.6H17.4L18.6 4.4V5.6L17.8 6.3Z"
    guns = [
        rotate([barrel(0.4, 8.8, y, 0.26, 0.5, ink), sleeve(0.2, y, 0.9, 0.46, ink)], 14, 8.8, 4.8) for y in (4.4, 5.25)
    ]
    mast = "M15.5 3.7L15.8 2.6H16.8L17.1 3.7Z"
    radar = rotate(
        [ellipse(16, 1.95, 0.55, 1.5, fill=ink), seam("M15.9 .95V2.95", shade), seam("M14.6 1.95H15.5", ink, 0.2)],
        12,
        16,
        2,
    )
    lines = [seam("M7.2 6.22H17.5", shade), seam("M2 7.75H22", shade), seam("M9.6 4.4V5.6M12.2 4.4H17.2", shade, 0.15)]
    return [*gear, solid(hull, ink), *guns, solid(turret, ink), solid(mast, ink), radar, *lines]


DRAWINGS: Drawings = {
    "apc_tracked": apc_tracked,
    "armored_infantry": armored_infantry,
    "missile_apc": missile_apc,
    "light_tank": light_tank,
    "apc_btr50": apc_btr50,
    "apc_ot62": apc_ot62,
    "apc_gun": apc_gun,
    "aa_sp": aa_sp,
}
