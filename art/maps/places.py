"""Places on a hex map: their icons, their names, objectives and entry hexes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from art import svg
from art.geometry import Paper, Point, smooth_road, space_points
from art.maps.icons import ICONS, RED, star
from art.maps.labels import Box, Crowd, Label
from art.maps.linework import courses, hexside_courses, manner, path_manner, sides_by_kind
from art.maps.roads import bridge_sides, road_courses
from art.maps.textures import texture_of
from art.svg import Element
from art.text import Weight, centred_text
from scenarios.model.boards import Place, ZoneShape
from scenarios.model.game import Game
from scenarios.model.hexes import Hex
from scenarios.model.maps import HexMap

SHOWN_BY_TEXTURE: Mapping[str, tuple[str, ...]] = {
    "buildings": ("city", "fortified_city", "capital", "town", "village"),
    "fort": ("fort", "fortification"),
    "runway": ("airbase", "airfield"),
    "anchor": ("port",),
}
WATERS = ("lake", "sea", "gulf", "bay")
HEIGHTS = ("mountain", "peak", "hill", "hills", "pass")
SIZES: Mapping[str, float] = {
    "capital": 0.4, "city": 0.38, "fortified_city": 0.38, "town": 0.3, "sea": 0.6, "lake": 0.34, "gulf": 0.4,
}  # fmt: skip
STARS = (("#e0a92e", "#5f3d00"), ("#c8553d", "#4a1508"), ("#5b8fb9", "#12324a"), ("#8a9a4b", "#2f3a0e"))
"""The fill and edge colors of the stars of each kind of objective."""


class IconPlace(NamedTuple):
    """A place on paper, with the position of its icon, even if no icon is drawn."""

    place: Place
    x: float
    y: float
    radius: float
    icon: str


def spots(game: Game, table: HexMap, paper: Paper) -> list[IconPlace]:
    """The positions of a map's places. An icon moves aside for roads and for earlier icons."""
    ways = _ways(table, paper)
    used: dict[Hex, list[Point]] = {}
    result = []
    for place in sorted(table.places.values(), key=lambda p: (_rank(p.kind), p.id)):
        if not place.hexes:
            continue
        points = [paper.centre(hex) for hex in place.hexes]
        x, y = sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)
        if len(place.hexes) > 2:
            x, y = min(points, key=lambda p: (math.dist(p, (x, y)), p))
        hex = min(place.hexes, key=lambda place_hex: (math.dist(paper.centre(place_hex), (x, y)), place_hex))
        icon = _icon(game, table, place, hex)
        radius = paper.side * (0.2 if icon else 0.16)
        if place.kind in ("city", "fortified_city", "town", "village", "fortification") and not icon:
            radius = paper.side * 0.5
        if icon and len(place.hexes) == 1:
            x, y = _icon_position(x, y, paper.side, icon, ways.get(hex, ()), used.get(hex, []))
        used.setdefault(hex, []).append((x, y))
        result.append(IconPlace(place, x, y, radius, icon))
    return result


def _rank(kind: str) -> int:
    order = ("capital", "city", "fortified_city", "town", "fort", "fortification", "village", "kibbutz", "pass", "site")
    return order.index(kind) if kind in order else len(order)


def _icon(game: Game, table: HexMap, place: Place, hex: Hex) -> str:
    """The icon of a place. Empty if the texture of its hex already shows it."""
    if place.kind not in ICONS or place.kind == "bridge" or len(place.hexes) > 5:
        return ""
    terrain = table.terrain[hex]
    texture = texture_of(terrain, game.terrain[terrain])
    return "" if place.kind in SHOWN_BY_TEXTURE.get(texture, ()) else place.kind


def _ways(table: HexMap, paper: Paper) -> dict[Hex, tuple[Point, ...]]:
    """The points where roads leave each hex."""
    ways: dict[Hex, tuple[Point, ...]] = {}
    for side in sorted(table.path_sides):
        (ax, ay), (bx, by) = paper.centre(side.a), paper.centre(side.b)
        middle = (ax + bx) / 2, (ay + by) / 2
        for hex in side:
            ways[hex] = (*ways.get(hex, ()), middle)
    return ways


def _icon_position(x: float, y: float, side: float, icon: str, ways: Sequence[Point], used: Sequence[Point]) -> Point:
    """The position of an icon in a hex: the center if a road leads to the place, else clear of the roads."""
    slots = [(0.0, 0.0), (0.42, 0.24), (-0.42, 0.24), (0.42, -0.2), (-0.42, -0.2), (0.0, 0.45)]
    central = icon in ("site", "place", "town", "city", "junction", "crossroads", "base", "pass", "well", "village")

    def dislike(slot: tuple[float, float]) -> float:
        px, py = x + slot[0] * side, y + slot[1] * side
        cost = 0.1 * slots.index(slot)
        cost += sum(20 for icon_point in used if math.dist(icon_point, (px, py)) < side * 0.42)
        if not central:
            road_gap = min((_gap((px, py), (x, y), way) for way in ways), default=side)
            cost += 5 * max(0.0, 0.3 * side - road_gap) / side
        return cost

    best = min(slots, key=dislike)
    return x + best[0] * side, y + best[1] * side


