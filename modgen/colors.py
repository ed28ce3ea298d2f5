"""Pictures in few colours: a PNG with a palette has a third of the bytes of one in full colour."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable
from typing import NamedTuple

from PIL import Image, ImageChops, ImageStat

MOST = 256
"""So many colours a palette has."""
SMALL = 100_000
"""Pictures of fewer dots than this are rewritten dot by dot."""
FEW, STEP, MOVED = 144, 3, 300
"""How many colours the picture of a map gets; they are chosen from every third dot of every third row, and the choice is good enough
when so few of those dots would still change theirs."""
MIDDLE = 2
"""Pillow finds the nearest colour for four values of a channel at once, by the lowest of them. Their middle is so much higher."""
NEAR = 3.0
"""How far colours may be off (the root of the mean square, of 255): a drawing stays far below, a photograph doesn't."""
LEVEL = 7
"""How hard a picture is packed: the next level takes more than twice as long for three per cent."""
WAY = repr((MOST, SMALL, FEW, STEP, MOVED, MIDDLE, NEAR, LEVEL))
"""What the result depends on besides the picture."""


class Cut(NamedTuple):
    """A part of a picture: where it begins, how large it is, and whether it is turned upside down."""

    left: int
    top: int
    width: int
    height: int
    turned: bool = False


def cut_up(content: bytes, cuts: Iterable[Cut | None], small: bool) -> list[bytes]:
    """Parts of a PNG, or all of it; small files have one palette for all parts, where that loses nothing that can be seen and saves
    room."""
    opened: Image.Image = Image.open(io.BytesIO(content))
    image = _paletted(opened) if small else None
    parts: list[bytes] = []
    for cut in cuts:
        if cut is not None:
            parts.append(_png(_part(image or opened, cut)))
        else:
            parts.append(min(content, _png(image), key=len) if image is not None else content)
    return parts


def _part(image: Image.Image, cut: Cut) -> Image.Image:
    part = image.crop((cut.left, cut.top, cut.left + cut.width, cut.top + cut.height))
    return part.transpose(Image.Transpose.ROTATE_180) if cut.turned else part


def _png(image: Image.Image) -> bytes:
    target = io.BytesIO()
    image.save(target, "PNG", compress_level=LEVEL)
    return target.getvalue()


def _paletted(image: Image.Image) -> Image.Image | None:
    """The picture with a palette, if its colours are few or nobody sees that some are missing."""
    if image.mode == "RGBA" and image.getchannel("A").getextrema() == (255, 255):
        image = image.convert("RGB")
    if image.mode not in ("RGB", "RGBA"):
        return None
    if image.width * image.height < SMALL:
        return _exact(image)
    return _near(image) if image.mode == "RGB" else None


def _exact(image: Image.Image) -> Image.Image | None:
    """The same dots, where there are few colours."""
    whole = image.convert("RGBA")
    counted = whole.getcolors(MOST)
    if counted is None:
        return None
    kinds = sorted(bytes(color) for _, color in counted)  # type: ignore[arg-type]
    number = {int.from_bytes(kind, sys.byteorder): i for i, kind in enumerate(kinds)}
    made = Image.frombytes("P", image.size, bytes(map(number.__getitem__, memoryview(whole.tobytes()).cast("I"))))
    made.putpalette(b"".join(kind[: len(image.mode)] for kind in kinds), image.mode)
    return made


def _near(image: Image.Image) -> Image.Image | None:
    """Colours that can't be told from those of the picture."""
    some = image.resize((max(1, image.width // STEP), max(1, image.height // STEP)), Image.Resampling.NEAREST)
    colors = some.quantize(FEW, Image.Quantize.MEDIANCUT, MOVED, dither=Image.Dither.NONE).getpalette("RGB")
    assert colors is not None
    lower = Image.new("P", (1, 1))
    lower.putpalette([max(0, value - MIDDLE) for value in colors], "RGB")
    made = image.quantize(palette=lower, dither=Image.Dither.NONE)
    made.putpalette(colors, "RGB")
    off = ImageStat.Stat(
        ImageChops.difference(some, made.resize(some.size, Image.Resampling.NEAREST).convert("RGB"))
    ).rms
    return made if max(off) < NEAR else None
