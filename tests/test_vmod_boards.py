"""The pictures of a module's boards: upright where a scenario turns them, whole across a seam, in few colours."""

from __future__ import annotations

import io
import random
from collections.abc import Mapping
from itertools import product

import pytest
from PIL import Image, ImageChops, ImageStat

from modgen.cache import Cache
from modgen.colors import MOST, NEAR, Cut, cut_up
from modgen.render import Picture, rendered
from modgen.vmod.boards import boards
from modgen.vmod.laying import laid, lying
from scenarios import load
from scenarios.maps import HexMap
from scenarios.vassal.geometry import Sheet, pixels


def test_a_board_lies_as_its_situation_says() -> None:
    game = load("arab_israeli_wars")
    assert laid(game, "S-2") == {"B": "Board B"}
    assert laid(game, "S-6") == laid(game, "A-7") == {"B": "Board B turned"}
    assert laid(game, "S-8") == {"D": "Board D turned"}
    # The hill D-F-11 reaches half a hex beyond its board; the boards A and B have nothing on their common edge.
    assert laid(game, "A-5") == {board: f"Board {board} (A-5)" for board in "DBAC"}
    assert laid(game, "S-1") == laid(game, "B-2") == {"C": "Board C (B-2)", "D": "Board D (B-2)"}
    assert laid(game, "B-1") == {"B": "Board B", "A": "Board A"}
    assert set(laid(game, "S-12").values()) == {"Board C", "Board D"}


@pytest.mark.parametrize("scenario", [pytest.param("A-5", marks=pytest.mark.slow), "S-7"])
def test_ground_on_a_seam_is_drawn_on_both_boards(scenario: str) -> None:
    game = load("arab_israeli_wars")
    table = game.scenario_maps[scenario]
    assert isinstance(table, HexMap)
    parts, pictures = boards(game)
    files = {str(part.attributes["name"]): str(part.attributes["image"]) for part in parts}
    own = {placed.board.id: files[laid(game, scenario)[placed.board.id]] for placed in table.placed}
    drawn = rendered({name: pictures[name] for name in own.values()}, Cache(None), small=True)
    images = {board: Image.open(io.BytesIO(drawn[name])).convert("RGB") for board, name in own.items()}
    high = [hex for hex, names in table.names.items() if len(names) > 1 and table.terrain[hex] == "slope"]
    assert high
    for hex in high:
        for placed in table.placed:
            local = placed.to_board(hex)
            if local is None:
                continue
            # The picture of a turned board stands on its head, so that the board's own pixels hold.
            x, y = pixels(placed.board.grid).centre(local)
            image = images[placed.board.id]
            near = image.crop((max(0, x - 12), max(0, y - 12), min(image.width, x + 12), min(image.height, y + 12)))
            _, most = max(near.getcolors(10_000) or [])
            assert isinstance(most, tuple)
            off = {
                kind: sum(abs(a - b) for a, b in zip(most, rgb(game.terrain[kind].color), strict=True))
                for kind in game.terrain
            }
            assert min(off, key=off.__getitem__) == "slope", (table.names[hex], placed.board.id, most, off)


def rgb(color: str) -> list[int]:
    """The channels of #cfae7d."""
    return [int(color[i : i + 2], 16) for i in (1, 3, 5)]


def test_a_cut_is_the_part_that_it_says() -> None:
    dice = random.Random(3)
    whole = Image.new("RGB", (30, 20))
    whole.putdata([(dice.randrange(64), dice.randrange(4), 0) for _ in range(600)])
    held = io.BytesIO()
    whole.save(held, "PNG")
    for turned, small in product((False, True), (False, True)):
        part = Image.open(io.BytesIO(cut_up(held.getvalue(), [Cut(7, 5, 11, 9, turned)], small)[0])).convert("RGB")
        for x in range(11):
            for y in range(9):
                assert part.getpixel((10 - x, 8 - y) if turned else (x, y)) == whole.getpixel((7 + x, 5 + y))


def test_the_parts_of_a_drawing_are_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from modgen import render

    red = b'<rect width="20" height="20" fill="#f00"/>'
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" viewBox="0 0 40 20">' + red + b"</svg>"
    counted: list[int] = []
    draw = render.draw

    def counting(pictures: Mapping[str, Picture], pool: bool = True) -> list[bytes]:
        counted.append(len(pictures))
        return draw(pictures, pool)

    monkeypatch.setattr(render, "draw", counting)
    parts = {name: Picture(svg, 40, 20, Cut(left, 0, 20, 20)) for name, left in (("a", 0), ("b", 20))}
    made = rendered(parts, Cache(None))
    assert counted == [1]
    assert [Image.open(io.BytesIO(made[name])).convert("RGBA").getpixel((9, 9)) for name in "ab"] == [
        (255, 0, 0, 255),
        (0, 0, 0, 0),
    ]


def paletted(content: bytes) -> bytes:
    """A picture as a module has it."""
    return cut_up(content, [None], small=True)[0]


def picture(colors: int, mode: str, size: tuple[int, int]) -> bytes:
    dice = random.Random(colors)
    kinds = [tuple(dice.randrange(256) for _ in mode) for _ in range(colors)]
    image = Image.new(mode, size)
    image.putdata([kinds[min(i, colors - 1)] if i < colors else dice.choice(kinds) for i in range(size[0] * size[1])])
    held = io.BytesIO()
    image.save(held, "PNG", compress_level=0)
    return held.getvalue()


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
@pytest.mark.parametrize("colors", [1, 2, 17, 256])
def test_few_colours_are_kept_to_the_dot(mode: str, colors: int) -> None:
    content = picture(colors, mode, (40, 30))
    before, after = (Image.open(io.BytesIO(held)).convert("RGBA") for held in (content, paletted(content)))
    assert before.tobytes() == after.tobytes()
    assert Image.open(io.BytesIO(paletted(content))).mode == "P"


def test_a_photograph_stays_as_it_is() -> None:
    dice = random.Random(1)
    image = Image.frombytes("RGB", (500, 400), dice.randbytes(600_000))
    held = io.BytesIO()
    image.save(held, "PNG")
    assert paletted(held.getvalue()) == held.getvalue()
    assert paletted(picture(MOST + 1, "RGBA", (40, 30))) == picture(MOST + 1, "RGBA", (40, 30))


def test_a_map_in_few_colours_looks_the_same() -> None:
    game = load("arab_israeli_wars")
    name, drawing = next(iter(boards(game)[1].items()))
    full, few = (rendered({name: drawing}, Cache(None), small=small)[name] for small in (False, True))
    assert len(few) < len(full) / 2
    before, after = (Image.open(io.BytesIO(held)).convert("RGB") for held in (full, few))
    assert max(ImageStat.Stat(ImageChops.difference(before, after)).rms) < NEAR


def test_pictures_lie_where_their_boards_do() -> None:
    for name in ("arab_israeli_wars", "yom_kippur", "six_day_war", "musketeer"):
        game = load(name)
        for scenario, table in game.scenario_maps.items():
            assert isinstance(table, HexMap)
            assert {lying(game)[held].board.id for held in laid(game, scenario).values()} == {
                p.board.id for p in table.placed
            }
            for placed in table.placed:
                held = lying(game)[laid(game, scenario)[placed.board.id]]
                assert held.placed.turned == placed.turned
                there = Sheet(table).corners[placed.board.id] if len(held.map.placed) > 1 else (0, 0)
                assert Sheet(held.map).corners[placed.board.id] == there
