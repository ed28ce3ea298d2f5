"""Whole printed sheets: a map in its frame, with title, compass, scale, legend, tracks and boxes around it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from art import furniture, legend, pointmap, svg
from art.furniture import EDGE, PAPER
from art.geometry import ROOT3
from art.heading import LEAST_ROOM, Words, heading
from art.hexmap import SIDE, ids_group, map_group, sheet_of
from art.labels import Box
from art.pointnames import placed_names
from art.pointsheet import point_sheet
from art.svg import Element
from art.text import centred, lines, text, width
from art.tracks import BOX_HIGH, SPACE, Space, box_group, tens, track_group, track_spaces
from scenarios.game import Game, Map
from scenarios.hexes import Hex
from scenarios.kept import once
from scenarios.maps import BoxShape, HexMap, Placed, TrackShape
from scenarios.sources import Source

MARGIN, GAP, FOOT = 14.0, 7.0, 12.0
AROUND = 7.0
"""The paper around a map that is cut into tiles: room for its frame and the names of its edges."""
ACROSS = 19.0
"""How wide a hex is printed from flat to flat for a counter of 16 mm: counters of neighbouring hexes don't touch."""
TRACK_PAD = 3.0
"""The paper around a track that lies on a map."""
OPEN = frozenset({"sea"})
"""The water that nobody plays on."""
BESIDE = 290.0
"""How wide the strip is that stands beside a tall map."""


@dataclass(frozen=True)
class Plan:
    """Where things lie on a sheet, in millimetres: the map's top left corner, each box, each space of each track."""

    width: float
    height: float
    map: Space
    boxes: Mapping[str, Space]
    tracks: Mapping[str, tuple[Space, ...]]


class _Surface(NamedTuple):
    """What a sheet is made around."""

    heading: str
    under: str
    body: Callable[[], Element]
    width: float
    height: float
    north: str
    entries: Sequence[legend.Entry]
    across: float
    tracks: Mapping[str, TrackShape]
    boxes: Mapping[str, BoxShape]
    source: Source | None


def map_sheet(game: Game, map_id: str, ids: bool = True) -> Element:
    """A map of the pack as one printed sheet, perhaps without the numbers of its hexes."""
    return _draw(game, _surface(game, game.maps[map_id], ids))[0]


def bare_sheet(game: Game, map_id: str, ids: bool, displays: Mapping[str, Space]) -> Element:
    """A map in its frame and nothing around it, with the tracks and boxes that lie on it: what is cut into tiles."""
    field = game.maps[map_id]
    made = _surface(game, field, ids, taken_by(displays))
    wide, high = made.width + 2 * AROUND, made.height + 2 * AROUND
    framed = made.across > 0
    parts = [
        svg.rect(0, 0, wide, high, fill=PAPER),
        svg.moved(made.body(), AROUND, AROUND),
        *([furniture.frame(AROUND, AROUND, made.width, made.height)] if framed else []),
        *([furniture.edge_names(AROUND, AROUND, made.width, made.height, made.north)] if framed and made.north else []),
        *(_display(game, field, key, space) for key, space in displays.items()),
    ]
    return svg.drawing(wide, high, parts)


def bare_size(game: Game, map_id: str) -> tuple[float, float]:
    """How large the bare sheet of a map is."""
    plan = map_plan(game, map_id).map
    return plan.width + 2 * AROUND, plan.height + 2 * AROUND


def taken_by(displays: Mapping[str, Space]) -> tuple[Box, ...]:
    """What tracks and boxes on a bare sheet hide of the map itself."""
    corners = ((held.x - AROUND, held.y - AROUND, held.width, held.height) for held in displays.values())
    return tuple(Box(x, y, x + wide, y + high) for x, y, wide, high in corners)


def _display(game: Game, field: Map, key: str, space: Space) -> Element:
    """A track on a piece of paper, or a box, in its place on a map; counters are to fit it as they fit the map."""
    kind, _, name = key.partition("/")
    by = ROOT3 * SIDE / ACROSS if isinstance(field, HexMap) else 1.0
    if kind == "box":
        return svg.moved(box_group(game, field.boxes[name], space.width / by, space.height / by), space.x, space.y, by)
    wide, high = space.width / by, space.height / by
    track = track_group(game, field.tracks[name], wide - 2 * TRACK_PAD + 0.01, tens(field.tracks[name]))[0]
    paper = svg.rect(0, 0, wide, high, rx=1.6, fill=PAPER, stroke=EDGE, stroke_width=0.4)
    return svg.moved(svg.group([paper, svg.moved(track, TRACK_PAD, TRACK_PAD)]), space.x, space.y, by)


