"""Every counter side, with each of its printed numbers, and every map, board and chart as a picture, for other tabletops."""

from __future__ import annotations

from collections.abc import Iterator

from modgen.cache import Cache
from modgen.kit.drawings import chart_drawings, map_drawings
from modgen.kit.faces import SIDES, Faces
from modgen.kit.kit import lay_out
from modgen.kit.options import Options, settled
from modgen.kit.plates import svg_of
from modgen.kit.saver import spared
from modgen.kit.views import GROUND, view
from modgen.render import fitting, rendered, with_resolution
from scenarios.game import Game


def named(game: Game, options: Options, cache: Cache) -> Iterator[tuple[str, bytes]]:
    """The drawings and the names of their files."""
    options = settled(game, options)
    faces = Faces(game, cache)
    pieces = [cell.piece for sheet in lay_out(game, options) for cell in sheet.cells]
    for piece in {(piece.kind, piece.id, piece.copy): piece for piece in pieces}.values():
        folder = "markers" if piece.kind == "marker" else "counters"
        name = f"{piece.id}-{piece.copy}" if piece.copy else piece.id
        for side in SIDES:
            drawn = faces.drawing(piece, side, options.counter_size)
            yield f"{folder}/{name}-{side}.png", spared(drawn) if options.ink_saver else drawn
    if options.pieces:
        return
    for one in map_drawings(game, view(game, GROUND), options):
        yield f"maps/{one.id}.png", svg_of(one.sheet, cache, options.ink_saver)
    for key, drawing in zip(game.tables, chart_drawings(game, options), strict=True):
        yield f"charts/{key}.png", svg_of(drawing, cache, options.ink_saver)


def pngs(game: Game, options: Options, cache: Cache) -> Iterator[tuple[str, bytes]]:
    """The pictures of a game by file name."""
    wanted = {name: fitting(svg, options.dpi) for name, svg in named(game, options, cache)}
    made = rendered({name: picture for name, (picture, _) in wanted.items()}, cache)
    for name, (_, dpi) in wanted.items():
        yield name, with_resolution(made[name], dpi)
