"""A photo or scan of a printed map, made to lie flat under the grid: four or more hexes whose centres are known fix it.

The plane of the table and the plane of the picture are two views of one plane, so a projective map of eight numbers leads from one to
the other. Four points give it exactly; more give the one that fits them best.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence

from PIL import Image, ImageOps, UnidentifiedImageError

from scenarios.images import LONGEST_SIDE, MOST_BYTES, MOST_DOTS

Point = tuple[float, float]
LEAST = 4
DOTS = 12.0
"""How many dots a millimetre a straightened picture has at most: 300 an inch."""

UNFIXED = "these hexes don't fix the picture; choose four that lie far apart, not three in a line"


class CannotStraighten(ValueError):
    """Why a picture can't be made to lie flat."""


def projection(here: Sequence[Point], there: Sequence[Point]) -> tuple[float, ...]:
    """Eight numbers a..h that lead from a point (x, y) of `here` to ((ax + by + c) / (gx + hy + 1), (dx + ey + f) / ...) of `there`."""
    if len(here) < LEAST or len(here) != len(there):
        raise CannotStraighten(f"name the places of {LEAST} hexes or more")
    # Numbers near 1 keep the sums exact enough, whatever the size of the picture.
    move_here, move_there = _scaled(here), _scaled(there)
    rows: list[list[float]] = []
    for (x, y), (u, v) in zip(map(move_here, here), map(move_there, there), strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y, u])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y, v])
    a, b, c, d, e, f, g, h = _least_squares(rows)
    inner = [[a, b, c], [d, e, f], [g, h, 1.0]]
    whole = _product(_inverse_of_scale(there), _product(inner, _scale(here)))
    if abs(whole[2][2]) < 1e-12:
        raise CannotStraighten(UNFIXED)
    numbers = [number / whole[2][2] for row in whole for number in row]
    return tuple(numbers[:8])


def applied(numbers: Sequence[float], point: Point) -> Point:
    """Where a point comes to lie."""
    a, b, c, d, e, f, g, h = numbers
    x, y = point
    under = g * x + h * y + 1
    return (a * x + b * y + c) / under, (d * x + e * y + f) / under


def opened(content: bytes) -> Image.Image:
    """A picture from a file's bytes, turned as the camera was held. CannotStraighten where it can't be used."""
    if len(content) > MOST_BYTES:
        raise CannotStraighten(f"the picture has more than {MOST_BYTES // 1_000_000} MB; make it smaller")
    try:
        with Image.open(io.BytesIO(content)) as image:
            wide, high = image.size
            if wide * high > MOST_DOTS or max(wide, high) > LONGEST_SIDE:
                raise CannotStraighten(
                    f"the picture has {wide:,} by {high:,} dots; make it smaller, {LONGEST_SIDE:,} on a side at most"
                )
            return ImageOps.exif_transpose(image.convert("RGB") if image.mode not in ("RGB", "L") else image)
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        if isinstance(error, CannotStraighten):
            raise
        raise CannotStraighten("this is no PNG, JPEG or WebP picture, or a damaged one; save it anew") from None


def straightened(
    image: Image.Image, centres: Mapping[str, Point], seen: Mapping[str, Point], size: Point
) -> tuple[Image.Image, float]:
    """The picture as it looks from straight above, and how many dots a millimetre it has.

    `centres` are the hexes on the board in millimetres, `seen` some of them on the picture in dots, `size` is that of the board.
    """
    named = [name for name in seen if name in centres]
    flat, taken = [centres[name] for name in named], [seen[name] for name in named]
    numbers = projection(flat, taken)
    corners = [(0.0, 0.0), (size[0], 0.0), (0.0, size[1]), size]
    # The whole board lies before the camera: no corner on its horizon or behind it.
    if any(
        numbers[6] * x + numbers[7] * y + 1 < 1e-6 or not all(abs(number) < 1e9 for number in applied(numbers, (x, y)))
        for x, y in corners
    ):
        raise CannotStraighten(UNFIXED)
    dots = min(DOTS, _dots(numbers, size), (MOST_DOTS / (size[0] * size[1])) ** 0.5)
    wide, high = round(size[0] * dots), round(size[1] * dots)
    a, b, c, d, e, f, g, h = numbers
    # Pillow counts from the corner of a dot to its middle by itself.
    scaled = (a / dots, b / dots, c, d / dots, e / dots, f, g / dots, h / dots)
    made = image.transform((wide, high), Image.Transform.PERSPECTIVE, scaled, Image.Resampling.BICUBIC)
    return made, dots


def _dots(numbers: Sequence[float], size: Point) -> float:
    """How many dots of the picture a millimetre of the board has in its middle; not more are needed."""
    x, y = size[0] / 2, size[1] / 2
    (u, v), (right, _), (_, down) = applied(numbers, (x, y)), applied(numbers, (x + 1, y)), applied(numbers, (x, y + 1))
    across = abs(right - u)
    return max(1.0, 1.2 * max(across, abs(down - v)))


def _scale(points: Sequence[Point]) -> list[list[float]]:
    left, top = min(x for x, _ in points), min(y for _, y in points)
    wide = max(max(x for x, _ in points) - left, max(y for _, y in points) - top) or 1.0
    return [[1 / wide, 0, -left / wide], [0, 1 / wide, -top / wide], [0, 0, 1]]


def _inverse_of_scale(points: Sequence[Point]) -> list[list[float]]:
    (one, _, left), (_, _, top), _ = _scale(points)
    return [[1 / one, 0, -left / one], [0, 1 / one, -top / one], [0, 0, 1]]


class _scaled:
    """Points moved and shrunk to numbers from 0 to 1."""

    def __init__(self, points: Sequence[Point]) -> None:
        (self.by, _, self.left), (_, _, self.top), _ = _scale(points)

    def __call__(self, point: Point) -> Point:
        return point[0] * self.by + self.left, point[1] * self.by + self.top


def _product(one: Sequence[Sequence[float]], two: Sequence[Sequence[float]]) -> list[list[float]]:
    return [[sum(one[i][k] * two[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def _least_squares(rows: Sequence[Sequence[float]]) -> list[float]:
    """The eight numbers that meet rows of nine (eight factors and what they come to) best."""
    square = [
        [sum(row[i] * row[j] for row in rows) for j in range(8)] + [sum(row[i] * row[8] for row in rows)]
        for i in range(8)
    ]
    for i in range(8):
        pivot = max(range(i, 8), key=lambda k: abs(square[k][i]))
        if abs(square[pivot][i]) < 1e-11:
            raise CannotStraighten(UNFIXED)
        square[i], square[pivot] = square[pivot], square[i]
        for k in range(8):
            if k != i:
                by = square[k][i] / square[i][i]
                square[k] = [x - by * y for x, y in zip(square[k], square[i], strict=True)]
    return [square[i][8] / square[i][i] for i in range(8)]
