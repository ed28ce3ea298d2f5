"""The drawings of a kit, each with the view of the game that it is drawn from."""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from art import svg
from art.charts.charts import chart, is_narrow, readable_table
from art.geometry import ROOT3
from art.maps.hexmap import draw_map
from art.maps.point_layout import point_sheet
from art.maps.setup_thumbnail import thumbnail
from art.sheets.mapsheet import (
    bare_sheet,
    bare_size,
    board_map,
    board_numbers,
    board_sheet,
    legend_card,
    legend_height,
    map_numbers,
    map_sheet,
)
from art.sheets.tracks import BOX_HIGH, Space, box_group, tens, track_group, track_height
from art.svg import Element
from modgen.cache import Cache, code_key, key_of
from modgen.kit.closed_hexes import closed_hexes
from modgen.kit.faces import Faces
from modgen.kit.imposition import PAGES, sheet_marks, sheet_page
from modgen.kit.marks import crop_marks, ruler
from modgen.kit.options import Options
from modgen.kit.plates import Drawing
from modgen.kit.scale import map_scale, piece_scale
from modgen.kit.sheets import CounterSheet
from modgen.kit.shelves import GAP, ShelfCard, pages
from modgen.kit.tiles import OVERLAP, SIDE_STRIP, Tiling, space_centres, tiling
from modgen.kit.track_placement import assign_spaces, wanted_spaces
from modgen.kit.trays import tray_height, tray_labels
from modgen.kit.views import FACES, View, view
from scenarios.model.counters import Counter, Unit
from scenarios.model.game import Game, Map
from scenarios.model.maps import BoxShape, HexMap, TrackShape
from scenarios.model.memo import cached_on

TEXT_MARGIN = 14.0
"""The smallest margin of pages with text; a larger chosen margin counts instead."""


LEAST_BOX = 50.0
"""The smallest height of boxes, if that saves a page."""
LOW_BOX = 44.0
"""A still smaller height, enough for two rows of counters, if that saves a last page with just one row of boxes."""


def text_room(options: Options) -> float:
    """The available width for text and cards."""
    return options.paper.width - 2 * max(options.margin, TEXT_MARGIN)


def sheet_drawings(faces: Faces, counter_sheets: Sequence[CounterSheet], options: Options) -> list[list[Drawing]]:
    """The pages of each counter sheet, its front and its back."""
    game = faces.game
    result = []
    for sheet in counter_sheets:
        units = {cell.piece.id: game.units[cell.piece.id] for cell in sheet.cells if cell.piece.kind == "unit"}
        markers = {cell.piece.id: game.markers[cell.piece.id] for cell in sheet.cells if cell.piece.kind == "marker"}
        sheet_view = faces.view.with_entries(units=units, markers=markers)
        key = key_of(sheet_view.key, repr(sheet), repr(options), str(len(counter_sheets)))
        result.append(
            [
                Drawing(
                    f"sheet-{sheet.number}-{page}",
                    key,
                    functools.partial(sheet_page, faces, sheet, page, options, len(counter_sheets)),
                )
                for page in PAGES[options.backs]
            ]
        )
    return result


def mark_drawings(counter_sheets: Sequence[CounterSheet], options: Options) -> list[list[Drawing]]:
    """The cut lines of each counter sheet, on its front and its back; none if a template wants none."""
    if options.layout and not options.layout.marks:
        return []
    key = key_of(code_key(), repr(options))
    return [
        [
            Drawing(
                f"marks-{sheet.number}-{page}",
                key_of(key, repr(sheet)),
                functools.partial(sheet_marks, sheet, page, options),
            )
            for page in PAGES[options.backs]
        ]
        for sheet in counter_sheets
    ]


