"""Pictures of a module: SVG in exact pixels, to PNG by a pool of processes, kept by content."""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

from art import svg
from art.svg import Element, to_bytes
from art.text import font_files
from modgen.cache import Cache, key_of

FEW = 12


@dataclass(frozen=True)
class Drawn:
    """A drawing and the pixels it is to have."""

    svg: bytes
    width: int
    height: int

    @property
    def key(self) -> str:
        """What it is kept under."""
        tools = [
            f"{tool} {importlib.metadata.version(tool)}" for tool in ("resvg_py", "font-source-sans-pro", "pillow")
        ]
        return key_of("vmod-png-2", *tools, str(self.width), str(self.height), self.svg)


def drawn(parts: list[Element], width: int, height: int, box: tuple[float, float, float, float] | None = None) -> Drawn:
    """A drawing of that many pixels; `box` says which part of the plane it shows (its pixels, if none is given)."""
    left, top, wide, high = box or (0.0, 0.0, float(width), float(height))
    view = " ".join(f"{value:.6f}" for value in (left, top, wide, high))
    root = svg.element("svg", parts, width=str(width), height=str(height), viewBox=view, preserveAspectRatio="none")
    return Drawn(to_bytes(root), width, height)


def png(picture: Drawn) -> bytes:
    """One drawing as a PNG."""
    import resvg_py

    made: bytes = bytes(
        resvg_py.svg_to_bytes(
            svg_string=picture.svg.decode("utf-8"),
            width=picture.width,
            height=picture.height,
            dpi=96,
            skip_system_fonts=True,
            font_files=[str(path) for path in font_files().values()],
        )
    )
    return made


def rendered(pictures: Mapping[str, Drawn], cache: Cache, pool: bool = True) -> dict[str, bytes]:
    """All pictures by name; those that were drawn before aren't drawn again."""
    made: dict[str, bytes] = {}
    todo: dict[str, Drawn] = {}
    for name, picture in pictures.items():
        kept = cache.get(picture.key)
        if kept is None:
            todo[name] = picture
        else:
            made[name] = kept
    ordered = sorted(todo, key=lambda name: -todo[name].width * todo[name].height)
    workers = min(os.cpu_count() or 1, len(todo) // FEW + 1)
    if pool and workers > 1:
        with ProcessPoolExecutor(workers, get_context("spawn")) as executor:
            results = list(executor.map(png, [todo[name] for name in ordered], chunksize=4))
    else:
        results = [png(todo[name]) for name in ordered]
    for name, content in zip(ordered, results, strict=True):
        cache.put(todo[name].key, content)
        made[name] = content
    return made


def hashed(name: str, picture: Drawn) -> str:
    """A name with its content's hash: the engine keeps big pictures by name."""
    return f"{name}-{hashlib.sha256(picture.svg).hexdigest()[:10]}.png"
