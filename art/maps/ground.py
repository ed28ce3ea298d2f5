"""The terrain of a hex map: soft shapes with texture, and water with its coast."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from art import svg
from art.color import darker, lighter, mix
from art.geometry import Paper, Point, cut_corners, loops, middles, path_of, roughen_outline, wandering
from art.maps.landforms import slopes
from art.maps.scenery import has_scenery, scenery
from art.maps.textures import draw_texture, texture_of
from art.maps.water import Water, water_kinds
from art.svg import Element
from scenarios.model.game import Game
from scenarios.model.hexes import Corner, Hex, neighbours
from scenarios.model.maps import HexMap

SEA = "#9fc0cf"
HILLS = "hachures"
HIGH_GROUND = (HILLS, "peaks")
"""The textures of terrain that is higher than its surroundings."""
SHALLOWS = ((0.85, 0.14), (0.5, 0.28), (0.22, 0.42))
"""Bands of lighter water along a coast: the width of each in hexsides, and its share of white."""


def terrain_layers(game: Game, table: HexMap, paper: Paper, water: Water, detail: bool = True) -> list[Element]:
    """The terrain layers from the bottom up: plain, other terrain, texture, water, and land that extends into it."""
    plain_color = game.terrain[table.plain].color
    left, top, right, bottom = _span(table, paper)
    parts: list[Element] = [svg.rect(left, top, right - left, bottom - top, fill=plain_color)]
    if detail and has_scenery(game, table):
        parts += scenery(table, paper, plain_color)
    hexes_by_kind = _with_margin(table)
    wet_kinds = water_kinds(game)
    dry_kinds = [kind for kind in game.terrain if kind in hexes_by_kind and kind not in wet_kinds]
    textures = {kind: texture_of(kind, game.terrain[kind]) for kind in dry_kinds}
    for kind in sorted(dry_kinds, key=lambda kind: textures[kind] != HILLS):
        if kind != table.plain:
            hexes = (
                _ground_below(kind, hexes_by_kind, textures, table.plain)
                if textures[kind] == HILLS
                else hexes_by_kind[kind]
            )
            parts += _soft(hexes, paper, game.terrain[kind].color, detail and textures[kind] in HIGH_GROUND)
    if detail:
        for kind in dry_kinds:
            parts += _texture(game, table, paper, kind, frozenset())
        for kind, hexes in table.features.items():
            parts += _texture(game, table, paper, kind, hexes)
    if water.shapes or water.wet:
        parts += _water_layers(game, table, paper, water, hexes_by_kind, detail)
    parts += _jutting(game, table, paper, water)
    if detail:
        for kind in dry_kinds:
            if water.dry & hexes_by_kind[kind]:
                parts += _texture(game, table, paper, kind, water.dry & hexes_by_kind[kind])
    return parts


def _ground_below(
    kind: str, hexes_by_kind: Mapping[str, frozenset[Hex]], textures: Mapping[str, str], plain_kind: str
) -> frozenset[Hex]:
    """Hills together with the terrain on them: adjacent peaks, and the towns, forts and so on among them. Otherwise the hills would
    slope down to these hexes, which would look like pits.
    """
    hills = hexes_by_kind[kind]
    high_hexes = frozenset(
        hex for other_kind, texture in textures.items() if texture in HIGH_GROUND for hex in hexes_by_kind[other_kind]
    )
    ground_on_top = {
        hex
        for other_kind, texture in textures.items()
        if other_kind not in (kind, plain_kind)
        for hex in hexes_by_kind[other_kind]
        if (any if texture in HIGH_GROUND else _mostly)(
            adjacent in (hills if texture in HIGH_GROUND else high_hexes) for adjacent in neighbours(hex)
        )
    }
    return hills | ground_on_top


def _mostly(answers: Iterable[bool]) -> bool:
    """Whether at least four of the six are true."""
    return sum(answers) > 3


def _jutting(game: Game, table: HexMap, paper: Paper, water: Water) -> list[Element]:
    """Land hexes that the water shapes cover, joined to the adjacent land in one coast."""
    side, line = paper.side, _coast_color(SEA)
    coast, bodies = [], []
    wet_kinds = water_kinds(game)
    for group in _connected_groups(water.dry):
        adjacent_land = {
            adjacent
            for hex in group
            for adjacent in neighbours(hex)
            if adjacent in table and adjacent not in water.dry and table.terrain[adjacent] not in wet_kinds
        }
        data = "".join(path_of(rim, is_closed=True) for rim in _rims(frozenset(group | adjacent_land), paper))
        pen = {"fill": "none", "stroke_linejoin": "round"}
        coast.append(svg.path(data, stroke=lighter(SEA, 0.45), stroke_width=side * 0.5, stroke_opacity=0.6, **pen))
        coast.append(svg.path(data, stroke=line, stroke_width=side * 0.06, **pen))
        kind_counts = Counter(table.terrain[hex] for hex in sorted(group))
        main_kind = kind_counts.most_common(1)[0][0] if kind_counts.total() > 2 else table.plain
        coast.append(svg.path(data, fill=game.terrain[main_kind].color))
        for kind in sorted(kind_counts, key=lambda kind: (kind != main_kind, kind)):
            kind_hexes = frozenset(hex for hex in group if table.terrain[hex] == kind)
            rims = "".join(path_of(rim, is_closed=True) for rim in _rims(kind_hexes, paper))
            bodies.append(svg.path(rims, fill=game.terrain[kind].color))
    return [svg.group(coast, clip_path=f"url(#{table.id}-water)"), *bodies]


def _connected_groups(hexes: frozenset[Hex]) -> list[set[Hex]]:
    """Groups of connected hexes."""
    remaining, groups = set(hexes), []
    while remaining:
        group, edge = set(), [min(remaining)]
        while edge:
            hex = edge.pop()
            if hex in remaining:
                remaining.discard(hex)
                group.add(hex)
                edge += neighbours(hex)
        groups.append(group)
    return groups


def _coast_color(color: str) -> str:
    return mix(darker(color, 0.5), "#1f5a7a", 0.4)


def _span(table: HexMap, paper: Paper) -> tuple[float, float, float, float]:
    points = [paper.centre(hex) for hex in table.hexes]
    margin = 2 * paper.side
    return (
        min(p[0] for p in points) - margin,
        min(p[1] for p in points) - margin,
        max(p[0] for p in points) + margin,
        max(p[1] for p in points) + margin,
    )


def _with_margin(table: HexMap) -> Mapping[str, frozenset[Hex]]:
    """The hexes of each kind of terrain. A hex just off the map takes the terrain of a neighbor."""
    margin_kinds: dict[Hex, str] = {}
    for hex in sorted(table.terrain):
        for adjacent in neighbours(hex):
            if adjacent not in table.terrain:
                margin_kinds.setdefault(adjacent, table.terrain[hex])
    hexes_by_kind: dict[str, set[Hex]] = {}
    for hex, kind in [*table.terrain.items(), *margin_kinds.items()]:
        hexes_by_kind.setdefault(kind, set()).add(hex)
    return {kind: frozenset(hexes) for kind, hexes in hexes_by_kind.items()}


def _rims(hexes: frozenset[Hex], paper: Paper) -> list[list[Point]]:
    """The outlines of hexes without their corners, roughened."""
    return [
        roughen_outline(
            cut_corners(middles(wandering([paper.corner(c) for c in loop], paper.side * 0.12), True), True), paper.side
        )
        for loop in loops(hexes)
    ]


def _soft(hexes: frozenset[Hex], paper: Paper, color: str, is_high: bool) -> list[Element]:
    """One kind of terrain. High ground has a lit and a dark side."""
    rims = _rims(hexes, paper)
    data = "".join(path_of(rim, is_closed=True) for rim in rims)
    ground = svg.path(data, fill=color, fill_rule="evenodd", stroke=darker(color, 0.1), stroke_width=paper.side * 0.025)
    return [ground, *(slopes(rims, color, paper.side, _number_test(paper)) if is_high else [])]


def _number_test(paper: Paper) -> Callable[[Point], bool]:
    """A test for points that lie on a hex's number, below its upper side."""
    upper = 0.87 if paper.orientation == "flat" else 0.74

    def is_at_number(point: Point) -> bool:
        x, y = paper.centre(paper.hex_at(*point))
        return abs(point[0] - x) < 0.42 * paper.side and -upper < (point[1] - y) / paper.side < -upper + 0.32

    return is_at_number


