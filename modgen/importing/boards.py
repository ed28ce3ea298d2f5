"""Pictures of boards and maps for the pack."""

from __future__ import annotations

from typing import Any

from PIL import Image

from modgen.importing.pictures import Pictures, as_jpeg
from modgen.importing.places import HexBoard, MapOut

GROUND = "#efe9d9"
LARGEST = 50_000_000
"""The greatest number of pixels of a combined picture."""


def known_hexes(board: HexBoard) -> dict[str, list[float]]:
    """The centers of three corner hexes of a board on its picture."""
    hex_grid, grid = board.sheet.hexes, board.grid.grid
    assert hex_grid is not None
    spots = {grid.name(hex): hex_grid.spot(board.grid.cell(hex)) for hex in grid.hexes}
    ends: dict[str, Any] = {}
    for key in (lambda spot: spot[0] + spot[1], lambda spot: spot[0] - spot[1], lambda spot: -spot[0] - spot[1]):
        name = min(spots, key=lambda hex, key=key: key(spots[hex]))  # type: ignore[misc]
        ends[name] = [round(value, 2) for value in spots[name]]
    return ends


def layout_picture(pictures: Pictures, map_out: MapOut) -> tuple[str, bytes] | None:
    """The picture of a map of points: that of its board unchanged, or those of several boards side by side."""
    pictured_sheets = [
        placed_sheet
        for placed_sheet in map_out.layout
        if placed_sheet.sheet.image and all(pictures.size(placed_sheet.sheet.image))
    ]
    if not pictured_sheets:
        return None
    if (
        len(map_out.layout) == 1
        and not map_out.layout[0].is_rotated
        and (map_out.layout[0].x, map_out.layout[0].y) == (0, 0)
    ):
        return pictures.pack_image(pictured_sheets[0].sheet.image)
    width, height = map_out.size
    scale = min(1.0, (LARGEST / (width * height)) ** 0.5)
    canvas = Image.new("RGB", (max(1, int(width * scale)), max(1, int(height * scale))), GROUND)
    for placed_sheet in pictured_sheets:
        picture = pictures.open_image(placed_sheet.sheet.image)
        if picture is None:
            continue
        if placed_sheet.is_rotated:
            picture = picture.transpose(Image.Transpose.ROTATE_180)
        size = max(1, int(picture.width * scale)), max(1, int(picture.height * scale))
        scaled_picture = picture.resize(size) if scale < 1 else picture
        canvas.paste(scaled_picture, (int(placed_sheet.x * scale), int(placed_sheet.y * scale)), scaled_picture)
    return ".jpg", as_jpeg(canvas)
