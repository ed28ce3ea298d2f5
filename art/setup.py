"""Set-up thumbnails: a scenario's map in small, with its set-up areas and entry edges lettered in side colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from art import svg
from art.geometry import Paper, Point, loops, path_of
from art.ground import terrain_layers
from art.hexmap import Sheet, board_pictures, sheet_of, shown_over
from art.images import SMALL_SIDE
from art.linework import bars, hexside_lines
from art.markers import colors_of_side
from art.roads import roads
from art.svg import Element
from art.text import CAPITAL, centred, text
from art.thumbpoints import Frame, point_ground, point_names
from art.water import water_of
from scenarios.areas import Area
from scenarios.game import Game
from scenarios.hexes import Hex, neighbours
from scenarios.maps import HexMap
from scenarios.pack import Colors
from scenarios.points import PointMap
from scenarios.resolve import Location, Resolver
from scenarios.scenario import Group, Scenario, called

EDGE = 4.6
"""The margin around the map, where arrows of entry stand."""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MOST = 24
"""So many areas can be lettered one by one."""
CORNER = 6
"""An edge counts as a way in if more than one in so many hexes of an entry lie along it."""
STRETCHES = 4
"""So many stretches of an edge have an arrow each."""
DISC = 1.6
APART = 3.4
"""How far the middles of two letters are apart at least."""
NAMED = 120.0
"""A small map of points that is at least so wide has names."""
PAPER, INK = "#fffdf7", "#2b2f33"


@dataclass(frozen=True)
class Mark:
    """An area of a set-up: its letter on the thumbnail, whose it is, which groups stand or enter there.

    The letter is the groups' own (`called`) or their entry's where there is one, else one of ours that none has. Where
    there are very many areas, single hexes have no letter and are just dots.
    """

    letter: str
    side: str
    colors: Colors
    groups: tuple[Group, ...]
    places: frozenset[Location]
    enters: bool


def marks(game: Game, scenario_id: str) -> tuple[Mark, ...]:
    """The set-up areas and entries of a scenario that lie on its map; groups that have no letter of their own share one
    where their areas are equal."""
    scenario, table = game.scenarios[scenario_id], game.scenario_maps[scenario_id]
    resolver = Resolver(table, scenario.zones)
    found: dict[tuple[str, frozenset[Location], bool, str], list[Group]] = {}
    for side, force in scenario.forces.items():
        for group in force.groups:
            enters = group.enters is not None
            for area in [way.at for way in group.enters.ways] if group.enters else [group.at]:
                if places := _on_map(resolver, area):
                    name = called(group) or (_entry_name(table, area) if enters else "")
                    found.setdefault((side, places, enters, name), []).append(group)
    many = len(found) > MOST
    result: list[Mark] = []
    own = {name for *_, name in found}
    free = (letter for letter in map(_letter, count()) if letter not in own)
    for (side, places, enters, name), groups in found.items():
        plain = many and len(places) == 1 and not enters and not name
        letter = "" if plain else name or next(free)
        result.append(Mark(letter, side, _colors(game, scenario, side, groups[0]), tuple(groups), places, enters))
    return tuple(result)


def _entry_name(table: HexMap | PointMap, area: Area | None) -> str:
    """The letter of a named way in: the A of Entry Area A."""
    if area is None or not area.zone or not isinstance(table, HexMap):
        return ""
    zones = (placed.board.shape.zones.get(area.zone) for placed in table.placed)
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
    """The colours of a group's nation, of its first counter's, or of its side."""
    nation = group.nation or next((game.units[unit].nation for unit in group.units if unit in game.units), "")
    if nation in game.nations:
        return game.nations[nation].colors
    own = game.sides_in(scenario)
    for nation in own[side].nations if side in own else ():
        return game.nations[nation].colors
    return colors_of_side(game, side)


def thumbnail(game: Game, scenario_id: str, width: float) -> Element:
    """The scenario's map with its set-up, that many millimetres wide."""
    table = game.scenario_maps[scenario_id]
    listed = marks(game, scenario_id)
    if isinstance(table, PointMap):
        return _points(game, table, listed, width)
    bare = sheet_of(table, 1.0)
    sheet = sheet_of(table, (width - 2 * EDGE) / bare.width)
    clip_id = f"setup-{scenario_id}".replace(".", "_")
    border = svg.rect(0, 0, sheet.width, sheet.height)
    clip = svg.element("clipPath", [border], id=clip_id)
    ground = svg.group([*_ground(game, table, sheet), *_areas(listed, sheet.paper)], clip_path=f"url(#{clip_id})")
    frame = svg.rect(0, 0, sheet.width, sheet.height, fill="none", stroke=INK, stroke_width=0.3)
    taken: list[Point] = []
    arrows = [part for mark in listed if mark.enters for part in _entry(mark, table, sheet, taken)]
    standing = sorted((mark for mark in listed if not mark.enters), key=lambda mark: bool(mark.letter))
    letters = [part for mark in standing for part in _label(mark, sheet.paper, taken)]
    inner = [svg.element("defs", [clip]), ground, *_board_names(table, sheet), frame, *arrows, *letters]
    high = sheet.height + 2 * EDGE
    return svg.drawing(width, high, [svg.moved(svg.group(inner), EDGE, EDGE), *_north(table.north, width)])