def tile_marks(map_tiling: Tiling, kept_tiles: Sequence[tuple[int, int]]) -> list[Drawing]:
    """The cut lines around each tile: at its edges, and at the beginning of the strip onto which a neighbor is glued."""
    key = key_of(code_key(), repr(map_tiling))
    drawings = []
    for column, row in kept_tiles:
        has_right_neighbour, has_lower_neighbour = (column + 1, row) in kept_tiles, (column, row + 1) in kept_tiles
        draw = functools.partial(_tile_marks, map_tiling, has_right_neighbour, has_lower_neighbour)
        drawings.append(Drawing(f"tile-marks-{has_right_neighbour}-{has_lower_neighbour}", key, draw))
    return drawings


def _tile_marks(map_tiling: Tiling, has_right_neighbour: bool, has_lower_neighbour: bool) -> Element:
    left, top = (map_tiling.page_width - map_tiling.width) / 2, (map_tiling.page_height - map_tiling.height) / 2
    right, bottom = left + map_tiling.width, top + map_tiling.height
    xs = [left, right, *([right - OVERLAP] if has_right_neighbour else [])]
    ys = [top, bottom, *([bottom - OVERLAP] if has_lower_neighbour else [])]
    return svg.drawing(
        map_tiling.page_width, map_tiling.page_height, crop_marks(xs, ys, (left, top, right, bottom), SIDE_STRIP)
    )


@dataclass(frozen=True)
class MapDrawing:
    """A map or board of the kit: the whole sheet, and the part that is cut into tiles. Each has its numbers separately."""

    id: str
    title: str
    scale: float
    """The printed size relative to the drawing."""
    sheet: Drawing
    sheet_numbers: Drawing | None
    tiled_drawing: Drawing
    tiled_numbers: Drawing | None
    displays: Mapping[str, Space]
    """The tracks and boxes that are printed on the tiled map, where nobody plays."""


def map_drawings(game: Game, ground_view: View, options: Options, cache: Cache, ids: bool = False) -> list[MapDrawing]:
    """The maps, and the boards if scenarios combine them. With `ids` the sheets show their numbers."""
    scenario = game.scenarios[options.scenario] if options.scenario else None
    suffix = "" if ids else "-bare"
    result = []
    for key, field in game.maps.items():
        if scenario and scenario.map != key:
            continue
        scale = map_scale(field, options)
        size = f"{key}-{scale:.5f}"
        displays = displays_on(game, ground_view, key, options, cache)
        display_key = key_of(ground_view.key, repr(displays))
        has_numbers = isinstance(field, HexMap)
        result.append(
            MapDrawing(
                key,
                field.title,
                scale,
                Drawing(
                    f"map-{size}{suffix}", ground_view.key, functools.partial(_map, ground_view.game, key, scale, ids)
                ),
                Drawing(
                    f"map-numbers-{size}",
                    ground_view.key,
                    functools.partial(_map_numbers, ground_view.game, key, scale, None),
                )
                if has_numbers
                else None,
                Drawing(
                    f"tiles-{size}", display_key, functools.partial(_bare_map, ground_view.game, key, scale, displays)
                ),
                Drawing(
                    f"tile-numbers-{size}",
                    display_key,
                    functools.partial(_map_numbers, ground_view.game, key, scale, displays),
                )
                if has_numbers
                else None,
                displays,
            )
        )
    lie = {
        placed_board.board.id
        for field in game.maps.values()
        if isinstance(field, HexMap)
        for placed_board in field.placed
    }
    used = (
        {cell.partition(" ")[0] for row in scenario.arrangement.boards for cell in row}
        if scenario and scenario.arrangement
        else None
    )
    for key, board in game.boards.items():
        if key in lie or (scenario and (used is None or key not in used)):
            continue
        scale = map_scale(board_map(game, key), options)
        size = f"{key}-{scale:.5f}"

        def make_drawing(name: str, draw: Callable[..., Element], *about: object) -> Drawing:
            return Drawing(name, ground_view.key, functools.partial(draw, ground_view.game, key, scale, *about))  # noqa: B023

        result.append(
            MapDrawing(
                key,
                f"Board {key}: {board.name}",
                scale,
                make_drawing(f"board-{size}{suffix}", _board, ids),
                make_drawing(f"board-numbers-{size}", _board_numbers, False),
                make_drawing(f"bare-{size}", _bare_board),
                make_drawing(f"bare-numbers-{size}", _board_numbers, True),
                MappingProxyType({}),
            )
        )
    return result


