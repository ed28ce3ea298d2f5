"""Makes a photo or scan of a printed map lie flat under the grid, from four or more hexes whose centers are known.

The table and the picture are two views of one plane, so a projective map of eight numbers leads from one to the
other. Four points determine it exactly. With more points, it is the best fit.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence

from PIL import Image, ImageOps, UnidentifiedImageError

from scenarios.pack.images import LONGEST_SIDE, MOST_BYTES, MOST_DOTS

Point = tuple[float, float]
MIN_PINS = 4
DOTS = 12.0
"""The greatest resolution of a straightened picture in dots per millimeter: 300 per inch."""

UNFIXED_MESSAGE = "these hexes don't fix the picture; choose four that lie far apart, not three in a line"


class CannotStraighten(ValueError):
    """A picture can't be straightened; the text says why."""


def projection(source_points: Sequence[Point], target_points: Sequence[Point]) -> tuple[float, ...]:
    """Eight numbers a..h of a projection between two sets of points.

    They lead from a source point (x, y) to the target point ((ax + by + c) / (gx + hy + 1), (dx + ey + f) / ...).
    """
    if len(source_points) < MIN_PINS or len(source_points) != len(target_points):
        raise CannotStraighten(f"name the places of {MIN_PINS} hexes or more")
    # Values near 1 keep the sums exact enough, whatever the size of the picture.
    move_here, move_there = _scaled(source_points), _scaled(target_points)
    rows: list[list[float]] = []
    for (x, y), (u, v) in zip(map(move_here, source_points), map(move_there, target_points), strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y, u])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y, v])
    a, b, c, d, e, f, g, h = _least_squares(rows)
    inner = [[a, b, c], [d, e, f], [g, h, 1.0]]
    matrix = _product(_inverse_of_scale(target_points), _product(inner, _scale(source_points)))
    if abs(matrix[2][2]) < 1e-12:
        raise CannotStraighten(UNFIXED_MESSAGE)
    numbers = [number / matrix[2][2] for row in matrix for number in row]
    return tuple(numbers[:8])


def project(numbers: Sequence[float], point: Point) -> Point:
    """The image of a point under a projection."""
    a, b, c, d, e, f, g, h = numbers
    x, y = point
    divisor = g * x + h * y + 1
    return (a * x + b * y + c) / divisor, (d * x + e * y + f) / divisor


def open_photo(content: bytes) -> Image.Image:
    """A picture from a file's bytes, rotated as the camera was. Raises CannotStraighten if it can't be used."""
    if len(content) > MOST_BYTES:
        raise CannotStraighten(f"the picture has more than {MOST_BYTES // 1_000_000} MB; make it smaller")
    try:
        with Image.open(io.BytesIO(content)) as image:
            width, height = image.size
            if width * height > MOST_DOTS or max(width, height) > LONGEST_SIDE:
                raise CannotStraighten(
                    f"the picture has {width:,} by {height:,} dots; make it smaller, {LONGEST_SIDE:,} on a side at most"
                )
            return ImageOps.exif_transpose(image.convert("RGB") if image.mode not in ("RGB", "L") else image)
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        if isinstance(error, CannotStraighten):
            raise
        raise CannotStraighten("this is no PNG, JPEG or WebP picture, or a damaged one; save it anew") from None


def straighten(
    image: Image.Image, centres: Mapping[str, Point], photo_spots: Mapping[str, Point], size: Point
) -> tuple[Image.Image, float]:
    """The picture as seen from straight above, and its resolution in dots per millimeter.

    `centres` are the hexes on the board in millimeters. `photo_spots` are some of them on the picture in dots. `size`
    is the size of the board.
    """
    names = [name for name in photo_spots if name in centres]
    flat, photo_points = [centres[name] for name in names], [photo_spots[name] for name in names]
    numbers = projection(flat, photo_points)
    corners = [(0.0, 0.0), (size[0], 0.0), (0.0, size[1]), size]
    # The whole board has to be in front of the camera: no corner on its horizon or behind it.
    if any(
        numbers[6] * x + numbers[7] * y + 1 < 1e-6 or not all(abs(number) < 1e9 for number in project(numbers, (x, y)))
        for x, y in corners
    ):
        raise CannotStraighten(UNFIXED_MESSAGE)
    dots = min(DOTS, _dots(numbers, size), (MOST_DOTS / (size[0] * size[1])) ** 0.5)
    width, height = round(size[0] * dots), round(size[1] * dots)
    a, b, c, d, e, f, g, h = numbers
    # Pillow itself adds the offset from the corner of a dot to its center.
    coefficients = (a / dots, b / dots, c, d / dots, e / dots, f, g / dots, h / dots)
    straight_image = image.transform(
        (width, height), Image.Transform.PERSPECTIVE, coefficients, Image.Resampling.BICUBIC
    )
    return straight_image, dots


def _dots(numbers: Sequence[float], size: Point) -> float:
    """The number of dots of the picture per millimeter in the middle of the board; a higher resolution adds nothing."""
    x, y = size[0] / 2, size[1] / 2
    (u, v), (right, _), (_, bottom) = (
        project(numbers, (x, y)),
        project(numbers, (x + 1, y)),
        project(numbers, (x, y + 1)),
    )
    x_scale = abs(right - u)
    return max(1.0, 1.2 * max(x_scale, abs(bottom - v)))


def _scale(points: Sequence[Point]) -> list[list[float]]:
    left, top = min(x for x, _ in points), min(y for _, y in points)
    extent = max(max(x for x, _ in points) - left, max(y for _, y in points) - top) or 1.0
    return [[1 / extent, 0, -left / extent], [0, 1 / extent, -top / extent], [0, 0, 1]]


def _inverse_of_scale(points: Sequence[Point]) -> list[list[float]]:
    (factor, _, left), (_, _, top), _ = _scale(points)
    return [[1 / factor, 0, -left / factor], [0, 1 / factor, -top / factor], [0, 0, 1]]


class _scaled:
    """Points moved and scaled to numbers from 0 to 1."""

    def __init__(self, points: Sequence[Point]) -> None:
        (self.factor, _, self.left), (_, _, self.top), _ = _scale(points)

    def __call__(self, point: Point) -> Point:
        return point[0] * self.factor + self.left, point[1] * self.factor + self.top


def _product(first: Sequence[Sequence[float]], two: Sequence[Sequence[float]]) -> list[list[float]]:
    return [[sum(first[i][k] * two[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def _least_squares(rows: Sequence[Sequence[float]]) -> list[float]:
    """The eight numbers that best solve rows of nine numbers (eight factors and their sum)."""
    square = [
        [sum(row[i] * row[j] for row in rows) for j in range(8)] + [sum(row[i] * row[8] for row in rows)]
        for i in range(8)
    ]
    for i in range(8):
        pivot = max(range(i, 8), key=lambda k: abs(square[k][i]))
        if abs(square[pivot][i]) < 1e-11:
            raise CannotStraighten(UNFIXED_MESSAGE)
        square[i], square[pivot] = square[pivot], square[i]
        for k in range(8):
            if k != i:
                factor = square[k][i] / square[i][i]
                square[k] = [x - factor * y for x, y in zip(square[k], square[i], strict=True)]
    return [square[i][8] / square[i][i] for i in range(8)]
