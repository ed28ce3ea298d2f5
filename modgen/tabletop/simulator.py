"""Saves of Tabletop Simulator: the boards on the table, each scenario's pieces on them, and the rest in bags.

Boards and pieces are tiles, which are two units wide at scale 1. So they fit each other whatever a unit stands for.
Pictures are found by name in the folder Mods/Images, or below an address where somebody has put them.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from modgen.cache import Cache
from modgen.notices import notice
from modgen.vmod.files.lock import Lock
from modgen.vmod.files.module import SideWindows, side_windows
from modgen.vmod.maps.board_pictures import layout_names
from modgen.vmod.maps.boards import boards
from modgen.vmod.pieces.face_pictures import faces
from modgen.vmod.pieces.faces import back_picture, front
from modgen.vmod.pieces.pictures import SvgPicture, render_all
from modgen.vmod.setups.setups import WindowPlace, positions, spots
from modgen.vmod.text.briefing import scenario_name
from scenarios.model.game import Game, Map
from scenarios.model.maps import HexMap
from scenarios.model.points import PointMap
from scenarios.model.position import Piece, Position
from scenarios.unit_view import view_piece
from scenarios.vassal.geometry import BoardSheet, PointSheet, pixels
from scenarios.vassal.windows import MAIN, Sheets, TraySheet, board_names, counter_size, map_of, setup_sheets

TILE = 2.0
"""The width of a tile in units at scale 1."""
WIDEST, COUNTER = 44.0, 0.9
"""The greatest width or height of a map in units, and that of a counter."""
TABLE, THICK = 1.0, 0.1
"""The height of the table, and of a board; pieces are on top of it."""
GAP = 1.0
MOST_SNAPS = 3000
DICE = re.compile(r"(\d{1,2})d(4|6|8|10|12|20)")
Object = dict[str, Any]


class LaidObject(NamedTuple):
    """A board on the table: its picture, its center and its size in units."""

    name: str
    picture: str
    x: float
    z: float
    width: float
    height: float
    is_rotated: bool = False


@dataclass
class TabletopTable:
    """The table of a scenario: boards, and the position of each window's pixels."""

    per: float
    """Units per pixel."""
    objects: list[LaidObject] = field(default_factory=list)
    corners: dict[str, tuple[float, float]] = field(default_factory=dict)
    """The top left corner of each window's boards."""
    bottom: float = 0.0

    def place(self, spot: WindowPlace) -> tuple[float, float]:
        """The position of a place in a window."""
        left, top = self.corners[spot.window]
        return left + spot.x * self.per, top - spot.y * self.per


def simulator(game: Game, cache: Cache, images_at: str = "") -> Iterator[tuple[str, bytes]]:
    """A save for each scenario and all pictures, in folders to copy into Tabletop Simulator's own."""
    starts = positions(game)
    surroundings = side_windows(game, Lock(), starts)
    parts, pictures = boards(game, cache)
    files = {str(part.attributes["name"]): str(part.attributes["image"]) for part in parts}
    small = faces(game, cache)
    image_names = {
        part.attributes["name"]: str(part.attributes["image"])
        for window_parts in surroundings.parts_by_map.values()
        for part in window_parts
    }
    all_pictures: dict[str, SvgPicture] = {**pictures, **surroundings.pictures, **small}
    for name, content in render_all(all_pictures, cache, small=True).items():
        yield f"Mods/Images/{game.id}-{name}", content
    for key, start in starts.items():
        save_content = _save(game, key, start, surroundings, files, image_names, images_at)
        name = re.sub(r'[\\/:*?"<>|]', "", f"{game.title} - {scenario_name(game, key)}")
        yield f"Saves/{name}.json", (json.dumps(save_content, indent=1, ensure_ascii=False) + "\n").encode("utf-8")


