"""Weapons that are towed or carried by hand."""

from __future__ import annotations

from art.counters.silhouettes.parts import (
    GROUND,
    Disc,
    Drawings,
    barrel,
    brake,
    kneeling,
    missile,
    place,
    rotate,
    seam,
    sleeve,
    solid,
    tyre,
    tyres,
)
from art.svg import Element, circle, rect


def _trail(ink: str, x: float = 11.5, y: float = 8.6) -> list[Element]:
    """Two trails that run back to their spades."""
    leg = f"M{x} {y - 0.6}L22.6 9.9L23.4 9.6V11.2H22.7L22 10.7L{x - 0.4} {y + 0.6}Z"
    return [solid(leg, ink)]


def gun_towed(ink: str, shade: str) -> list[Element]:
    """The 85 mm gun: a long barrel with a brake, a low shield."""
    tube = [barrel(1.2, 12, 6.4, 0.44, 0.76, ink), *brake(0.5, 6.4, ink, shade, 1.5, 1)]
    cradle = [rect(8, 6.6, 5, 0.7, rx=0.2, fill=ink), rect(11.6, 5.7, 2.8, 1.5, rx=0.2, fill=ink)]
    shield = "M9.2 9.4L9.7 7.4L10.3 3.9L11.3 3.5L12.3 4.4L12 9.4Z"
    mount = "M10.5 9.2L11.4 6.9H13.2L13 9.2Z"
    return [
        *_trail(ink),
        *tube,
        *cradle,
        solid(mount, ink),
        solid(shield, ink),
        seam("M10.8 4.7L10.2 7.6", shade),
        *tyres([11.2], 1.85, ink, shade),
    ]


def gun_17pdr(ink: str, shade: str) -> list[Element]:
    """The 17-pounder: a longer barrel, a double shield that leans far back."""
    tube = [barrel(1, 13, 6.1, 0.42, 0.8, ink), *brake(0.3, 6.1, ink, shade, 1.4, 1)]
    cradle = [rect(8.6, 6.3, 5.6, 0.75, rx=0.2, fill=ink), rect(12.6, 5.2, 2.9, 1.7, rx=0.2, fill=ink)]
    shield = "M9.3 9.6L9 6.9L11.2 3.3H15L13.2 6.9V9.6Z"
    mount = "M10.5 9.2L11.6 6.7H13.4L13.6 9.2Z"
    return [
        *_trail(ink),
        *tube,
        *cradle,
        solid(mount, ink),
        solid(shield, ink),
        seam("M10.3 6.9H12.9M10.3 6.9L12.2 3.7", shade),
        *tyres([11.8], 1.75, ink, shade),
    ]


def howitzer_towed(ink: str, shade: str) -> list[Element]:
    """The 122 mm howitzer: a short thick barrel at high elevation, big wheels."""
    tube = [
        barrel(3.6, 12.6, 6.2, 0.8, 1.05, ink),
        sleeve(3.4, 6.2, 0.8, 1.02, ink),
        rect(11.6, 5.3, 3, 1.8, rx=0.2, fill=ink),
    ]
    cradle = [rect(6.6, 6.75, 6, 0.75, rx=0.3, fill=ink), rect(7.4, 5.2, 5, 0.7, rx=0.25, fill=ink)]
    shield = "M8.5 9.2L8.8 7.1L9.9 2.9L11.2 2.5L11.9 3.4L11 9.2Z"
    mount = "M9.8 9.2L11 6.4H13L13.4 9.2Z"
    body = [*_trail(ink), rotate([*tube, *cradle], 24, 12, 6.6), solid(mount, ink), solid(shield, ink)]
    return [*body, seam("M10.6 3.7L9.8 6.9", shade), *tyres([11], 2.1, ink, shade)]


def howitzer_25pdr(ink: str, shade: str) -> list[Element]:
    """The 25-pounder: a box trail with a hump, a firing platform under the wheels."""
    tube = [
        barrel(3, 12, 6, 0.62, 0.86, ink),
        *brake(2.2, 6, ink, shade, 1.4, 1.1),
        rect(11.4, 5.3, 2.6, 1.5, rx=0.2, fill=ink),
    ]
    cradle = rect(6, 6.3, 6.4, 0.8, rx=0.3, fill=ink)
    shield = "M9.3 9.2V3.4L10 3.1L11.6 3.5V9.2Z"
    trail = "M11 7.4L14.2 6.6Q15.4 6.5 16.2 7.3L22.4 9.9L23.4 9.4V11.2H22.4L21.6 10.9L14.6 9.6L10.6 9.6Z"
    cut = solid("M14.2 7.7Q15 7.5 15.6 8L17.6 9.2L14.2 8.7Z", shade)
    plate = [rect(6.2, GROUND - 0.35, 9.4, 0.55, rx=0.25, fill=ink)]
    body = [
        solid(trail, ink),
        cut,
        solid("M10.6 9L11.6 6H13.2L14 9Z", ink),
        rotate([*tube, cradle], 14, 12, 6.4),
        solid(shield, ink),
        seam("M10.2 3.8V6.6", shade),
    ]
    wheel = tyre(Disc(10.9, GROUND - 2.15, 1.85), ink, shade)
    return [*body, *wheel, *plate]


