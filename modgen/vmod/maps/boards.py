"""The boards of the main map: their pictures, and grids that use the rulebook's names of locations."""

from __future__ import annotations

import math

from art import svg
from art.maps.hexmap import SIDE, map_group, sheet_of
from art.maps.point_layout import CM, point_sheet
from art.maps.pointmap import points_group
from modgen.cache import Cache, key_of
from modgen.colors import ImageCut
from modgen.kit.views import GROUND, view
from modgen.vmod.files.xml import BOARD, GRID, XmlPart
from modgen.vmod.maps.board_pictures import lies, lying
from modgen.vmod.pieces.pictures import SvgPicture, draw_picture, hashed_name
from scenarios.model.boards import Board
from scenarios.model.game import Game
from scenarios.model.maps import HexMap
from scenarios.model.points import PointMap
from scenarios.vassal.geometry import PER_CM, BoardSheet, Pixels, PointSheet, location_name, pixels
from scenarios.vassal.windows import board_names, prefix


def boards(game: Game, cache: Cache | None = None) -> tuple[list[XmlPart], dict[str, SvgPicture]]:
    """Every board as an element with its grid, and their pictures. Pictures in the cache aren't drawn again."""
    parts: list[XmlPart] = []
    pictures: dict[str, SvgPicture] = {}
    drawings: dict[str, bytes] = {}
    ground_view, picture_cache = view(game, GROUND), cache or Cache(None)
    for name, board_layout in lying(game).items():
        board, sheet = board_layout.board, BoardSheet(board_layout.map)
        key = key_of("module-board", ground_view.key, board_layout.map.id, repr(lies(board_layout.map)))
        if key not in drawings:
            drawings[key] = picture_cache.get_or_make(
                key,
                lambda layout=board_layout: hex_picture(ground_view.game, layout.map).svg,  # type: ignore[misc]
            )
        content = drawings[key]
        cut = ImageCut(*sheet.corners[board.id], *pixels(board.grid).size, board_layout.placed_board.turned)
        picture = SvgPicture(content, *sheet.size, cut if len(board_layout.map.placed) > 1 or cut.is_rotated else None)
        file = hashed_name(f"board-{board.id}", picture)
        pictures[file] = picture
        grid = hex_grid(board, prefix(game, board.id))
        parts.append(
            XmlPart(
                BOARD + "Board",
                grid,
                name=name,
                image=file,
                reversible=board_layout.placed_board.turned or len(game.boards) > 1,
            )
        )
    names = board_names(game)
    for key, table in game.maps.items():
        if isinstance(table, PointMap):
            key_ = key_of("module-map", ground_view.key, key)
            content = picture_cache.get_or_make(key_, lambda table=table: point_picture(ground_view.game, table).svg)  # type: ignore[misc]
            picture = SvgPicture(content, *PointSheet(table).size)
            file = hashed_name(f"map-{key}", picture)
            pictures[file] = picture
            parts.append(XmlPart(BOARD + "Board", point_grid(table), name=names[key], image=file, reversible=False))
    return parts, pictures


def hex_picture(game: Game, table: HexMap) -> SvgPicture:
    """The picture of a map of hexes, stretched by less than a hundredth to whole pixels."""
    paper, sheet, grid = sheet_of(table, SIDE), BoardSheet(table), pixels(table.placed[0].board.grid)
    lane_pitch, row_pitch = (1.5 * SIDE, math.sqrt(3) * SIDE)
    flat = table.orientation == "flat"
    per_x, per_y = (
        (grid.lane / lane_pitch, grid.height / row_pitch) if flat else (grid.height / row_pitch, grid.lane / lane_pitch)
    )
    width, height = sheet.size
    first = min(table.hexes, key=sheet.centre)  # not a hex on the last edges, which the engine moves inward by a pixel
    (x, y), (right, bottom) = paper.paper.centre(first), sheet.centre(first)
    box = (x - right / per_x, y - bottom / per_y, width / per_x, height / per_y)
    ground = svg.rect(*box, fill=next(iter(game.terrain.values())).color)
    return draw_picture([ground, map_group(game, table, paper)], width, height, box)


def point_picture(game: Game, table: PointMap) -> SvgPicture:
    """The picture of a point map."""
    sheet, place = point_sheet(table), PointSheet(table)
    width, height = place.size
    per = PER_CM / CM
    left, top = place.corner[0] / per + sheet.shift[0], place.corner[1] / per + sheet.shift[1]
    box = (left, top, width / per, height / per)
    ground = svg.rect(*box, fill="#f4efe2")
    return draw_picture([ground, points_group(game, table)], width, height, box)


def hex_grid(board: Board, name_prefix: str) -> XmlPart:
    """The engine's grid of a board."""
    grid: Pixels = pixels(board.grid)
    pointy = board.grid.orientation == "pointy"
    x0, y0 = (grid.origin[1], grid.origin[0]) if pointy else grid.origin
    numbering = XmlPart(
        GRID + "mapgrid.HexGridNumbering",
        first="H",
        sep=",",
        stagger=False,
        hType="N",
        vType="N",
        hOff=0,
        vOff=0,
        hLeading=0,
        vLeading=0,
        hDescend=False,
        vDescend=False,
        visible=False,
        color="0,0,0",
        fontSize=9,
        rotateText=0,
        hDrawOff=0,
        vDrawOff=0,
        locationFormat=location_name(board.grid, name_prefix),
    )
    return XmlPart(
        GRID + "HexGrid",
        numbering,
        sideways=pointy,
        x0=x0,
        y0=y0,
        dx=f"{grid.lane}.0",
        dy=f"{grid.height}.0",
        snapTo=True,
        edgesLegal=False,
        cornersLegal=False,
        visible=False,
        dotsVisible=False,
        color="0,0,0",
    )


def point_grid(table: PointMap) -> XmlPart:
    """The engine's grid of a point map: a region on every point, in a zone that covers the sheet."""
    sheet = PointSheet(table)
    regions = [
        XmlPart(GRID + "Region", name=table.points[key].name, originx=x, originy=y)
        for key, (x, y) in sheet.points.items()
    ]
    width, height = sheet.size
    path = f"0,0;{width},0;{width},{height};0,{height}"
    zone = XmlPart(
        GRID + "mapgrid.Zone",
        XmlPart(GRID + "RegionGrid", *regions, snapto=True, visible=False, fontsize=9),
        name=table.title,
        locationFormat="$gridLocation$",
        path=path,
        useParentGrid=False,
        useHighlight=False,
    )
    return XmlPart(GRID + "ZonedGrid", zone)
