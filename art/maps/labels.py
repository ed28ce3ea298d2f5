"""The placement of names: near their place, off roads, ids and icons, inside the sheet, and never on each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from art.svg import Element
from art.text import CAPITAL, Weight, text, width

LEADING = 1.02
"""The distance between base lines, in font sizes."""


class Box(NamedTuple):
    """A rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, box: Box) -> float:
        """The area that both boxes share."""
        width = min(self.right, box.right) - max(self.left, box.left)
        height = min(self.bottom, box.bottom) - max(self.top, box.top)
        return width * height if width > 0 and height > 0 else 0.0

    def grow(self, margin: float) -> Box:
        """A box with a margin."""
        return Box(self.left - margin, self.top - margin, self.right + margin, self.bottom + margin)

    @staticmethod
    def around(x: float, y: float, half_width: float, half_height: float) -> Box:
        """A box by its center and half its sides."""
        return Box(x - half_width, y - half_height, x + half_width, y + half_height)


class Label(NamedTuple):
    """A name, the point that it belongs to, and its minimum distance from the point."""

    words: str
    anchor: tuple[float, float]
    size: float
    weight: Weight = "semibold"
    reach: float = 2.0
    color: str = "#1d1710"


class PlacedLabel(NamedTuple):
    """A placed name: its lines, the middle of the first base line, and its box."""

    label: Label
    lines: tuple[str, ...]
    size: float
    x: float
    y: float
    box: Box


class Crowd:
    """Boxes that names avoid, each with a weight, indexed by position."""

    def __init__(self, cell: float = 12) -> None:
        self._cell = cell
        self._boxes: dict[tuple[int, int], list[tuple[int, Box, float]]] = {}
        self._count = 0

    def add(self, box: Box, weight: float) -> None:
        """Add a box to avoid."""
        self._count += 1
        for cell in self._cells(box):
            self._boxes.setdefault(cell, []).append((self._count, box, weight))

    def cost(self, box: Box) -> float:
        """The cost of a name in this box: how much it would hide, by area and weight."""
        costs: dict[int, float] = {}
        for cell in self._cells(box):
            for number, crowd_box, weight in self._boxes.get(cell, ()):
                if number not in costs:
                    costs[number] = box.overlap(crowd_box) * weight
        return sum(costs.values())

    def _cells(self, box: Box) -> Iterator[tuple[int, int]]:
        for x in range(int(box.left // self._cell), int(box.right // self._cell) + 1):
            for y in range(int(box.top // self._cell), int(box.bottom // self._cell) + 1):
                yield x, y


NAME = 1000.0
"""The weight of a name as an obstacle for other names."""


def room(lines: Sequence[str], size: float, weight: Weight) -> tuple[float, float]:
    """The width and height of a name in lines, from the top of its capitals to below its descenders."""
    max_width = max(width(line, size, weight) for line in lines)
    return max_width, size * (CAPITAL + 0.2 + LEADING * (len(lines) - 1))


def line_breaks(words: str) -> list[tuple[str, ...]]:
    """A name in one line, and a long name also in two lines of similar length."""
    ways: list[tuple[str, ...]] = [(words,)]
    parts = words.split()
    if len(words) > 10 and len(parts) > 1:
        cut = min(range(1, len(parts)), key=lambda i: abs(len(" ".join(parts[:i])) - len(" ".join(parts[i:]))))
        ways.append((" ".join(parts[:cut]), " ".join(parts[cut:])))
    return ways


def _candidates(label: Label, size: float) -> Iterator[tuple[float, tuple[str, ...], float, float, Box]]:
    """Candidate boxes around the point, the best first: penalty, lines, middle, base line, box."""
    x, y = label.anchor
    for extra, lines in enumerate(line_breaks(label.words)):
        label_width, height = room(lines, size, label.weight)
        for ring, distance in enumerate((label.reach, label.reach * 1.5, label.reach * 2.2, label.reach * 3.2)):
            diagonal = distance * 0.72
            spots = [
                (0.0, distance + height / 2),
                (0.0, -distance - height / 2),
                (distance + label_width / 2, 0.0),
                (-distance - label_width / 2, 0.0),
                (diagonal + label_width / 2, diagonal + height / 2),
                (diagonal + label_width / 2, -diagonal - height / 2),
                (-diagonal - label_width / 2, diagonal + height / 2),
                (-diagonal - label_width / 2, -diagonal - height / 2),
                (label_width * 0.3, distance + height / 2),
                (-label_width * 0.3, distance + height / 2),
                (label_width * 0.3, -distance - height / 2),
                (-label_width * 0.3, -distance - height / 2),
            ]
            for rank, (right, dy) in enumerate(spots):
                middle, centre = x + right, y + dy
                box = Box.around(middle, centre, label_width / 2, height / 2)
                yield 0.35 * rank + 9 * ring + 2.5 * extra, lines, middle, box.top + size * CAPITAL, box


def place_labels(labels: Iterable[Label], crowd: Crowd, area: Box) -> list[PlacedLabel]:
    """Place every name, the largest first. Each name is added to the crowd."""
    result = []
    for label in sorted(labels, key=lambda name_label: (-name_label.size, name_label.words, name_label.anchor)):
        best: tuple[float, PlacedLabel] | None = None
        for size in (label.size, label.size * 0.88):
            for dislike, lines, x, y, box in _candidates(label, size):
                if best is not None and dislike >= best[0]:
                    continue
                inside = box.overlap(area) / ((box.right - box.left) * (box.bottom - box.top))
                cost = dislike + crowd.cost(box.grow(0.35)) + NAME * (1 - min(1.0, inside + 1e-9))
                if best is None or cost < best[0]:
                    best = cost, PlacedLabel(label, lines, size, x, y, box)
            if best is not None and best[0] < NAME * 0.05:
                break
        assert best is not None
        crowd.add(best[1].box, NAME)
        result.append(best[1])
    return result


def draw_with_halo(placed_label: PlacedLabel, halo: str = "#fbf6e6", strength: float = 0.8) -> list[Element]:
    """A name with a light outline around its letters."""
    label, size = placed_label.label, placed_label.size
    rows = [(line, placed_label.y + i * size * LEADING) for i, line in enumerate(placed_label.lines)]
    rims = [
        text(
            line,
            placed_label.x,
            y,
            size,
            label.weight,
            "middle",
            fill=halo,
            stroke=halo,
            stroke_width=size * 0.24,
            stroke_linejoin="round",
            opacity=strength,
        )
        for line, y in rows
    ]
    return rims + [text(line, placed_label.x, y, size, label.weight, "middle", fill=label.color) for line, y in rows]
