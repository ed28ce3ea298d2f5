"""Military symbols after APP-6: a frame with its signs, drawn on a box 12 wide and 8 high."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import cos, pi, sin

from art.svg import Element, circle, ellipse, group, line, path, polygon, rect
from art.text import centred_text, width

SYMBOL_WIDTH, SYMBOL_HEIGHT = 12.0, 8.0
Mark = Callable[[str], list[Element]]
"""A function that draws the signs in the frame with a pen of this color."""

PEN = 0.55


def _stroke(ink: str) -> dict[str, str | float | None]:
    return {"stroke": ink, "stroke_width": PEN, "fill": "none", "stroke_linecap": "round", "stroke_linejoin": "round"}


def cross(ink: str) -> list[Element]:
    """Infantry: crossed belts."""
    return [
        path(
            f"M0 0L{SYMBOL_WIDTH:g} {SYMBOL_HEIGHT:g}M0 {SYMBOL_HEIGHT:g}L{SYMBOL_WIDTH:g} 0",
            **{**_stroke(ink), "stroke_linecap": "butt"},
        )
    ]


def oval(ink: str) -> list[Element]:
    """Armor: a tank's track."""
    return [rect(2.2, 2.1, SYMBOL_WIDTH - 4.4, SYMBOL_HEIGHT - 4.2, rx=1.9, **_stroke(ink))]


def slash(ink: str) -> list[Element]:
    """Reconnaissance: a cavalry belt."""
    return [line(0, SYMBOL_HEIGHT, SYMBOL_WIDTH, 0, **_stroke(ink))]


def dot(ink: str) -> list[Element]:
    """Artillery: a cannonball."""
    return [circle(SYMBOL_WIDTH / 2, SYMBOL_HEIGHT / 2, 1.15, fill=ink)]


def wings(ink: str) -> list[Element]:
    """Airborne: a canopy's lower edge, two arcs."""
    return [path("M4 7.1a1 1 0 0 1 2 0a1 1 0 0 1 2 0", **_stroke(ink))]


def rotor(ink: str) -> list[Element]:
    """Airmobile: a rotor, two triangles point to point."""
    return [polygon([(4, 5.7), (6, 6.6), (4, 7.5)], fill=ink), polygon([(8, 5.7), (6, 6.6), (8, 7.5)], fill=ink)]


def bridge(ink: str) -> list[Element]:
    """Engineers: a bridge on its side."""
    return [path("M2.6 5.9V2.5H9.4V5.9M6 2.5V5.9", **{**_stroke(ink), "stroke_width": 0.75})]


def arrow_up(ink: str) -> list[Element]:
    """Antitank: a wedge."""
    return [path(f"M0 {SYMBOL_HEIGHT}L{SYMBOL_WIDTH / 2} 0L{SYMBOL_WIDTH} {SYMBOL_HEIGHT}", **_stroke(ink))]


def dome(ink: str) -> list[Element]:
    """Air defense: a dome over the unit."""
    return [path(f"M0 {SYMBOL_HEIGHT}C2.6 4.9 9.4 4.9 {SYMBOL_WIDTH} {SYMBOL_HEIGHT}", **_stroke(ink))]


def missile(ink: str) -> list[Element]:
    """A missile: a slim arch."""
    return [path("M5.1 6.4V2.6A0.9 0.9 0 0 1 6.9 2.6V6.4", **_stroke(ink)), line(4.6, 6.4, 7.4, 6.4, **_stroke(ink))]


def missile_above(ink: str) -> list[Element]:
    """A missile above a dome."""
    return [path("M5.1 5V2A0.9 0.9 0 0 1 6.9 2V5Z", **_stroke(ink))]


def rocket(ink: str) -> list[Element]:
    """Rockets: two chevrons."""
    return [path("M4.3 3.6L6 2L7.7 3.6M4.3 5.4L6 3.8L7.7 5.4", **_stroke(ink))]


def wave(ink: str) -> list[Element]:
    """Amphibious: waves along the lower edge."""
    waves = "".join("q0.75 -1.1 1.5 0q0.75 1.1 1.5 0" for _ in range(4))
    return [path(f"M0 6.7{waves}", **_stroke(ink))]


def wheels(ink: str) -> list[Element]:
    """Wheeled: three wheels below the frame's edge."""
    return [circle(x, SYMBOL_HEIGHT - 0.95, 0.55, fill=ink) for x in (3, 6, 9)]


def anchor(ink: str) -> list[Element]:
    """Marines: an anchor."""
    return [
        circle(6, 1.6, 0.6, **_stroke(ink)),
        path("M6 2.2V6.6M4.4 3.4H7.6M3.6 5A2.5 2.5 0 0 0 6 6.7A2.5 2.5 0 0 0 8.4 5", **_stroke(ink)),
    ]


def flag(ink: str) -> list[Element]:
    """A headquarters: the frame's upper band is filled."""
    return [rect(0, 0, SYMBOL_WIDTH, 2.4, fill=ink)]