def _texture(game: Game, table: HexMap, paper: Paper, kind: str, selection: frozenset[Hex]) -> list[Element]:
    hexes = sorted(selection) if selection else [hex for hex in table.hexes if table.terrain[hex] == kind]
    centres_by_name = [(table.name(hex), paper.centre(hex)) for hex in hexes]
    ground = game.terrain[kind]
    return draw_texture(texture_of(kind, ground), centres_by_name, ground.color, paper.side)


def _water_layers(
    game: Game, table: HexMap, paper: Paper, water: Water, margin: Mapping[str, frozenset[Hex]], detail: bool
) -> list[Element]:
    kinds = water_kinds(game)
    color = next((game.terrain[kind].color for kind in game.terrain if kind in kinds), SEA)
    margin = {kind: hexes for kind, hexes in margin.items() if kind in kinds}
    wet = water.wet | _off_map(margin, table, water)
    # Water without a drawn coast stays close to its hexsides, because bars may run along them.
    patches = _rims(wet, paper) if water.shapes else [_close(loop, paper) for loop in loops(wet)]
    parts = paint_water(
        [*water.shapes, *patches], color, paper.side, f"{table.id}-water", _hidden_test(game, table, paper, water)
    )
    if detail:
        for kind in game.terrain:
            if kind in margin:
                parts += _texture(game, table, paper, kind, frozenset())
    plain_color = game.terrain[table.plain].color
    if water.islands:
        parts += _land(list(water.islands), plain_color, paper.side)
    return parts


