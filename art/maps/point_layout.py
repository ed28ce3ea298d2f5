"""The layout of a point map on paper: its points in the frames of their theaters."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from art.geometry import Point
from art.maps.labels import Box
from scenarios.model.boards import LineShape
from scenarios.model.points import PointMap, PointShape

CM = 10.0
RADIUS = 10.8
"""The radius of a point in millimeters. A counter of 16 mm fits inside."""
SIGN = 3.1
"""The radius of the signs on a point's rim."""
RESERVE = (39.0, 28.0)
"""Half the sides of a reserve area."""
EDGES = 14.0
"""The margin around the theaters."""
SIGNS = ("objective", "airfield", "port", "fort", "pass", "peak", "hills", "bridge")


class SheetFrame(NamedTuple):
    """The sheet of a theater."""

    name: str
    box: Box


class PointMapSheet(NamedTuple):
    """A point map on paper: its size, the frames of its theaters, and the positions of its points."""

    width: float
    height: float
    frames: tuple[SheetFrame, ...]
    points: Mapping[str, Point]
    shift: Point


def point_sheet(field: PointMap) -> PointMapSheet:
    """Lay out a point map. A map without frames gets one around all its points."""
    raw_points = {key: (float(p.at[0]) * CM, float(p.at[1]) * CM) for key, p in field.points.items() if len(p.at) == 2}
    frames = []
    for line in field.lines.values():
        if line.kind == "frame":
            xs, ys = [float(x) * CM for x, _ in line.points], [float(y) * CM for _, y in line.points]
            frames.append(SheetFrame(line.name, Box(min(xs), min(ys), max(xs), max(ys))))
    if not frames:
        room = 4 * RADIUS
        xs, ys = [p[0] for p in raw_points.values()], [p[1] for p in raw_points.values()]
        frames = [SheetFrame(field.title, Box(min(xs) - room, min(ys) - room, max(xs) + room, max(ys) + room))]
    left, top = min(f.box.left for f in frames) - EDGES, min(f.box.top for f in frames) - EDGES
    right, bottom = max(f.box.right for f in frames) + EDGES, max(f.box.bottom for f in frames) + EDGES
    shifted_frames = tuple(
        SheetFrame(f.name, Box(f.box.left - left, f.box.top - top, f.box.right - left, f.box.bottom - top))
        for f in frames
    )
    points = {key: (x - left, y - top) for key, (x, y) in raw_points.items()}
    return PointMapSheet(right - left, bottom - top, shifted_frames, points, (-left, -top))


def line_on_sheet(line: LineShape, sheet: PointMapSheet) -> list[Point]:
    """A line of the pack in millimeters."""
    dx, dy = sheet.shift
    return [(float(x) * CM + dx, float(y) * CM + dy) for x, y in line.points]


def signs(point: PointShape) -> list[str]:
    """The signs on a point's rim, at most three."""
    return [kind for kind in SIGNS if kind in point.kinds][:3]


def rim(spot: Point) -> list[Point]:
    """The positions of a point's signs."""
    distance = RADIUS + 0.6
    return [(spot[0] + distance * math.sin(a), spot[1] - distance * math.cos(a)) for a in (0.75, -0.75, 2.4)]
