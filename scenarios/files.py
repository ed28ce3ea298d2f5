"""Read files within limits, and write them so that no file is ever half-written."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
import stat
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PureWindowsPath
from typing import IO

from scenarios.reading.findings import suggest, surely

BEYOND = 0x7FFF_FFF0
"""The byte that Windows locks. It lies after all content, so that other processes can still read the file."""
LONGEST = 16_000_000
"""The maximum size of a pack's text file, in bytes."""
OUTSIDE = "is a link that leads out of the pack; put the file itself there"
OLD = 60
"""The maximum time to write a file, in seconds. An older temporary file was left by a killed program."""


def read(path: Path, longest: int = LONGEST) -> bytes:
    """The bytes of a regular file. Raises OSError if it is anything else, such as a device or a pipe, or has more than `longest` bytes."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, "it is no regular file", str(path))
    with path.open("rb") as file:
        raw = file.read(longest + 1)
    if len(raw) > longest:
        raise OSError(errno.EFBIG, f"it has more than {longest:,} bytes", str(path))
    return raw


def leads_out(folder: Path, path: Path) -> bool:
    """Whether a file of a folder is a link to a place outside it."""
    # Unlike Path.resolve, this treats a link to itself as what it is: a file that can't be read.
    return not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def read_inside(folder: Path, path: Path, longest: int = LONGEST) -> bytes:
    """The bytes of a regular file in a folder. Raises OSError also for a link that leads outside."""
    if leads_out(folder, path):
        raise OSError(errno.EXDEV, "it is a link that leads out of the pack", str(path))
    return read(path, longest)


def write(path: Path, content: bytes, durable: bool = True) -> None:
    """Write a file completely or not at all: under a temporary name in the same folder, then renamed.

    A durable file is on the disk before it is renamed. After a power cut the folder has the old file or the new one.
    """
    write_all([(path, content)], durable)


def write_all(files: Iterable[tuple[Path, bytes]], durable: bool = True) -> None:
    """Write all of the files or none. Each gets a temporary name first. All are renamed after the last one is written."""
    renames: list[tuple[Path, Path]] = []
    try:
        for path, content in files:
            if not path.parent.is_dir():  # asking is much cheaper than making what is there
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
    """Lock an open file against other processes, which wait. In a browser there are no other processes, and nothing is locked."""
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
    """Remove half-written files of killed programs from a folder."""
    with contextlib.suppress(OSError):
        for path in folder.glob(".*.part"):
            with contextlib.suppress(OSError):
                if path.is_file() and path.stat().st_mtime < time.time() - OLD:
                    path.unlink()


def write_text(path: Path, text: str) -> None:
    """Write a text file in UTF-8, with a single line feed as line end on every system."""
    write(path, text.encode("utf-8"))


def pack_file(folder: Path, name: str) -> Path:
    """The file of a pack that a text names, relative to the pack's folder. Raises ValueError with a sentence if it is bad or outside."""
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


def replace_folder(target: Path, files: Mapping[str, bytes]) -> None:
    """Write a folder whole or not at all: first beside its place, then renamed. The earlier content is deleted."""
    for leftover in (*target.parent.glob(f".{target.name}.*.part"), *target.parent.glob(f".{target.name}.*.old")):
        if leftover.is_dir() and leftover.stat().st_mtime < time.time() - OLD:
            shutil.rmtree(leftover, ignore_errors=True)  # left by a release that was killed
    new_folder = target.with_name(f".{target.name}.{secrets.token_hex(6)}.part")
    former = new_folder.with_suffix(".old")
    try:
        for name, content in files.items():
            write(new_folder / name, content)
        if target.exists():
            target.rename(former)
        try:
            new_folder.rename(target)
        except OSError:
            if former.exists():
                former.rename(target)
            raise
    finally:
        shutil.rmtree(new_folder, ignore_errors=True)
        shutil.rmtree(former, ignore_errors=True)