def displays_on(game: Game, ground_view: View, key: str, options: Options, cache: Cache) -> dict[str, Space]:
    """The tracks and boxes of a map that fit on its tiles, with their positions. The result is cached, because it takes a while."""
    scale = map_scale(game.maps[key], options)
    width, height = bare_size(game, key)

    def find() -> bytes:
        spots = space_centres(game, key)
        map_tiling = tiling(width * scale, height * scale, options, spots, scale)
        windows = [map_tiling.window(*place) for place in map_tiling.used_tiles(spots, scale)]
        items = wanted_spaces(game, key, piece_scale(options) / scale)
        return json.dumps(assign_spaces(game, key, items, windows, scale)).encode("utf-8")

    spaces = json.loads(
        cache.get_or_make(
            key_of("displays", ground_view.key, key, repr(options), repr(sorted(closed_hexes(game, key)))), find
        )
    )
    return {name: Space(*space_fields) for name, space_fields in spaces.items()}


def _map(game: Game, key: str, scale: float, ids: bool) -> Element:
    return svg.scale_drawing(map_sheet(game, key, ids), scale)


def _bare_map(game: Game, key: str, scale: float, displays: Mapping[str, Space]) -> Element:
    return svg.scale_drawing(bare_sheet(game, key, False, displays), scale)


def _map_numbers(game: Game, key: str, scale: float, displays: Mapping[str, Space] | None) -> Element:
    drawing = map_numbers(game, key, displays)
    assert drawing is not None
    return svg.scale_drawing(drawing, scale)


def _board(game: Game, key: str, scale: float, ids: bool) -> Element:
    return svg.scale_drawing(board_sheet(game, key, ids), scale)


def _bare_board(game: Game, key: str, scale: float) -> Element:
    """A board without its frame, so that boards can be put edge to edge."""
    return svg.scale_drawing(draw_map(game, board_map(game, key), ids=False), scale)


def _board_numbers(game: Game, key: str, scale: float, is_bare: bool) -> Element:
    return svg.scale_drawing(board_numbers(game, key, is_bare), scale)


def chart_drawings(game: Game, options: Options) -> list[Drawing]:
    """The tables as pictures, as wide as a page allows; narrow ones half as wide."""
    chart_view = view(game, (*FACES, "terrain", "hexsides", "paths", "routes"))
    scale = options.scale
    room = text_room(options) / scale
    half_width = (room - GAP / scale) / 2
    drawings = []
    for key, table in game.tables.items():
        width = half_width if is_narrow(game, key, half_width) else room
        table_view = chart_view.with_entries(tables={key: readable_table(game, table)})
        draw = functools.partial(_chart, table_view.game, key, width, scale)
        drawings.append(Drawing(f"chart-{key}-{width:g}-{scale:g}", table_view.key, draw))
    return drawings


def _chart(game: Game, key: str, width: float, scale: float) -> Element:
    return svg.scale_drawing(chart(game, key, width), scale)


def thumbnail_drawing(game: Game, ground_view: View, key: str, width: float) -> Drawing:
    """A scenario's map, small, with its set-up areas. The drawing depends on the owners of units, not on their factors."""
    scenario = game.scenarios[key]
    unit_ids = {unit for force in scenario.forces.values() for group in force.groups for unit in group.units}
    units = {unit: cached_on(game.units[unit], _blank_unit) for unit in sorted(unit_ids) if unit in game.units}
    scenario_view = ground_view.with_entries(
        scenarios={key: scenario}, scenario_maps={key: game.scenario_maps[key]}, units=units
    )
    return Drawing(
        f"thumbnail-{key}-{width:g}", scenario_view.key, functools.partial(thumbnail, scenario_view.game, key, width)
    )


