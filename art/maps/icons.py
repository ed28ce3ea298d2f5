"""Icons for places on maps: town, airfield, port, fort, pass, peak, objective. All are drawn as outlines."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from art import svg
from art.geometry import path_of, short
from art.svg import Element

INK = "#3a3128"
PAPER = "#fbf6e6"
GOLD = "#e0a92e"
RED = "#a8402c"
Icon = Callable[[float, float, float], list[Element]]
"""A function of a point and a radius in millimeters."""


def dot(x: float, y: float, r: float) -> list[Element]:
    """A small town or site."""
    return [svg.circle(x, y, r * 0.42, fill=PAPER, stroke=INK, stroke_width=r * 0.18)]


def town(x: float, y: float, r: float) -> list[Element]:
    """A ring with a dot."""
    return [
        svg.circle(x, y, r * 0.6, fill=PAPER, stroke=INK, stroke_width=r * 0.2),
        svg.circle(x, y, r * 0.2, fill=INK),
    ]


def city(x: float, y: float, r: float) -> list[Element]:
    """A square in a square."""
    return [
        svg.rect(x - r * 0.65, y - r * 0.65, r * 1.3, r * 1.3, fill=PAPER, stroke=INK, stroke_width=r * 0.2),
        svg.rect(x - r * 0.3, y - r * 0.3, r * 0.6, r * 0.6, fill=INK),
    ]


def airfield(x: float, y: float, r: float) -> list[Element]:
    """An aircraft from above, in a disc."""
    outline = [
        (0, -0.72),
        (0.1, -0.5),
        (0.1, -0.2),
        (0.68, 0.14),
        (0.68, 0.3),
        (0.1, 0.14),
        (0.08, 0.46),
        (0.28, 0.62),
        (0.28, 0.72),
        (0, 0.64),
    ]
    points = outline + [(-a, b) for a, b in outline[-2:0:-1]]
    return [
        svg.circle(x, y, r, fill=PAPER, stroke=INK, stroke_width=r * 0.12),
        svg.path(path_of([(x + a * r, y + b * r) for a, b in points], True), fill=INK),
    ]


def port(x: float, y: float, r: float) -> list[Element]:
    """An anchor in a disc."""
    n = short
    s = r * 0.62
    hook = f"M{n(x - s * 0.75)} {n(y + s * 0.2)}Q{n(x - s * 0.6)} {n(y + s * 0.9)} {n(x)} {n(y + s * 0.95)}"
    hook += f"Q{n(x + s * 0.6)} {n(y + s * 0.9)} {n(x + s * 0.75)} {n(y + s * 0.2)}"
    bars = path_of([(x, y - s * 0.45), (x, y + s * 0.95)])
    bars += path_of([(x - s * 0.45, y - s * 0.15), (x + s * 0.45, y - s * 0.15)])
    pen = {"fill": "none", "stroke": "#1f4a66", "stroke_width": r * 0.17, "stroke_linecap": "round"}
    return [
        svg.circle(x, y, r, fill="#dcebf0", stroke="#1f4a66", stroke_width=r * 0.12),
        svg.path(hook + bars, **pen),  # type: ignore[arg-type]
        svg.circle(x, y - s * 0.72, s * 0.24, **pen),  # type: ignore[arg-type]
    ]


def fort(x: float, y: float, r: float) -> list[Element]:
    """An earthwork with four bastions."""
    points = []
    for i in range(16):
        angle = math.pi * (i + 0.5) / 8
        radius = r * (1.05 if i % 4 in (1, 2) else 0.7)
        points.append((x + radius * math.cos(angle), y + radius * math.sin(angle)))
    return [
        svg.path(path_of(points, True), fill="#c9b48a", stroke=INK, stroke_width=r * 0.18, stroke_linejoin="round"),
        svg.rect(x - r * 0.22, y - r * 0.22, r * 0.44, r * 0.44, fill=INK),
    ]


def defile(x: float, y: float, r: float) -> list[Element]:
    """A pass: two slopes that lean apart."""
    n = short
    data = ""
    for k in (-1, 1):
        inner_x, outer_x = x + k * r * 0.25, x + k * r * 0.75
        data += f"M{n(outer_x)} {n(y - r * 0.8)}Q{n(inner_x - k * r * 0.1)} {n(y)} {n(outer_x)} {n(y + r * 0.8)}"
    pen = {"fill": "none", "stroke_linecap": "round"}
    return [
        svg.path(data, stroke=PAPER, stroke_width=r * 0.5, stroke_opacity=0.8, **pen),
        svg.path(data, stroke="#6b3f1d", stroke_width=r * 0.26, **pen),
    ]


def peak(x: float, y: float, r: float) -> list[Element]:
    """A triangle, lit from the left."""
    top, left, right, foot = y - r * 0.75, x - r * 0.75, x + r * 0.75, y + r * 0.55
    return [
        svg.path(
            path_of([(x, top), (right, foot), (left, foot)], True),
            fill="#cfae7d",
            stroke=INK,
            stroke_width=r * 0.14,
            stroke_linejoin="round",
        ),
        svg.path(path_of([(x, top), (right, foot), (x + r * 0.1, foot)], True), fill="#6b4a2b"),
    ]


def village(x: float, y: float, r: float) -> list[Element]:
    """A house."""
    roof = [(x - r * 0.75, y), (x, y - r * 0.7), (x + r * 0.75, y)]
    return [
        svg.rect(x - r * 0.5, y - r * 0.05, r, r * 0.65, fill=PAPER, stroke=INK, stroke_width=r * 0.14),
        svg.path(path_of(roof, True), fill=RED, stroke=INK, stroke_width=r * 0.14, stroke_linejoin="round"),
    ]


def kibbutz(x: float, y: float, r: float) -> list[Element]:
    """A house on green."""
    return [svg.circle(x, y, r, fill="#9db873", stroke="#4c6a2c", stroke_width=r * 0.12), *village(x, y, r * 0.72)]


def draw_well(x: float, y: float, r: float) -> list[Element]:
    """A ring of water."""
    return [svg.circle(x, y, r * 0.5, fill="#6fa9c9", stroke="#1f4a66", stroke_width=r * 0.2)]


def battery(x: float, y: float, r: float) -> list[Element]:
    """A gun in its emplacement."""
    n = short
    half_disc = f"M{n(x - r * 0.7)} {n(y + r * 0.4)}A{n(r * 0.7)} {n(r * 0.7)} 0 0 1 {n(x + r * 0.7)} {n(y + r * 0.4)}Z"
    return [
        svg.path(half_disc, fill="#c9b48a", stroke=INK, stroke_width=r * 0.16),
        svg.line(x, y + r * 0.1, x + r * 0.6, y - r * 0.7, stroke=INK, stroke_width=r * 0.24, stroke_linecap="round"),
    ]


def star(x: float, y: float, r: float, fill: str = GOLD, edge: str = "#5f3d00") -> list[Element]:
    """A five-pointed star for an objective."""
    points = [
        (x + r * f * math.sin(math.pi * i / 5), y - r * f * math.cos(math.pi * i / 5))
        for i in range(10)
        for f in [1.0 if i % 2 == 0 else 0.42]
    ]
    return [svg.path(path_of(points, True), fill=fill, stroke=edge, stroke_width=r * 0.12, stroke_linejoin="round")]


def bridge(x: float, y: float, r: float) -> list[Element]:
    """Two parapets."""
    data = "".join(
        path_of(
            [
                (x - r * 0.8, y + k * r * 0.65),
                (x - r * 0.55, y + k * r * 0.35),
                (x + r * 0.55, y + k * r * 0.35),
                (x + r * 0.8, y + k * r * 0.65),
            ]
        )
        for k in (-1, 1)
    )
    return [svg.path(data, fill="none", stroke=INK, stroke_width=r * 0.22, stroke_linecap="round")]


ICONS: Mapping[str, Icon] = {
    "city": city, "fortified_city": city, "capital": city, "town": town, "village": village, "kibbutz": kibbutz,
    "airfield": airfield, "airbase": airfield, "port": port, "landing": port, "fort": fort, "fortification": fort,
    "pass": defile, "peak": peak, "mountain": peak, "hill": peak, "hills": peak, "site": dot, "place": dot, "base": dot,
    "junction": dot, "crossroads": dot, "battery": battery, "well": draw_well, "oasis": draw_well, "bridge": bridge,
    "objective": star,
}  # fmt: skip

NAMES: Mapping[str, str] = {
    "city": "City", "fortified_city": "Fortified city", "capital": "Capital", "town": "Town", "village": "Village",
    "kibbutz": "Kibbutz", "airfield": "Airfield", "airbase": "Airbase", "port": "Port", "landing": "Landing place",
    "fort": "Fort", "fortification": "Fortification", "pass": "Pass", "peak": "Peak", "mountain": "Mountain",
    "hill": "Hill", "hills": "Hills", "site": "Site", "place": "Site", "base": "Base", "junction": "Junction",
    "crossroads": "Crossroads", "battery": "Battery", "well": "Well", "oasis": "Oasis", "bridge": "Bridge",
    "objective": "Objective",
}  # fmt: skip
