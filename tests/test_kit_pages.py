"""The pages of a real kit, as a reader sees them: none is nearly empty, and its tables are tables."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pikepdf
import pypdfium2
import pytest
from PIL import Image

from modgen.kit.charts import is_event_list
from modgen.kit.drawings import _box_height
from modgen.kit.kit import SEQUENCE
from modgen.kit.options import PAPERS, Options, with_pack_size
from modgen.kit.shelves import ShelfCard, shelves
from scenarios import load, shipped_games
from tests import shared

FOOT = 42.0
"""The room of a page's foot, in points."""
MIN_PAGE_SHARE = 0.3
"""How far down a page must at least be used."""


def reach(page: pypdfium2.PdfPage) -> float:
    """How far down a page the last ink above its foot is, as a part of its height."""
    image: Image.Image = page.render(scale=0.4, grayscale=True).to_pil()
    end = int(image.height * (1 - FOOT / page.get_height()))
    dark = image.crop((0, 0, image.width, end)).point(lambda value: 255 if value < 200 else 0).getbbox()
    return dark[3] / image.height if dark else 0.0


def has_page_number(page: pypdfium2.PdfPage, number: int) -> bool:
    """Whether a page has its number in its foot, as all have that are read and not cut."""
    foot_words = page.get_textpage().get_text_bounded(bottom=0, top=FOOT - 4).split()
    return bool(foot_words) and foot_words[-1] == str(number)


@pytest.mark.parametrize(
    ("name", "paper"),
    [("musketeer", "a4"), ("october_war", "a4"), pytest.param("musketeer", "letter", marks=pytest.mark.slow)],
)
def test_no_page_of_a_kit_is_nearly_empty(name: str, paper: str) -> None:
    kit = pypdfium2.PdfDocument(shared.kit(load(name), Options(paper=PAPERS[paper])))
    read = [n for n in range(1, len(kit) + 1) if has_page_number(kit[n - 1], n)]
    assert len(read) > 10
    assert {n: share for n in read if (share := reach(kit[n - 1])) < MIN_PAGE_SHARE} == {}


@pytest.mark.parametrize("name", shipped_games())
def test_player_aids_are_tagged_tables_that_say_what_the_pack_says(name: str) -> None:
    """Every table has its rows and its heads in the structure that a screen reader reads."""
    game = load(name)
    with pikepdf.open(io.BytesIO(shared.kit(game))) as pdf:
        tables = [node for node in structure(pdf.Root.StructTreeRoot) if node.S == "/Table"]
        rows = {tuple(len(kids(row)) for row in structure(table) if row.S == "/TR") for table in tables}
        heads = {str(kids(row)[0].S) for table in tables for row in structure(table) if row.S == "/TR"}
        cells = {str(cell.S) for table in tables for row in structure(table) if row.S == "/TR" for cell in kids(row)}
    for table in game.tables.values():
        if table.title == SEQUENCE:
            continue
        column_count, row_count = (
            len(table.columns.labels) + 1 + is_event_list(table),
            len(table.cells) + 1,
        )  # a list has its effects
        half_rows = -(-len(table.cells) // 2) + 1
        assert {(column_count,) * row_count, (column_count,) * half_rows} & rows, table.title
    assert heads == {"/TH"} and cells == {"/TH", "/TD"}


def kids(node: pikepdf.Object) -> list[pikepdf.Object]:
    kid_entry = node.get("/K")
    entries = list(kid_entry) if isinstance(kid_entry, pikepdf.Array) else [kid_entry]
    return [kid for kid in entries if isinstance(kid, pikepdf.Dictionary) and "/S" in kid]


def structure(node: pikepdf.Object) -> Iterator[pikepdf.Object]:
    """A node of the structure tree and all that is in it."""
    for kid in kids(node):
        yield kid
        yield from structure(kid)


def test_a_half_stands_beside_one_of_its_height_and_else_beside_the_next() -> None:
    heights = [40, 50, 40, 30, 70]
    cards = [ShelfCard(str(n), n, 80, height) for n, height in enumerate(heights)]
    assert [[card.page for card in shelf] for shelf in shelves(cards, 182)] == [[0, 2], [1, 3], [4]]


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("name", shipped_games())
def test_boxes_are_high_enough_for_two_rows_of_counters(name: str, paper: str) -> None:
    game = load(name)
    box_height = _box_height(game, with_pack_size(game, Options(paper=PAPERS[paper])))
    assert 44 <= box_height <= 66
