"""Hex numbers as they are printed: measured on the drawn ground, they can be read on all of it."""

from __future__ import annotations

import io
import statistics

import pytest
from PIL import Image

from art import svg
from art.color import contrast, show
from art.maps.hexmap import ID_INK, SIDE, _id_box, draw_map, hex_ids, id_size, sheet_of
from art.sheets.mapsheet import board_map
from modgen.render import Picture, draw
from scenarios import load, shipped_games
from scenarios.model.game import Game
from scenarios.model.maps import HexMap
from scenarios.pack.pack_folder import samples

DOTS = 2.0
"""Dots a millimetre."""
READABLE = 4.5


def fields(game: Game) -> list[HexMap]:
    """The hex maps of a game, or its loose boards."""
    maps = [field for field in game.maps.values() if isinstance(field, HexMap)]
    return maps or [board_map(game, key) for key in game.boards]


@pytest.mark.parametrize("name", [*shipped_games(), *samples()])
def test_every_number_has_a_contrast_of_four_and_a_half_to_one(name: str) -> None:
    game = load(name)
    for field in fields(game):
        sheet = sheet_of(field, SIDE)
        picture = Picture(
            svg.to_bytes(draw_map(game, field, ids=False, names=False)),
            int(sheet.width * DOTS),
            int(sheet.height * DOTS),
        )
        image = Image.open(io.BytesIO(draw({"map": picture})[0])).convert("RGB")
        poor = {}
        for hex_id in hex_ids(game, field, sheet):
            box = _id_box(hex_id, id_size(sheet))
            left, top, right, bottom = (round(side * DOTS) for side in box)
            part = image.crop((left, top, max(right, left + 1), max(bottom, top + 1)))
            medians = tuple(statistics.median(channel.tobytes()) / 255 for channel in part.split())
            ground = show(medians)  # type: ignore[arg-type]
            contrast_ratio = contrast(ground, ID_INK)
            if contrast_ratio < READABLE:
                poor[hex_id.words] = round(contrast_ratio, 2)
        assert not poor, f"{len(poor)} of {len(field.hexes)}"
