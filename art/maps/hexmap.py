"""Hex maps as vector art: terrain, water, lines, grid, hex ids, places and their names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from art import svg
from art.geometry import ROOT3, Paper, Point, space_points
from art.images import MOST_SIDE, PictureBox, pinned_box, stretch_image
from art.maps.ground import terrain_layers
from art.maps.labels import NAME, Box, Crowd, PlacedLabel, draw_with_halo, place_labels
from art.maps.linework import bars, grid, hexside_lines, loose_lines, manner
from art.maps.places import IconPlace, badges, crowd_for, drawn_lines, place_icons, place_labels_of, spots
from art.maps.region_labels import region_names, road_names, water_names
from art.maps.roads import bridges, roads
from art.maps.textures import texture_of
from art.maps.water import water_of
from art.svg import Element
from art.text import CAPITAL, FAMILY, width
from scenarios.model.boards import Board
from scenarios.model.game import Game
from scenarios.model.hexes import Hex, Hexside, neighbour
from scenarios.model.images import BoardImage
from scenarios.model.maps import HexMap, PlacedBoard

SIDE = 10.5
"""The length of a hexside in millimeters. A hex is 18.2 mm from flat to flat, so a counter of 16 mm fits well."""
ID_SIZE = 0.19
"""The font size of hex ids, in hexsides."""
LEAST_ID = 1.4
ID_INK = "#140f0a"
"""The ink of hex ids. It has a contrast of 4.5 to 1 on all of Mitla's terrain colors."""
HALVES = {"canal": 0.15, "river": 0.1, "road": 0.1, "border": 0.06}
"""Half the width of each kind of line with a small margin, in hexsides."""
ICON_OFFSETS = {
    "flat": (
        (-0.3, 0),
        (0.3, 0),
        (0, 0.22),
        (-0.32, 0.22),
        (0.32, 0.22),
        (0, 0.44),
        (-0.4, 0.44),
        (0.4, 0.44),
        (0, 0.62),
        (0, 1.3),
    ),
    "pointy": (
        (-0.22, 0.03),
        (0.22, 0.03),
        (0, 0.16),
        (-0.3, 0.2),
        (0.3, 0.2),
        (0, 0.34),
        (-0.42, 0.36),
        (0.42, 0.36),
        (-0.5, 0.55),
        (0.5, 0.55),
        (0, 1.3),
    ),
}
"""Positions for an id if a line crosses it, in hexsides from its normal place below the upper side."""
BUILT_UP, CLOSE_DISTANCES = ("buildings", "fort"), {"flat": 0.62, "pointy": 0.05}
"""Textures that leave room for an id only below the upper side, and how far down the id may move there."""


@dataclass(frozen=True)
class HexMapSheet:
    """A map on paper: its size and the placement of its hexes."""

    paper: Paper
    width: float
    height: float
    cut: bool

    def inside(self, point: Point) -> bool:
        """Whether a point is on the sheet."""
        return -0.01 <= point[0] <= self.width + 0.01 and -0.01 <= point[1] <= self.height + 0.01


class HexId(NamedTuple):
    """The printed id of a hex: base line and anchor."""

    words: str
    x: float
    y: float
    anchor: Literal["start", "middle", "end"]


def sheet_of(table: HexMap, side: float = SIDE) -> HexMapSheet:
    """The sheet of a map. If the edges of a map cut hexes in half, the sheet ends there."""
    origin_paper = Paper(table.orientation, side)
    halves = table.placed[0].board.grid.halves
    width_factor, height_factor = (1.0, ROOT3 / 2) if table.orientation == "flat" else (ROOT3 / 2, 1.0)
    ends_cut = halves in ("ends", "both")
    half_across = 0.0 if ends_cut and table.orientation == "flat" else width_factor * side
    half_down = 0.0 if ends_cut and table.orientation == "pointy" else height_factor * side
    whole_hexes = table.hexes if halves == "none" else [hex for hex in table.hexes if not _cut_along(table, hex)]
    points = []
    for x, y in map(origin_paper.centre, whole_hexes):
        points += [(x - half_across, y - half_down), (x + half_across, y + half_down)]
    left, top = min(p[0] for p in points), min(p[1] for p in points)
    right, bottom = max(p[0] for p in points), max(p[1] for p in points)
    return HexMapSheet(Paper(table.orientation, side, -left, -top), right - left, bottom - top, halves != "none")


def _cut_along(table: HexMap, hex: Hex) -> bool:
    """Whether a long side of the map (not an end) cuts a hex."""
    long_sides = {"top", "bottom"} if table.orientation == "flat" else {"left", "right"}
    for placement in table.placed:
        local = placement.to_board(hex)
        if local is not None and placement.board.grid.cut_edges(local) & long_sides:
            return True
    return False


def draw_map(game: Game, table: HexMap, side: float = SIDE, ids: bool = True, names: bool = True) -> Element:
    """A whole map as one drawing."""
    sheet = sheet_of(table, side)
    body = map_group(game, table, sheet, ids, names)
    return svg.drawing(sheet.width, sheet.height, [body])


