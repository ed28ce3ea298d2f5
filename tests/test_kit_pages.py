"""The pages of a real kit, as a reader sees them: none is nearly empty, and cards side by side are of one height."""

from __future__ import annotations

import pypdfium2
import pytest
from PIL import Image

from art.charts import chart_group
from modgen.cache import Cache
from modgen.kit.drawings import _box_height, _partners, chart_drawings
from modgen.kit.kit import make_kit
from modgen.kit.options import PAPERS, Options, settled
from modgen.kit.plates import size_of, svg_of
from modgen.kit.shelves import Card, shelves
from scenarios import load, shipped

FOOT = 42.0
"""The room of a page's foot, in points."""
LEAST = 0.3
"""How far down a page must at least be used."""


def reach(page: pypdfium2.PdfPage) -> float:
    """How far down a page the last ink above its foot is, as a part of its height."""
    image: Image.Image = page.render(scale=0.4, grayscale=True).to_pil()
    end = int(image.height * (1 - FOOT / page.get_height()))
    dark = image.crop((0, 0, image.width, end)).point(lambda value: 255 if value < 200 else 0).getbbox()
    return dark[3] / image.height if dark else 0.0


def numbered(page: pypdfium2.PdfPage, number: int) -> bool:
    """Whether a page has its number in its foot, as all have that are read and not cut."""
    said = page.get_textpage().get_text_bounded(bottom=0, top=FOOT - 4).split()
    return bool(said) and said[-1] == str(number)


@pytest.mark.parametrize(("name", "paper"), [("musketeer", "a4"), ("musketeer", "letter"), ("october_war", "a4")])
def test_no_page_of_a_kit_is_nearly_empty(name: str, paper: str) -> None:
    kit = pypdfium2.PdfDocument(make_kit(load(name), Options(paper=PAPERS[paper]), Cache(None)))
    read = [n for n in range(1, len(kit) + 1) if numbered(kit[n - 1], n)]
    assert len(read) > 10
    assert {n: share for n in read if (share := reach(kit[n - 1])) < LEAST} == {}


@pytest.mark.parametrize("name", shipped())
def test_cards_side_by_side_are_as_high_as_each_other(name: str) -> None:
    game = load(name)
    drawings = chart_drawings(game, Options())
    sizes = [size_of(svg_of(drawing, Cache(None))) for drawing in drawings]
    cards = [Card(drawing.name, n, *size) for n, (drawing, size) in enumerate(zip(drawings, sizes, strict=True))]
    for shelf in shelves(cards, 182):
        assert len({round(card.height, 2) for card in shelf}) == 1, shelf
    halves = {key: chart_group(game, key, cards[0].width)[1] for key in list(game.tables)[:4]}
    partners = _partners(halves)
    assert all(partners[partners[key]] == key and partners[key] != key for key in partners)


def test_a_half_stands_beside_one_of_its_height_and_else_beside_the_next() -> None:
    heights = [40, 50, 40, 30, 70]
    cards = [Card(str(n), n, 80, high) for n, high in enumerate(heights)]
    assert [[card.page for card in shelf] for shelf in shelves(cards, 182)] == [[0, 2], [1, 3], [4]]


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("name", shipped())
def test_boxes_are_high_enough_for_two_rows_of_counters(name: str, paper: str) -> None:
    game = load(name)
    high = _box_height(game, settled(game, Options(paper=PAPERS[paper])))
    assert 44 <= high <= 66
