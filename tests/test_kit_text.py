"""What a finished kit says, page by page: names that people use, and what goes on over several pages."""

from __future__ import annotations

import functools
import re

import pypdfium2
import pytest

from modgen.cache import Cache
from modgen.kit.kit import make_kit
from modgen.kit.options import Options
from scenarios import load, shipped
from scenarios.game import Game
from scenarios.maps import HexMap

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
def pages(name: str) -> tuple[str, ...]:
    kit = pypdfium2.PdfDocument(make_kit(load(name), Options(), Cache(None)))
    return tuple(page.get_textpage().get_text_range() for page in kit)


def proper_names(game: Game) -> set[str]:
    """The words of the names of nations, places and points, as they are written small."""
    names = [word for nation in game.nations.values() for word in (nation.name, nation.adjective)]
    for field in game.maps.values():
        places = field.places if isinstance(field, HexMap) else field.points
        names += [place.name for place in places.values()]
    names += game.card.spellings
    words = {word for name in names for word in re.findall(r"[A-Z][A-Za-z]{3,}", name)}
    return {word.lower() for word in words if word.lower() not in ORDINARY}


@pytest.mark.parametrize("name", shipped())
def test_everything_printed_is_a_name_and_never_an_id(name: str) -> None:
    small = proper_names(load(name))
    for number, text in enumerate(pages(name), 1):
        ids = set(re.findall(r"\w*_\w*", text))
        assert not ids, f"page {number}"
        low = {word for word in re.findall(r"\b[a-z]{4,}\b", text) if word in small}
        assert not low, f"page {number}"


@pytest.mark.parametrize("name", shipped())
def test_what_goes_on_over_several_pages_says_so(name: str) -> None:
    """Of a title with '2 of 3' there is '3 of 3' too, on the page after it."""
    held = pages(name)
    parts = [(n, int(found[1]), int(found[2])) for n, text in enumerate(held) for found in [_part(text)] if found]
    assert parts
    for n, part, of in parts:
        assert 2 <= part <= of
        if part < of:
            assert (n + 1, part + 1, of) in parts, n + 1


def _part(text: str) -> re.Match[str] | None:
    """A title with '2 of 3' in a line of its own."""
    lines = (re.fullmatch(r"[A-Z0-9].{3,} (\d) of (\d)", line.strip()) for line in text.splitlines())
    return next((found for found in lines if found), None)
