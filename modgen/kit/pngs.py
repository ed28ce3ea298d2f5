"""Every counter side, with each of its printed numbers, and every map, board and chart as a picture, for other tabletops."""

from __future__ import annotations

import math
from collections.abc import Iterator

from art.spots import SIZE
from modgen.cache import Cache
from modgen.kit.drawings import chart_drawings, map_drawings
from modgen.kit.faces import SIDES, Faces
from modgen.kit.kit import lay_out
from modgen.kit.options import Options, settled
from modgen.kit.plates import size_of, svg_of
from modgen.kit.saver import in_tone, inked
from modgen.kit.sheets import BLEED
from modgen.kit.views import GROUND, view
from modgen.kit.windows import Windows
from modgen.render import fitting, rendered, with_resolution
from scenarios.game import Game

TILE = 200.0
"""The side of a picture that is a part of a map, in millimetres."""


def named(game: Game, options: Options, cache: Cache) -> Iterator[tuple[str, bytes]]:
    """The drawings and the names of their files."""
    options = settled(game, options)
    game = inked(game) if options.ink_saver else game
    bleed = BLEED * SIZE / options.counter_size if options.bleed else 0.0
    faces = Faces(game, cache, bleed)
    pieces = [cell.piece for sheet in lay_out(game, options) for cell in sheet.cells]
    for piece in {(piece.kind, piece.id, piece.copy): piece for piece in pieces}.values():
        folder = "markers" if piece.kind == "marker" else "counters"
        name = f"{piece.id}-{piece.copy}" if piece.copy else piece.id
        for side in SIDES:
            drawn = faces.drawing(
                piece, side, options.counter_size + (2 * BLEED if options.bleed else 0.0), options.bleed
            )
            yield f"{folder}/{name}-{side}.png", in_tone(drawn, options.tone)
    if options.pieces:
        return
    for one in map_drawings(game, view(game, GROUND), options, cache, ids=True):
        drawn = svg_of(one.sheet, cache, options.tone)
        yield f"maps/{one.id}.png", drawn
        if fitting(drawn, options.dpi)[1] < options.dpi:
            yield from _tiles(one.id, drawn, one.scale)
    for key, drawing in zip(game.tables, chart_drawings(game, options), strict=True):
        yield f"charts/{key}.png", svg_of(drawing, cache, options.tone)


def _tiles(key: str, drawn: bytes, scale: float) -> Iterator[tuple[str, bytes]]:
    """A map that is too big for one picture, in tiles at the full number of dots."""
    wide, high = size_of(drawn)
    cut = Windows(drawn)
    for row in range(math.ceil(high / TILE)):
        for column in range(math.ceil(wide / TILE)):
            left, top = column * TILE, row * TILE
            across, down = min(TILE, wide - left), min(TILE, high - top)
            part = cut.through(left / scale, top / scale, across / scale, down / scale, scale)
            yield f"maps/{key}-tiles/{key}-{row + 1}-{column + 1}.png", part


def pngs(game: Game, options: Options, cache: Cache) -> Iterator[tuple[str, bytes]]:
    """The pictures of a game by file name."""
    wanted = {name: fitting(svg, options.dpi) for name, svg in named(game, options, cache)}
    made = rendered({name: picture for name, (picture, _) in wanted.items()}, cache)
    for name, (_, dpi) in wanted.items():
        yield name, with_resolution(made[name], dpi)
