"""Names on a point map, clear of points, routes and each other."""

from __future__ import annotations

import math
from collections.abc import Sequence

from art.geometry import Point, cut_corners, flowing, space_points
from art.maps.course_labels import labels_along
from art.maps.labels import NAME, Box, Crowd, Label, PlacedLabel, place_labels
from art.maps.point_layout import RADIUS, RESERVE, SIGN, PointMapSheet, line_on_sheet, rim, signs
from art.maps.water import SHORES, water_kinds
from art.svg import Element
from art.text import CAPITAL, Weight, text, width
from scenarios.model.game import Game
from scenarios.model.points import PointMap

CROWDED_DISTANCE = 30.0
"""The maximum cost of a lake's name. A name that would hide more is left out."""
LABEL_DISTANCE = 18.0
"""The hexside length at which names along lines would have this size."""


def placed_names(game: Game, field: PointMap, sheet: PointMapSheet) -> tuple[list[PlacedLabel], Crowd]:
    """The names of points, clear of discs, signs and routes, and the crowd of boxes that further names should avoid."""
    crowd = Crowd(20)
    groups: dict[int, list[Label]] = {}
    wet_kinds = water_kinds(game)
    for key, (x, y) in sheet.points.items():
        point = field.points[key]
        if point.terrain == "reserve_area":
            crowd.add(Box.around(x, y, *RESERVE), NAME)
            continue
        for cosine in (0.35, 0.74, 0.96):
            crowd.add(Box.around(x, y, (RADIUS + 1) * cosine, (RADIUS + 1) * math.sqrt(1 - cosine**2)), 200)
        for _, (sx, sy) in zip(signs(point), rim((x, y)), strict=False):
            crowd.add(Box.around(sx, sy, SIGN, SIGN), 200)
        big = point.terrain == "city" or "city" in point.kinds
        weight: Weight = "italic" if point.terrain in wet_kinds else "bold" if big else "semibold"
        color = "#1f5a7a" if point.terrain in wet_kinds else "#1d1710"
        frame = next((i for i, f in enumerate(sheet.frames) if f.box.left <= x <= f.box.right), 0)
        label = Label(point.name, (x, y), 5.0 if big else 4.2, weight, RADIUS + 1.8, color)
        groups.setdefault(frame, []).append(label)
    for route in field.routes:
        if route.a in sheet.points and route.b in sheet.points:
            a, b = sheet.points[route.a], sheet.points[route.b]
            heavy = 2.0 if route.kind == "reserve" else 12.0
            count = max(1, int(math.dist(a, b) / 2.4))
            for i in range(count + 1):
                t = i / count
                crowd.add(Box.around(a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, 1.5, 1.5), heavy)
    for line in field.lines.values():
        if line.kind in ("canal", "purple_line", "border", "river"):
            points = line_on_sheet(line, sheet)
            course = flowing(points) if line.kind == "river" else cut_corners(points, line.closed)
            for x, y in space_points(course, 2.4):
                crowd.add(Box.around(x, y, 1.2, 1.2), 3.0)
    placed_labels = []
    for index, labels in sorted(groups.items()):
        box = sheet.frames[index].box
        crowd.add(Box(box.right - 46, box.bottom - 52, box.right - 4, box.bottom - 4), NAME)
        placed_labels += place_labels(labels, crowd, box.grow(-2))
    return placed_labels, crowd


def water_names(field: PointMap, sheet: PointMapSheet, crowd: Crowd) -> list[Element]:
    """Widely spaced names of seas and lakes, and names along rivers and borders, where there is room."""
    parts: list[Element] = []
    names = {point.name for point in field.points.values()}
    for line in field.lines.values():
        if not line.name or line.name in names or line.kind in ("frame", "region"):
            continue
        names.add(line.name)
        points = line_on_sheet(line, sheet)
        middle = sum(x for x, _ in points) / len(points)
        box = min(sheet.frames, key=lambda f: abs((f.box.left + f.box.right) / 2 - middle)).box
        if line.kind in SHORES:
            parts += _on_water(line.name, points, box, crowd)
        else:
            course = space_points(flowing(points) if line.kind == "river" else cut_corners(points, line.closed), 2)
            parts += labels_along(line.name, line.kind, course[::6], [course], LABEL_DISTANCE, crowd, box.grow(-4))
    return parts


def parting_lines(field: PointMap, sheet: PointMapSheet) -> dict[str, list[Point]]:
    """The areas that are lines from point to point, by name."""
    return {
        area.name: [sheet.points[key] for key in area.points if key in sheet.points]
        for area in field.areas.values()
        if area.kind == "line"
    }


def parting_names(field: PointMap, sheet: PointMapSheet, crowd: Crowd) -> list[Element]:
    """The names of the lines that separate areas, along them."""
    parts: list[Element] = []
    for name, points in parting_lines(field, sheet).items():
        course = space_points(points, 2)
        box = next((f.box for f in sheet.frames if f.box.left <= points[0][0] <= f.box.right), sheet.frames[0].box)
        parts += labels_along(name, "line", course[::3], [course], LABEL_DISTANCE, crowd, box.grow(-4))
    return parts


def _on_water(name: str, shore: Sequence[Point], box: Box, crowd: Crowd) -> list[Element]:
    xs, ys = [p[0] for p in shore], [p[1] for p in shore]
    size = 9.0 if max(xs) - min(xs) > 400 else 4.4
    text_width = width(name, size, "italic")
    spread = size * 0.3 if text_width < max(xs) - min(xs) else 0.0
    half_width = (text_width + spread * len(name)) / 2
    middle = ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
    spots = [middle, *[(x + k * (half_width + gap), y) for x, y in shore for k in (-1, 1) for gap in (4, 8)]]
    spots += [(x, y + k * (size + 2)) for x, y in shore for k in (-1, 1)]
    candidates = [
        (crowd.cost(Box.around(x, y, half_width, size * 0.55)) + 0.05 * math.dist((x, y), middle), x, y)
        for x, y in spots
        if box.left + half_width + 3 < x < box.right - half_width - 3 and box.top + size < y < box.bottom - size
    ]
    if not candidates or min(candidates)[0] > CROWDED_DISTANCE:
        return []
    _, x, y = min(candidates)
    crowd.add(Box.around(x, y, half_width, size * 0.55), NAME)
    return [
        text(
            name,
            x + spread / 2,
            y + size * CAPITAL / 2,
            size,
            "italic",
            "middle",
            fill="#2a6c8f",
            fill_opacity=0.9,
            letter_spacing=spread,
        )
    ]
