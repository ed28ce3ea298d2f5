"""The tag tree of a kit holds the words of all pages: scenario cards, the sequence of play and the reading pages among them."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pikepdf
import pytest

from modgen.cache import Cache
from modgen.kit.kit import make_kit
from modgen.kit.options import Options
from scenarios import load

MCID = re.compile(rb"/MCID (\d+)")


@cache
def kit(name: str) -> bytes:
    return make_kit(load(name), Options(), Cache(None))


def elements(node: Any) -> Iterator[Any]:
    kid_entry = node.get("/K")
    for kid in kid_entry if isinstance(kid_entry, pikepdf.Array) else [kid_entry]:
        if isinstance(kid, pikepdf.Dictionary) and "/S" in kid:
            yield kid
            yield from elements(kid)


def kids(element: Any) -> list[Any]:
    kid_entry = element.get("/K")
    return list(kid_entry) if isinstance(kid_entry, pikepdf.Array) else [kid_entry]


@pytest.mark.parametrize("name", ["two_wells", "corps"])
def test_every_marked_part_of_every_page_has_its_element(name: str) -> None:
    with pikepdf.open(io.BytesIO(kit(name))) as pdf:
        root = pdf.Root.StructTreeRoot
        element_ids = {element.objgen for element in elements(root)}
        numbers = root.ParentTree.Nums
        parents = {int(numbers[n]): numbers[n + 1] for n in range(0, len(numbers), 2)}
        assert int(root.ParentTreeNextKey) > max(parents)
        leaves = 0
        for page in pdf.pages:
            forms = [form for form in page.Resources.get("/XObject", {}).values() if "/StructParents" in form]
            leaves += len(forms)
            for holder in [page.obj, *forms]:
                content = holder.read_bytes() if isinstance(holder, pikepdf.Stream) else page_content(page)
                owners = parents[int(holder.StructParents)]
                for number in {int(mcid) for mcid in MCID.findall(content)}:
                    owner = owners[number]
                    assert owner.objgen in element_ids
                    kid_numbers = [kid if isinstance(kid, int) else kid.get("/MCID") for kid in kids(owner)]
                    assert number in kid_numbers
        assert leaves >= 4  # a sequence, a scenario, two of reading at least


def page_content(page: pikepdf.Page) -> bytes:
    contents = page.Contents
    return (
        b"".join(stream.read_bytes() for stream in contents)
        if isinstance(contents, pikepdf.Array)
        else contents.read_bytes()
    )


def test_no_leaf_is_a_picture_and_titles_are_headings() -> None:
    game = load("corps")
    with pikepdf.open(io.BytesIO(kit("corps"))) as pdf:
        nodes = list(elements(pdf.Root.StructTreeRoot))
        assert not [node for node in nodes if str(node.get("/Alt", "")).startswith("leaf:")]
        assert not [node for node in nodes if node.S == "/Document" and node.P.get("/Type") != "/StructTreeRoot"]
        titles = {str(node.T) for node in nodes if str(node.S).startswith("/H") and "/T" in node}
    for scenario in game.scenarios.values():
        assert scenario.title in titles
    assert {"List of pieces", "Where the numbers come from"} <= titles
