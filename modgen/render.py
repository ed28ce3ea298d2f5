"""Renders SVG to PNG, cached by content, font and renderer version.

Typst draws the pictures. It contains resvg, which runs at full speed, and it lets other threads
work meanwhile.
"""

from __future__ import annotations

import contextlib
import io
import math
import os
import re
import struct
import threading
import zlib
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from ctypes import c_float
from itertools import repeat
from typing import NamedTuple

from modgen.cache import Cache, key_of, versions
from modgen.colors import BANDS, WAY, ImageCut, cut_up
from modgen.kit.plates import size_of
from modgen.kit.svg_clipping import cut_apart
from modgen.typesetting import give_back, pngs

MAX_PIXELS = 16_000_000
"""The greatest number of dots in a picture: about 4,000 by 4,000, which other tabletops accept."""
BATCH_SIZE = 100
"""The greatest number of pictures drawn at once. Typst keeps them all in memory until the last is drawn."""
MANY_DOTS = 3_000_000
"""The greatest number of dots drawn at once."""
LARGE_LOT = 1_000_000
"""Batches of more dots than this are drawn at most two at a time, whatever the number of processors."""
_LARGE_LOTS = threading.BoundedSemaphore(2)
BIG = 4_000_000
"""A picture of more dots is drawn in bands, because Typst needs some fifty bytes for each dot."""
BAND = 1_500_000
"""The number of dots in a band."""
GIVING_BACK = 8
"""After so many bands, free memory goes back to the system."""
SMALL_PIXELS = 250_000
"""With fewer dots, a second thread doesn't pay."""
_ROOT = re.compile(rb"<svg[^>]*>")
_VIEW = re.compile(rb' viewBox="([^"]*)"')
_SIZE_ATTRIBUTES = re.compile(rb' (width|height|viewBox|preserveAspectRatio)="[^"]*"')


class CannotDraw(Exception):
    """A picture can't be drawn: its name and the reason."""


class Picture(NamedTuple):
    """A drawing and its width and height in dots; or a part of such a drawing, which is drawn whole once for all its parts."""

    svg: bytes
    width: int
    height: int
    cut: ImageCut | None = None

    @property
    def key(self) -> str:
        """The key of the picture in the cache."""
        tools = versions("typst", "font-source-sans-pro")
        return key_of(
            "png", *tools, str(self.width), str(self.height), self.svg, *([repr(self.cut)] if self.cut else [])
        )

    @property
    def whole_picture(self) -> Picture:
        """The drawing itself, or the one that contains this part."""
        return self._replace(cut=None)


def fitting(svg: bytes, dpi: int) -> tuple[Picture, int]:
    """A picture with this resolution, or with the highest that a big map can have within memory, and the resolution."""
    width, height = size_of(svg)
    dpi = min(dpi, int(25.4 * math.sqrt(MAX_PIXELS / (width * height))))
    pixel_width = pixels(width, dpi)
    return Picture(svg, pixel_width, max(1, math.ceil(pixel_width * height / width - 1e-6))), dpi


def pixels(length: float, dpi: int) -> int:
    """A length in millimeters as a number of dots."""
    return max(1, round(length / 25.4 * dpi))


def with_resolution(content: bytes, dpi: int) -> bytes:
    """A PNG with its resolution added after its header."""
    per_metre = round(dpi / 0.0254)
    header = 8 + 4 + 4 + 13 + 4
    return content[:header] + _chunk(b"pHYs", struct.pack(">IIB", per_metre, per_metre, 1)) + content[header:]