def _blank_unit(unit: Unit) -> Unit:
    """A unit without the text and factors of its counter."""
    empty: Mapping[str, Any] = MappingProxyType({})
    changes: dict[str, Any] = {
        "factors": empty,
        "back": None,
        "numbers": (),
        "abilities": frozenset(),
        "breaks_into": empty,
        "note": "",
    }
    return dataclasses.replace(unit, counter=Counter(name=unit.name), **changes)


def display_drawings(
    game: Game, ground_view: View, options: Options, spaces_by_map: Mapping[str, Mapping[str, Space]]
) -> list[tuple[str, Drawing]]:
    """The legend, then tracks one below the other and boxes two in a row, each with its title; without those on a map."""
    room, scale = text_room(options), piece_scale(options)
    box_height = _box_height(game, options, spaces_by_map)
    size = f"{room:g}-{scale:.5f}"
    result = []
    for field in game.maps.values():
        map_spaces = spaces_by_map.get(field.id, {})
        draw = functools.partial(legend_card, ground_view.game, field.id, room)
        result.append(("Legend", Drawing(f"legend-{field.id}-{room:g}", ground_view.key, draw)))
        for key, track in field.tracks.items():
            if f"track/{key}" not in map_spaces:
                draw = functools.partial(_track, ground_view.game, track, room, scale)
                result.append((track.name, Drawing(f"track-{field.id}-{key}-{size}", ground_view.key, draw)))
        boxes = [(key, box) for key, box in field.boxes.items() if f"box/{key}" not in map_spaces]
        for pair in (boxes[i : i + 2] for i in range(0, len(boxes), 2)):
            draw = functools.partial(_boxes, ground_view.game, [box for _, box in pair], room, box_height, scale)
            name = "-".join(key for key, _ in pair)
            result.append(
                (
                    ", ".join(box.name for _, box in pair),
                    Drawing(f"boxes-{field.id}-{name}-{size}-{box_height:g}", ground_view.key, draw),
                )
            )
    if not game.maps:
        result += _boards_displays(game, ground_view, room, scale)
    units = {key: cached_on(unit, _blank_unit) for key, unit in game.units.items()}
    counts = view(game, (*FACES, "markers")).with_entries(units=units)
    draw = functools.partial(tray_labels, counts.game, room)
    result.append(("Labels for counter trays", Drawing(f"trays-{room:g}", counts.key, draw)))
    return result


def _boards_displays(game: Game, ground_view: View, room: float, scale: float) -> list[tuple[str, Drawing]]:
    """The displays for a game of loose boards: a turn track, and a place for each side's losses."""
    result = []
    last = max((scenario.turns.last for scenario in game.scenarios.values() if scenario.turns), default=0)
    names = game.turns.names if game.turns else ()
    last = max(last, (game.turns.count or 0) if game.turns else 0)
    if names or last:
        turns = TrackShape(name="Turns", spaces=names, last=last or None)
        key = key_of(ground_view.key, str(last))
        draw = functools.partial(_track, ground_view.game, turns, room, scale)
        result.append(("Turns", Drawing(f"track-turns-{room:g}-{scale:.5f}", key, draw)))
    for side, player_side in game.sides.items():
        box = BoxShape(name=f"{player_side.name} losses", side=side, kind="dead")
        key = key_of(ground_view.key, side, player_side.name)
        draw = functools.partial(_boxes, ground_view.game, [box], room, BOX_HIGH, scale, 1)
        result.append((box.name, Drawing(f"boxes-lost-{side}-{room:g}-{scale:.5f}", key, draw)))
    return result


