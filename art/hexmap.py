"""Hex maps as vector art: terrain with texture, hexside bars, roads, grid, hex ids, names."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from art import svg
from art.color import darker, lighter, mix
from art.geometry import ROOT3, Paper, Point, chains, loops, middles, path_of, rounded, through
from art.labels import Box, Label, place_labels
from art.svg import Element
from art.text import text
from art.textures import TEXTURES, styled, texture_of
from scenarios.boards import Path
from scenarios.game import Game
from scenarios.hexes import Hex, Hexside, ends, neighbours
from scenarios.maps import HexMap
from scenarios.pack import LineKind

SIDE = 10.5
"""The length of a hexside in millimetres: 18.2 mm from flat to flat, so that a counter of 16 mm sits well."""
INK = "#3a3128"
BARS = ("ridge", "crest", "sand_dune", "moraine")
RIVERS = ("river", "wadi", "minor_canal")
CANALS = ("suez_canal", "suez_canal_no_bridge", "canal")
BORDERS = ("border", "sector_boundary", "ceasefire_line", "army_boundary", "front")


@dataclass(frozen=True)
class Sheet:
    """A map on paper: how big it is and where its hexes lie."""

    paper: Paper
    width: float
    height: float
    cut: bool

    def inside(self, point: Point) -> bool:
        """Whether a point lies on the sheet."""
        return -0.01 <= point[0] <= self.width + 0.01 and -0.01 <= point[1] <= self.height + 0.01


def sheet_of(table: HexMap, side: float = SIDE) -> Sheet:
    """Where the hexes of a map lie; maps whose edges cut hexes in half end right there."""
    bare = Paper(table.orientation, side)
    halves = table.placed[0].board.grid.halves
    if halves == "none":
        points = [point for hex in table.hexes for point in bare.outline(hex)]
    else:
        across, down = (1.0, ROOT3 / 2) if table.orientation == "flat" else (ROOT3 / 2, 1.0)
        whole = {hex for hex in table.hexes if not _cut_along(table, hex)}
        points = []
        for hex in whole:
            x, y = bare.centre(hex)
            ends_cut = halves in ("ends", "both")
            half_across = 0.0 if ends_cut and table.orientation == "flat" else across * side
            half_down = 0.0 if ends_cut and table.orientation == "pointy" else down * side
            points += [(x - half_across, y - half_down), (x + half_across, y + half_down)]
    left, top = min(p[0] for p in points), min(p[1] for p in points)
    right, bottom = max(p[0] for p in points), max(p[1] for p in points)
    return Sheet(Paper(table.orientation, side, -left, -top), right - left, bottom - top, halves != "none")


def _cut_along(table: HexMap, hex: Hex) -> bool:
    """Whether a hex is cut by a long side of the map (not by an end)."""
    wanted = {"top", "bottom"} if table.orientation == "flat" else {"left", "right"}
    for placed in table.placed:
        local = placed.to_board(hex)
        if local is not None and placed.board.grid.half(local) & wanted:
            return True
    return False


def draw_map(game: Game, table: HexMap, side: float = SIDE, ids: bool = True, names: bool = True) -> Element:
    """A whole map as one drawing."""
    sheet = sheet_of(table, side)
    body = map_group(game, table, sheet, ids, names)
    return svg.drawing(sheet.width, sheet.height, [body])


def map_group(game: Game, table: HexMap, sheet: Sheet, ids: bool = True, names: bool = True) -> Element:
    """The layers of a map, from the ground up."""
    paper = sheet.paper
    layers = [
        svg.group(_ground(game, table, sheet)),
        svg.group(_textures(game, table, paper)),
        svg.group(_water_lines(game, table, paper)),
        svg.group(_roads(game, table, paper)),
        svg.group(_grid(table, paper)),
        svg.group(_bars(game, table, paper)),
    ]
    if ids:
        layers.append(svg.group(_ids(table, sheet)))
    if names:
        layers.append(svg.group(_names(game, table, sheet)))
    clip_id = f"sheet-{svg.number(sheet.width)}-{svg.number(sheet.height)}".replace(".", "_")
    if sheet.cut:
        edge = svg.path(
            path_of([(0, 0), (sheet.width, 0), (sheet.width, sheet.height), (0, sheet.height)], closed=True)
        )
    else:
        edge = svg.path("".join(path_of(paper.outline(hex), closed=True) for hex in table.hexes))
    clip = svg.element("clipPath", [edge], id=clip_id)
    return svg.group([svg.element("defs", [clip]), svg.group(layers, clip_path=f"url(#{clip_id})")])


def _by_kind(table: HexMap) -> dict[str, frozenset[Hex]]:
    kinds: dict[str, set[Hex]] = {}
    for hex, kind in table.terrain.items():
        kinds.setdefault(kind, set()).add(hex)
    return {kind: frozenset(hexes) for kind, hexes in kinds.items()}


def _ground(game: Game, table: HexMap, sheet: Sheet) -> list[Element]:
    """The plain ground, and each other kind of terrain as soft shapes."""
    paper = sheet.paper
    plain = game.terrain[table.plain]
    margin = paper.side * 2
    parts = [svg.rect(-margin, -margin, sheet.width + 2 * margin, sheet.height + 2 * margin, fill=plain.color)]
    kinds = _by_kind(table)
    for kind in game.terrain:
        if kind == table.plain or kind not in kinds:
            continue
        hexes = kinds[kind]
        beyond = {near for hex in hexes for near in neighbours(hex) if near not in table}
        color = game.terrain[kind].color
        rims = [rounded(middles([paper.corner(c) for c in loop], True), True) for loop in loops(hexes | beyond)]
        data = "".join(path_of(rim, closed=True) for rim in rims)
        edge = darker(color, 0.14)
        parts.append(svg.path(data, fill=color, fill_rule="evenodd", stroke=edge, stroke_width=paper.side * 0.03))
    return parts


def _textures(game: Game, table: HexMap, paper: Paper) -> list[Element]:
    parts = []
    for kind, hexes in sorted(_by_kind(table).items()):
        draw = TEXTURES.get(texture_of(kind, game.terrain[kind]))
        if draw is None:
            continue
        ground = game.terrain[kind].color
        data: dict[str, str] = {}
        for hex in sorted(hexes):
            rng = random.Random(f"{table.name(hex)}/{kind}")
            for style, more in draw(paper.centre(hex), paper.side, ground, rng).items():
                data[style] = data.get(style, "") + more
        parts += [styled(style, path, ground, paper.side) for style, path in data.items() if path]
    return parts


def _sides_by_kind(table: HexMap) -> dict[str, list[Hexside]]:
    kinds: dict[str, list[Hexside]] = {}
    for side in sorted(table.hexsides):
        for kind in sorted(table.hexsides[side]):
            kinds.setdefault(kind, []).append(side)
    return kinds


def manner(kind_id: str, kind: LineKind, default: str) -> str:
    """How a kind of line is drawn: as the pack says, or as its id suggests."""
    if kind.drawn:
        return kind.drawn
    for words, how in ((BARS, "bar"), (RIVERS, "river"), (CANALS, "canal"), (BORDERS, "border")):
        if kind_id in words:
            return how
    return default


def _water_lines(game: Game, table: HexMap, paper: Paper) -> list[Element]:
    """Rivers, canals and borders along hexsides, as smooth lines."""
    parts = []
    for kind, sides in _sides_by_kind(table).items():
        line = game.hexsides[kind]
        how = manner(kind, line, "bar")
        if how == "bar":
            continue
        data = ""
        for chain in chains(sides):
            points = [paper.corner(corner) for corner in chain]
            data += path_of(rounded(middles(points, False) if len(points) > 3 else points, False))
        parts += _line(data, line.color, how, paper.side)
    return parts


def _line(data: str, color: str, how: str, side: float) -> list[Element]:
    wide = {"river": 0.13, "canal": 0.26, "border": 0.09, "road": 0.15, "track": 0.09}.get(how, 0.12) * side
    ends_ = {"stroke_linecap": "round", "stroke_linejoin": "round", "fill": "none"}
    if how == "border":
        return [
            svg.path(data, stroke=lighter(color, 0.55), stroke_width=wide * 2.4, stroke_opacity=0.55, **ends_),
            svg.path(
                data,
                stroke=color,
                stroke_width=wide,
                stroke_dasharray=f"{svg.number(side * 0.35)} {svg.number(side * 0.18)}",
                **ends_,
            ),
        ]
    if how == "track":
        return [
            svg.path(data, stroke=lighter(color, 0.7), stroke_width=wide * 1.7, stroke_opacity=0.7, **ends_),
            svg.path(
                data,
                stroke=color,
                stroke_width=wide,
                stroke_dasharray=f"{svg.number(side * 0.28)} {svg.number(side * 0.16)}",
                **ends_,
            ),
        ]
    casing = darker(color, 0.35)
    return [
        svg.path(data, stroke=casing, stroke_width=wide * (1.45 if how != "road" else 1.6), **ends_),
        svg.path(data, stroke=lighter(color, 0.25) if how == "road" else color, stroke_width=wide, **ends_),
    ]


def _roads(game: Game, table: HexMap, paper: Paper) -> list[Element]:
    """Roads and tracks through the hexes; casings first, so that crossings look joined."""
    parts: list[Element] = []
    order = [kind for kind in game.paths if kind != "road"] + [kind for kind in game.paths if kind == "road"]
    for kind in order:
        lines = [path for path in table.paths if path.kind == kind]
        if not lines:
            continue
        how = manner(kind, game.paths[kind], "road" if kind.endswith("road") else "track")
        runs = [run for path in lines for run in _runs(path.hexes, _junctions(lines))]
        data = "".join(through([paper.centre(hex) for hex in run]) for run in runs)
        parts += _line(data, game.paths[kind].color, how, paper.side)
    return parts


def _junctions(lines: Sequence[Path]) -> frozenset[Hex]:
    """The hexes where more than one path goes: there all of them meet in the centre."""
    seen: dict[Hex, int] = {}
    for path in lines:
        for hex in set(path.hexes):
            seen[hex] = seen.get(hex, 0) + 1
    return frozenset(hex for hex, count in seen.items() if count > 1)


def _runs(hexes: tuple[Hex, ...], stops: frozenset[Hex]) -> list[tuple[Hex, ...]]:
    """A path cut at the stops on its way."""
    cuts = [0, *(i for i, hex in enumerate(hexes[1:-1], 1) if hex in stops), len(hexes) - 1]
    return [hexes[a : b + 1] for a, b in pairwise(cuts)]


def _grid(table: HexMap, paper: Paper) -> list[Element]:
    """The hex grid, every side once, and a dot in each centre."""
    done: set[Hexside] = set()
    data = ""
    from scenarios.hexes import sides as sides_of

    for hex in table.hexes:
        for side in sides_of(hex):
            if side not in done:
                done.add(side)
                data += path_of([paper.corner(corner) for corner in ends(side)])
    dots = "".join(
        f"M{svg.number(x - 0.25)} {svg.number(y)}a.25 .25 0 1 0 .5 0a.25 .25 0 1 0-.5 0Z"
        for x, y in map(paper.centre, table.hexes)
    )
    return [
        svg.path(data, fill="none", stroke=INK, stroke_width=0.16, stroke_opacity=0.5),
        svg.path(dots, fill=INK, fill_opacity=0.55),
    ]


def _bars(game: Game, table: HexMap, paper: Paper) -> list[Element]:
    """Bars along hexsides."""
    parts = []
    for kind, sides in _sides_by_kind(table).items():
        line = game.hexsides[kind]
        if manner(kind, line, "bar") != "bar":
            continue
        data = "".join(path_of([paper.corner(c) for c in chain]) for chain in chains(sides))
        wide = paper.side * 0.2
        ends_ = {"fill": "none", "stroke_linejoin": "round", "stroke_linecap": "round"}
        parts.append(svg.path(data, stroke=darker(line.color, 0.45), stroke_width=wide + paper.side * 0.05, **ends_))
        parts.append(svg.path(data, stroke=line.color, stroke_width=wide, **ends_))
    return parts


def _ids(table: HexMap, sheet: Sheet) -> list[Element]:
    """The id of every hex under its upper side, as the rulebook numbers them."""
    paper = sheet.paper
    size = max(1.4, paper.side * 0.2)
    parts = []
    high = ROOT3 / 2 if table.orientation == "flat" else 0.8
    for hex in table.hexes:
        x, y = paper.centre(hex)
        top = y - paper.side * high + size * 0.95
        if not sheet.inside((x, top - size * 0.7)):
            top = y + size * 1.05
        anchor: str = "middle"
        shift = 0.0
        if sheet.cut and x < 0.5:
            anchor, shift = "start", size * 0.3
        elif sheet.cut and x > sheet.width - 0.5:
            anchor, shift = "end", -size * 0.3
        name = table.name(hex).removeprefix(f"{_board_of(table, hex)}-") if table.prefixed else table.name(hex)
        parts.append(text(name, x + shift, top, size, "regular", anchor, fill=INK, fill_opacity=0.62))  # type: ignore[arg-type]
    return parts


def _board_of(table: HexMap, hex: Hex) -> str:
    return table.name(hex).partition("-")[0]


SIZES: Mapping[str, float] = {"city": 0.42, "capital": 0.46, "town": 0.34, "region": 0.6, "sea": 0.55}


def _names(game: Game, table: HexMap, sheet: Sheet) -> list[Element]:
    """Place names, each where it hides least."""
    paper = sheet.paper
    side = paper.side
    labels: list[Label] = []
    for spot in table.places.values():
        if not spot.hexes:
            continue
        points = [paper.centre(hex) for hex in spot.hexes]
        middle = sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)
        size = max(1.7, SIZES.get(spot.kind, 0.3) * side)
        labels.append(Label(spot.name, middle, size, "bold" if spot.kind in ("city", "capital") else "semibold"))
    blocked = _road_boxes(table, paper)
    return [
        drawn
        for label, x, y in place_labels(labels, blocked, sheet.width, sheet.height, side)
        for drawn in _haloed(label, x, y)
    ]


def _haloed(label: Label, x: float, y: float) -> Sequence[Element]:
    halo = text(label.words, x, y, label.size, label.weight, "middle", fill="#fbf6e6", stroke="#fbf6e6",
                stroke_width=label.size * 0.2, stroke_linejoin="round", stroke_opacity=0.85)  # fmt: skip
    return [halo, text(label.words, x, y, label.size, label.weight, "middle", fill=mix(INK, "#000000", 0.4))]


def _road_boxes(table: HexMap, paper: Paper) -> list[Box]:
    """Small boxes along roads, which names would rather not cover."""
    boxes = []
    for path in table.paths:
        for hex in path.hexes:
            x, y = paper.centre(hex)
            r = paper.side * 0.16
            boxes.append(Box(x - r, y - r, x + r, y + r))
    return boxes