def _save(
    game: Game,
    key: str,
    start: Position,
    surroundings: SideWindows,
    files: Mapping[str, str],
    image_names: Mapping[Any, str],
    images_at: str,
) -> dict[str, Any]:
    table = _table(game, key, start, surroundings.sheets_of(map_of(game, key)), files, image_names)

    def url(picture: str) -> str:
        return f"{images_at.rstrip('/')}/{game.id}-{picture}" if images_at else f"{game.id}-{picture}"

    objects = [_board(placed_board, url) for placed_board in table.objects]
    used: Counter[str] = Counter()
    heights: Counter[tuple[float, float]] = Counter()
    side = counter_size(game) * table.per
    for number, (piece, spot) in enumerate(
        zip(start.pieces, spots(game, start, surroundings.sheets_of(map_of(game, key))), strict=True)
    ):
        used[piece.unit] += 1
        x, z = table.place(spot)
        pile = round(x, 2), round(z, 2)
        y = TABLE + THICK + 0.05 + heights[pile] * THICK
        heights[pile] += 1
        objects.append(_tile(game, piece, f"{key}/{number}", (x, y, z), side, url))
    objects += _bags(game, key, used, table, side, url)
    objects += _dice(game, key, table)
    return {
        "SaveName": f"{game.title}: {game.scenarios[key].title}",
        "GameMode": game.title,
        "Date": game.card.release,
        "VersionNumber": "",
        "Gravity": 0.5,
        "PlayArea": 1.0,
        "Table": "Table_None",
        "Sky": "Sky_Museum",
        "Note": notice(game),
        "Rules": "",
        "PlayerTurn": "",
        "TabStates": {},
        "LuaScript": "",
        "LuaScriptState": "",
        "XmlUI": "",
        "SnapPoints": _snaps(game.scenario_maps[key], table),
        "ObjectStates": objects,
    }


def _table(
    game: Game, key: str, start: Position, tray_sheets: Sheets, files: Mapping[str, str], image_names: Mapping[Any, str]
) -> TabletopTable:
    """The map in the middle of the table, and the sheets of boxes and trays below it."""
    scenario_map = game.scenario_maps[key]
    sheet: BoardSheet | PointSheet = (
        BoardSheet(scenario_map) if isinstance(scenario_map, HexMap) else PointSheet(scenario_map)
    )
    width, height = sheet.size
    table = TabletopTable(min(COUNTER / counter_size(game), WIDEST / max(width, height)))
    per = table.per
    left, top = -width * per / 2, height * per / 2
    table.corners[MAIN] = left, top
    if isinstance(sheet, BoardSheet) and isinstance(scenario_map, HexMap):
        names = layout_names(game, key)
        for placed_board in scenario_map.placed:
            x, y = sheet.corners[placed_board.board.id]
            board_width, board_height = pixels(placed_board.board.grid).size
            middle = left + (x + board_width / 2) * per, top - (y + board_height / 2) * per
            table.objects.append(
                LaidObject(
                    placed_board.board.name,
                    files[names[placed_board.board.id]],
                    *middle,
                    board_width * per,
                    board_height * per,
                    placed_board.turned,
                )
            )
    else:
        assert isinstance(scenario_map, PointMap)
        table.objects.append(
            LaidObject(scenario_map.title, files[board_names(game)[scenario_map.id]], 0, 0, width * per, height * per)
        )
    table.bottom = -height * per / 2
    _lay_below(table, (*setup_sheets(game, key, start), *tray_sheets), image_names, width * per)
    return table


def _lay_below(table: TabletopTable, sheets: Sequence[TraySheet], image_names: Mapping[Any, str], room: float) -> None:
    x, z, row_depth = -room / 2, table.bottom - GAP, 0.0
    for sheet in sheets:
        sheet_width, sheet_depth = sheet.width * table.per, sheet.height * table.per
        if x > -room / 2 and x + sheet_width > room / 2:
            x, z, row_depth = -room / 2, z - row_depth - GAP, 0.0
        table.corners[sheet.window] = x, z
        table.objects.append(
            LaidObject(
                sheet.name, image_names[sheet.name], x + sheet_width / 2, z - sheet_depth / 2, sheet_width, sheet_depth
            )
        )
        x += sheet_width + GAP
        row_depth = max(row_depth, sheet_depth)
    table.bottom = z - row_depth - GAP


def _object(
    kind: str, about: str, key: str, position: tuple[float, float, float], scale: tuple[float, float], **fields: Any
) -> Object:
    x, y, z = position
    return {
        "GUID": hashlib.sha256(key.encode()).hexdigest()[:6],
        "Name": kind,
        "Nickname": about,
        "Description": "",
        "GMNotes": "",
        "Transform": {
            "posX": round(x, 4),
            "posY": round(y, 4),
            "posZ": round(z, 4),
            "rotX": 0.0,
            "rotY": 180.0,
            "rotZ": 0.0,
            "scaleX": round(scale[0], 4),
            "scaleY": 1.0,
            "scaleZ": round(scale[1], 4),
        },
        "ColorDiffuse": {"r": 1.0, "g": 1.0, "b": 1.0},
        "Locked": False,
        "Grid": False,
        "Snap": True,
        "Autoraise": True,
        "Sticky": True,
        "Tooltip": True,
        "LuaScript": "",
        "LuaScriptState": "",
        "XmlUI": "",
        **fields,
    }


