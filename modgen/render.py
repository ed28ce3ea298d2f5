"""Pictures: SVG to PNG, kept by content, font and renderer version.

Typst draws them. It has resvg inside, as fast as a processor can run it, and lets other threads work meanwhile.
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
from modgen.colors import BANDS, WAY, Cut, cut_up
from modgen.kit.plates import size_of
from modgen.kit.windows import cut_apart
from modgen.typesetting import pngs

MOST = 16_000_000
"""How many dots a picture has at most: about 4,000 by 4,000, which is what other tabletops take."""
MANY = 100
"""How many pictures are drawn at once at most: Typst keeps them all in memory until the last is drawn."""
MANY_DOTS = 3_000_000
"""And how many dots they have together."""
LARGE_LOT = 1_000_000
"""Lots of more dots than this are drawn two at a time at most, however many processors there are."""
_LARGE_LOTS = threading.BoundedSemaphore(2)
BIG = 4_000_000
"""A picture of more dots is drawn in bands, as Typst needs some fifty bytes for each dot."""
BAND = 1_500_000
"""How many dots a band has."""
FEW = 250_000
"""So few dots aren't worth a second thread."""
_ROOT = re.compile(rb"<svg[^>]*>")
_VIEW = re.compile(rb' viewBox="([^"]*)"')
_SIZED = re.compile(rb' (width|height|viewBox|preserveAspectRatio)="[^"]*"')


class CannotDraw(Exception):
    """A picture that can't be drawn: its name and why."""


class Picture(NamedTuple):
    """A drawing and how many dots wide and high it is to be; or a part of such a drawing, which is drawn whole once for all its parts."""

    svg: bytes
    width: int
    height: int
    cut: Cut | None = None

    @property
    def key(self) -> str:
        """What it is kept under."""
        tools = versions("typst", "font-source-sans-pro")
        return key_of(
            "png", *tools, str(self.width), str(self.height), self.svg, *([repr(self.cut)] if self.cut else [])
        )

    @property
    def whole(self) -> Picture:
        """The drawing that it is, or is a part of."""
        return self._replace(cut=None)


def fitting(svg: bytes, dpi: int) -> tuple[Picture, int]:
    """A picture with that many dots an inch, or with as many as a big map can have without filling the memory."""
    width, height = size_of(svg)
    dpi = min(dpi, int(25.4 * math.sqrt(MOST / (width * height))))
    wide = pixels(width, dpi)
    return Picture(svg, wide, max(1, math.ceil(wide * height / width - 1e-6))), dpi


def pixels(length: float, dpi: int) -> int:
    """How many dots a length in millimetres is."""
    return max(1, round(length / 25.4 * dpi))


def with_resolution(content: bytes, dpi: int) -> bytes:
    """A PNG with its resolution written behind its header."""
    per_metre = round(dpi / 0.0254)
    header = 8 + 4 + 4 + 13 + 4
    return content[:header] + _chunk(b"pHYs", struct.pack(">IIB", per_metre, per_metre, 1)) + content[header:]


def rendered(pictures: Mapping[str, Picture], cache: Cache, pool: bool = True, small: bool = False) -> dict[str, bytes]:
    """All pictures as PNGs by name, the same drawing once; those that were drawn before aren't drawn again.

    Small files have palettes where nobody sees a difference.
    """
    kept: dict[str, bytes] = {}
    todo: dict[str, str] = {}
    with_palette = ("paletted", WAY, *versions("pillow"))
    keys = {name: key_of(*with_palette, picture.key) if small else picture.key for name, picture in pictures.items()}
    for name, key in keys.items():
        if key not in kept and key not in todo:
            found = cache.get(key)
            if found is None:
                todo[key] = name
            else:
                kept[key] = found
    parts: dict[Picture, list[str]] = {}
    for key, name in todo.items():
        parts.setdefault(pictures[name].whole, []).append(key)
    drawn = draw({todo[own[0]]: whole for whole, own in parts.items()}, pool)
    cuts = [[pictures[todo[key]].cut for key in own] for own in parts.values()]
    with ThreadPoolExecutor(_threads(parts, pool)) as workers:
        for own, made in zip(parts.values(), workers.map(cut_up, drawn, cuts, repeat(small)), strict=True):
            for key, content in zip(own, made, strict=True):
                kept[key] = content
                cache.put(key, content)
    return {name: kept[key] for name, key in keys.items()}


