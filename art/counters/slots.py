"""The slots for texts on a counter, and how texts are fitted into them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from art import svg
from art.svg import Element
from art.text import CAPITAL, Weight, centred_text, fitting, text
from scenarios.model.definitions import Colors

SIZE = 16.0
"""The side of a counter in millimeters. Other sizes are scaled from it."""
MARGIN = 0.9
SMALLEST = 1.55
"""The smallest legible font size in millimeters: 4.4 points."""


class NoRoom(ValueError):
    """Raised for a text that doesn't fit its counter at a legible size."""


@dataclass(frozen=True)
class Slot:
    """A slot for text: its anchor point, its alignment, its room and its sizes.

    A disc is drawn behind the text of a badge.
    """

    x: float
    y: float
    anchor: Literal["start", "middle", "end"]
    room: float
    size: float
    min_size: float
    weight: Weight = "bold"
    rotation: int = 0
    offset: float = 0
    disc: bool = False


TOP, BOTTOM, RIGHT = MARGIN, SIZE - 1.0, SIZE - MARGIN
CORNER = 4.9
"""The room for a text in a corner."""
SPOTS: Mapping[str, Slot] = {
    "top_left": Slot(MARGIN, TOP, "start", CORNER, 4.1, 2.4),
    "top": Slot(SIZE / 2, TOP, "middle", 4.0, 3.2, 2.2),
    "top_right": Slot(RIGHT, TOP, "end", CORNER, 4.1, 2.4),
    "caption": Slot(SIZE / 2, 11.2, "middle", SIZE - 2 * MARGIN, 2.1, SMALLEST, "semibold"),
    "low_left": Slot(MARGIN, 11.2, "start", 2.0, 2.1, SMALLEST),
    "low_right": Slot(RIGHT, 11.2, "end", 2.0, 2.1, SMALLEST),
    "bottom_left": Slot(MARGIN, BOTTOM, "start", CORNER, 4.1, 2.4),
    "bottom": Slot(SIZE / 2, BOTTOM, "middle", 4.2, 1.8, SMALLEST, "semibold"),
    "bottom_right": Slot(RIGHT, BOTTOM, "end", CORNER, 4.1, 2.4),
    "banner": Slot(SIZE / 2, 13.0, "middle", SIZE - 2 * MARGIN, 2.9, SMALLEST),
}
WIDE_BOTTOM = Slot(SIZE / 2, BOTTOM, "middle", SIZE - 2 * MARGIN, 4.4, 2.4)
"""The bottom slot if the corners beside it are empty."""
CAPTION_BESIDE = replace(SPOTS["caption"], room=SIZE - 2 * MARGIN - 4.2)
"""The caption if there are texts at its ends."""
CAPTION_FIGURES = replace(SPOTS["caption"], y=SPOTS["caption"].y + 0.15)
"""A caption of digits only. Digits have no descenders, so it can be lower, clear of the symbol's frame."""
CODE = Slot(MARGIN, TOP, "start", 5.2, 1.8, SMALLEST)
"""The code of a counter's nation, in the upper left corner."""
CODE_BESIDE = Slot(1.6, 7.1, "middle", 4.8, 1.75, SMALLEST, rotation=-90)
"""The nation's code if that corner has a factor: rotated, at the left edge."""
BADGE = Slot(RIGHT - 1.35, TOP + 1.3, "middle", 2.3, 2.4, SMALLEST, disc=True)


BESIDE_MIDDLE = 6.4
"""The middle of the picture."""


def slot_beside(key: str, has_corner_text: bool) -> Slot:
    """The slot left or right of the picture. It is lower if the corner above it has text."""
    top, bottom = (3.75 if has_corner_text else MARGIN), 9.5
    is_left = key == "left"
    x = 1.95 if is_left else SIZE - 1.95
    rotation = -90 if is_left else 90
    return Slot(x, (top + bottom) / 2, "middle", bottom - top, 2.0, SMALLEST, "semibold", rotation, offset=2.9)


def fits(words: str, spot: Slot) -> bool:
    """Whether a text fits a slot."""
    try:
        fitting(words, spot.room, spot.size, spot.min_size, spot.weight)
    except ValueError:
        return False
    return True


def draw_text(choices: Sequence[str], spot: Slot, colors: Colors, counter_id: str) -> list[Element]:
    """Draw the first choice that fits its slot. NoRoom names the counter whose text is too long."""
    upright = replace(spot, room=spot.offset, y=BESIDE_MIDDLE, rotation=0)
    error = ValueError("there is nothing to say")
    last_resort = [replace(spot, min_size=SMALLEST)] if spot.min_size > SMALLEST else []
    for words in choices:
        for try_ in [*([upright] if spot.offset and len(words) <= 4 else []), spot, *last_resort]:
            try:
                size = fitting(words, try_.room, try_.size, try_.min_size, try_.weight)
            except ValueError as size_error:
                error = size_error
                continue
            return _draw_text(words, try_, size, colors)
    raise NoRoom(f"{counter_id}: {error}; shorten it, give a `short` name, or a wider spot in `layouts`")


def _draw_text(words: str, spot: Slot, size: float, colors: Colors) -> list[Element]:
    if spot.disc:
        disc = svg.circle(spot.x, spot.y, 1.55, fill=colors.accent)
        return [disc, centred_text(words, spot.x, spot.y, size, spot.weight, fill="#ffffff")]
    if spot.rotation:
        rotated_text = text(words, 0, CAPITAL * size / 2, size, spot.weight, "middle", fill=colors.ink)
        turn = f"translate({svg.number(spot.x)} {svg.number(spot.y)}) rotate({spot.rotation})"
        return [svg.group([rotated_text], transform=turn)]
    if spot.offset:
        return [centred_text(words, spot.x, spot.y, size, spot.weight, fill=colors.ink)]
    y = spot.y + (CAPITAL * size if spot.y < SIZE / 4 else 0)
    return [text(words, spot.x, y, size, spot.weight, spot.anchor, fill=colors.ink)]
