"""Hex maps as vector art: ground, water, lines, grid, hex ids, places and their names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from art import svg
from art.geometry import ROOT3, Paper, Point, spaced
from art.ground import terrain_layers
from art.images import MOST_SIDE, fixed, stretched
from art.images import Box as PictureBox
from art.labels import NAME, Box, Crowd, PlacedLabel, haloed, place_labels
from art.linework import bars, grid, hexside_lines, loose_lines, manner
from art.places import Spot, badges, crowd_for, drawn_lines, place_icons, place_labels_of, spots
from art.regions import region_names, road_names, water_names
from art.roads import bridges, roads
from art.svg import Element
from art.text import CAPITAL, FAMILY, width
from art.textures import texture_of
from art.water import water_of
from scenarios.boards import Board
from scenarios.game import Game
from scenarios.hexes import Hex, Hexside, neighbour
from scenarios.images import BoardImage
from scenarios.maps import HexMap, Placed

SIDE = 10.5
"""The length of a hexside in millimetres: 18.2 mm from flat to flat, so that a counter of 16 mm sits well."""
ID_SIZE = 0.19
"""The font size of hex ids, in hexsides."""
LEAST_ID = 1.4
ID_INK = "#140f0a"
"""The ink of hex ids: on every ground of our maps it has a contrast of 4.5 to 1."""
HALVES = {"canal": 0.15, "river": 0.1, "road": 0.1, "border": 0.06}
"""Half the width of each kind of line with a little room, in hexsides."""
ASIDE = {
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
"""Where an id goes, in hexsides from its place under the upper side, if a line runs there."""
BUILT, CLOSE = ("buildings", "fort"), {"flat": 0.62, "pointy": 0.05}
"""Textures that leave room for an id under the upper side alone, and how far down it may move there."""


@dataclass(frozen=True)
class Sheet:
    """A map on paper: how big it is and where its hexes lie."""

    paper: Paper
    width: float
    height: float
    cut: bool

    def inside(self, point: Point) -> bool:
        """Whether a point lies on the sheet."""
        return -0.01 <= point[0] <= self.width + 0.01 and -0.01 <= point[1] <= self.height + 0.01


class HexId(NamedTuple):
    """The printed id of a hex: base line and anchor."""

    words: str
    x: float
    y: float
    anchor: Literal["start", "middle", "end"]


def sheet_of(table: HexMap, side: float = SIDE) -> Sheet:
    """Where the hexes of a map lie; maps whose edges cut hexes in half end right there."""
    bare = Paper(table.orientation, side)
    halves = table.placed[0].board.grid.halves
    across, down = (1.0, ROOT3 / 2) if table.orientation == "flat" else (ROOT3 / 2, 1.0)
    ends_cut = halves in ("ends", "both")
    half_across = 0.0 if ends_cut and table.orientation == "flat" else across * side
    half_down = 0.0 if ends_cut and table.orientation == "pointy" else down * side
    whole = table.hexes if halves == "none" else [hex for hex in table.hexes if not _cut_along(table, hex)]
    points = []
    for x, y in map(bare.centre, whole):
        points += [(x - half_across, y - half_down), (x + half_across, y + half_down)]
    left, top = min(p[0] for p in points), min(p[1] for p in points)
    right, bottom = max(p[0] for p in points), max(p[1] for p in points)
    return Sheet(Paper(table.orientation, side, -left, -top), right - left, bottom - top, halves != "none")


def _cut_along(table: HexMap, hex: Hex) -> bool:
    """Whether a hex is cut by a long side of the map (not by an end)."""
    wanted = {"top", "bottom"} if table.orientation == "flat" else {"left", "right"}
    for placed in table.placed:
        local = placed.to_board(hex)
        if local is not None and placed.board.grid.half(local) & wanted:
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
    sheet: Sheet,
    ids: bool = True,
    names: bool = True,
    detail: bool = True,
    taken: Sequence[Box] = (),
) -> Element:
    """The layers of a map, from the ground up; without detail it has no texture. Names keep off what is taken."""
    paper = sheet.paper
    water = water_of(table, paper, sheet.width, sheet.height)
    found = spots(game, table, paper)
    placed, crowd = place_names(game, table, sheet, found, taken) if names else ([], Crowd())
    area = _area(sheet)
    shown = shown_over(table)
    layers = []
    if shown is None:
        layers += [svg.group(terrain_layers(game, table, paper, water, detail)), svg.group(loose_lines(table, paper))]
    layers += board_pictures(game, table, sheet)
    lined = shown is None or "lines" in shown
    if lined:
        layers.append(svg.group(hexside_lines(game, table, paper, water)))
    if shown is None or "grid" in shown:
        layers.append(svg.group(grid(table, paper)))
    named = names and (shown is None or "names" in shown)
    if named:
        layers.append(svg.group(region_names(table, paper, crowd, area)))
    if lined:
        layers += [
            svg.group(roads(game, table, paper)),
            svg.group(bridges(game, table, paper)),
            svg.group(bars(game, table, paper)),
        ]
    if ids:
        layers.append(ids_group(game, table, sheet))
    if shown is None:
        layers.append(svg.group([*place_icons(found), *badges(table, paper)[0]]))
    if named:
        layers.append(svg.group(water_names(game, table, paper, crowd, area)))
        layers.append(svg.group(road_names(table, paper, crowd, area)))
        layers.append(svg.group([part for label in placed for part in haloed(label)]))
    clip_id = f"sheet-{table.id}-{svg.number(paper.side)}".replace(".", "_")
    clip = svg.element("clipPath", [svg.rect(0, 0, sheet.width, sheet.height)], id=clip_id)
    return svg.group([svg.element("defs", [clip]), svg.group(layers, clip_path=f"url(#{clip_id})")])


def shown_over(table: HexMap) -> frozenset[str] | None:
    """What of our drawing is printed over the boards' own pictures; None where a board has none and everything is drawn."""
    images = [placed.board.shape.image for placed in table.placed]
    if any(image is None for image in images):
        return None
    return frozenset(word for image in images if image is not None for word in image.with_)


