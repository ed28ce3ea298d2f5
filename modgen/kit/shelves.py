"""Cards of different heights put on pages: in order, but a gap is filled with the next card that fits it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

GAP = 5.0
"""The room between two cards, in millimetres."""
HEAD = 24.0
"""What the title of the section takes of its first page."""


class Card(NamedTuple):
    """A drawing on a plate: its title, its page there, its size, and how deep it stands in the contents."""

    title: str
    page: int
    width: float
    height: float
    level: int = 2


def pages(cards: Sequence[Card], wide: float, high: float) -> list[list[dict[str, Any]]]:
    """The cards by page; one that is too big for a page is made smaller."""
    result: list[list[dict[str, Any]]] = []
    left: list[float] = []
    for card in cards:
        scale = min(1.0, wide / card.width, (high - HEAD) / card.height)
        tall = card.height * scale + GAP
        place = next((i for i, room in enumerate(left) if tall <= room + GAP), None)
        if place is None:
            place = len(result)
            result.append([])
            left.append(high - (HEAD if place == 0 else 0))
        result[place].append({"title": card.title, "level": card.level, "page": card.page, "shown": card.width * scale})
        left[place] -= tall
    return result
