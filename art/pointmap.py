"""Point maps as vector art: theaters as framed sheets, water and borders, routes by kind, points with their names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from art import svg
from art.along import COLORS
from art.color import darker, lighter, mix
from art.furniture import EDGE, PAPER, compass
from art.geometry import Point, flowing, path_of, rounded
from art.ground import SEA, paint_water
from art.icons import ICONS, INK, NAMES
from art.images import MOST_SIDE, fixed, stretched
from art.images import Box as PictureBox
from art.labels import NAME, Box, Crowd, PlacedLabel, haloed
from art.legend import Entry
from art.linework import FLAT, ROUND, stroke
from art.pointnames import parting_lines, parting_names, placed_names, water_names
from art.pointsheet import RADIUS, RESERVE, SIGN, SIGNS, Frame, PointSheet, moved, point_sheet, rim, signs
from art.relief import countries, lands
from art.svg import Element
from art.text import CAPITAL, lines, text, width
from art.textures import texture_of, textured
from art.tracks import owner_color
from art.water import SHORES, WATER
from scenarios.boards import LineShape
from scenarios.game import Game
from scenarios.images import MapImage
from scenarios.points import PointMap, PointShape

FINE = 20
"""A shore of more points than this needs less rounding."""
PARTING = COLORS["line"]
LINE_COLORS = {"river": "#5b94b4", "canal": "#3d7ea6", "border": "#a0766a", "purple_line": "#7d5a94"}


def points_group(game: Game, field: PointMap, taken: Sequence[Box] = ()) -> Element:
    """The layers of a point map; further names keep off what is taken."""
    sheet = point_sheet(field)
    placed, crowd = placed_names(field, sheet)
    for box in taken:
        crowd.add(box.grown(2), NAME)
    if field.image is not None:
        return svg.group(_pictured(game, field, field.image, sheet, placed))
    parts: list[Element] = []
    for frame in sheet.frames:
        parts += theater_ground(game, field, sheet, frame)
    plaques = [part for frame in sheet.frames for part in _plaque(frame, crowd)]
    parts += [svg.group(countries(field, sheet, crowd)), svg.group(_parting(field, sheet))]
    parts += [svg.group(_routes(game, field, sheet)), svg.group(parting_names(field, sheet, crowd))]
    parts += [svg.group(water_names(field, sheet, crowd)), svg.group(plaques)]
    for key, spot in sheet.points.items():
        parts += _point(game, field.points[key], key, spot)
    parts += [part for label in placed for part in haloed(label)]
    for frame in sheet.frames:
        box = frame.box
        parts.append(compass(box.right - 26, box.bottom - 30, 18, field.north))
        parts += _double(box)
    return svg.group(parts)


def _pictured(
    game: Game, field: PointMap, image: MapImage, sheet: PointSheet, placed: Sequence[PlacedLabel]
) -> list[Element]:
    """A map's own picture, cut at the edge of its sheet, with what of ours is printed over it."""
    parts = map_picture(game, field, image, sheet)
    if "lines" in image.with_:
        parts.append(svg.group(_routes(game, field, sheet)))
    if "points" in image.with_:
        parts += [part for key, spot in sheet.points.items() for part in _point(game, field.points[key], key, spot)]
    if "names" in image.with_:
        parts += [part for label in placed for part in haloed(label)]
    return parts


def map_picture(
    game: Game, field: PointMap, image: MapImage, sheet: PointSheet, most: int = MOST_SIDE
) -> list[Element]:
    """A map's own picture, where its points say that it lies."""
    spots = [((float(at[0]), float(at[1])), sheet.points[key]) for key, at in image.points.items()]
    box = fixed(game.folder, image, spots) if spots else _framed(field, sheet)
    clip = svg.element("clipPath", [svg.rect(0, 0, sheet.width, sheet.height)], id=f"picture-{field.id}")
    return [
        svg.element("defs", [clip]),
        svg.group(stretched(game.folder, image, box, most), clip_path=f"url(#picture-{field.id})"),
    ]


