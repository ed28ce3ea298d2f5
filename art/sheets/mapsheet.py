"""Complete printed sheets: a map in its frame, with its title, compass, scale, legend, tracks and boxes around it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from art import svg
from art.geometry import ROOT3
from art.maps import pointmap
from art.maps.hexmap import SIDE, ids_group, map_group, sheet_of
from art.maps.labels import Box
from art.maps.point_labels import placed_names
from art.maps.point_layout import point_sheet
from art.sheets import furniture, legend
from art.sheets.furniture import EDGE, PAPER
from art.sheets.heading import LEAST_ROOM, HeadingText, heading
from art.sheets.tracks import BOX_HIGH, SPACE, Space, box_group, tens, track_group, track_spaces
from art.svg import Element
from art.text import centred_text, lines, text, width
from scenarios.model.game import Game, Map
from scenarios.model.hexes import Hex
from scenarios.model.maps import BoxShape, HexMap, PlacedBoard, TrackShape
from scenarios.model.memo import cached_on
from scenarios.model.sources import Source

MARGIN, GAP, FOOT = 14.0, 7.0, 12.0
SHEET_MARGIN = 7.0
"""The margin around a map that is cut into tiles: room for its frame and edge names."""
HEX_WIDTH = 19.0
"""The printed width of a hex from flat to flat for a counter of 16 mm. Counters in adjacent hexes don't touch."""
TRACK_PAD = 3.0
"""The paper border around a track on a map."""
OPEN = frozenset({"sea"})
"""The water that is out of play."""
PANEL_WIDTH = 290.0
"""The width of the strip beside a tall map."""


@dataclass(frozen=True)
class SheetPlan:
    """The positions on a sheet in millimeters: the map's top left corner, each box, each space of each track."""

    width: float
    height: float
    map: Space
    boxes: Mapping[str, Space]
    tracks: Mapping[str, tuple[Space, ...]]


class _Surface(NamedTuple):
    """The map or board at the center of a sheet."""

    heading: str
    subtitle: str
    body: Callable[[], Element]
    width: float
    height: float
    north: str
    entries: Sequence[legend.LegendEntry]
    hex_width: float
    tracks: Mapping[str, TrackShape]
    boxes: Mapping[str, BoxShape]
    source: Source | None


def map_sheet(game: Game, map_id: str, ids: bool = True) -> Element:
    """A map of the pack as one printed sheet. The hex numbers are optional."""
    return _draw(game, _surface(game, game.maps[map_id], ids))[0]


def bare_sheet(game: Game, map_id: str, ids: bool, displays: Mapping[str, Space]) -> Element:
    """A map in its frame with nothing around it, for cutting into tiles. It has the tracks and boxes that lie on it."""
    field = game.maps[map_id]
    surface = _surface(game, field, ids, taken_by(displays))
    width, height = surface.width + 2 * SHEET_MARGIN, surface.height + 2 * SHEET_MARGIN
    has_frame = surface.hex_width > 0
    parts = [
        svg.rect(0, 0, width, height, fill=PAPER),
        svg.translate(surface.body(), SHEET_MARGIN, SHEET_MARGIN),
        *([furniture.frame(SHEET_MARGIN, SHEET_MARGIN, surface.width, surface.height)] if has_frame else []),
        *(
            [furniture.edge_names(SHEET_MARGIN, SHEET_MARGIN, surface.width, surface.height, surface.north)]
            if has_frame and surface.north
            else []
        ),
        *(_display(game, field, key, space) for key, space in displays.items()),
    ]
    return svg.drawing(width, height, parts)


def bare_size(game: Game, map_id: str) -> tuple[float, float]:
    """The size of a map's bare sheet."""
    plan = map_plan(game, map_id).map
    return plan.width + 2 * SHEET_MARGIN, plan.height + 2 * SHEET_MARGIN


def taken_by(displays: Mapping[str, Space]) -> tuple[Box, ...]:
    """The boxes of the map that tracks and boxes on a bare sheet hide."""
    corners = (
        (space.x - SHEET_MARGIN, space.y - SHEET_MARGIN, space.width, space.height) for space in displays.values()
    )
    return tuple(Box(x, y, x + width, y + height) for x, y, width, height in corners)