def unplayed(game: Game, map_id: str, closed: frozenset[Hex] = frozenset()) -> Callable[[Box], bool]:
    """Whether a small box on a map lies where nobody plays: in the open sea, in closed hexes, off all routes, or between two theaters."""
    field = game.maps[map_id]
    if isinstance(field, HexMap):
        paper = sheet_of(field, SIDE).paper
        crossed = {hex for side in field.path_sides for hex in side}
        named = {hex for place in field.places.values() for hex in place.hexes}
        empty = {hex for hex, kind in field.terrain.items() if kind in OPEN or hex in closed} - crossed - named
        around = 0.35 * SIDE

        def at_sea(box: Box) -> bool:
            xs, ys = (box.left - around, box.right + around), (box.top - around, box.bottom + around)
            return all(paper.hex_at(x, y) in empty for x in xs for y in ys)

        return at_sea
    sheet = point_sheet(field)
    crowd = placed_names(field, sheet)[1]

    whole = Box(0, 0, sheet.width, sheet.height)

    def deserted(box: Box) -> bool:
        inside = any(_holds(f.box, box) for f in sheet.frames)
        between = _holds(whole, box) and not any(f.box.grown(2).shared(box) for f in sheet.frames)
        return (inside or between) and crowd.cost(box.grown(3)) == 0

    return deserted


def _holds(outer: Box, inner: Box) -> bool:
    """Whether a box lies well inside another."""
    across = outer.left + 2 < inner.left and inner.right < outer.right - 2
    return across and outer.top + 2 < inner.top and inner.bottom < outer.bottom - 2


def map_numbers(game: Game, map_id: str, displays: Mapping[str, Space] | None = None) -> Element | None:
    """The numbers of a map's hexes alone, as they lie on its sheet, or on its bare sheet with these tracks and boxes."""
    field = game.maps[map_id]
    if not isinstance(field, HexMap):
        return None
    plan = map_plan(game, map_id)
    if displays is None:
        return _numbers(game, field, plan.width, plan.height, plan.map.x, plan.map.y)
    return _numbers(game, field, *bare_size(game, map_id), AROUND, AROUND, taken_by(displays))


def board_numbers(game: Game, board_id: str, bare: bool) -> Element:
    """The numbers of a board's hexes alone, as they lie on its sheet, or on the board without its frame."""
    field = board_map(game, board_id)
    if bare:
        sheet = sheet_of(field, SIDE)
        return _numbers(game, field, sheet.width, sheet.height, 0, 0)
    plan = board_plan(game, board_id)
    return _numbers(game, field, plan.width, plan.height, plan.map.x, plan.map.y)


def _numbers(
    game: Game, field: HexMap, wide: float, high: float, x: float, y: float, taken: Sequence[Box] = ()
) -> Element:
    return svg.drawing(wide, high, [svg.moved(ids_group(game, field, sheet_of(field, SIDE), taken), x, y)])


def map_plan(game: Game, map_id: str) -> Plan:
    """Where things lie on a map's sheet."""
    return once(game, _plan, map_id)


def _plan(game: Game, map_id: str) -> Plan:
    return _draw(game, _bare(_surface(game, game.maps[map_id])))[1]


def legend_card(game: Game, map_id: str, room: float) -> Element:
    """A map's legend by itself."""
    drawn, high = legend.legend_group(_surface(game, game.maps[map_id]).entries, room)
    return svg.drawing(room, high, [drawn])


def legend_height(game: Game, map_id: str, room: float) -> float:
    """How high a map's legend is by itself."""
    return legend.legend_group(_surface(game, game.maps[map_id]).entries, room)[1]


def scenario_map(game: Game, scenario_id: str) -> Element:
    """The map of a scenario; boards put together for it get a turn track of its length."""
    return _draw(game, _scenario_surface(game, scenario_id))[0]


def scenario_plan(game: Game, scenario_id: str) -> Plan:
    """Where things lie on the sheet of a scenario's map."""
    return _draw(game, _bare(_scenario_surface(game, scenario_id)))[1]


