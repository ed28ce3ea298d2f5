"""Which drawings a kit is made of, each with the view of the game that decides it."""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from art import svg
from art.charts import chart, is_narrow, spoken
from art.geometry import ROOT3
from art.hexmap import draw_map
from art.mapsheet import (
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
from art.pointsheet import point_sheet
from art.setup import thumbnail
from art.svg import Element
from art.tracks import BOX_HIGH, Space, box_group, tens, track_group, track_height
from modgen.cache import Cache, code_key, key_of
from modgen.kit.closed import closed
from modgen.kit.faces import Faces
from modgen.kit.imposition import PAGES, sheet_marks, sheet_page
from modgen.kit.marks import crop_marks, ruler
from modgen.kit.options import Options
from modgen.kit.plates import Drawing
from modgen.kit.scale import map_scale, piece_scale
from modgen.kit.sheets import Sheet
from modgen.kit.shelves import GAP, Card, pages
from modgen.kit.spare import laid
from modgen.kit.spare import wanted as wanted_displays
from modgen.kit.tiles import OVERLAP, SIDE_STRIP, Tiling, played, tiling
from modgen.kit.trays import tray_height, tray_labels
from modgen.kit.views import FACES, View, view
from scenarios.counters import Counter, Unit
from scenarios.game import Game, Map
from scenarios.kept import once
from scenarios.maps import BoxShape, HexMap, TrackShape

TEXT_MARGIN = 14.0
"""The margin of pages with text, where the one that was chosen is smaller."""


LEAST_BOX = 50.0
"""Boxes may be so low where that saves a page."""
LOW_BOX = 44.0
"""And so low, which two rows of counters need, where that saves a page with just one row of them."""


def text_room(options: Options) -> float:
    """How wide text and cards may be."""
    return options.paper.width - 2 * max(options.margin, TEXT_MARGIN)


def sheet_drawings(faces: Faces, laid: Sequence[Sheet], options: Options) -> list[list[Drawing]]:
    """The pages of each counter sheet, its front and its back."""
    game = faces.game
    result = []
    for sheet in laid:
        units = {cell.piece.id: game.units[cell.piece.id] for cell in sheet.cells if cell.piece.kind == "unit"}
        markers = {cell.piece.id: game.markers[cell.piece.id] for cell in sheet.cells if cell.piece.kind == "marker"}
        own = faces.seen.only(units=units, markers=markers)
        key = key_of(own.key, repr(sheet), repr(options), str(len(laid)))
        result.append(
            [
                Drawing(
                    f"sheet-{sheet.number}-{page}",
                    key,
                    functools.partial(sheet_page, faces, sheet, page, options, len(laid)),
                )
                for page in PAGES[options.backs]
            ]
        )
    return result


def mark_drawings(laid: Sequence[Sheet], options: Options) -> list[list[Drawing]]:
    """The cut lines of each counter sheet, on its front and its back; none where a template wants none."""
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
        for sheet in laid
    ]


def tile_marks(tiled: Tiling, kept: Sequence[tuple[int, int]]) -> list[Drawing]:
    """The cut lines around each tile: at its edges, and where the strip begins that a neighbour is glued on."""
    key = key_of(code_key(), repr(tiled))
    drawings = []
    for column, row in kept:
        beside, below = (column + 1, row) in kept, (column, row + 1) in kept
        draw = functools.partial(_tile_marks, tiled, beside, below)
        drawings.append(Drawing(f"tile-marks-{beside}-{below}", key, draw))
    return drawings


def _tile_marks(tiled: Tiling, beside: bool, below: bool) -> Element:
    left, top = (tiled.page_width - tiled.width) / 2, (tiled.page_height - tiled.height) / 2
    right, bottom = left + tiled.width, top + tiled.height
    xs = [left, right, *([right - OVERLAP] if beside else [])]
    ys = [top, bottom, *([bottom - OVERLAP] if below else [])]
    return svg.drawing(tiled.page_width, tiled.page_height, crop_marks(xs, ys, (left, top, right, bottom), SIDE_STRIP))


@dataclass(frozen=True)
class MapDrawing:
    """A map or board of the kit: the whole sheet, and what of it is cut into tiles, each with its numbers apart."""

    id: str
    title: str
    scale: float
    """How much larger than drawn it is printed."""
    sheet: Drawing
    sheet_numbers: Drawing | None
    tiled: Drawing
    tiled_numbers: Drawing | None
    displays: Mapping[str, Space]
    """The tracks and boxes that lie on the tiled map, where nobody plays."""


