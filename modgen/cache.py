"""A cache of earlier results, keyed by the content they were made from. Losing it costs time and nothing else."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.metadata
import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from scenarios.files import clean, write
from scenarios.folders import cache_folder as cache_folder

ROOMS = ("scenarios", "art", "assistant", "modgen")
"""Modules contain sight tables that the assistant computes, so its code is part of the key."""
TOOLS = ("typst", "lxml", "pikepdf", "pillow", "font-source-sans-pro")
CLEANUP_STAMP = "tidied"
"""A file whose time is that of the last clean-up."""
MAX_BYTES = 400_000_000
"""The limit in bytes above which the least recently used entries are deleted."""


def key_of(*parts: str | bytes) -> str:
    """A key of everything that decides a result."""
    digest = hashlib.sha256()
    for part in parts:
        # File names may contain bytes that aren't text; they are escaped as surrogates.
        raw = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        digest.update(len(raw).to_bytes(8, "big"))
        digest.update(raw)
    return digest.hexdigest()


@functools.cache
def versions(*tools: str) -> tuple[str, ...]:
    """Tools with their versions."""
    return tuple(f"{tool} {importlib.metadata.version(tool)}" for tool in tools)


@functools.cache
def code_key() -> str:
    """A key of Mitla's code and the versions of the drawing libraries. When they change, everything is made again."""
    root = Path(__file__).parent.parent
    files = sorted(
        path
        for room in ROOMS
        for pattern in ("*.py", "*.typ")
        for path in (root / room).rglob(pattern)
        if "packs" not in path.relative_to(root).parts
    )
    parts: list[str | bytes] = []
    for path in files:
        parts += [path.relative_to(root).as_posix(), path.read_bytes().replace(b"\r\n", b"\n")]
    return key_of(*parts, *versions(*TOOLS))


def _digest(key: str, content: bytes) -> bytes:
    """The header of an entry in its file. It proves that the entry is complete and belongs to its key."""
    return hashlib.sha256(key.encode("ascii") + content).digest()


class Cache:
    """A folder of entries by key. If the folder can't be used, nothing is kept and everything is made again."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    def get(self, key: str) -> bytes | None:
        """The entry of a key."""
        if self.folder is None:
            return None
        path = self._path(key)
        try:
            content = path.read_bytes()
        except OSError:
            return None
        if content[:32] != _digest(key, content[32:]):
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return content[32:]

    def put(self, key: str, content: bytes) -> None:
        """Store an entry under a key."""
        if self.folder is not None:
            with contextlib.suppress(OSError):
                write(self._path(key), _digest(key, content) + content, durable=False)

    def get_or_make(self, key: str, make: Callable[[], bytes]) -> bytes:
        """The entry of a key: read from the cache, or made now and stored."""
        content = self.get(key)
        if content is None:
            content = make()
            self.put(key, content)
        return content

    def tidy(self, max_bytes: int = MAX_BYTES, days: float = 1) -> None:
        """Delete the least recently used entries while the total is above `max_bytes`. Entries younger than `days` stay.

        So there is nothing to do until that many days after the last clean-up.
        """
        if self.folder is None:
            return
        cutoff, last = time.time() - days * 86400, self.folder / CLEANUP_STAMP
        with contextlib.suppress(OSError):
            if not last.exists() or last.stat().st_mtime <= cutoff:
                write(last, b"", durable=False)
                for folder in (self.folder, self.folder / "packs", *self.folder.glob("??")):
                    clean(folder)
                self._thin(self.folder.glob("??/*"), max_bytes, cutoff)

    @staticmethod
    def _thin(paths: Iterable[Path], max_bytes: int, cutoff: float) -> None:
        cache_files = sorted((path.stat().st_mtime, path.stat().st_size, path) for path in paths)
        total = sum(size for _, size, _ in cache_files)
        for used, size, path in cache_files:
            if total <= max_bytes or used > cutoff:
                return
            path.unlink(missing_ok=True)
            total -= size

    def _path(self, key: str) -> Path:
        assert self.folder is not None
        return self.folder / key[:2] / key[2:]
