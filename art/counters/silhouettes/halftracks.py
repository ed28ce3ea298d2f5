"""The M3 halftrack and the weapons mounted on it."""

from __future__ import annotations

from art.counters.silhouettes.parts import (
    Disc,
    Drawings,
    aerial,
    barrel,
    brake,
    cupola_gun,
    missile,
    mudguard,
    rider,
    rotate,
    seam,
    sleeve,
    solid,
    tracks,
    tyres,
)
from art.svg import Element, circle, rect


def m3_chassis(ink: str, shade: str, bed: float = 4.5) -> list[Element]:
    """An armored truck with tracks at the rear. The sides of its bed rise to `bed`."""
    bogies = [Disc(x, 10.35, 0.58) for x in (15.3, 16.65, 18.0, 19.35)]
    gear = tracks(
        Disc(13.3, 9.2, 0.95), Disc(21.2, 9.5, 0.95), bogies, ink, shade, "plain", [Disc(17.3, 8.4, 0.35)], "front"
    )
    nose = "M1.9 6.6L2.5 6.2L7.4 5.7L8.7 3.9H9.6V8.6H2.4L1.9 8.9Z"
    body = f"M8.6 3.9H10.6L11.2 {bed}H22.6V7.9H11.6L11 8.9H6.6L6 7Z"
    roller = [circle(1.15, 8.7, 0.7, fill=ink), rect(1.2, 8.3, 2.2, 0.6, fill=ink), circle(1.15, 8.7, 0.28, fill=shade)]
    lines = [
        seam(f"M11.3 {bed + 0.3}V8.4", shade, 0.15),
        seam("M8.9 5.3V8.3", shade, 0.15),
        seam("M9.4 4.6H10.4", shade, 0.28),
        seam("M2.3 6.75V7.9M2.75 6.6V7.2", shade, 0.15),
        seam("M12 7.3H22.2", shade, 0.15),
        seam(f"M15 {bed + 0.5}V6.9M18.7 {bed + 0.5}V6.9", shade, 0.13),
    ]
    wheel = [*mudguard(4.4, 1.7, ink, shade), *tyres([4.4], 1.7, ink, shade)]
    return [*gear, *roller, solid(nose, ink), solid(body, ink), *wheel, *lines]


def halftrack(ink: str, shade: str) -> list[Element]:
    """M3 with its machine gun over the cab."""
    crew = rider(12.3, 4.6, ink, 0.95)
    gun = cupola_gun(11, 4.1, ink, 4.2)
    return [*m3_chassis(ink, shade), *crew, *gun, aerial(21.6, 4.6, 0.8, ink)]


def mortar_carrier(ink: str, shade: str) -> list[Element]:
    """A 120 mm mortar in the bed."""
    tube = rotate(
        [rect(16, -0.6, 1.25, 8, rx=0.3, fill=ink), rect(15.8, -0.6, 1.65, 0.7, rx=0.2, fill=ink)], -30, 17.8, 6.5
    )
    leg = seam("M15 2.6L13.4 5.1", ink, 0.4)
    return [tube, leg, *rider(20, 5.3, ink, 1.1), *m3_chassis(ink, shade, 5)]


def gun_carrier(ink: str, shade: str) -> list[Element]:
    """A 90 mm gun behind a shield in the bed."""
    gun = [
        barrel(4.7, 15, 3, 0.48, 0.8, ink),
        *brake(3.9, 3, ink, shade, 1.3, 0.95),
        rect(14.6, 2.3, 3.6, 1.35, rx=0.2, fill=ink),
    ]
    shield = "M13.2 5L12.6 1.5H13.3L14.4 5Z"
    mount = "M15 5.4L15.6 3.4H17.2L17.9 5.4Z"
    crew = rider(19.9, 5.3, ink, 1.1)
    return [*gun, solid(shield, ink), solid(mount, ink), *crew, *m3_chassis(ink, shade, 5)]


def missile_halftrack(ink: str, shade: str) -> list[Element]:
    """SS11 missiles on rails above the bed."""
    flock = [part for x, y in ((11.6, 1.6), (15.6, 2.9)) for part in missile(x, y, 6, ink, 0.78)]
    rails = [seam("M13 2.3H18.4M16.8 3.6H22", ink, 0.28), seam("M15.4 2.3V5M19.6 3.6V5", ink, 0.45)]
    return [rotate([*flock, *rails], 7, 17, 4), *m3_chassis(ink, shade, 4.9)]


def aa_halftrack(ink: str, shade: str) -> list[Element]:
    """Two 20 mm guns in a small open turret."""
    guns = [
        rotate([barrel(7.6, 16.6, y, 0.28, 0.46, ink), sleeve(7.4, y, 0.9, 0.48, ink)], 13, 16.6, 3.6)
        for y in (3, 3.95)
    ]
    drum = circle(15.9, 3.4, 0.95, fill=ink)
    turret = "M13.9 5.4L14.3 3.6L15.4 2.6H19.4L20.1 3.4V5.4Z"
    lines = [circle(15.9, 3.5, 0.5, fill="none", stroke=shade, stroke_width=0.16), seam("M17.4 3.3V4.8", shade, 0.15)]
    return [*guns, solid(turret, ink), drum, *rider(18.2, 2.9, ink, 0.9), *lines, *m3_chassis(ink, shade, 5)]


DRAWINGS: Drawings = {
    "halftrack": halftrack,
    "mortar_carrier": mortar_carrier,
    "gun_carrier": gun_carrier,
    "missile_halftrack": missile_halftrack,
    "aa_halftrack": aa_halftrack,
}
