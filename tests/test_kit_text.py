"""A finished kit: what it says page by page, and what its file says to printers and viewers."""

from __future__ import annotations

import functools
import io
import re

import pikepdf
import pypdfium2
import pytest

from art.maps.water import water_kinds
from scenarios import load, shipped_games
from scenarios.model.game import Game
from scenarios.model.maps import HexMap
from tests import shared

ORDINARY = frozenset(
    re.findall(
        r"\w+",
        """
    available airbase area army artillery bank base beach border bridge canal center central city coast cross crossing
    delta depression desert east eastern entry farm fort front great gulf harbor head heights hill hills holding home
    island junction kibbutz lake lakes large liberation line lines military monastery mount mountain north northern oasis
    objective optional other over pass passes point points port position reserve reserves ridge river road rough said salt
    sand sector shore small south southern states station strip town towns union united units unit volunteer volunteers
    wadi water well wells west western with works
    """,
    )
)
"""Words of names that are also words by themselves."""


@functools.cache
def kit(name: str) -> bytes:
    return shared.kit(load(name))


def label(page: pikepdf.Page) -> str:
    """A page's label; some versions of pikepdf call it, some read it."""
    label_value: object = page.label
    return str(label_value() if callable(label_value) else label_value)


@functools.cache
def pages(name: str) -> tuple[str, ...]:
    return tuple(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(kit(name)))


def proper_names(game: Game) -> set[str]:
    """The words of the names of nations, places and points, as they are written small."""
    names = [word for nation in game.nations.values() for word in (nation.name, nation.adjective)]
    for field in game.maps.values():
        places = field.places if isinstance(field, HexMap) else field.points
        names += [place.name for place in places.values()]
    names += game.card.spellings
    words = {word for name in names for word in re.findall(r"[A-Z][A-Za-z]{3,}", name)}
    return {word.lower() for word in words if word.lower() not in ORDINARY}


@pytest.mark.parametrize("name", shipped_games())
def test_everything_printed_is_a_name_and_never_an_id(name: str) -> None:
    small = proper_names(load(name))
    for number, text in enumerate(pages(name), 1):
        ids = set(re.findall(r"\w*_\w*", text))
        assert not ids, f"page {number}"
        low = {word for word in re.findall(r"\b[a-z]{4,}\b", text) if word in small}
        assert not low, f"page {number}"


@pytest.mark.parametrize("name", shipped_games())
def test_what_goes_on_over_several_pages_says_so(name: str) -> None:
    """Of a title with '2 of 3' there is '3 of 3' too, on the page after it."""
    page_texts = pages(name)
    parts = [(n, int(match[1]), int(match[2])) for n, text in enumerate(page_texts) for match in [_part(text)] if match]
    assert parts
    for n, part, part_count in parts:
        assert 2 <= part <= part_count
        if part < part_count:
            assert (n + 1, part + 1, part_count) in parts, n + 1


def _part(text: str) -> re.Match[str] | None:
    """A title with '2 of 3' in a line of its own."""
    lines = (re.fullmatch(r"[A-Z0-9].{3,} (\d) of (\d)", line.strip()) for line in text.splitlines())
    return next((match for match in lines if match), None)


@pytest.mark.parametrize("name", shipped_games())
def test_the_file_says_how_it_is_printed(name: str) -> None:
    with pikepdf.open(io.BytesIO(kit(name))) as pdf:
        assert not pdf.check_pdf_syntax()
        preferences = pdf.Root.ViewerPreferences
        assert [str(preferences.PrintScaling), str(preferences.Duplex)] == ["/None", "/DuplexFlipLongEdge"]
        assert "/Suspects" not in pdf.Root.MarkInfo
        labels = [label(page) for page in pdf.pages]
        assert labels[0] == "Cover" and len(set(labels)) == len(labels)
        for number, page in enumerate(pdf.pages, 1):
            media, trim, bleed = (list(map(float, box)) for box in (page.MediaBox, page.TrimBox, page.BleedBox))
            for outer, inner in ((media, bleed), (bleed, trim)):
                assert outer[0] <= inner[0] + 0.01 and outer[1] <= inner[1] + 0.01, number
                assert outer[2] >= inner[2] - 0.01 and outer[3] >= inner[3] - 0.01, number
            if labels[number - 1].startswith("Sheet"):
                assert bleed[0] == pytest.approx(trim[0] - 72 / 25.4, abs=0.01) and trim != media
            elif labels[number - 1].isdigit():
                assert labels[number - 1] == str(number), "the number in its foot"


