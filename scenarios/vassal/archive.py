"""Archives: modules, saves and logs are zips; what is in a save is lightly veiled."""

from __future__ import annotations

import io
import lzma
import zipfile
from collections.abc import Mapping
from pathlib import Path

HEADER, PACKED = b"!VCSK", b"\xfd7zXZ\x00"
ENTRY = "savedGame"
KEY = 0x4D
"""The key we veil with, always the same, so that a build is the same twice."""
DATE = (1980, 1, 1, 0, 0, 0)


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
            return lzma.decompress(data).decode("utf-8")
        except (lzma.LZMAError, ValueError) as error:
            raise ValueError(f"this save is damaged: {error}") from None
    if not data.startswith(HEADER):
        return data.decode("utf-8")
    body = data[len(HEADER) :]
    try:
        key = int(body[:2], 16)
        return bytes.fromhex(body[2:].decode("ascii")).translate(_changed(key)).decode("utf-8")
    except ValueError as error:
        raise ValueError(f"this save is damaged: {error}") from None


def read_save(path: Path) -> tuple[str, dict[str, bytes]]:
    """The commands of a .vsav or .vlog, and the other files in it."""
    try:
        with zipfile.ZipFile(path) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
    except (OSError, zipfile.BadZipFile) as error:
        raise ValueError(f"{path.name} is no VASSAL save: {error}") from None
    if ENTRY not in files:
        raise ValueError(f"{path.name} is no VASSAL save: it has no {ENTRY} in it")
    return unveil(files.pop(ENTRY)), files


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
