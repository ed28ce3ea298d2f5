"""All parts by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.fuzz.parts_asking import ASKING
from tests.fuzz.parts_files import FILES
from tests.fuzz.parts_vassal import VASSAL
from tests.fuzz.running import Part
from tests.fuzz.world import FOLDERS

PARTS: Mapping[str, Part] = {**FILES, **VASSAL, **ASKING}


@contextmanager
def use_folder(folder: Path) -> Iterator[None]:
    """Cases are written below a folder."""
    FOLDERS.append(folder.resolve())
    try:
        yield
    finally:
        FOLDERS.pop()