def _bare(made: _Surface) -> _Surface:
    """A surface whose map is not drawn: enough for a plan."""
    return made._replace(body=lambda: svg.group([]))


def board_sheet(game: Game, board_id: str, ids: bool = True) -> Element:
    """One board with its letter and a legend; the inner line of its frame is where to cut. It has no north of its own."""
    return _draw(game, _board_surface(game, board_id, ids), letter=board_id)[0]


def board_plan(game: Game, board_id: str) -> Plan:
    """Where things lie on a board's sheet."""
    return _draw(game, _bare(_board_surface(game, board_id)), letter=board_id)[1]


def _board_surface(game: Game, board_id: str, ids: bool = True) -> _Surface:
    surface = _surface(game, board_map(game, board_id), ids)
    return surface._replace(under=f"Board {board_id}: {surface.under}", north="")


def board_map(game: Game, board_id: str) -> HexMap:
    """A map of one board as it lies before the player who reads its letters."""
    board = game.boards[board_id]
    plain = next(iter(game.terrain))
    none: Mapping[str, BoxShape] = MappingProxyType({})
    return HexMap(
        board_id, board.name, (Placed(board, Hex(0, 0), False),), "up", plain, False, none, MappingProxyType({})
    )


def _scenario_surface(game: Game, scenario_id: str) -> _Surface:
    scenario = game.scenarios[scenario_id]
    surface = _surface(game, game.scenario_maps[scenario_id])
    under = f"{scenario_id}: {scenario.title}" + (f" ({scenario.date})" if scenario.date else "")
    tracks = surface.tracks
    if not tracks and scenario.turns is not None:
        tracks = {"turn": TrackShape(name="Turn", first=scenario.turns.first, last=scenario.turns.last)}
    return surface._replace(under=under, tracks=tracks)


def _surface(game: Game, field: Map, ids: bool = True, taken: Sequence[Box] = ()) -> _Surface:
    if isinstance(field, HexMap):
        sheet = sheet_of(field, SIDE)
        board = field.placed[0].board.id
        return _Surface(
            game.title,
            field.title,
            lambda: svg.group([map_group(game, field, sheet, ids, taken=taken), *_letters(game, field)]),
            sheet.width,
            sheet.height,
            field.north,
            legend.entries(game, field, sheet.paper),
            ROOT3 * SIDE,
            field.tracks,
            field.boxes,
            furniture.source_of(game, "boards", board, "terrain"),
        )
    at = point_sheet(field)
    return _Surface(
        game.title,
        field.title,
        lambda: pointmap.points_group(game, field, taken),
        at.width,
        at.height,
        field.north,
        pointmap.entries(game, field),
        0,
        field.tracks,
        field.boxes,
        furniture.source_of(game, "maps", field.id, "points"),
    )


def _letters(game: Game, field: HexMap) -> list[Element]:
    """The letter of each board, large and faint, where a game has several."""
    if len(game.boards) < 2:
        return []
    paper = sheet_of(field, SIDE).paper
    parts = []
    for placed in field.placed:
        points = [paper.centre(placed.to_map(hex)) for hex in placed.board.grid.hexes]
        x, y = (min(p[0] for p in points) + max(p[0] for p in points)) / 2, sum(p[1] for p in points) / len(points)
        word = f"{placed.board.id}"
        parts.append(centred(word, x, y, SIDE * 6, "black", fill=EDGE, fill_opacity=0.1))
    return parts


