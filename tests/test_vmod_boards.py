"""The pictures of a module's boards: upright where a scenario turns them, whole across a seam, in few colours."""

from __future__ import annotations

import io
import random
from collections.abc import Mapping
from itertools import product

import pytest
from PIL import Image, ImageChops, ImageStat

from modgen.cache import Cache
from modgen.colors import MAX_COLORS, MAX_DIFFERENCE, ImageCut, cut_up
from modgen.render import Picture, render_all
from modgen.vmod.maps.board_pictures import layout_names, lying
from modgen.vmod.maps.boards import boards
from scenarios import load
from scenarios.model.maps import HexMap
from scenarios.vassal.geometry import BoardSheet, pixels


def test_a_board_lies_as_its_situation_says() -> None:
    game = load("arab_israeli_wars")
    assert layout_names(game, "S-2") == {"B": "Board B"}
    assert layout_names(game, "S-6") == layout_names(game, "A-7") == {"B": "Board B turned"}
    assert layout_names(game, "S-8") == {"D": "Board D turned"}
    # The hill D-F-11 reaches half a hex beyond its board; the boards A and B have nothing on their common edge.
    assert layout_names(game, "A-5") == {board: f"Board {board} (A-5)" for board in "DBAC"}
    assert layout_names(game, "S-1") == layout_names(game, "B-2") == {"C": "Board C (B-2)", "D": "Board D (B-2)"}
    assert layout_names(game, "B-1") == {"B": "Board B", "A": "Board A"}
    assert set(layout_names(game, "S-12").values()) == {"Board C", "Board D"}


@pytest.mark.parametrize("scenario", [pytest.param("A-5", marks=pytest.mark.slow), "S-7"])
def test_ground_on_a_seam_is_drawn_on_both_boards(scenario: str) -> None:
    game = load("arab_israeli_wars")
    table = game.scenario_maps[scenario]
    assert isinstance(table, HexMap)
    parts, pictures = boards(game)
    files = {str(part.attributes["name"]): str(part.attributes["image"]) for part in parts}
    picture_names = {
        placed_board.board.id: files[layout_names(game, scenario)[placed_board.board.id]]
        for placed_board in table.placed
    }
    rendered_pictures = render_all({name: pictures[name] for name in picture_names.values()}, Cache(None), small=True)
    images = {
        board: Image.open(io.BytesIO(rendered_pictures[name])).convert("RGB") for board, name in picture_names.items()
    }
    slope_hexes = [hex for hex, names in table.names.items() if len(names) > 1 and table.terrain[hex] == "slope"]
    assert slope_hexes
    for hex in slope_hexes:
        for placed_board in table.placed:
            local = placed_board.to_board(hex)
            if local is None:
                continue
            # The picture of a turned board stands on its head, so that the board's own pixels hold.
            x, y = pixels(placed_board.board.grid).centre(local)
            image = images[placed_board.board.id]
            crop = image.crop((max(0, x - 12), max(0, y - 12), min(image.width, x + 12), min(image.height, y + 12)))
            _, main_color = max(crop.getcolors(10_000) or [])
            assert isinstance(main_color, tuple)
            color_distances = {
                kind: sum(abs(a - b) for a, b in zip(main_color, rgb(game.terrain[kind].color), strict=True))
                for kind in game.terrain
            }
            assert min(color_distances, key=color_distances.__getitem__) == "slope", (
                table.names[hex],
                placed_board.board.id,
                main_color,
                color_distances,
            )


def rgb(color: str) -> list[int]:
    """The channels of #cfae7d."""
    return [int(color[i : i + 2], 16) for i in (1, 3, 5)]


def test_a_cut_is_the_part_that_it_says() -> None:
    dice = random.Random(3)
    whole_image = Image.new("RGB", (30, 20))
    whole_image.putdata([(dice.randrange(64), dice.randrange(4), 0) for _ in range(600)])
    buffer = io.BytesIO()
    whole_image.save(buffer, "PNG")
    for is_turned, small in product((False, True), (False, True)):
        part = Image.open(io.BytesIO(cut_up(buffer.getvalue(), [ImageCut(7, 5, 11, 9, is_turned)], small)[0])).convert(
            "RGB"
        )
        for x in range(11):
            for y in range(9):
                assert part.getpixel((10 - x, 8 - y) if is_turned else (x, y)) == whole_image.getpixel((7 + x, 5 + y))


