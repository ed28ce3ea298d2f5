"""Adds leaves to the tag tree. To Typst a bound leaf is a picture, but its text has tags in the leaf's own file."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, String

LEAF = "leaf:"
"""The beginning of a bound leaf's alternative text. Its plate and page follow."""
DRAWING_PATTERN = re.compile(rb"/Span<</MCID (\d+)/Alt\(leaf:([^():]+):(\d+)\)>>BDC(\s*q[^/]*)/(x\d+) Do")
KEPT_KEYS = ("/A", "/Alt", "/ActualText", "/Lang", "/T")
"""Attributes of an element that are copied unchanged."""


def graft_leaves(pdf: Any, plates: Mapping[str, bytes]) -> None:
    """Put the tags of each bound leaf in the place of its picture in the kit's tag tree."""
    root = pdf.Root.StructTreeRoot
    figures = {str(element.Alt): (parent, element) for parent, element in _figures(root)}
    if not figures:
        return
    numbers = root.ParentTree.Nums
    free = int(root.get("/ParentTreeNextKey", 0)) or 1 + max(int(numbers[n]) for n in range(0, len(numbers), 2))
    of_page = {int(numbers[n]): numbers[n + 1] for n in range(0, len(numbers), 2)}
    plate_sources: dict[str, tuple[Any, list[_Tag]]] = {}
    new_tags: dict[tuple[int, int], list[Any]] = {}
    for page in pdf.pages:
        content = page.Contents.read_bytes() if not isinstance(page.Contents, Array) else b""
        for match in DRAWING_PATTERN.finditer(content):
            mcid, name, number = int(match[1]), match[2].decode(), int(match[3])
            if name not in plate_sources:
                source = pikepdf.open(io.BytesIO(plates[name]))
                documents = _as_list(source.Root.StructTreeRoot.K)
                plate_sources[name] = source, [tag for document in documents for tag in _tags(document.get("/K"), None)]
            source, tags = plate_sources[name]
            parent, figure = figures[f"{LEAF}{name}:{number}"]
            form = page.Resources.XObject[f"/{match[5].decode()}"]
            leaf = _PlateLeaf(pdf, source.pages[number - 1].obj.objgen, page.obj, form)
            new_tags[figure.objgen] = leaf.rebuild_tags(tags, parent)
            form.StructParents = free
            numbers.extend([free, pdf.make_indirect(Array(leaf.parents()))])
            of_page[int(page.obj.StructParents)][mcid] = None
            free += 1
        if b"/Alt(leaf:" in content:
            page.Contents = pdf.make_stream(DRAWING_PATTERN.sub(rb"/Span BMC\4/\5 Do", content))
    for parent in {parent.objgen: parent for parent, _ in figures.values()}.values():
        parent.K = Array(
            [
                new
                for kid in _as_list(parent.K)
                for new in (new_tags.get(kid.objgen, [kid]) if _is_element(kid) else [kid])
            ]
        )
    root.ParentTree = pdf.make_indirect(Dictionary(Nums=numbers))
    root[Name("/ParentTreeNextKey")] = free


class _PagePart(NamedTuple):
    """A marked part of a page: its page in the file, and its number there."""

    page: tuple[int, int]
    number: int


class _Tag(NamedTuple):
    """An element of a leaf's tag tree, with its content and the pages of that content."""

    element: Any
    kind: str
    inner: list[_Tag | _PagePart]
    pages: frozenset[tuple[int, int]]


def _tags(children: Any, page: Any) -> list[Any]:
    """The children of an element. Elements that only group others are left out."""
    tags: list[Any] = []
    for kid in _as_list(children):
        if _is_element(kid):
            kind, inner = str(kid.S), _tags(kid.get("/K"), kid.get("/Pg", page))
            if kind == "/Div" and all(isinstance(tag, _Tag) for tag in inner):
                tags += inner
            else:
                pages = [tag.pages if isinstance(tag, _Tag) else {tag.page} for tag in inner]
                tags.append(_Tag(kid, kind, inner, frozenset().union(*pages)))
        else:
            number, kid_page = (kid, page) if isinstance(kid, int) else (kid.get("/MCID"), kid.get("/Pg", page))
            if number is not None and kid_page is not None:
                tags.append(_PagePart(kid_page.objgen, int(number)))
    return tags


def _figures(node: Any) -> Iterator[tuple[Any, Any]]:
    """The pictures of leaves, each with its parent."""
    for kid in _as_list(node.get("/K")):
        if _is_element(kid):
            if kid.S == "/Figure" and str(kid.get("/Alt", "")).startswith(LEAF):
                yield node, kid
            else:
                yield from _figures(kid)


def _as_list(value: Any) -> list[Any]:
    return [] if value is None else list(value) if isinstance(value, Array) else [value]


def _is_element(kid: Any) -> bool:
    return isinstance(kid, Dictionary) and "/S" in kid


class _PlateLeaf:
    """A leaf of a plate that is a form on a page of the kit."""

    def __init__(self, pdf: Any, leaf: tuple[int, int], page: Any, form: Any) -> None:
        self.pdf, self.leaf, self.page, self.form = pdf, leaf, page, form
        self.owners: dict[int, Any] = {}

    def rebuild_tags(self, tags: list[Any], parent: Any) -> list[Any]:
        """New tags for the kit, with only the content on this leaf."""
        elements: list[Any] = []
        for tag in tags:
            if isinstance(tag, _PagePart):
                if tag.page == self.leaf:
                    self.owners[tag.number] = parent
                    elements.append(Dictionary(Type=Name("/MCR"), Pg=self.page, Stm=self.form, MCID=tag.number))
            elif self.leaf in tag.pages:
                element = self.pdf.make_indirect(Dictionary(Type=Name("/StructElem"), S=Name(tag.kind), P=parent))
                element.K = Array(self.rebuild_tags(tag.inner, element))
                for key in KEPT_KEYS:
                    if key in tag.element:
                        element[Name(key)] = self._copy(tag.element[key])
                elements.append(element)
        return elements

    def parents(self) -> list[Any]:
        """The element of each marked part of the leaf, by the part's number."""
        return [self.owners.get(number) for number in range(max(self.owners, default=-1) + 1)]

    def _copy(self, value: Any) -> Any:
        return self.pdf.copy_foreign(value) if isinstance(value, Object) and value.is_indirect else _detach(value)


def _detach(value: Any) -> Any:
    """A value that belongs to no file."""
    if isinstance(value, Array):
        return Array([_detach(entry) for entry in value])
    if isinstance(value, Dictionary):
        return Dictionary({key: _detach(entry) for key, entry in value.items() if key not in ("/Headers",)})
    if isinstance(value, Name):
        return Name(str(value))
    return String(str(value)) if isinstance(value, Object) else value