def map_drawings(game: Game, seen: View, options: Options, cache: Cache, ids: bool = False) -> list[MapDrawing]:
    """The maps; and the boards, where scenarios put them together. With `ids` the sheets have their numbers on them."""
    wanted = game.scenarios[options.scenario] if options.scenario else None
    shown = "" if ids else "-bare"
    result = []
    for key, field in game.maps.items():
        if wanted and wanted.map != key:
            continue
        by = map_scale(field, options)
        size = f"{key}-{by:.5f}"
        found = displays_on(game, seen, key, options, cache)
        on = key_of(seen.key, repr(found))
        numbered = isinstance(field, HexMap)
        result.append(
            MapDrawing(
                key,
                field.title,
                by,
                Drawing(f"map-{size}{shown}", seen.key, functools.partial(_map, seen.game, key, by, ids)),
                Drawing(f"map-numbers-{size}", seen.key, functools.partial(_map_numbers, seen.game, key, by, None))
                if numbered
                else None,
                Drawing(f"tiles-{size}", on, functools.partial(_bare_map, seen.game, key, by, found)),
                Drawing(f"tile-numbers-{size}", on, functools.partial(_map_numbers, seen.game, key, by, found))
                if numbered
                else None,
                found,
            )
        )
    lie = {placed.board.id for field in game.maps.values() if isinstance(field, HexMap) for placed in field.placed}
    used = (
        {cell.partition(" ")[0] for row in wanted.arrangement.boards for cell in row}
        if wanted and wanted.arrangement
        else None
    )
    for key, board in game.boards.items():
        if key in lie or (wanted and (used is None or key not in used)):
            continue
        by = map_scale(board_map(game, key), options)
        size = f"{key}-{by:.5f}"

        def drawn(name: str, draw: Callable[..., Element], *about: object) -> Drawing:
            return Drawing(name, seen.key, functools.partial(draw, seen.game, key, by, *about))  # noqa: B023

        result.append(
            MapDrawing(
                key,
                f"Board {key}: {board.name}",
                by,
                drawn(f"board-{size}{shown}", _board, ids),
                drawn(f"board-numbers-{size}", _board_numbers, False),
                drawn(f"bare-{size}", _bare_board),
                drawn(f"bare-numbers-{size}", _board_numbers, True),
                MappingProxyType({}),
            )
        )
    return result


def displays_on(game: Game, seen: View, key: str, options: Options, cache: Cache) -> dict[str, Space]:
    """The tracks and boxes of a map that find room on its tiles, and where; kept, for it takes a while to find out."""
    by = map_scale(game.maps[key], options)
    wide, high = bare_size(game, key)

    def find() -> bytes:
        spots = played(game, key)
        tiled = tiling(wide * by, high * by, options, spots, by)
        windows = [tiled.window(*place) for place in tiled.kept(spots, by)]
        items = wanted_displays(game, key, piece_scale(options) / by)
        return json.dumps(laid(game, key, items, windows, by)).encode("utf-8")

    made = json.loads(
        cache.made(key_of("displays", seen.key, key, repr(options), repr(sorted(closed(game, key)))), find)
    )
    return {name: Space(*held) for name, held in made.items()}


def _map(game: Game, key: str, by: float, ids: bool) -> Element:
    return svg.enlarged(map_sheet(game, key, ids), by)


def _bare_map(game: Game, key: str, by: float, displays: Mapping[str, Space]) -> Element:
    return svg.enlarged(bare_sheet(game, key, False, displays), by)


def _map_numbers(game: Game, key: str, by: float, displays: Mapping[str, Space] | None) -> Element:
    made = map_numbers(game, key, displays)
    assert made is not None
    return svg.enlarged(made, by)


def _board(game: Game, key: str, by: float, ids: bool) -> Element:
    return svg.enlarged(board_sheet(game, key, ids), by)


def _bare_board(game: Game, key: str, by: float) -> Element:
    """A board without its frame, so that boards can be laid edge to edge."""
    return svg.enlarged(draw_map(game, board_map(game, key), ids=False), by)


def _board_numbers(game: Game, key: str, by: float, bare: bool) -> Element:
    return svg.enlarged(board_numbers(game, key, bare), by)


