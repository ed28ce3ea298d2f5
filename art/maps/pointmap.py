"""Point maps as vector art: theaters as framed sheets, water and borders, routes by kind, points with their names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from art import svg
from art.color import darker, lighter, mix
from art.geometry import Point, cut_corners, flowing, path_of
from art.images import MOST_SIDE, PictureBox, pinned_box, stretch_image
from art.maps.course_labels import COLORS
from art.maps.ground import SEA, paint_water
from art.maps.icons import ICONS, INK, NAMES
from art.maps.labels import NAME, Box, Crowd, PlacedLabel, draw_with_halo
from art.maps.linework import FLAT, ROUND, stroke
from art.maps.point_labels import parting_lines, parting_names, placed_names, water_names
from art.maps.point_layout import (
    RADIUS,
    RESERVE,
    SIGN,
    SIGNS,
    PointMapSheet,
    SheetFrame,
    line_on_sheet,
    point_sheet,
    rim,
    signs,
)
from art.maps.relief import countries, lands
from art.maps.textures import draw_texture, texture_of
from art.maps.water import SHORES, water_kinds
from art.sheets.furniture import EDGE, PAPER, compass
from art.sheets.legend import LegendEntry
from art.sheets.tracks import owner_color
from art.svg import Element
from art.text import CAPITAL, lines, text, width
from scenarios.model.boards import LineShape
from scenarios.model.game import Game
from scenarios.model.images import MapImage
from scenarios.model.points import PointMap, PointShape

FINE = 20
"""The number of points above which a shore needs less rounding."""
PARTING = COLORS["line"]
LINE_COLORS = {"river": "#5b94b4", "canal": "#3d7ea6", "border": "#a0766a", "purple_line": "#7d5a94"}


def points_group(game: Game, field: PointMap, obstacles: Sequence[Box] = ()) -> Element:
    """The layers of a point map. Names avoid the obstacles."""
    sheet = point_sheet(field)
    labels, crowd = placed_names(game, field, sheet)
    for box in obstacles:
        crowd.add(box.grow(2), NAME)
    if field.image is not None:
        return svg.group(_draw_own_picture(game, field, field.image, sheet, labels))
    parts: list[Element] = []
    for frame in sheet.frames:
        parts += theater_ground(game, field, sheet, frame)
    plaques = [part for frame in sheet.frames for part in _plaque(frame, crowd)]
    parts += [svg.group(countries(field, sheet, crowd)), svg.group(_parting(field, sheet))]
    parts += [svg.group(_routes(game, field, sheet)), svg.group(parting_names(field, sheet, crowd))]
    parts += [svg.group(water_names(field, sheet, crowd)), svg.group(plaques)]
    for key, spot in sheet.points.items():
        parts += _point(game, field.points[key], key, spot)
    parts += [part for label in labels for part in draw_with_halo(label)]
    for frame in sheet.frames:
        box = frame.box
        parts.append(compass(box.right - 26, box.bottom - 30, 18, field.north))
        parts += _double(box)
    return svg.group(parts)


def _draw_own_picture(
    game: Game, field: PointMap, image: MapImage, sheet: PointMapSheet, labels: Sequence[PlacedLabel]
) -> list[Element]:
    """A map's own picture, cut at the edge of its sheet, with the layers that are printed over it."""
    parts = map_picture(game, field, image, sheet)
    if "lines" in image.with_:
        parts.append(svg.group(_routes(game, field, sheet)))
    if "points" in image.with_:
        parts += [part for key, spot in sheet.points.items() for part in _point(game, field.points[key], key, spot)]
    if "names" in image.with_:
        parts += [part for label in labels for part in draw_with_halo(label)]
    return parts


def map_picture(
    game: Game, field: PointMap, image: MapImage, sheet: PointMapSheet, max_side: int = MOST_SIDE
) -> list[Element]:
    """A map's own picture, aligned by the points that it names."""
    spots = [((float(dot[0]), float(dot[1])), sheet.points[key]) for key, dot in image.points.items()]
    box = pinned_box(game.folder, image, spots) if spots else _frame_box(field, sheet)
    clip = svg.element("clipPath", [svg.rect(0, 0, sheet.width, sheet.height)], id=f"picture-{field.id}")
    return [
        svg.element("defs", [clip]),
        svg.group(stretch_image(game.folder, image, box, max_side), clip_path=f"url(#picture-{field.id})"),
    ]


def _frame_box(field: PointMap, sheet: PointMapSheet) -> PictureBox:
    """The box of a picture without alignment points: over the frames of the map, or over the whole sheet if it has none."""
    if not any(line.kind == "frame" for line in field.lines.values()):
        return PictureBox(0, 0, sheet.width, sheet.height)
    boxes = [frame.box for frame in sheet.frames]
    left, top = min(box.left for box in boxes), min(box.top for box in boxes)
    return PictureBox(left, top, max(box.right for box in boxes) - left, max(box.bottom for box in boxes) - top)


