"""Typst with Mitla's fonts and no others: pages as PDF, drawings as pictures."""

from __future__ import annotations

import contextlib
import ctypes
import datetime
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from art.text import font_files

LARGE = 150_000
"""With at least this many bytes of data, pages are set in a separate process."""
HUGE = 2_000_000
"""With at least this many bytes of drawings and plates, too."""
TEXT = 100
"""A text in a drawing takes as much memory as this many more bytes."""
PROCESS_LOCK = threading.Lock()
"""Allows one such process at a time, because each takes much memory."""


class ProcessStopped(Exception):
    """A child process was stopped before it ended, as the system does if memory runs out."""

    def __init__(self) -> None:
        super().__init__(
            "a process of the build was stopped before it ended, as the system does where memory runs out; "
            "close other programs, or build less at once with --only"
        )


File = bytes | Path
"""The content of a file, or its path."""


@contextlib.contextmanager
def _workshop(main: str, files: Mapping[str, File], templates: Path | None = None) -> Iterator[Path]:
    """A temporary folder with a text, the files beside it and the fonts."""
    with tempfile.TemporaryDirectory(prefix="mitla-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / "fonts").mkdir()
        for font in font_files().values():
            shutil.copyfile(font, folder / "fonts" / font.name)
        for template in sorted(templates.glob("*.typ")) if templates else ():
            shutil.copyfile(template, folder / template.name)
        for path, content in files.items():
            if isinstance(content, bytes):
                (folder / path).write_bytes(content)
            else:
                shutil.copyfile(content, folder / path)
        (folder / "main.typ").write_text(main, encoding="utf-8")
        yield folder


def stamp(release: str) -> int:
    """A pack's release date as a timestamp, the same in every time zone."""
    day = datetime.date.fromisoformat(release)
    return int(datetime.datetime(day.year, day.month, day.day, tzinfo=datetime.UTC).timestamp())


def pdf(main: str, files: Mapping[str, File], release: str, templates: Path | None = None) -> bytes:
    """The PDF that Typst makes of a text and the files beside it."""
    return pdf_and_told(main, files, release, "", templates)[0]


def pdf_and_told(
    main: str, files: Mapping[str, File], release: str, selector: str, templates: Path | None
) -> tuple[bytes, list[Any]]:
    """The PDF of a text, and the values of its metadata under a label. One layout serves both.

    Typst keeps every layout as long as its process runs, so large texts get a separate process.
    """
    with _workshop(main, files, templates) as folder:
        data = folder / "data.json"
        if sum(map(_weight, files.values())) < HUGE and not (data.exists() and data.stat().st_size >= LARGE):
            return _set(folder, release, selector)
        run_in_process("modgen.typesetting", str(folder), release, selector)
        return (folder / "made.pdf").read_bytes(), list(json.loads((folder / "told.json").read_bytes()))


def _weight(content: File) -> int:
    return len(content) + TEXT * content.count(b"<text") if isinstance(content, bytes) else content.stat().st_size


def run_in_process(module: str, *words: str) -> None:
    """Run a module in a separate process, one at a time.

    Raises RuntimeError with the reason of a failure, or ProcessStopped if it was stopped.
    """
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with PROCESS_LOCK:
        give_back()
        command = [sys.executable, "-m", module, *words]
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, encoding="utf-8", errors="replace"
        )
    if done.returncode < 0:
        raise ProcessStopped
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"{module} ended early")


def give_back() -> None:
    """Return this process's free memory to the system before another process allocates its own."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):  # not every C library has it
            ctypes.CDLL(None).malloc_trim(0)


def _set(folder: Path, release: str, selector: str) -> tuple[bytes, list[Any]]:
    import typst

    compiler = typst.Compiler(
        str(folder / "main.typ"), root=str(folder), font_paths=[str(folder / "fonts")], ignore_system_fonts=True
    )
    pdf = compiler.compile(timestamp=stamp(release))
    assert isinstance(pdf, bytes)
    return pdf, list(json.loads(compiler.query(selector, field="value"))) if selector else []


def pngs(main: str, files: Mapping[str, bytes]) -> list[bytes]:
    """Every page of a text as a picture, one dot per point."""
    import typst

    with _workshop(main, files) as folder:
        pages: bytes | list[bytes] = typst.compile(
            str(folder / "main.typ"),
            root=str(folder),
            font_paths=[str(folder / "fonts")],
            ignore_system_fonts=True,
            format="png",
            ppi=72.0,
        )
        return [pages] if isinstance(pages, bytes) else pages


if __name__ == "__main__":
    output, messages = _set(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
    (Path(sys.argv[1]) / "made.pdf").write_bytes(output)
    (Path(sys.argv[1]) / "told.json").write_text(json.dumps(messages), encoding="utf-8")