def _ground(game: Game, table: HexMap, sheet: Sheet) -> list[Element]:
    paper = sheet.paper
    pictures = board_pictures(game, table, sheet, SMALL_SIDE)
    if shown_over(table) is not None:
        return pictures
    water = water_of(table, paper, sheet.width, sheet.height)
    layers = terrain_layers(game, table, paper, water, detail=False)
    return [
        *layers,
        *pictures,
        *hexside_lines(game, table, paper, water),
        *roads(game, table, paper),
        *bars(game, table, paper),
    ]


def _areas(listed: Sequence[Mark], paper: Paper) -> list[Element]:
    """Set-up areas and entry hexes as tinted shapes, the larger ones below."""
    parts = []
    for mark in sorted(listed, key=lambda m: -len(m.places)):
        hexes = frozenset(spot for spot in mark.places if isinstance(spot, Hex))
        if not hexes or not mark.letter:
            continue
        data = "".join(path_of([paper.corner(c) for c in loop], closed=True) for loop in loops(hexes))
        thin = 0.55 if mark.enters else 0.2 if len(hexes) > 60 else 0.34
        ink = mark.colors.accent
        parts.append(svg.path(data, fill=ink, fill_opacity=thin, fill_rule="evenodd"))
        parts.append(svg.path(data, fill="none", stroke=ink, stroke_width=0.4, stroke_linejoin="round"))
    return parts


def _label(mark: Mark, paper: Paper, taken: list[Point]) -> list[Element]:
    """The letter of an area, inside it and off other letters; or a dot."""
    spots = [paper.centre(spot) for spot in sorted(s for s in mark.places if isinstance(s, Hex))]
    if not mark.letter:
        return [
            svg.circle(x, y, 0.8, fill=mark.colors.accent, stroke=mark.colors.fill, stroke_width=0.3) for x, y in spots
        ]
    return _disc(mark, _free(spots, taken))


def _free(spots: Sequence[Point], taken: list[Point], along: Point | None = None) -> Point:
    """The spot nearest to the middle of all that is far enough from what is taken; it is then taken too. Where none is,
    one beside them, with `along` only in that direction."""
    x, y = sum(p[0] for p in spots) / len(spots), sum(p[1] for p in spots) / len(spots)
    near = sorted(spots, key=lambda p: ((p[0] - x) ** 2 + (p[1] - y) ** 2, p))
    steps: list[tuple[float, float]] = [(i, j) for i in range(-4, 5) for j in range(-3, 4)]
    steps.sort(key=lambda step: step[0] ** 2 + step[1] ** 2)
    if along is not None:
        steps = [(side * far * along[0], side * far * along[1]) for far in range(1, 13) for side in (2.04, -2.04)]
    beside = [(near[0][0] + i * APART / 2, near[0][1] + j * APART / 2) for i, j in steps]
    for spot in [*near, *beside]:
        if all((spot[0] - a) ** 2 + (spot[1] - b) ** 2 >= APART**2 for a, b in taken):
            break
    else:
        spot = near[0]
    taken.append(spot)
    return spot


def _disc(mark: Mark, spot: Point) -> list[Element]:
    x, y = spot
    size = 2.3 if len(mark.letter) == 1 else 1.75
    ring = svg.circle(x, y, DISC, fill=mark.colors.fill, stroke=mark.colors.accent, stroke_width=0.45)
    return [ring, centred(mark.letter, x, y, size, "bold", fill=mark.colors.ink)]


def _entry(mark: Mark, table: HexMap, sheet: Sheet, taken: list[Point]) -> list[Element]:
    """An arrow from the margin into each stretch of an edge that units enter by, with the letter at its foot; where they
    come in inside the map, in a town or a port, the letter there."""
    feet: dict[Point, dict[Hex, Point]] = {}
    inside: list[Point] = []
    for hex in sorted(spot for spot in mark.places if isinstance(spot, Hex)):
        spot = sheet.paper.centre(hex)
        rim = any(near not in table for near in neighbours(hex))
        foot = _outside(spot, sheet) if rim else spot
        if foot == spot:
            inside.append(spot)
        else:
            feet.setdefault(_inward(foot, sheet), {})[hex] = foot
    # A corner hex is next to two edges; that alone makes no entry of the second.
    edges = {way: spots for way, spots in feet.items() if len(spots) * CORNER > sum(map(len, feet.values()))}
    arrows = [
        part
        for way, spots in edges.items()
        for stretch in _stretches(spots)
        for part in _arrow(mark, way, _free(stretch, taken, along=(way[1], way[0])))
    ]
    return [*arrows, *(_disc(mark, _free(inside, taken)) if inside else [])]