def _box_height(
    game: Game, options: Options, spaces_by_map: Mapping[str, Mapping[str, Space]] = MappingProxyType({})
) -> float:
    """The greatest height of boxes, before enlargement, at which the displays take the fewest pages.

    Displays that are placed on a map need no page.
    """
    scale = piece_scale(options)
    room, page_height = text_room(options), options.paper.height - 2 * max(options.margin, TEXT_MARGIN)

    upper_heights = {
        field.id: _heights_above(game, field, room, scale, spaces_by_map.get(field.id, {}))
        for field in game.maps.values()
    }

    def arrange(box_height: float) -> list[list[list[dict[str, Any]]]]:
        cards: list[ShelfCard] = []
        for field in game.maps.values():
            boxes = sum(f"box/{key}" not in spaces_by_map.get(field.id, {}) for key in field.boxes)
            rows = [*upper_heights[field.id], *[(box_height + 0.6) * scale] * -(-boxes // 2)]
            cards += [ShelfCard("", len(cards) + i, room, row) for i, row in enumerate(rows)]
        cards.append(ShelfCard("", len(cards), room, tray_height(game)))
        return pages(cards, room, page_height)

    max_height = min(BOX_HIGH, ((page_height + GAP) / 4 - GAP) / scale - 0.6)  # four in a column
    min_height = min(max_height, LEAST_BOX)
    heights = [
        max(max_height, min_height),
        *(height for height in range(int(BOX_HIGH), int(min_height) - 1, -2) if height < max_height),
    ]
    best = min(heights, key=lambda height: (len(arrange(height)), -height))
    best_pages = arrange(best)
    lower = [] if len(best_pages[-1]) > 1 else range(int(LEAST_BOX) - 1, int(LOW_BOX) - 1, -1)
    return next((height for height in lower if len(arrange(height)) < len(best_pages)), best)


def _heights_above(game: Game, field: Map, room: float, scale: float, map_spaces: Mapping[str, Space]) -> list[float]:
    """The heights of the displays before a map's boxes: its legend and its tracks."""
    free_tracks = [track for key, track in field.tracks.items() if f"track/{key}" not in map_spaces]
    tracks = [scale * (track_height(track, room / scale - 0.4, tens(track)) + 0.4) for track in free_tracks]
    return [legend_height(game, field.id, room), *tracks]


def _track(game: Game, track: TrackShape, room: float, scale: float) -> Element:
    room /= scale
    track_element, height = track_group(game, track, room - 0.4, tens(track))
    return svg.scale_drawing(svg.drawing(room, height + 0.4, [svg.translate(track_element, 0.2, 0.2)]), scale)


def _boxes(
    game: Game, boxes: Sequence[BoxShape], room: float, height: float, scale: float, columns: int = 2
) -> Element:
    room /= scale
    width = (room - 0.6 - 6 * (columns - 1)) / columns
    parts = [
        svg.translate(box_group(game, box, width, height), 0.3 + i * (width + 6), 0.3) for i, box in enumerate(boxes)
    ]
    return svg.scale_drawing(svg.drawing(room, height + 0.6, parts), scale)


def scenario_field(game: Game, key: str) -> Map | None:
    """The map of a scenario."""
    return game.scenario_maps.get(key) or game.maps.get(game.scenarios[key].map)


def is_wide(field: Map) -> bool:
    """Whether a map is much wider than high, judged by the arrangement of its boards."""
    if not isinstance(field, HexMap):
        sheet = point_sheet(field)
        return sheet.width > 1.5 * sheet.height
    flat = field.orientation == "flat"
    lefts, tops, rights, bottoms = [], [], [], []
    for placed_board in field.placed:
        q, r = placed_board.offset
        x, y = (q, r + q / 2) if flat else (q + r / 2, r)
        lefts.append(x)
        tops.append(y)
        rights.append(x + placed_board.board.grid.columns)
        bottoms.append(y + placed_board.board.grid.rows)
    width, height = max(rights) - min(lefts), max(bottoms) - min(tops)
    shape = 1.5 / ROOT3 if flat else ROOT3 / 1.5
    return width * shape > 1.5 * height


def ruler_drawing(length: float) -> Drawing:
    """The small ruler below each tile."""
    draw = functools.partial(svg.drawing, length, 5.2, [ruler(0.3, 4.6, length, inches=False)])
    return Drawing(f"ruler-{length:g}", code_key(), draw)
