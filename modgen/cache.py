"""What was made before, by the content it was made from. Losing it costs time and nothing else."""

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
"""Modules carry what the assistant works out of sight, so its code counts too."""
TOOLS = ("typst", "lxml", "pikepdf", "pillow", "font-source-sans-pro")
CLEANUP_STAMP = "tidied"
"""A file that is as old as the last tidying."""
MAX_BYTES = 400_000_000
"""How many bytes are kept before what hasn't been used for long is thrown away."""


def key_of(*parts: str | bytes) -> str:
    """A key of everything that decides what is made."""
    digest = hashlib.sha256()
    for part in parts:
        # Names of files may hold bytes that are no text; they are escaped as surrogates.
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
    """A key of our own code and of the versions of what draws: when they change, everything is made anew."""
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
    """What stands before a thing in its file: it is whole, and it is that key's and no other's."""
    return hashlib.sha256(key.encode("ascii") + content).digest()


class Cache:
    """A folder of things by key. A folder that can't be used keeps nothing; everything is then made anew."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    def get(self, key: str) -> bytes | None:
        """What was kept under a key."""
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
        """Keep something under a key."""
        if self.folder is not None:
            with contextlib.suppress(OSError):
                write(self._path(key), _digest(key, content) + content, durable=False)

    def get_or_make(self, key: str, make: Callable[[], bytes]) -> bytes:
        """What the key stands for: kept from before, or made now and kept."""
        content = self.get(key)
        if content is None:
            content = make()
            self.put(key, content)
        return content

    def tidy(self, max_bytes: int = MAX_BYTES, days: float = 1) -> None:
        """Throw away what was used longest ago while there is more than `most`; what is younger than `days` stays.

        So there is nothing to do before as many days have passed since the last time.
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