def render_all(
    pictures: Mapping[str, Picture], cache: Cache, pool: bool = True, small: bool = False
) -> dict[str, bytes]:
    """All pictures as PNGs by name. Equal drawings are drawn once, and those in the cache not again.

    With `small`, files have palettes if the difference is invisible.
    """
    contents: dict[str, bytes] = {}
    todo: dict[str, str] = {}
    with_palette = ("paletted", WAY, *versions("pillow"))
    keys = {name: key_of(*with_palette, picture.key) if small else picture.key for name, picture in pictures.items()}
    for name, key in keys.items():
        if key not in contents and key not in todo:
            cached_content = cache.get(key)
            if cached_content is None:
                todo[key] = name
            else:
                contents[key] = cached_content
    parts: dict[Picture, list[str]] = {}
    for key, name in todo.items():
        parts.setdefault(pictures[name].whole_picture, []).append(key)
    drawn_pictures = draw({todo[picture_keys[0]]: whole_picture for whole_picture, picture_keys in parts.items()}, pool)
    cuts = [[pictures[todo[key]].cut for key in picture_keys] for picture_keys in parts.values()]
    with ThreadPoolExecutor(_threads(parts, pool)) as workers:
        for picture_keys, cut_contents in zip(
            parts.values(), workers.map(cut_up, drawn_pictures, cuts, repeat(small)), strict=True
        ):
            for key, content in zip(picture_keys, cut_contents, strict=True):
                contents[key] = content
                cache.put(key, content)
    return {name: contents[key] for name, key in keys.items()}