def board_pictures(game: Game, table: HexMap, sheet: Sheet, most: int = MOST_SIDE) -> list[Element]:
    """The pictures of boards that have one, each in its place and cut at its board's edge."""
    layers = []
    for i, placed in enumerate(table.placed):
        image = placed.board.shape.image
        if image is None:
            continue
        alone = replace(table, placed=(Placed(placed.board, Hex(0, 0), False),))
        own = sheet_of(alone, sheet.paper.side)
        first = next(iter(placed.board.grid.hexes))
        (x, y), (own_x, own_y) = sheet.paper.centre(placed.to_map(first)), own.paper.centre(first)
        turn = " rotate(180)" if placed.turned else ""
        moved = f"translate({svg.number(x)} {svg.number(y)}){turn} translate({svg.number(-own_x)} {svg.number(-own_y)})"
        clip_id = f"board-{table.id}-{i}-{svg.number(sheet.paper.side)}".replace(".", "_")
        clip = svg.element("clipPath", [svg.rect(0, 0, own.width, own.height)], id=clip_id)
        drawn = stretched(game.folder, image, _picture_box(game, placed.board, image, own), most)
        layers.append(
            svg.group([svg.element("defs", [clip]), svg.group(drawn, clip_path=f"url(#{clip_id})")], transform=moved)
        )
    return layers


def _picture_box(game: Game, board: Board, image: BoardImage, sheet: Sheet) -> PictureBox:
    """Where the whole picture of a board lies on its sheet: by the hexes that it names, or edge to edge."""
    if not image.hexes:
        return PictureBox(0, 0, sheet.width, sheet.height)
    centres = [sheet.paper.centre(board.grid.hex(name)) for name in image.hexes]
    spots = [(float(at[0]), float(at[1])) for at in image.hexes.values()]
    return fixed(game.folder, image, list(zip(spots, centres, strict=True)))


def _area(sheet: Sheet) -> Box:
    edge = sheet.paper.side * 0.08
    return Box(edge, edge, sheet.width - edge, sheet.height - edge)


def place_names(
    game: Game, table: HexMap, sheet: Sheet, found: list[Spot], taken: Sequence[Box] = ()
) -> tuple[list[PlacedLabel], Crowd]:
    """Every place name of a map, in its place; and all that further names should keep off."""
    size = id_size(sheet)
    boxes = [_id_box(hex_id, size) for hex_id in hex_ids(game, table, sheet)]
    crowd = crowd_for(game, table, sheet.paper, found, boxes)
    for box in taken:
        crowd.add(box.grown(2), NAME)
    return place_labels(place_labels_of(found, sheet.paper.side), crowd, _area(sheet)), crowd


