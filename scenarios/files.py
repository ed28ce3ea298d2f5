"""Reading files within bounds, and writing them so that nothing is ever half-written."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path, PureWindowsPath
from typing import IO

from scenarios.reading.findings import suggest, surely

BEYOND = 0x7FFF_FFF0
"""The byte that Windows locks: behind all that is written, so that others can read meanwhile."""
LONGEST = 16_000_000
"""The longest text file of a pack, in bytes."""
OUTSIDE = "is a link that leads out of the pack; put the file itself there"
OLD = 60
"""A file is written in less than so many seconds; what is older was left by a program that was killed."""


def read(path: Path, longest: int = LONGEST) -> bytes:
    """The bytes of a regular file. OSError where it is something else, such as a device or a pipe, or has more than `longest` bytes."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, "it is no regular file", str(path))
    with path.open("rb") as file:
        raw = file.read(longest + 1)
    if len(raw) > longest:
        raise OSError(errno.EFBIG, f"it has more than {longest:,} bytes", str(path))
    return raw


def leads_out(folder: Path, path: Path) -> bool:
    """Whether a file of a folder is a link to somewhere else."""
    # Unlike Path.resolve, this takes a link to itself for what it is: a file that can't be read.
    return not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def read_inside(folder: Path, path: Path, longest: int = LONGEST) -> bytes:
    """The bytes of a regular file in a folder; OSError also where it is a link that leads out of it."""
    if leads_out(folder, path):
        raise OSError(errno.EXDEV, "it is a link that leads out of the pack", str(path))
    return read(path, longest)


def write(path: Path, content: bytes, durable: bool = True) -> None:
    """Write a file whole or not at all: to a temporary name beside it, then renamed.

    A durable file is on the disk before it gets its name: a power cut leaves the old one or the new one.
    """
    write_all([(path, content)], durable)


def write_all(files: Iterable[tuple[Path, bytes]], durable: bool = True) -> None:
    """Write files, all of them or none: each to a temporary name beside it, and when the last is written they are renamed."""
    renames: list[tuple[Path, Path]] = []
    try:
        for path, content in files:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.is_dir():
                raise IsADirectoryError(errno.EISDIR, "a folder has that name", str(path))
            temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")
            renames.append((temporary, path))
            with temporary.open("xb") as file:
                file.write(content)
                if durable:
                    file.flush()
                    os.fsync(file.fileno())
        for temporary, path in renames:
            temporary.replace(path)
    except BaseException:
        for temporary, _ in renames:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def locked(file: IO[bytes]) -> Iterator[None]:
    """Keep other processes from an open file; they wait. Inside a browser, where no process has a neighbour, nothing is locked."""
    try:
        import fcntl
    except ImportError:
        fcntl = None  # type: ignore[assignment]
    if sys.platform == "win32":
        import msvcrt

        file.seek(BEYOND)
        msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
    elif fcntl is not None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX)
    try:
        yield
    finally:
        if sys.platform == "win32":
            file.seek(BEYOND)
            msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)
        elif fcntl is not None:
            fcntl.flock(file.fileno(), fcntl.LOCK_UN)


def clean(folder: Path) -> None:
    """Remove what killed programs left half-written in a folder."""
    with contextlib.suppress(OSError):
        for path in folder.glob(".*.part"):
            with contextlib.suppress(OSError):
                if path.is_file() and path.stat().st_mtime < time.time() - OLD:
                    path.unlink()


def write_text(path: Path, text: str) -> None:
    """Write a text file, in UTF-8 with plain line ends on every system."""
    write(path, text.encode("utf-8"))


def pack_file(folder: Path, name: str) -> Path:
    """The file of a pack that a text names, from the pack's folder down. ValueError with a sentence where it isn't one, or lies outside."""
    windows_path = PureWindowsPath(name)  # knows both kinds of slash, and drives
    if (
        windows_path.is_absolute()
        or windows_path.drive
        or windows_path.root
        or ".." in windows_path.parts
        or "\0" in name
    ):
        raise ValueError(
            f"{name!r} leads out of the pack; name a file in its folder, such as {windows_path.name or 'counters.csv'}"
        )
    path = folder.joinpath(*windows_path.parts)
    if not surely(path.is_file):
        parent_folder = path.parent if surely(path.parent.is_dir) else folder
        similar_files = [
            sibling.relative_to(folder).as_posix()
            for sibling in parent_folder.iterdir()
            if sibling.suffix == path.suffix
        ]
        raise ValueError(f"there is no file {name!r} in the pack's folder; {suggest(name, similar_files)}")
    if leads_out(folder, path):
        raise ValueError(f"{name!r} {OUTSIDE}")
    return path
