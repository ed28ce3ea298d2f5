"""Aircraft."""

from __future__ import annotations

from art.counters.silhouettes.parts import Disc, Drawings, barrel, place, rotate, seam, solid, tyre
from art.svg import Element, circle, ellipse, rect


def huey(ink: str, shade: str) -> list[Element]:
    """The Huey: bubble nose, long thin boom, two broad blades."""
    body = (
        "M1.8 7.9Q1.9 6.6 3.4 6.2L5.4 4.6Q5.9 4.2 6.8 4.2H9.4L9.9 3.3"
        "H12.8L15 4.8L21.2 5.2L21.9 5V6.1L15.6 6.9L13.8 8.9Q13.4 9.3 12.4 9.3H3.8Q1.9 9.2 1.8 7.9Z"
    )
    fin = "M20.6 5.6L22.3 2.4H23.3L22.6 5.9L21.4 6.2Z"
    glass = ["M3.6 6.4L5.6 4.9H6.4V6.6H3.2Z", "M7 4.9H8.4V6.6H7Z"]
    doors = seam("M9.2 5V8.6M12.6 5.2V8.6M9.2 5H12.6", shade, 0.15)
    rotor = [
        seam("M.6 2.3Q6 1.5 10.9 1.9Q16 1.5 20.6 2.3", ink, 0.34),
        rect(10.6, 1.6, 0.6, 1.9, fill=ink),
        seam("M9.6 2.6H12.2", ink, 0.28),
    ]
    tail = [circle(22.5, 3.2, 1.1, fill="none", stroke=ink, stroke_width=0.13), seam("M21.9 2.4L23.1 4", ink, 0.26)]
    skids = [seam("M5.6 9.2L5 10.7M10.9 9.2L11.5 10.7", ink, 0.28), seam("M2.6 10.2Q2.9 10.8 3.6 10.8H13.4", ink, 0.34)]
    panes = [solid(d, shade) for d in glass]
    return [
        *rotor,
        solid(body, ink),
        solid(fin, ink),
        *panes,
        doors,
        *tail,
        *skids,
        rect(17.6, 5.1, 1.6, 0.2, fill=shade),
    ]


def helicopter(ink: str, shade: str) -> list[Element]:
    """The transport Huey."""
    return huey(ink, shade)


def gunship(ink: str, shade: str) -> list[Element]:
    """The armed Huey, nose down: a rocket pod and guns at its side."""
    pod = [
        rect(6.6, 8.3, 4.2, 1.35, rx=0.3, fill=ink, stroke=shade, stroke_width=0.16),
        seam("M6.9 8.75H7.4M6.9 9.2H7.4", shade, 0.16),
    ]
    guns = [barrel(3, 7.4, 7.75, 0.26, 0.42, ink), rect(6.8, 7.4, 2.4, 0.6, fill=ink, stroke=shade, stroke_width=0.12)]
    chin = [circle(3, 9.2, 0.7, fill=ink), barrel(0.9, 3, 9.4, 0.3, 0.36, ink)]
    return [place([rotate([*huey(ink, shade), *pod, *guns, *chin], -6, 12, 6.6)], 0.7, 0.15, 0.94)]


def helicopter_mi8(ink: str, shade: str) -> list[Element]:
    """The Mi-8: a bus with round windows, five blades above, wheels below."""
    body = (
        "M1.3 7.6Q1.4 6 3 5.2Q4 4.7 5.4 4.6L6.2 3.4Q6.5 3 7.2 3H12.2"
        "L14.4 4.5L21.4 4.9V5.9L15.6 7.4L13.8 9.2Q13.4 9.6 12.6 9.6H3.6Q1.3 9.5 1.3 7.6Z"
    )
    fin = "M20.4 5.4L21.7 2.6H22.6L22.3 5.9H20.6Z"
    panes = [solid("M2.1 6.9L3.5 5.6H4.8V7.1H2Z", shade), seam("M4.1 5.8V7", ink, 0.13)]
    ports = [circle(x, 6.4, 0.42, fill=shade) for x in (6.2, 7.9, 9.6, 11.3, 13)]
    rotor = [
        seam("M.4 2.3Q5 1.6 9.6 1.5Q15 1.6 19.6 2.3", ink, 0.3),
        seam("M4.6 1.3L9.6 1.6L14.8 1.2", ink, 0.24),
        rect(9.25, 1.3, 0.7, 2, fill=ink),
    ]
    tail = [
        circle(22, 3.5, 1.6, fill="none", stroke=ink, stroke_width=0.13),
        seam("M21.2 2.2L22.8 4.8M20.6 4L23.4 3", ink, 0.24),
    ]
    tank = rect(5.8, 7.9, 5.2, 1.1, rx=0.5, fill="none", stroke=shade, stroke_width=0.16)
    gear = [
        seam("M3.4 9.4V10.6M10.8 9.4L11.6 10.4", ink, 0.3),
        *tyre(Disc(3.4, 10.6, 0.55), ink, shade),
        *tyre(Disc(11.8, 10.4, 0.8), ink, shade),
    ]
    return [*rotor, solid(body, ink), solid(fin, ink), *panes, *ports, *tail, tank, *gear]


