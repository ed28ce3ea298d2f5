"""Writing files so that nothing is ever half-written."""

from __future__ import annotations

import contextlib
import secrets
import time
from pathlib import Path

OLD = 60
"""A file is written in less than so many seconds; what is older was left by a program that was killed."""


def write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all: to a temporary name beside it, then renamed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}.part")
    try:
        with temporary.open("xb") as file:
            file.write(content)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


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
