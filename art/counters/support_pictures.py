"""Pictures on markers for functions and support, on a box 12 wide and 8 high."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import cos, pi, sin

from art.maps.pens import fill, stroke
from art.svg import Element, circle, polygon, rect

Picture = Callable[[str, str], list[Element]]


def burst(x: float, y: float, radius: float, ink: str, tips: int = 9) -> list[Element]:
    """An explosion: a ragged star."""
    points = []
    for i in range(2 * tips):
        r = radius * ((1.0, 0.86, 0.95)[i // 2 % 3] if i % 2 == 0 else 0.52)
        points.append((x + r * sin(pi * i / tips), y - r * cos(pi * i / tips)))
    return [polygon(points, fill=ink)]


def turn(ink: str, shade: str) -> list[Element]:
    """An hourglass."""
    glass = (
        "M3.4 0.7H8.6M3.4 7.3H8.6M4 0.7C4 3 5.6 3.4 5.6 4C5.6 4.6 4 5 4 7.3M8 0.7C8 3 6.4 3.4 6.4 4C6.4 4.6 8 5 8 7.3"
    )
    return [
        fill("M4.3 7.2C4.3 5.8 5.2 5.4 6 4.9C6.8 5.4 7.7 5.8 7.7 7.2Z", ink),
        stroke(glass, ink, 0.5),
        fill("M4.6 2.2H7.4L6 3.8Z", ink),
    ]


def north(ink: str, shade: str) -> list[Element]:
    """A compass needle."""
    return [
        fill("M6 -0.6L8.2 7.6L6 6.2Z", shade),
        fill("M6 -0.6L3.8 7.6L6 6.2Z", ink),
        stroke("M6 -0.6L8.2 7.6L6 6.2L3.8 7.6Z", ink, 0.35),
    ]


def shells(ink: str, shade: str) -> list[Element]:
    """Three bursts: area fire."""
    return [*burst(2.6, 4.9, 2.1, ink, 7), *burst(9.4, 4.9, 2.1, ink, 7), *burst(6, 2.8, 2.7, ink)]


def barrage(ink: str, shade: str) -> list[Element]:
    """Shells falling on a burst."""
    shell = "M{x} 0.2L{a} 1.4V3H{b}V1.4Z"
    falling = "".join(shell.format(x=x, a=x + 0.55, b=x - 0.55) for x in (3.8, 6.0, 8.2))
    return [fill(falling, ink), *burst(6, 6, 2.1, ink), stroke("M0.8 7.6H11.2", ink, 0.4)]


def smoke(ink: str, shade: str) -> list[Element]:
    """A cloud."""
    cloud = "M2.4 7A2 2 0 0 1 2 3.1A2.5 2.5 0 0 1 6.2 1.7A2.3 2.3 0 0 1 9.9 3.2A2 2 0 0 1 9.8 7Z"
    return [fill(cloud, shade), stroke(cloud, ink, 0.5), stroke("M4 5.2Q5 4 6.2 5Q7.4 6 8.4 4.8", ink, 0.4)]


def reload(ink: str, shade: str) -> list[Element]:
    """Two missiles."""
    missile_path = "M{x} 0.5Q{a} 1.4 {a} 2.6V5.4L{f} 7.2H{g}L{b} 5.4V2.6Q{b} 1.4 {x} 0.5Z"
    return [fill(missile_path.format(x=x, a=x + 0.75, b=x - 0.75, f=x + 1.6, g=x - 1.6), ink) for x in (4.0, 8.0)]


def jet(ink: str, shade: str) -> list[Element]:
    """A jet from above."""
    outline = "M6 -0.2L6.6 1.8V2.8L11 5.4V6.2L6.6 5.1V6.6L7.8 7.5V8L6 7.6L4.2 8V7.5L5.4 6.6V5.1L1 6.2V5.4L5.4 2.8V1.8Z"
    return [fill(outline, ink), stroke("M6 1.2V3", shade, 0.4)]


def special_forces(ink: str, shade: str) -> list[Element]:
    """A winged dagger."""
    wings = "M5.3 3.4Q2.6 1.2 0.4 1.6Q1.4 4.6 5.3 4.6ZM6.7 3.4Q9.4 1.2 11.6 1.6Q10.6 4.6 6.7 4.6Z"
    return [
        fill(wings, ink),
        fill("M5.5 2.4H6.5V6.2L6 7.8L5.5 6.2Z", ink),
        stroke("M4.8 2.3H7.2M6 2.2V0.5", ink, 0.6),
    ]


def parachute(ink: str, shade: str) -> list[Element]:
    """A parachute."""
    canopy = "M1.6 3.6A4.4 3.6 0 0 1 10.4 3.6Q9.3 2.8 8.2 3.6Q7.1 2.8 6 3.6Q4.9 2.8 3.8 3.6Q2.7 2.8 1.6 3.6Z"
    return [
        fill(canopy, ink),
        stroke("M1.7 3.7L6 6.8L10.3 3.7M3.8 3.7L6 6.8L8.2 3.7", ink, 0.3),
        rect(5.3, 6.4, 1.4, 1.4, fill=ink),
    ]


def air_supply(ink: str, shade: str) -> list[Element]:
    """A crate under a parachute."""
    crate = rect(4.3, 5.2, 3.4, 2.6, fill=shade, stroke=ink, stroke_width=0.4)
    canopy = "M2 2.9A4 3.1 0 0 1 10 2.9Q8 2.2 6 2.9Q4 2.2 2 2.9Z"
    return [
        fill(canopy, ink),
        stroke("M2.1 3L4.6 5.2M9.9 3L7.4 5.2M6 3V5.2M4.3 6.5H7.7M6 5.2V7.8", ink, 0.32),
        crate,
        stroke("M4.3 6.5H7.7M6 5.2V7.8", ink, 0.32),
    ]


def air_defense(ink: str, shade: str) -> list[Element]:
    """A missile under a dome."""
    return [
        stroke("M0.8 7.4A5.2 6.6 0 0 1 11.2 7.4", ink, 0.7),
        fill("M6 2.2Q6.9 3 6.9 4.2V6L7.9 7.4H4.1L5.1 6V4.2Q5.1 3 6 2.2Z", ink),
    ]


def points(ink: str, shade: str) -> list[Element]:
    """A stack of coins."""
    parts = []
    for i in range(4):
        y = 6.4 - 1.5 * i
        parts.append(rect(2.6, y - 0.6, 6.8, 1.4, rx=0.7, fill=shade, stroke=ink, stroke_width=0.42))
    return parts


def flag_pole(ink: str, shade: str) -> list[Element]:
    """A flag on a pole."""
    cloth = "M3.4 0.8Q5.4 0 7.4 0.9T11 0.8V4.4Q9 5.2 7 4.4T3.4 4.5Z"
    return [stroke("M3 0.4V7.6M1.8 7.6H4.2", ink, 0.6), fill(cloth, shade), stroke(cloth, ink, 0.45)]


def terror(ink: str, shade: str) -> list[Element]:
    """A house on fire."""
    return [
        fill("M1.6 7.6V4.6L4.4 2.4L7.2 4.6V7.6Z", shade),
        stroke("M1 5L4.4 2.3L7.8 5M1.6 4.6V7.6H7.2V4.6", ink, 0.5),
        *burst(8.2, 3.6, 3.2, ink),
    ]


def command(ink: str, shade: str) -> list[Element]:
    """A star in a ring."""
    points_ = [(6 + r * sin(pi * i / 5), 4 - r * cos(pi * i / 5)) for i in range(10) for r in [(2.7, 1.1)[i % 2]]]
    return [circle(6, 4, 3.7, fill=shade, stroke=ink, stroke_width=0.5), polygon(points_, fill=ink)]


def sealift(ink: str, shade: str) -> list[Element]:
    """A transport ship."""
    return [
        fill("M0.8 4.8H11.2L9.8 7.2H2.2Z", ink),
        fill("M2.6 4.4V2.8H4.6V1.4H5.8V2.8H9V4.4Z", ink),
        stroke("M8 2.6V0.6", ink, 0.4),
        stroke("M1 7.9q0.8 -0.6 1.6 0t1.6 0t1.6 0t1.6 0t1.6 0t1.6 0", ink, 0.35),
    ]


def helicopter(ink: str, shade: str) -> list[Element]:
    """A helicopter."""
    return [
        stroke("M1 1.2H9.4M5.2 1.2V2.4", ink, 0.5),
        fill("M1.6 4.4Q1.8 2.4 4.4 2.4H6.4L7.4 3.6L11.2 3.2V4.3L7.2 5.2Q6.4 6.2 4.6 6.2H3.2Q1.6 6 1.6 4.4Z", ink),
        fill("M2.3 4.2Q2.5 3.1 4 3.1V4.2Z", shade),
        stroke("M2 7.4H7.2M3.4 6.2V7.4M5.8 6.2V7.4M11.2 2.2V4.8", ink, 0.45),
    ]


def escalation(ink: str, shade: str) -> list[Element]:
    """Steps up with an arrow."""
    return [
        fill("M0.8 7.6V6H3.6V4.4H6.2V2.8H8.8V7.6Z", shade),
        stroke("M0.8 7.6V6H3.6V4.4H6.2V2.8H8.8V7.6Z", ink, 0.45),
        stroke("M1.6 3.8L8.6 0.7M6.6 0.5L8.9 0.6L7.7 2.5", ink, 0.6),
    ]


def nuclear(ink: str, shade: str) -> list[Element]:
    """A mushroom cloud."""
    cap = "M3.4 4.2A1.7 1.7 0 0 1 2.6 1.4A2.2 2.2 0 0 1 5.2 0.2A2.6 2.6 0 0 1 8.6 0.8A1.8 1.8 0 0 1 8.6 4.2Q6 3.2 3.4 4.2Z"
    return [fill(cap, ink), fill("M5 3.8H7Q6.6 6 8.4 7.6H3.6Q5.4 6 5 3.8Z", ink), stroke("M1.6 7.7H10.4", ink, 0.5)]


def ew(ink: str, shade: str) -> list[Element]:
    """An antenna with waves."""
    waves = "M4 1.6A3 3 0 0 0 4 5M2.4 0.4A5 5 0 0 0 2.4 6.2M8 1.6A3 3 0 0 1 8 5M9.6 0.4A5 5 0 0 1 9.6 6.2"
    return [
        stroke(waves, ink, 0.55),
        circle(6, 3.3, 0.8, fill=ink),
        stroke("M6 3.6L4.4 7.7M6 3.6L7.6 7.7M5.1 6H6.9", ink, 0.5),
    ]


def breach(ink: str, shade: str) -> list[Element]:
    """A gap in a wall."""
    left_wall, right = "M0.6 7.6V2.4H4.2L3.4 4L4.6 5.2L3.8 7.6Z", "M11.4 7.6V2.4H7.8L8.8 4.2L7.4 5.4L8.2 7.6Z"
    return [fill(left_wall, ink), fill(right, ink), stroke("M6 7.4V1.4M5 2.4L6 1.2L7 2.4", ink, 0.55)]


def amphibious(ink: str, shade: str) -> list[Element]:
    """An arrow that rises out of waves."""
    wave = "q0.9 -0.9 1.8 0t1.8 0t1.8 0t1.8 0t1.8 0t1.8 0"
    return [fill("M5 5V3H3.2L6 0.2L8.8 3H7V5Z", ink), stroke(f"M0.6 6.2{wave}M0.6 7.6{wave}", ink, 0.5)]


def battle(ink: str, shade: str) -> list[Element]:
    """Crossed swords."""
    return [
        stroke("M2 0.8L8.8 6.4M10 0.8L3.2 6.4", ink, 0.75),
        stroke("M7.4 7L9.6 4.8M4.6 7L2.4 4.8M9 6.6L10.2 7.6M3 6.6L1.8 7.6", ink, 0.6),
    ]


def casualties(ink: str, shade: str) -> list[Element]:
    """A helmet on a rifle."""
    return [
        fill("M3.4 2.9A2.6 2.4 0 0 1 8.6 2.9L9.2 3.3V3.7H2.8V3.3Z", ink),
        stroke("M6 3.4V7", ink, 0.6),
        fill("M2.6 7.7Q6 5.6 9.4 7.7Z", ink),
    ]


def draw_mobilized(ink: str, shade: str) -> list[Element]:
    """Chevrons."""
    return [stroke(f"M2.6 {y + 2.2:g}L6 {y:g}L9.4 {y + 2.2:g}", ink, 0.9) for y in (0.8, 2.9, 5.0)]


def event(ink: str, shade: str) -> list[Element]:
    """A sheet of news."""
    return [
        rect(2.6, 0.5, 6.8, 7, rx=0.3, fill=shade, stroke=ink, stroke_width=0.45),
        rect(3.6, 1.5, 4.8, 1.1, fill=ink),
        stroke("M3.7 3.7H8.3M3.7 4.9H8.3M3.7 6.1H6.6", ink, 0.4),
    ]


SUPPORT: Mapping[str, Picture] = {
    "turn": turn, "north": north, "interdiction": shells, "barrage": barrage, "smoke": smoke, "reload": reload,
    "airstrike": jet, "special_forces": special_forces, "airborne": parachute, "air_supply": air_supply,
    "air_defense": air_defense, "points": points, "control": flag_pole, "terrorized": terror, "command": command,
    "sealift": sealift, "helicopter": helicopter, "escalation": escalation, "nuclear": nuclear, "ew": ew,
    "breach": breach, "amphibious": amphibious, "battle": battle, "casualties": casualties, "mobilized": draw_mobilized,
    "event": event,
}  # fmt: skip
