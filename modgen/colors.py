"""Reduces pictures to few colors. A PNG with a palette has a third of the bytes of one in full color."""

from __future__ import annotations

import io
import math
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from PIL import Image, ImageChops, ImageStat

MAX_COLORS = 256
"""The greatest number of colors in a palette."""
SMALL = 100_000
"""Pictures of fewer dots than this are rewritten dot by dot."""
SMALL_PALETTE, PALETTE_STEP, MAX_MOVED = 144, 3, 300
"""The number of colors for the picture of a map, the sampling step, and the limit of changes.

The colors come from every third dot of every third row. The choice is good enough when at most this many of those
dots would still change.
"""
MIDDLE = 2
"""Pillow finds the nearest color for four values of a channel at once, by the lowest of them. Their middle is higher by this number."""
HUGE, ROWS = 20_000_000, 60
"""A picture with more dots that was drawn in bands gets its palette strip by strip.

A strip has this many rows, a number that PALETTE_STEP divides.
"""
BANDS = b"tEXtSoftware\0Mitla, in bands"
"""Follows the header of a picture that was drawn in bands."""
MAX_DIFFERENCE = 3.0
"""The greatest error of colors (root mean square, of 255). A drawing stays far below it; a photograph doesn't."""
LEVEL = 7
"""The compression level. The next level takes more than twice as long for three percent."""
WAY = repr((MAX_COLORS, SMALL, SMALL_PALETTE, PALETTE_STEP, MAX_MOVED, MIDDLE, MAX_DIFFERENCE, LEVEL))
"""What the result depends on besides the picture."""


class ImageCut(NamedTuple):
    """A part of a picture: its corner, its size, and whether it is turned upside down."""

    x: int
    top: int
    width: int
    height: int
    is_rotated: bool = False


def cut_up(content: bytes, cuts: Iterable[ImageCut | None], small: bool) -> list[bytes]:
    """Parts of a PNG, or all of it.

    With `small`, all parts share one palette if that saves space and no difference is visible.
    """
    picture: Image.Image = Image.open(io.BytesIO(content))
    width, height = picture.size
    if small and BANDS in content[:100] and width * height > HUGE:
        image = _near_of_strips(lambda: _strips(content, width), width, height)
    else:
        image = _with_palette(picture) if small else None
    parts: list[bytes] = []
    for cut in cuts:
        if cut is not None:
            parts.append(_png(_part(image or picture, cut)))
        else:
            parts.append(min(content, _png(image), key=len) if image is not None else content)
    return parts


def _part(image: Image.Image, cut: ImageCut) -> Image.Image:
    part = image.crop((cut.x, cut.top, cut.x + cut.width, cut.top + cut.height))
    return part.transpose(Image.Transpose.ROTATE_180) if cut.is_rotated else part


def _png(image: Image.Image) -> bytes:
    target = io.BytesIO()
    image.save(target, "PNG", compress_level=LEVEL)
    return target.getvalue()


def _with_palette(image: Image.Image) -> Image.Image | None:
    """The picture with a palette, if it has few colors or the loss of some is invisible."""
    if image.mode == "RGBA" and image.getchannel("A").getextrema() == (255, 255):
        image = image.convert("RGB")
    if image.mode not in ("RGB", "RGBA"):
        return None
    if image.width * image.height < SMALL:
        return _exact(image)
    return _similar_colors(image) if image.mode == "RGB" else None


def _exact(image: Image.Image) -> Image.Image | None:
    """The same dots with a palette, if there are few colors."""
    whole = image.convert("RGBA")
    counted = whole.getcolors(MAX_COLORS)
    if counted is None:
        return None
    dot_values = sorted(bytes(color) for _, color in counted)  # type: ignore[arg-type]
    number = {int.from_bytes(kind, sys.byteorder): i for i, kind in enumerate(dot_values)}
    indexed_image = Image.frombytes(
        "P", image.size, bytes(map(number.__getitem__, memoryview(whole.tobytes()).cast("I")))
    )
    indexed_image.putpalette(b"".join(kind[: len(image.mode)] for kind in dot_values), image.mode)
    return indexed_image


def _similar_colors(image: Image.Image) -> Image.Image | None:
    """The picture in colors that can't be distinguished from its own."""
    return _near_of_strips(lambda: iter([image]), *image.size)


def _near_of_strips(strips: Callable[[], Iterator[Image.Image]], width: int, height: int) -> Image.Image | None:
    """Similar colors for a picture in strips, from top to bottom, which are read twice. Only the last may end between two samples."""
    some = Image.new("RGB", (max(1, width // PALETTE_STEP), max(1, height // PALETTE_STEP)))
    top = 0
    for strip in strips():
        some.paste(_sampled(strip, some.width), (0, top // PALETTE_STEP))
        top += strip.height
    colors = some.quantize(SMALL_PALETTE, Image.Quantize.MEDIANCUT, MAX_MOVED, dither=Image.Dither.NONE).getpalette(
        "RGB"
    )
    assert colors is not None
    lower = Image.new("P", (1, 1))
    lower.putpalette([max(0, value - MIDDLE) for value in colors], "RGB")
    made, top, squares = Image.new("P", (width, height)), 0, [0.0, 0.0, 0.0]
    for strip in strips():
        part = strip.quantize(palette=lower, dither=Image.Dither.NONE)
        made.paste(part, (0, top))
        part.putpalette(colors, "RGB")
        same, row = _sampled(part, some.width).convert("RGB"), top // PALETTE_STEP
        difference = ImageChops.difference(some.crop((0, row, some.width, min(some.height, row + same.height))), same)
        squares = [total + new for total, new in zip(squares, ImageStat.Stat(difference).sum2, strict=True)]
        top += strip.height
    made.putpalette(colors, "RGB")
    return made if math.sqrt(max(squares) / (some.width * some.height)) < MAX_DIFFERENCE else None


def _sampled(image: Image.Image, width: int) -> Image.Image:
    return image.resize((width, max(1, image.height // PALETTE_STEP)), Image.Resampling.NEAREST)


def _strips(content: bytes, width: int) -> Iterator[Image.Image]:
    """Strips of a picture that was drawn in bands: three bytes per dot, no filter, one chunk, as modgen.render writes it."""
    start = content.index(b"IDAT")
    unpacking, left = (
        zlib.decompressobj(),
        content[start + 4 : start + 4 + int.from_bytes(content[start - 4 : start], "big")],
    )
    row = 3 * width + 1
    while left or not unpacking.eof:
        packed = bytearray()
        while len(packed) < ROWS * row and not unpacking.eof:
            packed += unpacking.decompress(left, ROWS * row - len(packed))
            left = unpacking.unconsumed_tail
        if packed:
            dots = b"".join(packed[n + 1 : n + row] for n in range(0, len(packed), row))
            yield Image.frombytes("RGB", (width, len(packed) // row), dots)
        if unpacking.eof:
            return