def chart_drawings(game: Game, options: Options) -> list[Drawing]:
    """The tables as pictures, as wide as a page allows, narrow ones half as wide."""
    seen = view(game, (*FACES, "terrain", "hexsides", "paths", "routes"))
    by = options.enlarged
    room = text_room(options) / by
    half = (room - GAP / by) / 2
    drawings = []
    for key, table in game.tables.items():
        width = half if is_narrow(game, key, half) else room
        own = seen.only(tables={key: spoken(game, table)})
        draw = functools.partial(_chart, own.game, key, width, by)
        drawings.append(Drawing(f"chart-{key}-{width:g}-{by:g}", own.key, draw))
    return drawings


def _chart(game: Game, key: str, width: float, by: float) -> Element:
    return svg.enlarged(chart(game, key, width), by)


def thumbnail_drawing(game: Game, seen: View, key: str, width: float) -> Drawing:
    """A scenario's map, small, with its set-up areas. Of units it sees whose they are, and no factors."""
    held = game.scenarios[key]
    named = {unit for force in held.forces.values() for group in force.groups for unit in group.units}
    units = {unit: once(game.units[unit], _bare) for unit in sorted(named) if unit in game.units}
    own = seen.only(scenarios={key: held}, scenario_maps={key: game.scenario_maps[key]}, units=units)
    return Drawing(f"thumbnail-{key}-{width:g}", own.key, functools.partial(thumbnail, own.game, key, width))


def _bare(unit: Unit) -> Unit:
    """A unit without what its counter says."""
    none: Mapping[str, Any] = MappingProxyType({})
    said: dict[str, Any] = {
        "factors": none,
        "back": None,
        "numbers": (),
        "abilities": frozenset(),
        "breaks_into": none,
        "note": "",
    }
    return dataclasses.replace(unit, counter=Counter(name=unit.name), **said)


def display_drawings(
    game: Game, seen: View, options: Options, placed: Mapping[str, Mapping[str, Space]]
) -> list[tuple[str, Drawing]]:
    """The legend, then tracks one below the other and boxes two in a row, each with its title; not what lies on a map."""
    room, by = text_room(options), piece_scale(options)
    high = _box_height(game, options, placed)
    size = f"{room:g}-{by:.5f}"
    result = []
    for field in game.maps.values():
        on = placed.get(field.id, {})
        draw = functools.partial(legend_card, seen.game, field.id, room)
        result.append(("Legend", Drawing(f"legend-{field.id}-{room:g}", seen.key, draw)))
        for key, track in field.tracks.items():
            if f"track/{key}" not in on:
                draw = functools.partial(_track, seen.game, track, room, by)
                result.append((track.name, Drawing(f"track-{field.id}-{key}-{size}", seen.key, draw)))
        boxes = [(key, box) for key, box in field.boxes.items() if f"box/{key}" not in on]
        for pair in (boxes[i : i + 2] for i in range(0, len(boxes), 2)):
            draw = functools.partial(_boxes, seen.game, [box for _, box in pair], room, high, by)
            name = "-".join(key for key, _ in pair)
            result.append(
                (
                    ", ".join(box.name for _, box in pair),
                    Drawing(f"boxes-{field.id}-{name}-{size}-{high:g}", seen.key, draw),
                )
            )
    if not game.maps:
        result += _boards_displays(game, seen, room, by)
    units = {key: once(unit, _bare) for key, unit in game.units.items()}
    counts = view(game, (*FACES, "markers")).only(units=units)
    draw = functools.partial(tray_labels, counts.game, room)
    result.append(("Labels for counter trays", Drawing(f"trays-{room:g}", counts.key, draw)))
    return result


def _boards_displays(game: Game, seen: View, room: float, by: float) -> list[tuple[str, Drawing]]:
    """What a game of loose boards needs beside them: a turn track, and a place for what each side has lost."""
    result = []
    last = max((held.turns.last for held in game.scenarios.values() if held.turns), default=0)
    names = game.turns.names if game.turns else ()
    last = max(last, (game.turns.count or 0) if game.turns else 0)
    if names or last:
        turns = TrackShape(name="Turns", spaces=names, last=last or None)
        key = key_of(seen.key, str(last))
        draw = functools.partial(_track, seen.game, turns, room, by)
        result.append(("Turns", Drawing(f"track-turns-{room:g}-{by:.5f}", key, draw)))
    for side, held in game.sides.items():
        box = BoxShape(name=f"{held.name} losses", side=side, kind="dead")
        key = key_of(seen.key, side, held.name)
        draw = functools.partial(_boxes, seen.game, [box], room, BOX_HIGH, by, 1)
        result.append((box.name, Drawing(f"boxes-lost-{side}-{room:g}-{by:.5f}", key, draw)))
    return result


