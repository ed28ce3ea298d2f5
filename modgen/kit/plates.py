"""Plates: drawings as SVG, and SVG as pages of a PDF that the kit places. Both are cached by content."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from art.svg import Element, to_bytes
from modgen.cache import Cache, code_key, key_of
from modgen.kit.ink_saving import apply_tone
from modgen.kit.svg_clipping import PartIndex, cut_apart
from modgen.typesetting import pdf

LARGE = 4_000_000
"""A drawing of at least this many bytes is cut in a separate process."""
SIZE = re.compile(rb'<svg[^>]*? width="([\d.]+)mm"[^>]*? height="([\d.]+)mm"')


@dataclass(frozen=True)
class Drawing:
    """A drawing that may not exist yet: its name, its key, and the function that draws it."""

    name: str
    key: str
    draw: Callable[[], Element]


def svg_of(drawing: Drawing, cache: Cache, tone: str = "") -> bytes:
    """A drawing as SVG."""

    def make() -> bytes:
        return to_bytes(apply_tone(drawing.draw(), tone))

    return cache.get_or_make(key_of("svg", drawing.key, drawing.name, tone), make)


def size_of(svg: bytes) -> tuple[float, float]:
    """The width and height of a drawing in millimeters."""
    match = SIZE.search(svg[:2000])
    if match is None:
        raise ValueError("a drawing gives its width and height in millimetres")
    return float(match[1]), float(match[2])


def plate(svgs: Sequence[bytes], release: str, cache: Cache) -> bytes:
    """A PDF with one page for each drawing. Each page has the size of its drawing."""
    return cache.get_or_make(key_of("plate", code_key(), release, *svgs), lambda: _compile(svgs, release))


def windowed_plate(
    source: bytes, windows: Sequence[tuple[float, float, float, float]], scale: float, release: str, cache: Cache
) -> bytes:
    """A PDF with a page for each window on a drawing. The pages are printed larger than drawn, by the scale."""

    def make() -> bytes:
        boxes = [(left / scale, top / scale, width / scale, height / scale) for left, top, width, height in windows]
        if len(source) < LARGE:
            drawing = PartIndex(source)
            return _compile([drawing.through(*box, scale) for box in boxes], release)
        with cut_apart(source, boxes, scale) as parts:
            return _compile(parts, release)

    return cache.get_or_make(key_of("windows", code_key(), release, source, repr(windows), repr(scale)), make)


def _compile(svgs: Sequence[bytes | Path], release: str) -> bytes:
    files = {f"{i}.svg": svg for i, svg in enumerate(svgs)}
    pages = []
    for name, svg in files.items():
        width, height = size_of(svg if isinstance(svg, bytes) else svg.read_bytes())
        size = f"width: {width}mm, height: {height}mm"
        pages.append(f'#page({size}, margin: 0pt, image("{name}", {size}, fit: "stretch"))\n')
    return pdf("#set text(size: 4pt)\n" + "".join(pages), files, release)