def _framed(field: PointMap, sheet: PointSheet) -> PictureBox:
    """Where a picture lies that no points fix: over the frames of the map, or over the whole sheet where it has none."""
    if not any(line.kind == "frame" for line in field.lines.values()):
        return PictureBox(0, 0, sheet.width, sheet.height)
    boxes = [frame.box for frame in sheet.frames]
    left, top = min(box.left for box in boxes), min(box.top for box in boxes)
    return PictureBox(left, top, max(box.right for box in boxes) - left, max(box.bottom for box in boxes) - top)


def _double(box: Box) -> list[Element]:
    wide, high = box.right - box.left, box.bottom - box.top
    return [
        svg.rect(box.left - 2.4, box.top - 2.4, wide + 4.8, high + 4.8, fill="none", stroke=EDGE, stroke_width=1.2),
        svg.rect(box.left, box.top, wide, high, fill="none", stroke=EDGE, stroke_width=0.4),
    ]


def theater_ground(game: Game, field: PointMap, sheet: PointSheet, frame: Frame, detail: bool = True) -> list[Element]:
    """The ground of one theater: land, water, rivers, borders; without detail it has no texture."""
    box = frame.box
    if field.image is not None:
        return _pictured(game, field, field.image, sheet, ()) if frame is sheet.frames[0] else []
    plain = next(iter(game.terrain.values())).color
    wide, high = box.right - box.left, box.bottom - box.top
    key = f"theater-{field.id}-{sheet.frames.index(frame)}"
    clip = svg.element("clipPath", [svg.rect(box.left, box.top, wide, high)], id=key)
    land = svg.rect(box.left, box.top, wide, high, fill=lighter(plain, 0.12))
    grounds: list[Element] = [land, *lands(field, sheet, box, detail)]
    shapes = [
        _outward(rounded(moved(line, sheet), True, 1 if len(line.points) > FINE else 2), box)
        for line in field.lines.values()
        if line.kind in SHORES and line.closed and _touches(moved(line, sheet), box)
    ]
    water = next((kind.color for name, kind in game.terrain.items() if name in WATER), SEA)
    drawn = [line for line in field.lines.values() if line.kind in LINE_COLORS and _touches(moved(line, sheet), box)]
    grounds += [part for line in drawn if line.kind == "river" for part in _line(line, sheet)]  # they end at the shore
    grounds += paint_water(shapes, water, RADIUS, f"{key}-water")
    grounds += [part for line in drawn if line.kind != "river" for part in _line(line, sheet)]
    return [svg.element("defs", [clip]), svg.group(grounds, clip_path=f"url(#{key})")]


def _line(line: LineShape, sheet: PointSheet) -> list[Element]:
    how = line.kind if line.kind in ("river", "canal", "border") else "border"
    points = moved(line, sheet)
    course = flowing(points) if line.kind == "river" else rounded(points, line.closed)
    wide = RADIUS * (2 if line.kind == "purple_line" else 1.2)
    return stroke(path_of(course, line.closed), LINE_COLORS[line.kind], how, wide)


def _plaque(frame: Frame, crowd: Crowd) -> list[Element]:
    """A theater's name on a plaque in the corner that has room."""
    box, size = frame.box, 11.0
    word = frame.name.upper()
    half, tall = width(word, size, "black") / 2 + size * 0.15 * len(word) + 6, size * 0.8
    corners = [
        (x, y) for y in (box.bottom - 8 - tall, box.top + 8 + tall) for x in (box.left + 8 + half, box.right - 8 - half)
    ]
    x, y = min(corners, key=lambda spot: crowd.cost(Box.around(spot[0], spot[1], half, tall)))
    crowd.add(Box.around(x, y, half, tall), NAME)
    return [
        svg.rect(x - half, y - tall, 2 * half, 2 * tall, rx=1.6, fill=PAPER, stroke=EDGE, stroke_width=0.7),
        text(
            word, x + size * 0.15, y + size * CAPITAL / 2, size, "black", "middle", fill=EDGE, letter_spacing=size * 0.3
        ),
    ]