def map_group(
    game: Game,
    table: HexMap,
    sheet: HexMapSheet,
    ids: bool = True,
    names: bool = True,
    detail: bool = True,
    obstacles: Sequence[Box] = (),
) -> Element:
    """The layers of a map, from the bottom up. Without `detail` there is no texture. Names avoid the obstacles."""
    paper = sheet.paper
    water = water_of(game, table, paper, sheet.width, sheet.height)
    place_spots = spots(game, table, paper)
    labels, crowd = place_names(game, table, sheet, place_spots, obstacles) if names else ([], Crowd())
    area = _area(sheet)
    overlays = shown_over(table)
    layers = []
    if overlays is None:
        layers += [svg.group(terrain_layers(game, table, paper, water, detail)), svg.group(loose_lines(table, paper))]
    layers += board_pictures(game, table, sheet)
    has_lines = overlays is None or "lines" in overlays
    if has_lines:
        layers.append(svg.group(hexside_lines(game, table, paper, water)))
    if overlays is None or "grid" in overlays:
        layers.append(svg.group(grid(table, paper)))
    has_names = names and (overlays is None or "names" in overlays)
    if has_names:
        layers.append(svg.group(region_names(table, paper, crowd, area)))
    if has_lines:
        layers += [
            svg.group(roads(game, table, paper)),
            svg.group(bridges(game, table, paper)),
            svg.group(bars(game, table, paper)),
        ]
    if ids:
        layers.append(ids_group(game, table, sheet))
    if overlays is None:
        layers.append(svg.group([*place_icons(place_spots), *badges(table, paper)[0]]))
    if has_names:
        layers.append(svg.group(water_names(game, table, paper, crowd, area)))
        layers.append(svg.group(road_names(table, paper, crowd, area)))
        layers.append(svg.group([part for label in labels for part in draw_with_halo(label)]))
    clip_id = f"sheet-{table.id}-{svg.number(paper.side)}".replace(".", "_")
    clip = svg.element("clipPath", [svg.rect(0, 0, sheet.width, sheet.height)], id=clip_id)
    return svg.group([svg.element("defs", [clip]), svg.group(layers, clip_path=f"url(#{clip_id})")])


def shown_over(table: HexMap) -> frozenset[str] | None:
    """The layers to draw over the boards' own pictures. None if a board has no picture and everything is drawn."""
    images = [placement.board.shape.image for placement in table.placed]
    if any(image is None for image in images):
        return None
    return frozenset(word for image in images if image is not None for word in image.with_)


def board_pictures(game: Game, table: HexMap, sheet: HexMapSheet, max_side: int = MOST_SIDE) -> list[Element]:
    """The boards' own pictures, each in its place and cut at the edge of its board."""
    layers = []
    for i, placement in enumerate(table.placed):
        image = placement.board.shape.image
        if image is None:
            continue
        board_only = replace(table, placed=(PlacedBoard(placement.board, Hex(0, 0), False),))
        board_sheet = sheet_of(board_only, sheet.paper.side)
        first = next(iter(placement.board.grid.hexes))
        (x, y), (own_x, own_y) = sheet.paper.centre(placement.to_map(first)), board_sheet.paper.centre(first)
        turn = " rotate(180)" if placement.turned else ""
        transform = (
            f"translate({svg.number(x)} {svg.number(y)}){turn} translate({svg.number(-own_x)} {svg.number(-own_y)})"
        )
        clip_id = f"board-{table.id}-{i}-{svg.number(sheet.paper.side)}".replace(".", "_")
        clip = svg.element("clipPath", [svg.rect(0, 0, board_sheet.width, board_sheet.height)], id=clip_id)
        pieces = stretch_image(game.folder, image, _picture_box(game, placement.board, image, board_sheet), max_side)
        layers.append(
            svg.group(
                [svg.element("defs", [clip]), svg.group(pieces, clip_path=f"url(#{clip_id})")], transform=transform
            )
        )
    return layers


def _picture_box(game: Game, board: Board, image: BoardImage, sheet: HexMapSheet) -> PictureBox:
    """The box of a board's picture on its sheet: from the hexes that it names, or edge to edge."""
    if not image.hexes:
        return PictureBox(0, 0, sheet.width, sheet.height)
    centres = [sheet.paper.centre(board.grid.hex(name)) for name in image.hexes]
    spots = [(float(dot[0]), float(dot[1])) for dot in image.hexes.values()]
    return pinned_box(game.folder, image, list(zip(spots, centres, strict=True)))


def _area(sheet: HexMapSheet) -> Box:
    edge = sheet.paper.side * 0.08
    return Box(edge, edge, sheet.width - edge, sheet.height - edge)


def place_names(
    game: Game, table: HexMap, sheet: HexMapSheet, place_spots: list[IconPlace], obstacles: Sequence[Box] = ()
) -> tuple[list[PlacedLabel], Crowd]:
    """Every place name of a map with its position, and the crowd of boxes that further names should avoid."""
    size = id_size(sheet)
    boxes = [_id_box(hex_id, size) for hex_id in hex_ids(game, table, sheet)]
    crowd = crowd_for(game, table, sheet.paper, place_spots, boxes)
    for box in obstacles:
        crowd.add(box.grow(2), NAME)
    return place_labels(place_labels_of(place_spots, sheet.paper.side), crowd, _area(sheet)), crowd