def _mortar(ink: str, shade: str, thick: float) -> list[Element]:
    """A tube on plate and bipod, its foot at (14.6, 10.4)."""
    tube = [
        rect(14.6 - thick / 2, 0.9, thick, 9.5, rx=0.2, fill=ink),
        rect(14.35 - thick / 2, 0.9, thick + 0.5, 0.6, rx=0.15, fill=ink),
    ]
    ball = circle(14.6, 10.4, thick * 0.62, fill=ink)
    clamp = [
        rect(14.4 - thick / 2, 4, thick + 0.4, 0.75, rx=0.15, fill=ink),
        seam(f"M{14.7 - thick / 2} 4.95H{14.5 + thick / 2}", shade, 0.14),
    ]
    legs = seam("M11.4 4.9L7.6 11M11.4 4.9L9.4 11", ink, 0.42)
    plate = "M12.6 10.7H17L17.4 11.2L16.4 11.35H12.9L12.2 11.2Z"
    return [rotate([*tube, *clamp], -28, 14.6, 10.4), ball, legs, seam("M8.6 9H10.3", ink, 0.28), solid(plate, ink)]


def mortar(ink: str, shade: str) -> list[Element]:
    """A mortar with its gunner."""
    return [place([*_mortar(ink, shade, 1.05), kneeling(18.8, ink, 1.35)], -3.1, 0)]


def mortar_towed(ink: str, shade: str) -> list[Element]:
    """A heavy mortar with the wheels it is towed on."""
    bar = seam("M14.6 9.2L21.8 9.4L23 8.8", ink, 0.6)
    return [place([*_mortar(ink, shade, 1.6), bar, *tyres([18], 2.3, ink, shade)], -3.1, 0)]


def machine_gun(ink: str, shade: str) -> list[Element]:
    """A machine gun on its tripod, the gunner behind it."""
    jacket = [
        rect(2.6, 5.9, 6, 0.85, rx=0.3, fill=ink),
        rect(1.4, 6.1, 1.5, 0.42, fill=ink),
        sleeve(0.8, 6.32, 0.9, 0.75, ink),
    ]
    body = [
        rect(7.8, 5.4, 5, 1.7, rx=0.2, fill=ink),
        seam("M8.6 5.85H12", shade),
        seam("M12.6 6.1L14.2 6.3V7.3", ink, 0.5),
    ]
    feed = [rect(8.7, 7, 2.2, 1.8, rx=0.1, fill=ink), seam("M9.2 7.6H10.4M9.2 8.2H10.4", shade)]
    legs = [seam("M8 7L3.6 10.95M8 7L6.4 10.95", ink, 0.5), seam("M8 7L13 10.95", ink, 0.5)]
    holes = [circle(x, 6.32, 0.19, fill=shade) for x in (3.4, 4.4, 5.4, 6.4, 7.4)]
    belt = seam("M9.8 8.6Q9.4 10.4 10.8 10.9H12", ink, 0.32)
    return [*jacket, *body, *feed, *legs, *holes, belt, kneeling(17.2, ink, 1.45)]


def missile_team(ink: str, shade: str) -> list[Element]:
    """A missile on its case, the man with sight and stick apart from it."""
    flight = rotate([*missile(0.9, 6.7, 9.6, ink, 1.3), seam("M3.6 8.2H10.4", ink, 0.34)], 14, 8, 7.2)
    case = [
        rect(4.4, 9.5, 7, 1.6, rx=0.2, fill=ink),
        seam("M4.8 10.1H11", shade, 0.15),
        seam("M6.2 9.6L5.8 7.6M9.4 9.6V8.4", ink, 0.4),
    ]
    box = [rect(13.3, 9.4, 2.4, 1.8, rx=0.2, fill=ink), rect(13.7, 6.6, 1.6, 0.75, fill=ink)]
    box.append(seam("M14.5 9.4V7.3", ink, 0.3))
    wire = seam("M11.4 10.9Q12.4 11.2 13.3 10.8", ink, 0.16)
    return [flight, *case, *box, wire, kneeling(19.4, ink, 1.3)]


