"""Vehicles with wheels only."""

from __future__ import annotations

from art.counters.silhouettes.parts import (
    Drawings,
    aerial,
    arch,
    barrel,
    cupola_gun,
    missile,
    mudguard,
    rider,
    rotate,
    seam,
    sleeve,
    solid,
    tyres,
)
from art.svg import Element, circle, rect


def lorry(ink: str, shade: str) -> list[Element]:
    """A cross-country truck without its load."""
    nose = "M1.4 8.4V6.3L2 5.7L5.9 5.2L6.5 2.9Q6.6 2.5 7 2.5H9.2Q9.6 2.5 9.6 2.9V8.8H6.2L5.6 7.6H2.2L1.8 8.4Z"
    frame = rect(6, 8.1, 17.2, 0.75, fill=ink)
    window = solid("M7.2 3.4H8.9V5H6.8Z", shade)
    lines = [seam("M6.9 5.6V8.2M9 5.6V8.2", shade, 0.13), seam("M2.9 6.2L5.4 5.9", shade, 0.15)]
    axles = [*mudguard(3.9, 1.7, ink, shade), *tyres([3.9, 16, 20], 1.7, ink, shade)]
    return [solid(nose, ink), frame, window, *lines, rect(0.6, 8.2, 1, 0.6, fill=ink), *axles]


def truck(ink: str, shade: str) -> list[Element]:
    """A truck with a canvas cover."""
    tilt = "M10.2 7.4V2.6Q10.4 1.8 11.2 1.8H22.2Q23 1.8 23.2 2.6V7.4Z"
    bows = seam("M13.5 2.4V5.3M16.7 2.4V5.3M19.9 2.4V5.3", shade, 0.14)
    bed = [rect(10, 5.9, 13.5, 2, fill=ink), seam("M10.4 5.75H23.1", shade), seam("M10.4 7.9H23.1", shade, 0.13)]
    return [*lorry(ink, shade), solid(tilt, ink), *bed, bows]


def rocket_launcher(ink: str, shade: str) -> list[Element]:
    """A truck with a block of rocket tubes, ready to fire."""
    block = [
        rect(10.6, 2.8, 10.4, 3, rx=0.15, fill=ink),
        seam("M10.9 3.55H20.7M10.9 4.3H20.7M10.9 5.05H20.7", shade, 0.14),
    ]
    bands = [rect(x, 2.6, 0.5, 3.4, fill=ink) for x in (12.6, 18.4)]
    mount = "M13.8 8.2L15.2 5.4H19.2L19.8 8.2Z"
    return [*lorry(ink, shade), solid(mount, ink), rotate([*block, *bands], 16, 17.5, 4.9)]


def bridge_carrier(ink: str, shade: str) -> list[Element]:
    """A truck with a folded piece of ribbon bridge."""
    lower = "M10.1 7.9L10.9 4.9H23.1L23.6 5.6L22.9 7.9Z"
    upper = "M10.6 4.6L9.9 1.9L10.7 1.3H22.7L23.5 4.6Z"
    lines = [
        seam("M12 7.2H22M13.6 5.6V7.2M20.6 5.6V7.2", shade, 0.15),
        seam("M11.6 2.2H22M13.6 2.2V3.9M20.6 2.2V3.9", shade, 0.15),
    ]
    hinge = [circle(22.9, 4.75, 0.4, fill=ink), circle(22.9, 4.75, 0.17, fill=shade)]
    return [*lorry(ink, shade), solid(lower, ink), solid(upper, ink), *lines, *hinge]


def apc_wheeled(ink: str, shade: str) -> list[Element]:
    """BTR-60: a boat on eight wheels."""
    hull = "M.5 6.5L2.7 4.9L6 4.5H21.9L23.5 6L23 7.9L21.9 9H3.2L1.5 8.3Z"
    turret = "M8.6 4.7L9.3 3.3H11.6L12.6 4.7Z"
    lines = [
        seam("M1.4 6.6L6.2 6.2H22.8", shade),
        solid("M3.6 5.2L5.3 5V5.7H3Z", shade),
        seam("M9 4.6H12.2", shade, 0.13),
    ]
    ports = [circle(x, 5.4, 0.24, fill=shade) for x in (12.2, 14.4, 16.6)]
    axles = (5, 9.3, 14.2, 18.5)
    wheels = [*(arch(x, 1.7, shade) for x in axles), *tyres(axles, 1.7, ink, shade)]
    gun = [barrel(5.4, 9.4, 3.95, 0.26, 0.34, ink)]
    return [solid(hull, ink), *gun, solid(turret, ink), *lines, *ports, *wheels, aerial(21, 4.6, 0.9, ink)]


