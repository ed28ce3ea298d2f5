"""Clean SVG files from other people. Only shapes, colors and texts stay; scripts, addresses, entities and animations are removed."""

from __future__ import annotations

import base64
import re
from typing import NamedTuple

from lxml import etree

from art.svg import SVG
from scenarios.pack.images import LONGEST_SIDE, MOST_DOTS, size_of

MOST_BYTES = 8_000_000
MOST_PARTS = 50_000
MOST_DRAWN = 200_000
"""The maximum number of parts of a drawing. A part counts each time the drawing uses it."""
XLINK = "http://www.w3.org/1999/xlink"
SHAPES = frozenset(
    {
        "svg",
        "g",
        "defs",
        "symbol",
        "use",
        "title",
        "desc",
        "path",
        "rect",
        "circle",
        "ellipse",
        "line",
        "polyline",
        "polygon",
        "text",
        "tspan",
        "textPath",
        "image",
        "style",
        "linearGradient",
        "radialGradient",
        "stop",
        "clipPath",
        "mask",
        "pattern",
        "marker",
        "switch",
    }
)
ADDRESS = re.compile(r"url\((?!\s*['\"]?\s*#)", re.IGNORECASE)
INSIDE = re.compile(r"url\(\s*['\"]?\s*#([^)'\"\s]+)")
EMBEDDED_IMAGE = re.compile(r"data:image/(png|jpe?g);base64,[A-Za-z0-9+/=\s]*")
CODE = re.compile(r"@import|expression\s*\(|javascript:|behavior\s*:|-moz-binding|\\", re.IGNORECASE)
LENGTH = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(px|pt|pc|mm|cm|in)?\s*")
UNITS = {"": 1.0, "px": 1.0, "pt": 4 / 3, "pc": 16.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0}


class UnusableDrawing(ValueError):
    """Raised for a drawing that can't be used. The sentence gives the reason."""


class Clean(NamedTuple):
    """A usable drawing, with its size."""

    content: bytes
    size: tuple[float, float]


def clean(raw: bytes) -> Clean:
    """Clean a drawing down to its shapes. Raises UnusableDrawing if it is no drawing or too complex."""
    if len(raw) > MOST_BYTES:
        raise UnusableDrawing(f"an SVG drawing has at most {MOST_BYTES // 1_000_000} MB")
    if re.search(rb"<!\s*(DOCTYPE[^>]*\[|ENTITY)", raw, re.IGNORECASE):
        raise UnusableDrawing("it has entities, which a drawing doesn't need; save it as plain SVG")
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(raw, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise UnusableDrawing(f"it is not valid XML ({str(error).splitlines()[0]}); save it anew") from None
    if root.tag != f"{{{SVG}}}svg":
        raise UnusableDrawing("it is no SVG drawing: its first element isn't svg")
    parts = 0
    for element in list(root.iter()):
        parts += 1
        if parts > MOST_PARTS:
            raise UnusableDrawing(f"it has more than {MOST_PARTS:,} parts; simplify it, or save it as PNG")
        parent = element.getparent()
        if not isinstance(element.tag, str) or not _is_allowed(element):
            if parent is None:
                raise UnusableDrawing("it is no SVG drawing")
            _remove(element, parent)
            continue
        _strip_attributes(element)
    _check_bounds(root)
    size = _size(root)
    root.set("width", f"{size[0]:g}")
    root.set("height", f"{size[1]:g}")
    etree.cleanup_namespaces(root)
    return Clean(etree.tostring(root, encoding="utf-8"), size)


def _is_allowed(element: etree._Element) -> bool:
    name = etree.QName(element)
    if name.namespace != SVG or name.localname not in SHAPES:
        return False
    if name.localname == "style":
        words = "".join(map(str, element.itertext()))
        return not CODE.search(words) and not ADDRESS.search(words)
    return True


def _remove(element: etree._Element, parent: etree._Element) -> None:
    tail = element.tail
    if tail:
        previous = element.getprevious()
        if previous is not None:
            previous.tail = (previous.tail or "") + tail
        else:
            parent.text = (parent.text or "") + tail
    parent.remove(element)


def _strip_attributes(element: etree._Element) -> None:
    """Remove attributes that run code, link to other files or filter."""
    for key, value in list(element.attrib.items()):
        name = etree.QName(key)
        local, text = name.localname, str(value)
        if local == "href" and name.namespace in (None, XLINK):
            picture = etree.QName(element).localname == "image"
            fine = _small(text) if picture else text.startswith("#")
        elif local == "space":
            fine = True
        else:
            fine = name.namespace is None and not local.lower().startswith("on") and local != "filter"
            fine = fine and not ADDRESS.search(text) and not CODE.search(text)
        if not fine:
            del element.attrib[key]
        elif local == "style" and "filter" in text:
            element.set(key, re.sub(r"(^|;)\s*filter\s*:[^;]*", "", text))


def _small(address: str) -> bool:
    """Whether an address is an embedded picture of an acceptable size."""
    if not EMBEDDED_IMAGE.fullmatch(address):
        return False
    try:
        width, height = size_of(base64.b64decode(address.partition(",")[2]), "")
    except ValueError:
        return False
    return width * height <= MOST_DOTS and max(width, height) <= LONGEST_SIDE


def _check_bounds(root: etree._Element) -> None:
    """Refuse a drawing whose parts use each other so often or so deeply that drawing it would never end."""
    elements_by_id = {str(element.get("id")): element for element in root.iter() if element.get("id")}
    counts: dict[etree._Element, int] = {}
    under_way: set[etree._Element] = set()

    def count(element: etree._Element) -> int:
        if element in counts:
            return counts[element]
        if element in under_way:
            raise UnusableDrawing("parts of it use each other in a circle")
        if len(under_way) > 200:
            raise UnusableDrawing("its parts are nested too deeply; simplify it, or save it as PNG")
        under_way.add(element)
        total = 1
        for key, value in element.attrib.items():
            text = str(value)
            names = (
                [text[1:]] if etree.QName(key).localname == "href" and text.startswith("#") else INSIDE.findall(text)
            )
            total += sum(count(elements_by_id[name]) for name in names if name in elements_by_id)
        total += sum(count(child) for child in element)
        under_way.discard(element)
        if total > MOST_DRAWN:
            raise UnusableDrawing(f"it would draw more than {MOST_DRAWN:,} parts; simplify it, or save it as PNG")
        counts[element] = total
        return total

    count(root)


def _size(root: etree._Element) -> tuple[float, float]:
    """The size of a drawing in its units: from its view box, or from its width and height."""
    view = str(root.get("viewBox") or "").replace(",", " ").split()
    if len(view) == 4:
        try:
            width, height = float(view[2]), float(view[3])
        except ValueError:
            width = height = 0.0
    else:
        lengths = [LENGTH.fullmatch(str(root.get(side) or "")) for side in ("width", "height")]
        width, height = (float(side[1]) * UNITS[side[2] or ""] if side else 0.0 for side in lengths)
        if width > 0 and height > 0:
            root.set("viewBox", f"0 0 {width:g} {height:g}")
    if not 0 < width < 1e7 or not 0 < height < 1e7:
        raise UnusableDrawing("it doesn't say how large it is; give its svg element a viewBox")
    return width, height
