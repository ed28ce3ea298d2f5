"""Colors: mixing, contrast, and their appearance to color-blind players and in gray."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Literal

from scenarios.model.definitions import Colors

RGB = tuple[float, float, float]


def parse(color: str) -> RGB:
    """Convert '#a9c8e8' to three parts from 0 to 1."""
    return tuple(int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))  # type: ignore[return-value]


def show(rgb: RGB) -> str:
    """Convert three parts from 0 to 1 to '#a9c8e8'."""
    return "#" + "".join(f"{round(max(0, min(1, part)) * 255):02x}" for part in rgb)


def mix(a: str, b: str, share: float) -> str:
    """Mix `a` with that share of `b`."""
    return show(tuple(x + (y - x) * share for x, y in zip(parse(a), parse(b), strict=True)))  # type: ignore[arg-type]


def lighter(color: str, share: float) -> str:
    """A color nearer to white."""
    return mix(color, "#ffffff", share)


def darker(color: str, share: float) -> str:
    """A color nearer to black."""
    return mix(color, "#000000", share)


def readable_surface(colors: Colors, share: float = 0.6) -> str:
    """A background on a counter that keeps its ink readable: lighter than the counter, or darker if the ink is light."""
    if luminance(colors.ink) < luminance(colors.fill):
        return lighter(colors.fill, share)
    return darker(colors.fill, share / 2)


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def luminance(color: str) -> float:
    """The relative luminance of a color, 0 to 1."""
    r, g, b = map(_linear, parse(color))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(a: str, b: str) -> float:
    """The contrast ratio of two colors, 1 to 21."""
    dark, bright = sorted((luminance(a), luminance(b)))
    return (bright + 0.05) / (dark + 0.05)


def grey(color: str) -> str:
    """The color on a black-and-white printer."""
    light = luminance(color)
    part = 12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055
    return show((part, part, part))


# Machado, Oliveira and Fernandes (2009), severity 1.0, on linear light.
_BLINDNESS: dict[str, tuple[RGB, RGB, RGB]] = {
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}


def as_seen(color: str, eye: Literal["protan", "deutan", "tritan"]) -> str:
    """The color as a color-blind player sees it."""
    light = tuple(map(_linear, parse(color)))
    linear_rgb = [sum(k * part for k, part in zip(row, light, strict=True)) for row in _BLINDNESS[eye]]
    srgb = [12.92 * p if p <= 0.0031308 else 1.055 * max(p, 0) ** (1 / 2.4) - 0.055 for p in linear_rgb]
    return show((srgb[0], srgb[1], srgb[2]))


def lab(color: str) -> RGB:
    """CIE L*a*b* (D65)."""
    r, g, b = map(_linear, parse(color))
    x = (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047
    y = 0.2126729 * r + 0.7151522 * g + 0.0721750 * b
    z = (0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def difference(a: str, b: str) -> float:
    """The visible difference of two colors (CIEDE2000). Below 10 they are easily confused."""
    return ciede2000(lab(a), lab(b))


def ciede2000(first_color: RGB, second_color: RGB) -> float:
    """The difference of two colors in L*a*b*, after Sharma, Wu and Dalal (2005)."""
    (l1, a1, b1), (l2, a2, b2) = first_color, second_color
    mean = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    stretch = 1 + (1 - math.sqrt(mean**7 / (mean**7 + 25**7))) / 2
    a1, a2 = a1 * stretch, a2 * stretch
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = math.degrees(math.atan2(b1, a1)) % 360, math.degrees(math.atan2(b2, a2)) % 360
    turn = 0.0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    hue = h1 + h2 if c1 * c2 == 0 else (h1 + turn / 2) % 360
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    t = (
        1
        - 0.17 * math.cos(math.radians(hue - 30))
        + 0.24 * math.cos(math.radians(2 * hue))
        + 0.32 * math.cos(math.radians(3 * hue + 6))
        - 0.20 * math.cos(math.radians(4 * hue - 63))
    )
    by_light = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / math.sqrt(20 + (light - 50) ** 2))
    by_chroma = (c2 - c1) / (1 + 0.045 * chroma)
    by_hue = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2)) / (1 + 0.015 * chroma * t)
    bend = (
        -2
        * math.sqrt(chroma**7 / (chroma**7 + 25**7))
        * math.sin(math.radians(60 * math.exp(-(((hue - 275) / 25) ** 2))))
    )
    return math.sqrt(by_light**2 + by_chroma**2 + by_hue**2 + bend * by_chroma * by_hue)


MIN_DIFFERENCE = 10.0
"""The minimum difference between the colors of enemies, for every eye and every printer."""
EYES: Mapping[str, Callable[[str], str]] = {
    "in normal sight": lambda color: color,
    "to a protan eye": lambda color: as_seen(color, "protan"),
    "to a deutan eye": lambda color: as_seen(color, "deutan"),
    "to a tritan eye": lambda color: as_seen(color, "tritan"),
    "in grey": grey,
}


def nearest(a: str, b: str) -> tuple[float, str]:
    """The smallest difference of two colors over all kinds of vision and printing, and the case in which it occurs."""
    return min((difference(see(a), see(b)), eye) for eye, see in EYES.items())
