"""Military symbols: a frame and what stands in it, after APP-6, drawn on a box 12 wide and 8 high."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from art.svg import Element, circle, ellipse, group, line, path, polygon, rect
from art.text import centred

WIDE, HIGH = 12.0, 8.0
Mark = Callable[[str], list[Element]]
"""What stands in the frame, drawn with a pen of this colour."""

PEN = 0.55


def _stroke(ink: str) -> dict[str, str | float | None]:
    return {"stroke": ink, "stroke_width": PEN, "fill": "none", "stroke_linecap": "round", "stroke_linejoin": "round"}


def cross(ink: str) -> list[Element]:
    """Infantry: crossed belts."""
    return [line(0, 0, WIDE, HIGH, **_stroke(ink)), line(0, HIGH, WIDE, 0, **_stroke(ink))]


def oval(ink: str) -> list[Element]:
    """Armor: a tank's track."""
    return [rect(2.2, 2.1, WIDE - 4.4, HIGH - 4.2, rx=1.9, **_stroke(ink))]


def slash(ink: str) -> list[Element]:
    """Reconnaissance: a cavalry belt."""
    return [line(0, HIGH, WIDE, 0, **_stroke(ink))]


def dot(ink: str) -> list[Element]:
    """Artillery: a cannonball."""
    return [circle(WIDE / 2, HIGH / 2, 1.15, fill=ink)]


def wings(ink: str) -> list[Element]:
    """Airborne: a parachute's lower edge, two arcs."""
    return [path("M3.6 7.2a1.2 1.2 0 0 1 2.4 0a1.2 1.2 0 0 1 2.4 0", **_stroke(ink))]


def rotor(ink: str) -> list[Element]:
    """Airmobile: a rotor, two triangles point to point."""
    return [polygon([(4, 5.7), (6, 6.6), (4, 7.5)], fill=ink), polygon([(8, 5.7), (6, 6.6), (8, 7.5)], fill=ink)]


def bridge(ink: str) -> list[Element]:
    """Engineers: a bridge on its side."""
    return [path("M2.8 5.9V2.9H9.2V5.9M6 2.9V5.2", **_stroke(ink))]


def arrow_up(ink: str) -> list[Element]:
    """Antitank: a wedge."""
    return [path(f"M0 {HIGH}L{WIDE / 2} 0L{WIDE} {HIGH}", **_stroke(ink))]


def dome(ink: str) -> list[Element]:
    """Air defense: a dome over the unit."""
    return [path(f"M0 {HIGH}C2.6 4.9 9.4 4.9 {WIDE} {HIGH}", **_stroke(ink))]


def missile(ink: str) -> list[Element]:
    """A missile: a slim arch."""
    return [path("M5.1 6.4V2.6A0.9 0.9 0 0 1 6.9 2.6V6.4", **_stroke(ink)), line(4.6, 6.4, 7.4, 6.4, **_stroke(ink))]


def rocket(ink: str) -> list[Element]:
    """Rockets: two chevrons."""
    return [path("M4.3 3.6L6 2L7.7 3.6M4.3 5.4L6 3.8L7.7 5.4", **_stroke(ink))]


def wave(ink: str) -> list[Element]:
    """Amphibious: waves along the lower edge."""
    waves = "".join("q0.75 -1.1 1.5 0q0.75 1.1 1.5 0" for _ in range(4))
    return [path(f"M0 6.7{waves}", **_stroke(ink))]


def wheels(ink: str) -> list[Element]:
    """Wheeled: three wheels below the frame's edge."""
    return [circle(x, HIGH - 0.95, 0.55, fill=ink) for x in (3, 6, 9)]


def anchor(ink: str) -> list[Element]:
    """Marines: an anchor."""
    return [
        circle(6, 1.6, 0.6, **_stroke(ink)),
        path("M6 2.2V6.6M4.4 3.4H7.6M3.6 5A2.5 2.5 0 0 0 6 6.7A2.5 2.5 0 0 0 8.4 5", **_stroke(ink)),
    ]


def flag(ink: str) -> list[Element]:
    """A headquarters: the frame's upper band is filled."""
    return [rect(0, 0, WIDE, 2.4, fill=ink)]


def bolt(ink: str) -> list[Element]:
    """Signals: a flash."""
    return [path("M0 0L6.8 4.6L5.2 3.4L12 8", **_stroke(ink))]


def wedge(ink: str) -> list[Element]:
    """Garrisons and static units: the lower corners are filled."""
    return [
        polygon([(0, HIGH), (0, HIGH - 2.6), (2.6, HIGH)], fill=ink),
        polygon([(WIDE, HIGH), (WIDE, HIGH - 2.6), (WIDE - 2.6, HIGH)], fill=ink),
    ]


def battlement(ink: str) -> list[Element]:
    """A fort: battlements and a wall."""
    return [path("M2.6 6.6V2.2H4.2V3.4H5.2V2.2H6.8V3.4H7.8V2.2H9.4V6.6Z", **_stroke(ink))]