def jet(ink: str, shade: str) -> list[Element]:
    """The Mirage III: a needle nose and a delta wing."""
    body = "M.4 7.3L4.2 6.3Q5.6 5.2 7 5.1Q8.4 5.1 9.2 5.6L14 5.5L22.4 6L22.9 6.4V8L22 8.3L16 8.7H8.6L4.4 7.9Z"
    fin = "M13 5.7L15.4 4.9L20.3 1.6H21.6L21.2 6.2Z"
    wing = "M9.2 7.9L18.6 9.9H20.4L20.8 8.2Z"
    canopy = "M5.2 6.1Q6.2 5.4 7.2 5.4Q8 5.4 8.6 5.9L8.4 6.3Z"
    intake = ["M8.6 6.5Q9.4 6.4 9.8 6.6V7.9H8.8Q8.2 7.2 8.6 6.5Z"]
    lines = [
        seam("M10 8L20.2 8.1", shade, 0.16),
        seam("M19 2.9L18.4 5.6", shade, 0.14),
        seam("M21.4 6.4V7.9", shade, 0.16),
    ]
    load = ellipse(12.4, 10, 2.3, 0.5, fill=ink)
    pylon = seam("M12.8 9V9.8", ink, 0.4)
    parts = [
        solid(body, ink),
        solid(fin, ink),
        solid(wing, ink),
        load,
        pylon,
        solid(canopy, shade),
        *(solid(d, shade) for d in intake),
    ]
    return [rotate([*parts, *lines], 6, 12, 6.6)]


def jet_mig21(ink: str, shade: str) -> list[Element]:
    """The MiG-21: an open nose with a cone in it, a straight tube, a tailplane."""
    body = "M2.4 5.9L6 5.6Q7.4 4.6 8.8 4.7L13 5.2L21.4 5.7L22.4 6.1V7.7L21.4 8.1L14 8.4H5L2.4 7.7Z"
    cone = "M.9 6.8L2.6 6.1V7.5Z"
    fin = "M14.4 5.6L16.4 4.9L19.2 1.5H21.1L21.6 6Z"
    plane = "M17.4 6.9L21.6 9.2H22.7L21.6 7Z"
    wing = "M8.8 7.6L15.6 10.3H17.1L16.2 7.8Z"
    keel = "M16.4 8.2L19 8.9V8Z"
    canopy = "M6.6 5.7Q7.6 5 8.9 5.1L9.6 5.7Z"
    lines = [
        seam("M2.5 6V7.6", shade, 0.16),
        seam("M9.4 7.5H15.8", shade, 0.16),
        seam("M17.2 6.75H20.8", shade, 0.16),
        seam("M21.2 6.1V7.7", shade, 0.16),
    ]
    probe = seam("M.5 8.1L5 8.2", ink, 0.15)
    load = [ellipse(10.2, 9.5, 2.4, 0.5, fill=ink), seam("M10.4 8.3V9.3", ink, 0.4)]
    shapes = [solid(d, ink) for d in (body, cone, fin, keel, wing, plane)]
    return [rotate([*shapes, probe, *load, solid(canopy, shade), *lines], 6, 12, 6.6)]


DRAWINGS: Drawings = {
    "helicopter": helicopter,
    "gunship": gunship,
    "helicopter_mi8": helicopter_mi8,
    "jet": jet,
    "jet_mig21": jet_mig21,
}
