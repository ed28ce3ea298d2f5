"""Which drawings a kit is made of, each with the view of the game that decides it."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from art import svg
from art.charts import chart, chart_group, is_narrow, spoken
from art.geometry import ROOT3
from art.hexmap import draw_map
from art.mapsheet import beside, board_map, board_sheet, ground_size, legend_card, legend_height, map_plan, map_sheet
from art.setup import thumbnail
from art.svg import Element
from art.tracks import BOX_HIGH, box_group, track_group, track_height
from modgen.cache import code_key, key_of
from modgen.kit.faces import Faces
from modgen.kit.imposition import PAGES, sheet_page
from modgen.kit.marks import ruler
from modgen.kit.options import Options
from modgen.kit.plates import Drawing
from modgen.kit.scale import map_scale, piece_scale
from modgen.kit.sheets import Sheet
from modgen.kit.shelves import GAP, Card, pages
from modgen.kit.trays import tray_labels
from modgen.kit.views import FACES, View, view
from scenarios.counters import Counter, Unit
from scenarios.game import Field, Game
from scenarios.maps import BoxShape, HexMap, TrackShape
from scenarios.same import Same

TEXT_MARGIN = 14.0
"""The margin of pages with text, where the one that was chosen is smaller."""


ALIKE = 0.55
"""Cards of which one is lower than this part of the other don't stand side by side."""
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
        own = faces.seen.plus(units=units, markers=markers)
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


@dataclass(frozen=True)
class MapDrawing:
    """A map or board of the kit: the whole sheet, and what of it is cut into tiles."""

    id: str
    title: str
    scale: float
    """How much larger than drawn it is printed."""
    sheet: Drawing
    tiled: Drawing
    window: tuple[float, float] | None = None
    """The part of it, from its top left corner, that the tiles show; else all. Tracks and boxes have their own pages."""


def map_drawings(game: Game, seen: View, options: Options) -> list[MapDrawing]:
    """The maps; and the boards, where scenarios put them together."""
    wanted = game.scenarios[options.scenario] if options.scenario else None
    result = []
    for key, field in game.maps.items():
        if wanted and wanted.map != key:
            continue
        by = map_scale(field, options)
        drawing = Drawing(f"map-{key}-{by:.5f}", seen.key, functools.partial(_map, seen.game, key, by))
        wide, high = ground_size(game, key)
        result.append(MapDrawing(key, field.title, by, drawing, drawing, (wide * by, high * by)))
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
        drawing = Drawing(f"board-{key}-{by:.5f}", seen.key, functools.partial(_board, seen.game, key, by))
        bare = Drawing(f"bare-{key}-{by:.5f}", seen.key, functools.partial(_bare_board, seen.game, key, by))
        result.append(MapDrawing(key, f"Board {key}: {board.name}", by, drawing, bare))
    return result


def _map(game: Game, key: str, by: float) -> Element:
    return svg.enlarged(map_sheet(game, key), by)


def _board(game: Game, key: str, by: float) -> Element:
    return svg.enlarged(board_sheet(game, key), by)


def _bare_board(game: Game, key: str, by: float) -> Element:
    """A board without its frame, so that boards can be laid edge to edge."""
    return svg.enlarged(draw_map(game, board_map(game, key)), by)


def chart_drawings(game: Game, options: Options) -> list[Drawing]:
    """The tables as cards, as wide as a page allows; narrow ones half as wide, where there are two of about a height."""
    seen = view(game, (*FACES, "terrain", "hexsides", "paths", "routes"))
    by = options.enlarged
    room = text_room(options) / by
    half = (room - GAP / by) / 2
    narrow = [key for key in game.tables if is_narrow(game, key, half)]
    partners = _partners({key: chart_group(game, key, half, sourced=False)[1] for key in narrow})
    drawings = []
    for key, table in game.tables.items():
        width, beside = (half, partners[key]) if key in partners else (room, "")
        shown = {key: table} | ({beside: game.tables[beside]} if beside else {})
        own = seen.only(tables={key: spoken(game, table) for key, table in shown.items()})
        draw = functools.partial(_chart, own.game, key, width, beside, by)
        drawings.append(Drawing(f"chart-{key}-{width:g}-{by:g}", own.key, draw))
    return drawings


def _chart(game: Game, key: str, width: float, beside: str, by: float) -> Element:
    return svg.enlarged(chart(game, key, width, beside, sourced=False), by)


def _partners(heights: Mapping[str, float]) -> dict[str, str]:
    """Which narrow cards stand beside each other: each with the next, if they are alike, else with the most alike."""
    result: dict[str, str] = {}
    left = list(heights)
    while left:
        key = left.pop(0)
        alike = {other: min(heights[key], heights[other]) / max(heights[key], heights[other]) for other in left}
        best = max(left, key=lambda other: (other == left[0] and alike[other] >= ALIKE, alike[other]), default=None)
        if best is not None and alike[best] >= ALIKE:
            left.remove(best)
            result |= {key: best, best: key}
    return result


