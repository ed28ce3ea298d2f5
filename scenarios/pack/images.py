"""Pictures beside a pack: where the pack names them, and whether they are usable. Only their headers are read; nothing is decoded here."""

from __future__ import annotations

import hashlib
import re
import struct
from collections.abc import Iterator
from pathlib import Path

from scenarios.files import pack_file
from scenarios.pack.pack_folder import PICTURES
from scenarios.reading.findings import join_alternatives
from scenarios.reading.nodes import Node
from scenarios.reading.shapes import Findings

MOST_BYTES = 40_000_000
MOST_DOTS = 80_000_000
"""The maximum number of pixels. An A1 sheet at 300 dots an inch has 70 million."""
LONGEST_SIDE = 20_000
_SVG = re.compile(rb"<(?:\w+:)?svg\b")

IMAGE_KEYS: tuple[tuple[str, ...], ...] = (
    ("game", "image"),
    ("types", "*", "image"),
    ("counters", "*", "image"),
    ("counters", "*", "back", "image"),
    ("counters", "*", "variants", "*", "image"),
    ("markers", "*", "image"),
    ("markers", "*", "back", "image"),
    ("boards", "*", "image"),
    ("maps", "*", "image"),
    ("maps", "*", "boxes", "*", "image"),
)
"""The addresses where a pack names pictures."""


def stamp(root: Node, folder: Path, findings: Findings) -> None:
    """Store a digest of every picture that a pack names. A cached drawing of a changed picture is then never used."""
    for address in IMAGE_KEYS:
        for parent in list(_matching(root, address[:-1])):
            pair = (parent.entries or {}).get("image")
            if pair is None or pair[1].empty:
                continue
            node = pair[1]
            file_node = node if node.text is not None else node.get("file")
            if file_node is None or file_node.text is None:
                continue  # the shape reports what is wrong
            digest, place = (Node(file_node.path, file_node.line, file_node.column, text="") for _ in range(2))
            if not Path(file_node.path).is_relative_to(folder):
                place.text = str(Path(file_node.path).parent.resolve())
            try:
                digest.text = looked_at(pack_file(Path(place.text or folder), file_node.text))
            except ValueError as error:
                findings.add(file_node, str(error))
                digest.text = "-"
            entries = dict(node.entries) if node.entries is not None else {"file": (node, node)}
            entries |= {"digest": (digest, digest), "folder": (place, place)}
            parent.entries["image"] = (pair[0], Node(node.path, node.line, node.column, entries=entries))  # type: ignore[index]


def _matching(node: Node, address: tuple[str, ...]) -> Iterator[Node]:
    if not address:
        yield node
        return
    for key, (_, value) in (node.entries or {}).items():
        if address[0] in ("*", key):
            yield from _matching(value, address[1:])


def looked_at(path: Path) -> str:
    """A digest of a picture file. Raises ValueError with a sentence if the file can't be used."""
    if path.suffix.lower() not in PICTURES:
        raise ValueError(
            f"{path.name} is no picture that can be used; save it as {join_alternatives(['PNG', 'JPEG', 'WebP', 'SVG'])}"
        )
    try:
        with path.open("rb") as file:
            raw = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise ValueError(f"{path.name} can't be read ({error.strerror}); check its rights") from None
    if len(raw) > MOST_BYTES:
        raise ValueError(f"{path.name} has more than {MOST_BYTES // 1_000_000} MB; make it smaller")
    if path.suffix.lower() == ".svg":
        if not _SVG.search(raw):
            raise ValueError(f"{path.name} is no SVG drawing, though its name says so; save it anew")
    else:
        width, height = size_of(raw, path.name)
        if width * height > MOST_DOTS or max(width, height) > LONGEST_SIDE:
            limit = f"{MOST_DOTS // 1_000_000} million dots and {LONGEST_SIDE:,} on a side"
            raise ValueError(
                f"{path.name} is {width:,} by {height:,} dots, and a picture has at most {limit}; make it smaller"
            )
    return hashlib.sha256(raw).hexdigest()[:32]


def size_of(raw: bytes, name: str) -> tuple[int, int]:
    """The width and height of a picture in pixels, from its header. Raises ValueError if it isn't PNG, JPEG or WebP."""
    size: tuple[int, int] | None = None
    if raw[:8] == b"\x89PNG\r\n\x1a\n" and raw[12:16] == b"IHDR" and len(raw) > 24:
        size = struct.unpack(">II", raw[16:24])
    elif raw[:3] == b"\xff\xd8\xff":
        size = _jpeg(raw)
    elif raw[:4] == b"RIFF" and raw[8:12] == b"WEBP" and len(raw) > 30:
        size = _webp(raw)
    if size is None or min(size) < 1:
        raise ValueError(f"{name} is no PNG, JPEG or WebP picture, though its name says so; save it anew")
    return size


def _jpeg(raw: bytes) -> tuple[int, int] | None:
    offset = 2
    while offset + 9 < len(raw) and raw[offset] == 0xFF:
        kind = raw[offset + 1]
        if kind == 0xFF:
            offset += 1
        elif kind == 0x01 or 0xD0 <= kind <= 0xD8:
            offset += 2
        elif 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", raw[offset + 5 : offset + 9])
            return width, height
        else:
            offset += 2 + int.from_bytes(raw[offset + 2 : offset + 4], "big")
    return None


def _webp(raw: bytes) -> tuple[int, int] | None:
    kind = raw[12:16]
    if kind == b"VP8X":
        return int.from_bytes(raw[24:27], "little") + 1, int.from_bytes(raw[27:30], "little") + 1
    if kind == b"VP8L":
        bits = int.from_bytes(raw[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 " and raw[23:26] == b"\x9d\x01\x2a":
        width, height = struct.unpack("<HH", raw[26:30])
        return width & 0x3FFF, height & 0x3FFF
    return None
