"""Pictures in few colours: a PNG with a palette has a third of the bytes of one in full colour."""

from __future__ import annotations

import io
import sys

from PIL import Image, ImageChops, ImageStat

MOST = 256
"""So many colours a palette has."""
SMALL = 100_000
"""Pictures of fewer dots than this are rewritten dot by dot."""
FEW, MOVED = 160, 30_000
"""How many colours the picture of a map gets, and how many dots may still change theirs when the palette is good enough."""
NEAR = 3.0
"""How far colours may be off (the root of the mean square, of 255): a drawing stays far below, a photograph doesn't."""
LEVEL = 8
"""How hard a picture is packed: the last level takes three times as long for half a per cent."""
WAY = repr((MOST, SMALL, FEW, MOVED, NEAR, LEVEL))
"""What the result depends on besides the picture."""


def paletted(content: bytes) -> bytes:
    """A PNG with a palette, where that loses nothing that can be seen and saves room; else as it was."""
    image: Image.Image = Image.open(io.BytesIO(content))
    if image.mode == "RGBA" and image.getchannel("A").getextrema() == (255, 255):
        image = image.convert("RGB")
    if image.mode not in ("RGB", "RGBA"):
        return content
    made = _exact(image) if image.width * image.height < SMALL else _near(image) if image.mode == "RGB" else None
    if made is None:
        return content
    target = io.BytesIO()
    made.save(target, "PNG", compress_level=LEVEL)
    return min(content, target.getvalue(), key=len)


def cut_out(content: bytes, left: int, top: int, width: int, height: int, turned: bool) -> bytes:
    """A part of a picture, with the palette of the whole."""
    part = Image.open(io.BytesIO(content)).crop((left, top, left + width, top + height))
    target = io.BytesIO()
    (part.transpose(Image.Transpose.ROTATE_180) if turned else part).save(target, "PNG", compress_level=LEVEL)
    return target.getvalue()


def _exact(image: Image.Image) -> Image.Image | None:
    """The same dots, where there are few colours."""
    dots = memoryview(image.convert("RGBA").tobytes()).cast("I")
    kinds = sorted(set(dots), key=lambda dot: dot.to_bytes(4, sys.byteorder))
    if len(kinds) > MOST:
        return None
    number = {dot: i for i, dot in enumerate(kinds)}
    made = Image.frombytes("P", image.size, bytes(map(number.__getitem__, dots)))
    colors = b"".join(dot.to_bytes(4, sys.byteorder)[: len(image.mode)] for dot in kinds)
    made.putpalette(colors, image.mode)
    return made


def _near(image: Image.Image) -> Image.Image | None:
    """Colours that can't be told from those of the picture."""
    made = image.quantize(FEW, Image.Quantize.MEDIANCUT, MOVED, dither=Image.Dither.NONE)
    off = ImageStat.Stat(ImageChops.difference(image, made.convert("RGB"))).rms
    return made if max(off) < NEAR else None