def _image(front_url: str, back_url: str, thick: float, stacks: bool) -> dict[str, Any]:
    tile = {"Type": 0, "Thickness": thick, "Stackable": stacks, "Stretch": True}
    return {
        "ImageURL": front_url,
        "ImageSecondaryURL": back_url,
        "ImageScalar": 1.0,
        "WidthScale": 0.0,
        "CustomTile": tile,
    }


def _board(placed_board: LaidObject, url: Any) -> Object:
    picture = url(placed_board.picture)
    board_object = _object(
        "Custom_Tile",
        placed_board.name,
        f"board/{placed_board.name}",
        (placed_board.x, TABLE, placed_board.z),
        (placed_board.width / TILE, placed_board.height / TILE),
        CustomImage=_image(picture, picture, THICK, False),
    )
    board_object["Locked"] = True
    board_object["Transform"]["rotY"] = 0.0 if placed_board.is_rotated else 180.0
    return board_object


def _tile(game: Game, piece: Piece, key: str, position: tuple[float, float, float], side: float, url: Any) -> Object:
    """A piece, flipped if its second face shows."""
    view, unit = view_piece(game, piece), game.units.get(piece.unit)
    piece_object = _object(
        "Custom_Tile",
        f"{view.name} {piece.copy}".strip() if unit is not None and unit.numbers else view.name,
        f"piece/{key}",
        position,
        (side / TILE, side / TILE),
        CustomImage=_image(url(front(piece.unit)), url(back_picture(piece.unit)), THICK, True),
    )
    if view.shows_back:
        piece_object["Transform"]["rotZ"] = 180.0
    piece_object["Description"] = ", ".join(
        sorted(game.states[state].name for state in piece.states if state in game.states)
    )
    return piece_object


def _bags(game: Game, key: str, used: Counter[str], table: TabletopTable, side: float, url: Any) -> Iterator[Object]:
    """The pieces that a scenario doesn't set up, in a bag for each nation. Markers without a limit have infinite bags of their own."""

    def spare(unit: str, nation: str, count: int) -> list[Object]:
        piece = Piece(unit, "", nation, "")
        return [
            _tile(game, piece, f"{key}/bag/{unit}/{number}", (0, 0, 0), side, url) for number in range(max(0, count))
        ]

    bags: dict[str, list[Object]] = {}
    endless: list[tuple[str, list[Object]]] = []
    for unit in game.units.values():
        bags.setdefault(game.nations[unit.nation].name, []).extend(
            spare(unit.id, unit.nation, (unit.count or 1) - used[unit.id])
        )
    for marker_id, marker in game.markers.items():
        if marker.count is None:
            endless.append((marker.name, spare(marker_id, "", 1)))
        else:
            bags.setdefault("Markers", []).extend(spare(marker_id, "", marker.count - used[marker_id]))
    bag_list = [("Bag", name, contents) for name, contents in bags.items() if contents] + [
        ("Infinite_Bag", name, contents) for name, contents in endless
    ]
    width = table.objects[0].width
    for number, (kind, name, contents) in enumerate(bag_list):
        position = -width / 2 + 1 + 2.5 * (number % 16), TABLE + 1, table.bottom - 1 - 2.5 * (number // 16)
        yield _object(
            kind,
            name,
            f"{key}/{kind}/{name}/{number}",
            position,
            (0.8, 0.8),
            MaterialIndex=-1,
            MeshIndex=-1,
            ContainedObjects=contents,
        )


def _dice(game: Game, key: str, table: TabletopTable) -> Iterator[Object]:
    match = DICE.fullmatch(game.card.dice)
    for number in range(int(match[1]) if match else 0):
        assert match is not None
        position = table.objects[0].width / 2 + 2, TABLE + 1, 2.0 * number
        yield _object(f"Die_{match[2]}", f"{game.card.dice}", f"{key}/die/{number}", position, (1.0, 1.0))


def _snaps(game_map: Map, table: TabletopTable) -> list[dict[str, Any]]:
    """The snap points for pieces: the center of each hex or point."""
    if isinstance(game_map, HexMap):
        sheet = BoardSheet(game_map)
        places = [sheet.centre(hex) for hex in game_map.hexes]
    else:
        places = list(PointSheet(game_map).points.values())
    snap_points = [table.place(WindowPlace(MAIN, x, y)) for x, y in places[:MOST_SNAPS]]
    return [{"Position": {"x": round(x, 4), "y": TABLE + THICK, "z": round(z, 4)}} for x, z in snap_points]