def _double(box: Box) -> list[Element]:
    width, height = box.right - box.left, box.bottom - box.top
    return [
        svg.rect(box.left - 2.4, box.top - 2.4, width + 4.8, height + 4.8, fill="none", stroke=EDGE, stroke_width=1.2),
        svg.rect(box.left, box.top, width, height, fill="none", stroke=EDGE, stroke_width=0.4),
    ]


def theater_ground(
    game: Game, field: PointMap, sheet: PointMapSheet, frame: SheetFrame, detail: bool = True
) -> list[Element]:
    """The terrain of one theater: land, water, rivers, borders. Without `detail` there is no texture."""
    box = frame.box
    if field.image is not None:
        return _draw_own_picture(game, field, field.image, sheet, ()) if frame is sheet.frames[0] else []
    plain_color = next(iter(game.terrain.values())).color
    width, height = box.right - box.left, box.bottom - box.top
    key = f"theater-{field.id}-{sheet.frames.index(frame)}"
    clip = svg.element("clipPath", [svg.rect(box.left, box.top, width, height)], id=key)
    land = svg.rect(box.left, box.top, width, height, fill=lighter(plain_color, 0.12))
    grounds: list[Element] = [land, *lands(field, sheet, box, detail)]
    shapes = [
        _outward(cut_corners(line_on_sheet(line, sheet), True, 1 if len(line.points) > FINE else 2), box)
        for line in field.lines.values()
        if line.kind in SHORES and line.closed and _touches(line_on_sheet(line, sheet), box)
    ]
    water = next((game.terrain[kind].color for kind in game.terrain if kind in water_kinds(game)), SEA)
    visible_lines = [
        line for line in field.lines.values() if line.kind in LINE_COLORS and _touches(line_on_sheet(line, sheet), box)
    ]
    grounds += [
        part for line in visible_lines if line.kind == "river" for part in _line(line, sheet)
    ]  # rivers end at the shore
    grounds += paint_water(shapes, water, RADIUS, f"{key}-water")
    grounds += [part for line in visible_lines if line.kind != "river" for part in _line(line, sheet)]
    return [svg.element("defs", [clip]), svg.group(grounds, clip_path=f"url(#{key})")]


def _line(line: LineShape, sheet: PointMapSheet) -> list[Element]:
    line_manner = line.kind if line.kind in ("river", "canal", "border") else "border"
    points = line_on_sheet(line, sheet)
    course = flowing(points) if line.kind == "river" else cut_corners(points, line.closed)
    line_width = RADIUS * (2 if line.kind == "purple_line" else 1.2)
    return stroke(path_of(course, line.closed), LINE_COLORS[line.kind], line_manner, line_width)


def _plaque(frame: SheetFrame, crowd: Crowd) -> list[Element]:
    """A theater's name on a plaque in the corner with the most room."""
    box, size = frame.box, 11.0
    word = frame.name.upper()
    half_width, tall = width(word, size, "black") / 2 + size * 0.15 * len(word) + 6, size * 0.8
    corners = [
        (x, y)
        for y in (box.bottom - 8 - tall, box.top + 8 + tall)
        for x in (box.left + 8 + half_width, box.right - 8 - half_width)
    ]
    x, y = min(corners, key=lambda spot: crowd.cost(Box.around(spot[0], spot[1], half_width, tall)))
    crowd.add(Box.around(x, y, half_width, tall), NAME)
    return [
        svg.rect(x - half_width, y - tall, 2 * half_width, 2 * tall, rx=1.6, fill=PAPER, stroke=EDGE, stroke_width=0.7),
        text(
            word, x + size * 0.15, y + size * CAPITAL / 2, size, "black", "middle", fill=EDGE, letter_spacing=size * 0.3
        ),
    ]


def _outward(shape: list[Point], box: Box) -> list[Point]:
    """Move points that lie on the frame outside it, so that no coast is drawn along the frame."""
    offset, tolerance = 4 * RADIUS, 1.5
    return [
        (
            x - offset if x < box.left + tolerance else x + offset if x > box.right - tolerance else x,
            y - offset if y < box.top + tolerance else y + offset if y > box.bottom - tolerance else y,
        )
        for x, y in shape
    ]


def _touches(points: Iterable[Point], box: Box) -> bool:
    return any(box.left - 1 <= x <= box.right + 1 and box.top - 1 <= y <= box.bottom + 1 for x, y in points)


def _parting(field: PointMap, sheet: PointMapSheet) -> list[Element]:
    """The lines from point to point that separate what a rule distinguishes, as bands below the routes."""
    return [
        svg.path(path_of(course), stroke=color, stroke_width=line_width, stroke_opacity=opacity, **ROUND)
        for course in parting_lines(field, sheet).values()
        for color, line_width, opacity in ((PARTING, RADIUS, 0.22), (PAPER, RADIUS - 1.6, 0.35))
    ]


