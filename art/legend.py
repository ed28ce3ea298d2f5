"""Legends: the terrain, hexsides, paths and signs that a map really has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from art import svg
from art.color import darker
from art.furniture import EDGE
from art.geometry import Paper, path_of
from art.icons import ICONS, INK, NAMES, Icon, star
from art.landforms import landforms
from art.linework import LOOSE, loose_courses, manner, path_manner, sides_by_kind, stroke
from art.places import objectives, spots
from art.roads import bridges
from art.svg import Element
from art.text import lines, text
from art.textures import texture_of, textured
from art.water import WATER
from scenarios.game import Game
from scenarios.hexes import Hex
from scenarios.maps import HexMap

HIGH, SWATCH = 11.0, 12.0
"""The height of a line of a legend, and the room for its sample."""


class Entry(NamedTuple):
    """A line of a legend: a heading's group, the words, and a sample drawn around a point."""

    group: str
    words: str
    draw: Callable[[float, float], list[Element]]


def entries(game: Game, table: HexMap, paper: Paper) -> list[Entry]:
    """What a hex map has, in the order of the pack."""
    found = [_terrain(game, kind, table.orientation) for kind in game.terrain if kind in set(table.terrain.values())]
    sides = sides_by_kind(table)
    found += [_hexside(game, kind) for kind in game.hexsides if kind in sides]
    used = {path.kind for path in table.paths}
    found += [_path(game, kind) for kind in game.paths if kind in used]
    loose = {line.kind for line, _ in loose_courses(table, paper)}
    found += [_loose(kind) for kind in LOOSE if kind in loose]
    if bridges(game, table, paper):
        found.append(Entry("Signs", "Bridge", lambda x, y: ICONS["bridge"](x, y, 3.0)))
    said = {entry.words for entry in found}
    icons = [spot.icon for spot in spots(game, table, paper) if spot.icon and NAMES[spot.icon] not in said]
    alike: dict[Icon, dict[str, None]] = {}
    for icon in icons:
        alike.setdefault(ICONS[icon], {})[NAMES[icon]] = None
    found += [
        _icon(", ".join([*names][:1] + [name.lower() for name in [*names][1:]]), draw) for draw, names in alike.items()
    ]
    found += [_star(zone.name, *look) for zone, look, _ in objectives(table)]
    if any(zone.kind == "entry" for placed in table.placed for zone in placed.board.shape.zones.values()):
        found.append(Entry("Signs", "Entry area", lambda x, y: [svg.circle(x, y, 2.6, fill="#a8402c")]))
    return found


def _terrain(game: Game, kind: str, orientation: Literal["flat", "pointy"]) -> Entry:
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
        sign = {"bar_lev_hex": "fort"}.get(kind, kind)
        shown = texture in ("none", "fields") and sign in ICONS
        drawn = textured(texture, [(f"{kind}-legend", (x, y))], ground.color, side)
        return [shape, *drawn, *(ICONS[sign](x, y, 2.2) if shown else [])]

    return Entry("Water" if kind in WATER else "Terrain", ground.name, draw)


def _hexside(game: Game, kind: str) -> Entry:
    line = game.hexsides[kind]
    how = manner(kind, line, "bar")

    def draw(x: float, y: float) -> list[Element]:
        side = 9.0
        wave = [(x - 5.5, y + 1.2), (x - 2, y - 1.2), (x + 2, y + 1.2), (x + 5.5, y - 1.2)]
        if how == "bar":
            half = side * 0.6
            return landforms([[(x - half, y + 1.3), (x, y - 1.3), (x + half, y + 1.3)]], kind, line.color, side)
        return stroke(path_of(wave), line.color, how, side)

    return Entry("Hexsides", line.name, draw)


def _path(game: Game, kind: str) -> Entry:
    line = game.paths[kind]
    return Entry(
        "Paths",
        line.name,
        lambda x, y: stroke(path_of([(x - 5.5, y), (x + 5.5, y)]), line.color, path_manner(kind, line), 10.5),
    )


def _loose(kind: str) -> Entry:
    wave = [(-5.5, 1.0), (-2.0, -1.0), (2.0, 1.0), (5.5, -1.0)]
    return Entry(
        "Lines",
        f"{kind.capitalize()}, without effect",
        lambda x, y: stroke(path_of([(x + a, y + b) for a, b in wave]), LOOSE[kind], kind, 9.0),
    )


def _icon(words: str, draw: Icon) -> Entry:
    return Entry("Signs", words, lambda x, y: draw(x, y, 2.7))


def _star(words: str, fill: str, edge: str) -> Entry:
    return Entry("Signs", words, lambda x, y: star(x, y, 3.0, fill, edge))


def legend_group(found: Sequence[Entry], width: float, columns: int = 0) -> tuple[Element, float]:
    """A legend of that width in columns; and how high it is."""
    count = columns or max(1, int(width // 52))
    wide = width / count
    rows = -(-len(found) // count)
    parts: list[Element] = [text("LEGEND", 0, 4.2, 3.6, "bold", "start", fill=INK, letter_spacing=0.8)]
    for i, entry in enumerate(found):
        x, y = (i // rows) * wide, 7 + (i % rows) * HIGH
        parts += entry.draw(x + SWATCH / 2, y + HIGH / 2)
        words = lines(entry.words, wide - SWATCH - 4, 3.2, "semibold")[:2]
        for k, row in enumerate(words):
            base = y + HIGH / 2 + 1.1 + (k - (len(words) - 1) / 2) * 3.5
            parts.append(text(row, x + SWATCH + 1.6, base, 3.2, "semibold", "start", fill=INK))
    parts.append(svg.line(0, 5.8, width, 5.8, stroke=EDGE, stroke_width=0.25))
    return svg.group(parts), 7 + rows * HIGH