def id_size(sheet: Sheet) -> float:
    """The font size of hex ids."""
    return max(LEAST_ID, sheet.paper.side * ID_SIZE)


def _id_box(hex_id: HexId, size: float) -> Box:
    wide = width("0000", size) * len(hex_id.words) / 4
    left = {"start": 0.0, "middle": -wide / 2, "end": -wide}[hex_id.anchor]
    return Box(hex_id.x + left, hex_id.y - size * CAPITAL, hex_id.x + left + wide, hex_id.y)


def hex_ids(game: Game, table: HexMap, sheet: Sheet) -> list[HexId]:
    """The id of every hex under its upper side; a half-hex has it in the half that its board shows.

    It steps down for a landform on that side, and aside for roads, rivers, canals and borders.
    """
    paper, size = sheet.paper, id_size(sheet)
    flat = table.orientation == "flat"
    high = ROOT3 / 2 if flat else 0.74
    lines = _line_crowd(game, table, paper)
    result = []
    for placed in table.placed:
        for local in placed.board.grid.hexes:
            hex = placed.to_map(local)
            x, y = paper.centre(hex)
            cut = _cut(placed, local)
            anchor: Literal["start", "middle", "end"] = "middle"
            if "left" in cut:
                anchor, x = "start", x + size * 0.3
            elif "right" in cut:
                anchor, x = "end", x - size * 0.3
            top = y + size * 1.05 if "top" in cut else y - paper.side * high + size * 0.95
            if flat and "top" not in cut and _barred(game, table, Hexside(neighbour(hex, 0), hex)):
                top += paper.side * 0.24
            made = HexId(placed.board.grid.name(local), x, top, anchor)
            built = texture_of(table.terrain[hex], game.terrain[table.terrain[hex]]) in BUILT
            result.append(made if cut else _clear(made, lines, paper, size, CLOSE[table.orientation] if built else 2.0))
    return result


def _barred(game: Game, table: HexMap, side: Hexside) -> bool:
    """Whether a landform lies along a hexside."""
    return any(manner(kind, game.hexsides[kind], "bar") == "bar" for kind in table.hexsides.get(side, ()))


def _line_crowd(game: Game, table: HexMap, paper: Paper) -> Crowd:
    """Small boxes along every drawn line, as wide as it is."""
    crowd = Crowd(paper.side)
    for how, line in drawn_lines(game, table, paper):
        r = paper.side * HALVES.get(how, 0.08)
        for x, y in spaced(line, paper.side * 0.12):
            crowd.add(Box.around(x, y, r, r), 1.0)
    return crowd


def _clear(made: HexId, lines: Crowd, paper: Paper, size: float, most: float) -> HexId:
    """An id where it hides least of the lines, so many hexsides further down at most."""
    best, least = made, lines.cost(_id_box(made, size))
    for right, down in ASIDE[paper.orientation] if least > 0 else ():
        if down > most:
            continue
        moved = made._replace(x=made.x + right * paper.side, y=made.y + down * paper.side)
        cost = lines.cost(_id_box(moved, size))
        if cost < least * 0.6:
            best, least = moved, cost
        if least == 0:
            break
    return best


_OPPOSITE = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}


def _cut(placed: Placed, local: Hex) -> frozenset[str]:
    """The edges of the board that cut a hex, as the board lies on the map."""
    cut = placed.board.grid.half(local)
    return frozenset(_OPPOSITE[edge] for edge in cut) if placed.turned else frozenset(cut)


def ids_group(game: Game, table: HexMap, sheet: Sheet, taken: Sequence[Box] = ()) -> Element:
    """All ids but those under what is taken, in one group that says how they look: each is only its place and its text."""
    parts = []
    size = id_size(sheet)
    shown = shown_over(table)
    for hex_id in hex_ids(game, table, sheet) if shown is None or "numbers" in shown else ():
        if any(_id_box(hex_id, size).shared(box.grown(0.5)) for box in taken):
            continue
        other = None if hex_id.anchor == "middle" else hex_id.anchor
        made = svg.element("text", x=f"{hex_id.x:.2f}", y=f"{hex_id.y:.2f}", text_anchor=other)
        made.text = hex_id.words
        parts.append(made)
    look = {"font_family": FAMILY, "font_weight": "400", "text_anchor": "middle", "fill": ID_INK}
    return svg.group(parts, font_size=id_size(sheet), **look)
