"""Sizes of paper, where counters lie on a sheet, and what is said of an option that can't be carried out."""

from __future__ import annotations

import re
from typing import NamedTuple


class WrongOption(ValueError):
    """An option that can't be carried out; the sentence says what would be right."""


class PaperSize(NamedTuple):
    """A size of paper, upright, in millimetres."""

    name: str
    width: float
    height: float

    @property
    def title(self) -> str:
        """What it is called on a page."""
        return self.name.upper() if re.fullmatch(r"a\d", self.name) else self.name.capitalize()


class PageLayout(NamedTuple):
    """Where counters lie on a sheet of a template, in millimetres."""

    columns: int
    rows: int
    left: float
    top: float
    pitch: tuple[float, float]
    bleed: float
    corner: float
    marks: bool
