"""The picture at the top of the README: counters on a board."""

from __future__ import annotations

from pathlib import Path

from art import svg
from art.counters.face import SIZE, face_group
from art.maps.hexmap import map_group, sheet_of
from art.sheets.mapsheet import board_map
from modgen.render import Picture, draw
from scenarios import load
from scenarios.files import write

PIECES = (
    ("W-4", "t_62"),
    ("W-4", "t_62"),
    ("V-4", "bmp"),
    ("V-6", "infantry_egypt"),
    ("X-6", "sagger"),
    ("M-4", "m60a1"),
    ("L-6", "m60a1"),
    ("N-5", "armored_infantry"),
    ("K-4", "mortar_120_m3"),
    ("J-6", "jeep_106_israel"),
    ("P-9", "centurion_viii"),
    ("Q-5", "tow_m113"),
    ("U-8", "t_55"),
    ("T-8", "t_55"),
)
LEFT, TOP, WIDTH, HEIGHT = 115.0, 20.0, 260.0, 130.0


def picture() -> svg.Element:
    """A part of board C with counters on it."""
    game = load("arab_israeli_wars")
    table = board_map(game, "C")
    sheet = sheet_of(table)
    paper = sheet.paper
    parts = [map_group(game, table, sheet)]
    stack_heights: dict[str, int] = {}
    for hex_id, unit_id in PIECES:
        unit = game.units[unit_id]
        level = stack_heights.get(hex_id, 0)
        stack_heights[hex_id] = level + 1
        x, y = paper.centre(table.hex(hex_id))
        x, y = x - SIZE / 2 + 1.2 * level, y - SIZE / 2 - 1.2 * level
        shadow = svg.rect(x + 0.5, y + 0.6, SIZE, SIZE, fill="#000000", fill_opacity=0.35)
        copy = unit.numbers[level] if unit.numbers else ""
        edge = svg.rect(0, 0, SIZE, SIZE, fill="none", stroke="#000000", stroke_width=0.12, stroke_opacity=0.5)
        parts += [shadow, svg.translate(svg.group([face_group(game, unit, "front", copy), edge]), x, y)]
    return svg.drawing(WIDTH, HEIGHT, [svg.group(parts, transform=f"translate({-LEFT} {-TOP})")])


def main() -> None:
    """Write docs/picture.png."""
    (image,) = draw({"picture": Picture(svg.to_bytes(picture()), 1600, 800)})
    write(Path(__file__).parents[1] / "docs" / "picture.png", image)


if __name__ == "__main__":
    main()