def apc_btr152(ink: str, shade: str) -> list[Element]:
    """BTR-152: a truck's nose and six wheels under armor that is open at the top."""
    hull = "M.9 8.2L1.2 6.7L6.4 5.6L8 3.9H9.5L10.3 4.4H22.4L23.2 7.9L22.4 8.9H6.6L6 8H2.2L1.6 8.7Z"
    lines = [
        seam("M8.6 5.6V8.3M11 5V8.3", shade, 0.15),
        seam("M8.3 4.8H9.6", shade, 0.28),
        seam("M11.6 6.2H22.4", shade),
    ]
    ports = [circle(x, 5.3, 0.24, fill=shade) for x in (13.2, 15.8, 18.4)]
    wheels = [
        *mudguard(4.1, 1.7, ink, shade),
        arch(16, 1.7, shade),
        arch(20, 1.7, shade),
        *tyres([4.1, 16, 20], 1.7, ink, shade),
    ]
    squad = [part for x in (14.4, 17.2, 20) for part in rider(x, 4.5, ink, 0.95)]
    grille = seam("M2 7V7.9M2.6 6.9V7.4", shade, 0.15)
    return [*squad, solid(hull, ink), *cupola_gun(11, 4.4, ink, 4.4), *lines, *ports, grille, *wheels]


def jeep_chassis(ink: str, shade: str) -> list[Element]:
    """The jeep with its windscreen down."""
    body = "M3.8 8.4V6L4.3 5.6H9.9L10.5 5.1H11.3L11.6 7.7H13.8L14.6 5.6H20.3V9.1H9.2V7.6H4.4Z"
    parts = [rect(3, 8.1, 1.2, 0.7, fill=ink), solid(body, ink)]
    parts += [
        seam("M5 6.15H9.6", shade, 0.14),
        seam("M15 6.2H19.8", shade, 0.14),
        rect(20.2, 5.9, 0.9, 2, rx=0.15, fill=ink),
    ]
    wheels = [*mudguard(6.5, 1.85, ink, shade), arch(16.9, 1.85, shade), *tyres([6.5, 16.9], 1.85, ink, shade)]
    return [*parts, *wheels]


def jeep(ink: str, shade: str) -> list[Element]:
    """A scout's jeep: two men and a machine gun."""
    crew = [*rider(12.9, 7.8, ink, 1.4), *rider(18, 5.7, ink, 1.5)]
    screen = seam("M10.6 5.3L10.9 3.2", ink, 0.28)
    gun = [seam("M15.4 5.8V2.9", ink, 0.38), rect(13.4, 2.2, 3.4, 0.66, fill=ink), rect(9.4, 2.38, 4.2, 0.27, fill=ink)]
    return [*crew, *jeep_chassis(ink, shade), screen, *gun, aerial(19.7, 5.7, 0.7, ink)]


def jeep_rr(ink: str, shade: str) -> list[Element]:
    """A jeep with the 106 mm recoilless rifle."""
    breech = "M17.6 2.6H20.6L21.6 2.3V4.2L20.6 3.9H17.6Z"
    rifle = [barrel(1.6, 18, 3.25, 0.6, 0.72, ink), solid(breech, ink), sleeve(1.4, 3.25, 0.5, 0.8, ink)]
    spot = rect(9, 2.35, 5.2, 0.26, fill=ink)
    mount = "M14.6 5.9L15.4 3.4H16.4L17.6 5.9Z"
    lines = [seam("M18.3 2.9V3.6M19.2 2.9V3.6", shade, 0.14)]
    return [*rider(12.4, 7.7, ink, 1.45), *jeep_chassis(ink, shade), *rifle, spot, solid(mount, ink), *lines]


def missile_carrier(ink: str, shade: str) -> list[Element]:
    """BRDM-1: a four-wheeled boat, its missiles raised under their lid."""
    hull = "M.9 7.2L3 6.2L7.6 5.6L8.7 4.6H19.6L21.2 5.6L23.1 6.4L22.6 8.6L21.4 9.2H3L1.4 8.6Z"
    lid = "M7.6 1.4L8.4 .7H18.4L19.2 1.4Z"
    flock = [part for x in (7.9, 14) for part in missile(x, 2.6, 4.7, ink, 0.7)]
    arm = [seam("M14 4.8L13.3 1.2M12.5 4.8L13.3 1.2", ink, 0.38), seam("M11 1.3V2.4M17 1.3V2.4", ink, 0.3)]
    lines = [seam("M2 7.3L8.4 6.6H22.4", shade), solid("M9 5.2H10.8V6H8.5Z", shade)]
    ports = [circle(x, 5.6, 0.24, fill=shade) for x in (13, 15.4, 17.8)]
    wheels = [*(arch(x, 1.95, shade) for x in (6.2, 17.4)), *tyres([6.2, 17.4], 1.95, ink, shade)]
    return [solid(hull, ink), solid(lid, ink), *arm, *flock, *lines, *ports, *wheels]


DRAWINGS: Drawings = {
    "truck": truck,
    "rocket_launcher": rocket_launcher,
    "bridge_carrier": bridge_carrier,
    "apc_wheeled": apc_wheeled,
    "apc_btr152": apc_btr152,
    "jeep": jeep,
    "jeep_rr": jeep_rr,
    "missile_carrier": missile_carrier,
}
