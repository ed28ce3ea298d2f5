"""A small point map: its terrain, routes and points, and the names that fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from art import svg
from art.geometry import Point, path_of
from art.images import SMALL_SIDE
from art.maps.labels import NAME, Box, Crowd, Label, draw_with_halo, place_labels
from art.maps.point_layout import CM, point_sheet
from art.maps.pointmap import map_picture, theater_ground
from art.sheets.furniture import EDGE
from art.svg import Element
from scenarios.model.game import Game
from scenarios.model.points import PointMap, PointShape

TAKEN_WIDTH = 1.7
"""Half the size of a disc's box."""
BIG, SMALL = 1.65, 1.4
"""The font sizes of names."""
TALLEST = 1.2
"""The maximum ratio of a small map's height to its width."""


@dataclass(frozen=True)
class ThumbFrame:
    """The placement of a point map's sheet on paper."""

    left: float
    top: float
    scale: float
    width: float
    height: float

    @classmethod
    def for_map(cls, table: PointMap, width: float) -> ThumbFrame:
        """A frame for all points and theaters, `width` millimeters wide."""
        spots = [(float(p.at[0]), float(p.at[1])) for p in table.points.values() if p.at]
        spots += [(float(x), float(y)) for line in table.lines.values() if line.kind == "frame" for x, y in line.points]
        left, right = min(p[0] for p in spots), max(p[0] for p in spots)
        top, bottom = min(p[1] for p in spots), max(p[1] for p in spots)
        span = max(right - left, (bottom - top) / TALLEST, 1.0)
        left -= (span - (right - left)) / 2
        scale = (width - 4) / span
        return cls(left - 2 / scale, top - 2 / scale, scale, width, (bottom - top) * scale + 4)

    def point_at(self, place: Sequence[Fraction]) -> Point:
        """The position on paper of a place of the sheet."""
        return (float(place[0]) - self.left) * self.scale, (float(place[1]) - self.top) * self.scale


def point_ground(game: Game, table: PointMap, frame: ThumbFrame) -> list[Element]:
    """The terrain of each theater inside its frame, then routes, then points in the colors of their terrain."""
    sheet = point_sheet(table)
    small = frame.scale / CM
    x, y = -(sheet.shift[0] / CM + frame.left) * frame.scale, -(sheet.shift[1] / CM + frame.top) * frame.scale
    grounds = [part for theater in sheet.frames for part in theater_ground(game, table, sheet, theater, detail=False)]
    if table.image is not None:
        return [svg.translate(svg.group(map_picture(game, table, table.image, sheet, SMALL_SIDE)), x, y, small)]
    edges = [
        svg.rect(
            box.left,
            box.top,
            box.right - box.left,
            box.bottom - box.top,
            fill="none",
            stroke=EDGE,
            stroke_width=0.25 / small,
        )
        for box in (theater.box for theater in sheet.frames)
    ]
    if table.image is not None:
        return [svg.translate(svg.group([*grounds, *edges]), x, y, small)]
    routes = []
    for route in table.routes:
        a, b = table.points[route.a], table.points[route.b]
        if a.at and b.at:
            color = game.routes[route.kind].color if route.kind in game.routes else "#777777"
            routes.append(
                svg.path(
                    path_of([frame.point_at(a.at), frame.point_at(b.at)]), stroke=color, stroke_width=0.3, fill="none"
                )
            )
    dots = []
    for point in table.points.values():
        if point.at:
            x_, y_ = frame.point_at(point.at)
            fill = game.terrain[point.terrain].color if point.terrain in game.terrain else "#ffffff"
            dots.append(svg.circle(x_, y_, 0.75, fill=fill, stroke="#4a4436", stroke_width=0.2))
    return [svg.translate(svg.group([*grounds, *edges]), x, y, small), *routes, *dots]


def point_names(table: PointMap, frame: ThumbFrame, discs: Sequence[Point]) -> list[Element]:
    """The names of points that fit clear of discs, routes and each other. Towns and objectives come first."""
    if table.image is not None:
        return []
    crowd = Crowd(6)
    area = Box(0.4, 0.4, frame.width - 0.4, frame.height - 0.4)
    obstacles = [Box.around(x, y, TAKEN_WIDTH, TAKEN_WIDTH) for x, y in discs]
    obstacles += [
        Box.around(*frame.point_at(point.at), TAKEN_WIDTH, TAKEN_WIDTH) for point in table.points.values() if point.at
    ]
    for box in obstacles:
        crowd.add(box, NAME)
    parts: list[Element] = []
    shown_points = [point for point in table.points.values() if point.at]
    for point in sorted(shown_points, key=lambda point: (-_rank(point), point.name)):
        size = BIG if _rank(point) else SMALL
        label = Label(
            point.name, frame.point_at(point.at), size, "bold" if _rank(point) else "semibold", TAKEN_WIDTH + 0.15
        )
        (placed_label,) = place_labels([label], crowd, area)
        inside = placed_label.box.left >= area.left and placed_label.box.right <= area.right
        if placed_label.size == size and inside and not any(placed_label.box.overlap(box) for box in obstacles):
            obstacles.append(placed_label.box)
            parts += draw_with_halo(placed_label)
    return parts


def _rank(point: PointShape) -> int:
    """1 for a point that players look for, else 0."""
    return int(bool({"city", "town", "objective", "reserve_area"} & {point.terrain, *point.kinds}))
