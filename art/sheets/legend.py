"""Legends: only the terrain, hexsides, paths and signs that a map has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from art import svg
from art.color import darker
from art.geometry import Paper, path_of
from art.maps.icons import ICONS, INK, NAMES, Icon, star
from art.maps.landforms import landforms
from art.maps.linework import LOOSE, loose_courses, manner, path_manner, sides_by_kind, stroke
from art.maps.places import objectives, spots
from art.maps.roads import bridges
from art.maps.textures import draw_texture, texture_of
from art.maps.water import water_kinds
from art.sheets.furniture import EDGE
from art.svg import Element
from art.text import lines, text
from scenarios.model.game import Game
from scenarios.model.hexes import Hex
from scenarios.model.maps import HexMap

ROW_HEIGHT, SWATCH = 11.0, 12.0
"""The height of a legend line, and the width of its sample."""


class LegendEntry(NamedTuple):
    """A line of a legend: its group, its text, and a sample drawn around a point."""

    group: str
    words: str
    draw: Callable[[float, float], list[Element]]


def entries(game: Game, table: HexMap, paper: Paper) -> list[LegendEntry]:
    """The legend entries for a hex map, in the order of the pack."""
    result = [_terrain(game, kind, table.orientation) for kind in game.terrain if kind in set(table.terrain.values())]
    sides = sides_by_kind(table)
    result += [_hexside(game, kind) for kind in game.hexsides if kind in sides]
    used = {path.kind for path in table.paths}
    result += [_path(game, kind) for kind in game.paths if kind in used]
    loose = {line.kind for line, _ in loose_courses(table, paper)}
    result += [_loose(kind) for kind in LOOSE if kind in loose]
    if bridges(game, table, paper):
        result.append(LegendEntry("Signs", "Bridge", lambda x, y: ICONS["bridge"](x, y, 3.0)))
    words_shown = {entry.words for entry in result}
    icons = [spot.icon for spot in spots(game, table, paper) if spot.icon and NAMES[spot.icon] not in words_shown]
    names_by_icon: dict[Icon, dict[str, None]] = {}
    for icon in icons:
        names_by_icon.setdefault(ICONS[icon], {})[NAMES[icon]] = None
    result += [
        _icon(", ".join([*names][:1] + [name.lower() for name in [*names][1:]]), draw)
        for draw, names in names_by_icon.items()
    ]
    result += [_star(zone.name, *look) for zone, look, _ in objectives(table)]
    if any(zone.kind == "entry" for placement in table.placed for zone in placement.board.shape.zones.values()):
        result.append(LegendEntry("Signs", "Entry area", lambda x, y: [svg.circle(x, y, 2.6, fill="#a8402c")]))
    return result


def _terrain(game: Game, kind: str, orientation: Literal["flat", "pointy"]) -> LegendEntry:
    ground = game.terrain[kind]

    def draw(x: float, y: float) -> list[Element]:
        side = 5.2
        paper = Paper(orientation, side, x, y)
        shape = svg.path(
            path_of(paper.outline(Hex(0, 0)), True),
            fill=ground.color,
            stroke=darker(ground.color, 0.45),
            stroke_width=0.25,
        )
        texture = texture_of(kind, ground)
        sign = ground.icon or kind
        has_icon = texture in ("none", "fields") and sign in ICONS
        texture_parts = draw_texture(texture, [(f"{kind}-legend", (x, y))], ground.color, side)
        return [shape, *texture_parts, *(ICONS[sign](x, y, 2.2) if has_icon else [])]

    return LegendEntry("Water" if kind in water_kinds(game) else "Terrain", ground.name, draw)


def _hexside(game: Game, kind: str) -> LegendEntry:
    line = game.hexsides[kind]
    line_manner = manner(kind, line, "bar")

    def draw(x: float, y: float) -> list[Element]:
        side = 9.0
        wave = [(x - 5.5, y + 1.2), (x - 2, y - 1.2), (x + 2, y + 1.2), (x + 5.5, y - 1.2)]
        if line_manner == "bar":
            half_length = side * 0.6
            return landforms(
                [[(x - half_length, y + 1.3), (x, y - 1.3), (x + half_length, y + 1.3)]], kind, line.color, side
            )
        return stroke(path_of(wave), line.color, line_manner, side)

    return LegendEntry("Hexsides", line.name, draw)


def _path(game: Game, kind: str) -> LegendEntry:
    line = game.paths[kind]
    return LegendEntry(
        "Paths",
        line.name,
        lambda x, y: stroke(path_of([(x - 5.5, y), (x + 5.5, y)]), line.color, path_manner(kind, line), 10.5),
    )


def _loose(kind: str) -> LegendEntry:
    wave = [(-5.5, 1.0), (-2.0, -1.0), (2.0, 1.0), (5.5, -1.0)]
    return LegendEntry(
        "Lines",
        f"{kind.capitalize()}, without effect",
        lambda x, y: stroke(path_of([(x + a, y + b) for a, b in wave]), LOOSE[kind], kind, 9.0),
    )


def _icon(words: str, draw: Icon) -> LegendEntry:
    return LegendEntry("Signs", words, lambda x, y: draw(x, y, 2.7))


def _star(words: str, fill: str, edge: str) -> LegendEntry:
    return LegendEntry("Signs", words, lambda x, y: star(x, y, 3.0, fill, edge))


def legend_group(legend_entries: Sequence[LegendEntry], width: float, columns: int = 0) -> tuple[Element, float]:
    """A legend of that width in columns, with its height."""
    count = columns or max(1, int(width // 52))
    column_width = width / count
    rows = -(-len(legend_entries) // count)
    parts: list[Element] = [text("LEGEND", 0, 4.2, 3.6, "bold", "start", fill=INK, letter_spacing=0.8)]
    for i, entry in enumerate(legend_entries):
        x, y = (i // rows) * column_width, 7 + (i % rows) * ROW_HEIGHT
        parts += entry.draw(x + SWATCH / 2, y + ROW_HEIGHT / 2)
        words = lines(entry.words, column_width - SWATCH - 4, 3.2, "semibold")[:2]
        for k, row in enumerate(words):
            base = y + ROW_HEIGHT / 2 + 1.1 + (k - (len(words) - 1) / 2) * 3.5
            parts.append(text(row, x + SWATCH + 1.6, base, 3.2, "semibold", "start", fill=INK))
    parts.append(svg.line(0, 5.8, width, 5.8, stroke=EDGE, stroke_width=0.25))
    return svg.group(parts), 7 + rows * ROW_HEIGHT
