"""Pictures for other tabletops: every side and printed number of the counters, and every map, board and chart."""

from __future__ import annotations

import math
from collections.abc import Iterator

from art.counters.slots import SIZE
from modgen.cache import Cache
from modgen.kit.drawings import chart_drawings, map_drawings
from modgen.kit.faces import SIDES, Faces
from modgen.kit.ink_saving import in_tone, ink_saving_game
from modgen.kit.kit import lay_out
from modgen.kit.options import Options, with_pack_size
from modgen.kit.plates import size_of, svg_of
from modgen.kit.sheets import BLEED
from modgen.kit.svg_clipping import PartIndex
from modgen.kit.views import GROUND, view
from modgen.render import fitting, render_all, with_resolution
from scenarios.model.game import Game

TILE = 200.0
"""The side of a picture of a part of a map, in millimeters."""


def named_drawings(game: Game, options: Options, cache: Cache) -> Iterator[tuple[str, bytes]]:
    """The drawings and the names of their files."""
    options = with_pack_size(game, options)
    game = ink_saving_game(game) if options.ink_saver else game
    bleed = BLEED * SIZE / options.counter_size if options.bleed else 0.0
    faces = Faces(game, cache, bleed)
    pieces = [cell.piece for sheet in lay_out(game, options) for cell in sheet.cells]
    for piece in {(piece.kind, piece.id, piece.copy): piece for piece in pieces}.values():
        folder = "markers" if piece.kind == "marker" else "counters"
        name = f"{piece.id}-{piece.copy}" if piece.copy else piece.id
        for side in SIDES:
            svg_bytes = faces.drawing(
                piece, side, options.counter_size + (2 * BLEED if options.bleed else 0.0), options.bleed
            )
            yield f"{folder}/{name}-{side}.png", in_tone(svg_bytes, options.tone)
    if options.pieces:
        return
    for map_drawing in map_drawings(game, view(game, GROUND), options, cache, ids=True):
        svg_bytes = svg_of(map_drawing.sheet, cache, options.tone)
        yield f"maps/{map_drawing.id}.png", svg_bytes
        if fitting(svg_bytes, options.dpi)[1] < options.dpi:
            yield from _tiles(map_drawing.id, svg_bytes, map_drawing.scale)
    for key, drawing in zip(game.tables, chart_drawings(game, options), strict=True):
        yield f"charts/{key}.png", svg_of(drawing, cache, options.tone)


def _tiles(key: str, svg_bytes: bytes, scale: float) -> Iterator[tuple[str, bytes]]:
    """A map that is too big for one picture, as tiles in full resolution."""
    width, height = size_of(svg_bytes)
    cut = PartIndex(svg_bytes)
    for row in range(math.ceil(height / TILE)):
        for column in range(math.ceil(width / TILE)):
            left, top = column * TILE, row * TILE
            tile_width, tile_height = min(TILE, width - left), min(TILE, height - top)
            part = cut.through(left / scale, top / scale, tile_width / scale, tile_height / scale, scale)
            yield f"maps/{key}-tiles/{key}-{row + 1}-{column + 1}.png", part


def pngs(game: Game, options: Options, cache: Cache) -> Iterator[tuple[str, bytes]]:
    """The pictures of a game by file name."""
    scaled_pictures = {name: fitting(svg, options.dpi) for name, svg in named_drawings(game, options, cache)}
    images = render_all({name: picture for name, (picture, _) in scaled_pictures.items()}, cache)
    for name, (_, dpi) in scaled_pictures.items():
        yield name, with_resolution(images[name], dpi)