def _display(game: Game, field: Map, key: str, space: Space) -> Element:
    """A track on a piece of paper, or a box, in its place on a map. Counters fit it as they fit the map."""
    kind, _, name = key.partition("/")
    scale = ROOT3 * SIDE / HEX_WIDTH if isinstance(field, HexMap) else 1.0
    if kind == "box":
        return svg.translate(
            box_group(game, field.boxes[name], space.width / scale, space.height / scale), space.x, space.y, scale
        )
    width, height = space.width / scale, space.height / scale
    track = track_group(game, field.tracks[name], width - 2 * TRACK_PAD + 0.01, tens(field.tracks[name]))[0]
    paper = svg.rect(0, 0, width, height, rx=1.6, fill=PAPER, stroke=EDGE, stroke_width=0.4)
    return svg.translate(svg.group([paper, svg.translate(track, TRACK_PAD, TRACK_PAD)]), space.x, space.y, scale)


def unplayed_test(game: Game, map_id: str, closed_hexes: frozenset[Hex] = frozenset()) -> Callable[[Box], bool]:
    """A test whether a small box on a map is out of play: in the open sea, in closed hexes, off all routes, or between two theaters."""
    field = game.maps[map_id]
    if isinstance(field, HexMap):
        paper = sheet_of(field, SIDE).paper
        path_hexes = {hex for side in field.path_sides for hex in side}
        place_hexes = {hex for place in field.places.values() for hex in place.hexes}
        empty = (
            {hex for hex, kind in field.terrain.items() if kind in OPEN or hex in closed_hexes}
            - path_hexes
            - place_hexes
        )
        margin = 0.35 * SIDE

        def at_sea(box: Box) -> bool:
            xs, ys = (box.left - margin, box.right + margin), (box.top - margin, box.bottom + margin)
            return all(paper.hex_at(x, y) in empty for x in xs for y in ys)

        return at_sea
    sheet = point_sheet(field)
    crowd = placed_names(game, field, sheet)[1]

    sheet_box = Box(0, 0, sheet.width, sheet.height)

    def is_unplayed(box: Box) -> bool:
        inside = any(_holds(f.box, box) for f in sheet.frames)
        is_between = _holds(sheet_box, box) and not any(f.box.grow(2).overlap(box) for f in sheet.frames)
        return (inside or is_between) and crowd.cost(box.grow(3)) == 0

    return is_unplayed


def _holds(outer: Box, inner: Box) -> bool:
    """Whether a box lies well inside another."""
    fits_across = outer.left + 2 < inner.left and inner.right < outer.right - 2
    return fits_across and outer.top + 2 < inner.top and inner.bottom < outer.bottom - 2


def map_numbers(game: Game, map_id: str, displays: Mapping[str, Space] | None = None) -> Element | None:
    """Only the hex numbers of a map, placed as on its sheet, or as on its bare sheet with these tracks and boxes."""
    field = game.maps[map_id]
    if not isinstance(field, HexMap):
        return None
    plan = map_plan(game, map_id)
    if displays is None:
        return _numbers(game, field, plan.width, plan.height, plan.map.x, plan.map.y)
    return _numbers(game, field, *bare_size(game, map_id), SHEET_MARGIN, SHEET_MARGIN, taken_by(displays))


def board_numbers(game: Game, board_id: str, is_bare: bool) -> Element:
    """Only the hex numbers of a board, placed as on its sheet, or as on the board without its frame."""
    field = board_map(game, board_id)
    if is_bare:
        sheet = sheet_of(field, SIDE)
        return _numbers(game, field, sheet.width, sheet.height, 0, 0)
    plan = board_plan(game, board_id)
    return _numbers(game, field, plan.width, plan.height, plan.map.x, plan.map.y)


def _numbers(
    game: Game, field: HexMap, width: float, height: float, x: float, y: float, obstacles: Sequence[Box] = ()
) -> Element:
    return svg.drawing(width, height, [svg.translate(ids_group(game, field, sheet_of(field, SIDE), obstacles), x, y)])


def map_plan(game: Game, map_id: str) -> SheetPlan:
    """The positions on a map's sheet."""
    return cached_on(game, _plan, map_id)


def _plan(game: Game, map_id: str) -> SheetPlan:
    return _draw(game, _undrawn_surface(_surface(game, game.maps[map_id])))[1]


def legend_card(game: Game, map_id: str, room: float) -> Element:
    """A map's legend as a separate drawing."""
    body, height = legend.legend_group(_surface(game, game.maps[map_id]).entries, room)
    return svg.drawing(room, height, [body])


def legend_height(game: Game, map_id: str, room: float) -> float:
    """The height of a map's separate legend."""
    return legend.legend_group(_surface(game, game.maps[map_id]).entries, room)[1]


def scenario_map(game: Game, scenario_id: str) -> Element:
    """The map of a scenario. Joined boards get a turn track of the scenario's length."""
    return _draw(game, _scenario_surface(game, scenario_id))[0]