def _outward(shape: list[Point], box: Box) -> list[Point]:
    """A shape whose points on the frame are moved off it, so that no coast is drawn along the frame."""
    far, near = 4 * RADIUS, 1.5
    return [
        (
            x - far if x < box.left + near else x + far if x > box.right - near else x,
            y - far if y < box.top + near else y + far if y > box.bottom - near else y,
        )
        for x, y in shape
    ]


def _touches(points: Iterable[Point], box: Box) -> bool:
    return any(box.left - 1 <= x <= box.right + 1 and box.top - 1 <= y <= box.bottom + 1 for x, y in points)


def _parting(field: PointMap, sheet: PointSheet) -> list[Element]:
    """The lines from point to point that part what a rule tells apart, as bands below the routes."""
    return [
        svg.path(path_of(course), stroke=color, stroke_width=wide, stroke_opacity=opacity, **ROUND)
        for course in parting_lines(field, sheet).values()
        for color, wide, opacity in ((PARTING, RADIUS, 0.22), (PAPER, RADIUS - 1.6, 0.35))
    ]


def _routes(game: Game, field: PointMap, sheet: PointSheet) -> list[Element]:
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
    """A route of its kind: plain roads, dashes over water, dots off the map, a coloured core where a line is crossed."""
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
    parts += textured(texture, [(key, spot)], color, RADIUS)
    for sign, (sx, sy) in zip(signs(point), rim(spot), strict=False):
        parts += ICONS[sign](sx, sy, SIGN)
    return parts


def _reserve(point: PointShape, spot: Point, color: str) -> list[Element]:
    x, y = spot
    across, down = RESERVE
    parts = []
    for inset, fill, share, wide in ((0.0, lighter(color, 0.6), 0.5, 0.7), (1.4, "none", 0.3, 0.3)):
        left, top = x - across + inset, y - down + inset
        parts.append(
            svg.rect(
                left,
                top,
                2 * (across - inset),
                2 * (down - inset),
                rx=3 - inset,
                fill=fill,
                stroke=darker(color, share),
                stroke_width=wide,
            )
        )
    # At the lower edge: piles of counters rise from the middle.
    rows = lines(point.name, 2 * across - 8, 4.6, "bold")
    for i, row in enumerate(reversed(rows)):
        parts.append(
            text(row, x, y + down - 4.5 - 5.2 * i, 4.6, "bold", "middle", fill=mix(darker(color, 0.7), INK, 0.5))
        )
    return parts


def entries(game: Game, field: PointMap) -> list[Entry]:
    """What a point map has: kinds of points, routes and signs; nothing where a picture shows it."""
    if field.image is not None:
        return []
    used = {point.terrain for point in field.points.values()}
    found = [_disc(game, kind) for kind in game.terrain if kind in used]
    kinds = {route.kind for route in field.routes}
    found += [_way(game, kind) for kind in game.routes if kind in kinds]
    shown = [sign for sign in SIGNS if any(sign in signs(point) for point in field.points.values())]
    return found + [Entry("Signs", NAMES[sign], lambda x, y, sign=sign: ICONS[sign](x, y, 2.7)) for sign in shown]  # type: ignore[misc]


def _disc(game: Game, kind: str) -> Entry:
    ground = game.terrain[kind]

    def draw(x: float, y: float) -> list[Element]:
        disc = svg.circle(x, y, 4.8, fill=ground.color, stroke=darker(ground.color, 0.5), stroke_width=0.3)
        return [disc, *textured(texture_of(kind, ground), [(kind, (x, y))], ground.color, 4.8)]

    return Entry("Points", ground.name, draw)


def _way(game: Game, kind: str) -> Entry:
    line = game.routes[kind]
    return Entry("Routes", line.name, lambda x, y: route_line(path_of([(x - 5.5, y), (x + 5.5, y)]), kind, line.color))