def draw(pictures: Mapping[str, Picture], pool: bool = True) -> list[bytes]:
    """Pictures as PNGs in order; with a pool in as many threads as there are processors."""
    made = {name: _by_bands(picture) for name, picture in pictures.items() if picture.width * picture.height > BIG}
    whole = [(name, picture) for name, picture in pictures.items() if name not in made]
    threads = _threads((picture for _, picture in whole), pool)
    with ThreadPoolExecutor(threads) as workers:
        for lot in workers.map(
            _lot, lots(whole, max(threads, -(-len(whole) // MANY), _dots(picture for _, picture in whole) // MANY_DOTS))
        ):
            made |= lot
    return [made[name] for name in pictures]


def _threads(pictures: Iterable[Picture], pool: bool) -> int:
    """How many threads pictures are worth."""
    return min(os.cpu_count() or 1, _dots(pictures) // FEW + 1) if pool else 1


def _dots(pictures: Iterable[Picture]) -> int:
    return sum(picture.width * picture.height for picture in pictures)


def lots(pictures: Sequence[tuple[str, Picture]], count: int) -> list[list[tuple[str, Picture]]]:
    """Pictures in lots that take about as long as each other: the biggest first, each to the smallest lot."""
    result: list[list[tuple[str, Picture]]] = [[] for _ in range(count)]
    sizes = [0] * count
    for name, picture in sorted(pictures, key=lambda item: (-item[1].width * item[1].height, item[0])):
        least = sizes.index(min(sizes))
        result[least].append((name, picture))
        sizes[least] += picture.width * picture.height + 10_000
    return [lot for lot in result if lot]


def _lot(lot: Sequence[tuple[str, Picture]]) -> dict[str, bytes]:
    with _LARGE_LOTS if _dots(picture for _, picture in lot) > LARGE_LOT else contextlib.nullcontext():
        return _lot_pictures(lot)


def _lot_pictures(lot: Sequence[tuple[str, Picture]]) -> dict[str, bytes]:
    try:
        return dict(zip((name for name, _ in lot), _drawn([picture for _, picture in lot]), strict=True))
    except RuntimeError as error:
        if len(lot) == 1:
            raise CannotDraw(f"the picture {lot[0][0]} can't be drawn: {str(error).splitlines()[0]}") from error
    made: dict[str, bytes] = {}
    for one in lot:
        made |= _lot_pictures([one])
    return made


def _drawn(pictures: Sequence[Picture]) -> list[bytes]:
    files, pages = {}, ["#set text(size: 4pt)\n"]
    for i, picture in enumerate(pictures):
        page = f"width: {picture.width}pt, height: {picture.height}pt, margin: 0pt, fill: none"
        wide, high = exact(picture.width, picture.height)
        files[f"{i}.svg"] = _sized(picture, wide, high)
        image = f'image("{i}.svg", width: {wide}pt, height: {high}pt, fit: "stretch")'
        pages.append(f"#page({page}, place(top + left, {image}))\n")
    return pngs("".join(pages), files)


def _by_bands(picture: Picture) -> bytes:
    """A large picture: drawn band by band, each written before the next is drawn; one with transparency as a whole."""
    from PIL import Image

    found = _VIEW.search(picture.svg)
    if found is None:
        raise CannotDraw("a drawing has a viewBox")
    left, top, width, height = (float(value) for value in found[1].split())
    packer, packed = zlib.compressobj(6), []
    high, wide = max(1, BAND // picture.width), 3 * picture.width
    bands = [(start, min(high, picture.height - start)) for start in range(0, picture.height, high)]
    boxes = [
        (left, top + height * start / picture.height, width, height * rows / picture.height) for start, rows in bands
    ]
    with cut_apart(picture.svg, boxes) as parts:
        for (_, rows), box, part in zip(bands, boxes, parts, strict=True):
            exactly = f' viewBox="{" ".join(map(repr, box))}"'.encode()
            seen = _VIEW.sub(exactly, part.read_bytes(), count=1)
            with Image.open(io.BytesIO(_drawn([Picture(seen, picture.width, rows)])[0])) as band:
                if band.mode == "RGBA" and band.getchannel("A").getextrema() != (255, 255):
                    return _drawn([picture])[0]
                dots = band.convert("RGB").tobytes()
            packed.append(packer.compress(b"".join(b"\0" + dots[n : n + wide] for n in range(0, len(dots), wide))))
    packed.append(packer.flush())
    head = struct.pack(">IIBBBBB", picture.width, picture.height, 8, 2, 0, 0, 0)
    signed = _chunk(BANDS[:4], BANDS[4:])
    return (
        b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + signed + _chunk(b"IDAT", b"".join(packed)) + _chunk(b"IEND", b"")
    )


def _chunk(name: bytes, content: bytes) -> bytes:
    """A part of a PNG."""
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def exact(width: int, height: int) -> tuple[int, int]:
    """A size at least that wide and high which Typst draws dot by dot.

    It works a drawing's height out from its width and its shape, in small floats, and rounds up: what comes out a dot
    too big is drawn blurred. A dot or two more than asked, beyond the edge of the page, helps.
    """
    more = 0
    while True:
        for wider in range(more + 1):
            wide, high = width + wider, height + more - wider
            shape = c_float(wide / high).value
            if c_float(shape * high).value <= wide and math.ceil(c_float(wide / shape).value) == high:
                return wide, high
        more += 1


def _sized(picture: Picture, wide: int, high: int) -> bytes:
    """A drawing with that size in dots; what it shows grows with it, so that nothing in it moves."""
    found = _ROOT.search(picture.svg)
    view = _VIEW.search(found[0]) if found else None
    if found is None or view is None:
        raise CannotDraw("a drawing has a viewBox")
    left, top, width, height = (float(value) for value in view[1].split())
    box = f"{left!r} {top!r} {width * wide / picture.width!r} {height * high / picture.height!r}"
    head = f'<svg width="{wide}" height="{high}" viewBox="{box}" preserveAspectRatio="none"'
    rest = _SIZED.sub(b"", found[0]).removeprefix(b"<svg")
    return picture.svg[: found.start()] + head.encode() + rest + picture.svg[found.end() :]
