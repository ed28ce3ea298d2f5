"""Where names go: near what they name, off the roads, off the sheet's edges, and off each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from art.text import CAPITAL, Weight, width


class Box(NamedTuple):
    """A rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    def shared(self, other: Box) -> float:
        """How much of the two lies in both."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across * down if across > 0 and down > 0 else 0.0


class Label(NamedTuple):
    """A name and the point it belongs to."""

    words: str
    at: tuple[float, float]
    size: float
    weight: Weight = "semibold"


# Across and down from the point, in side lengths; the first is liked best.
PLACES = [
    (0, 0.62),
    (0, -0.42),
    (0.75, 0.1),
    (-0.75, 0.1),
    (0.6, 0.55),
    (-0.6, 0.55),
    (0.6, -0.4),
    (-0.6, -0.4),
    (0, 0.95),
    (0, -0.8),
]


def box_of(label: Label, x: float, y: float) -> Box:
    """The room a name takes with its middle and base line at a point."""
    half = width(label.words, label.size, label.weight) / 2
    return Box(x - half, y - label.size * (CAPITAL + 0.1), x + half, y + label.size * 0.22)


def place_labels(
    labels: Sequence[Label], blocked: Iterable[Box], wide: float, high: float, side: float
) -> list[tuple[Label, float, float]]:
    """A place for every name, the largest names first."""
    taken: list[Box] = []
    roads = list(blocked)
    result = []
    for label in sorted(labels, key=lambda held: (-held.size, held.words)):
        half = width(label.words, label.size, label.weight) / 2
        best: tuple[float, float, float, Box] | None = None
        for rank, (right, down) in enumerate(PLACES):
            x = label.at[0] + right * side + (half if right > 0 else -half if right < 0 else 0) * 0.85
            x = max(half + 0.6, min(wide - half - 0.6, x))
            y = max(label.size * 0.9, min(high - label.size * 0.4, label.at[1] + down * side))
            box = box_of(label, x, y)
            cost = (
                100 * sum(box.shared(other) for other in taken)
                + 3 * sum(box.shared(other) for other in roads)
                + 0.15 * rank
            )
            if best is None or cost < best[0]:
                best = (cost, x, y, box)
        assert best is not None
        taken.append(best[3])
        result.append((label, best[1], best[2]))
    return result