def _stretches(feet: Mapping[Hex, Point]) -> list[list[Point]]:
    """The feet of hexes that touch each other, together; of very many, all."""
    left, found = dict(feet), []
    while left:
        rim, held = [next(iter(left))], []
        while rim:
            hex = rim.pop()
            if hex in left:
                held.append(left.pop(hex))
                rim += neighbours(hex)
        found.append(held)
    return found if len(found) <= STRETCHES else [list(feet.values())]


def _arrow(mark: Mark, way: Point, foot: Point) -> list[Element]:
    (x, y), (dx, dy) = foot, way
    tip = (x + dx * 6.2, y + dy * 6.2)
    left = (tip[0] - dx * 2 - dy * 1.2, tip[1] - dy * 2 + dx * 1.2)
    right = (tip[0] - dx * 2 + dy * 1.2, tip[1] - dy * 2 - dx * 1.2)
    neck = (tip[0] - dx * 1.9, tip[1] - dy * 1.9)
    ink, halo = mark.colors.accent, mark.colors.fill
    shaft = svg.line(x, y, *neck, stroke=ink, stroke_width=0.9)
    head = svg.polygon([tip, left, right], fill=ink, stroke=halo, stroke_width=0.25, stroke_linejoin="round")
    return [shaft, head, *_disc(mark, (x, y))]


def _outside(point: Point, sheet: Sheet) -> Point:
    """The point of the margin next to a point of the map."""
    x, y = point
    gaps = {
        (-2.3, y): x,
        (sheet.width + 2.3, y): sheet.width - x,
        (x, -2.3): y,
        (x, sheet.height + 2.3): sheet.height - y,
    }
    best = min(gaps.items(), key=lambda item: (round(item[1], 3), item[0]))
    return best[0] if best[1] < 4 * sheet.paper.side else point


def _inward(place: Point, sheet: Sheet) -> Point:
    if place[0] < 0 or place[0] > sheet.width:
        return (1.0, 0.0) if place[0] < 0 else (-1.0, 0.0)
    return (0.0, 1.0) if place[1] < sheet.height / 2 else (0.0, -1.0)


def _board_names(table: HexMap, sheet: Sheet) -> list[Element]:
    """The letters of the boards, faint, where there are several, and the seams between them."""
    if len(table.placed) < 2:
        return []
    parts = []
    size = max(5.0, min(sheet.height, sheet.width) * 0.3)
    for placed in table.placed:
        centres = [sheet.paper.centre(hex) for hex in table.on_board(placed.board.id)]
        x = (min(p[0] for p in centres) + max(p[0] for p in centres)) / 2
        y = (min(p[1] for p in centres) + max(p[1] for p in centres)) / 2
        parts.append(centred(placed.board.id, x, y, min(size, 16), "black", fill=INK, fill_opacity=0.16))
    return parts


def _north(north: str, wide: float) -> list[Element]:
    """A small arrow to the north in the upper right corner."""
    turn = {"up": 0, "right": 90, "down": 180, "left": 270}[north]
    arrow = svg.path("M0 -1.7L0.9 1.4L0 0.8L-0.9 1.4Z", fill=INK)
    turned = svg.group([arrow], transform=f"translate({svg.number(wide - 3.3)} 2.3) rotate({turn})")
    return [turned, text("N", wide - 1.2, 2.3 + 1.9 * CAPITAL / 2, 1.9, "bold", "middle", fill=INK)]


def _points(game: Game, table: PointMap, listed: Sequence[Mark], wide: float) -> Element:
    """The same for a point map: the points of each area ringed in its side's colour."""
    frame = Frame.of(table, wide - 2 * EDGE)
    parts = [svg.rect(0, 0, frame.width, frame.height, fill=PAPER), *point_ground(game, table, frame)]
    taken: list[Point] = []
    discs: list[Element] = []
    for mark in listed:
        spots = [frame.at(table.points[spot].at) for spot in sorted(s for s in mark.places if isinstance(s, str))]
        parts += [
            svg.circle(x, y, 1.5, fill=mark.colors.fill, fill_opacity=0.75, stroke=mark.colors.accent, stroke_width=0.4)
            for x, y in spots
        ]
        if mark.letter:
            discs += _disc(mark, _free(spots, taken))
    edge = svg.rect(0, 0, frame.width, frame.height, fill="none", stroke=INK, stroke_width=0.3)
    names = point_names(table, frame, taken) if wide >= NAMED else []
    drawn = svg.moved(svg.group([*parts, *names, edge, *discs]), EDGE, EDGE)
    return svg.drawing(wide, frame.height + 2 * EDGE, [drawn, *_north(table.north, wide)])