def bolt(ink: str) -> list[Element]:
    """Signals: a flash."""
    return [path("M0 0L7.4 2.9L4.6 5.1L12 8", **_stroke(ink))]


def wedge(ink: str) -> list[Element]:
    """Garrisons and static units: the lower corners are filled."""
    return [
        polygon([(0, SYMBOL_HEIGHT), (0, SYMBOL_HEIGHT - 2.6), (2.6, SYMBOL_HEIGHT)], fill=ink),
        polygon(
            [(SYMBOL_WIDTH, SYMBOL_HEIGHT), (SYMBOL_WIDTH, SYMBOL_HEIGHT - 2.6), (SYMBOL_WIDTH - 2.6, SYMBOL_HEIGHT)],
            fill=ink,
        ),
    ]


def battlement(ink: str) -> list[Element]:
    """A fort: battlements and a wall."""
    return [path("M2.6 6.6V2.2H4.2V3.4H5.2V2.2H6.8V3.4H7.8V2.2H9.4V6.6Z", **_stroke(ink))]


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
    """Letters, for a branch without a sign."""
    size = min(4.4, 9.6 / width(words, 1, "bold"))
    return lambda ink: [centred_text(words, SYMBOL_WIDTH / 2, SYMBOL_HEIGHT / 2, size, "bold", fill=ink)]


def letter_below(letter: str) -> Mark:
    """A letter in the lower quarter of a cross."""
    return lambda ink: [centred_text(letter, SYMBOL_WIDTH / 2, 6.25, 3.0, "bold", fill=ink)]


def small_star(ink: str) -> list[Element]:
    """Commandos: a star in the lower quarter of a cross."""
    tips = [
        (6 + r * sin(pi * i / 5), 6.35 - r * cos(pi * i / 5)) for i, r in zip(range(10), (1.4, 0.58) * 5, strict=True)
    ]
    return [polygon(tips, fill=ink)]


def shell_arrow(ink: str) -> list[Element]:
    """A weapon's barrel: an arrow pointing up."""
    return [path("M6 6.6V1.6M4.5 3.1L6 1.5L7.5 3.1", **_stroke(ink))]


def mortar(ink: str) -> list[Element]:
    """Mortars: an arrow from a circle."""
    return [path("M6 5V1.3M4.7 2.6L6 1.2L7.3 2.6", **_stroke(ink)), circle(6, 5.9, 0.95, **_stroke(ink))]


def machine_gun(ink: str) -> list[Element]:
    """Machine guns: an arrow on a base."""
    return [*shell_arrow(ink), line(4.5, 6.6, 7.5, 6.6, **_stroke(ink))]


def recoilless(ink: str) -> list[Element]:
    """Recoilless guns: an arrow with a vent at its base."""
    return [*shell_arrow(ink), path("M4.6 7.2L6 5.9L7.4 7.2", **_stroke(ink))]


def pick(ink: str) -> list[Element]:
    """Construction: a crossed pick and shovel."""
    return [path("M3.4 6.6L8.2 2M7 1.3Q8.6 1.3 9.1 3.1M8.6 6.6L4.4 2.4M3.7 3.2L5.2 1.6L3.4 1.4Z", **_stroke(ink))]


def sign(ink: str) -> list[Element]:
    """A depot: a bar along the lower edge."""
    return [line(0, SYMBOL_HEIGHT - 1.8, SYMBOL_WIDTH, SYMBOL_HEIGHT - 1.8, **_stroke(ink))]


def combine(*marks: Mark) -> Mark:
    """Combine several signs in one frame."""
    return lambda ink: [part for mark in marks for part in mark(ink)]