def star(ink: str) -> list[Element]:
    """Special forces: a star."""
    return [path("M6 1.3l0.85 1.75 1.9 0.25-1.4 1.3 0.35 1.9-1.7-0.95-1.7 0.95 0.35-1.9-1.4-1.3 1.9-0.25z", fill=ink)]


def jet(ink: str) -> list[Element]:
    """Fixed wing aircraft: a swept wing seen from above."""
    outline = (
        "M6 0.8L6.5 2.4V3.2L10.2 5.4V6L6.5 5.1V6.4L7.4 7.2V7.5L6 7.2L4.6 7.5V7.2L5.5 6.4V5.1L1.8 6V5.4L5.5 3.2V2.4Z"
    )
    return [path(outline, fill=ink)]


def ship(ink: str) -> list[Element]:
    """Warships: a hull with a mast and guns."""
    return [path("M1.4 5.2H10.8L9.6 6.8H2.4ZM4.2 5V3.8H7.6V5ZM5.6 3.8V1.6M7.6 4.2H9.4M4.2 4.2H2.6", **_stroke(ink))]


def letters(words: str) -> Mark:
    """Letters, where there is no sign for it."""
    return lambda ink: [centred(words, WIDE / 2, HIGH / 2, 3.6, "bold", fill=ink)]


def sign(ink: str) -> list[Element]:
    """A depot: a bar along the lower edge."""
    return [line(0, HIGH - 1.8, WIDE, HIGH - 1.8, **_stroke(ink))]


def both(*marks: Mark) -> Mark:
    """Several signs in one frame."""
    return lambda ink: [drawn for mark in marks for drawn in mark(ink)]


MARKS: Mapping[str, Mark] = {
    "infantry": cross,
    "leg_infantry": cross,
    "armor": oval,
    "mechanized_infantry": both(cross, oval),
    "mech_infantry": both(cross, oval),
    "mechanized": both(cross, oval),
    "airborne": both(cross, wings),
    "paratroop": both(cross, wings),
    "parachute": both(cross, wings),
    "airmobile": both(cross, rotor),
    "airmobile_infantry": both(cross, rotor),
    "commando": both(cross, star),
    "marine": both(cross, anchor),
    "static": both(cross, wedge),
    "garrison": both(cross, wedge),
    "militia": both(cross, letters("M")),
    "security": both(cross, letters("S")),
    "irregular": both(cross, letters("I")),
    "guerrilla": letters("G"),
    "amphibious": both(oval, wave),
    "recon": slash,
    "armored_recon": both(slash, oval),
    "jeep_recon": both(slash, wheels),
    "armored_car": both(slash, oval, wheels),
    "artillery": dot,
    "armored_artillery": both(oval, dot),
    "rocket": both(rocket, lambda ink: [circle(6, 6.2, 0.75, fill=ink)]),
    "rocket_launcher": both(rocket, lambda ink: [circle(6, 6.2, 0.75, fill=ink)]),
    "missile": missile,
    "ssm": missile,
    "sam": both(dome, missile),
    "static_sam": both(dome, missile, wedge),
    "mobile_sam": both(dome, missile, wheels),
    "anti_aircraft": dome,
    "antitank": arrow_up,
    "engineer": bridge,
    "hq": flag,
    "headquarters": flag,
    "fort": battlement,
    "depot": sign,
    "service": sign,
    "signals": bolt,
    "jet": jet,
    "tac": jet,
    "wild_weasel": both(jet, lambda ink: [ellipse(9.6, 2.2, 1.1, 1.1, **_stroke(ink))]),
    "warship": ship,
}

SIZES: Mapping[str, str] = {
    "squad": "•", "section": "••", "platoon": "•••", "battery": "I", "company": "I", "battalion": "II", "regiment": "III",
    "group": "III", "brigade": "X", "division": "XX", "corps": "XXX", "army": "XXXX", "task force": "II",
}  # fmt: skip


def symbol(name: str, ink: str, paper: str, size: str = "") -> Element:
    """A symbol in its frame, with its size above it; the frame's top left corner is the origin."""
    if name not in MARKS:
        raise KeyError(name)
    frame = rect(0, 0, WIDE, HIGH, fill=paper, stroke=ink, stroke_width=PEN, stroke_linejoin="round")
    clip = group(MARKS[name](ink))
    return group([frame, clip, *_size_mark(SIZES.get(size, ""), ink)])


def _size_mark(mark: str, ink: str) -> list[Element]:
    """Dots, bars or crosses above the frame, drawn as shapes."""
    step = 1.7
    left = WIDE / 2 - step * (len(mark) - 1) / 2
    drawn: list[Element] = []
    for i, one in enumerate(mark):
        x = left + i * step
        if one == "•":
            drawn.append(circle(x, -1.1, 0.5, fill=ink))
        elif one == "I":
            drawn.append(line(x, -1.8, x, -0.5, **_stroke(ink)))
        else:
            drawn.append(line(x - 0.6, -1.8, x + 0.6, -0.5, **_stroke(ink)))
            drawn.append(line(x - 0.6, -0.5, x + 0.6, -1.8, **_stroke(ink)))
    return drawn
