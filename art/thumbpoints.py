"""A point map in small: coasts and borders, routes, points; nothing is named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from art import svg
from art.geometry import Point, path_of
from art.svg import Element
from scenarios.game import Game
from scenarios.points import PointMap

LINES = {"coast": ("#4d7ea8", 0.35), "shore": ("#4d7ea8", 0.3), "canal": ("#2f6f9f", 0.6), "river": ("#4d7ea8", 0.3)}
GROUND, LAKE, BORDER = "#f3ead2", "#bcd9ea", "#8a6f9a"

TALLEST = 1.2
"""How high a small map is at most, by its width."""


@dataclass(frozen=True)
class Frame:
    """How a point map's sheet is laid on paper."""

    left: float
    top: float
    scale: float
    width: float
    height: float

    @classmethod
    def of(cls, table: PointMap, wide: float) -> Frame:
        """All points and frames, that many millimetres wide."""
        spots = [(float(p.at[0]), float(p.at[1])) for p in table.points.values() if p.at]
        spots += [(float(x), float(y)) for line in table.lines.values() if line.kind == "frame" for x, y in line.points]
        left, right = min(p[0] for p in spots), max(p[0] for p in spots)
        top, bottom = min(p[1] for p in spots), max(p[1] for p in spots)
        span = max(right - left, (bottom - top) / TALLEST, 1.0)
        left -= (span - (right - left)) / 2
        scale = (wide - 4) / span
        return cls(left - 2 / scale, top - 2 / scale, scale, wide, (bottom - top) * scale + 4)

    def at(self, place: Sequence[Fraction]) -> Point:
        """A place of the sheet on paper."""
        return (float(place[0]) - self.left) * self.scale, (float(place[1]) - self.top) * self.scale


def point_ground(game: Game, table: PointMap, frame: Frame) -> list[Element]:
    """Sheets, coasts and borders, then routes, then points in the colours of their terrain."""
    frames, lines = [], []
    for line in table.lines.values():
        data = path_of([frame.at(point) for point in line.points], closed=line.closed)
        if line.kind == "frame":
            frames.append(svg.path(data, fill=GROUND, stroke="#8d8468", stroke_width=0.25))
            continue
        color, wide = LINES.get(line.kind, (BORDER, 0.25))
        dash = "1 0.6" if line.kind not in LINES else None
        fill = LAKE if line.closed and line.kind in ("shore", "coast") else "none"
        lines.append(svg.path(data, fill=fill, stroke=color, stroke_width=wide, stroke_dasharray=dash))
    routes = []
    for route in table.routes:
        a, b = table.points[route.a], table.points[route.b]
        if a.at and b.at:
            color = game.routes[route.kind].color if route.kind in game.routes else "#777777"
            routes.append(
                svg.path(path_of([frame.at(a.at), frame.at(b.at)]), stroke=color, stroke_width=0.3, fill="none")
            )
    dots = []
    for point in table.points.values():
        if point.at:
            x, y = frame.at(point.at)
            fill = game.terrain[point.terrain].color if point.terrain in game.terrain else "#ffffff"
            dots.append(svg.circle(x, y, 0.75, fill=fill, stroke="#4a4436", stroke_width=0.2))
    return [*frames, *lines, *routes, *dots]