def draw(pictures: Mapping[str, Picture], pool: bool = True) -> list[bytes]:
    """Pictures as PNGs in order; with a pool, in as many threads as there are processors."""
    contents = {name: _by_bands(picture) for name, picture in pictures.items() if picture.width * picture.height > BIG}
    small_pictures = [(name, picture) for name, picture in pictures.items() if name not in contents]
    threads = _threads((picture for _, picture in small_pictures), pool)
    with ThreadPoolExecutor(threads) as workers:
        for lot in workers.map(
            _lot,
            lots(
                small_pictures,
                max(
                    threads,
                    -(-len(small_pictures) // BATCH_SIZE),
                    _dots(picture for _, picture in small_pictures) // MANY_DOTS,
                ),
            ),
        ):
            contents |= lot
    return [contents[name] for name in pictures]


def _threads(pictures: Iterable[Picture], pool: bool) -> int:
    """The number of threads that drawing these pictures is worth."""
    return min(os.cpu_count() or 1, _dots(pictures) // SMALL_PIXELS + 1) if pool else 1


def _dots(pictures: Iterable[Picture]) -> int:
    return sum(picture.width * picture.height for picture in pictures)


def lots(pictures: Sequence[tuple[str, Picture]], count: int) -> list[list[tuple[str, Picture]]]:
    """Pictures in batches of about equal duration: the biggest first, each into the smallest batch."""
    result: list[list[tuple[str, Picture]]] = [[] for _ in range(count)]
    sizes = [0] * count
    for name, picture in sorted(pictures, key=lambda item: (-item[1].width * item[1].height, item[0])):
        smallest = sizes.index(min(sizes))
        result[smallest].append((name, picture))
        sizes[smallest] += picture.width * picture.height + 10_000
    return [lot for lot in result if lot]


def _lot(lot: Sequence[tuple[str, Picture]]) -> dict[str, bytes]:
    with _LARGE_LOTS if _dots(picture for _, picture in lot) > LARGE_LOT else contextlib.nullcontext():
        contents = _lot_pictures(lot)
    # Otherwise what Typst has freed stays with this process, some hundred megabytes after many batches.
    give_back()
    return contents


def _lot_pictures(lot: Sequence[tuple[str, Picture]]) -> dict[str, bytes]:
    try:
        return dict(zip((name for name, _ in lot), _render_batch([picture for _, picture in lot]), strict=True))
    except RuntimeError as error:
        if len(lot) == 1:
            raise CannotDraw(f"the picture {lot[0][0]} can't be drawn: {str(error).splitlines()[0]}") from error
    made: dict[str, bytes] = {}
    for one in lot:
        made |= _lot_pictures([one])
    return made


def _render_batch(pictures: Sequence[Picture]) -> list[bytes]:
    files, pages = {}, ["#set text(size: 4pt)\n"]
    for i, picture in enumerate(pictures):
        page = f"width: {picture.width}pt, height: {picture.height}pt, margin: 0pt, fill: none"
        width, height = exact(picture.width, picture.height)
        files[f"{i}.svg"] = _with_size(picture, width, height)
        image = f'image("{i}.svg", width: {width}pt, height: {height}pt, fit: "stretch")'
        pages.append(f"#page({page}, place(top + left, {image}))\n")
    return pngs("".join(pages), files)


def _by_bands(picture: Picture) -> bytes:
    """A large picture, drawn band by band, with each band written before the next is drawn.

    A picture with transparency is drawn whole.
    """
    from PIL import Image

    match = _VIEW.search(picture.svg)
    if match is None:
        raise CannotDraw("a drawing has a viewBox")
    left, top, width, height = (float(value) for value in match[1].split())
    packer, compressed_chunks = zlib.compressobj(6), []
    band_height, row_bytes = max(1, BAND // picture.width), 3 * picture.width
    bands = [(start, min(band_height, picture.height - start)) for start in range(0, picture.height, band_height)]
    boxes = [
        (left, top + height * start / picture.height, width, height * rows / picture.height) for start, rows in bands
    ]
    with cut_apart(picture.svg, boxes) as parts:
        for number, ((_, rows), box, part) in enumerate(zip(bands, boxes, parts, strict=True), 1):
            exactly = f' viewBox="{" ".join(map(repr, box))}"'.encode()
            band_svg = _VIEW.sub(exactly, part.read_bytes(), count=1)
            with Image.open(io.BytesIO(_render_batch([Picture(band_svg, picture.width, rows)])[0])) as band:
                if band.mode == "RGBA" and band.getchannel("A").getextrema() != (255, 255):
                    return _render_batch([picture])[0]
                dots = band.convert("RGB").tobytes()
            compressed_chunks.append(
                packer.compress(b"".join(b"\0" + dots[n : n + row_bytes] for n in range(0, len(dots), row_bytes)))
            )
            if number % GIVING_BACK == 0 or number == len(bands):
                give_back()
    compressed_chunks.append(packer.flush())
    head = struct.pack(">IIBBBBB", picture.width, picture.height, 8, 2, 0, 0, 0)
    signed = _chunk(BANDS[:4], BANDS[4:])
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", head)
        + signed
        + _chunk(b"IDAT", b"".join(compressed_chunks))
        + _chunk(b"IEND", b"")
    )


def _chunk(name: bytes, content: bytes) -> bytes:
    """A chunk of a PNG."""
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def exact(width: int, height: int) -> tuple[int, int]:
    """The next larger size that Typst draws dot by dot.

    Typst computes a drawing's height from its width and its shape, in small floats, and rounds up. A result that is a
    dot too big is drawn blurred. A dot or two more than asked, beyond the edge of the page, avoids this.
    """
    extra = 0
    while True:
        for wider in range(extra + 1):
            exact_width, exact_height = width + wider, height + extra - wider
            shape = c_float(exact_width / exact_height).value
            if (
                c_float(shape * exact_height).value <= exact_width
                and math.ceil(c_float(exact_width / shape).value) == exact_height
            ):
                return exact_width, exact_height
        extra += 1


def _with_size(picture: Picture, target_width: int, target_height: int) -> bytes:
    """A drawing in this size in dots. Its view grows with it, so that nothing in it moves."""
    root_match = _ROOT.search(picture.svg)
    view = _VIEW.search(root_match[0]) if root_match else None
    if root_match is None or view is None:
        raise CannotDraw("a drawing has a viewBox")
    left, top, width, height = (float(value) for value in view[1].split())
    box = f"{left!r} {top!r} {width * target_width / picture.width!r} {height * target_height / picture.height!r}"
    head = f'<svg width="{target_width}" height="{target_height}" viewBox="{box}" preserveAspectRatio="none"'
    other_attributes = _SIZE_ATTRIBUTES.sub(b"", root_match[0]).removeprefix(b"<svg")
    return picture.svg[: root_match.start()] + head.encode() + other_attributes + picture.svg[root_match.end() :]
