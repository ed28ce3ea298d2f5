"""Pictures: SVG to PNG with resvg, by a pool of processes, kept by content, font and renderer version."""

from __future__ import annotations

import math
import os
import struct
import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import NamedTuple

from art.text import font_files
from modgen.cache import Cache, code_key, key_of
from modgen.kit.plates import size_of

MOST = 16_000_000
"""How many dots a picture has at most: about 4,000 by 4,000, which is what other tabletops take."""
FEW = 24
"""So few pictures are quicker without a pool."""


class Picture(NamedTuple):
    """A drawing and how many dots an inch it is to have."""

    svg: bytes
    dpi: int

    @property
    def key(self) -> str:
        """What it is kept under; the key of the code holds the versions of font and renderer."""
        return key_of("png", code_key(), str(self.dpi), self.svg)


def fitting(svg: bytes, dpi: int) -> Picture:
    """A picture with that many dots an inch, or with as many as a big map can have without filling the memory."""
    width, height = size_of(svg)
    return Picture(svg, min(dpi, int(25.4 * math.sqrt(MOST / (width * height)))))


def pixels(length: float, dpi: int) -> int:
    """How many dots a length in millimetres is."""
    return max(1, round(length / 25.4 * dpi))


def png(picture: Picture) -> bytes:
    """One drawing as a PNG that knows its resolution."""
    import resvg_py

    drawn: bytes = resvg_py.svg_to_bytes(
        svg_string=picture.svg.decode("utf-8"),
        width=pixels(size_of(picture.svg)[0], picture.dpi),
        dpi=96,
        skip_system_fonts=True,
        font_files=[str(path) for path in font_files().values()],
    )
    return _with_resolution(bytes(drawn), picture.dpi)


def _with_resolution(content: bytes, dpi: int) -> bytes:
    """A PNG with its resolution written behind its header."""
    per_metre = round(dpi / 0.0254)
    chunk = b"pHYs" + struct.pack(">IIB", per_metre, per_metre, 1)
    header = 8 + 4 + 4 + 13 + 4
    return content[:header] + struct.pack(">I", 9) + chunk + struct.pack(">I", zlib.crc32(chunk)) + content[header:]


def render(
    pictures: Sequence[Picture], cache: Cache, pool: bool = True, tell: Callable[[], None] = lambda: None
) -> list[bytes]:
    """All drawings as PNGs, in order; those that were drawn before aren't drawn again."""
    made: dict[int, bytes] = {}
    todo: list[int] = []
    for i, picture in enumerate(pictures):
        kept = cache.get(picture.key)
        if kept is None:
            todo.append(i)
        else:
            made[i] = kept
    workers = min(os.cpu_count() or 1, len(todo) // FEW + 1)
    for i, content in zip(todo, _rendered([pictures[i] for i in todo], workers if pool else 1), strict=True):
        tell()
        cache.put(pictures[i].key, content)
        made[i] = content
    return [made[i] for i in range(len(pictures))]


def _rendered(pictures: Sequence[Picture], workers: int) -> list[bytes]:
    if workers < 2:
        return [png(picture) for picture in pictures]
    # Started afresh rather than forked: Typst's threads don't survive a fork.
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        return list(pool.map(png, pictures, chunksize=max(1, len(pictures) // (4 * workers))))