def recoilless_gun(ink: str, shade: str) -> list[Element]:
    """The 107 mm recoilless gun on two wheels and a leg."""
    breech = "M14.6 4.9L15.6 4.4H19.2L20.2 5L21.4 4.6V7L20.2 6.6L19.2 7.2H15.6L14.6 6.7Z"
    tube = [barrel(0.9, 15, 5.8, 0.72, 0.92, ink), sleeve(0.6, 5.8, 0.7, 1, ink), solid(breech, ink)]
    lines = [seam("M16.2 4.9V6.7M18.6 4.9V6.7", shade, 0.15), circle(17.4, 5.8, 0.4, fill=shade)]
    mount = "M10.6 8.6L11.4 6H14L14.6 8.6Z"
    legs = [seam("M11 8.4L5.4 10.9M13.6 8.4L20.6 10.9", ink, 0.55), seam("M11.6 5.4V4.2H12.9", ink, 0.4)]
    return [*tube, solid(mount, ink), *legs, *lines, *tyres([12.5], 2, ink, shade)]


def _flat_car(ink: str, shade: str) -> list[Element]:
    """The four-wheeled carriage of an anti-aircraft gun, its jacks down."""
    deck = "M2.6 8.6H21.4L22 9.2L21.4 9.8H2.6L2 9.2Z"
    jacks = [rect(x, 9.6, 0.5, 1.6, fill=ink) for x in (9, 14.6)]
    feet = [rect(x - 0.5, GROUND - 0.3, 1.5, 0.35, fill=ink) for x in (9, 14.6)]
    bar = seam("M2.6 9.2L.8 9.9", ink, 0.4)
    return [solid(deck, ink), *jacks, *feet, bar, *tyres([5.2, 18.9], 1.5, ink, shade)]


def aa_towed(ink: str, shade: str) -> list[Element]:
    """The S-60: one long barrel behind a shield."""
    tube = [
        barrel(1.3, 12, 6, 0.42, 0.72, ink),
        *brake(0.5, 6, ink, shade, 1.5, 0.9),
        rect(11, 5.2, 3.6, 1.6, rx=0.2, fill=ink),
    ]
    shield = "M9.4 8.8L8.5 4.4L9.8 3.8L11.6 8.8Z"
    mount = "M10.2 8.8L11.2 5.8H13.8L15 8.8Z"
    seat = [seam("M14.6 8.6L16.4 7.2V5.9", ink, 0.4), seam("M15.2 7.3H16.8", ink, 0.4)]
    clip = rect(12, 4.1, 1.2, 1.2, fill=ink)
    gun_barrel = rotate([*tube, clip], 19, 12.4, 6.2)
    return [
        *_flat_car(ink, shade),
        gun_barrel,
        solid(mount, ink),
        solid(shield, ink),
        *seat,
        circle(12.5, 6.8, 0.45, fill=shade),
    ]


def aa_zpu4(ink: str, shade: str) -> list[Element]:
    """The ZPU-4: four machine guns on one mount."""
    rows = [
        part for y in (4.5, 5.2, 6.4, 7.1) for part in (barrel(3, 12, y, 0.3, 0.42, ink), sleeve(2.8, y, 0.9, 0.5, ink))
    ]
    boxes = [rect(10.4, 3.9, 3.6, 1.7, rx=0.15, fill=ink), rect(10.4, 6, 3.6, 1.6, rx=0.15, fill=ink)]
    drum = [circle(12.4, 5.8, 1.5, fill=ink), circle(12.4, 5.8, 0.95, fill="none", stroke=shade, stroke_width=0.18)]
    mount = "M10.6 8.8L11.4 6H13.6L14.6 8.8Z"
    seat = [seam("M14.2 8.4L16.6 7.4V5.6", ink, 0.42), seam("M15 7.6H17", ink, 0.42)]
    return [*_flat_car(ink, shade), solid(mount, ink), rotate([*rows, *boxes], 22, 12.4, 5.9), *drum, *seat]


DRAWINGS: Drawings = {
    "machine_gun": machine_gun,
    "mortar": mortar,
    "missile_team": missile_team,
    "recoilless_gun": recoilless_gun,
    "gun_towed": gun_towed,
    "gun_17pdr": gun_17pdr,
    "howitzer_towed": howitzer_towed,
    "howitzer_25pdr": howitzer_25pdr,
    "mortar_towed": mortar_towed,
    "aa_towed": aa_towed,
    "aa_zpu4": aa_zpu4,
}
