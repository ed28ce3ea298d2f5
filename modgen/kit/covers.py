"""The picture on a kit's cover: the liveliest part of the map, and a few counters."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple

from art import svg
from art.counters.face import layout_of
from art.images import PictureBox, place_image
from art.maps.hexmap import SIDE, sheet_of
from art.maps.point_layout import point_sheet
from art.sheets.mapsheet import board_map, board_plan, map_plan
from scenarios.model.counters import Unit
from scenarios.model.game import Game
from scenarios.model.maps import HexMap

Point = tuple[float, float]
PLACE = ""
"""Stands for a named place among the kinds of terrain."""
STEP = 40.0
"""The distance between candidate windows, in millimeters."""


class Region(NamedTuple):
    """A part of a map's drawing, in millimeters, and its features with their positions: kinds of terrain, and named places."""

    left: float
    top: float
    width: float
    height: float
    visible_hexes: tuple[tuple[str, Point], ...]


def regions(game: Game, key: str) -> list[Region]:
    """The parts of a map or board inside its frame: one, or one for each theater."""
    if key not in game.maps:
        field, space = board_map(game, key), board_plan(game, key).map
        return [Region(space.x, space.y, space.width, space.height, tuple(_sights(field, space.x, space.y)))]
    plan = map_plan(game, key).map
    game_map = game.maps[key]
    if isinstance(game_map, HexMap):
        return [Region(plan.x, plan.y, plan.width, plan.height, tuple(_sights(game_map, plan.x, plan.y)))]
    sheet = point_sheet(game_map)
    points = [(game_map.points[key].terrain, (plan.x + x, plan.y + y)) for key, (x, y) in sheet.points.items()]
    result = []
    for frame in sheet.frames:
        box = frame.box
        left, top, width, height = plan.x + box.left, plan.y + box.top, box.right - box.left, box.bottom - box.top
        inside = tuple(p for p in points if left < p[1][0] < left + width and top < p[1][1] < top + height)
        result.append(Region(left, top, width, height, inside))
    return result


def _sights(field: HexMap, x: float, y: float) -> Iterable[tuple[str, Point]]:
    paper = sheet_of(field, SIDE).paper
    places = [(PLACE, hex) for place in field.places.values() for hex in place.hexes[:1]]
    for kind, hex in [*((kind, hex) for hex, kind in field.terrain.items()), *places]:
        dx, dy = paper.centre(hex)
        yield kind, (x + dx, y + dy)


def view_of(regions_by_map: Mapping[str, list[Region]], width: float, height: float) -> tuple[str, Point, float]:
    """The map, the corner and the scale of the liveliest window of this size on the cover.

    The scale shows the map a little smaller than printed. A small map fills the window.
    """
    best: tuple[float, str, Point, float] | None = None
    for key, parts in regions_by_map.items():
        for region in parts:
            part = _thin_out(region)
            scale = max(0.8, width / part.width, height / part.height)
            w, h = width / scale, height / scale
            for left in _steps(part.left, part.width - w):
                for top in _steps(part.top, part.height - h):
                    # the counters cover the lowest part
                    life = _life(
                        kind for kind, (a, b) in part.visible_hexes if left < a < left + w and top < b < top + 0.85 * h
                    )
                    if best is None or life > best[0]:
                        best = life, key, (left, top), scale
    if best is None:
        raise ValueError("a cover needs a map")
    return best[1], best[2], best[3]


def _thin_out(part: Region) -> Region:
    """A part of a map with about a thousand of its hexes and all its places, enough to compare windows."""
    ground = [feature for feature in part.visible_hexes if feature[0] != PLACE]
    places = [feature for feature in part.visible_hexes if feature[0] == PLACE]
    return part._replace(visible_hexes=(*ground[:: max(1, len(ground) // 1000)], *places))


def _steps(start: float, spare: float) -> list[float]:
    count = max(1, math.ceil(spare / STEP))
    return [start + spare * i / count for i in range(count + 1)]


def _life(feature_kinds: Iterable[str]) -> float:
    """A score for what a window shows. Several kinds of terrain count more than much of one kind, and names count most."""
    counts = Counter(feature_kinds)
    return sum(math.sqrt(n) for kind, n in counts.items() if kind != PLACE) + counts[PLACE]


def showpieces(game: Game, max_units: int = 6) -> list[str]:
    """A few strong units for the cover, of different types, from all sides in turn; vehicles before boxes.

    A side's first nation comes before its allies.
    """
    by_side: dict[str, dict[str, Unit]] = {}
    for unit in sorted(game.units.values(), key=lambda unit: -_might(game, unit)):
        by_side.setdefault(unit.side, {}).setdefault(unit.type, unit)
    turns = [list(units.values()) for units in by_side.values()]
    result: list[str] = []
    for turn in range(max_units):
        result += [units[turn].id for units in turns if turn < len(units)]
    return result[:max_units]


def _might(game: Game, unit: Unit) -> Fraction | int:
    """The apparent strength of a unit."""
    first = next(iter(unit.factors.values()), 0)
    leads = next((key for key, nation in game.nations.items() if nation.side == unit.side), "")
    has_silhouette = layout_of(game, unit).picture == "silhouette"
    return 200 * (unit.nation == leads) + 100 * has_silhouette + (first if isinstance(first, Fraction) else 0)


def cover_picture(game: Game, width: float, height: float) -> bytes:
    """A pack's own cover picture in this size."""
    assert game.card.image is not None
    return svg.to_bytes(
        svg.drawing(width, height, place_image(game.folder, game.card.image, PictureBox(0, 0, width, height)))
    )