def thumbnail_drawing(game: Game, seen: View, key: str, width: float) -> Drawing:
    """A scenario's map, small, with its set-up areas. Of units it sees whose they are, and no factors."""
    held = game.scenarios[key]
    named = {unit for force in held.forces.values() for group in force.groups for unit in group.units}
    units = {unit: _bare(Same(game.units[unit])) for unit in sorted(named) if unit in game.units}
    own = seen.only(scenarios={key: held}, scenario_maps={key: game.scenario_maps[key]}, units=units)
    return Drawing(f"thumbnail-{key}-{width:g}", own.key, functools.partial(thumbnail, own.game, key, width))


@functools.lru_cache(maxsize=4096)
def _bare(same: Same[Unit]) -> Unit:
    """A unit without what its counter says."""
    unit = same.value
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


def display_drawings(game: Game, seen: View, options: Options) -> list[tuple[str, Drawing]]:
    """Tracks one below the other, boxes two in a row; each with its title."""
    room, by = text_room(options), piece_scale(options)
    high = _box_height(game, options)
    size = f"{room:g}-{by:.5f}"
    result = []
    for field in game.maps.values():
        if beside(map_plan(game, field.id)):
            draw = functools.partial(legend_card, seen.game, field.id, room)
            result.append(("Legend", Drawing(f"legend-{field.id}-{room:g}", seen.key, draw)))
        for key, track in field.tracks.items():
            draw = functools.partial(_track, seen.game, track, room, by)
            result.append((track.name, Drawing(f"track-{field.id}-{key}-{size}", seen.key, draw)))
        boxes = list(field.boxes.items())
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
    units = {key: _bare(Same(unit)) for key, unit in game.units.items()}
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


def _box_height(game: Game, options: Options) -> float:
    """The greatest height of boxes, before they are enlarged, at which the displays take the fewest pages."""
    by = piece_scale(options)
    room, deep = text_room(options), options.paper.height - 2 * max(options.margin, TEXT_MARGIN)

    above = {field.id: _heights_above(game, field, room, by) for field in game.maps.values()}

    def laid(high: float) -> list[list[list[dict[str, Any]]]]:
        cards: list[Card] = []
        for field in game.maps.values():
            rows = [*above[field.id], *[(high + 0.6) * by] * -(-len(field.boxes) // 2)]
            cards += [Card("", len(cards) + i, room, row) for i, row in enumerate(rows)]
        return pages(cards, room, deep) if cards else []

    most = min(BOX_HIGH, ((deep + GAP) / 4 - GAP) / by - 0.6)  # four in a column
    least = min(most, LEAST_BOX)
    heights = [max(most, least), *(high for high in range(int(BOX_HIGH), int(least) - 1, -2) if high < most)]
    best = min(heights, key=lambda high: (len(laid(high)), -high))
    held = laid(best)
    lower = [] if not held or len(held[-1]) > 1 else range(int(LEAST_BOX) - 1, int(LOW_BOX) - 1, -1)
    return next((high for high in lower if len(laid(high)) < len(held)), best)


def _heights_above(game: Game, field: Field, room: float, by: float) -> list[float]:
    """How high what stands before a map's boxes is: its legend, where it isn't below the map, and its tracks."""
    legend = [legend_height(game, field.id, room)] if beside(map_plan(game, field.id)) else []
    return legend + [by * (track_height(track, room / by - 0.4, _tens(track)) + 0.4) for track in field.tracks.values()]


def _tens(track: TrackShape) -> int:
    """Ten where a track gets a row for each ten, else 0."""
    return 10 if len(track.labels) > 30 and track.labels[0] in ("0", "1") else 0


def _track(game: Game, track: TrackShape, room: float, by: float) -> Element:
    room /= by
    drawn, high = track_group(game, track, room - 0.4, _tens(track))
    return svg.enlarged(svg.drawing(room, high + 0.4, [svg.moved(drawn, 0.2, 0.2)]), by)


def _boxes(game: Game, boxes: Sequence[BoxShape], room: float, high: float, by: float, columns: int = 2) -> Element:
    room /= by
    wide = (room - 0.6 - 6 * (columns - 1)) / columns
    parts = [svg.moved(box_group(game, box, wide, high), 0.3 + i * (wide + 6), 0.3) for i, box in enumerate(boxes)]
    return svg.enlarged(svg.drawing(room, high + 0.6, parts), by)


def scenario_field(game: Game, key: str) -> Field | None:
    """The map that a scenario is played on."""
    return game.scenario_maps.get(key) or game.maps.get(game.scenarios[key].map)


def is_wide(field: HexMap) -> bool:
    """Whether a map is much wider than high, from where its boards lie."""
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