def _draw(game: Game, made: _Surface, letter: str = "") -> tuple[Element, Plan]:
    """The sheet: its heading, the map, and a strip with all the rest below it, or beside a tall one."""
    tall = made.height > 1.15 * made.width and bool(made.boxes)
    inner = made.width + 16 + BESIDE if tall else max(made.width, LEAST_ROOM)
    edge = MARGIN + 8
    words = Words(made.heading, made.under, made.north, made.across, letter)
    top = heading(game, words, edge, MARGIN, made.width if tall else inner, 44.0 if made.width > 700 else 30.0)
    x, y = edge if tall else edge + (inner - made.width) / 2, MARGIN + top.height + 8
    if tall:
        strip_x, strip_y, room = x + made.width + 16, MARGIN, BESIDE
    else:
        strip_x, strip_y, room = edge, y + made.height + 15, inner
    strip, plan_boxes, plan_tracks, high = _strip(
        game, made, strip_x, strip_y, room, y + made.height - strip_y if tall else 0.0
    )
    wide = inner + 2 * edge
    tall_high = max(made.height + y, strip_y + high) if tall else strip_y + high
    note = lines(furniture.credits_line(game, made.source), inner, 2.8)
    near = (
        tall and max(width(row, 2.8, "italic") for row in note) > made.width / 2 - 2 * FOOT
    )  # to the lower edge's name
    total = tall_high + FOOT + 3.6 * len(note) + (4 if near else 0)
    parts = [
        svg.rect(0, 0, wide, total, fill=PAPER),
        top.drawn,
        svg.moved(made.body(), x, y),
        *([] if made.across == 0 else [furniture.frame(x, y, made.width, made.height)]),
        *(
            []
            if made.across == 0 or not made.north
            else [furniture.edge_names(x, y, made.width, made.height, made.north)]
        ),
        strip,
        *[
            text(row, edge, total - 8 + 3.6 * (i + 1 - len(note)), 2.8, "italic", "start", fill=EDGE)
            for i, row in enumerate(note)
        ],
    ]
    plan = Plan(wide, total, Space(made.under, x, y, made.width, made.height), plan_boxes, plan_tracks)
    return svg.drawing(wide, total, parts), plan


def _strip(
    game: Game, made: _Surface, x: float, y: float, room: float, reach: float
) -> tuple[Element, dict[str, Space], dict[str, tuple[Space, ...]], float]:
    """Legend, tracks and boxes under each other; where the boxes and spaces lie, and how high it all is.

    Boxes beside a tall map are higher, so that they reach as far down as it does.
    """
    parts: list[Element] = []
    drawn, high = legend.legend_group(made.entries, room)
    parts.append(svg.moved(drawn, x, y))
    down = high + GAP
    tracks: dict[str, tuple[Space, ...]] = {}
    for shelf in _shelves(made.tracks, room):
        left, tallest = 0.0, 0.0
        for track_id, wide in shelf:
            track = made.tracks[track_id]
            group, deep = track_group(game, track, wide)
            parts.append(svg.moved(group, x + left, y + down))
            tracks[track_id] = tuple(
                space._replace(x=space.x + x + left, y=space.y + y + down) for space in track_spaces(track, wide)
            )
            left += wide + GAP
            tallest = max(tallest, deep)
        down += tallest + GAP
    boxes: dict[str, Space] = {}
    if made.boxes:
        rows = math.ceil(len(made.boxes) / max(1, int(room // 96)))
        count = math.ceil(len(made.boxes) / rows)
        wide = (room - 4 * (count - 1)) / count
        each = max(BOX_HIGH, min(2 * BOX_HIGH, (reach - down) / rows - 4))
        for i, (box_id, box) in enumerate(made.boxes.items()):
            left, top = (i % count) * (wide + 4), (i // count) * (each + 4)
            parts.append(svg.moved(box_group(game, box, wide, each), x + left, y + down + top))
            boxes[box_id] = Space(box.name, x + left, y + down + top, wide, each)
        down += rows * (each + 4)
    return svg.group(parts), boxes, tracks, down


def _shelves(tracks: Mapping[str, TrackShape], room: float) -> list[list[tuple[str, float]]]:
    """Tracks side by side on shelves that fill the room, each with its width."""
    shelves: list[list[tuple[str, float]]] = []
    for track_id, track in tracks.items():
        count = len(track.labels)
        rows = max(math.ceil(count * SPACE / room), 3 if count > 40 else 2 if count > 18 else 1)
        wide = min(room, math.ceil(count / rows) * SPACE)
        if shelves and sum(w + GAP for _, w in shelves[-1]) + wide <= room:
            shelves[-1].append((track_id, wide))
        else:
            shelves.append([(track_id, wide)])
    return [_stretched(shelf, room) for shelf in shelves]


def _stretched(shelf: list[tuple[str, float]], room: float) -> list[tuple[str, float]]:
    free = room - GAP * (len(shelf) - 1)
    factor = min(1.5, free / sum(wide for _, wide in shelf))
    return [(track_id, wide * factor) for track_id, wide in shelf]