def _routes(game: Game, field: PointMap, sheet: PointMapSheet) -> list[Element]:
    parts: list[Element] = []
    for kind in reversed(list(game.routes)):
        ends = [
            (sheet.points[r.a], sheet.points[r.b])
            for r in field.routes
            if r.kind == kind and r.a in sheet.points and r.b in sheet.points
        ]
        if ends:
            parts += route_line("".join(path_of(pair) for pair in ends), kind, game.routes[kind].color)
    return parts


def route_line(data: str, kind: str, color: str) -> list[Element]:
    """A route in the style of its kind: a solid road, dashes over water, dots off the map, a colored core across a dividing line."""
    if kind == "reserve":
        return [svg.path(data, stroke=darker(color, 0.2), stroke_width=1.1, stroke_dasharray="0 2.4", **ROUND)]
    if kind == "water":
        return [
            svg.path(data, stroke="#eef6f8", stroke_width=2.6, stroke_opacity=0.9, **ROUND),
            svg.path(data, stroke=darker(color, 0.25), stroke_width=1.3, stroke_dasharray="4 2.4", **FLAT),
        ]
    parts = [
        svg.path(data, stroke=darker(color, 0.45), stroke_width=2.7, **ROUND),
        svg.path(data, stroke=lighter(color, 0.3), stroke_width=1.9, **ROUND),
    ]
    if kind != "road":
        parts.append(svg.path(data, stroke=PAPER, stroke_width=0.7, stroke_dasharray="1.6 1.6", **FLAT))
    return parts


def _point(game: Game, point: PointShape, key: str, spot: Point) -> list[Element]:
    x, y = spot
    kind = game.terrain.get(point.terrain)
    color = kind.color if kind else next(iter(game.terrain.values())).color
    owner = owner_color(game, "", point.side) if point.side else "#ffffff"
    if point.terrain == "reserve_area":
        return _reserve(point, spot, owner_color(game, point.name, point.side))
    parts = [
        svg.circle(x, y, RADIUS + 1.1, fill=darker(owner, 0.12), stroke=darker(owner, 0.55), stroke_width=0.3),
        svg.circle(x, y, RADIUS, fill=color, stroke=darker(color, 0.55), stroke_width=0.35),
    ]
    texture = texture_of(point.terrain, kind) if kind else "none"
    parts += draw_texture(texture, [(key, spot)], color, RADIUS)
    for sign, (sx, sy) in zip(signs(point), rim(spot), strict=False):
        parts += ICONS[sign](sx, sy, SIGN)
    return parts


def _reserve(point: PointShape, spot: Point, color: str) -> list[Element]:
    x, y = spot
    half_width, half_height = RESERVE
    parts = []
    for inset, fill, share, line_width in ((0.0, lighter(color, 0.6), 0.5, 0.7), (1.4, "none", 0.3, 0.3)):
        left, top = x - half_width + inset, y - half_height + inset
        parts.append(
            svg.rect(
                left,
                top,
                2 * (half_width - inset),
                2 * (half_height - inset),
                rx=3 - inset,
                fill=fill,
                stroke=darker(color, share),
                stroke_width=line_width,
            )
        )
    # At the lower edge, because piles of counters rise from the middle.
    rows = lines(point.name, 2 * half_width - 8, 4.6, "bold")
    for i, row in enumerate(reversed(rows)):
        parts.append(
            text(row, x, y + half_height - 4.5 - 5.2 * i, 4.6, "bold", "middle", fill=mix(darker(color, 0.7), INK, 0.5))
        )
    return parts


def point_entries(game: Game, field: PointMap) -> list[LegendEntry]:
    """The legend of a point map: kinds of points, routes and signs. Empty if a picture shows the map."""
    if field.image is not None:
        return []
    used = {point.terrain for point in field.points.values()}
    result = [_disc(game, kind) for kind in game.terrain if kind in used]
    route_kinds = {route.kind for route in field.routes}
    result += [_way(game, kind) for kind in game.routes if kind in route_kinds]
    used_signs = [sign for sign in SIGNS if any(sign in signs(point) for point in field.points.values())]
    return result + [
        LegendEntry("Signs", NAMES[sign], lambda x, y, sign=sign: ICONS[sign](x, y, 2.7))  # type: ignore[misc]
        for sign in used_signs
    ]


def _disc(game: Game, kind: str) -> LegendEntry:
    ground = game.terrain[kind]

    def draw(x: float, y: float) -> list[Element]:
        disc = svg.circle(x, y, 4.8, fill=ground.color, stroke=darker(ground.color, 0.5), stroke_width=0.3)
        return [disc, *draw_texture(texture_of(kind, ground), [(kind, (x, y))], ground.color, 4.8)]

    return LegendEntry("Points", ground.name, draw)


def _way(game: Game, kind: str) -> LegendEntry:
    line = game.routes[kind]
    return LegendEntry(
        "Routes", line.name, lambda x, y: route_line(path_of([(x - 5.5, y), (x + 5.5, y)]), kind, line.color)
    )
