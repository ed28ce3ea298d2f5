"""The ink of every text in a drawing, as boxes in millimetres."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from art.svg import SVG, Element
from art.text import Weight, _font

Matrix = tuple[float, float, float, float, float, float]
IDENTITY: Matrix = (1, 0, 0, 1, 0, 0)
WEIGHTS: dict[str, Weight] = {"400": "regular", "600": "semibold", "700": "bold", "900": "black"}


class Ink(NamedTuple):
    """A text, its font size on paper, and the box of its ink."""

    words: str
    size: float
    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other_ink: Ink, slack: float = 0.02) -> bool:
        """Whether the ink of two texts meets."""
        return (
            self.left < other_ink.right - slack
            and other_ink.left < self.right - slack
            and self.top < other_ink.bottom - slack
            and other_ink.top < self.bottom - slack
        )


def texts(root: Element, matrix: Matrix = IDENTITY) -> Iterator[Ink]:
    """Every text below an element."""
    matrix = _times(matrix, _transform(root.get("transform", "")))
    if root.tag == f"{{{SVG}}}text":
        yield _ink(root, matrix)
    for child in root:
        yield from texts(child, matrix)


def _ink(node: Element, matrix: Matrix) -> Ink:
    size, x, y = (float(node.get(key, "0")) for key in ("font-size", "x", "y"))
    italic = node.get("font-style") == "italic"
    weight: Weight = "italic" if italic else WEIGHTS[node.get("font-weight", "400")]
    font: Any = _font(weight)
    anchor = {"middle": "ms", "end": "rs"}.get(node.get("text-anchor", ""), "ls")
    left, top, right, bottom = (part / 1000 * size for part in font.getbbox(node.text or "", anchor=anchor))
    corners = [_transform_point(matrix, x + a, y + b) for a in (left, right) for b in (top, bottom)]
    xs, ys = [p[0] for p in corners], [p[1] for p in corners]
    scale = (matrix[0] ** 2 + matrix[1] ** 2) ** 0.5
    return Ink(node.text or "", size * scale, min(xs), min(ys), max(xs), max(ys))


def _transform(words: str) -> Matrix:
    from math import cos, radians, sin

    matrix = IDENTITY
    for name, inside in re.findall(r"(\w+)\(([^)]*)\)", words):
        numbers = [float(n) for n in re.split(r"[ ,]+", inside.strip())]
        if name == "translate":
            step: Matrix = (1, 0, 0, 1, numbers[0], numbers[1] if len(numbers) > 1 else 0)
        elif name == "scale":
            step = (numbers[0], 0, 0, numbers[-1], 0, 0)
        else:
            a = radians(numbers[0])
            step = (cos(a), sin(a), -sin(a), cos(a), 0, 0)
        matrix = _times(matrix, step)
    return matrix


def _times(m: Matrix, n: Matrix) -> Matrix:
    return (
        m[0] * n[0] + m[2] * n[1],
        m[1] * n[0] + m[3] * n[1],
        m[0] * n[2] + m[2] * n[3],
        m[1] * n[2] + m[3] * n[3],
        m[0] * n[4] + m[2] * n[5] + m[4],
        m[1] * n[4] + m[3] * n[5] + m[5],
    )


def _transform_point(m: Matrix, x: float, y: float) -> tuple[float, float]:
    return m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]
