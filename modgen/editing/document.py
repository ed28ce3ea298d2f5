"""A board or a map of points as the editor in the browser receives it, and the differences between two states of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from art.maps.hexmap import sheet_of
from art.maps.point_layout import CM, point_sheet
from art.sheets.mapsheet import board_map
from scenarios.model.boards import Board, PlaceShape, ZoneShape
from scenarios.model.game import Game
from scenarios.model.hexes import corners, hexside, neighbours
from scenarios.model.points import PointMap

Parts = Mapping[str, Any]
LISTS = ("paths",)
"""Parts that change as a whole; in all others, single entries change."""
Change = tuple[tuple[str, ...], Any]
"""The address of a change, from the part down, and the new value; None if it was removed."""


class NoSuchMap(ValueError):
    """No board and no map of points has this name."""


def editable(game: Game) -> dict[str, str]:
    """The boards and maps of points that can be edited, with their names."""
    boards = {f"boards/{key}": board.name for key, board in game.boards.items()}
    return boards | {f"maps/{key}": map.title for key, map in game.maps.items() if isinstance(map, PointMap)}


def document(game: Game, key: str) -> dict[str, Any]:
    """A board or map with everything that the editor draws and changes."""
    section, _, name = key.partition("/")
    map = game.maps.get(name)
    if section == "boards" and name in game.boards:
        board = game.boards[name]
        board_document = {**_hexes(game, board), "parts": board_parts(board), "image": _picture(board)}
        return {**board_document, "kinds": _kinds(game)}
    if section == "maps" and isinstance(map, PointMap):
        return {**_points(map), "parts": point_parts(map), "image": None, "kinds": _kinds(game)}
    raise NoSuchMap(f"there is no board or map of points {key!r}")


def _kinds(game: Game) -> dict[str, Any]:
    lines = {"hexsides": game.hexsides, "paths": game.paths, "routes": game.routes}
    kind_lists: dict[str, Any] = {
        name: [{"id": key, "name": kind.name, "color": kind.color} for key, kind in line_kinds.items()]
        for name, line_kinds in lines.items()
    }
    kind_lists["terrain"] = [{"id": key, "name": kind.name, "color": kind.color} for key, kind in game.terrain.items()]
    kind_lists["sides"] = {key: side.name for key, side in game.sides.items()}
    return kind_lists


def _hexes(game: Game, board: Board) -> dict[str, Any]:
    """The positions of hexes and hexsides, in millimeters."""
    sheet = sheet_of(board_map(game, board.id))
    paper, grid = sheet.paper, board.grid
    sides: dict[str, list[float]] = {}
    for hex in grid.hexes:
        for neighbour in neighbours(hex):
            ends = [paper.corner(corner) for corner in corners(hex) if corner in corners(neighbour)]
            sides[grid.side_name(hexside(hex, neighbour))] = [round(number, 2) for end in ends for number in end]
    x, y = paper.centre(grid.hexes[0])
    return {
        "kind": "hexes",
        "name": board.name,
        "width": round(sheet.width, 2),
        "height": round(sheet.height, 2),
        "side": paper.side,
        "outline": [[round(px - x, 2), round(py - y, 2)] for px, py in paper.outline(grid.hexes[0])],
        "hexes": [[grid.name(hex), *(round(number, 2) for number in paper.centre(hex))] for hex in grid.hexes],
        "sides": [[name, *ends] for name, ends in sides.items()],
    }


def board_parts(board: Board) -> dict[str, Any]:
    """The content of a board, by part."""
    grid = board.grid
    hexsides: dict[str, list[str]] = {}
    for side, side_kinds in board.hexsides.items():
        for kind in sorted(side_kinds):
            hexsides.setdefault(kind, []).append(grid.side_name(side))
    return {
        "terrain": {grid.name(hex): kind for hex, kind in board.terrain.items()},
        "features": {kind: sorted(map(grid.name, hexes)) for kind, hexes in board.features.items() if hexes},
        "hexsides": {kind: sorted(names) for kind, names in hexsides.items()},
        "paths": [
            _without({"kind": path.kind, "name": path.name, "hexes": [grid.name(hex) for hex in path.hexes]})
            for path in board.paths
        ],
        "places": {key: _place(shape) for key, shape in board.shape.places.items()},
        "zones": {key: _place(shape) for key, shape in board.shape.zones.items()},
    }


def _picture(board: Board) -> dict[str, Any] | None:
    """The picture under a board, and the positions of hexes on it."""
    image = board.shape.image
    if image is None:
        return None
    return {"file": image.file, "hexes": {hex: [float(number) for number in dots] for hex, dots in image.hexes.items()}}


def _place(shape: PlaceShape | ZoneShape) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": shape.name, "hexes": list(shape.hexes), "kind": shape.kind}
    if isinstance(shape, PlaceShape):
        entry |= {"hex": shape.hex, "side": shape.side}
    return _without(entry)


def _without(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record without empty values."""
    return {key: value for key, value in record.items() if value not in ("", [])}


def _points(map: PointMap) -> dict[str, Any]:
    sheet = point_sheet(map)
    return {
        "kind": "points",
        "name": map.title,
        "width": round(sheet.width, 2),
        "height": round(sheet.height, 2),
        "shift": list(sheet.shift),
        "unit": CM,
    }


def point_parts(map: PointMap) -> dict[str, Any]:
    """The points and routes of a map."""
    routes: dict[str, list[list[str]]] = {}
    for route in map.routes:
        routes.setdefault(route.kind, []).append(sorted([route.a, route.b]))
    points = {
        key: _without(
            {
                "name": point.name,
                "at": [float(number) for number in point.at],
                "terrain": point.terrain,
                "side": point.side,
            }
        )
        for key, point in map.points.items()
    }
    return {"points": points, "routes": {kind: sorted(pairs) for kind, pairs in routes.items()}}


def chains(pairs: list[list[str]]) -> list[list[str]]:
    """Routes as a person would write them: consecutive pairs joined in one chain."""
    joined_chains: list[list[str]] = []
    for a, b in pairs:
        for chain in joined_chains:
            if chain[-1] in (a, b):
                chain.append(b if chain[-1] == a else a)
                break
            if chain[0] in (a, b):
                chain.insert(0, b if chain[0] == a else a)
                break
        else:
            joined_chains.append([a, b])
    return joined_chains


def changes(old_parts: Parts, new_parts: Parts) -> Iterator[Change]:
    """The differences between two states of a board or map. Raises ValueError if `new_parts` has another shape."""
    for part, was in old_parts.items():
        new_value: Any = new_parts.get(part)
        if type(new_value) is not type(was):
            raise ValueError(f"{part} is missing in what the editor sent")
        if part in LISTS:
            if new_value != was:
                yield (part,), new_value
            continue
        for key in dict.fromkeys((*was, *new_value)):
            yield from _entry((part, key), was.get(key), new_value.get(key))


def _entry(address: tuple[str, ...], was: Any, new_value: Any) -> Iterator[Change]:
    if new_value == was:
        return
    if isinstance(was, Mapping) and isinstance(new_value, Mapping):
        for key in dict.fromkeys((*was, *new_value)):
            if was.get(key) != new_value.get(key):
                yield (*address, key), new_value.get(key)
    else:
        new_value = chains(new_value) if address[0] == "routes" and new_value else new_value
        yield address, new_value if new_value not in (None, [], {}) else None
