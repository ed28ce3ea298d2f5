"""Cards of different sizes put on pages: in order, but a gap is filled with the next card that fits it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

GAP = 5.0
"""The room between two cards, in millimetres."""
HEAD = 24.0
"""What the title of the section takes of its first page."""
SAME = 0.05
"""Heights that differ by less are the same."""


class Card(NamedTuple):
    """A drawing on a plate: its title, its page there, its size, and how deep it stands in the contents."""

    title: str
    page: int
    width: float
    height: float
    level: int = 2


def shelves(cards: Sequence[Card], wide: float) -> list[list[Card]]:
    """Cards that fill half the width stand two on a shelf, others alone.

    A half stands beside one that is as high as itself; those without such a partner, each with the next of them.
    """
    halves = [card for card in cards if card.width <= (wide - GAP) / 2 + 1e-6]
    partners: dict[int, Card] = {}
    for same in (True, False):
        left = [card for card in halves if card.page not in partners]
        while left:
            card = left.pop(0)
            other = next((one for one in left if not same or abs(one.height - card.height) < SAME), None)
            if other is not None:
                left.remove(other)
                partners |= {card.page: other, other.page: card}
    result: list[list[Card]] = []
    for card in cards:
        mate = partners.get(card.page)
        if mate is None:
            result.append([card])
        elif card.page < mate.page:
            result.append([card, mate])
    return result


def pages(cards: Sequence[Card], wide: float, high: float) -> list[list[list[dict[str, Any]]]]:
    """The shelves of each page; one that is too big for a page is made smaller.

    The order holds where it costs no page: else the first shelf stays first, and high ones are laid out before low ones.
    """
    held = shelves(cards, wide)
    laid = _laid(held, wide, high)
    tight = _laid([*held[:1], *sorted(held[1:], key=lambda shelf: -max(card.height for card in shelf))], wide, high)
    tight[1:] = sorted(tight[1:], key=lambda page: min(shelf[0].page for shelf in page))
    best = tight if len(tight) < len(laid) else laid
    return [[_shown(shelf, wide, high) for shelf in sorted(page, key=lambda s: s[0].page)] for page in best]


def _scale(shelf: Sequence[Card], wide: float, high: float) -> float:
    """How much smaller a shelf is that doesn't fit a page; the first stands below the section's title."""
    across = sum(card.width for card in shelf) + GAP * (len(shelf) - 1)
    room = high - HEAD if min(card.page for card in shelf) <= 1 else high
    return min(1.0, wide / across, room / max(card.height for card in shelf))


def _laid(held: Sequence[list[Card]], wide: float, high: float) -> list[list[list[Card]]]:
    result: list[list[list[Card]]] = []
    left: list[float] = []
    for shelf in held:
        tall = max(card.height for card in shelf) * _scale(shelf, wide, high) + GAP
        place = next((i for i, room in enumerate(left) if tall <= room + GAP), None)
        if place is None:
            place = len(result)
            result.append([])
            left.append(high - (HEAD if place == 0 else 0))
        result[place].append(shelf)
        left[place] -= tall
    return result


def _shown(shelf: Sequence[Card], wide: float, high: float) -> list[dict[str, Any]]:
    scale = _scale(shelf, wide, high)
    return [{"title": c.title, "level": c.level, "page": c.page, "shown": c.width * scale} for c in shelf]