@pytest.mark.parametrize("name", ["musketeer", "six_day_war", "yom_kippur"])
def test_a_tile_holds_its_own_part_of_the_map(name: str) -> None:
    """And all tiles together hold the ids of all hexes that are played on."""
    with pikepdf.open(io.BytesIO(kit(name))) as pdf:
        tiles = [n for n, page in enumerate(pdf.pages) if re.fullmatch(r"Map [A-Z]\d+", label(page))]
    game = load(name)
    field = game.maps["main"]
    assert isinstance(field, HexMap)
    names = {field.name(hex) for hex in field.hexes}
    printed_names = [set(re.findall(r"[\d.]+", pages(name)[n])) & names for n in tiles]
    assert all(ids and len(ids) < len(names) / 4 for ids in printed_names)
    shut = field.zones["saudi_arabia"] if name == "six_day_war" else ()  # closed to everybody (25.1)
    dry = {field.name(hex) for hex, kind in field.terrain.items() if kind not in water_kinds(game) and hex not in shut}
    assert dry <= set().union(*printed_names)


@pytest.mark.parametrize("name", shipped_games())
def test_cut_lines_and_numbers_are_layers(name: str) -> None:
    """A viewer lists them, and what lies on them is drawn from forms that belong to them."""
    with pikepdf.open(io.BytesIO(kit(name))) as pdf:
        layers = {str(group.Name): group for group in pdf.Root.OCProperties.OCGs}
        hexes = any(isinstance(field, HexMap) for field in load(name).maps.values()) or not load(name).maps
        assert set(layers) == {"Cut lines", *(["Hex numbers"] if hexes else [])}
        for page in pdf.pages:
            layer_names = {str(form.OC.Name) for form in page.Resources.get("/XObject", {}).values() if "/OC" in form}
            if label(page).startswith("Sheet "):
                assert layer_names == {"Cut lines"}
            elif label(page)[-2:-1].isalpha() and label(page)[-1:].isdigit():
                assert layer_names == set(layers)


MIN_FONT_SIZE = 1.2
"""The least font size on a set-up card, in millimetres."""
CAPITAL = 0.66
"""How high a capital is, in font sizes."""
NARROW = "EFHIJLPTbdhkl"
"""Letters as high as a capital at least, and narrower than high."""


@pytest.mark.parametrize("name", shipped_games())
def test_no_text_on_a_set_up_card_is_smaller_than_it_may_be(name: str) -> None:
    """Measured on the page itself: counters in pictures, names on their maps, what stands below them."""
    titles = {scenario.title for scenario in load(name).scenarios.values()}
    document = pypdfium2.PdfDocument(kit(name))
    cards = [n for n, text in enumerate(pages(name)) if n > 2 and any(title in text[:200] for title in titles)]
    assert len(cards) >= len(titles)
    sizes = []
    for n in cards:
        words = document[n].get_textpage()
        for i in range(words.count_chars()):
            if words.get_text_range(i, 1) in NARROW:
                left, bottom, right, top = words.get_charbox(i)
                size = max(right - left, top - bottom) / CAPITAL / 72 * 25.4
                sizes.append((round(size, 2), n + 1, words.get_text_range(max(0, i - 8), 16)))
    assert min(sizes) > (MIN_FONT_SIZE, 0, "")
