"""A photo under the grid: a board of ours, seen from the side and with noise, lies flat again, right to a dot."""

from __future__ import annotations

import io
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from modgen.editing.document import document
from modgen.editing.straighten import CannotStraighten, open_photo, project, projection, straighten
from scenarios import load

numbers = st.floats(-1000, 1000)
PHOTO_CORNERS = [(0.0, 0.0), (500.0, 0.0), (500.0, 300.0), (0.0, 300.0)]


@settings(max_examples=100, deadline=None)
@given(
    moves=st.lists(st.tuples(st.floats(-60, 60), st.floats(-60, 60)), min_size=4, max_size=4), scale=st.floats(0.5, 40)
)
def test_four_points_lead_to_where_they_are(moves: list[tuple[float, float]], scale: float) -> None:
    photo_points = [
        ((x + dx) * scale + 17, (y + dy) * scale - 5) for (x, y), (dx, dy) in zip(PHOTO_CORNERS, moves, strict=True)
    ]
    matrix = projection(PHOTO_CORNERS, photo_points)
    for board_point, photo_point in zip(PHOTO_CORNERS, photo_points, strict=True):
        assert project(matrix, board_point) == pytest.approx(photo_point, abs=1e-4 * scale)


def test_points_in_a_line_fix_nothing() -> None:
    with pytest.raises(CannotStraighten, match="far apart"):
        projection([(0, 0), (1, 1), (2, 2), (3, 3)], PHOTO_CORNERS)
    with pytest.raises(CannotStraighten, match="4 hexes"):
        projection(PHOTO_CORNERS[:3], PHOTO_CORNERS[:3])


def photo(
    board: dict[str, object], corners: list[tuple[float, float]], size: tuple[int, int]
) -> tuple[Image.Image, tuple[float, ...]]:
    """A picture of a board with a cross in the middle of every hex, taken from the side, with noise."""
    dots = 6
    width, height = float(str(board["width"])), float(str(board["height"]))
    flat = Image.new("RGB", (round(width * dots), round(height * dots)), "#d8c9a0")
    pen = ImageDraw.Draw(flat)
    for _, x, y in board["hexes"]:  # type: ignore[attr-defined]
        pen.line([(x * dots - 9, y * dots), (x * dots + 9, y * dots)], fill="black", width=3)
        pen.line([(x * dots, y * dots - 9), (x * dots, y * dots + 9)], fill="black", width=3)
    board_corners = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]
    inverse_matrix = projection(corners, [(x * dots, y * dots) for x, y in board_corners])
    photo_image = flat.transform(
        size, Image.Transform.PERSPECTIVE, inverse_matrix, Image.Resampling.BICUBIC, fillcolor="#404040"
    )
    chance = random.Random(3)
    noise = Image.frombytes("L", size, chance.randbytes(size[0] * size[1])).convert("RGB")
    return Image.blend(photo_image, noise, 0.12), projection(board_corners, corners)


def test_a_board_seen_from_the_side_lies_flat_right_to_a_dot() -> None:
    board = document(load("ridge"), "boards/solla")
    centres = {name: (x, y) for name, x, y in board["hexes"]}
    photo_image, matrix = photo(board, [(140, 90), (1290, 160), (1400, 1130), (60, 1010)], (1500, 1250))
    photo_centres = {name: project(matrix, centres[name]) for name in ("0101", "1201", "1209", "0109")}
    flat_image, dots = straighten(
        open_photo(png(photo_image)), centres, photo_centres, (board["width"], board["height"])
    )
    assert flat_image.size == (round(board["width"] * dots), round(board["height"] * dots))
    grey = flat_image.convert("L")
    for name, (x, y) in centres.items():
        u, v = darkest(grey, x * dots, y * dots, round(2.2 * dots))
        assert abs(u - x * dots) <= 1 and abs(v - y * dots) <= 1, (
            f"{name} is off by {u - x * dots:.2f}, {v - y * dots:.2f} dots"
        )


def darkest(image: Image.Image, x: float, y: float, reach: int) -> tuple[float, float]:
    """The middle of the cross near a point: the row and the column with the least light."""
    left, top = round(x) - reach, round(y) - reach
    part = image.crop((left, top, left + 2 * reach + 1, top + 2 * reach + 1))
    width, height = part.size
    light = part.tobytes()
    columns = [sum(light[row * width + column] for row in range(height)) for column in range(width)]
    rows = [sum(light[row * width : (row + 1) * width]) for row in range(height)]

    def dark(sums: list[int]) -> float:
        middle = sorted(sums)[len(sums) // 2]
        weight = [max(0, middle - brightness - 60) for brightness in sums]
        return sum(i * darkness for i, darkness in enumerate(weight)) / (sum(weight) or 1)

    return left + dark(columns) + 0.5, top + dark(rows) + 0.5


def png(image: Image.Image) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def test_what_is_no_picture_or_too_large_is_a_sentence() -> None:
    with pytest.raises(CannotStraighten, match="no PNG"):
        open_photo(b"not a picture")
    with pytest.raises(CannotStraighten, match="damaged"):
        open_photo(png(Image.new("RGB", (300, 300)))[:200])
    huge = png(Image.new("1", (1, 1)))
    huge = huge[:16] + (50_000).to_bytes(4, "big") + (50_000).to_bytes(4, "big") + huge[24:]
    with pytest.raises(CannotStraighten):
        open_photo(huge)
