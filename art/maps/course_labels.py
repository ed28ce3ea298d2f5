"""Names of rivers, canals, wadis, roads and borders, written along their course."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from art import svg
from art.geometry import Point
from art.maps.labels import NAME, Box, Crowd
from art.svg import Element
from art.text import CAPITAL, text, width

COLORS = {"wadi": "#7a5a30", "purple_line": "#7d5a94", "border": "#7a5a4a", "line": "#8a3a22", "road": "#5b3420"}


def labels_along(
    words: str,
    kind: str,
    points: Sequence[Point],
    courses: Sequence[Sequence[Point]],
    side: float,
    crowd: Crowd,
    area: Box,
) -> list[Element]:
    """Write a name along the drawn course that is nearest to the line with that name."""
    size = (0.34 if kind == "canal" else 0.27) * side
    half_width = width(words, size, "italic") / 2
    best: tuple[float, float, float, float] | None = None
    inner = [p for p in points if area.left < p[0] < area.right and area.top < p[1] < area.bottom]
    middle = inner[len(inner) // 2] if inner else (0.0, 0.0)
    for px, py in inner:
        course = min(courses, key=lambda line: min(math.dist(p, (px, py)) for p in line))
        i = min(range(len(course)), key=lambda k: math.dist(course[k], (px, py)))
        if math.dist(course[i], (px, py)) > side:
            continue  # another river
        reach = max(1, round(len(course) * half_width / (_length(course) or 1)))
        a, b = course[max(0, i - reach)], course[min(len(course) - 1, i + reach)]
        span = math.dist(a, b)
        if span < half_width:
            continue
        angle = math.atan2(b[1] - a[1], b[0] - a[0])
        if math.cos(angle) < -0.01 or (abs(math.cos(angle)) < 0.02 and math.sin(angle) > 0):
            angle += math.pi
        bend = max(_distance_off(p, a, b) for p in course[max(0, i - reach) : i + reach + 1])
        for side_sign in (-1, 1):
            gap = side_sign * (size * 0.75 + bend + side * (0.14 if kind == "canal" else 0.08))
            x = (a[0] + b[0]) / 2 - math.sin(angle) * gap
            y = (a[1] + b[1]) / 2 + math.cos(angle) * gap
            boxes = _slanted_boxes(x, y, half_width, size, angle)
            if any(box.left < area.left or box.right > area.right for box in (boxes[0], boxes[-1])):
                continue
            cost = bend * 3 + 0.02 * math.dist((x, y), middle) + sum(crowd.cost(box) for box in boxes)
            if best is None or cost < best[0]:
                best = cost, x, y, angle
    if best is None or best[0] > NAME * 0.6:
        return []
    _, x, y, angle = best
    for box in _slanted_boxes(x, y, half_width, size, angle):
        crowd.add(box, NAME)
    drawn_text = water_text(words, 0, size * CAPITAL / 2, size, COLORS.get(kind, "#1f5a7a"))
    turn = f"translate({svg.number(x)} {svg.number(y)}) rotate({svg.number(math.degrees(angle))})"
    return [svg.group([drawn_text], transform=turn)]


def _length(course: Sequence[Point]) -> float:
    return sum(math.dist(a, b) for a, b in pairwise(course))


def _distance_off(point: Point, a: Point, b: Point) -> float:
    long = math.dist(a, b) or 1.0
    return abs((b[0] - a[0]) * (a[1] - point[1]) - (a[0] - point[0]) * (b[1] - a[1])) / long


def _slanted_boxes(x: float, y: float, half_width: float, size: float, angle: float) -> list[Box]:
    """Small boxes along a slanted name."""
    count = max(2, math.ceil(2 * half_width / size))
    spots = [(-1 + (2 * i + 1) / count) * half_width for i in range(count)]
    return [Box.around(x + t * math.cos(angle), y + t * math.sin(angle), size * 0.5, size * 0.45) for t in spots]


def water_text(words: str, x: float, y: float, size: float, color: str = "#1f5a7a") -> Element:
    """A slanted name with a faint outline."""
    rim = text(
        words,
        x,
        y,
        size,
        "italic",
        "middle",
        fill="#f3f1e6",
        stroke="#f3f1e6",
        stroke_width=size * 0.2,
        stroke_linejoin="round",
        opacity=0.6,
    )
    return svg.group([rim, text(words, x, y, size, "italic", "middle", fill=color)])
