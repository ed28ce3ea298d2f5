"""The landscape behind a point map: sand, hills, fields and names of countries. It has no effect on play."""

from __future__ import annotations

from itertools import pairwise

from art import svg
from art.color import darker
from art.geometry import Point, cut_corners, holds, path_of, roughen_outline, space_points, wandering
from art.maps.ground import HIGH_GROUND
from art.maps.labels import Box, Crowd
from art.maps.landforms import slopes
from art.maps.point_layout import PointMapSheet, line_on_sheet
from art.maps.textures import draw_texture
from art.sheets.furniture import EDGE
from art.svg import Element
from art.text import CAPITAL, text, width
from scenarios.model.points import PointMap

RELIEF = {
    "fields": ("#cdd8a4", "fields"),
    "dunes": ("#ead491", "dunes"),
    "hills": ("#dcc597", "hachures"),
    "mountains": ("#cdb189", "peaks"),
    "marsh": ("#c3d3b4", "tufts"),
}
"""The color and texture of each kind of land. They are paler than the points on it."""
SIDE = 11.0
"""The distance between the drawings of a texture."""
BAYS, SLOPE = 24.0, 15.0
"""The size of an outline's bays, and the reach of light and shadow from the rim of high ground."""
NAME = 11.0
"""The font size of a country's name."""


def lands(field: PointMap, sheet: PointMapSheet, box: Box, detail: bool = True) -> list[Element]:
    """The land of one theater, from low to high. Without `detail` there is no texture."""
    parts: list[Element] = []
    for kind, (color, texture) in RELIEF.items():
        shapes = [_edge(line_on_sheet(line, sheet)) for line in field.lines.values() if line.kind == kind]
        shapes = [
            shape for shape in shapes if any(box.left < x < box.right and box.top < y < box.bottom for x, y in shape)
        ]
        if not shapes:
            continue
        data = "".join(path_of(shape, is_closed=True) for shape in shapes)
        for line_width, strong in ((9.0, 0.25), (4.5, 0.35)):
            parts.append(
                svg.path(
                    data,
                    fill="none",
                    stroke=color,
                    stroke_width=line_width,
                    stroke_opacity=strong,
                    stroke_linejoin="round",
                )
            )
        parts.append(svg.path(data, fill=color, stroke=darker(color, 0.06), stroke_width=0.3))
        if not detail:
            continue
        if texture in HIGH_GROUND:
            parts += slopes([_clockwise(shape) for shape in shapes], color, SLOPE)
        spots = [(f"{kind} {x:.0f} {y:.0f}", (x, y)) for shape in shapes for x, y in _inside(shape, box)]
        parts.append(svg.group(draw_texture(texture, spots, color, SIDE * 0.85), opacity=0.8))
    return parts


def _edge(points: list[Point]) -> list[Point]:
    """An outline with small bays and spurs."""
    return roughen_outline(cut_corners(wandering(space_points([*points, points[0]], 26)[:-1], 3.2), True), BAYS)


def _clockwise(shape: list[Point]) -> list[Point]:
    """An outline in the direction that has the land to its right."""
    area = sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairwise([*shape, shape[0]]))
    return shape if area > 0 else shape[::-1]


def _inside(shape: list[Point], box: Box) -> list[Point]:
    """Positions inside a shape, in staggered rows, with a distance from its edge."""
    xs, ys = [x for x, _ in shape], [y for _, y in shape]
    left, top = max(min(xs), box.left), max(min(ys), box.top)
    right, bottom = min(max(xs), box.right), min(max(ys), box.bottom)
    points = []
    for row in range(int((bottom - top) / (SIDE * 1.5)) + 1):
        for column in range(int((right - left) / (SIDE * 1.73)) + 1):
            x, y = left + (column + row % 2 / 2) * SIDE * 1.73, top + row * SIDE * 1.5
            probes = ((x - SIDE * 0.7, y), (x + SIDE * 0.7, y), (x, y - SIDE * 0.7), (x, y + SIDE * 0.7))
            if all(holds(shape, spot) for spot in probes):
                points.append((x, y))
    return points


def countries(field: PointMap, sheet: PointMapSheet, crowd: Crowd) -> list[Element]:
    """Names of countries and landscapes, wide and faint, in the middle of their area. Other names avoid them."""
    parts = []
    for line in field.lines.values():
        if line.kind != "region":
            continue
        points = line_on_sheet(line, sheet)
        xs, ys = [x for x, _ in points], [y for _, y in points]
        x, y, room = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2, max(xs) - min(xs)
        word = line.name.upper()
        text_width = width(word, NAME, "bold")
        spread = max(0.1 * NAME, min(0.5 * NAME, (room - text_width) / max(1, len(word))))
        crowd.add(Box.around(x, y, (text_width + spread * len(word)) / 2, NAME * 0.5), 30)
        parts.append(
            text(
                word,
                x + spread / 2,
                y + NAME * CAPITAL / 2,
                NAME,
                "bold",
                "middle",
                fill=EDGE,
                fill_opacity=0.28,
                letter_spacing=spread,
            )
        )
    return parts