def id_size(sheet: HexMapSheet) -> float:
    """The font size of hex ids."""
    return max(LEAST_ID, sheet.paper.side * ID_SIZE)


def _id_box(hex_id: HexId, size: float) -> Box:
    id_width = width("0000", size) * len(hex_id.words) / 4
    left = {"start": 0.0, "middle": -id_width / 2, "end": -id_width}[hex_id.anchor]
    return Box(hex_id.x + left, hex_id.y - size * CAPITAL, hex_id.x + left + id_width, hex_id.y)


def hex_ids(game: Game, table: HexMap, sheet: HexMapSheet) -> list[HexId]:
    """The id of every hex below its upper side. A half-hex has it in the half that its board shows.

    An id moves down for a landform on that side, and aside for roads, rivers, canals and borders.
    """
    paper, size = sheet.paper, id_size(sheet)
    flat = table.orientation == "flat"
    upper_share = ROOT3 / 2 if flat else 0.74
    lines = _line_crowd(game, table, paper)
    result = []
    for placement in table.placed:
        for local in placement.board.grid.hexes:
            hex = placement.to_map(local)
            x, y = paper.centre(hex)
            cut = _cut(placement, local)
            anchor: Literal["start", "middle", "end"] = "middle"
            if "left" in cut:
                anchor, x = "start", x + size * 0.3
            elif "right" in cut:
                anchor, x = "end", x - size * 0.3
            top = y + size * 1.05 if "top" in cut else y - paper.side * upper_share + size * 0.95
            if flat and "top" not in cut and _has_landform(game, table, Hexside(neighbour(hex, 0), hex)):
                top += paper.side * 0.24
            hex_id = HexId(placement.board.grid.name(local), x, top, anchor)
            is_built = texture_of(table.terrain[hex], game.terrain[table.terrain[hex]]) in BUILT_UP
            result.append(
                hex_id
                if cut
                else _clear(hex_id, lines, paper, size, CLOSE_DISTANCES[table.orientation] if is_built else 2.0)
            )
    return result


def _has_landform(game: Game, table: HexMap, side: Hexside) -> bool:
    """Whether there is a landform along a hexside."""
    return any(manner(kind, game.hexsides[kind], "bar") == "bar" for kind in table.hexsides.get(side, ()))


def _line_crowd(game: Game, table: HexMap, paper: Paper) -> Crowd:
    """Small boxes along every drawn line, as wide as the line."""
    crowd = Crowd(paper.side)
    for line_manner, line in drawn_lines(game, table, paper):
        r = paper.side * HALVES.get(line_manner, 0.08)
        for x, y in space_points(line, paper.side * 0.12):
            crowd.add(Box.around(x, y, r, r), 1.0)
    return crowd


def _clear(hex_id: HexId, lines: Crowd, paper: Paper, size: float, max_down: float) -> HexId:
    """Move an id to where it hides least of the lines, at most `max_down` hexsides farther down."""
    best, min_cost = hex_id, lines.cost(_id_box(hex_id, size))
    for right, down_share in ICON_OFFSETS[paper.orientation] if min_cost > 0 else ():
        if down_share > max_down:
            continue
        candidate = hex_id._replace(x=hex_id.x + right * paper.side, y=hex_id.y + down_share * paper.side)
        cost = lines.cost(_id_box(candidate, size))
        if cost < min_cost * 0.6:
            best, min_cost = candidate, cost
        if min_cost == 0:
            break
    return best


_OPPOSITE = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}


def _cut(placement: PlacedBoard, local: Hex) -> frozenset[str]:
    """The edges of the board that cut a hex, in the board's orientation on the map."""
    cut = placement.board.grid.cut_edges(local)
    return frozenset(_OPPOSITE[edge] for edge in cut) if placement.turned else frozenset(cut)


def ids_group(game: Game, table: HexMap, sheet: HexMapSheet, obstacles: Sequence[Box] = ()) -> Element:
    """All ids except those below obstacles, in one group with a common style. Each id is only its position and its text."""
    parts = []
    size = id_size(sheet)
    overlays = shown_over(table)
    for hex_id in hex_ids(game, table, sheet) if overlays is None or "numbers" in overlays else ():
        if any(_id_box(hex_id, size).overlap(box.grow(0.5)) for box in obstacles):
            continue
        text_anchor = None if hex_id.anchor == "middle" else hex_id.anchor
        element = svg.element("text", x=f"{hex_id.x:.2f}", y=f"{hex_id.y:.2f}", text_anchor=text_anchor)
        element.text = hex_id.words
        parts.append(element)
    look = {"font_family": FAMILY, "font_weight": "400", "text_anchor": "middle", "fill": ID_INK}
    return svg.group(parts, font_size=id_size(sheet), **look)
