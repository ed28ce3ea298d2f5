"""Pictures of boards and maps for the pack."""

from __future__ import annotations

from typing import Any

from PIL import Image

from modgen.importing.pictures import Pictures, as_jpeg
from modgen.importing.places import HexBoard, MapOut

GROUND = "#efe9d9"
LARGEST = 50_000_000
"""How many pixels a picture that is put together has at most."""


def known_hexes(board: HexBoard) -> dict[str, list[float]]:
    """Where the centres of three corners of a board of hexes lie on its picture."""
    held, grid = board.sheet.hexes, board.fitted.grid
    assert held is not None
    spots = {grid.name(hex): held.spot(board.fitted.cell(hex)) for hex in grid.hexes}
    ends: dict[str, Any] = {}
    for key in (lambda spot: spot[0] + spot[1], lambda spot: spot[0] - spot[1], lambda spot: -spot[0] - spot[1]):
        name = min(spots, key=lambda hex, key=key: key(spots[hex]))  # type: ignore[misc]
        ends[name] = [round(value, 2) for value in spots[name]]
    return ends


def layout_picture(pictures: Pictures, made: MapOut) -> tuple[str, bytes] | None:
    """The picture of a map of points: its board's as it is, or those of several boards side by side."""
    laid = [held for held in made.layout if held.sheet.image and all(pictures.size(held.sheet.image))]
    if not laid:
        return None
    if len(made.layout) == 1 and not made.layout[0].turned and (made.layout[0].x, made.layout[0].y) == (0, 0):
        return pictures.kept(laid[0].sheet.image)
    width, height = made.size
    scale = min(1.0, (LARGEST / (width * height)) ** 0.5)
    whole = Image.new("RGB", (max(1, int(width * scale)), max(1, int(height * scale))), GROUND)
    for held in laid:
        picture = pictures.opened(held.sheet.image)
        if picture is None:
            continue
        if held.turned:
            picture = picture.transpose(Image.Transpose.ROTATE_180)
        size = max(1, int(picture.width * scale)), max(1, int(picture.height * scale))
        fitted = picture.resize(size) if scale < 1 else picture
        whole.paste(fitted, (int(held.x * scale), int(held.y * scale)), fitted)
    return ".jpg", as_jpeg(whole)
