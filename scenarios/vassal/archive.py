"""Archives: modules, saves and logs are zips; the text of a save is obfuscated."""

from __future__ import annotations

import binascii
import contextlib
import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

from scenarios.reading.findings import plain_reason
from scenarios.vassal import MEGABYTE, MOST

HEADER, PACKED = b"!VCSK", b"\xfd7zXZ\x00"
ENTRY = "savedGame"
KEY = 0x4D
"""The key we veil with, always the same, so that a build is the same twice."""
DATE = (1980, 1, 1, 0, 0, 0)
MAX_RATIO, SMALL = 250, 4 * MEGABYTE
"""A save unpacks to at most so many times its size, or to so many bytes. VASSAL's saves have about 60 times their size."""
PIECE = 1 << 16
"""How many bytes are unpacked at once."""
PACKED_AS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""How VASSAL packs; other ways may unpack to anything before they can be stopped."""
AGAIN = "save the game in VASSAL again"
DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError, struct.error, OSError)
"""What reading a zip ends with that is broken off, garbled, locked by a password or packed in a way nobody knows."""


class TooLarge(ValueError):
    """An archive would unpack to more than is allowed."""


def _changed(key: int) -> bytes:
    """Every byte as the key changes it."""
    return bytes(byte ^ (key & 0xFF) for byte in range(256))


def veil(text: str, key: int = KEY) -> bytes:
    """A save's text as VASSAL stores it: every byte changed by the key, in hex."""
    return HEADER + f"{key:02x}".encode() + text.encode("utf-8").translate(_changed(key)).hex().encode()


def unveil(data: bytes, most: int = MOST) -> str:
    """The text of a save; one that isn't obfuscated is read as it is. Some VASSALs pack it instead."""
    if data.startswith(PACKED):
        data = _unpacked(data, most)
    try:
        if not data.startswith(HEADER):
            return data.decode("utf-8")
        start = len(HEADER) + 2
        key = int(data[len(HEADER) : start], 16)
        veiled = binascii.unhexlify(memoryview(data)[start:])
        del data  # a long save is in memory as few times as can be
        return veiled.translate(_changed(key)).decode("utf-8")
    except ValueError as error:
        raise ValueError(f"this save is damaged ({plain_reason(error)}); {AGAIN}") from None


def _unpacked(data: bytes, most: int) -> bytes:
    unpacking = lzma.LZMADecompressor(memlimit=MOST)
    try:
        text = unpacking.decompress(data, most)
    except lzma.LZMAError as error:
        raise ValueError(f"this save is damaged ({plain_reason(error)}); {AGAIN}") from None
    if unpacking.eof:
        return text
    if len(text) == most:
        raise TooLarge(f"this save {_too_large(most)}")
    raise ValueError(f"this save is damaged (it breaks off); {AGAIN}")


def _too_large(most: int) -> str:
    return f"would unpack to more than {most // MEGABYTE} MB; name another file, or allow more with --limit MB"


def read_save(path: Path, most: int = MOST) -> tuple[str, dict[str, bytes]]:
    """The commands of a .vsav or .vlog, and the other files in it."""
    limit = most
    with contextlib.suppress(OSError, ValueError):  # what can't be read is refused below, with its reason
        limit = min(most, max(SMALL, MAX_RATIO * path.stat().st_size))
    try:
        files = read_zip(path, "VASSAL save", most=limit)
        if ENTRY not in files:
            raise ValueError(f"{path.name} is no VASSAL save: it has no {ENTRY} in it; name a .vsav or .vlog file")
        return unveil(files.pop(ENTRY), limit), files
    except TooLarge:
        if limit == most:
            raise
        raise ValueError(
            f"this save would unpack to more than {MAX_RATIO} times its size, which no game's does; {AGAIN}"
        ) from None


def read_zip(held: Path | io.BytesIO, what: str, name: str = "", most: int = MOST) -> dict[str, bytes]:
    """The files in a zip; ValueError with a sentence where it is none, is damaged or would unpack to more than `most`."""
    called = held.name if isinstance(held, Path) else name
    if isinstance(held, Path) and held.exists() and not held.is_file():
        raise ValueError(f"{called} is no {what}, nor any other file; name another")
    try:
        file = held.open("rb") if isinstance(held, Path) else held
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "no file has such a name"
        raise ValueError(f"{called} can't be read ({why}); check its name and rights") from None
    try:
        with file, zipfile.ZipFile(file) as archive:
            listed = archive.infolist()
            if sum(info.file_size for info in listed) > most:
                raise TooLarge(f"{called} {_too_large(most)}")
            files: dict[str, bytes] = {}
            left = most
            for info in listed:
                content = _inside(archive, info, left)
                if content is None:
                    raise TooLarge(f"{called} {_too_large(most)}")
                left -= len(content)
                files[info.filename] = content
            return files
    except TooLarge:
        raise
    except (*DAMAGED, ValueError) as error:
        raise ValueError(
            f"{called} is no {what}, or a damaged one ({plain_reason(error)}); fetch or save it again"
        ) from None


def _inside(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int) -> bytes | None:
    """A file in a zip, unpacked piece by piece, whatever size it claims; None where it has more than `most` bytes."""
    if info.compress_type not in PACKED_AS:
        raise zipfile.BadZipFile(f"{info.filename} is packed in a way that VASSAL doesn't use")
    content, size = io.BytesIO(), 0  # its value is no copy
    with archive.open(info) as file:
        while piece := file.read(PIECE):
            size += len(piece)
            if size > most:
                return None
            content.write(piece)
    return content.getvalue()


def packed(files: Mapping[str, bytes], date: tuple[int, int, int, int, int, int] = DATE) -> bytes:
    """Files as a zip that is the same for the same files, whatever the day, the system and the order."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, date)
            info.compress_type = zipfile.ZIP_STORED if name.endswith((".png", ".vsav")) else zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            info.create_system = 3
            archive.writestr(info, files[name])
    return out.getvalue()