def scenario_plan(game: Game, scenario_id: str) -> SheetPlan:
    """The positions on the sheet of a scenario's map."""
    return _draw(game, _undrawn_surface(_scenario_surface(game, scenario_id)))[1]


def _undrawn_surface(surface: _Surface) -> _Surface:
    """A surface without a drawn map. That is enough for a plan."""
    return surface._replace(body=lambda: svg.group([]))


def board_sheet(game: Game, board_id: str, ids: bool = True) -> Element:
    """One board with its letter and a legend. The inner line of its frame is the cutting line. A board has no north of its own."""
    return _draw(game, _board_surface(game, board_id, ids), letter=board_id)[0]


def board_plan(game: Game, board_id: str) -> SheetPlan:
    """The positions on a board's sheet."""
    return _draw(game, _undrawn_surface(_board_surface(game, board_id)), letter=board_id)[1]


def _board_surface(game: Game, board_id: str, ids: bool = True) -> _Surface:
    surface = _surface(game, board_map(game, board_id), ids)
    return surface._replace(subtitle=f"Board {board_id}: {surface.subtitle}", north="")


def board_map(game: Game, board_id: str) -> HexMap:
    """A map of one board, in the orientation in which its letters are upright."""
    board = game.boards[board_id]
    plain_kind = next(iter(game.terrain))
    no_boxes: Mapping[str, BoxShape] = MappingProxyType({})
    return HexMap(
        board_id,
        board.name,
        (PlacedBoard(board, Hex(0, 0), False),),
        "up",
        plain_kind,
        False,
        no_boxes,
        MappingProxyType({}),
    )


def _scenario_surface(game: Game, scenario_id: str) -> _Surface:
    scenario = game.scenarios[scenario_id]
    surface = _surface(game, game.scenario_maps[scenario_id])
    subtitle = f"{scenario_id}: {scenario.title}" + (f" ({scenario.date})" if scenario.date else "")
    tracks = surface.tracks
    if not tracks and scenario.turns is not None:
        tracks = {"turn": TrackShape(name="Turn", first=scenario.turns.first, last=scenario.turns.last)}
    return surface._replace(subtitle=subtitle, tracks=tracks)


def _surface(game: Game, field: Map, ids: bool = True, obstacles: Sequence[Box] = ()) -> _Surface:
    if isinstance(field, HexMap):
        sheet = sheet_of(field, SIDE)
        board = field.placed[0].board.id
        return _Surface(
            game.title,
            field.title,
            lambda: svg.group([map_group(game, field, sheet, ids, obstacles=obstacles), *_letters(game, field)]),
            sheet.width,
            sheet.height,
            field.north,
            legend.entries(game, field, sheet.paper),
            ROOT3 * SIDE,
            field.tracks,
            field.boxes,
            furniture.source_of(game, "boards", board, "terrain"),
        )
    points_sheet = point_sheet(field)
    return _Surface(
        game.title,
        field.title,
        lambda: pointmap.points_group(game, field, obstacles),
        points_sheet.width,
        points_sheet.height,
        field.north,
        pointmap.point_entries(game, field),
        0,
        field.tracks,
        field.boxes,
        furniture.source_of(game, "maps", field.id, "points"),
    )


def _letters(game: Game, field: HexMap) -> list[Element]:
    """The letter of each board, large and faint, if a game has several boards."""
    if len(game.boards) < 2:
        return []
    paper = sheet_of(field, SIDE).paper
    parts = []
    for placement in field.placed:
        points = [paper.centre(placement.to_map(hex)) for hex in placement.board.grid.hexes]
        x, y = (min(p[0] for p in points) + max(p[0] for p in points)) / 2, sum(p[1] for p in points) / len(points)
        word = f"{placement.board.id}"
        parts.append(centred_text(word, x, y, SIDE * 6, "black", fill=EDGE, fill_opacity=0.1))
    return parts


