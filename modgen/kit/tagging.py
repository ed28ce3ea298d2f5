"""Leaves in the tag tree: a bound leaf is a picture to Typst, but its words have tags of their own, in the leaf's own file."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, String

LEAF = "leaf:"
"""The alternative text of a bound leaf begins so; its plate and page follow."""
DRAWN = re.compile(rb"/Span<</MCID (\d+)/Alt\(leaf:([^():]+):(\d+)\)>>BDC(\s*q[^/]*)/(x\d+) Do")
KEPT = ("/A", "/Alt", "/ActualText", "/Lang", "/T")
"""What of an element is taken over as it is."""


def graft_leaves(pdf: Any, plates: Mapping[str, bytes]) -> None:
    """Puts the tags of each bound leaf where the picture of that leaf stands in the kit's tag tree."""
    root = pdf.Root.StructTreeRoot
    figures = {str(element.Alt): (parent, element) for parent, element in _figures(root)}
    if not figures:
        return
    numbers = root.ParentTree.Nums
    free = int(root.get("/ParentTreeNextKey", 0)) or 1 + max(int(numbers[n]) for n in range(0, len(numbers), 2))
    of_page = {int(numbers[n]): numbers[n + 1] for n in range(0, len(numbers), 2)}
    opened: dict[str, tuple[Any, list[_Tag]]] = {}
    grown: dict[tuple[int, int], list[Any]] = {}
    for page in pdf.pages:
        drawn = page.Contents.read_bytes() if not isinstance(page.Contents, Array) else b""
        for found in DRAWN.finditer(drawn):
            mcid, name, number = int(found[1]), found[2].decode(), int(found[3])
            if name not in opened:
                source = pikepdf.open(io.BytesIO(plates[name]))
                documents = _listed(source.Root.StructTreeRoot.K)
                opened[name] = source, [tag for document in documents for tag in _tags(document.get("/K"), None)]
            source, tags = opened[name]
            parent, figure = figures[f"{LEAF}{name}:{number}"]
            form = page.Resources.XObject[f"/{found[5].decode()}"]
            leaf = _Leaf(pdf, source.pages[number - 1].obj.objgen, page.obj, form)
            grown[figure.objgen] = leaf.grown(tags, parent)
            form.StructParents = free
            numbers.extend([free, pdf.make_indirect(Array(leaf.parents()))])
            of_page[int(page.obj.StructParents)][mcid] = None
            free += 1
        if b"/Alt(leaf:" in drawn:
            page.Contents = pdf.make_stream(DRAWN.sub(rb"/Span BMC\4/\5 Do", drawn))
    for parent in {parent.objgen: parent for parent, _ in figures.values()}.values():
        parent.K = Array(
            [new for kid in _listed(parent.K) for new in (grown.get(kid.objgen, [kid]) if _is_element(kid) else [kid])]
        )
    root.ParentTree = pdf.make_indirect(Dictionary(Nums=numbers))
    root[Name("/ParentTreeNextKey")] = free


class _Part(NamedTuple):
    """A marked part of a page: which page of its file, and its number there."""

    page: tuple[int, int]
    number: int


class _Tag(NamedTuple):
    """An element of a leaf's tag tree, with all that is in it and the pages on which that is."""

    element: Any
    kind: str
    inner: list[_Tag | _Part]
    pages: frozenset[tuple[int, int]]


def _tags(held: Any, page: Any) -> list[Any]:
    """What an element holds; elements that only hold others together are left out."""
    found: list[Any] = []
    for kid in _listed(held):
        if _is_element(kid):
            kind, inner = str(kid.S), _tags(kid.get("/K"), kid.get("/Pg", page))
            if kind == "/Div" and all(isinstance(one, _Tag) for one in inner):
                found += inner
            else:
                pages = [one.pages if isinstance(one, _Tag) else {one.page} for one in inner]
                found.append(_Tag(kid, kind, inner, frozenset().union(*pages)))
        else:
            number, on = (kid, page) if isinstance(kid, int) else (kid.get("/MCID"), kid.get("/Pg", page))
            if number is not None and on is not None:
                found.append(_Part(on.objgen, int(number)))
    return found


def _figures(node: Any) -> Iterator[tuple[Any, Any]]:
    """The pictures of leaves, each with what holds it."""
    for kid in _listed(node.get("/K")):
        if _is_element(kid):
            if kid.S == "/Figure" and str(kid.get("/Alt", "")).startswith(LEAF):
                yield node, kid
            else:
                yield from _figures(kid)


def _listed(held: Any) -> list[Any]:
    return [] if held is None else list(held) if isinstance(held, Array) else [held]


def _is_element(kid: Any) -> bool:
    return isinstance(kid, Dictionary) and "/S" in kid


class _Leaf:
    """A leaf of a plate that is a form on a page of the kit."""

    def __init__(self, pdf: Any, leaf: tuple[int, int], page: Any, form: Any) -> None:
        self.pdf, self.leaf, self.page, self.form = pdf, leaf, page, form
        self.owners: dict[int, Any] = {}

    def grown(self, tags: list[Any], parent: Any) -> list[Any]:
        """Tags made anew for the kit, with what of them is on this leaf; nothing of other leaves."""
        found: list[Any] = []
        for tag in tags:
            if isinstance(tag, _Part):
                if tag.page == self.leaf:
                    self.owners[tag.number] = parent
                    found.append(Dictionary(Type=Name("/MCR"), Pg=self.page, Stm=self.form, MCID=tag.number))
            elif self.leaf in tag.pages:
                made = self.pdf.make_indirect(Dictionary(Type=Name("/StructElem"), S=Name(tag.kind), P=parent))
                made.K = Array(self.grown(tag.inner, made))
                for key in KEPT:
                    if key in tag.element:
                        made[Name(key)] = self._copied(tag.element[key])
                found.append(made)
        return found

    def parents(self) -> list[Any]:
        """By the number of each marked part of the leaf the element that it belongs to."""
        return [self.owners.get(number) for number in range(max(self.owners, default=-1) + 1)]

    def _copied(self, held: Any) -> Any:
        return self.pdf.copy_foreign(held) if isinstance(held, Object) and held.is_indirect else _plain(held)


def _plain(held: Any) -> Any:
    """A value without a file of its own."""
    if isinstance(held, Array):
        return Array([_plain(one) for one in held])
    if isinstance(held, Dictionary):
        return Dictionary({key: _plain(one) for key, one in held.items() if key not in ("/Headers",)})
    if isinstance(held, Name):
        return Name(str(held))
    return String(str(held)) if isinstance(held, Object) else held
