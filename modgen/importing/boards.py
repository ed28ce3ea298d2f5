"""Pictures of boards and maps for the pack: a board's cut to the frame of its grid, so that hex lies on hex."""

from __future__ import annotations

from PIL import Image

from modgen.importing.pictures import Pictures, as_jpeg
from modgen.importing.places import HexBoard, MapOut
from scenarios.hexes import Hex
from scenarios.vassal.geometry import pixels

GROUND = "#efe9d9"
MOST_PIXELS = 50_000_000
"""How large a picture is made at most."""


def board_picture(pictures: Pictures, board: HexBoard) -> tuple[str, bytes] | None:
    """The picture of a board of hexes as the pack's grid frames it; None where there is none."""
    held = board.sheet.hexes
    picture = pictures.opened(board.sheet.image) if board.sheet.image else None
    if picture is None or held is None:
        return None
    grid = pixels(board.fitted.grid)
    x, y = held.spot(board.fitted.cell(Hex(0, 0)))
    across, down = held.dx / grid.lane, held.dy / grid.high
    if held.sideways:
        across, down = down, across
    width, height = grid.size
    box = x - grid.origin[0] * across, y - grid.origin[1] * down, x + (width - grid.origin[0]) * across, y + (height - grid.origin[1]) * down
    times = 2 if (across + down) / 2 > 1.2 and 4 * width * height <= MOST_PIXELS else 1
    size = width * times, height * times
    ground = Image.new("RGBA", size, GROUND)
    # An affine map takes each pixel of the new picture to its place on the old one; beyond its edges nothing is painted.
    ratio = (box[2] - box[0]) / size[0], (box[3] - box[1]) / size[1]
    cut = picture.transform(size, Image.Transform.AFFINE, (ratio[0], 0, box[0], 0, ratio[1], box[1]), Image.Resampling.BICUBIC)
    ground.alpha_composite(cut)
    return ".jpg", as_jpeg(ground)


def layout_picture(pictures: Pictures, made: MapOut) -> tuple[str, bytes] | None:
    """The picture of a map of points: its board's as it is, or those of several boards side by side."""
    laid = [held for held in made.layout if held.sheet.image and all(pictures.size(held.sheet.image))]
    if not laid:
        return None
    if len(made.layout) == 1 and not made.layout[0].turned and (made.layout[0].x, made.layout[0].y) == (0, 0):
        return pictures.kept(laid[0].sheet.image)
    width, height = made.size
    scale = min(1.0, (MOST_PIXELS / (width * height)) ** 0.5)
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