def test_the_parts_of_a_drawing_are_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from modgen import render

    red = b'<rect width="20" height="20" fill="#f00"/>'
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" viewBox="0 0 40 20">' + red + b"</svg>"
    batch_sizes: list[int] = []
    draw = render.draw

    def counting(pictures: Mapping[str, Picture], pool: bool = True) -> list[bytes]:
        batch_sizes.append(len(pictures))
        return draw(pictures, pool)

    monkeypatch.setattr(render, "draw", counting)
    parts = {name: Picture(svg, 40, 20, ImageCut(left_edge, 0, 20, 20)) for name, left_edge in (("a", 0), ("b", 20))}
    png_by_name = render_all(parts, Cache(None))
    assert batch_sizes == [1]
    assert [Image.open(io.BytesIO(png_by_name[name])).convert("RGBA").getpixel((9, 9)) for name in "ab"] == [
        (255, 0, 0, 255),
        (0, 0, 0, 0),
    ]


def to_palette(content: bytes) -> bytes:
    """A picture as a module has it."""
    return cut_up(content, [None], small=True)[0]


def picture(colors: int, mode: str, size: tuple[int, int]) -> bytes:
    dice = random.Random(colors)
    palette = [tuple(dice.randrange(256) for _ in mode) for _ in range(colors)]
    image = Image.new(mode, size)
    image.putdata(
        [palette[min(i, colors - 1)] if i < colors else dice.choice(palette) for i in range(size[0] * size[1])]
    )
    buffer = io.BytesIO()
    image.save(buffer, "PNG", compress_level=0)
    return buffer.getvalue()


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
@pytest.mark.parametrize("colors", [1, 2, 17, 256])
def test_few_colours_are_kept_to_the_dot(mode: str, colors: int) -> None:
    content = picture(colors, mode, (40, 30))
    original_image, reduced_image = (
        Image.open(io.BytesIO(png)).convert("RGBA") for png in (content, to_palette(content))
    )
    assert original_image.tobytes() == reduced_image.tobytes()
    assert Image.open(io.BytesIO(to_palette(content))).mode == "P"


def test_a_photograph_stays_as_it_is() -> None:
    dice = random.Random(1)
    image = Image.frombytes("RGB", (500, 400), dice.randbytes(600_000))
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    assert to_palette(buffer.getvalue()) == buffer.getvalue()
    assert to_palette(picture(MAX_COLORS + 1, "RGBA", (40, 30))) == picture(MAX_COLORS + 1, "RGBA", (40, 30))


def test_a_map_in_few_colours_looks_the_same() -> None:
    game = load("arab_israeli_wars")
    name, drawing = next(iter(boards(game)[1].items()))
    full, small_png = (render_all({name: drawing}, Cache(None), small=small)[name] for small in (False, True))
    assert len(small_png) < len(full) / 2
    original_image, reduced_image = (Image.open(io.BytesIO(png)).convert("RGB") for png in (full, small_png))
    assert max(ImageStat.Stat(ImageChops.difference(original_image, reduced_image)).rms) < MAX_DIFFERENCE


def test_pictures_lie_where_their_boards_do() -> None:
    for name in ("arab_israeli_wars", "yom_kippur", "six_day_war", "musketeer"):
        game = load(name)
        for scenario, table in game.scenario_maps.items():
            assert isinstance(table, HexMap)
            assert {lying(game)[layout_name].board.id for layout_name in layout_names(game, scenario).values()} == {
                p.board.id for p in table.placed
            }
            for placed_board in table.placed:
                board_layout = lying(game)[layout_names(game, scenario)[placed_board.board.id]]
                assert board_layout.placed_board.turned == placed_board.turned
                corner = (
                    BoardSheet(table).corners[placed_board.board.id] if len(board_layout.map.placed) > 1 else (0, 0)
                )
                assert BoardSheet(board_layout.map).corners[placed_board.board.id] == corner