def _draw(game: Game, surface: _Surface, letter: str = "") -> tuple[Element, SheetPlan]:
    """The sheet: its heading, the map, and a strip with everything else below it, or beside a tall map."""
    tall = surface.height > 1.15 * surface.width and bool(surface.boxes)
    inner = surface.width + 16 + PANEL_WIDTH if tall else max(surface.width, LEAST_ROOM)
    edge = MARGIN + 8
    words = HeadingText(surface.heading, surface.subtitle, surface.north, surface.hex_width, letter)
    top = heading(game, words, edge, MARGIN, surface.width if tall else inner, 44.0 if surface.width > 700 else 30.0)
    x, y = edge if tall else edge + (inner - surface.width) / 2, MARGIN + top.height + 8
    if tall:
        strip_x, strip_y, room = x + surface.width + 16, MARGIN, PANEL_WIDTH
    else:
        strip_x, strip_y, room = edge, y + surface.height + 15, inner
    strip, plan_boxes, plan_tracks, strip_height = _strip(
        game, surface, strip_x, strip_y, room, y + surface.height - strip_y if tall else 0.0
    )
    total_width = inner + 2 * edge
    tall_high = max(surface.height + y, strip_y + strip_height) if tall else strip_y + strip_height
    note = lines(furniture.credits_line(game, surface.source), inner, 2.8)
    is_near_edge = (
        tall and max(width(row, 2.8, "italic") for row in note) > surface.width / 2 - 2 * FOOT
    )  # to the name of the lower edge
    total = tall_high + FOOT + 3.6 * len(note) + (4 if is_near_edge else 0)
    parts = [
        svg.rect(0, 0, total_width, total, fill=PAPER),
        top.drawing,
        svg.translate(surface.body(), x, y),
        *([] if surface.hex_width == 0 else [furniture.frame(x, y, surface.width, surface.height)]),
        *(
            []
            if surface.hex_width == 0 or not surface.north
            else [furniture.edge_names(x, y, surface.width, surface.height, surface.north)]
        ),
        strip,
        *[
            text(row, edge, total - 8 + 3.6 * (i + 1 - len(note)), 2.8, "italic", "start", fill=EDGE)
            for i, row in enumerate(note)
        ],
    ]
    plan = SheetPlan(
        total_width, total, Space(surface.subtitle, x, y, surface.width, surface.height), plan_boxes, plan_tracks
    )
    return svg.drawing(total_width, total, parts), plan


def _strip(
    game: Game, surface: _Surface, x: float, y: float, room: float, reach: float
) -> tuple[Element, dict[str, Space], dict[str, tuple[Space, ...]], float]:
    """Legend, tracks and boxes below each other, with the positions of boxes and spaces and the total height.

    Boxes beside a tall map are higher, so that they end where the map ends.
    """
    parts: list[Element] = []
    legend_body, legend_height = legend.legend_group(surface.entries, room)
    parts.append(svg.translate(legend_body, x, y))
    bottom = legend_height + GAP
    tracks: dict[str, tuple[Space, ...]] = {}
    for shelf in _shelves(surface.tracks, room):
        left, tallest = 0.0, 0.0
        for track_id, slot_width in shelf:
            track = surface.tracks[track_id]
            group, track_height = track_group(game, track, slot_width)
            parts.append(svg.translate(group, x + left, y + bottom))
            tracks[track_id] = tuple(
                space._replace(x=space.x + x + left, y=space.y + y + bottom)
                for space in track_spaces(track, slot_width)
            )
            left += slot_width + GAP
            tallest = max(tallest, track_height)
        bottom += tallest + GAP
    boxes: dict[str, Space] = {}
    if surface.boxes:
        rows = math.ceil(len(surface.boxes) / max(1, int(room // 96)))
        count = math.ceil(len(surface.boxes) / rows)
        slot_width = (room - 4 * (count - 1)) / count
        box_height = max(BOX_HIGH, min(2 * BOX_HIGH, (reach - bottom) / rows - 4))
        for i, (box_id, box) in enumerate(surface.boxes.items()):
            left, top = (i % count) * (slot_width + 4), (i // count) * (box_height + 4)
            parts.append(svg.translate(box_group(game, box, slot_width, box_height), x + left, y + bottom + top))
            boxes[box_id] = Space(box.name, x + left, y + bottom + top, slot_width, box_height)
        bottom += rows * (box_height + 4)
    return svg.group(parts), boxes, tracks, bottom


def _shelves(tracks: Mapping[str, TrackShape], room: float) -> list[list[tuple[str, float]]]:
    """Arrange tracks side by side on shelves that fill the room, each track with its width."""
    shelves: list[list[tuple[str, float]]] = []
    for track_id, track in tracks.items():
        count = len(track.labels)
        rows = max(math.ceil(count * SPACE / room), 3 if count > 40 else 2 if count > 18 else 1)
        track_width = min(room, math.ceil(count / rows) * SPACE)
        if shelves and sum(w + GAP for _, w in shelves[-1]) + track_width <= room:
            shelves[-1].append((track_id, track_width))
        else:
            shelves.append([(track_id, track_width)])
    return [_stretch_shelf(shelf, room) for shelf in shelves]


def _stretch_shelf(shelf: list[tuple[str, float]], room: float) -> list[tuple[str, float]]:
    free = room - GAP * (len(shelf) - 1)
    factor = min(1.5, free / sum(track_width for _, track_width in shelf))
    return [(track_id, track_width * factor) for track_id, track_width in shelf]
