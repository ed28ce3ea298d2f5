"""Archives: modules, saves and logs are zips; what is in a save is lightly veiled."""

from __future__ import annotations

import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

HEADER, PACKED = b"!VCSK", b"\xfd7zXZ\x00"
ENTRY = "savedGame"
KEY = 0x4D
"""The key we veil with, always the same, so that a build is the same twice."""
DATE = (1980, 1, 1, 0, 0, 0)
MOST = 1_000_000_000
"""How many bytes an archive may unpack to."""
AGAIN = "save the game in VASSAL again"
DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError, struct.error, OSError)
"""What reading a zip ends with that is broken off, garbled, locked by a password or packed in a way nobody knows."""


def _changed(key: int) -> bytes:
    """Every byte as the key changes it."""
    return bytes(byte ^ (key & 0xFF) for byte in range(256))


def veil(text: str, key: int = KEY) -> bytes:
    """A save's text as VASSAL stores it: every byte changed by the key, in hex."""
    return HEADER + f"{key:02x}".encode() + text.encode("utf-8").translate(_changed(key)).hex().encode()


def unveil(data: bytes) -> str:
    """The text of a save; one that isn't veiled is read as it is. Some VASSALs pack it instead."""
    if data.startswith(PACKED):
        try:
            unpacking = lzma.LZMADecompressor()
            text = unpacking.decompress(data, MOST)
            if not unpacking.eof:
                raise ValueError("it breaks off")
            return text.decode("utf-8")
        except (lzma.LZMAError, ValueError) as error:
            raise ValueError(f"this save is damaged ({error}); {AGAIN}") from None
    try:
        if not data.startswith(HEADER):
            return data.decode("utf-8")
        body = data[len(HEADER) :]
        key = int(body[:2], 16)
        return bytes.fromhex(body[2:].decode("ascii")).translate(_changed(key)).decode("utf-8")
    except ValueError as error:
        raise ValueError(f"this save is damaged ({error}); {AGAIN}") from None


def read_save(path: Path) -> tuple[str, dict[str, bytes]]:
    """The commands of a .vsav or .vlog, and the other files in it."""
    files = read_zip(path, "VASSAL save")
    if ENTRY not in files:
        raise ValueError(f"{path.name} is no VASSAL save: it has no {ENTRY} in it; name a .vsav or .vlog file")
    return unveil(files.pop(ENTRY)), files


def read_zip(held: Path | io.BytesIO, what: str, name: str = "") -> dict[str, bytes]:
    """The files in a zip; ValueError with a sentence where it is none, is damaged or would grow past measure."""
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
            if (size := sum(info.file_size for info in archive.infolist())) > MOST:
                raise ValueError(f"{called} is no {what}: it would unpack to {size:,} bytes; name another file")
            return {inside: archive.read(inside) for inside in archive.namelist()}
    except DAMAGED as error:
        raise ValueError(f"{called} is no {what}, or a damaged one ({error}); fetch or save it again") from None


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
