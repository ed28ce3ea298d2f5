"""Where names go: near what they name, off roads, ids and icons, off the sheet's edges, and never on each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from art.svg import Element
from art.text import CAPITAL, Weight, text, width

LEADING = 1.02
"""From base line to base line, in font sizes."""


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

    def grown(self, by: float) -> Box:
        """A box with a margin."""
        return Box(self.left - by, self.top - by, self.right + by, self.bottom + by)

    @staticmethod
    def around(x: float, y: float, across: float, down: float) -> Box:
        """A box by its middle and half its sides."""
        return Box(x - across, y - down, x + across, y + down)


class Label(NamedTuple):
    """A name, the point it belongs to, and how far from that point it begins."""

    words: str
    at: tuple[float, float]
    size: float
    weight: Weight = "semibold"
    reach: float = 2.0
    color: str = "#1d1710"


class PlacedLabel(NamedTuple):
    """A name in its place: its lines, the middle of the first base line, and the room it takes."""

    label: Label
    lines: tuple[str, ...]
    size: float
    x: float
    y: float
    box: Box


class Crowd:
    """Boxes that names keep off, each with a weight, found by where they lie."""

    def __init__(self, cell: float = 12) -> None:
        self._cell = cell
        self._boxes: dict[tuple[int, int], list[tuple[int, Box, float]]] = {}
        self._count = 0

    def add(self, box: Box, weight: float) -> None:
        """One more box to keep off."""
        self._count += 1
        for cell in self._cells(box):
            self._boxes.setdefault(cell, []).append((self._count, box, weight))

    def cost(self, box: Box) -> float:
        """How much a name in this box would hide, by area and weight."""
        seen: dict[int, float] = {}
        for cell in self._cells(box):
            for number, other, weight in self._boxes.get(cell, ()):
                if number not in seen:
                    seen[number] = box.shared(other) * weight
        return sum(seen.values())

    def _cells(self, box: Box) -> Iterator[tuple[int, int]]:
        for x in range(int(box.left // self._cell), int(box.right // self._cell) + 1):
            for y in range(int(box.top // self._cell), int(box.bottom // self._cell) + 1):
                yield x, y


NAME = 1000.0
"""The weight of a name for other names."""


def room(lines: Sequence[str], size: float, weight: Weight) -> tuple[float, float]:
    """How wide and how high a name in lines is, from the top of its capitals to below its tails."""
    wide = max(width(line, size, weight) for line in lines)
    return wide, size * (CAPITAL + 0.2 + LEADING * (len(lines) - 1))


def broken(words: str) -> list[tuple[str, ...]]:
    """A name in one line, and where it is long also in two of about the same length."""
    ways: list[tuple[str, ...]] = [(words,)]
    parts = words.split()
    if len(words) > 10 and len(parts) > 1:
        cut = min(range(1, len(parts)), key=lambda i: abs(len(" ".join(parts[:i])) - len(" ".join(parts[i:]))))
        ways.append((" ".join(parts[:cut]), " ".join(parts[cut:])))
    return ways


def _candidates(label: Label, size: float) -> Iterator[tuple[float, tuple[str, ...], float, float, Box]]:
    """Boxes around the point, the best liked first: how little it is liked, lines, middle, base line, box."""
    x, y = label.at
    for extra, lines in enumerate(broken(label.words)):
        wide, high = room(lines, size, label.weight)
        for ring, far in enumerate((label.reach, label.reach * 1.5, label.reach * 2.2, label.reach * 3.2)):
            near = far * 0.72
            spots = [
                (0.0, far + high / 2),
                (0.0, -far - high / 2),
                (far + wide / 2, 0.0),
                (-far - wide / 2, 0.0),
                (near + wide / 2, near + high / 2),
                (near + wide / 2, -near - high / 2),
                (-near - wide / 2, near + high / 2),
                (-near - wide / 2, -near - high / 2),
                (wide * 0.3, far + high / 2),
                (-wide * 0.3, far + high / 2),
                (wide * 0.3, -far - high / 2),
                (-wide * 0.3, -far - high / 2),
            ]
            for rank, (right, down) in enumerate(spots):
                middle, centre = x + right, y + down
                box = Box.around(middle, centre, wide / 2, high / 2)
                yield 0.35 * rank + 9 * ring + 2.5 * extra, lines, middle, box.top + size * CAPITAL, box


def place_labels(labels: Iterable[Label], crowd: Crowd, area: Box) -> list[PlacedLabel]:
    """A place for every name, the largest names first. The names join the crowd."""
    result = []
    for label in sorted(labels, key=lambda held: (-held.size, held.words, held.at)):
        best: tuple[float, PlacedLabel] | None = None
        for size in (label.size, label.size * 0.88):
            for dislike, lines, x, y, box in _candidates(label, size):
                if best is not None and dislike >= best[0]:
                    continue
                inside = box.shared(area) / ((box.right - box.left) * (box.bottom - box.top))
                cost = dislike + crowd.cost(box.grown(0.35)) + NAME * (1 - min(1.0, inside + 1e-9))
                if best is None or cost < best[0]:
                    best = cost, PlacedLabel(label, lines, size, x, y, box)
            if best is not None and best[0] < NAME * 0.05:
                break
        assert best is not None
        crowd.add(best[1].box, NAME)
        result.append(best[1])
    return result


def haloed(placed: PlacedLabel, halo: str = "#fbf6e6", strength: float = 0.8) -> list[Element]:
    """A name with a light rim around its letters."""
    label, size = placed.label, placed.size
    rows = [(line, placed.y + i * size * LEADING) for i, line in enumerate(placed.lines)]
    rims = [
        text(
            line,
            placed.x,
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
    return rims + [text(line, placed.x, y, size, label.weight, "middle", fill=label.color) for line, y in rows]
