"""Text in drawings: the font family, the width of texts, and fitting."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Literal

from art.svg import Element, Value, element, group

FAMILY = "Source Sans Pro"
Weight = Literal["regular", "italic", "semibold", "bold", "black"]
_FILES: dict[Weight, str] = {
    "regular": "SourceSansPro-Regular.ttf",
    "italic": "SourceSansPro-It.ttf",
    "semibold": "SourceSansPro-Semibold.ttf",
    "bold": "SourceSansPro-Bold.ttf",
    "black": "SourceSansPro-Black.ttf",
}
_WEIGHTS: dict[Weight, str] = {"regular": "400", "italic": "400", "semibold": "600", "bold": "700", "black": "900"}
CAPITAL = 0.66
"""The height of a capital or a digit, as a fraction of the font size."""


def font_files() -> dict[Weight, Path]:
    """The font files for all drawings. They come with a package, not from the system."""
    import font_source_sans_pro

    folder = Path(font_source_sans_pro.__file__).parent / "files"
    return {weight: folder / name for weight, name in _FILES.items()}


@functools.cache
def _font(weight: Weight) -> object:
    from PIL import ImageFont

    return ImageFont.truetype(str(font_files()[weight]), 1000)


def width(text: str, size: float, weight: Weight = "regular") -> float:
    """The width of a text at a font size."""
    return _width(text, weight) * size


@functools.lru_cache(maxsize=65536)
def _width(text: str, weight: Weight) -> float:
    font = _font(weight)
    return float(font.getlength(text)) / 1000  # type: ignore[attr-defined]


def fitting(text: str, room: float, size: float, min_size: float, weight: Weight = "regular") -> float:
    """The largest font size, at most `size`, at which a text fits the room. Raises ValueError if it would be below `min_size`."""
    text_width = width(text, size, weight)
    fit = size if text_width <= room else size * room / text_width
    if fit < min_size - 1e-9:
        raise ValueError(
            f"{text!r} needs {text_width / size * min_size:.1f} mm at the smallest legible size; there is room for {room:.1f}"
        )
    return fit


def text(
    words: str,
    x: float,
    y: float,
    size: float,
    weight: Weight = "regular",
    anchor: Literal["start", "middle", "end"] = "middle",
    **attributes: Value,
) -> Element:
    """A text on a base line."""
    node = element(
        "text",
        x=x,
        y=y,
        font_family=FAMILY,
        font_size=size,
        font_weight=_WEIGHTS[weight],
        font_style="italic" if weight == "italic" else None,
        text_anchor=None if anchor == "start" else anchor,
        **attributes,
    )
    node.text = words
    return node


def centred_text(words: str, x: float, y: float, size: float, weight: Weight = "bold", **attributes: Value) -> Element:
    """A text whose digits are vertically centered on a point."""
    return text(words, x, y + size * CAPITAL / 2, size, weight, "middle", **attributes)


def lines(words: str, room: float, size: float, weight: Weight = "regular") -> list[str]:
    """Break a text into lines that fit the room."""
    result: list[str] = []
    line = ""
    for word in words.split():
        longer = f"{line} {word}".strip()
        if line and width(longer, size, weight) > room:
            result.append(line)
            line = word
        else:
            line = longer
    return [*result, line] if line else result


def paragraph(
    words: str,
    x: float,
    y: float,
    room: float,
    size: float,
    weight: Weight = "regular",
    leading: float = 1.25,
    **attributes: Value,
) -> tuple[Element, float]:
    """A text in lines from a top left corner, with its height."""
    rows = lines(words, room, size, weight)
    row_texts = [
        text(row, x, y + size * (CAPITAL + leading * i), size, weight, "start", **attributes)
        for i, row in enumerate(rows)
    ]
    return group(row_texts), size * leading * len(rows)
