"""Names of countries, seas, rivers and roads: widely spaced and light, or along their course."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from art.geometry import Paper, Point, space_points
from art.maps.course_labels import labels_along, water_text
from art.maps.labels import LEADING, NAME, Box, Crowd, line_breaks, room
from art.maps.linework import hexside_courses, loose_courses, manner
from art.maps.water import drawn_lines
from art.svg import Element
from art.text import CAPITAL, Weight, text, width
from scenarios.model.game import Game
from scenarios.model.hexes import Hex
from scenarios.model.maps import HexMap

SPREAD = 0.42
"""The space between letters, in font sizes."""
MAX_DISTANCE = 15
"""The number of hexes after which the name of a road is repeated."""
LOOKS: Mapping[str, tuple[str, float, Weight]] = {
    "country": ("#6b543a", 0.5, "semibold"),
    "region": ("#6b543a", 0.42, "italic"),
    "sea": ("#2a6c8f", 0.75, "italic"),
}


def region_names(table: HexMap, paper: Paper, crowd: Crowd, area: Box) -> list[Element]:
    """Names of zones that are countries, regions or seas, at the largest size that is clear of other names."""
    zones = {key: zone for placement in table.placed for key, zone in placement.board.shape.zones.items()}
    large_zones = [(key, zone) for key, zone in zones.items() if zone.kind in LOOKS and len(zone.hexes) >= 8]
    parts = []
    for key, zone in sorted(
        large_zones,
        key=lambda key_and_zone: (key_and_zone[1].kind != "sea", len(key_and_zone[1].hexes), key_and_zone[0]),
    ):
        words = re.split(r" (?:west|east|north|south) of | beyond ", zone.name)[0].upper()
        color, opacity, weight = LOOKS[zone.kind]
        size_and_point = _fit_label(words, weight, table.zones[key], paper, crowd, area)
        if size_and_point is not None:
            size, x, y = size_and_point
            parts.append(
                text(
                    words,
                    x + size * SPREAD / 2,
                    y + size * CAPITAL / 2,
                    size,
                    weight,
                    "middle",
                    fill=color,
                    fill_opacity=opacity,
                    letter_spacing=size * SPREAD,
                )
            )
    return parts


def spread_width(words: str, size: float, weight: Weight) -> float:
    """The width of a widely spaced name."""
    return width(words, size, weight) + (len(words) - 1) * size * SPREAD


def _fit_label(
    words: str, weight: Weight, hexes: frozenset[Hex], paper: Paper, crowd: Crowd, area: Box
) -> tuple[float, float, float] | None:
    """The largest size, and the position, at which a name fits inside its zone."""
    ordered_hexes = sorted(hexes)
    step = max(1, len(ordered_hexes) // 160)
    points = [paper.centre(hex) for hex in ordered_hexes]
    middle = sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)
    candidates = sorted(points[::step], key=lambda p: (math.dist(p, middle), p))
    for scale in (1.5, 1.15, 0.85, 0.62, 0.46, 0.36):
        size = scale * paper.side
        half_width = spread_width(words, size, weight) / 2
        if 2 * half_width > area.right - area.left:
            continue
        best: tuple[float, Point, Box] | None = None
        for x, y in candidates:
            box = Box.around(x, y, half_width, size * 0.5)
            if not _within(box, hexes, paper, area):
                continue
            cost = crowd.cost(box) / scale + math.dist((x, y), middle) * 0.05
            if best is None or cost < best[0]:
                best = cost, (x, y), box
        if best is not None and best[0] < 200:
            crowd.add(best[2], NAME)
            return size, *best[1]
    return None


def _within(box: Box, hexes: frozenset[Hex], paper: Paper, area: Box) -> bool:
    if box.left < area.left or box.right > area.right or box.top < area.top or box.bottom > area.bottom:
        return False
    count = max(2, math.ceil((box.right - box.left) / paper.side))
    xs = [box.left + (box.right - box.left) * i / count for i in range(count + 1)]
    return all(paper.hex_at(x, y) in hexes for x in xs for y in (box.top, box.bottom))


def water_names(game: Game, table: HexMap, paper: Paper, crowd: Crowd, area: Box) -> list[Element]:
    """Names of rivers, canals and wadis along their course, and of lakes by their shore lines."""
    parts: list[Element] = []
    done: set[str] = {place.name for place in table.places.values()}
    by_manner: dict[str, list[list[Point]]] = {}
    for kind, course in hexside_courses(game, table, paper):
        by_manner.setdefault(manner(kind, game.hexsides[kind], "bar"), []).append(course)
    loose = {line.name: points for line, points in loose_courses(table, paper)}
    for line, points in drawn_lines(table, paper):
        if not line.name or line.name in done:
            continue
        if line.kind in ("river", "canal", "wadi"):
            done.add(line.name)
            points = loose.get(line.name, points)
            course_lines = by_manner.get(line.kind) or [points]
            parts += labels_along(line.name, line.kind, points, course_lines, paper.side, crowd, area)
        elif line.kind == "shore" and line.closed:
            done.add(line.name)
            parts += _on_lake(line.name, points, paper.side, crowd, area)
    return parts


def road_names(table: HexMap, paper: Paper, crowd: Crowd, area: Box) -> list[Element]:
    """Names of roads that rules mention, which are zones of that kind. A name runs along its road and is repeated on a long one."""
    zones = {
        zone.name for placement in table.placed for zone in placement.board.shape.zones.values() if zone.kind == "road"
    }
    parts: list[Element] = []
    for path in table.paths:
        if path.name not in zones:
            continue
        course = space_points([paper.centre(hex) for hex in path.hexes], paper.side * 0.4)
        times = max(1, round(len(path.hexes) / MAX_DISTANCE))
        for i in range(times):
            stretch = path.hexes[i * len(path.hexes) // times : (i + 1) * len(path.hexes) // times]
            parts += labels_along(
                path.name, "road", [paper.centre(hex) for hex in stretch], [course], paper.side, crowd, area
            )
    return parts


def _on_lake(words: str, shore: Sequence[Point], side: float, crowd: Crowd, area: Box) -> list[Element]:
    """The name of a lake in its middle if it fits, in one line or two. Otherwise it is beside the lake."""
    size = 0.3 * side
    options = [(cost, lines, point) for lines in line_breaks(words) for cost, point in _in_lake(lines, shore, size)]
    options += [(4 + 0.2 * i, (words,), point) for i, point in enumerate(_by_lake(words, shore, size))]
    best = min(options, key=lambda option: option[0] + _hidden_cost(option[1], option[2], size, crowd, area))
    _, rows, (x, y) = best
    crowd.add(_name_box(rows, (x, y), size), NAME)
    top = y - size * LEADING * (len(rows) - 1) / 2
    return [water_text(row, x, top + size * (CAPITAL / 2 + LEADING * i), size) for i, row in enumerate(rows)]


def _name_box(rows: Sequence[str], point: Point, size: float) -> Box:
    name_width, height = room(rows, size, "italic")
    return Box.around(*point, name_width / 2, height / 2)


def _hidden_cost(rows: Sequence[str], point: Point, size: float, crowd: Crowd, area: Box) -> float:
    """The cost of a name: how much it hides, and whether it leaves the map."""
    box = _name_box(rows, point, size)
    return crowd.cost(box.grow(size * 0.25)) + (0 if area.left < box.left and box.right < area.right else NAME)


def _in_lake(rows: Sequence[str], shore: Sequence[Point], size: float) -> list[tuple[float, Point]]:
    """Positions for a name inside a lake, with a penalty that grows with the distance from the middle."""
    name_width, height = room(rows, size, "italic")
    ys = [p[1] for p in shore]
    middle, result = (min(ys) + max(ys)) / 2, []
    for i in range(1, 24):
        y = min(ys) + (max(ys) - min(ys)) * i / 24
        spans = [_span(shore, y + k * height / 2) for k in (-1, 0, 1)]
        left, right = max(span[0] for span in spans), min(span[1] for span in spans)
        if right - left >= name_width + size * 0.3:
            result.append((abs(y - middle) * 0.2 + 0.5 * (len(rows) - 1), ((left + right) / 2, y)))
    return result


def _span(shore: Sequence[Point], y: float) -> tuple[float, float]:
    """The widest stretch of water at a height, from shore to shore. Empty if there is none."""
    crossings = sorted(
        a[0] + (y - a[1]) * (b[0] - a[0]) / (b[1] - a[1])
        for a, b in pairwise([*shore, shore[0]])
        if (a[1] > y) != (b[1] > y)
    )
    return max(
        zip(crossings[::2], crossings[1::2], strict=True), key=lambda span: span[1] - span[0], default=(0.0, -1e6)
    )


def _by_lake(words: str, shore: Sequence[Point], size: float) -> list[Point]:
    """Positions around a lake, the nearest first, and the lake itself last."""
    xs, ys = [p[0] for p in shore], [p[1] for p in shore]
    middle, centre = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    half_width = width(words, size, "italic") / 2
    level = [
        (x + way * (half_width + size * distance), centre + dy * size)
        for distance in (0.4, 1.6, 2.8)
        for dy in (0, 1.2, -1.2, 2.4, -2.4)
        for x, way in ((max(xs), 1), (min(xs), -1))
    ]
    upright = [
        (middle + dx * half_width, y + way * size * distance)
        for distance in (1, 2)
        for dx in (0, 0.5, -0.5)
        for y, way in ((max(ys), 1), (min(ys), -1))
    ]
    return [*sorted(level + upright, key=lambda p: _gap(p, half_width, size, xs, ys)), (middle, centre)]


def _gap(point: Point, half_width: float, size: float, xs: Sequence[float], ys: Sequence[float]) -> float:
    """The distance of a name from the box around a lake."""
    dx = max(min(xs) - point[0] - half_width, point[0] - half_width - max(xs), 0.0)
    dy = max(min(ys) - point[1] - size / 2, point[1] - size / 2 - max(ys), 0.0)
    return round(math.hypot(dx, dy) / size, 1)