def _close(loop: list[Corner], paper: Paper) -> list[Point]:
    """An outline of hexes with its corners cut."""
    return cut_corners([paper.corner(corner) for corner in loop], True)


def _off_map(margin: Mapping[str, frozenset[Hex]], table: HexMap, water: Water) -> frozenset[Hex]:
    """Water hexes just off the map, adjacent to water without a drawn coast."""
    return frozenset(
        hex
        for hexes in margin.values()
        for hex in hexes
        if hex not in table.terrain and any(adjacent in water.wet for adjacent in neighbours(hex))
    )


def _hidden_test(game: Game, table: HexMap, paper: Paper, water: Water) -> Callable[[Point], bool] | None:
    """A test for points of a coast that land hides: in a land hex that extends into the water, or beside one."""
    if not water.dry:
        return None
    kinds = water_kinds(game)
    wet = {hex for hex, kind in table.terrain.items() if kind in kinds}

    def is_hidden(point: Point) -> bool:
        hex = paper.hex_at(*point)
        return hex in water.dry or (hex in table and hex not in wet and not water.dry.isdisjoint(neighbours(hex)))

    return is_hidden


def _visible_stretches(shape: list[Point], is_hidden: Callable[[Point], bool]) -> list[list[Point]]:
    """The parts of an outline that no land hides."""
    runs: list[list[Point]] = [[]]
    for point in [*shape, shape[0]]:
        if is_hidden(point):
            runs.append([])
        else:
            runs[-1].append(point)
    return [run for run in runs if len(run) > 1]


def paint_water(
    shapes: Sequence[list[Point]],
    color: str,
    side: float,
    name: str,
    is_hidden: Callable[[Point], bool] | None = None,
) -> list[Element]:
    """Water with a coast line and lighter bands inside. Where land hides the water, there is no line."""
    data = "".join(path_of(shape, is_closed=True) for shape in shapes)
    if not data:
        return []
    coast = {"fill": "none", "stroke_linejoin": "round", "stroke_linecap": "round"}
    clip = svg.element("clipPath", [svg.path(data)], id=name)
    bands = [
        svg.path(data, stroke=lighter(color, white), stroke_width=2 * band_width * side, **coast)
        for band_width, white in SHALLOWS
    ]
    line = _coast_color(color)
    rim = (
        "".join(path_of(run) for shape in shapes for run in _visible_stretches(shape, is_hidden)) if is_hidden else data
    )
    return [
        svg.path(rim, stroke=lighter(color, 0.6), stroke_width=side * 0.16, stroke_opacity=0.5, **coast),
        svg.path(rim, stroke=line, stroke_width=side * 0.06, **coast),
        svg.path(data, fill=color),
        svg.element("defs", [clip]),
        svg.group(bands, clip_path=f"url(#{name})"),
    ]


def _land(rims: list[list[Point]], color: str, side: float) -> list[Element]:
    """Land that the water shapes had covered."""
    data = "".join(path_of(rim, is_closed=True) for rim in rims)
    line = _coast_color(SEA)
    light = lighter(SEA, 0.45)
    return [
        svg.path(data, fill="none", stroke=light, stroke_width=side * 0.5, stroke_opacity=0.5, stroke_linejoin="round"),
        svg.path(data, fill=color, stroke=line, stroke_width=side * 0.03, stroke_linejoin="round"),
    ]