MARKS: Mapping[str, Mark] = {
    "infantry": cross,
    "leg_infantry": cross,
    "armor": oval,
    "tank": oval,
    "cavalry": slash,
    "motorized_infantry": combine(cross, wheels),
    "mountain_infantry": combine(
        cross, lambda ink: [polygon([(4.6, SYMBOL_HEIGHT), (6, 5.7), (7.4, SYMBOL_HEIGHT)], fill=ink)]
    ),
    "mechanized_infantry": combine(cross, oval),
    "mech_infantry": combine(cross, oval),
    "mechanized": combine(cross, oval),
    "airborne": combine(cross, wings),
    "paratroop": combine(cross, wings),
    "parachute": combine(cross, wings),
    "airmobile": combine(cross, rotor),
    "airmobile_infantry": combine(cross, rotor),
    "commando": combine(cross, small_star),
    "marine": combine(cross, anchor),
    "static": combine(cross, wedge),
    "garrison": combine(cross, wedge),
    "militia": combine(cross, letter_below("M")),
    "security": combine(cross, letter_below("S")),
    "irregular": combine(cross, letter_below("IR")),
    "guerrilla": letters("G"),
    "amphibious": combine(oval, wave),
    "recon": slash,
    "armored_recon": combine(slash, oval),
    "jeep_recon": combine(slash, wheels),
    "armored_car": combine(slash, oval, wheels),
    "artillery": dot,
    "armored_artillery": combine(oval, dot),
    "rocket": combine(rocket, lambda ink: [circle(6, 6.2, 0.75, fill=ink)]),
    "rocket_launcher": combine(rocket, lambda ink: [circle(6, 6.2, 0.75, fill=ink)]),
    "missile": missile,
    "ssm": missile,
    "sam": combine(dome, missile_above),
    "static_sam": combine(dome, missile_above, wedge),
    "mobile_sam": combine(dome, missile_above, lambda ink: [circle(x, 7.05, 0.45, fill=ink) for x in (4.6, 6.0, 7.4)]),
    "anti_aircraft": dome,
    "antitank": arrow_up,
    "missile_team": combine(arrow_up, lambda ink: [path("M5.2 7.9V5.2A0.8 0.8 0 0 1 6.8 5.2V7.9", **_stroke(ink))]),
    "mortar": mortar,
    "machine_gun": machine_gun,
    "recoilless_gun": recoilless,
    "engineer": bridge,
    "construction_engineer": pick,
    "combined_arms": combine(
        oval, lambda ink: [path(f"M0 0L{SYMBOL_WIDTH / 2} {SYMBOL_HEIGHT / 2}L{SYMBOL_WIDTH} 0", **_stroke(ink))]
    ),
    "hq": flag,
    "headquarters": flag,
    "fort": battlement,
    "depot": sign,
    "supply": sign,
    "service": sign,
    "signals": bolt,
    "aircraft": jet,
    "fighter": jet,
    "bomber": jet,
    "helicopter": lambda ink: [polygon([(2, 1.9), (10, 6.1), (10, 1.9), (2, 6.1)], fill=ink)],
    "jet": jet,
    "tac": jet,
    "wild_weasel": combine(jet, lambda ink: [ellipse(9.6, 2.2, 1.1, 1.1, **_stroke(ink))]),
    "warship": ship,
}

SIZES: Mapping[str, str] = {
    "squad": "•", "section": "••", "platoon": "•••", "half-company": "I", "battery": "I", "company": "I",
    "battalion": "II", "task force": "[II]", "battalion group": "II", "regiment": "III", "group": "III", "brigade": "X",
    "division": "XX", "corps": "XXX", "army": "XXXX",
}  # fmt: skip
"""The mark above the frame. A task force has it in brackets."""
NO_SIGN = (
    "squadrons",
    "missiles",
    "regional defense",
    "squadron",
    "troop",
    "flight",
    "wing",
    "flotilla",
    "fleet",
    "garrison",
)
"""Known sizes without a mark."""


def symbol(name: str, ink: str, paper: str, size: str = "", lower: str = "", size_ink: str = "") -> Element:
    """A symbol in its frame, with its size mark above it. The mark may have its own ink. The origin is the frame's corner.

    A name without a sign is written in the frame: up to four of its first letters, or its initials.
    """
    mark = MARKS.get(name) or letters(
        "".join(w[0] for w in name.split("_")).upper() if "_" in name else name[:4].upper()
    )
    ground = [rect(0, 0, SYMBOL_WIDTH, SYMBOL_HEIGHT, fill=paper)]
    if lower and lower != paper:
        ground.append(rect(0, SYMBOL_HEIGHT / 2, SYMBOL_WIDTH, SYMBOL_HEIGHT / 2, fill=lower))
    frame = rect(0, 0, SYMBOL_WIDTH, SYMBOL_HEIGHT, fill="none", stroke=ink, stroke_width=PEN, stroke_linejoin="round")
    return group([*ground, *mark(ink), frame, *_size_mark(SIZES.get(size, ""), size_ink or ink)])


def _size_mark(mark: str, ink: str) -> list[Element]:
    """Dots, bars or crosses above the frame, drawn as shapes."""
    signs = mark.strip("[]")
    step = 1.15 if "I" in signs else 1.75
    left = SYMBOL_WIDTH / 2 - step * (len(signs) - 1) / 2
    pen = {**_stroke(ink), "stroke_width": 0.42}
    parts: list[Element] = []
    for i, sign in enumerate(signs):
        x = left + i * step
        if sign == "•":
            parts.append(circle(x, -1.25, 0.5, fill=ink))
        elif sign == "I":
            parts.append(line(x, -1.95, x, -0.75, **pen))
        else:
            parts.append(path(f"M{x - 0.58:g} -1.9L{x + 0.58:g} -0.75M{x - 0.58:g} -0.75L{x + 0.58:g} -1.9", **pen))
    if mark != signs:
        parts.append(path("M4.6 -0.7H3.9V-2H4.6M7.4 -0.7H8.1V-2H7.4", **pen))
    return parts
