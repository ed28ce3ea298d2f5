"""Typst, with our fonts and no others: pages as PDF, drawings as pictures."""

from __future__ import annotations

import contextlib
import datetime
import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from art.text import font_files


@contextlib.contextmanager
def _workshop(main: str, files: Mapping[str, bytes], templates: Path | None = None) -> Iterator[Path]:
    """A folder with a text, the files beside it and the fonts, for as long as it takes."""
    with tempfile.TemporaryDirectory(prefix="mitla-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / "fonts").mkdir()
        for font in font_files().values():
            shutil.copyfile(font, folder / "fonts" / font.name)
        for template in sorted(templates.glob("*.typ")) if templates else ():
            shutil.copyfile(template, folder / template.name)
        for path, content in files.items():
            (folder / path).write_bytes(content)
        (folder / "main.typ").write_text(main, encoding="utf-8")
        yield folder


def stamp(release: str) -> int:
    """A pack's release date as a time, the same in every time zone."""
    day = datetime.date.fromisoformat(release)
    return int(datetime.datetime(day.year, day.month, day.day, tzinfo=datetime.UTC).timestamp())


def pdf(main: str, files: Mapping[str, bytes], release: str, templates: Path | None = None) -> bytes:
    """What Typst makes of a text and the files beside it."""
    import typst

    with _workshop(main, files, templates) as folder:
        made: bytes = typst.compile(
            str(folder / "main.typ"),
            root=str(folder),
            font_paths=[str(folder / "fonts")],
            ignore_system_fonts=True,
            timestamp=stamp(release),
        )
        return made


def pdf_and_told(
    main: str, files: Mapping[str, bytes], release: str, selector: str, templates: Path
) -> tuple[bytes, list[Any]]:
    """What Typst makes of a text, and the values of its metadata under a label; laid out once for both."""
    import typst

    with _workshop(main, files, templates) as folder:
        compiler = typst.Compiler(
            str(folder / "main.typ"), root=str(folder), font_paths=[str(folder / "fonts")], ignore_system_fonts=True
        )
        made = compiler.compile(timestamp=stamp(release))
        assert isinstance(made, bytes)
        return made, list(json.loads(compiler.query(selector, field="value")))


def pngs(main: str, files: Mapping[str, bytes]) -> list[bytes]:
    """Every page of a text as a picture, one dot a point."""
    import typst

    with _workshop(main, files) as folder:
        made: bytes | list[bytes] = typst.compile(
            str(folder / "main.typ"),
            root=str(folder),
            font_paths=[str(folder / "fonts")],
            ignore_system_fonts=True,
            format="png",
            ppi=72.0,
        )
        return [made] if isinstance(made, bytes) else made
