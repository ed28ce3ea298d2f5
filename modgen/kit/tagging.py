"""Leaves in the tag tree: a bound leaf is a picture to Typst, but its words have tags of their own, in the leaf's own file."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from typing import Any

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
    opened: dict[str, Any] = {}
    for page in pdf.pages:
        drawn = page.Contents.read_bytes() if not isinstance(page.Contents, Array) else b""
        for found in DRAWN.finditer(drawn):
            mcid, name, number = int(found[1]), found[2].decode(), int(found[3])
            if name not in opened:
                opened[name] = pikepdf.open(io.BytesIO(plates[name]))
            source = opened[name]
            parent, figure = figures[f"{LEAF}{name}:{number}"]
            form = page.Resources.XObject[f"/{found[5].decode()}"]
            grafted = _Leaf(pdf, source.pages[number - 1].obj, page.obj, form)
            documents = _listed(source.Root.StructTreeRoot.K)
            kids = [kid for document in documents for kid in grafted.kids(document.get("/K"), parent)]
            _replace(parent, figure, kids)
            form.StructParents = free
            numbers.extend([free, pdf.make_indirect(Array(grafted.parents()))])
            of_page[int(page.obj.StructParents)][mcid] = None
            free += 1
        if b"/Alt(leaf:" in drawn:
            page.Contents = pdf.make_stream(DRAWN.sub(rb"/Span BMC\4/\5 Do", drawn))
    root.ParentTree = pdf.make_indirect(Dictionary(Nums=numbers))
    root[Name("/ParentTreeNextKey")] = free


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


def _replace(parent: Any, figure: Any, kids: list[Any]) -> None:
    held = _listed(parent.K)
    at = next(n for n, kid in enumerate(held) if _is_element(kid) and kid.objgen == figure.objgen)
    parent.K = Array([*held[:at], *kids, *held[at + 1 :]])


class _Leaf:
    """A leaf of a plate that is a form on a page of the kit."""

    def __init__(self, pdf: Any, leaf: Any, page: Any, form: Any) -> None:
        self.pdf, self.leaf, self.page, self.form = pdf, leaf, page, form
        self.owners: dict[int, Any] = {}

    def kids(self, held: Any, parent: Any, page: Any = None) -> list[Any]:
        """What an element holds on this leaf, made anew for the kit; nothing of other leaves."""
        found: list[Any] = []
        for kid in _listed(held):
            if _is_element(kid) and kid.S == "/Div" and all(map(_is_element, _listed(kid.get("/K")))):
                found += self.kids(kid.get("/K"), parent, kid.get("/Pg", page))  # it only holds others together
            elif _is_element(kid):
                made = self.pdf.make_indirect(Dictionary(Type=Name("/StructElem"), S=Name(str(kid.S)), P=parent))
                inner = self.kids(kid.get("/K"), made, kid.get("/Pg", page))
                if inner:
                    made.K = Array(inner)
                    for key in KEPT:
                        if key in kid:
                            made[Name(key)] = self._copied(kid[key])
                    found.append(made)
            else:
                number, on = (kid, page) if isinstance(kid, int) else (kid.get("/MCID"), kid.get("/Pg", page))
                if number is not None and on is not None and on.objgen == self.leaf.objgen:
                    self.owners[int(number)] = parent
                    found.append(Dictionary(Type=Name("/MCR"), Pg=self.page, Stm=self.form, MCID=int(number)))
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