def _gap(point: Point, a: Point, b: Point) -> float:
    """The distance of a point from a line segment."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    t = max(0.0, min(1.0, ((point[0] - a[0]) * dx + (point[1] - a[1]) * dy) / (dx * dx + dy * dy)))
    return math.dist(point, (a[0] + t * dx, a[1] + t * dy))


def place_icons(place_spots: Iterable[IconPlace]) -> list[Element]:
    """The icons of places."""
    return [part for spot in place_spots if spot.icon for part in ICONS[spot.icon](spot.x, spot.y, spot.radius)]


def place_labels_of(place_spots: Sequence[IconPlace], side: float) -> list[Label]:
    """The names of places. A harbor or airfield in the hex of a town has no name of its own."""
    by_hex: dict[Hex, list[str]] = {}
    for spot in place_spots:
        by_hex.setdefault(spot.place.hexes[0], []).append(spot.place.name)
    labels = []
    for spot in place_spots:
        place = spot.place
        names = by_hex[place.hexes[0]]
        if any(name != place.name and place.name.startswith(f"{name} ") for name in names):
            continue
        kind = place.kind
        weight: Weight = "bold" if kind in ("city", "capital", "fortified_city") else "semibold"
        color = "#1d1710"
        if kind in WATERS:
            weight, color = "italic", "#1f5a7a"
        elif kind in HEIGHTS:
            weight, color = "italic", "#4f2f12"
        size = max(1.7, SIZES.get(kind, 0.26) * side)
        reach = 0.0 if kind in WATERS or (kind in HEIGHTS and not spot.icon) else spot.radius + 0.1 * side
        labels.append(Label(place.name, (spot.x, spot.y), size, weight, max(reach, 0.05 * side), color))
    return labels


def objectives(table: HexMap) -> list[tuple[ZoneShape, tuple[str, str], list[Hex]]]:
    """Zones of objectives, with the colors of their stars. A hex has one star, that of its first zone."""
    star_hexes: set[Hex] = set()
    result: list[tuple[ZoneShape, tuple[str, str], list[Hex]]] = []
    for zone_id, zone in _zones(table).items():
        if zone.kind in ("objective", "victory"):
            hexes = sorted(table.zones[zone_id] - star_hexes)
            if hexes:
                result.append((zone, STARS[len(result) % len(STARS)], hexes))
                star_hexes.update(hexes)
    return result


def _zones(table: HexMap) -> Mapping[str, ZoneShape]:
    return {key: zone for placement in table.placed for key, zone in placement.board.shape.zones.items()}


def star_at(paper: Paper, hex: Hex) -> Point:
    """The position of a hex's star."""
    x, y = paper.centre(hex)
    right, up_share = (0.6, 0.45) if paper.orientation == "flat" else (0.58, 0.36)
    return x + right * paper.side, y - up_share * paper.side


def badges(table: HexMap, paper: Paper) -> tuple[list[Element], list[tuple[Box, float]]]:
    """Stars of objectives and letters of entry hexes, with the boxes that they fill."""
    parts: list[Element] = []
    boxes = []
    for _, (fill, edge), hexes in objectives(table):
        for hex in hexes:
            x, y = star_at(paper, hex)
            parts += star(x, y, paper.side * 0.2, fill, edge)
            boxes.append((Box.around(x, y, paper.side * 0.2, paper.side * 0.2), 60.0))
    for zone_id, zone in _zones(table).items():
        letter = zone.name.split()[-1]
        if zone.kind == "entry" and len(letter) == 1:
            for hex in sorted(table.zones[zone_id]):
                x, y = paper.centre(hex)
                r = paper.side * 0.32
                parts += [
                    svg.circle(x, y, r, fill=RED, stroke="#fbf6e6", stroke_width=r * 0.16),
                    centred_text(letter, x, y, r * 1.25, "bold", fill="#ffffff"),
                ]
                boxes.append((Box.around(x, y, r, r), 60.0))
    return parts, boxes


WEIGHTS = {"road": 2.0, "track": 1.2, "bar": 2.0, "canal": 3.0, "river": 1.5, "border": 0.6, "wadi": 0.8}
"""The weight of each kind of line as an obstacle for names."""


def drawn_lines(game: Game, table: HexMap, paper: Paper) -> Iterator[tuple[str, list[Point]]]:
    """Every drawn line through hexes and along hexsides, with its drawing style."""
    for course in road_courses(game, table, paper):
        yield path_manner(course.kind, game.paths[course.kind]), smooth_road(*course[1:])
    for kind, line in hexside_courses(game, table, paper):
        yield manner(kind, game.hexsides[kind], "bar"), line


def line_boxes(game: Game, table: HexMap, paper: Paper) -> list[tuple[Box, float]]:
    """Small boxes along roads and hexsides, as obstacles for names."""
    r = paper.side * 0.13
    lines = list(drawn_lines(game, table, paper))
    for kind, sides in sides_by_kind(table).items():
        if manner(kind, game.hexsides[kind], "bar") == "bar":
            lines += [("bar", course) for course in courses(sides, paper)]
    return [
        (Box.around(x, y, r, r), WEIGHTS.get(line_manner, 1.0))
        for line_manner, line in lines
        for x, y in space_points(line, paper.side * 0.35)
    ]


def crowd_for(game: Game, table: HexMap, paper: Paper, place_spots: Sequence[IconPlace], ids: Iterable[Box]) -> Crowd:
    """Everything that names should avoid."""
    crowd = Crowd()
    for box, weight in [*line_boxes(game, table, paper), *badges(table, paper)[1]]:
        crowd.add(box, weight)
    for side in bridge_sides(game, table):
        (ax, ay), (bx, by) = paper.centre(side.a), paper.centre(side.b)
        crowd.add(Box.around((ax + bx) / 2, (ay + by) / 2, paper.side * 0.3, paper.side * 0.3), 4.0)
    for box in ids:
        crowd.add(box, 2.5)
    for spot in place_spots:
        if spot.icon:
            crowd.add(Box.around(spot.x, spot.y, spot.radius, spot.radius), 60)
        elif spot.radius > paper.side * 0.4:
            crowd.add(Box.around(spot.x, spot.y, spot.radius * 0.9, spot.radius * 0.8), 0.8)
    return crowd
