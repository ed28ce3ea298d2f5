"""Archives: modules, saves and logs are zip files. The text of a save is obfuscated."""

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
from scenarios.vassal import MAX_BYTES, MEGABYTE

HEADER, LZMA_MAGIC = b"!VCSK", b"\xfd7zXZ\x00"
ENTRY = "savedGame"
KEY = 0x4D
"""The obfuscation key. It is constant, so that two builds are identical."""
DATE = (1980, 1, 1, 0, 0, 0)
MAX_RATIO, SMALL = 250, 4 * MEGABYTE
"""The maximum ratio of unpacked to packed size, and the unpacked size below which it doesn't apply. VASSAL's saves reach about 60."""
PIECE = 1 << 16
"""The number of bytes to unpack at once."""
PACKED_AS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""The compression methods of VASSAL. Others may unpack to any size before they can be stopped."""
SAVE_AGAIN = "save the game in VASSAL again"
DAMAGE_ERRORS = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError, struct.error, OSError)
"""The errors from a zip file that is truncated, damaged, encrypted or compressed by an unknown method."""


class TooLarge(ValueError):
    """Raised if an archive would unpack to more than the limit."""


def _apply_key(key: int) -> bytes:
    """XOR table: every byte value combined with the key."""
    return bytes(byte ^ (key & 0xFF) for byte in range(256))


def veil(text: str, key: int = KEY) -> bytes:
    """Obfuscate a save's text as VASSAL does: every byte is changed by the key and written in hex."""
    return HEADER + f"{key:02x}".encode() + text.encode("utf-8").translate(_apply_key(key)).hex().encode()


def unveil(data: bytes, max_bytes: int = MAX_BYTES) -> str:
    """The text of a save. A text that isn't obfuscated is returned as it is. Some VASSAL versions compress the text instead."""
    if data.startswith(LZMA_MAGIC):
        data = _unpack(data, max_bytes)
    try:
        if not data.startswith(HEADER):
            return data.decode("utf-8")
        start = len(HEADER) + 2
        key = int(data[len(HEADER) : start], 16)
        masked_bytes = binascii.unhexlify(memoryview(data)[start:])
        del data  # a long save should be in memory as few times as possible
        return masked_bytes.translate(_apply_key(key)).decode("utf-8")
    except ValueError as error:
        raise ValueError(f"this save is damaged ({plain_reason(error)}); {SAVE_AGAIN}") from None


def _unpack(data: bytes, max_bytes: int) -> bytes:
    unpacking = lzma.LZMADecompressor(memlimit=MAX_BYTES)
    try:
        text = unpacking.decompress(data, max_bytes)
    except lzma.LZMAError as error:
        raise ValueError(f"this save is damaged ({plain_reason(error)}); {SAVE_AGAIN}") from None
    if unpacking.eof:
        return text
    if len(text) == max_bytes:
        raise TooLarge(f"this save {_too_large(max_bytes)}")
    raise ValueError(f"this save is damaged (it breaks off); {SAVE_AGAIN}")


def _too_large(max_bytes: int) -> str:
    return f"would unpack to more than {max_bytes // MEGABYTE} MB; name another file, or allow more with --limit MB"


def read_save(path: Path, max_bytes: int = MAX_BYTES) -> tuple[str, dict[str, bytes]]:
    """The commands of a .vsav or .vlog, and the other files in it."""
    limit = max_bytes
    with contextlib.suppress(OSError, ValueError):  # an unreadable file is refused below, with its reason
        limit = min(max_bytes, max(SMALL, MAX_RATIO * path.stat().st_size))
    try:
        files = read_zip(path, "VASSAL save", max_bytes=limit)
        if ENTRY not in files:
            raise ValueError(f"{path.name} is no VASSAL save: it has no {ENTRY} in it; name a .vsav or .vlog file")
        return unveil(files.pop(ENTRY), limit), files
    except TooLarge:
        if limit == max_bytes:
            raise
        raise ValueError(
            f"this save would unpack to more than {MAX_RATIO} times its size, which no game's does; {SAVE_AGAIN}"
        ) from None


def read_zip(source: Path | io.BytesIO, file_kind: str, name: str = "", max_bytes: int = MAX_BYTES) -> dict[str, bytes]:
    """The files in a zip. Raises ValueError with a sentence if it is no zip, is damaged, or would unpack to more than `max_bytes`."""
    file_name = source.name if isinstance(source, Path) else name
    if isinstance(source, Path) and source.exists() and not source.is_file():
        raise ValueError(f"{file_name} is no {file_kind}, nor any other file; name another")
    try:
        file = source.open("rb") if isinstance(source, Path) else source
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no file has such a name"
        raise ValueError(f"{file_name} can't be read ({reason}); check its name and rights") from None
    try:
        with file, zipfile.ZipFile(file) as archive:
            infos = archive.infolist()
            if sum(info.file_size for info in infos) > max_bytes:
                raise TooLarge(f"{file_name} {_too_large(max_bytes)}")
            files: dict[str, bytes] = {}
            bytes_left = max_bytes
            for info in infos:
                content = _inside(archive, info, bytes_left)
                if content is None:
                    raise TooLarge(f"{file_name} {_too_large(max_bytes)}")
                bytes_left -= len(content)
                files[info.filename] = content
            return files
    except TooLarge:
        raise
    except (*DAMAGE_ERRORS, ValueError) as error:
        raise ValueError(
            f"{file_name} is no {file_kind}, or a damaged one ({plain_reason(error)}); fetch or save it again"
        ) from None


def _inside(archive: zipfile.ZipFile, info: zipfile.ZipInfo, max_bytes: int) -> bytes | None:
    """Unpack a file in a zip piece by piece; its declared size is not trusted. None if it has more than `max_bytes` bytes."""
    if info.compress_type not in PACKED_AS:
        raise zipfile.BadZipFile(f"{info.filename} is packed in a way that VASSAL doesn't use")
    content, size = io.BytesIO(), 0  # getvalue makes no copy
    with archive.open(info) as file:
        while piece := file.read(PIECE):
            size += len(piece)
            if size > max_bytes:
                return None
            content.write(piece)
    return content.getvalue()


def pack_zip(files: Mapping[str, bytes], date: tuple[int, int, int, int, int, int] = DATE) -> bytes:
    """Pack files into a zip. The same files always give the same bytes, on every day, on every system and in any order."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, date)
            info.compress_type = zipfile.ZIP_STORED if name.endswith((".png", ".vsav")) else zipfile.ZIP_DEFLATED
            info.external_attr = 0o644 << 16
            info.create_system = 3
            archive.writestr(info, files[name])
    return buffer.getvalue()