def _box_height(
    game: Game, options: Options, placed: Mapping[str, Mapping[str, Space]] = MappingProxyType({})
) -> float:
    """The greatest height of boxes, before they are enlarged, at which the displays take the fewest pages.

    What is placed on a map needs no page.
    """
    by = piece_scale(options)
    room, deep = text_room(options), options.paper.height - 2 * max(options.margin, TEXT_MARGIN)

    above = {field.id: _heights_above(game, field, room, by, placed.get(field.id, {})) for field in game.maps.values()}

    def laid(high: float) -> list[list[list[dict[str, Any]]]]:
        cards: list[Card] = []
        for field in game.maps.values():
            boxes = sum(f"box/{key}" not in placed.get(field.id, {}) for key in field.boxes)
            rows = [*above[field.id], *[(high + 0.6) * by] * -(-boxes // 2)]
            cards += [Card("", len(cards) + i, room, row) for i, row in enumerate(rows)]
        cards.append(Card("", len(cards), room, tray_height(game)))
        return pages(cards, room, deep)

    most = min(BOX_HIGH, ((deep + GAP) / 4 - GAP) / by - 0.6)  # four in a column
    least = min(most, LEAST_BOX)
    heights = [max(most, least), *(high for high in range(int(BOX_HIGH), int(least) - 1, -2) if high < most)]
    best = min(heights, key=lambda high: (len(laid(high)), -high))
    held = laid(best)
    lower = [] if len(held[-1]) > 1 else range(int(LEAST_BOX) - 1, int(LOW_BOX) - 1, -1)
    return next((high for high in lower if len(laid(high)) < len(held)), best)


def _heights_above(game: Game, field: Map, room: float, by: float, placed: Mapping[str, Space]) -> list[float]:
    """How high what stands before a map's boxes is: its legend and its tracks."""
    left = [track for key, track in field.tracks.items() if f"track/{key}" not in placed]
    tracks = [by * (track_height(track, room / by - 0.4, tens(track)) + 0.4) for track in left]
    return [legend_height(game, field.id, room), *tracks]


def _track(game: Game, track: TrackShape, room: float, by: float) -> Element:
    room /= by
    drawn, high = track_group(game, track, room - 0.4, tens(track))
    return svg.enlarged(svg.drawing(room, high + 0.4, [svg.moved(drawn, 0.2, 0.2)]), by)


def _boxes(game: Game, boxes: Sequence[BoxShape], room: float, high: float, by: float, columns: int = 2) -> Element:
    room /= by
    wide = (room - 0.6 - 6 * (columns - 1)) / columns
    parts = [svg.moved(box_group(game, box, wide, high), 0.3 + i * (wide + 6), 0.3) for i, box in enumerate(boxes)]
    return svg.enlarged(svg.drawing(room, high + 0.6, parts), by)


def scenario_field(game: Game, key: str) -> Map | None:
    """The map that a scenario is played on."""
    return game.scenario_maps.get(key) or game.maps.get(game.scenarios[key].map)


def is_wide(field: Map) -> bool:
    """Whether a map is much wider than high, from where its boards lie."""
    if not isinstance(field, HexMap):
        sheet = point_sheet(field)
        return sheet.width > 1.5 * sheet.height
    flat = field.orientation == "flat"
    lefts, tops, rights, bottoms = [], [], [], []
    for placed in field.placed:
        q, r = placed.offset
        x, y = (q, r + q / 2) if flat else (q + r / 2, r)
        lefts.append(x)
        tops.append(y)
        rights.append(x + placed.board.grid.columns)
        bottoms.append(y + placed.board.grid.rows)
    wide, high = max(rights) - min(lefts), max(bottoms) - min(tops)
    shape = 1.5 / ROOT3 if flat else ROOT3 / 1.5
    return wide * shape > 1.5 * high


def ruler_drawing(length: float) -> Drawing:
    """The small ruler below each tile."""
    draw = functools.partial(svg.drawing, length, 5.2, [ruler(0.3, 4.6, length, inches=False)])
    return Drawing(f"ruler-{length:g}", code_key(), draw)
