"""Cards of different sizes on pages: in order, except that the next card that fits fills a gap."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

GAP = 5.0
"""The space between two cards, in millimeters."""
HEAD = 24.0
"""The height of the section's title on its first page."""
TOLERANCE = 0.05
"""Heights that differ by less count as equal."""


class ShelfCard(NamedTuple):
    """A drawing on a plate: its title, its page there, its size, and its level in the contents."""

    title: str
    page: int
    width: float
    height: float
    level: int = 2


def shelves(cards: Sequence[ShelfCard], width: float) -> list[list[ShelfCard]]:
    """Shelves of cards: two cards of half the width share a shelf, others are alone.

    A half card shares with one of the same height. Those without such a partner share with the next one of them.
    """
    halves = [card for card in cards if card.width <= (width - GAP) / 2 + 1e-6]
    partners: dict[int, ShelfCard] = {}
    for must_match in (True, False):
        free_cards = [card for card in halves if card.page not in partners]
        while free_cards:
            card = free_cards.pop(0)
            partner = next(
                (
                    candidate
                    for candidate in free_cards
                    if not must_match or abs(candidate.height - card.height) < TOLERANCE
                ),
                None,
            )
            if partner is not None:
                free_cards.remove(partner)
                partners |= {card.page: partner, partner.page: card}
    result: list[list[ShelfCard]] = []
    for card in cards:
        mate = partners.get(card.page)
        if mate is None:
            result.append([card])
        elif card.page < mate.page:
            result.append([card, mate])
    return result


def pages(cards: Sequence[ShelfCard], width: float, height: float) -> list[list[list[dict[str, Any]]]]:
    """The shelves of each page. A shelf that is too big for a page is scaled down.

    The order stays if it costs no page. Otherwise the first shelf stays first, and high shelves come before low ones.
    """
    card_shelves = shelves(cards, width)
    ordered_pages = _arrange(card_shelves, width, height)
    tight = _arrange(
        [*card_shelves[:1], *sorted(card_shelves[1:], key=lambda shelf: -max(card.height for card in shelf))],
        width,
        height,
    )
    tight[1:] = sorted(tight[1:], key=lambda page: min(shelf[0].page for shelf in page))
    best = tight if len(tight) < len(ordered_pages) else ordered_pages
    return [[_shelf_cells(shelf, width, height) for shelf in sorted(page, key=lambda s: s[0].page)] for page in best]


def _scale(shelf: Sequence[ShelfCard], width: float, height: float) -> float:
    """The scale of a shelf that doesn't fit a page. The first shelf is below the section's title."""
    shelf_width = sum(card.width for card in shelf) + GAP * (len(shelf) - 1)
    room = height - HEAD if min(card.page for card in shelf) <= 1 else height
    return min(1.0, width / shelf_width, room / max(card.height for card in shelf))


def _arrange(card_shelves: Sequence[list[ShelfCard]], width: float, height: float) -> list[list[list[ShelfCard]]]:
    result: list[list[list[ShelfCard]]] = []
    free_heights: list[float] = []
    for shelf in card_shelves:
        tall = max(card.height for card in shelf) * _scale(shelf, width, height) + GAP
        place = next((i for i, room in enumerate(free_heights) if tall <= room + GAP), None)
        if place is None:
            place = len(result)
            result.append([])
            free_heights.append(height - (HEAD if place == 0 else 0))
        result[place].append(shelf)
        free_heights[place] -= tall
    return result


def _shelf_cells(shelf: Sequence[ShelfCard], width: float, height: float) -> list[dict[str, Any]]:
    scale = _scale(shelf, width, height)
    return [{"title": c.title, "level": c.level, "page": c.page, "shown": c.width * scale} for c in shelf]
