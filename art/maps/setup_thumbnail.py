"""Set-up thumbnails: a small map of a scenario, with letters in side colors for set-up areas and entry edges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from art import svg
from art.counters.markers import colors_of_side
from art.geometry import Paper, Point, loops, path_of
from art.images import SMALL_SIDE
from art.maps.ground import terrain_layers
from art.maps.hexmap import HexMapSheet, board_pictures, sheet_of, shown_over
from art.maps.linework import bars, hexside_lines
from art.maps.point_thumbnail import ThumbFrame, point_ground, point_names
from art.maps.roads import roads
from art.maps.water import water_of
from art.svg import Element
from art.text import CAPITAL, centred_text, text
from scenarios.areas.resolving import Location, Resolver
from scenarios.model.areas import Area
from scenarios.model.definitions import Colors
from scenarios.model.game import Game
from scenarios.model.hexes import Hex, neighbours
from scenarios.model.maps import HexMap
from scenarios.model.points import PointMap
from scenarios.model.scenario import Group, Scenario, group_label

EDGE = 4.6
"""The margin around the map for arrows of entry."""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MAX_LABELS = 24
"""The maximum number of areas with separate letters."""
CORNER = 6
"""An edge counts as an entry edge if more than one in this many hexes of an entry lie along it."""
STRETCHES = 4
"""The maximum number of stretches of an edge with their own arrow."""
DISC = 1.6
LABEL_GAP = 3.4
"""The minimum distance between the middles of two letters."""
NAME_WIDTH = 120.0
"""The minimum width of a small point map with names."""
PAPER, INK = "#fffdf7", "#2b2f33"


@dataclass(frozen=True)
class AreaMark:
    """An area of a set-up: its letter on the thumbnail, its owner, and the groups that stand or enter there.

    The letter is that of the groups or their entry, if there is one. Otherwise it is a letter that no group has. If there
    are very many areas, single hexes are dots without a letter.
    """

    letter: str
    side: str
    colors: Colors
    groups: tuple[Group, ...]
    places: frozenset[Location]
    enters: bool


def marks(game: Game, scenario_id: str) -> tuple[AreaMark, ...]:
    """The set-up areas and entries of a scenario on its map. Groups without a letter share one if their areas are equal."""
    scenario, table = game.scenarios[scenario_id], game.scenario_maps[scenario_id]
    resolver = Resolver(table, scenario.zones)
    groups_by_area: dict[tuple[str, frozenset[Location], bool, str], list[Group]] = {}
    for side, force in scenario.forces.items():
        for group in force.groups:
            enters = group.enters is not None
            for area in [way.at for way in group.enters.ways] if group.enters else [group.at]:
                if places := _on_map(resolver, area):
                    name = group_label(group) or (_entry_name(table, area) if enters else "")
                    groups_by_area.setdefault((side, places, enters, name), []).append(group)
    is_crowded = len(groups_by_area) > MAX_LABELS
    result: list[AreaMark] = []
    own_names = {name for *_, name in groups_by_area}
    free = (letter for letter in map(_letter, count()) if letter not in own_names)
    for (side, places, enters, name), groups in groups_by_area.items():
        is_dot = is_crowded and len(places) == 1 and not enters and not name
        letter = "" if is_dot else name or next(free)
        result.append(AreaMark(letter, side, _colors(game, scenario, side, groups[0]), tuple(groups), places, enters))
    return tuple(result)


def _entry_name(table: HexMap | PointMap, area: Area | None) -> str:
    """The letter of a named entry: the A of Entry Area A."""
    if area is None or not area.zone or not isinstance(table, HexMap):
        return ""
    zones = (placement.board.shape.zones.get(area.zone) for placement in table.placed)
    name = next((zone.name for zone in zones if zone), "").rpartition(" ")[2]
    return name if len(name) == 1 and name.isupper() else ""


def _on_map(resolver: Resolver, area: Area | None) -> frozenset[Location]:
    if area is None or area.box:
        return frozenset()
    return frozenset(spot for spot in resolver.places(area) if not (isinstance(spot, str) and spot.startswith("box:")))


def _letter(index: int) -> str:
    rounds, place = divmod(index, len(LETTERS))
    return LETTERS[place] + (str(rounds + 1) if rounds else "")


def _colors(game: Game, scenario: Scenario, side: str, group: Group) -> Colors:
    """The colors of a group's nation, of its first counter's, or of its side."""
    nation = group.nation or next((game.units[unit].nation for unit in group.units if unit in game.units), "")
    if nation in game.nations:
        return game.nations[nation].colors
    sides = game.sides_in(scenario)
    for nation in sides[side].nations if side in sides else ():
        return game.nations[nation].colors
    return colors_of_side(game, side)


def thumbnail(game: Game, scenario_id: str, width: float) -> Element:
    """The map of a scenario with its set-up, `width` millimeters wide."""
    table = game.scenario_maps[scenario_id]
    area_marks = marks(game, scenario_id)
    if isinstance(table, PointMap):
        return _points(game, table, area_marks, width)
    scale_sheet = sheet_of(table, 1.0)
    sheet = sheet_of(table, (width - 2 * EDGE) / scale_sheet.width)
    clip_id = f"setup-{scenario_id}".replace(".", "_")
    border = svg.rect(0, 0, sheet.width, sheet.height)
    clip = svg.element("clipPath", [border], id=clip_id)
    ground = svg.group([*_ground(game, table, sheet), *_areas(area_marks, sheet.paper)], clip_path=f"url(#{clip_id})")
    frame = svg.rect(0, 0, sheet.width, sheet.height, fill="none", stroke=INK, stroke_width=0.3)
    used_spots: list[Point] = []
    arrows = [part for mark in area_marks if mark.enters for part in _entry(mark, table, sheet, used_spots)]
    setup_marks = sorted((mark for mark in area_marks if not mark.enters), key=lambda mark: bool(mark.letter))
    letters = [part for mark in setup_marks for part in _label(mark, sheet.paper, used_spots)]
    inner = [svg.element("defs", [clip]), ground, *_board_names(table, sheet), frame, *arrows, *letters]
    height = sheet.height + 2 * EDGE
    return svg.drawing(width, height, [svg.translate(svg.group(inner), EDGE, EDGE), *_north(table.north, width)])


def _ground(game: Game, table: HexMap, sheet: HexMapSheet) -> list[Element]:
    paper = sheet.paper
    pictures = board_pictures(game, table, sheet, SMALL_SIDE)
    if shown_over(table) is not None:
        return pictures
    water = water_of(game, table, paper, sheet.width, sheet.height)
    layers = terrain_layers(game, table, paper, water, detail=False)
    return [
        *layers,
        *pictures,
        *hexside_lines(game, table, paper, water),
        *roads(game, table, paper),
        *bars(game, table, paper),
    ]


def _areas(area_marks: Sequence[AreaMark], paper: Paper) -> list[Element]:
    """Set-up areas and entry hexes as tinted shapes. The larger ones are below."""
    parts = []
    for mark in sorted(area_marks, key=lambda m: -len(m.places)):
        hexes = frozenset(spot for spot in mark.places if isinstance(spot, Hex))
        if not hexes or not mark.letter:
            continue
        data = "".join(path_of([paper.corner(c) for c in loop], is_closed=True) for loop in loops(hexes))
        thin = 0.55 if mark.enters else 0.2 if len(hexes) > 60 else 0.34
        ink = mark.colors.accent
        parts.append(svg.path(data, fill=ink, fill_opacity=thin, fill_rule="evenodd"))
        parts.append(svg.path(data, fill="none", stroke=ink, stroke_width=0.4, stroke_linejoin="round"))
    return parts


def _label(mark: AreaMark, paper: Paper, used_spots: list[Point]) -> list[Element]:
    """The letter of an area, inside it and clear of other letters, or a dot."""
    spots = [paper.centre(spot) for spot in sorted(s for s in mark.places if isinstance(s, Hex))]
    if not mark.letter:
        return [
            svg.circle(x, y, 0.8, fill=mark.colors.accent, stroke=mark.colors.fill, stroke_width=0.3) for x, y in spots
        ]
    return _disc(mark, _free(spots, used_spots))


def _free(spots: Sequence[Point], used_spots: list[Point], axis: Point | None = None) -> Point:
    """Take the spot nearest to the middle of all spots that is far enough from the used ones, and add it to them. If there is none,
    take one beside the spots, with `axis` only in that direction.
    """
    x, y = sum(p[0] for p in spots) / len(spots), sum(p[1] for p in spots) / len(spots)
    by_distance = sorted(spots, key=lambda p: ((p[0] - x) ** 2 + (p[1] - y) ** 2, p))
    steps: list[tuple[float, float]] = [(i, j) for i in range(-4, 5) for j in range(-3, 4)]
    steps.sort(key=lambda step: step[0] ** 2 + step[1] ** 2)
    if axis is not None:
        steps = [
            (side * multiple * axis[0], side * multiple * axis[1])
            for multiple in range(1, 13)
            for side in (2.04, -2.04)
        ]
    alternatives = [(by_distance[0][0] + i * LABEL_GAP / 2, by_distance[0][1] + j * LABEL_GAP / 2) for i, j in steps]
    for spot in [*by_distance, *alternatives]:
        if all((spot[0] - a) ** 2 + (spot[1] - b) ** 2 >= LABEL_GAP**2 for a, b in used_spots):
            break
    else:
        spot = by_distance[0]
    used_spots.append(spot)
    return spot


def _disc(mark: AreaMark, spot: Point) -> list[Element]:
    x, y = spot
    size = 2.3 if len(mark.letter) == 1 else 1.75
    ring = svg.circle(x, y, DISC, fill=mark.colors.fill, stroke=mark.colors.accent, stroke_width=0.45)
    return [ring, centred_text(mark.letter, x, y, size, "bold", fill=mark.colors.ink)]


def _entry(mark: AreaMark, table: HexMap, sheet: HexMapSheet, used_spots: list[Point]) -> list[Element]:
    """An arrow from the margin into each stretch of an edge where units enter, with the letter at its base. If they enter inside the
    map, in a town or a port, the letter is there.
    """
    feet: dict[Point, dict[Hex, Point]] = {}
    inside: list[Point] = []
    for hex in sorted(spot for spot in mark.places if isinstance(spot, Hex)):
        spot = sheet.paper.centre(hex)
        rim = any(adjacent not in table for adjacent in neighbours(hex))
        foot = _outside(spot, sheet) if rim else spot
        if foot == spot:
            inside.append(spot)
        else:
            feet.setdefault(_inward(foot, sheet), {})[hex] = foot
    # A corner hex is next to two edges. That alone doesn't make the second one an entry edge.
    edges = {way: spots for way, spots in feet.items() if len(spots) * CORNER > sum(map(len, feet.values()))}
    arrows = [
        part
        for way, spots in edges.items()
        for stretch in _stretches(spots)
        for part in _arrow(mark, way, _free(stretch, used_spots, axis=(way[1], way[0])))
    ]
    return [*arrows, *(_disc(mark, _free(inside, used_spots)) if inside else [])]


def _stretches(feet: Mapping[Hex, Point]) -> list[list[Point]]:
    """Group the arrow bases of adjacent hexes. If there are too many groups, all form one."""
    remaining, stretches = dict(feet), []
    while remaining:
        rim, stretch = [next(iter(remaining))], []
        while rim:
            hex = rim.pop()
            if hex in remaining:
                stretch.append(remaining.pop(hex))
                rim += neighbours(hex)
        stretches.append(stretch)
    return stretches if len(stretches) <= STRETCHES else [list(feet.values())]


def _arrow(mark: AreaMark, way: Point, foot: Point) -> list[Element]:
    (x, y), (dx, dy) = foot, way
    tip = (x + dx * 6.2, y + dy * 6.2)
    left_barb = (tip[0] - dx * 2 - dy * 1.2, tip[1] - dy * 2 + dx * 1.2)
    right = (tip[0] - dx * 2 + dy * 1.2, tip[1] - dy * 2 - dx * 1.2)
    neck = (tip[0] - dx * 1.9, tip[1] - dy * 1.9)
    ink, halo = mark.colors.accent, mark.colors.fill
    shaft = svg.line(x, y, *neck, stroke=ink, stroke_width=0.9)
    head = svg.polygon([tip, left_barb, right], fill=ink, stroke=halo, stroke_width=0.25, stroke_linejoin="round")
    return [shaft, head, *_disc(mark, (x, y))]


def _outside(point: Point, sheet: HexMapSheet) -> Point:
    """The point of the margin nearest to a point of the map."""
    x, y = point
    gaps = {
        (-2.3, y): x,
        (sheet.width + 2.3, y): sheet.width - x,
        (x, -2.3): y,
        (x, sheet.height + 2.3): sheet.height - y,
    }
    best = min(gaps.items(), key=lambda item: (round(item[1], 3), item[0]))
    return best[0] if best[1] < 4 * sheet.paper.side else point


def _inward(place: Point, sheet: HexMapSheet) -> Point:
    if place[0] < 0 or place[0] > sheet.width:
        return (1.0, 0.0) if place[0] < 0 else (-1.0, 0.0)
    return (0.0, 1.0) if place[1] < sheet.height / 2 else (0.0, -1.0)


def _board_names(table: HexMap, sheet: HexMapSheet) -> list[Element]:
    """The faint letters of the boards and the seams between them, if there are several boards."""
    if len(table.placed) < 2:
        return []
    parts = []
    size = max(5.0, min(sheet.height, sheet.width) * 0.3)
    for placement in table.placed:
        centres = [sheet.paper.centre(hex) for hex in table.on_board(placement.board.id)]
        x = (min(p[0] for p in centres) + max(p[0] for p in centres)) / 2
        y = (min(p[1] for p in centres) + max(p[1] for p in centres)) / 2
        parts.append(centred_text(placement.board.id, x, y, min(size, 16), "black", fill=INK, fill_opacity=0.16))
    return parts


def _north(north: str, width: float) -> list[Element]:
    """A small north arrow in the upper right corner."""
    turn = {"up": 0, "right": 90, "down": 180, "left": 270}[north]
    arrow = svg.path("M0 -1.7L0.9 1.4L0 0.8L-0.9 1.4Z", fill=INK)
    rotated_arrow = svg.group([arrow], transform=f"translate({svg.number(width - 3.3)} 2.3) rotate({turn})")
    return [rotated_arrow, text("N", width - 1.2, 2.3 + 1.9 * CAPITAL / 2, 1.9, "bold", "middle", fill=INK)]


def _points(game: Game, table: PointMap, area_marks: Sequence[AreaMark], width: float) -> Element:
    """The thumbnail of a point map: the points of each area have rings in the color of their side."""
    frame = ThumbFrame.for_map(table, width - 2 * EDGE)
    parts = [svg.rect(0, 0, frame.width, frame.height, fill=PAPER), *point_ground(game, table, frame)]
    used_spots: list[Point] = []
    discs: list[Element] = []
    for mark in area_marks:
        spots = [frame.point_at(table.points[spot].at) for spot in sorted(s for s in mark.places if isinstance(s, str))]
        parts += [
            svg.circle(x, y, 1.5, fill=mark.colors.fill, fill_opacity=0.75, stroke=mark.colors.accent, stroke_width=0.4)
            for x, y in spots
        ]
        if mark.letter:
            discs += _disc(mark, _free(spots, used_spots))
    edge = svg.rect(0, 0, frame.width, frame.height, fill="none", stroke=INK, stroke_width=0.3)
    names = point_names(table, frame, used_spots) if width >= NAME_WIDTH else []
    body = svg.translate(svg.group([*parts, *names, edge, *discs]), EDGE, EDGE)
    return svg.drawing(width, frame.height + 2 * EDGE, [body, *_north(table.north, width)])
